// Rows that are written past the caches: whole lines of these, by the loop itself or from lines
// aside, and what is left over at either end of a row, which shares a line with its neighbours.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_STREAM_ROWS_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_STREAM_ROWS_HPP

#include <cstdint>

#include "broadloom/kernel/elementwise/way.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// The streamed rows of one tile: every part of a row is a call of the loop.
class StreamedRows {
public:
    StreamedRows(const Walk& walk, index_t target_row, index_t rows, index_t length)
        : walk_(walk), pitch_(target_row), rows_(rows), length_(length) {
        const index_t line = line_bytes / bytes_;
        step_ = unit_ > line ? unit_ : line > 0 ? line : 1;
        // Short rows, which may be the same one again and again, are in the caches before long.
        constexpr index_t least_prefetched = 128;
        if (length >= least_prefetched && (walk.write == Write::prefetched || are_apart()))
            write_ = Write::prefetched;
    }

    void run(char* target) {
        const index_t row_bytes = pitch_ * bytes_;
        const bool aligned =
            before_line(target) == 0 && (rows_ == 1 || row_bytes % line_bytes == 0);
        if (aligned && length_ % step_ == 0 && walk_.code.light)
            return call(target, 0, 0, length_, write_, rows_);
        if (unit_ == 1) {
            for (index_t r = 0; r < rows_; ++r) run_once(target + r * row_bytes, r);
            return;
        }
        for (index_t r = 0; r < rows_; ++r) run_row(target + r * row_bytes, r);
    }

private:
    /// A row of the library's own functions, which may be computed twice.
    void run_row(char* row, index_t r) {
        const index_t head = before_line(row), rest = (length_ - head) % step_;
        if (!joins_) prefetch_ends(row + 2 * pitch_ * bytes_);
        if (head != 0) call(first_, r, 0, unit_);
        stream(row + head * bytes_, r, head, length_ - head - rest);
        if (rest != 0) call(end_, r, length_ - unit_, unit_);
        if ((held_ | head | rest) != 0) write_ends(row, r, head, rest);
    }
    /// Has the caches fetch the lines of which a row to come has a part: no store passes one that
    /// waits for its line.
    void prefetch_ends(const char* row) const {
        __builtin_prefetch(row, 1);
        __builtin_prefetch(row + length_ * bytes_ - 1, 1);
    }
    /// Writes what is left over at the ends of a row, whole lines together with its neighbours.
    BROADLOOM_NOINLINE void write_ends(char* row, index_t r, index_t head, index_t rest) {
        if (held_ != 0) {
            copy_part(shared_ + held_, first_, head * bytes_);
            detail::stream<Baseline>(row - held_, shared_, held_ + head * bytes_);
        } else if (head != 0) {
            copy_part(row, first_, head * bytes_);
        }
        const bool goes_on = joins_ && r + 1 < rows_;
        held_ = goes_on ? rest * bytes_ : 0;
        if (rest == 0) return;
        copy_part(goes_on ? shared_ : row + (length_ - rest) * bytes_,
                  end_ + (unit_ - rest) * bytes_, rest * bytes_);
    }
    /// A row of functions of the user, which are called once for each element, in order.
    void run_once(char* row, index_t r) {
        const bool streams = before_line(row) == 0;
        const index_t rest = streams ? length_ % step_ : length_;
        stream(row, r, 0, length_ - rest);
        if (rest != 0) call(row + (length_ - rest) * bytes_, r, length_ - rest, rest);
    }

    /// Computes whole lines from an element of a row on, and streams them.
    void stream(char* to, index_t r, index_t from, index_t count) {
        if (count == 0) return;
        if (walk_.code.light) return call(to, r, from, count, write_);
        const index_t fitting = most_aside / bytes_ / step_ * step_;
        for (; count > 0; from += fitting, count -= fitting, to += fitting * bytes_) {
            const index_t part = count < fitting ? count : fitting;
            if (write_ == Write::prefetched) prefetch_operands(r, from, part);
            call(lines_, r, from, part);
            detail::stream<Baseline>(to, lines_, part * bytes_);
        }
    }
    /// Calls the loop for elements of some rows. What is stored lies side by side.
    void call(char* to, index_t r, index_t from, index_t count, Write write = Write::cached,
              index_t rows = 1) {
        go_to(r, from);
        loop_for(walk_.code, walk_.level, count, write)(walk_.formula, to,
                                                        write == Write::cached ? count : pitch_,
                                                        walk_.runs, rows, count, write);
    }
    /// Has the runs begin at an element of a row.
    void go_to(index_t r, index_t from) {
        for (int i = 0; i < walk_.operands(); ++i) {
            Run& run = walk_.runs[i];
            const index_t on = run.spread != nullptr ? 0 : from - from_;
            run.data = static_cast<const char*>(run.data) +
                       ((r - row_) * run.row + on) * walk_.stream(i + 1).bytes;
            run.before = r;
        }
        row_ = r;
        from_ = from;
    }

    bool are_apart() const {
        for (int i = 0; i < walk_.operands(); ++i) {
            const Run& run = walk_.runs[i];
            if (run.spread == nullptr && run.row != 0 && run.row != length_) return true;
        }
        return false;
    }
    void prefetch_operands(index_t r, index_t from, index_t count) {
        constexpr index_t ahead = 2048;  // bytes
        go_to(r, from);
        for (int i = 0; i < walk_.operands(); ++i) {
            if (walk_.runs[i].spread != nullptr) continue;
            const index_t bytes = count * walk_.stream(i + 1).bytes;
            for (index_t at = 0; at < bytes; at += line_bytes)
                prefetch<line_bytes>(walk_.runs[i].data, ahead + at);
        }
    }
    /// How many elements go before the next cache line.
    index_t before_line(const char* row) const {
        const std::uintptr_t bytes = -reinterpret_cast<std::uintptr_t>(row) % line_bytes;
        return static_cast<index_t>(bytes) / bytes_;
    }

    static constexpr index_t most_aside = 2048;  // bytes: a unit of 64 elements of up to 32

    const Walk& walk_;
    const index_t bytes_ = walk_.stream(0).bytes, unit_ = walk_.code.unit;
    const index_t pitch_, rows_, length_;
    index_t step_;  // elements of whole units and whole lines
    Write write_ = Write::streamed;
    index_t row_ = 0, from_ = 0;            // where the runs begin
    const bool joins_ = pitch_ == length_;  // each row begins where the one before ends
    index_t held_ = 0;  // bytes, of what the row before has of lines that it shares
    alignas(64) char shared_[most_aside + line_bytes];
    alignas(64) char first_[most_aside], end_[most_aside], lines_[most_aside];
};

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_STREAM_ROWS_HPP
