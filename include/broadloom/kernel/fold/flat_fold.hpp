// Folds of what lies flat. Rows of few columns become vectors in which several rows stand side by
// side, whose lanes are joined at the end; what is small is folded whole, without a plan.
#ifndef BROADLOOM_KERNEL_FOLD_FLAT_FOLD_HPP
#define BROADLOOM_KERNEL_FOLD_FLAT_FOLD_HPP

#include <cstring>

#include "broadloom/kernel/fold/folder.hpp"
#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/kernel/packing.hpp"

namespace broadloom::kernel::detail {

/// Groups at a time whose vectors are halved together.
inline constexpr index_t groups_at_once = 16;

/// The bytes of `width` accumulators, in whole cache lines.
inline index_t bytes_of_vector(const Folder& folder, index_t width) {
    return kernel::bytes_in_lines(width * folder.accumulator_bytes);
}
/// Whole lanes for `width` accumulators.
inline index_t whole_lanes(const Folder& folder, index_t width) {
    return (width + folder.lanes - 1) / folder.lanes * folder.lanes;
}
/// How many vectors a stack keeps that takes in so many.
inline index_t levels_for(index_t vectors) {
    index_t levels = 2;
    for (; vectors > 1; vectors /= 2) ++levels;
    return levels;
}

/// Rows of few columns as vectors: how many stand in one, and its bytes, at most twice the lanes.
struct Vectors {
    index_t turns, bytes;

