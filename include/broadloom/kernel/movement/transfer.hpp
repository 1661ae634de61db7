// The loops under gather and scatter. Indices of any integral type become offsets, checked, a
// block at a time; elements move between offsets and rows by size, not by type, or are combined.
// Knows no operation's name.
#ifndef BROADLOOM_KERNEL_MOVEMENT_TRANSFER_HPP
#define BROADLOOM_KERNEL_MOVEMENT_TRANSFER_HPP

#include <cstdint>
#include <type_traits>

#include "broadloom/kernel/movement/look_up.hpp"
#include "broadloom/kernel/packing/tile.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {

/// Turns a block of indices into offsets, to each of which the next of `aside` is added; false if
/// an index is out of reach. Without `offsets` it only checks.
using Resolve = bool(index_t* offsets, const void* indices, const Block* block,
                     const index_t* aside, const Reach* reach);

/// Rows of elements that move together: row r begins at offset r of the indexed side and at
/// r * down of the plain side, and its columns are `along` and `across` apart.
struct Rows {
    index_t rows, columns;
    index_t along;
    index_t down, across;
};
using Move = void(void* indexed, const index_t* offsets, void* plain, const Rows* rows);

/// What moves elements: by offsets, and without.
struct Transfer {
    Move* move;
    LookUp* look_up;
};

namespace detail {

template <class Int>
struct Resolver {
    template <class Isa>
    BROADLOOM_KERNEL static bool run(index_t* offsets, const void* indices, const Block* block,
                                     const index_t* aside, const Reach* reach) {
        const Int* from = static_cast<const Int*>(indices);
        const index_t stride = block->column_stride;
        index_t rows = block->rows, columns = block->columns;
        if (block->row_stride == columns * stride) {  // one long row
            columns *= rows;
            rows = 1;
        }
        std::size_t outside = 0;
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r) {
            if (offsets == nullptr) {
                outside |= stride == 1 ? check(from, 1, columns, *reach)
                                       : check(from, stride, columns, *reach);
            } else {
                outside |= stride == 1 ? turn(offsets, from, 1, columns, aside, *reach)
                                       : turn(offsets, from, stride, columns, aside, *reach);
                offsets += columns;
                aside += columns;
            }
            from += block->row_stride;
        }
        return outside == 0;
    }

private:
    // Where an index points, counted from the front; out of reach it is a large number.
    BROADLOOM_INLINE static std::size_t place(Int index, index_t wrap) {
        const auto at = static_cast<std::size_t>(sizeof(Int) > sizeof(index_t)
                                                     ? scalar::saturate<index_t>(index)
                                                     : static_cast<index_t>(index));
        if constexpr (std::is_signed_v<Int>) {
            return at + (index < 0 ? static_cast<std::size_t>(wrap) : 0);
        } else {
            return at;
        }
    }
    BROADLOOM_INLINE static std::size_t check(const Int* from, index_t stride, index_t count,
                                              const Reach& reach) {
        const auto extent = static_cast<std::size_t>(reach.extent);
        const index_t wrap = reach.wrap;
        std::size_t outside = 0;
        for (index_t c = 0; c < count; ++c) {
            outside |= static_cast<std::size_t>(place(from[c * stride], wrap) >= extent);
        }
        return outside;
    }
    // Unsigned arithmetic: an index out of reach may give any offset.
    BROADLOOM_INLINE static std::size_t turn(index_t* __restrict offsets, const Int* from,
                                             index_t stride, index_t count,
                                             const index_t* __restrict aside, const Reach& reach) {
        const auto extent = static_cast<std::size_t>(reach.extent);
        const auto step = static_cast<std::size_t>(reach.step);
        const index_t wrap = reach.wrap;
        std::size_t outside = 0;
        if (step == 1) {
            for (index_t c = 0; c < count; ++c) {
                const std::size_t at = place(from[c * stride], wrap);
                outside |= static_cast<std::size_t>(at >= extent);
                offsets[c] = static_cast<index_t>(at + static_cast<std::size_t>(aside[c]));
            }
        } else {
            for (index_t c = 0; c < count; ++c) {
                const std::size_t at = place(from[c * stride], wrap);
                outside |= static_cast<std::size_t>(at >= extent);
                offsets[c] = static_cast<index_t>(at * step + static_cast<std::size_t>(aside[c]));
            }
        }
        return outside;
    }
};

/// Copies a run of more than 16 bytes, of which there are seldom many. Pieces of 16 bytes keep more
/// cache lines on their way than wide registers do.
BROADLOOM_INLINE void copy_run(char* __restrict to, const char* __restrict from, index_t bytes) {
    if (bytes > 1024) {
        __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
    } else {
        BROADLOOM_ROLLED
        for (index_t i = 0; i + 16 < bytes; i += 16) __builtin_memcpy(to + i, from + i, 16);
        __builtin_memcpy(to + bytes - 16, from + bytes - 16, 16);
    }
}

