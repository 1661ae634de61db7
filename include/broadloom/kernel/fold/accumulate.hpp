// The inner loops of a reduction, one set for each fold and element type, whatever the expression.
// Additions are made in one order on every processor: trees over 16 rows, joined as a binary
// counter carries, so that rounding errors grow with the logarithm of the number of elements.
#ifndef BROADLOOM_KERNEL_FOLD_ACCUMULATE_HPP
#define BROADLOOM_KERNEL_FOLD_ACCUMULATE_HPP

#include "broadloom/kernel/fold/accumulator.hpp"
#include "broadloom/kernel/fold/rows.hpp"

namespace broadloom::kernel::detail {

/// Folds rows into vectors of accumulators.
template <class F, class T>
struct Accumulate : Accumulator<F, T> {
    using Base = Accumulator<F, T>;
    using Base::lanes, Base::joined;
    using typename Base::A, typename Base::Parts;

    /// True for rows of which the first are to be read first: processors fetch ahead what is read
    /// in the order of memory, and compilers evaluate the last argument first.
    template <class Rows>
    static constexpr bool reads_in_order = requires { requires Rows::in_order; };
    /// Column j of N rows from row i on, joined as a balanced tree.
    template <index_t N, class Rows>
    BROADLOOM_INLINE static A tree(const F& f, const Rows& rows, index_t i, index_t j) {
        constexpr index_t half = N / 2;
        if constexpr (N == 1) {
            return f.lift(rows.load(i, j));
        } else if constexpr (N == 4 && requires(const T& x) { f.lift(x, x, x, x); }) {
            return f.lift(rows.load(i, j), rows.load(i + 1, j), rows.load(i + 2, j),
                          rows.load(i + 3, j));
        } else if constexpr (reads_in_order<Rows>) {
            const A first = tree<half>(f, rows, i, j);
            return f.join(first, tree<N - half>(f, rows, i + half, j));
        } else {
            return f.join(tree<half>(f, rows, i, j), tree<N - half>(f, rows, i + half, j));
        }
    }
    /// The same, joined to what is there.
    template <index_t N, class Rows>
    BROADLOOM_INLINE static A joined_to(const F& f, const A& a, const Rows& rows, index_t j) {
        if constexpr (N == 4 && joins_four<F, T>) {
            if constexpr (reads_in_order<Rows>) {
                const T b = rows.load(0, j), c = rows.load(1, j), d = rows.load(2, j);
                return f.join(a, b, c, d, rows.load(3, j));
            } else {
                return f.join(a, rows.load(0, j), rows.load(1, j), rows.load(2, j),
                              rows.load(3, j));
            }
        } else {
            return f.join(a, tree<N>(f, rows, 0, j));
        }
    }
    /// A vector is taken in pieces of so many elements: it is a lot of code in narrow registers.
    template <class Isa, index_t L>
    static constexpr index_t piece = Isa::level > 0 || L < 4 ? L : L / 4;
    /// N rows of L elements, as new accumulators or joined to what is there.
    template <class Isa, index_t N, index_t L, class Rows>
    BROADLOOM_INLINE static void set(const F& f, A* __restrict to, const Rows& rows) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i < L; i += piece<Isa, L>) {
            for (index_t j = i; j < i + piece<Isa, L>; ++j)
                scalar::store(to + j, tree<N>(f, rows, 0, j));
        }
    }
    template <class Isa, index_t N, index_t L, class Rows>
    BROADLOOM_INLINE static void add(const F& f, A* __restrict to, const Rows& rows) {
        BROADLOOM_ROLLED
        for (index_t i = 0; i < L; i += piece<Isa, L>) {
            for (index_t j = i; j < i + piece<Isa, L>; ++j) {
                scalar::store(to + j, joined_to<N>(f, scalar::load(to + j), rows, j));
            }
        }
    }
    /// Three rows. That `to` lies apart from stored ones is tested: without that, folds that follow
    /// one another ask for more of what lies in memory than processors bring in order, and take 1.2
    /// to 1.6 times as long.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_INLINE static void set_three(const F& f, A* to, const Rows& rows) {
        const Rows last = rows.down(2);
        if constexpr (Rows::stored) {
            BROADLOOM_ROLLED
            for (index_t i = 0; i < L; i += piece<Isa, L>) {
                for (index_t j = i; j < i + piece<Isa, L>; ++j)
                    scalar::store(to + j, joined_to<1>(f, tree<2>(f, rows, 0, j), last, j));
            }
        } else {
            set<Isa, 2, L>(f, to, rows);
            add<Isa, 1, L>(f, to, last);
        }
    }
    /// The baseline of x86, for processors of long ago, makes do with the loops for any rows.
    template <class Isa>
    static constexpr bool has_special_loops = !BROADLOOM_X86 || Isa::level > 0;
    /// True where rows that follow one another have a loop of their own. Joins that take many
    /// instructions would wait for each other.
    template <class Isa>
    static constexpr bool has_flat_loop =
        has_special_loops<Isa> && Base::own && !joins_slowly<F, A> &&
        (Isa::level > 0 || !joins_four<F, T>);
    /// True where a few registers are kept over a loop.
    static constexpr bool by_fours =
        BROADLOOM_KEEPS_ARRAYS && sizeof(A) <= sizeof(T) && kind<A> != Kind::complex;
    /// N rows that follow one another: four by four in the order of memory, a few registers at a
    /// time, where compilers keep these over a loop, or else each register by itself, with all its
    /// rows at once. So go small elements, which are added up in narrow registers then. With each a
    /// part of the block after next is prefetched.
    template <class Isa, index_t N, index_t L, class Rows>
    BROADLOOM_KERNEL static void set_flat(const F& f, A* to, const Rows& rows, bool prefetches) {
        constexpr index_t fill = (by_fours ? 4 : 1) * Isa::bytes / index_t{sizeof(T)};
        constexpr index_t width = fill < 1 ? 1 : fill < L ? fill : L;
        BROADLOOM_ROLLED
        for (index_t i = 0; i < L; i += width) {
            if constexpr (by_fours) {
                A sum[static_cast<std::size_t>(width)];
                const FlatRows<Rows, L> part{rows, i};
                const index_t ahead = 32 * L + 16 * i;
                if (prefetches) rows.template prefetch_from<4 * width>(ahead);
                for (index_t j = 0; j < width; ++j) sum[j] = tree<4>(f, part, 0, j);
                BROADLOOM_ROLLED
                for (index_t row = 4; row < N; row += 4) {
                    if (prefetches) rows.template prefetch_from<4 * width>(ahead + row * width);
                    const auto four = part.down(row);
                    for (index_t j = 0; j < width; ++j) sum[j] = joined_to<4>(f, sum[j], four, j);
                }
                for (index_t j = 0; j < width; ++j) scalar::store(to + i + j, sum[j]);
            } else {
                if (prefetches) rows.template prefetch_from<16 * width>(32 * L + 16 * i);
                BROADLOOM_VECTORISED
                for (index_t j = i; j < i + width; ++j)
                    scalar::store(to + j, fours<N>(f, FlatRows<Rows, L>{rows, j}));
            }
        }
    }
    /// The fewer rows of a last block, by fours and then one by one. Not one loop with that of
    /// whole blocks, which GCC then makes so that long sums take 1.2 of the time.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void set_rest(const F& f, A* to, const Rows& rows, index_t count) {
        constexpr index_t fill = 4 * Isa::bytes / index_t{sizeof(T)};
        constexpr index_t width = fill < L ? fill : L;
        BROADLOOM_ROLLED
        for (index_t i = 0; i < L; i += width) {
            A sum[static_cast<std::size_t>(width)];
            const FlatRows<Rows, L> part{rows, i};
            index_t row = count < 4 ? 1 : 4;
            if (count < 4) {
                for (index_t j = 0; j < width; ++j) sum[j] = tree<1>(f, part, 0, j);
            } else {
                for (index_t j = 0; j < width; ++j) sum[j] = tree<4>(f, part, 0, j);
            }
            BROADLOOM_ROLLED
            for (; row + 4 <= count; row += 4) {
                const auto four = part.down(row);
                for (index_t j = 0; j < width; ++j) sum[j] = joined_to<4>(f, sum[j], four, j);
            }
            BROADLOOM_ROLLED
            for (; row < count; ++row) {
                const auto one = part.down(row);
                for (index_t j = 0; j < width; ++j) sum[j] = joined_to<1>(f, sum[j], one, j);
            }
            for (index_t j = 0; j < width; ++j) scalar::store(to + i + j, sum[j]);
        }
    }
    /// N rows, four by four.
    template <index_t N, class Rows>
    BROADLOOM_INLINE static A fours(const F& f, const Rows& rows) {
        if constexpr (N == 4) return tree<4>(f, rows, 0, 0);
        else return joined_to<4>(f, fours<N - 4>(f, rows), rows.down(N - 4), 0);
    }

    /// Up to four rows of a part.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void set_first(const F& f, A* to, const Rows& part, index_t count) {
        if (count == 4) set<Isa, 4, L>(f, to, part);
        else if (count == 3) set_three<Isa, L>(f, to, part);
        else if (count == 2) set<Isa, 2, L>(f, to, part);
        else set<Isa, 1, L>(f, to, part);
    }
    /// True for several parts of which four rows are read before they are folded: longer ones come
    /// in order by themselves.
    BROADLOOM_INLINE static bool reads_rows(const Parts& parts) {
        constexpr index_t longest = 4096;  // bytes
        return !parts.one_by_one() && parts.columns() * index_t{sizeof(T)} <= longest;
    }
    /// The rows of all parts, as fours up to `count`, then single ones up to `end`. What is read of
    /// four rows is read before the next four: processors fetch that ahead, but not sixteen rows at
    /// a time, which displace each other besides where they lie a multiple of 4 KiB apart.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void set_rows(const F& f, A* top, const Rows& rows, index_t count,
                                          index_t end, const Parts& parts, bool in_order) {
        const index_t first = count < 4 ? count : 4;
        if (in_order) rows.read_in_order(first, parts.columns());
        BROADLOOM_ROLLED
        for (index_t k = 0; k < parts.count; ++k) {
            const auto at = parts[k];
            set_first<Isa, L>(f, top + at.to, rows.part(k, at.from), first);
        }
        index_t i = first;
        BROADLOOM_ROLLED
        for (; i + 4 <= count; i += 4) {
            if (in_order) rows.fours(i / 4).read_in_order(4, parts.columns());
            BROADLOOM_ROLLED
            for (index_t k = 0; k < parts.count; ++k) {
                const auto at = parts[k];
                add<Isa, 4, L>(f, top + at.to, rows.part(k, at.from).fours(i / 4));
            }
        }
        BROADLOOM_ROLLED
        for (; i < end; ++i) {
            BROADLOOM_ROLLED
            for (index_t k = 0; k < parts.count; ++k) {
                const auto at = parts[k];
                add<Isa, 1, L>(f, top + at.to, rows.part(k, at.from).down(i));
            }
        }
    }
    /// The same, from four rows on, of one part after the other.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void set_parts(const F& f, A* top, const Rows& rows, index_t count,
                                           index_t end, const Parts& parts, bool in_order) {
        BROADLOOM_ROLLED
        for (index_t k = 0; k < parts.count; ++k) {
            const auto at = parts[k];
            const Rows part = rows.part(k, at.from);
            A* const to = top + at.to;
            if (in_order) part.read_in_order(count, L);
            set<Isa, 4, L>(f, to, part);
            index_t i = 4;
            BROADLOOM_ROLLED
            for (; i + 4 <= count; i += 4) add<Isa, 4, L>(f, to, part.fours(i / 4));
            BROADLOOM_ROLLED
            for (; i < end; ++i) add<Isa, 1, L>(f, to, part.down(i));
        }
    }

    template <index_t L>
    BROADLOOM_INLINE static void join(const F& f, A* __restrict to, const A* __restrict from) {
        for (index_t j = 0; j < L; ++j) scalar::store(to + j, joined(f, to + j, from + j));
    }

    /// Joins the two vectors on top of a stack.
    template <index_t L>
    BROADLOOM_INLINE static void join_top(const F& f, Stack& stack, const Parts& parts) {
        --stack.height;
        A* lower = reinterpret_cast<A*>(stack.slot(stack.height - 1));
        const A* upper = reinterpret_cast<const A*>(stack.slot(stack.height));
        BROADLOOM_ROLLED
        for (index_t k = 0; k < parts.count; ++k) join<L>(f, lower + k * L, upper + k * L);
    }

    /// Takes the vector of a block that was written to the top into a stack.
    template <index_t L>
    BROADLOOM_INLINE static void push(const F& f, Stack& stack, const Parts& parts) {
        ++stack.height;
        BROADLOOM_ROLLED
        for (index_t b = stack.blocks++; (b & 1) != 0; b >>= 1) join_top<L>(f, stack, parts);
    }

    /// Takes whole blocks of rows that follow one another into a stack; returns how many rows.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static index_t fold_flat(const F& f, Stack& stack, Rows& rows, index_t height,
                                              bool prefetches, bool in_order) {
        index_t row = 0;
        BROADLOOM_ROLLED
        for (; row + 16 <= height; row += 16) {
            rows.block(row, height);
            if (in_order) rows.read_in_order(16, L);
            set_flat<Isa, 16, L>(f, reinterpret_cast<A*>(stack.top()), rows, prefetches);
            push<L>(f, stack, {1, L, 0});
        }
        return row;
    }

    /// Takes panels of rows, eights of them, into a stack.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void fold_panels(const F& f, Stack& stack, Rows& rows, index_t height,
                                             const Parts& parts) {
        const index_t end = rows.end(height);
        BROADLOOM_ROLLED
        for (index_t row = 0; row < end; row += 16) {
            const index_t count = rows.panel(row, height);
            A* to = reinterpret_cast<A*>(stack.top());
            BROADLOOM_ROLLED
            for (index_t k = 0; k < parts.count; ++k, to += L) {
                const Rows part = rows.part(k, parts[k].from);
                if (count > 8) set_flat<Isa, 16, L>(f, to, part, false);
                else set_flat<Isa, 8, L>(f, to, part, false);
            }
            push<L>(f, stack, parts);
        }
    }

    /// True where rows that lie in memory and follow one another need no other loop than their own.
    template <class Isa, class Rows>
    static constexpr bool folds_flat =
        (lanes > 1 && by_fours && has_flat_loop<Isa> && Rows::stored);

    /// Takes rows of several parts into a stack.
    template <class Isa, index_t L, class Rows>
    BROADLOOM_KERNEL static void fold(const F& f, Stack& stack, Rows rows, index_t height,
                                      const Parts& parts) {
        const index_t end = rows.end(height);
        const bool single = parts.count == 1;
        const bool flat = L > 1 && !folds_flat<Isa, Rows> && single && rows.template flat<L>();
        const bool prefetches_flat = flat && prefetches_flat_rows(stack.prefetched);
        const bool prefetches = single && !flat && prefetches_pieces(stack.prefetched);
        const bool by_parts = stack.prefetched == Prefetched::nothing && rows.by_sixteen();
        const bool in_order = Isa::level > 0 && L > 1 && stack.prefetched == Prefetched::in_order;
        index_t row = 0;
        if constexpr (L > 1 && Rows::flattens && has_flat_loop<Isa> && !folds_flat<Isa, Rows>) {
            if (flat) row = fold_flat<Isa, L>(f, stack, rows, height, prefetches_flat, in_order);
        }
        BROADLOOM_ROLLED
        for (; row < end; row += 16) {
            const index_t count = rows.block(row, height);
            if (prefetches) {
                rows.template prefetch_block<L>();
            } else if (prefetches_flat) {
                BROADLOOM_ROLLED
                for (index_t i = 0; i < count; ++i) rows.template prefetch_from<L>((32 + i) * L);
            }
            A* const top = reinterpret_cast<A*>(stack.top());
            const index_t last = rows.adds() ? count + 1 : count;
            constexpr bool has_parts = L > 1 && has_special_loops<Isa>;
            const bool one_by_one = (by_parts || parts.one_by_one()) && count >= 4;
            if (has_parts && one_by_one) {
                if constexpr (has_parts)
                    set_parts<Isa, L>(f, top, rows, count, last, parts, Rows::stored && in_order);
            } else {
                set_rows<Isa, L>(f, top, rows, count, last, parts, in_order && reads_rows(parts));
            }
            push<L>(f, stack, parts);
        }
    }

    /// The same for several groups: each becomes one vector, the next one's lies behind it.
    template <class Isa, class Rows>
    BROADLOOM_KERNEL static void fold_groups(const F& f, Stack& stack, Rows rows, index_t height,
                                             index_t groups, const Parts& parts) {
        BROADLOOM_ROLLED
        for (index_t g = 0; g < groups; ++g) {
            fold<Isa, lanes>(f, stack, rows, height, parts);
            if (groups == 1) return;
            begin_next(f, stack, rows, parts);
        }
    }
    /// The same of rows that follow one another, the last block of which is set apart.
    template <class Isa, class Rows>
    BROADLOOM_KERNEL static void fold_flat_groups(const F& f, Stack& stack, Rows rows,
                                                  index_t height, index_t groups) {
        const bool prefetches = prefetches_flat_rows(stack.prefetched);
        const bool in_order = stack.prefetched == Prefetched::in_order;
        BROADLOOM_ROLLED
        for (index_t g = 0; g < groups; ++g) {
            const index_t row = fold_flat<Isa, lanes>(f, stack, rows, height, prefetches, in_order);
            if (row < height) {
                const index_t count = rows.block(row, height);
                if (in_order) rows.read_in_order(count, lanes);
                set_rest<Isa, lanes>(f, reinterpret_cast<A*>(stack.top()), rows, count);
                push<lanes>(f, stack, {1, lanes, 0});
            }
            if (groups == 1) return;
            begin_next(f, stack, rows, {1, lanes, 0});
        }
    }
    /// Makes one vector of a group and goes on to the next.
    template <class Rows>
    BROADLOOM_INLINE static void begin_next(const F& f, Stack& stack, Rows& rows,
                                            const Parts& parts) {
        BROADLOOM_ROLLED
        while (stack.height > 1) join_top<lanes>(f, stack, parts);
        stack.first += stack.bytes;
        stack.height = 0;
        stack.blocks = 0;
        rows.next_group();
    }
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_ACCUMULATE_HPP
