// Order statistics: median and quantile, by NumPy's linear interpolation. Integers give double;
// a NaN anywhere in a lane makes its result NaN, and so does an empty lane.
#ifndef BROADLOOM_OPERATIONS_QUANTILE_HPP
#define BROADLOOM_OPERATIONS_QUANTILE_HPP

#include <limits>

#include "broadloom/operations/axes.hpp"
#include "broadloom/operations/sort.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"

namespace broadloom {
namespace detail {

template <class T>
constexpr void require_ordered_numbers() {
    static_assert(arithmetic<T> && kind<T> != Kind::complex,
                  "quantiles are of real numbers: complex ones have no values in between");
}

/// True if the last value of a sorted lane is NaN.
template <class T>
bool ends_with_nan(const T* lane, index_t length) {
    return lane[length - 1] != lane[length - 1];
}
template <class T>
bool ends_with_nan(const kernel::UnsortedLane<T>& lane, index_t) {
    return lane.ends_with_nan();
}

BROADLOOM_EXACT_BEGIN

/// The value at fraction q, at least 0 and at most 1, of a sorted lane.
template <class T, class Lane>
BROADLOOM_UNCONTRACTED mean_t<T> interpolate(Lane&& lane, index_t length, double q) {
    using R = mean_t<T>;
    using Wide = std::conditional_t<std::is_same_v<T, long double>, long double, double>;
    if (length == 0) return std::numeric_limits<R>::quiet_NaN();
    if (detail::ends_with_nan(lane, length)) return std::numeric_limits<R>::quiet_NaN();
    const double place = q * static_cast<double>(length - 1);
    index_t low = static_cast<index_t>(place);
    if (low > length - 1) low = length - 1;
    const Wide weight = static_cast<Wide>(place - static_cast<double>(low));
    const Wide a = static_cast<Wide>(lane[low]);
    // An infinite neighbour counts only where it takes part.
    if (low == length - 1 || weight == 0) return static_cast<R>(a);
    const Wide b = static_cast<Wide>(lane[low + 1]);
    if (a == b) return static_cast<R>(a);
    const Wide gap = b - a;
    if (gap - gap != 0) return static_cast<R>(a * (Wide(1) - weight) + b * weight);
    // From the nearer end, as NumPy does, so that the result rises with q.
    return static_cast<R>(weight < Wide(0.5) ? a + gap * weight : b - gap * (Wide(1) - weight));
}

BROADLOOM_EXACT_END

/// The mean of the one or two elements in the middle of a sorted lane.
template <class T, class Lane>
mean_t<T> middle(Lane&& lane, index_t length) {
    using R = mean_t<T>;
    if (length == 0) return std::numeric_limits<R>::quiet_NaN();
    if (detail::ends_with_nan(lane, length)) return std::numeric_limits<R>::quiet_NaN();
    if (length % 2 == 1) return static_cast<R>(lane[length / 2]);
    const R low = static_cast<R>(lane[length / 2 - 1]);
    const R high = static_cast<R>(lane[length / 2]);
    const R sum = low + high;
    // The halves of two large numbers have a sum when they have none.
    return sum - sum == 0 ? sum / 2 : low / 2 + high / 2;
}

/// Calls `f(lane, number)` with every lane, sorted, or as if it were when only `some` places are
/// asked for.
template <class T, class F>
void for_each_sorted(Tensor<T>& lanes, index_t length, index_t count, bool some, F&& f) {
    if (count == 0) return;
    T* lane = lanes.data();
    if constexpr (kernel::keyed<T>) {
        if (some && length > 64 && !kernel::sorts_at_once<T>(count, length)) {
            kernel::share_lanes(count, length, 1, [&](index_t i, index_t last) {
                const kernel::Spare<T> room(length);
                for (; i < last; ++i)
                    f(kernel::UnsortedLane<T>(lane + i * length, room.data(), length), i);
            });
            return;
        }
    }
    kernel::sort_lanes(lane, count, length, false);
    for (index_t i = 0; i < count; ++i, lane += length) f(static_cast<const T*>(lane), i);
}

inline void require_fraction(double q) {
    if (!(q >= 0 && q <= 1)) {
        throw value_error(Sentence() << "a quantile lies between 0 and 1, not at " << q);
    }
}

/// The operand's lanes along the axes of a reduction.
template <class X>
auto lanes_along(X&& x, const Axes& axes) {
    const std::uint32_t mask = axes.mask(x.rank());
    IndexList named;
    for (index_t d = 0; d < x.rank(); ++d) {
        if ((mask >> d & 1) != 0) named.push_back(d);
    }
    return detail::lanes_of(std::forward<X>(x), named);
}

template <class X>
auto median_along(X&& x, const Axes& axes) {
    using T = element_t<X>;
    require_ordered_numbers<T>();
    const Reduced to = detail::reduced(x.shape(), axes);
    auto result = broadloom::empty<mean_t<T>>(to.result);
    Tensor<T> lanes = detail::lanes_along(std::forward<X>(x), axes);
    detail::for_each_sorted(lanes, to.count, result.size(), true, [&](auto&& lane, index_t i) {
        result.data()[i] = detail::middle<T>(lane, to.count);
    });
    return result;
}

/// All fractions of every lane; their dimensions come first.
template <class X>
auto quantiles_along(X&& x, const double* q, const Shape& fractions, const Axes& axes) {
    using T = element_t<X>;
    require_ordered_numbers<T>();
    const Reduced to = detail::reduced(x.shape(), axes);
    for (index_t j = 0; j < fractions.size(); ++j) require_fraction(q[j]);
    IndexList extents = fractions.extents();
    for (const index_t extent : to.result) extents.push_back(extent);
    auto result = broadloom::empty<mean_t<T>>(Shape(extents));
    Tensor<T> lanes = detail::lanes_along(std::forward<X>(x), axes);
    const index_t count = to.result.size();
    detail::for_each_sorted(
        lanes, to.count, count, fractions.size() < 3, [&](auto&& lane, index_t i) {
            for (index_t j = 0; j < fractions.size(); ++j) {
                result.data()[j * count + i] = detail::interpolate<T>(lane, to.count, q[j]);
            }
        });
    return result;
}
template <class X, class Q>
auto quantiles_along(X&& x, Q&& q, const Axes& axes) {
    if constexpr (tensor_like<Q>) {
        const Tensor<double> fractions = broadloom::cast<double>(std::forward<Q>(q));
        return detail::quantiles_along(std::forward<X>(x), fractions.data(), fractions.shape(),
                                       axes);
    } else {
        const double fraction = static_cast<double>(q);
        return detail::quantiles_along(std::forward<X>(x), &fraction, Shape{}, axes);
    }
}

}  // namespace detail

/// A fraction of the elements or several: a real number, or a tensor of them.
template <class Q>
concept fraction_like = operand<Q> && kind<element_t<Q>> <= Kind::floating;

namespace detail {
/// Real numbers in a row.
template <class R>
concept real_range = !tensor_like<R> && iterable<R> && std::is_arithmetic_v<range_element_t<R>>;
}  // namespace detail

/// The middle value, of an even number of them the mean of the two in the middle.
template <tensor_like X>
auto median(X&& x) {
    return detail::median_along(std::forward<X>(x), keepdims).item();
}
template <tensor_like X>
auto median(X&& x, const Axes& axes) {
    return detail::median_along(std::forward<X>(x), axes);
}
template <tensor_like X>
auto median(X&& x, const Axes& axes, Keepdims) {
    return detail::median_along(std::forward<X>(x), axes.kept());
}

/// The value below which a fraction q of the elements lies, linear between neighbours. A tensor of
/// fractions puts its dimensions before those that are left. An infinite neighbour that has no part
/// in it does not make it NaN. Throws value_error for a fraction outside of [0, 1].
template <tensor_like X, fraction_like Q>
auto quantile(X&& x, Q&& q) {
    if constexpr (tensor_like<Q>) {
        const Shape shape = q.shape();
        return detail::quantiles_along(std::forward<X>(x), std::forward<Q>(q), keepdims)
            .reshape(shape.extents());
    } else {
        return detail::quantiles_along(std::forward<X>(x), q, keepdims).item();
    }
}
template <tensor_like X, fraction_like Q>
auto quantile(X&& x, Q&& q, const Axes& axes) {
    return detail::quantiles_along(std::forward<X>(x), std::forward<Q>(q), axes);
}
template <tensor_like X, fraction_like Q>
auto quantile(X&& x, Q&& q, const Axes& axes, Keepdims) {
    return detail::quantiles_along(std::forward<X>(x), std::forward<Q>(q), axes.kept());
}
/// The same for fractions in braces, or in a row such as a std::vector.
template <tensor_like X, detail::real_range Q = std::initializer_list<double>>
auto quantile(X&& x, const Q& q) {
    return broadloom::quantile(std::forward<X>(x), broadloom::from(q));
}
template <tensor_like X, detail::real_range Q = std::initializer_list<double>>
auto quantile(X&& x, const Q& q, const Axes& axes) {
    return broadloom::quantile(std::forward<X>(x), broadloom::from(q), axes);
}
template <tensor_like X, detail::real_range Q = std::initializer_list<double>>
auto quantile(X&& x, const Q& q, const Axes& axes, Keepdims) {
    return broadloom::quantile(std::forward<X>(x), broadloom::from(q), axes, keepdims);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_QUANTILE_HPP
