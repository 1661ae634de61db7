// What there is to know of the loops of a reduction before it is cut, and what it may be held to.
#ifndef BROADLOOM_KERNEL_FOLD_CUTTING_HPP
#define BROADLOOM_KERNEL_FOLD_CUTTING_HPP

#include "broadloom/kernel/fold/folder.hpp"
#include "broadloom/kernel/plan.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// True when an operand must be packed to be read along a loop.
inline bool packs_along(const Plan& plan, int loop) {
    for (int i = 1; i < plan.count; ++i) {
        if (must_pack(plan.streams[i], loop)) return true;
    }
    return false;
}

/// True when what must be packed along a loop is the same for all turns of one around it.
inline bool serves(const Plan& plan, int along, int around) {
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (must_pack(s, along) && s.strides[around] != 0) return false;
    }
    return true;
}

/// Steps out from a loop over those around it that are reduced, or kept, and counts their turns in
/// `size`; returns the outermost of them.
inline int step_out(const Plan& plan, int loop, bool reduced, index_t& size) {
    for (; loop > 0 && (plan.streams[0].strides[loop - 1] == 0) == reduced; --loop)
        size *= plan.extents[loop - 1];
    return loop;
}

/// Vectors of lanes in a group that costs more than its elements.
inline constexpr index_t crumb_vectors = 6;

/// A loop whose turns may be shared out, at least so many at a time; -1 if there is none.
struct Share {
    int loop = -1;
    index_t least = 1;
};

/// The order in which columns join their rows: as they come, or, where they were rows themselves,
/// by lanes, as the lanes of their vectors would be joined; each is then a fold of its own, unless
/// they are so short that one call of the loop takes all.
enum class RowOrder { plain, by_lanes, by_lanes_at_once };

/// True where columns are folded as they are computed from panels of a vector's width, packed once
/// for many turns of the loop around the rows: what is no constant of a row is the same in all.
inline bool takes_panels(const Plan& plan, const Folder& folder, RowOrder order) {
    constexpr index_t least_turns = 16;
    const int column = plan.rank - 1, row = column - 1, around = row - 1;
    if (folder.panels == nullptr || around < 0 || plan.extents[around] < least_turns ||
        plan.extents[column] < folder.lanes)
        return false;
    for (int loop = 0; loop < plan.rank; ++loop) {
        if ((plan.streams[0].strides[loop] == 0) != (loop == row)) return false;
    }
    for (int i = 1; i < plan.count; ++i) {
        const index_t* strides = plan.streams[i].strides;
        if (strides[column] != 0 && strides[around] != 0) return false;
    }
    const index_t rows = plan.extents[row], lanes = folder.lanes;
    return order == RowOrder::plain
               ? rows % 8 == 0 && rows < 8 * lanes
               : order == RowOrder::by_lanes_at_once && (rows == 2 * lanes || rows == 4 * lanes);
}

/// What a tile takes of a plan: of the loops from `first` on, of which those from `rows_from` on
/// are a group and those from `columns_from` on are columns, `elements` at most, no more of a group
/// and no more columns than so many; whatever there is if it serves many turns. It may be a flat
/// run, or pieces of rows.
struct Tile {
    int first, rows_from, columns_from;
    index_t elements, group, columns;
    bool serves = false, flat = false, pieces = false;
};

/// What tiles are held to: so many elements at most, and the order of rows.
struct Cutting {
    index_t longest;
    RowOrder order = RowOrder::plain;
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_CUTTING_HPP
