// A fold adds in an order that the shape fixes: the same bits whatever the strides, the instruction
// set and the number of threads, fused or not. Its tiles take in what any nest of loops asks for.
#include "broadloom/kernel/fold.hpp"

#include <cstdint>
#include <vector>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/present.hpp"
#include "support/settings.hpp"
#include "support/types.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::Axes, bl::index_t, bl::IndexList, bl::Shape, bl::Strides, bl::Tensor;
using folds::awkward;
using naive::Presented, naive::Random, naive::Way;
using naive::same_bits;
using settings::Restore;

namespace {

const Shape folded_shapes[] = {{7},          {64},        {1000},       {100000},    {3, 50000},
                               {50000, 3},   {300, 400},  {400, 17},    {17, 40, 9}, {2, 3, 4},
                               {30, 40, 50}, {5, 1, 700}, {9, 8, 7, 6}, {64, 3, 64}, {2000, 2, 5}};

}  // namespace

TEST_CASE("A sum has the same bits at every level, with any number of threads") {
    const Restore restore;
    for (const Shape& shape : folded_shapes) {
        const auto x = awkward(shape, 1), y = awkward(shape, 2);
        for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
            Random random(mask);
            const Axes axes = folds::axes_of(mask, shape.rank(), random);
            kernel::set_isa(0);
            bl::set_num_threads(1);
            const auto plain = bl::sum(x, axes), fused = bl::sum(x * y, axes);
            bool same = true;
            for (int level = 0; level <= 2; ++level) {
                for (int threads = 1; threads <= 3; ++threads) {
                    kernel::set_isa(level);
                    bl::set_num_threads(threads);
                    same = same && same_bits(bl::sum(x, axes), plain) &&
                           same_bits(bl::sum(x * y, axes), fused);
                }
            }
            if (!same) FAIL(bl::detail::text(shape) << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("A large sum has the same bits with any number of threads") {
    const Restore restore;
    // Many results and few, of rows and of columns, long and short.
    for (const Shape& shape :
         {Shape{1200000}, Shape{1100, 1000}, Shape{300000, 4}, Shape{4, 300000}, Shape{17000, 64},
          Shape{100000, 11}, Shape{7, 11, 15000}, Shape{1000, 3, 400}, Shape{40, 30000}}) {
        const auto x = awkward(shape, 3), y = awkward(Shape{shape[shape.rank() - 1]}, 4);
        for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
            Random random(mask);
            const Axes axes = folds::axes_of(mask, shape.rank(), random);
            bl::set_num_threads(1);
            const auto plain = bl::sum(x, axes), fused = bl::sum(x * y, axes),
                       largest = bl::max(x, axes);
            const auto packed = bl::sum(x - x.flip(), axes), turned = bl::sum(x.transpose(), axes);
            bool same = true;
            for (int threads = 2; threads <= 5; threads += 3) {
                bl::set_num_threads(threads);
                same = same && same_bits(bl::sum(x, axes), plain) &&
                       same_bits(bl::sum(x * y, axes), fused) &&
                       same_bits(bl::max(x, axes), largest) &&
                       same_bits(bl::sum(x - x.flip(), axes), packed) &&
                       same_bits(bl::sum(x.transpose(), axes), turned);
            }
            if (!same) FAIL(bl::detail::text(shape) << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("A sum has the same bits whatever the layout, fused or not") {
    Random random(4);
    for (const Shape& shape : folded_shapes) {
        const auto x = awkward(shape, 5);
        const Tensor<float> doubled = x + x;
        for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
            const Axes axes = folds::axes_of(mask, shape.rank(), random);
            const auto plain = bl::sum(x, axes);
            bool same = same_bits(bl::sum(x + x, axes), bl::sum(doubled, axes));
            for (const Way way : {Way::transposed, Way::gaps, Way::reversed, Way::random}) {
                Presented<float> other(shape, naive::strides_of(shape, way, random, true));
                other.fill([] { return 0.0F; });
                other.view() = x;
                same =
                    same && same_bits(bl::sum(other.read(), axes), plain) &&
                    same_bits(bl::sum(other.read() + other.read(), axes), bl::sum(doubled, axes));
            }
            if (!same) FAIL(bl::detail::text(shape) << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("Views that lie across are folded as their copies are, at any size") {
    Random random(11);
    for (const Shape& shape : {Shape{300, 410}, Shape{40, 70, 90}, Shape{9, 50, 16, 40}}) {
        const auto x = awkward(shape, 3);
        const Tensor<std::int32_t> whole = bl::cast<std::int32_t>(x);
        for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
            const Axes axes = folds::axes_of(mask, shape.rank(), random);
            bool same = true;
            for (const Way way : {Way::transposed, Way::random}) {
                Presented<float> other(shape, naive::strides_of(shape, way, random, true));
                Presented<std::int32_t> integers(shape,
                                                 naive::strides_of(shape, way, random, true));
                other.fill([] { return 0.0F; });
                integers.fill([] { return 0; });
                other.view() = x;
                integers.view() = whole;
                same =
                    same && same_bits(bl::sum(other.read(), axes), bl::sum(x, axes)) &&
                    same_bits(bl::max(other.read(), axes), bl::max(x, axes)) &&
                    same_bits(bl::sum(other.read() * other.read(), axes), bl::sum(x * x, axes)) &&
                    bl::array_equal(bl::sum(integers.read(), axes), bl::sum(whole, axes)) &&
                    bl::array_equal(bl::min(integers.read(), axes), bl::min(whole, axes)) &&
                    bl::array_equal(bl::any_of(integers.read() > 90, axes),
                                    bl::any_of(whole > 90, axes));
            }
            if (!same) FAIL(bl::detail::text(shape) << " over the mask " << mask);
        }
    }
    for (const Shape& shape : {Shape{30, 41}, Shape{7, 12, 9}}) {
        // Places are counted as if the elements lay row by row.
        const Tensor<float> x = awkward(shape, 9);
        const auto turned = x.transpose();
        CHECK(bl::argmax(turned) == bl::argmax(Tensor<float>(turned)));
    }
    SUCCEED();
}

TEST_CASE("A fold writes its results row by row, and nothing beside them") {
    Random random(7);
    for (const Shape& shape : naive::all_shapes(3, 3)) {
        if (shape.size() == 0) continue;
        for (std::uint32_t mask = 0; mask < (1U << shape.rank()); ++mask) {
            const auto groups = folds::groups(shape, mask);
            Presented<std::int32_t> x(shape, Way::random, random);
            x.fill([&] { return static_cast<std::int32_t>(random(-9, 9)); });
            const auto values = naive::values(x.read());
            std::vector<std::int64_t> out(groups.members.size() + 2, 77);
            kernel::fold(bl::scalar::fold::sum{}, x.read(), out.data() + 1, groups.kept);
            bool same = out.front() == 77 && out.back() == 77;
            for (std::size_t i = 0; i < groups.members.size(); ++i) {
                std::int64_t total = 0;
                for (const index_t at : groups.members[i])
                    total += values[static_cast<std::size_t>(at)];
                same = same && out[i + 1] == total;
            }
            if (!same) FAIL(x.text() << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("A tile takes blocks of whole rows, if nothing of them is packed") {
    kernel::Stream streams[2];
    kernel::Plan plan;
    plan.count = plan.rank = 2;
    plan.streams = streams;
    // Rows are reduced where the target stands still.
    const auto block = [&](index_t rows, index_t columns, bool over_rows, index_t step) {
        plan.extents[0] = rows;
        plan.extents[1] = columns;
        streams[0].strides[0] = over_rows ? 0 : 1;
        streams[0].strides[1] = over_rows ? 1 : 0;
        streams[1].strides[0] = columns;
        streams[1].strides[1] = step;
        streams[1].bytes = 4;
        return kernel::detail::whole_block(plan, index_t{1} << 20);
    };
    CHECK(block(1000, 300, true, 1) == 4800);
    CHECK(block(16, 20000, true, 0) == 320000);
    CHECK(block(15, 300, true, 1) == 1);
    CHECK(block(1000, 300, true, 1000) == 1);
    CHECK(block(1000, 300, false, 1) == 1);
    const bl::scalar::fold::sum sum{};
    const kernel::Folder folder = kernel::make_folder<float>(sum);
    const auto tile = [&](index_t columns) {
        block(1000, columns, true, 1);
        return kernel::detail::choose_cutting(plan, folder, kernel::detail::RowOrder::plain, 4,
                                              1000 * columns)
            .longest;
    };
    CHECK(tile(100) == 4096);
    CHECK(tile(500) == 8000);
    CHECK(tile(5000) == 16384);
}

TEST_CASE("Large elements are folded, column by column") {
    // Each is larger than what the columns of a tile take in all.
    using Element = types::Large<40000>;
    Tensor<Element> x = bl::empty<Element>({4, 3});
    double value = 0;
    for (Element& each : x) each = Element{++value, {}};
    const Tensor<Element> sums = bl::sum(x, 0), across = bl::sum(x + x, 1);
    CHECK((sums(0).first == 22 && sums(2).first == 30 && across(3).first == 66));
    CHECK(bl::sum(x).first == 78);
}

TEST_CASE("A formula of numbers alone is folded") {
    CHECK(bl::sum(bl::add(1, 2)) == 3);
    CHECK(bl::max(bl::add(1.5, 2)) == 3.5);
    CHECK(bl::argmax(bl::add(1, 2)) == 0);
    CHECK(bl::mean(bl::add(1, 2)) == 3);
    CHECK(bl::allclose(1.0, 1.0));
}
