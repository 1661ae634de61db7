// A reduction over a plan, tile by tile: which elements are folded together, and in what pieces.
// Everything is decided from extents, strides and the fold's lanes, and the order in which elements
// are joined from the extents alone.
//
// With [outer] x groups x rows x columns, where rows are reduced and columns kept, a tile is
//   wide   columns are many: rows of columns, taken in as they come
//   flat   columns are few or one, rows many: a flat run, several rows side by side in a vector
//   short  columns and rows are few: groups turned into columns first
#ifndef BROADLOOM_KERNEL_REDUCTION_HPP
#define BROADLOOM_KERNEL_REDUCTION_HPP

#include <cstring>

#include "broadloom/kernel/folder.hpp"
#include "broadloom/kernel/reader.hpp"

namespace broadloom::kernel::detail {

/// True when an operand must be packed to be read along a loop.
inline bool must_pack(const Stream& s, int loop) {
    return s.strides[loop] != 0 && s.strides[loop] != 1;
}
/// True when what must be packed along a loop is the same for all of the outermost `outside`.
inline bool serves_outside(const Plan& plan, int along, int outside) {
    for (int i = 1; i < plan.count; ++i) {
        if (!must_pack(plan.streams[i], along)) continue;
        for (int loop = 0; loop < outside; ++loop) {
            if (plan.streams[i].strides[loop] != 0) return false;
        }
    }
    return true;
}

/// One reduction: the plan's loops sorted into outer, groups, rows and columns.
class Reduction {
public:
    Reduction(Reader& reader, const Folder& folder, char* result, index_t longest)
        : reader_(reader), folder_(folder), result_(result), longest_(longest) {
        const Plan& plan = reader.plan();
        const auto reduced = [&](int loop) { return plan.streams[0].strides[loop] == 0; };
        const auto step_out = [&](int loop, bool wanted, index_t& size) {
            for (; loop > 0 && reduced(loop - 1) == wanted; --loop) size *= plan.extents[loop - 1];
            return loop;
        };
        first_column_ = step_out(plan.rank, false, columns_);
        first_row_ = step_out(first_column_, true, rows_);
        first_group_ = step_out(first_row_, false, groups_);

        const bool narrow = columns_ < folder.lanes && first_column_ > 0;
        if (narrow && rows_ * columns_ >= 2 * folder.lanes && !folder.in_order())
            form_ = Form::flat;
        else if (narrow && rows_ * columns_ < 2 * folder.lanes &&
                 groups_ * columns_ >= folder.lanes)
            form_ = Form::short_;
        else form_ = Form::wide;

        for (int loop = 0; loop < first_row_; ++loop) {
            if (reduced(loop)) reduced_outside_.add(loop);
            else if (loop < first_group_ || form_ == Form::wide) kept_outside_.add(loop);
        }
        choose_tiles();
    }

    index_t scratch() const {
        return 2 * tile_bytes() + vectors_bytes() + stack_bytes() + reader_.scratch();
    }

    void run(char* memory) {
        tile_ = memory;
        turned_ = tile_ + tile_bytes();
        vectors_ = turned_ + tile_bytes();
        stack_memory_ = vectors_ + vectors_bytes();
        reader_.give(stack_memory_ + stack_bytes());
        if (stands_still_) {
            // What is packed for some columns serves all that lies outside.
            for (index_t j = 0; j < columns_; j += tile_columns_) {
                do fold_columns(j);
                while (reader_.advance(kept_outside_));
            }
            return;
        }
        do {
            if (form_ == Form::wide) {
                for (index_t j = 0; j < columns_; j += tile_columns_) fold_columns(j);
            } else {
                for (index_t g = 0; g < groups_; g += tile_groups_) {
                    const index_t count = smaller(tile_groups_, groups_ - g);
                    fold_outputs(g * columns_, count * columns_, [&] {
                        return form_ == Form::flat ? take_flat(g, count) : take_short(g, count);
                    });
                }
            }
        } while (reader_.advance(kept_outside_));
    }

private:
    enum class Form { wide, flat, short_ };

    static constexpr index_t batch = 16;  // groups at a time

    static index_t smaller(index_t a, index_t b) { return a < b ? a : b; }
    static index_t magnitude(index_t a) { return a < 0 ? -a : a; }
    static index_t rounded(index_t bytes) { return (bytes + 63) / 64 * 64; }

