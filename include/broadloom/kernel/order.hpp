// Sorting one lane: a run of values, or of values with their indices, in memory. The order is
// stable, NaN comes last whether it rises or falls, complex numbers go by real, then imaginary
// part. Numbers of up to eight bytes are ranked in short lanes, and counted by their keys in longer
// ones; all else is merged.
#ifndef BROADLOOM_KERNEL_ORDER_HPP
#define BROADLOOM_KERNEL_ORDER_HPP

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {

/// Element types whose order is that of an unsigned number of the same size.
template <class T>
concept keyed = (std::is_integral_v<T> && sizeof(T) <= 8) || scalar::vector_real<T>;

/// A value that remembers where it was. I is wide enough for the lane.
template <class T, class I>
struct Indexed {
    T value;
    I index;
};

/// The unsigned number by whose order x is sorted; -0 and 0 have the same.
template <bool Falling, keyed T>
BROADLOOM_INLINE constexpr auto order_key(T x) {
    using U = broadloom::detail::unsigned_of<sizeof(T)>;
    constexpr U top = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
    if constexpr (scalar::vector_real<T>) {
        // Without a branch, which would have to guess signs and zeros.
        const U bits = scalar::math::to_bits(x), twice = static_cast<U>(bits << 1);
        const U negative = bits >> (8 * sizeof(T) - 1);
        const U rising = (bits ^ ((U{0} - negative) | top)) + (negative & U{twice == 0});
        const U nan = U{0} - U{twice > static_cast<U>(scalar::math::Format<T>::exponent << 1)};
        return (Falling ? ~rising : rising) | nan;
    } else {
        const U key = static_cast<U>(static_cast<U>(x) ^ (std::is_signed_v<T> ? top : U{0}));
        return Falling ? static_cast<U>(~key) : key;
    }
}

/// True when a comes before b, whatever their type.
template <bool Falling, class T>
BROADLOOM_INLINE constexpr bool precedes(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        return !(Falling ? a <= b : a >= b) & (a == a);
    } else if constexpr (kind<T> == Kind::complex) {
        // Numbers, then those with a NaN in the imaginary part, in the real part, in both.
        const auto p = scalar::parts(a), q = scalar::parts(b);
        const int p_class = 2 * int{p.re != p.re} + int{p.im != p.im};
        const int q_class = 2 * int{q.re != q.re} + int{q.im != q.im};
        if (p_class != q_class) return p_class < q_class;
        if (precedes<Falling>(p.re, q.re)) return true;
        return !precedes<Falling>(q.re, p.re) && precedes<Falling>(p.im, q.im);
    } else {
        return static_cast<bool>(Falling ? b < a : a < b);
    }
}

template <bool Falling, class E>
void sort_lane(E* lane, E* room, index_t count);

namespace detail {

template <class T>
BROADLOOM_INLINE constexpr const T& value_of(const T& x) {
    return x;
}
template <class T, class I>
BROADLOOM_INLINE constexpr const T& value_of(const Indexed<T, I>& x) {
    return x.value;
}
template <class E>
using ValueOf = std::remove_cvref_t<decltype(value_of(std::declval<const E&>()))>;

/// Gives every item of a short lane its place: how many come before it. As many comparisons as
/// there are pairs, but whole vectors of them, and nothing to guess.
template <class S>
struct RankKeys {
    static constexpr index_t block = 64 / static_cast<index_t>(sizeof(S));

    /// `keys` and `ranks` have room for whole blocks; ranks begin at 0.
    template <class Isa>
    BROADLOOM_INLINE static void run(const S* __restrict keys, S* __restrict ranks, index_t count) {
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
    using U = decltype(order_key<Falling>(value_of(*lane)));
    using S = std::make_signed_t<U>;
    using Rank = RankKeys<S>;
    constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    alignas(64) S keys[longest_ranked], ranks[longest_ranked];
    const index_t whole = (count + Rank::block - 1) / Rank::block * Rank::block;
    for (index_t i = whole - Rank::block; i < whole; ++i) keys[i] = 0;
    for (index_t i = 0; i < whole; ++i) ranks[i] = 0;
    for (index_t i = 0; i < count; ++i) {
        keys[i] = static_cast<S>(order_key<Falling>(value_of(lane[i])) ^ top);
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
            for (; j > start && precedes<Falling>(value_of(item), value_of(lane[j - 1])); --j) {
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
                const bool right = precedes<Falling>(value_of(from[j]), value_of(from[i]));
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

/// An item's key, as a number of any width.
template <bool Falling, class E>
BROADLOOM_INLINE std::uint64_t wide_key(const E& item) {
    return order_key<Falling>(value_of(item));
}

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
    if constexpr (sizeof(T) < 4) {
        radix_sort<Falling>(lane, room, count);
    } else if constexpr (sizeof(T) == 8 || scalar::vector_real<T>) {
        const Ends<E> ends = ends_of<Falling>(lane, count);
        if constexpr (scalar::vector_real<T>) {
            const ValuePosition<2 * Bits, E> position(ends);
            if (position.serves(lane, count)) {
                return sort_by_position<Falling, Bits>(lane, room, count, position);
            }
        }
        if constexpr (sizeof(T) == 8) {
            sort_by_position<Falling, Bits>(lane, room, count,
                                            KeyPosition<Falling, 2 * Bits, E>(ends));
        } else {
            radix_sort<Falling>(lane, room, count);
        }
    } else {
        radix_sort<Falling>(lane, room, count);
    }
}

}  // namespace detail

/// Sorts a lane of values, or of Indexed values, with room for as many more.
template <bool Falling, class E>
void sort_lane(E* lane, E* room, index_t count) {
    using detail::value_of;
    using T = detail::ValueOf<E>;
    index_t sorted = 1;
    while (sorted < count &&
           !precedes<Falling>(value_of(lane[sorted]), value_of(lane[sorted - 1]))) {
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

#endif  // BROADLOOM_KERNEL_ORDER_HPP
