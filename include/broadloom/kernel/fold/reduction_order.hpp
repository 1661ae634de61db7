// The order in which a reduction goes through its loops: what may be exchanged without a change of
// the order in which elements are joined is sorted by how it lies in memory.
#ifndef BROADLOOM_KERNEL_FOLD_REDUCTION_ORDER_HPP
#define BROADLOOM_KERNEL_FOLD_REDUCTION_ORDER_HPP

#include <cstdint>

#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/packing.hpp"
#include "broadloom/kernel/fold/aside.hpp"
#include "broadloom/kernel/fold/reduction_tiling.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// How far apart the elements of a loop lie, in all operands together; 0 if they are the same.
inline index_t reach_of(const Plan& plan, int loop) {
    index_t bytes = 0;
    for (int i = 1; i < plan.count; ++i) {
        bytes += magnitude(plan.streams[i].strides[loop]) * plan.streams[i].bytes;
    }
    return bytes;
}

/// Takes reduced loops into kept ones whose elements lie farther apart; unless their own order
/// counts, sorts them as well by how far apart their elements lie, what is repeated outermost.
/// False if none changes its place.
inline bool sort_reduced(Plan& plan, bool own_order_counts) {
    bool changes = false;
    const auto reach = [&](int loop) {
        return static_cast<std::uint64_t>(reach_of(plan, loop)) - 1;
    };
    const auto reduced = [&](int loop) { return plan.streams[0].strides[loop] == 0; };
    for (int i = 1; i < plan.rank && !own_order_counts; ++i) {
        for (int j = 0; j < i && reduced(i); ++j) {
            if (!reduced(j) || reach(j) >= reach(i)) continue;
            swap_loops(plan, i, j);
            changes = true;
        }
    }
    for (int i = plan.rank - 2; i >= 0; --i) {
        for (int j = i; j + 1 < plan.rank && reduced(j) && !reduced(j + 1); ++j) {
            if (reach(j) >= reach(j + 1)) break;
            swap_loops(plan, j, j + 1);
            changes = true;
        }
    }
    return changes;
}

/// True where so little lies between reduced loops, rows of `width` elements in groups, that it
/// would be folded in crumbs, or short rows would hardly fill a vector when turned.
inline bool are_crumbs(const Folder& folder, index_t groups, index_t rows, index_t width) {
    constexpr index_t few = 512;
    const index_t narrow = folder.in_order() ? 0 : 2 * folder.lanes;
    return rows * width * groups < few || (rows * width < narrow && groups * width < narrow);
}

/// Brings reduced loops together where crumbs lie between them: the loops outside of the innermost
/// reduced ones are sorted into kept and reduced ones.
inline void bring_together(Plan& plan, const Folder& folder) {
    if (plan.rank < 3) return;
    const index_t* target = plan.streams[0].strides;
    index_t width = 1, rows = 1, groups = 1;
    const int columns = step_out(plan, plan.rank, false, width);
    step_out(plan, step_out(plan, columns, true, rows), false, groups);
    if (!are_crumbs(folder, groups, rows, width)) return;
    for (int i = 1; i < columns; ++i) {
        for (int j = i; j > 0 && target[j] != 0 && target[j - 1] == 0; --j)
            swap_loops(plan, j - 1, j);
    }
    merge(plan);
}

/// True for a few elements along a kept loop of an operand whose neighbours lie along a reduced
/// one.
inline bool are_parted(const Plan& plan, const Stream& s, int loop) {
    constexpr index_t few = 8;
    if (plan.extents[loop] >= few) return false;
    const index_t next = plan.extents[loop] * magnitude(s.strides[loop]);
    for (int other = 0; other < plan.rank; ++other) {
        if (magnitude(s.strides[other]) == next) return plan.streams[0].strides[other] == 0;
    }
    return false;
}

/// What it costs to go along a loop: bytes fetched for an element of each of the larger operands,
/// whole cache lines where elements lie apart, and as much as two where wide columns are parted;
/// where that is the same, how far apart.
struct Cost {
    index_t fetched = 0, reach = 0;

