// Running folds: along one axis of a tensor that lies row by row, every element becomes the fold of
// itself with all before it, one after the other.
#ifndef BROADLOOM_KERNEL_SCAN_HPP
#define BROADLOOM_KERNEL_SCAN_HPP

#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {
namespace detail {

/// True for functions that say so: of numbers, f(f(a, b), c) is f(a, f(b, c)) to the bit.
template <class F, class T>
inline constexpr bool is_associative = arithmetic<T> && requires { F::associative; };

template <class F, class T, class A>
struct Scan {
    /// `outer` blocks of `extent` rows of `inner` elements, `step` apart; each row takes in the one
    /// before. What is read may be what is written.
    template <class Isa>
    BROADLOOM_KERNEL static void run(const T* from, A* to, index_t outer, index_t extent,
                                     index_t inner, index_t step) {
        const F f{};
        if (step == 1) {
            lines(f, from, to, outer, extent, extent, 1);
            return;
        }
        BROADLOOM_ROLLED
        for (index_t i = 0; i < outer; ++i, from += extent * step, to += extent * step) {
            if (inner <= few_columns) {
                lines(f, from, to, inner, 1, extent, step);
                continue;
            }
            for (index_t k = 0; k < inner; ++k) to[k] = scalar::convert<A>(from[k]);
            BROADLOOM_ROLLED
            for (index_t j = 1; j < extent; ++j) {
                A* const row = to + j * step;
                if (static_cast<const void*>(from) == to) join(f, row, row - step, inner);
                else join(f, row, row - step, from + j * step, inner);
            }
        }
    }

private:
    /// So few columns do not go by rows, each of which would wait for the one before to be stored.
    static constexpr index_t few_columns = 8;

    /// Lines of elements, `apart` from each other and `along` from one element to the next. They
    /// have no influence on each other: four at a time hide the wait for each sum.
    BROADLOOM_INLINE static void lines(const F& f, const T* from, A* to, index_t count,
                                       index_t apart, index_t extent, index_t along) {
        index_t i = 0;
        BROADLOOM_ROLLED
        for (; i + 4 <= count; i += 4, from += 4 * apart, to += 4 * apart) {
            some_lines(f, from, to, apart, extent, along, std::make_index_sequence<4>());
        }
        if (i + 2 <= count) {
            some_lines(f, from, to, apart, extent, along, std::make_index_sequence<2>());
            i += 2;
            from += 2 * apart;
            to += 2 * apart;
        }
        if (i == count) return;
        if constexpr (is_associative<F, A>) {
            if (along == 1) return pieces(f, from, to, extent);
        }
        some_lines(f, from, to, apart, extent, along, std::make_index_sequence<1>());
    }
    /// A single line: four pieces of it at a time, to each of which all before it is joined
    /// afterwards.
    BROADLOOM_INLINE static void pieces(const F& f, const T* from, A* to, index_t extent) {
        constexpr index_t length = 256;
        index_t j = 0;
        while (j + 4 * length <= extent) {
            some_lines(f, from + j, to + j, length, length, 1, std::make_index_sequence<4>());
            BROADLOOM_ROLLED
            for (index_t piece = 0; piece < 4; ++piece, j += length) {
                if (j > 0) join(f, to + j, to[j - 1], length);
            }
        }
        if (j == extent) return;
        some_lines(f, from + j, to + j, 0, extent - j, 1, std::make_index_sequence<1>());
        if (j > 0) join(f, to + j, to[j - 1], extent - j);
    }
    template <std::size_t... L>
    BROADLOOM_INLINE static void some_lines(const F& f, const T* from, A* to, index_t apart,
                                            index_t extent, index_t along,
                                            std::index_sequence<L...>) {
        A sums[] = {scalar::convert<A>(from[static_cast<index_t>(L) * apart])...};
        (static_cast<void>(to[static_cast<index_t>(L) * apart] = sums[L]), ...);
        BROADLOOM_ROLLED
        for (index_t j = 1; j < extent; ++j) {
            from += along;
            to += along;
            (static_cast<void>(
                 to[static_cast<index_t>(L) * apart] = sums[L] =
                     f(sums[L], scalar::convert<A>(from[static_cast<index_t>(L) * apart]))),
             ...);
        }
    }
    BROADLOOM_INLINE static void join(const F& f, A* to, A before, index_t count) {
        for (index_t k = 0; k < count; ++k) to[k] = f(before, to[k]);
    }
    BROADLOOM_INLINE static void join(const F& f, A* __restrict to, const A* __restrict before,
                                      index_t inner) {
        for (index_t k = 0; k < inner; ++k) to[k] = f(before[k], to[k]);
    }
    BROADLOOM_INLINE static void join(const F& f, A* __restrict to, const A* __restrict before,
                                      const T* __restrict from, index_t inner) {
        for (index_t k = 0; k < inner; ++k) to[k] = f(before[k], scalar::convert<A>(from[k]));
    }
};

/// Columns that fill a cache line.
template <class A>
inline constexpr index_t columns_of_line = sizeof(A) < 64 ? 64 / index_t{sizeof(A)} : 1;

}  // namespace detail

/// Folds with F, a function of two elements, along one axis of elements that lie row by row, into
/// others that do, or into themselves.
template <class F, class T, class A>
void scan(F, const T* from, A* to, const Shape& shape, index_t axis) {
    if (shape.size() == 0) return;
    index_t outer = 1, inner = 1;
    for (index_t d = 0; d < axis; ++d) outer *= shape[d];
    for (index_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
    using Kernel = detail::Scan<F, T, A>;
    using Signature = void(const T*, A*, index_t, index_t, index_t, index_t);
    Signature* run;
    // Each line waits for the one before, in wider vectors as well.
    constexpr Widest widest = narrowed<(kind<A> == Kind::complex)>(Widest::avx2);
    if constexpr (arithmetic<T>) run = strict<Kernel, Signature, widest>();
    else run = plain<Kernel, Signature>();
    const index_t extent = shape[axis], each = extent * inner;
    const int threads = threads_for(shape.size());
    if (outer >= threads) {
        share_out(threads, outer, [&](index_t first, index_t last) {
            run(from + first * each, to + first * each, last - first, extent, inner, inner);
        });
    } else {
        share_out(
            threads, inner,
            [&](index_t first, index_t last) {
                run(from + first, to + first, outer, extent, last - first, inner);
            },
            detail::columns_of_line<A>);
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SCAN_HPP
