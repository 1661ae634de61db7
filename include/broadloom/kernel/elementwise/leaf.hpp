// Reading the leaves of a formula: a pointer or a number for each, as the loop wants it.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_LEAF_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_LEAF_HPP

#include "broadloom/kernel/elementwise/formula.hpp"
#include "broadloom/kernel/packing/register.hpp"
#include "broadloom/scalar/bits.hpp"

namespace broadloom::kernel {

/// How far the second, third and fifth row of a block lie from the first. The others lie as far as
/// these add up to, and fours of rows are all as far apart.
struct Spacing {
    index_t one, two, four;

    BROADLOOM_INLINE constexpr index_t of(index_t row) const {
        return (row & 1) * one + (row >> 1 & 1) * two + (row >> 2) * four;
    }
    BROADLOOM_INLINE friend constexpr Spacing operator*(const Spacing& s, index_t row) {
        return {s.one * row, s.two * row, s.four * row};
    }
};
/// Rows of which each lies as far behind the one before.
BROADLOOM_INLINE constexpr Spacing every(index_t step) { return {step, 2 * step, 4 * step}; }

/// How a formula is read inside the loop: the same tree, with a pointer at every leaf.
/// `place(r)` goes to row r and `next()` a step of its run on. `row<Length>(r)` spreads a constant
/// over Length elements there, and `advance()` goes as many on; `skip(i)` goes i elements on;
/// `prefetch<Length>()` has the caches fetch so many elements some way ahead; a `constant()` leaf
/// has no more than a block of elements, and rows are `flat(length)` where all of so many follow
/// one another; `usual<Form>(i, rare)` is element i by the
/// functions' usual forms, or by others where they have several, unless that marks a rare one;
/// `forms()` has a bit for each form that will do. A fold goes to rows by `block<Length>(r, count,
/// spacing)`, which spreads each row's constant over Length elements, from there `down` by rows or
/// `fours`, and from group to group, a `step` each, or to one `group<Length>(g)` with a constant of
/// its own; `at(r, i)` is element i of the r-th row from where it stands, one of four;
/// `panel<Length>(r, count, spacing, i)` spreads the constants of such rows for what else lies in
/// rows of Length that follow one another, from the i-th on;
/// `prefetch_block<Length>` has the caches fetch a block of rows to come, of Length elements, and
/// `prefetch_from<Count>(i)` Count elements from the i-th on.
/// `Held` tells, by a bit for every leaf, whose rows are constants, and is negative where only the
/// runs tell; such a cursor goes by `row` alone, and holds the constants in registers.
template <class X, int Held = -1>
class Cursor;

/// A leaf: a pointer into a flat run, or into the spread copies of a constant.
template <class T>
class Cursor<Variable<T>, -1> {
public:
    BROADLOOM_INLINE Cursor(const Variable<T>&, const Run*& run)
        : run_(run), base_(static_cast<const T*>(run->data)), at_(base_) {
        ++run;
    }
    BROADLOOM_INLINE void place(index_t r) {
        go(r);
        step_ = run_->step;  // kept here, since what is written could be the run for all GCC knows
    }
    template <index_t Length>
    BROADLOOM_INLINE void row(index_t r) {
        go(r);
        step_ = Length;
        if (!constant()) return;
        spread<Length>(room());
        at_ = room();
        step_ = 0;
    }
    BROADLOOM_INLINE void advance() { at_ += step_; }
    BROADLOOM_INLINE void next() { at_ += step_; }
    template <index_t Length>
    BROADLOOM_INLINE void prefetch() const {
        if (!constant()) detail::prefetch<Length * index_t{sizeof(T)}>(at_);
    }
    template <index_t Length>
    BROADLOOM_INLINE void prefetch_block() const {
        constexpr index_t bytes = sizeof(T);
        if (!constant()) detail::prefetch_block<Length * bytes>(at_, run_->row * bytes);
    }
    template <index_t Count>
    BROADLOOM_INLINE void prefetch_from(index_t i) const {
        constexpr index_t bytes = sizeof(T);
        detail::prefetch<Count * bytes>(at_, i * bytes);
    }
    BROADLOOM_INLINE void read_in_order(index_t rows, index_t columns) const {
        constexpr index_t bytes = sizeof(T);
        if (!constant()) detail::read_in_order(at_, rows, columns * bytes, run_->row * bytes);
    }
    BROADLOOM_INLINE void skip(index_t i) { at_ += constant() ? 0 : i; }
    BROADLOOM_INLINE bool constant() const { return run_->spread != nullptr; }
    BROADLOOM_INLINE index_t before() const { return run_->before; }
    BROADLOOM_INLINE bool flat(index_t length) const { return !constant() && run_->row == length; }
    BROADLOOM_INLINE T operator[](index_t i) const { return scalar::load(at_ + i); }
    template <unsigned>
    BROADLOOM_INLINE T usual(index_t i, scalar::math::Rare&) const {
        return (*this)[i];
    }
    BROADLOOM_INLINE unsigned forms() const { return 7; }

