// e^x and its kin: exp, exp2, expm1.
//
// Real types of one word are vector code: x = n ln2 + r with |r| <= ln2 / 2 (Cody and Waite's two
// constants), a minimax polynomial in r (Remez's exchange), and 2^n put in as bits. Exact at
// zeros, infinities, overflow and underflow, denormal results included.
#ifndef BROADLOOM_SCALAR_EXPONENTIAL_HPP
#define BROADLOOM_SCALAR_EXPONENTIAL_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/angle.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// The constants of e^x in one format. The first part of ln2 has so few bits that its product with
/// any n met here is exact; [low, high] holds every x whose e^x is neither 0 nor infinite, and
/// [-normal, normal] none whose e^x is denormal.
template <class T>
struct Exponential;
template <>
struct Exponential<float> {
    static constexpr float low = -104.0F, high = 89.0F, normal = 80.0F, low2 = -151.0F,
                           high2 = 129.0F;
    static constexpr float log2e = 0x1.715476p0F, ln2_high = 0x1.63p-1F, ln2_low = -0x1.bd0106p-13F;
};
template <>
struct Exponential<double> {
    static constexpr double low = -746.0, high = 710.0, normal = 700.0, low2 = -1076.0,
                            high2 = 1025.0;
    static constexpr double log2e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa38p-1,
                            ln2_low = 0x1.ef35793c7673p-45;
};

/// (e^r - 1 - r) / r^2 on [-ln2/2, ln2/2], to 2^-28 and 2^-64 of e^r.
BROADLOOM_INLINE constexpr float exp_tail(float r) {
    return polynomial(r, 0x1.fffffcp-2F, 0x1.555492p-3F, 0x1.5558f2p-5F, 0x1.1239e2p-7F,
                      0x1.6a2434p-10F);
}
BROADLOOM_INLINE constexpr double exp_tail(double r) {
    return polynomial(r, 0x1p-1, 0x1.555555555555bp-3, 0x1.5555555555503p-5, 0x1.111111110ec5dp-7,
                      0x1.6c16c16c3048bp-10, 0x1.a01a01b37e3a8p-13, 0x1.a01a01368fe4cp-16,
                      0x1.71ddf020c602bp-19, 0x1.27e5b4456e90dp-22, 0x1.af6be7f3ec40cp-26,
                      0x1.1e3d2e5313ce5p-29);
}
/// The same to 2^-31 and 2^-58 of e^r - 1.
BROADLOOM_INLINE constexpr float expm1_tail(float r) {
    return polynomial(r, 0x1p-1F, 0x1.555556p-3F, 0x1.55549ep-5F, 0x1.11101ep-7F, 0x1.6d834cp-10F,
                      0x1.a2a31cp-13F);
}
BROADLOOM_INLINE constexpr double expm1_tail(double r) {
    return polynomial(r, 0x1.0000000000001p-1, 0x1.5555555555557p-3, 0x1.5555555554d3dp-5,
                      0x1.11111111100e6p-7, 0x1.6c16c16f0a08ep-10, 0x1.a01a01abe2fc8p-13,
                      0x1.a019f3977fc45p-16, 0x1.71de023f7ae8dp-19, 0x1.2802242963f16p-22,
                      0x1.af4dcfc77e36ap-26, 0x1.e6324588b62fbp-30);
}
/// (2^r - 1 - r ln2) / r^2 on [-1/2, 1/2], to 2^-28 and 2^-64 of 2^r.
BROADLOOM_INLINE constexpr float exp2_tail(float r) {
    return polynomial(r, 0x1.ebfbdcp-3F, 0x1.c6af88p-5F, 0x1.3b2e0cp-7F, 0x1.5f0402p-10F,
                      0x1.414eaap-13F);
}
BROADLOOM_INLINE constexpr double exp2_tail(double r) {
    return polynomial(r, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0c8p-5, 0x1.3b2ab6fba4e2bp-7,
                      0x1.5d87fe78a382dp-10, 0x1.430912f883234p-13, 0x1.ffcbfc70689abp-17,
                      0x1.62c021e05508cp-20, 0x1.b524e57c59c5bp-24, 0x1.e4d0804032e35p-28,
                      0x1.e9f62b76aa914p-32, 0x1.c2a7a963d04b8p-36);
}
/// 2^r - 1; the product of r and ln2 is taken in parts, the first of them exact.
BROADLOOM_INLINE constexpr float exp2m1(float r) {
    const float head = from_bits<float>(to_bits(r) & 0xfffff000U), tail = r - head;
    const float rest = head * 0x1.0bfbe8p-15F + tail * 0x1.62e43p-1F;
    return head * 0x1.62ep-1F + (rest + exp2_tail(r) * (r * r));
}
BROADLOOM_INLINE constexpr double exp2m1(double r) {
    const double head = from_bits<double>(to_bits(r) & ~std::uint64_t{0x7ffffff}), tail = r - head;
    const double rest = head * 0x1.be8e7bcd5e4f2p-27 + tail * 0x1.62e42fefa39efp-1;
    return head * 0x1.62e42f8p-1 + (rest + exp2_tail(r) * (r * r));
}

