// What a loop knows of an expression: its functions and numbers, and the types of its leaves, but
// not who holds their memory. Expressions that differ in nothing else have one formula type, and so
// one compiled loop; what the loop must know beforehand is read off that type.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_FORMULA_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_FORMULA_HPP

#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/kernel/elementwise/tiling.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {

/// From so many steps on, the arithmetic of an element costs more than to bring it.
inline constexpr index_t heavy = scalar::math::many_steps;

/// A leaf, tensor or view: elements of type T, wherever they lie.
template <class T>
struct Variable {
    using value_type = T;

    template <class X>
    BROADLOOM_INLINE explicit Variable(const X&) {}
};

template <class F, class... X>
struct Formula;

namespace detail {

using broadloom::detail::Slot;

template <class X>
struct FormulaOf {
    using type = Variable<typename X::value_type>;
};
template <class T>
struct FormulaOf<Scalar<T>> {
    using type = Scalar<T>;
};
template <class F, class... X>
struct FormulaOf<Expression<F, X...>> {
    using type = Formula<F, typename FormulaOf<X>::type...>;
};
/// A conversion that changes nothing is none.
template <class T, class X>
    requires std::is_same_v<T, typename X::value_type>
struct FormulaOf<Expression<scalar::cast<T>, X>> {
    using type = typename FormulaOf<X>::type;
};

/// A number of an expression, as the loop holds it.
template <class T>
class Number {
public:
    BROADLOOM_INLINE explicit Number(const T& x) : value_(x) {}
    BROADLOOM_INLINE explicit Number(const T* place) : value_(scalar::load(place)) {}
    BROADLOOM_INLINE T get() const { return value_; }

private:
    T value_;
};
/// A complex one is held as two, which must not look like neighbours in memory: of these GCC would
/// put registers together anew for every unit.
template <scalar::vector_complex T>
class Number<T> {
public:
    BROADLOOM_INLINE explicit Number(const T& x) : Number(&x) {}
    BROADLOOM_INLINE explicit Number(const T* place)
        : re_(reinterpret_cast<const Real*>(place)[0]),
          im_(reinterpret_cast<const Real*>(place)[1]) {
        BROADLOOM_KEEP_APART(im_);
    }
    BROADLOOM_INLINE T get() const { return scalar::join(re_, im_); }

private:
    using Real = broadloom::detail::real_t<T>;
    Real re_, im_;
};

/// The operand of a conversion that changes nothing, or what else there is.
template <class X>
BROADLOOM_INLINE const X& unconverted(const X& x) {
    return x;
}
template <class T, class X>
    requires std::is_same_v<T, typename X::value_type>
BROADLOOM_INLINE const auto& unconverted(const Expression<scalar::cast<T>, X>& x) {
    return detail::unconverted(x.template operand<0>());
}

/// A function that can be copied freely is copied into the loop, where the compiler sees that its
/// captures do not change; any other is called where it is.
template <class F, class... X>
using function_in_loop =
    std::conditional_t<std::is_trivially_copyable_v<F> &&
                           std::is_invocable_v<const F&, const typename X::value_type&...>,
                       const F, F&>;

template <class Indices, class F, class... X>
struct Call;
template <std::size_t... At, class F, class... X>
struct Call<std::index_sequence<At...>, F, X...> : Slot<At, X>... {
    [[no_unique_address]] function_in_loop<F, X...> function;

    // Every part is made in its place.
    template <class... Y>
    BROADLOOM_INLINE explicit Call(const Expression<F, Y...>& x)
        : Slot<At, X>{X(detail::unconverted(x.template operand<At>()))}...,
          function(const_cast<Expression<F, Y...>&>(x).function()) {}

    template <std::size_t J>
    BROADLOOM_INLINE const auto& operand() const {
        return at<J>(*this);
    }
    template <std::size_t J, class Y>
    BROADLOOM_INLINE static const Y& at(const Slot<J, Y>& slot) {
        return slot.value;
    }
};

}  // namespace detail

/// A function of formulas. Numbers are formulas of their own.
template <class F, class... X>
struct Formula : detail::Call<std::index_sequence_for<X...>, F, X...> {
    using value_type = std::remove_cvref_t<
        std::invoke_result_t<detail::function_in_loop<F, X...>&, const typename X::value_type&...>>;

    using detail::Call<std::index_sequence_for<X...>, F, X...>::Call;
};

/// The formula of an operand of type X: `formula_t<X> formula(unconverted(x))`.
template <class X>
using formula_t = typename detail::FormulaOf<X>::type;
using detail::unconverted;

