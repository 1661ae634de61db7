// Roots: sqrt, rsqrt, cbrt, hypot.
//
// Real types of one word are vector code. Zeros, infinities and NaN are those of C's Annex F;
// square roots are correctly rounded.
#ifndef BROADLOOM_SCALAR_ROOT_HPP
#define BROADLOOM_SCALAR_ROOT_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/operators.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// `steps` of Newton's iteration from y towards 1 / sqrt(2 half).
template <int steps, vector_real T>
BROADLOOM_INLINE constexpr T refine_inverse_root(T y, T half) {
    if constexpr (steps == 0) return y;
    else return refine_inverse_root<steps - 1>(y + y * (T(0.5) - half * y * y), half);
}
/// 1 / sqrt(z) for a normal z > 0, by Newton's iteration from a guess off by 3.4 %.
template <int steps, vector_real T>
BROADLOOM_INLINE constexpr T inverse_root(T z) {
    constexpr word<T> guess =
        static_cast<word<T>>(std::same_as<T, float> ? 0x5f3759dfU : 0x5fe6eb50c7b537a9U);
    return refine_inverse_root<steps>(from_bits<T>(guess - (to_bits(z) >> 1)), T(0.5) * z);
}

// Where mathematics may set errno the compilers' own square root is not vector code; that of a
// function without side effects is. Clang takes a declaration's word for that, GCC a type's.
#if defined(__clang__) && defined(__ELF__)
[[gnu::const]] float sqrt_of(float x) __asm__("sqrtf");
[[gnu::const]] double sqrt_of(double x) __asm__("sqrt");
#elif defined(__GNUC__) && !defined(__clang__)
using FloatRoot [[gnu::const]] = float (*)(float);
using DoubleRoot [[gnu::const]] = double (*)(double);
BROADLOOM_INLINE float sqrt_of(float x) { return reinterpret_cast<FloatRoot>(&::sqrtf)(x); }
BROADLOOM_INLINE double sqrt_of(double x) {
    return reinterpret_cast<DoubleRoot>(static_cast<double (*)(double)>(&::sqrt))(x);
}
#else
inline float sqrt_of(float x) { return std::sqrt(x); }
inline double sqrt_of(double x) { return std::sqrt(x); }
#endif

/// x^(-1/3) of a normal x > 0 within 3.5 %: a third of the exponent and of the leading bits, taken
/// off (Kahan's guess, turned round).
BROADLOOM_INLINE constexpr float inverse_cbrt_guess(float x) {
    constexpr float third = 0x1.555556p-2F, offset = 1419899954.0F;
    const auto bits = static_cast<float>(static_cast<std::int32_t>(to_bits(x)));
    const auto guess = static_cast<std::int32_t>(offset - bits * third);
    return from_bits<float>(static_cast<std::uint32_t>(guess));
}
BROADLOOM_INLINE constexpr double inverse_cbrt_guess(double x) {
    constexpr double third = 1.0 / 3.0, offset = 1430186289.0;
    const double high = small_word_to_real<double>(to_bits(x) >> 32);
    return from_bits<double>(to_bits((offset + Format<double>::integral) - high * third) << 32);
}
/// ((1 - e)^(-1/3) - 1) / e for |e| <= 0.103, to 2^-23 and 2^-40.
BROADLOOM_INLINE constexpr float inverse_cbrt_tail(float e) {
    return (0x1.555432p-2F + e * 0x1.c71816p-3F) + (e * e) * (0x1.656128p-3F + e * 0x1.2b04c8p-3F);
}
BROADLOOM_INLINE constexpr double inverse_cbrt_tail(double e) {
    const double z = e * e;
    const double low = (0x1.55555554af335p-2 + e * 0x1.c71c71c280d31p-3) +
                       z * (0x1.61f9b45265fb1p-3 + e * 0x1.26fac8d605ba4p-3);
    const double high = (0x1.ff3aec1645087p-4 + e * 0x1.c66387cdc5451p-4) +
                        z * (0x1.a3a87e5bce4ecp-4 + e * 0x1.8283c081c614dp-4);
    return low + (z * z) * high;
}
/// From a guess y of x^(-1/3) by a polynomial in what 1 - x y^3 leaves; then by one more for x y^2,
/// from so few of its bits that their cube is exact.
template <vector_real T>
BROADLOOM_INLINE constexpr T cbrt(T x) {
    constexpr bool single = std::same_as<T, float>;
    constexpr T up = static_cast<T>(single ? 0x1p24 : 0x1p54);
    constexpr T down = static_cast<T>(single ? 0x1p-8 : 0x1p-18);
    constexpr word<T> dropped = single ? 0xffffU : 0xfffffffffU;
    const T a = magnitude(x);
    const bool tiny = a < smallest_normal<T>;
    const T lifted = a * up;
    const T w = tiny ? lifted : a;
    const T guess = inverse_cbrt_guess(w), e = T{1} - (w * guess) * (guess * guess);
    const T y = guess + (guess * e) * inverse_cbrt_tail(e), z = y * y;
    const T head = from_bits<T>((to_bits(w * z) + (dropped / 2 + 1)) & ~dropped);
    const T rest = (w - (head * head) * head) * (z * y);
    const T tail = (T(1.0 / 3.0) + rest * T(2.0 / 9.0)) + (rest * rest) * T(14.0 / 81.0);
    const T root = head + (head * rest) * tail, value = root * (tiny ? down : T{1});
    return or_sign(is_positive_finite(a) ? value : a, sign_of(x));
}

