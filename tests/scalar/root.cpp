#include "broadloom/scalar/root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

TEMPLATE_TEST_CASE("Square roots are correctly rounded", "", float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    auto list = ulp::values<T>(T(0), Limits::max(), 20000);
    for (const T x : ulp::special<T>()) list.push_back(x);
    // Squares of numbers in the middle between two, and their neighbours.
    for (const T x : ulp::values<T>(T(1), T(2), 20000)) {
        const long double middle =
            static_cast<long double>(x) + static_cast<long double>(Limits::epsilon()) / 2;
        for (const T y : {static_cast<T>(middle * middle), x * x}) {
            for (const T z : {y, std::nextafter(y, T(0)), std::nextafter(y, T(9))})
                list.push_back(z);
        }
    }
    for (T x = Limits::denorm_min(); x < Limits::min(); x *= T(1.7)) list.push_back(x);
    const auto root = ulp::computed<scalar::sqrt, T>(list, 2);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
        wrong += naive::same_bits(root[i], std::sqrt(list[i])) ? 0U : 1U;
    CHECK(wrong == 0);
    CHECK(ulp::same_everywhere<scalar::sqrt, T>(list));
}

TEMPLATE_TEST_CASE("Other roots are within 2 units", "", float, double) {
    using T = TestType;
    const T most = std::numeric_limits<T>::max();
    for (const T high : {most, T(10), 8 * std::numeric_limits<T>::min()}) {
        const auto x = ulp::values<T>(T(0), high);
        CHECK(ulp::worst<scalar::rsqrt, T>(x, [](long double v) { return 1 / std::sqrt(v); }) <= 2);
        CHECK(ulp::worst<scalar::cbrt, T>(x, [](long double v) { return std::cbrt(v); }) <= 2);
        CHECK(ulp::same_everywhere<scalar::rsqrt, T>(x));
        CHECK(ulp::same_everywhere<scalar::cbrt, T>(x));
    }
    const auto special = ulp::special<T>();
    CHECK(ulp::worst<scalar::cbrt, T>(special, [](long double v) { return std::cbrt(v); }) <= 2);
    CHECK(ulp::worst<scalar::rsqrt, T>(special, [](long double v) { return 1 / std::sqrt(v); }) <=
          2);
}

TEMPLATE_TEST_CASE("Hypotenuses are within 2 units, those of special values of Annex F", "", float,
                   double) {
    using T = TestType;
    ulp::check_pairs<scalar::hypot, T>(
        ulp::values<T>(T(0), T(100)), ulp::values<T>(T(-20), T(20)), 2,
        [](long double x, long double y) { return std::hypot(x, y); });
}
