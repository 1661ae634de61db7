// Normalisation: softmax along an axis, and layer and batch normalisation. Rows of large or
// infinite elements do not overflow.
#ifndef BROADLOOM_OPERATIONS_NORMALIZE_HPP
#define BROADLOOM_OPERATIONS_NORMALIZE_HPP

#include "broadloom/operations/align.hpp"
#include "broadloom/operations/statistics.hpp"

namespace broadloom {
namespace detail {

/// The elements that a slab may have: what is made of it stays in the caches.
inline constexpr index_t slab_size = index_t{1} << 14;

/// Calls `f` with a function that cuts a tensor or a view of the shape down to a slab, for one slab
/// after the other, or several at once: some indices of the outermost axis that is not among
/// `axes`.
template <class F>
void for_each_slab(const Shape& shape, std::uint32_t axes, F&& f) {
    index_t axis = 0;
    while (axis < shape.rank() && (((axes >> axis) & 1) != 0 || shape[axis] == 1)) ++axis;
    if (axis == shape.rank()) return f([](auto& x) { return x.view(); });
    const index_t extent = shape[axis], each = shape.size() / extent;
    // Along the innermost axis runs that are worth their own tile.
    const index_t least = axis == shape.rank() - 1 ? 256 : 1;
    const index_t most = slab_size / each > least ? slab_size / each : least;
    const index_t slabs = (extent + most - 1) / most;
    // Of few slabs the operations on each may share themselves out.
    const index_t elements = slabs < num_threads() ? 0 : shape.size();
    const int threads = kernel::threads_for(elements, kernel::heavy);
    kernel::share_out(threads, slabs, [&](index_t slab, index_t last) {
        for (; slab < last; ++slab) {
            const index_t first = slab * most;
            const index_t count = extent - first < most ? extent - first : most;
            f([&](auto& x) {
                return x.laid(narrow(Layout{x.shape(), x.strides(), 0}, axis, first, count));
            });
        }
    });
}

/// A function of x, slab by slab: `f(slab, y, cut)` writes the result for a slab into y; what else
/// it reads `cut` makes fit. Where x lies in rows it is not copied; what is turned is read once.
template <class X, class F>
auto by_slabs(X&& x, std::uint32_t axes, F&& f) {
    using T = mean_t<element_t<X>>;
    const auto work = [&](const TensorView<const T>& from, Tensor<T>& y) {
        if (y.size() == 0) return;
        detail::for_each_slab(y.shape(), axes, [&](auto&& cut) { f(cut(from), cut(y), cut); });
    };
    if constexpr (operand_kind<X> != OperandKind::expression && !is_dying_tensor<X> &&
                  std::is_same_v<T, element_t<X>>) {
        if (x.rank() == 0 || x.strides()[x.rank() - 1] == 1) {
            Tensor<T> y = broadloom::empty<T>(x.shape());
            work(x.view(), y);
            return y;
        }
    }
    Tensor<T> y = std::forward<X>(x);
    work(std::as_const(y).view(), y);
    return y;
}
/// A function of the rows of x along an axis: `f(row, peak, y)` is given the largest element of
/// every row too.
template <class X, class F>
auto by_rows(X&& x, index_t axis, F&& f) {
    using T = mean_t<element_t<X>>;
    static_assert(kind<T> == Kind::floating, "softmax takes real elements");
    const Axes axes(axis);
    const std::uint32_t mask = axes.mask(x.shape().rank());
    return detail::by_slabs(std::forward<X>(x), mask, [&](const auto& row, auto y, const auto&) {
        const Tensor<T> peak = broadloom::max(row, axis, keepdims);  // {..., 1, ...}
        f(row, peak.broadcast_to(row.shape()), y);
    });
}

/// A parameter that can be looked at for the length of a call: an expression as a tensor of its
/// values, all else as it is.
template <class P>
decltype(auto) parameter(P&& p) {
    if constexpr (operand_kind<P> == OperandKind::expression) {
        return detail::in_memory(std::forward<P>(p));
    } else {
        return static_cast<const std::remove_cvref_t<P>&>(p);
    }
}

[[noreturn]] BROADLOOM_COLD inline void throw_channels(const Shape& parameter, const Shape& shape) {
    throw shape_error(Sentence() << "a parameter of shape " << parameter << " beside shape "
                                 << shape << ", which has " << shape[1] << " channels");
}
/// The same for a parameter of channels: (C,) lies on the channels of (N, C, ...), as in PyTorch.
template <class P>
auto laid_over_channels(const P& p, const Shape& shape) {
    if constexpr (tensor_like<P>) {
        if (p.rank() == 1 && shape.rank() > 2) {
            if (p.size() != 1 && p.size() != shape[1]) detail::throw_channels(p.shape(), shape);
            return broadloom::align(p, shape.rank(), 1).broadcast_to(shape);
        }
    }
    return detail::laid_over(p, shape);
}

/// True for a parameter whose elements are those of a tensor about to die, or may be those of one
/// that dies with an expression.
template <class X, class P>
bool lie_in(const std::remove_reference_t<X>& x, const P& parameter) {
    if constexpr (!tensor_like<P>) {
        return false;
    } else if constexpr (is_dying_tensor<X>) {
        return detail::overlaps(detail::footprint(x), detail::footprint(parameter));
    } else {
        return owns_tensor<mean_t<element_t<X>>, std::remove_cvref_t<X>>;
    }
}

/// 1 / sqrt(variance + eps), before it is laid over anything: a product takes less time than a
/// quotient, and few are inverted for many.
template <class T, class V>
Tensor<T> inverse_deviation(const V& variance, double eps) {
    const auto inverse = [eps](auto&& x) {
        return Tensor<T>(broadloom::reciprocal(
            broadloom::sqrt(std::forward<decltype(x)>(x) + static_cast<T>(eps))));
    };
    if constexpr (scalar_like<V>) return inverse(broadloom::full<T>({}, static_cast<T>(variance)));
    else return inverse(broadloom::cast<T>(variance));
}

/// A parameter over a slab.
template <class Cut, class P>
auto cut_by(const Cut& cut, const P& p) {
    if constexpr (scalar_like<P>) return p;
    else return cut(p);
}

/// (x - mean) / sqrt(var + eps) over some axes, and what `finish` makes of it.
template <class X, class F>
auto normalized(X&& x, const Axes& axes, double eps, const F& finish) {
    using T = mean_t<element_t<X>>;
    const std::uint32_t mask = axes.mask(x.shape().rank());
    return detail::by_slabs(
        std::forward<X>(x), mask, [&](const auto& slab, auto y, const auto& cut) {
            const Shape& shape = slab.shape();
            const auto center = detail::center(slab, axes);
            const Tensor<T> middle = broadloom::cast<T>(center);
            const Tensor<T> scale = detail::inverse_deviation<T>(
                detail::variance_about(center, slab, axes.kept(), 0, false), eps);
            y = finish((slab - middle.broadcast_to(shape)) * scale.broadcast_to(shape), cut);
        });
}

}  // namespace detail

/// exp(x) / sum(exp(x)) along an axis, the last if none is named. Integers are computed in double;
/// a row of minus infinities gives NaN. Throws index_error.
template <tensor_like X>
auto softmax(X&& x, Axis axis = -1) {
    return detail::by_rows(std::forward<X>(x), axis, [&](const auto& row, auto peak, auto y) {
        y = detail::exp_of_negative(row - peak);
        // The sum of a row is at least 1, so its inverse is good to a unit in the last place.
        Tensor<element_t<decltype(y)>> scale = broadloom::sum(y, axis, keepdims);  // {..., 1, ...}
        scale = broadloom::reciprocal(scale);
        y *= std::as_const(scale).broadcast_to(y.shape());
    });
}

/// log(softmax(x)) along an axis, without loss where softmax rounds to 0.
template <tensor_like X>
auto log_softmax(X&& x, Axis axis = -1) {
    return detail::by_rows(std::forward<X>(x), axis, [&](const auto& row, auto peak, auto y) {
        y = row - peak;
        Tensor<element_t<decltype(y)>> total =
            broadloom::sum(detail::exp_of_negative(y), axis, keepdims);
        total = broadloom::log(total);
        y -= std::as_const(total).broadcast_to(y.shape());
    });
}

/// (x - mean) / sqrt(var + eps) over the given axes, -1 for the last.
template <tensor_like X>
auto layer_norm(X&& x, const Axes& axes, double eps = 1e-5) {
    return detail::normalized(std::forward<X>(x), axes, eps,
                              [](auto&& z, const auto&) { return std::move(z); });
}
/// The same, times gamma plus beta, which broadcast to x. Throws shape_error if they do not.
template <tensor_like X, operand G, operand B>
auto layer_norm(X&& x, const Axes& axes, G&& gamma, B&& beta, double eps = 1e-5) {
    decltype(auto) scale = detail::parameter(std::forward<G>(gamma));
    decltype(auto) shift = detail::parameter(std::forward<B>(beta));
    const Shape shape = x.shape();
    const auto wide_scale = detail::laid_over(scale, shape);
    const auto wide_shift = detail::laid_over(shift, shape);
    const auto finish = [&](auto&& z, const auto& cut) {
        return std::move(z) * detail::cut_by(cut, wide_scale) + detail::cut_by(cut, wide_shift);
    };
    // What is computed in place of x must not be read any more.
    const bool apart = !detail::lie_in<X>(x, wide_scale) && !detail::lie_in<X>(x, wide_shift);
    return apart ? detail::normalized(std::forward<X>(x), axes, eps, finish)
                 : detail::normalized(detail::in_memory(std::forward<X>(x)), axes, eps, finish);
}
/// The same with gamma alone.
template <tensor_like X, tensor_like G>
auto layer_norm(X&& x, const Axes& axes, G&& gamma) {
    return broadloom::layer_norm(std::forward<X>(x), axes, std::forward<G>(gamma), 0);
}

namespace detail {

/// (x - mean) / sqrt(var + eps) with statistics of the caller, and what `finish` makes of it. All
/// is laid over x before that is moved.
template <class X, class M, class V, class F>
auto by_statistics(X&& x, M&& mean, V&& var, double eps, const F& finish) {
    using T = mean_t<element_t<X>>;
    decltype(auto) middle = detail::parameter(std::forward<M>(mean));
    decltype(auto) variance = detail::parameter(std::forward<V>(var));
    const Shape shape = x.shape();
    const Tensor<T> inverse = detail::inverse_deviation<T>(variance, eps);
    const auto wide_middle = detail::laid_over_channels(middle, shape);
    const auto wide_inverse = detail::laid_over_channels(inverse, shape);
    return Tensor<T>(finish((std::forward<X>(x) - wide_middle) * wide_inverse));
}

}  // namespace detail

/// (x - mean) / sqrt(var + eps) with statistics of the caller: of shape (C,) for the channels of x
/// of shape (N, C, ...), and of any other that broadcasts to x. Throws shape_error.
template <tensor_like X, operand M, operand V>
auto batch_norm(X&& x, M&& mean, V&& var, double eps = 1e-5) {
    return detail::by_statistics(std::forward<X>(x), std::forward<M>(mean), std::forward<V>(var),
                                 eps, [](auto&& z) { return std::move(z); });
}
/// The same, times gamma plus beta, which lie as the statistics do.
template <tensor_like X, operand M, operand V, operand G, operand B>
auto batch_norm(X&& x, M&& mean, V&& var, G&& gamma, B&& beta, double eps = 1e-5) {
    decltype(auto) scale = detail::parameter(std::forward<G>(gamma));
    decltype(auto) shift = detail::parameter(std::forward<B>(beta));
    const Shape shape = x.shape();
    const auto wide_scale = detail::laid_over_channels(scale, shape);
    const auto wide_shift = detail::laid_over_channels(shift, shape);
    return detail::by_statistics(std::forward<X>(x), std::forward<M>(mean), std::forward<V>(var),
                                 eps,
                                 [&](auto&& z) { return std::move(z) * wide_scale + wide_shift; });
}
/// The same with gamma alone.
template <tensor_like X, operand M, operand V, tensor_like G>
auto batch_norm(X&& x, M&& mean, V&& var, G&& gamma) {
    return broadloom::batch_norm(std::forward<X>(x), std::forward<M>(mean), std::forward<V>(var),
                                 std::forward<G>(gamma), 0);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_NORMALIZE_HPP
