// Rows that become columns, where elements side by side must come to lie apart: in registers, in
// squares so that every cache line read is used up, or a few columns interleaved at a time.
#ifndef BROADLOOM_KERNEL_PACKING_TURN_HPP
#define BROADLOOM_KERNEL_PACKING_TURN_HPP

#include <cstdint>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/packing/register.hpp"

namespace broadloom::kernel::detail {

inline constexpr index_t line_bytes = 64;  // of a cache

/// True for rows that lie a multiple of 2 KiB apart: they share few cache lines, and displace each
/// other from them.
BROADLOOM_INLINE constexpr bool are_crowded(index_t row_bytes) { return row_bytes % 2048 == 0; }

/// Turns blocks of elements of one size.
template <class E>
struct Turn {
    using U = typename E::type;

    /// Rows of a stride of 1 become columns: `to_row` elements apart, from columns that lie `along`
    /// elements apart. The caches are told to fetch what lies `ahead` elements further, unless that
    /// is 0.
    template <class Isa>
    BROADLOOM_KERNEL static void run(E* __restrict to, index_t to_row, const E* from, index_t rows,
                                     index_t columns, index_t along, index_t ahead) {
        if constexpr (in_registers<U>) {
            constexpr std::size_t bytes = register_bytes<Isa>;
            if constexpr (Isa::level == 0) {
                const bool joins = to_row == columns || columns <= 3;
                if (joins && few<true>(to, to_row, from, columns, rows, along)) return;
                if (along == rows && few<false>(to, rows, from, rows, columns, to_row)) return;
            }
            if (squares<bytes>(to, to_row, from, rows, columns, along, ahead)) return;
            if constexpr (bytes > 16) {
                if (squares<bytes / 2>(to, to_row, from, rows, columns, along, 0)) return;
            }
        }
        one_by_one(to, to_row, from, rows, columns, along);
    }

private:
    using Few = Register<U, 16>;
    static constexpr index_t lanes = 16 / sizeof(U);

    // A register in which a square of elements can be turned: 16 lanes at most.
    template <class Isa>
    static constexpr std::size_t register_bytes =
        Isa::bytes < 16 * sizeof(U) ? Isa::bytes : 16 * sizeof(U);

    BROADLOOM_INLINE static void one_by_one(E* __restrict to, index_t to_row, const E* from,
                                            index_t rows, index_t columns, index_t along) {
        for (index_t i = 0; i < rows; ++i) {
            BROADLOOM_ROLLED
            for (index_t j = 0; j < columns; ++j) {
                to[i * to_row + j].value = from[j * along + i].value;
            }
        }
    }

