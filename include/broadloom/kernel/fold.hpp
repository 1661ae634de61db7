// The twin of the loop: stride 0 on the output. A reduction walks any expression tile by tile,
// through the same loop as evaluation, and folds each tile while it is in the first-level cache;
// the expression is never materialised. The order in which elements are joined depends on the
// shape and the reduced axes alone, so the same bits come out whatever the strides, fused or not,
// on any processor.
#ifndef BROADLOOM_KERNEL_FOLD_HPP
#define BROADLOOM_KERNEL_FOLD_HPP

#include "broadloom/kernel/fold/computed.hpp"
#include "broadloom/kernel/fold/in_order.hpp"
#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/fold/reduction.hpp"
#include "broadloom/kernel/fold/reduction_order.hpp"
#include "broadloom/kernel/fold/stored.hpp"
#include "broadloom/kernel/fold/whole_fold.hpp"

namespace broadloom::kernel {
namespace detail {

BROADLOOM_PLANNING_BEGIN

/// The elements of a tile that uses whole cache lines of operands which lie across its rows: all
/// loops inside of the one along which elements are neighbours, as often as a line has elements.
/// Groups get half a tile; a tile of columns has none, and may be too large.
inline index_t whole_lines(const Plan& plan, index_t lanes, index_t most) {
    const auto reduced = [&](int loop) { return plan.streams[0].strides[loop] == 0; };
    index_t columns = 1;
    int rows = step_out(plan, plan.rank, false, columns);
    const bool wide = rows < plan.rank && columns >= lanes;
    if (!wide) {
        rows = plan.rank;
        columns = 1;
    }
    index_t largest = 0;
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (!must_pack(s, plan.rank - 1)) continue;
        index_t inside = columns, across = line_bytes;
        for (int loop = rows - 1; loop >= 0 && (!wide || reduced(loop)); --loop) {
            const index_t extent = plan.extents[loop];
            const index_t step = magnitude(s.strides[loop]) * s.bytes;
            if (step != 0 && step < across) {
                across = step;
                // Flat runs take several lines side by side, if they have room for whole ones.
                const auto elements_in = [&](index_t lines) {
                    const index_t turns = lines * line_bytes / step;
                    return inside * (turns < extent ? turns : extent);
                };
                index_t lines = wide ? 1 : 4;
                while (lines > 1 && elements_in(lines) > most) lines /= 2;
                const index_t wanted = elements_in(lines) * (reduced(loop) ? 1 : 2);
                // Any tile of columns has a line's worth of their innermost rows.
                const bool gains = !wide || (loop < rows - 1 && wanted <= most);
                if (gains && wanted > largest) largest = wanted;
            }
            inside *= extent;
        }
    }
    return largest < most ? largest : most;
}

/// The elements of a block of whole rows of columns, or as many as may be, if a tile may take them
/// as they lie: along a part of a row the memory would be fetched in pieces.
inline index_t whole_block(const Plan& plan, index_t most) {
    index_t columns = 1, rows = 1;
    const int outer = step_out(plan, plan.rank, false, columns);
    step_out(plan, outer, true, rows);
    if (outer == plan.rank || rows < 16 || packs_along(plan, plan.rank - 1)) return 1;
    return 16 * columns < most ? 16 * columns : most;
}

/// For `size` elements: a tile is 16 KiB, or what makes vectors of columns, or up to 64 KiB of
/// whole rows of columns, or enough of them where some rows are packed once for many turns, 128 KiB
/// in panels, or up to 1 MiB where whole lines of rows that lie across are packed; small problems
/// take less.
inline Cutting choose_cutting(const Plan& plan, const Folder& folder, RowOrder order, index_t bytes,
                              index_t size) {
    const int columns = plan.rank - 1;
    index_t rows = 0;
    if (folder.computed != nullptr && columns > 0 && plan.streams[0].strides[columns - 1] == 0 &&
        plan.extents[columns - 1] < 8 * folder.lanes && packs_along(plan, columns)) {
        rows = plan.extents[columns - 1];
    }
    index_t longest = 16384 / bytes;
    const index_t panels = takes_panels(plan, folder, order) ? 8 * longest : 0;
    const index_t most = (index_t{1} << 20) / bytes, block = whole_block(plan, 4 * longest);
    const index_t lines = size > longest ? whole_lines(plan, folder.lanes, most) : 0;
    for (const index_t least :
         {index_t{1024}, 2 * folder.lanes * folder.lanes, 128 * rows, panels, lines, block}) {
        if (longest < least) longest = least;
    }
    if (size < longest) longest = size < 64 ? 64 : size;
    return Cutting{longest, order};
}

/// One reduction of a plan, or of a part of it, with the memory that it needs.
struct Folding {
    static constexpr index_t inside = 65536;
    Reader reader;
    Reduction reduction;
    Memory larger;
    alignas(64) char room[inside];

