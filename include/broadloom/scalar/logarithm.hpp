// Logarithms: log, log2, log10, log1p.
//
// Real types of one word are vector code: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and a
// minimax polynomial around 1. log(0) = -inf, log of a negative number is NaN, denormals count.
#ifndef BROADLOOM_SCALAR_LOGARITHM_HPP
#define BROADLOOM_SCALAR_LOGARITHM_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// x = 2^exponent (1 + fraction), with 1 + fraction in [sqrt(1/2), sqrt(2)), for x > 0.
template <vector_real T>
struct Split {
    T exponent, fraction;
};
template <vector_real T>
BROADLOOM_INLINE constexpr Split<T> split(T x) {
    using F = Format<T>;
    constexpr word<T> one = to_bits(T{1});
    constexpr word<T> root = to_bits(static_cast<T>(0.70710678118654752440));
    constexpr T lift = static_cast<T>(std::same_as<T, float> ? 0x1p23 : 0x1p52);
    const bool small = x < smallest_normal<T>;
    const T lifted = x * lift;
    const T adjust = small ? T{F::bias + F::mantissa} : T{F::bias};
    const word<T> w = to_bits(small ? lifted : x) + (one - root);
    const T k = small_word_to_real<T>(w >> F::mantissa) - adjust;
    return {k, from_bits<T>((w & F::fraction) + root) - T{1}};
}

/// What log(x) is outside (0, infinity), else `y`.
template <vector_real T>
BROADLOOM_INLINE constexpr T log_edges(T x, T y) {
    const T low = x == T{0} ? -infinity<T> : nan<T>;
    const T edge = x <= T{0} ? low : x;
    return ((x > T{0}) & (x < infinity<T>)) ? y : edge;
}

BROADLOOM_INLINE constexpr float log(float x) {
    const Split<float> p = split(x);
    const float f = p.fraction, z = f * f;
    const float tail = horner(f, 0x1.555548p-2F, -0x1.000006p-2F, 0x1.99a4b6p-3F, -0x1.555c4ep-3F,
                              0x1.233716p-3F, -0x1.fc2206p-4F, 0x1.e6f066p-4F, -0x1.de3c1cp-4F,
                              0x1.1457b8p-4F);
    float y = (f * z) * tail;
    y = y + p.exponent * -0x1.bd0106p-13F;
    y = y - 0.5F * z;
    return log_edges(x, (f + y) + p.exponent * 0x1.63p-1F);
}

/// With s = f / (2 + f): log(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + tail(s^2))), as in fdlibm.
BROADLOOM_INLINE constexpr double log(double x) {
    const Split<double> p = split(x);
    const double f = p.fraction, s = f / (2.0 + f), z = s * s, half = 0.5 * (f * f);
    const double tail = z * horner(z, 0x1.5555555555592p-1, 0x1.999999997fd77p-2,
                                   0x1.24924941f4f9ap-2, 0x1.c71c5206090c9p-3,
                                   0x1.74663fa1fa5f3p-3, 0x1.39a1a6faa1df0p-3,
                                   0x1.2f06346bb211dp-3);
    const double low = s * (half + tail) + p.exponent * 0x1.ef35793c7673p-45;
    return log_edges(x, p.exponent * 0x1.62e42fefa38p-1 - ((half - low) - f));
}

BROADLOOM_INLINE double log2(double x) { return __builtin_log2(x); }
BROADLOOM_INLINE float log2(float x) { return __builtin_log2f(x); }
BROADLOOM_INLINE double log10(double x) { return __builtin_log10(x); }
BROADLOOM_INLINE float log10(float x) { return __builtin_log10f(x); }
BROADLOOM_INLINE double log1p(double x) { return __builtin_log1p(x); }
BROADLOOM_INLINE float log1p(float x) { return __builtin_log1pf(x); }

}  // namespace math

struct log {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::log(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::log(x);
        } else {
            using std::log;
            return log(x);
        }
    }
};

struct log2 {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::log2(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::log2(x);
        } else {
            using std::log2;
            return log2(x);
        }
    }
};

struct log10 {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::log10(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::log10(x);
        } else {
            using std::log10;
            return log10(x);
        }
    }
};

struct log1p {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::log1p(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::log1p(x);
        } else {
            using std::log1p;
            return log1p(x);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_LOGARITHM_HPP
