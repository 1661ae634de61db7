// Sorting many lanes at once by a network: a fixed list of pairs to be put in order, so that
// neighbouring lanes go through it together, in registers, and nothing has to be guessed. The
// merges are bitonic (Batcher 1968; Knuth, TAOCP 5.3.4), with every pair pointing one way: what is
// missing to a power of two counts as last of all, and is left out.
#ifndef BROADLOOM_KERNEL_SORT_LANES_NETWORK_HPP
#define BROADLOOM_KERNEL_SORT_LANES_NETWORK_HPP

#include <concepts>
#include <iterator>
#include <limits>
#include <utility>

#include "broadloom/kernel/sort_lanes/order.hpp"
#include "broadloom/kernel/packing/tile.hpp"

namespace broadloom::kernel {

/// Element types of lanes that a network sorts, and how many it takes at once.
template <class T>
concept networked = keyed<T> && !std::is_same_v<T, bool>;
template <networked T>
inline constexpr index_t lanes_at_once = 64 / static_cast<index_t>(sizeof(T));

namespace detail {

/// Several neighbouring elements: a register, or a single one where the compiler has no vectors or
/// the processor compares none of eight bytes.
template <class T, std::size_t Bytes>
struct Several {
#if defined(__GNUC__) || defined(__clang__)
    using type = typename Register<T, Bytes>::Vector;
#else
    using type = T;
#endif
};
template <class T>
    requires(sizeof(T) == 8)
struct Several<T, 16> {
    using type = T;
};

/// How many numbers a row has, of all lanes: elements, and after them as many indices if any.
template <class T, bool Indexed>
inline constexpr index_t row_of = Indexed ? 2 * lanes_at_once<T> : lanes_at_once<T>;

/// Sorts the columns of rows, registers of them at a time.
template <std::signed_integral T, bool Indexed, std::size_t Bytes>
class NetworkRows {
public:
    BROADLOOM_INLINE static void sort(T* rows, index_t count) {
        take_blocks<sorting>(rows, count);
        // First what the cache holds, part by part, then all.
        BROADLOOM_ROLLED
        for (index_t half = block, span = cached; half < count; half = span, span = count) {
            BROADLOOM_ROLLED
            for (index_t i = 0; i < count; i += span) {
                sort_span(rows + i * row, least(span, count - i), half);
            }
        }
    }

private:
    using Vector = typename Several<T, Bytes>::type;
    struct Item {
        Vector value, index;
    };

    static constexpr index_t width = lanes_at_once<T>, row = row_of<T, Indexed>;
    static constexpr index_t step = static_cast<index_t>(sizeof(Vector) / sizeof(T));
    static constexpr index_t cached = 512;  // rows that the first-level cache holds
    static constexpr index_t block = 8;     // rows that go through several steps in registers
    /// The pairs that put a block in order, and those that finish its merge: two digits each.
    static constexpr unsigned char sorting[] = {0x01, 0x23, 0x45, 0x67, 0x03, 0x12, 0x47, 0x56,
                                                0x01, 0x23, 0x45, 0x67, 0x07, 0x16, 0x25, 0x34,
                                                0x02, 0x13, 0x46, 0x57, 0x01, 0x23, 0x45, 0x67};
    static constexpr unsigned char merging[] = {0x04, 0x15, 0x26, 0x37, 0x02, 0x13,
                                                0x46, 0x57, 0x01, 0x23, 0x45, 0x67};

    BROADLOOM_INLINE static index_t least(index_t a, index_t b) { return a < b ? a : b; }

