// Unevaluated computations: one node, a function and its operands. An expression knows its shape
// (mismatches throw when it is built) and is consumed in the statement that makes it: temporaries
// are moved into it, and one kept in a variable does not compile when used.
#ifndef BROADLOOM_CORE_EXPRESSION_HPP
#define BROADLOOM_CORE_EXPRESSION_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "broadloom/core/evaluated.hpp"
#include "broadloom/core/view.hpp"
#include "broadloom/kernel/compiler.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom {

template <class F, class... X>
class Expression;

namespace detail {

enum class OperandKind { none, scalar, view, tensor, expression };

template <class X>
struct KindOfOperand {
    static constexpr OperandKind value = arithmetic<X> ? OperandKind::scalar : OperandKind::none;
    using element = X;
};
template <class T>
struct KindOfOperand<TensorView<T>> {
    static constexpr OperandKind value = OperandKind::view;
    using element = std::remove_const_t<T>;
};
template <class T>
struct KindOfOperand<Tensor<T>> {
    static constexpr OperandKind value = OperandKind::tensor;
    using element = T;
};
template <class F, class... X>
struct KindOfOperand<Expression<F, X...>> {
    static constexpr OperandKind value = OperandKind::expression;
    using element = typename Expression<F, X...>::value_type;
};

template <class X>
inline constexpr OperandKind operand_kind = KindOfOperand<std::remove_cvref_t<X>>::value;

}  // namespace detail

/// A tensor, a view or an expression.
template <class X>
concept tensor_like = detail::operand_kind<X> == detail::OperandKind::view ||
                      detail::operand_kind<X> == detail::OperandKind::tensor ||
                      detail::operand_kind<X> == detail::OperandKind::expression;

/// A number: any arithmetic type or std::complex.
template <class X>
concept scalar_like = detail::operand_kind<X> == detail::OperandKind::scalar;

/// What elementwise functions take: a tensor, a view, an expression or a number.
template <class X>
concept operand = tensor_like<X> || scalar_like<X>;

/// The element type of an operand.
template <class X>
using element_t = typename detail::KindOfOperand<std::remove_cvref_t<X>>::element;

/// A number that may stand beside this tensor: arithmetic, or of the tensor's own element type.
template <class S, class X>
concept scalar_beside = tensor_like<X> && !tensor_like<S> &&
                        (scalar_like<S> || std::same_as<std::remove_cvref_t<S>, element_t<X>>);

/// Two operands of which at least one is a tensor, a view or an expression.
template <class X, class Y>
concept operands = (tensor_like<X> && tensor_like<Y>) || scalar_beside<Y, X> || scalar_beside<X, Y>;

/// The same, or two numbers.
template <class X, class Y>
concept operand_pair = (operand<X> && operand<Y>) || operands<X, Y>;

/// A number as an operand of an expression, which takes any shape.
template <class T>
struct Scalar {
    using value_type = T;
    T value;
};

/// A function of the user: evaluated with the compiler's own arithmetic, and it may throw.
template <class F>
struct UserFunction {
    F function;

    template <class... T>
    BROADLOOM_INLINE constexpr decltype(auto) operator()(const T&... values) const
        noexcept(std::is_nothrow_invocable_v<const F&, const T&...>)
        requires std::invocable<const F&, const T&...>
    {
        return function(values...);
    }
    template <class... T>
    BROADLOOM_INLINE constexpr decltype(auto) operator()(const T&... values)
        requires(!std::invocable<const F&, const T&...>)
    {
        return function(values...);
    }
};

namespace detail {

/// A pointer to a member, called as a function of what has the member.
template <class F>
struct Member {
    F member;

    template <class T, class... A>
    constexpr auto operator()(const T& x, const A&... arguments) const {
        if constexpr (std::is_member_object_pointer_v<F>) return x.*member;
        else return (x.*member)(arguments...);
    }
};

template <class F>
struct IsUserFunction : std::false_type {};
template <class F>
struct IsUserFunction<UserFunction<F>> : std::true_type {};

template <class X>
constexpr auto hold(X&& x);

/// One operand in its place; a pack of them is a list that a loop sees through.
template <std::size_t At, class X>
struct Slot {
    X value;
};

template <class Indices, class... X>
struct Slots;
template <std::size_t... At, class... X>
struct Slots<std::index_sequence<At...>, X...> : Slot<At, X>... {
    // Each operand is made in its place.
    template <class... A>
    constexpr explicit Slots(std::in_place_t, A&&... operands)
        : Slot<At, X>{detail::hold(std::forward<A>(operands))}... {}

