// A fold over what a formula makes, as it is made: no tile lies between the two. It takes rows
// whose operands lie flat or are one element each; what else there is goes through a tile.
#ifndef BROADLOOM_KERNEL_FOLD_COMPUTED_HPP
#define BROADLOOM_KERNEL_FOLD_COMPUTED_HPP

#include "broadloom/kernel/fold/accumulate.hpp"

namespace broadloom::kernel::detail {

/// The loops of the fold F over a formula of type X.
template <class F, class X>
struct FoldComputedRows {
    using T = typename X::value_type;
    using Loops = Accumulate<F, T>;
    static constexpr index_t lanes = Loops::lanes;

    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* context, const void* formula, Stack* stack,
                                     const Run* runs, index_t rows, index_t groups, char* rest,
                                     index_t rest_at, bool by_lanes) {
        using Elements = ComputedRows<X, lanes>;
        const X& x = *static_cast<const X*>(formula);
        const F f = *static_cast<const F*>(context);
        Stack local = *stack;
        // Many short folds, a vector each, are parts of one block of rows.
        const bool short_groups = groups > 1 && rows <= 16;
        const index_t count = short_groups ? groups : (local.width + lanes - 1) / lanes;
        Loops::template fold_groups<Isa>(f, local, Elements(x, runs, short_groups, by_lanes), rows,
                                         short_groups ? 1 : groups,
                                         {count, lanes, local.width - lanes, short_groups});
        if (!short_groups) {
            local.rows += rows;
            stack->follow(local);
        }
        if (rest == nullptr) return;
        // Now that they are in the caches: to jump from end to end first would cost more.
        const Elements ends(x, runs, true, false);
        T* to = reinterpret_cast<T*>(rest);
        BROADLOOM_ROLLED
        for (index_t g = 0; g < groups; ++g, to += lanes) {
            const Elements last = ends.part(g, 0).skip(rest_at);
            for (index_t j = 0; j < lanes; ++j) scalar::store(to + j, last.load(0, j));
        }
    }

    /// The same from panels.
    struct Panels {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, const void* formula, Stack* stack,
                                         const Run* runs, index_t rows, bool by_lanes) {
            const F f = *static_cast<const F*>(context);
            Stack local = *stack;
            const index_t count = (local.width + lanes - 1) / lanes, step = rows * lanes;
            ComputedRows<X, lanes> elements(*static_cast<const X*>(formula), runs, false, by_lanes);
            Loops::template fold_panels<Isa, lanes>(f, local, elements, rows,
                                                    {count, step, (count - 1) * step});
            local.rows += rows;
            stack->follow(local);
        }
    };
};

/// True where a tile would cost as much as what goes through it: not much is computed, and what
/// comes of it is not far smaller than what it comes of. Folds that may stop early go tile by tile,
/// to look at what they have.
template <class F, class X>
inline constexpr bool folds_computed = false;
template <class F, class X>
    requires own_functions<X> && (!any_usual<X>) && (steps<X> < heavy) &&
                 (largest<X> <= index_t{4 * sizeof(typename X::value_type)}) &&
                 requires(const F& f, const typename X::value_type& x) {
                     f.join(f.lift(x), f.lift(x));
                 }
inline constexpr bool folds_computed<F, X> = Accumulate<F, typename X::value_type>::own &&
                                             (Accumulate<F, typename X::value_type>::lanes > 1) &&
                                             !requires(const F& f,
                                                       const typename X::value_type& x) {
                                                 f.decided(f.lift(x));
                                             };

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_COMPUTED_HPP
