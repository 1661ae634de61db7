// Matrix times vector: bound by reading the matrix once, so it is read in the order it lies in
// memory, by dot products along contiguous rows or by adding up contiguous columns.
#ifndef BROADLOOM_KERNEL_GEMM_VECTOR_HPP
#define BROADLOOM_KERNEL_GEMM_VECTOR_HPP

#include "broadloom/kernel/gemm_tile.hpp"
#include "broadloom/kernel/product.hpp"

#if defined(__GNUC__)

namespace broadloom::kernel::gemm_detail {

/// All lanes in one.
template <Algebra G, int Bytes, class E, class V>
BROADLOOM_INLINE E fold_lanes(const V& v) {
    constexpr std::size_t L = Bytes / sizeof(E);
    E lane[L];
    store<Bytes>(lane, v);
    if constexpr (Bytes > 16) {
        typename VectorOf<E, Bytes / 2>::type x, y;
        load<Bytes / 2>(x, static_cast<const E*>(lane));
        load<Bytes / 2>(y, static_cast<const E*>(lane + L / 2));
        accumulate<G>(x, y);
        return fold_lanes<G, Bytes / 2, E>(x);
    } else {
        E sum = lane[0];
        BROADLOOM_UNROLL
        for (std::size_t i = 1; i < L; ++i) sum = plus<G>(sum, lane[i]);
        return sum;
    }
}

/// A matrix with contiguous rows times a vector (n == 1): dot products, four rows at a time.
template <class E, Algebra G>
struct Dots {
    static constexpr index_t parts = parts_of<G>;

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        constexpr index_t chunk = 2048;
        for_each_product<E, parts>(
            q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
                alignas(64) E local[chunk];
                const index_t share = even_share(q.k, chunk / parts);
                for (index_t p = 0; p < q.k; p += share) {
                    const index_t depth = (q.k - p < share ? q.k - p : share) * parts;
                    const E* x = b + p * q.b_row * parts;
                    if (q.b_row != 1) {
                        for (index_t i = 0; i < depth; ++i) {
                            put(local + i, get(x + i / parts * q.b_row * parts + i % parts));
                        }
                        x = local;
                    }
                    if (q.m == 1) {
                        rows<Isa::bytes, 1>(a + p * parts, 0, 1, x, depth, c, 0, p > 0);
                        continue;
                    }
                    for (index_t i = first; i < last; i += 4) {
                        const E* const row = a + (i * q.a_row + p) * parts;
                        E* const to = c + i * q.c_row * parts;
                        rows<Isa::bytes, 4>(row, q.a_row * parts, last - i, x, depth, to,
                                            q.c_row * parts, p > 0);
                    }
                }
            });
    }

