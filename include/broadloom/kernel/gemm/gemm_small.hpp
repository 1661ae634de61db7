// Batches of small matrix products: a row of b fills no more than a register, which has what
// follows in memory in its other lanes.
#ifndef BROADLOOM_KERNEL_GEMM_GEMM_SMALL_HPP
#define BROADLOOM_KERNEL_GEMM_GEMM_SMALL_HPP

#include "broadloom/kernel/gemm/gemm_pack.hpp"
#include "broadloom/kernel/gemm/product.hpp"

#if defined(__GNUC__)

namespace broadloom::kernel::gemm_detail {

/// Rows first to last of every product, four at a time.
template <class E, Algebra G>
struct Small {
    static constexpr index_t parts = parts_of<G>, size = static_cast<index_t>(sizeof(E));
    static constexpr index_t most_depth = 32, most_rows = 16;

    /// Whether a batch is computed so.
    static bool takes(const Product& q) {
        return q.batch > 0 && q.n * parts * size <= 16 << isa() && q.k <= most_depth &&
               q.m <= most_rows;
    }

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        // Half of a register of 64 bytes is read and stored faster, smaller parts are not.
        constexpr int least = Isa::bytes > 32 ? 32 : Isa::bytes;
        if (q.n * parts * size <= least) return products<least>(q, first, last);
        if constexpr (least < Isa::bytes) products<Isa::bytes>(q, first, last);
    }

private:
    template <int Bytes>
    BROADLOOM_INLINE static void products(const Product& q, index_t first, index_t last) {
        constexpr index_t L = VectorOf<E, Bytes>::lanes;
        const index_t columns = q.n * parts, c_row = q.c_row * parts;
        alignas(64) E block[static_cast<std::size_t>(most_depth * L)],
            aside[static_cast<std::size_t>(4 * L)];
        clear(block, q.k * L);
        // Whether the products of the last dimension follow one another, as all rows then do.
        const int d = q.batch - 1;
        const index_t a_step = q.a_step[d] * parts, b_step = q.b_step[d] * parts,
                      c_step = q.c_step[d] * parts;
        const bool b_follows = q.b_col == 1 && q.b_row == q.n && b_step == q.k * columns;
        const bool c_follows =
            q.c_col == 1 && q.c_row == q.n && c_step == q.m * columns && first == 0 && last == q.m;
        Product outer = q;
        --outer.batch;
        const E* held = nullptr;  // the b in the block
        for_each_product<E, parts>(outer, [&](const E* a, const E* b,
                                              E* c) __attribute__((always_inline)) {
            for (index_t left = q.extent[d]; left > 0;
                 --left, a += a_step, b += b_step, c += c_step) {
                const E* from = b;
                index_t b_row = columns;
                if (!b_follows || (left - 1) * q.k * columns < L - columns) {
                    if (held != b) {
                        gather_rows<G>(block, L, b, q.b_row * parts, q.b_col * parts, q.k, 0,
                                       columns);
                        held = b;
                    }
                    from = block;
                    b_row = L;
                }
                // Rows that are stored whole: what falls past their ends is written later.
                const index_t whole = c_follows ? left * q.m - (L - 1) / columns : 0;
                for (index_t i = first; i < last;) {
                    const index_t high = last - i < 4 ? 1 : 4;
                    const bool straight = i + high <= whole;
                    E* const to = straight ? c + i * c_row : aside;
                    const E* const row = a + i * q.a_row * parts;
                    const index_t to_row = straight ? c_row : L;
                    if (high == 4) {
                        tile<G, Bytes, 4, 1>(q.k, row, q.a_row * parts, q.a_col * parts, from,
                                             b_row, to, to_row, false);
                    } else {
                        tile<G, Bytes, 1, 1>(q.k, row, 0, q.a_col * parts, from, b_row, to, 0,
                                             false);
                    }
                    for (index_t h = 0; !straight && h < high; ++h) {
                        put_apart<G>(c + (i + h) * c_row, q.c_col, aside + h * L, columns, false);
                    }
                    i += high;
                }
            }
        });
    }
};

}  // namespace broadloom::kernel::gemm_detail

#endif

#endif  // BROADLOOM_KERNEL_GEMM_GEMM_SMALL_HPP
