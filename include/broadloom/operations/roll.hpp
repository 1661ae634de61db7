// Elements moved around inside a tensor: roll (what leaves at one end comes in at the other),
// flip and quarter turns. Flips and turns are views, rolling copies.
#ifndef BROADLOOM_OPERATIONS_ROLL_HPP
#define BROADLOOM_OPERATIONS_ROLL_HPP

#include "broadloom/operations/join.hpp"
#include "broadloom/operations/repeat.hpp"

namespace broadloom {
namespace detail {

/// Copies blocks so that every dimension from `axis` on is turned by shifts[axis], which is not
/// negative and less than its extent.
template <class T>
void roll_into(const T* from, const Layout& source, T* to, const Layout& target,
               const IndexList& shifts, index_t axis) {
    while (axis < shifts.rank() && shifts[axis] == 0) ++axis;
    if (axis == shifts.rank()) {
        kernel::evaluate(TensorView<const T>(from, source), to + target.offset, target.shape,
                         target.strides);
        return;
    }
    const index_t shift = shifts[axis], rest = source.shape[axis] - shift;
    detail::roll_into(from, narrow(source, axis, 0, rest), to, narrow(target, axis, shift, rest),
                      shifts, axis + 1);
    detail::roll_into(from, narrow(source, axis, rest, shift), to, narrow(target, axis, 0, shift),
                      shifts, axis + 1);
}

template <class T>
Tensor<T> rolled(const TensorView<const T>& x, const IndexList& shifts) {
    Tensor<T> result = broadloom::empty<T>(x.shape());
    if (result.size() == 0) return result;
    detail::roll_into(x.data(), Layout{x.shape(), x.strides(), 0}, result.data(),
                      Layout{result.shape(), result.strides(), 0}, shifts, 0);
    return result;
}

/// A shift as one in [0, extent).
constexpr index_t wrap_shift(index_t shift, index_t extent) {
    if (extent == 0) return 0;
    const index_t rest = shift % extent;
    return rest < 0 ? rest + extent : rest;
}

}  // namespace detail

/// The elements moved by shifts[i] places along axes[i]; what leaves at the end comes in at the
/// front. Shifts along one axis add up; a single shift serves all axes, a single axis all shifts.
/// Throws shape_error where there are as many of neither, index_error for an axis.
template <tensor_like X>
auto roll(X&& x, const detail::OneOrSeveral& shifts, const detail::OneOrSeveral& axes) {
    using T = element_t<X>;
    const bool one_shift = shifts.rank() == 1, one_axis = axes.rank() == 1;
    if (shifts.rank() != axes.rank() && !one_shift && !one_axis) {
        throw shape_error(detail::Sentence()
                          << "roll takes as many shifts as axes: " << shifts << " and " << axes);
    }
    const Shape shape = x.shape();
    IndexList turns = IndexList::filled(shape.rank(), 0);
    IndexList named;
    for (const index_t axis : axes) named.push_back(detail::normalize_axis(axis, shape.rank()));
    for (index_t i = 0; i < (one_axis ? shifts.rank() : axes.rank()); ++i) {
        const index_t axis = named[one_axis ? 0 : i];
        const index_t turn = detail::wrap_shift(shifts[one_shift ? 0 : i], shape[axis]);
        // The sum of two, kept below the extent without overflow.
        const index_t room = shape[axis] - turn;
        turns[axis] = turns[axis] < room ? turns[axis] + turn : turns[axis] - room;
    }
    const auto kept = detail::in_memory(std::forward<X>(x));
    return detail::rolled<T>(kept.view(), turns);
}
/// The same for all elements in row-major order, across the ends of rows.
template <tensor_like X>
auto roll(X&& x, Integer shift) {
    using T = element_t<X>;
    const Shape shape = x.shape();
    const IndexList turn{detail::wrap_shift(shift, shape.size())};
    return detail::with_line(std::forward<X>(x), [&](const TensorView<const T>& line) {
        return detail::rolled<T>(line, turn).reshape(shape.extents());
    });
}

/// The named axes, or all, run backwards: a view, or the Tensor itself when it is about to die.
template <tensor_like X>
auto flip(X&& x, const detail::OneOrSeveral& axes) {
    return detail::relaid(std::forward<X>(x),
                          [&](const Layout& from) { return detail::flip(from, axes); });
}
template <tensor_like X>
auto flip(X&& x) {
    return detail::relaid(std::forward<X>(x),
                          [](const Layout& from) { return detail::flip(from); });
}

/// The plane of two axes turned by `quarters` times 90 degrees, from the first axis towards the
/// second: a view, or the Tensor itself when it is about to die. `rot90({{1, 2}, {3, 4}})` is
/// {{2, 4}, {1, 3}}. Throws value_error unless there are two axes, index_error when they are one.
template <tensor_like X>
auto rot90(X&& x, Integer quarters, const IndexList& axes) {
    if (axes.rank() != 2) {
        throw value_error(detail::Sentence() << "rot90 turns the plane of two axes, not " << axes);
    }
    const index_t turns = detail::wrap_shift(quarters, 4);
    return detail::relaid(std::forward<X>(x), [&](const Layout& from) {
        const IndexList plane = detail::normalize_axes(axes, from.shape.rank());
        Layout to = from;
        if (turns == 1 || turns == 2) to = detail::flip(to, IndexList{plane[1]});
        if (turns == 2) to = detail::flip(to, IndexList{plane[0]});
        if (turns == 1 || turns == 3) to = detail::swap_axes(to, plane[0], plane[1]);
        if (turns == 3) to = detail::flip(to, IndexList{plane[1]});
        return to;
    });
}
template <tensor_like X>
auto rot90(X&& x, Integer quarters = 1) {
    return broadloom::rot90(std::forward<X>(x), quarters, IndexList{0, 1});
}
template <tensor_like X, detail::integer_index A, detail::integer_index B>
auto rot90(X&& x, Integer quarters, A first, B second) {
    return broadloom::rot90(std::forward<X>(x), quarters,
                            IndexList{detail::to_index(first), detail::to_index(second)});
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_ROLL_HPP
