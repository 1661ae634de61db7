// The index words and what they do to a layout: `x(all, range(0, {}, 2), newaxis, ellipsis, -1)`.
// Ranges clamp as Python's do; single indices do not. A map from layout to layout.
#ifndef BROADLOOM_CORE_SLICE_HPP
#define BROADLOOM_CORE_SLICE_HPP

#include <concepts>
#include <limits>
#include <optional>

#include "broadloom/core/axis.hpp"
#include "broadloom/core/strides.hpp"

namespace broadloom {

/// Every index of one dimension.
struct All {};
inline constexpr All all{};

/// A new dimension of extent 1.
struct NewAxis {};
inline constexpr NewAxis newaxis{};

/// As many `all` as are missing.
struct Ellipsis {};
inline constexpr Ellipsis ellipsis{};

/// Indices from start up to but not including stop, `step` apart, as Python's slice; made by
/// `range`.
struct Range {
    std::optional<index_t> start, stop;
    index_t step = 1;
};

/// An end of a range as an argument: an integer of any type, or `{}` for none. Of what index_t does
/// not hold, the largest number of its type is behind all elements, as std::string::npos, and all
/// else an index_error.
class RangeEnd {
public:
    constexpr RangeEnd(std::nullopt_t = std::nullopt) {}
    template <detail::truth_or_real N>
    constexpr RangeEnd(N the_ends_of_a_range_are_integers) = delete;
    template <detail::place Int>
    constexpr RangeEnd(const Int& end) : end_(to_end(end)) {}
    template <detail::integer_index Int>
    constexpr RangeEnd(const std::optional<Int>& end) {
        if (end) end_ = to_end(*end);
    }

    constexpr operator std::optional<index_t>() const noexcept { return end_; }

private:
    template <class Int>
    static constexpr index_t to_end(const Int& end) {
        if constexpr (std::unsigned_integral<Int> && sizeof(Int) >= sizeof(index_t)) {
            if (end == std::numeric_limits<Int>::max()) return detail::to_index(end);
        }
        return detail::to_integer(end);
    }

    std::optional<index_t> end_;
};

/// `range(1, 5)`, `range(1, {})` to the end, `range({}, {}, -1)` backwards; negative ends count
/// from the back.
constexpr Range range(RangeEnd start, RangeEnd stop, Integer step = 1) {
    return Range{start, stop, step};
}
/// The first `stop` indices.
constexpr Range range(Integer stop) { return Range{{}, stop, 1}; }

namespace detail {

/// One word of an index, its type forgotten.
struct Word {
    enum Kind { index, range, all, newaxis, ellipsis };

    constexpr Word() : kind(all) {}
    template <integer_index Int>
    constexpr Word(Int i) : kind(index), range_{to_index(i), {}, 1} {}
    constexpr Word(const Range& r) : kind(range), range_(r) {}
    constexpr Word(All) : kind(all) {}
    constexpr Word(NewAxis) : kind(newaxis) {}
    constexpr Word(Ellipsis) : kind(ellipsis) {}

