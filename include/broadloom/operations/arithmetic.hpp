// Operators and the named arithmetic. Each is a functor of scalar/ and a line; a number beside a
// tensor takes the tensor's type unless it is of a higher kind.
#ifndef BROADLOOM_OPERATIONS_ARITHMETIC_HPP
#define BROADLOOM_OPERATIONS_ARITHMETIC_HPP

#include <limits>
#include <type_traits>
#include <utility>

#include "broadloom/scalar/inverse.hpp"
#include "broadloom/scalar/power.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

/// How a number counts beside elements of type T. It takes their type unless it is of a higher
/// kind;
struct AsElement {
    template <class T, class S>
    static constexpr auto of(const S& number) {
        return scalar::convert<weak_t<S, T>>(number);
    }
};
/// a bound does so without wrapping: 300 beside std::uint8_t is 255;
struct AsBound {
    template <class T, class S>
    static constexpr auto of(const S& number) {
        return scalar::saturate<weak_t<S, T>>(number);
    }
};
/// so does a count, of which a negative one is as good as the largest;
struct AsCount {
    template <class T, class S>
    static constexpr auto of(const S& number) {
        using W = weak_t<S, T>;
        if constexpr (std::is_unsigned_v<W> && std::is_signed_v<S>) {
            if (number < S(0)) return std::numeric_limits<W>::max();
        }
        return scalar::saturate<W>(number);
    }
};
/// where the result is real, integers beside integers are double;
struct AsReal {
    template <class T, class S>
    static constexpr auto of(const S& number) {
        using W = weak_t<S, T>;
        return scalar::convert<std::conditional_t<std::is_integral_v<W>, double, W>>(number);
    }
};
/// and in a comparison of integers it keeps its value, which their type may not hold.
struct AsValue {
    template <class T, class S>
    static constexpr auto of(const S& number) {
        if constexpr (kind<S> == Kind::integer && kind<T> == Kind::integer) return number;
        else return AsElement::of<T>(number);
    }
};

/// An operand beside elements of type T; tensors pass through.
template <class As, class T, class S>
constexpr decltype(auto) beside(S&& s) {
    if constexpr (scalar_like<S>) return As::template of<T>(s);
    else return std::forward<S>(s);
}

/// f(x, y), where a number at the left counts as `Left` says, at the right as `Right` does.
template <class Left = AsElement, class Right = Left, class F, class X, class Y>
auto binary(F f, X&& x, Y&& y) {
    if constexpr (scalar::divides_by_number<F, element_t<X>, std::remove_cvref_t<Y>> &&
                  tensor_like<X> && !tensor_like<Y>) {
        using T = element_t<X>;
        return detail::make_expression(scalar::by_number<F, T>(Right::template of<T>(y)),
                                       std::forward<X>(x));
    } else if constexpr (tensor_like<X> && !tensor_like<Y>) {
        return detail::make_expression(f, std::forward<X>(x),
                                       detail::beside<Right, element_t<X>>(std::forward<Y>(y)));
    } else if constexpr (tensor_like<Y> && !tensor_like<X>) {
        return detail::make_expression(f, detail::beside<Left, element_t<Y>>(std::forward<X>(x)),
                                       std::forward<Y>(y));
    } else {
        return detail::make_expression(f, std::forward<X>(x), std::forward<Y>(y));
    }
}

/// What an operand contributes to a common type by itself: a number beside tensors nothing.
template <class X>
using own_element = std::conditional_t<scalar_like<X>, bool, element_t<X>>;

/// The type in which operands meet, among them numbers.
template <class... X>
struct CommonOf {
    using T = promote_all_t<own_element<X>...>;
    template <class A>
    using beside_t = std::conditional_t<tensor_like<A>, T, weak_t<element_t<A>, T>>;
    using type = promote_all_t<beside_t<X>...>;
};
template <class... X>
using common_t = typename CommonOf<X...>::type;

/// `target = f(target, x)` where the target keeps its shape: the body of +=, -= and so on.
/// Throws shape_error, and changes nothing, if it would have to grow.
template <class As, class F, class T, class X>
void update(F f, const TensorView<T>& target, X&& x) {
    if constexpr (arithmetic<element_t<X>> && arithmetic<T>) require_storable<element_t<X>, T>();
    if constexpr (tensor_like<X>) detail::require_fits_into(x.shape(), target.shape());
    auto value =
        detail::binary<As>(f, TensorView<const T>(target), detail::borrowed(std::forward<X>(x)));
    if constexpr (std::same_as<element_t<decltype(value)>, T>)
        detail::assign(target, std::move(value));
    else detail::assign(target, broadloom::cast<T>(std::move(value)));
}

