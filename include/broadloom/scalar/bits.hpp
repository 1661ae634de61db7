// The binary forms of float and double, and the branch-free steps that the mathematics stands on.
//
// Everything here is always-inline, built on operators alone, and free of branches, so that a loop
// around it becomes vector code on every instruction set, and yields the same bits on each.
// Rounding is to nearest; nothing here may be compiled with relaxed floating point.
#ifndef BROADLOOM_SCALAR_BITS_HPP
#define BROADLOOM_SCALAR_BITS_HPP

#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "broadloom/kernel/compiler.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

/// The two types whose mathematics is vector code.
template <class T>
concept vector_real = std::same_as<T, float> || std::same_as<T, double>;
/// These and integers, whose functions are those of double.
template <class T>
concept vector_number = std::integral<T> || vector_real<T>;
/// Complex numbers of the two.
template <class T>
concept vector_complex =
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

namespace math {

/// The layout of a binary format: its word, its mantissa bits, its exponent bias.
template <class T>
struct Format;
template <>
struct Format<float> {
    using word = std::uint32_t;
    static constexpr int mantissa = 23, bias = 127;
    static constexpr word sign = 0x80000000U, exponent = 0x7f800000U, fraction = 0x007fffffU;
    static constexpr float integral = 0x1p23F;  // from here on every value is an integer
    static constexpr float round = 0x1.8p23F;   // adding it rounds to an integer, in the low bits
};
template <>
struct Format<double> {
    using word = std::uint64_t;
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr word sign = 0x8000000000000000U, exponent = 0x7ff0000000000000U,
                          fraction = 0x000fffffffffffffU;
    static constexpr double integral = 0x1p52;
    static constexpr double round = 0x1.8p52;
};
template <class T>
using word = typename Format<T>::word;

template <vector_real T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <vector_real T>
inline constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <vector_real T>
inline constexpr T smallest_normal = std::numeric_limits<T>::min();

template <vector_real T>
BROADLOOM_INLINE constexpr word<T> to_bits(T x) {
    return __builtin_bit_cast(word<T>, x);
}
template <vector_real T>
BROADLOOM_INLINE constexpr T from_bits(word<T> w) {
    return __builtin_bit_cast(T, w);
}

template <vector_real T>
BROADLOOM_INLINE constexpr T magnitude(T x) {
    return from_bits<T>(to_bits(x) & ~Format<T>::sign);
}
template <vector_real T>
BROADLOOM_INLINE constexpr word<T> sign_of(T x) {
    return to_bits(x) & Format<T>::sign;
}
/// `x`, which must be positive or of the right sign already, with the sign bit `s` set if it is.
template <vector_real T>
BROADLOOM_INLINE constexpr T or_sign(T x, word<T> s) {
    return from_bits<T>(to_bits(x) | s);
}
template <vector_real T>
BROADLOOM_INLINE constexpr T flip_sign(T x, word<T> s) {
    return from_bits<T>(to_bits(x) ^ s);
}

/// Tells whether a block of elements has one beyond the usual form of a function: that of the
/// arguments which occur, computed alike but without the branches for the others.
class Rare {
public:
    /// For a >= 0: marks those above a limit, and NaN.
    template <vector_real T>
    BROADLOOM_INLINE constexpr void mark_above(T a, T limit) {
        // Words order as the numbers do; a difference below 0 has its first bit set.
        mark(to_bits(limit) - to_bits(a));
    }
    /// For a >= 0: marks those below a limit.
    template <vector_real T>
    BROADLOOM_INLINE constexpr void mark_below(T a, T limit) {
        mark(to_bits(a) - to_bits(limit));
    }
    /// Marks words above a limit that is less than 2^63.
    BROADLOOM_INLINE constexpr void mark_beyond(std::uint64_t w, std::uint64_t limit) {
        mark(w | (limit - w));
    }
    BROADLOOM_INLINE constexpr void mark_if(bool rare) {
        mark(static_cast<std::uint32_t>(rare) << 31);
    }
    BROADLOOM_INLINE constexpr bool any() const {
        return (floats_ >> 31) != 0 || (doubles_ >> 63) != 0;
    }

private:
    BROADLOOM_INLINE constexpr void mark(std::uint32_t difference) { floats_ |= difference; }
    BROADLOOM_INLINE constexpr void mark(std::uint64_t difference) { doubles_ |= difference; }

