// The views that tensors and views have in common: axes inserted, dropped and rearranged, elements
// selected, repeated and looked at through windows. Nothing is copied.
#ifndef BROADLOOM_CORE_VIEW_MEMBERS_HPP
#define BROADLOOM_CORE_VIEW_MEMBERS_HPP

#include <initializer_list>
#include <utility>

#include "broadloom/core/rearrange.hpp"
#include "broadloom/core/slice.hpp"

namespace broadloom {

template <class T>
class Tensor;

namespace detail {

/// What index words, some of them tensors, select.
template <class X, class... W>
auto index_of(const X& x, W&&... words);

template <class>
inline constexpr bool owns_elements = false;
template <class T>
inline constexpr bool owns_elements<Tensor<T>> = true;

// A base is looked up for functions, with the namespace it is in (argument-dependent lookup). In
// one of its own, no helper in here stands in the way of a function of the user.
namespace members {

// A constant that dies, as that of `flag ? constant : made()`, has no elements to look at.
#define BROADLOOM_REFUSED             \
    const&&                           \
        requires(owns_elements<Self>) \
    = delete
// A member for all that it may be called on; what follows the parameters is the layout it gives.
#define BROADLOOM_VIEW(NAME, PARAMETERS, ...)                         \
    auto NAME PARAMETERS& { return self().remap(__VA_ARGS__); }       \
    auto NAME PARAMETERS const& { return self().remap(__VA_ARGS__); } \
    auto NAME PARAMETERS&& { return own().remap(__VA_ARGS__); }       \
    void NAME PARAMETERS BROADLOOM_REFUSED;
// The same with numbers in place of a list, at least so many.
#define BROADLOOM_OF_NUMBERS(NAME, LEAST)   \
    template <detail::integer_index... Int> \
        requires(sizeof...(Int) >= LEAST)   \
    auto NAME(Int... numbers)& {            \
        return self().NAME({numbers...});   \
    }                                       \
    template <detail::integer_index... Int> \
        requires(sizeof...(Int) >= LEAST)   \
    auto NAME(Int... numbers) const& {      \
        return self().NAME({numbers...});   \
    }                                       \
    template <detail::integer_index... Int> \
        requires(sizeof...(Int) >= LEAST)   \
    auto NAME(Int... numbers)&& {           \
        return own().NAME({numbers...});    \
    }                                       \
    template <detail::integer_index... Int> \
        requires(sizeof...(Int) >= LEAST)   \
    void NAME(Int...) BROADLOOM_REFUSED;

/// The views that tensors and views have in common, one sentence each. On an lvalue they are
/// views of the same elements; on a Tensor about to die they are a Tensor that took the elements
/// over. An axis or an index that is not there, and an axis named twice, are an index_error, more
/// than max_rank dimensions a shape_error.
template <class Self>
class ViewMembers {
public:
    /// An extent of 1 inserted at an axis of the result, or at several: (2, 3) with axis 1 is
    /// (2, 1, 3).
    BROADLOOM_VIEW(unsqueeze, (const OneOrSeveral& axes), detail::unsqueeze(layout(), axes))

    /// Without the extents of 1, or without the named ones. Throws shape_error if one is not 1.
    BROADLOOM_VIEW(squeeze, (), detail::squeeze(layout()))
    BROADLOOM_VIEW(squeeze, (const OneOrSeveral& axes), detail::squeeze(layout(), axes))

    /// The dimensions in reverse order.
    BROADLOOM_VIEW(transpose, (), detail::transpose(layout()))
    /// In PyTorch axes named here are two to exchange, in NumPy all in a new order.
    template <class... Int>
    void transpose(index_t swap_axes_exchanges_two_and_permute_orders_all, Int...) const = delete;
    void transpose(const IndexList& permute_orders_all) const = delete;

    /// Dimension i of the result is dimension axes[i]. Throws shape_error unless all are named.
    BROADLOOM_VIEW(permute, (const IndexList& axes), detail::permute(layout(), axes))
    BROADLOOM_OF_NUMBERS(permute, 1)

    /// Two dimensions exchanged.
    BROADLOOM_VIEW(swap_axes, (Axis a, Axis b), detail::swap_axes(layout(), a, b))

    /// Dimensions moved to new places, the others in their order. Throws shape_error unless there
    /// are as many places.
    BROADLOOM_VIEW(move_axis, (const OneOrSeveral& from, const OneOrSeveral& to),
                   detail::move_axis(layout(), from, to))

    /// The named axes, or all, run backwards.
    BROADLOOM_VIEW(flip, (), detail::flip(layout()))
    BROADLOOM_VIEW(flip, (const OneOrSeveral& axes), detail::flip(layout(), axes))
    BROADLOOM_OF_NUMBERS(flip, 2)

