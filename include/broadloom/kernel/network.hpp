// Sorting many lanes at once by a network: a fixed list of pairs to be put in order, so that
// neighbouring lanes go through it together, in registers, and nothing has to be guessed. The
// merges are bitonic (Batcher 1968; Knuth, TAOCP 5.3.4), with every pair pointing one way: what is
// missing to a power of two counts as last of all, and is left out.
#ifndef BROADLOOM_KERNEL_NETWORK_HPP
#define BROADLOOM_KERNEL_NETWORK_HPP

#include <concepts>
#include <iterator>
#include <limits>
#include <utility>

#include "broadloom/kernel/order.hpp"
#include "broadloom/kernel/tile.hpp"

namespace broadloom::kernel {
namespace detail {

/// Sorts the columns of rows of 64 bytes.
template <std::signed_integral T>
struct Network {
    static constexpr index_t width = 64 / static_cast<index_t>(sizeof(T));

    template <class Isa>
    BROADLOOM_INLINE static void run(T* rows, index_t count) {
        take_blocks<sorting>(rows, count);
        // First what the cache holds, part by part, then all.
        BROADLOOM_ROLLED
        for (index_t half = block, span = cached; half < count; half = span, span = count) {
            BROADLOOM_ROLLED
            for (index_t i = 0; i < count; i += span) {
                sort_span(rows + i * width, least(span, count - i), half);
            }
        }
    }

private:
    static constexpr index_t cached = 512;  // rows that the first-level cache holds
    static constexpr index_t block = 8;     // rows that go through several steps in registers
    /// The pairs that put a block in order, and those that finish its merge: two digits each.
    static constexpr unsigned char sorting[] = {0x01, 0x23, 0x45, 0x67, 0x03, 0x12, 0x47, 0x56,
                                                0x01, 0x23, 0x45, 0x67, 0x07, 0x16, 0x25, 0x34,
                                                0x02, 0x13, 0x46, 0x57, 0x01, 0x23, 0x45, 0x67};
    static constexpr unsigned char merging[] = {0x04, 0x15, 0x26, 0x37, 0x02, 0x13,
                                                0x46, 0x57, 0x01, 0x23, 0x45, 0x67};

    BROADLOOM_INLINE static index_t least(index_t a, index_t b) { return a < b ? a : b; }
    BROADLOOM_INLINE static T first_of(T x, T y) { return y < x ? y : x; }
    BROADLOOM_INLINE static T last_of(T x, T y) { return y < x ? x : y; }

