// The inner loops of a reduction, one set for each fold and element type, whatever the expression.
// Additions are made in one order on every processor: trees over 16 rows, joined as a binary
// counter carries, so that rounding errors grow with the logarithm of the number of elements.
#ifndef BROADLOOM_KERNEL_ACCUMULATE_HPP
#define BROADLOOM_KERNEL_ACCUMULATE_HPP

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::kernel {

/// Accumulators in the making: a stack of vectors, each of `width` accumulators, that stand for
/// more and more rows towards the bottom.
struct Stack {
    char* first;    // where the result comes to lie
    char* rest;     // the vectors above
    index_t width;
    index_t bytes;  // of a vector
    index_t blocks;
    int height;
    index_t rows;   // seen so far

    char* slot(int k) const { return k == 0 ? first : rest + (k - 1) * bytes; }
    char* top() const { return slot(height); }
};

/// Folds `rows` rows, `stride` elements apart, into a stack. Calls but the last bring a multiple
/// of 16 rows, or the end of what belongs together.
using FoldColumns = void(const void* fold, Stack* stack, const char* rows_at, index_t stride,
                         index_t rows);
/// Folds groups of `rows` rows of `width` elements, all side by side, into `width` accumulators
/// each. `seen` rows of the only group went before.
using FoldRows = void(const void* fold, const char* data, index_t group_stride, index_t groups,
                      index_t rows, index_t width, char* to, index_t seen);
/// Joins accumulators, element for element: to = join(to, from).
using FoldJoin = void(const void* fold, char* to, const char* from, index_t width);
/// Makes results of accumulators.
using FoldFinish = void(const void* fold, const char* from, char* to, index_t width);
/// Tells whether an accumulator can no longer change.
using FoldDecided = bool(const void* fold, const char* accumulator);

/// A fold, its types forgotten.
struct Folder {
    const void* fold;
    FoldColumns* columns;
    FoldRows* rows;  // null where elements must come in order
    FoldJoin* join;
    FoldFinish* finish;    // null where accumulators are the results
    FoldDecided* decided;  // null where every element counts
    index_t accumulator_bytes, result_bytes;
    index_t lanes;  // accumulators in a vector that is worth it
};

namespace detail {

/// Puts a vector that was written to the top of a stack in its place: vectors for equal numbers of
/// rows join.
inline void carry(const Folder& folder, Stack& stack, index_t rows) {
    ++stack.height;
    stack.rows += rows;
    for (index_t b = stack.blocks++; (b & 1) != 0; b >>= 1) {
        --stack.height;
        folder.join(folder.fold, stack.slot(stack.height - 1), stack.slot(stack.height),
                    stack.width);
    }
}

/// Joins all that is left, the smallest first.
inline void collapse(const Folder& folder, Stack& stack) {
    while (stack.height > 1) {
        --stack.height;
        folder.join(folder.fold, stack.slot(stack.height - 1), stack.slot(stack.height),
                    stack.width);
    }
}

/// Accumulators in a vector of 128 bytes, the same for every instruction set.
template <class A>
inline constexpr index_t lanes = sizeof(A) > 64   ? 1
                                 : sizeof(A) > 32 ? 2
                                 : sizeof(A) > 16 ? 4
                                 : sizeof(A) > 8  ? 8
                                 : sizeof(A) > 4  ? 16
                                 : sizeof(A) > 2  ? 32
                                 : sizeof(A) > 1  ? 64
                                                  : 128;

template <class F, class T>
struct Accumulate {
    using A = decltype(std::declval<const F&>().lift(std::declval<const T&>()));

    static constexpr index_t lanes = detail::lanes<A>;

    BROADLOOM_INLINE static A lift(const F& f, const T* p) {
        if constexpr (std::is_same_v<T, bool>) {
            return f.lift(*reinterpret_cast<const unsigned char*>(p) != 0);
        } else {
            return f.lift(*p);
        }
    }
    /// N elements, `stride` apart, joined as a balanced tree.
    template <index_t N>
    BROADLOOM_INLINE static A tree(const F& f, const T* p, index_t stride) {
        constexpr index_t half = N / 2;
        if constexpr (N == 1) return lift(f, p);
        else return f.join(tree<N - half>(f, p, stride), tree<half>(f, p + (N - half) * stride, stride));
    }
    /// N elements as rows come that make no full block: fours, then the rest.
    template <index_t N>
    BROADLOOM_INLINE static A in_turn(const F& f, const T* p) {
        constexpr index_t last = N % 4 == 0 ? 4 : N % 4;
        if constexpr (N == last) return tree<N>(f, p, 1);
        else return f.join(in_turn<N - last>(f, p), tree<last>(f, p + (N - last), 1));
    }

    /// Accumulators `to`, which are new or hold something already, take in N rows. A width known
    /// at compile time goes before the other.
    template <index_t N, index_t Fixed>
    BROADLOOM_INLINE static void set(const F& f, A* __restrict to, const T* from, index_t stride,
                                     index_t width) {
        const index_t end = Fixed > 0 ? Fixed : width;
        for (index_t j = 0; j < end; ++j) to[j] = tree<N>(f, from + j, stride);
    }
    template <index_t N, index_t Fixed>
    BROADLOOM_INLINE static void add(const F& f, A* __restrict to, const T* from, index_t stride,
                                     index_t width) {
        const index_t end = Fixed > 0 ? Fixed : width;
        for (index_t j = 0; j < end; ++j) to[j] = f.join(to[j], tree<N>(f, from + j, stride));
    }
    template <index_t Fixed>
    BROADLOOM_INLINE static void join(const F& f, A* __restrict to, const A* __restrict from,
                                      index_t width) {
        const index_t end = Fixed > 0 ? Fixed : width;
        for (index_t j = 0; j < end; ++j) to[j] = f.join(to[j], from[j]);
    }

    BROADLOOM_INLINE static A* slot(const Stack& stack, int k) {
        return reinterpret_cast<A*>(k == 0 ? stack.first : stack.rest + (k - 1) * stack.bytes);
    }
    template <index_t Fixed>
    BROADLOOM_INLINE static void carry(const F& f, Stack& stack, index_t blocks) {
        BROADLOOM_ROLLED
        for (; (blocks & 1) != 0; blocks >>= 1) {
            --stack.height;
            join<Fixed>(f, slot(stack, stack.height - 1), slot(stack, stack.height), stack.width);
        }
    }
    template <index_t Fixed>
    BROADLOOM_INLINE static void fold(const F& f, Stack& stack, const T* from, index_t stride,
                                      index_t rows) {
        const index_t width = stack.width;
        BROADLOOM_ROLLED
        for (; rows >= 16; rows -= 16, from += 16 * stride) {
            const index_t blocks = stack.blocks++;
            if ((blocks & 1) != 0) {
                add<16, Fixed>(f, slot(stack, stack.height - 1), from, stride, width);
                carry<Fixed>(f, stack, blocks >> 1);
            } else {
                set<16, Fixed>(f, slot(stack, stack.height), from, stride, width);
                ++stack.height;
            }
        }
        if (rows == 0) return;
        A* to = slot(stack, stack.height);
        bool fresh = true;
        BROADLOOM_ROLLED
        for (; rows >= 4; rows -= 4, from += 4 * stride) {
            if (fresh) set<4, Fixed>(f, to, from, stride, width);
            else add<4, Fixed>(f, to, from, stride, width);
            fresh = false;
        }
        if (rows > 0 && fresh) {
            if (rows == 1) set<1, Fixed>(f, to, from, stride, width);
            else if (rows == 2) set<2, Fixed>(f, to, from, stride, width);
            else set<3, Fixed>(f, to, from, stride, width);
        } else if (rows > 0) {
            if (rows == 1) add<1, Fixed>(f, to, from, stride, width);
            else if (rows == 2) add<2, Fixed>(f, to, from, stride, width);
            else add<3, Fixed>(f, to, from, stride, width);
        }
        ++stack.height;
        carry<Fixed>(f, stack, stack.blocks++);
    }

    struct Columns {
        template <class Isa>
        BROADLOOM_INLINE static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows) {
            const F f = *static_cast<const F*>(context);
            const T* from = reinterpret_cast<const T*>(data);
            Stack local = *stack;
            fold<0>(f, local, from, stride, rows);
            local.rows += rows;
            *stack = local;
        }
    };

    struct Rows {
        template <index_t N>
        BROADLOOM_INLINE static void short_rows(const F& f, const T* from, index_t groups,
                                                A* __restrict to) {
            for (index_t g = 0; g < groups; ++g) to[g] = in_turn<N>(f, from + g * N);
        }

        static constexpr auto room_bytes = static_cast<std::size_t>(2 * lanes) * sizeof(A);

        /// One group into one vector, in which `turns` rows lie side by side.
        template <index_t Fixed>
        BROADLOOM_INLINE static void gather(const F& f, const T* from, index_t rows, index_t width,
                                            index_t turns, A* sum, char* room) {
            const index_t vector = turns * width;
            const index_t full = rows / turns;
            const index_t left = (rows - full * turns) * width;
            Stack stack{reinterpret_cast<char*>(sum), room, vector,
                        vector * static_cast<index_t>(sizeof(A)), 0, 0, 0};
            fold<Fixed>(f, stack, from, vector, full);
            BROADLOOM_ROLLED
            while (stack.height > 1) {
                --stack.height;
                join<Fixed>(f, slot(stack, stack.height - 1), slot(stack, stack.height), vector);
            }
            from += full * vector;
            for (index_t j = 0; j < left; ++j) sum[j] = f.join(sum[j], lift(f, from + j));
        }
        /// Too few rows to fill a vector.
        BROADLOOM_INLINE static void few_rows(const F& f, const T* from, index_t rows,
                                              index_t width, A* to) {
            for (index_t j = 0; j < width; ++j) to[j] = lift(f, from + j);
            BROADLOOM_ROLLED
            for (index_t i = 1; i < rows; ++i) {
                for (index_t j = 0; j < width; ++j) to[j] = f.join(to[j], lift(f, from + i * width + j));
            }
        }
        /// The vectors of several groups, each joined with its other half, down to one accumulator.
        template <index_t Half>
        BROADLOOM_INLINE static void halve(const F& f, A* __restrict from, A* __restrict other,
                                           index_t groups, A* __restrict to) {
            if constexpr (Half <= 2) {
                for (index_t g = 0; g < groups; ++g) {
                    const A* p = from + g * 2 * Half;
                    if constexpr (Half == 1) to[g] = f.join(p[0], p[1]);
                    else to[g] = f.join(f.join(p[0], p[2]), f.join(p[1], p[3]));
                }
            } else {
                BROADLOOM_ROLLED
                for (index_t g = 0; g < groups; ++g) {
                    const A* low = from + g * 2 * Half;
                    for (index_t j = 0; j < Half; ++j) {
                        other[g * Half + j] = f.join(low[j], low[Half + j]);
                    }
                }
                halve<Half / 2>(f, other, from, groups, to);
            }
        }

        BROADLOOM_INLINE static void single_column(const F& f, const T* from, index_t group_stride,
                                                   index_t groups, index_t rows, A* to) {
            constexpr index_t batch = 16;
            alignas(64) char room[12 * room_bytes];
            alignas(64) char sums[batch * room_bytes / 2], other[batch * room_bytes / 4];
            A* sum = reinterpret_cast<A*>(sums);
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; g += batch) {
                const index_t count = groups - g < batch ? groups - g : batch;
                BROADLOOM_ROLLED
                for (index_t i = 0; i < count; ++i, from += group_stride) {
                    gather<lanes>(f, from, rows, 1, lanes, sum + i * lanes, room);
                }
                halve<lanes / 2>(f, sum, reinterpret_cast<A*>(other), count, to + g);
            }
        }
        BROADLOOM_INLINE static void few_columns(const F& f, const T* from, index_t group_stride,
                                                 index_t groups, index_t rows, index_t width,
                                                 A* to) {
            alignas(64) char room[12 * room_bytes];
            index_t turns = 1;
            while (turns * width < lanes) turns *= 2;
            A* sum = reinterpret_cast<A*>(room);
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; ++g, from += group_stride, to += width) {
                if (turns * width == lanes) {
                    gather<lanes>(f, from, rows, width, turns, sum, room + room_bytes);
                } else {
                    gather<0>(f, from, rows, width, turns, sum, room + room_bytes);
                }
                BROADLOOM_ROLLED
                for (index_t half = turns / 2 * width; half >= width; half /= 2) {
                    join<0>(f, sum, sum + half, half);
                }
                for (index_t j = 0; j < width; ++j) to[j] = sum[j];
            }
        }

        template <class Isa>
        BROADLOOM_INLINE static void run(const void* context, const char* data,
                                         index_t group_stride, index_t groups, index_t rows,
                                         index_t width, char* to_bytes, index_t) {
            const F f = *static_cast<const F*>(context);
            const T* from = reinterpret_cast<const T*>(data);
            A* to = reinterpret_cast<A*>(to_bytes);
            if (width == 1 && group_stride == rows) {
                switch (rows) {
                    case 2: return short_rows<2>(f, from, groups, to);
                    case 3: return short_rows<3>(f, from, groups, to);
                    case 4: return short_rows<4>(f, from, groups, to);
                    case 5: return short_rows<5>(f, from, groups, to);
                    case 6: return short_rows<6>(f, from, groups, to);
                    case 7: return short_rows<7>(f, from, groups, to);
                    case 8: return short_rows<8>(f, from, groups, to);
                    default: break;
                }
            }
            if (rows * width < 2 * lanes) {
                BROADLOOM_ROLLED
                for (index_t g = 0; g < groups; ++g) {
                    few_rows(f, from + g * group_stride, rows, width, to + g * width);
                }
            } else if (width == 1) {
                single_column(f, from, group_stride, groups, rows, to);
            } else {
                few_columns(f, from, group_stride, groups, rows, width, to);
            }
        }
    };

    struct Join {
        template <class Isa>
        BROADLOOM_INLINE static void run(const void* context, char* to, const char* from,
                                         index_t width) {
            join<0>(*static_cast<const F*>(context), reinterpret_cast<A*>(to),
                    reinterpret_cast<const A*>(from), width);
        }
    };

    struct Finish {
        template <class Isa>
        BROADLOOM_INLINE static void run(const void* context, const char* from_bytes,
                                         char* to_bytes, index_t width) {
            const F f = *static_cast<const F*>(context);
            const A* from = reinterpret_cast<const A*>(from_bytes);
            using R = decltype(f.finish(*from));
            R* __restrict to = reinterpret_cast<R*>(to_bytes);
            for (index_t j = 0; j < width; ++j) to[j] = f.finish(from[j]);
        }
    };

    static bool decided(const void* context, const char* accumulator) {
        return static_cast<const F*>(context)->decided(*reinterpret_cast<const A*>(accumulator));
    }
};

}  // namespace detail

