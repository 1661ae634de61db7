// A pointer and a layout. TensorView does not own; copying one is O(1), assigning to one writes
// elements, with broadcasting, and never rebinds. A view in which elements repeat is a
// TensorView<const T>, so writing through it does not compile.
#ifndef BROADLOOM_CORE_VIEW_HPP
#define BROADLOOM_CORE_VIEW_HPP

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "broadloom/core/iterator.hpp"
#include "broadloom/core/rearrange.hpp"
#include "broadloom/core/slice.hpp"

namespace broadloom {

template <class T>
class Tensor;
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

/// What index words, some of them tensors, select.
template <class X, class... W>
auto index_of(const X& x, W&&... words);

[[noreturn]] BROADLOOM_COLD inline void throw_not_one(const Shape& shape) {
    throw value_error(Sentence() << "item() takes a tensor with one element, not shape " << shape);
}

template <class>
inline constexpr bool owns_elements = false;
template <class T>
inline constexpr bool owns_elements<Tensor<T>> = true;

// A base is looked up for functions, with the namespace it is in (argument-dependent lookup). In
// one of its own, no helper in here stands in the way of a function of the user.
namespace members {

/// The views that tensors and views have in common, one sentence each. On an lvalue they are
/// views of the same elements; on a Tensor about to die they are a Tensor that took the elements
/// over.
template <class Self>
class ViewMembers {
public:
    /// An extent of 1 inserted at `axis`: (2, 3) with axis 1 is (2, 1, 3).
    auto unsqueeze(index_t axis) & { return self().remap(detail::unsqueeze(layout(), axis)); }
    auto unsqueeze(index_t axis) const& { return self().remap(detail::unsqueeze(layout(), axis)); }
    auto unsqueeze(index_t axis) && { return own().remap(detail::unsqueeze(layout(), axis)); }

    /// Without the extents of 1, or without the named ones. Throws shape_error if one is not 1.
    auto squeeze() & { return self().remap(detail::squeeze(layout())); }
    auto squeeze() const& { return self().remap(detail::squeeze(layout())); }
    auto squeeze() && { return own().remap(detail::squeeze(layout())); }
    auto squeeze(const AxisList& axes) & { return self().remap(detail::squeeze(layout(), axes)); }
    auto squeeze(const AxisList& axes) const& {
        return self().remap(detail::squeeze(layout(), axes));
    }
    auto squeeze(const AxisList& axes) && { return own().remap(detail::squeeze(layout(), axes)); }

    /// The dimensions in reverse order.
    auto transpose() & { return self().remap(detail::transpose(layout())); }
    auto transpose() const& { return self().remap(detail::transpose(layout())); }
    auto transpose() && { return own().remap(detail::transpose(layout())); }

    /// Dimension i of the result is dimension axes[i].
    auto permute(const IndexList& axes) & { return self().remap(detail::permute(layout(), axes)); }
    auto permute(const IndexList& axes) const& {
        return self().remap(detail::permute(layout(), axes));
    }
    auto permute(const IndexList& axes) && { return own().remap(detail::permute(layout(), axes)); }

    /// Two dimensions exchanged.
    auto swap_axes(index_t a, index_t b) & {
        return self().remap(detail::swap_axes(layout(), a, b));
    }
    auto swap_axes(index_t a, index_t b) const& {
        return self().remap(detail::swap_axes(layout(), a, b));
    }
    auto swap_axes(index_t a, index_t b) && {
        return own().remap(detail::swap_axes(layout(), a, b));
    }

    /// Dimensions moved to new places, the others in their order.
    auto move_axis(const AxisList& from, const AxisList& to) & {
        return self().remap(detail::move_axis(layout(), from, to));
    }
    auto move_axis(const AxisList& from, const AxisList& to) const& {
        return self().remap(detail::move_axis(layout(), from, to));
    }
    auto move_axis(const AxisList& from, const AxisList& to) && {
        return own().remap(detail::move_axis(layout(), from, to));
    }

    /// The named axes, or all, run backwards.
    auto flip() & { return self().remap(detail::flip(layout())); }
    auto flip() const& { return self().remap(detail::flip(layout())); }
    auto flip() && { return own().remap(detail::flip(layout())); }
    auto flip(const AxisList& axes) & { return self().remap(detail::flip(layout(), axes)); }
    auto flip(const AxisList& axes) const& { return self().remap(detail::flip(layout(), axes)); }
    auto flip(const AxisList& axes) && { return own().remap(detail::flip(layout(), axes)); }

