// Element types: short names, for tests that list many, and one of the user.
#ifndef BROADLOOM_TESTS_SUPPORT_TYPES_HPP
#define BROADLOOM_TESTS_SUPPORT_TYPES_HPP

#include <complex>
#include <cstddef>
#include <cstdint>

namespace types {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

/// An element of the user of so many bytes, and eight that count.
template <std::size_t Bytes>
struct Large {
    double first;
    char rest[Bytes];

    friend Large operator+(const Large& a, const Large& b) {
        Large sum = a;
        sum.first += b.first;
        return sum;
    }
};

}  // namespace types

#endif  // BROADLOOM_TESTS_SUPPORT_TYPES_HPP
