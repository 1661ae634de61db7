// Into which bin a value falls, and how many fall into each: searchsorted, bincount, histogram.
// The order is that of sort, NaN last; values and results are NumPy's.
#ifndef BROADLOOM_OPERATIONS_HISTOGRAM_HPP
#define BROADLOOM_OPERATIONS_HISTOGRAM_HPP

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

#include "broadloom/kernel/search.hpp"
#include "broadloom/kernel/widen_range.hpp"
#include "broadloom/operations/mask.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"

namespace broadloom {

/// What `histogram` finds: how many values lie in each bin, and the edges between the bins.
struct Histogram {
    Tensor<index_t> counts;
    Tensor<double> edges;
};

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_not_a_line(const char* what, const Shape& shape) {
    throw shape_error(Sentence() << what << " must have one dimension, not shape " << shape);
}
[[noreturn]] BROADLOOM_COLD inline void throw_bins(const Sentence& why) {
    throw value_error(Sentence() << "histogram: " << why);
}

/// Counts into bins between rising edges; the last bin holds its right edge too.
template <class X>
Histogram count_between(const X& x, Tensor<double>&& edges) {
    const index_t bins = edges.size() - 1;
    const double* edge = edges.data();
    Tensor<index_t> counts = zeros<index_t>({bins});
    const Elements values(x, x.shape());
    constexpr index_t block = 256;
    double value[block];
    index_t place[block];
    for (index_t i = 0; i < x.size(); i += block) {
        const index_t size = x.size() - i < block ? x.size() - i : block;
        for (index_t k = 0; k < size; ++k) value[k] = static_cast<double>(values.data()[i + k]);
        kernel::find_places<true>(edge, bins, value, size, place);
        for (index_t k = 0; k < size; ++k) {
            if (value[k] >= edge[0] && value[k] <= edge[bins]) ++counts.data()[place[k] - 1];
        }
    }
    return {std::move(counts), std::move(edges)};
}

/// The same for edges that are evenly spaced: the bin is computed, then set right by its edges,
/// which are floats where the values are.
template <class X>
Histogram count_evenly(const X& x, double low, double high, index_t bins) {
    if (bins < 1 || bins == largest_index) {
        throw_bins("there must be at least one bin, and no more than can be counted");
    }
    if (!(low <= high) || high - low > std::numeric_limits<double>::max()) {
        throw_bins("a range must be finite and must not fall");
    }
    if (low == high) {
        low -= 0.5;
        high += 0.5;
        if (low == high) throw_bins("values this large leave no room for bins around them");
    }
    Tensor<double> edges = linspace(low, high, bins + 1);
    if constexpr (std::is_same_v<typename X::value_type, float>) edges = cast<float>(edges);
    const double* edge = edges.data();
    const double width = high - low, count = static_cast<double>(bins), last = count - 1;
    Tensor<index_t> counts = zeros<index_t>({bins});
    index_t* const found = counts.data();
    const Elements values(x, x.shape());
    constexpr index_t block = 256;
    double value[block] = {}, place[block];
    for (index_t i = 0; i < x.size(); i += block) {
        const index_t size = x.size() - i < block ? x.size() - i : block;
        for (index_t k = 0; k < size; ++k) value[k] = static_cast<double>(values.data()[i + k]);
        // Whole blocks, which become vector code.
        for (index_t k = 0; k < block; ++k) {
            const double at = (value[k] - low) / width * count, capped = at < last ? at : last;
            place[k] = at > 0 ? capped : 0;
        }
        for (index_t k = 0; k < size; ++k) {
            index_t bin = static_cast<index_t>(place[k]);
            bin -= index_t{bin > 0} & index_t{value[k] < edge[bin]};
            bin += index_t{bin < bins - 1} & index_t{value[k] >= edge[bin + 1]};
            found[bin] += index_t{value[k] >= edge[0]} & index_t{value[k] <= edge[bins]};
        }
    }
    return {std::move(counts), std::move(edges)};
}

/// How many bins integers need, at least `length`. Throws value_error for a negative one.
template <class Int>
index_t bins_for(const Int* values, index_t count, index_t length) {
    if (length < 0) throw value_error("bincount cannot have a negative length");
    if (count == 0) return length;
    Int least = 0, most = 0;
    kernel::widen_range(values, count, least, most);
    if (least < 0) {
        throw value_error(Sentence() << "bincount counts no negative integers: "
                                     << static_cast<std::int64_t>(least));
    }
    constexpr auto limit = static_cast<std::uint64_t>(largest_index);
    if (static_cast<std::uint64_t>(most) >= limit) {
        throw value_error("bincount would need more bins than can be counted");
    }
    const index_t needed = static_cast<index_t>(most) + 1;
    return needed > length ? needed : length;
}

/// An operand of integers, or of truth values, which count as 0 and 1.
template <class X>
concept countable = index_like<X> || (tensor_like<X> && std::same_as<element_t<X>, bool>);
template <class X>
using counted_t = std::conditional_t<std::same_as<element_t<X>, bool>, unsigned char, element_t<X>>;

/// An operand of real numbers.
template <class X>
concept real_like = tensor_like<X> && std::is_arithmetic_v<element_t<X>>;

}  // namespace detail

/// For each value, how many elements of a sorted vector are smaller, so that it can stand there;
/// with `right`, how many are smaller or equal. Throws shape_error unless `sorted` has rank 1.
template <class S, class V>
    requires(tensor_like<S> && tensor_like<V>)
