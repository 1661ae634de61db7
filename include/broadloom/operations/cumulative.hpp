// Running sums and products. Integers and bool accumulate in 64 bits, as in a reduction; elements
// are taken one after the other, as NumPy does.
#ifndef BROADLOOM_OPERATIONS_CUMULATIVE_HPP
#define BROADLOOM_OPERATIONS_CUMULATIVE_HPP

#include "broadloom/kernel/scan.hpp"
#include "broadloom/scalar/fold.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

template <class F, class X>
auto scanned(F f, X&& x, index_t axis) {
    using A = accumulator_t<element_t<X>>;
    const index_t along = normalize_axis(axis, x.shape().rank());
    Tensor<A> result = empty<A>(x.shape());
    assign(result.view(), std::forward<X>(x));
    kernel::scan(f, result.data(), result.shape(), along);
    return result;
}
template <class F, class X>
auto scanned(F f, X&& x) {
    using A = accumulator_t<element_t<X>>;
    Tensor<A> result = empty<A>(x.shape());
    assign(result.view(), std::forward<X>(x));
    const Shape flat{result.size()};
    kernel::scan(f, result.data(), flat, 0);
    return std::move(result).reshape(flat);
}

}  // namespace detail

/// The sum of every element and those before it along an axis; without an axis, of all elements in
/// row-major order, in one dimension. Throws index_error.
template <tensor_like X>
auto cumsum(X&& x, index_t axis) {
    return detail::scanned(scalar::add{}, std::forward<X>(x), axis);
}
template <tensor_like X>
auto cumsum(X&& x) {
    return detail::scanned(scalar::add{}, std::forward<X>(x));
}

/// The product of every element and those before it, likewise.
template <tensor_like X>
auto cumprod(X&& x, index_t axis) {
    return detail::scanned(scalar::multiply{}, std::forward<X>(x), axis);
}
template <tensor_like X>
auto cumprod(X&& x) {
    return detail::scanned(scalar::multiply{}, std::forward<X>(x));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_CUMULATIVE_HPP
