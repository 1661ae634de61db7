// Elements in row-major order, whatever the strides: the random-access iterator of tensors and
// views. As a pointer does, it outlives the view it came from, but not the elements; only where
// dimensions that can be walked as one are joined, and more than two are left, does it refer to
// the shape and strides of that view.
#ifndef BROADLOOM_CORE_ITERATOR_HPP
#define BROADLOOM_CORE_ITERATOR_HPP

#include <compare>
#include <concepts>
#include <iterator>
#include <type_traits>

#include "broadloom/core/strides.hpp"

namespace broadloom {
namespace detail {

/// How a layout is walked: dimensions that can be walked as one are joined, at first to runs of
/// elements and then to a line of runs. What is left over is looked up in the shape.
struct JoinedLayout {
    index_t size = 0, run = 1;
    index_t step = 0, run_step = 0;  // from element to element of a run, and from run to run
    const Shape* shape = nullptr;    // where one step does not lead from every run to the next
    const Strides* strides = nullptr;
};
BROADLOOM_NOINLINE constexpr JoinedLayout joined(const Shape& shape, const Strides& strides) {
    JoinedLayout result;
    result.size = shape.size();
    if (result.size == 0) return result;
    index_t d = shape.rank() - 1;
    const auto join = [&](index_t& step) {
        index_t count = 1;
        for (; d >= 0; --d) {
            if (shape[d] == 1) continue;
            if (count == 1) step = strides[d];
            else if (strides[d] != count * step) break;
            count *= shape[d];
        }
        return count;
    };
    result.run = join(result.step);
    join(result.run_step);
    if (d >= 0) {
        result.shape = &shape;
        result.strides = &strides;
    }
    return result;
}

/// The offset of the n-th run of so many elements.
BROADLOOM_NOINLINE constexpr index_t offset_of_run(const Shape& shape, const Strides& strides,
                                                   index_t run, index_t n) {
    index_t d = shape.rank() - 1, offset = 0;
    for (index_t count = 1; count < run; --d) count *= shape[d];
    for (; d >= 0; --d) {
        offset += n % shape[d] * strides[d];
        n /= shape[d];
    }
    return offset;
}

}  // namespace detail

/// Walks a layout in row-major order; a step inside the last dimension, either way, is one
/// addition.
template <class T>
class Iterator {
public:
    using value_type = std::remove_cv_t<T>;
    using difference_type = index_t;
    using reference = T&;
    using pointer = T*;
    using iterator_category = std::random_access_iterator_tag;

    constexpr Iterator() = default;
    BROADLOOM_INLINE constexpr Iterator(T* data, const Shape* shape, const Strides* strides,
                                        index_t position)
        : data_(data), position_(position) {
        // No function is given this iterator itself, so that it stays in registers.
        const detail::JoinedLayout layout = detail::joined(*shape, *strides);
        layout_ = layout;
        seek();
    }

    /// What reads becomes of what writes, as of pointers.
    template <class U>
        requires(std::is_const_v<T> && std::same_as<U, std::remove_const_t<T>>)
    constexpr Iterator(const Iterator<U>& other)
        : data_(other.data_),
          at_(other.at_),
          position_(other.position_),
          left_(other.left_),
          layout_(other.layout_) {}

    constexpr reference operator*() const { return *at_; }
    constexpr pointer operator->() const { return at_; }
    constexpr reference operator[](index_t n) const { return *(*this + n); }

    constexpr Iterator& operator++() {
        ++position_;
        if (--left_ > 0) at_ += layout_.step;
        else locate();
        return *this;
    }
    constexpr Iterator& operator--() {
        --position_;
        if (left_ > 0 && left_ < layout_.run) {
            ++left_;
            at_ -= layout_.step;
        } else {
            seek();
        }
        return *this;
    }
    constexpr Iterator& operator+=(index_t n) {
        position_ += n;
        seek();
        return *this;
    }
    constexpr Iterator& operator-=(index_t n) { return *this += -n; }
    constexpr Iterator operator++(int) {
        Iterator before = *this;
        ++*this;
        return before;
    }
    constexpr Iterator operator--(int) {
        Iterator before = *this;
        --*this;
        return before;
    }
    friend constexpr Iterator operator+(Iterator i, index_t n) { return i += n; }
    friend constexpr Iterator operator+(index_t n, Iterator i) { return i += n; }
    friend constexpr Iterator operator-(Iterator i, index_t n) { return i -= n; }
    friend constexpr index_t operator-(const Iterator& a, const Iterator& b) {
        return a.position_ - b.position_;
    }
    friend constexpr bool operator==(const Iterator& a, const Iterator& b) {
        return a.position_ == b.position_;
    }
    friend constexpr std::strong_ordering operator<=>(const Iterator& a, const Iterator& b) {
        return a.position_ <=> b.position_;
    }

private:
    template <class U>
    friend class Iterator;

    // Finds the element of the position, and how many are left in its run. Positions outside of
    // the tensor have no element and are only compared.
    BROADLOOM_INLINE constexpr void seek() {
        if (layout_.run == layout_.size && position_ >= 0 && position_ < layout_.size) {
            left_ = layout_.size - position_;
            at_ = data_ + position_ * layout_.step;
        } else {
            locate();
        }
    }
    BROADLOOM_INLINE constexpr void locate() {
        if (position_ < 0 || position_ >= layout_.size) {
            left_ = 0;
            return;
        }
        const index_t n = position_ / layout_.run, i = position_ % layout_.run;
        left_ = layout_.run - i;
        const index_t before =
            layout_.shape == nullptr
                ? n * layout_.run_step
                : detail::offset_of_run(*layout_.shape, *layout_.strides, layout_.run, n);
        at_ = data_ + before + i * layout_.step;
    }

    T* data_ = nullptr;
    T* at_ = nullptr;
    index_t position_ = 0, left_ = 0;
    detail::JoinedLayout layout_;
};

}  // namespace broadloom

#endif  // BROADLOOM_CORE_ITERATOR_HPP
