// Matrix products at pointer level: c = a b over any strides and broadcast batches.
//
// The inner loop is a tile: a few rows of c times two registers of columns, all in registers,
// walking down k. Operands are read where they lie; what would be slow to read there (strides,
// pages far apart) is copied block by block into scratch memory, never as a whole. Each element
// is summed in ascending k, in blocks set by the shape: rows may be shared out freely.
#ifndef BROADLOOM_KERNEL_GEMM_HPP
#define BROADLOOM_KERNEL_GEMM_HPP

#include <complex>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

#if defined(__clang__)
#define BROADLOOM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BROADLOOM_UNROLL _Pragma("GCC unroll 32")
#endif

namespace broadloom::kernel {

/// One product or a batch of them: c[i,j] = sum over p of a[i,p] b[p,j], strides in elements,
/// each repeated over `batch` outer dimensions. A stride of 0 repeats an operand.
struct Product {
    index_t m, n, k;
    const void* a;
    index_t a_row, a_col;
    const void* b;
    index_t b_row, b_col;
    void* c;
    index_t c_row, c_col;
    int batch;
    index_t extent[max_rank], a_step[max_rank], b_step[max_rank], c_step[max_rank];
};

namespace gemm_detail {

enum class Algebra { real, complex, boolean };

template <std::size_t Bytes>
struct Unsigned;
template <>
struct Unsigned<1> {
    using type = std::uint8_t;
};
template <>
struct Unsigned<2> {
    using type = std::uint16_t;
};
template <>
struct Unsigned<4> {
    using type = std::uint32_t;
};
template <>
struct Unsigned<8> {
    using type = std::uint64_t;
};

/// How an element type is computed: `part` is what a register holds, `parts` of it make an
/// element. Types of no known algebra have none and take the plain loop.
template <class T>
struct Element {
    static constexpr bool known = false;
};
template <class T>
    requires std::is_integral_v<T>
struct Element<T> {
    static constexpr bool known = true;
    static constexpr Algebra algebra = std::is_same_v<T, bool> ? Algebra::boolean : Algebra::real;
    using part = typename Unsigned<sizeof(T)>::type;
};
template <class T>
    requires std::is_same_v<T, float> || std::is_same_v<T, double>
struct Element<T> {
    static constexpr bool known = true;
    static constexpr Algebra algebra = Algebra::real;
    using part = T;
};
template <class T>
    requires std::is_same_v<T, float> || std::is_same_v<T, double>
struct Element<std::complex<T>> {
    static constexpr bool known = true;
    static constexpr Algebra algebra = Algebra::complex;
    using part = T;
};

/// sum + x y in the algebra of T: integers wrap, bool is "or" of "and", complex is the plain formula.
template <class T>
constexpr T multiply_add(const T& sum, const T& x, const T& y) {
    if constexpr (std::is_same_v<T, bool>) {
        return sum | (x & y);
    } else if constexpr (std::is_integral_v<T>) {
        using Wide = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned,
                                        typename Unsigned<sizeof(T)>::type>;
        return static_cast<T>(static_cast<Wide>(sum) +
                              static_cast<Wide>(x) * static_cast<Wide>(y));
    } else if constexpr (Element<T>::known && !std::is_floating_point_v<T>) {
        return T(sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
                 sum.imag() + (x.real() * y.imag() + x.imag() * y.real()));
    } else {
        return static_cast<T>(sum + static_cast<T>(x * y));
    }
}

/// One product of the batch as plain loops: element types of the user, and what is tiny.
template <class T>
void plain(const Product& q, const T* a, const T* b, T* c) {
    for (index_t i = 0; i < q.m; ++i) {
        for (index_t j = 0; j < q.n; ++j) {
            const T* x = a + i * q.a_row;
            const T* y = b + j * q.b_col;
            T sum{};
            for (index_t p = 0; p < q.k; ++p) {
                sum = multiply_add<T>(sum, x[p * q.a_col], y[p * q.b_row]);
            }
            c[i * q.c_row + j * q.c_col] = sum;
        }
    }
}

/// Calls `f(a, b, c)` for every product of the batch, the last batch dimension fastest.
template <class T, index_t Parts, class F>
BROADLOOM_INLINE void for_each_product(const Product& q, const F& f) {
    const T* a = static_cast<const T*>(q.a);
    const T* b = static_cast<const T*>(q.b);
    T* c = static_cast<T*>(q.c);
    if (q.batch == 0) return f(a, b, c);
    index_t at[max_rank];
    for (int d = 0; d < q.batch; ++d) at[d] = 0;
    for (;;) {
        f(a, b, c);
        int d = q.batch - 1;
        for (; d >= 0; --d) {
            a += q.a_step[d] * Parts;
            b += q.b_step[d] * Parts;
            c += q.c_step[d] * Parts;
            if (++at[d] < q.extent[d]) break;
            a -= q.extent[d] * q.a_step[d] * Parts;
            b -= q.extent[d] * q.b_step[d] * Parts;
            c -= q.extent[d] * q.c_step[d] * Parts;
            at[d] = 0;
        }
        if (d < 0) return;
    }
}

#if defined(__GNUC__)

/// Memory for packed blocks: one buffer per thread, kept until the thread ends.
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { reset(); }
    void* reserve(std::size_t bytes) {
        if (bytes > size_) {
            reset();
            data_ = ::operator new(bytes, std::align_val_t{64});
            size_ = bytes;
        }
        return data_;
    }

private:
    void reset() noexcept {
        if (data_ != nullptr) ::operator delete(data_, std::align_val_t{64});
        data_ = nullptr;
        size_ = 0;
    }
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

BROADLOOM_NOINLINE inline void* scratch(std::size_t bytes) {
    static thread_local Scratch buffer;
    return buffer.reserve(bytes);
}

template <class E, int Bytes>
struct Register {
    static constexpr index_t lanes = Bytes / static_cast<int>(sizeof(E));
    typedef E type __attribute__((vector_size(Bytes)));
    typedef E loose __attribute__((vector_size(Bytes), aligned(alignof(E)), may_alias));
    typedef E scalar __attribute__((may_alias));
};

template <int Bytes, class E, class V>
BROADLOOM_INLINE void load(V& v, const E* p) {
    v = *reinterpret_cast<const typename Register<E, Bytes>::loose*>(p);
}
template <int Bytes, class E, class V>
BROADLOOM_INLINE void store(E* p, const V& v) {
    *reinterpret_cast<typename Register<E, Bytes>::loose*>(p) = v;
}
template <class E>
BROADLOOM_INLINE E get(const E* p) {
    return *reinterpret_cast<const typename Register<E, 16>::scalar*>(p);
}
template <class E>
BROADLOOM_INLINE void put(E* p, E value) {
    *reinterpret_cast<typename Register<E, 16>::scalar*>(p) = value;
}
// Keeps a running pointer in one register: left alone, compilers rewrite several of them into
// more address arithmetic than the loop has room for.
template <class P>
BROADLOOM_INLINE void pin(P*& p) {
    __asm__("" : "+r"(p));
}

/// v = from, or v = from "plus" to.
template <Algebra G, int Bytes, class E, class V>
BROADLOOM_INLINE void combine(V& v, const E* from, const E* to, bool add) {
    load<Bytes>(v, from);
    if (add) {
        V old;
        load<Bytes>(old, to);
        if constexpr (G == Algebra::boolean) {
            v |= old;
        } else {
            v += old;
        }
    }
}

/// Copies a run of n parts, or adds it to the target. The last register overlaps the one before
/// it, so it is read first.
template <Algebra G, int Bytes, class E>
BROADLOOM_INLINE void move(E* to, const E* from, index_t n, bool add) {
    constexpr index_t L = Register<E, Bytes>::lanes;
    if (n >= L) {
        typename Register<E, Bytes>::type v, last;
        combine<G, Bytes>(last, from + (n - L), to + (n - L), add);
        for (index_t i = 0; i + L < n; i += L) {
            combine<G, Bytes>(v, from + i, to + i, add);
            store<Bytes>(to + i, v);
        }
        store<Bytes>(to + (n - L), last);
    } else if constexpr (Bytes > 16) {
        move<G, Bytes / 2>(to, from, n, add);
    } else {
        for (index_t i = 0; i < n; ++i) {
            const E x = get(from + i), y = add ? get(to + i) : E{};
            put(to + i, static_cast<E>(G == Algebra::boolean ? (x != E{}) | (y != E{}) : x + y));
        }
    }
}

// Shuffles by a pattern of lane numbers; compilers without the builtin go lane by lane.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define BROADLOOM_SHUFFLE 1
#endif
#endif

/// r += i s for complex numbers lying in pairs of lanes, where s is the imaginary unit.
template <class E, class V, std::size_t... I>
BROADLOOM_INLINE void add_rotated(V& r, const V& i, std::index_sequence<I...>) {
#if defined(BROADLOOM_SHUFFLE)
    r += __builtin_shufflevector(i, i, static_cast<int>(I ^ 1)...) *
         V{(I % 2 == 0 ? E(-1) : E(1))...};
#else
    r += V{i[I ^ 1]...} * V{(I % 2 == 0 ? E(-1) : E(1))...};
#endif
}

/// c[0..MR, 0..NV registers] = or += a b over `k` steps, in registers throughout. Rows of a are
/// `a_row` apart; a step of k moves a by `a_step` and b by `b_step`. A complex row counts as two
/// real ones, multiplied by b as it lies and put together at the end.
template <Algebra G, int Bytes, int MR, int NV, class E>
BROADLOOM_INLINE void tile(index_t k, const E* a, index_t a_row, index_t a_step, const E* b,
                           index_t b_step, E* c, index_t c_row, bool add) {
    using V = typename Register<E, Bytes>::type;
    constexpr int L = static_cast<int>(Register<E, Bytes>::lanes);
    constexpr int parts = G == Algebra::complex ? 2 : 1;
    constexpr int groups = (MR + 2) / 3;  // three rows share a pointer: x86 scales by 1 and 2
    V s[MR * parts][NV];
    const E* g[groups];
    BROADLOOM_UNROLL
    for (int i = 0; i < MR * parts; ++i) {
        BROADLOOM_UNROLL
        for (int v = 0; v < NV; ++v) s[i][v] = V{};
    }
    BROADLOOM_UNROLL
    for (int i = 0; i < groups; ++i) g[i] = a + 3 * i * a_row;
    if (add) {
        BROADLOOM_UNROLL
        for (int i = 0; i < MR; ++i) {
            BROADLOOM_UNROLL
            for (int v = 0; v < NV; ++v) __builtin_prefetch(c + i * c_row + v * L, 1);
        }
    }
    for (; k > 0; --k) {
        V x[NV];
        BROADLOOM_UNROLL
        for (int v = 0; v < NV; ++v) load<Bytes>(x[v], b + v * L);
        BROADLOOM_UNROLL
        for (int i = 0; i < MR * parts; ++i) {
            const V y = get(g[i / parts / 3] + (i / parts % 3) * a_row + i % parts) - V{};
            BROADLOOM_UNROLL
            for (int v = 0; v < NV; ++v) {
                if constexpr (G == Algebra::boolean) {
                    s[i][v] |= x[v] & y;
                } else {
                    s[i][v] += x[v] * y;
                }
            }
        }
        BROADLOOM_UNROLL
        for (int i = 0; i < groups; ++i) {
            g[i] += a_step;
            pin(g[i]);
        }
        b += b_step;
    }
    BROADLOOM_UNROLL
    for (int i = 0; i < MR; ++i) {
        BROADLOOM_UNROLL
        for (int v = 0; v < NV; ++v) {
            V r = s[i * parts][v];
            if constexpr (G == Algebra::complex) {
                add_rotated<E>(r, s[i * parts + 1][v], std::make_index_sequence<L>{});
            }
            if (add) {
                V old;
                load<Bytes>(old, c + v * L);
                if constexpr (G == Algebra::boolean) {
                    r |= old;
                } else {
                    r += old;
                }
            }
            store<Bytes>(c + v * L, r);
        }
        c += c_row;
        pin(c);
    }
}

/// The rows of the tallest tile: what leaves room in the register file for a row of b.
template <class Isa>
constexpr int tile_rows() {
#if defined(__aarch64__)
    return 12;
#else
    return Isa::level == 2 ? 12 : 6;
#endif
}

/// A strip of the product: some rows of a against one packed or direct block of b. Pointers and
/// steps count parts; c_row and c_col count elements.
template <class E>
struct Strip {
    index_t rows, columns, depth;
    const E* a;
    index_t a_row, a_step;
    const E* b;
    index_t b_step, b_panel;  // from one step of k, and one panel of columns, to the next
    E* c;
    index_t c_row, c_col;
    bool add;     // to what c holds
    bool padded;  // b has whole registers of columns throughout
    bool narrow;  // the columns fit half a register
    // The rows of a that come next, fetched a little with every tile: `ahead_runs` runs of
    // `ahead_bytes`, `ahead_step` bytes apart.
    bool ahead_here;
    const char* ahead;
    index_t ahead_runs, ahead_bytes, ahead_step, ahead_share;
    index_t ahead_at;
};

template <class E, Algebra G>
struct Sweep {
    static constexpr index_t parts = G == Algebra::complex ? 2 : 1;