    BROADLOOM_NOINLINE Folding(const Source& source, const Folder& folder, const Cutting& cutting,
                               const Plan& plan, Input* inputs, Run* runs)
        : reader(plan, source.code, source.formula, inputs, runs, *source.movers, cutting.longest,
                 copies_of_constants(folder)),
          reduction(reader, folder, const_cast<char*>(plan.streams[0].data), cutting) {
        char* memory = room;
        if (reduction.scratch() > inside) {
            memory = larger.make(static_cast<std::size_t>(reduction.scratch()));
        }
        reduction.give(memory);
    }

    static index_t copies_of_constants(const Folder& folder) {
        const index_t computed = folder.computed != nullptr ? 16 * folder.lanes : 0;
        return computed > block_length ? computed : block_length;
    }
};

/// Shares a reduction out: turns of a loop that have results of their own, or else parts of the
/// rows, which are joined in the same order. False if neither can be.
BROADLOOM_COLD inline bool reduce_in_parallel(const Source& source, const Folder& folder,
                                              const Cutting& cutting, Folding& whole, int threads) {
    const Plan& plan = whole.reader.plan();
    const index_t wanted = pieces_for(threads);
    const Share share = whole.reduction.share(wanted);
    const index_t rows = whole.reduction.part_rows(wanted), all = whole.reduction.part_units();
    if (share.loop >= 0 && (rows == 0 || plan.extents[share.loop] >= wanted * share.least)) {
        const auto run_part = [&](index_t first, index_t last) {
            Room<Input> room(plan.count);
            const Plan part = part_of(plan, share.loop, first, last - first, room.streams);
            Folding(source, folder, cutting, part, room.states, room.runs).reduction.run();
        };
        share_out(threads, plan.extents[share.loop], run_part, share.least);
        return true;
    }
    if (rows == 0) return false;
    const index_t parts = (all + rows - 1) / rows, bytes = whole.reduction.part_bytes();
    Memory memory;
    char* const vectors = memory.make(static_cast<std::size_t>(parts * bytes));
    parallel(threads, parts, [&](index_t i) {
        Room<Input> room(plan.count);
        const Plan part = part_of(plan, 0, 0, plan.extents[0], room.streams);
        const index_t last = i + 1 < parts ? (i + 1) * rows : all;
        Folding(source, folder, cutting, part, room.states, room.runs)
            .reduction.fold_part(i * rows, last, vectors + i * bytes);
    });
    whole.reduction.join_parts(vectors, parts);
    return true;
}

/// Folds parts of a plan one after the other, and operands that lie across their tiles from flat
/// copies. False if these are no large share of what is read.
BROADLOOM_COLD inline bool reduce_laid_flat(const Source& source, const Folder& folder,
                                            RowOrder order, const Folding& whole, int threads) {
    constexpr double part_bytes = 1 << 22, most = 1 << 26;
    const Plan& plan = whole.reader.plan();
    const Tile tile = whole.reduction.tile();
    const double bytes = bytes_across(plan, tile);
    if (bytes * 8 <= bytes_laid_flat(plan, [](int) { return true; })) return false;
    const index_t parts = static_cast<index_t>(bytes < 1e15 ? bytes / part_bytes : 1e9) + 1;
    const Share share = whole.reduction.share(parts > threads ? parts : pieces_for(threads));
    const int loop = share.loop < 0 ? 0 : share.loop;
    const index_t extent = plan.extents[loop];
    const index_t turn = whole.reader.size(0) * plan.extents[0] / extent;  // elements
    index_t step = share.loop < 0 ? extent : extent / parts;
    if (step < share.least) step = share.least;
    if (bytes / static_cast<double>(extent) * static_cast<double>(step) > most) return false;
    const auto run_range = [&](index_t first, index_t last) {
        for (index_t count; first < last; first += count) {
            count = last - first < 2 * step ? last - first : step;
            Room<Input> room(plan.count);
            Plan part = part_of(plan, loop, first, count, room.streams);
            Memory memory;
            lay_flat(part, tile, memory);
            const Cutting cutting =
                choose_cutting(part, folder, order, source.movers->bytes, turn * count);
            Folding(source, folder, cutting, part, room.states, room.runs).reduction.run();
        }
    };
    share_out(share.loop < 0 ? 1 : threads, extent, run_range, share.least);
    return true;
}

/// Folds a source over its shape by a plan. Where the order of elements shows in few results, if
/// any, it is chosen as if it did not, and all is folded again where it does.
BROADLOOM_NOINLINE inline void reduce_planned(const Source& source, const Shape& shape,
                                              const Folder& folder, bool again = false) {
    Plan plan;
    plan.count = source.count;
    plan.streams = source.streams;
    RowOrder order = RowOrder::plain;
    Aside aside;
    bool in_another_order = false;
    if (lay_loops(plan, source.operands, shape)) {
        const bool own = source.code == nullptr || source.code->strict;
        if (folder.any_order || (folder.shows_order != nullptr && own && !again))
            in_another_order = sort_reduced(plan, folder.places);
        merge(plan);
        bring_together(plan, folder);
        const index_t fewest = folder.result_bytes == source.movers->bytes ? 2 : 8;
        const bool sorted = sort_kept(plan, folder, fewest);
        const bool widened = widen_columns(plan, folder, fewest);
        if (sorted || widened) aside.lay(plan, folder.result_bytes);
        merge(plan);
        part_columns(plan, folder);
        order = turn_rows(plan, folder, source.code != nullptr);
    }
    const Cutting cutting = choose_cutting(plan, folder, order, source.movers->bytes, shape.size());
    Folding whole(source, folder, cutting, plan, source.inputs, source.runs);
    const int threads = folder.in_order()        ? 1
                        : source.code != nullptr ? threads_for(*source.code, shape.size())
                                                 : kernel::threads_for(shape.size());
    constexpr index_t few = 4096;  // elements, which the caches hold
    const bool laid = shape.size() >= few && !folder.in_order() &&
                      reduce_laid_flat(source, folder, order, whole, threads);
    if (!laid && (threads <= 1 || !reduce_in_parallel(source, folder, cutting, whole, threads))) {
        whole.reduction.run();
    }
    aside.bring_back(*source.operands[0].movers);
    if (in_another_order && folder.shows_order != nullptr) {
        const Operand& result = source.operands[0];
        if (folder.shows_order(static_cast<const char*>(result.data), result.shape->size()))
            reduce_planned(source, shape, folder, true);
    }
}

BROADLOOM_PLANNING_END

/// Folds a source over its shape.
inline void reduce(const Source& source, const Shape& shape, const Folder& folder) {
    if (!reduce_whole(source, shape, folder)) reduce_planned(source, shape, folder);
}

}  // namespace detail

