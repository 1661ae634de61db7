// The losses of one element, at the places where their formulas change or break.
#include "broadloom/scalar/penalty.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/limits.hpp"

namespace scalar = broadloom::scalar;

TEST_CASE("losses of integers are double, of mixed types the type they meet in") {
    STATIC_REQUIRE(std::is_same_v<broadloom::loss_t<int, int>, double>);
    STATIC_REQUIRE(std::is_same_v<broadloom::loss_t<bool, bool>, double>);
    STATIC_REQUIRE(std::is_same_v<broadloom::loss_t<float, int>, float>);
    STATIC_REQUIRE(std::is_same_v<broadloom::loss_t<float, double>, double>);
    STATIC_REQUIRE(std::is_same_v<decltype(scalar::squared_error{}(1.0F, 2.0F)), float>);
    STATIC_REQUIRE(scalar::squared_error{}(1U, 3U) == 4.0);
    STATIC_REQUIRE(scalar::absolute_error{}(1, 3) == 2.0);
}

TEST_CASE("smooth_absolute_error and huber_error bend where they are told") {
    const scalar::smooth_absolute_error smooth{2.0};
    CHECK(smooth(1.0, 0.0) == 0.25);
    CHECK(smooth(0.0, 2.0) == 1.0);
    CHECK(smooth(-5.0, 0.0) == 4.0);
    CHECK(scalar::smooth_absolute_error{0.0}(0.0, 0.0) == 0.0);
    CHECK(scalar::smooth_absolute_error{0.0}(0.5, 0.0) == 0.5);
    const scalar::huber_error huber{2.0};
    CHECK(huber(1.0, 0.0) == 0.5);
    CHECK(huber(0.0, 2.0) == 2.0);
    CHECK(huber(-5.0, 0.0) == 8.0);
    CHECK(huber(inf, 0.0) == inf);
    CHECK(std::isnan(smooth(not_a_number, 0.0)));
    CHECK(std::isnan(huber(not_a_number, 0.0)));
}

TEST_CASE("binary_cross_entropy has logarithms of at least -100 and is NaN outside of [0, 1]") {
    const scalar::binary_cross_entropy loss;
    CHECK(loss(0.0, 1.0) == 100.0);
    CHECK(loss(1.0, 0.0) == 100.0);
    CHECK(loss(1.0, 1.0) == 0.0);
    CHECK(loss(0.25, 1.0) == Approx(std::log(4.0)));
    CHECK(loss(1e-17, 0.0) == Approx(1e-17));
    for (const double x : {-0.1, 1.1, inf, -inf, not_a_number}) {
        for (const double y : {0.0, 0.5, 1.0}) CHECK(std::isnan(loss(x, y)));
    }
}

TEST_CASE("logistic_cross_entropy is exact where sigmoid has long been 0 or 1") {
    const scalar::logistic_cross_entropy loss;
    CHECK(loss(0.0, 0.0, 1.0) == Approx(std::log(2.0)));
    CHECK(loss(1e4, 0.0, 1.0) == 1e4);
    CHECK(loss(-1e4, 1.0, 3.0) == 3e4);
    CHECK(loss(40.0, 1.0, 1.0) == Approx(std::exp(-40.0)));
    CHECK(loss(-40.0, 0.0, 1.0) == Approx(std::exp(-40.0)));
    CHECK(std::isnan(loss(inf, 1.0, 1.0)));
    CHECK(std::isnan(loss(-inf, 0.0, 1.0)));
    CHECK(loss(inf, 0.0, 1.0) == inf);
    CHECK(std::isnan(loss(-inf, 1.0, 1.0)));
    CHECK(loss(inf, 0.5, 1.0) == inf);
    CHECK(std::isnan(loss(not_a_number, 1.0, 1.0)));
    CHECK(std::isnan(loss(not_a_number, 0.0, 1.0)));
    CHECK(std::isnan(loss(0.0, not_a_number, 1.0)));
}

TEST_CASE("a divergence counts nothing where the target's probability is 0") {
    CHECK(scalar::divergence{}(-1.0, 0.5) == Approx(0.5 * (std::log(0.5) + 1.0)));
    CHECK(scalar::divergence{}(-1.0, 0.0) == 0.0);
    CHECK(std::isnan(scalar::divergence{}(-inf, 0.0)));
    CHECK(scalar::divergence{}(-inf, 0.5) == inf);
    CHECK(std::isnan(scalar::divergence{}(not_a_number, 0.5)));
    CHECK(std::isnan(scalar::divergence{}(-1.0, -0.5)));
    CHECK(scalar::log_divergence{}(-1.0, -2.0) == Approx(-std::exp(-2.0)));
    CHECK(std::isnan(scalar::log_divergence{}(-1.0, -inf)));
    CHECK(scalar::log_divergence{}(-inf, -1.0) == inf);
}

TEST_CASE("Losses with logarithms and exponentials say that they take many steps") {
    constexpr int many = scalar::math::many_steps;
    STATIC_REQUIRE(scalar::binary_cross_entropy::steps == many);
    STATIC_REQUIRE(scalar::logistic_cross_entropy::steps == many);
    STATIC_REQUIRE(scalar::divergence::steps == many);
    STATIC_REQUIRE(scalar::log_divergence::steps == many);
}
