// What a folder calls for elements that lie in memory: whole columns, groups of a few elements, the
// joining and finishing of accumulators; and how a folder is made.
#ifndef BROADLOOM_KERNEL_FOLD_STORED_HPP
#define BROADLOOM_KERNEL_FOLD_STORED_HPP

#include "broadloom/kernel/fold/accumulate.hpp"
#include "broadloom/kernel/fold/lanes.hpp"

namespace broadloom::kernel {

namespace detail {

/// True where complex numbers may be folded as pairs of real ones.
template <class F, class T>
concept folds_parts =
    kind<T> == Kind::complex && std::is_same_v<typename Accumulator<F, T>::A, T> &&
    requires { requires F::by_parts; };

/// The loops of the fold F over elements of type T.
template <class F, class T>
struct FoldStored : Accumulator<F, T> {
    using Base = Accumulator<F, T>;
    using Base::lanes, Base::joined;
    using typename Base::A;
    using Loops = Accumulate<F, T>;
    using Parts = typename Loops::Parts;

    /// The form of a kernel that takes many rows, for large results or for any. What is joined as
    /// it lies, by an instruction, AVX2 joins as soon as wider vectors do.
    template <class Kernel, class Signature, bool Large>
    static Signature* form() noexcept {
        constexpr bool immediate =
            sizeof(A) == sizeof(T) && requires { requires F::template immediate<A>; };
        if constexpr (Large || immediate) return Base::template wide<Kernel, Signature>();
        else return Base::template widest<Kernel, Signature>();
    }

    /// Rows that are shorter than a vector.
    struct Narrow {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows, index_t, index_t) {
            const F f = *static_cast<const F*>(context);
            Loops::template fold<Isa, 1>(f, *stack,
                                         StoredRows<T>(reinterpret_cast<const T*>(data), stride),
                                         rows, {stack->width, 1, stack->width - 1, false, 1});
            stack->rows += rows;
        }
    };

    /// Rows as wide as a stack, or many groups of rows of a vector each.
    struct Columns {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows, index_t groups,
                                         index_t group_stride) {
            if (stack->width < lanes) {
                Base::template scalar<Narrow, FoldColumns>()(context, stack, data, stride, rows, 1,
                                                             0);
                return;
            }
            if constexpr (Loops::template folds_flat<Isa, StoredRows<T>>) {
                constexpr index_t fewest = 4;  // rows that gain by a loop of their own
                if (stack->width == lanes && stride == lanes && rows >= fewest) {
                    form<Flat, FoldFlat, false>()(context, stack, data, rows, groups, group_stride);
                    return;
                }
            }
            const F f = *static_cast<const F*>(context);
            Stack local = *stack;
            // Short folds whose accumulators lie side by side are parts of one block of rows.
            const bool dense = local.bytes == local.width * Base::accumulator_bytes;
            const bool short_groups =
                rows <= 16 && dense && (groups > 1 || local.width % lanes != 0);
            const index_t strips = (local.width + lanes - 1) / lanes;
            const Parts parts =
                short_groups
                    ? Parts{groups * strips, group_stride, (groups - 1) * group_stride, true,
                            local.width,     strips}
                    : Parts{strips, lanes, local.width - lanes};
            Loops::template fold_groups<Isa>(
                f, local, StoredRows<T>(reinterpret_cast<const T*>(data), stride, group_stride),
                rows, short_groups ? 1 : groups, parts);
            local.rows += rows;
            stack->follow(local);
        }
    };