    template <std::size_t J>
    BROADLOOM_INLINE constexpr const auto& get() const noexcept {
        return at<J>(*this);
    }
    template <std::size_t J, class Y>
    BROADLOOM_INLINE static constexpr const Y& at(const Slot<J, Y>& slot) noexcept {
        return slot.value;
    }

    /// Calls `f` with all operands, in order.
    template <class Self, class F>
    static constexpr decltype(auto) apply(Self& self, F&& f) {
        return f(
            static_cast<
                std::conditional_t<std::is_const_v<Self>, const Slot<At, X>&, Slot<At, X>&>>(self)
                .value...);
    }
};

/// What a resolver says of the shapes of operands, of which numbers have none.
template <class Resolve, class... X>
constexpr Shape resolve_by(Resolve resolver, const X&... operands) {
    constexpr int count = (int{tensor_like<X>} + ... + 0);
    const Shape* list[sizeof...(X) + 1] = {};
    int n = 0;
    [[maybe_unused]] const auto add = [&](const auto& x) {
        if constexpr (tensor_like<decltype(x)>) list[n++] = &x.shape();
    };
    (add(operands), ...);
    if constexpr (count == 1) return *list[0];
    else return resolver(Shapes{list, n});
}
template <class... X>
constexpr Shape common_shape(const X&... operands) {
    return detail::resolve_by(resolve, operands...);
}

/// True for a number, and for a function of numbers alone.
template <class X>
inline constexpr bool is_number = false;
template <class T>
inline constexpr bool is_number<Scalar<T>> = true;
template <class F, class... X>
inline constexpr bool is_number<Expression<F, X...>> = (is_number<X> && ...);

}  // namespace detail

/// The node: a function applied, element by element, to operands broadcast together. Operands are
/// held by value: views, tensors that were about to die, numbers, and other nodes.
template <class F, class... X>
class [[nodiscard]] Expression : public detail::members::EvaluatedMembers<Expression<F, X...>> {
public:
    using value_type = std::remove_cvref_t<std::invoke_result_t<
        std::conditional_t<std::is_invocable_v<const F&, const typename X::value_type&...>,
                           const F&, F&>,
        const typename X::value_type&...>>;

    // The shape comes first: where operands do not fit, none of them has been moved yet.
    template <class... A>
    constexpr Expression(std::in_place_t in_place, F function, A&&... operands)
        : shape_(detail::common_shape(operands...)),
          operands_(in_place, std::forward<A>(operands)...),
          function_(std::move(function)) {}
    Expression(Expression&&) = default;
    Expression(const Expression&) = delete;
    Expression& operator=(const Expression&) = delete;

    constexpr const Shape& shape() const& noexcept { return shape_; }
    constexpr Shape shape() && noexcept { return shape_; }
    constexpr index_t rank() const noexcept { return shape_.rank(); }
    constexpr index_t size() const noexcept { return shape_.size(); }
    constexpr bool empty() const noexcept { return size() == 0; }
    constexpr index_t extent(Axis axis) const {
        return shape_[detail::normalize_axis(axis, rank())];
    }

    BROADLOOM_INLINE constexpr const F& function() const& noexcept { return function_; }
    BROADLOOM_INLINE constexpr F& function() & noexcept { return function_; }
    template <std::size_t At>
    BROADLOOM_INLINE constexpr const auto& operand() const& noexcept {
        return operands_.template get<At>();
    }
    // What an expression that dies is made of is not looked at.
    void function() const&& = delete;
    template <std::size_t>
    void operand() const&& = delete;
    /// Calls `f` with the operands, in order.
    template <class G>
    constexpr decltype(auto) with_operands(G&& f) const {
        return operands_.apply(operands_, std::forward<G>(f));
    }
    template <class G>
    constexpr decltype(auto) with_operands(G&& f) {
        return operands_.apply(operands_, std::forward<G>(f));
    }

