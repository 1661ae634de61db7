// Arithmetic on elements, total and without undefined behaviour: integers wrap, a division by
// zero gives 0, INT_MIN / -1 gives INT_MIN, over-wide shifts give 0 or the sign. Operands of
// different types meet in promote_t first.
#ifndef BROADLOOM_SCALAR_OPERATORS_HPP
#define BROADLOOM_SCALAR_OPERATORS_HPP

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"
#include "broadloom/scalar/integer.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// Two types that meet in one, as all arithmetic ones do.
template <class A, class B>
concept promotable = requires { typename std::common_type<promote_t<A, B>>::type; };
/// A type that an operator of the user's combines with A: they meet in none, or are the same.
template <class B, class A>
concept apart_from = !promotable<A, B> || !arithmetic<A>;

/// A function of two operands that meet in their promoted type R and are then combined by the
/// static member `Self::on(R, R)`; if its results are real, integers meet in double. Types of the
/// user that meet in none are combined by `Self::on(A, B)`, an operator of theirs, whose results
/// may be of any type.
template <class Self, bool real = false>
struct Promoting {
    template <class A, class B>
    BROADLOOM_INLINE constexpr auto operator()(const A& a, const B& b) const {
        if constexpr (promotable<A, B>) {
            using P = promote_t<A, B>;
            using R = std::conditional_t<real && std::is_integral_v<P>, double, P>;
            return Self::on(scalar::convert<R>(a), scalar::convert<R>(b));
        } else {
            return Self::on(a, b);
        }
    }
};
template <class Self>
using PromotingReals = Promoting<Self, true>;

struct add : Promoting<add> {
    static constexpr bool immediate = true;

    template <arithmetic T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a | b;
        else if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) + wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(x.re + y.re, x.im + y.im);
        } else return a + b;
    }
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a + b;
    }
};

struct subtract : Promoting<subtract> {
    static constexpr bool immediate = true;

    template <arithmetic T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        static_assert(!std::is_same_v<T, bool>,
                      "bool has no difference: use ^ (exclusive or), or cast<int>() first");
        if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) - wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(x.re - y.re, x.im - y.im);
        } else return a - b;
    }
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a - b;
    }
};

/// a - b as a part of a complex number. Sums and differences side by side GCC contracts where
/// there is FMA, whatever it is told; of two sums it does not, but makes three times as much code.
template <class R>
BROADLOOM_INLINE constexpr R difference(R a, R b) {
    if constexpr (vector_real<R> && BROADLOOM_FMA_EVERYWHERE) {
        return a + math::flip_sign(b, math::Format<R>::sign);
    } else {
        return a - b;
    }
}

struct multiply : Promoting<multiply> {
    static constexpr bool immediate = true;

    template <class... T>
    static constexpr bool widens = ((sizeof(T) == 1) && ...) && !(std::is_same_v<T, bool> && ...);

    template <arithmetic T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (wrapping<T>) return static_cast<T>(wrap_t<T>(a) * wrap_t<T>(b));
        else if constexpr (kind<T> == Kind::complex) {
            const auto x = parts(a), y = parts(b);
            return join(difference(x.re * y.re, x.im * y.im), x.re * y.im + x.im * y.re);
        } else return a * b;
    }
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a * b;
    }
};

/// What a function costs that is much work for complex numbers alone.
template <class T>
inline constexpr int steps_if_complex = kind<T> == Kind::complex ? math::many_steps : 1;

/// The parts of a complex divisor by size (Smith's method, Comm. ACM 5, 1962, as NumPy divides).
template <class R>
struct BySize {
    bool real_larger;
    R large, lesser;

    BROADLOOM_INLINE constexpr explicit BySize(Parts<R> z)
        : real_larger((z.re < 0 ? -z.re : z.re) >= (z.im < 0 ? -z.im : z.im)),
          large(real_larger ? z.re : z.im),
          lesser(real_larger ? z.im : z.re) {}
};

/// The quotient, truncated for integers as in C++.
struct divide : Promoting<divide> {
    template <class A, class B>
    static constexpr int steps_for = [] {
        if constexpr (!promotable<A, B>) return math::many_steps;
        else return kind<promote_t<A, B>> == Kind::floating ? 1 : math::many_steps;
    }();

    template <arithmetic T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (few_bytes<T>) return quotient(a, b);
        else if constexpr (wrapping<T>) {
            const auto [safe, defined, negates] = divisor(b);
            return static_cast<T>(negate_where(negates, wrap_t<T>(a / safe)) & defined);
        } else if constexpr (kind<T> == Kind::complex) {
            using R = broadloom::detail::real_t<T>;
            const auto x = parts(a), y = parts(b);
            const auto [real_larger, large, lesser] = BySize<R>(y);
            const bool zero = (y.re == 0) & (y.im == 0);
            const R divisor = zero ? R(1) : large;
            const R ratio = lesser / divisor, scale = R(1) / (divisor + lesser * ratio);
            const R first = real_larger ? x.re : x.im, second = real_larger ? x.im : x.re;
            const R product = first * ratio;
            const R im = real_larger ? second - product : product - second;
            // By 0, which is one number here, whatever its signs.
            constexpr R infinity = std::numeric_limits<R>::infinity();
            return join(zero ? x.re * infinity : (first + second * ratio) * scale,
                        zero ? x.im * infinity : im * scale);
        } else return a / b;
    }
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a / b;
    }
    template <class A, class B>
        requires eight_bytes<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const UsualDivision d = divide_usual(scalar::convert<R>(a), scalar::convert<R>(b), rare);
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
    static constexpr bool immediate = true;

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
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b), z = scalar::convert<R>(c);
        if constexpr (std::is_same_v<R, float>) return __builtin_fmaf(x, y, z);
        else if constexpr (std::is_same_v<R, double>) return __builtin_fma(x, y, z);
        else if constexpr (std::is_same_v<R, long double>) return __builtin_fmal(x, y, z);
        else return add::on(multiply::on(x, y), z);
    }
};

