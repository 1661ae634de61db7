// The inner loop of the matrix product: a tile of the result, a few rows high and two registers
// wide, stays in registers while a column of a and a row of b go by. A sweep covers a strip of
// the result with tiles.
#ifndef BROADLOOM_KERNEL_GEMM_GEMM_TILE_HPP
#define BROADLOOM_KERNEL_GEMM_GEMM_TILE_HPP

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/gemm/gemm_lanes.hpp"

#if defined(__GNUC__)

namespace broadloom::kernel::gemm_detail {

/// What "plus" and "times" mean: numbers (integers wrap), pairs of them, or "or" and "and".
enum class Algebra { real, complex, boolean };

/// The numbers that make one element; strides given in elements are multiplied by it.
template <Algebra G>
inline constexpr index_t parts_of = G == Algebra::complex ? 2 : 1;

/// s += x y, and s += x.
template <Algebra G, class V>
BROADLOOM_INLINE void accumulate(V& s, const V& x, const V& y) {
    if constexpr (G == Algebra::boolean) {
        s |= x & y;
    } else {
        s += x * y;
    }
}
template <Algebra G, class V>
BROADLOOM_INLINE void accumulate(V& s, const V& x) {
    if constexpr (G == Algebra::boolean) {
        s |= x;
    } else {
        s += x;
    }
}
template <Algebra G, class E>
BROADLOOM_INLINE E plus(E x, E y) {
    if constexpr (G == Algebra::boolean) {
        return static_cast<E>(x | y);
    } else {
        return static_cast<E>(x + y);
    }
}

/// Copies a run of n parts or adds it to the target. The last register overlaps the one before
/// it, so it is read before that is written.
template <Algebra G, int Bytes, class E>
BROADLOOM_INLINE void put_run(E* to, const E* from, index_t n, bool add) {
    constexpr index_t L = VectorOf<E, Bytes>::lanes;
    if (!add) return copy<Bytes>(to, from, n);
    if (n >= L) {
        typename VectorOf<E, Bytes>::type v, x, last;
        load<Bytes>(last, to + (n - L));
        for (index_t i = 0; i + L < n; i += L) {
            load<Bytes>(v, to + i);
            load<Bytes>(x, from + i);
            accumulate<G>(v, x);
            store<Bytes>(to + i, v);
        }
        load<Bytes>(x, from + (n - L));
        accumulate<G>(last, x);
        store<Bytes>(to + (n - L), last);
    } else if constexpr (Bytes > 16) {
        put_run<G, Bytes / 2>(to, from, n, add);
    } else {
        for (index_t i = 0; i < n; ++i) put(to + i, plus<G>(get(to + i), get(from + i)));
    }
}

/// The same for elements that lie `step` elements apart.
template <Algebra G, class E>
BROADLOOM_INLINE void put_apart(E* to, index_t step, const E* from, index_t n, bool add) {
    constexpr index_t parts = parts_of<G>;
    for (index_t u = 0; u < n; ++u) {
        E& at = to[u / parts * step * parts + u % parts];
        put(&at, add ? plus<G>(get(&at), get(from + u)) : get(from + u));
    }
}

/// c = a b, or c += a b, for MR rows and NV registers of columns over `depth` steps of k. Rows of
/// a are `a_row` apart; a step moves a by `a_step` and b by `b_step` (all in parts). A complex row
/// counts as two real ones, multiplied by b as it lies and put together at the end. Each element is
/// the total of `Sums` sums, to which the steps go in turn: an addition waits for the one before.
template <Algebra G, int Bytes, int MR, int NV, std::size_t Sums = 1, class E>
BROADLOOM_INLINE void tile(index_t depth, const E* a, index_t a_row, index_t a_step, const E* b,
                           index_t b_step, E* c, index_t c_row, bool add) {
    using V = typename VectorOf<E, Bytes>::type;
    constexpr std::size_t lanes = Bytes / sizeof(E), wide = NV;
    constexpr index_t L = static_cast<index_t>(lanes);
    constexpr int parts = static_cast<int>(parts_of<G>);
    constexpr std::size_t high = MR * parts;
    constexpr std::size_t groups = (MR + 2) / 3;  // an address reaches 0, 1 and 2 rows on
    V sums[Sums][high][wide];
    V(&s)[high][wide] = sums[0];
    const E* g[groups];
    BROADLOOM_UNROLL
    for (std::size_t u = 0; u < Sums; ++u) {
        BROADLOOM_UNROLL
        for (std::size_t i = 0; i < high; ++i) {
            BROADLOOM_UNROLL
            for (std::size_t v = 0; v < wide; ++v) sums[u][i][v] = V{};
        }
    }
    BROADLOOM_UNROLL
    for (std::size_t i = 0; i < groups; ++i) g[i] = a + 3 * static_cast<index_t>(i) * a_row;
    if (add) {
        BROADLOOM_UNROLL
        for (int i = 0; i < MR; ++i) {
            BROADLOOM_UNROLL
            for (int v = 0; v < NV; ++v) __builtin_prefetch(c + i * c_row + v * L, 1);
        }
    }
    const auto step = [&](V(&to)[high][wide]) __attribute__((always_inline)) {
        V x[wide];
        BROADLOOM_UNROLL
        for (int v = 0; v < NV; ++v) load<Bytes>(x[v], b + v * L);
        BROADLOOM_UNROLL
        for (int i = 0; i < MR * parts; ++i) {
            const V y = get(g[i / parts / 3] + i / parts % 3 * a_row + i % parts) - V{};
            BROADLOOM_UNROLL
            for (int v = 0; v < NV; ++v) accumulate<G>(to[i][v], x[v], y);
        }
        BROADLOOM_UNROLL
        for (std::size_t i = 0; i < groups; ++i) {
            g[i] += a_step;
            pin(g[i]);
        }
        b += b_step;
    };
    if constexpr (Sums > 1) {
        constexpr auto turn = static_cast<index_t>(Sums);
        for (; depth >= turn; depth -= turn) {
            BROADLOOM_UNROLL
            for (std::size_t u = 0; u < Sums; ++u) step(sums[u]);
        }
    }
    for (; depth > 0; --depth) step(s);
    BROADLOOM_UNROLL
    for (std::size_t u = 1; u < Sums; ++u) {
        BROADLOOM_UNROLL
        for (int i = 0; i < MR * parts; ++i) {
            BROADLOOM_UNROLL
            for (int v = 0; v < NV; ++v) accumulate<G>(s[i][v], sums[u][i][v]);
        }
    }
    BROADLOOM_UNROLL
    for (int i = 0; i < MR; ++i) {
        BROADLOOM_UNROLL
        for (int v = 0; v < NV; ++v) {
            V& r = s[i * parts][v];
            if constexpr (G == Algebra::complex) {
                add_rotated<E>(r, s[i * parts + 1][v], std::make_index_sequence<lanes>{});
            }
            if (add) {
                V old;
                load<Bytes>(old, c + v * L);
                accumulate<G>(r, old);
            }
            store<Bytes>(c + v * L, r);
        }
        c += c_row;
        pin(c);
    }
}

/// The rows of the highest tile: what leaves room in the register file for a row of b.
template <class Isa>
constexpr int tile_rows() {
#if defined(__aarch64__)
    return 12;
#else
    return Isa::level == 2 ? 12 : 6;
#endif
}

/// Half a register, where there is one.
constexpr int half_of(int bytes) { return bytes > 16 ? bytes / 2 : bytes; }

/// Some rows of a against a block of b, whole panels of two registers of columns or in place.
/// Steps and columns count parts; c_row and c_col count elements.
template <class E>
struct Strip {
    index_t rows, columns, depth;
    const E* a;
    index_t a_row, a_step;
    const E* b;
    index_t b_step, b_panel;
    E* c;
    index_t c_row, c_col;
    bool add;     // to what c holds
    bool padded;  // past the columns of b lies memory that may be read
    bool deep;    // elements are the totals of several sums each, in tiles of few rows
    int bytes;    // of a register: less than a whole one for few columns
    index_t ahead_runs, ahead_bytes, ahead_step;  // the rows of a that come next, to be fetched
    index_t ahead_share;                          // while this strip is computed:
    const char* ahead;                            // so many lines with every tile
};

/// Puts rows of a tile that was computed aside where they belong: parts of it, or spread out.
template <class E, Algebra G>
struct Edge {
    using Call = void(const Strip<E>&, const E*, index_t, E*, index_t, index_t);

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Strip<E>& s, const E* from, index_t from_row, E* to,
                                     index_t rows, index_t columns) {
        constexpr index_t parts = parts_of<G>;
        for (index_t i = 0; i < rows; ++i, from += from_row, to += s.c_row * parts) {
            if (s.c_col == 1) {
                put_run<G, Isa::bytes>(to, from, columns, s.add);
                continue;
            }
            put_apart<G>(to, s.c_col, from, columns, s.add);
        }
    }
};

