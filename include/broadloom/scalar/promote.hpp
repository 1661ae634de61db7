// The type that two element types meet in, and what a C++ scalar becomes beside a tensor. One
// rule serves operators, where, concat, matmul and all else.
//
// Same type stays; bool yields; integer with floating gives the floating type; otherwise the
// wider; integers of equal width but different sign give the next wider signed type, and
// std::uint64_t with any signed type gives std::int64_t.
#ifndef BROADLOOM_SCALAR_PROMOTE_HPP
#define BROADLOOM_SCALAR_PROMOTE_HPP

#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace broadloom {

/// Bool and the integers of up to eight bytes. Those of the compiler's own, such as __int128, are
/// taken like types of the user.
template <class T>
concept standard_integral = std::is_integral_v<T> && sizeof(T) <= 8;

/// The kinds of element types, each above the one before. `other` are types of the user.
enum class Kind { boolean, integer, floating, complex, other };

namespace detail {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class T>
consteval Kind kind_of_element() {
    if constexpr (std::is_same_v<T, bool>) return Kind::boolean;
    else if constexpr (standard_integral<T>) return Kind::integer;
    else if constexpr (std::is_floating_point_v<T>) return Kind::floating;
    else if constexpr (IsComplex<T>::value) return Kind::complex;
    else return Kind::other;
}

}  // namespace detail

template <class T>
inline constexpr Kind kind = detail::kind_of_element<std::remove_cv_t<T>>();

/// A type of the standard's arithmetic: bool, integers, floating, std::complex.
template <class T>
concept arithmetic = standard_integral<T> || std::is_floating_point_v<T> ||
                     detail::IsComplex<std::remove_cv_t<T>>::value;

/// A floating type in IEEE 754's format of 2, 4 or 8 bytes, as other programs know it.
template <class T>
concept interchange_real =
    std::numeric_limits<T>::is_iec559 && std::numeric_limits<T>::digits == (sizeof(T) == 2   ? 11
                                                                            : sizeof(T) == 4 ? 24
                                                                                             : 53);

namespace detail {

template <class T>
struct RealOf {
    using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
    using type = T;
};
template <class T>
using real_t = typename RealOf<T>::type;

/// The unsigned number of so many bytes, or of 8.
template <std::size_t Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class A, class B>
consteval auto promoted() {
    if constexpr (std::is_same_v<A, B>) return std::type_identity<A>{};
    else if constexpr (!arithmetic<A> || !arithmetic<B>) return std::common_type<A, B>{};
    else if constexpr (kind<A> == Kind::boolean) return std::type_identity<B>{};
    else if constexpr (kind<B> == Kind::boolean) return std::type_identity<A>{};
    else if constexpr (kind<A> == Kind::complex || kind<B> == Kind::complex) {
        using R = typename decltype(promoted<real_t<A>, real_t<B>>())::type;
        // An integer takes the complex number's own precision.
        return std::type_identity<std::complex<R>>{};
    } else if constexpr (kind<A> != kind<B>) {
        return std::type_identity<std::conditional_t<kind<A> == Kind::floating, A, B>>{};
    } else if constexpr (kind<A> == Kind::floating || std::is_signed_v<A> == std::is_signed_v<B>) {
        using Fixed = std::make_signed_t<unsigned_of<sizeof(A)>>;
        if constexpr (sizeof(A) != sizeof(B)) {
            return std::type_identity<std::conditional_t<(sizeof(A) > sizeof(B)), A, B>>{};
        } else if constexpr (sizeof(std::common_type_t<A, B>) == sizeof(A)) {
            return std::common_type<A, B>{};
        } else if constexpr (std::is_signed_v<A>) {  // char and signed char, which C++ makes int
            return std::type_identity<Fixed>{};
        } else {
            return std::make_unsigned<Fixed>{};
        }
    } else if constexpr (sizeof(A) == sizeof(B)) {
        return std::type_identity<std::make_signed_t<unsigned_of<2 * sizeof(A)>>>{};
    } else {
        using Wide = std::conditional_t<(sizeof(A) > sizeof(B)), A, B>;
        if constexpr (sizeof(Wide) == 8) return std::type_identity<std::int64_t>{};
        else return std::type_identity<Wide>{};
    }
}

}  // namespace detail

/// The type in which A and B meet: `promote_t<std::int8_t, std::uint8_t>` is std::int16_t.
template <class A, class B>
using promote_t = typename decltype(detail::promoted<A, B>())::type;

namespace detail {

template <class A, class... Rest>
struct PromotedAll {
    using type = A;
};
template <class A, class B, class... Rest>
struct PromotedAll<A, B, Rest...> {
    using type = typename PromotedAll<promote_t<A, B>, Rest...>::type;
};

}  // namespace detail

/// The type in which any number of types meet, taken from the left.
template <class... T>
using promote_all_t = typename detail::PromotedAll<T...>::type;

/// What a C++ scalar of type S is taken as beside elements of type T: their type, unless the
/// scalar is of a higher kind.
template <class S, class T>
using weak_t = std::conditional_t<arithmetic<S> && arithmetic<T> && kind<S> <= kind<T>, T, S>;

/// True when a value of type From may be stored as To without being asked for by a cast: the
/// kind does not fall (a floating value into an integer, a complex one into a real).
template <class From, class To>
concept storable =
    std::is_same_v<From, To> || (arithmetic<From> && arithmetic<To> && kind<From> <= kind<To>) ||
    ((!arithmetic<From> || !arithmetic<To>) && std::is_convertible_v<From, To>);

/// True when a value that is written down, in braces or to fill a tensor, may become a T: what is
/// storable, and 0 and 1 as truths.
template <class From, class To>
concept value_for =
    storable<From, To> || (kind<From> == Kind::integer && kind<To> == Kind::boolean);

namespace detail {

template <class T>
consteval auto accumulator() {
    if constexpr (kind<T> > Kind::integer) return std::type_identity<T>{};
    else if constexpr (kind<T> == Kind::boolean || std::is_signed_v<T>) {
        return std::type_identity<std::int64_t>{};
    } else {
        return std::type_identity<std::uint64_t>{};
    }
}

}  // namespace detail

/// The type in which elements of type T are summed and multiplied.
template <class T>
using accumulator_t = typename decltype(detail::accumulator<T>())::type;

/// The type of a mean: double for integers and bool.
template <class T>
using mean_t = std::conditional_t<(kind<T> > Kind::integer), T, double>;

}  // namespace broadloom

#endif  // BROADLOOM_SCALAR_PROMOTE_HPP
