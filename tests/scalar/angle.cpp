#include "broadloom/scalar/angle.hpp"

#include <cmath>
#include <random>

#include "support/catch.hpp"

namespace math = broadloom::scalar::math;

namespace {

/// Sine and cosine of x by its angle: what is left of the quarter turns, and how many they are.
template <class T>
double error_of(T x) {
    const auto angle = math::reduce(x);
    const auto rest = static_cast<long double>(angle.rest);
    const auto n = static_cast<unsigned>(math::to_bits(angle.turns)) & 3U;
    const long double s = std::sin(rest), c = std::cos(rest);
    const long double turned = n == 0 ? s : n == 1 ? c : n == 2 ? -s : -c;
    const long double truth = std::sin(static_cast<long double>(x));
    return static_cast<double>(std::fabs(turned - truth) / std::numeric_limits<T>::epsilon());
}

static_assert(math::reduce(0.0F).rest == 0 && math::reduce(0.0).rest == 0);
static_assert(math::multiply_wide(~std::uint64_t{0}, ~std::uint64_t{0}).high == ~std::uint64_t{1});
static_assert(math::multiply_wide(~std::uint64_t{0}, ~std::uint64_t{0}).low == 1);

}  // namespace

TEMPLATE_TEST_CASE("What is left of an angle has at most an eighth of a turn", "", float, double) {
    using T = TestType;
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<T> exponent(-20, std::is_same_v<T, float> ? 127 : 1020);
    double most = 0;
    for (int i = 0; i < 20000; ++i) {
        const T x = std::exp2(exponent(engine));
        CHECK_FALSE(std::fabs(math::reduce(x).rest) > T(0.785399));
        // Beyond 2^63 the long double sine is not to be trusted everywhere.
        if (x < T(0x1p62)) most = std::max(most, error_of(x));
    }
    CHECK(most < 0.6);
}

TEST_CASE("The digits of 2/pi go on as far as the largest number needs") {
    // sin(2^1023) and sin of the largest double, by exact integer arithmetic.
    const auto angle = math::reduce(std::numeric_limits<double>::max());
    CHECK(std::fabs(angle.rest) <= 0.7854);
    const unsigned n = static_cast<unsigned>(math::to_bits(angle.turns)) & 3U;
    const double s = std::sin(angle.rest), c = std::cos(angle.rest);
    CHECK((n == 0   ? s
           : n == 1 ? c
           : n == 2 ? -s
                    : -c) == Approx(0.004961954789184062).epsilon(1e-14));
}

TEMPLATE_TEST_CASE("An infinite angle or NaN has no rest", "", float, double) {
    CHECK(std::isnan(math::reduce(std::numeric_limits<TestType>::infinity()).rest));
    CHECK(std::isnan(math::reduce(std::numeric_limits<TestType>::quiet_NaN()).rest));
}

TEST_CASE("Small and large reductions of double agree where both hold") {
    for (double x = 40000; x < 65000; x += 0.37) {
        const auto small = math::reduce_small(x), large = math::reduce_large(x);
        const auto n = (math::to_bits(small.turns) ^ math::to_bits(large.turns)) & 3U;
        if (n != 0) continue;  // on the boundary between two quarters either is right
        CHECK(small.rest == Approx(large.rest).margin(1e-20).epsilon(1e-15));
    }
}
