// Sorting many lanes: in networks, many at once, where they are short, and else each by itself.
// Threads share them.
#ifndef BROADLOOM_KERNEL_SORT_LANES_HPP
#define BROADLOOM_KERNEL_SORT_LANES_HPP

#include <cstdint>
#include <type_traits>

#include "broadloom/kernel/elementwise/formula.hpp"
#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/sort_lanes/first.hpp"
#include "broadloom/kernel/sort_lanes/network.hpp"
#include "broadloom/kernel/sort_lanes/nth.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/sort_lanes/sort_lane.hpp"

namespace broadloom::kernel {

/// Uninitialised room for `count` elements.
template <class E>
class Spare {
public:
    explicit Spare(index_t count) : buffer_(count, sizeof(E)) {}
    E* data() const { return static_cast<E*>(buffer_.memory()); }

private:
    Buffer buffer_;
};

/// Calls `f(first, last)` for lanes [0, count), `together` and more at a time, which threads may
/// share to sort them.
template <class F>
void share_lanes(index_t count, index_t length, index_t together, F&& f) {
    kernel::share_out(threads_for(count * length, heavy), count, f, together);
}

namespace detail {

/// A line of the cache, room for a network.
struct CacheLine {
    char bytes[64];
};

/// Calls `f` with std::bool_constant of the direction.
template <class F>
auto with_direction(bool falling, F&& f) {
    return falling ? f(std::true_type{}) : f(std::false_type{});
}

/// Sorts lanes that lie one after the other, each by itself.
template <class T>
void sort_each(T* lane, index_t count, index_t length, bool falling) {
    const Spare<T> room(length);
    detail::with_direction(falling, [&](auto direction) {
        for (; count > 0; --count, lane += length) {
            kernel::sort_lane<direction.value>(lane, room.data(), length);
        }
    });
}

/// Sorts lanes by a network, in place and by strides; few that are left over, and those with NaN
/// or negative zeros, each by itself.
template <class T>
class NetworkSorter {
public:
    NetworkSorter(index_t length, index_t stride, bool falling)
        : length_(length), stride_(stride), falling_(falling), lines_(length), lane_(2 * length) {}

    void sort(T* lanes, index_t count, index_t lane_stride) {
        for (; count >= together; count -= together, lanes += together * lane_stride) {
            sort_some(lanes, lane_stride);
        }
        // It does no harm to sort some again.
        if (3 * count >= together) sort_some(lanes - (together - count) * lane_stride, lane_stride);
        else sort_rest(lanes, count, lane_stride);
    }

private:
    static constexpr index_t together = lanes_at_once<T>;

    void sort_some(T* lanes, index_t lane_stride) {
        if (!kernel::sort_in_network(lanes, lane_stride, length_, stride_, falling_,
                                     lines_.data()->bytes))
            sort_rest(lanes, together, lane_stride);
    }
    void sort_rest(T* lanes, index_t count, index_t lane_stride) {
        detail::with_direction(falling_, [&](auto direction) {
            T* const lane = lane_.data();
            for (; count > 0; --count, lanes += lane_stride) {
                for (index_t i = 0; i < length_; ++i) lane[i] = lanes[i * stride_];
                kernel::sort_lane<direction.value>(lane, lane + length_, length_);
                for (index_t i = 0; i < length_; ++i) lanes[i * stride_] = lane[i];
            }
        });
    }

