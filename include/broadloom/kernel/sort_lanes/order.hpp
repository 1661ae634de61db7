// What comes before what when a lane is sorted: a run of values, or of values with their indices.
// NaN comes last whether the order rises or falls, complex numbers go by real, then imaginary part,
// and numbers of up to eight bytes by a key.
#ifndef BROADLOOM_KERNEL_SORT_LANES_ORDER_HPP
#define BROADLOOM_KERNEL_SORT_LANES_ORDER_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"
#include "broadloom/scalar/bits.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom::kernel {

/// Element types whose order is that of an unsigned number of the same size.
template <class T>
concept keyed = standard_integral<T> || scalar::vector_real<T>;

/// A value that remembers where it was. Int is wide enough for the lane.
template <class T, class Int>
struct Indexed {
    T value;
    Int index;
};

/// The unsigned number by whose order x is sorted; -0 and 0 have the same.
template <bool Falling, keyed T>
BROADLOOM_INLINE constexpr auto order_key(T x) {
    using U = broadloom::detail::unsigned_of<sizeof(T)>;
    constexpr U top = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
    if constexpr (scalar::vector_real<T>) {
        // Without a branch, which would have to guess signs and zeros.
        const U bits = scalar::math::to_bits(x), twice = static_cast<U>(bits << 1);
        const U negative = bits >> (8 * sizeof(T) - 1);
        const U rising = (bits ^ ((U{0} - negative) | top)) + (negative & U{twice == 0});
        const U nan = U{0} - U{twice > static_cast<U>(scalar::math::Format<T>::exponent << 1)};
        return (Falling ? ~rising : rising) | nan;
    } else {
        const U key = static_cast<U>(static_cast<U>(x) ^ (std::is_signed_v<T> ? top : U{0}));
        return Falling ? static_cast<U>(~key) : key;
    }
}

/// True when a comes before b, whatever their type.
template <bool Falling, class T>
BROADLOOM_INLINE constexpr bool precedes(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        return !(Falling ? a <= b : a >= b) & (a == a);
    } else if constexpr (kind<T> == Kind::complex) {
        // Numbers, then those with a NaN in the imaginary part, in the real part, in both.
        const auto p = scalar::parts(a), q = scalar::parts(b);
        const int p_class = 2 * int{p.re != p.re} + int{p.im != p.im};
        const int q_class = 2 * int{q.re != q.re} + int{q.im != q.im};
        if (p_class != q_class) return p_class < q_class;
        if (kernel::precedes<Falling>(p.re, q.re)) return true;
        return !kernel::precedes<Falling>(q.re, p.re) && kernel::precedes<Falling>(p.im, q.im);
    } else {
        return static_cast<bool>(Falling ? b < a : a < b);
    }
}

namespace detail {

template <class T>
BROADLOOM_INLINE constexpr const T& value_of(const T& x) {
    return x;
}
template <class T, class Int>
BROADLOOM_INLINE constexpr const T& value_of(const Indexed<T, Int>& x) {
    return x.value;
}
template <class E>
using ValueOf = std::remove_cvref_t<decltype(detail::value_of(std::declval<const E&>()))>;

/// An item's key, as a number of any width.
template <bool Falling, class E>
BROADLOOM_INLINE std::uint64_t wide_key(const E& item) {
    return kernel::order_key<Falling>(detail::value_of(item));
}

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SORT_LANES_ORDER_HPP