    Cost() = default;
    Cost(const Plan& plan, int loop, bool wide = false) : reach(reach_of(plan, loop)) {
        double largest = 0;
        for (int i = 1; i < plan.count; ++i) {
            const double size = elements_of(plan, i);
            if (size > largest) largest = size;
        }
        for (int i = 1; i < plan.count; ++i) {
            const Stream& s = plan.streams[i];
            const index_t step = magnitude(s.strides[loop]) * s.bytes;
            if (4 * elements_of(plan, i) < largest) continue;
            fetched += wide && are_parted(plan, s, loop) ? 2 * line_bytes
                       : step < line_bytes               ? step
                                                         : line_bytes;
        }
    }
    friend bool operator<(const Cost& a, const Cost& b) {
        return a.fetched != b.fetched ? a.fetched < b.fetched : a.reach < b.reach;
    }
};

/// True when each of some loops goes on where the one before ends, up to the last.
inline bool go_on(const Plan& plan, const int* loops, int last) {
    for (; *loops != last; ++loops) {
        for (int i = 1; i < plan.count; ++i) {
            const index_t* strides = plan.streams[i].strides;
            if (strides[loops[1]] != plan.extents[loops[0]] * strides[loops[0]]) return false;
        }
    }
    return true;
}

/// Sorts kept loops by what it costs to go along them, the cheapest innermost, where the innermost
/// one lies on lines of memory of its own, or goes on where the cheapest end: all of them if there
/// are columns for whole vectors before and after, so that rows are joined alike, or after, where
/// any order will do; else those between reduced loops among themselves. False if none changes its
/// place, or results are made of fewer than so many rows; else they no longer come in order.
inline bool sort_kept(Plan& plan, const Folder& folder, index_t fewest) {
    const index_t* target = plan.streams[0].strides;
    index_t rows = 1, columns = 1;
    int kept = 0, inside = 0, innermost = 0;
    for (int loop = plan.rank - 1; loop >= 0; --loop) {
        if (target[loop] == 0) {
            rows *= plan.extents[loop];
            continue;
        }
        if (kept++ == 0) innermost = loop;
        if (rows > 1) continue;
        columns *= plan.extents[loop];
        ++inside;
    }
    if (kept < 2 || rows < fewest) return false;

    Cost costs[max_rank];
    int order[max_rank], count = 0;  // the cheapest first, of two the inner one
    for (int loop = 0; loop < plan.rank; ++loop) {
        if (target[loop] == 0) continue;
        costs[loop] = Cost(plan, loop, columns >= folder.lanes);
        int i = count++;
        for (; i > 0 && !(costs[order[i - 1]] < costs[loop]); --i) order[i] = order[i - 1];
        order[i] = loop;
    }
    if (reach_of(plan, innermost) < line_bytes &&
        (order[0] == innermost || !go_on(plan, order, innermost))) {
        return false;
    }
    index_t cheapest = 1;
    for (int i = 0; i < inside; ++i) cheapest *= plan.extents[order[i]];
    const bool all = (columns >= folder.lanes || folder.any_order) && cheapest >= folder.lanes;

    bool changes = false;
    for (int i = 1; i < plan.rank; ++i) {
        int at = i;
        for (int j = i - 1; j >= 0 && target[at] != 0; --j) {
            if (target[j] == 0) {
                if (!all) break;
            } else if (costs[j] < costs[at]) {
                swap_loops(plan, at, j);
                const Cost cost = costs[at];
                costs[at] = costs[j];
                costs[j] = cost;
                at = j;
                changes = true;
            }
        }
    }
    return changes;
}

/// Keeps rows from a loop on apart from a reduced loop around them, by a kept one of a single turn:
/// there is room for it.
inline void part_rows(Plan& plan, int row) {
    if (row == 0 || plan.streams[0].strides[row - 1] != 0) return;
    const int last = plan.rank++;
    plan.extents[last] = 1;
    for (int i = 0; i < plan.count; ++i) plan.streams[i].strides[last] = i == 0 ? 1 : 0;
    move_loop(plan, last, row);
}

