// The order of a reduction's loops: what may be exchanged, and that it changes no bit.
#include "broadloom/kernel/fold/reduction_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/statistics.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/planned.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
namespace detail = broadloom::kernel::detail;
using bl::index_t;
using bl::Tensor;
using naive::same_bits;
using planned::Planned;

namespace {

using List = std::vector<index_t>;
List extents(const Planned& planned) {
    return {planned.plan.extents, planned.plan.extents + planned.plan.rank};
}

}  // namespace

TEST_CASE("Kept loops follow the operand where rows are joined alike") {
    kernel::Folder folder{};
    folder.lanes = 32;
    const auto sorted = [&](Planned&& planned, index_t fewest = 2) {
        const List before = extents(planned);
        const bool changes = detail::sort_kept(planned.plan, folder, fewest);
        CHECK(changes == (extents(planned) != before));
        return extents(planned);
    };
    // Rows outermost, columns in one order and in the other.
    CHECK(sorted(Planned({50, 60, 70}, {{0, 70, 1}, {1, 50, 3000}})) == List{50, 70, 60});
    CHECK(sorted(Planned({50, 60, 70}, {{0, 70, 1}, {4200, 70, 1}})) == List{50, 60, 70});
    // Columns change places with groups if there are enough of both.
    CHECK(sorted(Planned({50, 60, 70}, {{70, 0, 1}, {1, 50, 3000}})) == List{70, 60, 50});
    CHECK(sorted(Planned({31, 60, 70}, {{70, 0, 1}, {1, 31, 1860}})) == List{31, 60, 70});
    CHECK(sorted(Planned({70, 60, 31}, {{31, 0, 1}, {1, 70, 4200}})) == List{70, 60, 31});
    // Rows innermost: groups among themselves, not across other rows.
    CHECK(sorted(Planned({50, 60, 70}, {{60, 1, 0}, {1, 50, 3000}})) == List{60, 50, 70});
    CHECK(sorted(Planned({50, 9, 60, 70}, {{60, 0, 1, 0}, {1, 210000, 50, 3000}})) ==
          List{50, 9, 60, 70});
    // Few rows are not worth it, nor is what lies on one line of memory.
    CHECK(sorted(Planned({50, 60, 3}, {{60, 1, 0}, {1, 50, 3000}})) == List{60, 50, 3});
    CHECK(sorted(Planned({50, 60, 3}, {{60, 1, 0}, {1, 50, 3000}}), 4) == List{50, 60, 3});
    CHECK(sorted(Planned({50, 60, 70}, {{60, 1, 0}, {1, 15, 3000}})) == List{50, 60, 70});
    // But loops that go on where each other end are one, however near their elements.
    CHECK(sorted(Planned({50, 7, 11}, {{0, 11, 1}, {77, 1, 7}})) == List{50, 11, 7});
    CHECK(sorted(Planned({3, 60, 70}, {{60, 1, 0}, {1, 3, 180}})) == List{60, 3, 70});
    CHECK(sorted(Planned({50, 7, 11}, {{0, 11, 1}, {90, 1, 8}})) == List{50, 7, 11});
    CHECK(sorted(Planned({50, 7, 11}, {{0, 11, 1}, {77, 1, 7}, {77, 11, 1}})) == List{50, 7, 11});
    // Where any order will do there must be columns for whole vectors only afterwards.
    CHECK(sorted(Planned({80, 50, 9}, {{9, 0, 1}, {1, 720, 80}})) == List{80, 50, 9});
    folder.any_order = true;
    CHECK(sorted(Planned({80, 50, 9}, {{9, 0, 1}, {1, 720, 80}})) == List{9, 50, 80});
    CHECK(sorted(Planned({80, 50, 40}, {{40, 0, 1}, {40, 3200, 1}})) == List{80, 50, 40});
    folder.any_order = false;
    // Several operands, of which one stands still.
    CHECK(sorted(Planned({50, 60, 70}, {{70, 0, 1}, {1, 50, 3000}, {0, 0, 1}})) ==
          List{70, 60, 50});
}