    /// Columns of one vector whose rows follow one another. The loop is a function by itself, and
    /// so has all registers.
    using FoldFlat = void(const void* fold, Stack* stack, const char* rows_at, index_t rows,
                          index_t groups, index_t group_stride);
    struct Flat {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t rows, index_t groups, index_t group_stride) {
            if constexpr (Loops::template folds_flat<Isa, StoredRows<T>>) {
                const F f = *static_cast<const F*>(context);
                Stack local = *stack;
                Loops::template fold_flat_groups<Isa>(
                    f, local, StoredRows<T>(reinterpret_cast<const T*>(data), lanes, group_stride),
                    rows, groups);
                local.rows += rows;
                stack->follow(local);
            }
        }
    };

    /// Complex numbers whose parts are folded each by itself: twice as many columns of real ones.
    template <bool Large>
    static void columns_of_parts(const void* context, Stack* stack, const char* data,
                                 index_t stride, index_t rows, index_t groups,
                                 index_t group_stride) {
        Stack parts = *stack;
        parts.width *= 2;
        FoldStored<F, broadloom::detail::real_t<T>>::template columns<Large>()(
            context, &parts, data, 2 * stride, rows, groups, 2 * group_stride);
        stack->follow(parts);
    }
    /// What folds columns, of large results or of any.
    template <bool Large>
    static FoldColumns* columns() noexcept {
        if constexpr (folds_parts<F, T>) return &columns_of_parts<Large>;
        else return form<Columns, FoldColumns, Large>();
    }

    /// Groups of two, three or four elements side by side.
    struct Few {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, const char* data, index_t groups,
                                         index_t rows, char* to) {
            const F f = *static_cast<const F*>(context);
            const T* from = reinterpret_cast<const T*>(data);
            if (rows == 2) few<2>(f, from, groups, reinterpret_cast<A*>(to));
            else if (rows == 3) few<3>(f, from, groups, reinterpret_cast<A*>(to));
            else few<4>(f, from, groups, reinterpret_cast<A*>(to));
        }
        template <index_t N>
        BROADLOOM_INLINE static void few(const F& f, const T* from, index_t groups,
                                         A* __restrict to) {
            for (index_t g = 0; g < groups; ++g) {
                const StoredRows<T> rows(from + g * N, 1);
                if constexpr (N == 3) {
                    scalar::store(to + g, f.join(Loops::template tree<2>(f, rows, 0, 0),
                                                 f.lift(rows.load(2, 0))));
                } else {
                    scalar::store(to + g, Loops::template tree<N>(f, rows, 0, 0));
                }
            }
        }
    };

    /// Groups of two, three or four vectors of lanes side by side, or of one of integers. What all
    /// registers of a group hold becomes one register by one expression; the lanes of these are
    /// joined at the end.
    struct FewVectors {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, char* memory, const char* data,
                                         index_t stride, index_t groups, index_t vectors,
                                         index_t left, char* to) {
            const F f = *static_cast<const F*>(context);
            const T* from = reinterpret_cast<const T*>(data);
            A* sum = reinterpret_cast<A*>(memory);
            if (left > 0) {
                if constexpr (has_left<Isa>) {
                    if (vectors == 2) fold_left<Isa, 2>(f, from, stride, groups, left, sum);
                    else fold_left<Isa, 3>(f, from, stride, groups, left, sum);
                }
            } else {
                if constexpr (std::is_integral_v<A>) {
                    if (vectors == 1) fold<Isa, 1>(f, from, stride, groups, sum);
                }
                if (vectors == 2) fold<Isa, 2>(f, from, stride, groups, sum);
                else if (vectors == 3) fold<Isa, 3>(f, from, stride, groups, sum);
                else if (vectors == 4) fold<Isa, 4>(f, from, stride, groups, sum);
            }
            JoinLanes<F, T>::Halves::template halve<kept<Isa> / 2>(
                f, sum, sum + groups * lanes, groups, reinterpret_cast<A*>(to));
        }

        /// Two or three vectors may have elements behind them, which for small accumulators would
        /// be chosen one by one.
        template <class Isa>
        static constexpr bool has_left =
            sizeof(A) >= 4 && sizeof(A) <= 8 && Loops::template folds_flat<Isa, StoredRows<T>>;
        static bool takes_left() noexcept {
            return has_left<Baseline> || (isa() > 0 && has_left<Avx2>);
        }

        /// The lanes that are left of a group: a register of them, but two at least and half of
        /// all at most.
        template <class Isa>
        static constexpr index_t kept = [] {
            constexpr index_t fitting = Isa::bytes / index_t{sizeof(A)};
            if (fitting < 2) return index_t{2};
            return fitting < lanes / 2 ? fitting : lanes / 2;
        }();
        template <class Isa, index_t N>
        BROADLOOM_INLINE static void fold(const F& f, const T* from, index_t stride, index_t groups,
                                          A* __restrict sum) {
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; ++g, from += stride, sum += kept<Isa>) {
                for (index_t j = 0; j < kept<Isa>; ++j)
                    scalar::store(sum + j, halves<N, kept<Isa>>(f, {from + j, lanes}));
            }
        }
        /// Groups of N vectors and of `left` elements more. A group is read as if it had one vector
        /// more, since what lies behind it is the next one; the last is copied.
        template <class Isa, index_t N>
        BROADLOOM_INLINE static void fold_left(const F& f, const T* from, index_t stride,
                                               index_t groups, index_t left, A* __restrict sum) {
            const index_t size = N * lanes + left, readable = stride == size ? groups - 1 : 0;
            // Lanes are counted in numbers of the accumulators' size, to be compared beside these.
            const auto end = static_cast<broadloom::detail::unsigned_of<sizeof(A)>>(left);
            T last[static_cast<std::size_t>((N + 1) * lanes)];
            BROADLOOM_ROLLED
            for (index_t g = 0; g < groups; ++g, from += stride, sum += kept<Isa>) {
                const T* at = from;
                if (g >= readable) {
                    __builtin_memcpy(last, from, static_cast<std::size_t>(size) * sizeof(T));
                    for (index_t j = size; j < (N + 1) * lanes; ++j) last[j] = *from;
                    at = last;
                }
                for (index_t j = 0; j < kept<Isa>; ++j)
                    scalar::store(sum + j, halves_left<N, kept<Isa>>(f, at, j, end));
            }
        }
        /// The same as below from lane j on, those before the `end` joined with what is left.
        template <index_t N, index_t Step, class Lane>
        BROADLOOM_INLINE static A halves_left(const F& f, const T* at, index_t j, Lane end) {
            if constexpr (Step < lanes) {
                return f.join(halves_left<N, 2 * Step>(f, at, j, end),
                              halves_left<N, 2 * Step>(f, at, j + Step, end));
            } else {
                const A before = halves<N, Step>(f, {at + j, lanes});
                const A after = f.join(before, f.lift(scalar::load(at + N * lanes + j)));
                return static_cast<Lane>(j) < end ? after : before;
            }
        }
        /// Every `Step`-th column of N rows, as halves of a vector join.
        template <index_t N, index_t Step>
        BROADLOOM_INLINE static A halves(const F& f, const StoredRows<T>& rows) {
            if constexpr (Step < lanes) {
                return f.join(halves<N, 2 * Step>(f, rows),
                              halves<N, 2 * Step>(f, rows.part(0, Step)));
            } else if constexpr (N == 3) {
                return f.join(halves<2, Step>(f, rows), f.lift(rows.load(2, 0)));
            } else if constexpr (N == 4 && std::is_integral_v<A>) {
                return f.join(halves<2, Step>(f, rows), halves<2, Step>(f, rows.down(2)));
            } else {
                return Loops::template tree<N>(f, rows, 0, 0);
            }
        }
    };

    /// Two vectors of accumulators, element for element.
    struct Join {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, char* to, const char* from,
                                         index_t width) {
            const F f = *static_cast<const F*>(context);
            A* __restrict a = reinterpret_cast<A*>(to);
            const A* __restrict b = reinterpret_cast<const A*>(from);
            for (index_t j = 0; j < width; ++j) scalar::store(a + j, joined(f, a + j, b + j));
        }
    };

    static bool decided(const void* context, const char* accumulator) {
        return static_cast<const F*>(context)->decided(*reinterpret_cast<const A*>(accumulator));
    }
};

