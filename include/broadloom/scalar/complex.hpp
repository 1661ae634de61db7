// The parts of complex numbers. A real number is a complex one without an imaginary part.
#ifndef BROADLOOM_SCALAR_COMPLEX_HPP
#define BROADLOOM_SCALAR_COMPLEX_HPP

#include "broadloom/scalar/arc.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// The real part.
struct real {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(const T& x) const {
        if constexpr (kind<T> == Kind::complex) return parts(x).re;
        else return x;
    }
};

/// The imaginary part.
struct imag {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(const T& x) const {
        if constexpr (kind<T> == Kind::complex) return parts(x).im;
        else return T(0);
    }
};

/// The complex conjugate.
struct conj {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        if constexpr (kind<T> == Kind::complex) return join(parts(x).re, -parts(x).im);
        else return x;
    }
};

/// The angle from the positive real axis, in [-pi, pi].
struct angle {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(const T& x) const {
        const auto re = real{}(x), im = imag{}(x);
        return atan2{}(im, re);
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_COMPLEX_HPP
