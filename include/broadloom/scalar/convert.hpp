// From one element type to another, total: a floating value outside of an integer's range
// saturates and NaN becomes 0; between integers the low bits stay; to bool anything but 0 is true.
#ifndef BROADLOOM_SCALAR_CONVERT_HPP
#define BROADLOOM_SCALAR_CONVERT_HPP

#include <limits>

#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/integer.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// A complex number as its two parts, which are plain values to a loop.
template <class T>
struct Parts {
    T re, im;
};
template <class T>
BROADLOOM_INLINE Parts<T> parts(const std::complex<T>& z) {
    return __builtin_bit_cast(Parts<T>, z);
}
template <class T>
BROADLOOM_INLINE std::complex<T> join(T re, T im) {
    return __builtin_bit_cast(std::complex<T>, (Parts<T>{re, im}));
}

template <class T>
BROADLOOM_INLINE constexpr bool has_nan(const Parts<T>& z) {
    return (z.re != z.re) | (z.im != z.im);
}

/// `a` where `first` is true, else `b`.
template <class T>
BROADLOOM_INLINE constexpr T choose(bool first, const T& a, const T& b) {
    if constexpr (kind<T> == Kind::complex) {
        const auto x = parts(a), y = parts(b);
        return join(first ? x.re : y.re, first ? x.im : y.im);
    } else if constexpr (kind<T> == Kind::boolean) {
        return (first & a) | (!first & b);  // compilers make no branch of this
    } else {
        return first ? a : b;
    }
}

/// The element at p, in the form that GCC's loops take: a bool is read as the byte it is and
/// compared with 0, which makes a mask; a complex number as the two numbers that it is in memory.
template <class T>
BROADLOOM_INLINE T load(const T* p) {
    if constexpr (std::is_same_v<T, bool>) {
        return *reinterpret_cast<const unsigned char*>(p) != 0;
    } else if constexpr (kind<T> == Kind::complex) {
        const auto* part = reinterpret_cast<const broadloom::detail::real_t<T>*>(p);
        return join(part[0], part[1]);
    } else {
        return *p;
    }
}
/// Writes an element, in the same form.
template <class T>
BROADLOOM_INLINE void store(T* p, const T& x) {
    if constexpr (kind<T> == Kind::complex) {
        auto* part = reinterpret_cast<broadloom::detail::real_t<T>*>(p);
        const auto [re, im] = parts(x);
        part[0] = re;
        part[1] = im;
    } else {
        *p = x;
    }
}

/// True for integers between whose bounds a real number is best held before it becomes one: those
/// of one or two bytes, and the only one of four that a word of double holds and no instruction
/// makes.
template <class To, class From>
concept holds = few_bytes<To> && vector_real<From> &&
                (sizeof(To) < 4 || (std::same_as<To, std::uint32_t> && std::same_as<From, double>));

/// A real number as such an integer. It is made 0 where it is NaN, or negative and may not be, by
/// its bits, so that GCC knows nothing of its range, and does not take the conversion back, if that
/// comes next, for trunc(x), which may be -0.
template <class To, class From>
    requires holds<To, From>
BROADLOOM_INLINE constexpr To hold(From x) {
    using W = math::word<From>;
    constexpr From low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    constexpr bool is_signed = std::is_signed_v<To>;
    const From below = x > high ? high : x, held = is_signed && below < low ? low : below;
    const From safe = math::keep_where(W{0} - W{is_signed ? x == x : x > From(0)}, held);
    if constexpr (sizeof(To) < 4) return static_cast<To>(static_cast<std::int32_t>(safe));
    else return static_cast<To>(math::real_to_small_word(math::without_fraction(safe)));
}

/// The double nearest to an integer of 64 bits. x86 without AVX-512 converts them one by one, hence
/// by their halves: behind the exponents of 2^84 and 2^52 they are numbers, whose sum is rounded.
template <eight_bytes From>
BROADLOOM_INLINE constexpr double nearest_double(From x) {
#if defined(__aarch64__) || defined(__AVX512DQ__)
    return static_cast<double>(x);
#else
    constexpr double upper = std::is_signed_v<From> ? 0x1p84 + 0x1p63 : 0x1p84;
    constexpr double lower = math::Format<double>::integral;
    const auto w = static_cast<std::uint64_t>(x);
    const double high = math::from_bits<double>((w >> 32) ^ math::to_bits(upper)),
                 low = math::from_bits<double>((w & 0xffffffffU) | math::to_bits(lower));
    return (high - (upper + lower)) + low;
#endif
}

/// Types of which a constructor takes a number. An aggregate has none: its first member would.
template <class T, class Number>
concept made_of = std::is_constructible_v<T, Number> && !std::is_aggregate_v<T>;

/// The 0 of a type, or where no number makes one what it is without a value.
template <class T>
BROADLOOM_INLINE constexpr T zero() {
    if constexpr (made_of<T, int>) return T(0);
    else return T{};
}
/// The 1 of a type.
template <class T>
BROADLOOM_INLINE constexpr T one() {
    static_assert(!std::is_aggregate_v<T>, "an aggregate has no 1: use full(shape, value)");
    return T(1);
}

