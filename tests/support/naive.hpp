// What the tests compare with: elements found one index at a time, by the definition of a layout,
// without anything of the library but its shapes.
#ifndef BROADLOOM_TESTS_SUPPORT_NAIVE_HPP
#define BROADLOOM_TESTS_SUPPORT_NAIVE_HPP

#include <cstdint>
#include <random>
#include <vector>

#include "broadloom/core/strides.hpp"
#include "support/same_bits.hpp"

namespace naive {

using broadloom::index_t;
using broadloom::IndexList;
using broadloom::Layout;
using broadloom::Shape;
using broadloom::Strides;

/// Calls `f(index)` for every index of a shape, in row-major order.
template <class F>
void for_each_index(const Shape& shape, F&& f) {
    if (shape.size() == 0) return;
    IndexList index = IndexList::filled(shape.rank(), 0);
    while (true) {
        f(static_cast<const IndexList&>(index));
        index_t d = shape.rank() - 1;
        while (d >= 0 && index[d] == shape[d] - 1) index[d--] = 0;
        if (d < 0) return;
        ++index[d];
    }
}

/// The offset of every element, in row-major order.
inline std::vector<index_t> offsets(const Shape& shape, const Strides& strides, index_t first = 0) {
    std::vector<index_t> out;
    for_each_index(shape, [&](const IndexList& index) {
        index_t at = first;
        for (index_t d = 0; d < shape.rank(); ++d) at += index[d] * strides[d];
        out.push_back(at);
    });
    return out;
}
inline std::vector<index_t> offsets(const Layout& layout) {
    return offsets(layout.shape, layout.strides, layout.offset);
}

/// The elements of a tensor or a view, in row-major order.
template <class X>
auto values(const X& x) {
    std::vector<typename X::value_type> out;
    for (const index_t at : offsets(x.shape(), x.strides())) out.push_back(x.data()[at]);
    return out;
}

/// True for tensors of one shape with the same elements.
template <class X, class Y>
bool equal(const X& x, const Y& y) {
    return x.shape() == y.shape() && values(x) == values(y);
}

/// The offset at which an operand is read for an index of the common shape: aligned at the right,
/// with index 0 where its extent is 1.
inline index_t broadcast_offset(const IndexList& index, const Shape& shape,
                                const Strides& strides) {
    index_t at = 0;
    for (index_t d = 0; d < shape.rank(); ++d) {
        const index_t i = index[index.rank() - shape.rank() + d];
        at += (shape[d] == 1 ? 0 : i) * strides[d];
    }
    return at;
}

/// The rule, written once more: extents are read from the right, a missing one as 1. False when
/// two of them clash.
inline bool common_shape(const std::vector<Shape>& shapes, Shape& result) {
    index_t rank = 0;
    for (const Shape& s : shapes) rank = s.rank() > rank ? s.rank() : rank;
    IndexList extents = IndexList::filled(rank, 1);
    for (index_t from_right = 1; from_right <= rank; ++from_right) {
        for (const Shape& s : shapes) {
            if (s.rank() < from_right) continue;
            const index_t extent = s[s.rank() - from_right];
            index_t& common = extents[rank - from_right];
            if (extent == 1) continue;
            if (common != 1 && common != extent) return false;
            common = extent;
        }
    }
    result = Shape(extents);
    return true;
}

/// Every shape of rank 0 to `rank` with extents 0 to `most`.
inline std::vector<Shape> all_shapes(index_t rank, index_t most) {
    std::vector<Shape> out{Shape{}};
    std::size_t first = 0;
    for (index_t r = 1; r <= rank; ++r) {
        const std::size_t last = out.size();
        for (std::size_t i = first; i < last; ++i) {
            for (index_t extent = 0; extent <= most; ++extent) {
                IndexList extents = out[i].extents();
                extents.push_back(extent);
                out.push_back(Shape(extents));
            }
        }
        first = last;
    }
    return out;
}

/// One of 0, ..., count - 1.
inline index_t pick(std::mt19937& engine, index_t count) {
    return static_cast<index_t>(engine() % static_cast<unsigned>(count));
}

/// Small numbers from a fixed seed, the same on every platform.
class Random {
public:
    explicit Random(std::uint32_t seed = 1) : engine_(seed) {}
    /// One of low, ..., high.
    index_t operator()(index_t low, index_t high) {
        return low + static_cast<index_t>(bits() % static_cast<std::uint32_t>(high - low + 1));
    }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
    Shape shape(index_t max_rank, index_t most_extent, index_t least_extent = 0) {
        IndexList extents;
        for (index_t d = (*this)(0, max_rank); d > 0; --d) {
            extents.push_back((*this)(least_extent, most_extent));
        }
        return Shape(extents);
    }

private:
    std::mt19937 engine_;
};

}  // namespace naive

#endif  // BROADLOOM_TESTS_SUPPORT_NAIVE_HPP
