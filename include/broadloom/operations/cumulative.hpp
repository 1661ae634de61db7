// Running sums and products. Integers and bool accumulate in 64 bits, as in a reduction; elements
// are taken one after the other, as NumPy does.
#ifndef BROADLOOM_OPERATIONS_CUMULATIVE_HPP
#define BROADLOOM_OPERATIONS_CUMULATIVE_HPP

#include "broadloom/kernel/scan.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

/// The running fold of all elements of x as those of a shape, along an axis; what lies row by row
/// is read in its place.
template <class F, class X>
auto scanned(F f, X&& x, const Shape& shape, index_t axis) {
    using A = accumulator_t<element_t<X>>;
    Tensor<A> result = broadloom::empty<A>(x.shape());
    if constexpr (operand_kind<X> != OperandKind::expression) {
        if (x.is_contiguous()) {
            kernel::scan(f, std::as_const(x).data(), result.data(), shape, axis);
            return result;
        }
    }
    detail::assign(result.view(), std::forward<X>(x));
    kernel::scan(f, result.data(), result.data(), shape, axis);
    return result;
}
template <class F, class X>
auto scanned(F f, X&& x, index_t axis) {
    const Shape shape = detail::at_least_1d(x.shape());
    return detail::scanned(f, std::forward<X>(x), shape, normalize_axis(axis, shape.rank()));
}
template <class F, class X>
auto scanned(F f, X&& x) {
    const Shape flat{x.size()};
    return detail::scanned(f, std::forward<X>(x), flat, 0).reshape(flat);
}

}  // namespace detail

/// The sum of every element and those before it along an axis; without an axis, of all elements in
/// row-major order, in one dimension. A single element of rank 0 lies along axis 0. Throws
/// index_error.
template <tensor_like X>
auto cumsum(X&& x, Axis axis) {
    return detail::scanned(scalar::add{}, std::forward<X>(x), axis);
}
template <tensor_like X>
auto cumsum(X&& x) {
    return detail::scanned(scalar::add{}, std::forward<X>(x));
}

/// The product of every element and those before it, likewise.
template <tensor_like X>
auto cumprod(X&& x, Axis axis) {
    return detail::scanned(scalar::multiply{}, std::forward<X>(x), axis);
}
template <tensor_like X>
auto cumprod(X&& x) {
    return detail::scanned(scalar::multiply{}, std::forward<X>(x));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_CUMULATIVE_HPP
