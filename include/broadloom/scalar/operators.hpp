// Arithmetic on elements, total and without undefined behaviour: integers wrap, a division by
// zero gives 0, INT_MIN / -1 gives INT_MIN, over-wide shifts give 0 or the sign. Operands of
// different types meet in promote_t first.
#ifndef BROADLOOM_SCALAR_OPERATORS_HPP
#define BROADLOOM_SCALAR_OPERATORS_HPP

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// True for the types that wrap: computed in an unsigned type that does not promote to int.
template <class T>
concept wrapping = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// The unsigned type in which T's arithmetic wraps.
template <wrapping T>
using wrap_t = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

/// Two types that meet in one, as all arithmetic ones do.
template <class A, class B>
concept promotable = requires { typename std::common_type<promote_t<A, B>>::type; };

/// A function of two operands that meet in their promoted type R and are then combined by the
/// static member `Self::on(R, R)`; if its results are real, integers meet in double. Types of the
/// user that meet in none are combined by `Self::on(A, B)`, an operator of theirs.
template <class Self, bool real = false>
struct Promoting {
    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        if constexpr (promotable<A, B>) {
            using P = promote_t<A, B>;
            using R = std::conditional_t<real && std::is_integral_v<P>, double, P>;
            return Self::on(convert<R>(a), convert<R>(b));
        } else {
            return Self::on(a, b);
        }
    }
};
template <class Self>
using PromotingReals = Promoting<Self, true>;

struct add : Promoting<add> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a | b;
        else if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) + wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(x.re + y.re, x.im + y.im);
        } else return a + b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a + b;
    }
};

struct subtract : Promoting<subtract> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        static_assert(!std::is_same_v<T, bool>,
                      "bool has no difference: use ^ (exclusive or), or cast<int>() first");
        if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) - wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(x.re - y.re, x.im - y.im);
        } else return a - b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a - b;
    }
};

/// a - b as a part of a complex number. Sums and differences side by side GCC contracts where
/// there is FMA, whatever it is told; of two sums it does not.
template <class R>
BROADLOOM_INLINE constexpr R difference(R a, R b) {
    if constexpr (vector_real<R>) return a + math::flip_sign(b, math::Format<R>::sign);
    else return a - b;
}

struct multiply : Promoting<multiply> {
    template <class... T>
    static constexpr bool widens = ((sizeof(T) == 1) && ...) && !(std::is_same_v<T, bool> && ...);

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) * wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(difference(x.re * y.re, x.im * y.im), x.re * y.im + x.im * y.re);
        } else return a * b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a * b;
    }
};

/// The word, negated where `negative` is all ones.
template <std::unsigned_integral W>
BROADLOOM_INLINE constexpr W negate_where(W negative, W w) {
    return (w ^ negative) - negative;
}

