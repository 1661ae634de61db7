#include "broadloom/kernel/plan.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "support/catch.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::IndexList, bl::Shape, bl::Strides;
using naive::Random, naive::Way;

namespace {

struct Tensors {
    std::vector<Shape> shapes;
    std::vector<Strides> strides;

    void add(const Shape& shape, const Strides& own) {
        shapes.push_back(shape);
        strides.push_back(own);
    }
    void add(const Shape& shape) { add(shape, bl::detail::row_major(shape)); }
};

/// A plan with the room it needs. Element sizes are 1, 2, 3, ...; addresses are offsets.
struct PlannedOf {
    std::array<kernel::Stream, 4> streams;
    kernel::Plan plan;

    PlannedOf(const Tensors& tensors, const Shape& shape) {
        std::array<kernel::Operand, 4> operands;
        for (std::size_t i = 0; i < tensors.shapes.size(); ++i) {
            operands[i] = {base(i), &tensors.shapes[i], &tensors.strides[i],
                           static_cast<index_t>(i) + 1};
        }
        plan.count = static_cast<int>(tensors.shapes.size());
        plan.streams = streams.data();
        kernel::make_plan(plan, operands.data(), shape);
    }
    static const char* base(std::size_t i) {
        static const char memory[4][1 << 16] = {};
        return memory[i] + (1 << 15);
    }
    IndexList extents() const {
        IndexList out;
        for (int i = 0; i < plan.rank; ++i) out.push_back(plan.extents[i]);
        return out;
    }
    IndexList strides(std::size_t i) const {
        IndexList out;
        for (int loop = 0; loop < plan.rank; ++loop) out.push_back(streams[i].strides[loop]);
        return out;
    }
};

}  // namespace

TEST_CASE("Operands that all walk alike are one loop") {
    Tensors t;
    for (int i = 0; i < 3; ++i) t.add(Shape{1000, 1, 20, 30});
    const PlannedOf p(t, Shape{1000, 1, 20, 30});
    CHECK(p.extents() == IndexList{600000});
    CHECK(p.strides(2) == IndexList{1});
}

TEST_CASE("A row, a column and a matrix are two loops") {
    Tensors t;
    t.add(Shape{4096, 768});
    t.add(Shape{4096, 768});
    t.add(Shape{4096, 1});
    t.add(Shape{768});
    const PlannedOf p(t, Shape{4096, 768});
    CHECK(p.extents() == IndexList{4096, 768});
    CHECK(p.strides(0) == IndexList{768, 1});
    CHECK(p.strides(2) == IndexList{1, 0});
    CHECK(p.strides(3) == IndexList{0, 1});
}

TEST_CASE("A loop goes to another place, and those between move up") {
    Tensors t;
    t.add(Shape{2, 3, 4, 5}, {600, 100, 20, 1});
    PlannedOf p(t, Shape{2, 3, 4, 5});
    kernel::detail::move_loop(p.plan, 0, 2);
    CHECK(p.extents() == IndexList{3, 4, 2, 5});
    CHECK(p.strides(0) == IndexList{100, 20, 600, 1});
    kernel::detail::move_loop(p.plan, 3, 1);
    CHECK(p.extents() == IndexList{3, 5, 4, 2});
    kernel::detail::move_loop(p.plan, 1, 1);
    CHECK(p.extents() == IndexList{3, 5, 4, 2});
}

TEST_CASE("Loops are ordered and turned so that the target is walked forwards") {
    Tensors t;
    t.add(Shape{5, 7}, {-1, 5});
    t.add(Shape{5, 7});
    const PlannedOf p(t, Shape{5, 7});
    CHECK(p.extents() == IndexList{7, 5});
    CHECK(p.strides(0) == IndexList{5, 1});
    CHECK(p.strides(1) == IndexList{1, -7});
    CHECK(p.streams[0].data == PlannedOf::base(0) - 4);
    CHECK(p.streams[1].data == PlannedOf::base(1) + 4 * 7 * 2);
}

TEST_CASE("A transposed target is one loop when its operand is transposed alike") {
    Tensors t;
    t.add(Shape{5, 7}, {1, 5});
    t.add(Shape{5, 7}, {1, 5});
    CHECK(PlannedOf(t, Shape{5, 7}).extents() == IndexList{35});
}