/// e^r - 1 on [-ln2/2, ln2/2], for a result of the size of e^r.
template <vector_real T>
BROADLOOM_INLINE constexpr T exp_growth(T r) {
    return exp_tail(r) * (r * r) + r;
}

/// x = n ln2 + rest + lost; the low bits of `shifted` hold n plus `bias`.
template <vector_real T>
struct Powers {
    T rest, lost, shifted;
};
template <int bias, vector_real T>
BROADLOOM_INLINE constexpr Powers<T> split_powers(T x) {
    using E = Exponential<T>;
    constexpr T round = Format<T>::round + T{bias};
    const T t = x * E::log2e + round;
    const T n = t - round;
    const T high = x - n * E::ln2_high, low = n * E::ln2_low;
    const T r = high - low;
    return {r, (high - r) - low, t};
}

template <vector_real T>
BROADLOOM_INLINE constexpr T exp(T x) {
    using E = Exponential<T>;
    const Powers<T> p = split_powers<2 * Format<T>::bias>(clamp(x, E::low, E::high));
    return scale(exp_growth(p.rest) + T{1}, p.shifted);
}

/// The same for usual arguments, whose results are normal numbers.
template <vector_real T>
BROADLOOM_INLINE constexpr T exp(T x, Rare& rare) {
    rare.mark_above(magnitude(x), Exponential<T>::normal);
    const Powers<T> p = split_powers<Format<T>::bias>(x);
    return (exp_growth(p.rest) + T{1}) * power_of_two(p.shifted);
}

/// A result, and what rounding took from it, where it is not tiny.
template <vector_real T>
struct Rounded {
    T value, lost;
};
/// e^x for x <= 0, with a power of two in one piece.
template <vector_real T>
BROADLOOM_INLINE constexpr Rounded<T> rounded_exp_of_negative(T x) {
    using E = Exponential<T>;
    constexpr int up = std::same_as<T, float> ? 33 : 65;  // odd, to round as exp does
    constexpr T down = static_cast<T>(std::same_as<T, float> ? 0x1p-33 : 0x1p-65);
    const Powers<T> p = split_powers<Format<T>::bias + up>(E::low > x ? E::low : x);
    const T growth = exp_growth(p.rest), factor = growth + T{1}, power = power_of_two(p.shifted);
    const T value = factor * power * down, gone = growth - (factor - T{1});
    return {value, keep_where(above(value, T(0x1p-60)), gone) * power * down};
}
/// The bits of exp for x <= 0.
template <vector_real T>
BROADLOOM_INLINE constexpr T exp_of_negative(T x) {
    return rounded_exp_of_negative(x).value;
}

template <vector_real T>
BROADLOOM_INLINE constexpr T exp2(T x) {
    constexpr T round = Format<T>::round + T{2 * Format<T>::bias};
    x = clamp(x, Exponential<T>::low2, Exponential<T>::high2);
    const T t = x + round;
    return scale(exp2m1(x - (t - round)) + T{1}, t);
}

template <vector_real T>
BROADLOOM_INLINE constexpr T exp2(T x, Rare& rare) {
    constexpr T round = Format<T>::round + T{Format<T>::bias};
    rare.mark_above(magnitude(x), Exponential<T>::normal);
    const T t = x + round;
    return (exp2m1(x - (t - round)) + T{1}) * power_of_two(t);
}

/// e^y = factor (1 + growth) in double for functions of float: to 2^-31 of growth.
struct Growth {
    double growth, factor;
};
BROADLOOM_INLINE constexpr Growth grow(double y) {
    constexpr double round = Format<double>::round + Format<double>::bias;
    const double t = y * 0x1.71547652b82fep0 + round;
    const double r = y - (t - round) * 0x1.62e42fefa39efp-1;
    const double tail =
        polynomial(r, 0x1.0000002d9aa9fp-1, 0x1.555555a66bfcbp-3, 0x1.55549ee46fc50p-5,
                   0x1.11101d916cb73p-7, 0x1.6d835e6e81d9fp-10, 0x1.a2a34235e2d3fp-13);
    return {tail * (r * r) + r, power_of_two(t)};
}