/// An integer to divide by in place of b, which is 1 for 0 and -1; a word of ones unless b is 0,
/// and one if b is -1. Words, since one divisor for all would be a condition outside of the loop.
template <wrapping T>
struct Divisor {
    T safe;
    wrap_t<T> defined, negates;
};
template <wrapping T>
BROADLOOM_INLINE constexpr Divisor<T> divisor(T b) {
    using W = wrap_t<T>;
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

/// Integers of eight bytes, whose usual values are smaller.
template <class T>
concept eight_bytes = wrapping<T> && sizeof(T) == 8;

/// The magnitudes of two of them divided, where they are below 2^51 and the divisor is not 0, and
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
/// A number with the whole part of a / b, for integers in a format with seven bits more than they
/// have: a half away from 0, it lies 1 / 2b from whole numbers, and the inverse of b may be taken,
/// once where all are divided by one number.
template <class T, vector_real F>
BROADLOOM_INLINE constexpr F with_whole_part(F a, F b) {
    if constexpr (std::is_unsigned_v<T>) return (a + F(0.5)) * (F{1} / b);
    else return (a + math::or_sign(F(0.5), math::sign_of(a))) * (F{1} / b);
}
/// a / b toward zero, for a b that Divisor makes safe. No processor divides integers in vectors.
template <wrapping T>
BROADLOOM_INLINE constexpr T quotient(T a, T b) {
    if constexpr (sizeof(T) <= 2) {
        return static_cast<T>(
            static_cast<int>(with_whole_part<T>(static_cast<float>(a), static_cast<float>(b))));
    } else if constexpr (std::is_signed_v<T> && sizeof(T) == 4) {
        return static_cast<T>(with_whole_part<T>(static_cast<double>(a), static_cast<double>(b)));
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<T>(divide_words(a, b).count);
    } else {
        return static_cast<T>(a / b);
    }
}

/// What a function costs that is much work for complex numbers alone.
template <class T>
inline constexpr int steps_if_complex = kind<T> == Kind::complex ? math::many_steps : 1;

/// The parts of a complex divisor by size (Smith's method, Comm. ACM 5, 1962, as NumPy divides).
template <class R>
struct BySize {
    bool real_larger;
    R large, small;

    BROADLOOM_INLINE constexpr explicit BySize(Parts<R> z)
        : real_larger((z.re < 0 ? -z.re : z.re) >= (z.im < 0 ? -z.im : z.im)),
          large(real_larger ? z.re : z.im),
          small(real_larger ? z.im : z.re) {}
};

/// The quotient, truncated for integers as in C++.
struct divide : Promoting<divide> {
    template <class A, class B>
    static constexpr int steps_for = [] {
        if constexpr (!promotable<A, B>) return math::many_steps;
        else return kind<promote_t<A, B>> == Kind::floating ? 1 : math::many_steps;
    }();

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (wrapping<T>) {
            using W = wrap_t<T>;
            const auto [safe, defined, negates] = divisor(b);
            return static_cast<T>(negate_where(negates, W(quotient(a, safe))) & defined);
        } else if constexpr (kind<T> == Kind::complex) {
            using R = broadloom::detail::real_t<T>;
            const auto x = parts(a), y = parts(b);
            const auto [real_larger, large, small] = BySize<R>(y);
            const bool zero = (y.re == 0) & (y.im == 0);
            const R ratio = zero ? R(0) : small / large;
            const R scale = zero ? R(0) : R(1) / (large + small * ratio);
            const R re =
                real_larger ? (x.re + x.im * ratio) * scale : (x.re * ratio + x.im) * scale;
            const R im = real_larger ? difference(x.im, x.re * ratio) * scale
                                     : difference(x.im * ratio, x.re) * scale;
            // 0 is one number here, whatever its signs.
            const R none = zero ? R(0) : R(1);
            return join(zero ? x.re / none : re, zero ? x.im / none : im);
        } else return a / b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a / b;
    }
    template <class A, class B>
        requires eight_bytes<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const UsualDivision d = divide_usual(convert<R>(a), convert<R>(b), rare);
        return static_cast<R>(negate_where(d.a_negative ^ d.b_negative, d.magnitudes.count));
    }
};

/// The quotient as a floating value, also of integers (then in double).
struct true_divide : PromotingReals<true_divide> {
    template <class A, class B>
    static constexpr int steps_for = steps_if_complex<promote_t<A, B>>;

    template <class T>
    BROADLOOM_INLINE static constexpr auto on(const T& a, const T& b) {
        return divide::on(a, b);
    }
};

struct negate {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        static_assert(!std::is_same_v<T, bool>, "bool has no negative: use ! (not)");
        if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(0) - wrap_t<T>(x));
        else if constexpr (kind<T> == Kind::complex) return join(-parts(x).re, -parts(x).im);
        else return -x;
    }
};

struct identity {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        return x;
    }
};

