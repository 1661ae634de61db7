// e^x and its kin: exp, exp2, expm1, and what is made of one exponential.
//
// Real types of one word are vector code: x = n ln2 + r with |r| <= ln2 / 2 (Cody and Waite's two
// constants), a minimax polynomial in r, and 2^n put in as bits. Exact at zeros, infinities,
// overflow and underflow, denormal results included. Polynomials by Remez's exchange.
#ifndef BROADLOOM_SCALAR_EXPONENTIAL_HPP
#define BROADLOOM_SCALAR_EXPONENTIAL_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// The constants of e^x in one format. The first part of ln2 has so few bits that its product with
/// any n met here is exact; [low, high] holds every x whose e^x is neither 0 nor infinite.
template <class T>
struct Exponential;
template <>
struct Exponential<float> {
    static constexpr float low = -104.0F, high = 89.0F, low2 = -151.0F, high2 = 129.0F;
    static constexpr float log2e = 0x1.715476p0F, ln2_high = 0x1.63p-1F, ln2_low = -0x1.bd0106p-13F;
};
template <>
struct Exponential<double> {
    static constexpr double low = -746.0, high = 710.0, low2 = -1076.0, high2 = 1025.0;
    static constexpr double log2e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa38p-1,
                            ln2_low = 0x1.ef35793c7673p-45;
};

/// (e^r - 1 - r) / r^2 on [-ln2/2, ln2/2], to 2^-28 and 2^-64 of e^r.
BROADLOOM_INLINE constexpr float exp_tail(float r) {
    return horner(r, 0x1.fffffcp-2F, 0x1.555492p-3F, 0x1.5558f2p-5F, 0x1.1239e2p-7F,
                  0x1.6a2434p-10F);
}
BROADLOOM_INLINE constexpr double exp_tail(double r) {
    return horner(r, 0x1p-1, 0x1.555555555555bp-3, 0x1.5555555555503p-5, 0x1.111111110ec5dp-7,
                  0x1.6c16c16c3048bp-10, 0x1.a01a01b37e3a8p-13, 0x1.a01a01368fe4cp-16,
                  0x1.71ddf020c602bp-19, 0x1.27e5b4456e90dp-22, 0x1.af6be7f3ec40cp-26,
                  0x1.1e3d2e5313ce5p-29);
}
/// (2^r - 1) / r on [-1/2, 1/2].
BROADLOOM_INLINE constexpr float exp2_tail(float r) {
    return horner(r, 0x1.62e432p-1F, 0x1.ebfbe2p-3F, 0x1.c6ae72p-5F, 0x1.3b270ep-7F,
                  0x1.5f7276p-10F, 0x1.470b48p-13F);
}
BROADLOOM_INLINE constexpr double exp2_tail(double r) {
    return horner(r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0d6p-5,
                  0x1.3b2ab6fba4ea8p-7, 0x1.5d87fe78a130dp-10, 0x1.430912f859922p-13,
                  0x1.ffcbfc7ac34d1p-17, 0x1.62c0229a6d9f1p-20, 0x1.b524d0eaa5b67p-24,
                  0x1.e4cd9d62f561cp-28, 0x1.ea1422a1da5f6p-32, 0x1.c6d9c2ae7abe4p-36);
}

template <vector_real T>
BROADLOOM_INLINE constexpr T exp(T x) {
    using E = Exponential<T>;
    constexpr T round = Format<T>::round + T{2 * Format<T>::bias};
    x = clamp(x, E::low, E::high);
    const T t = x * E::log2e + round;
    const T n = t - round;
    const T r = (x - n * E::ln2_high) - n * E::ln2_low;
    return scale(exp_tail(r) * (r * r) + r + T{1}, t);
}

template <vector_real T>
BROADLOOM_INLINE constexpr T exp2(T x) {
    using E = Exponential<T>;
    constexpr T round = Format<T>::round + T{2 * Format<T>::bias};
    x = clamp(x, E::low2, E::high2);
    const T t = x + round;
    const T r = x - (t - round);
    return scale(exp2_tail(r) * r + T{1}, t);
}

