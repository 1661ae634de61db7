// The error function, and the activations of neural networks.
//
// Real types of one word are vector code. erf(x) = 1 - erfc(x) away from 0, and erfc is e^-x^2
// times a polynomial in (x - k) / (x + k) (Shepherd and Laframboise, Math. Comp. 36, 1981).
#ifndef BROADLOOM_SCALAR_SPECIAL_HPP
#define BROADLOOM_SCALAR_SPECIAL_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/operators.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// x (1 + polynomial in x^2) near 0, else 1 - e^(polynomial in |x|).
BROADLOOM_INLINE constexpr float erf(float x) {
    const float a = at_most(magnitude(x), unknown(4.0F)), z = a * a;
    const float central =
        a + a * polynomial(z, 0x1.06eba8p-3F, -0x1.812744p-2F, 0x1.ce2e24p-4F, -0x1.b810e8p-6F,
                           0x1.54df1ap-8F, -0x1.ab105cp-11F, 0x1.5f953ep-14F);
    const float log = polynomial(a, -0x1.5d15d2p-13F, -0x1.20b752p+0F, -0x1.4621bep-1F,
                                 -0x1.aa730ap-4F, 0x1.6d9ca6p-6F, -0x1.91cc7ep-9F, 0x1.9fb1dep-13F);
    const Powers<float> p = split_powers<Format<float>::bias>(log);
    const float s = power_of_two(p.shifted);
    const float outer = (1.0F - s) - s * exp_growth(p.rest);
    return or_sign(a < 0.92F ? central : outer, sign_of(x));
}

/// e^-(high + low) = 2^n (1 + growth); the low bits of `shifted` hold n for scale(). `low` is tiny.
struct Decay {
    double growth, shifted;
};
BROADLOOM_INLINE constexpr Decay decay(double high, double low) {
    const Powers<double> p = split_powers<2 * Format<double>::bias>(-high);
    const double r = p.rest + (p.lost - low);
    return {exp_tail(r) * (r * r) + r, p.shifted};
}
/// The part of `a` whose square is exact.
BROADLOOM_INLINE constexpr double square_part(double a) {
    return from_bits<double>(to_bits(a) & ~std::uint64_t{0x7ffffff});
}

BROADLOOM_INLINE constexpr double erf(double x) {
    const double a = at_most(magnitude(x), unknown(6.0)), z = a * a;
    const double central =
        a + a * polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b20p-4,
                           -0x1.b82ce3128499dp-6, 0x1.565bcd0db02f5p-8, -0x1.c02db3d8ed50cp-11,
                           0x1.f9a321a1226dfp-14, -0x1.f4d1df399bd11p-17, 0x1.b9def1a198e6cp-20,
                           -0x1.5f1d36de1fcbep-23, 0x1.f7a4133b13077p-27, -0x1.386ac3aaa0f67p-30,
                           0x1.0579b1abad721p-34);
    const double head = square_part(a);
    const Decay d = decay(head * head, (a - head) * (a + head));
    const double u = 1.0 / (a + 3.0), t = (a - 3.0) * u;
    const double ratio =
        u * polynomial(t, 0x1.12f21ddd9f5dep+0, -0x1.c44c471bab307p-1, 0x1.2e326945bdfeap-1,
                       -0x1.3deb2143a5fadp-2, 0x1.e995f160779b9p-4, -0x1.b78970a71a545p-6,
                       -0x1.3dbd6bc849ff8p-10, 0x1.8df0b04738a68p-9, -0x1.1b7abc9f13a33p-11,
                       -0x1.0d8c04fb6cdadp-12, 0x1.295e886e9c0ddp-13, 0x1.1f756545ff153p-14,
                       0x1.b484fa3730ce3p-18);
    const double outer = 1.0 - scale(ratio + ratio * d.growth, d.shifted);
    return or_sign(a < 1.0 ? central : outer, sign_of(x));
}