    Vectors(const Folder& folder, index_t columns)
        : turns((folder.lanes + columns - 1) / columns),
          bytes((turns * columns > folder.lanes ? 2 : 1) * folder.lanes *
                folder.accumulator_bytes) {}
};

/// True for rows of few columns that become vectors: of two or more, or, where the order does not
/// matter, of one in a few groups, or that has a loop of its own.
inline bool fills_vectors(const Folder& folder, index_t groups, index_t rows, index_t columns) {
    constexpr index_t few = 16;
    const bool fills_one = columns == 1 && rows == folder.lanes && folder.few_vectors != nullptr;
    const bool one_does =
        folder.any_order && !folder.places && (groups * columns < few || fills_one);
    return columns < folder.lanes && rows * columns >= (one_does ? 1 : 2) * folder.lanes;
}

/// True for groups of few columns that are folded by rows: as vectors, or, where they are less than
/// a vector of columns or may end early, by the fold's own loop.
inline bool folds_by_rows(const Folder& folder, index_t groups, index_t rows, index_t columns) {
    constexpr index_t least = 32;
    const bool ends_early = columns == 1 && rows >= least && folder.decided != nullptr;
    return fills_vectors(folder, groups, rows, columns) ||
           (folder.rows != nullptr && (ends_early || groups * columns < folder.lanes));
}
/// True for groups of a few elements that have a loop of their own.
inline bool folds_few(const Folder& folder, index_t rows, index_t columns) {
    return columns == 1 && rows >= 2 && rows <= 4 && folder.few != nullptr;
}

/// True for groups of a few vectors, and elements left beside them, that have a loop of their own,
/// where registers hold so much.
inline bool folds_few_vectors(const Folder& folder, index_t vectors, index_t left) {
    constexpr index_t most = 1536;  // bytes of accumulators
    if (left > 0) return folder.takes_left && vectors >= 2 && vectors <= 3;
    const index_t fewest = folder.any_order ? 1 : 2;
    return vectors >= fewest && vectors <= 4 && folder.few_vectors != nullptr &&
           vectors * folder.lanes * folder.accumulator_bytes <= most;
}

/// Turns groups of rows, `stride` elements apart, into columns of one: rows of `width` elements, or
/// of more lanes, of which the last ones take in what lies behind: zeros, of which nothing is made.
inline void turn_groups(char* to, const char* from, index_t stride, index_t groups, index_t rows,
                        index_t columns, index_t lanes, const Movers& movers) {
    const index_t width = groups * columns, behind = width < lanes ? lanes - width : 0;
    if (columns == 1 && !are_crowded(width * movers.bytes)) {
        pack(to, from, Block{rows, groups, 1, stride}, movers);
    } else {
        const index_t extents[3] = {rows, groups, columns};
        const index_t strides[3] = {columns, stride, 1};
        pack(to, from, extents, strides, columns == 1 ? 2 : 3, movers);
    }
    std::memset(to + width * rows * movers.bytes, 0,
                static_cast<std::size_t>(behind * movers.bytes));
}

/// Folds groups of `rows` rows of few columns, `stride` elements of so many bytes apart. `memory`
/// has room for two vectors of each group of a batch and a stack of them.
inline void fold_flat(const Folder& folder, const char* from, index_t bytes, index_t stride,
                      index_t groups, index_t rows, index_t columns, char* memory,
                      Prefetched prefetched, char* to) {
    const Vectors vectors(folder, columns);
    const index_t width = vectors.turns * columns, full = rows / vectors.turns;
    const index_t left = (rows - full * vectors.turns) * columns;
    if (full == 0) {
        for (index_t g = 0; g < groups; ++g) {
            folder.turns(folder.fold, nullptr, from + g * stride * bytes, 0, 1, left, columns, 0,
                         to + g * columns * folder.accumulator_bytes);
        }
        return;
    }
    const bool whole = columns == 1 && (left == 0 || prefetched == Prefetched::nothing) &&
                       folds_few_vectors(folder, full, left);
    for (index_t g = 0; g < groups; g += groups_at_once) {
        const index_t count = groups - g < groups_at_once ? groups - g : groups_at_once;
        if (whole) {
            folder.few_vectors(folder.fold, memory, from, stride, count, full, left, to);
        } else {
            Stack stack{memory, memory + 2 * count * vectors.bytes, width, vectors.bytes,
                        prefetched};
            folder.columns(folder.fold, &stack, from, width, full, count, stride);
            if (count == 1) collapse(folder, stack, vectors.bytes / folder.accumulator_bytes);
            folder.turns(folder.fold, memory, from + full * width * bytes, stride, count, left,
                         columns, vectors.turns, to);
        }
        from += count * stride * bytes;
        to += count * columns * folder.accumulator_bytes;
    }
}

/// True for groups of one block of rows each, as wide as a vector or wider, that are folded where
/// they lie, many at once: the accumulators of each follow those of the one before.
inline bool are_wide_blocks(const Folder& folder, index_t groups, index_t rows, index_t columns) {
    const bool has_loop = folder.overlaps && (!BROADLOOM_X86 || isa() > 0);
    return has_loop && groups > 1 && rows <= 16 && columns >= folder.lanes;
}

/// Folds such groups, `group_stride` elements apart, rows `stride`. One vector is all that each
/// takes of a stack.
inline void fold_wide_blocks(const Folder& folder, const char* from, index_t stride,
                             index_t group_stride, index_t groups, index_t rows, index_t columns,
                             Prefetched prefetched, char* to) {
    Stack stack{to, nullptr, columns, columns * folder.accumulator_bytes, prefetched};
    folder.columns(folder.fold, &stack, from, stride, rows, groups, group_stride);
}

/// Elements that are folded without a plan, at most, and the room for what that takes.
inline constexpr index_t most_folded_whole = 4096, room_for_whole = 65536;  // bytes

/// Elements that lie flat, as groups of rows of columns.
struct FlatGroups {
    const char* first;
    index_t groups, rows, columns;