TEST_CASE("The largest operands decide which loop is cheap to go along") {
    const Planned even({50, 60, 70}, {{70, 0, 1}, {1, 50, 3000}, {70, 0, 1}});
    // Sixty times as many elements as the second operand has.
    CHECK(detail::Cost(even.plan, 0) < detail::Cost(even.plan, 2));
    CHECK(detail::Cost(even.plan, 0).fetched == 4);
    CHECK(detail::Cost(even.plan, 2).fetched == 64);
    CHECK(detail::Cost(even.plan, 2).reach == 4 * 3001);
    // As many: a line of one or of the other.
    const Planned both({50, 60, 70}, {{70, 0, 1}, {1, 50, 3000}, {4200, 70, 1}});
    CHECK(detail::Cost(both.plan, 0).fetched == detail::Cost(both.plan, 2).fetched);
    // A few elements whose neighbours are reduced, where columns are wide.
    const Planned parted({100, 60, 4}, {{0, 4, 1}, {4, 400, 1}});
    CHECK(detail::Cost(parted.plan, 2, true).fetched == 128);
    CHECK(detail::Cost(parted.plan, 2, false).fetched == 4);
    CHECK(detail::Cost(parted.plan, 1, true).fetched == 64);
    const Planned joined({100, 60, 4}, {{0, 4, 1}, {240, 4, 1}});
    CHECK(detail::Cost(joined.plan, 2, true).fetched == 4);
}

TEST_CASE("Kept loops that lie nearer than the rows become columns") {
    kernel::Folder folder{};
    folder.lanes = 32;
    bool changes = false;
    const auto widened = [&](Planned&& planned) {
        changes = detail::widen_columns(planned.plan, folder, 2);
        return extents(planned);
    };
    // A loop of one turn keeps the rows of reduced loops apart that others lay between.
    CHECK(widened(Planned({16, 9, 8, 64}, {{0, 64, 0, 1}, {4608, 64, 576, 1}})) ==
          List{16, 1, 8, 9, 64});
    CHECK(!changes);
    CHECK(widened(Planned({4, 3, 20, 50}, {{0, 50, 0, 1}, {3000, 1, 150, 3}})) ==
          List{4, 1, 20, 50, 3});
    CHECK(changes);
    CHECK(widened(Planned({12, 50, 64}, {{64, 0, 1}, {64, 768, 1}})) == List{50, 12, 64});
    CHECK(!changes);
    CHECK(widened(Planned({3, 16, 9, 40}, {{640, 40, 0, 1}, {40, 1080, 120, 1}})) ==
          List{16, 9, 3, 40});
    CHECK(changes);
    // Farther ones, too few columns, or crumbs.
    CHECK(widened(Planned({12, 50, 64}, {{64, 0, 1}, {3200, 64, 1}})) == List{12, 50, 64});
    CHECK(widened(Planned({12, 50, 31}, {{31, 0, 1}, {31, 372, 1}})) == List{12, 50, 31});
    CHECK(widened(Planned({12, 2, 64}, {{64, 0, 1}, {64, 768, 1}})) == List{12, 2, 64});
    // Columns alone are sorted for many rows.
    CHECK(widened(Planned({16, 12, 50, 64}, {{0, 3200, 64, 1}, {38400, 64, 768, 1}})) ==
          List{16, 50, 12, 64});
    CHECK(changes);
    CHECK(widened(Planned({4, 12, 50, 64}, {{0, 3200, 64, 1}, {38400, 64, 768, 1}})) ==
          List{4, 12, 50, 64});
    CHECK(!changes);
}

TEST_CASE("Rows within reduced loops are turned where each makes one vector") {
    kernel::Folder folder{};
    folder.lanes = 32;
    folder.join = [](const void*, char*, const char*, index_t) {};
    folder.turns = [](const void*, char*, const char*, index_t, index_t, index_t, index_t, index_t,
                      char*) {};
    const auto turned = [&](index_t rows) {
        Planned planned({5, 64, rows}, {{0, 1, 0}, {64 * rows, 1, 64}});
        const detail::RowOrder order = detail::turn_rows(planned.plan, folder, false);
        return std::pair(order, extents(planned));
    };
    CHECK(turned(100) == std::pair(detail::RowOrder::by_lanes, List{5, 1, 100, 64}));
    CHECK(turned(16) == std::pair(detail::RowOrder::plain, List{5, 1, 16, 64}));
    CHECK(turned(40) == std::pair(detail::RowOrder::plain, List{5, 64, 40}));
}

