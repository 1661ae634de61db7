// What a sorted lane would have at some places, without sorting it.
#ifndef BROADLOOM_KERNEL_SORT_LANES_NTH_HPP
#define BROADLOOM_KERNEL_SORT_LANES_NTH_HPP

#include <bit>
#include <cstdint>
#include <limits>

#include "broadloom/kernel/sort_lanes/order.hpp"

namespace broadloom::kernel {

/// The value that a sorted lane would have at place k, in linear time: of the keys' bits, from the
/// first in which any two differ, eight by eight, only those that the place falls among are looked
/// at further. `room` is for as many values.
template <keyed T>
T select_of_lane(const T* lane, T* room, index_t count, index_t k) {
    using Key = decltype(kernel::order_key<false>(*lane));
    Key differ = 0;
    for (index_t i = 1; i < count; ++i) {
        differ = static_cast<Key>(
            differ | (kernel::order_key<false>(lane[i]) ^ kernel::order_key<false>(*lane)));
    }
    const T* from = lane;
    for (int shift = static_cast<int>(std::bit_width(differ));;) {
        shift = shift > 8 ? shift - 8 : 0;
        const auto digit = [shift](T x) {
            return static_cast<std::size_t>(kernel::order_key<false>(x) >> shift) & 255;
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

/// Values of a lane that would be neighbours if it were sorted.
struct Neighbours {
    index_t before = 0, count = 0;  // how many come before them, and how many they are

    bool hold(index_t k) const { return k >= before && k < before + count; }
};

/// Collects in `room`, as large as the lane, the values around place k of 512 or more: what lies
/// between two of a sample (R. W. Floyd, R. L. Rivest, "Expected time bounds for selection", 1975),
/// a seventh of the lane as a rule. They may miss the place, if seldom.
template <keyed T>
Neighbours neighbours_in_lane(const T* lane, T* room, index_t count, index_t k) {
    using Limits = std::numeric_limits<T>;
    constexpr index_t sampled = 512;
    constexpr index_t margin = 36;  // three times as far as places in the sample scatter
    T sample[sampled], spare[sampled];
    // One of each piece, scattered by the golden ratio: values may come in periods.
    const index_t piece = count / sampled;
    for (index_t i = 0; i < sampled; ++i) {
        const auto scattered = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U >> 32;
        sample[i] =
            lane[i * piece + static_cast<index_t>(scattered % static_cast<std::uint64_t>(piece))];
    }
    const auto place = static_cast<index_t>(static_cast<double>(k) / static_cast<double>(count) *
                                            static_cast<double>(sampled));
    T low = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    T high = Limits::has_infinity ? Limits::infinity() : Limits::max();
    if (place >= margin) low = kernel::select_of_lane(sample, spare, sampled, place - margin);
    if (place + margin < sampled)
        high = kernel::select_of_lane(sample, spare, sampled, place + margin);
    Neighbours found;
    for (index_t i = 0; i < count; ++i) {
        const T x = lane[i];
        found.before += x < low;
        room[found.count] = x;
        found.count += (x >= low) & (x <= high);
    }
    return found;
}

/// True if a lane has a NaN.
template <keyed T>
BROADLOOM_STRICT bool has_nan(const T* lane, index_t count) {
    using U = broadloom::detail::unsigned_of<sizeof(T)>;
    U found = 0;
    for (index_t i = 0; i < count; ++i) found |= static_cast<U>(lane[i] != lane[i]);
    return found != 0;
}

/// The value that a sorted lane would have at place k + 1, given the one at place k. Of zeros,
/// which may have different signs, the first in the lane come first.
template <keyed T>
T next_of_lane(const T* lane, index_t count, index_t k, T at_k) {
    const auto key = kernel::order_key<false>(at_k);
    auto least = static_cast<decltype(order_key<false>(at_k))>(-1);
    index_t not_after = 0, where = 0;
    for (index_t i = count; i-- > 0;) {
        const auto other = kernel::order_key<false>(lane[i]);
        not_after += other <= key;
        if (other > key && other <= least) {
            least = other;
            where = i;
        }
    }
    if (not_after <= k + 1) return lane[where];
    if (at_k != T(0)) return at_k;
    index_t behind = not_after - (k + 1);  // zeros from the one wanted on
    for (where = count; behind > 0;) behind -= lane[--where] == T(0);
    return lane[where];
}

/// A lane as if it were sorted, when a place or two are asked for: each is found in linear time,
/// and next to one place the other is looked for only there.
template <keyed T>
class UnsortedLane {
public:
    UnsortedLane(const T* lane, T* room, index_t length)
        : lane_(lane), room_(room), length_(length), from_(lane), here_{0, length} {}

    bool ends_with_nan() const {
        if constexpr (std::is_floating_point_v<T>) return kernel::has_nan(lane_, length_);
        else return false;
    }
    T operator[](index_t k) {
        if (place_ >= 0 && k == place_ + 1 && here_.hold(k)) {
            value_ = kernel::next_of_lane(from_, here_.count, place_ - here_.before, value_);
        } else {
            look_around(k);
            T* const spare = from_ == room_ ? room_ + here_.count : room_;
            value_ = kernel::select_of_lane(from_, spare, here_.count, k - here_.before);
        }
        place_ = k;
        return value_;
    }

private:
    void look_around(index_t k) {
        constexpr index_t least = 4096;  // below which all are as quickly looked at
        if (from_ == room_ && here_.hold(k)) return;
        from_ = lane_;
        here_ = {0, length_};
        if (length_ < least) return;
        const Neighbours some = kernel::neighbours_in_lane(lane_, room_, length_, k);
        // Few enough to leave room for the choice among them.
        if (some.hold(k) && some.count <= length_ / 2) {
            from_ = room_;
            here_ = some;
        }
    }

    const T* lane_;
    T* room_;
    index_t length_;
    const T* from_;    // where values are looked for: in the whole lane, or in the room,
    Neighbours here_;  // and which these are
    index_t place_ = -1;
    T value_{};
};

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_NTH_HPP
