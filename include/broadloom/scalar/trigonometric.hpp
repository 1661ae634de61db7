// The circular functions and their inverses.
#ifndef BROADLOOM_SCALAR_TRIGONOMETRIC_HPP
#define BROADLOOM_SCALAR_TRIGONOMETRIC_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

BROADLOOM_INLINE double sin(double x) { return __builtin_sin(x); }
BROADLOOM_INLINE float sin(float x) { return __builtin_sinf(x); }
BROADLOOM_INLINE double cos(double x) { return __builtin_cos(x); }
BROADLOOM_INLINE float cos(float x) { return __builtin_cosf(x); }
BROADLOOM_INLINE double tan(double x) { return __builtin_tan(x); }
BROADLOOM_INLINE float tan(float x) { return __builtin_tanf(x); }
BROADLOOM_INLINE double asin(double x) { return __builtin_asin(x); }
BROADLOOM_INLINE float asin(float x) { return __builtin_asinf(x); }
BROADLOOM_INLINE double acos(double x) { return __builtin_acos(x); }
BROADLOOM_INLINE float acos(float x) { return __builtin_acosf(x); }
BROADLOOM_INLINE double atan(double x) { return __builtin_atan(x); }
BROADLOOM_INLINE float atan(float x) { return __builtin_atanf(x); }
BROADLOOM_INLINE double atan2(double x, double y) { return __builtin_atan2(x, y); }
BROADLOOM_INLINE float atan2(float x, float y) { return __builtin_atan2f(x, y); }

}  // namespace math

struct sin {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::sin(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::sin(x);
        } else {
            using std::sin;
            return sin(x);
        }
    }
};

struct cos {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::cos(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::cos(x);
        } else {
            using std::cos;
            return cos(x);
        }
    }
};

struct tan {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::tan(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::tan(x);
        } else {
            using std::tan;
            return tan(x);
        }
    }
};

struct asin {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::asin(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::asin(x);
        } else {
            using std::asin;
            return asin(x);
        }
    }
};

struct acos {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::acos(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::acos(x);
        } else {
            using std::acos;
            return acos(x);
        }
    }
};

struct atan {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::atan(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::atan(x);
        } else {
            using std::atan;
            return atan(x);
        }
    }
};

struct atan2 {
    template <class T, class U>
    BROADLOOM_INLINE constexpr auto operator()(T x, U y) const {
        if constexpr (std::integral<T> && std::integral<U>) {
            return math::atan2(static_cast<double>(x), static_cast<double>(y));
        } else if constexpr (vector_real<T> && std::same_as<T, U>) {
            return math::atan2(x, y);
        } else {
            using std::atan2;
            return atan2(x, y);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_TRIGONOMETRIC_HPP
