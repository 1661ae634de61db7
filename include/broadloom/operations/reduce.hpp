// Reductions: sum, product, mean, extremes, truth and counts, and a fold of the user's own. The
// operand may be any expression, which is evaluated tile by tile and never stored.
#ifndef BROADLOOM_OPERATIONS_REDUCE_HPP
#define BROADLOOM_OPERATIONS_REDUCE_HPP

#include <limits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/axes.hpp"
#include "broadloom/scalar/monoid.hpp"

namespace broadloom {
namespace detail {

/// What becomes of nothing: the number N in any type.
template <int N>
struct Constant {
    template <class R>
    constexpr operator R() const {
        if constexpr (N == 0) return scalar::zero<R>();
        else return R(N);
    }
};
struct NotANumber {
    template <class R>
    constexpr operator R() const {
        using Limits = std::numeric_limits<real_t<R>>;
        if constexpr (kind<R> == Kind::complex) return R(Limits::quiet_NaN(), Limits::quiet_NaN());
        else if constexpr (Limits::has_quiet_NaN) return Limits::quiet_NaN();
        else return scalar::zero<R>();
    }
};

/// What becomes of a product of nothing: 1, where the type has one.
template <class T>
constexpr auto product_of_nothing() {
    if constexpr (std::is_aggregate_v<T>) return Refused{"prod"};
    else return Constant<1>{};
}

/// The mean, computed as R, which divides by how many elements there are.
template <class R>
struct MeanAs {
    auto of(index_t count) const { return scalar::fold::mean<R>{scalar::fold::divisor<R>(count)}; }
};

}  // namespace detail

/// Declares `NAME(x)`, a plain value, and the tensors `NAME(x, axes)` and `NAME(x, axes,
/// keepdims)`: FOLD of elements of an X, and NOTHING where there are none.
#define BROADLOOM_REDUCTION(NAME, FOLD, NOTHING)                           \
    template <tensor_like X>                                               \
    auto NAME(X&& x) {                                                     \
        return detail::fold_all(FOLD, std::forward<X>(x), NOTHING);        \
    }                                                                      \
    template <tensor_like X>                                               \
    auto NAME(X&& x, const Axes& axes) {                                   \
        return detail::fold_axes(FOLD, std::forward<X>(x), axes, NOTHING); \
    }                                                                      \
    template <tensor_like X>                                               \
    auto NAME(X&& x, const Axes& axes, Keepdims) {                         \
        return broadloom::NAME(std::forward<X>(x), axes.kept());           \
    }

/// The sum. Integers and bool sum in 64 bits; over nothing 0. Elements are added in an order of
/// the shape's, those of the user too.
BROADLOOM_REDUCTION(sum, scalar::fold::sum{}, detail::Constant<0>{})
/// The product. Integers and bool multiply in 64 bits; over nothing 1, and where elements are
/// aggregates, which have none, value_error. Those of the user keep their row-major order.
BROADLOOM_REDUCTION(prod, scalar::fold::product{}, detail::product_of_nothing<element_t<X>>())
/// The mean, of integers and bool in double; over nothing NaN.
BROADLOOM_REDUCTION(mean, detail::MeanAs<mean_t<element_t<X>>>{}, detail::NotANumber{})
/// The largest element, of the user's that are as large the first; NaN if there is one. Throws
/// value_error over nothing.
BROADLOOM_REDUCTION(max, scalar::fold::largest_of<element_t<X>>{}, detail::Refused{"max"})
/// The smallest element, likewise.
BROADLOOM_REDUCTION(min, scalar::fold::smallest_of<element_t<X>>{}, detail::Refused{"min"})
/// Whether any element is not 0; over nothing false.
BROADLOOM_REDUCTION(any_of, scalar::fold::any{}, detail::Constant<0>{})
/// Whether no element is 0; over nothing true.
BROADLOOM_REDUCTION(all_of, scalar::fold::all{}, detail::Constant<1>{})
/// How many elements are not 0; NaN is not.
BROADLOOM_REDUCTION(count_nonzero, scalar::fold::count{}, detail::Constant<0>{})

#undef BROADLOOM_REDUCTION

/// The larger of two is `maximum(x, y)`, the smaller `minimum(x, y)`.
template <tensor_like X, tensor_like Y>
void max(X&& x, Y&& the_larger_of_two_is_maximum) = delete;
template <tensor_like X, tensor_like Y>
void min(X&& x, Y&& the_smaller_of_two_is_minimum) = delete;

namespace detail {

/// What a function of the user's accumulates in: values of init's type, but real numbers where that
/// is an integer and the function makes them.
template <class F, class A, class T,
          class R = std::remove_cvref_t<std::invoke_result_t<F&, A&, const T&>>>
using accumulated_t =
    std::conditional_t<std::is_integral_v<A> && std::is_floating_point_v<R>, R, A>;

template <class X, class F, class A>
auto in_order(F& f, const A& init) {
    static_assert(std::is_trivially_copyable_v<A>,
                  "reduce accumulates in a value of a trivially copyable type");
    using Accumulated = accumulated_t<F, A, element_t<X>>;
    return kernel::InOrder<F, Accumulated>{&f, static_cast<Accumulated>(init)};
}

}  // namespace detail

/// f(...f(f(init, first), second)..., last) in row-major order: any function of a value of init's
/// type, which is trivially copyable, and an element; it need be neither associative nor
/// commutative. An integer init counts as a real number where f makes one of it and an element.
template <class F, class A, tensor_like X>
auto reduce(F&& f, A init, X&& x) {
    const auto fold = detail::in_order<X>(f, init);
    return detail::fold_all(fold, std::forward<X>(x), fold.init);
}
template <class F, class A, tensor_like X>
auto reduce(F&& f, A init, X&& x, const Axes& axes) {
    const auto fold = detail::in_order<X>(f, init);
    return detail::fold_axes(fold, std::forward<X>(x), axes, fold.init);
}
template <class F, class A, tensor_like X>
auto reduce(F&& f, A init, X&& x, const Axes& axes, Keepdims) {
    return broadloom::reduce(std::forward<F>(f), init, std::forward<X>(x), axes.kept());
}

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_cannot_sum(const Shape& shape, const Shape& result) {
    throw shape_error(Sentence() << "cannot sum " << shape << " to " << result
                                 << ", which does not broadcast to it: a dimension that is summed "
                                    "keeps an extent of 1, unless it leads");
}

}  // namespace detail

/// Sums so that the result has `shape`, which broadcasts to x's: the adjoint of broadcasting.
/// Throws shape_error if it does not.
template <tensor_like X>
auto sum_to(X&& x, const Shape& shape) {
    if (!detail::fits_into(shape.extents(), x.shape().extents())) {
        detail::throw_cannot_sum(x.shape(), shape);
    }
    const index_t lead = x.shape().rank() - shape.rank();
    IndexList axes;
    for (index_t d = 0; d < x.shape().rank(); ++d) {
        if (d < lead || (shape[d - lead] == 1 && x.shape()[d] != 1)) axes.push_back(d);
    }
    return broadloom::sum(std::forward<X>(x), axes, keepdims).reshape(shape);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_REDUCE_HPP
