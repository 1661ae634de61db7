// Sources: what a tensor is made from or assigned. An expression is read in place, a tensor through
// a view; one that dies with its expression has memory for the result.
#ifndef BROADLOOM_TENSOR_SOURCE_HPP
#define BROADLOOM_TENSOR_SOURCE_HPP

#include <iterator>
#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"

namespace broadloom {
namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_evaluated_twice() {
    throw value_error(
        "an expression that owned its operands was evaluated, and cannot be once more: keep its "
        "result");
}

/// True for an expression some of whose operands lost their elements to an earlier result.
template <class X>
bool is_spent(const X& x) {
    if constexpr (operand_kind<X> == OperandKind::tensor) {
        return x.data() == nullptr;
    } else if constexpr (operand_kind<X> == OperandKind::expression) {
        return x.with_operands(
            [](const auto&... operands) { return (detail::is_spent(operands) || ... || false); });
    } else {
        return false;
    }
}

/// What is read when a source is consumed: an expression itself, or a view of a tensor. Throws
/// value_error for an expression that is spent.
template <class X>
decltype(auto) consume(X&& x) {
    if constexpr (operand_kind<X> == OperandKind::expression && !std::is_lvalue_reference_v<X>) {
        if (detail::is_spent(x) && x.size() > 0) throw_evaluated_twice();
        return (x);
    } else if constexpr (tensor_like<X> && operand_kind<X> != OperandKind::expression) {
        return TensorView<const element_t<X>>(std::as_const(x).view());
    } else {
        return detail::hold(std::forward<X>(x));
    }
}

/// An operand whose elements lie in memory: a view of a tensor, or the result of an expression.
/// That has memory of its own, since other operands of a call may be views of what dies with it.
template <class X>
auto in_memory(X&& x) {
    using T = element_t<X>;
    if constexpr (operand_kind<X> == OperandKind::expression) {
        decltype(auto) source = detail::consume(std::forward<X>(x));
        return Tensor<T>(typename Tensor<T>::Apart{}, source);
    } else {
        return TensorView<const T>(std::as_const(x).view());
    }
}

/// The operand under another layout of its elements, which `map` makes of its own; an expression is
/// evaluated first.
template <class X, class Map>
auto relaid(X&& x, const Map& map) {
    if constexpr (operand_kind<X> == OperandKind::expression) {
        return detail::relaid(detail::in_memory(std::forward<X>(x)), map);
    } else {
        const Layout to = map(Layout{x.shape(), x.strides(), 0});
        return std::forward<X>(x).laid(to);
    }
}

/// A parameter as it stands beside elements of a shape, whatever contract is in force: a number,
/// or a view of that shape. Throws shape_error if it does not broadcast to it.
template <class P>
auto laid_over(const P& p, const Shape& shape) {
    if constexpr (scalar_like<P>) return p;
    else return p.broadcast_to(shape);
}

/// Calls `f` with a view of all elements of an operand in one dimension, copied only where their
/// strides ask for it.
template <class X, class F>
auto with_line(X&& x, F&& f) {
    const auto kept = detail::in_memory(std::forward<X>(x));
    Layout flat;
    if (reshape(Layout{kept.shape(), kept.strides(), 0}, Shape{kept.size()}, flat)) {
        return f(kept.laid(flat));
    }
    const auto copy = kept.copy();
    return f(copy.flatten());
}

/// True when an expression holds tensors of T that die with it.
template <class T, class X>
inline constexpr bool owns_tensor = std::is_same_v<X, Tensor<T>>;
template <class T, class F, class... X>
inline constexpr bool owns_tensor<T, Expression<F, X...>> = (owns_tensor<T, X> || ...);

/// Calls `f` with every tensor of T that an expression holds.
template <class T, class X, class F>
void for_each_owned(X& x, F& f) {
    if constexpr (std::is_same_v<X, Tensor<T>>) {
        f(x);
    } else if constexpr (owns_tensor<T, X>) {
        x.with_operands([&](auto&... operands) { (detail::for_each_owned<T>(operands, f), ...); });
    }
}

/// A range, whatever it holds.
template <class R>
concept iterable = requires(const R& r) { std::begin(r) != std::end(r); };
/// How many elements a range has from its beginning to its end, which is not what size() says of a
/// Shape; counted where it does not know.
template <class R>
index_t count_of(const R& range) {
    using Begin = decltype(std::begin(range));
    if constexpr (std::sized_sentinel_for<decltype(std::end(range)), Begin>) {
        return static_cast<index_t>(std::end(range) - std::begin(range));
    } else if constexpr (requires { std::size(range); }) {
        return static_cast<index_t>(std::size(range));
    } else {
        static_assert(std::forward_iterator<Begin>,
                      "a range that can be read only once cannot be counted first: collect it in a "
                      "std::vector");
        index_t count = 0;
        for (auto i = std::begin(range); i != std::end(range); ++i) ++count;
        return count;
    }
}

template <class From, class To>
constexpr void require_storable() {
    static_assert(storable<From, To>,
                  "the source has elements of a higher kind (bool < integer < floating < complex) "
                  "than the target: convert it on purpose with cast<T>()");
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_SOURCE_HPP