    template <class Isa, int MR>
    BROADLOOM_INLINE static void rows(Strip<E>& s, index_t row, index_t skip) {
        constexpr index_t L = Register<E, Isa::bytes>::lanes;
        constexpr int half = Isa::bytes > 16 ? Isa::bytes / 2 : Isa::bytes;
        alignas(64) E rest[MR * 2 * L];
        const E* const a = s.a + row * s.a_row;
        E* const c_first = s.c + row * s.c_row * parts;
        const bool direct = s.c_col == 1 && !(s.add && skip > 0);
        for (index_t j = 0; j < s.columns;) {
            const index_t left = s.columns - j;
            index_t width = left > L && (s.padded || s.columns >= 2 * L) ? 2 * L : L;
            if (s.narrow) width = half / static_cast<index_t>(sizeof(E));
            const index_t start = s.padded || left >= width ? j : s.columns - width;
            // What a store past the row's end overwrites is the next row, written later.
            const bool whole =
                left >= width || start < j ||
                (j == 0 && !s.add && s.c_row * parts == s.columns &&
                 (row + MR - 1) * s.columns + width <= s.rows * s.columns);
            const bool straight = direct && whole && !(s.add && left < width);
            const E* const b = s.padded ? s.b + j / (2 * L) * s.b_panel + j % (2 * L) : s.b + start;
            E* const c = straight ? c_first + start : rest;
            const index_t c_row = straight ? s.c_row * parts : width;
            const bool add = straight && s.add;
            for (index_t u = 0; u < s.ahead_share && s.ahead_runs > 0; ++u) {
                __builtin_prefetch(s.ahead + s.ahead_at, 0, 2);
                s.ahead_at += 64;
                if (s.ahead_at >= s.ahead_bytes) {
                    s.ahead_at = 0;
                    s.ahead += s.ahead_step;
                    --s.ahead_runs;
                }
            }
            if (s.narrow) {
                tile<G, half, MR, 1>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_row, add);
            } else if (width > L) {
                tile<G, Isa::bytes, MR, 2>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_row,
                                           add);
            } else {
                tile<G, Isa::bytes, MR, 1>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_row,
                                           add);
            }
            if (!straight) {
                const index_t used = left < width ? left : width;
                for (index_t i = skip; i < MR; ++i) {
                    const E* from = rest + i * width + (j - start);
                    E* to = c_first + (i * s.c_row + j / parts * s.c_col) * parts;
                    if (s.c_col == 1) {
                        move<G, Isa::bytes>(to, from, used, s.add);
                    } else {
                        for (index_t u = 0; u < used; u += parts, to += s.c_col * parts) {
                            move<G, 16>(to, from + u, parts, s.add);
                        }
                    }
                }
            }
            j = start + width;
        }
    }

    BROADLOOM_INLINE static constexpr int lower(int height) {
        return height == 12 ? 8 : height == 6 ? 4 : height == 3 ? 2 : height / 2;
    }

    template <class Isa, int Most, int MR>
    BROADLOOM_INLINE static void at_most(Strip<E>& s, index_t row, index_t skip) {
        constexpr bool used = MR == Most || (Most == 12 && MR == 8) || MR == 4 || MR == 2;
        if constexpr (used && MR <= Most) rows<Isa, MR>(s, row, skip);
    }

    template <class Isa>
    BROADLOOM_INLINE static void run(Strip<E>& s) {
        constexpr int most = tile_rows<Isa>() / static_cast<int>(parts);
        for (index_t i = 0; i < s.rows;) {
            // The lowest tile that finishes, reaching back over rows done before if it must.
            const index_t left = s.rows - i;
            int height = most;
            while (height > 1 && (height > s.rows || lower(height) >= left)) height = lower(height);
            const index_t start = left < height ? s.rows - height : i;
            const index_t skip = i - start;
            if (s.ahead_here && left > height) {
                const index_t next = left - height < most ? left - height : most;
                s.ahead = reinterpret_cast<const char*>(s.a + (i + height) * s.a_row);
                s.ahead_runs = next;
                s.ahead_bytes = s.depth * parts * static_cast<index_t>(sizeof(E));
                s.ahead_step = s.a_row * static_cast<index_t>(sizeof(E));
                s.ahead_at = 0;
                s.ahead_share = next * (s.ahead_bytes / 64 + 1) / (s.columns / (2 * Register<E, Isa::bytes>::lanes) + 1) + 1;
            }
            switch (height) {
                case 12: at_most<Isa, most, 12>(s, start, skip); break;
                case 8: at_most<Isa, most, 8>(s, start, skip); break;
                case 6: at_most<Isa, most, 6>(s, start, skip); break;
                case 4: at_most<Isa, most, 4>(s, start, skip); break;
                case 3: at_most<Isa, most, 3>(s, start, skip); break;
                case 2: at_most<Isa, most, 2>(s, start, skip); break;
                default: rows<Isa, 1>(s, start, skip);
            }
            i = start + height;
        }
    }
};

