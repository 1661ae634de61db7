// Folds of what lies flat. Rows of few columns become vectors in which several rows stand side by
// side, whose lanes are joined at the end; what is small is folded whole, without a plan.
#ifndef BROADLOOM_KERNEL_FLAT_FOLD_HPP
#define BROADLOOM_KERNEL_FLAT_FOLD_HPP

#include <cstring>

#include "broadloom/kernel/folder.hpp"
#include "broadloom/kernel/packing.hpp"

namespace broadloom::kernel::detail {

/// Groups at a time whose vectors are halved together.
inline constexpr index_t groups_at_once = 16;

/// The bytes of a vector of `width` accumulators, of whole lanes and whole cache lines.
inline index_t bytes_of_vector(const Folder& folder, index_t width) {
    return (width * folder.accumulator_bytes + line_bytes - 1) / line_bytes * line_bytes;
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

/// True for rows of few columns that become vectors: of two or more, or of one in a few groups,
/// where the order does not matter.
inline bool fills_vectors(const Folder& folder, index_t groups, index_t rows, index_t columns) {
    constexpr index_t few = 16;
    const bool one_does = folder.any_order && !folder.places && groups * columns < few;
    return columns < folder.lanes && rows * columns >= (one_does ? 1 : 2) * folder.lanes;
}

/// Folds groups of `rows` rows of few columns, `stride` elements of so many bytes apart. `memory`
/// has room for two vectors of each group of a batch and a stack of them.
inline void fold_flat(const Folder& folder, const char* from, index_t bytes, index_t stride,
                      index_t groups, index_t rows, index_t columns, char* memory, Called called,
                      char* to) {
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
    for (index_t g = 0; g < groups; g += groups_at_once) {
        const index_t count = groups - g < groups_at_once ? groups - g : groups_at_once;
        Stack stack{memory, memory + 2 * count * vectors.bytes, width, vectors.bytes, called};
        folder.columns(folder.fold, &stack, from, width, full, count, stride);
        if (count == 1) collapse(folder, stack, vectors.bytes / folder.accumulator_bytes);
        folder.turns(folder.fold, memory, from + full * width * bytes, stride, count, left, columns,
                     vectors.turns, to);
        from += count * stride * bytes;
        to += count * columns * folder.accumulator_bytes;
    }
}

/// Elements that are folded without a plan, at most, and the room for what that takes.
inline constexpr index_t most_folded_whole = 4096, room_for_whole = 65536;  // bytes

/// Folds elements that lie flat, no more than that and in any order, as groups of rows of columns;
/// false if there is not enough room.
inline bool fold_whole(const Folder& folder, const char* from, const Movers& movers, index_t groups,
                       index_t rows, index_t columns, char* result) {
    alignas(line_bytes) char room[room_for_whole];
    if (rows == 1) {
        columns *= groups;
        groups = 1;
    }
    const index_t lanes = folder.lanes, size = rows * columns;
    const bool narrow = columns < lanes;
    const bool as_vectors = fills_vectors(folder, groups, rows, columns);
    const bool own_rows =
        narrow && folder.rows != nullptr && (as_vectors || groups * columns < lanes);
    if (own_rows || as_vectors) {
        const index_t width = groups * columns;
        char* memory = room;
        char* to = result;
        if (folder.finish != nullptr) {
            to = room;
            memory += bytes_of_vector(folder, width);
        }
        const index_t left = room + room_for_whole - memory;
        if (own_rows) {
            if (left < 0) return false;
            folder.rows(folder.fold, from, size, groups, rows, columns, to, 0, Called::nothing);
        } else {
            const Vectors vectors(folder, columns);
            const index_t count = groups < groups_at_once ? groups : groups_at_once;
            const index_t levels = levels_for(rows / (16 * vectors.turns));
            if (left < (2 * count + levels) * vectors.bytes) return false;
            fold_flat(folder, from, movers.bytes, size, groups, rows, columns, memory,
                      Called::nothing, to);
        }
        if (folder.finish != nullptr) folder.finish(folder.fold, to, result, width);
        return true;
    }
    if (columns == 1 && rows >= 2 && rows <= 4 && folder.few != nullptr &&
        folder.finish == nullptr) {
        folder.few(folder.fold, from, groups, rows, result);
        return true;
    }
    // A few groups go one by one, more of them are turned into columns.
    constexpr index_t few_groups = 2, most_turned = 16384;  // bytes
    const bool turned = narrow && groups > few_groups;
    const index_t width = turned ? groups * columns : columns;
    const bool pads = folder.pads && (turned || width > lanes);
    const index_t joined = pads ? whole_lanes(folder, width) : width;
    const index_t vector = bytes_of_vector(folder, joined), levels = levels_for((rows + 15) / 16);
    const index_t copy = turned ? (width * rows + lanes) * movers.bytes : 0;
    if (levels * vector > room_for_whole - most_turned || copy > most_turned) return false;
    if (turned) {
        char* const elements = room + levels * vector;
        const index_t extents[3] = {rows, groups, columns};
        const index_t strides[3] = {columns, size, 1};
        if (columns == 1) pack(elements, from, Block{rows, groups, 1, size}, movers);
        else pack(elements, from, extents, strides, 3, movers);
        if (width < lanes)
            std::memset(elements + width * rows * movers.bytes, 0,
                        static_cast<std::size_t>((lanes - width) * movers.bytes));
        from = elements;
        groups = 1;
    }
    const bool in_place = folder.finish == nullptr && joined == width;
    for (; groups > 0; --groups) {
        Stack stack{in_place ? result : room, room + vector,
                    turned && width < lanes ? lanes : width, vector};
        folder.columns(folder.fold, &stack, from, width, rows, 1, 0);
        collapse(folder, stack, joined);
        if (!in_place) finish_vector(folder, room, result, width, joined);
        from += width * rows * movers.bytes;
        result += width * folder.result_bytes;
    }
    return true;
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FLAT_FOLD_HPP
