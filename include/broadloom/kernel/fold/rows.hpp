// What the loops of a fold read: rows of elements, in groups, that lie in memory or that a formula
// makes. Blocks are numbered by sixteens up to an `end`; `block` goes to one and returns how many
// rows it has, at most 16, and `adds` tells whether one more follows them. `part` goes to the i-th
// of several parts of a block, from a column on, `down` to rows of it, which `fours` counts by
// four; `load` takes an element of the first four rows from there, and `[i]` the i-th one of a
// block whose rows of L follow one another, which are `flat<L>`; `flattens` tells whether such
// blocks are worth loops of their own, `stored` whether nothing is computed. `prefetch_block<L>`
// has the caches fetch a block of rows to come, of L elements, `prefetch_from<Count>(i)` Count
// elements of flat rows, from the i-th on; `read_in_order` does so by reading rows of some columns.
// Of rows in the caches `by_sixteen` tells whether they are better read sixteen at a time than
// four.
#ifndef BROADLOOM_KERNEL_FOLD_ROWS_HPP
#define BROADLOOM_KERNEL_FOLD_ROWS_HPP

#include "broadloom/kernel/elementwise/cursor.hpp"
#include "broadloom/kernel/fold/folder.hpp"

namespace broadloom::kernel::detail {

/// Rows that lie in memory.
template <class T>
class StoredRows {
public:
    static constexpr bool stored = true, flattens = true;

    BROADLOOM_INLINE StoredRows(const T* first, index_t stride, index_t group_stride = 0)
        : first_(first), at_(first), stride_(stride), group_stride_(group_stride) {}
    BROADLOOM_INLINE void next_group() { first_ += group_stride_; }
    BROADLOOM_INLINE static index_t end(index_t height) { return height; }
    BROADLOOM_INLINE index_t block(index_t row, index_t height) {
        at_ = first_ + row * stride_;
        return sixteen(row, height);
    }
    BROADLOOM_INLINE static constexpr bool adds() { return false; }
    BROADLOOM_INLINE bool by_sixteen() const { return !are_crowded(stride_ * index_t{sizeof(T)}); }
    template <index_t L>
    BROADLOOM_INLINE void prefetch_block() const {
        constexpr index_t bytes = sizeof(T);
        detail::prefetch_block<L * bytes>(at_, stride_ * bytes);
    }
    template <index_t Count>
    BROADLOOM_INLINE void prefetch_from(index_t i) const {
        constexpr index_t bytes = sizeof(T);
        detail::prefetch<Count * bytes>(at_, i * bytes);
    }
    BROADLOOM_INLINE void read_in_order(index_t rows, index_t columns) const {
        constexpr index_t bytes = sizeof(T);
        detail::read_in_order(at_, rows, columns * bytes, stride_ * bytes);
    }
    /// How many rows from one on are a block, if all follow one another.
    BROADLOOM_INLINE static index_t sixteen(index_t row, index_t height) {
        return height - row < 16 ? height - row : 16;
    }
    BROADLOOM_INLINE StoredRows part(index_t, index_t column) const {
        StoredRows rows = *this;
        rows.at_ += column;
        return rows;
    }
    BROADLOOM_INLINE StoredRows down(index_t count) const { return part(0, count * stride_); }
    BROADLOOM_INLINE StoredRows fours(index_t count) const { return down(4 * count); }
    BROADLOOM_INLINE T load(index_t row, index_t column) const {
        return scalar::load(at_ + row * stride_ + column);
    }
    template <index_t L>
    BROADLOOM_INLINE bool flat() const {
        return stride_ == L;
    }
    BROADLOOM_INLINE T operator[](index_t i) const { return scalar::load(at_ + i); }

private:
    const T *first_, *at_;
    index_t stride_, group_stride_;
};

/// Rows as a formula of type X makes them, constants spread over L elements. `by_lanes` they are
/// the elements of long rows, which vectors of L would hold: those of a lane are a block, or of
/// several lanes, the rest of a row is added last, and lanes come in the order in which halves of a
/// vector join.
template <class X, index_t L>
class ComputedRows {
public:
    using T = typename X::value_type;
    static constexpr bool stored = false;
    /// What takes more steps gains little, and where sizes differ much vectors of a row do better.
    static constexpr bool flattens = steps<X> < 5 && similar_sizes<X>;