    void choose_tiles() {
        const Plan& plan = reader_.plan();
        if (form_ == Form::wide) {
            direct_ = reader_.is_flat(first_column_) && first_column_ - first_row_ <= 1;
            stands_still_ = !direct_ && stands_still();
            computed_ = folder_.computed != nullptr && two_loops() && columns_ >= folder_.lanes;
            const bool in_place = direct_ || (computed_ && !packs_columns());
            tile_columns_ =
                in_place ? 1024 : longest_ / (stands_still_ ? rows_ : smaller(rows_, 16));
            if (tile_columns_ >= columns_) tile_columns_ = columns_;
            else if (tile_columns_ > 64) tile_columns_ -= tile_columns_ % 64;
            tile_rows_ = in_place ? rows_ : smaller(rows_, longest_ / tile_columns_);
            if (tile_rows_ < rows_) tile_rows_ -= tile_rows_ % 16;
            group_stride_ = 0;
            width_ = tile_columns_;
        } else {
            const bool even = reader_.is_flat(first_group_);
            direct_ = reader_.is_flat(first_row_) && (even || first_row_ - first_group_ <= 1);
            const index_t size = rows_ * columns_;
            computed_ = folder_.computed != nullptr && form_ == Form::flat && columns_ == 1 &&
                        reader_.in_place(first_row_);
            choose_groups(size);
            group_stride_ =
                even || first_group_ == first_row_ ? size : plan.streams[1].strides[first_group_];
            width_ = tile_groups_ * columns_;
        }
        side_by_side_ =
            form_ == Form::flat || (form_ == Form::short_ && columns_ == 1 && rows_ >= 2 &&
                                    rows_ <= 4 && (!direct_ || group_stride_ == rows_) &&
                                    reduced_outside_.count == 0 && folder_.few != nullptr);
        // What the stack takes in: tiles or rows by sixteens, in every turn of the outer loops.
        index_t turns = by_vectors()          ? 1
                        : form_ == Form::flat ? (rows_ + tile_rows_ - 1) / tile_rows_
                                              : (rows_ + 15) / 16;
        for (int d = 0; d < reduced_outside_.count; ++d) {
            turns *= plan.extents[reduced_outside_.loops[d]];
        }
        levels_ = folder_.in_order() ? 1 : 2 + halvings(turns);
    }
    static index_t halvings(index_t n) {
        index_t count = 0;
        for (; n > 1; n /= 2) ++count;
        return count;
    }