/// Four rows of four, or two rows of two, transposed in every quarter of the registers at once.
#if defined(BROADLOOM_SHUFFLE)
template <class V, std::size_t... I>
BROADLOOM_INLINE void interleave(V& x, V& y, std::index_sequence<I...>) {
    constexpr int n = sizeof...(I), quarter = 16 / static_cast<int>(sizeof(V) / sizeof...(I));
    constexpr int h = quarter / 2;
    const V low = __builtin_shufflevector(
        x, y, (static_cast<int>(I) / quarter * quarter + static_cast<int>(I) % quarter / 2 +
               (I % 2 == 0 ? 0 : n))...);
    const V high = __builtin_shufflevector(
        x, y, (static_cast<int>(I) / quarter * quarter + h + static_cast<int>(I) % quarter / 2 +
               (I % 2 == 0 ? 0 : n))...);
    x = low;
    y = high;
}

template <class V, class H, std::size_t... I>
BROADLOOM_INLINE void join(V& v, const H& low, const H& high, std::index_sequence<I...>) {
    v = __builtin_shufflevector(low, high, static_cast<int>(I)...);
}

template <int Bytes, class E, class V>
BROADLOOM_INLINE void gather_quarters(V& v, const E* p, index_t step) {
    if constexpr (Bytes == 16) {
        load<16>(v, p);
    } else {
        typename Register<E, Bytes / 2>::type low, high;
        gather_quarters<Bytes / 2>(low, p, step);
        gather_quarters<Bytes / 2>(high, p + Bytes / 32 * step, step);
        join(v, low, high, std::make_index_sequence<Bytes / sizeof(E)>{});
    }
}
#endif

