// Powers.
//
// Real types of one word are vector code. Zeros, infinities, NaN and negative bases are those of
// C's Annex F.
#ifndef BROADLOOM_SCALAR_POWER_HPP
#define BROADLOOM_SCALAR_POWER_HPP

#include <cmath>
#include <complex>
#include <limits>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/root.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// The special cases of x^y; `value` is |x|^y. They are chosen by bits: one exponent or one base
/// for all would be a condition outside of the loop, which GCC then does not vectorise.
template <vector_real T>
BROADLOOM_INLINE constexpr T pow_edges(T x, T y, T value) {
    const T half = T(0.5) * y;
    const word<T> whole = nearest(y) == y, odd = whole & word<T>{nearest(half) != half};
    const word<T> one = word<T>{y == T{0}} | word<T>{magnitude(x) == T{1}};
    const word<T> negative = word<T>{x < T{0}} & word<T>{x > -infinity<T>};
    const T power = select_by_bit(one, T{1}, value);
    const T with_sign = or_sign(power, sign_of(x) & (word<T>{0} - odd));
    return select_by_bit(whole | ~negative, with_sign, nan<T>);
}

/// log2(a) for a > 0, whose double is no denormal number, to 2^-37.
BROADLOOM_INLINE constexpr double log2_in_double(double a) {
    const Split<double> p = split<false>(a);
    const double s = p.fraction / (2.0 + p.fraction);
    return p.exponent + s * polynomial(s * s, 0x1.71547652bee00p+1, 0x1.ec709d12bca5cp-1,
                                       0x1.27777ff7a8e45p-1, 0x1.a58d813f729bbp-2,
                                       0x1.5ce8e7366cdf2p-2);
}
/// 2^z where that is a normal double, to 2^-31.
BROADLOOM_INLINE constexpr float exp2_in_double(double z) {
    const double t = z + (Format<double>::round + Format<double>::bias);
    const double r = z - (t - (Format<double>::round + Format<double>::bias));
    const double q =
        r * polynomial(r, 0x1.62e4300baeebep-1, 0x1.ebfbe045a012bp-3, 0x1.c6b05506137ecp-5,
                       0x1.3b2a1bb61b08cp-7, 0x1.5dc05d03a64f3p-10, 0x1.443fd59296dc7p-13,
                       0x1.c048093e92964p-17);
    const double scale = power_of_two(t);
    return static_cast<float>(scale * q + scale);
}
/// 2^(y log2|x|) in double.
BROADLOOM_INLINE constexpr float pow(float x, float y) {
    const double a = static_cast<double>(magnitude(x));
    double log = log2_in_double(a);
    log = a < infinity<double> ? log : a;
    log = a == 0.0 ? -infinity<double> : log;
    return pow_edges(x, y, exp2_in_double(clamp(static_cast<double>(y) * log, -160.0, 130.0)));
}
/// The same for usual bases and products of y and log2(x); marks others.
BROADLOOM_INLINE constexpr float usual_pow(float x, float y, Rare& rare) {
    mark_not_normal(x, rare);
    const double z = static_cast<double>(y) * log2_in_double(static_cast<double>(x));
    rare.mark_above(magnitude(z), 1000.0);
    return exp2_in_double(z);
}