    /// Groups of `size` elements that go side by side, and the rows of each that a tile takes.
    void choose_groups(index_t size) {
        // Half a tile leaves room in the cache for operands.
        index_t wanted = longest_ / 2 / size;
        tile_rows_ = smaller(rows_, longest_ / columns_);
        if (form_ == Form::flat) turns_ = (folder_.lanes + columns_ - 1) / columns_;
        if (by_vectors()) {
            if (direct_ || computed_) {
                tile_rows_ = rows_;
                if (wanted < batch) wanted = batch;
            } else if (tile_rows_ < rows_) {
                tile_rows_ -= tile_rows_ % (16 * turns_);
                // Groups whose elements share cache lines keep up with one another.
                if (groups_interleave()) {
                    tile_rows_ = 16 * turns_;
                    wanted = smaller(batch, longest_ / (tile_rows_ * columns_));
                }
            }
        }
        if (form_ == Form::short_) wanted = share_groups(wanted, size);
        tile_groups_ = smaller(groups_, wanted > 1 ? wanted : 1);
    }
    /// Groups that are turned into columns: as many as are worth a vector, in every tile. What is
    /// read where it lies may have a larger one.
    index_t share_groups(index_t wanted, index_t size) {
        const index_t least = (folder_.lanes + columns_ - 1) / columns_;
        if (wanted < least) wanted = least;
        const index_t tiles = groups_ / wanted;
        if (tiles > 0) wanted = (groups_ + tiles - 1) / tiles;
        if (!direct_) return smaller(wanted, longest_ / size);
        if (longest_ < wanted * size) longest_ = wanted * size;
        return wanted;
    }
    /// True for flat runs whose rows become vectors before their lanes are joined.
    bool by_vectors() const {
        return form_ == Form::flat && folder_.turns != nullptr && folder_.decided == nullptr;
    }
    /// True when neighbours in some leaf belong to different groups.
    bool groups_interleave() const {
        const Plan& plan = reader_.plan();
        for (int i = 1; first_group_ < first_row_ && i < plan.count; ++i) {
            const index_t* strides = plan.streams[i].strides;
            const index_t across = magnitude(strides[first_row_ - 1]) * plan.streams[i].bytes;
            if (across > 0 && across < 64 && magnitude(strides[first_column_ - 1]) > 1) return true;
        }
        return false;
    }
    /// True when what must be packed of the operands is the same for all that lies outside.
    bool stands_still() const {
        constexpr index_t least_columns = 64;
        const Plan& plan = reader_.plan();
        if (kept_outside_.count == 0 || reduced_outside_.count > 0 || !two_loops() ||
            rows_ * least_columns > longest_) {
            return false;
        }
        return packs_columns() && serves_outside(plan, first_column_, first_row_);
    }
    /// True when an operand must be packed to be read along the columns.
    bool packs_columns() const {
        const Plan& plan = reader_.plan();
        for (int i = 1; i < plan.count; ++i) {
            if (must_pack(plan.streams[i], first_column_)) return true;
        }
        return false;
    }
    /// True when one loop of columns lies in one of rows.
    bool two_loops() const {
        return first_row_ + 1 == first_column_ && first_column_ + 1 == reader_.plan().rank;
    }
    /// For every group of a batch a stack of vectors, or two vectors and one stack for all.
    index_t vectors_bytes() const {
        if (form_ != Form::flat || folder_.turns == nullptr) return 0;
        const bool long_rows = by_vectors() && tile_rows_ < rows_;
        return (long_rows ? batch * heights() : 2 * batch + heights()) * lanes_bytes();
    }
    /// A vector of at most twice the lanes.
    index_t lanes_bytes() const {
        return (turns_ * columns_ > folder_.lanes ? 2 : 1) * folder_.lanes *
               folder_.accumulator_bytes;
    }
    index_t heights() const { return 2 + halvings(rows_ / (16 * turns_)); }
    index_t tile_bytes() const { return rounded(longest_ * reader_.bytes()); }
    /// A vector of the stack has a place for every lane.
    index_t padded(index_t width) const {
        const index_t lanes = folder_.lanes;
        return folder_.pads && width > lanes ? (width + lanes - 1) / lanes * lanes : width;
    }
    index_t vector_bytes() const { return rounded(padded(width_) * folder_.accumulator_bytes); }
    index_t stack_bytes() const { return levels_ * vector_bytes(); }

    /// Folds all that belongs to a run of outputs; `take` folds one turn of the outer loops and
    /// is false when nothing can change any more.
    template <class Take>
    void fold_outputs(index_t at, index_t width, Take&& take) {
        char* out = result_ + (reader_.target() + at) * folder_.result_bytes;
        // Vectors with overlapping lanes, and accumulators to be finished, need a place apart.
        const index_t joined = side_by_side_ ? width : padded(width);
        const bool in_place = folder_.finish == nullptr && joined == width;
        stack_ = Stack{in_place ? out : stack_memory_,
                       stack_memory_ + vector_bytes(),
                       width,
                       vector_bytes(),
                       0,
                       0,
                       0};
        bool more = true;
        do {
            more = more && take();
        } while (reader_.advance(reduced_outside_));
        collapse(folder_, stack_, joined);
        if (in_place) return;
        const index_t whole = joined == width ? width : joined - folder_.lanes;
        finish(stack_.first, out, whole);
        if (whole < width) {
            finish(stack_.first + whole * folder_.accumulator_bytes,
                   out + (width - folder_.lanes) * folder_.result_bytes, folder_.lanes);
        }
    }
    void finish(const char* from, char* to, index_t width) const {
        if (folder_.finish != nullptr) folder_.finish(folder_.fold, from, to, width);
        else std::memcpy(to, from, static_cast<std::size_t>(width * folder_.accumulator_bytes));
    }

