// A reduction over a plan, tile by tile, as its tiling has decided.
#ifndef BROADLOOM_KERNEL_FOLD_REDUCTION_HPP
#define BROADLOOM_KERNEL_FOLD_REDUCTION_HPP

#include <cstring>

#include "broadloom/kernel/fold/reduction_tiling.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// One reduction, cut as ReductionTiling says.
class Reduction : public ReductionTiling {
public:
    Reduction(Reader& reader, const Folder& folder, char* result, const Cutting& cutting)
        : ReductionTiling(reader, folder, cutting), result_(result) {}

    index_t scratch() const {
        return tile_bytes() + turned_bytes() + vectors_bytes() + stack_bytes() + reader_.scratch();
    }

    void give(char* memory) {
        tile_ = memory;
        turned_ = tile_ + tile_bytes();
        vectors_ = turned_ + turned_bytes();
        stack_memory_ = vectors_ + vectors_bytes();
        reader_.give(stack_memory_ + stack_bytes());
    }

    void run() {
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
                for (index_t g = 0, count; g < groups_; g += count) {
                    count = groups_ - g;
                    if (count >= tile_groups_ + least_groups_) count = tile_groups_;
                    fold_outputs(g * columns_, count * columns_, [&] {
                        return form_ == Form::flat     ? take_flat(g, count)
                               : form_ == Form::blocks ? take_blocks(g, count)
                                                       : take_short(g, count);
                    });
                }
            }
        } while (reader_.advance(kept_outside_));
    }

    /// Folds a part, the rows or vectors [first, last), into a vector.
    BROADLOOM_COLD void fold_part(index_t first, index_t last, char* to) {
        if (form_ == Form::wide) {
            stack_ =
                Stack{to, stack_memory_ + vector_bytes(), columns_, vector_bytes(), prefetched_};
            take_wide(0, columns_, first, last);
        } else {
            stack_ = stack_of_lanes(to, vectors_);
            take_vectors(first, last);
        }
        collapse(folder_, stack_, part_width());
    }
    /// What `run` does, from all parts, one behind the other.
    BROADLOOM_COLD void join_parts(const char* parts, index_t count) {
        fold_outputs(0, columns_, [&] {
            if (form_ == Form::wide) {
                take_parts(parts, count, stack_);
                return true;
            }
            const index_t full = rows_ / turns_ * turns_, left = (rows_ - full) * columns_;
            Stack stack = stack_of_lanes(vectors_, vectors_ + 2 * groups_at_once * lanes_bytes());
            take_parts(parts, count, stack);
            collapse(folder_, stack, part_width());
            const char* rest = left > 0 ? elements(0, 1, full * columns_, left) : nullptr;
            folder_.turns(folder_.fold, vectors_, rest, 0, 1, left, columns_, turns_, stack_.top());
            carry(folder_, stack_, rows_, stack_.width);
            return true;
        });
    }