/// `x` without its lower 32 bits, so that products of two such numbers are exact.
BROADLOOM_INLINE constexpr double short_part(double x) {
    return from_bits<double>(to_bits(x) & 0xffffffff00000000U);
}
/// log2(x) as a sum of two, the first short, to about 2^-65; x > 0. With s = f / (2 + f) it is
/// 2 / (3 ln2) s (3 + s^2 + s^4 (...)), each product in two parts, as in fdlibm's pow.
struct LogPair {
    double high, low;
};
template <bool denormals = true>
BROADLOOM_INLINE constexpr LogPair log2_pair(double x) {
    const Split<double> split_x = split<denormals>(x);
    const double f = split_x.fraction, k = split_x.exponent;
    const double inverse = 1.0 / (2.0 + f), s = f * inverse;
    const double s_high = short_part(s);
    const double sum_high = short_part(2.0 + f), sum_low = f - (sum_high - 2.0);
    const double s_low = inverse * ((f - s_high * sum_high) - s_high * sum_low);
    const double z = s * s, z_high = s_high * s_high;
    const double series =
        (z * z) * polynomial(z, 0x1.3333333333464p-1, 0x1.b6db6db683ad8p-2, 0x1.555555a21a9fep-2,
                             0x1.1745af6598fb6p-2, 0x1.d8ae63e7c2d66p-3, 0x1.973fb1ed0a914p-3,
                             0x1.9565add7fbe5bp-3) +
        s_low * (s_high + s);
    const double t_high = short_part(3.0 + z_high + series);
    const double t_low = series - ((t_high - 3.0) - z_high);
    const double u = s_high * t_high, v = s_low * t_high + t_low * s;
    const double p_high = short_part(u + v), p_low = v - (p_high - u);
    const double high = p_high * 0x1.ec709p-1;
    const double low = p_high * 0x1.b87407fae93f8p-22 + p_low * 0x1.ec709dc3a03fdp-1;
    const double log_high = short_part((high + low) + k);
    return {log_high, low - ((log_high - k) - high)};
}
/// y log2(x) as a sum of two.
BROADLOOM_INLINE constexpr LogPair scale_log(double y, LogPair log) {
    const double y_high = short_part(y);
    return {y_high * log.high, (y - y_high) * log.high + y * log.low};
}
/// 2^(p.high + p.low) = value 2^n; the low bits of `shifted` hold n plus twice the bias.
struct PowerOfPair {
    double value, shifted;
};
BROADLOOM_INLINE constexpr PowerOfPair exp2_of_pair(LogPair p) {
    constexpr double round = Format<double>::round + 2 * Format<double>::bias;
    const double t = (p.high + p.low) + round;
    const double rest = p.high - (t - round);
    const double r_high = short_part(rest + p.low), r_low = p.low - (r_high - rest);
    const double u = r_high * 0x1.62e42p-1;
    const double v = r_low * 0x1.62e42fefa39efp-1 + r_high * 0x1.fdf473de6af28p-22;
    const double z = u + v, lost = v - (z - u);
    return {1.0 + (z + (exp_tail(z) * (z * z) + (lost + z * lost))), t};
}
BROADLOOM_INLINE constexpr double pow(double x, double y) {
    const double a = magnitude(x);
    LogPair log = log2_pair(a);
    log.high = a < infinity<double> ? log.high : a;
    log.high = a == 0.0 ? -infinity<double> : log.high;
    const double rough = y * log.high;
    const bool in_range = magnitude(rough) < 1100.0;
    const double edge = rough > 0.0 ? 1100.0 : -1100.0;
    const LogPair product = scale_log(y, log);
    const PowerOfPair p =
        exp2_of_pair({in_range ? product.high : edge, in_range ? product.low : 0.0});
    return pow_edges(x, y, rough == rough ? scale(p.value, p.shifted) : rough);
}
BROADLOOM_INLINE constexpr double usual_pow(double x, double y, Rare& rare) {
    mark_not_normal(x, rare);
    const LogPair log = log2_pair<false>(x);
    rare.mark_above(magnitude(y * log.high), 1000.0);
    const PowerOfPair p = exp2_of_pair(scale_log(y, log));
    constexpr double once = Format<double>::bias;
    return p.value * power_of_two(p.shifted - once);
}

/// x to the power 1/2, -1/2, 1, -1 or -2, each step rounded correctly.
template <vector_real T>
BROADLOOM_INLINE T root_or_inverse(T x, T exponent) {
    const T size = magnitude(exponent);
    const word<T> root{size == T(0.5)}, inverse{exponent < T{0}}, square{size == T{2}};
    // No power is that of -0 or of -infinity.
    const T base = select_by_bit(word<T>{x == -infinity<T>}, infinity<T>, x + T{0});
    const T power = select_by_bit(root, sqrt_of(base), x);
    const T value = select_by_bit(inverse, T{1} / power, power);
    return select_by_bit(square, value * value, value);
}