    std::uint32_t floats_ = 0;
    std::uint64_t doubles_ = 0;
};

/// The upper half of the bits of |x| < 2^996.
BROADLOOM_INLINE constexpr double upper_half(double x) {
    const double lifted = x * 0x1.0000002p27;
    return lifted - (lifted - x);
}
/// The square of x, and what rounding took from it, where neither overflows nor vanishes.
struct RoundedSquare {
    double value, lost;
};
BROADLOOM_INLINE constexpr RoundedSquare rounded_square(double x) {
    const double high = upper_half(x), low = x - high, square = x * x;
    return {square, ((high * high - square) + 2.0 * high * low) + low * low};
}

/// What a function costs beside an addition, roughly.
inline constexpr int many_steps = 16;

/// `a` where the lowest bit of `choice` is set, else `b`.
template <vector_real T>
BROADLOOM_INLINE constexpr T select_by_bit(word<T> choice, T a, T b) {
    const word<T> mask = word<T>{0} - (choice & word<T>{1});
    return from_bits<T>((to_bits(a) & mask) | (to_bits(b) & ~mask));
}

/// `x`, but `a` where that is NaN: the last step of a selection between a and another. It is taken
/// by bits, since GCC leads one selection through the conditions of another, and makes several
/// instructions of each in a chain of them.
template <class T>
BROADLOOM_INLINE constexpr T or_nan(T x, T a) {
    if constexpr (vector_real<T>) {
        const word<T> difference = to_bits(x) ^ to_bits(a);
        return from_bits<T>(to_bits(x) ^ (a != a ? difference : word<T>{0}));
    } else {
        return a != a ? a : x;
    }
}

/// Ones where a > limit, for a >= 0 or NaN: words order as the numbers do. A mask does away with
/// numbers before anything is computed from them; of a selection GCC would compute both sides.
template <vector_real T>
BROADLOOM_INLINE constexpr word<T> above(T a, T limit) {
    return word<T>{0} - ((to_bits(limit) - to_bits(a)) >> (8 * sizeof(T) - 1));
}
/// `x` where the mask has ones, else 0.
template <vector_real T>
BROADLOOM_INLINE constexpr T keep_where(word<T> mask, T x) {
    return from_bits<T>(to_bits(x) & mask);
}

/// Whether 0 < x < infinity, by one comparison of words. Two that are joined GCC leads through the
/// selections that x came from, and then makes no vectors of them.
template <vector_real T>
BROADLOOM_INLINE constexpr bool is_positive_finite(T x) {
    using Signed = std::make_signed_t<word<T>>;
    constexpr word<T> turn = Format<T>::sign - 1;  // the least positive word becomes the lowest
    return static_cast<Signed>(to_bits(x) + turn) < static_cast<Signed>(Format<T>::exponent + turn);
}

/// The number itself, but compilers do not know which: GCC leads a limit that it knows through all
/// that follows a selection, and makes six instructions of two.
inline std::uint64_t unknown_zero = 0;
template <vector_real T>
BROADLOOM_INLINE constexpr T unknown(T x) {
    if (std::is_constant_evaluated()) return x;
    return from_bits<T>(to_bits(x) | static_cast<word<T>>(unknown_zero));
}
/// `x`, but at most `high`; a NaN passes through.
template <vector_real T>
BROADLOOM_INLINE constexpr T at_most(T x, T high) {
    return high < x ? high : x;
}
/// `x` held within [low, high]; a NaN passes through.
template <vector_real T>
BROADLOOM_INLINE constexpr T clamp(T x, T low, T high) {
    x = at_most(x, high);
    return low > x ? low : x;
}

/// c0 + c1 x + c2 x^2 + ..., from the highest power down.
template <class T, std::size_t N, std::size_t... At>
BROADLOOM_INLINE constexpr T in_turn(T x, const T (&c)[N], std::index_sequence<At...>) {
    T sum = c[N - 1];
    ((sum = sum * x + c[N - 2 - At]), ...);
    return sum;
}
/// The same by pairs, as long as there are many (Estrin's scheme): steps wait for one another no
/// longer than they must.
template <class T, std::size_t N, std::size_t... At>
BROADLOOM_INLINE constexpr T by_pairs(T x, const T (&c)[N], std::index_sequence<At...>) {
    if constexpr (N <= 3) {
        return in_turn(x, c, std::make_index_sequence<N - 1>());
    } else {
        constexpr std::size_t odd = N % 2;  // the last has no partner
        const T pairs[N / 2 + odd] = {
            (At < N / 2 ? c[(2 * At + 1) % N] * x + c[2 * At] : c[2 * At])...};
        return by_pairs(x * x, pairs, std::make_index_sequence<(N / 2 + odd + 1) / 2>());
    }
}
/// The last step, which counts most, by itself.
template <class T, class... C>
BROADLOOM_INLINE constexpr T polynomial(T x, T c0, C... c) {
    const T list[] = {c...};
    return by_pairs(x, list, std::make_index_sequence<(sizeof...(C) + 1) / 2>()) * x + c0;
}

/// 2^k, where `shifted` is a float whose low bits hold k plus the exponent bias.
template <vector_real T>
BROADLOOM_INLINE constexpr T power_of_two(T shifted) {
    return from_bits<T>(to_bits(shifted) << Format<T>::mantissa);
}
/// `x` times 2^k with one rounding, where the low bits of `shifted` hold k plus twice the bias:
/// two factors, so that the result may be denormal or infinite.
template <vector_real T>
BROADLOOM_INLINE constexpr T scale(T x, T shifted) {
    const word<T> w = to_bits(shifted);
    const word<T> half = (w << (Format<T>::mantissa - 1)) & Format<T>::exponent;
    const word<T> rest = (w << Format<T>::mantissa) - half;
    return x * from_bits<T>(half) * from_bits<T>(rest);
}

/// x rounded to an integer, halves to even; -0, infinities and NaN stay.
template <vector_real T>
BROADLOOM_INLINE constexpr T nearest(T x) {
    const T a = magnitude(x);
    const T r = (a + Format<T>::integral) - Format<T>::integral;
    return or_sign(a < Format<T>::integral ? r : a, sign_of(x));
}

/// A non-negative word below 2^mantissa as a number.
template <vector_real T>
BROADLOOM_INLINE constexpr T small_word_to_real(word<T> w) {
    return from_bits<T>(w | to_bits(Format<T>::integral)) - Format<T>::integral;
}
/// A number below 2^mantissa, not negative, without its fraction.
template <vector_real T>
BROADLOOM_INLINE constexpr T without_fraction(T x) {
    const T r = (x + Format<T>::integral) - Format<T>::integral;
    return r > x ? r - T{1} : r;
}
/// A whole number below 2^mantissa, not negative, as a word.
template <vector_real T>
BROADLOOM_INLINE constexpr word<T> real_to_small_word(T x) {
    return to_bits(x + Format<T>::integral) - to_bits(Format<T>::integral);
}

/// An integer as a double, a real number as it is. Of a selection between two GCC would compute
/// what follows for either, one by one.
template <vector_number T>
BROADLOOM_INLINE constexpr auto to_real(T x) {
    if constexpr (vector_real<T>) {
        return x;
    } else if constexpr (std::same_as<T, bool>) {
        return from_bits<double>((std::uint64_t{0} - std::uint64_t{x}) & to_bits(1.0));
    } else {
        return static_cast<double>(x);
    }
}

/// `f`, a function of the standard library, of x: complex numbers of float by way of double, which
/// is both quicker and closer.
template <class T, class F>
auto standard(const T& x, F f) {
    if constexpr (std::same_as<T, std::complex<float>>) return T(f(std::complex<double>(x)));
    else return f(x);
}
/// `f.usual(x)` where f has it for complex numbers and x is no rare one, else `f.any(x)`.
template <class T, class F>
BROADLOOM_INLINE auto usual_or_any(const F& f, const T& x) {
    if constexpr (vector_complex<T> && requires(Rare& rare) { f.usual(x, rare); }) {
        Rare rare;
        const T usual = f.usual(x, rare);
        return rare.any() ? f.any(x) : usual;
    } else {
        return f.any(x);
    }
}

}  // namespace math
}  // namespace broadloom::scalar

