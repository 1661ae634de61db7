#include "broadloom/scalar/exponential.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "support/catch.hpp"
#include "support/limits.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::exp{}(0.0) == 1 && scalar::exp{}(0.0F) == 1 &&
              scalar::exp{}(-infinite<float>) == 0);
static_assert(scalar::exp2{}(10.0F) == 1024 && scalar::exp2{}(-1074.0) == 0x1p-1074);
static_assert(scalar::expm1{}(0.0) == 0 && scalar::expm1{}(-1000.0F) == -1);
static_assert(std::is_same_v<decltype(scalar::exp{}(1)), double>);

}  // namespace

TEMPLATE_TEST_CASE("Exponentials are within 1.1 units, at special values and in every range", "",
                   float, double) {
    using T = TestType;
    const double most = std::is_same_v<T, float> ? 105 : 750;
    ulp::check_all<scalar::exp, T>(-most, most, 1.1, [](long double x) { return std::exp(x); });
    ulp::check_all<scalar::exp, T>(-2, 2, 1.1, [](long double x) { return std::exp(x); });
    ulp::check_all<scalar::exp2, T>(-1.5 * most, 1.5 * most, 1.1,
                                    [](long double x) { return std::exp2(x); });
    ulp::check_all<scalar::expm1, T>(-most, most, 1.1, [](long double x) { return std::expm1(x); });
    ulp::check_all<scalar::expm1, T>(-0.01, 0.01, 1.1, [](long double x) { return std::expm1(x); });
}

TEMPLATE_TEST_CASE("Exponentials of negative numbers have the bits of the one for all", "", float,
                   double) {
    using T = TestType;
    for (const double range : {1e-6, 1.0, 90.0, 760.0}) {
        auto list = ulp::values<T>(T(-range), T(0));
        list.push_back(std::numeric_limits<T>::quiet_NaN());
        list.push_back(-std::numeric_limits<T>::infinity());
        for (const T x : list) {
            if (x > T(0)) continue;
            if (!naive::same_bits(scalar::exp_of_negative{}(x), scalar::exp{}(x))) FAIL(x);
        }
    }
    CHECK(scalar::exp_of_negative{}(-1.5L) == std::exp(-1.5L));
}

TEST_CASE("Overflow and underflow happen at the right number") {
    CHECK(scalar::exp{}(88.72283F) <= std::numeric_limits<float>::max());
    CHECK(scalar::exp{}(88.72284F) == infinite<float>);
    CHECK(scalar::exp{}(-103.97F) == std::numeric_limits<float>::denorm_min());
    CHECK(scalar::exp{}(-103.98F) == 0);
    CHECK(scalar::exp{}(709.78) <= std::numeric_limits<double>::max());
    CHECK(scalar::exp{}(709.79) == infinite<double>);
    CHECK(scalar::exp2{}(127.99999F) <= std::numeric_limits<float>::max());
    CHECK(scalar::exp2{}(128.0F) == infinite<float>);
}

TEST_CASE("Integers are computed in double, wider and complex numbers by the standard library") {
    CHECK(scalar::exp{}(2) == Approx(std::exp(2.0)));
    CHECK(scalar::expm1{}(true) == Approx(std::expm1(1.0)));
    CHECK(scalar::exp{}(1.5L) == std::exp(1.5L));
    const std::complex<double> z(0.5, 2);
    CHECK(scalar::exp{}(z) == std::exp(z));
}

TEST_CASE("Complex powers are as in NumPy") {
    using C = std::complex<double>;
    // np.exp2([1+2j, -0.5+3j]), np.expm1([1+2j, -0.5+3j])
    CHECK(std::abs(scalar::exp2{}(C(1, 2))-C(0.36691395, 1.96605548)) < 1e-8);
    CHECK(std::abs(scalar::exp2{}(C(-0.5, 3))-C(-0.34435706, 0.61759066)) < 1e-8);
    CHECK(std::abs(scalar::expm1{}(C(1, 2))-C(-2.13120438, 2.47172667)) < 1e-8);
    CHECK(std::abs(scalar::expm1{}(C(1e-12, 2e-12))-C(1e-12, 2e-12)) < 1e-23);
}
