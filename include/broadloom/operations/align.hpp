// Paddle's `axis`: the operand of lower rank is laid on the other's dimensions from a chosen axis
// on, instead of at the right. `align` is the general tool; the arithmetic takes it as a third
// argument.
#ifndef BROADLOOM_OPERATIONS_ALIGN_HPP
#define BROADLOOM_OPERATIONS_ALIGN_HPP

#include "broadloom/operations/arithmetic.hpp"

namespace broadloom {
namespace detail {

/// Where the dimensions of the operand of lower rank begin in the other, or -1 where the axis
/// does not matter because the shapes are equal. Throws shape_error for an axis that equal ranks
/// do not allow, or that leaves no room.
inline index_t axis_of_lower(const Shape& x, const Shape& y, index_t axis) {
    if (x == y) return -1;
    if (x.rank() == y.rank()) {
        if (axis != -1 && axis != 0) {
            throw shape_error(Sentence()
                              << "shapes " << x << " and " << y
                              << " have equal rank, which allows axis -1 and 0 only, not " << axis);
        }
        return -1;
    }
    const index_t gap = x.rank() > y.rank() ? x.rank() - y.rank() : y.rank() - x.rank();
    const index_t first = axis < 0 ? gap + axis + 1 : axis;
    if (first < 0) {
        throw shape_error(Sentence()
                          << "axis " << axis << " leaves no room for shapes " << x << " and " << y);
    }
    return first;
}

/// The operand itself, evaluated if it is an expression, in its new place.
template <class X>
auto aligned(X&& x, index_t rank, index_t axis) {
    return detail::relaid(std::forward<X>(x),
                          [&](const Layout& from) { return align(from, rank, axis); });
}

/// The shape of an operand in its new place.
inline Shape shape_at(const Shape& shape, index_t rank, index_t axis) {
    return align(Layout{shape, row_major(shape), 0}, rank, axis).shape;
}

/// Throws shape_error if operands clash in their new places.
inline void require_fit(const Shape& x, const Shape& y, const Shape& laid_x, const Shape& laid_y,
                        index_t axis) {
    const Shape* list[] = {&laid_x, &laid_y};
    const Shapes laid{list, 2};
    IndexList common;
    if (fits(laid, common)) return;
    Sentence out;
    out << "shapes " << x << " and " << y << " do not fit at axis " << axis << ": ";
    write_mismatch(out, laid, fits);
    throw shape_error(out);
}

template <class F, class X, class Y>
    requires(tensor_like<X> && tensor_like<Y>)
auto at_axis(F f, X&& x, Y&& y, index_t axis) {
    // Both branches must give one type, so that the operands are views or owned either way.
    const index_t rank = x.rank() > y.rank() ? x.rank() : y.rank();
    const index_t first = detail::axis_of_lower(x.shape(), y.shape(), axis);
    const bool lay_x = first >= 0 && x.rank() < y.rank(), lay_y = first >= 0 && y.rank() < x.rank();
    const index_t x_rank = lay_x ? rank : x.rank(), y_rank = lay_y ? rank : y.rank();
    const index_t x_axis = lay_x ? first : 0, y_axis = lay_y ? first : 0;
    // All is checked before anything is taken over.
    const Shape laid_x = detail::shape_at(x.shape(), x_rank, x_axis);
    const Shape laid_y = detail::shape_at(y.shape(), y_rank, y_axis);
    if (lay_x || lay_y) {
        detail::require_fit(x.shape(), y.shape(), laid_x, laid_y, axis);
    } else {
        with_listed(resolve_quietly, laid_x, laid_y);
    }
    return f(detail::aligned(std::forward<X>(x), x_rank, x_axis),
             detail::aligned(std::forward<Y>(y), y_rank, y_axis));
}
/// A number is laid where rank 0 would be, which throws as that does, and stays a number.
template <class F, class X, class Y>
    requires(!tensor_like<X> || !tensor_like<Y>)
auto at_axis(F f, X&& x, Y&& y, index_t axis) {
    const Shape shape = detail::common_shape(x, y);
    const index_t first = axis_of_lower(shape, Shape{}, axis);
    if (first >= 0) align(Layout{}, shape.rank(), first);
    return f(std::forward<X>(x), std::forward<Y>(y));
}

}  // namespace detail

/// A view of `y` in `rank` dimensions, its own from `axis` on and 1 elsewhere; trailing 1s are
/// trimmed where there is no room for them. (4, 5) at axis 1 of rank 4 is (1, 4, 5, 1). A negative
/// axis is where the last dimension comes to lie: -1 at the right. Throws shape_error.
template <class Y>
    requires tensor_like<Y>
auto align(Y&& y, Integer rank, Axis axis = -1) {
    const bool from_right = axis < 0 && rank >= 0 && axis >= -rank;
    const index_t first = from_right ? rank - y.rank() + axis + 1 : index_t{axis};
    return detail::aligned(std::forward<Y>(y), rank, first);
}

/// Declares `NAME(x, y, axis)`: NAME of two operands, the one of lower rank laid on the other's
/// dimensions from `axis` on. Throws shape_error.
#define BROADLOOM_AT_AXIS(NAME)                                                            \
    template <class X, class Y>                                                            \
        requires operands<X, Y>                                                            \
    auto NAME(X&& x, Y&& y, Axis axis) {                                                   \
        return detail::at_axis(                                                            \
            [](auto&& a, auto&& b) {                                                       \
                return broadloom::NAME(std::forward<decltype(a)>(a),                       \
                                       std::forward<decltype(b)>(b));                      \
            },                                                                             \
            detail::viewed(std::forward<X>(x)), detail::viewed(std::forward<Y>(y)), axis); \
    }

BROADLOOM_AT_AXIS(add)
BROADLOOM_AT_AXIS(subtract)
BROADLOOM_AT_AXIS(multiply)
BROADLOOM_AT_AXIS(divide)
BROADLOOM_AT_AXIS(floor_divide)
BROADLOOM_AT_AXIS(mod)
BROADLOOM_AT_AXIS(pow)
BROADLOOM_AT_AXIS(maximum)
BROADLOOM_AT_AXIS(minimum)

#undef BROADLOOM_AT_AXIS

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_ALIGN_HPP