/// Takes kept loops from around the rows into these where their elements lie nearer to each other:
/// columns are longer then, and sorted by how far apart they lie. There are vectors of them before
/// and after, and no crumbs, so that rows are joined alike; those of a reduced loop outside stay
/// apart. False if no kept loop changes its place among the others.
inline bool widen_columns(Plan& plan, const Folder& folder, index_t fewest) {
    constexpr index_t many = 8;  // rows that are worth sorted columns alone
    const index_t* target = plan.streams[0].strides;
    index_t columns = 1, rows = 1;
    int column = step_out(plan, plan.rank, false, columns);
    int row = step_out(plan, column, true, rows);
    if (row == column || rows < fewest || plan.rank == max_rank) return false;
    if (columns < folder.lanes || rows * columns <= crumb_vectors * folder.lanes) return false;
    index_t reach = reach_of(plan, row);
    for (int loop = row + 1; loop < column; ++loop) {
        if (reach_of(plan, loop) < reach) reach = reach_of(plan, loop);
    }
    const int first = column;
    bool changes = false, stays = false;
    for (int loop = row - 1; loop >= 0 && target[loop] != 0; --loop) {
        if (reach_of(plan, loop) >= reach) {
            stays = true;
            continue;
        }
        move_loop(plan, loop, --column);
        --row;
        changes = changes || stays;
    }
    if (column == first && rows < many) return false;
    for (int i = column + 1; i < plan.rank; ++i) {
        for (int j = i; j > column && reach_of(plan, j - 1) < reach_of(plan, j); --j) {
            swap_loops(plan, j - 1, j);
            changes = true;
        }
    }
    part_rows(plan, row);
    return changes;
}

/// Takes all loops of columns but the innermost one out of the rows, where they are no flat run
/// together and one of them fills vectors: it may be read as it lies then, or be turned.
inline void part_columns(Plan& plan, const Folder& folder) {
    constexpr index_t least = 512;  // elements of a fold
    const int last = plan.rank - 1;
    index_t columns = 1, size = plan.extents[last];
    int column = step_out(plan, plan.rank, false, columns);
    if (column >= last) return;
    int row = step_out(plan, column, true, size);
    if (row == column || plan.extents[last] < folder.lanes || size < least) return;
    for (; column < last; ++column, ++row) move_loop(plan, column, row);
}

/// True when the neighbours of an operand are further outside than two loops of a flat run, which
/// would take few lines of a cache at a time, but where rows of a third one are long.
inline bool lies_far_outside(const Nest& nest, index_t bytes) {
    constexpr index_t long_rows = 64, few = 1024;  // elements
    for (int i = 2; i < nest.rank; ++i) {
        if (magnitude(nest.stride(i)) != 1) continue;
        const bool near_enough =
            i == 2 && nest.extent(0) >= long_rows && nest.extent(0) * nest.extent(1) <= few;
        return 2 * nest.extent(i) * bytes >= line_bytes && !near_enough;
    }
    return false;
}

/// True when tiles take less than half of what they could of the cache lines of an operand, or less
/// than a fifth where its rows lie flat: they would be fetched again and again, since the loops
/// that go along them are out of reach.
inline bool takes_parts_of_lines(const Plan& plan, const Stream& s, const Tile& tile) {
    index_t inside = 1, taken = 1, all = 1;  // elements
    for (int loop = plan.rank - 1; loop >= 0; --loop) {
        const index_t extent = plan.extents[loop], step = magnitude(s.strides[loop]) * s.bytes;
        if (loop + 1 == tile.columns_from && inside > tile.columns) inside = tile.columns;
        if (loop + 1 == tile.rows_from && inside > tile.group) inside = tile.group;
        if (step != 0 && step < line_bytes) {
            const index_t in_line = line_bytes / step < extent ? line_bytes / step : extent;
            const index_t turns = loop < tile.first ? 1 : tile.elements / inside;
            all *= in_line;
            if (turns > 1) taken *= turns < in_line ? turns : in_line;
        }
        inside *= extent;
    }
    const index_t most = line_bytes / s.bytes, parts = must_pack(s, plan.rank - 1) ? 2 : 5;
    return parts * taken < (all < most ? all : most);
}

