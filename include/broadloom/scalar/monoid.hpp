// What a reduction does to elements: each function object lifts an element into an accumulator,
// joins two accumulators, and may finish one into a result. Integers and bool sum and multiply
// in 64 bits.
#ifndef BROADLOOM_SCALAR_MONOID_HPP
#define BROADLOOM_SCALAR_MONOID_HPP

#include "broadloom/scalar/root.hpp"

namespace broadloom::scalar::fold {

BROADLOOM_EXACT_BEGIN

namespace detail {

/// Integers of a byte, and bool: the sum of four fits two bytes, four times as many of which fill a
/// register as of accumulators.
template <class T>
concept narrow = std::is_integral_v<T> && sizeof(T) == 1;

template <narrow T>
BROADLOOM_INLINE constexpr std::int16_t sum_of_four(T a, T b, T c, T d) {
    using P = std::int16_t;
    const P ab = static_cast<P>(P{a} + P{b}), cd = static_cast<P>(P{c} + P{d});
    return static_cast<P>(ab + cd);
}

}  // namespace detail

struct sum {
    /// The parts of complex numbers are added each by itself.
    static constexpr bool by_parts = true;
    /// A join is an instruction.
    template <class A>
    static constexpr bool immediate = true;

    template <class T>
    BROADLOOM_INLINE constexpr accumulator_t<T> lift(const T& x) const {
        return scalar::convert<accumulator_t<T>>(x);
    }
    /// Four elements lifted and joined, when that is less work.
    template <detail::narrow T>
    BROADLOOM_INLINE constexpr accumulator_t<T> lift(T a, T b, T c, T d) const {
        return static_cast<accumulator_t<T>>(detail::sum_of_four(a, b, c, d));
    }
    template <class A>
    BROADLOOM_INLINE constexpr A join(const A& a, const A& b) const {
        return add::on(a, b);
    }
};

struct product {
    /// Products of a type of the user need not commute.
    static constexpr bool keeps_order = true;
    /// A join takes many instructions, or is one.
    template <class A>
    static constexpr bool slow = !std::is_floating_point_v<A>;
    template <class A>
    static constexpr bool immediate = !slow<A>;

    template <class T>
    BROADLOOM_INLINE constexpr accumulator_t<T> lift(const T& x) const {
        return scalar::convert<accumulator_t<T>>(x);
    }
    template <class A>
    BROADLOOM_INLINE constexpr A join(const A& a, const A& b) const {
        return multiply::on(a, b);
    }
};

/// The sum in R.
template <class R>
struct sum_in {
    template <class A>
    static constexpr bool immediate = true;

    template <class T>
    BROADLOOM_INLINE constexpr R lift(const T& x) const {
        return scalar::convert<R>(x);
    }
    template <detail::narrow T>
        requires std::is_same_v<R, double>
    BROADLOOM_INLINE constexpr R lift(T a, T b, T c, T d) const {
        return static_cast<R>(detail::sum_of_four(a, b, c, d));
    }
    BROADLOOM_INLINE constexpr R join(const R& a, const R& b) const { return add::on(a, b); }
};

namespace detail {

/// The sum of elements of type T in R, which is often the usual one.
template <class R, class T>
using sum_of = std::conditional_t<std::is_same_v<R, accumulator_t<T>>, sum, sum_in<R>>;

}  // namespace detail

/// A count that becomes whatever number a type of the user is divided by.
struct Count {
    std::ptrdiff_t count;

    template <class N>
        requires std::is_arithmetic_v<N>
    constexpr operator N() const {
        return static_cast<N>(count);
    }
};
/// True of types that a number N makes, where what a By divides is one again.
template <class R, class N, class By>
concept counts_in = made_of<R, N> && requires(const R& r, const By& by) {
    { r / by } -> std::convertible_to<R>;
};
/// A count as a divisor of an R: as an R where these divide one another, else as a number.
template <class R>
BROADLOOM_INLINE constexpr auto divisor(std::ptrdiff_t count) {
    using Real = broadloom::detail::real_t<R>;
    const auto number = static_cast<double>(count);
    if constexpr (counts_in<Real, std::ptrdiff_t, Real>) return static_cast<Real>(count);
    else if constexpr (counts_in<Real, double, Real>) return Real(number);
    else if constexpr (counts_in<R, double, double>) return number;
    else if constexpr (counts_in<R, std::ptrdiff_t, std::ptrdiff_t>) return count;
    else return Count{count};
}

/// The sum, divided by a number of R at the end: of integers that cannot overflow 64 bits the exact
/// sum, else one in R.
template <class R>
struct mean {
    template <class T>
    static constexpr bool exact = std::is_integral_v<T> && sizeof(T) < sizeof(accumulator_t<T>);
    template <class T>
    using core = std::conditional_t<exact<T>, sum, detail::sum_of<R, T>>;
    using Number = decltype(divisor<R>(1));
    Number number;

