// Registers as vector types: loads, stores, transposes. A register goes by reference through
// always-inline functions only, so that no wide vector crosses a call compiled for less.
#ifndef BROADLOOM_KERNEL_GEMM_GEMM_LANES_HPP
#define BROADLOOM_KERNEL_GEMM_GEMM_LANES_HPP

#include <cstddef>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"
#include "broadloom/scalar/promote.hpp"

#if defined(__clang__)
#define BROADLOOM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BROADLOOM_UNROLL _Pragma("GCC unroll 32")
#endif

namespace broadloom::kernel::gemm_detail {

using broadloom::detail::unsigned_of;

/// The size of the least number of nearly equal shares of at most `limit`.
constexpr index_t even_share(index_t n, index_t limit) {
    if (n <= limit) return n;
    const index_t shares = (n + limit - 1) / limit;
    return (n + shares - 1) / shares;
}

#if defined(__GNUC__)

/// A register of E; `loose` and `scalar` read memory at any element, whatever its declared type.
template <class E, int Bytes>
struct VectorOf {
    static constexpr index_t lanes = Bytes / static_cast<int>(sizeof(E));
    typedef E type __attribute__((vector_size(Bytes)));
    typedef E loose __attribute__((vector_size(Bytes), aligned(alignof(E)), may_alias));
    typedef E scalar __attribute__((may_alias));
};

template <int Bytes, class E, class V>
BROADLOOM_INLINE void load(V& v, const E* p) {
    v = *reinterpret_cast<const typename VectorOf<E, Bytes>::loose*>(p);
}
template <int Bytes, class E, class V>
BROADLOOM_INLINE void store(E* p, const V& v) {
    *reinterpret_cast<typename VectorOf<E, Bytes>::loose*>(p) = v;
}
template <class E>
BROADLOOM_INLINE E get(const E* p) {
    return *reinterpret_cast<const typename VectorOf<E, 16>::scalar*>(p);
}
template <class E>
BROADLOOM_INLINE void put(E* p, E value) {
    *reinterpret_cast<typename VectorOf<E, 16>::scalar*>(p) = value;
}

/// Keeps a running pointer in one register: left alone, compilers rewrite several of them into
/// more address arithmetic than a loop has room for.
template <class P>
BROADLOOM_INLINE void pin(P*& p) {
    __asm__("" : "+r"(p));
}

/// Copies a run of n elements. The last register overlaps the one before it.
template <int Bytes, class E>
BROADLOOM_INLINE void copy(E* to, const E* from, index_t n) {
    constexpr index_t L = VectorOf<E, Bytes>::lanes;
    if (n >= L) {
        typename VectorOf<E, Bytes>::type v;
        for (index_t i = 0; i + L < n; i += L) {
            load<Bytes>(v, from + i);
            store<Bytes>(to + i, v);
        }
        load<Bytes>(v, from + (n - L));
        store<Bytes>(to + (n - L), v);
    } else if constexpr (Bytes > 16) {
        copy<Bytes / 2>(to, from, n);
    } else {
        for (index_t i = 0; i < n; ++i) put(to + i, get(from + i));
    }
}

/// Writes n zeros, n a whole number of the smallest registers.
template <class E>
BROADLOOM_INLINE void clear(E* p, index_t n) {
    constexpr index_t L = VectorOf<E, 16>::lanes;
    for (index_t i = 0; i < n; i += L) store<16>(p + i, typename VectorOf<E, 16>::type{});
}

/// The first n lanes from memory, zeros in the others.
template <int Bytes, class E, class V>
BROADLOOM_INLINE void load_first(V& v, const E* p, index_t n) {
    E lane[Bytes / sizeof(E)] = {};
    copy<Bytes>(lane, p, n);
    load<Bytes>(v, static_cast<const E*>(lane));
}

template <class U>
struct Masks {
    static constexpr std::size_t lanes = 64 / sizeof(U);
    U lane[2 * lanes];
    constexpr Masks() : lane{} {
        for (std::size_t i = lanes; i < 2 * lanes; ++i) lane[i] = static_cast<U>(-1);
    }
};
/// A register's worth of zero bits, then of one bits.
template <class U>
inline constexpr Masks<U> masks;

/// The first n elements at p in the last n lanes, zeros in the others: a whole register is read
/// that ends where they end, and what comes before, which must be there, is blanked out.
template <int Bytes, class E, class V>
BROADLOOM_INLINE void load_last(V& v, const E* p, index_t n) {
    constexpr index_t L = VectorOf<E, Bytes>::lanes;
    using U = unsigned_of<sizeof(E)>;
    using Mask = typename VectorOf<U, Bytes>::type;
    Mask keep;
    load<Bytes>(keep, masks<U>.lane + Masks<U>::lanes - static_cast<std::size_t>(L - n));
    load<Bytes>(v, p - (L - n));
    v = reinterpret_cast<V>(reinterpret_cast<Mask>(v) & keep);
}

/// The lanes of v, each pair of them exchanged.
template <class V, std::size_t... At>
BROADLOOM_INLINE void exchange(V& to, const V& v, std::index_sequence<At...>) {
    to = __builtin_shufflevector(v, v, static_cast<int>(At ^ 1)...);
}
/// The lower half of the lanes of v, and the upper one.
template <class Half, class V, std::size_t... At>
BROADLOOM_INLINE void halve(Half& low, Half& high, const V& v, std::index_sequence<At...>) {
    low = __builtin_shufflevector(v, v, static_cast<int>(At)...);
    high = __builtin_shufflevector(v, v, static_cast<int>(At + sizeof...(At))...);
}
/// Negates the first lane of each pair, or the second.
template <std::size_t Which, class E, class V, std::size_t... At>
BROADLOOM_INLINE void negate_one(V& v, std::index_sequence<At...>) {
    const V sign = {(At % 2 == Which ? E(-1) : E(1))...};
    v = v * sign;
}
/// r += i s for complex numbers lying in pairs of lanes, s the imaginary unit.
template <class E, class V, class Lanes>
BROADLOOM_INLINE void add_rotated(V& r, const V& i, Lanes lanes) {
    V rotated;
    exchange(rotated, i, lanes);
    negate_one<0, E>(rotated, lanes);
    r += rotated;
}

/// In every 16 bytes: the lower halves of x and y lane by lane into x, the upper ones into y.
template <class V, std::size_t... At>
BROADLOOM_INLINE void interleave(V& x, V& y, std::index_sequence<At...>) {
    constexpr std::size_t n = sizeof...(At), in_quarter = 16 / (sizeof(V) / n);
    const V low = __builtin_shufflevector(
        x, y,
        static_cast<int>(At / in_quarter * in_quarter + At % in_quarter / 2 + (At % 2) * n)...);
    const V high =
        __builtin_shufflevector(x, y,
                                static_cast<int>(At / in_quarter * in_quarter + in_quarter / 2 +
                                                 At % in_quarter / 2 + (At % 2) * n)...);
    x = low;
    y = high;
}

template <class V, class Half, std::size_t... At>
BROADLOOM_INLINE void join(V& v, const Half& low, const Half& high, std::index_sequence<At...>) {
    v = __builtin_shufflevector(low, high, static_cast<int>(At)...);
}

/// A register of 16-byte pieces that lie `step` elements apart.
template <int Bytes, class E, class V>
BROADLOOM_INLINE void load_pieces(V& v, const E* p, index_t step) {
    if constexpr (Bytes == 16) {
        load<16>(v, p);
    } else {
        typename VectorOf<E, Bytes / 2>::type low, high;
        load_pieces<Bytes / 2>(low, p, step);
        load_pieces<Bytes / 2>(high, p + Bytes / 32 * step, step);
        join(v, low, high, std::make_index_sequence<Bytes / sizeof(E)>{});
    }
}

/// In register i element i of as many rows as a register has lanes, `step` apart; of each row 16
/// bytes are read. Elements of 4 or 8 bytes: squares of 16 bytes a side, as many at once as a
/// register holds.
template <int Bytes, class U, class V, std::size_t Side>
BROADLOOM_INLINE void load_turned(V (&r)[Side], const U* from, index_t step) {
    constexpr index_t side = Side;
    using Lanes = std::make_index_sequence<Bytes / sizeof(U)>;
    BROADLOOM_UNROLL
    for (index_t i = 0; i < side; ++i) load_pieces<Bytes>(r[i], from + i * step, side * step);
    if constexpr (side == 4) {
        interleave(r[0], r[2], Lanes{});
        interleave(r[1], r[3], Lanes{});
        interleave(r[0], r[1], Lanes{});
        interleave(r[2], r[3], Lanes{});
    } else {
        interleave(r[0], r[1], Lanes{});
    }
}

/// Transposes a register's lanes of runs, `step` apart and `length` long, into `length` rows.
template <int Bytes, class U>
BROADLOOM_INLINE void transpose(U* to, index_t to_row, const U* from, index_t step,
                                index_t length) {
    constexpr index_t L = VectorOf<U, Bytes>::lanes, n = 16 / index_t{sizeof(U)};
    index_t p = 0;
    for (; p + n <= length; p += n) {
        typename VectorOf<U, Bytes>::type r[static_cast<std::size_t>(n)];
        load_turned<Bytes>(r, from + p, step);
        BROADLOOM_UNROLL
        for (index_t i = 0; i < n; ++i) store<Bytes>(to + (p + i) * to_row, r[i]);
    }
    for (; p < length; ++p) {
        for (index_t j = 0; j < L; ++j) put(to + p * to_row + j, get(from + p + j * step));
    }
}

#endif

}  // namespace broadloom::kernel::gemm_detail

#endif  // BROADLOOM_KERNEL_GEMM_GEMM_LANES_HPP