TEST_CASE("Columns that are no flat run are folded loop by loop") {
    kernel::Folder folder{};
    folder.lanes = 32;
    const auto parted = [&](Planned&& planned) {
        detail::part_columns(planned.plan, folder);
        return extents(planned);
    };
    CHECK(parted(Planned({50, 60, 70}, {{0, 70, 1}, {70, 3500, 1}})) == List{60, 50, 70});
    CHECK(parted(Planned({7, 50, 6, 5, 70}, {{2100, 0, 350, 70, 1}, {1, 9, 900, 90, 7}})) ==
          List{7, 6, 5, 50, 70});
    CHECK(parted(Planned({9, 50, 60, 70}, {{0, 0, 70, 1}, {1, 9, 70, 3500}})) ==
          List{60, 9, 50, 70});
    // One loop of columns, too few, or rows innermost.
    CHECK(parted(Planned({50, 70}, {{0, 1}, {1, 50}})) == List{50, 70});
    CHECK(parted(Planned({50, 60, 31}, {{0, 31, 1}, {31, 1550, 1}})) == List{50, 60, 31});
    CHECK(parted(Planned({7, 60, 70}, {{0, 70, 1}, {70, 490, 1}})) == List{7, 60, 70});
    CHECK(parted(Planned({60, 70, 50}, {{70, 1, 0}, {70, 1, 4200}})) == List{60, 70, 50});
}

TEST_CASE("Results that were made in another order come back into their own") {
    std::vector<int> result(5 * 3 * 4);
    Planned planned({4, 6, 3, 5}, {{1, 0, 4, 12}, {1, 1, 1, 1}});
    planned.streams[0].data = reinterpret_cast<const char*>(result.data());
    detail::Aside aside;
    aside.bring_back(kernel::movers_of<4>);
    CHECK(std::count(result.begin(), result.end(), 0) == 60);
    aside.lay(planned.plan, 4);
    CHECK(List(planned.streams[0].strides, planned.streams[0].strides + 4) == List{15, 0, 5, 1});
    int* made = reinterpret_cast<int*>(const_cast<char*>(planned.streams[0].data));
    for (int i = 0; i < 60; ++i) made[i] = i;
    aside.bring_back(kernel::movers_of<4>);
    bool same = true;
    for (int a = 0; a < 4; ++a) {
        for (int c = 0; c < 3; ++c) {
            for (int d = 0; d < 5; ++d) {
                same = same &&
                       result[static_cast<std::size_t>(a + 4 * c + 12 * d)] == a * 15 + c * 5 + d;
            }
        }
    }
    CHECK(same);
}

