// Moving elements between consecutive places and strided or listed ones, as bytes: by size, never
// by type.
#ifndef BROADLOOM_KERNEL_PACKING_MOVERS_HPP
#define BROADLOOM_KERNEL_PACKING_MOVERS_HPP

#include <cstdint>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/packing/turn.hpp"

namespace broadloom::kernel {

/// How far a stride goes, in either direction.
inline constexpr index_t magnitude(index_t stride) { return stride < 0 ? -stride : stride; }

/// Two loops over elements of one size: `rows` times `columns`, with strides in elements. The
/// caches are told to fetch what lies `ahead` elements further, unless that is 0. Rows that are
/// turned, which have a stride of 1 and more than one column, may come to lie `to_row` elements
/// apart.
struct Block {
    index_t rows, columns;
    index_t row_stride, column_stride;
    index_t ahead = 0, to_row = 0;
};

namespace detail {

/// Packs a block of elements into consecutive places.
template <class E>
struct Pack {
    using U = typename E::type;

    template <class Isa>
    BROADLOOM_KERNEL static void run(char* to_bytes, const char* from_bytes, const Block* block) {
        E* to = reinterpret_cast<E*>(to_bytes);
        const E* from = reinterpret_cast<const E*>(from_bytes);
        const index_t rows = block->rows, columns = block->columns;
        const index_t down = block->row_stride, along = block->column_stride;
        if (along == 0) {
            repeat<Isa>(to, from, rows, columns, down);
        } else if ((down == 1 || down == -1) && columns > 1) {
            // Rows that go backwards are written from the last one on.
            const index_t first = down < 0 ? rows - 1 : 0;
            const index_t to_row = block->to_row != 0 ? block->to_row : columns;
            to += first * to_row;
            from -= first;
            Turn<E>::template run<Isa>(to, down * to_row, from, rows, columns, along, block->ahead);
        } else {
            for (index_t i = 0; i < rows; ++i, to += columns) {
                line<Isa>(to, from + i * down, columns, along);
            }
        }
    }

private:
    template <class Isa>
    BROADLOOM_INLINE static void line(E* __restrict to, const E* from, index_t columns,
                                      index_t along) {
        if (along == 1) {
            __builtin_memcpy(to, from, static_cast<std::size_t>(columns) * sizeof(U));
            return;
        }
        if constexpr (in_registers<U>) {
            if (along == 2 && pick<Isa, 2>(to, from, columns)) return;
            if constexpr (sizeof(U) >= 4) {
                if (along == 3 && pick<Isa, 3>(to, from, columns)) return;
            }
            if (along == -1 && reverse<Isa>(to, from, columns)) return;
        }
        const E* at = from;
        index_t j = 0;
        for (; j + 4 <= columns; j += 4, at += 4 * along) {
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < 4; ++k) to[j + k].value = at[k * along].value;
        }
        for (; j < columns; ++j, at += along) to[j].value = at->value;
    }
    // A line in steps, a register at a time. The last one overlaps the one before it, and begins
    // earlier, since it would else read beyond the line.
    template <class Isa, int Step>
    BROADLOOM_INLINE static bool pick(E* to, const E* from, index_t columns) {
        using R = Register<U, Isa::bytes>;
        constexpr std::make_integer_sequence<int, R::lanes> order{};
        if (columns <= R::lanes) return false;
        typename R::Vector packed;
        for (index_t j = 0; j + R::lanes < columns; j += R::lanes) {
            R::template pick<Step, 0>(packed, from + Step * j, order);
            R::store(to + j, packed);
        }
        const index_t last = columns - R::lanes;
        R::template pick<Step, Step - 1>(packed, from + Step * last - (Step - 1), order);
        R::store(to + last, packed);
        return true;
    }
    // A line backwards, a register at a time, of which the last overlaps the one before it.
    template <class Isa>
    BROADLOOM_INLINE static bool reverse(E* to, const E* from, index_t columns) {
        constexpr index_t lanes = (sizeof(U) < 4 ? 16 : Isa::bytes) / index_t{sizeof(U)};
        if (columns < lanes) return false;
        const E* const end = from - lanes + 1;
        for (index_t j = 0; j + lanes < columns; j += lanes) reverse_lanes<Isa>(to + j, end - j);
        const index_t last = columns - lanes;
        reverse_lanes<Isa>(to + last, end - last);
        return true;
    }
    template <class Isa>
    BROADLOOM_INLINE static void reverse_lanes(E* to, const E* from) {
        if constexpr (sizeof(U) < 4) {
            reverse_short<sizeof(U)>(to, from);
        } else {
            using R = Register<U, Isa::bytes>;
            typename R::Vector v, packed;
            R::load(v, from);
            R::reverse(packed, v, std::make_integer_sequence<int, R::lanes>{});
            R::store(to, packed);
        }
    }

