// What the loops of a fold have in common: the type of its accumulators, how many fill a vector, in
// which parts columns are taken, and for which instruction sets a loop is compiled.
#ifndef BROADLOOM_KERNEL_FOLD_ACCUMULATOR_HPP
#define BROADLOOM_KERNEL_FOLD_ACCUMULATOR_HPP

#include <utility>

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/fold/folder.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel::detail {

/// True where four elements are joined at once, with each other or with an accumulator.
template <class F, class T>
concept joins_four = requires(const F& f, const T& x) { f.join(f.lift(x, x, x, x), x, x, x, x); };

/// True where a join of accumulators takes many instructions.
template <class F, class A>
concept joins_slowly = requires { requires F::template slow<A>; };

/// What the fold F makes of elements of type T before it is finished.
template <class F, class T>
struct Accumulator {
    using A = decltype(std::declval<const F&>().lift(std::declval<const T&>()));

    // As many as fill a vector of accumulators, and a register of small elements.
    static constexpr index_t many = detail::lanes<(sizeof(A) > sizeof(T) ? sizeof(A) : sizeof(T))>;
    static constexpr index_t filling = arithmetic<T> ? 64 / static_cast<index_t>(sizeof(T)) : 1;
    static constexpr index_t lanes = many > filling ? many : filling;
    static constexpr auto accumulator_bytes = static_cast<index_t>(sizeof(A));

    static constexpr bool own = arithmetic<T> && arithmetic<A>;
    static constexpr bool of_complex = kind<T> == Kind::complex || kind<A> == Kind::complex;
    /// A kernel for the whole processor, for all but its widest vectors, for the baseline, and for
    /// the baseline one by one: what runs once for many elements does not repay more code.
    template <class Kernel, class Signature>
    static Signature* widest() noexcept {
        if constexpr (own) return strict<Kernel, Signature, narrowed<of_complex>(Widest::avx512)>();
        else return plain<Kernel, Signature>();
    }
    template <class Kernel, class Signature>
    static Signature* wide() noexcept {
        if constexpr (own) return strict<Kernel, Signature, narrowed<of_complex>(Widest::avx2)>();
        else return plain<Kernel, Signature>();
    }
    template <class Kernel, class Signature>
    static constexpr Signature* baseline() noexcept {
        if constexpr (own) return strict_baseline_form<Kernel, Signature>;
        else return plain_baseline_form<Kernel, Signature>;
    }
    template <class Kernel, class Signature>
    static constexpr Signature* scalar() noexcept {
        if constexpr (own) return strict_scalar_form<Kernel, Signature>;
        else return plain_baseline_form<Kernel, Signature>;
    }

    /// Parts of `lanes` columns: each lies `step` behind the one before, the last one `last` behind
    /// the first: that one may overlap, and has accumulators of its own. Of several groups of few
    /// rows every one is a part, or as many `strips` side by side, whose last one overlaps in what
    /// comes of them, too; their accumulators lie `apart`.
    struct Parts {
        index_t count, step, last;
        bool groups = false;
        index_t apart = lanes, strips = 1;

        struct Place {
            index_t from, to;
        };
        BROADLOOM_INLINE Place operator[](index_t i) const {
            if (strips == 1) return {i + 1 < count ? i * step : last, i * apart};
            const index_t group = i / strips, strip = i - group * strips;
            const index_t column = strip + 1 < strips ? strip * lanes : apart - lanes;
            return {group * step + column, group * apart + column};
        }
        BROADLOOM_INLINE bool one_by_one() const { return groups || count == 1; }
        BROADLOOM_INLINE index_t columns() const { return last + (count == 1 ? 0 : step); }
    };

    BROADLOOM_INLINE static A lift(const F& f, const T* p) { return f.lift(scalar::load(p)); }
    BROADLOOM_INLINE static A joined(const F& f, const A* a, const A* b) {
        return f.join(scalar::load(a), scalar::load(b));
    }
};

/// The fold whose loops serve another one, which only finishes what it joins.
template <class F, class T>
struct CoreOf {
    using type = F;
};
template <class F, class T>
    requires requires { typename F::template core<T>; }
struct CoreOf<F, T> {
    using type = typename F::template core<T>;
};

/// Whether the order of elements shows in some accumulators that are results.
template <class F, class A>
bool shows_order(const char* results, index_t count) {
    const A* result = reinterpret_cast<const A*>(results);
    while (count > 0 && !F::shows_order(*result)) ++result, --count;
    return count > 0;
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_ACCUMULATOR_HPP