    void fold_columns(index_t column) {
        const index_t width = smaller(tile_columns_, columns_ - column);
        fold_outputs(column, width, [&] { return take_wide(column, width); });
    }
    bool take_wide(index_t column, index_t width) {
        if (direct_) {
            const index_t stride = first_row_ < first_column_ ? reader_.stride(first_row_) : 0;
            folder_.columns(folder_.fold, &stack_, reader_.at(column), stride, rows_, 1, 0);
            return true;
        }
        const bool by_rows = two_loops(), computed = computed_ && width >= folder_.lanes;
        // Rows that need no tile may be more than fit into one.
        index_t step = tile_rows_;
        if (!computed && step * width > longest_) step = longest_ / width / 16 * 16;
        for (index_t row = 0; row < rows_; row += step) {
            const index_t height = smaller(step, rows_ - row);
            if (computed) {
                folder_.computed(folder_.fold, reader_.formula(), &stack_,
                                 reader_.rows(row, height, column, width), height, 1, nullptr, 0);
                continue;
            }
            if (by_rows) {
                reader_.read_rows(row, height, column, width, tile_);
            } else if (width == columns_) {
                reader_.read(first_row_, row * columns_, height * columns_, tile_);
            } else {
                for (index_t i = 0; i < height; ++i) {
                    reader_.read(first_row_, (row + i) * columns_ + column, width,
                                 tile_ + i * width * reader_.bytes());
                }
            }
            folder_.columns(folder_.fold, &stack_, tile_, width, height, 1, 0);
        }
        return true;
    }

    /// `length` elements, from `start` on, of each of the groups from g on, where they lie or in
    /// the tile.
    const char* elements(index_t g, index_t count, index_t start, index_t length) {
        if (direct_) return reader_.at(g * group_stride_ + start);
        const index_t size = rows_ * columns_;
        tile_stride_ = length;
        if (length == size) {
            reader_.read(first_group_, g * size, count * size, tile_);
        } else {
            for (index_t i = 0; i < count; ++i) {
                reader_.read(first_group_, (g + i) * size + start, length,
                             tile_ + i * length * reader_.bytes());
            }
        }
        return tile_;
    }
    index_t group_stride() const { return direct_ ? group_stride_ : tile_stride_; }

    bool take_flat(index_t g, index_t count) {
        if (by_vectors()) {
            if (computed_) fold_computed(g, count, stack_.top());
            else if (tile_rows_ < rows_) fold_long_rows(g, count, stack_.top());
            else fold_rows(elements(g, count, 0, rows_ * columns_), count, rows_, stack_.top());
            carry(folder_, stack_, rows_);
            return true;
        }
        for (index_t row = 0; row < rows_; row += tile_rows_) {
            const index_t height = smaller(tile_rows_, rows_ - row);
            const char* from = elements(g, count, row * columns_, height * columns_);
            char* to = stack_.top();
            if (folder_.rows != nullptr) {
                folder_.rows(folder_.fold, from, group_stride(), count, height, columns_, to,
                             stack_.rows);
            } else {
                fold_rows(from, count, height, to);
            }
            if (folder_.decided != nullptr && stack_.width == 1 &&
                folder_.decided(folder_.fold, to)) {
                for (index_t b = 0; b < folder_.accumulator_bytes; ++b) stack_.first[b] = to[b];
                stack_.height = 1;
                return false;
            }
            carry(folder_, stack_, height);
        }
        return true;
    }

    /// Folds flat runs: vectors of several rows first, then their lanes.
    void fold_rows(const char* from, index_t groups, index_t rows, char* to) {
        const index_t vector = turns_ * columns_, full = rows / turns_;
        const index_t bytes = lanes_bytes(), stride = group_stride() * reader_.bytes();
        if (full == 0) {
            for (index_t g = 0; g < groups; ++g) {
                folder_.turns(folder_.fold, nullptr, from + g * stride, 0, 1, rows * columns_,
                              columns_, 0, to + g * columns_ * folder_.accumulator_bytes);
            }
            return;
        }
        for (index_t g = 0; g < groups; g += batch) {
            const index_t count = smaller(batch, groups - g);
            // The vectors themselves, as much again to halve them into, and a stack.
            Stack stack{vectors_, vectors_ + 2 * batch * bytes, vector, bytes, 0, 0, 0};
            folder_.columns(folder_.fold, &stack, from, vector, full, count, group_stride());
            if (count == 1) collapse(folder_, stack, bytes / folder_.accumulator_bytes);
            folder_.turns(folder_.fold, vectors_, from + full * vector * reader_.bytes(),
                          group_stride(), count, (rows - full * turns_) * columns_, columns_,
                          turns_, to);
            from += count * stride;
            to += count * columns_ * folder_.accumulator_bytes;
        }
    }

