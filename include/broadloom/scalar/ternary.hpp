// Choosing and blending between elements, and how close two of them are.
#ifndef BROADLOOM_SCALAR_TERNARY_HPP
#define BROADLOOM_SCALAR_TERNARY_HPP

#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/root.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// The second operand where the first is true, else the third.
struct where {
    template <class C, class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const C& c, const A& a, const B& b) const {
        using R = promote_t<A, B>;
        const R x = convert<R>(a), y = convert<R>(b);
        return choose(convert<bool>(c), x, y);
    }
};

/// x + weight * (y - x); beyond the middle counted back from y, which a weight of 1 gives exactly.
struct lerp {
    template <class A, class B, class W>
    BROADLOOM_INLINE constexpr auto operator()(const A& x, const B& y, const W& weight) const {
        using R = promote_t<promote_t<A, B>, W>;
        const R from = convert<R>(x), to = convert<R>(y), w = convert<R>(weight);
        const R way = subtract::on(to, from);
        const R near = add::on(from, multiply::on(w, way));
        if constexpr (kind<R> == Kind::floating) {
            const R far = to - way * (R(1) - w);
            return w < R(0.5) ? near : far;
        } else {
            return near;
        }
    }
};

/// Whether |x - y| <= absolute + relative * |y|, in double.
struct isclose {
    static constexpr bool chooses = true;
    double relative, absolute;
    bool equal_nan;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& x, const B& y) const {
        if constexpr (kind<A> == Kind::complex || kind<B> == Kind::complex) {
            const auto p = parts(convert<std::complex<double>>(x));
            const auto q = parts(convert<std::complex<double>>(y));
            const double re = p.re - q.re, im = p.im - q.im;
            const bool same = (p.re == q.re) & (p.im == q.im);
            const bool nan_p = has_nan(p), nan_q = has_nan(q);
            const double distance = math::hypot(re, im), size = math::hypot(q.re, q.im);
            const bool near = (distance <= absolute + relative * size) & (size - size == 0);
            return same | near | (equal_nan & nan_p & nan_q);
        } else {
            const double a = convert<double>(x), b = convert<double>(y);
            const double distance = a < b ? b - a : a - b, size = b < 0 ? -b : b;
            const bool near = (distance <= absolute + relative * size) & (size - size == 0);
            return (a == b) | near | (equal_nan & (a != a) & (b != b));
        }
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_TERNARY_HPP