    Kind kind;
    Range range_;
};

template <class T>
concept slice_word = std::convertible_to<T, Word>;
/// A word alone, which may also be what converts to an index.
template <class T>
concept first_word = slice_word<T> || place<T>;
template <first_word W>
constexpr Word word_of(const W& word) {
    if constexpr (slice_word<W>) return word;
    else return Word(to_place(word));
}

[[noreturn]] BROADLOOM_COLD inline void throw_index(index_t index, index_t axis, index_t extent,
                                                    const char* remedy = "") {
    throw index_error(Sentence() << "index " << index << " is out of bounds for axis " << axis
                                 << " with size " << extent << remedy);
}
[[noreturn]] BROADLOOM_COLD inline void throw_index_count(index_t count, index_t rank) {
    throw index_error(Sentence() << count << (count == 1 ? " index" : " indices")
                                 << " for a tensor of rank " << rank
                                 << (count < rank ? ": parts of it are x[i] and x(i, all)" : ""));
}
[[noreturn]] BROADLOOM_COLD inline void throw_step() {
    throw value_error("slice step cannot be zero");
}
[[noreturn]] BROADLOOM_COLD inline void throw_two_ellipses() {
    throw index_error("an index can hold one ellipsis");
}

/// The index counted from the front. Throws index_error.
constexpr index_t normalize_index(index_t index, index_t axis, index_t extent) {
    if (index < -extent || index >= extent) throw_index(index, axis, extent);
    return index < 0 ? index + extent : index;
}
/// The offset of an element whose indices may count from the back. Throws index_error unless there
/// is one for every dimension.
constexpr index_t checked_offset(const Shape& shape, const Strides& strides, const index_t* index,
                                 index_t count) {
    if (count != shape.rank()) throw_index_count(count, shape.rank());
    index_t offset = 0;
    for (index_t d = 0; d < count; ++d)
        offset += normalize_index(index[d], d, shape[d]) * strides[d];
    return offset;
}

/// Where a range starts in a dimension, and how many indices it takes: Python's slice.indices.
struct Taken {
    index_t start, count, step;
};
constexpr Taken take(const Range& range, index_t extent) {
    index_t step = range.step;
    if (step == 0) throw_step();
    if (step < -largest_index) step = -largest_index;
    const index_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
    const auto clamp = [&](index_t i) {
        if (i < 0) i += extent;
        return i < low ? low : i > high ? high : i;
    };
    const index_t start = range.start ? clamp(*range.start) : step > 0 ? low : high;
    const index_t stop = range.stop ? clamp(*range.stop) : step > 0 ? high : low;
    index_t count = 0;
    if (step > 0 && start < stop) count = (stop - start - 1) / step + 1;
    if (step < 0 && stop < start) count = (start - stop - 1) / -step + 1;
    return Taken{count > 0 ? start : 0, count, step};
}

/// The layout that a list of words selects. Throws index_error for an index out of range or too
/// many of them, value_error for a step of 0.
constexpr Layout slice(const Layout& from, const Word* words, index_t count) {
    index_t used = 0, ellipses = 0;
    for (index_t i = 0; i < count; ++i) {
        if (words[i].kind == Word::ellipsis) ++ellipses;
        else if (words[i].kind != Word::newaxis) ++used;
    }
    const index_t rank = from.shape.rank();
    if (ellipses > 1) throw_two_ellipses();
    if (used > rank) throw_index_count(used, rank);

    IndexList extents;
    Strides strides;
    index_t offset = from.offset, axis = 0;
    const auto keep = [&](index_t dimensions) {
        for (; dimensions > 0; --dimensions, ++axis) {
            extents.push_back(from.shape[axis]);
            strides.push_back(from.strides[axis]);
        }
    };
    for (index_t i = 0; i < count; ++i) {
        const Word& word = words[i];
        switch (word.kind) {
            case Word::index: {
                const index_t at = normalize_index(*word.range_.start, axis, from.shape[axis]);
                offset += at * from.strides[axis];
                ++axis;
                break;
            }
            case Word::range: {
                const Taken taken = take(word.range_, from.shape[axis]);
                offset += taken.start * from.strides[axis];
                extents.push_back(taken.count);
                // With fewer than two indices the step is never taken, and may not be computable.
                strides.push_back(taken.count > 1 ? taken.step * from.strides[axis]
                                                  : from.strides[axis]);
                ++axis;
                break;
            }
            case Word::all: keep(1); break;
            case Word::newaxis:
                extents.push_back(1);
                strides.push_back(0);
                break;
            case Word::ellipsis: keep(rank - used); break;
        }
    }
    keep(rank - axis);
    Layout to{Shape(extents), strides, offset};
    if (to.shape.size() == 0) to.offset = from.offset;
    return to;
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_CORE_SLICE_HPP
