// Normalisation: softmax along an axis, and layer and batch normalisation. Rows of large or
// infinite elements do not overflow.
#ifndef BROADLOOM_OPERATIONS_NORMALIZE_HPP
#define BROADLOOM_OPERATIONS_NORMALIZE_HPP

#include "broadloom/operations/statistics.hpp"

namespace broadloom {
namespace detail {

/// x minus its largest element along an axis, as a tensor whose exponentials are at most 1.
template <class X>
auto below_peak(X&& x, index_t axis) {
    using T = mean_t<element_t<X>>;
    static_assert(kind<T> == Kind::floating, "softmax takes real elements");
    normalize_axis(axis, x.shape().rank());
    Tensor<T> y = std::forward<X>(x);
    if (y.size() > 0) {
        const Tensor<T> peak = max(y, axis, keepdims);  // {..., 1, ...}
        y -= peak.broadcast_to(y.shape());
    }
    return y;
}

/// A parameter that can be looked at for the length of a call: an expression as a tensor of its
/// values, all else as it is.
template <class P>
decltype(auto) parameter(P&& p) {
    if constexpr (operand_kind<P> == OperandKind::expression) {
        return Tensor<element_t<P>>(std::forward<P>(p));
    } else {
        return static_cast<const std::remove_cvref_t<P>&>(p);
    }
}

/// A parameter as it stands beside elements of a shape, whatever contract is in force: a number,
/// or a view of that shape. Throws shape_error if it does not broadcast to it.
template <class P>
auto laid_over(const P& p, const Shape& shape) {
    if constexpr (scalar_like<P>)
        return p;
    else
        return p.broadcast_to(shape);
}

/// sqrt(variance + eps), before it is laid over anything.
template <class T, class V>
Tensor<T> deviation(const V& variance, double eps) {
    if constexpr (scalar_like<V>)
        return sqrt(full<T>({}, static_cast<T>(variance)) + static_cast<T>(eps));
    else
        return sqrt(cast<T>(variance) + static_cast<T>(eps));
}

}  // namespace detail

/// exp(x) / sum(exp(x)) along an axis. Integers are computed in double; a row of minus infinities
/// gives NaN. Throws index_error.
template <tensor_like X>
auto softmax(X&& x, index_t axis) {
    auto y = detail::below_peak(std::forward<X>(x), axis);
    y = exp(y);
    const auto total = sum(y, axis, keepdims);  // {..., 1, ...}
    y /= total.broadcast_to(y.shape());
    return y;
}

/// log(softmax(x)) along an axis, without loss where softmax rounds to 0.
template <tensor_like X>
auto log_softmax(X&& x, index_t axis) {
    auto y = detail::below_peak(std::forward<X>(x), axis);
    Tensor<element_t<decltype(y)>> total = sum(exp(y), axis, keepdims);  // {..., 1, ...}
    total = log(total);
    y -= std::as_const(total).broadcast_to(y.shape());
    return y;
}

/// (x - mean) / sqrt(var + eps) over the given axes, -1 for the last.
template <tensor_like X>
auto layer_norm(X&& x, const Axes& axes, double eps = 1e-5) {
    using T = mean_t<element_t<X>>;
    Tensor<T> y = std::forward<X>(x);
    const Tensor<T> middle = mean(y, axes, keepdims);  // extents of 1 along the axes
    const Tensor<T> spread = detail::deviation<T>(var(y, axes, keepdims), eps);
    y = (y - middle.broadcast_to(y.shape())) / spread.broadcast_to(y.shape());
    return y;
}
/// The same, times gamma plus beta, which broadcast to x. Throws shape_error if they do not.
template <tensor_like X, operand G, operand B>
auto layer_norm(X&& x, const Axes& axes, G&& gamma, B&& beta, double eps = 1e-5) {
    decltype(auto) scale = detail::parameter(std::forward<G>(gamma));
    decltype(auto) shift = detail::parameter(std::forward<B>(beta));
    const Shape shape = x.shape();
    const auto wide_scale = detail::laid_over(scale, shape);
    const auto wide_shift = detail::laid_over(shift, shape);
    auto y = layer_norm(std::forward<X>(x), axes, eps);
    y = y * wide_scale + wide_shift;
    return y;
}

/// (x - mean) / sqrt(var + eps) * gamma + beta with statistics of the caller, which broadcast to
/// x; for [N, C, ...] give them the shape [C, 1, ...], or use align. Throws shape_error if they do
/// not.
template <tensor_like X, operand M, operand V, operand G, operand B>
auto batch_norm(X&& x, M&& mean, V&& var, G&& gamma, B&& beta, double eps = 1e-5) {
    using T = mean_t<element_t<X>>;
    decltype(auto) middle = detail::parameter(std::forward<M>(mean));
    decltype(auto) variance = detail::parameter(std::forward<V>(var));
    decltype(auto) scale = detail::parameter(std::forward<G>(gamma));
    decltype(auto) shift = detail::parameter(std::forward<B>(beta));
    const Shape shape = x.shape();
    const Tensor<T> spread = detail::deviation<T>(variance, eps);
    return Tensor<T>((std::forward<X>(x) - detail::laid_over(middle, shape)) /
                         spread.broadcast_to(shape) * detail::laid_over(scale, shape) +
                     detail::laid_over(shift, shape));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_NORMALIZE_HPP