/// The members of the function object of a function of one number: math::NAME for float and double,
/// that for double for integers, that of the standard library (or math::NAME) for all other types.
#define BROADLOOM_ELEMENTARY_MEMBERS(NAME)                                   \
    static constexpr int steps = math::many_steps;                           \
    template <class T>                                                       \
    BROADLOOM_INLINE constexpr auto operator()(T x) const {                  \
        if constexpr (vector_number<T>) return math::NAME(math::to_real(x)); \
        else return math::usual_or_any(*this, x);                            \
    }                                                                        \
    template <class T>                                                       \
    static auto any(const T& x) {                                            \
        return math::standard(x, [](const auto& z) {                         \
            using math::NAME;                                                \
            using std::NAME;                                                 \
            return NAME(z);                                                  \
        });                                                                  \
    }
/// Beside these, of a function that is a little quicker for usual numbers: math::NAME(x, rare).
#define BROADLOOM_USUAL_MEMBERS(NAME)                                    \
    template <class T>                                                   \
    static constexpr bool bears_rare = vector_number<T>;                 \
    template <vector_number T>                                           \
    BROADLOOM_INLINE constexpr auto usual(T x, math::Rare& rare) const { \
        return math::NAME(math::to_real(x), rare);                       \
    }
/// The same of one for usual complex numbers, those of float by way of double.
#define BROADLOOM_COMPLEX_MEMBERS(NAME)                                                       \
    template <vector_real T>                                                                  \
    BROADLOOM_INLINE constexpr auto usual(const std::complex<T>& x, math::Rare& rare) const { \
        const auto [re, im] = parts(x);                                                       \
        const Parts<double> y = math::NAME(Parts<double>{re, im}, rare);                      \
        return join(static_cast<T>(y.re), static_cast<T>(y.im));                              \
    }
#define BROADLOOM_ELEMENTARY(NAME)         \
    struct NAME {                          \
        BROADLOOM_ELEMENTARY_MEMBERS(NAME) \
    };

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_BITS_HPP