private:
    /// Folds all that belongs to a run of outputs; `take` folds one turn of the outer loops and
    /// is false when nothing can change any more.
    template <class Take>
    void fold_outputs(index_t at, index_t width, Take&& take) {
        char* out = result_ + (reader_.target() + at) * folder_.result_bytes;
        // Vectors with overlapping lanes, and accumulators to be finished, need a place apart.
        const index_t joined = side_by_side_ ? width : padded(width);
        const bool in_place = folder_.finish == nullptr && joined == width;
        stack_ = Stack{in_place ? out : stack_memory_, stack_memory_ + vector_bytes(), width,
                       vector_bytes(), prefetched_};
        bool more = true;
        do {
            more = more && take();
        } while (reader_.advance(reduced_outside_));
        collapse(folder_, stack_, joined);
        if (in_place) return;
        finish_vector(folder_, stack_.first, out, width, joined);
    }

    void fold_columns(index_t column) {
        // What is computed fills a vector.
        if (computed_) column = smaller(column, columns_ - folder_.lanes);
        const index_t width = smaller(tile_columns_, columns_ - column);
        fold_outputs(column, width, [&] { return take_wide(column, width, 0, rows_); });
    }
    bool take_wide(index_t column, index_t width, index_t first, index_t last) {
        if (lanes_side_by_side_) {
            take_long_rows();
        } else if (order_ == RowOrder::by_lanes) {
            take_lanes(column, width);
        } else if (direct_ || computed_ || (two_loops() && reader_.suits_rows(width)) ||
                   parts_rows(width)) {
            take_rows(stack_, column, width, first, last - first, 1);
        } else {
            for (index_t row = first; row < last; row += tile_rows_) {
                const index_t height = smaller(tile_rows_, last - row);
                read_pieces(first_row_, row * columns_ + column, columns_, height, width);
                folder_.columns(folder_.fold, &stack_, tile_, width, height, 1, 0);
            }
        }
        return true;
    }
    /// Folds `count` rows, of which each is `step` rows behind the one before.
    void take_rows(Stack& stack, index_t column, index_t width, index_t first, index_t count,
                   index_t step) {
        if (direct_) {
            const index_t stride = first_row_ < first_column_ ? reader_.stride(first_row_) : 0;
            folder_.columns(folder_.fold, &stack, reader_.at(first * stride + column),
                            step * stride, count, 1, 0);
            return;
        }
        for (index_t done = 0; done < count; done += tile_rows_) {
            const index_t row = first + done * step, height = smaller(tile_rows_, count - done);
            const bool by_lanes = order_ == RowOrder::by_lanes_at_once;
            if (computed_ && in_panels_) {
                folder_.panels(folder_.fold, reader_.formula(), &stack,
                               reader_.panels(column, width, folder_.lanes, by_lanes), height,
                               by_lanes);
            } else if (computed_) {
                folder_.computed(folder_.fold, reader_.formula(), &stack,
                                 reader_.rows(row, height, column, width, step), height, 1, nullptr,
                                 0, by_lanes);
            } else {
                reader_.read_rows(first_row_, row, height, column, width, tile_, step);
                folder_.columns(folder_.fold, &stack, tile_, width, height, 1, 0);
            }
        }
    }
    /// Has the caches fetch rows that will be taken in jumps, if they hold all of them.
    void call_rows(index_t column, index_t width) const {
        constexpr index_t most = index_t{128} << 10;  // bytes
        const index_t bytes = width * reader_.bytes();
        if (prefetched_ == Prefetched::nothing || rows_ * bytes > most) return;
        read_in_order(reader_.at(column), rows_, bytes,
                      reader_.stride(first_row_) * reader_.bytes());
    }
    /// Columns that are long rows, turned: what would be a lane of their vectors is a fold of its
    /// own, to which a last row comes where the vectors leave some over.
    void take_lanes(index_t column, index_t width) {
        const index_t lanes = folder_.lanes, full = rows_ / lanes, left = rows_ % lanes;
        const index_t joined = padded(width);
        char* const last = stack_memory_ + levels_ * vector_bytes();
        if (direct_) call_rows(column, width);
        const auto take = [&](char* to, index_t row, index_t count) {
            Stack stack{to, last + vector_bytes(), width, vector_bytes()};
            take_rows(stack, column, width, row, count, lanes);
            collapse(folder_, stack, joined);
        };
        for (index_t i = 0; i < lanes; ++i) {
            const index_t lane = in_halves(i, lanes);
            if (full <= 16 && lane >= left) {
                // One block, which the loop carries by itself.
                take_rows(stack_, column, width, lane, full, lanes);
                continue;
            }
            take(stack_.top(), lane, full);
            if (lane < left) {
                take(last, full * lanes + lane, 1);
                folder_.join(folder_.fold, stack_.top(), last, joined);
            }
            carry(folder_, stack_, full, joined);
        }
    }
    /// The same for columns of which all rows lie side by side: `lanes` of them make one row.
    void take_long_rows() {
        const index_t lanes = folder_.lanes, full = rows_ / lanes, left = rows_ % lanes;
        const index_t width = lanes * columns_, bytes = lane_vector_bytes();
        char* const vector = stack_memory_ + levels_ * vector_bytes();
        Stack stack{vector, vector + bytes, width, bytes};
        call_rows(0, columns_);
        folder_.columns(folder_.fold, &stack, reader_.at(0), width, full, 1, 0);
        collapse(folder_, stack, width);
        if (left > 0) {
            // The last rows, as the end of a whole vector.
            Stack rest{vector + bytes, nullptr, width, bytes};
            folder_.columns(folder_.fold, &rest, reader_.at((rows_ - lanes) * columns_), width, 1,
                            1, 0);
            folder_.join(folder_.fold, vector,
                         rest.first + (lanes - left) * columns_ * folder_.accumulator_bytes,
                         left * columns_);
        }
        for (index_t half = width / 2; half >= columns_; half /= 2) {
            folder_.join(folder_.fold, vector, vector + half * folder_.accumulator_bytes, half);
        }
        std::memcpy(stack_.top(), vector,
                    static_cast<std::size_t>(columns_ * folder_.accumulator_bytes));
        carry(folder_, stack_, rows_, columns_);
    }

    /// Reads `count` pieces of `length` elements of the loops from `first` on into the tile, the
    /// first from `start` on and each `step` elements behind the one before.
    void read_pieces(int first, index_t start, index_t step, index_t count, index_t length) {
        if (length == step) {
            reader_.read(first, start, count * length, tile_);
            return;
        }
        for (index_t i = 0; i < count; ++i) {
            reader_.read(first, start + i * step, length, tile_ + i * length * reader_.bytes());
        }
    }
    /// `length` elements, from `start` on, of each of the groups from g on, where they lie or in
    /// the tile.
    const char* elements(index_t g, index_t count, index_t start, index_t length) {
        if (direct_) return reader_.at(g * group_stride_ + start);
        const index_t size = rows_ * columns_;
        tile_stride_ = length;
        read_pieces(first_group_, g * size + start, size, count, length);
        return tile_;
    }
    index_t group_stride() const { return direct_ ? group_stride_ : tile_stride_; }

    bool take_flat(index_t g, index_t count) {
        if (by_vectors()) {
            if (computed_) fold_computed(g, count, stack_.top());
            else if (tile_rows_ < rows_) fold_long_rows(g, count, stack_.top());
            else fold_rows(elements(g, count, 0, rows_ * columns_), count, rows_, stack_.top());
            carry(folder_, stack_, rows_, stack_.width);
            return true;
        }
        for (index_t row = 0; row < rows_; row += tile_rows_) {
            const index_t height = smaller(tile_rows_, rows_ - row);
            const char* from = elements(g, count, row * columns_, height * columns_);
            char* to = stack_.top();
            if (folder_.rows != nullptr) {
                folder_.rows(folder_.fold, from, group_stride(), count, height, columns_, to,
                             stack_.rows, prefetched_);
            } else {
                fold_rows(from, count, height, to);
            }
            if (folder_.decided != nullptr && stack_.width == 1 &&
                folder_.decided(folder_.fold, to)) {
                for (index_t b = 0; b < folder_.accumulator_bytes; ++b) stack_.first[b] = to[b];
                stack_.height = 1;
                return false;
            }
            carry(folder_, stack_, height, stack_.width);
        }
        return true;
    }

    /// Folds flat runs: vectors of several rows first, then their lanes.
    void fold_rows(const char* from, index_t groups, index_t rows, char* to) {
        fold_flat(folder_, from, reader_.bytes(), group_stride(), groups, rows, columns_, vectors_,
                  prefetched_, to);
    }

    /// The same for groups of one column, folded as they are computed. What is left over of a group
    /// is the end of a vector in the tile.
    void fold_computed(index_t first, index_t groups, char* to) {
        const index_t lanes = folder_.lanes, full = rows_ / lanes, left = rows_ % lanes;
        const index_t bytes = lanes_bytes();
        for (index_t g = 0, count; g < groups; g += count) {
            count = reader_.go_to(first_group_, first_row_, first + g,
                                  smaller(groups_at_once, groups - g));
            Stack stack = stack_of_lanes(vectors_, vectors_ + 2 * groups_at_once * bytes);
            folder_.computed(folder_.fold, reader_.formula(), &stack,
                             reader_.rows_inside(first_row_, lanes), full, count,
                             left > 0 ? tile_ : nullptr, rows_ - lanes, false);
            if (count == 1) collapse(folder_, stack, lanes);
            folder_.turns(folder_.fold, vectors_, tile_ + (lanes - left) * reader_.bytes(), lanes,
                          count, left, 1, lanes, to);
            to += count * folder_.accumulator_bytes;
        }
    }

    /// The same for groups, no more than a batch, whose vectors are made tile by tile.
    void fold_long_rows(index_t g, index_t groups, char* to) {
        const index_t vector = turns_ * columns_, bytes = lanes_bytes();
        Stack stacks[groups_at_once];
        for (index_t i = 0; i < groups; ++i) {
            char* const memory = vectors_ + i * heights() * bytes;
            stacks[i] = stack_of_lanes(memory, memory + bytes);
        }
        const bool in_runs = groups == 1 && has_long_runs();
        for (index_t row = 0, height; row < rows_; row += height) {
            height = smaller(tile_rows_, rows_ - row);
            const char* from = in_runs ? run_of_rows(g, row, height)
                                       : elements(g, groups, row * columns_, height * columns_);
            const index_t full = height / turns_;
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

    /// True where some blocks of vectors follow one another in memory, but not all of a group.
    bool has_long_runs() const {
        constexpr index_t blocks = 4;
        const int inner = first_column_ - 1;
        return reader_.is_flat(inner) && reader_.plan().extents[inner] >= blocks * 16 * turns_;
    }
    /// Rows of a group from one on: where they lie those that do, whole blocks of them or all that
    /// are left, or else the next block in the tile. Sets how many there are.
    const char* run_of_rows(index_t g, index_t row, index_t& height) {
        const index_t block = 16 * turns_, left = rows_ - row;
        const index_t run = reader_.go_to(first_group_, first_column_, g * rows_ + row, left);
        height = run == left ? left : run / block * block;
        if (height > 0) return reader_.here();
        height = smaller(block, left);
        return elements(g, 1, row * columns_, height * columns_);
    }

    /// Vectors [first, last) of the only group.
    void take_vectors(index_t first, index_t last) {
        const index_t vector = stack_.width;
        if (computed_) {
            reader_.go_to(first_group_, first_row_, 0, 1);
            folder_.computed(folder_.fold, reader_.formula(), &stack_,
                             reader_.rows_inside(first_row_, vector, first * vector), last - first,
                             1, nullptr, 0, false);
            return;
        }
        const index_t step = direct_ ? last - first : tile_rows_ / turns_;
        for (index_t row = first; row < last; row += step) {
            const index_t height = smaller(step, last - row);
            const char* from = elements(0, 1, row * vector, height * vector);
            folder_.columns(folder_.fold, &stack_, from, vector, height, 1, 0);
        }
    }
    void take_parts(const char* parts, index_t count, Stack& stack) const {
        for (index_t i = 0; i < count; ++i, parts += part_bytes()) {
            std::memcpy(stack.top(), parts,
                        static_cast<std::size_t>(part_width() * folder_.accumulator_bytes));
            carry(folder_, stack, 0, part_width());
        }
    }
    /// A stack of vectors of several rows.
    Stack stack_of_lanes(char* first, char* rest) const {
        return Stack{first, rest, turns_ * columns_, lanes_bytes(), prefetched_};
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
        const index_t width = count * columns_;
        stack_.width = folder_.pads ? larger(width, folder_.lanes) : width;
        turn_groups(turned_, from, stride, count, rows_, columns_, stack_.width, reader_.movers());
        folder_.columns(folder_.fold, &stack_, turned_, width, rows_, 1, 0);
        return true;
    }

    bool take_blocks(index_t g, index_t count) {
        const char* from = elements(g, count, 0, rows_ * columns_);
        const index_t stride = direct_ ? reader_.stride(first_row_) : columns_;
        fold_wide_blocks(folder_, from, stride, group_stride(), count, rows_, columns_, prefetched_,
                         stack_.top());
        stack_.height = 1;
        return true;
    }

    char* result_;
    index_t tile_stride_ = 0;
    char *tile_, *turned_, *vectors_, *stack_memory_;
    Stack stack_;
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_REDUCTION_HPP
