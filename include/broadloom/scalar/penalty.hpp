// How far a prediction is from what was wanted, for one element: what the elementwise losses add
// up. Integers are taken as double.
#ifndef BROADLOOM_SCALAR_PENALTY_HPP
#define BROADLOOM_SCALAR_PENALTY_HPP

#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "broadloom/scalar/rounding.hpp"
#include "broadloom/scalar/special.hpp"

namespace broadloom {

/// The floating type in which elements of types A and B are compared by a loss.
template <class A, class B>
using loss_t = mean_t<promote_t<A, B>>;

namespace scalar {

BROADLOOM_EXACT_BEGIN

/// (x - y)^2.
struct squared_error {
    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R d = scalar::convert<R>(a) - scalar::convert<R>(b);
        return d * d;
    }
};

/// |x - y|.
struct absolute_error {
    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R d = scalar::convert<R>(a) - scalar::convert<R>(b);
        return abs{}(d);
    }
};

/// With d = |x - y|: d^2 / (2 beta) below beta, then d - beta / 2.
struct smooth_absolute_error {
    double beta;

    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R d = absolute_error{}(a, b), bend = static_cast<R>(beta);
        const R round = R(0.5) * d * d / (bend > R(0) ? bend : R(1)), straight = d - R(0.5) * bend;
        return d < bend ? round : straight;
    }
};

/// With d = |x - y|: d^2 / 2 below delta, then delta (d - delta / 2).
struct huber_error {
    double delta;

    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R d = absolute_error{}(a, b), bend = static_cast<R>(delta);
        const R round = R(0.5) * d * d, straight = bend * (d - R(0.5) * bend);
        return d < bend ? round : straight;
    }
};

/// -(y log x + (1 - y) log(1 - x)) for a probability x, with logarithms of at least -100; NaN for
/// x outside of [0, 1].
struct binary_cross_entropy {
    static constexpr int steps = math::many_steps;

    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b), least = R(-100);
        const R yes = log{}(x), no = log1p{}(R(0) - x);
        return (y - R(1)) * (no < least ? least : no) - y * (yes < least ? least : yes);
    }
};

/// The same of sigmoid(x), without overflow or cancellation, with y counting `positive` times:
/// (1 - y) softplus(x) + positive y softplus(-x), where softplus(x) is max(x, 0) + log(1 + e^-|x|).
/// As in PyTorch a logit of minus infinity gives NaN, and so does infinity where y is 1.
struct logistic_cross_entropy {
    static constexpr int steps = math::many_steps;

    template <class A, class B, class P>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b, const P& positive) const {
        using R = loss_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b), size = abs{}(x);
        const R no = R(1) - y, yes = scalar::convert<R>(positive) * y;
        const R below = (x < R(0) ? x : R(0)) * R(0);
        return (x < R(0) ? yes : no) * size + (no + yes) * log1p_of_decay{}(size) + below;
    }
};

/// y log y - y x for the logarithm x of a probability, where 0 log 0 is 0.
struct divergence {
    static constexpr int steps = math::many_steps;

    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        const R y_log_y = y * log{}(y);
        return (y == R(0) ? R(0) : y_log_y) - y * x;
    }
};

/// The same where y is a logarithm too.
struct log_divergence {
    static constexpr int steps = math::many_steps;

    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        using R = loss_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        return exp{}(y) * (y - x);
    }
};

BROADLOOM_EXACT_END

}  // namespace scalar
}  // namespace broadloom

#endif  // BROADLOOM_SCALAR_PENALTY_HPP