#if defined(BROADLOOM_SHUFFLE)
/// Writes one register of columns, each contiguous in memory, as rows.
template <int Bytes, class U, class E>
BROADLOOM_INLINE void transpose(E* to_parts, index_t to_row, const E* from_parts, index_t step,
                                index_t depth) {
    constexpr index_t n = 16 / static_cast<index_t>(sizeof(U)), L = Register<U, Bytes>::lanes;
    using All = std::make_index_sequence<static_cast<std::size_t>(L)>;
    U* to = reinterpret_cast<U*>(to_parts);
    const U* from = reinterpret_cast<const U*>(from_parts);
    index_t p = 0;
    for (; p + n <= depth; p += n) {
        typename Register<U, Bytes>::type r[n];
        BROADLOOM_UNROLL
        for (index_t i = 0; i < n; ++i) gather_quarters<Bytes>(r[i], from + i * step + p, n * step);
        if constexpr (n == 4) {
            interleave(r[0], r[2], All{});
            interleave(r[1], r[3], All{});
            interleave(r[0], r[1], All{});
            interleave(r[2], r[3], All{});
        } else {
            interleave(r[0], r[1], All{});
        }
        BROADLOOM_UNROLL
        for (index_t i = 0; i < n; ++i) store<Bytes>(to + (p + i) * to_row, r[i]);
    }
    for (; p < depth; ++p) {
        for (index_t j = 0; j < L; ++j) put(to + p * to_row + j, get(from + p + j * step));
    }
}
#endif