    /// The elements whose indices along two axes differ by `shift`, as a new last dimension.
    auto diagonal(index_t shift = 0, index_t axis1 = 0, index_t axis2 = 1) & {
        return self().remap(detail::diagonal(layout(), shift, axis1, axis2));
    }
    auto diagonal(index_t shift = 0, index_t axis1 = 0, index_t axis2 = 1) const& {
        return self().remap(detail::diagonal(layout(), shift, axis1, axis2));
    }
    auto diagonal(index_t shift = 0, index_t axis1 = 0, index_t axis2 = 1) && {
        return own().remap(detail::diagonal(layout(), shift, axis1, axis2));
    }

    /// The same elements in row-major order under another shape; one extent may be -1. Throws
    /// shape_error when the sizes differ, or when a view cannot express it without a copy.
    auto reshape(const IndexList& shape) & { return self().remap(reshaped(shape)); }
    auto reshape(const IndexList& shape) const& { return self().remap(reshaped(shape)); }
    auto reshape(const IndexList& shape) && { return own().reshape_or_copy(shape); }
    /// All elements in one dimension.
    auto flatten() & { return self().reshape(IndexList{-1}); }
    auto flatten() const& { return self().reshape(IndexList{-1}); }
    auto flatten() && { return own().reshape(IndexList{-1}); }

    /// The elements repeated along extents of 1 and new leading dimensions, without a copy: a
    /// view that cannot be written. A Tensor about to die is copied out in full.
    auto broadcast_to(const Shape& shape) const& {
        return self().remap_const(detail::broadcast_to(layout(), shape));
    }
    auto broadcast_to(const Shape& shape) && { return own().repeat_to(shape); }
    /// As broadcast_to, where -1 keeps an extent.
    auto expand(const IndexList& shape) const& {
        return broadcast_to(expanded_shape(self().shape(), shape));
    }
    auto expand(const IndexList& shape) && {
        return own().broadcast_to(expanded_shape(self().shape(), shape));
    }
    /// Every window of these extents, as new last dimensions, without a copy: a view that cannot
    /// be written. (5,) with windows of (3,) is (3, 3).
    auto windows(const Shape& window, const AxisList& axes) const& {
        return self().remap_const(detail::windows(layout(), window, axes));
    }
    auto windows(const Shape& window, const AxisList& axes) && {
        static_assert(!owns_elements<Self>,
                      "windows share the elements of their tensor, which must have a name to last");
        return self().remap_const(detail::windows(layout(), window, axes));
    }
    auto windows(const Shape& window) const& { return windows(window, all_axes()); }
    auto windows(const Shape& window) && { return own().windows(window, all_axes()); }
    /// The same with one extent: `x.windows(3, -1)`.
    template <detail::integer_index I, class... A>
    auto windows(I window, const A&... axis) const& {
        return windows(Shape{to_index(window)}, AxisList(axis)...);
    }
    template <detail::integer_index I, class... A>
    auto windows(I window, const A&... axis) && {
        return own().windows(Shape{to_index(window)}, AxisList(axis)...);
    }

    /// What a list of index words selects: `x(all, range(0, {}, 2), newaxis, ellipsis, -1)`.
    /// With integers alone it is the element, `x(i, j)`, checked unless NDEBUG is defined.
    template <detail::slice_word... W>
    decltype(auto) operator()(const W&... words) & {
        if constexpr ((detail::integer_index<W> && ...)) return self().element(to_index(words)...);
        else return self().remap(sliced(words...));
    }
    template <detail::slice_word... W>
    decltype(auto) operator()(const W&... words) const& {
        if constexpr ((detail::integer_index<W> && ...)) return self().element(to_index(words)...);
        else return self().remap(sliced(words...));
    }
    template <detail::slice_word... W>
    decltype(auto) operator()(const W&... words) && {
        if constexpr (!(detail::integer_index<W> && ...)) {
            return own().remap(sliced(words...));
        } else if constexpr (owns_elements<Self>) {
            typename Self::value_type element = self().element(to_index(words)...);
            return element;
        } else {
            return self().element(to_index(words)...);
        }
    }

