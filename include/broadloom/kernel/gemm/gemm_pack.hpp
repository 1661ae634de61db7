// Blocks of the operands of a matrix product, copied where reading them in place would be slow:
// b as panels of two registers of columns, a as rows that do not collide in the cache.
#ifndef BROADLOOM_KERNEL_GEMM_GEMM_PACK_HPP
#define BROADLOOM_KERNEL_GEMM_GEMM_PACK_HPP

#include "broadloom/kernel/gemm/gemm_tile.hpp"

#if defined(__GNUC__)

namespace broadloom::kernel::gemm_detail {

/// Copies rows of parts, from the `first` on to `last`, whose elements lie `step` apart.
template <Algebra G, class E>
BROADLOOM_INLINE void gather_rows(E* to, index_t to_row, const E* from, index_t from_row,
                                  index_t step, index_t rows, index_t first, index_t last) {
    constexpr index_t parts = parts_of<G>;
    for (index_t i = 0; i < rows; ++i, to += to_row, from += from_row) {
        for (index_t u = first; u < last; ++u)
            put(to + u, get(from + u / parts * step + u % parts));
    }
}

/// Copies a block of b with contiguous rows. The last panel is filled up with zeros.
template <int Bytes, class E>
BROADLOOM_INLINE void pack_rows(E* to, const E* from, index_t depth, index_t columns, index_t row,
                                index_t panel) {
    if (row == columns && panel == columns) return copy<Bytes>(to, from, depth * columns);
    constexpr index_t panels = 16;  // at a time: as many pages are written to
    for (index_t first = 0; first < columns; first += panels * panel) {
        const index_t end = columns - first < panels * panel ? columns : first + panels * panel;
        for (index_t p = 0; p < depth; ++p) {
            for (index_t j = first; j < end; j += panel) {
                const index_t used = columns - j < panel ? columns - j : panel;
                E* const at = to + j * depth + p * panel;
                if (used < panel) clear(at, panel);
                copy<Bytes>(at, from + p * row + j, used);
            }
        }
    }
}

/// Copies a block of b of any strides; `columns`, `row`, `column` and `panel` count parts.
/// Contiguous columns are transposed in registers.
template <Algebra G, int Bytes, class E>
BROADLOOM_INLINE void pack_columns(E* to, const E* from, index_t depth, index_t columns,
                                   index_t row, index_t column, index_t panel) {
    constexpr index_t parts = parts_of<G>, L = VectorOf<E, Bytes>::lanes;
    for (index_t j = 0; j < columns; j += panel) {
        const index_t used = columns - j < panel ? columns - j : panel;
        if (used < panel) clear(to, depth * panel);
        index_t done = 0;
        if constexpr (sizeof(E) * parts == 4 || sizeof(E) * parts == 8) {
            using U = unsigned_of<sizeof(E) * parts>;
            for (; row == parts && done + L <= used; done += L) {
                transpose<Bytes>(reinterpret_cast<U*>(to + done), panel / parts,
                                 reinterpret_cast<const U*>(from + done / parts * column),
                                 column / parts, depth);
            }
        }
        gather_rows<G>(to, panel, from, row, column, depth, done, used);
        from += panel / parts * column;
        to += depth * panel;
    }
}

/// Copies the rows of a strip of a: each contiguous in k and `pitch` from the next, or each step
/// of k contiguous in rows if that is how they lie.
template <Algebra G, int Bytes, class E>
BROADLOOM_INLINE void pack_a(Strip<E>& s, E* to, index_t pitch) {
    constexpr index_t parts = parts_of<G>;
    const E* const from = s.a;
    s.a = to;
    if (s.a_row == parts && s.a_step != parts) {
        const index_t length = s.rows * parts;
        for (index_t p = 0; p < s.depth; ++p) {
            copy<Bytes>(to + p * length, from + p * s.a_step, length);
        }
        s.a_step = length;
        return;
    }
    if (s.a_step == parts) {
        for (index_t i = 0; i < s.rows; ++i) {
            copy<Bytes>(to + i * pitch, from + i * s.a_row, s.depth * parts);
        }
    } else {
        gather_rows<G>(to, pitch, from, s.a_row, s.a_step, s.rows, 0, s.depth * parts);
    }
    s.a_row = pitch;
    s.a_step = parts;
}

}  // namespace broadloom::kernel::gemm_detail

#endif

#endif  // BROADLOOM_KERNEL_GEMM_GEMM_PACK_HPP