BROADLOOM_INLINE double expm1(double x) { return __builtin_expm1(x); }
BROADLOOM_INLINE float expm1(float x) { return __builtin_expm1f(x); }
BROADLOOM_INLINE double sinh(double x) { return __builtin_sinh(x); }
BROADLOOM_INLINE float sinh(float x) { return __builtin_sinhf(x); }
BROADLOOM_INLINE double cosh(double x) { return __builtin_cosh(x); }
BROADLOOM_INLINE float cosh(float x) { return __builtin_coshf(x); }

/// (e^2x - 1) / 2 / ((e^2x - 1) / 2 + 1), with e^2x - 1 = 2^n (e^r - 1) + (2^n - 1).
BROADLOOM_INLINE constexpr float tanh(float x) {
    using E = Exponential<float>;
    constexpr float round = Format<float>::round + 127.0F;
    float y = clamp(x, -10.0F, 10.0F);
    y = y + y;
    const float t = y * E::log2e + round;
    const float n = t - round;
    const float r = (y - n * E::ln2_high) - n * E::ln2_low;
    const float q = horner(r, 0x1p-1F, 0x1.555556p-3F, 0x1.55549ep-5F, 0x1.11101ep-7F,
                           0x1.6d834cp-10F, 0x1.a2a31cp-13F) *
                        (r * r) +
                    r;
    const float s = power_of_two(t);
    const float m = s * q + (s - 1.0F);
    return or_sign(m / (m + 2.0F), sign_of(x));
}
BROADLOOM_INLINE double tanh(double x) { return __builtin_tanh(x); }

/// c / (c + c e^-x): the factor c keeps e^-x in range as far as the result is not 0.
template <vector_real T>
BROADLOOM_INLINE constexpr T sigmoid(T x) {
    using E = Exponential<T>;
    constexpr int shift = std::same_as<T, float> ? 32 : 64;
    constexpr T c = std::same_as<T, float> ? T(0x1p-32) : T(0x1p-64);
    constexpr T round = Format<T>::round + T{Format<T>::bias - shift};
    x = clamp(x, E::low, -E::low / 2);
    const T t = x * -E::log2e + round;
    const T n = t - round;
    const T r = -(x + n * E::ln2_high) - n * E::ln2_low;
    const T q = exp_tail(r) * (r * r) + r;
    const T s = power_of_two(t);
    return c / (s * q + (s + c));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T silu(T x) { return x * sigmoid(x); }
template <vector_real T>
BROADLOOM_INLINE T softplus(T x) {
    return (x > 0 ? x : 0) + static_cast<T>(__builtin_log1p(static_cast<double>(exp(-magnitude(x)))));
}

}  // namespace math

/// e to the power x.
struct exp {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::exp(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::exp(x);
        } else {
            using std::exp;
            return exp(x);
        }
    }
};

struct exp2 {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::exp2(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::exp2(x);
        } else {
            using std::exp2;
            return exp2(x);
        }
    }
};

struct expm1 {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::expm1(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::expm1(x);
        } else {
            using std::expm1;
            return expm1(x);
        }
    }
};

struct sinh {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::sinh(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::sinh(x);
        } else {
            using std::sinh;
            return sinh(x);
        }
    }
};

struct cosh {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::cosh(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::cosh(x);
        } else {
            using std::cosh;
            return cosh(x);
        }
    }
};

struct tanh {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::tanh(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::tanh(x);
        } else {
            using std::tanh;
            return tanh(x);
        }
    }
};

struct sigmoid {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::sigmoid(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::sigmoid(x);
        } else {
            return x;
        }
    }
};

struct silu {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::silu(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::silu(x);
        } else {
            return x;
        }
    }
};

struct softplus {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return math::softplus(static_cast<double>(x));
        } else if constexpr (vector_real<T>) {
            return math::softplus(x);
        } else {
            return x;
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_EXPONENTIAL_HPP