/// How many indices are turned into offsets at a time.
inline constexpr index_t offsets_length = 512;

/// How many rows ahead of the one that moves the cache is told of, and how much of them.
inline constexpr index_t rows_ahead = 8, bytes_ahead = 512;

/// Prefetches the row `rows_ahead` of row r, if there is one.
BROADLOOM_INLINE void prefetch_row(const char* base, const index_t* offsets, index_t r,
                                   index_t count, index_t element, index_t bytes) {
    if (r + rows_ahead >= count) return;
    const char* row = base + offsets[r + rows_ahead] * element;
    const index_t last = bytes < bytes_ahead ? bytes : bytes_ahead;
    BROADLOOM_ROLLED
    for (index_t i = 0; i < last; i += 64) __builtin_prefetch(row + i);
}

/// Prefetches the offsets of the next block, which lie behind these where indices are offsets.
BROADLOOM_INLINE void call_for_offsets(const index_t* offsets) {
    constexpr std::uintptr_t block = offsets_length * sizeof(index_t);
    __builtin_prefetch(
        reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(offsets) + block));
}

/// Rows of consecutive bytes, `bytes` each: those of the indexed side at multiples of `element`,
/// those of the plain side `down` apart.
struct ByteRows {
    char* indexed;
    const index_t* offsets;
    char* plain;
    index_t count, bytes, element, down;
};

/// Moves rows to the indexed side, or from it. Rows of up to 32 bytes are moved as their first word
/// and their last one, which may overlap.
template <bool to_indexed>
struct MoveRows {
    BROADLOOM_STRICT static void run(const ByteRows& rows) {
        if (rows.bytes > 32) long_rows(rows);
        else if (rows.bytes > 16) short_rows<Chunk<16>>(rows);
        else if (rows.bytes > 8) short_rows<std::uint64_t>(rows);
        else if (rows.bytes > 4) short_rows<std::uint32_t>(rows);
        else if (rows.bytes > 1) short_rows<std::uint16_t>(rows);
        else short_rows<std::uint8_t>(rows);
    }

private:
    BROADLOOM_INLINE static char* place(const ByteRows& rows, index_t r) {
        return rows.indexed + rows.offsets[r] * rows.element;
    }
    /// Rows of one to two words.
    template <class Word>
    BROADLOOM_INLINE static void short_rows(ByteRows rows) {
        index_t r = 0;
        for (; r < rows.count - rows_ahead; ++r, rows.plain += rows.down) {
            __builtin_prefetch(place(rows, r + rows_ahead));
            short_row<Word>(rows, r);
        }
        for (; r < rows.count; ++r, rows.plain += rows.down) short_row<Word>(rows, r);
    }
    template <class Word>
    BROADLOOM_INLINE static void short_row(const ByteRows& rows, index_t r) {
        const index_t last = rows.bytes - index_t{sizeof(Word)};
        char* const to = to_indexed ? place(rows, r) : rows.plain;
        const char* const from = to_indexed ? rows.plain : place(rows, r);
        Word head, tail;
        __builtin_memcpy(&head, from, sizeof(Word));
        __builtin_memcpy(&tail, from + last, sizeof(Word));
        __builtin_memcpy(to, &head, sizeof(Word));
        __builtin_memcpy(to + last, &tail, sizeof(Word));
    }
    BROADLOOM_INLINE static void long_rows(ByteRows rows) {
        for (index_t r = 0; r < rows.count; ++r, rows.plain += rows.down) {
            char* const there = place(rows, r);
            prefetch_row(rows.indexed, rows.offsets, r, rows.count, rows.element, rows.bytes);
            copy_run(to_indexed ? there : rows.plain, to_indexed ? rows.plain : there, rows.bytes);
        }
    }
};

/// From the indexed side to the plain one.
template <class E>
struct Fetch {
    using Element = E;
    BROADLOOM_INLINE static void move(const E& indexed, E& plain) { plain.value = indexed.value; }

    template <class Isa>
    BROADLOOM_KERNEL static void run(void* indexed, const index_t* offsets, void* plain,
                                     const Rows* rows) {
        const E* from = static_cast<const E*>(indexed);
        E* to = static_cast<E*>(plain);
        const index_t count = rows->rows, columns = rows->columns;
        const index_t along = rows->along, down = rows->down, across = rows->across;
        if (columns == 1 && down == 1) {
            E* __restrict flat = to;
            index_t r = 0;
            for (; r + 8 <= count; r += 8) {
                call_for_offsets(offsets + r);
                for (index_t k = r; k < r + 8; ++k) flat[k].value = from[offsets[k]].value;
            }
            for (; r < count; ++r) flat[r].value = from[offsets[r]].value;
        } else if (along == 1 && across == 1) {
            constexpr auto bytes = static_cast<index_t>(sizeof(E));
            MoveRows<false>::run({static_cast<char*>(indexed), offsets, static_cast<char*>(plain),
                                  count, columns * bytes, bytes, down * bytes});
        } else {
            for (index_t r = 0; r < count; ++r) {
                for (index_t c = 0; c < columns; ++c) {
                    to[r * down + c * across].value = from[offsets[r] + c * along].value;
                }
            }
        }
    }
};

