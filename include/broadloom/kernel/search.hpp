// Where values stand in a sorted run, by halving.
#ifndef BROADLOOM_KERNEL_SEARCH_HPP
#define BROADLOOM_KERNEL_SEARCH_HPP

#include <concepts>

#include "broadloom/kernel/sort_lanes/order.hpp"
#include "broadloom/scalar/comparison.hpp"

namespace broadloom::kernel {
namespace detail {

/// True if a comes before b, whatever their types.
template <class A, class B>
bool comes_before(const A& a, const B& b) {
    if constexpr (std::integral<A> && std::integral<B>) {
        return scalar::less{}(a, b);
    } else {
        using T = promote_t<A, B>;
        return kernel::precedes<false>(scalar::convert<T>(a), scalar::convert<T>(b));
    }
}

}  // namespace detail

/// The first places of a sorted run at which values can stand, or the last ones. The steps of a
/// search depend on one another: several searches go side by side, and none of them branches.
template <bool Last, class A, class B>
void find_places(const A* sorted, index_t count, const B* values, index_t size, index_t* places) {
    constexpr index_t together = 8;
    const auto is_behind = [&](index_t at, const B& value) {
        return index_t{Last ? !detail::comes_before(value, sorted[at])
                            : detail::comes_before(sorted[at], value)};
    };
    for (index_t i = 0; i < size; i += together) {
        const index_t n = size - i < together ? size - i : together;
        index_t* const at = places + i;
        for (index_t k = 0; k < n; ++k) at[k] = 0;
        // A value stands in `left` elements from `at` on, or behind them.
        index_t left = count;
        for (; left > 1; left -= left / 2) {
            BROADLOOM_ROLLED
            for (index_t k = 0; k < n; ++k) {
                index_t behind = is_behind(at[k] + left / 2 - 1, values[i + k]);
                BROADLOOM_NO_JUMP(behind);
                at[k] += left / 2 * behind;
            }
        }
        if (left == 1) {
            BROADLOOM_ROLLED
            for (index_t k = 0; k < n; ++k) at[k] += is_behind(at[k], values[i + k]);
        }
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SEARCH_HPP