    index_t size() const { return rows * columns; }  // of a group
};

/// Folds groups of few columns, as vectors or by the fold's own loop over rows; false if there is
/// not enough room.
inline bool fold_rows_whole(const Folder& folder, const FlatGroups& x, index_t bytes,
                            char* result) {
    const index_t width = x.groups * x.columns;
    const index_t results = folder.finish != nullptr ? bytes_of_vector(folder, width) : 0;
    const Vectors vectors(folder, x.columns);
    const index_t count = x.groups < groups_at_once ? x.groups : groups_at_once;
    const index_t kept = 2 * count + levels_for(x.rows / (16 * vectors.turns));
    const index_t wanted = results + (folder.rows != nullptr ? 0 : kept * vectors.bytes);
    if (wanted > room_for_whole) return false;
    alignas(line_bytes) char room[room_for_whole];
    char* const to = folder.finish != nullptr ? room : result;
    if (folder.rows != nullptr) {
        folder.rows(folder.fold, x.first, x.size(), x.groups, x.rows, x.columns, to, 0,
                    Prefetched::nothing);
    } else {
        fold_flat(folder, x.first, bytes, x.size(), x.groups, x.rows, x.columns, room + results,
                  Prefetched::nothing, to);
    }
    if (folder.finish != nullptr) folder.finish(folder.fold, to, result, width);
    return true;
}

/// Folds groups of one block of rows each where they lie; false if there is not enough room.
inline bool fold_blocks_whole(const Folder& folder, const FlatGroups& x, char* result) {
    const index_t width = x.groups * x.columns;
    if (bytes_of_vector(folder, width) > room_for_whole) return false;
    alignas(line_bytes) char room[room_for_whole];
    char* const to = folder.finish != nullptr ? room : result;
    fold_wide_blocks(folder, x.first, x.columns, x.size(), x.groups, x.rows, x.columns,
                     Prefetched::nothing, to);
    if (folder.finish != nullptr) folder.finish(folder.fold, to, result, width);
    return true;
}

/// Folds groups column by column, a few of few columns one by one, more of them turned into columns
/// of one group; false if there is not enough room.
inline bool fold_columns_whole(const Folder& folder, FlatGroups x, const Movers& movers,
                               char* result) {
    constexpr index_t few_groups = 2, most_turned = 16384;  // bytes
    const index_t lanes = folder.lanes, rows = x.rows;
    const bool turned = x.columns < lanes && x.groups > few_groups;
    const index_t width = turned ? x.groups * x.columns : x.columns;
    const bool pads = folder.pads && (turned || width > lanes);
    const index_t joined = pads ? whole_lanes(folder, width) : width;
    const index_t vector = bytes_of_vector(folder, joined), levels = levels_for((rows + 15) / 16);
    const index_t copy = turned ? (width * rows + lanes) * movers.bytes : 0;
    if (levels * vector > room_for_whole - most_turned || copy > most_turned) return false;
    alignas(line_bytes) char room[room_for_whole];
    if (turned) {
        char* const elements = room + levels * vector;
        turn_groups(elements, x.first, x.size(), x.groups, rows, x.columns, lanes, movers);
        x = FlatGroups{elements, 1, rows, width};
    }
    const bool in_place = folder.finish == nullptr && joined == width;
    for (index_t g = 0; g < x.groups; ++g) {
        Stack stack{in_place ? result : room, room + vector, pads && width < lanes ? lanes : width,
                    vector};
        folder.columns(folder.fold, &stack, x.first, width, rows, 1, 0);
        collapse(folder, stack, joined);
        if (!in_place) finish_vector(folder, room, result, width, joined);
        x.first += x.size() * movers.bytes;
        result += width * folder.result_bytes;
    }
    return true;
}

/// Folds elements that lie flat, no more than that and in any order; false if there is not enough
/// room.
inline bool fold_whole(const Folder& folder, FlatGroups x, const Movers& movers, char* result) {
    if (x.rows == 1) x = FlatGroups{x.first, 1, 1, x.groups * x.columns};
    if (folds_by_rows(folder, x.groups, x.rows, x.columns))
        return fold_rows_whole(folder, x, movers.bytes, result);
    if (folds_few(folder, x.rows, x.columns) && folder.finish == nullptr) {
        folder.few(folder.fold, x.first, x.groups, x.rows, result);
        return true;
    }
    if (are_wide_blocks(folder, x.groups, x.rows, x.columns))
        return fold_blocks_whole(folder, x, result);
    return fold_columns_whole(folder, x, movers, result);
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_FLAT_FOLD_HPP