/// x^n as products: up to n = 3 in the type of x, so that the bits are those of `pow_to`; beyond,
/// floats by way of double.
template <class T>
BROADLOOM_UNCONTRACTED std::complex<T> whole_power(const std::complex<T>& x, int n) {
    if (n > 0 && n <= 3) {
        std::complex<T> power = x;
        for (int i = 1; i < n; ++i) power = multiply::on(power, x);
        return power;
    }
    if constexpr (std::same_as<T, float>) {
        return std::complex<T>(whole_power(std::complex<double>(x), n));
    } else {
        std::complex<T> power = 1, factor = x;
        for (int rest = n < 0 ? -n : n; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) power = multiply::on(power, factor);
            factor = multiply::on(factor, factor);
        }
        return n < 0 ? divide::on(std::complex<T>(1), power) : power;
    }
}
/// Anything to the power 0 is 1; 0 to a power with a positive real part is 0, to any other NaN.
/// Small whole powers are products. All this is as in NumPy.
template <class T>
std::complex<T> complex_power(const std::complex<T>& x, const std::complex<T>& y) {
    if (y == T(0)) return T(1);
    if (x == T(0)) {
        constexpr T none = std::numeric_limits<T>::quiet_NaN();
        return y.real() > 0 ? std::complex<T>() : std::complex<T>(none, none);
    }
    if (y.imag() == 0 && y.real() > -100 && y.real() < 100) {
        const int n = static_cast<int>(y.real());
        if (static_cast<T>(n) == y.real()) return whole_power(x, n);
    }
    return standard(x, [&](const auto& z) {
        using Z = std::remove_cvref_t<decltype(z)>;
        return std::pow(z, Z(y));
    });
}
/// Marks whole exponents, to which a power may be a product.
BROADLOOM_INLINE constexpr void mark_whole(Parts<double> y, Rare& rare) {
    rare.mark_below(magnitude(y.im) + magnitude(y.re - nearest(y.re)),
                    std::numeric_limits<double>::denorm_min());
}
BROADLOOM_INLINE constexpr bool is_whole(Parts<double> y) {
    Rare rare;
    mark_whole(y, rare);
    return rare.any();
}
/// e^(y log(x)) for other exponents, those of float by way of double.
template <vector_real T>
BROADLOOM_INLINE constexpr std::complex<T> usual_pow(const std::complex<T>& x,
                                                     const std::complex<T>& y, Rare& rare) {
    const Parts<double> base = {parts(x).re, parts(x).im}, exponent = {parts(y).re, parts(y).im};
    mark_whole(exponent, rare);
    const Parts<double> log = math::log(base, rare);
    const double size = exponent.re * log.re - exponent.im * log.im;
    const double turn = exponent.re * log.im + exponent.im * log.re;
    const std::complex<double> power = scalar::exp{}.usual(join(size, turn), rare);
    return join(static_cast<T>(parts(power).re), static_cast<T>(parts(power).im));
}
/// Squaring and multiplying, wrapping.
template <wrapping T, wrapping N>
constexpr T integer_power(T x, N n) {
    if constexpr (std::is_signed_v<N>) {
        if (n < 0) {
            if (x == 1) return 1;
            if constexpr (std::is_signed_v<T>) {
                if (x == -1) return static_cast<T>((n & 1) != 0 ? -1 : 1);
            }
            return 0;
        }
    }
    wrap_t<T> power = 1, factor = static_cast<wrap_t<T>>(x);
    for (auto rest = static_cast<wrap_t<N>>(n); rest != 0; rest >>= 1) {
        if ((rest & 1U) != 0) power *= factor;
        factor *= factor;
    }
    return static_cast<T>(power);
}
/// power x^n for an n of so many bits, without a branch.
template <int Bits, std::unsigned_integral W>
BROADLOOM_INLINE constexpr W multiply_power(W power, W x, W n) {
    if constexpr (Bits == 0) {
        return power;
    } else {
        const W taken = W{0} - (n & W{1});
        return multiply_power<Bits - 1>(power * ((x & taken) | (W{1} & ~taken)), x * x, n >> 1);
    }
}
/// The same as integer_power for exponents of four bits, and others marked.
template <wrapping T, wrapping N>
BROADLOOM_INLINE constexpr T short_integer_power(T x, N n, Rare& rare) {
    using W = wrap_t<T>;
    if constexpr (sizeof(N) == 8) rare.mark_beyond(static_cast<std::uint64_t>(n), 15);
    else rare.mark_if(static_cast<std::uint32_t>(n) > 15);
    return static_cast<T>(multiply_power<4>(W{1}, static_cast<W>(x), static_cast<W>(n)));
}

}  // namespace math

/// x to the power y. Integers wrap; to a negative power they truncate (0 for base 0).
struct pow : Promoting<pow> {
    static constexpr int steps = math::many_steps;

