// Sorting one lane in memory, stably. Numbers of up to eight bytes are ranked in short lanes, and
// sorted by digits in longer ones; all else is merged.
#ifndef BROADLOOM_KERNEL_SORT_LANES_SORT_LANE_HPP
#define BROADLOOM_KERNEL_SORT_LANES_SORT_LANE_HPP

#include <cstring>
#include <type_traits>

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/sort_lanes/digits.hpp"

namespace broadloom::kernel {

namespace detail {

/// Gives every item of a short lane its place: how many come before it. As many comparisons as
/// there are pairs, but whole vectors of them, and nothing to guess.
template <class S>
struct RankKeys {
    static constexpr index_t block = 64 / static_cast<index_t>(sizeof(S));

    /// `keys` and `ranks` have room for whole blocks; ranks begin at 0.
    template <class Isa>
    BROADLOOM_KERNEL static void run(const S* __restrict keys, S* __restrict ranks, index_t count) {
        BROADLOOM_ROLLED
        for (index_t j = 0; j < count; ++j) {
            const S key = keys[j];
            const index_t own = j / block * block;
            const S place = static_cast<S>(j - own);
            index_t i = 0;
            BROADLOOM_ROLLED
            for (; i < own; i += block) {
                for (index_t l = 0; l < block; ++l) {
                    ranks[i + l] = static_cast<S>(ranks[i + l] + (key < keys[i + l]));
                }
            }
            // Of equal keys the first one comes first.
            for (index_t l = 0; l < block; ++l) {
                const bool first =
                    (key < keys[i + l]) | ((key == keys[i + l]) & (place < static_cast<S>(l)));
                ranks[i + l] = static_cast<S>(ranks[i + l] + first);
            }
            BROADLOOM_ROLLED
            for (i += block; i < count; i += block) {
                for (index_t l = 0; l < block; ++l) {
                    ranks[i + l] = static_cast<S>(ranks[i + l] + (key <= keys[i + l]));
                }
            }
        }
    }
};

/// The lengths of lanes that are sorted so, and of what is merged if it is not.
inline constexpr index_t least_ranks = 7, longest_ranked = 128, most_merged = 63;
template <class T>
index_t most_ranks() {
    return isa() == 0 && sizeof(T) == 8 ? 15 : sizeof(T) == 4 ? longest_ranked : most_merged;
}

template <bool Falling, class E>
void rank_sort(E* lane, E* room, index_t count) {
    using U = decltype(kernel::order_key<Falling>(detail::value_of(*lane)));
    using S = std::make_signed_t<U>;
    using Rank = RankKeys<S>;
    constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    alignas(64) S keys[longest_ranked], ranks[longest_ranked];
    const index_t whole = (count + Rank::block - 1) / Rank::block * Rank::block;
    for (index_t i = whole - Rank::block; i < whole; ++i) keys[i] = 0;
    for (index_t i = 0; i < whole; ++i) ranks[i] = 0;
    for (index_t i = 0; i < count; ++i) {
        keys[i] = static_cast<S>(kernel::order_key<Falling>(detail::value_of(lane[i])) ^ top);
        room[i] = lane[i];
    }
    strict<Rank, void(const S*, S*, index_t)>()(keys, ranks, count);
    for (index_t i = 0; i < count; ++i) lane[static_cast<index_t>(ranks[i])] = room[i];
}

/// Runs of 16 by insertion, then merged pair by pair, back and forth between lane and room.
template <bool Falling, class E>
void merge_sort(E* lane, E* room, index_t count) {
    constexpr index_t run = 16;
    for (index_t start = 0; start < count; start += run) {
        const index_t end = start + run < count ? start + run : count;
        for (index_t i = start + 1; i < end; ++i) {
            const E item = lane[i];
            index_t j = i;
            for (; j > start &&
                   kernel::precedes<Falling>(detail::value_of(item), detail::value_of(lane[j - 1]));
                 --j) {
                lane[j] = lane[j - 1];
            }
            lane[j] = item;
        }
    }
    E *from = lane, *to = room;
    for (index_t width = run; width < count; width *= 2) {
        for (index_t start = 0; start < count; start += 2 * width) {
            const index_t middle = start + width < count ? start + width : count;
            const index_t end = middle + width < count ? middle + width : count;
            index_t i = start, j = middle, at = start;
            while (i < middle && j < end) {
                const bool right =
                    kernel::precedes<Falling>(detail::value_of(from[j]), detail::value_of(from[i]));
                to[at++] = right ? from[j] : from[i];
                j += right;
                i += !right;
            }
            while (i < middle) to[at++] = from[i++];
            while (j < end) to[at++] = from[j++];
        }
        E* const swap = from;
        from = to;
        to = swap;
    }
    if (from != lane) std::memcpy(lane, from, static_cast<std::size_t>(count) * sizeof(E));
}

}  // namespace detail

/// Sorts a lane of values, or of Indexed values, with room for as many more.
template <bool Falling, class E>
void sort_lane(E* lane, E* room, index_t count) {
    using T = detail::ValueOf<E>;
    index_t sorted = 1;
    while (sorted < count && !kernel::precedes<Falling>(detail::value_of(lane[sorted]),
                                                        detail::value_of(lane[sorted - 1]))) {
        ++sorted;
    }
    if (sorted >= count) return;
    if constexpr (keyed<T>) {
        if (count >= detail::least_ranks && count <= detail::most_ranks<T>()) {
            return detail::rank_sort<Falling>(lane, room, count);
        }
        if (count > detail::most_merged) {
            // Of four bytes a very long lane makes many positions, which cost more than they tell.
            if (sizeof(T) == 4 && count > 65536) detail::radix_sort<Falling>(lane, room, count);
            else if (count < 4096) detail::sort_by_digits<Falling, 8>(lane, room, count);
            else detail::sort_by_digits<Falling, 11>(lane, room, count);
            return;
        }
    }
    detail::merge_sort<Falling>(lane, room, count);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_SORT_LANE_HPP
