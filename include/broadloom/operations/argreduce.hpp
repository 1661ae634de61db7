// Where the extremes are: argmax and argmin give the first index of the largest or smallest
// element, or of the first NaN.
#ifndef BROADLOOM_OPERATIONS_ARGREDUCE_HPP
#define BROADLOOM_OPERATIONS_ARGREDUCE_HPP

#include <cstdint>

#include "broadloom/kernel/extreme.hpp"
#include "broadloom/operations/axes.hpp"
#include "broadloom/scalar/monoid.hpp"

namespace broadloom {
namespace detail {

template <class X>
inline constexpr bool of_truth = std::is_same_v<element_t<X>, bool>;
template <class X>
inline constexpr kernel::IndexOf<scalar::fold::largest, of_truth<X>> index_of_largest{};
template <class X>
inline constexpr kernel::IndexOf<scalar::fold::smallest, of_truth<X>> index_of_smallest{};

/// Elements to be compared: bool as the bytes that it is, which vectors hold.
template <class X>
decltype(auto) ordered(X&& x) {
    if constexpr (!of_truth<X>) {
        return std::forward<X>(x);
    } else if constexpr (operand_kind<X> == OperandKind::expression || is_dying_tensor<X>) {
        return broadloom::cast<std::uint8_t>(std::forward<X>(x));
    } else {
        const auto* bytes = reinterpret_cast<const unsigned char*>(x.data());
        return TensorView<const std::uint8_t>(bytes, x.shape(), x.strides());
    }
}

}  // namespace detail

/// The index of the largest element: the first of equal ones, the first NaN if there is one.
/// Along one axis it counts that axis; along several, or all, their elements in row-major order.
/// Throws value_error over nothing.
template <tensor_like X>
index_t argmax(X&& x) {
    return detail::fold_all(detail::index_of_largest<X>, detail::ordered(std::forward<X>(x)),
                            detail::Refused{"argmax"});
}
template <tensor_like X>
Tensor<index_t> argmax(X&& x, const Axes& axes) {
    return detail::fold_axes(detail::index_of_largest<X>, detail::ordered(std::forward<X>(x)), axes,
                             detail::Refused{"argmax"});
}
template <tensor_like X>
Tensor<index_t> argmax(X&& x, const Axes& axes, Keepdims) {
    return broadloom::argmax(std::forward<X>(x), axes.kept());
}

/// The index of the smallest element, likewise.
template <tensor_like X>
index_t argmin(X&& x) {
    return detail::fold_all(detail::index_of_smallest<X>, detail::ordered(std::forward<X>(x)),
                            detail::Refused{"argmin"});
}
template <tensor_like X>
Tensor<index_t> argmin(X&& x, const Axes& axes) {
    return detail::fold_axes(detail::index_of_smallest<X>, detail::ordered(std::forward<X>(x)),
                             axes, detail::Refused{"argmin"});
}
template <tensor_like X>
Tensor<index_t> argmin(X&& x, const Axes& axes, Keepdims) {
    return broadloom::argmin(std::forward<X>(x), axes.kept());
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_ARGREDUCE_HPP
