#include "broadloom/scalar/logarithm.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::log{}(1.0F) == 0 &&
              scalar::log{}(0.0) == -std::numeric_limits<double>::infinity());
static_assert(scalar::log{}(-1.0F) != scalar::log{}(-1.0F));
static_assert(scalar::log2{}(1024.0F) == 10 && scalar::log2{}(0x1p-1074) == -1074);
static_assert(scalar::log1p{}(0.0F) == 0);

}  // namespace

TEMPLATE_TEST_CASE("Logarithms are within 1.1 units, subnormal numbers included", "", float,
                   double) {
    using T = TestType;
    const T most = std::numeric_limits<T>::max(), tiny = std::numeric_limits<T>::min();
    for (const T high : {most, T(10), T(1.001), 8 * tiny}) {
        const T low = high == T(1.001) ? T(0.999) : T(0);
        ulp::check_all<scalar::log, T>(low, high, 1.1, [](long double x) { return std::log(x); });
        ulp::check_all<scalar::log2, T>(low, high, 1.1, [](long double x) { return std::log2(x); });
        ulp::check_all<scalar::log10, T>(low, high, 1.1,
                                         [](long double x) { return std::log10(x); });
    }
    for (const T high : {most, T(2), T(1e-3)}) {
        ulp::check_all<scalar::log1p, T>(high > 1 ? T(-1) : -high, high, 1.1,
                                         [](long double x) { return std::log1p(x); });
    }
}

TEMPLATE_TEST_CASE("Logarithms to base 2 of powers of 2 are exact", "", float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    for (int k = Limits::min_exponent - Limits::digits; k < Limits::max_exponent; ++k) {
        const T x = std::ldexp(T(1), k);
        CHECK(scalar::log2{}(x) == static_cast<T>(k));
    }
}

TEST_CASE("Integers count in double, wider numbers go to the standard library") {
    CHECK(scalar::log{}(10) == Approx(std::log(10.0)));
    CHECK(scalar::log10{}(1000) == 3);
    CHECK(scalar::log{}(0) == -std::numeric_limits<double>::infinity());
    CHECK(std::isnan(scalar::log2{}(-1)));
    CHECK(scalar::log{}(2.5L) == std::log(2.5L));
    const std::complex<long double> z(-1, 2);
    CHECK(scalar::log{}(z) == std::log(z));
}

TEST_CASE("Complex logarithms are as in NumPy") {
    using C = std::complex<double>;
    // np.log2([1+2j, -0.5+3j]), np.log1p([1+2j])
    CHECK(std::abs(scalar::log2{}(C(1, 2))-C(1.16096405, 1.59727796)) < 1e-8);
    CHECK(std::abs(scalar::log2{}(C(-0.5, 3))-C(1.60472668, 2.50443925)) < 1e-8);
    CHECK(std::abs(scalar::log1p{}(C(1, 2))-C(1.03972077, 0.78539816)) < 1e-8);
    CHECK(std::abs(scalar::log1p{}(C(1e-20, 1e-12))-C(1.00005e-20, 1e-12)) < 1e-33);
}
