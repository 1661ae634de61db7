// The same elements under any shape and strides. The layout is checked to stay inside of the
// memory that the tensor reaches, and elements that repeat can only be read.
#ifndef BROADLOOM_TENSOR_AS_STRIDED_HPP
#define BROADLOOM_TENSOR_AS_STRIDED_HPP

#include <type_traits>
#include <utility>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_leaves(const Layout& layout) {
    throw shape_error(Sentence() << "shape " << layout.shape << " with strides " << layout.strides
                                 << " and offset " << layout.offset
                                 << " leaves the memory of the tensor");
}
[[noreturn]] BROADLOOM_COLD inline void throw_repeats(const Layout& layout) {
    throw shape_error(
        Sentence() << "in shape " << layout.shape << " with strides " << layout.strides
                   << " elements may repeat, which only a view of a const tensor can have: write "
                      "as_strided(std::as_const(x), ...)");
}

}  // namespace detail

/// The elements of x under a shape and strides in elements, from `offset` behind the first element
/// of x on. Elements may repeat in what comes of a const tensor or a view that only reads. Throws
/// shape_error otherwise unless every stride steps over all that smaller ones reach, so that none
/// does, or where the layout leaves the memory between the lowest and the highest element of x.
///
///     as_strided(std::as_const(x), {n - 2, 3}, {1, 1})   // the windows of a vector
template <class X>
    requires(tensor_like<X> && detail::operand_kind<X> != detail::OperandKind::expression)
auto as_strided(X&& x, const Shape& shape, const Strides& strides, Integer offset = 0) {
    Layout layout{shape, strides, shape.size() > 0 ? index_t{offset} : 0};
    detail::require_strides(shape, strides);
    using Result = decltype(std::forward<X>(x).laid(layout));
    constexpr bool reads = std::is_same_v<Result, TensorView<const element_t<X>>>;
    if (shape.size() > 0) {
        if (x.size() == 0 ||
            !detail::lies_inside(layout, detail::bounds_of(x.shape(), x.strides()))) {
            detail::throw_leaves(layout);
        }
        if (!reads && detail::has_internal_overlap(shape, strides)) detail::throw_repeats(layout);
    }
    layout.strides = detail::within_reach(shape, strides);
    return std::forward<X>(x).laid(layout);
}

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_AS_STRIDED_HPP