    BROADLOOM_INLINE static void load(Item& item, const T* at) {
        __builtin_memcpy(&item.value, at, sizeof(Vector));
        if constexpr (Indexed) __builtin_memcpy(&item.index, at + width, sizeof(Vector));
    }
    BROADLOOM_INLINE static void store(T* at, const Item& item) {
        __builtin_memcpy(at, &item.value, sizeof(Vector));
        if constexpr (Indexed) __builtin_memcpy(at + width, &item.index, sizeof(Vector));
    }
    /// Puts two in order. Of comparisons that do not choose at once GCC makes no vector code.
    BROADLOOM_INLINE static void exchange(Item& a, Item& b) {
        const Vector x = a.value, y = b.value;
        a.value = y < x ? y : x;
        b.value = y < x ? x : y;
        if constexpr (Indexed) {
            const Vector i = a.index, j = b.index;
            const Vector smaller = j < i ? j : i, larger = j < i ? i : j;
            const Vector if_not_before = y == x ? smaller : i, if_not_after = y == x ? larger : j;
            a.index = y < x ? j : if_not_before;
            b.index = y < x ? i : if_not_after;
        }
    }
    /// Two rows, each item with its partner.
    BROADLOOM_INLINE static void order(T* low, T* high) {
        for (index_t l = 0; l < width; l += step) {
            Item a, b;
            load(a, low + l);
            load(b, high + l);
            exchange(a, b);
            store(low + l, a);
            store(high + l, b);
        }
    }
    /// The first step of a merge of sorted runs of `half` rows: they meet head to tail.
    BROADLOOM_INLINE static void merge_runs(T* rows, index_t count, index_t half) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i + half < count; i += 2 * half) {
            const index_t missing = i + 2 * half > count ? i + 2 * half - count : 0;
            T* low = rows + (i + missing) * row;
            T* high = rows + (i + 2 * half - 1 - missing) * row;
            BROADLOOM_ROLLED
            for (; low < high; low += row, high -= row) order(low, high);
        }
    }
    /// A later step: halves of 2 k rows meet head to head.
    BROADLOOM_INLINE static void merge_halves(T* rows, index_t count, index_t k) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i + k < count; i += 2 * k) {
            T* low = rows + i * row;
            BROADLOOM_ROLLED
            for (index_t j = least(k, count - i - k); j > 0; --j, low += row) {
                order(low, low + k * row);
            }
        }
    }
    /// Merges sorted runs of `half` rows, and those that result.
    BROADLOOM_INLINE static void sort_span(T* rows, index_t count, index_t half) {
        BROADLOOM_ROLLED
        for (; half < count; half *= 2) {
            merge_runs(rows, count, half);
            index_t distance = half / 2;
            BROADLOOM_ROLLED
            for (; distance >= cached; distance /= 2) merge_halves(rows, count, distance);
            BROADLOOM_ROLLED
            for (index_t i = 0; i < count; i += cached) {
                const index_t part = least(cached, count - i);
                BROADLOOM_ROLLED
                for (index_t k = distance; k >= block; k /= 2)
                    merge_halves(rows + i * row, part, k);
                take_blocks<merging>(rows + i * row, part);
            }
        }
    }

    template <const auto& pairs>
    BROADLOOM_INLINE static void take_blocks(T* rows, index_t count) {
        BROADLOOM_ROLLED
        for (; count >= block; count -= block, rows += block * row) take_block<pairs>(rows);
        if (count == 0) return;
        alignas(64) T whole[static_cast<std::size_t>(block * row)];
        for (index_t i = 0; i < block * row; ++i) whole[i] = std::numeric_limits<T>::max();
        BROADLOOM_ROLLED
        for (index_t i = 0; i < count; ++i) copy(whole + i * row, rows + i * row);
        take_block<pairs>(whole);
        BROADLOOM_ROLLED
        for (index_t i = 0; i < count; ++i) copy(rows + i * row, whole + i * row);
    }
    BROADLOOM_INLINE static void copy(T* __restrict to, const T* __restrict from) {
        for (index_t l = 0; l < row; ++l) to[l] = from[l];
    }
    template <const auto& pairs>
    BROADLOOM_INLINE static void take_block(T* rows) {
        BROADLOOM_ROLLED
        for (index_t l = 0; l < width; l += step) {
            in_registers<pairs>(rows + l, std::make_index_sequence<std::size(pairs)>(),
                                std::make_index_sequence<block>());
        }
    }
    template <const auto& pairs, std::size_t... P, std::size_t... R>
    BROADLOOM_INLINE static void in_registers(T* column, std::index_sequence<P...>,
                                              std::index_sequence<R...>) {
        Item v[block];
        (load(v[R], column + static_cast<index_t>(R) * row), ...);
        (exchange(v[pairs[P] >> 4], v[pairs[P] & 15]), ...);
        (store(column + static_cast<index_t>(R) * row, v[R]), ...);
    }
};