/// The bits of a power of two that has the larger one's exponent, for a, b >= 0: a normal number.
/// Twice its inverse is `Format<T>::exponent` less these bits.
template <vector_real T>
BROADLOOM_INLINE constexpr word<T> leading_power(T a, T b) {
    const T larger = a > b ? a : b;
    return to_bits(larger > smallest_normal<T> ? larger : smallest_normal<T>) & Format<T>::exponent;
}
/// sqrt(x^2 + y^2), infinite if either is. The squares are kept in range.
template <vector_real T>
BROADLOOM_INLINE T hypot(T x, T y) {
    const T a = magnitude(x), b = magnitude(y);
    const word<T> power = leading_power(a, b);
    const T twice_inverse = from_bits<T>(Format<T>::exponent - power);
    const T p = a * twice_inverse, q = b * twice_inverse;
    const T root = T(0.5) * sqrt_of(p * p + q * q) * from_bits<T>(power);
    const auto infinite = static_cast<word<T>>((a == infinity<T>) | (b == infinity<T>));
    return select_by_bit(infinite, infinity<T>, root);
}

}  // namespace math

/// The square root of x.
struct sqrt {
    template <class T>
    BROADLOOM_INLINE auto operator()(T x) const {
        if constexpr (vector_number<T>) return math::sqrt_of(math::to_real(x));
        else return math::usual_or_any(*this, x);
    }
    template <vector_real T>
    BROADLOOM_INLINE std::complex<T> usual(const std::complex<T>& x, math::Rare& rare) const {
        constexpr T large = std::same_as<T, float> ? T(0x1p100) : T(0x1p1000);
        const auto [re, im] = parts(x);
        const T size_re = math::magnitude(re), size_im = math::magnitude(im);
        rare.mark_above(size_re, large);
        rare.mark_above(size_im, large);
        const T size = math::hypot(re, im);
        rare.mark_below(size, T(1) / large);
        const T whole = math::sqrt_of((size + size_re) * T(0.5)), half = size_im / (whole + whole);
        return join(re < T(0) ? half : whole,
                    math::or_sign(re < T(0) ? whole : half, math::sign_of(im)));
    }
    template <class T>
    static auto any(const T& x) {
        return math::standard(x, [](const auto& z) {
            using std::sqrt;
            return sqrt(z);
        });
    }
};

/// 1 / sqrt(x).
struct rsqrt {
    template <class T>
    BROADLOOM_INLINE auto operator()(T x) const {
        if constexpr (vector_number<T>) return any(x);
        else return math::usual_or_any(*this, x);
    }
    /// The conjugate of the root over its squared size, which is the size of x.
    template <vector_real T>
    BROADLOOM_INLINE std::complex<T> usual(const std::complex<T>& x, math::Rare& rare) const {
        const auto root = parts(sqrt{}.usual(x, rare));
        const T size = math::hypot(parts(x).re, parts(x).im);
        return join(root.re / size, (T(0) - root.im) / size);
    }
    template <class T>
    BROADLOOM_INLINE static auto any(const T& x) {
        const auto root = sqrt{}(x);
        return decltype(root)(1) / root;
    }
};

/// The cube root of x, negative for a negative x.
BROADLOOM_ELEMENTARY(cbrt)

/// sqrt(x^2 + y^2) without overflow on the way; infinite if either is, NaN or not.
struct hypot : PromotingReals<hypot> {
    static constexpr int steps = math::many_steps;

    template <class T, class U>
    BROADLOOM_INLINE static constexpr auto on(const T& x, const U& y) {
        if constexpr (vector_real<T>) {
            return math::hypot(x, y);
        } else {
            using std::hypot;
            return hypot(x, y);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_ROOT_HPP