    /// The elements converted to U, as an expression.
    template <class U>
    auto cast() && {
        return broadloom::cast<U>(std::move(*this));
    }
    /// A function of numbers is a number: `float y = sigmoid(0.5F)`.
    operator value_type() &&
        requires detail::is_number<Expression>
    {
        return std::move(*this).item();
    }
    /// Of tensors there are many answers: `if (all_of(x == y))`, or any_of, or array_equal.
    template <class all_of_any_of_and_array_equal_give_one_answer>
        requires(std::same_as<all_of_any_of_and_array_equal_give_one_answer, bool> &&
                 !detail::is_number<Expression>)
    explicit operator all_of_any_of_and_array_equal_give_one_answer() const = delete;

private:
    Shape shape_;
    [[no_unique_address]] detail::Slots<std::index_sequence_for<X...>, X...> operands_;
    [[no_unique_address]] F function_;
};

namespace detail {

/// A view of a tensor that stays, and all else as it is. What takes operands over one by one is
/// given them all viewed: a tensor may stand beside itself moved.
template <class X>
constexpr decltype(auto) viewed(X&& x) {
    if constexpr (operand_kind<X> == OperandKind::tensor && std::is_lvalue_reference_v<X>) {
        return std::as_const(x).view();
    } else {
        return std::forward<X>(x);
    }
}

/// How an operand is held inside an expression.
template <class X>
constexpr auto hold(X&& x) {
    using Plain = std::remove_cvref_t<X>;
    constexpr OperandKind kind = operand_kind<X>;
    if constexpr (kind == OperandKind::view) {
        return TensorView<const element_t<X>>(x);
    } else if constexpr (kind == OperandKind::tensor) {
        return detail::viewed(std::forward<X>(x));
    } else if constexpr (kind == OperandKind::expression) {
        static_assert(!std::is_lvalue_reference_v<X>,
                      "an expression is used up in the statement that makes it and cannot be kept "
                      "in an `auto` variable: write `Tensor z = ...` or `eval(...)` there; a "
                      "function takes it as `X&&` and forwards it");
        if constexpr (!std::is_lvalue_reference_v<X>) return Plain(std::forward<X>(x));
        else return TensorView<const element_t<X>>(nullptr, Shape{}, Strides{});
    } else {
        return Scalar<Plain>{static_cast<Plain>(x)};
    }
}

template <class X>
using held_t = decltype(detail::hold(std::declval<X>()));

template <class X>
inline constexpr bool is_dying_tensor =
    operand_kind<X> == OperandKind::tensor && !std::is_lvalue_reference_v<X>;
template <class... X>
inline constexpr bool any_dying = (is_dying_tensor<X> || ...);

/// A view of a tensor about to die, which a call only reads, and all else as it is.
template <class X>
constexpr decltype(auto) borrowed(X&& x) {
    if constexpr (is_dying_tensor<X>) return std::as_const(x).view();
    else return std::forward<X>(x);
}

/// A node from any operands.
template <class F, class... X>
constexpr auto make_expression(F function, X&&... operands) {
    using Node = Expression<F, held_t<X>...>;
    if constexpr (any_dying<X...>) {
        return Node(std::in_place, std::move(function),
                    detail::viewed(std::forward<X>(operands))...);
    } else {
        return Node(std::in_place, std::move(function), std::forward<X>(operands)...);
    }
}

}  // namespace detail

/// The function `f` of the elements of the operands, broadcast together: any callable, any number
/// of operands, any mix of element types. One pass when evaluated.
template <class F, class... X>
constexpr auto map(F f, X&&... operands) {
    if constexpr (std::is_member_pointer_v<F>) {
        return broadloom::map(detail::Member<F>{f}, std::forward<X>(operands)...);
    } else {
        constexpr bool fits = std::is_invocable_v<F&, const element_t<X>&...>;
        static_assert(fits, "the function given to map takes one element of each operand");
        if constexpr (fits) {
            constexpr bool returns =
                !std::is_void_v<std::invoke_result_t<F&, const element_t<X>&...>>;
            static_assert(returns, "the function given to map returns the element that it makes");
            if constexpr (returns) {
                return detail::make_expression(UserFunction<F>{std::move(f)},
                                               std::forward<X>(operands)...);
            }
        }
    }
}

}  // namespace broadloom

#endif  // BROADLOOM_CORE_EXPRESSION_HPP