/// A target of compound assignment: a Tensor or a view that can be written.
template <class X>
concept target = (operand_kind<X> == OperandKind::tensor &&
                  !std::is_const_v<std::remove_reference_t<X>> && std::is_lvalue_reference_v<X>) ||
                 (operand_kind<X> == OperandKind::view &&
                  !std::is_const_v<std::remove_pointer_t<decltype(std::declval<X>().data())>>);

}  // namespace detail

template <class U, class X>
auto cast(X&& x) {
    return detail::make_expression(scalar::cast<U>{}, std::forward<X>(x));
}

namespace detail {

/// An operand whose elements, of type R, lie in memory: converted if they have another.
template <class R, class X>
auto in_memory(X&& x) {
    if constexpr (std::same_as<element_t<X>, R>) {
        return detail::in_memory(std::forward<X>(x));
    } else {
        const auto kept = detail::in_memory(std::forward<X>(x));
        return Tensor<R>(broadloom::cast<R>(kept));
    }
}

}  // namespace detail

template <class X, class Y>
    requires operands<X, Y>
auto operator+(X&& x, Y&& y) {
    return detail::binary(scalar::add{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator-(X&& x, Y&& y) {
    return detail::binary(scalar::subtract{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator*(X&& x, Y&& y) {
    return detail::binary(scalar::multiply{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The quotient; of integers truncated, as in C++.
template <class X, class Y>
    requires operands<X, Y>
auto operator/(X&& x, Y&& y) {
    return detail::binary(scalar::divide{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The remainder that belongs to `/`, with the sign of the dividend, as in C++; `mod` has
/// Python's.
template <class X, class Y>
    requires operands<X, Y>
auto operator%(X&& x, Y&& y) {
    return detail::binary(scalar::fmod{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator&(X&& x, Y&& y) {
    return detail::binary(scalar::bit_and{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator|(X&& x, Y&& y) {
    return detail::binary(scalar::bit_or{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator^(X&& x, Y&& y) {
    return detail::binary(scalar::bit_xor{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator<<(X&& x, Y&& y) {
    return detail::binary<detail::AsElement, detail::AsCount>(
        scalar::shift_left{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y>
    requires operands<X, Y>
auto operator>>(X&& x, Y&& y) {
    return detail::binary<detail::AsElement, detail::AsCount>(
        scalar::shift_right{}, std::forward<X>(x), std::forward<Y>(y));
}
template <class X>
    requires tensor_like<X>
auto operator-(X&& x) {
    return detail::make_expression(scalar::negate{}, std::forward<X>(x));
}
template <class X>
    requires tensor_like<X>
auto operator+(X&& x) {
    return detail::make_expression(scalar::identity{}, std::forward<X>(x));
}
template <class X>
    requires tensor_like<X>
auto operator~(X&& x) {
    return detail::make_expression(scalar::bit_not{}, std::forward<X>(x));
}

/// A target changes in place, and only the second operand expands. A tensor or a view with a name
/// comes back by reference, any other view as itself. What repeats elements, or looks at a const
/// tensor, can only be read, and what is written to a copy is lost with it: compilers name the
/// parameter. `%=` leaves the remainders of `/=`, and shifts take counts.
#define BROADLOOM_UPDATE(OPERATOR, AS, FUNCTOR)                                               \
    template <detail::target X, class Y>                                                      \
        requires operands<X, Y>                                                               \
    X operator OPERATOR(X&& x, Y&& y) {                                                       \
        detail::update<detail::AS>(scalar::FUNCTOR{}, x.view(), std::forward<Y>(y));          \
        return std::forward<X>(x);                                                            \
    }                                                                                         \
    template <class T, class this_view_only_reads_write_to_a_copy_of_it>                      \
    void operator OPERATOR(const TensorView<const T>&,                                        \
                           this_view_only_reads_write_to_a_copy_of_it&&) = delete;            \
    template <class T, class write_to_views_or_by_index_put_and_not_to_a_copy>                \
    void operator OPERATOR(Tensor<T>&&, write_to_views_or_by_index_put_and_not_to_a_copy&&) = \
        delete;

BROADLOOM_UPDATE(+=, AsElement, add)
BROADLOOM_UPDATE(-=, AsElement, subtract)
BROADLOOM_UPDATE(*=, AsElement, multiply)
BROADLOOM_UPDATE(/=, AsElement, divide)
BROADLOOM_UPDATE(%=, AsElement, fmod)
BROADLOOM_UPDATE(&=, AsElement, bit_and)
BROADLOOM_UPDATE(|=, AsElement, bit_or)
BROADLOOM_UPDATE(^=, AsElement, bit_xor)
BROADLOOM_UPDATE(<<=, AsCount, shift_left)
BROADLOOM_UPDATE(>>=, AsCount, shift_right)

#undef BROADLOOM_UPDATE

/// The sum.
template <class X, class Y>
    requires operand_pair<X, Y>
auto add(X&& x, Y&& y) {
    return detail::binary(scalar::add{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The difference.
template <class X, class Y>
    requires operand_pair<X, Y>
auto subtract(X&& x, Y&& y) {
    return detail::binary(scalar::subtract{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The product.
template <class X, class Y>
    requires operand_pair<X, Y>
auto multiply(X&& x, Y&& y) {
    return detail::binary(scalar::multiply{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The quotient; of integers truncated, and 0 for a division by zero.
template <class X, class Y>
    requires operand_pair<X, Y>
auto divide(X&& x, Y&& y) {
    return detail::binary(scalar::divide{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The quotient rounded toward minus infinity.
template <class X, class Y>
    requires operand_pair<X, Y>
auto floor_divide(X&& x, Y&& y) {
    return detail::binary(scalar::floor_divide{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The remainder with the sign of the divisor, as Python's %.
template <class X, class Y>
    requires operand_pair<X, Y>
auto mod(X&& x, Y&& y) {
    return detail::binary(scalar::mod{}, std::forward<X>(x), std::forward<Y>(y));
}
/// x to the power of y; an integer to a negative power truncates.
template <class X, class Y>
    requires operand_pair<X, Y>
auto pow(X&& x, Y&& y) {
    constexpr Kind highest = kind<element_t<X>> == Kind::complex ? Kind::complex : Kind::floating;
    if constexpr (tensor_like<X> && scalar_like<Y> && kind<element_t<X>> <= highest &&
                  kind<element_t<Y>> <= highest) {
        // An exponent of integers may be more than the elements can hold.
        const auto exponent = detail::AsValue::of<element_t<X>>(y);
        return detail::make_expression(
            scalar::pow_to<std::remove_const_t<decltype(exponent)>>{exponent}, std::forward<X>(x));
    } else {
        return detail::binary(scalar::pow{}, std::forward<X>(x), std::forward<Y>(y));
    }
}
/// The larger; NaN if either is.
template <class X, class Y>
    requires operand_pair<X, Y>
auto maximum(X&& x, Y&& y) {
    return detail::binary<detail::AsBound>(scalar::maximum{}, std::forward<X>(x),
                                           std::forward<Y>(y));
}
/// The smaller; NaN if either is.
template <class X, class Y>
    requires operand_pair<X, Y>
auto minimum(X&& x, Y&& y) {
    return detail::binary<detail::AsBound>(scalar::minimum{}, std::forward<X>(x),
                                           std::forward<Y>(y));
}
/// The quotient as a floating value, of integers in double.
template <class X, class Y>
    requires operand_pair<X, Y>
auto true_divide(X&& x, Y&& y) {
    return detail::binary<detail::AsReal>(scalar::true_divide{}, std::forward<X>(x),
                                          std::forward<Y>(y));
}
/// The remainder with the sign of the dividend, as C's fmod.
template <class X, class Y>
    requires operand_pair<X, Y>
auto fmod(X&& x, Y&& y) {
    return detail::binary(scalar::fmod{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The larger, or the one that is not NaN.
template <class X, class Y>
    requires operand_pair<X, Y>
auto fmax(X&& x, Y&& y) {
    return detail::binary<detail::AsBound>(scalar::fmax{}, std::forward<X>(x), std::forward<Y>(y));
}
/// The smaller, or the one that is not NaN.
template <class X, class Y>
    requires operand_pair<X, Y>
auto fmin(X&& x, Y&& y) {
    return detail::binary<detail::AsBound>(scalar::fmin{}, std::forward<X>(x), std::forward<Y>(y));
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_ARITHMETIC_HPP