    template <class T>
    R lift(const T&) const;
    template <class A>
    BROADLOOM_INLINE constexpr R finish(const A& a) const {
        if constexpr (kind<R> == Kind::complex) {
            return scalar::join(parts(a).re / number, parts(a).im / number);
        } else {
            return scalar::convert<R>(a) / number;
        }
    }
    /// The factor that gives the same to the bit, of a power of two, or 0.
    BROADLOOM_INLINE constexpr Number factor() const
        requires(arithmetic<R> && vector_real<Number>)
    {
        return (math::to_bits(number) & math::Format<Number>::fraction) == 0 ? 1 / number : 0;
    }
    template <class A>
    BROADLOOM_INLINE constexpr R finish(const A& a, Number factor) const {
        if constexpr (kind<R> == Kind::complex) {
            return scalar::join(parts(a).re * factor, parts(a).im * factor);
        } else {
            return scalar::convert<R>(a) * factor;
        }
    }
};

/// The sum of the squared distances from a value that stands beside every element, in double or
/// wider, divided by a number at the end.
template <class R, class W>
struct variance {
    template <class T>
    using core = detail::sum_of<W, T>;
    W number;
    bool root;

    template <class T>
    W lift(const T&) const;
    BROADLOOM_INLINE constexpr R finish(const W& a) const {
        const W v = a / number;
        return static_cast<R>(root ? sqrt{}(v) : v);
    }
};

/// |x|^2 of elements, summed in R.
template <class R>
struct square_sum {
    template <class T>
    BROADLOOM_INLINE constexpr R lift(const T& x) const {
        if constexpr (kind<T> == Kind::complex) {
            const auto z = parts(x);
            return z.re * z.re + z.im * z.im;
        } else {
            const R r = scalar::convert<R>(x);
            return r * r;
        }
    }
    BROADLOOM_INLINE constexpr R join(const R& a, const R& b) const { return a + b; }
};

/// The Euclidean norm.
template <class R>
struct euclidean {
    template <class T>
    using core = square_sum<R>;

    template <class T>
    R lift(const T&) const;
    BROADLOOM_INLINE constexpr R finish(const R& a) const { return sqrt{}(a); }
};
/// |x - m|^2 in double or wider.
struct square_distance {
    template <class T, class W>
    BROADLOOM_INLINE constexpr auto operator()(const T& x, const W& m) const {
        const W d = subtract::on(scalar::convert<W>(x), m);
        if constexpr (kind<W> == Kind::complex) {
            const auto z = parts(d);
            return z.re * z.re + z.im * z.im;
        } else {
            return d * d;
        }
    }
};

namespace detail {

/// `m`, or NaN if `a` is: without a branch that the compiler could weave into those around it.
template <vector_real T>
BROADLOOM_INLINE constexpr T with_nan(T m, T a) {
    const T nan = a != a ? math::nan<T> : T{0};
    return math::from_bits<T>(math::to_bits(m) | math::to_bits(nan));
}
/// The same if any of four is: one comparison tells of two, where GCC does not join `a != a` and
/// `b != b`.
template <vector_real T>
BROADLOOM_INLINE constexpr T with_nan(T m, T a, T b, T c, T d) {
    const bool ordered = ((a < b) | (a >= b)) & ((c < d) | (c >= d));
    const T nan = ordered ? T{0} : math::nan<T>;
    return math::from_bits<T>(math::to_bits(m) | math::to_bits(nan));
}

/// The largest element or the smallest; NaN if any is.
template <bool Larger>
struct Extreme {
    /// Of elements of the user's that are as large it is the first.
    static constexpr bool keeps_order = true;
    template <class A>
    static constexpr bool immediate = std::is_integral_v<A> && sizeof(A) <= 4;