    index_t length_, stride_;
    bool falling_;
    Spare<CacheLine> lines_;
    Spare<T> lane_;
};

/// Up to this many of a lane are found by keeping the best, not by sorting.
inline constexpr index_t few_of_lane = 32;

/// Writes the first indices of lanes in order, by a network.
template <class T>
void order_by_network(const T* lanes, index_t count, index_t length, bool falling, index_t* to,
                      index_t kept) {
    const Spare<CacheLine> room(kernel::lines_to_order<T>(length));
    detail::with_direction(falling, [&](auto direction) {
        // The last ones may come again.
        constexpr index_t together = indexed_at_once;
        for (index_t i = 0; i < count; i += together) {
            const index_t first = i + together < count ? i : count - together;
            kernel::order_in_network<direction.value>(lanes + first * length, length,
                                                      to + first * kept, kept, room.data()->bytes);
        }
    });
}

/// The same lane by lane, by items with indices of type Int.
template <class Int, class T>
void order_each(const T* from, index_t count, index_t length, bool falling, index_t* to,
                index_t kept) {
    using Item = Indexed<T, Int>;
    const index_t gathered = kernel::gathered_for<T>(kept);
    const bool keeps = kept <= few_of_lane && kept < length, gathers = 2 * gathered <= length;
    const Spare<Item> room(keeps ? kept : 2 * (gathers ? gathered : length));
    detail::with_direction(falling, [&](auto direction) {
        Item* const items = room.data();
        for (; count > 0; --count, from += length) {
            if (keeps) {
                kernel::first_of_lane<direction.value>(items, kept, from, length);
            } else if (gathers) {
                kernel::sort_first_of_lane<direction.value>(items, kept, from, length);
            } else {
                for (index_t i = 0; i < length; ++i) items[i] = Item{from[i], static_cast<Int>(i)};
                kernel::sort_lane<direction.value>(items, items + length, length);
            }
            for (index_t i = 0; i < kept; ++i) *to++ = static_cast<index_t>(items[i].index);
        }
    });
}

}  // namespace detail

/// True for lanes of which `sort_lanes` takes many at once.
template <class T>
bool sorts_at_once([[maybe_unused]] index_t count, [[maybe_unused]] index_t length) {
    if constexpr (networked<T>) return kernel::suits_network<T>(count, length);
    else return false;
}

/// Sorts lanes that lie one after the other.
template <class T>
void sort_lanes(T* lanes, index_t count, index_t length, bool falling) {
    if constexpr (networked<T>) {
        if (kernel::suits_network<T>(count, length)) {
            kernel::share_lanes(count, length, lanes_at_once<T>, [&](index_t first, index_t last) {
                detail::NetworkSorter<T>(length, 1, falling)
                    .sort(lanes + first * length, last - first, length);
            });
            return;
        }
    }
    kernel::share_lanes(count, length, 1, [&](index_t first, index_t last) {
        detail::sort_each(lanes + first * length, last - first, length, falling);
    });
}

/// Sorts lanes that lie side by side, `inside` of them in every block: they suit a network.
template <networked T>
void sort_lanes_side_by_side(T* from, index_t blocks, index_t length, index_t inside,
                             bool falling) {
    // Whole blocks at a time, or some lanes of the only one.
    kernel::share_lanes(
        blocks * inside, length, blocks > 1 ? inside : lanes_at_once<T>,
        [&](index_t first, index_t last) {
            detail::NetworkSorter<T> sorter(length, inside, falling);
            for (index_t some; first < last; first += some) {
                some = last - first < inside ? last - first : inside;
                sorter.sort(from + first / inside * length * inside + first % inside, some, 1);
            }
        });
}

/// Writes the indices of the first `kept` elements of lanes, in order; lanes lie one after the
/// other.
template <class T>
void order_lanes(const T* from, index_t count, index_t length, bool falling, index_t* to,
                 index_t kept) {
    if constexpr (keyed<T>) {
        constexpr index_t rare = sizeof(T) > 4 ? 5 : 10;  // one in so many, most of them seen early
        const bool cached = length * index_t{sizeof(T)} <= 1024;
        const bool many =
            kept == length || kept > detail::few_of_lane || (cached && kept * rare > length);
        if (many && kernel::suits_network_with_indices<T>(count, length)) {
            kernel::share_lanes(count, length, indexed_at_once, [&](index_t first, index_t last) {
                detail::order_by_network(from + first * length, last - first, length, falling,
                                         to + first * kept, kept);
            });
            return;
        }
    }
    kernel::share_lanes(count, length, 1, [&](index_t first, index_t last) {
        // Narrow indices make narrow items, which move faster.
        const auto order = static_cast<std::uint64_t>(length) >> 32 == 0
                               ? detail::order_each<std::uint32_t, T>
                               : detail::order_each<index_t, T>;
        order(from + first * length, last - first, length, falling, to + first * kept, kept);
    });
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_HPP
