// The different values of a tensor: unique, and unique_all, which also tells where they are. In
// the order of sort; all NaN are one value, and so are 0 and -0.
#ifndef BROADLOOM_OPERATIONS_UNIQUE_HPP
#define BROADLOOM_OPERATIONS_UNIQUE_HPP

#include <concepts>
#include <cstdint>

#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/kernel/sort_lanes/order.hpp"
#include "broadloom/kernel/widen_range.hpp"
#include "broadloom/operations/gather.hpp"
#include "broadloom/operations/sort.hpp"

namespace broadloom {

/// What `unique_all` finds: the different values, in order; the index of the first of each among
/// all elements in row-major order; for each element, in its place, which of the values it is;
/// and how often each occurs.
template <class T>
struct Unique {
    Tensor<T> values;
    Tensor<index_t> indices;
    Tensor<index_t> inverse;
    Tensor<index_t> counts;
};

namespace detail {

/// True where a new value begins: b follows a in order.
template <class T>
bool differs(const T& a, const T& b) {
    if constexpr (kind<T> == Kind::floating || kind<T> == Kind::complex) {
        if (a != a) return false;
    }
    return kernel::precedes<false>(a, b);
}

/// All elements side by side: a tensor about to die may have any strides.
template <class X>
auto in_a_line(X&& x) {
    Tensor<element_t<X>> line = Tensor<element_t<X>>(std::forward<X>(x)).flatten();
    return line.is_contiguous() ? std::move(line) : line.copy();
}

/// The different ones of integers that lie close together: each is marked, and none is moved. False
/// for any others.
template <std::integral T>
bool mark_values(const Tensor<T>& line, Tensor<T>& values) {
    const T* from = line.data();
    const index_t size = line.size();
    if (size == 0) return false;
    T low = *from, high = *from;
    kernel::widen_range(from, size, low, high);
    // Modulo 2^64 differences of signed integers are right, too.
    const auto above = [&](T x) {
        return static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(low);
    };
    if (above(high) / 4 >= static_cast<std::uint64_t>(size)) return false;
    kernel::HeapArray<bool> seen(static_cast<std::size_t>(above(high)) + 1);
    for (bool& mark : seen) mark = false;
    for (index_t i = 0; i < size; ++i) seen[static_cast<std::size_t>(above(from[i]))] = true;
    index_t count = 0;
    for (const bool mark : seen) count += mark;
    values = broadloom::empty<T>({count});
    T* to = values.data();
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen[i]) *to++ = static_cast<T>(static_cast<std::uint64_t>(low) + i);
    }
    return true;
}

}  // namespace detail

/// The different values, in order, as a tensor of rank 1.
template <class X>
    requires tensor_like<X>
[[nodiscard]] Tensor<element_t<X>> unique(X&& x) {
    using T = element_t<X>;
    Tensor<T> line = detail::in_a_line(std::forward<X>(x));
    if constexpr (standard_integral<T>) {
        if (Tensor<T> values; detail::mark_values(line, values)) return values;
    }
    // Every pair is asked once: an order of the user's own may not answer alike.
    Tensor<T> sorted = broadloom::sort(std::move(line));
    T* const from = sorted.data();
    const index_t size = sorted.size();
    index_t count = 0;
    for (index_t i = 0; i < size; ++i) {
        if (i == 0 || detail::differs(from[i - 1], from[i])) from[count++] = from[i];
    }
    Tensor<T> values = broadloom::empty<T>({count});
    T* const to = values.data();
    for (index_t i = 0; i < count; ++i) to[i] = from[i];
    return values;
}

/// The different values, in order, with where they are and how often.
template <class X>
    requires tensor_like<X>
[[nodiscard]] Unique<element_t<X>> unique_all(X&& x) {
    using T = element_t<X>;
    const Shape shape = x.shape();
    const Tensor<T> line = detail::in_a_line(std::forward<X>(x));
    Tensor<index_t> order = broadloom::argsort(line);
    const T* from = line.data();
    index_t* at = order.data();
    const index_t size = line.size();
    // The complement of an index marks where a value begins: every pair is asked once.
    index_t count = 0, before = 0;
    for (index_t i = 0; i < size; ++i) {
        const index_t here = at[i];
        if (i == 0 || detail::differs(from[before], from[here])) {
            at[i] = ~here;
            ++count;
        }
        before = here;
    }
    Unique<T> found{broadloom::empty<T>({count}), empty<index_t>({count}), empty<index_t>(shape),
                    empty<index_t>({count})};
    index_t value = -1;
    for (index_t i = 0; i < size; ++i) {
        const bool begins = at[i] < 0;
        const index_t here = begins ? ~at[i] : at[i];
        if (begins) {
            ++value;
            found.values.data()[value] = from[here];
            found.indices.data()[value] = here;
            found.counts.data()[value] = 0;
        }
        ++found.counts.data()[value];
        found.inverse.data()[here] = value;
    }
    return found;
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_UNIQUE_HPP
