// The inverses of the circular functions, in radians.
//
// Real types of one word are vector code: minimax polynomials (Remez's exchange) on a short
// interval around 0, to which identities lead.
#ifndef BROADLOOM_SCALAR_ARC_HPP
#define BROADLOOM_SCALAR_ARC_HPP

#include <cmath>
#include <complex>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/root.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

/// pi/2 as a sum of two.
template <vector_real T>
inline constexpr T half_pi =
    static_cast<T>(std::same_as<T, float> ? 0x1.921fb6p0 : 0x1.921fb54442d18p0);
template <vector_real T>
inline constexpr T half_pi_low =
    static_cast<T>(std::same_as<T, float> ? -0x1.777a5cp-25 : 0x1.1a62633145c07p-54);

/// (asin(r) - r) / r with z = r^2 <= 1/4.
BROADLOOM_INLINE constexpr float asin_tail(float z) {
    return z * polynomial(z, 0x1.5555cap-3F, 0x1.3301b4p-4F, 0x1.748374p-5F, 0x1.8bf13p-6F,
                          0x1.599f26p-5F);
}
BROADLOOM_INLINE constexpr double asin_tail(double z) {
    return z * polynomial(z, 0x1.555555555538bp-3, 0x1.333333336f19dp-4, 0x1.6db6db42131d1p-5,
                          0x1.f1c72c5b83d53p-6, 0x1.6e89f0e89b49bp-6, 0x1.1c6c1582866c4p-6,
                          0x1.c6f9a69cb81a3p-7, 0x1.8ede93fabab06p-7, 0x1.aadb8c7590380p-8,
                          0x1.409ed074755c4p-6, -0x1.0ae32a31849c7p-6, 0x1.05cc4ab2ee080p-5);
}
/// (atan(r) - r) / r with z = r^2, r <= tan(pi/8).
BROADLOOM_INLINE constexpr float atan_tail(float z) {
    return z * polynomial(z, -0x1.55554ap-2F, 0x1.99918ep-3F, -0x1.23b48ep-3F, 0x1.b1e316p-4F,
                          -0x1.f1bd2ap-5F);
}
BROADLOOM_INLINE constexpr double atan_tail(double z) {
    return z * polynomial(z, -0x1.555555555553cp-2, 0x1.9999999995733p-3, -0x1.24924922a6526p-3,
                          0x1.c71c70e36f3eep-4, -0x1.745cf89329d00p-4, 0x1.3b11141f50b9fp-4,
                          -0x1.10eb805cb2c60p-4, 0x1.df0c255d372f1p-5, -0x1.9cc4a5caba148p-5,
                          0x1.37b1ff25f74f2p-5, -0x1.251c792b99ca9p-6);
}