    /// The elements whose indices along two axes differ by `shift`, as a new last dimension.
    BROADLOOM_VIEW(diagonal, (Integer shift = 0, Axis axis1 = 0, Axis axis2 = 1),
                   detail::diagonal(layout(), shift, axis1, axis2))

    /// The same elements in row-major order under another shape; one extent may be -1. Throws
    /// shape_error when the sizes differ, or when a view cannot express it without a copy.
    auto reshape(const IndexList& shape) & { return self().remap(reshaped(shape)); }
    auto reshape(const IndexList& shape) const& { return self().remap(reshaped(shape)); }
    auto reshape(const IndexList& shape) && { return own().reshape_or_copy(shape); }
    void reshape(const IndexList&) BROADLOOM_REFUSED;
    BROADLOOM_OF_NUMBERS(reshape, 1)
    /// All elements in one dimension.
    auto flatten() & { return self().reshape(IndexList{-1}); }
    auto flatten() const& { return self().reshape(IndexList{-1}); }
    auto flatten() && { return own().reshape(IndexList{-1}); }
    void flatten() BROADLOOM_REFUSED;

    /// The elements repeated along extents of 1 and new leading dimensions, without a copy: a
    /// view that cannot be written. A Tensor about to die is copied out in full. Throws shape_error
    /// where this does not broadcast to the shape.
    auto broadcast_to(const Shape& shape) const& {
        return self().remap_const(detail::broadcast_to(layout(), shape));
    }
    auto broadcast_to(const Shape& shape) && { return own().repeat_to(shape); }
    void broadcast_to(const Shape&) BROADLOOM_REFUSED;
    BROADLOOM_OF_NUMBERS(broadcast_to, 1)
    /// As broadcast_to, where -1 keeps an extent that is there: `x.expand(3, -1)`.
    auto expand(const IndexList& shape) const& {
        return broadcast_to(expanded_shape(self().shape(), shape));
    }
    auto expand(const IndexList& shape) && {
        return own().broadcast_to(expanded_shape(self().shape(), shape));
    }
    void expand(const IndexList&) BROADLOOM_REFUSED;
    BROADLOOM_OF_NUMBERS(expand, 1)
    /// Every window of these extents, as new last dimensions, without a copy: a view that cannot
    /// be written. (5,) with windows of (3,) is (3, 3). Those of a Tensor about to die are copied
    /// out in full. Throws shape_error where a window is larger than its axis.
    auto windows(const Shape& window, const OneOrSeveral& axes) const& {
        return self().remap_const(detail::windows(layout(), window, axes));
    }
    auto windows(const Shape& window, const OneOrSeveral& axes) && {
        const auto view = self().remap_const(detail::windows(layout(), window, axes));
        if constexpr (owns_elements<Self>) return Self(view);
        else return view;
    }
    auto windows(const Shape& window) const& { return windows(window, all_axes()); }
    auto windows(const Shape& window) && { return own().windows(window, all_axes()); }
    /// The same with one extent: `x.windows(3, -1)`.
    template <detail::integer_index Int, class... A>
    auto windows(Int window, const A&... axis) const& {
        return windows(Shape{to_index(window)}, OneOrSeveral(axis)...);
    }
    template <detail::integer_index Int, class... A>
    auto windows(Int window, const A&... axis) && {
        return own().windows(Shape{to_index(window)}, OneOrSeveral(axis)...);
    }

    /// What a list of index words selects: `x(all, range(0, {}, 2), newaxis, ellipsis, -1)`.
    /// With integers alone it is the element, `x(i, j)`, checked unless NDEBUG is defined. Throws
    /// value_error for a step of 0.
    template <detail::slice_word... W>
    BROADLOOM_INLINE decltype(auto) operator()(const W&... words) & {
        if constexpr ((detail::integer_index<W> && ...)) return self().element(to_index(words)...);
        else return self().remap(sliced(words...));
    }
    template <detail::slice_word... W>
    BROADLOOM_INLINE decltype(auto) operator()(const W&... words) const& {
        if constexpr ((detail::integer_index<W> && ...)) return self().element(to_index(words)...);
        else return self().remap(sliced(words...));
    }
    template <detail::slice_word... W>
    BROADLOOM_INLINE decltype(auto) operator()(const W&... words) && {
        if constexpr (!(detail::integer_index<W> && ...)) {
            return own().remap(sliced(words...));
        } else if constexpr (owns_elements<Self>) {
            typename Self::value_type element = self().element(to_index(words)...);
            return element;
        } else {
            return self().element(to_index(words)...);
        }
    }

