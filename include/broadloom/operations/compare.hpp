// Comparisons and logic, element by element, and the few that answer with one bool.
#ifndef BROADLOOM_OPERATIONS_COMPARE_HPP
#define BROADLOOM_OPERATIONS_COMPARE_HPP

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/scalar/comparison.hpp"
#include "broadloom/scalar/ternary.hpp"

namespace broadloom {
namespace detail {

template <class X>
inline constexpr bool is_ordering = false;
template <class F, class... X>
inline constexpr bool is_ordering<Expression<F, X...>> =
    std::is_same_v<F, scalar::less> || std::is_same_v<F, scalar::less_equal> ||
    std::is_same_v<F, scalar::greater> || std::is_same_v<F, scalar::greater_equal>;

/// Which of two comes first. An order itself is ordered among truths alone.
template <class F, class X, class Y>
auto ordering(F f, X&& x, Y&& y) {
    static_assert(!is_ordering<std::remove_cvref_t<X>> || std::is_same_v<element_t<Y>, bool>,
                  "a < x < b would compare the truths of a < x with b: write a < x && x < b");
    return detail::binary<AsValue>(f, std::forward<X>(x), std::forward<Y>(y));
}

}  // namespace detail

template <class X, class Y>
    requires operands<X, Y>
auto operator==(X&& x, Y&& y) {
    return detail::binary<detail::AsValue>(scalar::equal{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator!=(X&& x, Y&& y) {
    return detail::binary<detail::AsValue>(scalar::not_equal{}, std::forward<X>(x),
                                           std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator<(X&& x, Y&& y) {
    return detail::ordering(scalar::less{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator<=(X&& x, Y&& y) {
    return detail::ordering(scalar::less_equal{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator>(X&& x, Y&& y) {
    return detail::ordering(scalar::greater{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator>=(X&& x, Y&& y) {
    return detail::ordering(scalar::greater_equal{}, std::forward<X>(x), std::forward<Y>(y));
}
/// Both are true; both sides are always evaluated.
template <class X, class Y>
    requires operands<X, Y>
auto operator&&(X&& x, Y&& y) {
    return detail::make_expression(scalar::logical_and{}, std::forward<X>(x), std::forward<Y>(y));
}
/// Either is true; both sides are always evaluated.
template <class X, class Y>
    requires operands<X, Y>
auto operator||(X&& x, Y&& y) {
    return detail::make_expression(scalar::logical_or{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X>
    requires tensor_like<X>
auto operator!(X&& x) {
    return detail::make_expression(scalar::logical_not{}, std::forward<X>(x));
}

/// True where two values are equal or no farther apart than absolute + relative * |y|, computed in
/// their own type, or in double beside integers; infinities are close to themselves, NaN to nothing
/// unless `equal_nan`.
template <operand X, operand Y>
auto isclose(X&& x, Y&& y, double relative = 1e-5, double absolute = 1e-8, bool equal_nan = false) {
    return detail::make_expression(scalar::isclose{relative, absolute, equal_nan},
                                   std::forward<X>(x), std::forward<Y>(y));
}

/// True when all values, broadcast together, are close. Throws shape_error on a mismatch.
template <operand X, operand Y>
bool allclose(X&& x, Y&& y, double relative = 1e-5, double absolute = 1e-8,
              bool equal_nan = false) {
    return broadloom::all_of(
        broadloom::isclose(std::forward<X>(x), std::forward<Y>(y), relative, absolute, equal_nan));
}

/// True when both have the same shape and the same values, NaN among them if asked for; never
/// throws for shapes that differ.
template <operand X, operand Y>
bool array_equal(X&& x, Y&& y, bool equal_nan = false) {
    if constexpr (tensor_like<X> && tensor_like<Y>) {
        if (x.shape() != y.shape()) return false;
    } else if constexpr (tensor_like<X>) {
        if (x.rank() != 0) return false;
    } else if constexpr (tensor_like<Y>) {
        if (y.rank() != 0) return false;
    }
    if (!equal_nan) {
        return broadloom::all_of(
            detail::make_expression(scalar::equal{}, std::forward<X>(x), std::forward<Y>(y)));
    }
    return broadloom::all_of(
        detail::make_expression(scalar::alike{}, std::forward<X>(x), std::forward<Y>(y)));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_COMPARE_HPP
