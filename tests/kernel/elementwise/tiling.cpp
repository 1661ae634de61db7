// How a plan is cut into tiles: what a tile holds, and how its operands are read.
#include "broadloom/kernel/elementwise/tiling.hpp"

#include <vector>

#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/planned.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
namespace detail = broadloom::kernel::detail;
using broadloom::index_t;
using detail::Access;
using kernel::Write;
using planned::Planned;

TEST_CASE("Rows are streamed where they are long, or whole lines, or share them") {
    static constexpr detail::Streaming stores{.stored_rows = 768};
    const auto write = [](Planned&& planned,
                          const detail::Streaming& policy = detail::no_streaming) {
        const settings::Streams streams(policy);
        auto walk = planned.walk();
        walk.write = Write::streamed;
        (void)detail::plan_rows(walk);
        return walk.write;
    };
    CHECK(write(Planned({1000}, {{1}, {1}})) == Write::streamed);
    CHECK(write(Planned({1000, 128}, {{160, 1}, {1, 0}})) == Write::streamed);
    CHECK(write(Planned({1000, 128}, {{161, 1}, {1, 0}})) == Write::cached);
    CHECK(write(Planned({10, 1000, 128}, {{160001, 160, 1}, {0, 1, 0}})) == Write::cached);
    CHECK(write(Planned({1000, 300}, {{301, 1}, {1, 0}})) == Write::streamed);
    CHECK(write(Planned({1000, 100}, {{100, 1}, {1, 0}})) == Write::streamed);
    if (!settings::Streams::has_policies()) return;
    CHECK(write(Planned({1000, 100}, {{100, 1}, {1, 0}}), stores) == Write::cached);
    CHECK(write(Planned({1000, 128}, {{128, 1}, {1, 0}}), stores) == Write::streamed);
    CHECK(write(Planned({1000, 201}, {{201, 1}, {1, 0}}), stores) == Write::streamed);
}

TEST_CASE("Over rows an operand is direct, constant or packed by its innermost stride") {
    Planned p({300, 500}, {{500, 1}, {500, 1}, {1, 0}, {0, 1}, {1, 300}, {1000, 2}});
    auto walk = p.walk();
    const auto cut = detail::plan_rows(walk);
    CHECK(p.access() == std::vector<Access>{Access::direct, Access::direct, Access::constant,
                                            Access::direct, Access::packed, Access::packed});
    CHECK((cut.rows > 0 && cut.columns > 0 && cut.rows * cut.columns <= 4 * detail::tile_length));
    CHECK(cut.span >= cut.columns);
}

TEST_CASE("The rows of a transposition are those next to each other in the operand") {
    Planned p({20, 30, 400}, {{12000, 400, 1}, {1, 20, 600}});
    CHECK(detail::row_loop(p.plan) == 0);
    auto walk = p.walk();
    (void)detail::plan_rows(walk);
    CHECK((p.plan.extents[1] == 20 && p.plan.extents[0] == 30));
    CHECK(p.streams[1].strides[1] == 1);
    // Of two operands that lie differently the one with more neighbours decides.
    Planned two({2, 30, 400}, {{12000, 400, 1}, {1, 800, 2}, {400, 1, 30}});
    CHECK(detail::row_loop(two.plan) == 1);
}

TEST_CASE("Crumbs of a flat tile go by a list of offsets, blocks that are turned do not") {
    const auto lists = [](index_t rows, index_t columns, std::vector<index_t> target) {
        Planned p({500, rows, columns}, {std::move(target), {rows * columns, columns, 1}});
        p.streams[0].movers = &kernel::movers_of<4>;
        return detail::is_scattered(p.plan, p.streams[0], detail::cut_flat(p.plan));
    };
    CHECK(lists(25, 3, {75, 1, 25}));
    CHECK(!lists(49, 3, {147, 1, 49}));
    CHECK(lists(49, 3, {294, 2, 98}));
    CHECK(!lists(9, 16, {144, 1, 9}));
}

TEST_CASE("Where nothing is packed a row is one tile") {
    const auto cut = detail::cut_rows(50, 4000, {});
    CHECK((cut.rows == 50 && cut.columns == 4000 && cut.span == 4000 && cut.packed == 0));
}

