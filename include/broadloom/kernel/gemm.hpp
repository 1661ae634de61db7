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
template <Algebra G, class E>
BROADLOOM_INLINE E plus(E x, E y) {
    return static_cast<E>(G == Algebra::boolean ? (x != E{}) | (y != E{}) : x + y);
}
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
            const E x = get(from + i);
            put(to + i, add ? plus<G>(get(to + i), x) : x);
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

/// Zeros in whole registers.
template <class E>
BROADLOOM_INLINE void clear(E* p, index_t n) {
    constexpr index_t L = Register<E, 16>::lanes;
    for (index_t i = 0; i < n; i += L) store<16>(p + i, typename Register<E, 16>::type{});
}

/// s += x y.
template <Algebra G, class V>
BROADLOOM_INLINE void accumulate(V& s, const V& x, const V& y) {
    if constexpr (G == Algebra::boolean) {
        s |= x & y;
    } else {
        s += x * y;
    }
}

/// The first n lanes from memory, zeros in the others.
template <int Bytes, class E, class V>
BROADLOOM_INLINE void load_part(V& v, const E* p, index_t n) {
    if (n == Register<E, Bytes>::lanes) return load<Bytes>(v, p);
    E lane[Bytes / sizeof(E)] = {};
    move<Algebra::real, Bytes>(lane, p, n, false);
    load<Bytes>(v, static_cast<const E*>(lane));
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
                accumulate<G>(s[i][v], x[v], y);
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

/// Half a register, where there is one.
constexpr int smaller(int bytes) {
    return bytes > 16 ? bytes / 2 : bytes;
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
    int bytes;    // of a register; less than a whole one for few columns
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
        constexpr int half = smaller(Isa::bytes), quarter = smaller(half);
        alignas(64) E rest[MR * 2 * L];
        const E* const a = s.a + row * s.a_row;
        E* const c_first = s.c + row * s.c_row * parts;
        const bool direct = s.c_col == 1 && !(s.add && skip > 0);
        for (index_t j = 0; j < s.columns;) {
            const index_t left = s.columns - j;
            index_t width = left > L && (s.padded || s.columns >= 2 * L) ? 2 * L : L;
            if (s.bytes < Isa::bytes) width = s.bytes / static_cast<index_t>(sizeof(E));
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
            const auto multiply = [&]<int Bytes, int NV>() __attribute__((always_inline)) {
                tile<G, Bytes, MR, NV>(s.depth, a, s.a_row, s.a_step, b, s.b_step, c, c_row, add);
            };
            if (width > L) {
                multiply.template operator()<Isa::bytes, 2>();
            } else if (width == L) {
                multiply.template operator()<Isa::bytes, 1>();
            } else if (half < Isa::bytes && s.bytes == half) {
                multiply.template operator()<half, 1>();
            } else if (quarter < half) {
                multiply.template operator()<quarter, 1>();
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
                    if (used < panel) clear(at, panel);
                    move<Algebra::real, Bytes>(at, from + p * row + j, used, false);
                }
            }
        }
        return;
    }
    for (index_t j = 0; j < columns * parts; j += panel, from += panel / parts * step) {
        const index_t used = columns * parts - j < panel ? columns * parts - j : panel;
        if (used < panel) {
            clear(to, depth * panel);
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
        constexpr int half = smaller(Isa::bytes), quarter = smaller(half);
        const index_t columns = q.n * parts;
        const bool few = q.m <= few_rows;

        // b is read in place where its rows are contiguous and it is small or hardly reused.
        const bool direct_b = q.b_col == 1 && columns * size >= (q.m <= 24 ? quarter : Isa::bytes) &&
                              (few || (q.m <= 128 && columns * q.k * size <= small_b));
        // Registers no wider than the columns if those are read in place, else no narrower.
        int bytes = Isa::bytes;
        if (direct_b ? columns * size < bytes : columns * size <= half) bytes = half;
        if (direct_b ? columns * size < bytes : columns * size <= quarter) bytes = quarter;
        // One register of columns is packed row after row; what a load reads past a row is unused.
        const bool tight = !direct_b && columns < L;
        const index_t panel = tight ? columns : 2 * L;
        const index_t limit = direct_b && few && columns > 64 * L ? few_depth : most_depth;
        index_t depth = q.k;
        if (depth > limit) {
            const index_t blocks = (q.k + limit - 1) / limit;
            depth = (q.k + blocks - 1) / blocks;
        }
        index_t width = direct_b || tight ? columns : (columns + 2 * L - 1) & (-2 * L);
        if (!direct_b && !tight && depth * width * size > block_bytes) {
            width = block_bytes / (depth * size) & (-2 * L);
        }

        // a is read in place unless its rows are no runs, or collide in the first-level cache.
        const index_t apart = (q.a_row < 0 ? -q.a_row : q.a_row) * parts * size % 4096;
        const bool direct_a = columns <= 4 * L || (direct_b && few) ||
                              (q.a_col == 1 && apart >= 256 && apart <= 4096 - 256);
        const index_t most_rows = (q.a_row == 1 ? 4 : 1) * tile_rows<Isa>() / parts;
        index_t rows = q.m;
        if (!direct_a && rows > most_rows) {
            const index_t blocks = (q.m + most_rows - 1) / most_rows;
            rows = (q.m + blocks - 1) / blocks;
        }
        const index_t pitch = (depth * parts + 64 / size + L - 1) & -L;
        const index_t b_size = direct_b ? 0 : depth * width + (tight ? 2 * L : 0);
        const index_t a_size = direct_a ? 0 : pitch * rows + L;

        alignas(64) E local[4096 / size];
        E* const b_block = b_size + a_size <= 4096 / size
                               ? local
                               : static_cast<E*>(scratch(static_cast<std::size_t>((b_size + a_size) * size)));
        E* const a_block = b_block + ((b_size + L - 1) & -L);
        const bool once = depth == q.k && width >= columns;
        const E* held = nullptr;
        if (tight) {
            for (index_t u = 0; u < L; ++u) put(b_block + depth * width + u, E{});
        }

        for_each_product<E, parts>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            Strip<E> s;
            s.c_row = q.c_row;
            s.c_col = q.c_col;
            s.padded = !direct_b;
            s.bytes = bytes;
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
                    for (index_t i = 0; i < q.m; i += rows) {
                        s.rows = q.m - i < rows ? q.m - i : rows;
                        const E* const a_here = a + (i * q.a_row + p * q.a_col) * parts;
                        s.ahead_here = direct_a && !direct_b;
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
    static constexpr index_t few_rows = 8, few_depth = 32,
                             most_depth = 1536 / static_cast<index_t>(sizeof(E)), small_b = 64 * 1024, block_bytes = 512 * 1024;

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


template <class U>
struct Blanks {
    U lane[128 / sizeof(U)];
    constexpr Blanks() : lane{} {
        for (std::size_t i = 64 / sizeof(U); i < 128 / sizeof(U); ++i) lane[i] = static_cast<U>(-1);
    }
};
template <class U>
inline constexpr Blanks<U> blanks;

/// The last n lanes' worth of a run as a register that ends with the run: what comes before is
/// blanked out. A run shorter than a register goes through memory.
template <int Bytes, class E, class V>
BROADLOOM_INLINE void load_tail(V& v, const E* p, index_t n, bool room) {
    constexpr index_t L = Register<E, Bytes>::lanes;
    if (!room) return load_part<Bytes>(v, p, n);
    using Mask = typename Register<typename Unsigned<sizeof(E)>::type, Bytes>::type;
    Mask keep;
    load<Bytes>(keep, blanks<typename Unsigned<sizeof(E)>::type>.lane + 64 / sizeof(E) - (L - n));
    load<Bytes>(v, p - (L - n));
    v = reinterpret_cast<V>(reinterpret_cast<Mask>(v) & keep);
}

/// All lanes in one.
template <Algebra G, int Bytes, class E, class V>
BROADLOOM_INLINE E fold(const V& v) {
    constexpr int L = static_cast<int>(Register<E, Bytes>::lanes);
    E lane[L];
    store<Bytes>(lane, v);
    if constexpr (Bytes > 16) {
        typename Register<E, Bytes / 2>::type y;
        combine<G, Bytes / 2>(y, lane + L / 2, lane, true);
        return fold<G, Bytes / 2, E>(y);
    } else {
        E sum = lane[0];
        BROADLOOM_UNROLL
        for (int i = 1; i < L; ++i) sum = plus<G>(sum, lane[i]);
        return sum;
    }
}

/// A matrix with contiguous rows times a vector (n == 1): dot products, four rows at a time.
template <class E, Algebra G>
struct Dots {
    static constexpr index_t chunk = 2048;

    template <int Bytes, int R>
    BROADLOOM_INLINE static void rows(const E* a, index_t a_row, const E* x, index_t depth, E* c,
                                      index_t c_row, bool add) {
        constexpr index_t L = Register<E, Bytes>::lanes;
        using V = typename Register<E, Bytes>::type;
        V s[R][2], u, v;
        BROADLOOM_UNROLL
        for (int r = 0; r < R; ++r) s[r][0] = s[r][1] = V{};
        index_t p = 0;
        for (; p + 2 * L <= depth; p += 2 * L) {
            BROADLOOM_UNROLL
            for (int h = 0; h < 2; ++h) {
                load<Bytes>(v, x + p + h * L);
                BROADLOOM_UNROLL
                for (int r = 0; r < R; ++r) {
                    load<Bytes>(u, a + r * a_row + p + h * L);
                    accumulate<G>(s[r][h], u, v);
                }
            }
        }
        if (p + L <= depth) {
            load<Bytes>(v, x + p);
            BROADLOOM_UNROLL
            for (int r = 0; r < R; ++r) {
                load<Bytes>(u, a + r * a_row + p);
                accumulate<G>(s[r][0], u, v);
            }
            p += L;
        }
        if (p < depth) {
            load_tail<Bytes>(v, x + p, depth - p, depth >= L);
            BROADLOOM_UNROLL
            for (int r = 0; r < R; ++r) {
                load_tail<Bytes>(u, a + r * a_row + p, depth - p, depth >= L);
                accumulate<G>(s[r][1], u, v);
            }
        }
        BROADLOOM_UNROLL
        for (int r = 0; r < R; ++r) {
            if constexpr (G == Algebra::boolean) {
                s[r][0] |= s[r][1];
            } else {
                s[r][0] += s[r][1];
            }
            const E sum = fold<G, Bytes, E>(s[r][0]);
            put(c + r * c_row, add ? plus<G>(get(c + r * c_row), sum) : sum);
        }
    }

    template <class Isa>
    BROADLOOM_INLINE static void run(const Product& q) {
        for_each_product<E, 1>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            alignas(64) E local[chunk];
            for (index_t p = 0; p < q.k; p += chunk) {
                const index_t depth = q.k - p < chunk ? q.k - p : chunk;
                const E* x = b + p * q.b_row;
                if (q.b_row != 1) {
                    for (index_t i = 0; i < depth; ++i) put(local + i, get(x + i * q.b_row));
                    x = local;
                }
                const E* const first = a + p;
                index_t i = 0;
                for (; i + 4 <= q.m; i += 4) {
                    rows<Isa::bytes, 4>(first + i * q.a_row, q.a_row, x, depth, c + i * q.c_row, q.c_row, p > 0);
                }
                for (; i < q.m; ++i) {
                    rows<Isa::bytes, 1>(first + i * q.a_row, q.a_row, x, depth, c + i * q.c_row, q.c_row, p > 0);
                }
            }
        });
    }
};

/// A matrix with contiguous columns times a vector (n == 1): four columns at a time are added to
/// a run of the result.
template <class E, Algebra G>
struct Columns {
    static constexpr index_t chunk = 1024;

    template <class Isa>
    BROADLOOM_INLINE static void run(const Product& q) {
        constexpr int B = Isa::bytes;
        constexpr index_t L = Register<E, B>::lanes;
        for_each_product<E, 1>(q, [&](const E* a, const E* b, E* c) __attribute__((always_inline)) {
            using V = typename Register<E, B>::type;
            alignas(64) E sum[chunk];
            for (index_t i = 0; i < q.m; i += chunk) {
                const index_t rows = q.m - i < chunk ? q.m - i : chunk;
                // The last register ends with the rows and sums some of them a second time.
                const index_t registers = (rows + L - 1) / L, last = rows < L ? 0 : rows - L;
                for (index_t r = 0; r < registers; ++r) store<B>(sum + r * L, V{});
                for (index_t p = 0; p < q.k;) {
                    const index_t count = q.k - p < 4 ? q.k - p : 4;
                    V x[4], s, u;
                    BROADLOOM_UNROLL
                    for (int h = 0; h < 4; ++h) {
                        const E factor = h < count ? get(b + (p + h) * q.b_row) : E{};
                        x[h] = factor - V{};
                    }
                    const E* const from = a + i + p * q.a_col;
                    for (index_t r = 0; r < registers; ++r) {
                        const E* const at = from + (r * L < last ? r * L : last);
                        load<B>(s, sum + r * L);
                        if (count == 4 && rows >= L) {
                            BROADLOOM_UNROLL
                            for (int h = 0; h < 4; ++h) {
                                load<B>(u, at + h * q.a_col);
                                accumulate<G>(s, u, x[h]);
                            }
                        } else {
                            for (index_t h = 0; h < count; ++h) {
                                load_part<B>(u, at + h * q.a_col, rows < L ? rows : L);
                                accumulate<G>(s, u, x[h]);
                            }
                        }
                        store<B>(sum + r * L, s);
                    }
                    p += count;
                }
                const index_t shift = registers * L - (rows < L ? L : rows);
                for (index_t r = 0; r < rows; ++r) {
                    put(c + (i + r) * q.c_row, sum[r < registers * L - L ? r : r + shift]);
                }
            }
        });
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
void gemm_batched(Product& q) {
    using namespace gemm_detail;
    if (q.m == 0 || q.n == 0) return;
    for (int d = 0; d < q.batch; ++d) if (q.extent[d] == 0) return;
#if defined(__GNUC__)
    if constexpr (Element<T>::known) {
        if (q.k > 0 && (q.m > 3 || q.n > 3 || q.k > 3 || q.batch > 0)) {
            using E = typename Element<T>::part;
            constexpr Algebra G = Element<T>::algebra;
            if ((q.c_row == 1 && q.c_col != 1 && q.n != 1) || (q.m == 1 && G != Algebra::complex)) transpose(q);
            if constexpr (G != Algebra::complex) {
                if (q.n == 1 && q.a_col == 1) return fused<Dots<E, G>, void(const Product&)>()(q);
                if (q.n == 1 && q.a_row == 1) return fused<Columns<E, G>, void(const Product&)>()(q);
            }
            return fused<Multiply<E, G>, void(const Product&)>()(q);
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
