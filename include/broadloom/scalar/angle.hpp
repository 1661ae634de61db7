// An angle modulo a quarter turn: x = n pi/2 + r with |r| <= pi/4, for x of any size; its sine,
// cosine and tangent.
//
// Small arguments, which are the usual ones, lose three parts of pi/2 (Cody and Waite); large ones
// are multiplied by the digits of 2/pi that matter to them (Payne and Hanek, SIGNUM 1983).
#ifndef BROADLOOM_SCALAR_ANGLE_HPP
#define BROADLOOM_SCALAR_ANGLE_HPP

#include "broadloom/scalar/bits.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar::math {

/// The angle `rest` + n pi/2 with |rest| <= pi/4; the low bits of `turns` hold n.
template <vector_real T>
struct Angle {
    T rest, turns;
};

/// Up to here reduction by parts of pi/2 is exact enough: n times a part has no rounding.
template <vector_real T>
inline constexpr T small_angle = std::same_as<T, float> ? T{400} : T{65536};

/// n times each of the first two parts has no rounding; what the second difference loses is kept.
template <vector_real T>
BROADLOOM_INLINE constexpr Angle<T> reduce_by_parts(T x, T inverse, T part1, T part2, T part3) {
    const T turns = x * inverse + Format<T>::round;
    const T n = turns - Format<T>::round;
    const T a = x - n * part1, part = n * part2;
    const T b = a - part;
    const T lost = (a - b) - part;
    return {b + (lost - n * part3), turns};
}
BROADLOOM_INLINE constexpr Angle<float> reduce_small(float x) {
    return reduce_by_parts(x, 0x1.45f306p-1F, 0x1.921ep0F, 0x1.b544p-16F, 0x1.0b4612p-34F);
}
BROADLOOM_INLINE constexpr Angle<double> reduce_small(double x) {
    return reduce_by_parts(x, 0x1.45f306dc9c883p-1, 0x1.921fb5444p0, 0x1.68c234c4cp-39,
                           0x1.98a2e03707345p-77);
}

/// The angle of |x| where that is small; marks others.
template <vector_real T>
BROADLOOM_INLINE constexpr Angle<T> reduce_usual(T x, Rare& rare) {
    const T a = magnitude(x);
    rare.mark_above(a, small_angle<T>);
    return reduce_small(a);
}

/// Any float x >= 0. The product with 2/pi is the sum of three, the first two of them exact: 29
/// and 29 digits of 2/pi, from the first that can change the result modulo 4, and 53 more.
BROADLOOM_INLINE constexpr Angle<float> reduce_large(float x) {
    constexpr double fours = 0x1.8p54;  // adding it rounds to a multiple of 4
    const double w = static_cast<double>(x);
    const bool b1 = w >= 0x1p56, b2 = w >= 0x1p87, b3 = w >= 0x1p118;
    double high = b1 ? 0x1.3910548p-34 : 0x1.45f306dp-1;
    double middle = b1 ? 0x1.3f84eafp-61 : 0x1.9391054p-30;
    double low = b1 ? 0x1.47d4d377036d9p-90 : 0x1.4fe13abe8fa9ap-59;
    high = b2 ? 0x1.fc2757cp-64 : high;
    middle = b2 ? 0x1.1f534ddp-92 : middle;
    low = b2 ? 0x1.81b6c52b32788p-121 : low;
    high = b3 ? 0x1.f534ddcp-96 : high;
    middle = b3 ? 0x1.b6c528p-129 : middle;
    low = b3 ? 0x1.993c439041fe5p-152 : low;
    const double p = w * high, q = w * middle, l = w * low;
    const double a = p - ((p + fours) - fours), b = q - ((q + fours) - fours);
    const double n = ((a + (b + l)) + Format<double>::round) - Format<double>::round;
    const double r = (((a - n) + b) + l) * 0x1.921fb54442d18p0;
    return {static_cast<float>(r), static_cast<float>(n) + Format<float>::round};
}
/// The binary digits of 2/pi after a word of zeros.
inline constexpr std::uint64_t two_over_pi[21] = {
    0x0000000000000000U, 0xa2f9836e4e441529U, 0xfc2757d1f534ddc0U, 0xdb6295993c439041U,
    0xfe5163abdebbc561U, 0xb7246e3a424dd2e0U, 0x06492eea09d1921cU, 0xfe1deb1cb129a73eU,
    0xe88235f52ebb4484U, 0xe99c7026b45f7e41U, 0x3991d639835339f4U, 0x9c845f8bbdf9283bU,
    0x1ff897ffde05980fU, 0xef2f118b5a0a6d1fU, 0x6d367ecf27cb09b7U, 0x4f463f669e5fea2dU,
    0x7527bac7ebe5f17bU, 0x3d0739f78a5292eaU, 0x6bfb5fb11f8d5d08U, 0x56033046fc7b6babU,
    0xf0cfbc209af4361dU};

/// The 128-bit product of two words.
struct WidePair {
    std::uint64_t high, low;
};
constexpr WidePair multiply_wide(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xffffffffU, a1 = a >> 32, b0 = b & 0xffffffffU, b1 = b >> 32;
    const std::uint64_t low = a0 * b0, m1 = a1 * b0 + (low >> 32),
                        m2 = a0 * b1 + (m1 & 0xffffffffU);
    return {a1 * b1 + (m1 >> 32) + (m2 >> 32), (m2 << 32) | (low & 0xffffffffU)};
}

