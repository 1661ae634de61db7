// Packing strided operands into flat runs that stay in the first-level cache, and scattering flat
// results to strided targets: blocks of two loops.
#ifndef BROADLOOM_KERNEL_PACKING_TILE_HPP
#define BROADLOOM_KERNEL_PACKING_TILE_HPP

#include <cstring>

#include "broadloom/kernel/packing/movers.hpp"

namespace broadloom::kernel {

namespace detail {

/// Fills `total` bytes with copies of the first `piece` of them, several at a time where they are
/// short.
inline void replicate(char* to, index_t piece, index_t total) {
    constexpr index_t long_piece = 2048;
    for (index_t done = piece; done < total;) {
        const index_t next = piece < total - done ? piece : total - done;
        std::memcpy(to + done, to, static_cast<std::size_t>(next));
        done += next;
        if (piece < long_piece) piece = done;
    }
}

/// Rows of at least 2 consecutive bytes, each of which is written `times` times. Up to so many a
/// row is short.
struct ShortRows {
    static constexpr index_t longest = 16384;

    index_t bytes, rows, times;
    index_t from_row, to_row;  // bytes from one to the next
};

/// Copies short rows as words, the first ones and the last ones, which may overlap. A call of
/// memcpy for every row takes two to three times as long.
struct CopyRows {
    template <class Isa>
    BROADLOOM_KERNEL static void run(char* to, const char* from, const ShortRows* rows) {
        using Wide = Chunk<Isa::bytes>;
        const ShortRows block = *rows;
        if (block.bytes > 256) copy_long<Wide>(to, from, block);
        else if (block.bytes > 128) copy<Wide, 128 / Isa::bytes>(to, from, block);
        else if (block.bytes > 64) copy<Wide, 64 / Isa::bytes>(to, from, block);
        else if (block.bytes > 32) copy<Wide, 32 / Isa::bytes>(to, from, block);
        else if (block.bytes > 16) copy<Chunk<16>, 1>(to, from, block);
        else if (block.bytes > 8) copy<std::uint64_t, 1>(to, from, block);
        else if (block.bytes > 4) copy<std::uint32_t, 1>(to, from, block);
        else copy<std::uint16_t, 1>(to, from, block);
    }

private:
    /// Rows of Count to 2 * Count words.
    template <class Word, index_t Count>
    BROADLOOM_INLINE static void copy(char* to, const char* from, ShortRows block) {
        constexpr index_t size{sizeof(Word)};
        const index_t last = block.bytes - Count * size;
        BROADLOOM_ROLLED
        for (; block.rows > 0; --block.rows, from += block.from_row) {
            Word head[std::size_t{Count}], tail[std::size_t{Count}];
            BROADLOOM_UNROLLED
            for (index_t i = 0; i < Count; ++i) {
                __builtin_memcpy(&head[i], from + i * size, sizeof(Word));
                __builtin_memcpy(&tail[i], from + last + i * size, sizeof(Word));
            }
            BROADLOOM_ROLLED
            for (index_t t = 0; t < block.times; ++t, to += block.to_row) {
                BROADLOOM_UNROLLED
                for (index_t i = 0; i < Count; ++i) {
                    __builtin_memcpy(to + i * size, &head[i], sizeof(Word));
                    __builtin_memcpy(to + last + i * size, &tail[i], sizeof(Word));
                }
            }
        }
    }
    template <class Word>
    BROADLOOM_INLINE static void copy_long(char* to, const char* from, ShortRows block) {
        constexpr index_t size{sizeof(Word)};
        const index_t last = block.bytes - size;
        for (; block.rows > 0; --block.rows, from += block.from_row) {
            for (index_t t = 0; t < block.times; ++t, to += block.to_row) {
                BROADLOOM_ROLLED
                for (index_t i = 0; i < last; i += size) copy_word<Word>(to + i, from + i);
                copy_word<Word>(to + last, from + last);
            }
        }
    }
    template <class Word>
    BROADLOOM_INLINE static void copy_word(char* to, const char* from) {
        Word word;
        __builtin_memcpy(&word, from, sizeof(Word));
        __builtin_memcpy(to, &word, sizeof(Word));
    }
};

/// True for rows of several elements, side by side, that are short.
inline bool are_short(index_t columns, index_t column_stride, index_t bytes) {
    return column_stride == 1 && columns > 1 && columns * bytes <= ShortRows::longest;
}

inline void copy_short_rows(char* to, const char* from, const ShortRows& rows) {
    plain<CopyRows, void(char*, const char*, const ShortRows*)>()(to, from, &rows);
}

/// The code that packs a block, if there is any. A few rows that are joined or parted, but four of
/// eight bytes, which wide registers hold as a square, are an affair of narrow ones everywhere.
inline Mover* packer_of(const Movers& movers, const Block& block) {
    const index_t most = movers.bytes < 8 ? 4 : 3;
    const bool joins = block.columns <= (block.to_row == 0 ? most : 3) && block.column_stride != 0;
    const bool parts = block.rows <= most && block.column_stride == block.rows;
    return movers.pack[isa() > 0 && (block.row_stride != 1 || !(joins || parts))];
}

/// True for a few rows whose elements are neighbours, but have gaps between them, or words that go
/// backwards: movers part such rows several times faster where they lie side by side.
inline bool are_parted_with_gaps(const Block& block, index_t bytes) {
    constexpr index_t vector = 16, widest = 4, fewest = 64;
    const bool few = block.rows > 1 && (block.rows < 4 || block.rows * bytes < vector);
    const bool parted = magnitude(block.row_stride) == 1 && block.column_stride != 0;
    const bool gaps = block.column_stride != block.rows;
    return few && parted && block.columns >= fewest && bytes <= widest &&
           (gaps || (block.row_stride < 0 && bytes == widest));
}
/// Packs such rows through a buffer without gaps.
BROADLOOM_NOINLINE inline void part_with_gaps(char* to, const char* from, const Block& block,
                                              const Movers& movers) {
    constexpr index_t room = 4096;  // bytes
    constexpr index_t fewest = 32;  // elements at a time, more than a register has
    char buffer[room];
    const index_t rows = block.rows, row = rows * movers.bytes, most = room / row;
    index_t to_row = block.to_row != 0 ? block.to_row : block.columns;
    if (block.row_stride < 0) {  // forwards from the last row on
        from -= row - movers.bytes;
        to += (rows - 1) * to_row * movers.bytes;
        to_row = -to_row;
    }
    const index_t column = block.column_stride * movers.bytes;
    for (index_t done = 0, count; done < block.columns; done += count) {
        const index_t left = block.columns - done;
        count = left <= most ? left : left < most + fewest ? left / 2 : most;
        copy_short_rows(buffer, from + done * column, {row, count, 1, column, row});
        const Block parts{rows, count, 1, rows, 0, to_row};
        packer_of(movers, parts)(to + done * movers.bytes, buffer, &parts);
    }
}

}  // namespace detail

/// Packs a block into consecutive elements.
BROADLOOM_NOINLINE inline void pack(char* to, const char* from, const Block& block,
                                    const Movers& movers) {
    const index_t row = block.columns * movers.bytes;
    if (block.rows > 1 && block.row_stride == 0) {
        pack(to, from, Block{1, block.columns, 0, block.column_stride}, movers);
        detail::replicate(to, row, block.rows * row);
        return;
    }
    if (detail::are_short(block.columns, block.column_stride, movers.bytes)) {
        detail::copy_short_rows(to, from,
                                {row, block.rows, 1, block.row_stride * movers.bytes, row});
        return;
    }
    if (detail::Mover* move = detail::packer_of(movers, block)) {
        if (detail::are_parted_with_gaps(block, movers.bytes))
            detail::part_with_gaps(to, from, block, movers);
        else move(to, from, &block);
        return;
    }
    const auto bytes = static_cast<std::size_t>(movers.bytes);
    const index_t to_row = block.to_row != 0 ? block.to_row : block.columns;
    for (index_t i = 0; i < block.rows; ++i) {
        for (index_t j = 0; j < block.columns; ++j) {
            const index_t at = i * block.row_stride + j * block.column_stride;
            std::memcpy(to + (i * to_row + j) * movers.bytes, from + at * movers.bytes, bytes);
        }
    }
}

/// Writes consecutive elements to the places of a block.
BROADLOOM_NOINLINE inline void unpack(char* to, const char* from, const Block& block,
                                      const Movers& movers) {
    const index_t row = block.columns * movers.bytes;
    if (detail::are_short(block.columns, block.column_stride, movers.bytes)) {
        detail::copy_short_rows(to, from,
                                {row, block.rows, 1, row, block.row_stride * movers.bytes});
        return;
    }
    if (block.row_stride == 1 && block.rows > 1 && movers.pack[0] != nullptr) {
        const Block turned{block.columns, block.rows, 1, block.columns, 0, block.column_stride};
        detail::packer_of(movers, turned)(to, from, &turned);
        return;
    }
    if (movers.unpack != nullptr) {
        movers.unpack(to, from, &block);
        return;
    }
    const auto bytes = static_cast<std::size_t>(movers.bytes);
    for (index_t i = 0; i < block.rows; ++i) {
        for (index_t j = 0; j < block.columns; ++j, from += bytes) {
            const index_t at = i * block.row_stride + j * block.column_stride;
            std::memcpy(to + at * movers.bytes, from, bytes);
        }
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_PACKING_TILE_HPP