/// Writes a block of b as panels of `panel` parts, zeros after the last column.
template <Algebra G, int Bytes, class E>
BROADLOOM_INLINE void pack_b(E* to, const E* from, index_t depth, index_t columns, index_t b_row,
                             index_t b_col, index_t panel) {
    constexpr index_t parts = G == Algebra::complex ? 2 : 1;
    constexpr index_t L = Register<E, Bytes>::lanes;
    const index_t step = b_col * parts, row = b_row * parts;
    if (b_col == 1) {
        for (index_t first = 0; first < columns * parts; first += 16 * panel) {
            for (index_t p = 0; p < depth; ++p) {
                for (index_t j = first; j < columns * parts && j < first + 16 * panel; j += panel) {
                    const index_t used = columns * parts - j < panel ? columns * parts - j : panel;
                    E* const at = to + j * depth + p * panel;
                    for (index_t u = used; u < panel; ++u) put(at + u, E{});
                    move<Algebra::real, Bytes>(at, from + p * row + j, used, false);
                }
            }
        }
        return;
    }
    for (index_t j = 0; j < columns * parts; j += panel, from += panel / parts * step) {
        const index_t used = columns * parts - j < panel ? columns * parts - j : panel;
        if (used < panel) {
            for (index_t p = 0; p < depth; ++p) {
                for (index_t u = used; u < panel; ++u) put(to + p * panel + u, E{});
            }
        }
        index_t done = 0;  // columns of this panel
#if defined(BROADLOOM_SHUFFLE)
        if constexpr (sizeof(E) * parts == 4 || sizeof(E) * parts == 8) {
            if (b_row == 1) {
                for (; done + L <= used; done += L) {
                    transpose<Bytes, typename Unsigned<sizeof(E) * parts>::type>(
                        to + done, panel / parts, from + done / parts * step, b_col, depth);
                }
            }
        }
#endif
        for (index_t p = 0; p < depth; ++p) {
            for (index_t u = done; u < used; ++u) {
                put(to + p * panel + u, get(from + p * row + u / parts * step + u % parts));
            }
        }
        to += depth * panel;
    }
}