    // A few sequences, up to four or fewer than a register has lanes, that lie at a `distance` on
    // one side, and element by element in turn on the other, where turns are `apart`: as many
    // registers are interleaved, which joins them, or parted. False where there are more.
    template <bool joins>
    BROADLOOM_INLINE static bool few(E* to, index_t apart, const E* from, index_t count,
                                     index_t length, index_t distance) {
        if (length <= lanes || count < 2 || (count >= lanes && count > 4)) return false;
        if (count == 2) {
            few<joins, 2>(to, apart, from, 2, length, distance);
        } else if (!joins && count == 3) {
            few<false, 3>(to, 3, from, 3, length, distance);
        } else if (count <= 4) {
            few<joins, 4>(to, apart, from, count, length, distance);
        } else if constexpr (lanes >= 8) {
            if (count <= 8) few<joins, 8>(to, apart, from, count, length, distance);
            else if constexpr (lanes >= 16)
                few<joins, 16>(to, apart, from, count, length, distance);
        }
        return true;
    }
    // `Count` is the power of two from `count` on, or three. A turn of so many reaches into the
    // next one, which is written later; the last turn goes by itself.
    template <bool joins, int Count>
    BROADLOOM_INLINE static void few(E* to, index_t apart, const E* from, index_t count,
                                     index_t length, index_t distance) {
        for (index_t left = length - 1 - lanes;;) {
            typename Few::Vector part[std::size_t{Count}];
            if constexpr (joins) {
                BROADLOOM_UNROLLED
                for (index_t i = 0; i < Count; ++i) {
                    Few::load(part[i], from + (i < count ? i : count - 1) * distance);
                }
                Few::template shuffle<Count, Count>(part);
                if (apart == count) store_turns<Count>(to, part, count);
                else if constexpr (Count <= 4) store_apart<Count>(to, apart, part, count);
            } else {
                load_turns<Count>(part, from, count);
                Few::template shuffle<Count, lanes>(part);
                BROADLOOM_UNROLLED
                for (index_t i = 0; i < Count; ++i) {
                    if (i < count) Few::store(to + i * distance, part[i]);
                }
            }
            const index_t step = left > 0 && left < lanes ? left : lanes;
            to += joins ? step * apart : step;
            from += joins ? step : step * apart;
            if (left == 0) break;
            left -= step;
        }
        if (joins) one_by_one(to, apart, from, 1, count, distance);
        else one_by_one(to, distance, from, count, 1, apart);
    }
    // Turns of `count` elements in registers with room for `Count` each, side by side. Three are
    // always whole.
    template <int Count>
    static constexpr int turn_bytes = (Count + Count % 2) * int{sizeof(U)};
    template <int Count, class V>
    BROADLOOM_INLINE static void store_turns(E* to, const V* part, index_t count) {
        constexpr int bytes = turn_bytes<Count>, parts = bytes / 16;
        if (count == Count) {
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < Count; ++k) Few::store(to + k * lanes, part[k]);
        } else if constexpr (parts > 0) {
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < Count; ++k) {
                Few::store(to + k / parts * count + k % parts * lanes, part[k]);
            }
        } else {
            using Word = broadloom::detail::unsigned_of<std::size_t{bytes}>;
            using Words = typename Register<Word, 16>::Vector;
            constexpr index_t in_part = 16 / bytes;
            BROADLOOM_UNROLLED
            for (index_t i = 0; i < lanes; ++i) {
                const auto words = reinterpret_cast<Words>(part[i / in_part]);
                reinterpret_cast<Raw<Word>*>(to + i * count)->value = words[i % in_part];
            }
        }
    }
    // The same for turns of two or three elements with others between them.
    template <int Count, class V>
    BROADLOOM_INLINE static void store_apart(E* to, index_t apart, const V* part, index_t count) {
        E turns[std::size_t{Count} * std::size_t{lanes}];
        BROADLOOM_UNROLLED
        for (index_t k = 0; k < Count; ++k) Few::store(turns + k * lanes, part[k]);
        BROADLOOM_UNROLLED
        for (index_t i = 0; i < lanes; ++i, to += apart) {
            __builtin_memcpy(to, turns + i * Count, 2 * sizeof(U));
            if (count == 3) to[2].value = turns[i * Count + 2].value;
        }
    }
    template <int Count, class V>
    BROADLOOM_INLINE static void load_turns(V* part, const E* from, index_t count) {
        constexpr int bytes = turn_bytes<Count>, parts = bytes / 16;
        if (count == Count) {
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < Count; ++k) Few::load(part[k], from + k * lanes);
        } else if constexpr (parts > 0) {
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < Count; ++k) {
                Few::load(part[k], from + k / parts * count + k % parts * lanes);
            }
        } else {
            using Word = broadloom::detail::unsigned_of<std::size_t{bytes}>;
            using Words = typename Register<Word, 16>::Vector;
            constexpr index_t in_part = 16 / bytes;
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < Count; ++k) {
                Words words{};
                BROADLOOM_UNROLLED
                for (index_t i = 0; i < in_part; ++i) {
                    words[i] =
                        reinterpret_cast<const Raw<Word>*>(from + (k * in_part + i) * count)->value;
                }
                part[k] = reinterpret_cast<V>(words);
            }
        }
    }

    // False where not one square has room. The last ones overlap those before. Where a few rows are
    // columns side by side that fill more than half a register, squares reach into the next
    // columns.
    template <std::size_t Bytes>
    BROADLOOM_INLINE static bool squares(E* __restrict to, index_t to_row, const E* from,
                                         index_t rows, index_t columns, index_t along,
                                         index_t ahead) {
        using R = Register<U, Bytes>;
        constexpr index_t side = R::lanes;
        const index_t kept = rows < side ? rows : side;
        const bool reaches = Bytes > 16 && kept < side && along == rows && 2 * rows > side;
        if (reaches) {
            const index_t beyond = (side - 1) / rows;
            if (columns < side + beyond) return false;
            columns -= beyond;
            one_by_one(to + columns, to_row, from + columns * along, rows, beyond, along);
            rows = side;
        }
        if (rows < side || columns < side) return false;
        // Where lines of memory begin at the same row everywhere, each is used up at once, unless
        // it would be displaced.
        constexpr index_t size = sizeof(U);
        const bool by_lines =
            (along | to_row) * size % line_bytes == 0 && !are_crowded(to_row * size);
        const Side down{rows - side, to_row, 1}, right{columns - side, 1, along};
        const Side &outer = by_lines ? right : down, &inner = by_lines ? down : right;
        for (index_t outside = outer.left;;) {
            E* square_to = to;
            const E* square_from = from;
            for (index_t inside = inner.left;;) {
                typename R::Vector square[static_cast<std::size_t>(side)];
                BROADLOOM_UNROLLED
                for (index_t c = 0; c < side; ++c) R::load(square[c], square_from + c * along);
                if constexpr (sizeof(U) >= 2) {
                    if (ahead != 0) call<side>(square_from, along, ahead);
                }
                R::transpose(square);
                if (reaches) {
                    BROADLOOM_UNROLLED
                    for (index_t r = 0; r < side; ++r) {
                        if (r < kept) R::store(square_to + r * to_row, square[r]);
                    }
                } else {
                    BROADLOOM_UNROLLED
                    for (index_t r = 0; r < side; ++r) R::store(square_to + r * to_row, square[r]);
                }
                if (inside == 0) break;
                const index_t step = inside < side ? inside : side;
                inside -= step;
                square_to += step * inner.to;
                square_from += step * inner.from;
            }
            if (outside == 0) return true;
            const index_t step = outside < side ? outside : side;
            outside -= step;
            to += step * outer.to;
            from += step * outer.from;
        }
    }
    // A side of a block: how far its first square is from its last one, and strides.
    struct Side {
        index_t left, to, from;
    };
    // Has the second-level cache fetch `Count` places, which may lie behind the last element.
    template <int Count>
    BROADLOOM_INLINE static void call(const E* from, index_t along, index_t ahead) {
        const auto place = reinterpret_cast<std::uintptr_t>(from);
        BROADLOOM_UNROLLED
        for (index_t c = 0; c < Count; ++c) {
            const auto further = static_cast<std::uintptr_t>(c * along + ahead) * sizeof(U);
            __builtin_prefetch(reinterpret_cast<const void*>(place + further), 0, 2);
        }
    }
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_PACKING_TURN_HPP
