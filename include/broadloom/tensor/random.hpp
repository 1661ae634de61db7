// Random tensors from any standard engine. The engine's own bits are used, in row-major order, and
// arithmetic that rounds the same way everywhere: a seed gives the same tensor with every compiler,
// standard library and instruction set.
//
// Parameters may be numbers or tensors: without a shape the result has the one they broadcast to,
// with a shape they must broadcast to it. A call that refuses what it is given has drawn
// nothing.
#ifndef BROADLOOM_TENSOR_RANDOM_HPP
#define BROADLOOM_TENSOR_RANDOM_HPP

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "broadloom/scalar/comparison.hpp"
#include "broadloom/tensor/draw.hpp"
#include "broadloom/tensor/normal_quantile.hpp"

namespace broadloom::random {
namespace detail {

BROADLOOM_EXACT_BEGIN

/// u, at least 0 and less than 1, spread over [low, high).
template <class T>
struct Spread {
    BROADLOOM_INLINE constexpr T operator()(T u, T low, T high) const {
        const T value = low + (high - low) * u;
        // Rounding may reach the end, which does not belong to it: then the number before.
        using W = scalar::math::word<T>;
        const W bits = scalar::math::to_bits(high);
        const W step = high > T(0) ? static_cast<W>(-1) : W{1};
        const T before = scalar::math::from_bits<T>(bits + step);
        const bool fits = (high != T(0)) & (before > low);
        const T last = fits ? before : low;
        return value < high ? value : last;
    }
    template <class U, class A, class B>
    BROADLOOM_INLINE constexpr T operator()(U u, A low, B high) const {
        return (*this)(static_cast<T>(u), scalar::convert<T>(low), scalar::convert<T>(high));
    }
};

template <class T>
struct Normal {
    template <class A, class B>
    BROADLOOM_INLINE T operator()(double z, A mean, B deviation) const {
        return static_cast<T>(static_cast<double>(mean) + static_cast<double>(deviation) * z);
    }
};
struct Less {
    template <class P>
    BROADLOOM_INLINE constexpr bool operator()(double u, P p) const {
        return u < static_cast<double>(p);
    }
};

template <class T>
struct IsInterval {
    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(A low, B high) const {
        constexpr T most = std::numeric_limits<T>::max();
        const T width = scalar::convert<T>(high) - scalar::convert<T>(low);
        return (width >= T(0)) & (width <= most);
    }
};
template <class T>
struct IsRange {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(A low, B high) const {
        constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
        const Wide first = scalar::saturate<Wide>(low), last = scalar::saturate<Wide>(high);
        const bool low_fits = scalar::equal{}(first, low), high_fits = scalar::equal{}(last, high);
        const bool rises = first < last, starts = first >= Wide{least};
        const Wide highest = rises ? last - 1 : first;
        return low_fits & high_fits & rises & starts & (highest <= Wide{most});
    }
};
struct IsDeviation {
    template <class M, class D>
    BROADLOOM_INLINE constexpr bool operator()(M, D deviation) const {
        return deviation >= D(0);
    }
};
struct IsProbability {
    template <class P>
    BROADLOOM_INLINE constexpr bool operator()(P p) const {
        return (p >= P(0)) & (p <= P(1));
    }
};

BROADLOOM_EXACT_END

/// The type of random reals with these parameters: the floating one they meet in, else double.
template <class A, class B, class M = promote_t<element_t<A>, element_t<B>>>
using real_meeting = std::conditional_t<kind<M> == Kind::floating, M, double>;

template <class T>
constexpr void require_real() {
    static_assert(scalar::vector_real<T>, "random reals are of type float or double");
}

inline void require_choice(index_t count, index_t all, bool replace) {
    if (count < 0 || all < 0 || (replace ? all == 0 && count > 0 : count > all)) {
        throw value_error(Sentence() << "cannot choose " << count << " of " << all);
    }
}

}  // namespace detail

/// Evenly distributed reals in [0, 1): 24 bits of a float, 53 of a double.
template <class T = double, engine G>
Tensor<T> uniform(const Shape& shape, G&& generator) {
    detail::require_real<T>();
    auto bits = detail::bits_of(generator);
    if constexpr (std::is_same_v<T, float>) {
        return detail::draw<T>(
            shape, [&] { return static_cast<float>(detail::whole<24>(bits)) * 0x1p-24F; });
    } else {
        return detail::draw<T>(shape, [&] { return detail::unit(bits); });
    }
}
/// The same in [low, high), which may be empty and then gives low. Throws value_error when low is
/// above high, or the interval is not finite.
template <class T = double, engine G, operand L, operand H>
Tensor<T> uniform(const Shape& shape, G&& generator, L&& low, H&& high) {
    detail::require_real<T>();
    const auto from = detail::settle(std::forward<L>(low));
    const auto to = detail::settle(std::forward<H>(high));
    detail::require(detail::IsInterval<T>{}, "uniform needs low <= high, not infinitely far apart",
                    shape, from, to);
    return detail::combine<T>(shape, random::uniform<T>(shape, generator), detail::Spread<T>{},
                              from, to);
}
template <operand L, operand H, engine G>
auto uniform(L&& low, H&& high, G&& generator) {
    const auto from = detail::settle(std::forward<L>(low));
    const auto to = detail::settle(std::forward<H>(high));
    return random::uniform<detail::real_meeting<L, H>>(detail::common_shape(from, to), generator,
                                                       from, to);
}

/// Normally distributed reals: the inverse of the distribution function at 52 even bits, so that
/// the same seed gives the same values, rounded, in float and in double.
template <class T = double, engine G, operand M, operand D>
Tensor<T> normal(const Shape& shape, G&& generator, M&& mean, D&& deviation) {
    detail::require_real<T>();
    const auto center = detail::settle(std::forward<M>(mean));
    const auto width = detail::settle(std::forward<D>(deviation));
    detail::require(detail::IsDeviation{}, "normal needs a standard deviation that is not negative",
                    shape, center, width);
    auto bits = detail::bits_of(generator);
    Tensor<double> draws = detail::draw<double>(shape, [&] { return detail::inner(bits); });
    detail::to_normal(draws.data(), draws.size());
    return detail::combine<T>(shape, std::move(draws), detail::Normal<T>{}, center, width);
}
template <class T = double, engine G>
Tensor<T> normal(const Shape& shape, G&& generator) {
    return random::normal<T>(shape, generator, 0.0, 1.0);
}
template <operand M, operand D, engine G>
auto normal(M&& mean, D&& deviation, G&& generator) {
    const auto center = detail::settle(std::forward<M>(mean));
    const auto width = detail::settle(std::forward<D>(deviation));
    return random::normal<detail::real_meeting<M, D>>(detail::common_shape(center, width),
                                                      generator, center, width);
}

/// Integers in [low, high), each equally likely. Throws value_error when there are none, or when
/// T cannot hold them.
template <class T = index_t, engine G, operand L, operand H>
Tensor<T> integers(const Shape& shape, G&& generator, L&& low, H&& high) {
    static_assert(kind<T> == Kind::integer && kind<element_t<L>> <= Kind::integer &&
                      kind<element_t<H>> <= Kind::integer,
                  "integers() draws integers between integers");
    const auto from = detail::settle(std::forward<L>(low));
    const auto to = detail::settle(std::forward<H>(high));
    detail::require(detail::IsRange<T>{},
                    "integers needs low < high, within what the element type can hold", shape, from,
                    to);
    auto bits = detail::bits_of(generator);
    detail::ParameterReader first(from, shape);
    detail::ParameterReader last(to, shape);
    return detail::draw<T>(shape, [&] {
        const auto start = static_cast<std::uint64_t>(first.next());
        return static_cast<T>(start + bits.below(static_cast<std::uint64_t>(last.next()) - start));
    });
}
template <operand L, operand H, engine G>
auto integers(L&& low, H&& high, G&& generator) {
    const auto from = detail::settle(std::forward<L>(low));
    const auto to = detail::settle(std::forward<H>(high));
    return random::integers<promote_t<element_t<L>, element_t<H>>>(detail::common_shape(from, to),
                                                                   generator, from, to);
}

/// True with probability p. Throws value_error for a p outside of [0, 1].
template <class T = bool, engine G, operand P>
Tensor<T> bernoulli(const Shape& shape, G&& generator, P&& p) {
    const auto chance = detail::settle(std::forward<P>(p));
    detail::require(detail::IsProbability{}, "bernoulli needs a probability between 0 and 1", shape,
                    chance);
    auto bits = detail::bits_of(generator);
    return detail::combine<T>(shape,
                              detail::draw<double>(shape, [&] { return detail::unit(bits); }),
                              detail::Less{}, chance);
}
template <class T = bool, operand P, engine G>
Tensor<T> bernoulli(P&& p, G&& generator) {
    const auto chance = detail::settle(std::forward<P>(p));
    return random::bernoulli<T>(detail::common_shape(chance), generator, chance);
}

/// 0, 1, ... n - 1 in random order: shuffled from the back, as by Fisher and Yates. Throws
/// shape_error for a negative n.
template <engine G>
Tensor<index_t> permutation(Integer n, G&& generator) {
    Tensor<index_t> result = empty<index_t>({index_t{n}});
    index_t* const at = result.data();
    for (index_t i = 0; i < n; ++i) at[i] = i;
    auto bits = detail::bits_of(generator);
    for (index_t i = n - 1; i > 0; --i) {
        const auto j = static_cast<index_t>(bits.below(static_cast<std::uint64_t>(i) + 1));
        std::swap(at[i], at[j]);
    }
    return result;
}

/// `count` of the numbers 0, 1, ... n - 1, with repetitions or without. Throws value_error when
/// there are not enough.
template <detail::integer_index N, engine G>
Tensor<index_t> choice(N n, Integer count, G&& generator, bool replace = true) {
    const index_t all = detail::to_integer(n);
    detail::require_choice(count, all, replace);
    if (replace) return random::integers({index_t{count}}, generator, 0, all > 0 ? all : 1);
    Tensor<index_t> pool = empty<index_t>({all});
    index_t* const at = pool.data();
    for (index_t i = 0; i < all; ++i) at[i] = i;
    auto bits = detail::bits_of(generator);
    for (index_t i = 0; i < count; ++i) {
        const auto left = static_cast<std::uint64_t>(all - i);
        std::swap(at[i], at[i + static_cast<index_t>(bits.below(left))]);
    }
    return Tensor<index_t>(pool(range(count)));
}
/// `count` of the elements along the first dimension: numbers of a vector, rows of a matrix.
/// Throws shape_error for rank 0.
template <tensor_like X, engine G>
Tensor<element_t<X>> choice(X&& x, Integer count, G&& generator, bool replace = true) {
    using T = element_t<X>;
    const auto kept = detail::settle(std::forward<X>(x));
    const TensorView<const T> from = kept.view();
    if (from.rank() == 0) throw shape_error("a tensor of rank 0 has no elements to choose from");
    detail::require_choice(count, from.extent(0), replace);
    Tensor<T> result = broadloom::empty<T>(detail::with_extent(from.shape(), 0, count));
    const Tensor<index_t> chosen = random::choice(from.extent(0), count, generator, replace);
    if (result.size() == 0) return result;
    T* to = result.data();
    const index_t step = result.strides()[0];
    for (const index_t i : chosen) {
        if (from.rank() == 1) {
            *to = from.data()[i * from.strides()[0]];
        } else {
            const TensorView<const T> row = from[i];
            kernel::evaluate(row, to, row.shape(), result[0].strides());
        }
        to += step;
    }
    return result;
}

}  // namespace broadloom::random

#endif  // BROADLOOM_TENSOR_RANDOM_HPP
