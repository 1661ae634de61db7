// How axes are named: counted from the front, or from the back if negative, by an integer of any
// type and by nothing else. Counts and shifts are such integers, too.
#ifndef BROADLOOM_CORE_AXIS_HPP
#define BROADLOOM_CORE_AXIS_HPP

#include <concepts>
#include <cstdint>

#include "broadloom/core/shape.hpp"

namespace broadloom {
namespace detail {

/// What C++ would turn into an integer without a word.
template <class N>
concept truth_or_real = std::same_as<N, bool> || std::floating_point<N>;

[[noreturn]] BROADLOOM_COLD inline void throw_beyond_index(std::int64_t value) {
    throw index_error(Sentence() << value << " is beyond any tensor");
}
[[noreturn]] BROADLOOM_COLD inline void throw_beyond_index(std::uint64_t value) {
    throw index_error(Sentence() << value
                                 << " is beyond any tensor: a negative number becomes so large if "
                                    "its type is unsigned");
}

/// What an index type holds of an integer of any type. Throws index_error.
template <place Int>
constexpr index_t to_integer(const Int& i) {
    const index_t index = to_place(i);
    if constexpr (std::unsigned_integral<Int>) {
        if (static_cast<std::uint64_t>(index) != i)
            throw_beyond_index(static_cast<std::uint64_t>(i));
    } else if constexpr (integer<Int> && sizeof(Int) > sizeof(index_t)) {
        if (index != i) throw_beyond_index(static_cast<std::int64_t>(i));
    }
    return index;
}

}  // namespace detail

/// A count or a shift as an argument, of any integer type. Not `{}`, a truth or a real number.
/// Throws index_error for what index_t does not hold, as `-k` of an unsigned k.
class Integer {
public:
    Integer() = delete;
    template <detail::truth_or_real N>
    constexpr Integer(N counts_and_shifts_are_integers) = delete;
    template <detail::place Int>
    constexpr Integer(const Int& value) : value_(detail::to_integer(value)) {}

    constexpr operator index_t() const noexcept { return value_; }

private:
    index_t value_;
};

/// One axis as an argument: `0`, `-1`. Not `{}`, a truth or a real number, which would be 0 or 1.
class Axis : public Integer {
public:
    Axis() = delete;
    template <detail::truth_or_real N>
    constexpr Axis(N an_axis_is_an_integer) = delete;
    template <detail::place Int>
    constexpr Axis(const Int& axis) : Integer(axis) {}
};

namespace detail {

/// True for a number that is in a list.
constexpr bool holds(const IndexList& list, index_t number) {
    for (const index_t listed : list) {
        if (listed == number) return true;
    }
    return false;
}

/// One number or several: `0`, `{0, -1}`, `{}` for none. Throws index_error for what index_t does
/// not hold.
class OneOrSeveral : public IndexList {
public:
    constexpr OneOrSeveral() = default;
    template <integer_index Int>
    constexpr OneOrSeveral(Int one) : IndexList{to_integer(one)} {}
    constexpr OneOrSeveral(const Axis& one) : IndexList{index_t{one}} {}
    constexpr OneOrSeveral(const IndexList& several) : IndexList(several) {}
    constexpr OneOrSeveral(std::initializer_list<Integer> several) {
        for (const index_t value : several) push_back(value);
    }
    template <integer_range R>
    constexpr OneOrSeveral(const R& several) {
        for (const auto value : several) push_back(to_integer(value));
    }
};

[[noreturn]] BROADLOOM_COLD inline void throw_axis(index_t axis, index_t rank) {
    throw index_error(Sentence() << "axis " << axis << " is out of bounds for a tensor of rank "
                                 << rank);
}
[[noreturn]] BROADLOOM_COLD inline void throw_duplicate_axis(const IndexList& axes, index_t rank) {
    throw index_error(Sentence() << "an axis is named twice in " << axes
                                 << ", for a tensor of rank " << rank);
}

/// The axis counted from the front: `normalize_axis(-1, 3) == 2`. Throws index_error.
constexpr index_t normalize_axis(index_t axis, index_t rank) {
    if (axis < -rank || axis >= rank) throw_axis(axis, rank);
    return axis < 0 ? axis + rank : axis;
}
/// The same where rank 0 counts as one dimension.
constexpr index_t normalize_axis_of_any(index_t axis, index_t rank) {
    return normalize_axis(axis, rank > 0 ? rank : 1);
}

/// True for the one axis that rank 0 lacks and that may be named all the same, 0 or -1, as in NumPy
/// and PyTorch.
constexpr bool is_axis_of_rank_0(const IndexList& axes, index_t rank) {
    return rank == 0 && axes.rank() == 1 && (axes[0] == 0 || axes[0] == -1);
}

/// All axes counted from the front, in the order given. Throws index_error if one is out of
/// range or named twice.
constexpr IndexList normalize_axes(const IndexList& axes, index_t rank) {
    IndexList result = axes;
    std::uint32_t seen = 0;
    for (index_t i = 0; i < axes.rank(); ++i) {
        result[i] = normalize_axis(axes[i], rank);
        const std::uint32_t bit = std::uint32_t{1} << result[i];
        if ((seen & bit) != 0) throw_duplicate_axis(axes, rank);
        seen |= bit;
    }
    return result;
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_CORE_AXIS_HPP