TEST_CASE("Operands that lie across all tiles are laid as the loops go") {
    // Reduced, kept and reduced, by tiles of the inner two loops or of all three.
    const List target{0, 1, 0};
    const auto tile = [](int first, index_t elements) {
        return detail::Tile{first, 3, 3, elements, elements, 1};
    };
    const auto across = [&](const List& operand, const detail::Tile& of) {
        const Planned planned({512, 128, 64}, {target, operand});
        return detail::lies_across(planned.plan, planned.streams[1], of);
    };
    CHECK(across({1, 512, 65536}, tile(1, 4096)));
    CHECK(across({-1, 512, 65536}, tile(1, 1 << 18)));
    CHECK(across({1, 512, 65536}, tile(0, 4096)));
    CHECK(!across({1, 512, 65536}, tile(0, 1 << 18)));
    detail::Tile serving = tile(1, 4096);
    serving.serves = true;
    CHECK(!across({1, 512, 65536}, serving));
    CHECK(!across({8192, 64, 1}, tile(1, 4096)));
    CHECK(!across({8192, 1, 128}, tile(1, 4096)));
    CHECK(!across({0, 64, 16}, tile(1, 4096)));
    // Half of a line will do, or of rows that lie flat a fifth; of columns a tile takes some.
    const Planned wide({16, 40, 1000}, {{0, 0, 1}, {1, 16, 640}});
    const auto wide_across = [&](index_t elements) {
        return detail::lies_across(wide.plan, wide.streams[1], {0, 0, 2, elements, elements, 64});
    };
    CHECK(!wide_across(40 * 64 * 8));
    CHECK(wide_across(40 * 64 * 7));
    const auto part_of_line = [](index_t elements) {
        const Planned planned({64, 100, elements}, {{0, 1, 0}, {elements, 6400, 1}});
        return detail::lies_across(planned.plan, planned.streams[1], {1, 2, 3, 4096, 4096, 1});
    };
    CHECK(part_of_line(2));
    CHECK(!part_of_line(3));
    // Two loops go along lines, of which the groups of a tile take some turns.
    const auto grains = [](index_t groups) {
        const Planned planned({512, 2, 1024}, {{1, 0, 0}, {2, 1, 1024}});
        return detail::lies_across(planned.plan, planned.streams[1],
                                   {0, 1, 3, groups * 2048, 2048, 1});
    };
    CHECK(grains(2));
    CHECK(!grains(4));

    // Flat runs that would take few lines at a time, but where their rows are long.
    const auto lies_far = [&](const List& extents_of_run, const List& strides) {
        const Planned planned(extents_of_run, {List(extents_of_run.size()), strides});
        const auto rank = static_cast<int>(extents_of_run.size());
        detail::Tile flat{0, 0, rank, 1 << 18, 1 << 18, 1};
        flat.flat = true;
        return detail::lies_across(planned.plan, planned.streams[1], flat);
    };
    CHECK(lies_far({64, 28, 8}, {1, 64, 50176}));
    CHECK(lies_far({64, 12, 12, 64}, {1, 4096, 49152, 64}));
    CHECK(lies_far({40, 30, 3, 20}, {3, 2400, 1, 120}));
    CHECK(!lies_far({7, 28, 8}, {1, 7, 196}));
    CHECK(!lies_far({64, 12, 64}, {1, 49152, 64}));
    CHECK(!lies_far({64, 28, 8}, {1, 512, 64}));  // one loop inside
    // Pieces of rows whose elements lie apart, or in more than two loops.
    const auto in_pieces = [&](const List& strides) {
        const Planned planned({20, 10, 30, 40}, {{0, 1200, 40, 1}, strides});
        detail::Tile some{0, 0, 1, 4096, 4096, 256};
        some.pieces = true;
        return detail::lies_across(planned.plan, planned.streams[1], some);
    };
    CHECK(in_pieces({1, 24000, 20, 600}));
    CHECK(in_pieces({40, 48000, 800, 1}));
    CHECK(!in_pieces({40, 24000, 40, 1}));
    CHECK(!in_pieces({12000, 1200, 40, 1}));

    std::vector<int> elements(6 * 5 * 4), row(4, 7);
    for (int i = 0; i < 120; ++i) elements[static_cast<std::size_t>(i)] = i;
    Planned planned({6, 5, 4}, {target, {1, 6, 30}, {0, 0, 1}});
    planned.streams[1].data = reinterpret_cast<const char*>(elements.data());
    planned.streams[2].data = reinterpret_cast<const char*>(row.data());
    for (auto& stream : planned.streams) stream.movers = &kernel::movers_of<4>;
    const detail::Tile none{3, 3, 3, 4096, 4096, 1};
    CHECK(detail::bytes_across(planned.plan, none) == 480 + 64);
    kernel::Memory memory;
    detail::lay_flat(planned.plan, none, memory);
    const int* laid = reinterpret_cast<const int*>(planned.streams[1].data);
    CHECK(laid != elements.data());
    CHECK(List(planned.streams[1].strides, planned.streams[1].strides + 3) == List{20, 4, 1});
    CHECK((laid[0] == 0 && laid[1] == 30 && laid[4] == 6 && laid[20] == 1 && laid[119] == 119));
    CHECK(List(planned.streams[2].strides, planned.streams[2].strides + 3) == List{0, 0, 1});
    CHECK(*reinterpret_cast<const int*>(planned.streams[2].data) == 7);
}

TEST_CASE("What is laid flat part by part comes to the same bits") {
    const settings::Restore restore;
    const Tensor<float> x = folds::awkward(bl::Shape{40, 160, 300}, 6);
    const auto view = x.transpose();
    const Tensor<float> copy(view);
    for (const bl::IndexList& list : {bl::IndexList{0, 2}, bl::IndexList{0, 1}, bl::IndexList{0}}) {
        const bl::Axes axes(list);
        const Tensor<float> sum = bl::sum(copy, axes), product = bl::sum(copy * copy, axes);
        for (const int threads : {1, 3}) {
            bl::set_num_threads(threads);
            CHECK(same_bits(bl::sum(view, axes), sum));
            CHECK(same_bits(bl::sum(view * copy, axes), product));
        }
    }
}

