// Counting turns of loops: where some of them stand, and how a number of turns is parted.
#ifndef BROADLOOM_KERNEL_FOLD_ODOMETER_HPP
#define BROADLOOM_KERNEL_FOLD_ODOMETER_HPP

#include <cstdint>

#include "broadloom/core/shape.hpp"

namespace broadloom::kernel {

/// Some loops of a plan, outermost first, and where they stand.
struct Odometer {
    int count = 0;
    int loops[max_rank];
    index_t index[max_rank];

    void add(int loop) {
        index[count] = 0;
        loops[count++] = loop;
    }
};

namespace detail {

/// a / b, neither negative. Numbers of half a word divide three times as fast.
inline index_t quotient(index_t a, index_t b) {
    const auto n = static_cast<std::uint64_t>(a), d = static_cast<std::uint64_t>(b);
    if ((n | d) >> 32 == 0) {
        return static_cast<index_t>(static_cast<std::uint32_t>(n) / static_cast<std::uint32_t>(d));
    }
    return a / b;
}

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_ODOMETER_HPP