/// x Phi(x), where Phi(-a) is e^(-a^2 / 2) times a quotient of polynomials in a, whose coefficients
/// are positive: nothing is lost between them. In double, so that the far tail keeps its digits.
BROADLOOM_INLINE constexpr float gelu(float x) {
    const float m = at_most(magnitude(x), unknown(15.0F));
    const double a = static_cast<double>(m);
    const Growth g = grow(-0.5 * (a * a));
    const double ratio =
        polynomial(a, 0x1.0000001ad649dp-1, 0x1.c1d4101b4316dp-2, 0x1.78c54e31409d7p-3,
                   0x1.4ee6395728952p-5, 0x1.102f0d5a5f781p-8) /
        polynomial(a, 0x1p0, 0x1.ad2c3920ccffep0, 0x1.349f279968bd5p0, 0x1.e2b991ab5fa4bp-2,
                   0x1.a3c25360558c2p-4, 0x1.5520ce162ded9p-7);
    const double tail = ratio * (g.factor * g.growth + g.factor);
    const double right = static_cast<double>(x) * (1.0 - tail), left = -a * tail;
    const float value = static_cast<float>(x < 0.0F ? left : right);
    return x == -infinity<float> ? nan<float> : value;
}
/// Here the quotient is a polynomial in (a - k) / (a + k) over a + k.
BROADLOOM_INLINE constexpr double gelu(double x) {
    const double a = at_most(magnitude(x), unknown(39.0));
    const double head = square_part(a);
    const Decay d = decay(0.5 * (head * head), 0.5 * ((a - head) * (a + head)));
    const double u = 1.0 / (a + 5.0), t = (a - 5.0) * u;
    const double ratio =
        u * polynomial(t, 0x1.89d3abe1f95aep-1, -0x1.54ad03f27ca17p-1, 0x1.fb31653876f9fp-2,
                       -0x1.410ed5f8759e4p-2, 0x1.51f6329f011d3p-3, -0x1.1b1c254c9ec03p-4,
                       0x1.54b4d4f4f993ep-6, -0x1.88590ea29e25ap-9, -0x1.a250381c6b99fp-11,
                       0x1.1daf1c3982626p-11, -0x1.f2144a6c72379p-15, -0x1.a1707ce1218e9p-15,
                       0x1.17dc86cdf5a85p-16, 0x1.0b1e7db7dcf2ep-18, -0x1.73a47bb326b55p-19,
                       -0x1.6847d7247b3bep-22, 0x1.d0ce4462bb082p-22, 0x1.5f29e497be027p-25,
                       -0x1.1b8454f6cb957p-24, -0x1.1d03f4694cbffp-27, 0x1.10e33f355c2b9p-27,
                       0x1.89a332f24dcb6p-30, -0x1.4cfefbad31e10p-32);
    const double core = ratio + ratio * d.growth;
    const double tail = scale(x < 0.0 ? -a * core : core, d.shifted);
    const double z = a * a;
    const double half =
        0.5 + x * polynomial(z, 0x1.9884533d43651p-2, -0x1.1058377e2cebap-4, 0x1.46d0429765204p-7,
                             -0x1.37403f6918bcfp-10, 0x1.e42b0bb52a574p-14, -0x1.3ce8b0c1e3d0fp-17,
                             0x1.657a8328315a1p-21, -0x1.603463003d082p-25, 0x1.1735bd468de70p-29);
    const double central = x * half, right = x * (1.0 - tail);
    const double outer = x < 0.0 ? tail : right, value = a < 0.7 ? central : outer;
    return x == -infinity<double> ? nan<double> : value;
}

/// c (1 + e^-x), where the factor c = 2^-shift keeps e^-x in range as far as the result is not 0.
template <int shift, vector_real T>
BROADLOOM_INLINE constexpr T logistic_divisor(T x, T c) {
    const Powers<T> p = split_powers<Format<T>::bias - shift>(-x);
    const T s = power_of_two(p.shifted);
    return s + (s * exp_growth(p.rest) + c);
}
template <vector_real T>
BROADLOOM_INLINE constexpr T sigmoid(T x) {
    constexpr int shift = std::same_as<T, float> ? 32 : 64;
    constexpr T c = static_cast<T>(std::same_as<T, float> ? 0x1p-32 : 0x1p-64);
    constexpr T low = Exponential<T>::low, high = -low / 2;
    return c / logistic_divisor<shift>(clamp(x, unknown(low), unknown(high)), c);
}
template <vector_real T>
BROADLOOM_INLINE constexpr T silu(T x) {
    constexpr int shift = std::same_as<T, float> ? 32 : 64;
    constexpr T c = static_cast<T>(std::same_as<T, float> ? 0x1p-32 : 0x1p-64);
    constexpr T low = std::same_as<T, float> ? T{-110} : T{-752};
    const T y = clamp(x, unknown(low), unknown(T{50}));
    const T value = y / logistic_divisor<shift>(y, c) * c;
    const T edge = x == -infinity<T> ? nan<T> : value;
    return x > T{49} ? x : edge;
}