TEST_CASE("A long row that serves all others is cut so that it stays near") {
    const index_t span = detail::long_span / 4;
    const auto row = detail::cut_rows(50, 2 * span, {.repeats = 4});
    CHECK((row.rows == 50 && row.columns == 2 * span && row.span == 2 * span));
    const auto longer = detail::cut_rows(50, 2 * span + 1, {.repeats = 4});
    CHECK((longer.rows == 50 && longer.columns == span && longer.span == span));
}

TEST_CASE("What goes in steps along a row is packed row by row, what turns in blocks") {
    const auto cut = [](std::vector<index_t> operand) {
        Planned p({300, 5000}, {{5000, 1}, std::move(operand)});
        auto walk = p.walk();
        return detail::plan_rows(walk);
    };
    for (const index_t step : {-1, 2, 8}) {
        const auto along = cut({5000 * 8, step});
        CHECK((along.rows == 1 && along.columns == 2048 && along.span == 5000));
        // A row for all others is packed once, or piece by piece, each for all rows.
        const auto again = cut({0, step});
        CHECK((again.rows == 300 && again.columns == 5000 && again.packed == 5000));
    }
    const auto longer = detail::cut_rows(300, 50000, {.bytes = 4, .again = true});
    CHECK((longer.rows == 300 && longer.columns == 8192 && longer.span == 8192));
    const auto across = cut({1, 300});
    CHECK((across.rows == 32 && across.columns == 256 && across.span == 5000));
}

TEST_CASE("Tiles with buffers fit into them, whatever the extents") {
    naive::Random random(1);
    for (int round = 0; round < 2000; ++round) {
        const index_t rows = random(1, 3000), columns = random(1, 100000);
        const index_t bytes = index_t{1} << random(0, 11);
        const auto yes = [&] { return random(0, 1) == 0; };
        const bool anew = yes();
        const auto cut =
            detail::cut_rows(rows, columns, {bytes, anew && yes(), anew, !anew || yes(), 4});
        const index_t most = anew ? 4 * detail::tile_length : detail::again_bytes / bytes;
        const bool sound = cut.rows >= 1 && cut.rows <= rows && cut.columns >= 1 &&
                           cut.columns <= columns && cut.span >= cut.columns &&
                           cut.span <= columns &&
                           cut.packed == (anew ? cut.rows : 1) * cut.columns &&
                           (bytes > detail::block_row_bytes || cut.packed <= most);
        if (!sound)
            FAIL(rows << " rows of " << columns << " are cut into " << cut.rows << " x "
                      << cut.columns);
    }
    SUCCEED();
}

TEST_CASE("A flat tile takes whole inner loops and some turns of the next") {
    naive::Random random(2);
    for (int round = 0; round < 500; ++round) {
        std::vector<index_t> extents(static_cast<std::size_t>(random(2, 5)));
        for (auto& e : extents) e = random(2, 127);
        std::vector<index_t> plain(extents.size());
        index_t step = 1;
        for (std::size_t l = extents.size(); l-- > 0;) {
            plain[l] = step;
            step *= extents[l];
        }
        Planned p(extents, {plain, std::vector<index_t>(extents.size(), 0)});
        auto walk = p.walk();
        const auto flat = detail::plan_flat(walk);
        index_t whole = 1;
        for (int l = p.plan.rank - 1; l > flat.turns; --l) whole *= p.plan.extents[l];
        CHECK(flat.turns >= 0);
        CHECK(flat.whole == whole);
        CHECK((flat.chunk >= 1 && flat.chunk <= p.plan.extents[flat.turns]));
        CHECK((flat.chunk * flat.whole <= detail::tile_length || flat.chunk == 1));
        CHECK(p.parts[0].access == Access::direct);
        CHECK(p.parts[1].access == Access::constant);
    }
}

TEST_CASE("A short operand that every tile sees alike is packed once") {
    Planned scale({100000, 3}, {{3, 1}, {3, 1}, {0, 1}});
    auto walk = scale.walk();
    const auto flat = detail::plan_flat(walk);
    CHECK(scale.access() == std::vector<Access>{Access::direct, Access::direct, Access::packed});
    CHECK(flat.still);
    CHECK((flat.chunk * 3 * 4 <= detail::still_bytes && flat.chunk % 16 == 0));
    Planned column({100000, 3}, {{3, 1}, {3, 1}, {1, 0}});
    auto other = column.walk();
    CHECK(!detail::plan_flat(other).still);
    CHECK(column.access() == std::vector<Access>{Access::direct, Access::direct, Access::packed});
}