/// True when an operand is better copied before it is folded: where tiles take parts of its lines,
/// these are made of grains, or a flat run would take few of them at a time; or where pieces of
/// rows would be read one after the other, elements that lie apart.
inline bool lies_across(const Plan& plan, const Stream& s, const Tile& tile) {
    if (tile.serves) return false;
    if (takes_parts_of_lines(plan, s, tile)) return true;
    const Nest nest(plan.extents, s.strides, plan.rank);
    if (has_grains(nest, s.bytes)) return true;
    if (tile.flat && lies_far_outside(nest, s.bytes)) return true;
    if (!tile.pieces) return false;
    const int from = tile.columns_from;
    const Nest row(plan.extents + from, s.strides + from, plan.rank - from);
    return row.rank > 2 || (row.rank == 2 && must_pack(s, plan.rank - 1));
}

/// The memory for flat copies of the operands that lie across the tiles of a plan.
inline double bytes_across(const Plan& plan, const Tile& tile) {
    return bytes_laid_flat(plan, [&](int i) { return lies_across(plan, plan.streams[i], tile); });
}

/// Copies the operands that lie across the tiles of a plan into `memory`, as its loops go.
inline void lay_flat(Plan& plan, const Tile& tile, Memory& memory) {
    const auto lays = [&](int i) { return lies_across(plan, plan.streams[i], tile); };
    lay_all_flat(plan, lays, memory.make(static_cast<std::size_t>(bytes_laid_flat(plan, lays))));
}

/// True where the elements of every operand lie side by side along one loop, or are the same one,
/// and along another they do not, or overlap.
inline bool lies_along(const Plan& plan, int loop, int other) {
    bool apart = false;
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (must_pack(s, loop)) return false;
        apart = apart || must_pack(s, other) || (s.strides[loop] == 1 && s.strides[other] == 1);
    }
    return apart;
}
/// True where groups of `length` elements, one for every turn of a loop, reach into each other, as
/// windows do.
inline bool interleaves(const Plan& plan, int loop, index_t length) {
    bool moves = false;
    for (int i = 1; i < plan.count; ++i) {
        const index_t step = magnitude(plan.streams[i].strides[loop]);
        if (step >= length || step * plan.streams[i].bytes > 64) return false;
        moves = moves || step != 0;
    }
    return moves;
}

/// Turns rows into columns: where these lie side by side or reach into each other, or where an
/// operand of a formula that must be packed for it serves all turns of the loop around, as in sums
/// over the coordinates of many differences. Long rows are then folded by lanes.
inline RowOrder turn_rows(Plan& plan, const Folder& folder, bool computed) {
    constexpr index_t one_block = 16;  // rows
    RowOrder order = RowOrder::plain;
    const index_t* target = plan.streams[0].strides;
    const int inner = plan.rank - 1;
    index_t length = 1;
    const int rows = step_out(plan, plan.rank, true, length), outer = rows - 1;
    if (outer < 0 || outer == inner || folder.in_order()) return order;
    bool within = false;
    for (int loop = 0; loop < outer; ++loop) within = within || target[loop] == 0;
    const bool one = rows == inner, windows = !within && interleaves(plan, outer, length);
    const bool lies = one && lies_along(plan, outer, inner);
    const bool serving = one && !within && computed && outer > 0 && serves(plan, outer, outer - 1);
    if (!lies && !serving && !windows) return order;
    // Every turn of a reduced loop outside makes a vector, and so must short rows that are turned.
    if (within && (plan.rank == max_rank || (length > one_block && length < 2 * folder.lanes)))
        return order;
    const index_t columns = plan.extents[outer];
    const bool any_order = folder.any_order && (lies || (windows && !one));
    if (length >= 2 * folder.lanes && !any_order) {
        if (folder.turns == nullptr || folder.decided != nullptr) return order;
        const bool at_once = folder.computed != nullptr && length < 8 * folder.lanes;
        if (!lies && !(serving && at_once)) return order;
        order = at_once ? RowOrder::by_lanes_at_once : RowOrder::by_lanes;
    }
    // Columns fill vectors, but where nothing lies between them.
    const bool side_by_side =
        order == RowOrder::by_lanes && !computed && plan.streams[1].strides[inner] == columns;
    const index_t least = (any_order && lies) || side_by_side ? 2
                          : lies || order == RowOrder::plain  ? folder.lanes
                                                              : 2 * folder.lanes;
    if (columns < least) return RowOrder::plain;
    move_loop(plan, outer, inner);
    part_rows(plan, outer);
    return order;
}

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_REDUCTION_ORDER_HPP