    template <class T>
    BROADLOOM_INLINE constexpr T lift(const T& x) const {
        return x;
    }
    template <vector_real T>
    BROADLOOM_INLINE constexpr T lift(T a, T b, T c, T d) const {
        return with_nan(of_four(a, b, c, d), a, b, c, d);
    }
    template <class A>
    BROADLOOM_INLINE constexpr A join(const A& a, const A& b) const {
        // A comparison in a function of its own would keep Clang from joining vectors.
        if constexpr (vector_real<A>) return with_nan((Larger ? a > b : a < b) ? a : b, a);
        else return scalar::detail::Extreme<Larger>::on(a, b);
    }
    /// Four elements join at once with half of the steps.
    template <vector_real T>
    BROADLOOM_INLINE constexpr T join(T m, T a, T b, T c, T d) const {
        const T four = of_four(a, b, c, d);
        return with_nan((Larger ? four > m : four < m) ? four : m, a, b, c, d);
    }
    /// True when a comes first although b was there before.
    template <class T>
    BROADLOOM_INLINE constexpr bool exceeds(const T& a, const T& b) const {
        if constexpr (kind<T> == Kind::complex) {
            const bool nan_a = has_nan(parts(a)), nan_b = has_nan(parts(b));
            return (!nan_b) & (nan_a | scalar::detail::is_beyond<Larger>(a, b));
        } else if constexpr (kind<T> == Kind::floating) {
            return scalar::detail::is_beyond<Larger>(a, b) | ((a != a) & (b == b));
        } else {
            return scalar::detail::is_beyond<Larger>(a, b);
        }
    }
    /// True of zeros, whose signs differ though they are equal, and NaN.
    template <class T>
    static constexpr bool shows_order(const T& x) {
        return x == T(0) || x != x;
    }

private:
    /// Where one is NaN, any of them.
    template <class T>
    BROADLOOM_INLINE static constexpr T of_four(T a, T b, T c, T d) {
        const T ab = (Larger ? a > b : a < b) ? a : b, cd = (Larger ? c > d : c < d) ? c : d;
        return (Larger ? ab > cd : ab < cd) ? ab : cd;
    }
};

}  // namespace detail

struct largest : detail::Extreme<true> {};
struct smallest : detail::Extreme<false> {};

namespace detail {

/// Whether any element is `wanted`, where all that are not 0 are true, NaN too.
template <bool wanted>
struct Truth {
    template <class A>
    static constexpr bool immediate = true;

    template <class T>
    BROADLOOM_INLINE constexpr unsigned char lift(const T& x) const {
        return static_cast<unsigned char>(scalar::convert<bool>(x));
    }
    BROADLOOM_INLINE constexpr unsigned char join(unsigned char a, unsigned char b) const {
        return static_cast<unsigned char>(wanted ? a | b : a & b);
    }
    BROADLOOM_INLINE constexpr bool finish(unsigned char a) const { return a != 0; }
    BROADLOOM_INLINE constexpr bool decided(unsigned char a) const { return (a != 0) == wanted; }
};

}  // namespace detail

/// Whether any element is not 0, and whether all are.
struct any : detail::Truth<true> {};
struct all : detail::Truth<false> {};

/// The extremes of elements of type T; of bool they are any and all.
template <class T>
using largest_of = std::conditional_t<std::is_same_v<T, bool>, any, largest>;
template <class T>
using smallest_of = std::conditional_t<std::is_same_v<T, bool>, all, smallest>;

/// How many elements are not 0: of bool their sum.
struct count {
    template <class T>
    using core = std::conditional_t<std::is_same_v<T, bool>, sum, count>;

    template <class T>
    BROADLOOM_INLINE constexpr std::int64_t lift(const T& x) const {
        return static_cast<std::int64_t>(scalar::convert<bool>(x));
    }
    template <detail::narrow T>
    BROADLOOM_INLINE constexpr std::int64_t lift(T a, T b, T c, T d) const {
        const auto one = [](T x) { return static_cast<std::int8_t>(x != T(0)); };
        return detail::sum_of_four(one(a), one(b), one(c), one(d));
    }
    BROADLOOM_INLINE constexpr std::int64_t join(std::int64_t a, std::int64_t b) const {
        return a + b;
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar::fold

#endif  // BROADLOOM_SCALAR_MONOID_HPP
