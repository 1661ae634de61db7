// Jobs no larger than a tile or two, with operands that no loop takes as they lie: these are packed
// over the whole shape, and all is one flat run. A plan would cost more than that.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP

#include "broadloom/kernel/elementwise/walk.hpp"
#include "broadloom/kernel/packing.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// The operands of a short job, at most.
inline constexpr int short_count = 8;

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
        return kernel::bytes_in_lines((size < block_length ? block_length : size) * bytes);
    }
    char* next(index_t size, index_t bytes) {
        char* const room = memory + used;
        used += bytes_of(size, bytes);
        return room;
    }
};

/// A job that is one tile, if it `fits`: the result lies flat, or in rows that do, is no larger
/// than a tile or two, and there is room for the copies.
class OneTile {
public:
    OneTile(const Job& job, const Shape& shape) : job_(job), shape_(shape), size_(shape.size()) {
        constexpr index_t tiles = 2;  // as plans cut them
        const Operand& target = job.operands[0];
        if (size_ > tiles * elements_in_tile(target.bytes)) return;
        buffered_ = !broadloom::detail::is_contiguous(shape, *target.strides);
        if (buffered_ && !are_rows_apart(shape, *target.strides)) return;
        index_t copied = buffered_ ? TileCopies::bytes_of(size_, target.bytes) : 0;
        for (int i = 1; i < job.count; ++i) {
            access_[i] = access_of(job.operands[i], size_);
            if (access_[i] != Access::direct)
                copied += TileCopies::bytes_of(size_, job.operands[i].bytes);
        }
        fits_ = copied <= TileCopies::most;
    }
    bool fits() const { return fits_; }
    Access access(int i) const { return access_[i]; }

    /// Evaluates the job.
    BROADLOOM_NOINLINE void run(Run* runs) const {
        const Operand& target = job_.operands[0];
        TileCopies copies;
        char* const to = static_cast<char*>(const_cast<void*>(target.data));
        char* const result = buffered_ ? copies.next(size_, target.bytes) : to;
        const char* from = result;
        if (job_.code.copies && access_[1] == Access::packed) {
            pack_to(result, job_.operands[1]);
        } else if (job_.code.copies && access_[1] == Access::direct && buffered_) {
            from = static_cast<const char*>(job_.operands[1].data);
        } else {
            for (int i = 1; i < job_.count; ++i) read(i, copies, runs);
            compute(job_.code, level_for(job_.code, size_ * target.bytes), job_.formula, result, 0,
                    runs, job_.count - 1, 1, size_);
        }
        if (buffered_) {
            const TileLoops loops(target, shape_);
            unpack(to, from, loops.extents, loops.strides, loops.rank, *target.movers);
        }
    }

private:
    /// Has the run of an operand read it as it lies, or a copy.
    void read(int i, TileCopies& copies, Run* runs) const {
        const Operand& operand = job_.operands[i];
        const bool constant = access_[i] == Access::constant;
        Run& run = runs[i - 1];
        run = Run{operand.data, constant ? 0 : block_length, 0, nullptr};
        if (access_[i] == Access::direct) return;
        if (const int twin = twin_of(job_, i); twin != 0) {
            run = runs[twin - 1];
            return;
        }
        char* const room = copies.next(size_, operand.bytes);
        if (constant) {
            run.spread = room;
            return;
        }
        pack_to(room, operand);
        run.data = room;
    }
    void pack_to(char* to, const Operand& operand) const {
        const TileLoops loops(operand, shape_);
        pack(to, static_cast<const char*>(operand.data), loops.extents, loops.strides, loops.rank,
             *operand.movers);
    }

    const Job& job_;
    const Shape& shape_;
    index_t size_;
    Access access_[short_count];
    bool buffered_ = false, fits_ = false;
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_ONE_TILE_HPP
