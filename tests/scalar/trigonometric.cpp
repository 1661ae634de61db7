#include "broadloom/scalar/trigonometric.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::sin{}(0.0F) == 0 && scalar::cos{}(0.0) == 1 && scalar::tan{}(0.0F) == 0);

}  // namespace

TEMPLATE_TEST_CASE("Sines and cosines are within 2 units, tangents within 4, of any angle", "",
                   float, double) {
    using T = TestType;
    for (const double range : {1.0, 300.0, 1e5, 1e30}) {
        ulp::check_all<scalar::sin, T>(-range, range, 2, [](long double x) { return std::sin(x); });
        ulp::check_all<scalar::cos, T>(-range, range, 2, [](long double x) { return std::cos(x); });
        ulp::check_all<scalar::tan, T>(-range, range, 4, [](long double x) { return std::tan(x); });
    }
}

TEMPLATE_TEST_CASE("Near multiples of a quarter turn no digits are lost", "", float, double) {
    using T = TestType;
    for (int n = 1; n < 2000; ++n) {
        const T x = static_cast<T>(n * 1.57079632679489661923132169163975144L);
        for (const T y : {x, std::nextafter(x, T(0)), std::nextafter(x, T(1e9))}) {
            const auto wide = static_cast<long double>(y);
            if (!(ulp::distance<T>(scalar::sin{}(y), std::sin(wide)) <= 2))
                FAIL("sine of " << wide);
            if (!(ulp::distance<T>(scalar::cos{}(y), std::cos(wide)) <= 2))
                FAIL("cosine of " << wide);
            if (!(ulp::distance<T>(scalar::tan{}(y), std::tan(wide)) <= 4))
                FAIL("tangent of " << wide);
        }
    }
    SUCCEED();
}

TEST_CASE("Floats that a plain reduction by parts gets wrong are right") {
    CHECK(ulp::distance(scalar::sin{}(-295.247192F), std::sin(-295.247192F * 1.0L)) <= 2);
    CHECK(ulp::distance(scalar::cos{}(-350.538666F), std::cos(-350.538666F * 1.0L)) <= 2);
    CHECK(ulp::distance(scalar::tan{}(-297.668091F), std::tan(-297.668091F * 1.0L)) <= 4);
}

TEST_CASE("Angles may be integers") {
    CHECK(scalar::sin{}(1) == Approx(std::sin(1.0)));
    CHECK(scalar::cos{}(0.5L) == std::cos(0.5L));
}