/// Results from accumulators.
template <class F, class A>
struct Finish {
    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* context, const char* from_bytes, char* to_bytes,
                                     index_t width) {
        const F f = *static_cast<const F*>(context);
        const A* from = reinterpret_cast<const A*>(from_bytes);
        using R = decltype(f.finish(*from));
        R* __restrict to = reinterpret_cast<R*>(to_bytes);
        if constexpr (requires { f.factor(); }) {
            if (const auto factor = f.factor(); factor != 0) {
                for (index_t j = 0; j < width; ++j) to[j] = f.finish(from[j], factor);
                return;
            }
        }
        for (index_t j = 0; j < width; ++j) to[j] = f.finish(from[j]);
    }
};

}  // namespace detail

/// The fold `f` of elements of type T. A fold that only finishes what another one joins names it
/// as its `core`, to share its loops.
template <class T, class F>
Folder make_folder(const F& f) {
    using Core = typename detail::CoreOf<F, T>::type;
    using Loops = detail::FoldStored<Core, T>;
    using A = typename Loops::A;
    Folder folder{};
    folder.fold = &f;
    folder.columns = Loops::template columns<false>();
    folder.large_columns = Loops::template columns<true>();
    if constexpr (Loops::lanes > 1) {
        using Lanes = detail::JoinLanes<Core, T>;
        folder.turns = Lanes::template wide<typename Lanes::Halves, FoldTurns>();
        if constexpr (Loops::own) {
            folder.few_vectors = Loops::template wide<typename Loops::FewVectors, FoldFewVectors>();
            folder.takes_left = Loops::FewVectors::takes_left();
        }
    }
    folder.few = Loops::template widest<typename Loops::Few, FoldFew>();
    folder.join = Loops::template baseline<typename Loops::Join, FoldJoin>();
    folder.accumulator_bytes = folder.result_bytes = Loops::accumulator_bytes;
    if constexpr (requires(const A& a) { f.finish(a); }) {
        folder.finish = Loops::template baseline<detail::Finish<F, A>, FoldFinish>();
        folder.result_bytes = static_cast<index_t>(sizeof(f.finish(std::declval<const A&>())));
    }
    if constexpr (requires(const A& a) { f.decided(a); }) folder.decided = &Loops::decided;
    if constexpr (std::is_floating_point_v<A> && requires(const A& a) { F::shows_order(a); })
        folder.shows_order = &detail::shows_order<F, A>;
    folder.lanes = Loops::lanes;
    folder.pads = true;
    folder.overlaps = Loops::own;
    folder.any_order = std::is_integral_v<A>;
    return folder;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_STORED_HPP