/// Computes a strip.
template <class E, Algebra G>
struct Sweep {
    static constexpr index_t parts = parts_of<G>;

    template <class Isa>
    BROADLOOM_KERNEL static void run(Strip<E>& s) {
        constexpr int most = tile_rows<Isa>() / static_cast<int>(parts);
        for (index_t i = 0; i < s.rows;) {
            // The last tile reaches back over rows done before, or a few are done one by one.
            const index_t left = s.rows - i;
            const int height = s.rows >= most && (most < 4 || left > most - 4)     ? most
                               : most > 4 && s.rows >= 4 && (!s.deep || left >= 3) ? 4
                                                                                   : 1;
            const index_t start = left < height ? s.rows - height : i;
            const index_t done = i - start;
            if (height == most) {
                rows<Isa, most>(s, start, done);
            } else if (most > 4 && height == 4) {
                rows<Isa, 4>(s, start, done);
            } else {
                rows<Isa, 1>(s, start, done);
            }
            i = start + height;
        }
    }

private:
    /// MR rows from `row` on, the first `done` of them computed before.
    template <class Isa, int MR>
    BROADLOOM_INLINE static void rows(Strip<E>& s, index_t row, index_t done) {
        constexpr index_t L = VectorOf<E, Isa::bytes>::lanes;
        constexpr int half = half_of(Isa::bytes), quarter = half_of(half);
        alignas(64) E aside[static_cast<std::size_t>((MR == 1 ? 4 : MR * 2) * L)];
        const E* const a = s.a + row * s.a_row;
        E* const c_row = s.c + row * s.c_row * parts;
        for (index_t j = 0; j < s.columns;) {
            const index_t left = s.columns - j;
            index_t width = left > L && (s.padded || s.columns >= 2 * L) ? 2 * L : L;
            if (s.bytes < Isa::bytes) width = s.bytes / static_cast<index_t>(sizeof(E));
            if (MR == 1 && !s.padded && width == 2 * L && left >= 4 * L) width = 4 * L;
            const index_t start = s.padded || left >= width ? j : s.columns - width;
            // Columns past the end may fall on the next row, which is written later.
            const bool fits = left >= width || !s.padded ||
                              (j == 0 && s.c_row * parts == s.columns &&
                               (row + MR - 1) * s.columns + width <= s.rows * s.columns);
            const bool once = !s.add || (done == 0 && left >= width);
            const bool straight = s.c_col == 1 && fits && once;
            const E* const b = s.b + (s.padded ? j / (2 * L) * s.b_panel : start);
            E* const c = straight ? c_row + start : aside;
            const index_t c_step = straight ? s.c_row * parts : width;
            const bool add = straight && s.add;
            fetch_ahead(s);
            if (MR == 1 && width == 4 * L) {
                tile<G, Isa::bytes, 1, 4>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_step,
                                          add);
            } else if (width > L) {
                tile<G, Isa::bytes, MR, 2>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_step,
                                           add);
            } else if (width == L) {
                one_register<Isa, Isa::bytes, MR>(s, a, b, c, c_step, add);
            } else if (half < Isa::bytes && s.bytes == half) {
                one_register<Isa, half, MR>(s, a, b, c, c_step, add);
            } else if (quarter < half) {
                one_register<Isa, quarter, MR>(s, a, b, c, c_step, add);
            }
            if (!straight) {
                kernel::detail::FormsOf<Edge<E, G>, typename Edge<E, G>::Call>::fused
                    .level[Isa::level](s, aside + done * width + (j - start), width,
                                       c_row + (done * s.c_row + j / parts * s.c_col) * parts,
                                       MR - done, left < width ? left : width);
            }
            j = start + width;
        }
    }

    /// A tile one register wide.
    template <class Isa, int Bytes, int MR>
    BROADLOOM_INLINE static void one_register(const Strip<E>& s, const E* a, const E* b, E* c,
                                              index_t c_step, bool add) {
        if constexpr ((Bytes == Isa::bytes || Bytes == 16) && MR * parts <= 4) {
            if (s.deep) {
                return tile<G, Bytes, MR, 1, 8 / (MR * parts)>(s.depth, a, s.a_row, s.a_step, b,
                                                               s.b_step, c, c_step, add);
            }
        }
        tile<G, Bytes, MR, 1>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_step, add);
    }

    BROADLOOM_INLINE static void fetch_ahead(Strip<E>& s) {
        for (index_t u = 0; u < s.ahead_share && s.ahead_runs > 0;) {
            for (index_t at = 0; at < s.ahead_bytes; at += 64, ++u) {
                __builtin_prefetch(s.ahead + at, 0, 2);
            }
            s.ahead += s.ahead_step;
            --s.ahead_runs;
        }
    }
};

}  // namespace broadloom::kernel::gemm_detail

#endif

#endif  // BROADLOOM_KERNEL_GEMM_GEMM_TILE_HPP