/// From the plain side to the indexed one, in order: of two elements for one place the later
/// stays.
template <class E>
struct Store {
    using Element = E;
    BROADLOOM_INLINE static void move(E& indexed, const E& plain) { indexed.value = plain.value; }

    template <class Isa>
    BROADLOOM_KERNEL static void run(void* indexed, const index_t* offsets, void* plain,
                                     const Rows* rows) {
        E* to = static_cast<E*>(indexed);
        const E* from = static_cast<const E*>(plain);
        const index_t count = rows->rows, columns = rows->columns;
        const index_t along = rows->along, down = rows->down, across = rows->across;
        if (columns == 1) {
            index_t r = 0;
            for (; r + 8 <= count; r += 8) {
                call_for_offsets(offsets + r);
                for (index_t k = r; k < r + 8; ++k) to[offsets[k]].value = from[k * down].value;
            }
            for (; r < count; ++r) to[offsets[r]].value = from[r * down].value;
        } else if (along == 1 && across == 1) {
            constexpr auto bytes = static_cast<index_t>(sizeof(E));
            MoveRows<true>::run({static_cast<char*>(indexed), offsets, static_cast<char*>(plain),
                                 count, columns * bytes, bytes, down * bytes});
        } else {
            for (index_t r = 0; r < count; ++r) {
                for (index_t c = 0; c < columns; ++c) {
                    to[offsets[r] + c * along].value = from[r * down + c * across].value;
                }
            }
        }
    }
};

/// The indexed side becomes F of itself and the plain side, in order.
template <class T, class F>
struct Combine {
    using Element = T;
    BROADLOOM_INLINE static void move(T& indexed, const T& plain) { indexed = F{}(indexed, plain); }

    template <class Isa>
    BROADLOOM_KERNEL static void run(void* indexed, const index_t* offsets, void* plain,
                                     const Rows* rows) {
        T* to = static_cast<T*>(indexed);
        const T* from = static_cast<const T*>(plain);
        const index_t count = rows->rows, columns = rows->columns;
        const index_t along = rows->along, down = rows->down, across = rows->across;
        const F f{};
        if (columns == 1) {
            index_t r = 0;
            for (; r + 8 <= count; r += 8) {
                call_for_offsets(offsets + r);
                for (index_t k = r; k < r + 8; ++k) {
                    to[offsets[k]] = f(to[offsets[k]], from[k * down]);
                }
            }
            for (; r < count; ++r) to[offsets[r]] = f(to[offsets[r]], from[r * down]);
        } else if (along == 1 && across == 1) {
            constexpr auto bytes = static_cast<index_t>(sizeof(T));
            for (index_t r = 0; r < count; ++r) {
                prefetch_row(static_cast<const char*>(indexed), offsets, r, count, bytes,
                             columns * bytes);
                T* __restrict row = to + offsets[r];
                const T* __restrict other = from + r * down;
                for (index_t c = 0; c < columns; ++c) row[c] = f(row[c], other[c]);
            }
        } else {
            for (index_t r = 0; r < count; ++r) {
                for (index_t c = 0; c < columns; ++c) {
                    T& cell = to[offsets[r] + c * along];
                    cell = f(cell, from[r * down + c * across]);
                }
            }
        }
    }
};

}  // namespace detail

/// The compiled forms for this processor. They wait for elements here and there, which wider
/// vectors would bring no sooner.
template <class Int>
Resolve* resolver() {
    return strict<detail::Resolver<Int>, Resolve, Widest::avx2>();
}
template <class Way, Widest W = Widest::avx2>
Transfer transfer() {
    return {strict<Way, Move, W>(), &detail::Direct<Way>::run};
}
template <class T>
Transfer fetch() {
    return transfer<detail::Fetch<detail::raw_t<sizeof(T)>>>();
}
template <class T>
Transfer store() {
    return transfer<detail::Store<detail::raw_t<sizeof(T)>>>();
}
template <class T, class F>
Transfer combine() {
    return transfer<detail::Combine<T, F>, narrowed<kind<T> == Kind::complex>(Widest::avx2)>();
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_MOVEMENT_TRANSFER_HPP
