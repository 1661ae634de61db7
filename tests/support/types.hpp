// Short names of element types, for tests that list many.
#ifndef BROADLOOM_TESTS_SUPPORT_TYPES_HPP
#define BROADLOOM_TESTS_SUPPORT_TYPES_HPP

#include <complex>
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

}  // namespace types

#endif  // BROADLOOM_TESTS_SUPPORT_TYPES_HPP