    // Every element `columns` times.
    template <class Isa>
    BROADLOOM_INLINE static void repeat(E* to, const E* from, index_t rows, index_t columns,
                                        index_t down) {
        index_t i = 0;
        if constexpr (in_registers<U>) {
            if (down == 1 && columns == 2) i = expand<Isa, 2>(to, from, rows);
            if (down == 1 && columns == 3) i = expand<Isa, 3>(to, from, rows);
            if (down == 1 && columns == 4) i = expand<Isa, 4>(to, from, rows);
        }
        to += i * columns;
        if (columns * static_cast<index_t>(sizeof(U)) <= 16) {
            fill_rows<16 / sizeof(U)>(to, from, i, rows, columns, down);
        } else {
            fill_rows<32 / sizeof(U)>(to, from, i, rows, columns, down);
        }
    }
    // The last write of a row may go past its end, into places that the next row fills; the last
    // rows take care not to.
    template <index_t Width>
    BROADLOOM_INLINE static void fill_rows(E* __restrict to, const E* from, index_t i, index_t rows,
                                           index_t columns, index_t down) {
        const index_t careful = (Width + columns - 1) / columns;
        for (; i + careful < rows; ++i, to += columns) {
            const U value = from[i * down].value;
            index_t j = 0;
            do {
                for (index_t k = 0; k < Width; ++k) to[j + k].value = value;
                j += Width;
            } while (j < columns);
        }
        for (; i < rows; ++i, to += columns) {
            const U value = from[i * down].value;
            index_t j = 0;
            BROADLOOM_ROLLED
            for (; j + Width <= columns; j += Width) {
                for (index_t k = 0; k < Width; ++k) to[j + k].value = value;
            }
            BROADLOOM_ROLLED
            for (; j < columns; ++j) to[j].value = value;
        }
    }
    template <class Isa, int Times>
    BROADLOOM_INLINE static index_t expand(E* to, const E* from, index_t rows) {
        using R = Register<U, Isa::bytes>;
        constexpr std::make_integer_sequence<int, R::lanes> order{};
        index_t i = 0;
        for (; i + R::lanes <= rows; i += R::lanes, to += Times * R::lanes) {
            typename R::Vector part;
            R::template spread<Times, 0>(part, from + i, order);
            R::store(to, part);
            R::template spread<Times, R::lanes>(part, from + i, order);
            R::store(to + R::lanes, part);
            if constexpr (Times > 2) {
                R::template spread<Times, 2 * R::lanes>(part, from + i, order);
                R::store(to + 2 * R::lanes, part);
            }
            if constexpr (Times > 3) {
                R::template spread<Times, 3 * R::lanes>(part, from + i, order);
                R::store(to + 3 * R::lanes, part);
            }
        }
        return i;
    }
};

/// The same for elements of an unusual size.
template <class E>
struct PackSingly {
    template <class Isa>
    BROADLOOM_KERNEL static void run(char* to_bytes, const char* from_bytes, const Block* block) {
        E* __restrict to = reinterpret_cast<E*>(to_bytes);
        const E* from = reinterpret_cast<const E*>(from_bytes);
        const index_t columns = block->columns, along = block->column_stride;
        const index_t to_row = block->to_row != 0 ? block->to_row : columns;
        for (index_t i = 0; i < block->rows; ++i, to += to_row, from += block->row_stride) {
            const E* at = from;
            BROADLOOM_ROLLED
            for (index_t j = 0; j < columns; ++j, at += along) to[j].value = at->value;
        }
    }
};

/// Writes consecutive elements to the places of a block.
template <class E>
struct Unpack {
    template <class Isa>
    BROADLOOM_KERNEL static void run(char* to_bytes, const char* from_bytes, const Block* block) {
        E* to = reinterpret_cast<E*>(to_bytes);
        const E* __restrict from = reinterpret_cast<const E*>(from_bytes);
        const index_t columns = block->columns, along = block->column_stride;
        for (index_t i = 0; i < block->rows; ++i, from += columns) {
            E* row = to + i * block->row_stride;
            if (along == 1) {
                __builtin_memcpy(row, from, static_cast<std::size_t>(columns) * sizeof(E));
            } else {
                index_t j = 0;
                for (; j + 4 <= columns; j += 4, row += 4 * along) {
                    BROADLOOM_UNROLLED
                    for (index_t k = 0; k < 4; ++k) row[k * along].value = from[j + k].value;
                }
                for (; j < columns; ++j, row += along) row->value = from[j].value;
            }
        }
    }
};

/// Moves elements from consecutive places to those that a list of offsets names, or back.
template <class E, bool Puts>
struct MoveByOffsets {
    template <class Isa>
    BROADLOOM_KERNEL static void run(char* to_bytes, const char* from_bytes,
                                     const std::int32_t* offsets, index_t count) {
        E* __restrict to = reinterpret_cast<E*>(to_bytes);
        const E* from = reinterpret_cast<const E*>(from_bytes);
        index_t i = 0;
        for (; i + 4 <= count; i += 4) {
            BROADLOOM_UNROLLED
            for (index_t k = i; k < i + 4; ++k) {
                to[Puts ? offsets[k] : k].value = from[Puts ? k : offsets[k]].value;
            }
        }
        for (; i < count; ++i) {
            to[Puts ? offsets[i] : i].value = from[Puts ? i : offsets[i]].value;
        }
    }
};

using Mover = void(char*, const char*, const Block*);
using Picker = void(char*, const char*, const std::int32_t*, index_t);

}  // namespace detail