private:
    /// The last n of `depth` elements, zeros in the other lanes.
    template <int Bytes, class V>
    BROADLOOM_INLINE static void load_end(V& v, const E* p, index_t n, index_t depth) {
        if (depth < VectorOf<E, Bytes>::lanes) load_first<Bytes>(v, p, n);
        else load_last<Bytes>(v, p, n);
    }
    /// Up to Rows rows; where there are fewer, the first is read again in place of the others.
    /// Each has a sum for several registers of x in turn: complex ones two for each, of products
    /// with the parts of x as they lie and exchanged.
    template <int Bytes, std::size_t Rows>
    BROADLOOM_INLINE static void rows(const E* a, index_t a_row, index_t count, const E* x,
                                      index_t depth, E* c, index_t c_row, bool add) {
        constexpr std::size_t lanes = Bytes / sizeof(E);
        constexpr std::size_t P = parts, sums = Rows == 1 ? 4 : 2;
        constexpr index_t L = lanes, step = sums / P * lanes;
        using Lanes = std::make_index_sequence<lanes>;
        using V = typename VectorOf<E, Bytes>::type;
        V s[Rows][sums], u, v[2];
        const E* row[Rows];
        BROADLOOM_UNROLL
        for (std::size_t r = 0; r < Rows; ++r) {
            BROADLOOM_UNROLL
            for (std::size_t h = 0; h < sums; ++h) s[r][h] = V{};
            const index_t i = static_cast<index_t>(r);
            row[r] = a + (i < count ? i * a_row : 0);
        }
        index_t p = 0;
        for (; p + step <= depth; p += step) {
            BROADLOOM_UNROLL
            for (std::size_t h = 0; h < sums; h += P) {
                const index_t at = p + static_cast<index_t>(h / P) * L;
                load<Bytes>(v[0], x + at);
                if constexpr (P == 2) exchange(v[1], v[0], Lanes{});
                BROADLOOM_UNROLL
                for (std::size_t r = 0; r < Rows; ++r) {
                    load<Bytes>(u, row[r] + at);
                    BROADLOOM_UNROLL
                    for (std::size_t i = 0; i < P; ++i) accumulate<G>(s[r][h + i], u, v[i]);
                }
            }
        }
        for (; p < depth; p += L) {
            const index_t left = depth - p < L ? depth - p : L;
            load_end<Bytes>(v[0], x + p, left, depth);
            if constexpr (P == 2) exchange(v[1], v[0], Lanes{});
            BROADLOOM_UNROLL
            for (std::size_t r = 0; r < Rows; ++r) {
                load_end<Bytes>(u, row[r] + p, left, depth);
                BROADLOOM_UNROLL
                for (std::size_t i = 0; i < P; ++i) accumulate<G>(s[r][i], u, v[i]);
            }
        }
        BROADLOOM_UNROLL
        for (std::size_t r = 0; r < Rows; ++r) {
            BROADLOOM_UNROLL
            for (std::size_t h = P; h < sums; ++h) accumulate<G>(s[r][h % P], s[r][h]);
            if constexpr (P == 2) negate_one<1, E>(s[r][0], Lanes{});
        }
        for (std::size_t r = 0; r < Rows && static_cast<index_t>(r) < count; ++r, c += c_row) {
            BROADLOOM_UNROLL
            for (std::size_t i = 0; i < P; ++i) {
                const V total = s[r][i];
                const E sum = fold_lanes<G, Bytes, E>(total);
                put(c + i, add ? plus<G>(get(c + i), sum) : sum);
            }
        }
    }
};

/// A matrix with contiguous columns times a vector (n == 1): four columns at a time are added to
/// a run of the result.
template <class E, Algebra G>
struct Columns {
    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        constexpr int bytes = Isa::bytes;
        constexpr index_t L = VectorOf<E, bytes>::lanes, chunk = 1024;
        using V = typename VectorOf<E, bytes>::type;
        for_each_product<E, 1>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            alignas(64) E sum[chunk];
            for (index_t i = first; i < last; i += chunk) {
                const index_t rows = last - i < chunk ? last - i : chunk;
                // The last register ends with the rows: it sums some of them a second time.
                const index_t registers = (rows + L - 1) / L, end = rows < L ? 0 : rows - L;
                V s, u, x[4];
                s = V{};
                for (index_t r = 0; r < registers; ++r) store<bytes>(sum + r * L, s);
                for (index_t p = 0; p < q.k; p += 4) {
                    const index_t count = q.k - p < 4 ? q.k - p : 4;
                    BROADLOOM_UNROLL
                    for (int h = 0; h < 4; ++h) {
                        const E factor = h < count ? get(b + (p + h) * q.b_row) : E{};
                        x[h] = factor - V{};
                    }
                    const E* const from = a + i + p * q.a_col;
                    for (index_t r = 0; r < registers; ++r) {
                        const E* const at = from + (r * L < end ? r * L : end);
                        load<bytes>(s, sum + r * L);
                        if (count == 4 && rows >= L) {
                            BROADLOOM_UNROLL
                            for (int h = 0; h < 4; ++h) {
                                load<bytes>(u, at + h * q.a_col);
                                accumulate<G>(s, u, x[h]);
                            }
                        } else {
                            for (index_t h = 0; h < count; ++h) {
                                load_first<bytes>(u, at + h * q.a_col, rows < L ? rows : L);
                                accumulate<G>(s, u, x[h]);
                            }
                        }
                        store<bytes>(sum + r * L, s);
                    }
                }
                const index_t twice = registers * L - (rows < L ? registers * L : rows);
                for (index_t r = 0; r < rows; ++r) {
                    const index_t at = r < (registers - 1) * L ? r : r + twice;
                    put(c + (i + r) * q.c_row, get(sum + at));
                }
            }
        });
    }
};

}  // namespace broadloom::kernel::gemm_detail

#endif

#endif  // BROADLOOM_KERNEL_GEMM_VECTOR_HPP
