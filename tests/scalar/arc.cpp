#include "broadloom/scalar/arc.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::acos{}(1.0F) == 0);
static_assert(scalar::atan2{}(0.0, 1.0) == 0);

}  // namespace

TEMPLATE_TEST_CASE("Inverse functions are within 2 units, and NaN outside of their domain", "",
                   float, double) {
    using T = TestType;
    for (const double range : {1.0, 0.51, 1e-3}) {
        ulp::check_all<scalar::asin, T>(-range, range, 2,
                                        [](long double x) { return std::asin(x); });
        ulp::check_all<scalar::acos, T>(-range, range, 2,
                                        [](long double x) { return std::acos(x); });
    }
    CHECK(std::isnan(scalar::asin{}(T(2))));
    CHECK(std::isnan(scalar::acos{}(T(-1.5))));
    for (const double range : {1e10, 3.0, 1e-3}) {
        ulp::check_all<scalar::atan, T>(-range, range, 2,
                                        [](long double x) { return std::atan(x); });
    }
}

TEMPLATE_TEST_CASE("The angle of a point counts the signs of zeros and knows infinite points", "",
                   float, double) {
    using T = TestType;
    ulp::check_pairs<scalar::atan2, T>(
        ulp::values<T>(T(-9), T(10)), ulp::values<T>(T(-10), T(9)), 2,
        [](long double y, long double x) { return std::atan2(y, x); });
}

TEST_CASE("Arcs of integers are double, operands of two types meet") {
    CHECK(scalar::acos{}(-1) == Approx(std::acos(-1.0)));
    CHECK(scalar::atan2{}(1, 2) == Approx(std::atan2(1.0, 2.0)));
    CHECK(scalar::atan2{}(std::uint64_t{1} << 63, std::int8_t{3}) == Approx(std::acos(0.0)));
    for (int i = 1; i < 40; ++i) {
        for (int j = 1; j < 40; ++j) {
            const double least = std::numeric_limits<double>::denorm_min();
            CHECK(scalar::atan2{}(i * least, j * least) == Approx(std::atan2(i, j)).epsilon(1e-15));
        }
    }
    CHECK(std::is_same_v<decltype(scalar::atan2{}(1.0F, 2.0)), double>);
    CHECK(scalar::acos{}(0.5L) == std::acos(0.5L));
}