    /// With `groups` a part is a group.
    BROADLOOM_INLINE ComputedRows(const X& formula, const Run* runs, bool groups, bool by_lanes)
        : cursor_(formula, runs), groups_(groups), by_lanes_(by_lanes) {}
    BROADLOOM_INLINE index_t end(index_t height) const {
        return !by_lanes_ ? height : in_eights(height) ? 2 * height : 16 * L;
    }
    BROADLOOM_INLINE index_t block(index_t row, index_t height) {
        if (!by_lanes_) {
            const index_t count = StoredRows<T>::sixteen(row, height);
            cursor_.template block<L>(row, count, every(1));
            return count;
        }
        const index_t count = height / L;
        if (in_eights(height)) {
            cursor_.template block<L>(eighth_row(row, height), 8, in_lanes(height));
            return 8;
        }
        const index_t lane = in_halves(row / 16, L);
        adds_ = lane < height % L;
        cursor_.template block<L>(lane, adds_ ? count + 1 : count, every(L));
        return count;
    }
    /// The same of whole eights of rows that lie in panels, as they are folded.
    BROADLOOM_INLINE index_t panel(index_t row, index_t height) {
        const index_t count = by_lanes_ ? 8 : StoredRows<T>::sixteen(row, height);
        cursor_.template panel<L>(by_lanes_ ? eighth_row(row, height) : row, count,
                                  by_lanes_ ? in_lanes(height) : every(1),
                                  by_lanes_ ? row / 2 : row);
        return count;
    }
    BROADLOOM_INLINE bool adds() const { return adds_; }
    BROADLOOM_INLINE static constexpr bool by_sixteen() { return false; }
    template <index_t>
    BROADLOOM_INLINE void prefetch_block() const {
        if (!by_lanes_) cursor_.template prefetch_block<L>();
    }
    template <index_t Count>
    BROADLOOM_INLINE void prefetch_from(index_t i) const {
        cursor_.template prefetch_from<Count>(i);
    }
    BROADLOOM_INLINE void read_in_order(index_t rows, index_t columns) const {
        if (!by_lanes_) cursor_.read_in_order(rows, columns);
    }
    BROADLOOM_INLINE void next_group() { cursor_.next_group(); }
    BROADLOOM_INLINE ComputedRows part(index_t i, index_t column) const {
        ComputedRows rows = *this;
        if (groups_) rows.cursor_.template group<L>(i);
        else rows.cursor_.skip(column);
        return rows;
    }
    BROADLOOM_INLINE ComputedRows skip(index_t columns) const {
        ComputedRows rows = *this;
        rows.cursor_.skip(columns);
        return rows;
    }
    BROADLOOM_INLINE ComputedRows down(index_t count) const {
        ComputedRows rows = *this;
        rows.cursor_.down(count);
        return rows;
    }
    BROADLOOM_INLINE ComputedRows fours(index_t count) const {
        ComputedRows rows = *this;
        rows.cursor_.fours(count);
        return rows;
    }
    BROADLOOM_INLINE T load(index_t row, index_t column) const { return cursor_.at(row, column); }
    template <index_t>
    BROADLOOM_INLINE bool flat() const {
        return !by_lanes_ && cursor_.flat(L);
    }
    BROADLOOM_INLINE T operator[](index_t i) const { return cursor_[i]; }

private:
    /// True where every lane has two or four rows: those of eight rows' lanes are then a balanced
    /// tree, and make one block.
    BROADLOOM_INLINE static bool in_eights(index_t height) {
        return height == 2 * L || height == 4 * L;
    }
    /// The first of eight such rows, and how they are spaced.
    BROADLOOM_INLINE static index_t eighth_row(index_t row, index_t height) {
        return in_halves(row / 16 * (height == 2 * L ? 4 : 2), L);
    }
    BROADLOOM_INLINE static Spacing in_lanes(index_t height) {
        return height == 2 * L ? Spacing{L, L / 2, L / 4} : Spacing{L, 2 * L, L / 2};
    }

    Cursor<X> cursor_;
    bool groups_, by_lanes_, adds_ = false;
};

/// Rows of L elements that follow one another, from element `first` on: the compiler knows how far
/// they lie apart, and reads them `in_order`, the first ones first.
template <class Rows, index_t L>
struct FlatRows {
    static constexpr bool in_order = true;
    const Rows& rows;
    index_t first;

    BROADLOOM_INLINE FlatRows down(index_t count) const { return {rows, first + count * L}; }
    BROADLOOM_INLINE auto load(index_t row, index_t column) const {
        return rows[first + row * L + column];
    }
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_ROWS_HPP