/// A matrix product for one instruction set.
template <class E, Algebra G>
struct Multiply {
    static constexpr index_t parts = G == Algebra::complex ? 2 : 1;

    template <class Isa>
    BROADLOOM_INLINE static void run(const Product& q) {
        constexpr index_t L = Register<E, Isa::bytes>::lanes;
        constexpr index_t size = static_cast<index_t>(sizeof(E));
        const index_t block_rows = (q.a_row == 1 ? 4 : 1) * tile_rows<Isa>() / parts;
        const index_t columns = q.n * parts;
        const bool narrow = Isa::bytes > 16 && columns <= L / 2;
        const index_t panel = narrow ? L / 2 : 2 * L;
        const bool direct_b =
            q.b_col == 1 && columns >= L && (q.m <= few_rows || (q.m <= 128 && columns * q.k * size <= small_b));
        const index_t apart = (q.a_row < 0 ? -q.a_row : q.a_row) * parts * size % 4096;
        const bool direct_a = columns <= 4 * L || (q.a_col == 1 && apart >= 256 && apart <= 4096 - 256);

        const index_t depth_limit = direct_b && q.m <= few_rows && columns > 64 * L ? 32 : depth_most;
        const index_t depths = (q.k + depth_limit - 1) / depth_limit;
        const index_t depth = (q.k + depths - 1) / depths;
        index_t width = direct_b ? columns : (columns + panel - 1) / panel * panel;
        if (!direct_b && depth * width * size > block_bytes) {
            width = block_bytes / (depth * size) / panel * panel;
        }
        const index_t b_size = direct_b ? 0 : depth * width;
        const index_t pitch = depth * parts + 64 / size;
        const index_t a_size = direct_a ? 0 : (pitch + 0) * block_rows * 2;

        alignas(64) E local[4096 / size];
        E* const b_block = b_size + a_size <= 4096 / size
                               ? local
                               : static_cast<E*>(scratch(static_cast<std::size_t>((b_size + a_size) * size)));
        E* const a_block = b_block + b_size;
        const bool once = depths == 1 && width >= columns;
        const E* held = nullptr;

        for_each_product<E, parts>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            Strip<E> s;
            s.c_row = q.c_row;
            s.c_col = q.c_col;
            s.padded = !direct_b;
            s.narrow = narrow;
            for (index_t j = 0; j < columns; j += width) {
                s.columns = columns - j < width ? columns - j : width;
                for (index_t p = 0; p < q.k; p += depth) {
                    s.depth = q.k - p < depth ? q.k - p : depth;
                    s.add = p > 0;
                    const E* const b_here = b + (p * q.b_row + j / parts * q.b_col) * parts;
                    if (direct_b) {
                        s.b = b_here;
                        s.b_step = q.b_row * parts;
                        s.b_panel = 2 * L;
                    } else {
                        if (!once || held != b) {
                            pack_b<G, Isa::bytes>(b_block, b_here, s.depth, s.columns / parts, q.b_row,
                                                  q.b_col, panel);
                        }
                        held = b;
                        s.b = b_block;
                        s.b_step = panel;
                        s.b_panel = s.depth * panel;
                    }
                    const index_t blocks = direct_a ? 1 : (q.m + block_rows - 1) / block_rows;
                    const index_t rows = (q.m + blocks - 1) / blocks;
                    for (index_t i = 0; i < q.m; i += rows) {
                        s.rows = q.m - i < rows ? q.m - i : rows;
                        const E* const a_here = a + (i * q.a_row + p * q.a_col) * parts;
                        s.ahead_here = direct_a && columns > 4 * L;
                        s.ahead_runs = 0;
                        s.ahead_share = 0;
                        if (!direct_a && i + rows < q.m) {
                            const index_t rows_next = q.m - i - rows < rows ? q.m - i - rows : rows;
                            const bool by_step = q.a_row == 1 && q.a_col != 1;
                            s.ahead = reinterpret_cast<const char*>(a_here + rows * q.a_row * parts);
                            s.ahead_runs = by_step ? s.depth : rows_next;
                            s.ahead_bytes = (by_step ? rows_next : s.depth) * parts * size;
                            s.ahead_step = (by_step ? q.a_col : q.a_row) * parts * size;
                            s.ahead_at = 0;
                            s.ahead_share = s.ahead_runs * (s.ahead_bytes / 64 + 1) / ((s.rows / tile_rows<Isa>() + 1) * (s.columns / (2 * L) + 1)) + 1;
                        }
                        s.c = c + (i * q.c_row + j / parts * q.c_col) * parts;
                        s.a = a_here;
                        s.a_row = q.a_row * parts;
                        s.a_step = q.a_col * parts;
                        if (!direct_a) pack_a<Isa>(s, a_block, pitch);
                        kernel::detail::Entry<Sweep<E, G>, void(Strip<E>&)>::fused(Isa::level)(s);
                    }
                }
            }
        });
    }