    /// Two rows, each element with its partner.
    BROADLOOM_INLINE static void order(T* low, T* high) {
        T first[static_cast<std::size_t>(width)], last[static_cast<std::size_t>(width)];
        for (index_t l = 0; l < width; ++l) {
            first[l] = first_of(low[l], high[l]);
            last[l] = last_of(low[l], high[l]);
        }
        for (index_t l = 0; l < width; ++l) low[l] = first[l];
        for (index_t l = 0; l < width; ++l) high[l] = last[l];
    }
    /// The first step of a merge of sorted runs of `half` rows: they meet head to tail.
    BROADLOOM_INLINE static void merge_runs(T* rows, index_t count, index_t half) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i + half < count; i += 2 * half) {
            const index_t missing = i + 2 * half > count ? i + 2 * half - count : 0;
            T* low = rows + (i + missing) * width;
            T* high = rows + (i + 2 * half - 1 - missing) * width;
            BROADLOOM_ROLLED
            for (; low < high; low += width, high -= width) order(low, high);
        }
    }
    /// A later step: halves of 2 k rows meet head to head.
    BROADLOOM_INLINE static void merge_halves(T* rows, index_t count, index_t k) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i + k < count; i += 2 * k) {
            T* low = rows + i * width;
            BROADLOOM_ROLLED
            for (index_t j = least(k, count - i - k); j > 0; --j, low += width) {
                order(low, low + k * width);
            }
        }
    }
    /// Merges sorted runs of `half` rows, and those that result.
    BROADLOOM_INLINE static void sort_span(T* rows, index_t count, index_t half) {
        BROADLOOM_ROLLED
        for (; half < count; half *= 2) {
            merge_runs(rows, count, half);
            index_t far = half / 2;
            BROADLOOM_ROLLED
            for (; far >= cached; far /= 2) merge_halves(rows, count, far);
            BROADLOOM_ROLLED
            for (index_t i = 0; i < count; i += cached) {
                const index_t part = least(cached, count - i);
                BROADLOOM_ROLLED
                for (index_t k = far; k >= block; k /= 2) merge_halves(rows + i * width, part, k);
                take_blocks<merging>(rows + i * width, part);
            }
        }
    }

    template <const auto& pairs>
    BROADLOOM_INLINE static void take_blocks(T* rows, index_t count) {
        BROADLOOM_ROLLED
        for (; count >= block; count -= block, rows += block * width) take_block<pairs>(rows);
        if (count == 0) return;
        alignas(64) T whole[static_cast<std::size_t>(block * width)];
        for (index_t i = 0; i < block * width; ++i) whole[i] = std::numeric_limits<T>::max();
        BROADLOOM_ROLLED
        for (index_t i = 0; i < count; ++i) copy(whole + i * width, rows + i * width);
        take_block<pairs>(whole);
        BROADLOOM_ROLLED
        for (index_t i = 0; i < count; ++i) copy(rows + i * width, whole + i * width);
    }
    BROADLOOM_INLINE static void copy(T* __restrict to, const T* __restrict from) {
        for (index_t l = 0; l < width; ++l) to[l] = from[l];
    }
    template <const auto& pairs>
    BROADLOOM_INLINE static void take_block(T* rows) {
        BROADLOOM_ROLLED
        for (index_t l = 0; l < width; ++l) {
            in_registers<pairs>(rows + l, std::make_index_sequence<std::size(pairs)>(),
                                std::make_index_sequence<block>());
        }
    }
    template <const auto& pairs, std::size_t... P, std::size_t... R>
    BROADLOOM_INLINE static void in_registers(T* column, std::index_sequence<P...>,
                                              std::index_sequence<R...>) {
        T v[] = {column[static_cast<index_t>(R) * width]...};
        (exchange(v[pairs[P] >> 4], v[pairs[P] & 15]), ...);
        ((column[static_cast<index_t>(R) * width] = v[R]), ...);
    }
    BROADLOOM_INLINE static void exchange(T& a, T& b) {
        const T x = a, y = b;
        a = first_of(x, y);
        b = last_of(x, y);
    }
};

/// Makes signed numbers of the bits of elements, by whose order they are sorted, and elements of
/// the numbers again.
template <keyed T>
struct SignedKeys {
    using U = broadloom::detail::unsigned_of<sizeof(T)>;
    using S = std::make_signed_t<U>;

    /// False for a NaN or a negative zero, which come where their number does not tell.
    template <class Isa>
    BROADLOOM_INLINE static bool run(S* keys, index_t count) {
        constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
        U odd = 0;
        if constexpr (scalar::vector_real<T>) {
            constexpr U infinite = static_cast<U>(scalar::math::Format<T>::exponent << 1);
            for (index_t i = 0; i < count; ++i) {
                const U bits = static_cast<U>(keys[i]), twice = static_cast<U>(bits << 1);
                odd |= static_cast<U>(twice > infinite) | static_cast<U>(bits == top);
                keys[i] = static_cast<S>(bits ^ ((U{0} - (bits >> (8 * sizeof(U) - 1))) & ~top));
            }
        } else if constexpr (std::unsigned_integral<T>) {
            for (index_t i = 0; i < count; ++i) {
                keys[i] = static_cast<S>(static_cast<U>(keys[i]) ^ top);
            }
        }
        return odd == 0;
    }
};

/// Makes signed numbers of elements and their indices, by whose order the elements come, of equal
/// ones the first one first; and leaves the indices of them.
template <bool Falling, keyed T>
struct IndexedKeys {
    static constexpr index_t width = Network<std::int64_t>::width;

    template <class Isa>
    BROADLOOM_INLINE static void run(std::int64_t* keys, const T* elements, index_t length) {
        if (elements == nullptr) {
            for (index_t i = 0; i < length * width; ++i) keys[i] &= 0xffffffff;
            return;
        }
        constexpr std::uint32_t top = std::uint32_t{1} << 31;
        BROADLOOM_ROLLED
        for (index_t i = 0; i < length; ++i, keys += width, elements += width) {
            for (index_t l = 0; l < width; ++l) {
                const std::uint32_t key = std::uint32_t{order_key<Falling>(elements[l])} ^ top;
                keys[l] = static_cast<std::int64_t>(std::uint64_t{key} << 32) | i;
            }
        }
    }
};

}  // namespace detail

