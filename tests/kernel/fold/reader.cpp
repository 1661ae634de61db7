// What a fold reads: every element of an expression once, in row-major order, whatever the layouts
// of its operands and wherever tiles end.
#include "broadloom/kernel/fold/reader.hpp"

#include <cstdint>
#include <vector>

#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::IndexList, bl::Shape, bl::Tensor;
using naive::Presented, naive::Random, naive::Way;

namespace {

/// All elements of an expression in the order in which a fold sees them.
template <class X>
std::vector<std::int32_t> read(X&& x) {
    std::vector<std::int32_t> seen;
    bl::reduce(
        [&seen](int a, std::int32_t v) {
            seen.push_back(v);
            return a;
        },
        0, std::forward<X>(x));
    return seen;
}

/// A shape of some thousand elements, with extents on both sides of every limit.
Shape draw(Random& random) {
    const index_t lengths[] = {1, 2, 3, 4, 7, 16, 17, 63, 64, 65, 128, 130, 1000, 1025, 4096, 5000};
    IndexList extents;
    index_t size = 1;
    for (index_t d = random(1, 5); d > 0; --d) {
        const index_t extent = lengths[random(0, 15)];
        if (size * extent > 20000) continue;
        size *= extent;
        extents.insert(random(0, extents.rank()), extent);
    }
    return Shape(extents);
}

}  // namespace

TEST_CASE("A view is read in row-major order, whatever its strides") {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        const Shape shape = draw(random);
        Presented<std::int32_t> x(shape, round < 20 ? naive::ways[round % 5] : Way::random, random);
        x.fill([&] { return static_cast<std::int32_t>(random.bits() >> 1); });
        if (read(x.read()) != naive::values(x.read())) FAIL(x.text());
    }
    SUCCEED();
}

TEST_CASE("An expression is read in row-major order, its operands direct, constant or packed") {
    Random random(2);
    for (int round = 0; round < 250; ++round) {
        const Shape shape = draw(random);
        const auto operand = [&] {
            IndexList out = shape.extents();
            for (index_t d = 0; d < out.rank(); ++d) {
                if (random(0, 2) == 0) out[d] = 1;
            }
            while (out.rank() > 0 && random(0, 4) == 0) out.erase(0);
            return Shape(out);
        };
        Presented<std::int32_t> x(shape, random(0, 1) == 0 ? Way::plain : Way::random, random),
            y(operand(), Way::random, random), z(operand(), Way::random, random);
        for (auto* p : {&x, &y, &z})
            p->fill([&] { return static_cast<std::int32_t>(random(0, 1000)); });
        std::vector<std::int32_t> expected;
        naive::for_each_index(shape, [&](const IndexList& index) {
            expected.push_back(x.at(index) * 3 + y.at(index) - z.at(index));
        });
        if (read(x.read() * 3 + y.read() - z.read()) != expected) {
            FAIL(x.text() << ", " << y.text() << " and " << z.text());
        }
        // Each operand twice, so that what is packed of one serves the other.
        if (read((x.read() + y.read()) * 2 + x.read() - z.read() - y.read() * 1) != expected) {
            FAIL("twice " << x.text() << ", " << y.text() << " and " << z.text());
        }
    }
    SUCCEED();
}

TEST_CASE("Kept loops outside of reduced ones start every result anew") {
    Random random(3);
    for (int round = 0; round < 150; ++round) {
        const Shape shape = draw(random);
        if (shape.rank() < 2) continue;
        const index_t axis = random(0, shape.rank() - 1);
        IndexList other = shape.extents();
        for (index_t d = 0; d < other.rank(); ++d) {
            if (random(0, 1) == 0) other[d] = 1;
        }
        Presented<std::int32_t> x(shape, random(0, 1) == 0 ? Way::plain : Way::random, random),
            y(Shape(other), Way::random, random);
        for (auto* p : {&x, &y})
            p->fill([&] { return static_cast<std::int32_t>(random(0, 1000)); });
        // A hash of the elements along the axis, in order.
        const auto mix = [](std::uint32_t a, std::int32_t v) {
            return a * 31 + static_cast<std::uint32_t>(v);
        };
        const auto result =
            bl::reduce(mix, std::uint32_t{1}, x.read() + 3 * y.read(), axis, bl::keepdims);
        bool same = true;
        naive::for_each_index(result.shape(), [&](const IndexList& index) {
            std::uint32_t hash = 1;
            IndexList at = index;
            for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis]) {
                hash = mix(hash, x.at(at) + 3 * y.at(at));
            }
            same =
                same &&
                result.data()[naive::broadcast_offset(index, result.shape(), result.strides())] ==
                    hash;
        });
        if (!same) FAIL(x.text() << " and " << y.text() << " along " << axis);
    }
    SUCCEED();
}

TEST_CASE("An odometer counts its loops, the last one fastest") {
    kernel::Odometer odometer;
    odometer.add(0);
    odometer.add(2);
    CHECK(odometer.count == 2);
    CHECK((odometer.loops[0] == 0 && odometer.loops[1] == 2 && odometer.index[1] == 0));
}
