// Matrix products at pointer level: c = a b over any strides and broadcast batches.
//
// Operands are read where they lie; what would be slow to read there (strides, pages far apart)
// is copied block by block into scratch memory, never as a whole. Each element is summed in an
// order set by the shape and the layout, so rows may be shared out among threads freely.
#ifndef BROADLOOM_KERNEL_GEMM_HPP
#define BROADLOOM_KERNEL_GEMM_HPP

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "broadloom/kernel/gemm/gemm_pack.hpp"
#include "broadloom/kernel/gemm/gemm_small.hpp"
#include "broadloom/kernel/gemm/gemm_vector.hpp"
#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/gemm/product.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {

namespace gemm_detail {

template <class T>
inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = is_float<T>;
/// Types whose algebra is known; those of the user take the plain loops.
template <class T>
inline constexpr bool is_known = standard_integral<T> || is_float<T> || is_complex<T>;

/// sum + x y: integers wrap, bool is "or" of "and", complex is the plain formula.
template <class T>
constexpr T multiply_add(const T& sum, const T& x, const T& y, bool first = false) {
    if constexpr (std::is_same_v<T, bool>) {
        return sum | (x & y);
    } else if constexpr (std::is_integral_v<T>) {
        using Wide =
            std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
        return static_cast<T>(static_cast<Wide>(sum) + static_cast<Wide>(x) * static_cast<Wide>(y));
    } else if constexpr (is_complex<T>) {
        return T(sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
                 sum.imag() + (x.real() * y.imag() + x.imag() * y.real()));
    } else {
        if (first && !arithmetic<T>) return static_cast<T>(x * y);  // their 0 may not be neutral
        return static_cast<T>(sum + static_cast<T>(x * y));
    }
}

/// Rows of every product as plain loops: element types of the user, and what is tiny.
template <class T>
void plain_rows(const Product& q, index_t first, index_t last) {
    for_each_product<T, 1>(q, [&](const T* a, const T* b, T* c) {
        for (index_t i = first; i < last; ++i) {
            for (index_t j = 0; j < q.n; ++j) {
                const T* const x = a + i * q.a_row;
                const T* const y = b + j * q.b_col;
                T sum = scalar::zero<T>();
                for (index_t p = 0; p < q.k; ++p)
                    sum = gemm_detail::multiply_add(sum, x[p * q.a_col], y[p * q.b_row], p == 0);
                c[i * q.c_row + j * q.c_col] = sum;
            }
        }
    });
}

#if defined(__GNUC__)

/// How T is computed: `part` is what lies in the lanes of a register.
template <class T>
struct Element {
    static constexpr Algebra algebra = std::is_same_v<T, bool> ? Algebra::boolean : Algebra::real;
    using part = unsigned_of<sizeof(T)>;
};
template <class T>
    requires is_float<T>
struct Element<T> {
    static constexpr Algebra algebra = Algebra::real;
    using part = T;
};
template <class T>
struct Element<std::complex<T>> {
    static constexpr Algebra algebra = Algebra::complex;
    using part = T;
};

/// Rows first to last of every product, by tiles.
template <class E, Algebra G>
struct Multiply {
    static constexpr index_t parts = parts_of<G>, size = static_cast<index_t>(sizeof(E));
    static constexpr index_t few_rows = 12;             // too few to pay for packing b
    static constexpr index_t few_depth = 32;            // rows of b streamed side by side for them
    static constexpr index_t most_depth = 1280 / size;  // a tile's rows of a stay in L1
    static constexpr index_t small_bytes = 128 * 1024;  // b of this size is read in place
    static constexpr index_t panel_bytes = 24 * 1024;   // if a panel of it fits L1
    static constexpr index_t rows_bytes = 192 * 1024;   // a block of a stays in L2
    static constexpr index_t block_bytes = 512 * 1024;  // a packed block of b stays in L2
    static constexpr std::size_t local_bytes = 4096;

