// Logarithms: log, log2, log10, log1p.
//
// Real types of one word are vector code: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and a
// minimax polynomial around 1. log(0) = -inf, log of a negative number is NaN, denormals count.
// So are usual complex numbers: half the logarithm of the square of their size, which is taken as a
// sum of two (Dekker, Numerische Mathematik 18, 1971), since near 1 little is left of it.
#ifndef BROADLOOM_SCALAR_LOGARITHM_HPP
#define BROADLOOM_SCALAR_LOGARITHM_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/arc.hpp"
#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// x = 2^exponent (1 + fraction), with 1 + fraction in [sqrt(1/2), sqrt(2)), for x > 0; denormal
/// numbers only if `denormals`.
template <vector_real T>
struct Split {
    T exponent, fraction;
};
template <bool denormals = true, vector_real T>
BROADLOOM_INLINE constexpr Split<T> split(T x) {
    using F = Format<T>;
    constexpr word<T> one = to_bits(T{1});
    constexpr word<T> root = to_bits(static_cast<T>(0.70710678118654752440));
    constexpr T lift = static_cast<T>(std::same_as<T, float> ? 0x1p23 : 0x1p52);
    T adjust = T{F::bias};
    if constexpr (denormals) {
        const bool subnormal = x < smallest_normal<T>;
        const T lifted = x * lift;
        adjust = subnormal ? T{F::bias + F::mantissa} : T{F::bias};
        x = subnormal ? lifted : x;
    }
    const word<T> w = to_bits(x) + (one - root);
    return {small_word_to_real<T>(w >> F::mantissa) - adjust,
            from_bits<T>((w & F::fraction) + root) - T{1}};
}

/// What log(x) is outside of (0, infinity), else `y`.
template <vector_real T>
BROADLOOM_INLINE constexpr T log_edges(T x, T y) {
    const T low = x == T{0} ? -infinity<T> : nan<T>;
    const T edge = x <= T{0} ? low : x;
    return is_positive_finite(x) ? y : edge;
}

/// (log(1 + f) - f + f^2/2) / f^3.
BROADLOOM_INLINE constexpr float log_tail(float f) {
    return polynomial(f, 0x1.555548p-2F, -0x1.000006p-2F, 0x1.99a4b6p-3F, -0x1.555c4ep-3F,
                      0x1.233716p-3F, -0x1.fc2206p-4F, 0x1.e6f066p-4F, -0x1.de3c1cp-4F,
                      0x1.1457b8p-4F);
}
BROADLOOM_INLINE constexpr float log_of(const Split<float>& p) {
    const float f = p.fraction, z = f * f;
    float y = (f * z) * log_tail(f);
    y = y + p.exponent * -0x1.bd0106p-13F;
    y = y - 0.5F * z;
    return (f + y) + p.exponent * 0x1.63p-1F;
}
/// log(u + lost), where `lost` is what rounding took from the normal number u.
BROADLOOM_INLINE constexpr float log_with_rest(float u, float lost) {
    using F = Format<float>;
    const Split<float> p = split<false>(u);
    const float last = p.exponent < F::bias ? p.exponent : F::bias;  // from here on it is nothing
    const float part = lost * power_of_two((F::round + F::bias) - last);
    const float f = p.fraction + part, rest = part - (f - p.fraction);
    // Powers of what is tiny would be denormal, which takes ten times as long.
    const float bent = keep_where(above(magnitude(f), 0x1p-40F), f), z = bent * bent;
    float y = (f * z) * log_tail(bent);
    y = y + p.exponent * -0x1.bd0106p-13F;
    y = y + (rest - rest * bent);
    y = y - 0.5F * z;
    return (f + y) + p.exponent * 0x1.63p-1F;
}

/// The parts of log(1 + f), whose sum is f - (half - bend): with s = f / (2 + f) and half = f^2/2,
/// bend = s (half + tail(s^2)), as in fdlibm.
struct LogParts {
    double half, bend;
};
BROADLOOM_INLINE constexpr LogParts log_parts(double f) {
    const double s = f / (2.0 + f), z = s * s, half = 0.5 * (f * f);
    const double tail =
        z * polynomial(z, 0x1.5555555555592p-1, 0x1.999999997fd77p-2, 0x1.24924941f4f9ap-2,
                       0x1.c71c5206090c9p-3, 0x1.74663fa1fa5f3p-3, 0x1.39a1a6faa1df0p-3,
                       0x1.2f06346bb211dp-3);
    return {half, s * (half + tail)};
}
BROADLOOM_INLINE constexpr double log_of(const Split<double>& p) {
    const LogParts l = log_parts(p.fraction);
    const double low = l.bend + p.exponent * 0x1.ef35793c7673p-45;
    return p.exponent * 0x1.62e42fefa38p-1 - ((l.half - low) - p.fraction);
}