/// x + log(1 + e) for e = e^-a and a >= 0. With s = e / (2 + e) the logarithm is 2 atanh(s), and
/// e - 2 s = s e; beyond is a polynomial in s^2, to 2^-31 of it.
BROADLOOM_INLINE constexpr float plus_log1p_of_decay(float x, float a) {
    const Rounded<float> power = rounded_exp_of_negative(-a);
    const float e = power.value, s = e / (2.0F + e);
    // Powers of what is tiny would be denormal, which takes ten times as long.
    const float bent = keep_where(above(e, 0x1p-60F), s), z = bent * bent;
    const float tail = polynomial(z, 0x1.555556p-1F, 0x1.9998d2p-2F, 0x1.24c98ap-2F, 0x1.bc81a8p-3F,
                                  0x1.dbd5e8p-3F);
    const float lost = power.lost - bent * (1.5F * power.lost);
    return (x + lost) + (e - bent * (e - z * tail));
}
BROADLOOM_INLINE constexpr double plus_log1p_of_decay(double x, double a) {
    const Decay d = decay(clamp(a, 0.0, 750.0), 0.0);
    const double e = scale(1.0 + d.growth, d.shifted), u = 1.0 + e;
    return x + log_with_rest(u, e - (u - 1.0));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T softplus(T x) {
    return plus_log1p_of_decay(x <= T{0} ? T{0} : x, magnitude(x));
}
/// The greater one + log(1 + e^-|x - y|). Of equal infinities the difference is 0.
template <vector_real T>
BROADLOOM_INLINE constexpr T logaddexp(T x, T y) {
    const T apart = magnitude(x - y), distance = x == y ? T{0} : apart;
    const T larger = x > y ? x : y;
    // Powers that would be denormal, which takes ten times as long, are nothing beside it.
    const word<T> alone =
        above(distance, Exponential<T>::normal) & above(magnitude(larger), T(1e-20));
    constexpr T outer = std::same_as<T, float> ? T{128} : T{1024};
    const T least = from_bits<T>(alone & to_bits(outer));
    return plus_log1p_of_decay(larger, distance < least ? least : distance);
}

}  // namespace math

/// The error function of x.
BROADLOOM_ELEMENTARY(erf)

/// x times the probability that a normal variable is below x (the exact form, not tanh's); NaN at
/// -infinity, as in PyTorch.
struct gelu {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (vector_number<T>) {
            return math::gelu(math::to_real(x));
        } else {
            using std::erf;
            return x * ((T(1) + erf(x * T(0.70710678118654752440084436210484904L))) * T(0.5));
        }
    }
};

/// 1 / (1 + e^-x).
struct sigmoid {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (vector_number<T>) {
            return math::sigmoid(math::to_real(x));
        } else {
            using std::exp;
            return T(1) / (T(1) + exp(-x));
        }
    }
};

/// x / (1 + e^-x); NaN at -infinity, as in PyTorch.
struct silu {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (vector_number<T>) {
            return math::silu(math::to_real(x));
        } else {
            using std::exp;
            return x / (T(1) + exp(-x));
        }
    }
};

/// log(1 + e^-a) for a >= 0, or NaN.
struct log1p_of_decay {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(T a) const {
        if constexpr (vector_real<T>) {
            return math::plus_log1p_of_decay(T{0}, a);
        } else {
            using std::exp;
            using std::log1p;
            return log1p(exp(-a));
        }
    }
};

/// log(1 + e^x).
struct softplus {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (vector_number<T>) {
            return math::softplus(math::to_real(x));
        } else if constexpr (std::floating_point<T>) {
            return (x > T(0) ? x : T(0)) + log1p_of_decay{}(x > T(0) ? x : -x);
        } else {
            using std::exp;
            using std::log;
            return log(T(1) + exp(x));
        }
    }
};

/// log(e^x + e^y), without overflow on the way.
struct logaddexp : PromotingReals<logaddexp> {
    static constexpr int steps = math::many_steps;

    template <class T, class U>
    BROADLOOM_INLINE static constexpr auto on(const T& x, const U& y) {
        if constexpr (vector_real<T>) {
            return math::logaddexp(x, y);
        } else {
            using std::log;
            if (x == y) return x + log(T(2));
            const bool first = x > y;
            return (first ? x : y) + log1p_of_decay{}(first ? x - y : y - x);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_SPECIAL_HPP
