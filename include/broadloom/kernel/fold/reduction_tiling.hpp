// How a reduction is cut: which elements are folded together, and in what pieces. Everything is
// decided from extents, strides and the fold's lanes, and the order in which elements are joined
// from the extents alone.
//
// With [outer] x groups x rows x columns, where rows are reduced and columns kept, a tile is
//   wide   columns are many: rows of columns, taken in as they come
//   flat   columns are few or one, rows many: a flat run, several rows side by side in a vector
//   short  columns and rows are few, or both together: groups turned into columns first
//   blocks columns are many, rows few: several groups, vector after vector
#ifndef BROADLOOM_KERNEL_FOLD_REDUCTION_TILING_HPP
#define BROADLOOM_KERNEL_FOLD_REDUCTION_TILING_HPP

#include "broadloom/kernel/fold/cutting.hpp"
#include "broadloom/kernel/fold/flat_fold.hpp"
#include "broadloom/kernel/fold/folder.hpp"
#include "broadloom/kernel/fold/reader.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// The plan's loops sorted into outer, groups, rows and columns, and the tiles over them.
class ReductionTiling {
protected:
    enum class Form { wide, flat, short_, blocks };

    /// The share of a vector that groups turned into columns must fill: even an eighth takes half
    /// the time of one group after the other; of small elements a few.
    static constexpr index_t least_share = 8, enough_groups = 4;
    /// Accumulators of columns, which the first-level cache holds, or almost.
    static constexpr index_t widest_bytes = index_t{32} << 10;
    /// Those of the lanes of all columns, of what lies in the caches, and of what comes from memory
    /// and should be read in order.
    static constexpr index_t near_bytes = index_t{16} << 10, far_bytes = index_t{64} << 10;

    static index_t smaller(index_t a, index_t b) { return a < b ? a : b; }
    static index_t larger(index_t a, index_t b) { return a > b ? a : b; }