/// The value of `x` as a To.
template <class To, class From>
BROADLOOM_INLINE constexpr To convert(const From& x) {
    if constexpr (std::is_same_v<To, From>) {
        return x;
    } else if constexpr (!arithmetic<To> || !arithmetic<From>) {
        return static_cast<To>(x);
    } else if constexpr (kind<From> == Kind::complex) {
        const auto z = parts(x);
        if constexpr (kind<To> == Kind::complex) {
            using R = broadloom::detail::real_t<To>;
            return join(static_cast<R>(z.re), static_cast<R>(z.im));
        } else if constexpr (kind<To> == Kind::boolean && vector_complex<From>) {
            // All but the signs: one test, of which compilers make vectors.
            return (math::to_bits(z.re) | math::to_bits(z.im)) << 1 != 0;
        } else if constexpr (kind<To> == Kind::boolean) {
            return (z.re != 0) | (z.im != 0);
        } else {
            return scalar::convert<To>(z.re);
        }
    } else if constexpr (kind<To> == Kind::complex) {
        using R = broadloom::detail::real_t<To>;
        return join(scalar::convert<R>(x), R(0));
    } else if constexpr (kind<To> == Kind::boolean) {
        return x != From(0);
    } else if constexpr (holds<To, From>) {
        return scalar::hold<To>(x);
    } else if constexpr (kind<To> == Kind::integer && kind<From> == Kind::floating) {
        // The bounds are powers of two, hence exact in any floating type.
        constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
        constexpr From past = static_cast<From>(high / 2 + 1) * From(2);
        const bool above = x >= past, below = x < static_cast<From>(low);
        const bool outside = (x != x) | above | below;
        const From safe = outside ? From(0) : x;
        const To inside = static_cast<To>(safe);
        // Joined by bits: through a selection GCC sees the conversion back, if that comes next, and
        // takes both for trunc(x), which may be -0.
        using W = std::make_unsigned_t<To>;
        const auto none_above = static_cast<W>(W{above} - W{1});
        const auto none_below = static_cast<W>(W{below} - W{1});
        return static_cast<To>(static_cast<W>(inside) | (static_cast<W>(high) & ~none_above) |
                               (static_cast<W>(low) & ~none_below));
    } else if constexpr (kind<From> == Kind::boolean) {
        return x ? To(1) : To(0);
    } else if constexpr (std::is_same_v<To, double> && eight_bytes<From>) {
        return nearest_double(x);
    } else {
        return static_cast<To>(x);
    }
}

/// `x` as a To where it fits, else the nearest To: for bounds, which must not wrap.
template <class To, class From>
BROADLOOM_INLINE constexpr To saturate(const From& x) {
    if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && !std::is_same_v<To, bool> &&
                  !std::is_same_v<From, bool>) {
        constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
        if constexpr (std::is_signed_v<From>) {
            if (x < From(0)) {
                if constexpr (std::is_signed_v<To>) {
                    return static_cast<long long>(x) < static_cast<long long>(low)
                               ? low
                               : static_cast<To>(x);
                } else {
                    return low;
                }
            }
        }
        return static_cast<unsigned long long>(x) > static_cast<unsigned long long>(high)
                   ? high
                   : static_cast<To>(x);
    } else {
        return scalar::convert<To>(x);
    }
}

/// Conversion as a function object. Usual values become vectors of words without a comparison:
/// of 32 bits those below 2^31, by the processor's instruction. Below AVX-512 none makes words of
/// 64 bits; what is below 2^51 is shifted by an addition.
template <class To>
struct cast {
    static constexpr bool chooses = true;
    /// Elsewhere the comparisons of `convert` take no more time.
    template <class From>
    static constexpr bool has_usual =
        std::integral<To> &&
        (sizeof(To) == 8 || (std::same_as<From, double> && std::same_as<To, std::int32_t>));

    template <class From>
    BROADLOOM_INLINE constexpr To operator()(const From& x) const {
        return scalar::convert<To>(x);
    }
    template <vector_real From>
        requires has_usual<From>
    BROADLOOM_INLINE constexpr To usual(const From& x, math::Rare& rare) const {
        if constexpr (sizeof(To) == 8) return shifted(x, rare);
        else return held(x, rare);
    }

private:
    BROADLOOM_INLINE static constexpr To held(double x, math::Rare& rare) {
        // No word is below; but to ask keeps GCC from seeing the conversion back, too.
        constexpr std::int32_t least = -2147483647;
        constexpr double most = 2147483647;
        const double size = math::magnitude(x);
        rare.mark_above(size, most);
        // What is marked must not be converted.
        const double safe = math::keep_where(~math::above(size, most), x);
        const auto whole = static_cast<std::int32_t>(safe);
        return whole < least ? least : whole;
    }
    BROADLOOM_INLINE static constexpr To shifted(double x, math::Rare& rare) {
        const double size = math::magnitude(x);
        const std::uint64_t negative = 0 - (math::to_bits(x) >> 63);
        rare.mark_above(size, 0x1p51);
        if constexpr (std::is_unsigned_v<To>) {
            constexpr double below_one = 0x1.fffffffffffffp-1;
            rare.mark_above(math::from_bits<double>(math::to_bits(size) & negative), below_one);
        }
        const std::uint64_t whole = math::real_to_small_word(math::without_fraction(size));
        return static_cast<To>((whole ^ negative) - negative);
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_CONVERT_HPP
