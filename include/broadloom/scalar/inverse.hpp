// Division of integers by one number. Its inverse is found once for a call, and each quotient is
// the upper half of a product: of short words, a register holds more of these than of reals.
#ifndef BROADLOOM_SCALAR_INVERSE_HPP
#define BROADLOOM_SCALAR_INVERSE_HPP

#include <cstdint>
#include <limits>
#include <type_traits>

#include "broadloom/scalar/remainder.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

/// The upper half of a product.
BROADLOOM_INLINE constexpr std::uint16_t upper_product(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(std::uint32_t{a} * std::uint32_t{b} >> 16);
}

/// The inverse of a number d for words z of so many bytes: `of(z)` is z / d without its fraction,
/// and 0 for d = 0. With 2^l the highest power of two in d it is a factor, 2^(l + bits) / d or what
/// is next to it, and a shift (Granlund and Montgomery, PLDI 1994; Robison, ARITH 17, 2005).
template <std::size_t Bytes>
struct Inverse;
/// (z + 1) times 2^16 / d, which is close enough for bytes without a shift.
template <>
struct Inverse<1> {
    using word = std::uint16_t;
    word factor;

    explicit constexpr Inverse(word d) : factor(static_cast<word>(d == 0 ? 0 : 0xffff / d)) {}
    BROADLOOM_INLINE constexpr word of(word z) const {
        return scalar::upper_product(static_cast<word>(z + 1), factor);
    }
};
/// The mean of z and a part of it, rounded up, so that the factor has 17 bits. Then 2^-l is a
/// product too, but for l = 0: shifts by what compilers do not know take words of four bytes. Casts
/// keep words from becoming int, in which no upper half would be recognised.
template <>
struct Inverse<2> {
    using word = std::uint16_t;
    word factor = 0, power = 0, stays = 0;

    explicit constexpr Inverse(word d) {
        if (d == 0) return;
        unsigned shift = 0;
        while (d >> shift > 1) ++shift;
        factor = static_cast<word>(((std::uint32_t{0x20000} << shift) - 1) / d);
        power = static_cast<word>(0x10000U >> shift);
        stays = static_cast<word>(d == 1 ? 0xffff : 0);
    }
    BROADLOOM_INLINE constexpr word of(word z) const {
        const word apart = static_cast<word>(z - scalar::upper_product(z, factor));
        const word mean = static_cast<word>(z - word(apart >> 1));
        return static_cast<word>(scalar::upper_product(mean, power) + (z & stays));
    }
};
/// z or z + 1 times the factor: what the fraction of this has lost is less than z + 1 makes good,
/// or else less than half of d, and the next factor wins no more than that.
template <>
struct Inverse<4> {
    using word = std::uint32_t;
    word factor = 0, added = 0;
    unsigned shift = 32;

    explicit constexpr Inverse(word d) {
        if (d == 0) return;
        while (d >> (shift - 32) > 1) ++shift;
        const std::uint64_t ones = (std::uint64_t{1} << shift) - 1;
        const bool takes_one_more = ones % d < std::uint64_t{1} << (shift - 32);
        factor = static_cast<word>(ones / d + (takes_one_more ? 0 : 1));
        added = takes_one_more ? factor : 0;
    }
    BROADLOOM_INLINE constexpr word of(word z) const {
        return static_cast<word>((std::uint64_t{z} * factor + added) >> shift);
    }
};

/// F, which is `divide`, `floor_divide`, `fmod` or `mod`, of integers and one number.
template <class F, class T>
struct by_number;
template <class F, few_bytes T>
struct by_number<F, T> {
    static constexpr int steps = math::many_steps;
    static constexpr bool leaves_rest = std::is_same_v<F, fmod> || std::is_same_v<F, mod>;
    static constexpr bool rounds_down =
        std::is_same_v<F, floor_divide> || std::is_same_v<F, mod> || std::is_unsigned_v<T>;
    using word = typename Inverse<sizeof(T)>::word;
    using number = std::make_signed_t<word>;

    // What is divided by 0 leaves 0, as by 1.
    explicit constexpr by_number(T d)
        : divisor_(leaves_rest && d == 0 ? word{1} : static_cast<word>(d)),
          negative_(static_cast<word>(d < 0 ? -1 : 0)),
          least_(divisor_ == 0 ? std::numeric_limits<number>::lowest()
                               : static_cast<number>(negative_)),
          inverse_(scalar::negate_where(negative_, divisor_)) {}

