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
        y -= peak;
    }
    return y;
}

}  // namespace detail

/// exp(x) / sum(exp(x)) along an axis. Integers are computed in double; a row of minus infinities
/// gives NaN. Throws index_error.
template <tensor_like X>
auto softmax(X&& x, index_t axis) {
    auto y = detail::below_peak(std::forward<X>(x), axis);
    y = exp(y);
    const auto total = sum(y, axis, keepdims);  // {..., 1, ...}
    y /= total;
    return y;
}

/// log(softmax(x)) along an axis, without loss where softmax rounds to 0.
template <tensor_like X>
auto log_softmax(X&& x, index_t axis) {
    auto y = detail::below_peak(std::forward<X>(x), axis);
    const auto total = sum(exp(y), axis, keepdims);  // {..., 1, ...}
    y -= log(total);
    return y;
}

/// (x - mean) / sqrt(var + eps) over the given axes, -1 for the last.
template <tensor_like X>
auto layer_norm(X&& x, const Axes& axes, double eps = 1e-5) {
    using T = mean_t<element_t<X>>;
    Tensor<T> y = std::forward<X>(x);
    const Tensor<T> middle = mean(y, axes, keepdims);  // extents of 1 along the axes
    const Tensor<T> spread = var(y, axes, keepdims);
    y = (y - middle) / sqrt(spread + static_cast<T>(eps));
    return y;
}
/// The same, times gamma plus beta, which broadcast to x.
template <tensor_like X, operand G, operand B>
auto layer_norm(X&& x, const Axes& axes, G&& gamma, B&& beta, double eps = 1e-5) {
    auto y = layer_norm(std::forward<X>(x), axes, eps);
    y = y * std::forward<G>(gamma) + std::forward<B>(beta);
    return y;
}

/// (x - mean) / sqrt(var + eps) * gamma + beta with statistics of the caller, which broadcast to
/// x; for [N, C, ...] give them the shape [C, 1, ...], or use align.
template <tensor_like X, operand M, operand V, operand G, operand B>
auto batch_norm(X&& x, M&& mean, V&& var, G&& gamma, B&& beta, double eps = 1e-5) {
    using T = mean_t<element_t<X>>;
    return Tensor<T>((std::forward<X>(x) - std::forward<M>(mean)) /
                         sqrt(std::forward<V>(var) + static_cast<T>(eps)) *
                         std::forward<G>(gamma) +
                     std::forward<B>(beta));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_NORMALIZE_HPP