    template <class Isa>
    BROADLOOM_KERNEL static void run(const Product& q, index_t first, index_t last) {
        constexpr index_t L = lanes<Isa>, panel = 2 * L;
        const index_t columns = q.n * parts;
        const Blocking k = blocking<Isa>(q, last - first);
        alignas(64) E local[local_bytes / sizeof(E)];
        const std::size_t needed = static_cast<std::size_t>(k.b_size + k.a_size) * sizeof(E);
        Memory packed;
        E* const b_block =
            needed <= local_bytes ? local : reinterpret_cast<E*>(packed.make(needed));
        E* const a_block = b_block + k.b_size;
        if (k.tight) {
            for (index_t u = k.depth * columns; u < k.b_size; ++u) put(b_block + u, E{});
        }
        const bool one_block = k.depth == q.k && k.width >= columns;
        const E* held = nullptr;  // the b in the block

        Strip<E> s;
        s.c_row = q.c_row;
        s.c_col = q.c_col;
        s.padded = !k.direct_b;
        s.deep = is_deep<Isa>(q);
        s.bytes = k.bytes;
        for_each_product<E, parts>(q, [&](const E* a, const E* b,
                                          E* c) __attribute__((always_inline)) {
            for (index_t j = 0; j < columns; j += k.width) {
                const index_t wide = columns - j < k.width ? columns - j : k.width;
                for (index_t p = 0; p < q.k; p += k.depth) {
                    s.depth = q.k - p < k.depth ? q.k - p : k.depth;
                    s.add = p > 0;
                    s.b = b + p * q.b_row * parts + j * q.b_col;
                    s.b_step = q.b_row * parts;
                    if (!k.direct_b) {
                        const index_t step = k.tight ? columns : panel;
                        if (!one_block || held != b) {
                            if (q.b_col == 1) {
                                pack_rows<Isa::bytes>(b_block, s.b, s.depth, wide, s.b_step, step);
                            } else {
                                pack_columns<G, Isa::bytes>(b_block, s.b, s.depth, wide, s.b_step,
                                                            q.b_col * parts, step);
                            }
                            held = b;
                        }
                        s.b = b_block;
                        s.b_step = step;
                        s.b_panel = s.depth * panel;
                    }
                    const E* const b_here = s.b;
                    for (index_t i = first; i < last; i += k.rows) {
                        s.rows = last - i < k.rows ? last - i : k.rows;
                        s.a = a + (i * q.a_row + p * q.a_col) * parts;
                        s.a_row = q.a_row * parts;
                        s.a_step = q.a_col * parts;
                        look_ahead<most_rows<Isa>, panel>(s, last - i - s.rows, wide);
                        if (!k.direct_a) pack_a<G, Isa::bytes>(s, a_block, k.pitch);
                        for (index_t u = 0; u < wide; u += s.columns) {
                            s.columns = wide - u <= k.widest ? wide - u : k.group;
                            s.b = b_here + (k.direct_b ? u : u / panel * s.b_panel);
                            s.c = c + i * q.c_row * parts + (j + u) * q.c_col;
                            kernel::detail::FormsOf<Sweep<E, G>, void(Strip<E>&)>::fused
                                .level[Isa::level](s);
                        }
                    }
                }
            }
        });
    }

private:
    template <class Isa>
    static constexpr index_t lanes = VectorOf<E, Isa::bytes>::lanes;
    template <class Isa>
    static constexpr index_t most_rows = tile_rows<Isa>() / parts;

    /// Few rows, which leave registers for several sums of an element, and many steps for them.
    template <class Isa>
    BROADLOOM_INLINE static bool is_deep(const Product& q) {
        return q.m < most_rows<Isa> && q.k >= 64;
    }

