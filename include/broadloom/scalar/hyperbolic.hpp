// The hyperbolic functions and their inverses.
//
// Real types of one word are vector code, by way of e^x and log(1 + x). Exact at zeros, infinities
// and outside of what the inverses are defined on, where they are NaN.
#ifndef BROADLOOM_SCALAR_HYPERBOLIC_HPP
#define BROADLOOM_SCALAR_HYPERBOLIC_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/angle.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/root.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// e^a / 8 for a >= 0, up to where cosh and sinh are infinite.
template <vector_real T>
BROADLOOM_INLINE constexpr T eighth_of_exp(T a) {
    constexpr T most = std::same_as<T, float> ? T{90} : T(710.7);
    const Powers<T> p = split_powers<Format<T>::bias - 3>(at_most(a, most));
    const T s = power_of_two(p.shifted);
    return s * exp_growth(p.rest) + s;
}

BROADLOOM_INLINE constexpr float sinh(float x) {
    const float a = magnitude(x), z = a * a;
    const float central =
        a + a * (z * polynomial(z, 0x1.55557ap-3F, 0x1.110044p-7F, 0x1.a91d72p-13F));
    const float e = eighth_of_exp(a);
    return or_sign(a < 0.9F ? central : 4.0F * (e - 0x1p-6F / e), sign_of(x));
}
BROADLOOM_INLINE constexpr double sinh(double x) {
    const double a = magnitude(x), z = a * a;
    const double central = a + a * (z * polynomial(z, 0x1.5555555555564p-3, 0x1.111111110be84p-7,
                                                   0x1.a01a01c547de5p-13, 0x1.71ddc57a4799cp-19,
                                                   0x1.afb198dab1915p-26));
    const double u = scaled_expm1<2>(at_most(a, 710.7));
    const double outer = 2.0 * (u + u / (4.0 * u + 1.0));
    return or_sign(a < 0.4 ? central : outer, sign_of(x));
}

template <vector_real T>
BROADLOOM_INLINE constexpr T cosh(T x) {
    const T e = eighth_of_exp(magnitude(x));
    return T{4} * (e + T(0x1p-6) / e);
}

/// (tanh(r) - r) / r^3 with z = r^2, for |r| <= 0.5547, to 2^-24 and 2^-55 of tanh(r).
BROADLOOM_INLINE constexpr float tanh_tail(float z) {
    return polynomial(z, -0x1.55544p-2F, 0x1.10cbdp-3F, -0x1.af29fap-5F, 0x1.0c0df6p-6F);
}
BROADLOOM_INLINE constexpr double tanh_tail(double z) {
    return polynomial(z, -0x1.555555555547ep-2, 0x1.11111111005dfp-3, -0x1.ba1ba1abbe563p-5,
                      0x1.664f4571cc516p-6, -0x1.226dd4c814dd6p-7, 0x1.d6c50b412979ap-9,
                      -0x1.7ce91e6679af1p-10, 0x1.2f6356c44c9c4p-11, -0x1.b76b78fa1d60ep-13,
                      0x1.a783b0df6c36dp-15);
}
/// With |x| = n ln2/2 + r and t = tanh(r): for n = 0 it is t; beyond, 1 - (1 - t) / h, where
/// h = (2^n (1 + t) + 1 - t) / 2. The first step is so long that the quotient is at most a half.
template <vector_real T>
BROADLOOM_INLINE constexpr T tanh(T x) {
    constexpr T most = std::same_as<T, float> ? T{10} : T{22};
    constexpr T half = T(0.5), round = Format<T>::round + T{Format<T>::bias - 1};
    constexpr T half_ln2 = static_cast<T>(0x1.62e42fefa39efp-2);
    const T a = magnitude(x);
    // What rounds to 0 is a little, not 0: of a constant compilers would make a case of its own.
    const T beyond = a - T(0.3813), little = a * T(0.25);
    const T shifted = (beyond > little ? beyond : little) * (T{2} * Exponential<T>::log2e) + round;
    const T n = shifted - round, r = a - n * half_ln2, z = r * r;
    const T t = r + r * (z * tanh_tail(z)), s = power_of_two(shifted);  // 2^(n-1)
    const T limit = n < T{1} ? n : T{1};
    const T value = limit - (limit - t) / ((s + half) + (s - half) * t);
    return or_sign(a > most ? T{1} : value, sign_of(x));
}

