// When two results are the same: to the bit, but that one NaN is as good as another, whose sign is
// the compiler's.
#ifndef BROADLOOM_TESTS_SUPPORT_SAME_BITS_HPP
#define BROADLOOM_TESTS_SUPPORT_SAME_BITS_HPP

#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

namespace naive {

template <class T>
bool same_bits(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a != a || b != b) return a != a && b != b;
        return a == b && std::signbit(a) == std::signbit(b);
    } else {
        return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) ==
               0;
    }
}
template <class T>
bool same_bits(const std::complex<T>& a, const std::complex<T>& b) {
    return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
}
/// Of the same shape, and of such elements, wherever they lie.
template <class X>
    requires requires(const X& x) { x.shape(); }
bool same_bits(const X& x, const X& y) {
    if (x.shape() != y.shape()) return false;
    auto other = y.begin();
    for (const auto& element : x) {
        if (!same_bits(element, *other)) return false;
        ++other;
    }
    return true;
}

}  // namespace naive

#endif  // BROADLOOM_TESTS_SUPPORT_SAME_BITS_HPP
