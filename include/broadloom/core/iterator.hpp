// Elements in row-major order, whatever the strides: the random-access iterator of tensors and
// views. It points into the tensor or view it came from, which must outlive it.
#ifndef BROADLOOM_CORE_ITERATOR_HPP
#define BROADLOOM_CORE_ITERATOR_HPP

#include <compare>
#include <concepts>
#include <iterator>
#include <type_traits>

#include "broadloom/core/strides.hpp"

namespace broadloom {

/// Walks a layout in row-major order; a step inside the last dimension is one addition.
template <class T>
class Iterator {
public:
    using value_type = std::remove_cv_t<T>;
    using difference_type = index_t;
    using reference = T&;
    using pointer = T*;
    using iterator_category = std::random_access_iterator_tag;

    constexpr Iterator() = default;
    constexpr Iterator(T* data, const Shape* shape, const Strides* strides, index_t position)
        : data_(data), shape_(shape), strides_(strides), position_(position) {
        locate();
    }

    /// What reads becomes of what writes, as of pointers.
    template <class U>
        requires(std::is_const_v<T> && std::same_as<U, std::remove_const_t<T>>)
    constexpr Iterator(const Iterator<U>& other)
        : data_(other.data_),
          at_(other.at_),
          shape_(other.shape_),
          strides_(other.strides_),
          position_(other.position_),
          left_(other.left_),
          step_(other.step_) {}

    constexpr reference operator*() const { return *at_; }
    constexpr pointer operator->() const { return at_; }
    constexpr reference operator[](index_t n) const { return *(*this + n); }

    constexpr Iterator& operator++() {
        ++position_;
        if (--left_ > 0) at_ += step_;
        else locate();
        return *this;
    }
    constexpr Iterator& operator--() { return *this += -1; }
    constexpr Iterator& operator+=(index_t n) {
        position_ += n;
        locate();
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

    // Finds the element of the position, and how many follow it in the last dimension. Positions
    // outside of the tensor have no element and are only compared.
    constexpr void locate() {
        if (shape_ == nullptr || position_ < 0 || position_ >= shape_->size()) {
            left_ = 0;
            return;
        }
        const index_t last = shape_->rank() - 1;
        index_t rest = position_, offset = 0;
        for (index_t d = last; d >= 0; --d) {
            const index_t i = rest % (*shape_)[d];
            rest /= (*shape_)[d];
            offset += i * (*strides_)[d];
            if (d == last) left_ = (*shape_)[d] - i;
        }
        if (last < 0) left_ = 1;
        step_ = last < 0 ? 0 : (*strides_)[last];
        at_ = data_ + offset;
    }

    T* data_ = nullptr;
    T* at_ = nullptr;
    const Shape* shape_ = nullptr;
    const Strides* strides_ = nullptr;
    index_t position_ = 0, left_ = 0, step_ = 0;
};

}  // namespace broadloom

#endif  // BROADLOOM_CORE_ITERATOR_HPP