    ReductionTiling(Reader& reader, const Folder& folder, const Cutting& cutting)
        : reader_(reader), folder_(folder), longest_(cutting.longest), order_(cutting.order) {
        const Plan& plan = reader.plan();
        const auto reduced = [&](int loop) { return plan.streams[0].strides[loop] == 0; };
        first_column_ = step_out(plan, plan.rank, false, columns_);
        first_row_ = step_out(plan, first_column_, true, rows_);
        first_group_ = step_out(plan, first_row_, false, groups_);

        const bool is_plain = first_column_ > 0 && order_ == RowOrder::plain;
        const bool narrow = columns_ < folder.lanes && is_plain;
        const bool crumbs = rows_ * columns_ <= crumb_vectors * folder.lanes && is_plain &&
                            first_group_ < first_row_ && !folder.in_order();
        const bool by_rows = folds_by_rows(folder, groups_, rows_, columns_);
        const index_t share = folder.lanes / least_share;
        const bool many_groups =
            groups_ * columns_ >= (folder.pads ? smaller(share, enough_groups) : folder.lanes);
        if (narrow && by_rows && !folder.in_order()) form_ = Form::flat;
        else if ((narrow || crumbs) && !by_rows && many_groups) form_ = Form::short_;
        else form_ = Form::wide;
        // What is made wider is not computed twice for the sake of a few columns.
        const bool wastes = folder.accumulator_bytes > reader.bytes() &&
                            2 * whole_lanes(folder, columns_) > 3 * columns_;
        const bool turns = crumbs && (wastes || !reader.is_flat(first_column_));
        for (int loop = 0; loop < first_row_; ++loop) {
            if (reduced(loop)) reduced_outside_.add(loop);
        }
        if (is_plain && !turns && are_blocks()) form_ = Form::blocks;
        for (int loop = 0; loop < (form_ == Form::wide ? first_row_ : first_group_); ++loop) {
            if (!reduced(loop)) kept_outside_.add(loop);
        }
        prefetched_ = what_to_prefetch();
        choose_tiles();
    }

public:
    /// The outermost loop that makes `wanted` pieces, or else the one that makes most, each folded
    /// into results of its own and as it would be with the others.
    BROADLOOM_COLD Share share(index_t wanted) const {
        constexpr index_t least_columns = 256;
        const Plan& plan = reader_.plan();
        Share best;
        index_t most = 1;
        const auto offer = [&](int loop, index_t least) {
            if (least < 1) least = 1;
            const index_t pieces = plan.extents[loop] / least;
            if (most >= wanted || pieces <= most) return;
            most = pieces;
            best = Share{loop, least};
        };
        for (int d = 0; d < kept_outside_.count; ++d) offer(kept_outside_.loops[d], 1);
        if (form_ == Form::wide) {
            if (first_column_ == plan.rank) return best;
            const index_t inner = columns_ / plan.extents[first_column_];
            offer(first_column_, (larger(folder_.lanes, least_columns) + inner - 1) / inner);
        } else if (first_group_ < first_row_) {
            // Groups that are turned into columns must fill a vector.
            const index_t inner = groups_ / plan.extents[first_group_] * columns_;
            offer(first_group_, form_ == Form::short_ ? (folder_.lanes + inner - 1) / inner : 1);
        }
        return best;
    }
    Tile tile() const {
        if (form_ == Form::wide) {
            return {.first = first_row_,
                    .rows_from = first_row_,
                    .columns_from = first_column_,
                    .elements = longest_,
                    .group = longest_,
                    .columns = tile_columns_,
                    .serves = stands_still_,
                    .pieces = reads_pieces()};
        }
        const index_t group = tile_rows_ * columns_;
        return {.first = first_group_,
                .rows_from = first_row_,
                .columns_from = first_column_,
                .elements = tile_groups_ * group,
                .group = group,
                .columns = columns_,
                .flat = form_ == Form::flat};
    }
    /// How many rows, or vectors of rows, make one of about `wanted` parts that are joined as the
    /// rows themselves would be: sixteen times a power of two. 0 where all rows stay together.
    BROADLOOM_COLD index_t part_rows(index_t wanted) const {
        if (order_ != RowOrder::plain || groups_ > 1 ||
            kept_outside_.count + reduced_outside_.count > 0 || folder_.in_order() ||
            folder_.rows != nullptr || folder_.decided != nullptr) {
            return 0;
        }
        if (form_ == Form::wide ? tile_columns_ < columns_ : !by_vectors()) return 0;
        index_t part = 16;
        while (part * 2 * wanted <= part_units()) part *= 2;
        return part < part_units() ? part : 0;
    }
    /// Rows, or vectors of them, in all.
    index_t part_units() const { return form_ == Form::wide ? rows_ : rows_ / turns_; }
    index_t part_bytes() const { return form_ == Form::wide ? vector_bytes() : lanes_bytes(); }
    /// Accumulators in a part.
    index_t part_width() const {
        return form_ == Form::wide ? padded(columns_) : lanes_bytes() / folder_.accumulator_bytes;
    }

protected:
    /// True for flat runs whose rows become vectors before their lanes are joined.
    bool by_vectors() const {
        return form_ == Form::flat && folder_.turns != nullptr && folder_.decided == nullptr;
    }
    /// True when a tile takes parts of rows, in one loop of columns.
    bool parts_rows(index_t width) const {
        return width < columns_ && first_row_ < first_column_ &&
               first_column_ + 1 == reader_.plan().rank;
    }
    /// True when a tile takes parts of rows one by one, of several loops of columns.
    bool reads_pieces() const {
        return tile_columns_ < columns_ && !direct_ && !computed_ && !two_loops() &&
               !parts_rows(tile_columns_);
    }
    /// True when one loop of columns lies in one of rows.
    bool two_loops() const {
        return first_row_ + 1 == first_column_ && first_column_ + 1 == reader_.plan().rank;
    }
    /// For every group of a batch a stack of vectors, or two vectors and one stack for all.
    index_t vectors_bytes() const {
        if (form_ != Form::flat || folder_.turns == nullptr) return 0;
        const bool long_rows = by_vectors() && tile_rows_ < rows_;
        const index_t vectors =
            long_rows ? groups_at_once * heights() : 2 * groups_at_once + heights();
        return kernel::bytes_in_lines(vectors * lanes_bytes());
    }
    /// A vector of at most twice the lanes.
    index_t lanes_bytes() const { return Vectors(folder_, columns_).bytes; }
    index_t heights() const { return levels_for(rows_ / (16 * turns_)); }
    index_t tile_bytes() const {
        return in_panels_ ? 0 : kernel::bytes_in_lines(longest_ * reader_.bytes());
    }
    /// What is turned may be read up to a vector beyond its end.
    index_t turned_bytes() const {
        const index_t elements = form_ == Form::short_ ? longest_ + folder_.lanes : 0;
        return kernel::bytes_in_lines(elements * reader_.bytes());
    }
    /// A vector of the stack has a place for every lane, one of few short groups for all.
    index_t padded(index_t width) const {
        const index_t lanes = folder_.lanes;
        const bool pads = width > lanes || form_ == Form::short_;
        return folder_.pads && pads ? whole_lanes(folder_, width) : width;
    }
    index_t vector_bytes() const { return bytes_of_vector(folder_, padded(width_)); }
    index_t stack_bytes() const {
        return levels_ * vector_bytes() +
               lane_levels_ * (lanes_side_by_side_ ? lane_vector_bytes() : vector_bytes());
    }
    /// A vector of the lanes of all columns.
    index_t lane_vector_bytes() const { return bytes_of_vector(folder_, folder_.lanes * columns_); }

