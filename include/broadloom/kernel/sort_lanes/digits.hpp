// Long lanes, sorted by digits of what they hold: numbers are counted and moved to their places,
// and never compared. The order is stable.
#ifndef BROADLOOM_KERNEL_SORT_LANES_DIGITS_HPP
#define BROADLOOM_KERNEL_SORT_LANES_DIGITS_HPP

#include <bit>
#include <cstdint>
#include <cstring>

#include "broadloom/kernel/sort_lanes/order.hpp"

namespace broadloom::kernel {

/// Sorts what digits leave alike, as any lane: in sort_lane.hpp.
template <bool Falling, class E>
void sort_lane(E* lane, E* room, index_t count);

namespace detail {

/// Moves every item to the place of the digit of its key, of which there are `counts`.
template <class E, class F>
void move_by_digit(E* to, const E* from, index_t count, index_t* counts, std::size_t values,
                   const F& digit) {
    index_t before = 0;
    for (std::size_t i = 0; i < values; ++i) {
        const index_t here = counts[i];
        counts[i] = before;
        before += here;
    }
    for (index_t i = 0; i < count; ++i) to[counts[digit(from[i])]++] = from[i];
}

/// Counts the keys byte by byte, lowest first, and moves every item to its place. A byte that all
/// keys share costs nothing.
template <bool Falling, class E>
void radix_sort(E* lane, E* room, index_t count) {
    using T = ValueOf<E>;
    constexpr std::size_t digits = sizeof(T);
    index_t places[digits][256] = {};
    for (index_t i = 0; i < count; ++i) {
        std::uint64_t key = wide_key<Falling>(lane[i]);
        for (std::size_t d = 0; d < digits; ++d, key >>= 8) ++places[d][key & 255];
    }
    const std::uint64_t first = wide_key<Falling>(lane[0]);
    E *from = lane, *to = room;
    for (std::size_t d = 0; d < digits; ++d) {
        if (places[d][(first >> 8 * d) & 255] == count) continue;
        move_by_digit(to, from, count, places[d], 256,
                      [=](const E& item) { return (wide_key<Falling>(item) >> 8 * d) & 255; });
        E* const swap = from;
        from = to;
        to = swap;
    }
    if (from != lane) std::memcpy(lane, from, static_cast<std::size_t>(count) * sizeof(E));
}

/// The items of a lane with the least and the greatest key.
template <class E>
struct Ends {
    const E *first, *last;
};
template <bool Falling, class E>
Ends<E> ends_of(const E* lane, index_t count) {
    std::uint64_t least = wide_key<Falling>(lane[0]), most = least;
    index_t first = 0, last = 0;
    for (index_t i = 1; i < count; ++i) {
        const std::uint64_t here = wide_key<Falling>(lane[i]);
        first = here < least ? i : first;
        least = here < least ? here : least;
        last = here > most ? i : last;
        most = here > most ? here : most;
    }
    return {lane + first, lane + last};
}

/// The position of an item between two others, as a number of so many bits: the first bits in which
/// the keys of these differ.
template <bool Falling, int Bits, class E>
class KeyPosition {
public:
    explicit KeyPosition(const Ends<E>& ends) : least_(wide_key<Falling>(*ends.first)) {
        const auto bits = static_cast<int>(std::bit_width(wide_key<Falling>(*ends.last) - least_));
        rest_ = bits > Bits ? bits - Bits : 0;
    }
    /// True when items of one position are equal.
    bool tells_all() const { return rest_ == 0; }
    BROADLOOM_INLINE std::size_t operator()(const E& item) const {
        return static_cast<std::size_t>((wide_key<Falling>(item) - least_) >> rest_);
    }

private:
    std::uint64_t least_;
    int rest_;
};

/// The same for reals: how far they are on the way.
template <int Bits, class E>
class ValuePosition {
    using T = ValueOf<E>;

public:
    explicit ValuePosition(const Ends<E>& ends) : start_(value_of(*ends.first)) {
        // Somewhat less than there are numbers, so that rounding does not go beyond.
        constexpr T numbers = static_cast<T>((1 << Bits) - (1 << Bits / 2));
        scale_ = numbers / (value_of(*ends.last) - start_);
    }
    /// True when values are finite and do not crowd in a few places, as far as some of them tell.
    bool serves(const E* lane, index_t count) const {
        if (!(scale_ - scale_ == 0 && scale_ != 0)) return false;
        constexpr index_t asked = 16, least_places = 6;
        std::uint64_t places = 0;
        for (index_t i = 0; i < asked; ++i) {
            places |= std::uint64_t{1} << ((*this)(lane[i * (count / asked)]) >> (Bits - 6));
        }
        return std::popcount(places) >= least_places;
    }
    static constexpr bool tells_all() { return false; }
    BROADLOOM_INLINE std::size_t operator()(const E& item) const {
        return static_cast<std::size_t>(
            static_cast<std::int32_t>((value_of(item) - start_) * scale_));
    }

private:
    T start_, scale_;
};

/// Sorts by positions of two digits, the lower one first. What has one position, little as a rule,
/// is side by side then, and sorted by itself. Where nearly all have one digit, every byte counts.
template <bool Falling, int Bits, class E, class P>
void sort_by_position(E* lane, E* room, index_t count, const P& position) {
    constexpr std::size_t values = std::size_t{1} << Bits;
    index_t lows[values] = {}, highs[values] = {}, fullest = 0;
    for (index_t i = 0; i < count; ++i) {
        const std::size_t digits = position(lane[i]);
        ++lows[digits % values];
        ++highs[digits / values];
    }
    for (const index_t here : highs) fullest = here > fullest ? here : fullest;
    if (!position.tells_all() && fullest > count - count / 8) {
        return radix_sort<Falling>(lane, room, count);
    }
    move_by_digit(room, lane, count, lows, values,
                  [&](const E& item) { return position(item) % values; });
    move_by_digit(lane, room, count, highs, values,
                  [&](const E& item) { return position(item) / values; });
    if (position.tells_all()) return;
    for (index_t start = 0, end = 1; start < count; start = end++) {
        const std::size_t digits = position(lane[start]);
        while (end < count && position(lane[end]) == digits) ++end;
        if (end - start > 1) sort_lane<Falling>(lane + start, room + start, end - start);
    }
}

/// Sorts by digits: reals by value where they are spread, else wide keys by their first bits and
/// others byte by byte.
template <bool Falling, int Bits, class E>
void sort_by_digits(E* lane, E* room, index_t count) {
    using T = ValueOf<E>;
    if constexpr (sizeof(T) == 8 || scalar::vector_real<T>) {
        const Ends<E> ends = ends_of<Falling>(lane, count);
        if constexpr (scalar::vector_real<T>) {
            const ValuePosition<2 * Bits, E> position(ends);
            if (position.serves(lane, count)) {
                return sort_by_position<Falling, Bits>(lane, room, count, position);
            }
        }
        if constexpr (sizeof(T) == 8) {
            return sort_by_position<Falling, Bits>(lane, room, count,
                                                   KeyPosition<Falling, 2 * Bits, E>(ends));
        }
    }
    if constexpr (sizeof(T) < 8) radix_sort<Falling>(lane, room, count);
}

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_DIGITS_HPP
