// What a sorted lane would have at some places, without sorting it.
#ifndef BROADLOOM_KERNEL_NTH_HPP
#define BROADLOOM_KERNEL_NTH_HPP

#include <bit>

#include "broadloom/kernel/order.hpp"

namespace broadloom::kernel {

/// The value that a sorted lane would have at place k, in linear time: of the keys' bits, from the
/// first in which any two differ, eight by eight, only those that the place falls among are looked
/// at further. `room` is for as many values.
template <keyed T>
T select_of_lane(const T* lane, T* room, index_t count, index_t k) {
    using Key = decltype(order_key<false>(*lane));
    Key differ = 0;
    for (index_t i = 1; i < count; ++i) {
        differ = static_cast<Key>(differ | (order_key<false>(lane[i]) ^ order_key<false>(*lane)));
    }
    const T* from = lane;
    for (int shift = static_cast<int>(std::bit_width(differ));;) {
        shift = shift > 8 ? shift - 8 : 0;
        const auto digit = [shift](T x) {
            return static_cast<std::size_t>(order_key<false>(x) >> shift) & 255;
        };
        index_t counts[256] = {};
        for (index_t i = 0; i < count; ++i) ++counts[digit(from[i])];
        std::size_t chosen = 0;
        for (; k >= counts[chosen]; ++chosen) k -= counts[chosen];
        if (counts[chosen] < count) {
            index_t kept = 0;
            for (index_t i = 0; i < count; ++i) {
                const T x = from[i];
                room[kept] = x;
                kept += digit(x) == chosen;
            }
            from = room;
            count = kept;
        }
        if (shift == 0 || count == 1) return from[k];
    }
}

/// The value that a sorted lane would have at place k + 1, given the one at place k.
template <keyed T>
T next_of_lane(const T* lane, index_t count, index_t k, T at_k) {
    const auto key = order_key<false>(at_k);
    auto least = static_cast<decltype(order_key<false>(at_k))>(-1);
    index_t not_after = 0, where = 0;
    for (index_t i = 0; i < count; ++i) {
        const auto other = order_key<false>(lane[i]);
        not_after += other <= key;
        if (other > key && other <= least) {
            least = other;
            where = i;
        }
    }
    return not_after > k + 1 ? at_k : lane[where];
}

/// Fills `best` with the first k of a lane, in order, and returns how many there are: the fewer of
/// k and count. For small k; the work grows with how often a value enters.
template <bool Falling, class E>
index_t first_of_lane(E* best, index_t k, const detail::ValueOf<E>* lane, index_t count) {
    index_t filled = 0;
    for (index_t i = 0; i < count; ++i) {
        if (filled == k && !precedes<Falling>(lane[i], best[k - 1].value)) continue;
        index_t j = filled < k ? filled++ : k - 1;
        for (; j > 0 && precedes<Falling>(lane[i], best[j - 1].value); --j) best[j] = best[j - 1];
        best[j] = E{lane[i], static_cast<decltype(E::index)>(i)};
    }
    return filled;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_NTH_HPP