/// How elements of one size are moved: packed at two levels of instructions, unpacked, and both by
/// a list of offsets. Other sizes than the usual have no such list, and large ones no movers.
struct Movers {
    index_t bytes;
    detail::Mover* pack[2];
    detail::Mover* unpack;
    detail::Picker* pick;
    detail::Picker* put;
};

namespace detail {

/// True for the usual sizes of elements, and for others that are moved by code of their own too.
constexpr bool has_movers(index_t bytes) { return bytes <= 16 && 16 % bytes == 0; }
constexpr bool has_simple_movers(index_t bytes) { return !has_movers(bytes) && bytes <= 64; }

// Packing in registers gains nothing beyond AVX2, and writing to scattered places nothing at all.
template <std::size_t Bytes>
constexpr Movers make_movers() {
    Movers movers{static_cast<index_t>(Bytes), {nullptr, nullptr}, nullptr, nullptr, nullptr};
    if constexpr (has_movers(static_cast<index_t>(Bytes))) {
        using E = raw_t<Bytes>;
        if constexpr (Bytes == 4 || Bytes == 8) {
            const auto& levels = plain_forms<Pack<E>, Mover>.level;
            movers.pack[0] = levels[0];
            movers.pack[1] = levels[1];
        } else {
            movers.pack[0] = movers.pack[1] = plain_baseline_form<Pack<E>, Mover>;
        }
        movers.unpack = plain_baseline_form<Unpack<E>, Mover>;
        movers.pick = plain_baseline_form<MoveByOffsets<E, false>, Picker>;
        movers.put = plain_baseline_form<MoveByOffsets<E, true>, Picker>;
    } else if constexpr (has_simple_movers(static_cast<index_t>(Bytes))) {
        using E = raw_t<Bytes>;
        movers.pack[0] = movers.pack[1] = plain_baseline_form<PackSingly<E>, Mover>;
        movers.unpack = plain_baseline_form<Unpack<E>, Mover>;
    }
    return movers;
}

}  // namespace detail

/// The movers of elements of a size: a table for every size in use, and code for no other.
template <std::size_t Bytes>
inline constexpr Movers movers_of = detail::make_movers<Bytes>();

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_PACKING_MOVERS_HPP