template <class F, bool of_truth>
struct IndexOf;
template <class T, class F, bool of_truth>
Folder make_folder(const IndexOf<F, of_truth>& f);

/// Folds every element of `expression` into the elements of `result`, which has the same rank and
/// extents of 1 along the reduced axes, lies row by row and overlaps nothing. The expression is
/// not empty.
template <class F, class X, class R>
void fold(const F& f, const X& expression, R* result, const Shape& shape) {
    using T = typename X::value_type;
    constexpr std::size_t count = detail::leaves<formula_t<X>> + 1;
    Folder folder = kernel::make_folder<T>(f);
    const index_t bytes = shape.size() * static_cast<index_t>(sizeof(R));
    if (bytes >= large_result && folder.large_columns != nullptr)
        folder.columns = folder.large_columns;
    const Strides strides = broadloom::detail::row_major(shape);
    Operand operands[count];
    Stream streams[count];
    Input inputs[count];
    Run runs[count];
    operands[0] =
        Operand{result, &shape, &strides, static_cast<index_t>(sizeof(R)), &movers_of<sizeof(R)>};
    Operand* leaf = operands + 1;
    detail::list_leaves(expression, leaf);
    const Code* code = nullptr;
    if constexpr (broadloom::detail::operand_kind<X> ==
                  broadloom::detail::OperandKind::expression) {
        code = &code_of<formula_t<X>, T>;
        using Core = typename detail::CoreOf<F, T>::type;
        if constexpr (detail::folds_computed<Core, formula_t<X>>) {
            using Loops = detail::FoldComputedRows<Core, formula_t<X>>;
            constexpr bool is_complex = detail::of_complex<formula_t<X>>;
            folder.computed =
                strict_above_baseline<Loops, FoldComputed, narrowed<is_complex>(Widest::avx2)>();
            folder.panels = strict_above_baseline<typename Loops::Panels, FoldPanels,
                                                  narrowed<is_complex>(Widest::avx512)>();
        }
    }
    const formula_t<X> formula(kernel::unconverted(expression));
    detail::reduce(detail::Source{&formula, code, operands, streams, inputs, runs,
                                  static_cast<int>(count), &movers_of<sizeof(T)>},
                   expression.shape(), folder);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_HPP
