#include "broadloom/scalar/monoid.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"
#include "support/limits.hpp"

namespace fold = broadloom::scalar::fold;
using broadloom::accumulator_t, broadloom::mean_t;

static_assert(std::is_same_v<accumulator_t<std::int8_t>, std::int64_t> &&
              std::is_same_v<accumulator_t<bool>, std::int64_t>);
static_assert(std::is_same_v<accumulator_t<std::uint16_t>, std::uint64_t> &&
              std::is_same_v<accumulator_t<float>, float>);
static_assert(std::is_same_v<mean_t<int>, double> && std::is_same_v<mean_t<float>, float>);
static_assert(fold::sum{}.join(fold::sum{}.lift(std::int8_t{127}),
                               fold::sum{}.lift(std::int8_t{1})) == 128);
static_assert(fold::sum{}.join(std::numeric_limits<std::int64_t>::max(), std::int64_t{1}) ==
              std::numeric_limits<std::int64_t>::min());
static_assert(fold::product{}.join(fold::product{}.lift(std::uint8_t{200}),
                                   fold::product{}.lift(std::uint8_t{200})) == 40000U);

TEST_CASE("The largest and the smallest are NaN where there is one, and NaN comes first") {
    CHECK(fold::largest{}.join(1.0, 2.0) == 2);
    CHECK(fold::smallest{}.join(1.0, 2.0) == 1);
    for (const double x : {-1.0, 0.0, std::numeric_limits<double>::infinity()}) {
        CHECK(std::isnan(fold::largest{}.join(x, not_a_number)));
        CHECK(std::isnan(fold::largest{}.join(not_a_number, x)));
        CHECK(std::isnan(fold::smallest{}.join(x, not_a_number)));
        CHECK(fold::largest{}.exceeds(not_a_number, x));
        CHECK_FALSE(fold::largest{}.exceeds(x, not_a_number));
        CHECK(fold::smallest{}.exceeds(not_a_number, x));
    }
    CHECK_FALSE(fold::largest{}.exceeds(not_a_number, not_a_number));
    CHECK_FALSE(fold::largest{}.exceeds(2.0, 2.0));
    CHECK(fold::smallest{}.exceeds(-3, -2));
}

TEST_CASE("Four elements join as they would one by one, NaN in any place among them") {
    constexpr fold::largest high{};
    constexpr fold::smallest low{};
    static_assert(high.lift(1.0, 4.0, 3.0, 2.0) == 4 && high.join(5.0, 1.0, 4.0, 3.0, 2.0) == 5);
    static_assert(low.lift(2.0F, 4.0F, 1.0F, 3.0F) == 1 && low.join(1.0, 2.0, 0.0, 3.0, 4.0) == 0);
    for (const double other : {0.0, -1.0, inf, -inf}) {
        double x[5] = {other, other, other, other, other};
        CHECK((high.join(x[0], x[1], x[2], x[3], x[4]) == other &&
               low.lift(x[0], x[1], x[2], x[3]) == other));
        for (double& place : x) {
            place = not_a_number;
            CHECK(std::isnan(high.join(x[0], x[1], x[2], x[3], x[4])));
            CHECK(std::isnan(low.join(x[0], x[1], x[2], x[3], x[4])));
            CHECK(std::isnan(high.lift(x[0], x[1], x[2], x[3])) == (&place != x + 4));
            place = other;
        }
    }
}

TEST_CASE("Complex numbers are ordered by their real part, then by their imaginary one") {
    using C = std::complex<double>;
    CHECK(fold::largest{}.exceeds(C(1, 2), C(1, 1)));
    CHECK_FALSE(fold::largest{}.exceeds(C(1, 2), C(2, 1)));
    CHECK(fold::smallest{}.exceeds(C(1, not_a_number), C(-9, 0)));
}

TEST_CASE("Truth is anything but zero, and known as soon as it is met") {
    CHECK(fold::any{}.lift(not_a_number) == 1);
    CHECK(fold::any{}.lift(-0.0) == 0);
    CHECK(fold::any{}.decided(fold::any{}.join(0, 1)));
    CHECK_FALSE(fold::any{}.decided(0));
    CHECK(fold::all{}.decided(fold::all{}.join(0, 1)));
    CHECK(fold::all{}.finish(fold::all{}.join(1, 1)));
    CHECK(fold::count{}.join(fold::count{}.lift(0.5F), fold::count{}.lift(false)) == 1);
}

TEST_CASE("Means, variances and norms finish what they have summed") {
    CHECK(fold::mean<double>{4}.finish(10) == 2.5);
    CHECK(fold::mean<std::complex<float>>{2}.finish(std::complex<float>(2, 4)) ==
          std::complex<float>(1, 2));
    CHECK(std::isnan(fold::mean<double>{0}.finish(0)));
    CHECK(fold::variance<double, double>{4, true}.finish(36) == 3);
    CHECK(fold::variance<float, double>{4, false}.finish(36) == 9);
    CHECK(fold::euclidean<double>{}.finish(fold::square_sum<double>{}.lift(std::int8_t{-5})) == 5);
    CHECK(fold::square_sum<double>{}.lift(std::complex<double>(3, 4)) == 25);
    CHECK(fold::square_distance{}(1, 3.5) == 6.25);
}