    BROADLOOM_INLINE constexpr T operator()(T x) const {
        const word w = static_cast<word>(x), count = quotient(w);
        if constexpr (leaves_rest) {
            return static_cast<T>(std::uint32_t{w} -
                                  std::uint32_t{count} * std::uint32_t{divisor_});
        } else {
            return static_cast<T>(count);
        }
    }

private:
    BROADLOOM_INLINE constexpr word quotient(word w) const {
        if constexpr (std::is_unsigned_v<T>) {
            return inverse_.of(w);
        } else if constexpr (rounds_down) {
            // Below 0 it is -1 - (|x| - 1) / |d|.
            const word beside = w ^ negative_;
            const word below = static_cast<number>(beside) < least_ ? word(-1) : word(0);
            return inverse_.of(word(beside - negative_) ^ below) ^ below;
        } else {
            const word sign = static_cast<word>(static_cast<number>(w) >> (8 * sizeof(word) - 1));
            const word count = inverse_.of(scalar::negate_where(sign, w));
            return scalar::negate_where(static_cast<word>(sign ^ negative_), count);
        }
    }

    word divisor_, negative_;
    number least_;  // of what is not below 0, all if d = 0
    Inverse<sizeof(T)> inverse_;
};

/// Complex numbers by one, which is looked at once: the bits are those of `divide`, whose choices
/// are masks here, since conditions that hold for all elements would become loops of their own.
template <class F, vector_complex T>
struct by_number<F, T> {
    using real = broadloom::detail::real_t<T>;
    using word = math::word<real>;

    BROADLOOM_UNCONTRACTED explicit constexpr by_number(const T& d) {
        const auto [re, im] = parts(d);
        const auto [real_larger, large, lesser] = BySize<real>({re, im});
        const bool zero = (re == 0) & (im == 0);
        const real divisor = zero ? real(1) : large, ratio = lesser / divisor;
        ratio_ = ratio;
        scale_ =
            zero ? std::numeric_limits<real>::infinity() : real(1) / (divisor + lesser * ratio);
        swaps_ = real_larger ? word{0} : ~word{0};
        keeps_ = zero ? word{0} : ~word{0};
    }

    BROADLOOM_INLINE constexpr T operator()(const T& x) const {
        constexpr word sign = math::Format<real>::sign;
        const word re = math::to_bits(parts(x).re), im = math::to_bits(parts(x).im);
        const word swapped = (re ^ im) & swaps_;
        const real first = math::from_bits<real>(re ^ swapped);
        const real second = math::from_bits<real>(im ^ swapped);
        const real sum = first + math::keep_where(keeps_, second * ratio_);
        const real product = math::keep_where(keeps_, first * ratio_);
        const real rest =
            math::flip_sign(second, swaps_ & sign) + math::flip_sign(product, ~swaps_ & sign);
        return join(sum * scale_, rest * scale_);
    }

private:
    real ratio_ = 0, scale_ = 0;
    word swaps_ = 0, keeps_ = 0;
};

/// The widest integers that are divided so. Clang makes quicker code of reals but for bytes.
#if defined(__clang__)
inline constexpr std::size_t divided_bytes = 1;
#else
inline constexpr std::size_t divided_bytes = 4;
#endif

/// True when F divides integers or complex numbers by a number that becomes one of them.
template <class F, class T, class S>
inline constexpr bool divides_by_number = false;
template <class F, few_bytes T, class S>
    requires std::is_same_v<F, divide> || std::is_same_v<F, floor_divide> ||
                 std::is_same_v<F, fmod> || std::is_same_v<F, mod>
inline constexpr bool divides_by_number<F, T, S> =
    sizeof(T) <= divided_bytes && std::is_same_v<weak_t<S, T>, T>;
template <class F, vector_complex T, class S>
    requires std::is_same_v<F, divide> || std::is_same_v<F, true_divide>
inline constexpr bool divides_by_number<F, T, S> = std::is_same_v<weak_t<S, T>, T>;

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_INVERSE_HPP