/// A fold of the user's: f(accumulator, element) from `init` on, element by element in row-major
/// order.
template <class F, class A>
struct InOrder {
    F* f;
    A init;

    template <class T>
    A lift(const T&) const;
};

namespace detail {

template <class F, class A, class T>
struct AccumulateInOrder {
    struct Columns {
        template <class Isa>
        BROADLOOM_INLINE static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows) {
            const auto& fold = *static_cast<const InOrder<F, A>*>(context);
            F& f = *fold.f;
            A* to = reinterpret_cast<A*>(stack->first);
            const T* from = reinterpret_cast<const T*>(data);
            const index_t width = stack->width;
            if (stack->height == 0) {
                for (index_t j = 0; j < width; ++j) to[j] = fold.init;
                stack->height = 1;
            }
            if (width == 1) {
                A a = *to;
                for (index_t i = 0; i < rows; ++i) a = f(a, from[i * stride]);
                *to = a;
            } else {
                for (index_t i = 0; i < rows; ++i, from += stride) {
                    for (index_t j = 0; j < width; ++j) to[j] = f(to[j], from[j]);
                }
            }
        }
    };
};

}  // namespace detail

template <class T, class F, class A>
Folder make_folder(const InOrder<F, A>& f) {
    Folder folder{};
    folder.fold = &f;
    folder.columns = plain<typename detail::AccumulateInOrder<F, A, T>::Columns, FoldColumns>();
    folder.accumulator_bytes = folder.result_bytes = static_cast<index_t>(sizeof(A));
    folder.lanes = detail::lanes<A>;
    return folder;
}

/// The fold `f` of elements of type T.
template <class T, class F>
Folder make_folder(const F& f) {
    using Loops = detail::Accumulate<F, T>;
    using A = typename Loops::A;
    constexpr bool own = arithmetic<T> && arithmetic<A>;
    const auto pick = []<class Kernel, class Signature>() {
        if constexpr (own) return strict<Kernel, Signature>();
        else return plain<Kernel, Signature>();
    };
    Folder folder{};
    folder.fold = &f;
    folder.columns = pick.template operator()<typename Loops::Columns, FoldColumns>();
    folder.rows = pick.template operator()<typename Loops::Rows, FoldRows>();
    folder.join = pick.template operator()<typename Loops::Join, FoldJoin>();
    folder.accumulator_bytes = folder.result_bytes = static_cast<index_t>(sizeof(A));
    if constexpr (requires(const A& a) { f.finish(a); }) {
        folder.finish = pick.template operator()<typename Loops::Finish, FoldFinish>();
        folder.result_bytes = static_cast<index_t>(sizeof(f.finish(std::declval<const A&>())));
    }
    if constexpr (requires(const A& a) { f.decided(a); }) folder.decided = &Loops::decided;
    folder.lanes = Loops::lanes;
    return folder;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ACCUMULATE_HPP