/// A short form of `x` and what it lacks of f - half + bend.
struct LogSplit {
    double high, low;
};
BROADLOOM_INLINE constexpr LogSplit log_split(double f) {
    const LogParts l = log_parts(f);
    const double high = from_bits<double>(to_bits(f - l.half) & 0xffffffff00000000U);
    return {high, (f - high) - l.half + l.bend};
}
BROADLOOM_INLINE constexpr double log2_of(const Split<double>& p) {
    const LogSplit l = log_split(p.fraction);
    const double part = l.high * 0x1.71547p0;
    const double rest = (l.low + l.high) * 0x1.94ae0bf85ddf4p-22 + l.low * 0x1.71547p0;
    const double sum = p.exponent + part;
    return sum + (rest + ((p.exponent - sum) + part));
}
BROADLOOM_INLINE constexpr double log10_of(const Split<double>& p) {
    const LogSplit l = log_split(p.fraction);
    const double whole = p.exponent * 0x1.34413509f78p-2, part = l.high * 0x1.bcb7bp-2;
    const double rest = p.exponent * 0x1.fef311f12b358p-46 +
                        (l.low + l.high) * 0x1.526e50e32a6abp-26 + l.low * 0x1.bcb7bp-2;
    const double sum = whole + part;
    return sum + (rest + ((whole - sum) + part));
}
/// log(u + lost), where `lost` is what rounding took from the normal number u.
BROADLOOM_INLINE constexpr double log_with_rest(double u, double lost) {
    const Split<double> p = split<false>(u);
    const LogParts l = log_parts(p.fraction);
    const double low = l.bend + (p.exponent * 0x1.ef35793c7673p-45 + lost / u);
    return p.exponent * 0x1.62e42fefa38p-1 - ((l.half - low) - p.fraction);
}
/// c log(1 + f) = part + rest for c = high + low: with no more than 12 bits in `high`, `part` is
/// exact. What follows c f is square f^2 + tail f^3.
struct LogProduct {
    float part, rest;
};
BROADLOOM_INLINE constexpr LogProduct log_product(float f, float high, float low, float square,
                                                  float tail) {
    const float head = from_bits<float>(to_bits(f) & 0xfffff000U), z = f * f;
    return {head * high, z * square + ((f * z) * tail + ((f - head) * high + f * low))};
}
BROADLOOM_INLINE constexpr float log2_of(const Split<float>& p) {
    const float tail = polynomial(p.fraction, 0x1.ec7086p-2F, -0x1.7154d6p-2F, 0x1.277fcap-2F,
                                  -0x1.ec6194p-3F, 0x1.a3ecbcp-3F, -0x1.6fe76cp-3F, 0x1.61ef6cp-3F,
                                  -0x1.52a3a2p-3F, 0x1.750ce2p-4F);
    const LogProduct l =
        log_product(p.fraction, 0x1.714p0F, 0x1.47652cp-12F, -0x1.715476p-1F, tail);
    const float sum = p.exponent + l.part;
    return sum + (l.rest + ((p.exponent - sum) + l.part));
}
BROADLOOM_INLINE constexpr float log10_of(const Split<float>& p) {
    const float tail = polynomial(p.fraction, 0x1.287a60p-3F, -0x1.bcb69ap-4F, 0x1.63d484p-4F,
                                  -0x1.28b680p-4F, 0x1.f97ba4p-5F, -0x1.b24584p-5F, 0x1.a31562p-5F,
                                  -0x1.c5edd4p-5F, 0x1.25c69ep-5F);
    const LogProduct l =
        log_product(p.fraction, 0x1.bcap-2F, 0x1.7b1526p-14F, -0x1.bcb7b2p-3F, tail);
    const float whole = p.exponent * 0x1.344p-2F, sum = whole + l.part;
    return sum + (p.exponent * 0x1.3509f8p-18F + l.rest + ((whole - sum) + l.part));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log(T x) {
    return log_edges(x, log_of(split(x)));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log2(T x) {
    return log_edges(x, log2_of(split(x)));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log10(T x) {
    return log_edges(x, log10_of(split(x)));
}

/// Marks all but positive numbers that are neither infinite nor denormal.
template <vector_real T>
BROADLOOM_INLINE constexpr void mark_not_normal(T x, Rare& rare) {
    rare.mark_below(x, smallest_normal<T>);
    rare.mark_above(x, std::numeric_limits<T>::max());
}
/// Logarithms of those.
template <vector_real T>
BROADLOOM_INLINE constexpr T log(T x, Rare& rare) {
    mark_not_normal(x, rare);
    return log_of(split<false>(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log2(T x, Rare& rare) {
    mark_not_normal(x, rare);
    return log2_of(split<false>(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log10(T x, Rare& rare) {
    mark_not_normal(x, rare);
    return log10_of(split<false>(x));
}

/// 1 + y, and what rounding took from it.
template <vector_real T>
struct OnePlus {
    T sum, lost;
};
template <vector_real T>
BROADLOOM_INLINE constexpr OnePlus<T> one_plus(T y) {
    const T u = T{1} + y, most = u - T{1};
    return {u, (T{1} - (u - most)) + (y - most)};
}
template <vector_real T>
BROADLOOM_INLINE constexpr T log1p(T x) {
    constexpr T tiny = static_cast<T>(std::same_as<T, float> ? 0x1p-26 : 0x1p-54);
    const OnePlus<T> u = one_plus(x);
    const T y = log_with_rest(u.sum, u.lost);
    return log_edges(u.sum, magnitude(x) < tiny ? x : y);
}

/// The logarithm of the size of u + i v, which is marked where its square may leave the range.
BROADLOOM_INLINE constexpr double log_of_size(OnePlus<double> u, double v, Rare& rare) {
    const RoundedSquare p = rounded_square(u.sum), q = rounded_square(v);
    const double sum = p.value + q.value;
    const double larger = p.value > q.value ? p.value : q.value;
    const double lesser = p.value > q.value ? q.value : p.value;
    rare.mark_below(sum, 0x1p-900);
    rare.mark_above(sum, 0x1p990);
    const double low = (p.lost + q.lost) + 2.0 * u.sum * u.lost;
    return 0.5 * log_with_rest(sum, (lesser - (sum - larger)) + low);
}
BROADLOOM_INLINE constexpr Parts<double> log(Parts<double> z, Rare& rare) {
    const double size = log_of_size({z.re, 0.0}, z.im, rare);
    rare.mark_below(magnitude(size), 0x1p-54);  // a sum of three next to 1 lost digits
    return {size, atan2(z.im, z.re)};
}
BROADLOOM_INLINE constexpr Parts<double> log2(Parts<double> z, Rare& rare) {
    constexpr double log2e = 0x1.71547652b82fep0;
    const Parts<double> log = math::log(z, rare);
    return {log.re * log2e, log.im * log2e};
}
BROADLOOM_INLINE constexpr Parts<double> log10(Parts<double> z, Rare& rare) {
    constexpr double log10e = 0x1.bcb7b1526e50ep-2;
    const Parts<double> log = math::log(z, rare);
    return {log.re * log10e, log.im * log10e};
}
BROADLOOM_INLINE constexpr Parts<double> log1p(Parts<double> z, Rare& rare) {
    return {log_of_size(one_plus(z.re), z.im, rare), atan2(z.im, 1.0 + z.re)};
}

/// What the standard library lacks.
template <class T>
std::complex<T> log2(const std::complex<T>& x) {
    constexpr T log2e = static_cast<T>(1.4426950408889634073599246810018921L);
    return std::log(x) * log2e;
}
template <class T>
std::complex<T> log1p(const std::complex<T>& x) {
    const T re = x.real(), im = x.imag(), turn = std::atan2(im, re + 1);
    // Near 0 |1 + x| is 1, and what is above it lost.
    if (std::abs(re) < T(0.5) && std::abs(im) < T(0.5)) {
        return {T(0.5) * std::log1p(re * (2 + re) + im * im), turn};
    }
    return {std::log(std::hypot(re + 1, im)), turn};
}

}  // namespace math

/// The natural logarithm of x.
struct log {
    BROADLOOM_ELEMENTARY_MEMBERS(log)
    BROADLOOM_USUAL_MEMBERS(log)
    BROADLOOM_COMPLEX_MEMBERS(log)
};
/// The logarithm of x to base 2.
struct log2 {
    BROADLOOM_ELEMENTARY_MEMBERS(log2)
    BROADLOOM_USUAL_MEMBERS(log2)
    BROADLOOM_COMPLEX_MEMBERS(log2)
};
/// The logarithm of x to base 10.
struct log10 {
    BROADLOOM_ELEMENTARY_MEMBERS(log10)
    BROADLOOM_USUAL_MEMBERS(log10)
    BROADLOOM_COMPLEX_MEMBERS(log10)
};
/// The natural logarithm of 1 + x, exact to the last place near 0 too.
struct log1p {
    BROADLOOM_ELEMENTARY_MEMBERS(log1p)
    BROADLOOM_COMPLEX_MEMBERS(log1p)
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_LOGARITHM_HPP
