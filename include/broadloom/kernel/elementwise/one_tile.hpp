// Jobs no larger than a tile or two, with operands that no loop takes as they lie: these are packed
// over the whole shape, and all is one flat run. A plan would cost more than that.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP

#include "broadloom/kernel/elementwise/walk.hpp"
#include "broadloom/kernel/packing.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// One evaluation, its types forgotten.
struct Job {
    const Code& code;
    const void* formula;
    const Operand* operands;  // the target first
    int count;
};

/// How an operand is read where a job over so many elements is one tile.
inline Access access_of(const Operand& operand, index_t size) {
    const Shape& shape = *operand.shape;
    const Strides& strides = *operand.strides;
    if (shape.size() == size && broadloom::detail::is_contiguous(shape, strides))
        return Access::direct;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (shape[d] != 1 && strides[d] != 0) return Access::packed;
    }
    return Access::constant;
}

/// An operand before operand i that has the same elements in the same order; 0 if there is none.
inline int twin_of(const Job& job, int i) {
    const Operand& operand = job.operands[i];
    for (int j = 1; j < i; ++j) {
        const Operand& other = job.operands[j];
        if (other.data == operand.data && other.bytes == operand.bytes &&
            *other.shape == *operand.shape && *other.strides == *operand.strides) {
            return j;
        }
    }
    return 0;
}

/// True for strides of a slice of rows: elements side by side, and further apart further outside.
inline bool are_rows_apart(const Shape& shape, const Strides& strides) {
    index_t inside = 0;
    for (index_t d = shape.rank() - 1; d >= 0; --d) {
        if (shape[d] == 1) continue;
        if (strides[d] < inside || (inside == 0 && strides[d] != 1)) return false;
        inside = strides[d];
    }
    return true;
}

/// The loops over a shape as packing goes through an operand, or a target.
struct TileLoops {
    int rank;
    index_t extents[max_rank], strides[max_rank];

    TileLoops(const Operand& operand, const Shape& shape) : rank(static_cast<int>(shape.rank())) {
        for (index_t d = 0; d < rank; ++d) {
            extents[d] = shape[d];
            strides[d] = stride_along(operand, d, rank);
        }
    }
};

/// The copies of a job that is one tile: of operands that are neither flat nor one element, and of
/// a result whose rows lie apart. On the stack.
struct TileCopies {
    static constexpr index_t most = 24576;  // bytes
    alignas(64) char memory[most];
    index_t used = 0;

    /// The bytes of so many elements, or of a constant, in whole cache lines.
    static index_t bytes_of(index_t size, index_t bytes) {
        return ((size < block_length ? block_length : size) * bytes + 63) / 64 * 64;
    }
    char* next(index_t size, index_t bytes) {
        char* const room = memory + used;
        used += bytes_of(size, bytes);
        return room;
    }
};

/// True for a result that lies flat, or in rows that do, of a tile or two, if there is room for the
/// copies.
inline bool is_one_tile(const Job& job, const Shape& shape) {
    constexpr index_t tiles = 2;  // as plans cut them
    const Operand& target = job.operands[0];
    const index_t size = shape.size();
    if (size > tiles * elements_in_tile(target.bytes)) return false;
    const bool flat = broadloom::detail::is_contiguous(shape, *target.strides);
    if (!flat && !are_rows_apart(shape, *target.strides)) return false;
    index_t copied = flat ? 0 : TileCopies::bytes_of(size, target.bytes);
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        if (access_of(operand, size) != Access::direct)
            copied += TileCopies::bytes_of(size, operand.bytes);
    }
    return copied <= TileCopies::most;
}

/// Evaluates such a job.
BROADLOOM_NOINLINE inline void run_as_tile(const Job& job, const Shape& shape, Run* runs) {
    const Operand& target = job.operands[0];
    const index_t size = shape.size();
    TileCopies copies;
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        const Access access = access_of(operand, size);
        Run& run = runs[i - 1];
        run = Run{operand.data, access == Access::constant ? 0 : block_length, 0, nullptr};
        if (access == Access::direct) continue;
        if (const int twin = twin_of(job, i); twin != 0) {
            run = runs[twin - 1];
            continue;
        }
        char* const room = copies.next(size, operand.bytes);
        if (access == Access::constant) {
            run.spread = room;
        } else {
            const TileLoops loops(operand, shape);
            pack(room, static_cast<const char*>(operand.data), loops.extents, loops.strides,
                 loops.rank, *operand.movers);
            run.data = room;
        }
    }
    char* const to = static_cast<char*>(const_cast<void*>(target.data));
    const bool buffered = !broadloom::detail::is_contiguous(shape, *target.strides);
    char* const result = buffered ? copies.next(size, target.bytes) : to;
    compute(job.code, level_for(job.code, size * target.bytes), job.formula, result, 0, runs,
            job.count - 1, 1, size);
    if (buffered) {
        const TileLoops loops(target, shape);
        unpack(to, result, loops.extents, loops.strides, loops.rank, *target.movers);
    }
}

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP
