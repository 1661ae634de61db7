// Comparisons and logic. Integers of different sign compare as mathematics has it (-1 is less than
// any unsigned value), other types in the one they meet in; with NaN all are false but not_equal.
// Types of the user have operators of their own, and where these are but < and == the others
// follow.
#ifndef BROADLOOM_SCALAR_COMPARISON_HPP
#define BROADLOOM_SCALAR_COMPARISON_HPP

#include "broadloom/scalar/convert.hpp"

namespace broadloom::scalar {

BROADLOOM_EXACT_BEGIN

namespace detail {

using broadloom::detail::unsigned_of;

template <class A, class B>
concept integers_of_two_signs = kind<A> == Kind::integer && kind<B> == Kind::integer &&
                                std::is_signed_v<A> != std::is_signed_v<B>;

template <class A, class B>
consteval auto meeting() {
    if constexpr (integers_of_two_signs<A, B>) {
        // The signed type that holds both, where there is one.
        constexpr std::size_t s = std::is_signed_v<A> ? sizeof(A) : sizeof(B);
        constexpr std::size_t u = std::is_signed_v<A> ? sizeof(B) : sizeof(A);
        return std::type_identity<std::make_signed_t<unsigned_of<(s > u ? s : 2 * u)>>>{};
    } else {
        return std::type_identity<promote_t<A, B>>{};
    }
}

template <class A, class B>
inline constexpr bool needs_sign_test =
    integers_of_two_signs<A, B> && (std::is_signed_v<A> ? sizeof(B) : sizeof(A)) == 8;

template <class A, class B>
concept of_the_user = !arithmetic<A> || !arithmetic<B>;

/// a < b as mathematics has it.
template <class A, class B>
BROADLOOM_INLINE constexpr bool is_less(const A& a, const B& b) {
    if constexpr (of_the_user<A, B>) {
        return static_cast<bool>(a < b);
    } else if constexpr (needs_sign_test<A, B>) {
        if constexpr (std::is_signed_v<A>) {
            return (a < 0) | (static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b));
        } else {
            return (b >= 0) & (static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b));
        }
    } else {
        using R = typename decltype(meeting<A, B>())::type;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        if constexpr (kind<R> == Kind::complex) {
            const auto p = parts(x), q = parts(y);
            const bool numbers = (p.im == p.im) & (q.im == q.im);
            return ((p.re < q.re) & numbers) | ((p.re == q.re) & (p.im < q.im));
        } else {
            return x < y;
        }
    }
}

template <class A, class B>
BROADLOOM_INLINE constexpr bool is_equal(const A& a, const B& b) {
    if constexpr (of_the_user<A, B>) {
        return static_cast<bool>(a == b);
    } else if constexpr (needs_sign_test<A, B>) {
        const bool negative = std::is_signed_v<A> ? a < A(0) : b < B(0);
        return !negative & (static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b));
    } else {
        using R = typename decltype(meeting<A, B>())::type;
        const R x = scalar::convert<R>(a), y = scalar::convert<R>(b);
        if constexpr (kind<R> == Kind::complex) {
            const auto p = parts(x), q = parts(y);
            return (p.re == q.re) & (p.im == q.im);
        } else {
            return x == y;
        }
    }
}

}  // namespace detail

struct equal {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        return detail::is_equal(a, b);
    }
};
struct not_equal {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        if constexpr (detail::of_the_user<A, B> && requires { bool(a != b); }) return bool(a != b);
        else return !detail::is_equal(a, b);
    }
};
/// Whether two elements are equal, or both NaN.
struct alike {
    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        const bool same = equal{}(a, b), is_a = equal{}(a, a), is_b = equal{}(b, b);
        return same | (!is_a & !is_b);
    }
};
struct less {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        return detail::is_less(a, b);
    }
};
struct greater {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        if constexpr (detail::of_the_user<A, B> && requires { bool(a > b); }) return bool(a > b);
        else return detail::is_less(b, a);
    }
};
struct less_equal {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        if constexpr (detail::of_the_user<A, B> && requires { bool(a <= b); }) {
            return bool(a <= b);
        } else {
            const bool less = detail::is_less(a, b), equal = detail::is_equal(a, b);
            return less | equal;
        }
    }
};
struct greater_equal {
    static constexpr bool immediate = true;

    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        if constexpr (detail::of_the_user<A, B> && requires { bool(a >= b); }) {
            return bool(a >= b);
        } else {
            const bool greater = detail::is_less(b, a), equal = detail::is_equal(a, b);
            return greater | equal;
        }
    }
};

struct logical_and {
    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        const bool first = scalar::convert<bool>(a), second = scalar::convert<bool>(b);
        return first & second;
    }
};
struct logical_or {
    template <class A, class B>
    BROADLOOM_INLINE constexpr bool operator()(const A& a, const B& b) const {
        const bool first = scalar::convert<bool>(a), second = scalar::convert<bool>(b);
        return first | second;
    }
};
struct logical_not {
    template <class A>
    BROADLOOM_INLINE constexpr bool operator()(const A& a) const {
        return !scalar::convert<bool>(a);
    }
};

BROADLOOM_EXACT_END

}  // namespace broadloom::scalar

#endif  // BROADLOOM_SCALAR_COMPARISON_HPP