    /// The sub-tensor at index i of the first dimension, where negative i counts from the back, or
    /// at what another word selects: `x[range(1, 3)]`.
    template <detail::first_word W>
    auto operator[](const W& word) & {
        return self().remap(sliced(word_of(word)));
    }
    template <detail::first_word W>
    auto operator[](const W& word) const& {
        return self().remap(sliced(word_of(word)));
    }
    template <detail::first_word W>
    auto operator[](const W& word) && {
        return own().remap(sliced(word_of(word)));
    }
#if defined(__cpp_multidimensional_subscript)
    /// Since C++23 several words stand in brackets as in parentheses: `x[i, j]`, `x[all, 0]`.
    template <detail::slice_word V, detail::slice_word... W>
        requires(sizeof...(W) > 0)
    decltype(auto) operator[](const V& word, const W&... words) & {
        return self()(word, words...);
    }
    template <detail::slice_word V, detail::slice_word... W>
        requires(sizeof...(W) > 0)
    decltype(auto) operator[](const V& word, const W&... words) const& {
        return self()(word, words...);
    }
    template <detail::slice_word V, detail::slice_word... W>
        requires(sizeof...(W) > 0)
    decltype(auto) operator[](const V& word, const W&... words) && {
        return own()(word, words...);
    }
#endif
    /// Masks and index tensors select by `x.index(mask)`.
    template <class M>
        requires(!detail::first_word<M>)
    void operator[](const M& masks_and_indices_select_by_the_member_index) const& = delete;
    template <class... W>
        requires(!(detail::slice_word<W> && ...))
    void operator()(const W&... masks_and_indices_select_by_the_member_index) const& = delete;

    /// The element at an index, as numbers or as one list of them, which is always checked and may
    /// be negative: `x.at(0, -1)`, `x.at(index)`. Throws index_error.
    template <detail::integer_index... Int>
    constexpr auto& at(Int... indices) & {
        return self().data()[offset_at(indices...)];
    }
    template <detail::integer_index... Int>
    constexpr auto& at(Int... indices) const& {
        return self().data()[offset_at(indices...)];
    }
    template <detail::integer_index... Int>
    constexpr decltype(auto) at(Int... indices) const&& {
        return given(self().data()[offset_at(indices...)]);
    }
    constexpr auto& at(const IndexList& index) & { return self().data()[offset_at(index)]; }
    constexpr auto& at(const IndexList& index) const& { return self().data()[offset_at(index)]; }
    constexpr decltype(auto) at(const IndexList& index) const&& {
        return given(self().data()[offset_at(index)]);
    }

    /// A Tensor with what index tensors, masks and other index words select: `x.index(i, j)`, as
    /// the function `index` does.
    template <class... W>
    auto index(W&&... words) const {
        return detail::index_of(self(), std::forward<W>(words)...);
    }
    auto index(std::initializer_list<index_t> indices) const {
        return detail::index_of(self(), indices);
    }

    /// The same elements under another layout, whose offset counts from the first element; the
    /// caller vouches that it stays inside.
    BROADLOOM_VIEW(laid, (const Layout& to), to)

    void windows(const Shape&) BROADLOOM_REFUSED;
    void windows(const Shape&, const OneOrSeveral&) BROADLOOM_REFUSED;
    template <detail::integer_index Int, class... A>
    void windows(Int, const A&...) BROADLOOM_REFUSED;
    template <detail::slice_word... W>
    void operator()(const W&...) BROADLOOM_REFUSED;
    template <detail::first_word W>
    void operator[](const W&) BROADLOOM_REFUSED;
#if defined(__cpp_multidimensional_subscript)
    template <detail::slice_word V, detail::slice_word... W>
        requires(sizeof...(W) > 0)
    void operator[](const V&, const W&...) BROADLOOM_REFUSED;
#endif
#undef BROADLOOM_OF_NUMBERS
#undef BROADLOOM_VIEW
#undef BROADLOOM_REFUSED

private:
    constexpr Self& self() & { return static_cast<Self&>(*this); }
    constexpr const Self& self() const& { return static_cast<const Self&>(*this); }
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
    constexpr index_t offset_at(const IndexList& index) const {
        return checked_offset(self().shape(), self().strides(), index.begin(), index.rank());
    }
    // Not as a list, which takes longer to fill than to look up an element.
    template <detail::integer_index... Int>
    constexpr index_t offset_at(Int... indices) const {
        const index_t index[sizeof...(Int) + 1] = {to_index(indices)..., 0};
        return checked_offset(self().shape(), self().strides(), index, sizeof...(Int));
    }
    /// An element of what dies: a reference to one that others own, or else a copy.
    template <class T>
    static constexpr decltype(auto) given(T& element) {
        if constexpr (owns_elements<Self>) return std::remove_cv_t<T>(element);
        else return (element);
    }
    template <class... W>
    Layout sliced(const W&... words) const {
        const Word list[sizeof...(W) + 1] = {Word(words)..., Word(all)};
        return slice(layout(), list, static_cast<index_t>(sizeof...(W)));
    }
};

}  // namespace members
using members::ViewMembers;

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_CORE_VIEW_MEMBERS_HPP