    /// How a product is cut, which operands are copied to blocks, and how large these are.
    struct Blocking {
        bool direct_a, direct_b;  // read where they lie
        bool tight;  // the columns of b are packed row after row: they fill no register
        int bytes;   // of a register
        index_t depth, rows, width;     // of a block
        index_t group, widest;          // columns at a time, and of the last ones
        index_t pitch, a_size, b_size;  // elements, from row to row and of the blocks
    };
    template <class Isa>
    BROADLOOM_INLINE static Blocking blocking(const Product& q, index_t rows) {
        constexpr index_t L = lanes<Isa>, panel = 2 * L;
        constexpr int half = half_of(Isa::bytes), quarter = half_of(half);
        const index_t columns = q.n * parts, row_bytes = columns * size;
        Blocking k{};

        const bool few = q.m <= few_rows;
        const index_t line = q.b_row * parts * size % 64 == 0 ? 0 : 64;  // one more if unaligned
        const bool small_b = q.m <= 128 && std::int64_t{q.k} * row_bytes <= small_bytes &&
                             q.k * (panel * size + line) <= panel_bytes;
        const bool fills = row_bytes >= Isa::bytes || row_bytes == half || row_bytes == quarter ||
                           (q.k < 64 && q.m <= 24 && row_bytes >= quarter);
        k.direct_b = q.b_col == 1 && fills && (few || small_b);
        // Registers no wider than b's rows where those are read in place, else no narrower.
        k.bytes = Isa::bytes;
        if (k.direct_b ? row_bytes < k.bytes : row_bytes <= half) k.bytes = half;
        if (k.direct_b ? row_bytes < k.bytes : row_bytes <= quarter) k.bytes = quarter;
        // One register of columns: what a load reads past a row is unused.
        k.tight = !k.direct_b && columns < L;
        if (k.tight && is_deep<Isa>(q) && k.bytes > 16) k.bytes = Isa::bytes;
        const bool streams_b = k.direct_b && few;
        k.depth = streams_b && columns <= 2 * L
                      ? q.k
                      : even_share(q.k, streams_b && columns > 64 * L ? few_depth : most_depth);

        // Runs that start at nearly the same place of a page drive each other out of L1.
        const index_t row_step = (q.a_row < 0 ? -q.a_row : q.a_row) * parts * size % 4096;
        const bool rows_apart = q.a_col == 1 && row_step >= 256 && row_step <= 4096 - 256;
        const bool columns_apart = q.a_row == 1 && q.a_col * parts * size % 512 != 0;
        const bool short_rows = columns <= 4 * L;  // a is read once or twice
        k.direct_a = short_rows || rows_apart || (k.direct_b && (few || columns_apart));
        // Either panel by panel, all rows of a block of a against a panel that stays in L1, or
        // tile by tile, all columns of a block of b against the rows of a that stay there.
        const bool by_panel = k.direct_b
                                  ? k.direct_a && !few
                                  : !k.tight && size <= 4 && k.depth * panel * size <= panel_bytes;
        const index_t block = by_panel ? 2 * block_bytes : block_bytes;
        k.width = columns;
        if (!k.direct_b && !k.tight) {
            k.width = (columns + panel - 1) & -panel;
            if (k.depth * k.width * size > block) k.width = block / (k.depth * size) & -panel;
        }
        k.group = by_panel ? panel : k.width;
        k.widest = k.direct_b && by_panel ? 2 * panel - 1 : k.group;
        k.rows = rows;
        if (!k.direct_a || !(k.direct_b || short_rows)) {
            constexpr index_t tile = most_rows<Isa>;
            index_t limit = q.a_row == 1 && !k.direct_a ? (Isa::level == 2 ? 4 : 2) * tile : tile;
            if (by_panel) limit = rows_bytes / (k.depth * parts * size) / tile * tile;
            k.rows = (even_share(rows, limit) + tile - 1) / tile * tile;
        }

        k.pitch = (k.depth * parts + 64 / size + L - 1) & -L;
        if (!k.direct_a) k.a_size = k.pitch * k.rows;
        if (k.tight) k.b_size = (k.depth * columns + 2 * L - 1) & -L;
        else if (!k.direct_b) k.b_size = k.depth * k.width;
        return k;
    }

    /// Sets the rows of a after this strip to be fetched while it is computed.
    template <index_t Rows, index_t Panel>
    BROADLOOM_INLINE static void look_ahead(Strip<E>& s, index_t left, index_t columns) {
        s.ahead_share = 0;
        if (left <= 0) return;
        const index_t next = left < s.rows ? left : s.rows;
        const bool by_step = s.a_row == parts;
        s.ahead = reinterpret_cast<const char*>(s.a + s.rows * s.a_row);
        s.ahead_runs = by_step ? s.depth : next;
        s.ahead_bytes = (by_step ? next : s.depth) * parts * size;
        s.ahead_step = (by_step ? s.a_step : s.a_row) * size;
        const index_t tiles = (s.rows / Rows + 1) * (columns / Panel + 1);
        s.ahead_share = s.ahead_runs * (s.ahead_bytes / 64 + 1) / tiles + 1;
    }
};

#endif

/// True where a product of m rows and n columns is made of dot products along the rows of a: of one
/// column of b, or of a few, which are copied if they lie otherwise.
template <class T>
bool is_of_dots(index_t m, index_t n, index_t k, index_t a_col, index_t b_row) {
    const index_t row_bytes = (k < 1024 ? k : 1024) * index_t{sizeof(T)};  // the rest is alike
    if (a_col != 1) return false;
    if (n == 1) return row_bytes >= 64;
    if (m == 1) return false;
    if (b_row == 1) return row_bytes >= 1024 && n <= (m <= 64 ? 16 : 8);
    return row_bytes >= 512 && m > 2 * n && n * index_t{sizeof(T)} <= 16;
}
/// True where it is a sum of the columns of a, which are no shorter than a register.
template <class T>
bool is_of_columns(index_t m, index_t n, index_t a_row) {
    return n == 1 && a_row == 1 && m * index_t{sizeof(T)} >= 64;
}
/// True where the product is computed faster with rows and columns exchanged.
template <class T>
bool is_better_turned(const Product& q) {
    const bool dots = is_of_dots<T>(q.m, q.n, q.k, q.a_col, q.b_row);
    if (is_of_dots<T>(q.n, q.m, q.k, q.b_row, q.a_col)) return !dots || (q.m < 4 && q.m < q.n);
    if (dots) return false;
    if constexpr (!is_complex<T>) {
        if (is_of_columns<T>(q.m, q.n, q.a_row)) return false;
        if (is_of_columns<T>(q.n, q.m, q.b_col)) return true;
    }
    if (q.n == 1) return q.a_row == 1;
    if (q.m == 1) return !is_complex<T> && q.b_col != 1;
    // Registers hold columns: the longer side, if what is read lies so.
    const index_t row_bytes = q.n * index_t{sizeof(T)};
    if (q.m > q.n && q.k >= (row_bytes <= 16 ? 16 : 1000) && row_bytes < 64) return q.a_row == 1;
    return q.c_row == 1 && q.c_col != 1;
}

}  // namespace gemm_detail