private:
    static constexpr index_t few_rows = 8, depth_most = 256, small_b = 64 * 1024, block_bytes = 384 * 1024;

    /// Copies the rows of a strip, each contiguous in k, or each step of k contiguous in rows if
    /// that is how they lie.
    template <class Isa>
    BROADLOOM_INLINE static void pack_a(Strip<E>& s, E* to, index_t pitch) {
        const E* const from = s.a;
        if (s.a_row == parts && s.a_step != parts) {
            for (index_t p = 0; p < s.depth; ++p) {
                move<Algebra::real, Isa::bytes>(to + p * s.rows * parts, from + p * s.a_step, s.rows * parts, false);
            }
            s.a_step = s.rows * parts;
        } else {
            for (index_t i = 0; i < s.rows; ++i) {
                if (s.a_step == parts) {
                    move<Algebra::real, Isa::bytes>(to + i * pitch, from + i * s.a_row, s.depth * parts, false);
                } else {
                    for (index_t p = 0; p < s.depth * parts; ++p) {
                        put(to + i * pitch + p, get(from + i * s.a_row + p / parts * s.a_step + p % parts));
                    }
                }
            }
            s.a_row = pitch;
            s.a_step = parts;
        }
        s.a = to;
    }
};

#endif

}  // namespace gemm_detail

