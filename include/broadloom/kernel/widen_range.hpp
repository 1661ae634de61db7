// From which integer to which some of them reach.
#ifndef BROADLOOM_KERNEL_WIDEN_RANGE_HPP
#define BROADLOOM_KERNEL_WIDEN_RANGE_HPP

#include <type_traits>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

namespace broadloom::kernel {
namespace detail {

template <class Int>
struct WidenRange {
    template <class Isa>
    BROADLOOM_KERNEL static void run(const Int* values, index_t count, Int* least, Int* most) {
        Int low = *least, high = *most;
        for (index_t i = 0; i < count; ++i) {
            low = values[i] < low ? values[i] : low;
            high = values[i] > high ? values[i] : high;
        }
        *least = low;
        *most = high;
    }
};

}  // namespace detail

/// Widens the range from `least` to `most` until it holds all of some integers.
template <class Int>
    requires std::is_integral_v<Int>
void widen_range(const Int* values, index_t count, Int& least, Int& most) {
    strict<detail::WidenRange<Int>, void(const Int*, index_t, Int*, Int*)>()(values, count, &least,
                                                                             &most);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_WIDEN_RANGE_HPP