    /// The same for groups of one column, folded as they are computed. What is left over of a group
    /// is the end of a vector in the tile.
    void fold_computed(index_t first, index_t groups, char* to) {
        const index_t lanes = folder_.lanes, full = rows_ / lanes, left = rows_ % lanes;
        const index_t bytes = lanes_bytes();
        for (index_t g = 0, count; g < groups; g += count) {
            count = reader_.go_to(first_group_, first_row_, first + g, smaller(batch, groups - g));
            Stack stack{vectors_, vectors_ + 2 * batch * bytes, lanes, bytes, 0, 0, 0};
            folder_.computed(folder_.fold, reader_.formula(), &stack,
                             reader_.rows_inside(first_row_, lanes), full, count,
                             left > 0 ? tile_ : nullptr, rows_ - lanes);
            if (count == 1) collapse(folder_, stack, lanes);
            folder_.turns(folder_.fold, vectors_, tile_ + (lanes - left) * reader_.bytes(), lanes,
                          count, left, 1, lanes, to);
            to += count * folder_.accumulator_bytes;
        }
    }

    /// The same for groups, no more than a batch, whose vectors are made tile by tile.
    void fold_long_rows(index_t g, index_t groups, char* to) {
        const index_t vector = turns_ * columns_, bytes = lanes_bytes();
        Stack stacks[batch];
        for (index_t i = 0; i < groups; ++i) {
            char* const memory = vectors_ + i * heights() * bytes;
            stacks[i] = Stack{memory, memory + bytes, vector, bytes, 0, 0, 0};
        }
        for (index_t row = 0; row < rows_; row += tile_rows_) {
            const index_t height = smaller(tile_rows_, rows_ - row), full = height / turns_;
            const char* from = elements(g, groups, row * columns_, height * columns_);
            for (index_t i = 0; i < groups; ++i, from += group_stride() * reader_.bytes()) {
                if (full > 0) folder_.columns(folder_.fold, &stacks[i], from, vector, full, 1, 0);
                if (row + height < rows_) continue;
                collapse(folder_, stacks[i], bytes / folder_.accumulator_bytes);
                folder_.turns(folder_.fold, stacks[i].first, from + full * vector * reader_.bytes(),
                              0, 1, (height - full * turns_) * columns_, columns_, turns_,
                              to + i * columns_ * folder_.accumulator_bytes);
            }
        }
    }

    bool take_short(index_t g, index_t count) {
        const index_t size = rows_ * columns_;
        const char* from = elements(g, count, 0, size);
        const index_t stride = group_stride();
        if (side_by_side_) {
            folder_.few(folder_.fold, from, count, rows_, stack_.top());
            stack_.height = 1;
            return true;
        }
        const index_t extents[3] = {rows_, count, columns_};
        const index_t strides[3] = {columns_, stride, 1};
        if (columns_ == 1) pack(turned_, from, extents, strides, 2, reader_.movers());
        else pack(turned_, from, extents, strides, 3, reader_.movers());
        folder_.columns(folder_.fold, &stack_, turned_, count * columns_, rows_, 1, 0);
        return true;
    }

    Reader& reader_;
    const Folder& folder_;
    char* result_;
    index_t longest_;  // elements in a tile
    index_t columns_ = 1, rows_ = 1, groups_ = 1;
    int first_column_, first_row_, first_group_;
    Form form_;
    bool direct_;    // read where they lie
    bool computed_;  // folded as they are computed
    bool stands_still_ = false;
    bool side_by_side_;  // accumulators come without padding
    Odometer kept_outside_, reduced_outside_;
    index_t tile_columns_ = 0, tile_rows_ = 0, tile_groups_ = 0, group_stride_ = 0,
            tile_stride_ = 0;
    index_t turns_ = 1;  // rows in a vector
    index_t width_, levels_;
    char *tile_, *turned_, *vectors_, *stack_memory_;
    Stack stack_;
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_REDUCTION_HPP
