// Choosing and blending between elements, and how close two of them are.
#ifndef BROADLOOM_SCALAR_TERNARY_HPP
#define BROADLOOM_SCALAR_TERNARY_HPP

#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/root.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// The second operand where the first is true, else the third.
struct where {
    static constexpr bool selects = true;  // between the last two operands, by the first

    template <class C, class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const C& c, const A& a, const B& b) const {
        using R = promote_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        return scalar::choose(scalar::convert<bool>(c), x, y);
    }
};

/// x + weight * (y - x); beyond the middle counted back from y, which a weight of 1 gives exactly.
struct lerp {
    template <class A, class B, class W>
    BROADLOOM_INLINE constexpr auto operator()(const A& x, const B& y, const W& weight) const {
        using R = promote_t<promote_t<A, B>, W>;
        const R from = scalar::convert<R>(x), to = scalar::convert<R>(y),
                w = scalar::convert<R>(weight);
        const R way = subtract::on(to, from);
        const R from_start = add::on(from, multiply::on(w, way));
        if constexpr (kind<R> == Kind::floating || kind<R> == Kind::complex) {
            const R from_end = subtract::on(to, multiply::on(way, subtract::on(R(1), w)));
            return scalar::choose(is_before_middle(w), from_start, from_end);
        } else {
            return from_start;
        }
    }

private:
    template <class R>
    BROADLOOM_INLINE static constexpr bool is_before_middle(const R& weight) {
        if constexpr (kind<R> == Kind::complex) return is_before_middle(parts(weight).re);
        else return weight < R(0.5);
    }
};

/// Whether |x - y| <= absolute + relative * |y|, in the type that two real or complex types meet
/// in, in at least double beside integers.
struct isclose {
    static constexpr bool chooses = true;
    double relative, absolute;
    bool equal_nan;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& x, const B& y) const {
        constexpr bool integral = kind<A> < Kind::floating || kind<B> < Kind::floating;
        using Both = promote_t<A, B>;
        using R = promote_t<Both, std::conditional_t<integral, double, Both>>;
        const R a = scalar::convert<R>(x), b = scalar::convert<R>(y);
        if constexpr (kind<R> == Kind::complex) {
            const auto p = parts(a), q = parts(b);
            const auto re = p.re - q.re, im = p.im - q.im;
            const bool finite = (p.re - p.re) + (p.im - p.im) + (q.re - q.re) + (q.im - q.im) == 0;
            const bool close = is_near(hypot::on(re, im), hypot::on(q.re, q.im), finite);
            const bool nan_p = has_nan(p), nan_q = has_nan(q);
            return close | ((p.re == q.re) & (p.im == q.im)) | (equal_nan & nan_p & nan_q);
        } else {
            const bool finite = (a - a) + (b - b) == 0;
            const bool close = is_near(a < b ? b - a : a - b, b < 0 ? -b : b, finite);
            return close | (a == b) | (equal_nan & (a != a) & (b != b));
        }
    }

private:
    template <class T>
    BROADLOOM_INLINE constexpr bool is_near(T distance, T size, bool finite) const {
        return (distance <= scalar::convert<T>(absolute) + scalar::convert<T>(relative) * size) &
               finite;
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_TERNARY_HPP
