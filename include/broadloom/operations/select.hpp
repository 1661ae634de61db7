// Choosing and blending: where, clip, lerp, fma, addcmul, addcdiv, masked_fill.
#ifndef BROADLOOM_OPERATIONS_SELECT_HPP
#define BROADLOOM_OPERATIONS_SELECT_HPP

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/scalar/ternary.hpp"

namespace broadloom {
namespace detail {

/// Throws what f(outer, g(x, y)) would throw, before a tensor about to die is moved into g.
template <class Outer, class X, class Y>
void require_nested(const Outer& outer, const X& x, const Y& y) {
    const Shape inner = detail::resolve_by(resolve_quietly, x, y);
    if constexpr (tensor_like<Outer> && (tensor_like<X> || tensor_like<Y>)) {
        detail::with_listed(resolve_quietly, outer.shape(), inner);
    }
}

}  // namespace detail

/// x where the condition is true, else y, all three broadcast together; x and y meet in
/// promote_t. Both are always evaluated.
template <operand C, class X, class Y>
    requires operand_pair<X, Y>
auto where(C&& condition, X&& x, Y&& y) {
    if constexpr (tensor_like<X> && !tensor_like<Y>) {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       std::forward<X>(x), detail::AsElement::of<element_t<X>>(y));
    } else if constexpr (tensor_like<Y> && !tensor_like<X>) {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       detail::AsElement::of<element_t<Y>>(x), std::forward<Y>(y));
    } else {
        return detail::make_expression(scalar::where{}, std::forward<C>(condition),
                                       std::forward<X>(x), std::forward<Y>(y));
    }
}

namespace detail {

template <class X, class L, class H>
auto clip_viewed(X&& x, L&& low, H&& high) {
    using T = common_t<X, L, H>;
    if constexpr (any_dying<X, L, H>) detail::require_nested(high, x, low);
    return broadloom::minimum(
        broadloom::maximum(std::forward<X>(x), detail::beside<AsBound, T>(std::forward<L>(low))),
        detail::beside<AsBound, T>(std::forward<H>(high)));
}

}  // namespace detail

/// x, at least `low` and at most `high`; if they cross, `high`. NaN in any of them stays.
template <operand X, class L, class H>
    requires(operand_pair<X, L> && operand_pair<X, H>)
auto clip(X&& x, L&& low, H&& high) {
    return detail::clip_viewed(detail::viewed(std::forward<X>(x)),
                               detail::viewed(std::forward<L>(low)),
                               detail::viewed(std::forward<H>(high)));
}
/// No bound, written as empty braces or std::nullopt: `clip(x, {}, high)`, `clip(x, low, {})`.
struct Unbounded {
    constexpr Unbounded() = default;
    constexpr Unbounded(std::nullopt_t) {}
};
template <operand X, class H>
    requires operand_pair<X, H>
auto clip(X&& x, Unbounded, H&& high) {
    return broadloom::minimum(std::forward<X>(x), std::forward<H>(high));
}
/// x, at least `low`.
template <operand X, class L>
    requires operand_pair<X, L>
auto clip(X&& x, L&& low, Unbounded = {}) {
    return broadloom::maximum(std::forward<X>(x), std::forward<L>(low));
}
/// x itself.
template <tensor_like X>
auto clip(X&& x, Unbounded, Unbounded) {
    return broadloom::cast<element_t<X>>(std::forward<X>(x));
}

/// x + weight * (y - x), and exactly y where the weight is 1 and y - x is finite.
template <operand X, operand Y, operand W>
auto lerp(X&& x, Y&& y, W&& weight) {
    using T = detail::common_t<X, Y, W>;
    using As = detail::AsElement;
    return detail::make_expression(scalar::lerp{}, detail::beside<As, T>(std::forward<X>(x)),
                                   detail::beside<As, T>(std::forward<Y>(y)),
                                   detail::beside<As, T>(std::forward<W>(weight)));
}

