// Division with a remainder: fmod, mod and floor_divide. Integers divided by zero give 0.
//
// Remainders of real numbers are exact. Where the quotient is not huge they are vector code:
// x - n y, with n next to x / y, has no rounding, nor has n y once it is taken in two parts
// (Dekker, Numerische Mathematik 18, 1971).
#ifndef BROADLOOM_SCALAR_REMAINDER_HPP
#define BROADLOOM_SCALAR_REMAINDER_HPP

#include "broadloom/scalar/operators.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

namespace math {

/// |x| = count |y| + rest with 0 <= rest < |y|.
template <vector_real T>
struct Division {
    T count, rest;
};

/// The same from n, the integer next to |x| / |y|, and |x| - n |y|, which may be negative.
template <vector_real T>
BROADLOOM_INLINE constexpr Division<T> not_negative(T n, T rest, T y) {
    return {rest < T{0} ? n - T{1} : n, rest < T{0} ? rest + y : rest};
}

/// For quotients up to 2^22 and divisors other than 0 and infinity; n y has 46 bits.
BROADLOOM_INLINE constexpr Division<float> divide_usual(float x, float y, Rare& rare) {
    constexpr double round = Format<double>::round;
    const float b = magnitude(y);
    const double dividend = static_cast<double>(magnitude(x)), divisor = static_cast<double>(b);
    const double quotient = dividend / divisor;
    rare.mark_above(magnitude(quotient), 0x1p22);
    rare.mark_above(b, std::numeric_limits<float>::max());
    const double n = (quotient + round) - round;
    return not_negative(static_cast<float>(n), static_cast<float>(dividend - n * divisor), b);
}

/// For quotients up to 2^50 and divisors whose products neither overflow nor vanish.
BROADLOOM_INLINE constexpr Division<double> divide_usual(double x, double y, Rare& rare) {
    constexpr double round = Format<double>::round;
    const double a = magnitude(x), b = magnitude(y), quotient = a / b;
    rare.mark_above(quotient, 0x1p50);
    rare.mark_above(b, 0x1p900);
    rare.mark_below(b, 0x1p-900);
    const double n = (quotient + round) - round, product = n * b;
    const double n_high = upper_half(n), n_low = n - n_high;
    const double b_high = upper_half(b), b_low = b - b_high;
    const double lost =
        ((n_high * b_high - product) + n_high * b_low + n_low * b_high) + n_low * b_low;
    return not_negative(n, (a - product) - lost, b);
}

}  // namespace math

namespace detail {

/// Two numbers that are divided as float or double.
template <class A, class B>
concept divides_reals = arithmetic<A> && arithmetic<B> && vector_real<promote_t<A, B>>;

}  // namespace detail

/// The remainder with the sign of the dividend, as C's fmod and the integers' %.
struct fmod : Promoting<fmod> {
    static constexpr int steps = math::many_steps;
    template <class A, class B>
    static constexpr bool has_short_usual = detail::divides_reals<A, B>;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return false;
        else if constexpr (few_bytes<T>) return rest(a, b, quotient(a, b));
        else if constexpr (wrapping<T>) return static_cast<T>(a % divisor(b).safe);
        else if constexpr (std::is_same_v<T, float>) return __builtin_fmodf(a, b);
        else if constexpr (std::is_same_v<T, double>) return __builtin_fmod(a, b);
        else if constexpr (std::is_same_v<T, long double>) return __builtin_fmodl(a, b);
        else {
            static_assert(kind<T> != Kind::complex, "complex numbers have no remainder");
            return a % b;
        }
    }
    template <class A, class B>
        requires detail::divides_reals<A, B>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const R x = scalar::convert<R>(a);
        return math::or_sign(math::divide_usual(x, scalar::convert<R>(b), rare).rest,
                             math::sign_of(x));
    }
    template <class A, class B>
        requires eight_bytes<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const UsualDivision d = divide_usual(scalar::convert<R>(a), scalar::convert<R>(b), rare);
        return static_cast<R>(negate_where(d.a_negative, d.magnitudes.rest));
    }
};

