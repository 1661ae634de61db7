// Powers and roots.
#ifndef BROADLOOM_SCALAR_POWER_HPP
#define BROADLOOM_SCALAR_POWER_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

BROADLOOM_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
BROADLOOM_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
BROADLOOM_INLINE double cbrt(double x) { return __builtin_cbrt(x); }
BROADLOOM_INLINE float cbrt(float x) { return __builtin_cbrtf(x); }
BROADLOOM_INLINE double pow(double x, double y) { return __builtin_pow(x, y); }
BROADLOOM_INLINE float pow(float x, float y) { return __builtin_powf(x, y); }
BROADLOOM_INLINE double hypot(double x, double y) { return __builtin_hypot(x, y); }
BROADLOOM_INLINE float hypot(float x, float y) { return __builtin_hypotf(x, y); }
template <vector_real T>
BROADLOOM_INLINE constexpr T rsqrt(T x) { return T{1} / sqrt(x); }

}  // namespace math

struct sqrt {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::sqrt(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::sqrt(x);
        } else {
            using std::sqrt;
            return sqrt(x);
        }
    }
};

struct cbrt {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::cbrt(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::cbrt(x);
        } else {
            using std::cbrt;
            return cbrt(x);
        }
    }
};

struct rsqrt {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::rsqrt(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::rsqrt(x);
        } else {
            using std::sqrt;
            return T(1) / sqrt(x);
        }
    }
};

struct pow {
    template <class T, class U>
    BROADLOOM_INLINE constexpr auto operator()(T x, U y) const {
        if constexpr (std::integral<T> && std::integral<U>) {
            return math::pow(static_cast<double>(x), static_cast<double>(y));
        } else if constexpr (vector_real<T> && std::same_as<T, U>) {
            return math::pow(x, y);
        } else {
            using std::pow;
            return pow(x, y);
        }
    }
};

struct hypot {
    template <class T, class U>
    BROADLOOM_INLINE constexpr auto operator()(T x, U y) const {
        if constexpr (std::integral<T> && std::integral<U>) {
            return math::hypot(static_cast<double>(x), static_cast<double>(y));
        } else if constexpr (vector_real<T> && std::same_as<T, U>) {
            return math::hypot(x, y);
        } else {
            using std::hypot;
            return hypot(x, y);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_POWER_HPP