[[nodiscard]] Tensor<index_t> searchsorted(S&& sorted, V&& values, bool right = false) {
    const auto line = detail::in_memory(std::forward<S>(sorted));
    const auto wanted = detail::in_memory(std::forward<V>(values));
    if (line.rank() != 1) detail::throw_not_a_line("what searchsorted searches", line.shape());
    const detail::Elements edges(line, line.shape());
    const detail::Elements order(wanted, wanted.shape());
    Tensor<index_t> places = broadloom::empty<index_t>(wanted.shape());
    const auto find = right ? kernel::find_places<true, element_t<S>, element_t<V>>
                            : kernel::find_places<false, element_t<S>, element_t<V>>;
    find(edges.data(), line.size(), order.data(), places.size(), places.data());
    return places;
}
/// The same for one number.
template <class S, class V>
    requires(tensor_like<S> && scalar_beside<V, S>)
[[nodiscard]] index_t searchsorted(S&& sorted, const V& value, bool right = false) {
    return broadloom::searchsorted(
               std::forward<S>(sorted),
               TensorView<const V>(__builtin_addressof(value), Shape{}, Strides{}), right)
        .item();
}

/// The same for numbers in braces, of the vector's type.
template <tensor_like S>
[[nodiscard]] Tensor<index_t> searchsorted(
    S&& sorted, std::initializer_list<std::type_identity_t<element_t<S>>> values,
    bool right = false) {
    return broadloom::searchsorted(std::forward<S>(sorted), broadloom::view_of(values), right);
}

/// How often each of 0, 1, 2, ... occurs among integers, or truth values, of any shape; the result
/// has at least `length` elements. Throws value_error for a negative one.
template <class X>
    requires detail::countable<X>
[[nodiscard]] Tensor<index_t> bincount(X&& x, Integer length = 0) {
    const auto values = detail::in_memory<detail::counted_t<X>>(std::forward<X>(x));
    const detail::Elements order(values, values.shape());
    Tensor<index_t> counts =
        broadloom::zeros<index_t>({detail::bins_for(order.data(), values.size(), length)});
    for (index_t i = 0; i < values.size(); ++i) {
        ++counts.data()[static_cast<index_t>(order.data()[i])];
    }
    return counts;
}
/// The sums of the weights of each of 0, 1, 2, ..., in double. Throws shape_error unless there is
/// one weight for each integer.
template <class X, class W>
    requires(detail::countable<X> && detail::real_like<W>)
[[nodiscard]] Tensor<double> bincount(X&& x, W&& weights, Integer length = 0) {
    const auto values = detail::in_memory<detail::counted_t<X>>(std::forward<X>(x));
    const auto heavy = detail::in_memory(std::forward<W>(weights));
    if (heavy.shape() != values.shape()) {
        throw shape_error(detail::Sentence() << "bincount needs a weight for each element of shape "
                                             << values.shape() << ", not " << heavy.shape());
    }
    const detail::Elements order(values, values.shape());
    const detail::Elements weight(heavy, heavy.shape());
    Tensor<double> sums =
        broadloom::zeros<double>({detail::bins_for(order.data(), values.size(), length)});
    for (index_t i = 0; i < values.size(); ++i) {
        sums.data()[static_cast<index_t>(order.data()[i])] += static_cast<double>(weight.data()[i]);
    }
    return sums;
}

/// The same for integers in a row, such as a std::vector, or in braces.
template <integer_range R = detail::InBraces, class... More>
[[nodiscard]] auto bincount(const R& row, More&&... more) {
    return broadloom::bincount(broadloom::from(row), std::forward<More>(more)...);
}

/// How many values lie in each of `bins` bins of equal width from `low` to `high`. A bin holds
/// its left edge, and the last one its right edge too; other values and NaN count nowhere.
/// Throws value_error for a range that is not finite or falls.
template <class X>
    requires detail::real_like<X>
[[nodiscard]] Histogram histogram(X&& x, Integer bins, double low, double high) {
    return detail::count_evenly(detail::in_memory(std::forward<X>(x)), low, high, bins);
}
/// The same with the range as a pair, as in `histogram(x, 10, {0, 1})`.
template <class X>
    requires detail::real_like<X>
[[nodiscard]] Histogram histogram(X&& x, Integer bins, const std::pair<double, double>& range) {
    return broadloom::histogram(std::forward<X>(x), bins, range.first, range.second);
}
/// The same from the least to the greatest value, or of nothing from 0 to 1.
template <class X>
    requires detail::real_like<X>
[[nodiscard]] Histogram histogram(X&& x, Integer bins = 10) {
    const auto values = detail::in_memory(std::forward<X>(x));
    const bool any = values.size() > 0;
    const double low = any ? static_cast<double>(broadloom::min(values)) : 0;
    const double high = any ? static_cast<double>(broadloom::max(values)) : 1;
    return detail::count_evenly(values, low, high, bins);
}
/// The same between given edges. Throws value_error where they fall, shape_error unless they have
/// rank 1.
template <class X, class E>
    requires(detail::real_like<X> && detail::real_like<E>)
[[nodiscard]] Histogram histogram(X&& x, E&& edges) {
    // Looked at, not taken over: they may be refused.
    Tensor<double> line(broadloom::cast<double>(detail::in_memory(std::forward<E>(edges))));
    if (line.rank() != 1) detail::throw_not_a_line("the edges of a histogram", line.shape());
    if (line.size() < 2) detail::throw_bins("a bin needs two edges");
    for (index_t i = 1; i < line.size(); ++i) {
        if (!(line.data()[i - 1] <= line.data()[i])) detail::throw_bins("edges must not fall");
    }
    return detail::count_between(detail::in_memory(std::forward<X>(x)), std::move(line));
}
template <class X>
    requires detail::real_like<X>
[[nodiscard]] Histogram histogram(X&& x, std::initializer_list<double> edges) {
    return broadloom::histogram(std::forward<X>(x), view_of(edges));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_HISTOGRAM_HPP
