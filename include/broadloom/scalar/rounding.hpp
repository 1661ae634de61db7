// Function objects that take an element apart: its integer part, its sign, its class.
//
// They are exact. Integers and bool keep their type, and wrap where a result does not fit.
#ifndef BROADLOOM_SCALAR_ROUNDING_HPP
#define BROADLOOM_SCALAR_ROUNDING_HPP

#include <cmath>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/root.hpp"

BROADLOOM_EXACT_BEGIN

namespace broadloom::scalar {

namespace math {

template <vector_real T>
BROADLOOM_INLINE constexpr T floor(T x) {
    const T r = nearest(x);
    return r > x ? r - T{1} : r;
}
template <vector_real T>
BROADLOOM_INLINE constexpr T ceil(T x) {
    const T r = nearest(x);
    return or_sign(r < x ? r + T{1} : r, sign_of(x));
}
template <vector_real T>
BROADLOOM_INLINE constexpr T trunc(T x) {
    const T a = magnitude(x);
    return or_sign(a < Format<T>::integral ? without_fraction(a) : a, sign_of(x));
}

}  // namespace math

/// Declares a function object that leaves integers, computes real numbers of one word by the
/// function of the same name in `math`, and all else by one of the standard library's kind.
#define BROADLOOM_ROUNDING(NAME)                                                           \
    struct NAME {                                                                          \
        template <class T>                                                                 \
        BROADLOOM_INLINE constexpr auto operator()(T x) const {                            \
            if constexpr (std::integral<T>) return x;                                      \
            else if constexpr (vector_real<T>) {                                           \
                return math::NAME(x);                                                      \
            } else {                                                                       \
                static_assert(kind<T> != Kind::complex, "complex numbers have no " #NAME); \
                using std::NAME;                                                           \
                return NAME(x);                                                            \
            }                                                                              \
        }                                                                                  \
    };

/// The largest integer not above x.
BROADLOOM_ROUNDING(floor)
/// The smallest integer not below x.
BROADLOOM_ROUNDING(ceil)
/// x without its fraction.
BROADLOOM_ROUNDING(trunc)

#undef BROADLOOM_ROUNDING

/// The integer nearest to x; halves go to the even one. Both parts of a complex x.
struct round {
    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::integral<T>) {
            return x;
        } else if constexpr (vector_real<T>) {
            return math::nearest(x);
        } else if constexpr (kind<T> == Kind::complex) {
            const auto [re, im] = parts(x);
            return join(round{}(re), round{}(im));
        } else {
            using std::nearbyint;
            return nearbyint(x);
        }
    }
};

/// The multiple of a power of ten nearest to x, as NumPy finds it; halves go to the even one. The
/// power is 10 to the number of decimals, or where there are fewer than none (tens, hundreds) of
/// digits dropped before the point. What lies beyond an integer's range wraps.
struct round_decimals {
    double power;
    bool coarse;  // digits are dropped before the point

    template <class T>
    BROADLOOM_INLINE constexpr T operator()(T x) const {
        if constexpr (std::integral<T>) {
            return coarse ? nearest_multiple(x) : x;
        } else if constexpr (kind<T> == Kind::complex) {
            const auto [re, im] = parts(x);
            return join((*this)(re), (*this)(im));
        } else {
            return coarse ? to_multiple(x) : to_fraction(x);
        }
    }
    // Which of the two is known beforehand.
    BROADLOOM_INLINE constexpr unsigned forms() const { return coarse ? 2U : 1U; }
    template <unsigned Form, vector_real T>
        requires(Form <= 2)
    BROADLOOM_INLINE constexpr T usual(T x, math::Rare&) const {
        if constexpr (Form == 1) return to_fraction(x);
        else return to_multiple(x);
    }

private:
    // Where the product is too large, x has no decimals; where the power is, no digits before them.
    template <class T>
    BROADLOOM_INLINE constexpr T to_fraction(T x) const {
        const T scale = static_cast<T>(power), scaled = x * scale;
        return scaled - scaled == T(0) ? round{}(scaled) / scale : x;
    }
    template <class T>
    BROADLOOM_INLINE constexpr T to_multiple(T x) const {
        const T scale = static_cast<T>(power), scaled = x / scale;
        const T rounded = scale - scale == T(0) ? round{}(scaled)*scale : scaled;
        return x - x == T(0) ? rounded : x;
    }
    template <class T>
    BROADLOOM_INLINE constexpr T nearest_multiple(T x) const {
        if (power >= 1e20) return T{};
        const auto n = static_cast<std::uint64_t>(x), step = static_cast<std::uint64_t>(power);
        const bool negative = x < T{};
        const std::uint64_t size = negative ? 0 - n : n, times = size / step, rest = size % step;
        const bool up = rest > step - rest || (rest == step - rest && times % 2 == 1);
        const std::uint64_t nearest = (times + (up ? 1 : 0)) * step;
        return static_cast<T>(negative ? 0 - nearest : nearest);
    }
};

/// The magnitude of x: real for a complex x; the most negative integer stays what it is.
struct abs {
    static constexpr bool immediate = true;
    template <class T>
    static constexpr int steps_for = steps_if_complex<T>;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::unsigned_integral<T>) {
            return x;
        } else if constexpr (wrapping<T>) {
            using U = wrap_t<T>;
            const U u = static_cast<U>(x);
            return static_cast<T>(x < 0 ? U{0} - u : u);
        } else if constexpr (vector_real<T>) {
            return math::magnitude(x);
        } else if constexpr (vector_complex<T>) {
            const auto z = parts(x);
            return math::hypot(z.re, z.im);
        } else {
            using std::abs;
            return abs(x);
        }
    }
};

