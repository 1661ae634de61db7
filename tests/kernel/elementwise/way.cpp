// Which way a plan is walked, by its strides and by the size of its elements.
#include "broadloom/kernel/elementwise/way.hpp"

#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/planned.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;
using kernel::Write;
using planned::Planned;

TEST_CASE("Long rows are walked as rows, short loops as flat runs") {
    const settings::Streams streams(kernel::detail::zen3_cache);
    const auto walks_rows = [](Planned&& planned, index_t unit = 16, bool light = true,
                               Write write = Write::cached) {
        planned.code.unit = unit;
        planned.code.light = light;
        return kernel::walks_rows(planned.plan, planned.code, write);
    };
    CHECK(walks_rows(Planned({5}, {{1}})));
    CHECK(walks_rows(Planned({1000, 128}, {{128, 1}, {1, 0}})));
    // What is packed once serves all flat tiles, and what goes backwards is packed in any case.
    CHECK(!walks_rows(Planned({1000, 500}, {{500, 1}, {0, 1}})));
    CHECK(!walks_rows(Planned({1000, 8, 150}, {{1200, 150, 1}, {0, 1, 0}})));
    CHECK(walks_rows(Planned({1000, 8, 150}, {{1200, 150, 1}, {150, 0, 1}})));
    CHECK(!walks_rows(Planned({1000, 500}, {{500, 1}, {500, -1}})));
    CHECK(walks_rows(Planned({1000, 500}, {{500, 1}, {1, 1000}})));
    CHECK(walks_rows(Planned({1000, 1024}, {{1024, 1}, {0, 1}})));
    CHECK(!walks_rows(Planned({1000, 3}, {{3, 1}, {0, 1}})));
    CHECK(!walks_rows(Planned({1000, 127}, {{127, 1}, {0, 1}})));
    // A constant for every row, unless it is repeated within a tile or the functions are heavy.
    CHECK(walks_rows(Planned({1000, 40}, {{40, 1}, {1, 0}})));
    CHECK(walks_rows(Planned({1000, 32}, {{32, 1}, {1, 0}})));
    CHECK(walks_rows(Planned({1000, 24}, {{24, 1}, {1, 0}})));
    CHECK(!walks_rows(Planned({1000, 23}, {{23, 1}, {1, 0}})));
    CHECK(!walks_rows(Planned({1000, 80}, {{80, 1}, {1, 0}}), 16, false));
    CHECK(!walks_rows(Planned({1000, 80}, {{80, 1}, {1, 0}, {1, 1000}})));
    CHECK(walks_rows(Planned({1000, 30, 80}, {{2400, 80, 1}, {0, 1, 0}})));
    CHECK(!walks_rows(Planned({1000, 20, 80}, {{1600, 80, 1}, {0, 1, 0}})));
    // Functions of the user are not light.
    for (const index_t columns : {3, 79, 80}) {
        Planned planned({1000, columns}, {{columns, 1}, {1, 0}});
        planned.code.unit = 1;
        planned.code.waits = true;
        CHECK(kernel::walks_rows(planned.plan, planned.code, Write::cached) == (columns == 80));
    }
    // Gaps between the rows of an operand that is not packed once, if there are several rows.
    CHECK(walks_rows(Planned({1000, 32}, {{32, 1}, {33, 1}})));
    CHECK(walks_rows(Planned({100, 8, 40}, {{320, 40, 1}, {400, 50, 1}, {320, 40, 1}, {0, 0, 1}})));
    CHECK(!walks_rows(Planned({1000, 32}, {{32, 1}, {33, 1}}), 64));
    CHECK(walks_rows(Planned({1000, 16}, {{16, 1}, {33, 1}})));
    CHECK(!walks_rows(Planned({1000, 15}, {{15, 1}, {33, 1}})));
    // One that repeats is copied, if it is short or of small elements.
    for (const index_t bytes : {1, 2, 4, 8}) {
        for (const index_t columns : {31, 32, 63, 64, 127}) {
            Planned planned({9, 100, columns}, {{100 * columns, columns, 1}, {columns, 0, 1}});
            planned.code.unit = 16;
            planned.code.light = true;
            for (auto& stream : planned.streams) stream.bytes = bytes;
            CHECK(kernel::walks_rows(planned.plan, planned.code, Write::cached) ==
                  (columns >= 32 && columns * bytes >= 128));
        }
    }
    CHECK(!walks_rows(Planned({1000, 7, 40}, {{280, 40, 1}, {400, 50, 1}})));
    CHECK(!walks_rows(Planned({1000, 32}, {{32, 1}, {33, 1}, {66, 2}})));
    // Gaps in the target, between rows and within.
    CHECK(walks_rows(Planned({1000, 16}, {{20, 1}, {16, 1}})));
    CHECK(!walks_rows(Planned({1000, 16}, {{20, 1}, {16, 1}}), 64));
    CHECK(!walks_rows(Planned({1000, 15}, {{20, 1}, {15, 1}})));
    CHECK(!walks_rows(Planned({1000, 16}, {{40, 2}, {16, 1}})));
    // Short rows that lie across an operand, unless a flat tile has enough of them.
    CHECK(walks_rows(Planned({64, 64, 64}, {{4096, 64, 1}, {1, 64, 4096}})));
    CHECK(walks_rows(Planned({64, 64, 64}, {{4096, 64, 1}, {-1, 64, 4096}})));
    CHECK(walks_rows(Planned({64, 64, 64}, {{4096, 64, 1}, {4096, 64, 1}, {1, 64, 4096}})));
    CHECK(!walks_rows(Planned({64, 64, 64}, {{4096, 64, 1}, {4096, 1, 64}})));
    CHECK(!walks_rows(Planned({64, 64, 64}, {{4096, 64, 1}, {1, 64, 4}})));
    CHECK(!walks_rows(Planned({64, 64, 7}, {{448, 7, 1}, {1, 64, 4096}})));
    CHECK(!walks_rows(Planned({7, 64, 64}, {{4096, 64, 1}, {1, 7, 448}})));
    CHECK(walks_rows(Planned({64, 64, 50}, {{3200, 50, 1}, {1, 64, 4096}}), 16, true,
                     Write::streamed));
    // Rows without a unit, if little is computed.
    for (const index_t steps : {index_t{1}, kernel::heavy}) {
        Planned planned({64, 64, 9}, {{576, 9, 1}, {1, 64, 4096}});
        planned.code.unit = 16;
        planned.code.steps = steps;
        CHECK(kernel::walks_rows(planned.plan, planned.code, Write::cached) == (steps == 1));
    }
    // Rows that lie apart, short ones if little is computed.
    for (const index_t steps : {index_t{1}, kernel::heavy}) {
        for (const index_t columns : {15, 16, 127, 128}) {
            Planned planned({1000, columns}, {{columns, 1}, {columns + 3, 1}});
            planned.code.unit = 16;
            planned.code.steps = steps;
            CHECK(kernel::walks_rows(planned.plan, planned.code, Write::cached) ==
                  (columns >= (steps == 1 ? 16 : 128)));
        }
    }
    // Short rows that are streamed, if they are whole lines or share them with their neighbours.
    CHECK(!walks_rows(Planned({1000, 64}, {{64, 1}, {1, 0}}), 16, true, Write::streamed));
    CHECK(walks_rows(Planned({1000, 160}, {{160, 1}, {1, 0}}), 16, true, Write::streamed));
    CHECK(walks_rows(Planned({1000, 161}, {{161, 1}, {1, 0}}), 16, true, Write::streamed));
    CHECK(walks_rows(Planned({1000, 256}, {{256, 1}, {1, 0}}), 16, true, Write::streamed));
    CHECK(walks_rows(Planned({1000, 257}, {{257, 1}, {1, 0}}), 16, true, Write::streamed));
}