namespace gemm_detail {
/// The same product with the roles of rows and columns exchanged.
inline void transpose(Product& q) {
    std::swap(q.m, q.n);
    std::swap(q.a, q.b);
    std::swap(q.a_row, q.b_col);
    std::swap(q.a_col, q.b_row);
    std::swap(q.c_row, q.c_col);
    for (int d = 0; d < q.batch; ++d) std::swap(q.a_step[d], q.b_step[d]);
}
}  // namespace gemm_detail

template <class T>
void gemm_batched(Product q) {
    using namespace gemm_detail;
    if (q.m == 0 || q.n == 0) return;
    for (int d = 0; d < q.batch; ++d) if (q.extent[d] == 0) return;
#if defined(__GNUC__)
    if constexpr (Element<T>::known) {
        if (q.m * q.n * q.k > 0) {
            if (q.c_row == 1 && q.c_col != 1) transpose(q);
            using E = typename Element<T>::part;
            return fused<Multiply<E, Element<T>::algebra>, void(const Product&)>()(q);
        }
    }
#endif
    for_each_product<T, 1>(q, [&](const T* a, const T* b, T* c) { plain(q, a, b, c); });
}

/// c[i,j] = sum over p of a[i,p] b[p,j]
template <class T>
void gemm(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row, index_t b_col, T* c, index_t c_row, index_t c_col) {
    Product q;
    q.m = m; q.n = n; q.k = k; q.a = a; q.a_row = a_row; q.a_col = a_col; q.b = b; q.b_row = b_row; q.b_col = b_col; q.c = c; q.c_row = c_row; q.c_col = c_col; q.batch = 0;
    gemm_batched<T>(q);
}

}  // namespace broadloom::kernel
#endif
