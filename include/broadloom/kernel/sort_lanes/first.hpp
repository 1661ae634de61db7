// The first few of a lane, in order, without sorting the rest: what comes after all that are kept
// is passed over in blocks.
#ifndef BROADLOOM_KERNEL_SORT_LANES_FIRST_HPP
#define BROADLOOM_KERNEL_SORT_LANES_FIRST_HPP

#include <limits>

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/sort_lanes/sort_lane.hpp"

namespace broadloom::kernel {
namespace detail {

/// The beginning of the first whole block, from `from` on, that has a value below `low` or above
/// `high`; of what is left at the end if none has.
template <class T>
struct FindOutside {
    static constexpr index_t block = 128 / static_cast<index_t>(sizeof(T));

    template <class Isa>
    BROADLOOM_KERNEL static index_t run(const T* lane, index_t from, index_t count, T low, T high) {
        using U = broadloom::detail::unsigned_of<sizeof(T)>;
        BROADLOOM_ROLLED
        for (; from + block <= count; from += block) {
            U outside = 0;
            BROADLOOM_VECTORISED
            for (index_t l = 0; l < block; ++l) {
                const T x = lane[from + l];
                outside |= static_cast<U>((x < low) | (x > high));
            }
            if (outside != 0) break;
        }
        return from;
    }
};

/// Blocks of a lane that are worth a look.
template <bool Falling, class T>
class Ahead {
public:
    Ahead(const T* lane, index_t count) : lane_(lane), count_(count) {}

    /// Moves `i` on to the next block in which a value may come before `bar`; its end.
    index_t next(index_t& i, const T& bar) const {
        if constexpr (keyed<T>) {
            using Limits = std::numeric_limits<T>;
            // Nothing lies outside of these, and NaN never does.
            constexpr T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
            constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
            if (bar == bar)
                i = find_(lane_, i, count_, Falling ? least : bar, Falling ? bar : most);
        }
        return count_ - i < block ? count_ : i + block;
    }

    static constexpr index_t block = [] {
        if constexpr (keyed<T>) return FindOutside<T>::block;
        else return index_t{16};
    }();

private:
    using Find = index_t(const T*, index_t, index_t, T, T);
    static Find* finder() {
        if constexpr (keyed<T>) return strict<FindOutside<T>, Find>();
        else return nullptr;
    }

    const T* lane_;
    index_t count_;
    Find* find_ = finder();
};

}  // namespace detail

/// Fills `best` with the first k of a lane, in order, and returns how many there are: the fewer of
/// k and count. For small k; the work grows with how often a value enters.
template <bool Falling, class E>
index_t first_of_lane(E* best, index_t k, const detail::ValueOf<E>* lane, index_t count) {
    const detail::Ahead<Falling, detail::ValueOf<E>> ahead(lane, count);
    index_t filled = 0;
    for (index_t i = 0; i < count;) {
        const index_t end = filled < k ? i + 1 : ahead.next(i, best[k - 1].value);
        for (; i < end; ++i) {
            if (filled == k && !kernel::precedes<Falling>(lane[i], best[k - 1].value)) continue;
            index_t j = filled < k ? filled++ : k - 1;
            for (; j > 0 && kernel::precedes<Falling>(lane[i], best[j - 1].value); --j)
                best[j] = best[j - 1];
            best[j] = E{lane[i], static_cast<decltype(E::index)>(i)};
        }
    }
    return filled;
}

/// How many items `sort_first_of_lane` brings together, of which it keeps k.
template <class T>
constexpr index_t gathered_for(index_t k) {
    return 4 * k + 8 * detail::Ahead<false, T>::block;
}

/// The same for any k: what comes before the last of those kept is brought together until there is
/// no room, and sorted. `items` has twice as much room as `gathered_for` says.
template <bool Falling, class E>
void sort_first_of_lane(E* items, index_t k, const detail::ValueOf<E>* lane, index_t count) {
    using T = detail::ValueOf<E>;
    using Int = decltype(E::index);
    const index_t room = kernel::gathered_for<T>(k);
    const detail::Ahead<Falling, T> ahead(lane, count);
    index_t filled = 0, i = 0;
    for (; i < count && i < room; ++i) items[filled++] = E{lane[i], static_cast<Int>(i)};
    for (;;) {
        // Of equal values the first one stays before those that came later.
        kernel::sort_lane<Falling>(items, items + room, filled);
        if (i == count) return;
        const T bar = items[k - 1].value;
        for (filled = k; i < count && filled + ahead.block <= room;) {
            for (const index_t end = ahead.next(i, bar); i < end; ++i) {
                items[filled] = E{lane[i], static_cast<Int>(i)};
                filled += index_t{kernel::precedes<Falling>(lane[i], bar)};
            }
        }
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_FIRST_HPP