/// The remainder with the sign of the divisor, as NumPy's and Python's %.
struct mod : Promoting<mod> {
    static constexpr int steps = math::many_steps;
    template <class A, class B>
    static constexpr bool has_short_usual = detail::divides_reals<A, B>;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (few_bytes<T>) {
            return rest(a, b, floor_quotient(a, b));
        } else if constexpr (eight_bytes<T> && std::is_signed_v<T>) {
            const T rest = fmod::on(a, b);
            const bool adjust = (rest != 0) & ((rest ^ b) < 0);
            return static_cast<T>(wrap_t<T>(rest) + (adjust ? wrap_t<T>(b) : wrap_t<T>(0)));
        } else if constexpr (kind<T> == Kind::floating) {
            const T rest = fmod::on(a, b);
            // A zero takes the divisor's sign.
            if (rest == 0) return b < 0 || (b == 0 && 1 / b < 0) ? T(-0.0) : T(0);
            return (rest < 0) != (b < 0) ? rest + b : rest;
        } else {
            return fmod::on(a, b);
        }
    }
    template <class A, class B>
        requires detail::divides_reals<A, B>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        const R rest = math::divide_usual(x, y, rare).rest;
        const bool adjust = (rest > R{0}) & (math::sign_of(x) != math::sign_of(y));
        return math::or_sign(adjust ? math::magnitude(y) - rest : rest, math::sign_of(y));
    }
    template <class A, class B>
        requires eight_bytes<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const UsualDivision d = divide_usual(scalar::convert<R>(a), scalar::convert<R>(b), rare);
        const std::uint64_t rest = d.magnitudes.rest;
        const bool adjust = (rest != 0) & (d.a_negative != d.b_negative);
        return static_cast<R>(negate_where(d.b_negative, adjust ? d.divisor - rest : rest));
    }
};

/// The quotient rounded toward minus infinity.
struct floor_divide : Promoting<floor_divide> {
    static constexpr int steps = math::many_steps;
    template <class A, class B>
    static constexpr bool has_short_usual = detail::divides_reals<A, B>;

    template <class T>
    BROADLOOM_INLINE static constexpr T on(const T& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>) return a & b;
        else if constexpr (few_bytes<T>) return floor_quotient(a, b);
        else if constexpr (wrapping<T>) {
            const T quotient = divide::on(a, b);
            if constexpr (std::is_unsigned_v<T>) {
                return quotient;
            } else {
                const T rest = fmod::on(a, b);
                const bool adjust = (rest != 0) & (static_cast<T>(rest ^ b) < 0);
                return static_cast<T>(wrap_t<T>(quotient) - (adjust ? 1u : 0u));
            }
        } else if constexpr (kind<T> == Kind::floating) {
            // Python's divmod: the quotient that belongs to the remainder, made whole.
            if (b == 0) return a / b;
            const T rest = fmod::on(a, b);
            const bool below = (rest != 0) & ((rest < 0) != (b < 0));
            const T quotient = (a - rest) / b - (below ? T(1) : T(0));
            if (quotient == 0) {
                const T sign = a / b;
                return sign < 0 || (sign == 0 && 1 / sign < 0) ? T(-0.0) : T(0);
            }
            const T whole =
                std::is_same_v<T, float>
                    ? static_cast<T>(__builtin_floorf(static_cast<float>(quotient)))
                : std::is_same_v<T, double>
                    ? static_cast<T>(__builtin_floor(static_cast<double>(quotient)))
                    : static_cast<T>(__builtin_floorl(static_cast<long double>(quotient)));
            return quotient - whole > T(0.5) ? whole + T(1) : whole;
        } else {
            static_assert(kind<T> != Kind::complex, "complex numbers have no quotient to round");
            return divide::on(a, b);
        }
    }
    template <class A, class B>
        requires detail::divides_reals<A, B>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        const math::Division<R> d = math::divide_usual(x, y, rare);
        const math::word<R> sign = math::sign_of(x) ^ math::sign_of(y);
        const bool below = (d.rest > R{0}) & (sign != 0);
        return math::or_sign(d.count + (below ? R{1} : R{0}), sign);
    }
    template <class A, class B>
        requires eight_bytes<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& a, const B& b, math::Rare& rare) const {
        using R = promote_t<A, B>;
        const UsualDivision d = divide_usual(scalar::convert<R>(a), scalar::convert<R>(b), rare);
        const std::uint64_t differ = d.a_negative ^ d.b_negative;
        const std::uint64_t one = static_cast<std::uint64_t>(d.magnitudes.rest != 0);
        return static_cast<R>(negate_where(differ, d.magnitudes.count + (one & differ)));
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_REMAINDER_HPP
