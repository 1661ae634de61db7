// Packing strided operands into flat runs that stay in the first-level cache, and scattering flat
// results to strided targets. Elements are moved as bytes: by size, never by type.
#ifndef BROADLOOM_KERNEL_TILE_HPP
#define BROADLOOM_KERNEL_TILE_HPP

#include <cstdint>
#include <cstring>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

namespace broadloom::kernel {

/// Two loops over elements of one size: `rows` times `columns`, with strides in elements.
struct Block {
    index_t rows, columns;
    index_t row_stride, column_stride;
};

namespace detail {

#if defined(__GNUC__) || defined(__clang__)
#define BROADLOOM_MAY_ALIAS [[gnu::may_alias]]
#else
#define BROADLOOM_MAY_ALIAS
#endif

/// The bytes of an element of any type, moved through an unsigned number of the same size.
template <class U>
struct BROADLOOM_MAY_ALIAS Raw {
    using type = U;
    U value;
};

#undef BROADLOOM_MAY_ALIAS

struct Sixteen {
    std::uint64_t low, high;
};

/// Packs a block of elements into consecutive places.
template <class E>
struct Pack {
    template <class Isa>
    BROADLOOM_INLINE static void run(char* to_bytes, const char* from_bytes, const Block* block) {
        E* __restrict to = reinterpret_cast<E*>(to_bytes);
        const E* from = reinterpret_cast<const E*>(from_bytes);
        const index_t rows = block->rows, columns = block->columns;
        const index_t down = block->row_stride, along = block->column_stride;
        if (along == 0) {
            repeat(to, from, rows, columns, down);
        } else if (down == 1 && columns > 1) {
            turn(to, from, rows, columns, along);
        } else {
            for (index_t i = 0; i < rows; ++i, to += columns) {
                const E* row = from + i * down;
                if (along == 1) {
                    for (index_t j = 0; j < columns; ++j) to[j].value = row[j].value;
                } else {
                    for (index_t j = 0; j < columns; ++j) to[j].value = row[j * along].value;
                }
            }
        }
    }

private:
    // Every element `columns` times. The last write of a short run may go past its end, into
    // places that the next run fills; the last rows take care not to.
    BROADLOOM_INLINE static void repeat(E* __restrict to, const E* from, index_t rows,
                                        index_t columns, index_t down) {
        constexpr index_t width = 64 / static_cast<index_t>(sizeof(E));
        index_t i = 0;
        const index_t careful = (width + columns - 1) / columns;
        for (; i + careful < rows; ++i, to += columns) {
            const typename E::type value = from[i * down].value;
            index_t j = 0;
            do {
                for (index_t k = 0; k < width; ++k) to[j + k].value = value;
                j += width;
            } while (j < columns);
        }
        for (; i < rows; ++i, to += columns) {
            const typename E::type value = from[i * down].value;
            BROADLOOM_ROLLED
            for (index_t j = 0; j < columns; ++j) to[j].value = value;
        }
    }
    // Rows become columns, in squares so that every cache line read is used up.
    BROADLOOM_INLINE static void turn(E* __restrict to, const E* from, index_t rows,
                                      index_t columns, index_t along) {
        constexpr index_t side = 8;
        index_t i = 0;
        for (; i + side <= rows; i += side) {
            index_t j = 0;
            for (; j + side <= columns; j += side) {
                for (index_t c = 0; c < side; ++c) {
                    const E* line = from + (j + c) * along + i;
                    for (index_t r = 0; r < side; ++r) {
                        to[(i + r) * columns + j + c].value = line[r].value;
                    }
                }
            }
            for (; j < columns; ++j) {
                for (index_t r = 0; r < side; ++r) {
                    to[(i + r) * columns + j].value = from[j * along + i + r].value;
                }
            }
        }
        for (; i < rows; ++i) {
            BROADLOOM_ROLLED
            for (index_t j = 0; j < columns; ++j) {
                to[i * columns + j].value = from[j * along + i].value;
            }
        }
    }
};

/// Writes consecutive elements to the places of a block.
template <class E>
struct Unpack {
    template <class Isa>
    BROADLOOM_INLINE static void run(char* to_bytes, const char* from_bytes, const Block* block) {
        E* to = reinterpret_cast<E*>(to_bytes);
        const E* __restrict from = reinterpret_cast<const E*>(from_bytes);
        const index_t columns = block->columns, along = block->column_stride;
        for (index_t i = 0; i < block->rows; ++i, from += columns) {
            E* row = to + i * block->row_stride;
            if (along == 1) {
                for (index_t j = 0; j < columns; ++j) row[j].value = from[j].value;
            } else {
                for (index_t j = 0; j < columns; ++j) row[j * along].value = from[j].value;
            }
        }
    }
};

using Mover = void(char*, const char*, const Block*);

inline void pack_any(char* to, const char* from, const Block* block, index_t bytes) {
    for (index_t i = 0; i < block->rows; ++i) {
        for (index_t j = 0; j < block->columns; ++j, to += bytes) {
            const index_t at = i * block->row_stride + j * block->column_stride;
            std::memcpy(to, from + at * bytes, static_cast<std::size_t>(bytes));
        }
    }
}
inline void unpack_any(char* to, const char* from, const Block* block, index_t bytes) {
    for (index_t i = 0; i < block->rows; ++i) {
        for (index_t j = 0; j < block->columns; ++j, from += bytes) {
            const index_t at = i * block->row_stride + j * block->column_stride;
            std::memcpy(to + at * bytes, from, static_cast<std::size_t>(bytes));
        }
    }
}

template <template <class> class Kernel>
Mover* mover(index_t bytes) {
    switch (bytes) {
        case 1: return strict<Kernel<Raw<std::uint8_t>>, Mover>();
        case 2: return strict<Kernel<Raw<std::uint16_t>>, Mover>();
        case 4: return strict<Kernel<Raw<std::uint32_t>>, Mover>();
        case 8: return strict<Kernel<Raw<std::uint64_t>>, Mover>();
        case 16: return strict<Kernel<Raw<Sixteen>>, Mover>();
        default: return nullptr;
    }
}

}  // namespace detail

/// Packs a block into consecutive elements of `bytes` bytes each.
inline void pack(char* to, const char* from, const Block& block, index_t bytes) {
    if (detail::Mover* move = detail::mover<detail::Pack>(bytes)) move(to, from, &block);
    else detail::pack_any(to, from, &block, bytes);
}

/// Writes consecutive elements of `bytes` bytes each to the places of a block.
inline void unpack(char* to, const char* from, const Block& block, index_t bytes) {
    if (detail::Mover* move = detail::mover<detail::Unpack>(bytes)) move(to, from, &block);
    else detail::unpack_any(to, from, &block, bytes);
}

/// Packs a nest of loops, outermost first, into consecutive elements.
inline void pack(char* to, const char* from, const index_t* extents, const index_t* strides,
                 int rank, index_t bytes) {
    if (rank <= 2) {
        const bool two = rank == 2;
        pack(to, from,
             Block{two ? extents[0] : 1, rank > 0 ? extents[rank - 1] : 1, two ? strides[0] : 0,
                   rank > 0 ? strides[rank - 1] : 0},
             bytes);
        return;
    }
    index_t inner = bytes;
    for (int d = 1; d < rank; ++d) inner *= extents[d];
    for (index_t i = 0; i < extents[0]; ++i, to += inner) {
        // Where the operand stands still, the first copy serves again.
        if (i > 0 && strides[0] == 0) {
            std::memcpy(to, to - inner, static_cast<std::size_t>(inner));
        } else {
            pack(to, from + i * strides[0] * bytes, extents + 1, strides + 1, rank - 1, bytes);
        }
    }
}

/// Writes consecutive elements to the places of a nest of loops, outermost first.
inline void unpack(char* to, const char* from, const index_t* extents, const index_t* strides,
                   int rank, index_t bytes) {
    if (rank <= 2) {
        const bool two = rank == 2;
        unpack(to, from,
               Block{two ? extents[0] : 1, rank > 0 ? extents[rank - 1] : 1, two ? strides[0] : 0,
                     rank > 0 ? strides[rank - 1] : 0},
               bytes);
        return;
    }
    index_t inner = bytes;
    for (int d = 1; d < rank; ++d) inner *= extents[d];
    for (index_t i = 0; i < extents[0]; ++i, from += inner) {
        unpack(to + i * strides[0] * bytes, from, extents + 1, strides + 1, rank - 1, bytes);
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_TILE_HPP