/// (e^y - 1) / 2^down, which keeps the power of two in range.
template <int down, vector_real T>
BROADLOOM_INLINE constexpr T scaled_expm1(T y) {
    const Powers<T> p = split_powers<Format<T>::bias - down>(y);
    const T s = power_of_two(p.shifted);
    constexpr T one = T{1} / (1 << down);
    const T whole = s - one, part = s * p.rest;
    const T sum = whole + part, rest = (whole - sum) + part, gone = (s - whole) - one;
    return sum + ((rest + gone) + s * (expm1_tail(p.rest) * (p.rest * p.rest) + p.lost));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T expm1(T x) {
    constexpr bool single = std::same_as<T, float>;
    constexpr T low = single ? T(-20) : T(-40), high = static_cast<T>(single ? 88.8 : 709.9);
    constexpr T tiny = static_cast<T>(single ? 0x1p-25 : 0x1p-54);
    const T half = scaled_expm1<1>(clamp(x, low, high));
    return magnitude(x) < tiny ? x : half + half;
}

BROADLOOM_INLINE constexpr Parts<double> exp2(Parts<double> z, Rare& rare) {
    rare.mark_above(magnitude(z.re), 1000.0);
    const double y = z.im * 0x1.62e42fefa39efp-1, size = exp2(z.re);
    const Angle<double> angle = reduce_usual(y, rare);
    return {size * sine(angle, 1, 0), size * sine(angle, 0, sign_of(y))};
}
/// In place of 1 - cos y, twice the square of the sine of y / 2.
BROADLOOM_INLINE constexpr Parts<double> expm1(Parts<double> z, Rare& rare) {
    rare.mark_above(magnitude(z.re), 700.0);
    const Angle<double> angle = reduce_usual(z.im, rare), middle = reduce_usual(0.5 * z.im, rare);
    const double half = sine(middle, 0, 0);
    return {expm1(z.re) * sine(angle, 1, 0) - 2.0 * half * half,
            exp(z.re) * sine(angle, 0, sign_of(z.im))};
}

/// What the standard library lacks.
template <class T>
std::complex<T> exp2(const std::complex<T>& x) {
    constexpr T ln2 = static_cast<T>(0.69314718055994530941723212145817657L);
    return std::exp(x * ln2);
}
template <class T>
std::complex<T> expm1(const std::complex<T>& x) {
    const T half = std::sin(x.imag() / 2);
    return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half,
            std::exp(x.real()) * std::sin(x.imag())};
}

}  // namespace math

/// e to the power x.
struct exp {
    BROADLOOM_ELEMENTARY_MEMBERS(exp)
    BROADLOOM_USUAL_MEMBERS(exp)

    template <vector_real T>
    BROADLOOM_INLINE std::complex<T> usual(const std::complex<T>& x, math::Rare& rare) const {
        const auto [re, im] = parts(x);
        rare.mark_above(math::magnitude(re), math::Exponential<T>::normal);
        const math::Angle<T> angle = math::reduce_usual(im, rare);
        const T size = math::exp(re);
        return join(size * math::sine(angle, 1, 0), size * math::sine(angle, 0, math::sign_of(im)));
    }
};
/// e to the power of a real x <= 0, or NaN: the bits of exp in fewer steps.
struct exp_of_negative {
    static constexpr int steps = math::many_steps;

    template <class T>
    BROADLOOM_INLINE constexpr T operator()(T x) const {
        if constexpr (vector_real<T>) {
            return math::exp_of_negative(x);
        } else {
            using std::exp;
            return exp(x);
        }
    }
};
/// 2 to the power x.
struct exp2 {
    BROADLOOM_ELEMENTARY_MEMBERS(exp2)
    BROADLOOM_USUAL_MEMBERS(exp2)
    BROADLOOM_COMPLEX_MEMBERS(exp2)
};
/// e to the power x, minus 1, exact to the last place near 0 too.
struct expm1 {
    BROADLOOM_ELEMENTARY_MEMBERS(expm1)
    BROADLOOM_COMPLEX_MEMBERS(expm1)
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_EXPONENTIAL_HPP