    /// The sub-tensor at index i of the first dimension; negative i counts from the back.
    template <detail::place I>
    auto operator[](const I& i) & {
        return self().remap(sliced(to_place(i)));
    }
    template <detail::place I>
    auto operator[](const I& i) const& {
        return self().remap(sliced(to_place(i)));
    }
    template <detail::place I>
    auto operator[](const I& i) && {
        return own().remap(sliced(to_place(i)));
    }

    /// A Tensor with what index tensors, masks and other index words select: `x.index(i, j)`, as
    /// the function `index` does.
    template <class... W>
    auto index(W&&... words) const {
        return detail::index_of(self(), std::forward<W>(words)...);
    }

    /// The same elements under another layout, whose offset counts from the first element; the
    /// caller vouches that it stays inside.
    auto laid(const Layout& to) & { return self().remap(to); }
    auto laid(const Layout& to) const& { return self().remap(to); }
    auto laid(const Layout& to) && { return own().remap(to); }

private:
    Self& self() & { return static_cast<Self&>(*this); }
    const Self& self() const& { return static_cast<const Self&>(*this); }
    Self&& own() { return static_cast<Self&&>(*this); }
    Layout layout() const { return Layout{self().shape(), self().strides(), 0}; }
    IndexList all_axes() const {
        IndexList axes;
        for (index_t d = 0; d < self().rank(); ++d) axes.push_back(d);
        return axes;
    }

    Layout reshaped(const IndexList& wanted) const {
        const Layout from = layout();
        const Shape shape = infer_shape(from.shape, wanted);
        Layout to;
        if (!detail::reshape(from, shape, to)) throw_needs_copy(from, shape);
        return to;
    }
    template <class... W>
    Layout sliced(const W&... words) const {
        const Word list[sizeof...(W) + 1] = {Word(words)..., Word(all)};
        return slice(layout(), list, static_cast<index_t>(sizeof...(W)));
    }
};

}  // namespace members
using members::ViewMembers;

/// The offset of an index given as integers. Throws index_error unless there is one for every
/// dimension.
template <bool Checked>
constexpr index_t element_offset(const Shape& shape, const Strides& strides, const index_t* index,
                                 index_t count) {
    if (count != shape.rank()) throw_index_count(count, shape.rank());
    index_t offset = 0;
    for (index_t d = 0; d < count; ++d) {
        if constexpr (Checked) {
            if (index[d] < 0 || index[d] >= shape[d]) throw_index(index[d], d, shape[d]);
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
    constexpr index_t extent(index_t axis) const {
        return shape_[detail::normalize_axis(axis, rank())];
    }
    /// The first element, at index (0, 0, ...).
    constexpr T* data() const noexcept { return data_; }
    /// True when the elements, in row-major order, are neighbours in memory.
    constexpr bool is_contiguous() const noexcept {
        return detail::is_contiguous(shape_, strides_);
    }

    /// The element at an index, which is always checked and may be negative. Throws index_error.
    template <detail::integer_index... I>
    constexpr T& at(I... indices) const {
        index_t index[sizeof...(I) + 1] = {detail::to_index(indices)..., 0};
        if (sizeof...(I) != static_cast<std::size_t>(rank())) {
            detail::throw_index_count(static_cast<index_t>(sizeof...(I)), rank());
        }
        for (index_t d = 0; d < rank(); ++d) {
            index[d] = detail::normalize_index(index[d], d, shape_[d]);
        }
        return data_[detail::offset_of(strides_, index)];
    }
    /// The only element. Throws value_error unless there is exactly one.
    constexpr value_type item() const {
        if (size() != 1) detail::throw_not_one(shape_);
        return *data_;
    }

    constexpr iterator begin() const { return iterator(data_, &shape_, &strides_, 0); }
    constexpr iterator end() const { return iterator(data_, &shape_, &strides_, size()); }

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
    template <class... I>
    constexpr T& element(I... indices) const {
        const index_t index[sizeof...(I) + 1] = {indices..., 0};
        return data_[detail::element_offset<detail::checks_elements>(
            shape_, strides_, index, static_cast<index_t>(sizeof...(I)))];
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