/// x * y + z, for floating types with a single rounding.
struct fma {
    template <class A, class B, class C>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b, const C& c) const {
        using R = promote_t<promote_t<A, B>, C>;
        const R x = convert<R>(a), y = convert<R>(b), z = convert<R>(c);
        if constexpr (std::is_same_v<R, float>) return __builtin_fmaf(x, y, z);
        else if constexpr (std::is_same_v<R, double>) return __builtin_fma(x, y, z);
        else if constexpr (std::is_same_v<R, long double>) return __builtin_fmal(x, y, z);
        else return add::on(multiply::on(x, y), z);
    }
};

struct bit_and : Promoting<bit_and> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        return static_cast<T>(a & b);
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a & b;
    }
};
struct bit_or : Promoting<bit_or> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        return static_cast<T>(a | b);
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a | b;
    }
};
struct bit_xor : Promoting<bit_xor> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        return static_cast<T>(a ^ b);
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a ^ b;
    }
};
struct bit_not {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        if constexpr (std::is_same_v<T, bool>) return !x;
        else return static_cast<T>(~x);
    }
};

/// Shifted left; by the width or more, or by a negative count, gives 0.
struct shift_left : Promoting<shift_left> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & !b;
        else if constexpr (wrapping<T>) {
            using U = std::make_unsigned_t<T>;
            constexpr wrap_t<T> width = 8 * sizeof(T);
            const wrap_t<T> count = static_cast<U>(b);
            const wrap_t<T> moved = wrap_t<T>(static_cast<U>(a)) << (count < width ? count : 0);
            return static_cast<T>(count < width ? moved : 0);
        } else return a << b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a << b;
    }
};

/// Shifted right; by the width or more, or by a negative count, gives 0, or -1 for a negative
/// value.
struct shift_right : Promoting<shift_right> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & !b;
        else if constexpr (wrapping<T>) {
            using U = std::make_unsigned_t<T>;
            constexpr wrap_t<T> width = 8 * sizeof(T);
            const wrap_t<T> count = static_cast<U>(b);
            if constexpr (std::is_signed_v<T>) {
                return static_cast<T>(a >> (count < width ? count : width - 1));
            } else {
                const wrap_t<T> moved = wrap_t<T>(a) >> (count < width ? count : 0);
                return static_cast<T>(count < width ? moved : 0);
            }
        } else return a >> b;
    }
    template <class A, class B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a >> b;
    }
};

/// The larger; NaN if either is.
struct maximum : Promoting<maximum> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a | b;
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            const bool nan_a = has_nan(x);
            const bool nan_b = has_nan(y);
            const bool first = (x.re > y.re) | ((x.re == y.re) & (x.im >= y.im));
            return choose(nan_a | (first & !nan_b), a, b);
        } else if constexpr (kind<T> == Kind::floating) {
            return math::or_nan(a > b ? a : b, a);
        } else return a < b ? b : a;
    }
};

/// The smaller; NaN if either is.
struct minimum : Promoting<minimum> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            const bool nan_a = has_nan(x);
            const bool nan_b = has_nan(y);
            const bool first = (x.re < y.re) | ((x.re == y.re) & (x.im <= y.im));
            return choose(nan_a | (first & !nan_b), a, b);
        } else if constexpr (kind<T> == Kind::floating) {
            return math::or_nan(a < b ? a : b, a);
        } else return b < a ? b : a;
    }
};

/// The larger, or the one that is not NaN.
struct fmax : Promoting<fmax> {
    static constexpr bool chooses = true;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (kind<T> == Kind::floating) return ((a > b) | (b != b)) ? a : b;
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            const bool nan_a = has_nan(x);
            const bool nan_b = has_nan(y);
            return choose(nan_b, a, choose(nan_a, b, maximum::on(a, b)));
        } else return maximum::on(a, b);
    }
};

/// The smaller, or the one that is not NaN.
struct fmin : Promoting<fmin> {
    static constexpr bool chooses = true;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (kind<T> == Kind::floating) return ((a < b) | (b != b)) ? a : b;
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            const bool nan_a = has_nan(x);
            const bool nan_b = has_nan(y);
            return choose(nan_b, a, choose(nan_a, b, minimum::on(a, b)));
        } else return minimum::on(a, b);
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_OPERATORS_HPP
