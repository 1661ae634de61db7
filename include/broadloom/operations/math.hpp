// Elementwise mathematics: each a functor of scalar/ and a line. Of integers, functions with
// fractional results give double; the others keep the type.
#ifndef BROADLOOM_OPERATIONS_MATH_HPP
#define BROADLOOM_OPERATIONS_MATH_HPP

#include <cmath>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/scalar/arc.hpp"
#include "broadloom/scalar/complex.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/hyperbolic.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/root.hpp"
#include "broadloom/scalar/rounding.hpp"
#include "broadloom/scalar/special.hpp"
#include "broadloom/scalar/trigonometric.hpp"

namespace broadloom {

/// The absolute value; that of the lowest integer is itself.
template <operand X>
auto abs(X&& x) {
    return detail::make_expression(scalar::abs{}, std::forward<X>(x));
}
/// -1, 0 or 1; NaN stays; of a complex number its direction.
template <operand X>
auto sign(X&& x) {
    return detail::make_expression(scalar::sign{}, std::forward<X>(x));
}
/// The real part; of a real number itself.
template <tensor_like X>
auto real(X&& x) {
    return detail::make_expression(scalar::real{}, std::forward<X>(x));
}
/// The imaginary part; of a real number 0.
template <tensor_like X>
auto imag(X&& x) {
    return detail::make_expression(scalar::imag{}, std::forward<X>(x));
}
/// The complex conjugate.
template <tensor_like X>
auto conj(X&& x) {
    return detail::make_expression(scalar::conj{}, std::forward<X>(x));
}
/// The angle of a complex number from the positive real axis, in radians; of a negative number pi.
template <tensor_like X>
auto angle(X&& x) {
    return detail::make_expression(scalar::angle{}, std::forward<X>(x));
}
/// The product with itself.
template <operand X>
auto square(X&& x) {
    return detail::make_expression(scalar::square{}, std::forward<X>(x));
}
/// The square root.
template <operand X>
auto sqrt(X&& x) {
    return detail::make_expression(scalar::sqrt{}, std::forward<X>(x));
}
/// 1 over the square root.
template <operand X>
auto rsqrt(X&& x) {
    return detail::make_expression(scalar::rsqrt{}, std::forward<X>(x));
}
/// The cube root.
template <operand X>
auto cbrt(X&& x) {
    return detail::make_expression(scalar::cbrt{}, std::forward<X>(x));
}
/// e to the power of each element.
template <operand X>
auto exp(X&& x) {
    return detail::make_expression(scalar::exp{}, std::forward<X>(x));
}
namespace detail {
/// The same where no element is above 0.
template <operand X>
auto exp_of_negative(X&& x) {
    return detail::make_expression(scalar::exp_of_negative{}, std::forward<X>(x));
}
}  // namespace detail
/// 2 to the power of each element.
template <operand X>
auto exp2(X&& x) {
    return detail::make_expression(scalar::exp2{}, std::forward<X>(x));
}
/// exp(x) - 1, accurate near 0.
template <operand X>
auto expm1(X&& x) {
    return detail::make_expression(scalar::expm1{}, std::forward<X>(x));
}
/// The natural logarithm.
template <operand X>
auto log(X&& x) {
    return detail::make_expression(scalar::log{}, std::forward<X>(x));
}
/// The logarithm to base 2.
template <operand X>
auto log2(X&& x) {
    return detail::make_expression(scalar::log2{}, std::forward<X>(x));
}
/// The logarithm to base 10.
template <operand X>
auto log10(X&& x) {
    return detail::make_expression(scalar::log10{}, std::forward<X>(x));
}
/// log(1 + x), accurate near 0.
template <operand X>
auto log1p(X&& x) {
    return detail::make_expression(scalar::log1p{}, std::forward<X>(x));
}
/// The sine of an angle in radians.
template <operand X>
auto sin(X&& x) {
    return detail::make_expression(scalar::sin{}, std::forward<X>(x));
}
/// The cosine of an angle in radians.
template <operand X>
auto cos(X&& x) {
    return detail::make_expression(scalar::cos{}, std::forward<X>(x));
}
/// The tangent of an angle in radians.
template <operand X>
auto tan(X&& x) {
    return detail::make_expression(scalar::tan{}, std::forward<X>(x));
}
/// The angle, in radians, whose sine each element is.
template <operand X>
auto asin(X&& x) {
    return detail::make_expression(scalar::asin{}, std::forward<X>(x));
}
/// The angle, in radians, whose cosine each element is.
template <operand X>
auto acos(X&& x) {
    return detail::make_expression(scalar::acos{}, std::forward<X>(x));
}
/// The angle, in radians, whose tangent each element is.
template <operand X>
auto atan(X&& x) {
    return detail::make_expression(scalar::atan{}, std::forward<X>(x));
}
/// The hyperbolic sine.
template <operand X>
auto sinh(X&& x) {
    return detail::make_expression(scalar::sinh{}, std::forward<X>(x));
}
/// The hyperbolic cosine.
template <operand X>
auto cosh(X&& x) {
    return detail::make_expression(scalar::cosh{}, std::forward<X>(x));
}
/// The hyperbolic tangent.
template <operand X>
auto tanh(X&& x) {
    return detail::make_expression(scalar::tanh{}, std::forward<X>(x));
}
/// The inverse of sinh.
template <operand X>
auto asinh(X&& x) {
    return detail::make_expression(scalar::asinh{}, std::forward<X>(x));
}
/// The inverse of cosh, at least 0; NaN below 1.
template <operand X>
auto acosh(X&& x) {
    return detail::make_expression(scalar::acosh{}, std::forward<X>(x));
}
/// The inverse of tanh; NaN beyond -1 and 1.
template <operand X>
auto atanh(X&& x) {
    return detail::make_expression(scalar::atanh{}, std::forward<X>(x));
}
/// 1 / (1 + exp(-x)).
template <operand X>
auto sigmoid(X&& x) {
    return detail::make_expression(scalar::sigmoid{}, std::forward<X>(x));
}
/// The positive part; NaN stays.
template <operand X>
auto relu(X&& x) {
    return detail::make_expression(scalar::relu{}, std::forward<X>(x));
}
/// x times the normal distribution function, by erf.
template <operand X>
auto gelu(X&& x) {
    return detail::make_expression(scalar::gelu{}, std::forward<X>(x));
}
/// x * sigmoid(x).
template <operand X>
auto silu(X&& x) {
    return detail::make_expression(scalar::silu{}, std::forward<X>(x));
}
/// log(1 + exp(x)), without overflow.
template <operand X>
auto softplus(X&& x) {
    return detail::make_expression(scalar::softplus{}, std::forward<X>(x));
}
/// The error function.
template <operand X>
auto erf(X&& x) {
    return detail::make_expression(scalar::erf{}, std::forward<X>(x));
}
/// The largest whole number not above each element.
template <operand X>
auto floor(X&& x) {
    return detail::make_expression(scalar::floor{}, std::forward<X>(x));
}
/// The smallest whole number not below each element.
template <operand X>
auto ceil(X&& x) {
    return detail::make_expression(scalar::ceil{}, std::forward<X>(x));
}
/// The nearest whole number, halves to even.
template <operand X>
auto round(X&& x) {
    return detail::make_expression(scalar::round{}, std::forward<X>(x));
}
/// Each element rounded to so many decimals, to tens at -1, as NumPy rounds: by multiplying and
/// dividing, so that the last digit may be one off; what is so large that the product overflows has
/// no decimals and stays. Integers keep their type.
template <operand X>
auto round(X&& x, Integer decimals) {
    const auto tens = static_cast<double>(index_t{decimals});
    const bool coarse = tens < 0;
    const double power = std::pow(10.0, coarse ? -tens : tens);
    return detail::make_expression(scalar::round_decimals{power, coarse}, std::forward<X>(x));
}
/// The whole part.
template <operand X>
auto trunc(X&& x) {
    return detail::make_expression(scalar::trunc{}, std::forward<X>(x));
}
/// 1 over each element; of integers truncated, and 0 for 0.
template <operand X>
auto reciprocal(X&& x) {
    return detail::make_expression(scalar::reciprocal{}, std::forward<X>(x));
}
/// True for NaN.
template <operand X>
auto isnan(X&& x) {
    return detail::make_expression(scalar::isnan{}, std::forward<X>(x));
}
/// True for infinities.
template <operand X>
auto isinf(X&& x) {
    return detail::make_expression(scalar::isinf{}, std::forward<X>(x));
}
/// True for what is neither NaN nor infinite.
template <operand X>
auto isfinite(X&& x) {
    return detail::make_expression(scalar::isfinite{}, std::forward<X>(x));
}
/// The angle of the point (x, y), in radians: atan2(y, x).
template <operand X, operand Y>
auto atan2(X&& y, Y&& x) {
    return detail::binary<detail::AsReal>(scalar::atan2{}, std::forward<X>(y), std::forward<Y>(x));
}
/// The length of the vector (x, y), without overflow.
template <operand X, operand Y>
auto hypot(X&& x, Y&& y) {
    return detail::binary<detail::AsReal>(scalar::hypot{}, std::forward<X>(x), std::forward<Y>(y));
}
/// log(e^x + e^y), without overflow on the way.
template <operand X, operand Y>
auto logaddexp(X&& x, Y&& y) {
    return detail::binary<detail::AsReal>(scalar::logaddexp{}, std::forward<X>(x),
                                          std::forward<Y>(y));
}
/// The magnitude of the first with the sign of the second.
template <operand X, operand Y>
auto copysign(X&& x, Y&& y) {
    return detail::binary<detail::AsReal>(scalar::copysign{}, std::forward<X>(x),
                                          std::forward<Y>(y));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_MATH_HPP
