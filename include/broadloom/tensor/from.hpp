// What C++ programs hold already: from() copies a range, view_of() looks at memory that somebody
// else owns.
#ifndef BROADLOOM_TENSOR_FROM_HPP
#define BROADLOOM_TENSOR_FROM_HPP

#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

/// What a range holds; the elements of std::vector<bool> are bool, whatever stands for them.
template <class R>
using range_element_t = typename std::iterator_traits<
    std::remove_cvref_t<decltype(std::begin(std::declval<const R&>()))>>::value_type;

/// A range of ranges, such as a std::vector of rows.
template <class R>
concept nested_range = iterable<R> && iterable<range_element_t<R>> &&
                       !tensor_like<range_element_t<R>> && !std::is_same_v<range_element_t<R>, R>;
/// What the innermost of nested ranges hold.
template <class R>
struct Innermost {
    using type = range_element_t<R>;
};
template <nested_range R>
struct Innermost<R> : Innermost<range_element_t<R>> {};

/// Appends the extents of nested ranges, going by the first of each; of none they are 0.
template <class R>
void list_extents(const R* range, IndexList& extents) {
    const index_t count = range != nullptr ? detail::count_of(*range) : 0;
    extents.push_back(count);
    if constexpr (nested_range<R>) {
        using Inner = range_element_t<R>;
        if (count == 0) return detail::list_extents<Inner>(nullptr, extents);
        const auto& first = *std::begin(*range);
        detail::list_extents<Inner>(__builtin_addressof(first), extents);
    }
}

[[noreturn]] BROADLOOM_COLD inline void throw_ragged(const IndexList& extents, index_t depth,
                                                     index_t count) {
    throw shape_error(Sentence() << "ranges are ragged: going by the first ones the shape is "
                                 << extents << ", but at dimension " << depth << " one has "
                                 << count);
}

/// Copies the elements of nested ranges and returns the end of what was written.
template <class R, class T>
T* copy_nested(const R& range, const IndexList& extents, index_t depth, T* to) {
    const index_t count = detail::count_of(range);
    if (count != extents[depth]) throw_ragged(extents, depth, count);
    for (auto i = std::begin(range); i != std::end(range); ++i) {
        if constexpr (nested_range<R>) to = detail::copy_nested(*i, extents, depth + 1, to);
        else *to++ = *i;
    }
    return to;
}

}  // namespace detail

/// The elements of a range, in order, under a shape of the same size. Throws shape_error.
template <detail::iterable R>
auto from(const R& range, const Shape& shape) {
    using T = detail::range_element_t<R>;
    static_assert(!tensor_like<T>, "tensors are joined by stack(0, range) or concat(0, range)");
    const index_t count = detail::count_of(range);
    if (count != shape.size()) {
        throw shape_error(detail::Sentence()
                          << "a range of " << count << " elements does not fill shape " << shape);
    }
    Tensor<T> result = broadloom::empty<T>(shape);
    T* to = result.data();
    auto i = std::begin(range);
    if constexpr (std::contiguous_iterator<decltype(i)> && std::is_trivially_copyable_v<T>) {
        if (count > 0) {
            std::memcpy(to, __builtin_addressof(*i), static_cast<std::size_t>(count) * sizeof(T));
        }
    } else {
        for (; i != std::end(range); ++i) *to++ = *i;
    }
    return result;
}
/// The elements of a range as a tensor of rank 1.
template <detail::iterable R>
auto from(const R& range) {
    return broadloom::from(range, Shape{detail::count_of(range)});
}
/// The elements of nested ranges, such as a std::vector of rows, which are dimensions. Throws
/// shape_error where they are ragged.
template <detail::nested_range R>
auto from(const R& range) {
    IndexList extents;
    detail::list_extents(__builtin_addressof(range), extents);
    auto result = broadloom::empty<typename detail::Innermost<R>::type>(Shape(extents));
    detail::copy_nested(range, extents, 0, result.data());
    return result;
}
template <detail::nested_range R>
auto from(const R& range, const Shape& shape) {
    return broadloom::from(range).reshape(shape.extents());
}

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_outside(const Shape& shape, const Strides& strides,
                                                      index_t room) {
    throw shape_error(Sentence() << "shape " << shape << " with strides " << strides
                                 << " reaches outside of the " << room << " elements there are");
}
/// Throws unless a layout that starts at the first of `room` elements stays inside of them.
inline void require_room(const Shape& shape, const Strides& strides, index_t room) {
    require_strides(shape, strides);
    if (shape.size() == 0) return;
    if (room < 1 || !lies_inside(Layout{shape, strides, 0}, Bounds{0, room - 1})) {
        throw_outside(shape, strides, room);
    }
}