    template <index_t Length>
    BROADLOOM_INLINE void block(index_t r, index_t count, const Spacing& spacing) {
        go(r);
        down_ = spacing * run_->row;
        if (!constant()) return;
        const bool same = run_->row == 0;
        spread_rows<Length>(r, same ? 1 : count, down_);
        down_ = every(same ? 0 : Length);
    }
    template <index_t Length>
    BROADLOOM_INLINE void panel(index_t r, index_t count, const Spacing& spacing, index_t i) {
        at_ = base_ + i * Length;
        if (constant()) spread_rows<Length>(r, count, spacing * run_->row);
    }
    BROADLOOM_INLINE void down(index_t rows) { at_ += rows * down_.one; }
    BROADLOOM_INLINE void fours(index_t count) { at_ += count * down_.four; }
    BROADLOOM_INLINE void next_group() { base_ += run_->step; }
    template <index_t Length>
    BROADLOOM_INLINE void group(index_t g) {
        at_ = base_ + g * run_->step;
        if (!constant()) return;
        spread<Length>(room());
        at_ = room();
    }
    BROADLOOM_INLINE T at(index_t r, index_t i) const {
        return scalar::load(at_ + down_.of(r) + i);
    }

private:
    BROADLOOM_INLINE void go(index_t r) { at_ = base_ + r * run_->row; }
    BROADLOOM_INLINE T* room() const { return static_cast<T*>(run_->spread); }
    template <index_t Length>
    BROADLOOM_INLINE void spread_rows(index_t r, index_t count, const Spacing& down) {
        const T* const first = base_ + r * run_->row;
        BROADLOOM_ROLLED
        for (index_t k = 0; k < count; ++k) {
            at_ = first + down.of(k);
            spread<Length>(room() + k * Length);
        }
        at_ = room();
    }
    template <index_t Length>
    BROADLOOM_INLINE void spread(T* to) const {
        if constexpr (kind<T> == Kind::complex) {
            // As one word or two numbers, of which GCC makes registers.
            using Part =
                std::conditional_t<sizeof(T) == 8, std::uint64_t, broadloom::detail::real_t<T>>;
            constexpr std::size_t parts = sizeof(T) / sizeof(Part);
            Part value[parts];
            __builtin_memcpy(value, at_, sizeof value);
            auto* const place = reinterpret_cast<detail::Raw<Part>*>(to);
            for (std::size_t i = 0; i < std::size_t{Length}; ++i) {
                place[i * parts].value = value[0];
                place[i * parts + parts - 1].value = value[parts - 1];
            }
        } else {
            const T value = *at_;
            for (index_t i = 0; i < Length; ++i) to[i] = value;
        }
    }

    const Run* run_;
    const T* base_;
    const T* at_;
    index_t step_{};  // of an advance, or along the row
    Spacing down_{};  // from row to row of a block
};

/// A leaf whose rows lie flat, or are constants.
template <class T, int Held>
class Cursor<Variable<T>, Held> {
public:
    BROADLOOM_INLINE Cursor(const Variable<T>&, const Run*& run)
        : base_(static_cast<const T*>(run->data)), down_(run->row), row_(base_) {
        ++run;
    }
    template <index_t>
    BROADLOOM_INLINE void row(index_t r) {
        row_ = Row(base_ + r * down_);
    }
    BROADLOOM_INLINE bool constant() const { return Held != 0; }
    BROADLOOM_INLINE index_t before() const { return 0; }
    BROADLOOM_INLINE T operator[](index_t i) const {
        if constexpr (Held != 0) return row_.get();
        else return scalar::load(row_ + i);
    }
    template <unsigned>
    BROADLOOM_INLINE T usual(index_t i, scalar::math::Rare&) const {
        return (*this)[i];
    }
    BROADLOOM_INLINE unsigned forms() const { return 7; }

private:
    using Row = std::conditional_t<Held != 0, detail::Number<T>, const T*>;

    const T* base_;
    index_t down_;
    Row row_;
};

template <class T, int Held>
class Cursor<Scalar<T>, Held> {
public:
    BROADLOOM_INLINE Cursor(const Scalar<T>& scalar, const Run*&) : number_(scalar.value) {}
    BROADLOOM_INLINE void place(index_t) {}
    template <index_t>
    BROADLOOM_INLINE void row(index_t) {}
    BROADLOOM_INLINE void advance() {}
    BROADLOOM_INLINE void next() {}
    template <index_t>
    BROADLOOM_INLINE void prefetch() const {}
    template <index_t>
    BROADLOOM_INLINE void prefetch_block() const {}
    template <index_t>
    BROADLOOM_INLINE void prefetch_from(index_t) const {}
    BROADLOOM_INLINE void read_in_order(index_t, index_t) const {}
    BROADLOOM_INLINE void skip(index_t) {}
    BROADLOOM_INLINE bool flat(index_t) const { return true; }
    BROADLOOM_INLINE T operator[](index_t) const { return number_.get(); }
    template <unsigned>
    BROADLOOM_INLINE T usual(index_t, scalar::math::Rare&) const {
        return number_.get();
    }
    BROADLOOM_INLINE unsigned forms() const { return 7; }
    template <index_t Length>
    BROADLOOM_INLINE void block(index_t, index_t, const Spacing&) {}
    template <index_t Length>
    BROADLOOM_INLINE void panel(index_t, index_t, const Spacing&, index_t) {}
    BROADLOOM_INLINE void down(index_t) {}
    BROADLOOM_INLINE void fours(index_t) {}
    BROADLOOM_INLINE void next_group() {}
    template <index_t Length>
    BROADLOOM_INLINE void group(index_t) {}
    BROADLOOM_INLINE T at(index_t, index_t) const { return number_.get(); }

private:
    detail::Number<T> number_;
};

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_LEAF_HPP