namespace detail {

/// How many leaves a formula has.
template <class X>
inline constexpr std::size_t leaves = 1;
template <class T>
inline constexpr std::size_t leaves<Scalar<T>> = 0;
template <class F, class... X>
inline constexpr std::size_t leaves<Formula<F, X...>> = (0 + ... + leaves<X>);

/// The size of the smallest element of all leaves.
template <class X>
inline constexpr index_t smallest = static_cast<index_t>(sizeof(typename X::value_type));
template <class T>
inline constexpr index_t smallest<Scalar<T>> = block_length;
template <class F, class... X>
inline constexpr index_t smallest<Formula<F, X...>> = [] {
    index_t least = block_length;
    ((least = smallest<X> < least ? smallest<X> : least), ...);
    return least;
}();
/// And of the largest.
template <class X>
inline constexpr index_t largest = static_cast<index_t>(sizeof(typename X::value_type));
template <class T>
inline constexpr index_t largest<Scalar<T>> = 1;
template <class F, class... X>
inline constexpr index_t largest<Formula<F, X...>> = [] {
    index_t most = 1;
    ((most = largest<X> > most ? largest<X> : most), ...);
    return most;
}();

/// True where no leaf has elements of more than twice the size of another's.
template <class X>
inline constexpr bool similar_sizes = largest<X> <= 2 * smallest<X>;

/// How much work an element is, roughly: the nodes of the tree, those of the mathematics many
/// times. A function tells its `steps`, or its `steps_for` the types of its operands.
template <class F, class... T>
inline constexpr index_t steps_of_function = 1;
template <class F, class... T>
    requires requires { F::steps; }
inline constexpr index_t steps_of_function<F, T...> = F::steps;
template <class F, class... T>
    requires requires { F::template steps_for<T...>; }
inline constexpr index_t steps_of_function<F, T...> = F::template steps_for<T...>;
template <class X>
inline constexpr index_t steps = 1;
template <class F, class... X>
inline constexpr index_t steps<Formula<F, X...>> =
    (steps_of_function<F, typename X::value_type...> + ... + steps<X>);

/// True when all functions say that a processor does them in an instruction or two for a single
/// element, without a branch or a wait: one by one these cost no more than to bring the elements
/// together. What takes a square root, a quotient or a choice costs several times as much as in a
/// vector; so does a bool that becomes a number, which is a branch.
template <class X>
inline constexpr bool immediate = true;
template <class F, class... X>
inline constexpr bool immediate<Formula<F, X...>> = false;
template <class F, class... X>
    requires requires { F::immediate; }
inline constexpr bool immediate<Formula<F, X...>> =
    F::immediate && (immediate<X> && ...) &&
    (((kind<typename X::value_type> == Kind::boolean) && ...) ||
     ((kind<typename X::value_type> != Kind::boolean) && ...));

/// True when no function of the user takes part, so that the library's arithmetic holds.
template <class X>
inline constexpr bool own_functions = arithmetic<typename X::value_type>;
template <class F, class... X>
inline constexpr bool own_functions<Formula<F, X...>> =
    !broadloom::detail::IsUserFunction<F>::value &&
    arithmetic<typename Formula<F, X...>::value_type> && (own_functions<X> && ...);

/// True for functions that choose between what they compute and constants: those of the
/// mathematics, and such as say so.
template <class F, class... T>
inline constexpr bool function_chooses = steps_of_function<F, T...> >= scalar::math::many_steps;
template <class F, class... T>
    requires requires { F::chooses; }
inline constexpr bool function_chooses<F, T...> = F::chooses;
template <class X>
inline constexpr bool chooses = false;
template <class F, class... X>
inline constexpr bool chooses<Formula<F, X...>> =
    function_chooses<F, typename X::value_type...> || (chooses<X> || ...);

/// True for functions that choose between their last two operands by the first, a leaf, which may
/// be the same all along a row.
template <class F, class... X>
inline constexpr bool selects = false;
template <class F, class C, class... X>
    requires requires { F::selects; }
inline constexpr bool selects<F, Variable<C>, X...> = F::selects;
template <class X>
inline constexpr bool is_selection = false;
template <class F, class... X>
inline constexpr bool is_selection<Formula<F, X...>> = selects<F, X...>;

/// True when some function of elements of these types is computed in wider ones, since no
/// instruction does it.
template <class F, class... T>
inline constexpr bool function_widens = false;
template <class F, class... T>
    requires requires { F::template widens<T...>; }
inline constexpr bool function_widens<F, T...> = F::template widens<T...>;
template <class X>
inline constexpr bool widens = false;
template <class F, class... X>
inline constexpr bool widens<Formula<F, X...>> =
    function_widens<F, typename X::value_type...> || (widens<X> || ...);

/// True where real numbers and integers of four bytes are added, multiplied and compared, all of
/// which AVX2 has instructions for: wider vectors compute them no sooner, and short rows later.
template <class X>
inline constexpr bool suits_avx2 =
    std::is_floating_point_v<typename X::value_type> ||
    (std::is_integral_v<typename X::value_type> && std::is_signed_v<typename X::value_type> &&
     sizeof(typename X::value_type) == 4);
template <class F, class... X>
inline constexpr bool suits_avx2<Formula<F, X...>> =
    immediate<Formula<F, X...>> && (suits_avx2<X> && ...);

/// True when complex numbers take part.
template <class X>
inline constexpr bool of_complex = kind<typename X::value_type> == Kind::complex;
template <class F, class... X>
inline constexpr bool of_complex<Formula<F, X...>> =
    kind<typename Formula<F, X...>::value_type> == Kind::complex || (of_complex<X> || ...);

/// True when there is nothing to compute, only to move.
template <class X, class R>
inline constexpr bool copies = false;
template <class R>
inline constexpr bool copies<Variable<R>, R> = true;

/// True when evaluation cannot throw. The library's own functions throw nothing, but operators of
/// the user's elements may.
template <class X>
inline constexpr bool never_throws = true;
template <class F, class... X>
inline constexpr bool never_throws<Formula<F, X...>> =
    ((!broadloom::detail::IsUserFunction<F>::value &&
      (arithmetic<typename X::value_type> && ...)) ||
     std::is_nothrow_invocable_v<const F&, const typename X::value_type&...>) &&
    (never_throws<X> && ...);

/// True when storing elements of type R cannot throw either.
template <class X, class R>
inline constexpr bool stores_without_throwing =
    never_throws<X> && ((arithmetic<typename X::value_type> && arithmetic<R>) ||
                        std::is_same_v<typename X::value_type, R> ||
                        std::is_nothrow_constructible_v<R, const typename X::value_type&>);

/// True when all functions can be called as constants, so that several threads may call them.
template <class X>
inline constexpr bool keeps_no_state = true;
template <class F, class... X>
inline constexpr bool keeps_no_state<Formula<F, X...>> =
    std::is_invocable_v<const F&, const typename X::value_type&...> && (keeps_no_state<X> && ...);

/// A function that is quicker for the arguments which occur.
template <class F, class... T>
concept has_usual =
    requires(const F& f, const T&... x, scalar::math::Rare& rare) { f.usual(x..., rare); };
/// One that has several such forms, and knows beforehand which will do.
template <unsigned Form, class F, class... T>
concept has_usual_form = requires(const F& f, const T&... x, scalar::math::Rare& rare) {
    f.template usual<Form>(x..., rare);
};

template <unsigned Form, class X>
inline constexpr bool any_usual_form = false;
template <unsigned Form, class F, class... X>
inline constexpr bool any_usual_form<Form, Formula<F, X...>> =
    (Form == 1 && has_usual<F, typename X::value_type...>) ||
    has_usual_form<Form, F, typename X::value_type...> || (any_usual_form<Form, X> || ...);
/// The first form is that of functions which have one.
template <class X>
inline constexpr bool any_usual = any_usual_form<1, X>;

/// True of a function that takes little longer for arguments which are not the usual ones.
template <class F, class... T>
inline constexpr bool bears_rare = false;
template <class F, class... T>
    requires requires { F::template bears_rare<T...>; }
inline constexpr bool bears_rare<F, T...> = F::template bears_rare<T...>;
/// True of a function whose usual form is so short that several vectors of it go side by side.
template <class F, class... T>
inline constexpr bool has_short_usual = false;
template <class F, class... T>
    requires requires { F::template has_short_usual<T...>; }
inline constexpr bool has_short_usual<F, T...> = F::template has_short_usual<T...>;
template <class X>
inline constexpr bool any_short_usual = false;
template <class F, class... X>
inline constexpr bool any_short_usual<Formula<F, X...>> =
    has_short_usual<F, typename X::value_type...> || (any_short_usual<X> || ...);
/// True when all functions that have usual forms take little longer for rare arguments.
template <class X>
inline constexpr bool all_bear_rare = true;
template <class F, class... X>
inline constexpr bool all_bear_rare<Formula<F, X...>> =
    (bears_rare<F, typename X::value_type...> ||
     !(has_usual<F, typename X::value_type...> ||
       has_usual_form<1, F, typename X::value_type...>)) &&
    (all_bear_rare<X> && ...);

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_FORMULA_HPP