    Reader& reader_;
    const Folder& folder_;
    index_t longest_;  // elements in a tile
    RowOrder order_;
    index_t columns_ = 1, rows_ = 1, groups_ = 1;
    int first_column_, first_row_, first_group_;
    Form form_;
    bool direct_;             // read where they lie
    bool computed_;           // folded as they are computed
    bool in_panels_ = false;  // from packed panels
    bool stands_still_ = false;
    bool lanes_side_by_side_ = false;  // turned rows that follow one another in memory
    bool side_by_side_;                // accumulators come without padding
    Odometer kept_outside_, reduced_outside_;
    index_t tile_columns_ = 0, tile_rows_ = 0, tile_groups_ = 0, group_stride_ = 0;
    index_t least_groups_ = 1;  // in the last tile
    index_t turns_ = 1;         // rows in a vector
    Prefetched prefetched_ = Prefetched::nothing;
    index_t width_, levels_, lane_levels_ = 0;  // of the stack, and of one for every lane

private:
    Prefetched what_to_prefetch() const {
        const Streaming& policy = streaming();
        const Plan& plan = reader_.plan();
        double most = 0;  // bytes of an operand
        for (int i = 1; i < plan.count; ++i) {
            const double bytes = bytes_of(plan, i);
            if (most < bytes) most = bytes;
        }
        const auto pays = [&](index_t least) {
            return least > 0 && most >= static_cast<double>(least);
        };
        if (pays(policy.read_in_order)) return Prefetched::in_order;
        const bool flat = pays(policy.prefetched_flat);
        if (pays(policy.prefetched_pieces)) return flat ? Prefetched::all : Prefetched::pieces;
        return flat ? Prefetched::flat : Prefetched::nothing;
    }

