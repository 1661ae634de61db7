// Running sums, products and extremes, and differences of neighbours. In sums and products integers
// and bool accumulate in 64 bits, as in a reduction; elements are taken one after the other, as
// NumPy does.
#ifndef BROADLOOM_OPERATIONS_CUMULATIVE_HPP
#define BROADLOOM_OPERATIONS_CUMULATIVE_HPP

#include "broadloom/kernel/scan.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

/// The running fold, in A, of all elements of x as those of a shape, along an axis; what lies row
/// by row is read in its place.
template <class A, class F, class X>
Tensor<A> scanned(F f, X&& x, const Shape& shape, index_t axis) {
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
template <class A, class F, class X>
Tensor<A> scanned(F f, X&& x, index_t axis) {
    const Shape shape = detail::at_least_1d(x.shape());
    return detail::scanned<A>(f, std::forward<X>(x), shape, normalize_axis(axis, shape.rank()));
}
template <class A, class F, class X>
Tensor<A> scanned(F f, X&& x) {
    const Shape flat{x.size()};
    return detail::scanned<A>(f, std::forward<X>(x), flat, 0).reshape(flat);
}

}  // namespace detail

/// Declares `NAME(x, axis)` and `NAME(x)`, the running FUNCTION of elements of an X, in type A.
#define BROADLOOM_RUNNING(NAME, FUNCTION, A)                           \
    template <tensor_like X>                                           \
    auto NAME(X&& x, Axis axis) {                                      \
        return detail::scanned<A>(FUNCTION, std::forward<X>(x), axis); \
    }                                                                  \
    template <tensor_like X>                                           \
    auto NAME(X&& x) {                                                 \
        return detail::scanned<A>(FUNCTION, std::forward<X>(x));       \
    }

/// The sum of every element and those before it along an axis; without an axis, of all elements in
/// row-major order, in one dimension. A single element of rank 0 lies along axis 0. Throws
/// index_error.
BROADLOOM_RUNNING(cumsum, scalar::add{}, accumulator_t<element_t<X>>)
/// The product of every element and those before it, likewise.
BROADLOOM_RUNNING(cumprod, scalar::multiply{}, accumulator_t<element_t<X>>)
/// The largest of every element and those before it, likewise; NaN from the first NaN on.
BROADLOOM_RUNNING(cummax, scalar::maximum{}, element_t<X>)
/// The smallest of every element and those before it, likewise.
BROADLOOM_RUNNING(cummin, scalar::minimum{}, element_t<X>)

#undef BROADLOOM_RUNNING

/// Every element but the first along an axis, less the one before it; of truths, whether they
/// differ. What has no neighbours has no differences. Throws index_error.
template <tensor_like X>
auto diff(X&& x, Axis axis = -1) {
    using T = element_t<X>;
    const auto kept = detail::in_memory(std::forward<X>(x));
    const index_t along = detail::normalize_axis(axis, kept.rank());
    const Layout whole{kept.shape(), kept.strides(), 0};
    const index_t extent = whole.shape[along], count = extent > 0 ? extent - 1 : 0;
    const auto after = kept.laid(detail::narrow(whole, along, extent - count, count));
    const auto before = kept.laid(detail::narrow(whole, along, 0, count));
    if constexpr (std::is_same_v<T, bool>) return Tensor<T>(after != before);
    else return Tensor(after - before);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_CUMULATIVE_HPP