TEST_CASE("Short rows are walked as rows where what they lie across is fetched ahead") {
    static constexpr kernel::detail::Streaming calls{.turned = 1};
    const auto walks_rows = [](Planned&& planned, bool called = true) {
        const kernel::detail::Streaming& policy = called ? calls : kernel::detail::no_streaming;
        const settings::Streams streams(policy);
        planned.code.unit = 16;
        return kernel::walks_rows(planned.plan, planned.code, Write::cached);
    };
    if (!settings::Streams::has_policies()) return;
    CHECK(walks_rows(Planned({8, 1000, 64}, {{64000, 64, 1}, {64000, 1, 1000}})));
    CHECK(!walks_rows(Planned({8, 1000, 64}, {{64000, 64, 1}, {64000, 1, 1000}}), false));
    CHECK(!walks_rows(Planned({8, 1000, 15}, {{15000, 15, 1}, {15000, 1, 1000}})));
    CHECK(!walks_rows(Planned({8, 1000, 64}, {{64000, 64, 1}, {128000, 128, 2}})));
}

TEST_CASE("Rows that are no whole lines are stored where that takes less time") {
    static constexpr kernel::detail::Streaming stores{.stored_rows = 768};
    const settings::Streams streams(stores);
    const auto walks_rows = [](index_t columns) {
        Planned planned({1000, columns}, {{columns, 1}, {1, 0}});
        planned.code.unit = 16;
        planned.code.light = true;
        return kernel::walks_rows(planned.plan, planned.code, Write::streamed);
    };
    CHECK(!walks_rows(15));
    CHECK(!walks_rows(23));
    if (!settings::Streams::has_policies()) return;
    CHECK(walks_rows(40));
    CHECK(walks_rows(100));
    CHECK(walks_rows(257));
}

