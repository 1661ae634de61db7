#include "broadloom/kernel/sort_lanes/order.hpp"

#include <complex>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;

TEST_CASE("keys rise with the values") {
    STATIC_REQUIRE(kernel::order_key<false>(std::int8_t{-128}) == 0);
    STATIC_REQUIRE(kernel::order_key<true>(std::int8_t{127}) == 0);
    STATIC_REQUIRE(kernel::order_key<false>(true) == 1);
    STATIC_REQUIRE(kernel::order_key<false>(-0.0F) == kernel::order_key<false>(0.0F));
    STATIC_REQUIRE(kernel::order_key<false>(-1.0) < kernel::order_key<false>(-0.5));
    STATIC_REQUIRE(kernel::order_key<true>(std::numeric_limits<float>::quiet_NaN()) == ~0U);
}

TEST_CASE("NaN comes last in either direction, complex numbers by their parts") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    using C = std::complex<double>;
    CHECK(kernel::precedes<false>(1.0, nan));
    CHECK(kernel::precedes<true>(1.0, nan));
    CHECK_FALSE(kernel::precedes<true>(nan, 1.0));
    CHECK_FALSE(kernel::precedes<false>(nan, nan));
    CHECK_FALSE(kernel::precedes<false>(-0.0, 0.0));
    CHECK(kernel::precedes<false>(C(1, 2), C(1, 3)));
    CHECK(kernel::precedes<true>(C(2, 0), C(1, 3)));
    CHECK(kernel::precedes<false>(C(9, 9), C(0, nan)));
    CHECK(kernel::precedes<false>(C(0, nan), C(nan, 0)));
}
