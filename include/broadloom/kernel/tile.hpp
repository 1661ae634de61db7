// Packing strided operands into flat runs that stay in the first-level cache, and scattering flat
// results to strided targets: blocks of two loops, and nests of any number.
#ifndef BROADLOOM_KERNEL_TILE_HPP
#define BROADLOOM_KERNEL_TILE_HPP

#include <cstring>

#include "broadloom/kernel/movers.hpp"

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

/// Rows of 2 to 1024 consecutive bytes, each of which is written `times` times.
struct ShortRows {
    static constexpr index_t longest = 1024;

    index_t bytes, rows, times;
    index_t from_row, to_row;  // bytes from one to the next
};

/// Copies short rows as words, the first ones and the last ones, which may overlap. A call of
/// memcpy for every row takes two to three times as long.
struct CopyRows {
    template <class Isa>
    BROADLOOM_INLINE static void run(char* to, const char* from, const ShortRows* rows) {
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
    const bool joins = block.columns <= (block.to_row == 0 ? most : 3);
    const bool parts = block.rows <= most && block.column_stride == block.rows;
    return movers.pack[isa() > 0 && (block.row_stride != 1 || !(joins || parts))];
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
        move(to, from, &block);
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

/// Some loops over one operand, outermost first, joined where one continues the next.
struct Nest {
    int rank = 0;
    index_t extents[max_rank], strides[max_rank];

    Nest(const index_t* all_extents, const index_t* all_strides, int loops) {
        for (int d = 0; d < loops; ++d) {
            if (all_extents[d] == 1) continue;
            if (rank > 0 && strides[rank - 1] == all_strides[d] * all_extents[d]) {
                extents[rank - 1] *= all_extents[d];
                strides[rank - 1] = all_strides[d];
            } else {
                extents[rank] = all_extents[d];
                strides[rank++] = all_strides[d];
            }
        }
    }
    index_t extent(int from_inside) const {
        return from_inside < rank ? extents[rank - 1 - from_inside] : 1;
    }
    index_t stride(int from_inside) const {
        return from_inside < rank ? strides[rank - 1 - from_inside] : 0;
    }
};

namespace detail {

/// Packs the loops from `loop` on for all turns of the loop around them at once, which go over
/// neighbours in memory and come to lie `to_row` elements apart.
BROADLOOM_NOINLINE inline void pack_turned(char* to, const char* from, const Nest& nest, int loop,
                                           int around, index_t to_row, const Movers& movers) {
    if (loop + 1 == nest.rank) {
        pack(to, from,
             Block{nest.extents[around], nest.extents[loop], nest.strides[around],
                   nest.strides[loop], 0, to_row},
             movers);
        return;
    }
    index_t inner = movers.bytes;
    for (int d = loop + 1; d < nest.rank; ++d) inner *= nest.extents[d];
    for (index_t i = 0; i < nest.extents[loop]; ++i) {
        pack_turned(to + i * inner, from + i * nest.strides[loop] * movers.bytes, nest, loop + 1,
                    around, to_row, movers);
    }
}

/// True for three loops of which the innermost are short rows, and the middle one takes few.
inline bool has_few_rows(const Nest& nest, index_t bytes) {
    constexpr index_t few = 16, near_each_other = 4096;  // rows, bytes
    return are_short(nest.extent(0), nest.stride(0), bytes) && nest.extent(1) <= few &&
           nest.extent(1) * nest.extent(0) * bytes <= near_each_other &&
           nest.extent(1) < nest.extent(2) && nest.stride(2) != 0;
}

/// Packs them: all first rows, then all second ones, and so on, as far as the first-level cache
/// holds what they are written to. A call for a few rows takes as long as one for many.
BROADLOOM_NOINLINE inline void pack_few_rows(char* to, const char* from, const Nest& nest,
                                             index_t bytes) {
    constexpr index_t cached = 16384;
    const index_t few = nest.extent(1), turns = nest.extent(2), row = nest.extent(0) * bytes;
    const index_t group = few * row, step = nest.stride(2) * bytes, next = nest.stride(1) * bytes;
    const index_t most = cached / group + 1;
    for (index_t done = 0; done < turns; done += most) {
        const index_t count = most < turns - done ? most : turns - done;
        for (index_t i = 0; i < few; ++i) {
            copy_short_rows(to + done * group + i * row, from + done * step + i * next,
                            {row, count, 1, step, group});
        }
    }
}

BROADLOOM_NOINLINE inline void pack_nest(char* to, const char* from, const Nest& nest, int outer,
                                         const Movers& movers) {
    if (nest.rank - outer <= 2) {
        pack(to, from,
             Block{nest.rank - outer == 2 ? nest.extent(1) : 1, nest.extent(0),
                   nest.rank - outer == 2 ? nest.stride(1) : 0, nest.stride(0)},
             movers);
        return;
    }
    if (nest.rank - outer == 3 && nest.stride(1) == 0 &&
        are_short(nest.extent(0), nest.stride(0), movers.bytes)) {
        const index_t row = nest.extent(0) * movers.bytes;
        copy_short_rows(to, from,
                        {row, nest.extent(2), nest.extent(1), nest.stride(2) * movers.bytes, row});
        return;
    }
    if (nest.rank - outer == 3 && has_few_rows(nest, movers.bytes)) {
        pack_few_rows(to, from, nest, movers.bytes);
        return;
    }
    index_t inner = movers.bytes;
    for (int d = outer + 1; d < nest.rank; ++d) inner *= nest.extents[d];
    const index_t around = nest.strides[outer], along = nest.stride(0);
    if ((around == 1 || around == -1) && (along > 1 || along < -1)) {
        pack_turned(to, from, nest, outer + 1, outer, inner / movers.bytes, movers);
        return;
    }
    const bool stands_still = nest.strides[outer] == 0;
    const index_t turns = stands_still ? 1 : nest.extents[outer];
    for (index_t i = 0; i < turns; ++i) {
        pack_nest(to + i * inner, from + i * nest.strides[outer] * movers.bytes, nest, outer + 1,
                  movers);
    }
    if (stands_still) replicate(to, inner, nest.extents[outer] * inner);
}

/// Lists the offsets of the elements of a nest of loops, in order.
inline void list_offsets(std::int32_t* list, const index_t* extents, const index_t* strides,
                         int loops) {
    index_t index[max_rank] = {}, at = 0;
    for (;;) {
        for (index_t i = 0; i < extents[loops - 1]; ++i, at += strides[loops - 1]) {
            *list++ = static_cast<std::int32_t>(at);
        }
        at -= extents[loops - 1] * strides[loops - 1];
        int loop = loops - 2;
        for (; loop >= 0; --loop) {
            at += strides[loop];
            if (++index[loop] < extents[loop]) break;
            at -= extents[loop] * strides[loop];
            index[loop] = 0;
        }
        if (loop < 0) return;
    }
}

}  // namespace detail

/// Packs a nest of loops, outermost first, into consecutive elements.
BROADLOOM_NOINLINE inline void pack(char* to, const char* from, const index_t* extents,
                                    const index_t* strides, int rank, const Movers& movers) {
    detail::pack_nest(to, from, Nest(extents, strides, rank), 0, movers);
}

/// Writes consecutive elements to the places of a nest of loops, outermost first.
inline void unpack(char* to, const char* from, const index_t* extents, const index_t* strides,
                   int rank, const Movers& movers) {
    if (rank <= 2) {
        const bool two = rank == 2;
        unpack(to, from,
               Block{two ? extents[0] : 1, rank > 0 ? extents[rank - 1] : 1, two ? strides[0] : 0,
                     rank > 0 ? strides[rank - 1] : 0},
               movers);
        return;
    }
    index_t inner = movers.bytes;
    for (int d = 1; d < rank; ++d) inner *= extents[d];
    for (index_t i = 0; i < extents[0]; ++i, from += inner) {
        unpack(to + i * strides[0] * movers.bytes, from, extents + 1, strides + 1, rank - 1,
               movers);
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_TILE_HPP