TEST_CASE(
    "Elements far apart are computed one by one, nearer ones too where they come from memory") {
    const auto singly = [](Planned&& planned, index_t bytes, Write write = Write::cached,
                           index_t steps = 3) {
        planned.code.steps = steps;
        planned.code.immediate = true;
        for (auto& stream : planned.streams) stream.bytes = bytes;
        return kernel::walks_singly(planned.plan, planned.code, write);
    };
    const auto one = [](index_t step) { return Planned({1000}, {{1}, {step}, {1}}); };
    const auto two = [](index_t step) { return Planned({1000}, {{1}, {step}, {-step}}); };
    CHECK(singly(two(2), 8));
    CHECK(!singly(one(2), 8));
    CHECK(singly(one(3), 8));
    CHECK(!singly(two(3), 4));
    CHECK(singly(two(4), 4));
    CHECK(!singly(two(2), 2));
    CHECK(singly(two(3), 2));
    CHECK(!singly(one(3), 2));
    CHECK(!singly(two(8), 1));
    CHECK(singly(two(64), 1));
    // From memory.
    CHECK(singly(two(2), 4, Write::streamed));
    CHECK(!singly(one(2), 4, Write::streamed));
    CHECK(singly(one(3), 4, Write::streamed));
    CHECK(singly(one(2), 8, Write::streamed));
    CHECK(!singly(two(2), 2, Write::streamed));
    CHECK(!singly(two(8), 1, Write::streamed));
    // Not where that is slow to write, where much is computed, or where rows are turned.
    CHECK(!singly(two(4), 8, Write::prefetched));
    CHECK(!singly(two(4), 8, Write::cached, 5));
    CHECK(!singly(Planned({100, 100}, {{100, 1}, {1, 100}, {1, 100}}), 8));
    // Results that are written apart.
    const auto apart = [](index_t step, index_t operand) {
        return Planned({1000}, {{step}, {operand}});
    };
    CHECK(singly(apart(2, 1), 8));
    CHECK(singly(apart(2, 0), 8));
    CHECK(!singly(apart(3, 1), 4));
    CHECK(singly(apart(4, 1), 4));
    CHECK(singly(apart(2, 2), 4));
    CHECK(!singly(apart(2, 2), 1));
}

TEST_CASE("Copies are made one by one where they are written apart, nothing that takes a branch") {
    Planned planned({1000}, {{2}, {2}});
    for (auto& stream : planned.streams) stream.bytes = 8;
    const auto singly = [&](bool immediate, bool copies, index_t step) {
        planned.streams[0].strides[0] = step;
        planned.code.immediate = immediate;
        planned.code.copies = copies;
        return kernel::walks_singly(planned.plan, planned.code, Write::cached);
    };
    CHECK(singly(true, true, 2));
    CHECK(!singly(true, true, 1));
    CHECK(singly(true, false, 2));
    CHECK(!singly(false, false, 2));
}