/// Refuses types of which the language has no bits.
template <class T>
consteval void require_bits() {
    static_assert(
        kind<T> != Kind::floating && kind<T> != Kind::complex,
        "only integers and bool have bits: && || ! join truths, cast<T>() makes integers");
}

#define BROADLOOM_BITWISE(NAME, OPERATOR)                                   \
    struct NAME : Promoting<NAME> {                                         \
        static constexpr bool immediate = true;                             \
                                                                            \
        template <class T>                                                  \
        BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {    \
            require_bits<T>();                                              \
            return static_cast<T>(a OPERATOR b);                            \
        }                                                                   \
        template <class A, apart_from<A> B>                                 \
        BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) { \
            return a OPERATOR b;                                            \
        }                                                                   \
    };
BROADLOOM_BITWISE(bit_and, &)
BROADLOOM_BITWISE(bit_or, |)
BROADLOOM_BITWISE(bit_xor, ^)
#undef BROADLOOM_BITWISE

struct bit_not {
    template <class T>
    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        require_bits<T>();
        if constexpr (std::is_same_v<T, bool>) return !x;
        else return static_cast<T>(~x);
    }
};

/// Shifted left; by the width or more, or by a negative count, gives 0.
struct shift_left : Promoting<shift_left> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        require_bits<T>();
        if constexpr (std::is_same_v<T, bool>) return a & !b;
        else if constexpr (wrapping<T>) {
            using U = std::make_unsigned_t<T>;
            constexpr wrap_t<T> width = 8 * sizeof(T);
            const wrap_t<T> count = static_cast<U>(b);
            const wrap_t<T> moved = wrap_t<T>(static_cast<U>(a)) << (count < width ? count : 0);
            return static_cast<T>(count < width ? moved : 0);
        } else return a << b;
    }
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a << b;
    }
};

/// Shifted right; by the width or more, or by a negative count, gives 0, or -1 for a negative
/// value.
struct shift_right : Promoting<shift_right> {
    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        require_bits<T>();
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
    template <class A, apart_from<A> B>
    BROADLOOM_INLINE static constexpr auto on(const A& a, const B& b) {
        return a >> b;
    }
};

namespace detail {

/// True when a is larger than b, or smaller; complex numbers by real, then imaginary part.
template <bool Larger, class T>
BROADLOOM_INLINE constexpr bool is_beyond(const T& a, const T& b) {
    if constexpr (kind<T> == Kind::complex) {
        const auto x = parts(a), y = parts(b);
        const bool re = detail::is_beyond<Larger>(x.re, y.re),
                   im = detail::is_beyond<Larger>(x.im, y.im);
        return re | ((x.re == y.re) & im);
    } else {
        return static_cast<bool>(Larger ? b < a : a < b);
    }
}

/// The larger or the smaller of two, as they are asked for; NaN if either is.
template <bool Larger>
struct Extreme {
    static constexpr bool associative = true;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) {
            return Larger ? a | b : a & b;
        } else if constexpr (kind<T> == Kind::complex) {
            const bool nan_a = has_nan(parts(a)), nan_b = has_nan(parts(b));
            return scalar::choose(nan_a | (!detail::is_beyond<Larger>(b, a) & !nan_b), a, b);
        } else if constexpr (kind<T> == Kind::floating) {
            return math::or_nan(detail::is_beyond<Larger>(a, b) ? a : b, a);
        } else {
            return detail::is_beyond<Larger>(b, a) ? b : a;
        }
    }
};

/// The same, or the one that is not NaN.
template <bool Larger>
struct NumberExtreme {
    static constexpr bool chooses = true;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (kind<T> == Kind::floating) {
            return (detail::is_beyond<Larger>(a, b) | (b != b)) ? a : b;
        } else if constexpr (kind<T> == Kind::complex) {
            const bool nan_a = has_nan(parts(a)), nan_b = has_nan(parts(b));
            return scalar::choose(nan_b, a, scalar::choose(nan_a, b, Extreme<Larger>::on(a, b)));
        } else {
            return Extreme<Larger>::on(a, b);
        }
    }
};

}  // namespace detail

/// The larger; NaN if either is.
struct maximum : Promoting<maximum>, detail::Extreme<true> {};
/// The smaller; NaN if either is.
struct minimum : Promoting<minimum>, detail::Extreme<false> {};
/// The larger, or the one that is not NaN.
struct fmax : Promoting<fmax>, detail::NumberExtreme<true> {};
/// The smaller, or the one that is not NaN.
struct fmin : Promoting<fmin>, detail::NumberExtreme<false> {};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_OPERATORS_HPP