/// A range whose elements lie side by side; a tensor or a view, which has strides of its own, is
/// looked at by its members.
template <class R>
concept contiguous_memory =
    !tensor_like<R> && std::rank_v<std::remove_reference_t<R>> < 2 && requires(R& r) {
        std::data(r);
        std::size(r);
    };
/// An array of arrays, whose elements lie row by row.
template <class A>
concept nested_array = std::rank_v<std::remove_reference_t<A>> > 1;

template <class R>
constexpr void require_lasting() {
    static_assert(
        std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>,
        "a view would outlive this temporary range: give it a name, or copy it with from()");
}

}  // namespace detail

/// A view of memory that somebody else owns, row by row; the caller vouches for its size.
template <class P>
    requires std::is_pointer_v<std::remove_reference_t<P>>
auto view_of(P&& data, const Shape& shape) {
    using T = std::remove_pointer_t<std::remove_reference_t<P>>;
    return TensorView<T>(data, shape, detail::row_major(shape));
}
/// A view of memory that somebody else owns, with strides in elements, negative ones included.
/// Where elements repeat (a stride of 0), the caller sees to it that they are only read. Throws
/// shape_error unless there is a stride for every dimension.
template <class P>
    requires std::is_pointer_v<std::remove_reference_t<P>>
auto view_of(P&& data, const Shape& shape, const Strides& strides) {
    using T = std::remove_pointer_t<std::remove_reference_t<P>>;
    detail::require_strides(shape, strides);
    return TensorView<T>(data, shape, detail::within_reach(shape, strides));
}
/// A view of a contiguous range (std::vector, std::array, std::span, an array): of all its
/// elements, under a shape, or with strides. Throws shape_error where it would reach outside.
template <class R>
    requires detail::contiguous_memory<R>
auto view_of(R&& range, const Shape& shape) {
    detail::require_lasting<R>();
    if (static_cast<index_t>(std::size(range)) != shape.size()) {
        throw shape_error(detail::Sentence() << "a range of " << std::size(range)
                                             << " elements cannot be viewed as " << shape);
    }
    return broadloom::view_of(std::data(range), shape);
}
template <class R>
    requires detail::contiguous_memory<R>
auto view_of(R&& range, const Shape& shape, const Strides& strides) {
    detail::require_lasting<R>();
    detail::require_room(shape, strides, static_cast<index_t>(std::size(range)));
    return broadloom::view_of(std::data(range), shape, strides);
}
template <class R>
    requires detail::contiguous_memory<R>
auto view_of(R&& range) {
    detail::require_lasting<R>();
    return broadloom::view_of(std::data(range), Shape{static_cast<index_t>(std::size(range))});
}
/// A view of an array of arrays, of which each is a dimension, or under a shape of that size.
/// Throws shape_error.
template <detail::nested_array A>
auto view_of(A&& array) {
    detail::require_lasting<A>();
    IndexList extents;
    detail::list_extents(&array, extents);
    auto& first = reinterpret_cast<std::remove_all_extents_t<std::remove_reference_t<A>>&>(array);
    return broadloom::view_of(__builtin_addressof(first), Shape(extents));
}
template <detail::nested_array A>
auto view_of(A&& array, const Shape& shape) {
    return broadloom::view_of(std::forward<A>(array)).reshape(shape.extents());
}

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_FROM_HPP