/// The hyperbolic functions of x and the circular ones of y, where these are usual and |x| is not
/// above `most`.
struct Waves {
    double sinh, cosh, sin, cos;
};
BROADLOOM_INLINE constexpr Waves waves(double x, double y, double most, Rare& rare) {
    rare.mark_above(magnitude(x), most);
    const Angle<double> angle = reduce_usual(y, rare);
    return {math::sinh(x), math::cosh(x), sine(angle, 0, sign_of(y)), sine(angle, 1, 0)};
}
BROADLOOM_INLINE constexpr Parts<double> sinh(Parts<double> z, Rare& rare) {
    const Waves w = waves(z.re, z.im, 700.0, rare);
    return {w.sinh * w.cos, w.cosh * w.sin};
}
BROADLOOM_INLINE constexpr Parts<double> cosh(Parts<double> z, Rare& rare) {
    const Waves w = waves(z.re, z.im, 700.0, rare);
    return {w.cosh * w.cos, w.sinh * w.sin};
}
/// The quotient of these, the conjugate of cosh multiplied in. The square of sinh must be finite.
BROADLOOM_INLINE constexpr Parts<double> tanh(Parts<double> z, Rare& rare) {
    const Waves w = waves(z.re, z.im, 300.0, rare);
    const double size = w.sinh * w.sinh + w.cos * w.cos;
    return {w.sinh * w.cosh / size, w.sin * w.cos / size};
}

/// From here on what the inverses differ by from log(2 x) is nothing, and so far they are x.
template <class T>
inline constexpr T hyperbolic_large = static_cast<T>(std::same_as<T, float> ? 0x1p13 : 0x1p28);
template <class T>
inline constexpr T hyperbolic_tiny = static_cast<T>(std::same_as<T, float> ? 0x1p-13 : 0x1p-28);

/// log(2 x) where x is `large`, else log(1 + y + lost), with a `lost` that is small beside y.
template <vector_real T>
BROADLOOM_INLINE constexpr T log_of_twice_or(bool large, T x, T y, T lost) {
    constexpr T ln2 = static_cast<T>(0x1.62e42fefa39efp-1);
    const OnePlus<T> u = one_plus(y);
    const T rest = u.lost + lost;
    return log_with_rest(large ? x : u.sum, large ? T{0} : rest) + (large ? ln2 : T{0});
}
/// log(1 + y) with y = |x| + x^2 / (1 + sqrt(x^2 + 1)).
template <vector_real T>
BROADLOOM_INLINE T asinh(T x) {
    const T a = magnitude(x);
    const bool large = a >= hyperbolic_large<T>;
    const T b = large ? T{1} : a, z = b * b;
    const T bend = z / (T{1} + sqrt_of(z + T{1})), y = b + bend, lost = (b - y) + bend;
    const T log = log_of_twice_or(large, a, y, lost), value = a < infinity<T> ? log : a;
    return or_sign(a < hyperbolic_tiny<T> ? a : value, sign_of(x));
}
/// log(1 + y) with t = x - 1 and y = t + sqrt(2 t + t^2).
template <vector_real T>
BROADLOOM_INLINE T acosh(T x) {
    const bool large = x >= hyperbolic_large<T>;
    const T t = (large ? T{2} : x) - T{1}, twice = t + t, z = t * t;
    const T sum = twice + z, gone = (twice - sum) + z, root = sqrt_of(sum), y = root + t;
    const T part = T(0.5) * gone / (root > T{0} ? root : T{1});
    const T log = log_of_twice_or(large, x, y, ((root - y) + t) + part);
    const T value = x < infinity<T> ? log : x;
    return x >= T{1} ? value : nan<T>;
}
/// Half of log(1 + y) with y = 2 |x| / (1 - |x|).
template <vector_real T>
BROADLOOM_INLINE constexpr T atanh(T x) {
    const T a = magnitude(x), b = a < T{1} ? a : T{0};
    const T d = T{1} - b, gone = (T{1} - d) - b, y = (b + b) / d;
    const OnePlus<T> u = one_plus(y);
    const T value = T(0.5) * log_with_rest(u.sum, u.lost - y * (gone / d));
    const T edge = a == T{1} ? infinity<T> : nan<T>;
    const T inside = a < hyperbolic_tiny<T> ? a : value;
    return or_sign(a < T{1} ? inside : edge, sign_of(x));
}

}  // namespace math

/// The hyperbolic sine of x.
struct sinh {
    BROADLOOM_ELEMENTARY_MEMBERS(sinh)
    BROADLOOM_COMPLEX_MEMBERS(sinh)
};
/// The hyperbolic cosine of x.
struct cosh {
    BROADLOOM_ELEMENTARY_MEMBERS(cosh)
    BROADLOOM_COMPLEX_MEMBERS(cosh)
};
/// The hyperbolic tangent of x.
struct tanh {
    BROADLOOM_ELEMENTARY_MEMBERS(tanh)
    BROADLOOM_COMPLEX_MEMBERS(tanh)
};
/// The number whose hyperbolic sine is x.
BROADLOOM_ELEMENTARY(asinh)
/// The number of at least 0 whose hyperbolic cosine is x; NaN for x < 1.
BROADLOOM_ELEMENTARY(acosh)
/// The number whose hyperbolic tangent is x; NaN for |x| > 1.
BROADLOOM_ELEMENTARY(atanh)

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_HYPERBOLIC_HPP