/// Brings a product into the form that `gemm_rows` wants. Afterwards its batch dimensions, and its
/// rows if there are 12 or more, may be shared out in any way without changing a bit of the result.
template <class T>
void gemm_prepare(Product& q) {
    using namespace gemm_detail;
    if (q.batch > 0) merge_batch(q);
    if (q.k == 0) stand_still(q);
    if constexpr (is_known<T>) {
        if (is_better_turned<T>(q)) transpose(q);
        if (q.n == 1) q.b_col = q.c_col = 1;
        if (q.k == 1) q.a_col = 1;
    }
}

/// Computes rows first to last of every product of a prepared batch.
template <class T>
void gemm_rows(const Product& q, index_t first, index_t last) {
    using namespace gemm_detail;
    if (first >= last || q.n == 0) return;
    for (int d = 0; d < q.batch; ++d) {
        if (q.extent[d] == 0) return;
    }
#if defined(__GNUC__)
    if constexpr (is_known<T>) {
        constexpr index_t few_terms = 16;
        const bool few = q.k <= few_terms && std::int64_t{q.m * q.n} * q.k <= few_terms;
        using E = typename Element<T>::part;
        constexpr Algebra G = Element<T>::algebra;
        using Call = void(const Product&, index_t, index_t);
        if (Small<E, G>::takes(q)) return fused<Small<E, G>, Call>()(q, first, last);
        if (!few && (q.m > 3 || q.n > 3 || q.k > 3)) {
            if constexpr (G != Algebra::complex) {
                if (Slim<E, G>::takes(q)) return fused<Slim<E, G>, Call>()(q, first, last);
            }
            if (is_of_dots<T>(q.m, q.n, q.k, q.a_col, q.b_row))
                return fused<Dots<E, G>, Call>()(q, first, last);
            if constexpr (G != Algebra::complex) {
                if (is_of_columns<T>(q.m, q.n, q.a_row))
                    return fused<Columns<E, G>, Call>()(q, first, last);
            }
            return fused<Multiply<E, G>, Call>()(q, first, last);
        }
    }
#endif
    plain_rows<T>(q, first, last);
}

/// Computes every product of a batch, shared out by rows or by the longest batch dimension where
/// that is worth it.
template <class T>
void gemm(Product q) {
    using namespace gemm_detail;
    const index_t elements = output_size(q);
    if (elements == 0) return;
    if constexpr (is_known<T> && !is_complex<T>) {
        if (is_mirrored(q)) {
            const index_t half = (q.m / 2 + 15) / 16 * 16, rest = q.m - half;
            gemm<T>(gemm_detail::part(q, sizeof(T), 0, half, 0, half));
            gemm<T>(gemm_detail::part(q, sizeof(T), half, rest, 0, half));
            gemm<T>(gemm_detail::part(q, sizeof(T), half, rest, half, rest));
            return gemm_detail::mirror<T>(q, half);
        }
    }
    gemm_prepare<T>(q);
    const int threads = threads_for(std::int64_t{elements} * (q.k > 0 ? q.k : 1) / 16);
    int longest = -1;
    for (int d = 0; d < q.batch; ++d) {
        if (longest < 0 || q.extent[d] > q.extent[longest]) longest = d;
    }
    if (threads == 1) {
        gemm_rows<T>(q, 0, q.m);
    } else if (longest < 0 || q.m >= 96 * threads) {
        // One piece a thread, which packs its own; whole tiles or a little more.
        const index_t rows = (q.m + 16 * threads - 1) / (16 * threads) * 16;
        parallel(threads, (q.m + rows - 1) / rows, [&](index_t i) {
            const index_t last = (i + 1) * rows;
            gemm_rows<T>(q, i * rows, last < q.m ? last : q.m);
        });
    } else {
        const auto d = static_cast<std::size_t>(longest);
        share_out(threads, q.extent[d], [&](index_t first, index_t last) {
            Product part = q;
            part.extent[d] = last - first;
            part.a = static_cast<const T*>(q.a) + first * q.a_step[d];
            part.b = static_cast<const T*>(q.b) + first * q.b_step[d];
            part.c = static_cast<T*>(q.c) + first * q.c_step[d];
            gemm_rows<T>(part, 0, part.m);
        });
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_GEMM_HPP
