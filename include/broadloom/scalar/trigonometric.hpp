// The circular functions, in radians.
//
// Real types of one word are vector code: minimax polynomials (Remez's exchange) on a short
// interval around 0, to which identities lead. Large angles are right too, but not vector code:
// there is a form for the usual ones, beside the one for all. So are usual complex numbers.
#ifndef BROADLOOM_SCALAR_TRIGONOMETRIC_HPP
#define BROADLOOM_SCALAR_TRIGONOMETRIC_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/angle.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/hyperbolic.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

template <vector_real T>
BROADLOOM_INLINE constexpr T sin(T x) {
    return sine(reduce(magnitude(x)), 0, sign_of(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T cos(T x) {
    return sine(reduce(magnitude(x)), 1, 0);
}
template <vector_real T>
BROADLOOM_INLINE constexpr T tan(T x) {
    return tangent(reduce(magnitude(x)), sign_of(x));
}

/// Of x + i y: those of i (x + i y) = -y + i x, turned back.
BROADLOOM_INLINE constexpr Parts<double> sin(Parts<double> z, Rare& rare) {
    const Waves w = waves(z.im, z.re, 700.0, rare);
    return {w.sin * w.cosh, w.cos * w.sinh};
}
BROADLOOM_INLINE constexpr Parts<double> cos(Parts<double> z, Rare& rare) {
    const Waves w = waves(z.im, z.re, 700.0, rare);
    return {w.cos * w.cosh, -(w.sin * w.sinh)};
}
BROADLOOM_INLINE constexpr Parts<double> tan(Parts<double> z, Rare& rare) {
    const Parts<double> turned = tanh(Parts<double>{z.im, z.re}, rare);
    return {turned.im, turned.re};
}

}  // namespace math

/// The sine of x.
struct sin {
    BROADLOOM_ELEMENTARY_MEMBERS(sin)
    BROADLOOM_COMPLEX_MEMBERS(sin)
    template <class T>
    static constexpr bool has_short_usual = vector_number<T>;

    template <vector_number T>
    BROADLOOM_INLINE constexpr auto usual(T n, math::Rare& rare) const {
        const auto x = math::to_real(n);
        return math::sine(math::reduce_usual(x, rare), 0, math::sign_of(x));
    }
};

/// The cosine of x.
struct cos {
    BROADLOOM_ELEMENTARY_MEMBERS(cos)
    BROADLOOM_COMPLEX_MEMBERS(cos)
    template <class T>
    static constexpr bool has_short_usual = vector_number<T>;

    template <vector_number T>
    BROADLOOM_INLINE constexpr auto usual(T x, math::Rare& rare) const {
        return math::sine(math::reduce_usual(math::to_real(x), rare), 1, 0);
    }
};

/// The tangent of x.
struct tan {
    BROADLOOM_ELEMENTARY_MEMBERS(tan)
    BROADLOOM_COMPLEX_MEMBERS(tan)
    template <class T>
    static constexpr bool has_short_usual = vector_number<T>;

    template <vector_number T>
    BROADLOOM_INLINE constexpr auto usual(T n, math::Rare& rare) const {
        const auto x = math::to_real(n);
        return math::tangent(math::reduce_usual(x, rare), math::sign_of(x));
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_TRIGONOMETRIC_HPP
