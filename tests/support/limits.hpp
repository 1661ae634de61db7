// Special values by short names.
#ifndef BROADLOOM_TESTS_SUPPORT_LIMITS_HPP
#define BROADLOOM_TESTS_SUPPORT_LIMITS_HPP

#include <limits>

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
inline constexpr T infinite = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T low = std::numeric_limits<T>::min();
template <class T>
inline constexpr T high = std::numeric_limits<T>::max();

#endif  // BROADLOOM_TESTS_SUPPORT_LIMITS_HPP