TEST_CASE("One element is one loop of one turn") {
    Tensors t;
    t.add(Shape{});
    t.add(Shape{1, 1, 1});
    CHECK(PlannedOf(t, Shape{}).extents() == IndexList{1});
    CHECK(PlannedOf(t, Shape{1, 1}).extents() == IndexList{1});
}

TEST_CASE("Where the target stands still loops keep their order") {
    Tensors t;  // a sum over the first of three axes: stride 0 on the output
    t.add(Shape{4, 5, 6}, {0, 6, 1});
    t.add(Shape{4, 5, 6});
    const PlannedOf p(t, Shape{4, 5, 6});
    CHECK(p.extents() == IndexList{4, 30});
    CHECK(p.strides(0) == IndexList{0, 1});
}

TEST_CASE("An operand of higher rank with leading ones is walked like one without") {
    Tensors t;
    t.add(Shape{3, 4});
    t.add(Shape{1, 1, 4});
    const PlannedOf p(t, Shape{3, 4});
    CHECK(p.strides(1) == IndexList{0, 1});
}

TEST_CASE("A plan visits every element of the target with the elements that belong to it") {
    Random random(1);
    for (int round = 0; round < 5000; ++round) {
        const Shape shape = random.shape(5, 4, 1);
        Tensors t;
        t.add(shape, naive::strides_of(shape, Way::random, random, true));
        for (int i = 0; i < 2; ++i) {
            IndexList extents = shape.extents();
            for (index_t d = 0; d < extents.rank(); ++d) {
                if (random(0, 2) == 0) extents[d] = 1;
            }
            for (index_t drop = random(0, extents.rank()); drop > 0; --drop) extents.erase(0);
            t.add(Shape(extents), naive::strides_of(Shape(extents), Way::random, random));
        }
        using Visit = std::array<index_t, 3>;  // offsets, in elements
        std::vector<Visit> expected, visited;
        naive::for_each_index(shape, [&](const IndexList& index) {
            Visit v{};
            for (std::size_t i = 0; i < 3; ++i)
                v[i] = naive::broadcast_offset(index, t.shapes[i], t.strides[i]);
            expected.push_back(v);
        });
        const PlannedOf p(t, shape);
        bool forwards = true;
        for (int loop = 0; loop < p.plan.rank; ++loop) {
            forwards = forwards && p.streams[0].strides[loop] > 0 &&
                       p.plan.extents[loop] > (p.plan.rank > 1);
        }
        naive::for_each_index(Shape(p.extents()), [&](const IndexList& index) {
            Visit v{};
            for (std::size_t i = 0; i < 3; ++i) {
                const index_t bytes = p.streams[i].bytes;
                v[i] = (p.streams[i].data - PlannedOf::base(i)) / bytes;
                for (int loop = 0; loop < p.plan.rank; ++loop)
                    v[i] += index[loop] * p.streams[i].strides[loop];
            }
            visited.push_back(v);
        });
        const bool in_order = std::is_sorted(visited.begin(), visited.end());
        std::sort(expected.begin(), expected.end());
        std::sort(visited.begin(), visited.end());
        if (visited != expected || !forwards || (!in_order && p.plan.rank == 1)) {
            FAIL(bl::detail::text(shape)
                 << " into " << bl::detail::text(t.strides[0]) << " from "
                 << bl::detail::text(t.shapes[1]) << bl::detail::text(t.strides[1]) << " and "
                 << bl::detail::text(t.shapes[2]) << bl::detail::text(t.strides[2]));
        }
    }
}

TEST_CASE("Streams are twins only if their elements have one size") {
    static const char memory[64] = {};
    kernel::Stream streams[2] = {};
    for (kernel::Stream& s : streams) {
        s.data = memory;
        s.bytes = 4;
        s.strides[0] = 1;
    }
    kernel::Plan plan{};
    plan.rank = 1;
    plan.count = 2;
    plan.extents[0] = 4;
    plan.streams = streams;
    CHECK(kernel::detail::are_twins(plan, streams[0], streams[1]));
    streams[1].bytes = 8;
    CHECK(!kernel::detail::are_twins(plan, streams[0], streams[1]));
}