/// Element types of lanes that a network sorts, and how many it takes at once.
template <class T>
concept networked = keyed<T> && !std::is_same_v<T, bool>;
template <networked T>
inline constexpr index_t lanes_at_once = 64 / static_cast<index_t>(sizeof(T));

/// True for lanes that a network sorts sooner than `sort_lane`: many and not too long. Without
/// the instructions for smaller and larger ones it is slow.
template <networked T>
bool suits_network(index_t lanes, index_t length) noexcept {
    constexpr index_t with_all = sizeof(T) == 8 ? 2048 : 4096,
                      with_avx2 = sizeof(T) == 8 ? 128 : 4096,
                      with_less = sizeof(T) == 8   ? 0
                                  : sizeof(T) == 2 ? 1024
                                                   : 64;
    const index_t longest = isa() == 2 ? with_all : isa() == 1 ? with_avx2 : with_less;
    const index_t shortest = isa() < 2 && sizeof(T) == 8 ? 7 : 2;
    return lanes >= lanes_at_once<T> && length >= shortest && length <= longest;
}

/// Sorts `lanes_at_once` lanes of `length` elements in place, by strides from lane to lane and
/// along one. `room` has a line of 64 bytes for each of these. False, with nothing done, where NaN
/// or a negative zero is among them.
template <networked T>
bool sort_in_network(T* lanes, index_t lane_stride, index_t length, index_t stride, bool falling,
                     char* room) {
    using Keys = detail::SignedKeys<T>;
    using S = typename Keys::S;
    constexpr index_t width = lanes_at_once<T>;
    const auto make_keys = strict<Keys, bool(S*, index_t)>();
    S* const keys = reinterpret_cast<S*>(room);
    const Movers& movers = movers_of<sizeof(T)>;
    pack(room, reinterpret_cast<const char*>(lanes), Block{length, width, stride, lane_stride},
         movers);
    if (!make_keys(keys, length * width)) return false;
    strict<detail::Network<S>, void(S*, index_t)>()(keys, length);
    make_keys(keys, length * width);
    T* const first = falling ? lanes + (length - 1) * stride : lanes;
    unpack(reinterpret_cast<char*>(first), room,
           Block{length, width, falling ? -stride : stride, lane_stride}, movers);
    return true;
}

/// Element types of lanes that a network sorts with their indices, eight at once.
template <class T>
concept networked_with_indices = keyed<T> && sizeof(T) <= 4;

/// True for such lanes that a network orders sooner than `sort_lane`.
template <networked_with_indices T>
bool suits_network_with_indices(index_t lanes, index_t length) noexcept {
    constexpr index_t longest = sizeof(T) == 4 ? 2048 : 128;
    return length <= longest && suits_network<std::int64_t>(lanes, length);
}

/// Writes the order of eight lanes, one after the other, of elements and of indices. `room` has a
/// line of 64 bytes for each of these, and half as much more.
template <bool Falling, networked_with_indices T>
void order_in_network(const T* lanes, index_t length, index_t* indices, char* room) {
    using Keys = detail::IndexedKeys<Falling, T>;
    constexpr index_t width = Keys::width;
    const auto make_keys = strict<Keys, void(std::int64_t*, const T*, index_t)>();
    std::int64_t* const keys = reinterpret_cast<std::int64_t*>(room);
    char* const elements = room + length * 64;
    pack(elements, reinterpret_cast<const char*>(lanes), Block{length, width, 1, length},
         movers_of<sizeof(T)>);
    make_keys(keys, reinterpret_cast<const T*>(elements), length);
    strict<detail::Network<std::int64_t>, void(std::int64_t*, index_t)>()(keys, length);
    make_keys(keys, nullptr, length);
    unpack(reinterpret_cast<char*>(indices), room, Block{length, width, 1, length},
           movers_of<sizeof(index_t)>);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_NETWORK_HPP
