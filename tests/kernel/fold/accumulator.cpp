// How many accumulators fill a vector, and of what type they are.
#include "broadloom/kernel/fold/accumulator.hpp"

#include <complex>
#include <cstdint>
#include <type_traits>

#include "broadloom/scalar/monoid.hpp"
#include "support/catch.hpp"

namespace scalar = broadloom::scalar;
using broadloom::kernel::detail::Accumulator;

namespace {

/// A number of the user's.
struct Money {
    long long cents;

    friend constexpr Money operator+(const Money& a, const Money& b) { return {a.cents + b.cents}; }
};

template <class T>
using Sum = Accumulator<scalar::fold::sum, T>;
template <class T>
using Largest = Accumulator<scalar::fold::largest, T>;

// 128 bytes of accumulators, and a register of elements.
static_assert(Sum<float>::lanes == 32 && Sum<double>::lanes == 16);
static_assert(Sum<std::int32_t>::lanes == 16 && Sum<std::uint8_t>::lanes == 64);
static_assert(Largest<std::uint8_t>::lanes == 128 && Largest<std::int64_t>::lanes == 16);
static_assert(Sum<std::complex<double>>::lanes == 8);
static_assert(std::is_same_v<Sum<std::int8_t>::A, std::int64_t> &&
              std::is_same_v<Largest<std::int8_t>::A, std::int8_t>);
static_assert(Sum<float>::own && !Sum<Money>::own);

}  // namespace

TEST_CASE("Elements are lifted, and accumulators joined, where they lie") {
    const std::int8_t x[] = {100, 27};
    CHECK(Sum<std::int8_t>::lift({}, x + 1) == 27);
    const std::int64_t sums[] = {100, 1000};
    CHECK(Sum<std::int8_t>::joined({}, sums, sums + 1) == 1100);
    CHECK(Largest<std::int8_t>::joined({}, x, x + 1) == 100);
    const Money money[] = {{5}, {7}};
    CHECK(Sum<Money>::joined({}, money, money + 1).cents == 12);
}
