// A pointer and a layout. TensorView does not own; copying one is O(1), assigning to one writes
// elements, with broadcasting, and never rebinds. A view in which elements repeat is a
// TensorView<const T>, so writing through it does not compile.
#ifndef BROADLOOM_CORE_VIEW_HPP
#define BROADLOOM_CORE_VIEW_HPP

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#include "broadloom/core/iterator.hpp"
#include "broadloom/core/view_members.hpp"

namespace broadloom {

template <class T>
class TensorView;
template <class T>
class Literal;

/// The elements converted to U, as an expression.
template <class U, class X>
auto cast(X&& x);

namespace detail {

/// Writes a source, broadcast and converted, into the elements of a view.
template <class T, class X>
void assign(const TensorView<T>& target, X&& source);
template <class T, class S>
void fill(const TensorView<T>& target, const S& value);

[[noreturn]] BROADLOOM_COLD inline void throw_not_one(const Shape& shape) {
    throw value_error(Sentence() << "item() takes a tensor with one element, not shape " << shape);
}

/// The element at x(i, j), where an index does not count from the back.
[[noreturn]] BROADLOOM_COLD inline void throw_element_index(index_t index, index_t axis,
                                                            index_t extent) {
    throw_index(index, axis, extent,
                index < 0 && index >= -extent ? ": negative indices are for at()" : "");
}

/// The offset of an index given as integers. Throws index_error unless there is one for every
/// dimension.
template <bool Checked>
constexpr index_t element_offset(const Shape& shape, const Strides& strides, const index_t* index,
                                 index_t count) {
    if (count != shape.rank()) throw_index_count(count, shape.rank());
    index_t offset = 0;
    for (index_t d = 0; d < count; ++d) {
        if constexpr (Checked) {
            if (index[d] < 0 || index[d] >= shape[d]) throw_element_index(index[d], d, shape[d]);
        }
        offset += index[d] * strides[d];
    }
    return offset;
}

#ifdef NDEBUG
inline constexpr bool checks_elements = false;
#else
inline constexpr bool checks_elements = true;
#endif

}  // namespace detail

/// A tensor that does not own its elements: pointer, shape, strides. `TensorView<T>` converts to
/// `TensorView<const T>`, which only reads.
template <class T>
class TensorView : public detail::ViewMembers<TensorView<T>> {
public:
    using value_type = std::remove_const_t<T>;
    using iterator = Iterator<T>;

    constexpr TensorView(T* data, const Shape& shape, const Strides& strides)
        : data_(data), shape_(shape), strides_(strides) {}
    constexpr TensorView(T* data, const Layout& layout)
        : TensorView(data + layout.offset, layout.shape, layout.strides) {}
    constexpr TensorView(const TensorView&) = default;
    constexpr TensorView(const TensorView<value_type>& other)
        requires std::is_const_v<T>
        : TensorView(other.data(), other.shape(), other.strides()) {}

    /// Writes the elements of the source, broadcast to this shape; leading 1s of the source are
    /// dropped. If they overlap, the result is as if the source had been copied first. Throws
    /// shape_error and writes nothing if it does not fit.
    TensorView& operator=(const TensorView& source)
        requires(!std::is_const_v<T>)
    {
        detail::assign(*this, source);
        return *this;
    }
    template <class X>
        requires(!std::is_const_v<T>)
    TensorView& operator=(X&& source) {
        detail::assign(*this, std::forward<X>(source));
        return *this;
    }
    /// A view that is a constant itself still writes its elements.
    template <class X>
        requires(!std::is_const_v<T>)
    const TensorView& operator=(X&& source) const {
        detail::assign(*this, std::forward<X>(source));
        return *this;
    }
    /// What repeats elements, or looks at a const tensor, can only be read.
    template <class X>
        requires std::is_const_v<T>
    TensorView& operator=(X&& this_view_only_reads_write_to_a_copy_of_it) = delete;
    /// Writes the values in braces, as a source of their shape: `x[0] = {1, 2, 3}`.
    TensorView& operator=(std::initializer_list<Literal<value_type>> values)
        requires(!std::is_const_v<T>)
    {
        detail::assign(*this, Tensor<value_type>(values));
        return *this;
    }

    constexpr const Shape& shape() const& noexcept { return shape_; }
    constexpr Shape shape() && noexcept { return shape_; }
    /// The distance between neighbours along each dimension, in elements.
    constexpr const Strides& strides() const& noexcept { return strides_; }
    constexpr Strides strides() && noexcept { return strides_; }
    constexpr index_t rank() const noexcept { return shape_.rank(); }
    constexpr index_t size() const noexcept { return shape_.size(); }
    /// The extent of an axis, which may be negative. Throws index_error.
    constexpr index_t extent(Axis axis) const {
        return shape_[detail::normalize_axis(axis, rank())];
    }
    /// The first element, at index (0, 0, ...).
    constexpr T* data() const noexcept { return data_; }
    /// True when the elements, in row-major order, are neighbours in memory.
    constexpr bool is_contiguous() const noexcept {
        return detail::is_contiguous(shape_, strides_);
    }

    /// The only element. Throws value_error unless there is exactly one.
    constexpr value_type item() const {
        if (size() != 1) detail::throw_not_one(shape_);
        return *data_;
    }

    constexpr iterator begin() const { return iterator(data_, &shape_, &strides_, 0); }
    constexpr iterator end() const { return iterator(data_, &shape_, &strides_, size()); }
    constexpr Iterator<const T> cbegin() const { return begin(); }
    constexpr Iterator<const T> cend() const { return end(); }
    constexpr auto rbegin() const { return std::reverse_iterator<iterator>(end()); }
    constexpr auto rend() const { return std::reverse_iterator<iterator>(begin()); }
    constexpr bool empty() const noexcept { return size() == 0; }

    /// Sets every element to a value, of a kind no higher than theirs, or 0 and 1 as truths.
    template <class S = value_type>
    void fill(const S& value) const
        requires(!std::is_const_v<T>)
    {
        detail::fill(*this, value);
    }
    /// A Tensor with the same elements, stored row by row.
    Tensor<value_type> copy() const { return Tensor<value_type>(*this); }
    /// The elements converted to U, as an expression.
    template <class U>
    auto cast() const {
        return broadloom::cast<U>(*this);
    }
    constexpr TensorView view() const { return *this; }

private:
    friend class detail::ViewMembers<TensorView>;

    TensorView remap(const Layout& layout) const { return TensorView(data_, layout); }
    TensorView<const T> remap_const(const Layout& layout) const {
        return TensorView<const T>(data_, layout);
    }
    TensorView reshape_or_copy(const IndexList& shape) const {
        const TensorView& me = *this;
        return me.reshape(shape);
    }
    TensorView<const T> repeat_to(const Shape& shape) const { return this->broadcast_to(shape); }
    // Inlined, since programs may be linked of parts that check and parts that do not.
    template <class... Int>
    BROADLOOM_INLINE constexpr T& element(Int... indices) const {
        const index_t index[sizeof...(Int) + 1] = {indices..., 0};
        return data_[detail::element_offset<detail::checks_elements>(
            shape_, strides_, index, static_cast<index_t>(sizeof...(Int)))];
    }

    T* data_;
    Shape shape_;
    Strides strides_;
};

namespace detail {

/// Where the elements of a tensor or a view lie.
template <class X>
Footprint footprint(const X& x) {
    return Footprint{reinterpret_cast<std::intptr_t>(x.data()),
                     static_cast<index_t>(sizeof(typename X::value_type)), &x.shape(),
                     &x.strides()};
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_CORE_VIEW_HPP