    void choose_tiles() {
        const Plan& plan = reader_.plan();
        if (form_ == Form::wide) {
            direct_ = reader_.is_flat(first_column_) && first_column_ - first_row_ <= 1;
            in_panels_ = takes_panels(plan, folder_, order_) && rows_ * folder_.lanes <= longest_;
            stands_still_ = in_panels_ || (!direct_ && stands_still());
            computed_ = folder_.computed != nullptr && two_loops() && columns_ >= folder_.lanes;
            const bool in_place = direct_ || (computed_ && !packs_columns() && !in_panels_);
            const index_t widest = larger(widest_bytes / folder_.accumulator_bytes, 1);
            const index_t room = prefetched_ == Prefetched::nothing ? near_bytes : far_bytes;
            lanes_side_by_side_ = order_ == RowOrder::by_lanes && direct_ &&
                                  columns_ <= room / (folder_.lanes * folder_.accumulator_bytes) &&
                                  reader_.stride(first_row_) == columns_;
            tile_columns_ = in_place ? widest : longest_ / (stands_still_ ? rows_ : rows_of_tile());
            if (in_panels_) tile_columns_ -= tile_columns_ % folder_.lanes;
            if (tile_columns_ >= columns_) tile_columns_ = columns_;
            else if (tile_columns_ > 16)
                tile_columns_ -= tile_columns_ % (tile_columns_ > 64 ? 64 : 16);
            tile_rows_ = in_place ? rows_ : smaller(rows_, longest_ / tile_columns_);
            if (tile_rows_ < rows_) tile_rows_ -= tile_rows_ % 16;
            group_stride_ = 0;
            width_ = tile_columns_;
        } else if (form_ == Form::blocks) {
            const index_t size = rows_ * columns_;
            direct_ = reader_.is_flat(first_column_);
            computed_ = false;
            tile_rows_ = rows_;
            // What goes through a tile leaves room in the cache for operands.
            const index_t wanted =
                direct_ ? (index_t{16} << 10) / (size * reader_.bytes()) : longest_ / 2 / size;
            tile_groups_ = smaller(groups_, larger(wanted, 1));
            group_stride_ = plan.streams[1].strides[first_group_];
            width_ = tile_groups_ * columns_;
        } else {
            const bool even = reader_.is_flat(first_group_);
            direct_ = reader_.is_flat(first_row_) && (even || first_row_ - first_group_ <= 1);
            const index_t size = rows_ * columns_;
            computed_ = folder_.computed != nullptr && form_ == Form::flat && columns_ == 1 &&
                        reader_.in_place(first_row_);
            choose_groups(size);
            group_stride_ =
                even || first_group_ == first_row_ ? size : plan.streams[1].strides[first_group_];
            width_ = smaller(groups_, tile_groups_ + least_groups_ - 1) * columns_;
        }
        side_by_side_ = lanes_side_by_side_ || form_ == Form::flat || form_ == Form::blocks ||
                        (form_ == Form::short_ && folds_few(folder_, rows_, columns_) &&
                         (!direct_ || group_stride_ == rows_) && reduced_outside_.count == 0);
        // What the stack takes in: tiles or rows by sixteens, in every turn of the outer loops.
        index_t turns = order_ != RowOrder::plain ? folder_.lanes
                        : by_vectors()            ? 1
                        : form_ == Form::flat     ? (rows_ - 1) / tile_rows_ + 1
                                                  : (rows_ - 1) / 16 + 1;
        for (int d = 0; d < reduced_outside_.count; ++d) {
            turns *= plan.extents[reduced_outside_.loops[d]];
        }
        levels_ = folder_.in_order() ? 1 : levels_for(turns);
        if (order_ == RowOrder::by_lanes) lane_levels_ = 1 + levels_for(rows_ / folder_.lanes / 16);
    }
    /// At least so many rows of columns: where they are turned from memory, all of them, or about
    /// 64 of long ones, since what lies side by side is fetched together.
    index_t rows_of_tile() const {
        constexpr index_t few = 128, many = 64, block = 16;
        const Plan& plan = reader_.plan();
        bool turns = false;
        for (int i = 1; i < plan.count && reader_.calls(); ++i)
            turns = turns || turned_loop(plan, plan.streams[i]) == first_column_ - 1;
        if (!turns) return smaller(rows_, block);
        if (rows_ <= few) return rows_;
        const index_t tiles = (rows_ - 1) / many + 1, height = (rows_ - 1) / tiles + 1;
        return (height + block - 1) / block * block;
    }
    /// True for groups of few rows of many columns, one loop of each, whose results follow one
    /// another: all that lie in memory, and small ones of others.
    bool are_blocks() const {
        constexpr index_t small_bytes = 2048;
        return are_wide_blocks(folder_, groups_, rows_, columns_) &&
               first_row_ == first_group_ + 1 && first_column_ == first_row_ + 1 &&
               reduced_outside_.count == 0 &&
               reader_.plan().streams[0].strides[first_group_] == columns_ &&
               (reader_.is_flat(first_column_) ||
                rows_ * columns_ * reader_.bytes() <= small_bytes);
    }
    /// Groups of `size` elements that go side by side, and the rows of each that a tile takes.
    void choose_groups(index_t size) {
        // Half a tile leaves room in the cache for operands.
        index_t wanted = longest_ / 2 / size;
        tile_rows_ = smaller(rows_, longest_ / columns_);
        if (form_ == Form::flat) turns_ = Vectors(folder_, columns_).turns;
        if (by_vectors()) {
            if (direct_ || computed_) {
                tile_rows_ = rows_;
                if (wanted < groups_at_once) wanted = groups_at_once;
            } else if (tile_rows_ < rows_) {
                tile_rows_ -= tile_rows_ % (16 * turns_);
                // Groups whose elements share cache lines keep up with one another.
                if (groups_interleave()) {
                    tile_rows_ = 16 * turns_;
                    wanted = smaller(groups_at_once, longest_ / (tile_rows_ * columns_));
                }
            }
        }
        if (form_ == Form::short_) wanted = share_groups(wanted, size);
        tile_groups_ = smaller(groups_, wanted > 1 ? wanted : 1);
    }
    /// Groups that are turned into columns: whole vectors of them, of which the last tile has at
    /// least one. What is read where it lies may have a larger tile.
    index_t share_groups(index_t wanted, index_t size) {
        const index_t even = columns_ & -columns_;
        const index_t whole = folder_.lanes / smaller(folder_.lanes, even);
        least_groups_ = (folder_.lanes + columns_ - 1) / columns_;
        if (wanted >= whole) wanted -= wanted % whole;
        if (wanted < least_groups_) wanted = least_groups_;
        const index_t most = wanted + least_groups_ - 1;
        if (direct_ && longest_ < most * size) longest_ = most * size;
        if (most * size > longest_) least_groups_ = 1;
        return smaller(wanted, longest_ / size);
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
    /// True when what must be packed of the operands is the same for all turns of the loop around.
    bool stands_still() const {
        constexpr index_t least_columns = 64;
        if (kept_outside_.count == 0 || reduced_outside_.count > 0 || !two_loops() ||
            rows_ * least_columns > longest_) {
            return false;
        }
        return packs_columns() && serves(reader_.plan(), first_column_, first_row_ - 1);
    }
    bool packs_columns() const { return packs_along(reader_.plan(), first_column_); }
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_REDUCTION_TILING_HPP
