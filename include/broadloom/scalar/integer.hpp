// Integers: the types in which they wrap, and division, which no processor does in vectors and
// which is total here. Floating numbers with more digits than they have divide them exactly.
#ifndef BROADLOOM_SCALAR_INTEGER_HPP
#define BROADLOOM_SCALAR_INTEGER_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// True for the types that wrap: computed in an unsigned type that does not promote to int.
template <class T>
concept wrapping = kind<T> == Kind::integer;

/// The unsigned type in which T's arithmetic wraps.
template <wrapping T>
using wrap_t = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

/// The word, negated where `negative` is all ones.
template <std::unsigned_integral W>
BROADLOOM_INLINE constexpr W negate_where(W negative, W w) {
    return static_cast<W>((w ^ negative) - negative);
}

/// Integers of up to four bytes, which a format of real numbers holds with seven bits to spare.
template <class T>
concept few_bytes = wrapping<T> && sizeof(T) <= 4;
/// Integers of eight bytes, whose usual values are smaller.
template <class T>
concept eight_bytes = wrapping<T> && sizeof(T) == 8;

template <few_bytes T>
using quotient_format = std::conditional_t<sizeof(T) <= 2, float, double>;

template <few_bytes T>
BROADLOOM_INLINE constexpr quotient_format<T> to_quotient_format(T x) {
    if constexpr (std::is_same_v<T, std::uint32_t>) return math::small_word_to_real<double>(x);
    else return static_cast<quotient_format<T>>(x);
}

/// a / b toward minus infinity for integers in such a format and b > 0, as the last bits of a word,
/// and 0 for b = 0. Since (a + 1/2) / b - 1/2 lies 1 / 2b from halves between whole numbers, the
/// inverse of b may be taken, once where all are divided by one number; and where numbers have no
/// fractions any more the one next to it ends in the quotient, and infinity in zeros.
template <vector_real F>
BROADLOOM_INLINE constexpr math::word<F> floor_bits(F a, F b) {
    return math::to_bits((a + F(0.5)) * (F(1) / b) - F(0.5) + math::Format<F>::round);
}

/// a / b toward minus infinity, and 0 by 0.
template <few_bytes T>
BROADLOOM_INLINE constexpr T floor_quotient(T a, T b) {
    if (std::is_constant_evaluated() && b == 0) return 0;
    const auto x = to_quotient_format(a), y = to_quotient_format(b);
    if constexpr (std::is_unsigned_v<T>) {
        return static_cast<T>(floor_bits(x, y));
    } else {
        const auto sign = math::sign_of(y);
        return static_cast<T>(floor_bits(math::flip_sign(x, sign), math::flip_sign(y, sign)));
    }
}
/// a / b toward zero, and 0 by 0.
template <few_bytes T>
BROADLOOM_INLINE constexpr T quotient(T a, T b) {
    if constexpr (std::is_unsigned_v<T>) {
        return floor_quotient(a, b);
    } else {
        if (std::is_constant_evaluated() && b == 0) return 0;
        const auto word = floor_bits(math::magnitude(to_quotient_format(a)),
                                     math::magnitude(to_quotient_format(b)));
        const wrap_t<T> negative = wrap_t<T>{0} - wrap_t<T>{(a ^ b) < 0};
        return static_cast<T>(negate_where(negative, static_cast<wrap_t<T>>(word)));
    }
}
/// a - count b, and 0 for b = 0.
template <few_bytes T>
BROADLOOM_INLINE constexpr T rest(T a, T b, T count) {
    using W = wrap_t<T>;
    return static_cast<T>(b != 0 ? W(a) - W(count) * W(b) : W{0});
}

/// An integer to divide by in place of b, which is 1 for 0 and -1; a word of ones unless b is 0,
/// and one if b is -1. Words, since one divisor for all would be a condition outside of the loop.
template <eight_bytes T>
struct Divisor {
    T safe;
    std::uint64_t defined, negates;
};
template <eight_bytes T>
BROADLOOM_INLINE constexpr Divisor<T> divisor(T b) {
    using W = std::uint64_t;
    const W defined = W{0} - W{b != 0};
    const W negates = W{0} - W{std::is_signed_v<T> && b == static_cast<T>(-1)};
    const W plain = defined & ~negates;
    return {static_cast<T>((W(b) & plain) | (~plain & W{1})), defined, negates};
}

/// a = count b + rest with 0 <= rest < b, for words below 2^51 and b > 0. The inverse, which is
/// taken once where all are divided by one number, is exact for powers of two; for others n is less
/// than 1 off. All other steps are exact.
struct WordDivision {
    std::uint64_t count, rest;
};
BROADLOOM_INLINE constexpr WordDivision divide_words(std::uint64_t a, std::uint64_t b) {
    constexpr double integral = math::Format<double>::integral;
    const double dividend = math::small_word_to_real<double>(a);
    const double divisor = math::small_word_to_real<double>(b);
    const double n = (dividend * (1.0 / divisor) + integral) - integral;
    const std::uint64_t rest = a - math::real_to_small_word(n * divisor);
    const std::uint64_t below = std::uint64_t{0} - (rest >> 63);
    return {math::real_to_small_word(n) + below, rest + (below & b)};
}

/// The magnitudes of two integers divided, where they are below 2^51 and the divisor is not 0, and
/// words of ones where they were negative.
struct UsualDivision {
    WordDivision magnitudes;
    std::uint64_t a_negative, b_negative, divisor;
};
template <eight_bytes T>
BROADLOOM_INLINE constexpr UsualDivision divide_usual(T a, T b, math::Rare& rare) {
    const auto sign = [](T x) {
        return std::uint64_t{0} - std::uint64_t{std::is_signed_v<T> && x < 0};
    };
    const std::uint64_t a_negative = sign(a), b_negative = sign(b);
    const std::uint64_t dividend = negate_where(a_negative, static_cast<std::uint64_t>(a));
    const std::uint64_t divisor = negate_where(b_negative, static_cast<std::uint64_t>(b));
    rare.mark_beyond(dividend, std::uint64_t{1} << 50);
    rare.mark_beyond(divisor - 1, std::uint64_t{1} << 50);
    return {divide_words(dividend, divisor), a_negative, b_negative, divisor};
}

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_INTEGER_HPP