TEST_CASE("A permuted view is reduced to the bits of its copy, over any axes") {
    const settings::Restore restore;
    bl::set_num_threads(3);  // where there are enough elements
    for (const bl::Shape& shape :
         {bl::Shape{33, 40, 36}, bl::Shape{5, 34, 40}, bl::Shape{70, 4, 9}, bl::Shape{6, 33, 5, 35},
          bl::Shape{8, 3, 12, 10}, bl::Shape{40, 64, 90}}) {
        const Tensor<float> x = folds::awkward(shape, 5);
        std::vector<index_t> order(static_cast<std::size_t>(shape.rank()));
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index_t>(i);
        do {
            bl::IndexList axes_order;
            for (const index_t axis : order) axes_order.push_back(axis);
            const auto view = x.permute(axes_order);
            const Tensor<float> copy(view);
            for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
                bl::IndexList reduced;
                for (index_t axis = 0; axis < shape.rank(); ++axis) {
                    if ((mask >> axis & 1U) != 0) reduced.push_back(axis);
                }
                const bl::Axes axes(reduced);
                bool same = same_bits(bl::sum(view, axes), bl::sum(copy, axes)) &&
                            same_bits(bl::sum(view * view, axes), bl::sum(copy * copy, axes)) &&
                            same_bits(bl::sum(view * copy, axes), bl::sum(copy * copy, axes)) &&
                            same_bits(bl::max(view, axes), bl::max(copy, axes)) &&
                            same_bits(bl::var(view, axes), bl::var(copy, axes));
                if (reduced.rank() == 1) {
                    same = same && bl::array_equal(bl::argmin(view, reduced[0]),
                                                   bl::argmin(copy, reduced[0]));
                }
                if (!same) FAIL(bl::detail::text(view.shape()) << " over the mask " << mask);
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }
    SUCCEED();
}

TEST_CASE("Which zero and which NaN is an extreme does not depend on how elements lie") {
    const settings::Restore restore;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::mt19937 engine(9);
    for (const bl::Shape& shape :
         {bl::Shape{40, 7}, bl::Shape{3, 90, 50}, bl::Shape{300, 2}, bl::Shape{5, 6, 7, 8}}) {
        for (const int kinds : {2, 4, 40}) {
            Tensor<float> x = bl::empty<float>(shape);
            for (float& e : x) {
                const auto kind = static_cast<int>(engine() % static_cast<unsigned>(kinds));
                e = kind == 0 ? -0.0F : kind == 1 ? 0.0F : -static_cast<float>(kind);
                if (engine() % 1500 == 0) e = engine() % 2 == 0 ? nan : -nan;
            }
            for (const Tensor<float>& part :
                 {Tensor<float>(x.transpose()), Tensor<float>(x.swap_axes(0, -1) * -1.0F)}) {
                const auto view = part.transpose();
                const Tensor<float> copy(view);
                for (const int threads : {1, 3}) {
                    bl::set_num_threads(threads);
                    for (index_t axis = 0; axis < view.rank(); ++axis) {
                        REQUIRE(same_bits(bl::max(view, axis), bl::max(copy, axis)));
                        REQUIRE(same_bits(bl::min(view, axis), bl::min(copy, axis)));
                        REQUIRE(same_bits(bl::max(-view, axis), bl::max(-copy, axis)));
                        REQUIRE(bl::array_equal(bl::argmax(view, axis), bl::argmax(copy, axis)));
                    }
                    const float most = bl::max(view), least = bl::min(view);
                    REQUIRE(std::bit_cast<unsigned>(most) ==
                            std::bit_cast<unsigned>(bl::max(copy)));
                    REQUIRE(std::bit_cast<unsigned>(least) ==
                            std::bit_cast<unsigned>(bl::min(copy)));
                }
            }
        }
    }
}

TEST_CASE(
    "Reduced loops go inside of kept ones that lie farther apart, in their own order if it "
    "counts") {
    Planned x({8, 9, 10}, {{0, 10, 1}, {1, 80, 8}});
    CHECK(detail::sort_reduced(x.plan, true));
    CHECK(x.streams[1].strides[2] == 1);
    Planned two({8, 9, 10}, {{0, 0, 1}, {1, 80, 8}});
    CHECK_FALSE(detail::sort_reduced(two.plan, true));
    CHECK((two.streams[1].strides[0] == 1 && two.streams[1].strides[1] == 80));
    CHECK(detail::sort_reduced(two.plan, false));
    CHECK(two.streams[1].strides[2] == 1);
    CHECK_FALSE(detail::sort_reduced(two.plan, false));
}