TEST_CASE("Copies that are turned far outside are packed as a whole") {
    const auto whole = [](Planned&& planned, bool copies = true, Write write = Write::cached) {
        planned.code.copies = copies;
        for (auto& stream : planned.streams) stream.movers = &kernel::movers_of<4>;
        return kernel::way_of(planned.plan, planned.code, write) == kernel::Way::whole;
    };
    const std::vector<index_t> target{3000, 300, 10, 1};
    const auto turned = [&] { return Planned({40, 10, 30, 10}, {target, {-1, 40, 400, 12000}}); };
    CHECK(whole(turned()));
    CHECK(whole(Planned({40, 30, 10}, {{300, 10, 1}, {1, 40, 1200}})));
    CHECK(!whole(turned(), false));
    CHECK(!whole(turned(), true, Write::streamed));
    CHECK(whole(Planned({40, 30, 4}, {{120, 4, 1}, {1, 40, 1200}}), true, Write::streamed));
    CHECK(whole(Planned({40, 30, 3, 20}, {{1800, 60, 20, 1}, {3, 2400, 1, 120}}), true,
                Write::streamed));
    CHECK(whole(Planned({4000, 30, 100}, {{3000, 100, 1}, {1, 4000, 120000}})));
    CHECK(whole(Planned({40, 64, 8}, {{512, 8, 1}, {1, 40, 2560}})));
    // Coordinates far apart, if something comes to lie between them.
    CHECK(whole(Planned({40, 30, 3, 20}, {{1800, 60, 20, 1}, {3, 2400, 1, 120}})));
    CHECK(!whole(Planned({40, 30, 3}, {{90, 3, 1}, {3, 120, 1}})));
    // Two loops are rows, and so are large blocks of long ones.
    CHECK(!whole(Planned({400, 100}, {{100, 1}, {1, 400}})));
    CHECK(!whole(Planned({30, 40, 10}, {{400, 10, 1}, {400, 1, 40}})));
    CHECK(!whole(Planned({400, 30, 200}, {{6000, 200, 1}, {1, 400, 12000}})));
    // A target with gaps, rows that lie flat.
    CHECK(!whole(Planned({40, 30, 10}, {{600, 20, 1}, {1, 40, 1200}})));
    CHECK(!whole(Planned({40, 30, 10}, {{300, 10, 1}, {10, 400, 1}})));
}

TEST_CASE("What is turned is packed into a target that lies flat and is no operand") {
    const auto turned = [](Planned&& planned, Write write = Write::cached) {
        auto walk = planned.walk();
        (void)kernel::detail::plan_rows(walk);
        walk.write = write;
        return kernel::detail::turned_in_place(walk);
    };
    const std::vector<index_t> flat{500, 1}, across{1, 300}, row{0, 1}, column{1, 0};
    const auto plan = [](std::vector<std::vector<index_t>> strides) {
        return Planned({300, 500}, strides);
    };
    CHECK(turned(plan({flat, across})) == 1);
    CHECK(turned(plan({flat, flat, row, column, across})) == 4);
    CHECK(turned(plan({flat, flat})) == 0);
    CHECK(turned(plan({flat, flat, across}), Write::streamed) == 0);
    // Another operand that is packed, unless it is the same one.
    CHECK(turned(plan({flat, across, {1000, 2}})) == 0);
    Planned twins = plan({flat, across, across});
    twins.streams[2].data = twins.streams[1].data;
    CHECK(turned(std::move(twins)) == 1);
    // A target that is an operand, has gaps, or elements of another size.
    Planned same = plan({flat, flat, across});
    same.streams[1].data = same.streams[0].data;
    CHECK(turned(std::move(same)) == 0);
    CHECK(turned(plan({{501, 1}, flat, across})) == 0);
    Planned wider = plan({flat, across});
    wider.streams[0].bytes = 8;
    CHECK(turned(std::move(wider)) == 0);
    // Rows that are not turned, longer ones, and those that share few lines.
    CHECK(turned(plan({flat, {1000, 2}})) == 0);
    CHECK(turned(Planned({300, 5000}, {{5000, 1}, {1, 300}})) == 0);
    CHECK(turned(Planned({300, 512}, {{512, 1}, {1, 300}})) == 0);
    CHECK(turned(Planned({500}, {{1}, {2}})) == 0);
}
