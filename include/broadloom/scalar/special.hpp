// The error function and the activations that are made of it.
#ifndef BROADLOOM_SCALAR_SPECIAL_HPP
#define BROADLOOM_SCALAR_SPECIAL_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

BROADLOOM_INLINE double erf(double x) { return __builtin_erf(x); }
BROADLOOM_INLINE float erf(float x) { return __builtin_erff(x); }
template <vector_real T>
BROADLOOM_INLINE constexpr T gelu(T x) { return T(0.5) * x * (T{1} + erf(x * T(0.70710678118654752440))); }

}  // namespace math

struct erf {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::erf(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::erf(x);
        } else {
            using std::erf;
            return erf(x);
        }
    }
};

struct gelu {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::gelu(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::gelu(x);
        } else {
            using std::erf;
            return x * (T(1) + erf(x * T(0.70710678118654752440))) * T(0.5);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_SPECIAL_HPP
