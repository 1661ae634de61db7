// Choosing and blending: where, clip, lerp, fma, addcmul, addcdiv, masked_fill.
#ifndef BROADLOOM_OPERATIONS_SELECT_HPP
#define BROADLOOM_OPERATIONS_SELECT_HPP

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/scalar/select.hpp"

namespace broadloom {
namespace detail {

/// What an operand contributes to a common type: a number beside tensors nothing.
template <class X>
using own_element = std::conditional_t<tensor_like<X>, element_t<X>, bool>;

}  // namespace detail

/// x where the condition is true, else y, all three broadcast together; x and y meet in
/// promote_t. Both are always evaluated.
template <operand C, operand X, operand Y>
auto where(C&& condition, X&& x, Y&& y) {
    if constexpr (tensor_like<X> && !tensor_like<Y>) {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       std::forward<X>(x), detail::weak<element_t<X>>(y));
    } else if constexpr (tensor_like<Y> && !tensor_like<X>) {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       detail::weak<element_t<Y>>(x), std::forward<Y>(y));
    } else {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       std::forward<X>(x), std::forward<Y>(y));
    }
}

/// x, at least `low` and at most `high`; if they cross, `high`. NaN in any of them stays.
template <operand X, operand L, operand H>
auto clip(X&& x, L&& low, H&& high) {
    return minimum(maximum(std::forward<X>(x), std::forward<L>(low)), std::forward<H>(high));
}

/// x + weight * (y - x).
template <operand X, operand Y, operand W>
auto lerp(X&& x, Y&& y, W&& weight) {
    using T = promote_t<promote_t<detail::own_element<X>, detail::own_element<Y>>,
                        detail::own_element<W>>;
    return detail::make_expression(scalar::lerp{}, detail::weak<T>(std::forward<X>(x)),
                                   detail::weak<T>(std::forward<Y>(y)),
                                   detail::weak<T>(std::forward<W>(weight)));
}

/// x * y + z; of floating values rounded once.
template <operand X, operand Y, operand Z>
auto fma(X&& x, Y&& y, Z&& z) {
    using T = promote_t<promote_t<detail::own_element<X>, detail::own_element<Y>>,
                        detail::own_element<Z>>;
    return detail::make_expression(scalar::fma{}, detail::weak<T>(std::forward<X>(x)),
                                   detail::weak<T>(std::forward<Y>(y)),
                                   detail::weak<T>(std::forward<Z>(z)));
}

/// x + value * y * z.
template <operand X, operand Y, operand Z, class V = int>
    requires scalar_like<V>
auto addcmul(X&& x, Y&& y, Z&& z, V value = 1) {
    return std::forward<X>(x) + value * std::forward<Y>(y) * std::forward<Z>(z);
}

/// x + value * y / z.
template <operand X, operand Y, operand Z, class V = int>
    requires scalar_like<V>
auto addcdiv(X&& x, Y&& y, Z&& z, V value = 1) {
    return std::forward<X>(x) + value * std::forward<Y>(y) / std::forward<Z>(z);
}

/// x, but `value` where the mask is true; x and the mask broadcast together.
template <operand X, operand M, class V>
    requires(scalar_like<V> || std::same_as<V, element_t<X>>)
auto masked_fill(X&& x, M&& mask, V value) {
    using T = element_t<X>;
    static_assert(storable<V, T>, "the value has a higher kind than the elements: cast them first");
    return detail::make_expression(scalar::where{}, std::forward<M>(mask),
                                   scalar::convert<T>(value), std::forward<X>(x));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_SELECT_HPP