/// -1, 0 or 1; NaN for NaN; z / |z| for a complex z.
struct sign {
    static constexpr bool chooses = true;
    template <class T>
    static constexpr int steps_for = steps_if_complex<T>;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::unsigned_integral<T>) {
            return static_cast<T>(x > 0);
        } else if constexpr (std::integral<T>) {
            using Wide = std::conditional_t<(sizeof(T) > sizeof(int)), T, int>;
            return static_cast<T>(Wide{x > 0} - Wide{x < 0});
        } else if constexpr (std::floating_point<T>) {
            const T r = x < T{0} ? T{-1} : x + T{0};
            return x > T{0} ? T{1} : r;
        } else if constexpr (kind<T> == Kind::complex) {
            return unit(x);
        } else {
            return static_cast<T>(x > T(0) ? T(1) : x < T(0) ? T(-1) : x);
        }
    }

private:
    /// Of one infinite part the direction is known; that of 0 is 0.
    template <class T>
    BROADLOOM_INLINE static T unit(const T& z) {
        using R = broadloom::detail::real_t<T>;
        const auto [re, im] = parts(z);
        R a = re, b = im, size;
        if constexpr (vector_real<R>) {
            using F = math::Format<R>;
            const R scale = math::from_bits<R>(
                F::exponent - math::leading_power(math::magnitude(re), math::magnitude(im)));
            a = re * scale;
            b = im * scale;
            size = math::sqrt_of(a * a + b * b);
        } else {
            const R larger = abs{}(re) > abs{}(im) ? abs{}(re) : abs{}(im);
            if (larger > 0) {
                a = re / larger;
                b = im / larger;
            }
            size = abs{}(T(a, b));
        }
        const R divisor = size == 0 ? R(1) : size;
        const R to_re = of_infinite(re), to_im = of_infinite(im);
        const bool known = to_re * to_re != to_im * to_im;
        return join(known ? to_re : a / divisor, known ? to_im : b / divisor);
    }
    template <class R>
    BROADLOOM_INLINE static constexpr R of_infinite(R x) {
        constexpr R infinity = std::numeric_limits<R>::infinity();
        const R positive = x == infinity ? R(1) : R(0);
        return x == -infinity ? R(-1) : positive;
    }
};

/// x times x; integers wrap.
struct square {
    template <class T>
    static constexpr bool widens = multiply::widens<T>;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(const T& x) const {
        return multiply{}(x, x);
    }
};

/// 1 / x; truncated for integers, and 0 for the integer 0.
struct reciprocal {
    template <class T>
    static constexpr int steps_for = steps_if_complex<T>;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::same_as<T, bool>) {
            return x;
        } else if constexpr (std::unsigned_integral<T>) {
            return static_cast<T>(x == 1);
        } else if constexpr (std::integral<T>) {
            return static_cast<T>((x == 1) - (x == -1));
        } else if constexpr (kind<T> == Kind::complex) {
            // NaN for 0, as in NumPy.
            using R = broadloom::detail::real_t<T>;
            const auto [real_larger, large, lesser] = BySize<R>(parts(x));
            const R ratio = lesser / large;
            const R whole = large + lesser * ratio;
            return join((real_larger ? R(1) : ratio) / whole,
                        (real_larger ? ratio : R(1)) / -whole);
        } else {
            return T(1) / x;
        }
    }
};

/// 0 where x is below it, else x; -0 and NaN stay.
struct relu {
    static constexpr bool chooses = true;

    template <class T>
    BROADLOOM_INLINE constexpr auto operator()(T x) const {
        if constexpr (std::unsigned_integral<T>) {
            return x;
        } else {
            return static_cast<T>(x < T(0) ? T(0) : x);
        }
    }
};

struct isnan {
    template <class T>
    BROADLOOM_INLINE constexpr bool operator()(T x) const {
        if constexpr (std::integral<T>) {
            return false;
        } else if constexpr (kind<T> == Kind::complex) {
            return has_nan(parts(x));
        } else {
            return x != x;
        }
    }
};

struct isinf {
    template <class T>
    BROADLOOM_INLINE constexpr bool operator()(T x) const {
        if constexpr (std::integral<T>) {
            return false;
        } else if constexpr (vector_real<T>) {
            return math::magnitude(x) == math::infinity<T>;
        } else if constexpr (kind<T> == Kind::complex) {
            const auto [re, im] = parts(x);
            const bool first = isinf{}(re), second = isinf{}(im);
            return first | second;
        } else {
            using std::isinf;
            return isinf(x);
        }
    }
};

struct isfinite {
    template <class T>
    BROADLOOM_INLINE constexpr bool operator()(T x) const {
        if constexpr (std::integral<T>) {
            return true;
        } else if constexpr (vector_real<T>) {
            return math::magnitude(x) < math::infinity<T>;
        } else if constexpr (kind<T> == Kind::complex) {
            const auto [re, im] = parts(x);
            const bool first = isfinite{}(re), second = isfinite{}(im);
            return first & second;
        } else {
            using std::isfinite;
            return isfinite(x);
        }
    }
};

/// The magnitude of x with the sign of y.
struct copysign : PromotingReals<copysign> {
    template <class T, class U>
    BROADLOOM_INLINE static constexpr auto on(const T& x, const U& y) {
        if constexpr (vector_real<T>) {
            return math::or_sign(math::magnitude(x), math::sign_of(y));
        } else {
            using std::copysign;
            return copysign(x, y);
        }
    }
};

}  // namespace broadloom::scalar

BROADLOOM_EXACT_END

#endif  // BROADLOOM_SCALAR_ROUNDING_HPP
