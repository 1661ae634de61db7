#include "broadloom/scalar/hyperbolic.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::cosh{}(0.0) == 1 && scalar::sinh{}(0.0F) == 0 && scalar::tanh{}(100.0F) == 1);
static_assert(scalar::atanh{}(0.0) == 0 &&
              scalar::atanh{}(-1.0F) == -std::numeric_limits<float>::infinity());
static_assert(std::is_same_v<decltype(scalar::asinh{}(1)), double>);

/// The C library of i386 takes -0 to infinity.
long double acosh_of(long double x) { return std::acosh(x == 0 ? 0 : x); }

}  // namespace

TEMPLATE_TEST_CASE("Hyperbolic functions are within 2 units", "", float, double) {
    using T = TestType;
    const double most = std::is_same_v<T, float> ? 95 : 715;
    for (const double range : {most, 3.0, 1e-3}) {
        ulp::check_all<scalar::sinh, T>(-range, range, 2,
                                        [](long double x) { return std::sinh(x); });
        ulp::check_all<scalar::cosh, T>(-range, range, 2,
                                        [](long double x) { return std::cosh(x); });
        ulp::check_all<scalar::tanh, T>(-range, range, 2,
                                        [](long double x) { return std::tanh(x); });
    }
}

TEMPLATE_TEST_CASE("Their inverses are within 2 units, wherever they are defined", "", float,
                   double) {
    using T = TestType;
    const T most = std::numeric_limits<T>::max();
    for (const T range : {most, T(1e5), T(3), T(1), T(1e-3), 8 * std::numeric_limits<T>::min()}) {
        ulp::check_all<scalar::asinh, T>(-range, range, 2,
                                         [](long double x) { return std::asinh(x); });
        ulp::check_all<scalar::acosh, T>(T(1), range, 2, acosh_of);
    }
    ulp::check_all<scalar::acosh, T>(T(1), T(1.001), 2, acosh_of);
    for (const T range : {T(1), T(0.1), T(1e-3), 8 * std::numeric_limits<T>::min()}) {
        ulp::check_all<scalar::atanh, T>(-range, range, 2,
                                         [](long double x) { return std::atanh(x); });
    }
    ulp::check_all<scalar::atanh, T>(T(0.999), T(1), 2,
                                     [](long double x) { return std::atanh(x); });
}

TEST_CASE(
    "Hyperbolic functions of integers are double, wider and complex ones the standard library's") {
    CHECK(scalar::tanh{}(true) == Approx(std::tanh(1.0)));
    CHECK(scalar::asinh{}(2) == Approx(std::asinh(2.0)));
    CHECK(scalar::acosh{}(1) == 0);
    CHECK(std::isnan(scalar::acosh{}(0)));
    CHECK(scalar::atanh{}(0.25L) == std::atanh(0.25L));
    const std::complex<double> z(0.5, 2);
    CHECK(std::abs(scalar::sinh{}(z)-std::sinh(z)) < 1e-15);
    CHECK(scalar::acosh{}(z) == std::acosh(z));
}
