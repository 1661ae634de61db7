// A matrix times a vector or a few columns: bound by reading the matrix once, so it is read in the
// order it lies in memory, by dot products along contiguous rows, or by adding contiguous columns.
#ifndef BROADLOOM_KERNEL_GEMM_GEMM_VECTOR_HPP
#define BROADLOOM_KERNEL_GEMM_GEMM_VECTOR_HPP

#include "broadloom/kernel/gemm/gemm_pack.hpp"
#include "broadloom/kernel/gemm/product.hpp"

#if defined(__GNUC__)

namespace broadloom::kernel::gemm_detail {

/// All lanes in one.
template <Algebra G, int Bytes, class E, class V>
BROADLOOM_INLINE E fold_lanes(const V& v) {
    constexpr std::size_t L = Bytes / sizeof(E);
    if constexpr (Bytes > 16) {
        typename VectorOf<E, Bytes / 2>::type x, y;
        halve(x, y, v, std::make_index_sequence<L / 2>{});
        accumulate<G>(x, y);
        return fold_lanes<G, Bytes / 2, E>(x);
    } else {
        E sum = v[0];
        BROADLOOM_UNROLL
        for (std::size_t i = 1; i < L; ++i) sum = plus<G>(sum, v[i]);
        return sum;
    }
}

/// A matrix with contiguous rows times a few columns, or one: dot products, four rows at a time.
template <class E, Algebra G>
struct Dots {
    static constexpr index_t parts = parts_of<G>;
    static constexpr std::size_t chunk = 16384 / sizeof(E);  // elements of all columns

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        for_each_product<E, parts>(q, [&](const E* a, const E* b,
                                          E* c) __attribute__((always_inline)) {
            alignas(64) E local[chunk];
            // Whole registers: rows that begin a cache line do so in every share.
            constexpr index_t L = VectorOf<E, Isa::bytes>::lanes / parts;
            const index_t most = index_t{chunk} / parts / q.n - L;
            const index_t share = (even_share(q.k, most) + L - 1) / L * L;
            for (index_t p = 0; p < q.k; p += share) {
                const index_t depth = (q.k - p < share ? q.k - p : share) * parts;
                const E* x = b + p * q.b_row * parts;
                index_t x_column = q.b_col * parts;
                if (q.b_row != 1) {
                    gather<Isa::bytes>(local, x, q, depth);
                    x = local;
                    x_column = depth;
                }
                if (q.m == 1) {
                    block<Isa::bytes, 1, 1>(a + p * parts, 0, 1, x, 0, depth, c, 0, 0, p > 0);
                    continue;
                }
                const index_t a_row = q.a_row * parts, c_row = q.c_row * parts,
                              c_column = q.c_col * parts;
                for (index_t i = first; i < last; i += 4) {
                    const E *const row = a + i * a_row + p * parts, *y = x;
                    E* to = c + i * c_row;
                    index_t left = q.n;
                    for (; left >= 2; left -= 2, y += 2 * x_column, to += 2 * c_column) {
                        block<Isa::bytes, 4, 2>(row, a_row, last - i, y, x_column, depth, to, c_row,
                                                c_column, p > 0);
                    }
                    if (left == 0) continue;
                    block<Isa::bytes, 4, 1>(row, a_row, last - i, y, 0, depth, to, c_row, 0, p > 0);
                }
            }
        });
    }

private:
    /// `depth` parts of every column of b from x on, one column after the other.
    template <int Bytes>
    BROADLOOM_INLINE static void gather(E* to, const E* x, const Product& q, index_t depth) {
        index_t done = 0;
        if constexpr (parts == 1 && (sizeof(E) == 4 || sizeof(E) == 8)) {
            using U = unsigned_of<sizeof(E)>;
            constexpr index_t L = VectorOf<E, Bytes>::lanes;
            for (; q.b_col == 1 && q.n * index_t{sizeof(E)} >= 16 && done + L <= depth; done += L) {
                transpose<Bytes>(reinterpret_cast<U*>(to + done), depth,
                                 reinterpret_cast<const U*>(x + done * q.b_row), q.b_row, q.n);
            }
        }
        gather_rows<G>(to, depth, x, q.b_col * parts, q.b_row * parts, q.n, done, depth);
    }
    /// The last n of `depth` elements, zeros in the other lanes.
    template <int Bytes, class V>
    BROADLOOM_INLINE static void load_end(V& v, const E* p, index_t n, index_t depth) {
        if (depth < VectorOf<E, Bytes>::lanes) load_first<Bytes>(v, p, n);
        else load_last<Bytes>(v, p, n);
    }
    /// Up to Rows rows, where there are fewer the first is read again in place of the others, times
    /// Columns columns. Each product has sums for several registers in turn: complex ones two for
    /// each, of products with the parts of x as they lie and exchanged.
    template <int Bytes, std::size_t Rows, std::size_t Columns>
    BROADLOOM_INLINE static void block(const E* a, index_t a_row, index_t count, const E* x,
                                       index_t x_column, index_t depth, E* c, index_t c_row,
                                       index_t c_column, bool add) {
        constexpr std::size_t lanes = Bytes / sizeof(E);
        constexpr std::size_t P = parts, sums = Rows == 1 ? 4 : Columns == 1 ? 2 : P;
        constexpr index_t L = lanes, step = sums / P * lanes;
        using Lanes = std::make_index_sequence<lanes>;
        using V = typename VectorOf<E, Bytes>::type;
        V s[Rows][Columns][sums], u, v[Columns][2];
        const E* row[Rows];
        BROADLOOM_UNROLL
        for (std::size_t r = 0; r < Rows; ++r) {
            BROADLOOM_UNROLL
            for (std::size_t h = 0; h < Columns * sums; ++h) s[r][h / sums][h % sums] = V{};
            const index_t i = static_cast<index_t>(r);
            row[r] = a + (i < count ? i * a_row : 0);
        }
        index_t p = 0;
        for (; p + step <= depth; p += step) {
            BROADLOOM_UNROLL
            for (std::size_t h = 0; h < sums; h += P) {
                const index_t at = p + static_cast<index_t>(h / P) * L;
                BROADLOOM_UNROLL
                for (std::size_t j = 0; j < Columns; ++j) {
                    load<Bytes>(v[j][0], x + static_cast<index_t>(j) * x_column + at);
                    if constexpr (P == 2) exchange(v[j][1], v[j][0], Lanes{});
                }
                BROADLOOM_UNROLL
                for (std::size_t r = 0; r < Rows; ++r) {
                    load<Bytes>(u, row[r] + at);
                    BROADLOOM_UNROLL
                    for (std::size_t i = 0; i < Columns * P; ++i) {
                        accumulate<G>(s[r][i / P][h + i % P], u, v[i / P][i % P]);
                    }
                }
            }
        }
        for (; p < depth; p += L) {
            const index_t left = depth - p < L ? depth - p : L;
            BROADLOOM_UNROLL
            for (std::size_t j = 0; j < Columns; ++j) {
                load_end<Bytes>(v[j][0], x + static_cast<index_t>(j) * x_column + p, left, depth);
                if constexpr (P == 2) exchange(v[j][1], v[j][0], Lanes{});
            }
            BROADLOOM_UNROLL
            for (std::size_t r = 0; r < Rows; ++r) {
                load_end<Bytes>(u, row[r] + p, left, depth);
                BROADLOOM_UNROLL
                for (std::size_t i = 0; i < Columns * P; ++i) {
                    accumulate<G>(s[r][i / P][i % P], u, v[i / P][i % P]);
                }
            }
        }
        BROADLOOM_UNROLL
        for (std::size_t i = 0; i < Rows * Columns; ++i) {
            V(&total)[sums] = s[i / Columns][i % Columns];
            BROADLOOM_UNROLL
            for (std::size_t h = P; h < sums; ++h) accumulate<G>(total[h % P], total[h]);
            if constexpr (P == 2) negate_one<1, E>(total[0], Lanes{});
        }
        for (std::size_t r = 0; r < Rows && static_cast<index_t>(r) < count; ++r, c += c_row) {
            BROADLOOM_UNROLL
            for (std::size_t i = 0; i < Columns * P; ++i) {
                const V total = s[r][i / P][i % P];
                const E sum = fold_lanes<G, Bytes, E>(total);
                E* const to = c + static_cast<index_t>(i / P) * c_column + i % P;
                put(to, add ? plus<G>(get(to), sum) : sum);
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

/// A matrix of few columns times a vector (n == 1): a register of rows at a time. Contiguous rows
/// are transposed in registers.
template <class E, Algebra G>
struct Slim {
    static constexpr index_t size = static_cast<index_t>(sizeof(E)), most_terms = 16;
    static constexpr bool turns_rows = size == 4 || size == 8;

    /// Whether a product is computed so.
    static bool takes(const Product& q) {
        if (q.n != 1 || q.k > most_terms || q.m * size < 64) return false;
        return q.a_row == 1 || (turns_rows && q.a_col == 1 && q.a_row >= q.k);
    }

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        constexpr int bytes = Isa::bytes;
        constexpr index_t L = VectorOf<E, bytes>::lanes;
        // Kept here, since what is written could be the product for all compilers know.
        const index_t terms = q.k, a_row = q.a_row, a_col = q.a_col, c_row = q.c_row;
        // Up to here what is read past a row is of the rows after it.
        const index_t past = (16 / size - terms % (16 / size)) % (16 / size);
        const index_t last_turned = (q.m - L) * a_row - past;
        for_each_product<E, 1>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            E x[static_cast<std::size_t>(most_terms)];
            for (index_t p = 0; p < terms; ++p) put(x + p, get(b + p * q.b_row));
            index_t i = first;
            if (a_row == 1) {
                for (; i + 4 * L <= last; i += 4 * L)
                    add_columns<bytes, 4>(a + i, a_col, x, terms, c + i * c_row, c_row);
                for (; i < last && last - first >= L; i += L) {
                    if (i + L > last) i = last - L;  // some once more
                    add_columns<bytes, 1>(a + i, a_col, x, terms, c + i * c_row, c_row);
                }
            } else if constexpr (turns_rows) {
                for (; i + L <= last && i * a_row <= last_turned; i += L)
                    add_rows<bytes>(a + i * a_row, a_row, x, terms, c + i * c_row, c_row);
            }
            for (index_t count; i < last; i += count) {
                alignas(64) E block[static_cast<std::size_t>(most_terms * L)] = {};
                E sums[static_cast<std::size_t>(L)];
                count = last - i < L ? last - i : L;
                gather_rows<G>(block, L, a + i * a_row, a_col, a_row, terms, 0, count);
                add_columns<bytes, 1>(block, L, x, terms, sums, 1);
                put_apart<G>(c + i * c_row, c_row, sums, count, false);
            }
        });
    }

private:
    template <int Bytes, class V>
    BROADLOOM_INLINE static void store_sums(E* c, index_t c_row, const V& sums) {
        if (c_row == 1) return store<Bytes>(c, sums);
        E lane[Bytes / sizeof(E)];
        store<Bytes>(lane, sums);
        put_apart<G>(c, c_row, lane, VectorOf<E, Bytes>::lanes, false);
    }
    /// The sums of as many rows as Registers have lanes.
    template <int Bytes, std::size_t Registers>
    BROADLOOM_INLINE static void add_columns(const E* a, index_t a_col, const E* x, index_t terms,
                                             E* c, index_t c_row) {
        constexpr index_t L = VectorOf<E, Bytes>::lanes, registers = Registers;
        typename VectorOf<E, Bytes>::type s[Registers] = {}, u, factor;
        for (index_t p = 0; p < terms; ++p, a += a_col) {
            factor = get(x + p) - decltype(factor){};
            BROADLOOM_UNROLL
            for (index_t h = 0; h < registers; ++h) {
                load<Bytes>(u, a + h * L);
                accumulate<G>(s[h], u, factor);
            }
        }
        BROADLOOM_UNROLL
        for (index_t h = 0; h < registers; ++h) store_sums<Bytes>(c + h * L * c_row, c_row, s[h]);
    }
    /// The same of a register of rows. Of each up to 16 bytes are read in vain.
    template <int Bytes>
    BROADLOOM_INLINE static void add_rows(const E* a, index_t a_row, const E* x, index_t terms,
                                          E* c, index_t c_row) {
        using U = unsigned_of<sizeof(E)>;
        using V = typename VectorOf<E, Bytes>::type;
        constexpr index_t side = 16 / size;
        typename VectorOf<U, Bytes>::type turned[static_cast<std::size_t>(side)];
        V s{}, factor;
        for (index_t p = 0; p < terms; p += side) {
            const U* from = reinterpret_cast<const U*>(a + p);
            pin(from);
            load_turned<Bytes>(turned, from, a_row);
            BROADLOOM_UNROLL
            for (index_t i = 0; i < side; ++i) {
                if (p + i >= terms) break;  // what lies there may be NaN
                factor = get(x + p + i) - V{};
                accumulate<G>(s, reinterpret_cast<V>(turned[i]), factor);
            }
        }
        store_sums<Bytes>(c, c_row, s);
    }
};

}  // namespace broadloom::kernel::gemm_detail

#endif

#endif  // BROADLOOM_KERNEL_GEMM_GEMM_VECTOR_HPP
