// Variance, standard deviation, vector norms and the logarithm of a sum of exponentials. The
// distance from the mean is taken element by element, in double or wider, and exponentials never
// overflow; squares and powers of a norm may, as in NumPy.
#ifndef BROADLOOM_OPERATIONS_STATISTICS_HPP
#define BROADLOOM_OPERATIONS_STATISTICS_HPP

#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"

namespace broadloom {

/// What a variance takes off the number of elements before it divides: `var(x, 0, ddof(1))`.
class ddof {
public:
    explicit constexpr ddof(double value) : value_(value) {}
    constexpr double value() const { return value_; }

private:
    double value_;
};

/// The order of a norm: `norm(x, 0, ord(1))`; infinity gives the largest size, 0 counts.
class ord {
public:
    explicit constexpr ord(double value) : value_(value) {}
    constexpr double value() const { return value_; }

private:
    double value_;
};

namespace detail {

/// The type in which distances from a mean are taken: at least double.
template <class T>
using wide_t = promote_t<mean_t<T>, double>;

/// False for expressions with a function that may answer differently the second time: one of the
/// user that changes, or that looks at what may change.
template <class F>
inline constexpr bool answers_alike = true;
template <class F>
inline constexpr bool answers_alike<UserFunction<F>> = std::is_empty_v<F>;
template <class X>
inline constexpr bool repeatable = true;
template <class F, class... X>
inline constexpr bool repeatable<Expression<F, X...>> =
    answers_alike<F> && std::is_invocable_v<const F&, const typename X::value_type&...> &&
    (repeatable<X> && ...);

/// An operand held so that it can be read twice: as it is, or as a tensor of its values.
template <class X>
auto hold_twice(X&& x) {
    if constexpr (operand_kind<X> == OperandKind::tensor && std::is_lvalue_reference_v<X>) {
        return std::as_const(x).view();
    } else {
        auto held = detail::hold(std::forward<X>(x));
        if constexpr (repeatable<decltype(held)>) return held;
        else return Tensor<element_t<X>>(std::move(held));
    }
}

/// What is read of an operand that is held.
template <class X>
const X& readable(const X& x) {
    return x;
}
template <class T>
TensorView<const T> readable(const Tensor<T>& x) {
    return x.view();
}

/// The mean of an operand that is held, over axes that keep an extent of 1.
template <class X>
auto center(const X& held, const Axes& axes) {
    using M = wide_t<element_t<X>>;
    const Reduced to = detail::reduced(held.shape(), axes.kept());
    return Tensor<M>(
        detail::fold_into(MeanAs<M>{}.of(to.count), detail::readable(held), to, NotANumber{}));
}

/// The variance about a `center`, or its root.
template <class X, class M>
auto variance_about(const Tensor<M>& middle, X held, const Axes& axes, double off, bool root) {
    using W = real_t<M>;
    const Shape shape = held.shape();
    const Reduced to = reduced(shape, axes);
    const double left = static_cast<double>(to.count) - off;
    const scalar::fold::variance<real_t<mean_t<element_t<X>>>, W> fold{
        static_cast<W>(left > 0 ? left : 0), root};
    const auto squares = detail::make_expression(scalar::fold::square_distance{}, std::move(held),
                                                 middle.broadcast_to(shape));
    return detail::fold_into(fold, squares, to, NotANumber{});
}

template <class X>
auto variance(X&& x, const Axes& axes, double off, bool root) {
    (void)axes.mask(x.shape().rank());  // before x is moved
    auto held = detail::hold_twice(std::forward<X>(x));
    const auto middle = detail::center(held, axes);
    return detail::variance_about(middle, std::move(held), axes, off, root);
}

template <class X>
auto logsumexp(X&& x, const Axes& axes) {
    using T = mean_t<element_t<X>>;
    static_assert(kind<T> == Kind::floating, "logsumexp takes real elements");
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const Shape shape = x.shape();
    const Reduced to = reduced(shape, axes);
    auto held = detail::hold_twice(std::forward<X>(x));
    if (shape.size() == 0) return broadloom::full<T>(to.result, -infinity);
    Tensor<T> peak = detail::fold_into(scalar::fold::largest{}, detail::readable(held),
                                       reduced(shape, axes.kept()), Constant<0>{});
    // Infinite peaks stand for themselves.
    peak = broadloom::where(broadloom::isfinite(peak), peak, T(0));
    Tensor<T> total = detail::fold_into(scalar::fold::sum{},
                                        broadloom::exp(broadloom::cast<T>(std::move(held)) -
                                                       std::as_const(peak).broadcast_to(shape)),
                                        to, Constant<0>{});
    total = broadloom::log(total) + peak.reshape(to.result);
    return total;
}

/// The norm of an order other than 2.
template <class X>
auto norm_of_order(X&& x, const Axes& axes, double p) {
    using R = real_t<mean_t<element_t<X>>>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto sizes = [](auto&& y) {
        if constexpr (kind<element_t<X>> == Kind::complex)
            return broadloom::abs(std::forward<X>(y));
        else return broadloom::abs(broadloom::cast<R>(std::forward<X>(y)));
    };
    // Before x is moved.
    if (detail::reduced(x.shape(), axes).count == 0 && (p == infinity || p == -infinity))
        (void)detail::value_of<R>(detail::Refused{"norm"}, x.shape());
    auto size = sizes(std::forward<X>(x));
    if (p == infinity) return Tensor<R>(broadloom::max(std::move(size), axes));
    if (p == -infinity) return Tensor<R>(broadloom::min(std::move(size), axes));
    if (p == 0)
        return Tensor<R>(broadloom::cast<R>(broadloom::count_nonzero(std::move(size), axes)));
    if (p == 1) return Tensor<R>(broadloom::sum(std::move(size), axes));
    Tensor<R> total = broadloom::sum(broadloom::pow(std::move(size), static_cast<R>(p)), axes);
    total = broadloom::pow(total, R(1) / static_cast<R>(p));
    return total;
}

}  // namespace detail

/// The variance, the mean squared distance from the mean: in double for integers, real for complex
/// elements; over nothing NaN. `ddof(1)` divides by one less than the number of elements.
template <tensor_like X>
auto var(X&& x) {
    return detail::variance(std::forward<X>(x), keepdims, 0, false).item();
}
template <tensor_like X>
auto var(X&& x, std::same_as<ddof> auto off) {
    return detail::variance(std::forward<X>(x), keepdims, off.value(), false).item();
}
template <tensor_like X>
auto var(X&& x, const Axes& axes, ddof off = ddof(0)) {
    return detail::variance(std::forward<X>(x), axes, off.value(), false);
}
template <tensor_like X>
auto var(X&& x, const Axes& axes, Keepdims, ddof off = ddof(0)) {
    return detail::variance(std::forward<X>(x), axes.kept(), off.value(), false);
}

/// The standard deviation, the square root of the variance.
template <tensor_like X>
auto stddev(X&& x) {
    return detail::variance(std::forward<X>(x), keepdims, 0, true).item();
}
template <tensor_like X>
auto stddev(X&& x, std::same_as<ddof> auto off) {
    return detail::variance(std::forward<X>(x), keepdims, off.value(), true).item();
}
template <tensor_like X>
auto stddev(X&& x, const Axes& axes, ddof off = ddof(0)) {
    return detail::variance(std::forward<X>(x), axes, off.value(), true);
}
template <tensor_like X>
auto stddev(X&& x, const Axes& axes, Keepdims, ddof off = ddof(0)) {
    return detail::variance(std::forward<X>(x), axes.kept(), off.value(), true);
}

/// The length of the elements as a vector, sqrt(sum(|x|^2)), or the norm of another order,
/// sum(|x|^p)^(1/p): in double for integers, real for complex elements. Throws value_error for an
/// infinite order over no elements.
template <tensor_like X>
auto norm(X&& x) {
    using R = detail::real_t<mean_t<element_t<X>>>;
    return detail::fold_all(scalar::fold::euclidean<R>{}, std::forward<X>(x),
                            detail::Constant<0>{});
}
template <tensor_like X>
auto norm(X&& x, const Axes& axes) {
    using R = detail::real_t<mean_t<element_t<X>>>;
    return detail::fold_axes(scalar::fold::euclidean<R>{}, std::forward<X>(x), axes,
                             detail::Constant<0>{});
}
template <tensor_like X>
auto norm(X&& x, const Axes& axes, Keepdims) {
    return broadloom::norm(std::forward<X>(x), axes.kept());
}
template <tensor_like X>
auto norm(X&& x, std::same_as<ord> auto order) {
    return order.value() == 2
               ? broadloom::norm(std::forward<X>(x))
               : detail::norm_of_order(std::forward<X>(x), keepdims, order.value()).item();
}
template <tensor_like X>
auto norm(X&& x, const Axes& axes, ord order) {
    return order.value() == 2 ? broadloom::norm(std::forward<X>(x), axes)
                              : detail::norm_of_order(std::forward<X>(x), axes, order.value());
}
template <tensor_like X>
auto norm(X&& x, const Axes& axes, Keepdims, ord order) {
    return broadloom::norm(std::forward<X>(x), axes.kept(), order);
}
/// The same in NumPy's and PyTorch's order: `norm(x, ord(1), 0)`.
template <tensor_like X>
auto norm(X&& x, std::same_as<ord> auto order, const Axes& axes) {
    return broadloom::norm(std::forward<X>(x), axes, order);
}
template <tensor_like X>
auto norm(X&& x, std::same_as<ord> auto order, const Axes& axes, Keepdims) {
    return broadloom::norm(std::forward<X>(x), axes.kept(), order);
}

/// log(sum(exp(x))), which neither overflows nor loses small elements; over nothing minus
/// infinity. Integers are computed in double.
template <tensor_like X>
auto logsumexp(X&& x) {
    return detail::logsumexp(std::forward<X>(x), keepdims).item();
}
template <tensor_like X>
auto logsumexp(X&& x, const Axes& axes) {
    return detail::logsumexp(std::forward<X>(x), axes);
}
template <tensor_like X>
auto logsumexp(X&& x, const Axes& axes, Keepdims) {
    return detail::logsumexp(std::forward<X>(x), axes.kept());
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_STATISTICS_HPP