/// x * y + z; of floating values rounded once.
template <operand X, operand Y, operand Z>
auto fma(X&& x, Y&& y, Z&& z) {
    using T = detail::common_t<X, Y, Z>;
    using As = detail::AsElement;
    return detail::make_expression(scalar::fma{}, detail::beside<As, T>(std::forward<X>(x)),
                                   detail::beside<As, T>(std::forward<Y>(y)),
                                   detail::beside<As, T>(std::forward<Z>(z)));
}

namespace detail {

/// An operand as elements of type T, or as a number beside them.
template <class T, class X>
auto as_elements(X&& x) {
    if constexpr (scalar_like<X>) return AsElement::of<T>(x);
    else if constexpr (std::same_as<element_t<X>, T>) return detail::viewed(std::forward<X>(x));
    else return broadloom::cast<T>(std::forward<X>(x));
}

/// f(y, z), where both may be numbers.
template <class F, class Y, class Z>
auto term(F f, Y&& y, Z&& z) {
    if constexpr (scalar_like<Y> && scalar_like<Z>) return f(y, z);
    else return detail::binary(f, std::forward<Y>(y), std::forward<Z>(z));
}

/// x + f(y, z), or x + f(value * y, z), of operands that have been viewed: all in the type that
/// they meet in.
template <class F, class X, class Y, class Z, class... V>
auto add_term(F f, X&& x, Y&& y, Z&& z, V... value) {
    using T = common_t<X, Y, Z>;
    if constexpr (any_dying<X, Y, Z>) detail::require_nested(x, y, z);
    auto first = detail::as_elements<T>(std::forward<Y>(y));
    auto second = detail::as_elements<T>(std::forward<Z>(z));
    if constexpr (sizeof...(V) == 0) {
        return std::forward<X>(x) + detail::term(f, std::move(first), std::move(second));
    } else {
        return std::forward<X>(x) +
               detail::term(
                   f,
                   detail::term(scalar::multiply{}, AsElement::of<T>(value)..., std::move(first)),
                   std::move(second));
    }
}

}  // namespace detail

/// x + value * y * z; the value is 1 unless given.
template <operand X, operand Y, operand Z, scalar_like... V>
    requires(sizeof...(V) <= 1)
auto addcmul(X&& x, Y&& y, Z&& z, V... value) {
    return detail::add_term(scalar::multiply{}, detail::viewed(std::forward<X>(x)),
                            detail::viewed(std::forward<Y>(y)), detail::viewed(std::forward<Z>(z)),
                            value...);
}

/// x + value * y / z; the value is 1 unless given.
template <operand X, operand Y, operand Z, scalar_like... V>
    requires(sizeof...(V) <= 1)
auto addcdiv(X&& x, Y&& y, Z&& z, V... value) {
    return detail::add_term(scalar::divide{}, detail::viewed(std::forward<X>(x)),
                            detail::viewed(std::forward<Y>(y)), detail::viewed(std::forward<Z>(z)),
                            value...);
}

namespace detail {

inline void require_single(const char* what, const Shape& shape) {
    if (shape.rank() == 0) return;
    throw shape_error(Sentence() << what << " takes a number or a tensor of rank 0, not shape "
                                 << shape);
}

}  // namespace detail

/// x, but `value` where the mask is true; x and the mask broadcast together.
template <operand X, operand M, class V>
    requires(scalar_like<V> || std::same_as<V, element_t<X>>)
auto masked_fill(X&& x, M&& mask, V value) {
    using T = element_t<X>;
    static_assert(storable<V, T>, "the value has a higher kind than the elements: cast them first");
    return detail::make_expression(scalar::where{}, std::forward<M>(mask),
                                   scalar::convert<T>(value), std::forward<X>(x));
}
/// The same for a value of rank 0. Throws shape_error for any other.
template <operand X, operand M, tensor_like V>
auto masked_fill(X&& x, M&& mask, V&& value) {
    using T = element_t<X>;
    static_assert(storable<element_t<V>, T>,
                  "the value has a higher kind than the elements: cast them first");
    detail::require_single("masked_fill", value.shape());
    return detail::make_expression(scalar::where{}, std::forward<M>(mask),
                                   broadloom::cast<T>(std::forward<V>(value)), std::forward<X>(x));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_SELECT_HPP