/// Sorts the columns of rows of 64 bytes. With indices a row is twice as long: they follow their
/// elements, in the row and in the order, and of equal elements the smaller index comes first.
template <std::signed_integral T, bool Indexed = false>
struct Network {
    template <class Isa>
    BROADLOOM_KERNEL static void run(T* rows, index_t count) {
        NetworkRows<T, Indexed, Isa::bytes>::sort(rows, count);
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
    BROADLOOM_KERNEL static bool run(S* keys, index_t count) {
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

/// Rows of signed numbers by whose order elements come, of equal ones the first one first, each
/// with its index: in one number of eight bytes, or beside it where the element has eight itself.
template <bool Falling, keyed T>
struct IndexedKeys {
    static constexpr bool beside = sizeof(T) == 8;
    using Rows = Network<std::int64_t, beside>;
    static constexpr index_t width = lanes_at_once<std::int64_t>;
    static constexpr index_t row = row_of<std::int64_t, beside>;

    /// Makes the rows; or, without elements, leaves the indices alone of them, side by side.
    template <class Isa>
    BROADLOOM_KERNEL static void run(std::int64_t* rows, const T* elements, index_t length) {
        if (elements == nullptr) leave_indices(rows, length);
        else make(rows, elements, length);
    }

private:
    BROADLOOM_INLINE static void make(std::int64_t* rows, const T* elements, index_t length) {
        constexpr std::uint64_t top = std::uint64_t{1} << 63;
        BROADLOOM_ROLLED
        for (index_t i = 0; i < length; ++i, rows += row, elements += width) {
            const auto place = static_cast<std::uint64_t>(i);
            for (index_t l = 0; l < width; ++l) {
                const std::uint64_t key{order_key<Falling>(elements[l])};
                rows[l + row - width] = i;
                rows[l] = static_cast<std::int64_t>((beside ? key : key << 32 | place) ^ top);
            }
        }
    }
    BROADLOOM_INLINE static void leave_indices(std::int64_t* rows, index_t length) {
        // Those of 32 bits take half of a row.
        constexpr index_t indices = width * index_t{sizeof(index_t)} / index_t{sizeof(*rows)};
        const std::int64_t* from = rows + row - width;
        BROADLOOM_ROLLED
        for (index_t i = 0; i < length; ++i, rows += indices, from += row) {
            for (index_t l = 0; l < width; ++l) {
                const std::int64_t place = beside ? from[l] : from[l] & 0xffffffff;
                if constexpr (sizeof(index_t) == sizeof(place)) {
                    rows[l] = place;
                } else {
                    const auto index = static_cast<index_t>(place);
                    char* const row_of_indices = reinterpret_cast<char*>(rows);
                    __builtin_memcpy(row_of_indices + l * index_t{sizeof(index)}, &index,
                                     sizeof(index));
                }
            }
        }
    }
};

}  // namespace detail

/// True for lanes that a network sorts sooner than `sort_lane`: many and not too long. Without
/// the instructions for smaller and larger ones it is slow.
template <networked T>
bool suits_network(index_t lanes, index_t length) noexcept {
    constexpr index_t with_avx2 = sizeof(T) == 8 ? 2048 : 4096;
    constexpr index_t with_less = sizeof(T) == 8 ? 0 : sizeof(T) == 2 ? 1024 : 64;
    return lanes >= lanes_at_once<T> && length >= 2 &&
           length <= (isa() > 0 ? with_avx2 : with_less);
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

/// Lanes that a network sorts with their indices.
inline constexpr index_t indexed_at_once = lanes_at_once<std::int64_t>;

/// True for such lanes that a network orders sooner than `sort_lane`.
template <keyed T>
bool suits_network_with_indices(index_t lanes, index_t length) noexcept {
    const index_t longest = sizeof(T) == 8 ? 128 << isa() : sizeof(T) == 4 ? 2048 : 128;
    return length <= longest && suits_network<std::int64_t>(lanes, length);
}

/// The lines of 64 bytes that `order_in_network` needs as room for lanes of some length.
template <keyed T>
index_t lines_to_order(index_t length) {
    // Rows of items, and elements side by side.
    return length * (detail::IndexedKeys<false, T>::row / indexed_at_once + 1);
}

/// Writes the order of `indexed_at_once` lanes, one after the other, the first `kept` indices of
/// each.
template <bool Falling, keyed T>
void order_in_network(const T* lanes, index_t length, index_t* indices, index_t kept, char* room) {
    using Keys = detail::IndexedKeys<Falling, T>;
    constexpr index_t width = Keys::width;
    const auto make_rows = strict<Keys, void(std::int64_t*, const T*, index_t)>();
    std::int64_t* const rows = reinterpret_cast<std::int64_t*>(room);
    T* const elements = reinterpret_cast<T*>(rows + length * Keys::row);
    pack(reinterpret_cast<char*>(elements), reinterpret_cast<const char*>(lanes),
         Block{length, width, 1, length}, movers_of<sizeof(T)>);
    make_rows(rows, elements, length);
    strict<typename Keys::Rows, void(std::int64_t*, index_t)>()(rows, length);
    make_rows(rows, nullptr, kept);
    unpack(reinterpret_cast<char*>(indices), room, Block{kept, width, 1, kept},
           movers_of<sizeof(index_t)>);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_NETWORK_HPP