    template <class T, class U>
    BROADLOOM_INLINE static constexpr auto on(const T& x, const U& y) {
        if constexpr (std::same_as<T, bool>) {
            return static_cast<bool>(x | !y);
        } else if constexpr (std::integral<T>) {
            return math::integer_power(x, y);
        } else if constexpr (vector_real<T>) {
            return math::pow(x, y);
        } else if constexpr (vector_complex<T>) {
            if (math::is_whole({parts(y).re, parts(y).im})) return math::complex_power(x, y);
            math::Rare rare;
            const T power = math::usual_pow(x, y, rare);
            return rare.any() ? math::complex_power(x, y) : power;
        } else if constexpr (kind<T> == Kind::complex) {
            return math::complex_power(x, y);
        } else {
            using std::pow;
            return pow(x, y);
        }
    }
    template <class A, class B>
        requires wrapping<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& x, const B& y, math::Rare& rare) const {
        using R = promote_t<A, B>;
        return math::short_integer_power(scalar::convert<R>(x), scalar::convert<R>(y), rare);
    }
    template <class A, class B>
        requires vector_real<promote_t<A, B>> || vector_complex<promote_t<A, B>>
    BROADLOOM_INLINE constexpr auto usual(const A& x, const B& y, math::Rare& rare) const {
        using R = promote_t<A, B>;
        return math::usual_pow(scalar::convert<R>(x), scalar::convert<R>(y), rare);
    }
};
/// Types of which a power may be a product.
template <class T, class N>
concept multiplying = vector_real<promote_t<T, N>> || vector_complex<promote_t<T, N>>;

/// All to one power: integers to that of any integer type, other numbers to one of their kind.
/// Squares and cubes, the usual powers, are products; roots and inverses come next.
template <class N>
struct pow_to {
    static constexpr int steps = math::many_steps;
    N exponent;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(const T& x) const {
        if constexpr (wrapping<T> && wrapping<N>) {
            return math::integer_power(x, exponent);
        } else if constexpr (vector_real<promote_t<T, N>>) {
            using R = promote_t<T, N>;
            using W = math::word<R>;
            const R other = math::select_by_bit(W{is_root_or_inverse()}, root_or_inverse<R>(x),
                                                pow{}(x, exponent));
            return math::select_by_bit(W{is_square_or_cube()}, square_or_cube<R>(x), other);
        } else if constexpr (vector_complex<promote_t<T, N>>) {
            if (is_square_or_cube()) return square_or_cube<promote_t<T, N>>(x);
            return pow{}(x, exponent);
        } else {
            return pow{}(x, exponent);
        }
    }
    /// 1 for products, 2 for roots and inverses, 4 for any other exponent, but none for whole
    /// ones of complex numbers.
    BROADLOOM_INLINE constexpr unsigned forms() const {
        const unsigned other = is_whole() ? 0U : 4U;
        return is_square_or_cube() ? 1U : is_root_or_inverse() ? 2U : other;
    }
    template <unsigned Form, class T>
        requires(Form == 1 && ((wrapping<T> && wrapping<N>) || multiplying<T, N>)) ||
                multiplying<T, N>
    BROADLOOM_INLINE constexpr auto usual(const T& x, [[maybe_unused]] math::Rare& rare) const {
        using R = std::conditional_t<std::integral<N>, T, promote_t<T, N>>;
        if constexpr (Form == 1) return square_or_cube<R>(x);
        else if constexpr (Form == 2 && vector_real<R>) return root_or_inverse<R>(x);
        else return pow{}.usual(x, exponent, rare);
    }

private:
    BROADLOOM_INLINE constexpr bool is_exponent(double n) const {
        if constexpr (kind<N> == Kind::complex) {
            const auto [re, im] = parts(exponent);
            return (re == static_cast<decltype(re)>(n)) & (im == 0);
        } else {
            return (exponent == static_cast<N>(n)) & (static_cast<double>(static_cast<N>(n)) == n);
        }
    }
    BROADLOOM_INLINE constexpr bool is_whole() const {
        if constexpr (!vector_complex<N>) return false;
        else return math::is_whole({parts(exponent).re, parts(exponent).im});
    }
    BROADLOOM_INLINE constexpr bool is_square_or_cube() const {
        const bool square = is_exponent(2), cube = is_exponent(3);
        return square | cube;
    }
    BROADLOOM_INLINE constexpr bool is_root_or_inverse() const {
        if constexpr (!vector_real<N>) return false;
        const bool root = is_exponent(0.5), inverse_root = is_exponent(-0.5);
        const bool same = is_exponent(1), inverse = is_exponent(-1),
                   inverse_square = is_exponent(-2);
        return root | inverse_root | same | inverse | inverse_square;
    }
    template <class R, class T>
    BROADLOOM_INLINE constexpr R square_or_cube(const T& x) const {
        const R base = scalar::convert<R>(x), square = multiply::on(base, base);
        return scalar::choose(is_exponent(3), multiply::on(square, base), square);
    }
    template <class R, class T>
    BROADLOOM_INLINE R root_or_inverse(const T& x) const {
        return math::root_or_inverse(scalar::convert<R>(x), scalar::convert<R>(exponent));
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_POWER_HPP