/// A finite double x >= 2^15. The mantissa, an integer, times 192 digits of 2/pi from the first
/// that can change the result modulo 4: the top two bits count quarter turns, 126 more are kept.
BROADLOOM_NOINLINE constexpr Angle<double> reduce_large(double x) {
    const std::uint64_t bits = to_bits(x);
    const std::uint64_t mantissa = (bits & Format<double>::fraction) | (std::uint64_t{1} << 52);
    const auto from = static_cast<unsigned>((bits >> 52) - 1023U - 52U + 62U);
    const unsigned word = from / 64, shift = from % 64;
    std::uint64_t digits[3] = {};
    for (unsigned i = 0; i < 3; ++i) {
        const std::uint64_t here = two_over_pi[word + i], next = two_over_pi[word + i + 1];
        digits[i] = shift == 0 ? here : (here << shift) | (next >> (64 - shift));
    }
    const WidePair p1 = multiply_wide(mantissa, digits[1]), p2 = multiply_wide(mantissa, digits[2]);
    std::uint64_t low = p1.low + p2.high;
    std::uint64_t high = mantissa * digits[0] + p1.high + (low < p1.low ? 1U : 0U);
    const std::uint64_t n = (high + (std::uint64_t{1} << 61)) >> 62;
    high = (high << 2) | (low >> 62);
    low <<= 2;
    const bool negative = (high >> 63) != 0;
    if (negative) {
        low = ~low + 1U;
        high = ~high + (low == 0 ? 1U : 0U);
    }
    const double head = static_cast<double>(high & ~std::uint64_t{2047}) * 0x1p-64;
    const double tail = static_cast<double>(high & std::uint64_t{2047}) * 0x1p-64 +
                        static_cast<double>(low) * 0x1p-128;
    const double coarse = from_bits<double>(to_bits(head) & ~std::uint64_t{0x7ffffff});
    const double r = coarse * 0x1.921fb5p0 + (coarse * 0x1.110b4611a6263p-26 +
                                              ((head - coarse) + tail) * 0x1.921fb54442d18p0);
    return {negative ? -r : r, Format<double>::round + static_cast<double>(n & 3U)};
}
/// Any x >= 0.
template <vector_real T>
BROADLOOM_INLINE constexpr Angle<T> reduce(T x) {
    if (x <= small_angle<T>) return reduce_small(x);
    if (!(x < infinity<T>)) return {nan<T>, Format<T>::round};
    return reduce_large(x);
}

/// Sine and cosine of |r| <= pi/4.
BROADLOOM_INLINE constexpr float sin_rest(float r) {
    const float z = r * r;
    return polynomial(z, -0x1.555546p-3F, 0x1.110738p-7F, -0x1.99432ep-13F) * (z * r) + r;
}
BROADLOOM_INLINE constexpr float cos_rest(float r) {
    const float z = r * r;
    return polynomial(z, 0x1.55554ap-5F, -0x1.6c0c32p-10F, 0x1.99eaf8p-16F) * (z * z) +
           (1.0F - 0.5F * z);
}
BROADLOOM_INLINE constexpr double sin_rest(double r) {
    const double z = r * r;
    return polynomial(z, -0x1.5555555555548p-3, 0x1.111111110f7c3p-7, -0x1.a01a019bfc401p-13,
                      0x1.71de356650525p-19, -0x1.ae5e5958b2736p-26, 0x1.5d8f74486ef2dp-33) *
               (z * r) +
           r;
}
BROADLOOM_INLINE constexpr double cos_rest(double r) {
    const double z = r * r, half = 0.5 * z, one = 1.0 - half;
    return one +
           (polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c14f83p-10, 0x1.a01a019c82d34p-16,
                       -0x1.27e4f7e9aacb3p-22, 0x1.1ee9d6f06f19fp-29, -0x1.8fa431e83ea2ap-37) *
                (z * z) +
            ((1.0 - one) - half));
}

/// The sine of an angle with `quarters` quarter turns added, its sign flipped by `sign`.
template <vector_real T>
BROADLOOM_INLINE constexpr T sine(Angle<T> angle, word<T> quarters, word<T> sign) {
    const word<T> n = to_bits(angle.turns) + quarters;
    const T value = select_by_bit(n, cos_rest(angle.rest), sin_rest(angle.rest));
    return flip_sign(value, sign ^ ((n << (8 * sizeof(T) - 2)) & Format<T>::sign));
}
/// The tangent of an angle, its sign flipped by `sign`.
template <vector_real T>
BROADLOOM_INLINE constexpr T tangent(Angle<T> angle, word<T> sign) {
    const word<T> n = to_bits(angle.turns);
    const T s = sin_rest(angle.rest), c = cos_rest(angle.rest);
    const T t = select_by_bit(n, c, s) / select_by_bit(n, s, c);
    return flip_sign(t, sign ^ (n << (8 * sizeof(T) - 1)));
}

}  // namespace broadloom::scalar::math

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_ANGLE_HPP