/// What asin and acos share: for |x| <= 1/2 the root is |x|, otherwise it is that of
/// (1 - |x|) / 2, as a short number `head` and a rest; the angle exceeds `head` by `bend`.
template <vector_real T>
struct ArcRoot {
    T head, bend;
};
template <vector_real T>
BROADLOOM_INLINE constexpr ArcRoot<T> arc_root(T a, bool outer) {
    constexpr word<T> low_bits = std::same_as<T, float> ? word<T>{0xfff} : word<T>{0x7ffffff};
    constexpr int steps = std::same_as<T, float> ? 2 : 3;
    const T z = outer ? T(0.5) * (T{1} - a) : a * a;
    const T y = inverse_root<steps>(z);
    const T root = from_bits<T>(to_bits(z * y) & ~low_bits);
    const T half_y = T(0.5) * y;
    const T h = (z - root * root) * half_y;
    const T head = outer ? root : a, rest = outer ? h + h * (h * half_y) : T{0};
    return {head, (head + rest) * asin_tail(z) + rest};
}
template <vector_real T>
BROADLOOM_INLINE constexpr T asin(T x) {
    const T a = magnitude(x);
    const bool is_far = a > T(0.5);
    const ArcRoot<T> r = arc_root(a, is_far);
    const T central = a + r.bend;
    const T outer = (half_pi<T> - T{2} * r.head) - (T{2} * r.bend - half_pi_low<T>);
    const T value = is_far ? outer : central;
    return or_sign(a <= T{1} ? value : nan<T>, sign_of(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T acos(T x) {
    const T a = magnitude(x);
    const bool is_far = a > T(0.5);
    const ArcRoot<T> r = arc_root(a, is_far);
    const word<T> s = sign_of(x);
    const T central = half_pi<T> - (x - (half_pi_low<T> - flip_sign(r.bend, s)));
    const T lesser = T{2} * (r.head + r.bend);
    const T large = T{2} * ((half_pi<T> - r.head) - (r.bend - half_pi_low<T>));
    const T outer = x < T{0} ? large : lesser;
    const T value = is_far ? outer : central;
    return a <= T{1} ? value : nan<T>;
}

/// atan(a / b) for a, b >= 0, not both 0 or infinite.
template <vector_real T>
BROADLOOM_INLINE constexpr T atan_ratio(T a, T b) {
    const bool low = a <= b * static_cast<T>(0x1.a827999fcef32p-2);
    const bool high = b <= a * static_cast<T>(0x1.a827999fcef32p-2);
    T over = a - b, under = a + b;
    over = high ? -b : over;
    under = high ? a : under;
    over = low ? a : over;
    under = low ? b : under;
    const T r = over / under;
    T base = T(0.5) * half_pi<T>, base_low = T(0.5) * half_pi_low<T>;
    base = high ? half_pi<T> : base;
    base_low = high ? half_pi_low<T> : base_low;
    base = low ? T{0} : base;
    base_low = low ? T{0} : base_low;
    return base + (r + (r * atan_tail(r * r) + base_low));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T atan(T x) {
    return or_sign(atan_ratio(magnitude(x), T{1}), sign_of(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T atan2(T y, T x) {
    constexpr bool single = std::same_as<T, float>;
    constexpr T large = static_cast<T>(single ? 0x1p126 : 0x1p1022);
    constexpr T lesser = static_cast<T>(single ? 0x1p-100 : 0x1p-960);
    T a = magnitude(y), b = magnitude(x);
    const bool steep = a == infinity<T>, flat = b == infinity<T>, both_infinite = steep & flat;
    const T grow = ((a < lesser) & (b < lesser)) ? static_cast<T>(0x1p60) : T{1};
    const T factor = ((a > large) | (b > large)) ? T(0.25) : grow;
    a = both_infinite ? T{1} : a * factor;
    b = both_infinite ? T{1} : b * factor;
    b = ((a == T{0}) & (b == T{0})) ? T{1} : b;
    const T r = atan_ratio(a, b);
    const T back = T{2} * half_pi<T> - (r - T{2} * half_pi_low<T>);
    const T value = select_by_bit(sign_of(x) >> (8 * sizeof(T) - 1), back, r);
    return or_sign(value, sign_of(y));
}

}  // namespace math

/// The angle in [-pi/2, pi/2] whose sine is x; NaN outside of [-1, 1].
BROADLOOM_ELEMENTARY(asin)
/// The angle in [0, pi] whose cosine is x; NaN outside of [-1, 1].
BROADLOOM_ELEMENTARY(acos)
/// The angle in [-pi/2, pi/2] whose tangent is x.
BROADLOOM_ELEMENTARY(atan)

/// The angle in [-pi, pi] of the point (x, y); signs of zeros count, as in C.
struct atan2 : PromotingReals<atan2> {
    static constexpr int steps = math::many_steps;

    template <class T, class U>
    BROADLOOM_INLINE static constexpr auto on(const T& y, const U& x) {
        if constexpr (vector_real<T>) {
            return math::atan2(y, x);
        } else {
            using std::atan2;
            return atan2(y, x);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_ARC_HPP
