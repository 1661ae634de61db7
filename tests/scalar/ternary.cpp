#include "broadloom/scalar/ternary.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"
#include "support/limits.hpp"

namespace scalar = broadloom::scalar;

namespace {

constexpr bool where_chooses_and_promotes() {
    return scalar::where{}(true, 1, 2) == 1 && scalar::where{}(false, 1, 2) == 2 &&
           scalar::where{}(0.5, 1, 2.5) == 1.0 && scalar::where{}(0, 1, 2.5F) == 2.5F &&
           std::is_same_v<decltype(scalar::where{}(true, 1, 2.5F)), float> &&
           std::is_same_v<decltype(scalar::where{}(true, std::int8_t(), std::uint8_t())),
                          std::int16_t>;
}
static_assert(where_chooses_and_promotes());

constexpr bool lerp_blends() {
    return scalar::lerp{}(1.0, 3.0, 0.5) == 2.0 && scalar::lerp{}(1.0, 3.0, 0.0) == 1.0 &&
           scalar::lerp{}(1, 3, 0.25) == 1.5 && scalar::lerp{}(1.0F, 3.0F, 2.0F) == 5.0F;
}
static_assert(lerp_blends());

constexpr bool close(double x, double y, double relative, double absolute, bool equal_nan = false) {
    return scalar::isclose{relative, absolute, equal_nan}(x, y);
}
constexpr bool closeness_is_relative_to_the_second() {
    return close(1.0, 1.0, 0, 0) && close(1.0, 1.1, 0.1, 0) && !close(1.1, 1.0, 0.099, 0) &&
           close(0.0, 0.1, 0, 0.1) && !close(0.0, 0.1, 0, 0.09) && close(100.0, 101.0, 0.01, 0) &&
           close(-0.0, 0.0, 0, 0) && close(-5.0, -5.5, 0.1, 0) && !close(5.0, -5.0, 0.1, 0);
}
static_assert(closeness_is_relative_to_the_second());

bool infinities_are_close_to_themselves_alone() {
    return close(inf, inf, 0.1, 0.1) && close(-inf, -inf, 0, 0) && !close(inf, -inf, 0.1, inf) &&
           !close(1e300, inf, 0.1, 0.1) && !close(inf, 1e300, 0.1, 0.1) &&
           !close(inf, 1e300, 0, inf) && !close(1e300, inf, 0, inf) && close(1, 1e300, 0, inf);
}

bool nan_is_close_to_nan_if_asked() {
    return !close(not_a_number, not_a_number, 1, 1) &&
           close(not_a_number, not_a_number, 0, 0, true) && !close(not_a_number, 1, 1, 1, true) &&
           !close(1, not_a_number, 1, 1, true) && !close(inf, not_a_number, 1, 1, true);
}

}  // namespace

TEST_CASE("Choosing and blending are the same at run time") {
    CHECK(where_chooses_and_promotes());
    CHECK(lerp_blends());
    CHECK(closeness_is_relative_to_the_second());
    CHECK(infinities_are_close_to_themselves_alone());
    CHECK(nan_is_close_to_nan_if_asked());
}

TEST_CASE("Complex numbers are close by their distance") {
    using Z = std::complex<double>;
    const scalar::isclose near{0.0, 0.5, false};
    CHECK(near(Z(1, 1), Z(1.3, 1.4)));
    CHECK(!near(Z(1, 1), Z(1.4, 1.4)));
    CHECK(near(Z(inf, 0), Z(inf, 0)));
    CHECK(!near(Z(inf, 0), Z(0, inf)));
    CHECK(!near(Z(not_a_number, 0), Z(not_a_number, 0)));
    CHECK(scalar::isclose{0, 0, true}(Z(not_a_number, 0), Z(1, not_a_number)));
    CHECK(near(Z(1, 0.25), 1));
}

TEST_CASE("Floats are compared in float, wider numbers in their own type") {
    CHECK(scalar::isclose{0, 0.1, false}(0.1F, 0.0F));
    CHECK(!scalar::isclose{0, 0.1, false}(0.1F, 0.0));
    CHECK(scalar::isclose{0, 0.1, false}(std::complex<float>(0, 0.1F), 0.0F));
    CHECK(!scalar::isclose{0, 0, false}(1.0L, 1.0L + std::numeric_limits<long double>::epsilon()));
    const std::complex<float> large(3e38F, 3e38F);
    CHECK(scalar::isclose{1, 0, false}(std::complex<float>(0, 3e38F), large));
    CHECK(!scalar::isclose{0, 0, false}(std::complex<float>(inf, 0), large));
    CHECK(!scalar::isclose{0, inf, false}(std::complex<double>(inf, 0), std::complex<double>(1)));
}

TEST_CASE("Integers are compared in double") {
    const scalar::isclose near{0.0, 1.0, false};
    CHECK(near(std::uint8_t(0), std::uint8_t(1)));
    CHECK(!near(std::uint8_t(0), std::uint8_t(255)));
    CHECK(near(std::int8_t(-1), std::uint8_t(0)));
    CHECK(near(true, 1));
}
