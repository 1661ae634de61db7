// One tensor in many presentations: the same values row by row, transposed, with gaps, backwards,
// repeated by a stride of 0, or all of it at random. Each has memory of exactly the size it
// reaches, so that a sanitizer sees every step outside.
#ifndef BROADLOOM_TESTS_SUPPORT_PRESENT_HPP
#define BROADLOOM_TESTS_SUPPORT_PRESENT_HPP

#include <memory>
#include <string>
#include <utility>

#include "broadloom/core/view.hpp"
#include "support/naive.hpp"

namespace naive {

enum class Way { plain, transposed, gaps, reversed, expanded, random };
inline constexpr Way ways[] = {Way::plain, Way::transposed, Way::gaps, Way::reversed,
                               Way::expanded};

/// Strides for a shape. With `writable` no two elements share a place.
inline Strides strides_of(const Shape& shape, Way way, Random& random, bool writable = false) {
    const index_t rank = shape.rank();
    IndexList order;  // dimensions, the innermost in memory last
    for (index_t d = 0; d < rank; ++d) {
        if (way == Way::transposed) order.insert(0, d);
        else if (way == Way::random) order.insert(random(0, 2) == 0 ? random(0, d) : d, d);
        else order.push_back(d);
    }
    Strides strides = Strides::filled(rank, 0);
    index_t step = 1;
    for (index_t i = rank - 1; i >= 0; --i) {
        const index_t d = order[i];
        index_t gap = way == Way::gaps ? 2 : 1, sign = way == Way::reversed ? -1 : 1;
        bool still = way == Way::expanded && (rank - d) % 2 == 0;
        if (way == Way::random) {
            gap = random(0, 3) == 0 ? random(2, 3) : 1;
            sign = random(0, 3) == 0 ? -1 : 1;
            still = random(0, 4) == 0;
        }
        if (still && !writable) continue;
        step *= gap;
        strides[d] = sign * step;
        step *= shape[d] > 0 ? shape[d] : 1;
    }
    return strides;
}

/// Memory that a layout reaches, exactly, and a view of it.
template <class T>
class Presented {
public:
    Presented(const Shape& shape, const Strides& strides) : shape_(shape), strides_(strides) {
        if (shape.size() > 0) {
            const auto bounds = broadloom::detail::bounds_of(shape, strides);
            count_ = bounds.high - bounds.low + 1;
            first_ = -bounds.low;
        }
        memory_.reset(new T[static_cast<std::size_t>(count_)]);
    }
    Presented(const Shape& shape, Way way, Random& random, bool writable = false)
        : Presented(shape, strides_of(shape, way, random, writable)) {}

    /// Every place of the memory, reached or not, becomes `make()`.
    template <class Make>
    Presented& fill(Make&& make) {
        for (index_t i = 0; i < count_; ++i) memory_[static_cast<std::size_t>(i)] = make();
        return *this;
    }
    broadloom::TensorView<T> view() const {
        return broadloom::TensorView<T>(memory_.get() + first_, shape_, strides_);
    }
    broadloom::TensorView<const T> read() const { return view(); }
    const Shape& shape() const { return shape_; }
    /// The element that a larger shape reads at an index.
    const T& at(const IndexList& index) const {
        return memory_[static_cast<std::size_t>(first_ +
                                                broadcast_offset(index, shape_, strides_))];
    }
    /// How many places there are, and one of them.
    index_t places() const { return count_; }
    const T& place(index_t i) const { return memory_[static_cast<std::size_t>(i)]; }
    std::string text() const {
        return broadloom::detail::text(shape_) + " by " + broadloom::detail::text(strides_);
    }

private:
    Shape shape_;
    Strides strides_;
    index_t count_ = 0, first_ = 0;
    std::unique_ptr<T[]> memory_;
};

}  // namespace naive

#endif  // BROADLOOM_TESTS_SUPPORT_PRESENT_HPP
