// The end of a fold over rows that lie flat: vectors, in which several rows stand side by side,
// become the accumulators of one.
#ifndef BROADLOOM_KERNEL_FOLD_LANES_HPP
#define BROADLOOM_KERNEL_FOLD_LANES_HPP

#include "broadloom/kernel/fold/accumulator.hpp"

namespace broadloom::kernel::detail {

/// Joins the lanes of vectors of accumulators of the fold F over elements of type T.
template <class F, class T>
struct JoinLanes : Accumulator<F, T> {
    using Base = Accumulator<F, T>;
    using Base::lanes, Base::lift, Base::joined;
    using typename Base::A;

    BROADLOOM_INLINE static void take(const F& f, A* __restrict to, const T* from, index_t count) {
        for (index_t j = 0; j < count; ++j)
            scalar::store(to + j, f.join(scalar::load(to + j), lift(f, from + j)));
    }

    /// The same for less than 2 N elements, a power of two, in vectors of their own.
    template <index_t N>
    BROADLOOM_INLINE static void take_few(const F& f, A* to, const T* from, index_t count) {
        if ((count & N) != 0) {
            take(f, to, from, N);
            to += N;
            from += N;
        }
        if constexpr (N > 1) take_few<N / 2>(f, to, from, count);
    }

    /// Rows of several accumulators, or elements alone.
    struct Turns {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, char* vectors, const char* data,
                                         index_t group_stride, index_t groups, index_t left,
                                         index_t width, index_t turns, char* to_bytes) {
            const F f = *static_cast<const F*>(context);
            A* sum = reinterpret_cast<A*>(vectors);
            A* to = reinterpret_cast<A*>(to_bytes);
            const T* from = reinterpret_cast<const T*>(data);
            if (turns == 0) {
                alone(f, from, left, width, to);
                return;
            }
            const index_t end = turns * width;
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; ++g, to += width) {
                BROADLOOM_ROLLED
                for (index_t j = lanes; j < end; ++j) sum[j] = sum[2 * lanes - end + j];
                take(f, sum, from + g * group_stride, left);
                join_turns(f, sum, width, turns);
                for (index_t j = 0; j < width; ++j) to[j] = sum[j];
                sum += end > lanes ? 2 * lanes : lanes;
            }
        }

        BROADLOOM_INLINE static void alone(const F& f, const T* from, index_t left, index_t width,
                                           A* to) {
            for (index_t j = 0; j < width; ++j) {
                A sum = lift(f, from + j);
                for (index_t i = width + j; i < left; i += width)
                    sum = f.join(sum, lift(f, from + i));
                to[j] = sum;
            }
        }
        BROADLOOM_INLINE static void join_turns(const F& f, A* sum, index_t width, index_t turns) {
            BROADLOOM_ROLLED
            while (turns > 1) {
                const index_t half = turns / 2;
                A* from = sum + (turns - half) * width;
                BROADLOOM_ROLLED
                for (index_t j = 0; j < half * width; ++j)
                    scalar::store(sum + j, joined(f, sum + j, from + j));
                turns -= half;
            }
        }
    };

    /// Vectors of which each becomes one accumulator.
    struct Halves {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, char* vectors, const char* data,
                                         index_t group_stride, index_t groups, index_t left,
                                         index_t width, index_t turns, char* to) {
            if (width > 1 || turns == 0) {
                Base::template baseline<Turns, FoldTurns>()(context, vectors, data, group_stride,
                                                            groups, left, width, turns, to);
                return;
            }
            const F f = *static_cast<const F*>(context);
            A* sum = reinterpret_cast<A*>(vectors);
            const T* from = reinterpret_cast<const T*>(data);
            if (left > 0) {
                BROADLOOM_ROLLED
                for (index_t g = 0; g < groups; ++g) {
                    take_few<lanes / 2>(f, sum + g * lanes, from + g * group_stride, left);
                }
            }
            halve<lanes / 2>(f, sum, sum + groups * lanes, groups, reinterpret_cast<A*>(to));
        }

        /// Joins each vector with its other half, down to one accumulator.
        template <index_t Half>
        BROADLOOM_INLINE static void halve(const F& f, A* __restrict from, A* __restrict other,
                                           index_t groups, A* __restrict to) {
            if constexpr (Half <= 2) {
                for (index_t g = 0; g < groups; ++g) {
                    const A* p = from + g * 2 * Half;
                    if constexpr (Half < 2) scalar::store(to + g, joined(f, p, p + Half));
                    else
                        scalar::store(to + g, f.join(joined(f, p, p + 2), joined(f, p + 1, p + 3)));
                }
            } else {
                // Twice at once where enough is left.
                constexpr index_t left = Half >= 8 ? Half / 2 : Half;
                BROADLOOM_ROLLED
                for (index_t g = 0; g < groups; ++g) {
                    const A* low = from + g * 2 * Half;
                    for (index_t j = 0; j < left; ++j) {
                        A sum = joined(f, low + j, low + Half + j);
                        if constexpr (left < Half) {
                            sum = f.join(sum, joined(f, low + left + j, low + Half + left + j));
                        }
                        scalar::store(other + g * left + j, sum);
                    }
                }
                halve<left / 2>(f, other, from, groups, to);
            }
        }
    };
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_LANES_HPP
