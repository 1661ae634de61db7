// What the loops of a fold read: rows of elements, in groups, that lie in memory or that a formula
// makes. `block` goes to some rows of a group, `part` to the i-th of several parts of them, from a
// column on, `down` to rows of it; `load` takes an element from there.
#ifndef BROADLOOM_KERNEL_ROWS_HPP
#define BROADLOOM_KERNEL_ROWS_HPP

#include "broadloom/kernel/cursor.hpp"

namespace broadloom::kernel::detail {

/// Rows that lie in memory.
template <class T>
class StoredRows {
public:
    BROADLOOM_INLINE StoredRows(const T* first, index_t stride, index_t group_stride = 0)
        : first_(first), at_(first), stride_(stride), group_stride_(group_stride) {}
    BROADLOOM_INLINE void next_group() { first_ += group_stride_; }
    BROADLOOM_INLINE void block(index_t row, index_t) { at_ = first_ + row * stride_; }
    BROADLOOM_INLINE StoredRows part(index_t, index_t column) const {
        StoredRows rows = *this;
        rows.at_ += column;
        return rows;
    }
    BROADLOOM_INLINE StoredRows down(index_t count) const { return part(0, count * stride_); }
    BROADLOOM_INLINE T load(index_t row, index_t column) const {
        return scalar::load(at_ + row * stride_ + column);
    }

private:
    const T *first_, *at_;
    index_t stride_, group_stride_;
};

/// Rows as a formula of type X makes them, constants spread over L elements.
template <class X, index_t L>
class ComputedRows {
public:
    using T = typename X::value_type;

    /// With `groups` a part is a group.
    BROADLOOM_INLINE ComputedRows(const X& formula, const Run* runs, bool groups)
        : cursor_(formula, runs), groups_(groups) {}
    BROADLOOM_INLINE void block(index_t row, index_t count) {
        cursor_.template block<L>(row, count);
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
    BROADLOOM_INLINE T load(index_t row, index_t column) const { return cursor_.at(row, column); }

private:
    Cursor<X> cursor_;
    bool groups_;
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_ROWS_HPP
