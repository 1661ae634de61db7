// Reading a formula: what the loop, its twin for a handful of elements and the folds that take
// elements as they are computed have in common.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_CURSOR_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_CURSOR_HPP

#include "broadloom/kernel/elementwise/leaf.hpp"

namespace broadloom::kernel {

namespace detail {

/// What one function that chooses hands to another. GCC leads the conditions of the second through
/// the constants of the first, and then makes no vectors of them: so it must not know the number,
/// to which a zero is added that it does not know.
template <bool both_choose>
class Handing {
public:
    template <class X, class T>
    BROADLOOM_INLINE T pass(const T& x) const {
        return x;
    }
};
template <>
class Handing<true> {
public:
    BROADLOOM_INLINE Handing() { BROADLOOM_KEEP_UNKNOWN(zero_); }
    template <class X, class T>
    BROADLOOM_INLINE T pass(const T& x) const {
        if constexpr (scalar::vector_real<T> && chooses<X>) {
            return scalar::math::or_sign(x, static_cast<scalar::math::word<T>>(zero_));
        } else {
            return x;
        }
    }

private:
    std::uint64_t zero_ = 0;
};

/// Where a row chooses one of two operands all along, the other stays in the row that was read of
/// it last, or in the first of all, and so is not fetched.
template <bool selects>
class Selection {};
template <>
class Selection<true> {
public:
    template <class Condition>
    BROADLOOM_INLINE void begin(const Condition& condition) {
        last_[0] = last_[1] = -condition.before();
    }
    /// The row of the operand that is chosen where the condition is `wanted`.
    template <class Condition>
    BROADLOOM_INLINE index_t row(index_t r, const Condition& condition, bool wanted) {
        if (!condition.constant() || scalar::convert<bool>(condition[0]) == wanted)
            last_[wanted] = r;
        return last_[wanted];
    }

private:
    index_t last_[2];
};

/// The part of `Held` that is about operand J of a function.
template <int Held, std::size_t J, class... X>
inline constexpr int held_of = [] {
    if (Held < 0) return -1;
    constexpr std::size_t counts[] = {leaves<X>...};
    std::size_t before = 0;
    for (std::size_t j = 0; j < J; ++j) before += counts[j];
    return Held >> before & ((1 << counts[J]) - 1);
}();

template <int Held, class Indices, class F, class... X>
class Node;
template <int Held, std::size_t... At, class F, class... X>
class Node<Held, std::index_sequence<At...>, F, X...>
    : Slot<At, Cursor<X, held_of<Held, At, X...>>>... {
    template <std::size_t J, class Y>
    using Part = Slot<J, Cursor<Y, held_of<Held, J, X...>>>;

public:
    // Braces take the operands' runs in order.
    BROADLOOM_INLINE Node(const Formula<F, X...>& formula, const Run*& run)
        : Part<At, X>{Cursor<X, held_of<Held, At, X...>>(formula.template operand<At>(), run)}...,
          function_(formula.function) {
        if constexpr (selects<F, X...>) selection_.begin(first(*this));
    }
    template <index_t Length>
    BROADLOOM_INLINE void row([[maybe_unused]] index_t r) {
        if constexpr (selects<F, X...>)
            (Part<At, X>::value.template row<Length>(row_of<At>(r)), ...);
        else (Part<At, X>::value.template row<Length>(r), ...);
    }
    BROADLOOM_INLINE void advance() { (Part<At, X>::value.advance(), ...); }
    BROADLOOM_INLINE void place([[maybe_unused]] index_t r) { (Part<At, X>::value.place(r), ...); }
    BROADLOOM_INLINE void next() { (Part<At, X>::value.next(), ...); }
    template <index_t Length>
    BROADLOOM_INLINE void prefetch() const {
        (Part<At, X>::value.template prefetch<Length>(), ...);
    }
    template <index_t Length>
    BROADLOOM_INLINE void prefetch_block() const {
        (Part<At, X>::value.template prefetch_block<Length>(), ...);
    }
    template <index_t Count>
    BROADLOOM_INLINE void prefetch_from([[maybe_unused]] index_t i) const {
        (Part<At, X>::value.template prefetch_from<Count>(i), ...);
    }
    BROADLOOM_INLINE void read_in_order([[maybe_unused]] index_t rows,
                                        [[maybe_unused]] index_t columns) const {
        (Part<At, X>::value.read_in_order(rows, columns), ...);
    }
    BROADLOOM_INLINE void skip([[maybe_unused]] index_t i) { (Part<At, X>::value.skip(i), ...); }
    BROADLOOM_INLINE bool flat([[maybe_unused]] index_t length) const {
        return (int{Part<At, X>::value.flat(length)} & ... & 1) != 0;
    }
    BROADLOOM_INLINE auto operator[]([[maybe_unused]] index_t i) const {
        return function_(handing_.template pass<X>(Part<At, X>::value[i])...);
    }
    template <unsigned Form>
    BROADLOOM_INLINE auto usual([[maybe_unused]] index_t i, scalar::math::Rare& rare) const {
        if constexpr (has_usual_form<Form, F, typename X::value_type...>) {
            return function_.template usual<Form>(
                Part<At, X>::value.template usual<Form>(i, rare)..., rare);
        } else if constexpr (has_usual<F, typename X::value_type...>) {
            return function_.usual(Part<At, X>::value.template usual<Form>(i, rare)..., rare);
        } else {
            return function_(
                handing_.template pass<X>(Part<At, X>::value.template usual<Form>(i, rare))...);
        }
    }
    BROADLOOM_INLINE unsigned forms() const {
        const unsigned forms = (Part<At, X>::value.forms() & ... & 7U);
        if constexpr (requires { function_.forms(); }) return forms & function_.forms();
        else return forms;
    }
    template <index_t Length>
    BROADLOOM_INLINE void block([[maybe_unused]] index_t r, [[maybe_unused]] index_t count,
                                [[maybe_unused]] const Spacing& spacing) {
        (Part<At, X>::value.template block<Length>(r, count, spacing), ...);
    }
    template <index_t Length>
    BROADLOOM_INLINE void panel([[maybe_unused]] index_t r, [[maybe_unused]] index_t count,
                                [[maybe_unused]] const Spacing& spacing,
                                [[maybe_unused]] index_t i) {
        (Part<At, X>::value.template panel<Length>(r, count, spacing, i), ...);
    }
    BROADLOOM_INLINE void next_group() { (Part<At, X>::value.next_group(), ...); }
    template <index_t Length>
    BROADLOOM_INLINE void group([[maybe_unused]] index_t g) {
        (Part<At, X>::value.template group<Length>(g), ...);
    }
    BROADLOOM_INLINE void down([[maybe_unused]] index_t rows) {
        (Part<At, X>::value.down(rows), ...);
    }
    BROADLOOM_INLINE void fours([[maybe_unused]] index_t count) {
        (Part<At, X>::value.fours(count), ...);
    }
    BROADLOOM_INLINE auto at([[maybe_unused]] index_t r, [[maybe_unused]] index_t i) const {
        return function_(handing_.template pass<X>(Part<At, X>::value.at(r, i))...);
    }

private:
    /// The row of operand J where the others are in row r.
    template <std::size_t J>
    BROADLOOM_INLINE index_t row_of(index_t r) {
        if constexpr (J > 0) return selection_.row(r, first(*this), J == 1);
        else return r;
    }
    template <class X0>
    BROADLOOM_INLINE static const X0& first(const Slot<0, X0>& slot) {
        return slot.value;
    }

    using Passed = Handing<own_functions<Formula<F, X...>> &&
                           function_chooses<F, typename X::value_type...> && (chooses<X> || ...)>;
    [[no_unique_address]] Passed handing_;
    [[no_unique_address]] Selection<selects<F, X...>> selection_;
    [[no_unique_address]] function_in_loop<F, X...> function_;
};

}  // namespace detail

template <class F, class... X, int Held>
class Cursor<Formula<F, X...>, Held>
    : public detail::Node<Held, std::index_sequence_for<X...>, F, X...> {
public:
    // An inherited constructor may stay out of line.
    BROADLOOM_INLINE Cursor(const Formula<F, X...>& formula, const Run*& run)
        : detail::Node<Held, std::index_sequence_for<X...>, F, X...>(formula, run) {}
};

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_CURSOR_HPP
