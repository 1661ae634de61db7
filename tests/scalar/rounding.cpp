#include "broadloom/scalar/rounding.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

static_assert(scalar::floor{}(-0.5) == -1 && scalar::ceil{}(0.5F) == 1 &&
              scalar::trunc{}(-1.5) == -1);
static_assert(scalar::round{}(2.5F) == 2 && scalar::round{}(3.5F) == 4);
static_assert(scalar::abs{}(std::int8_t{-128}) == -128 && scalar::square{}(std::uint8_t{16}) == 0);

TEMPLATE_TEST_CASE("Rounding is that of the standard library, signs of zeros included", "", float,
                   double) {
    using T = TestType;
    auto list = ulp::special<T>();
    for (int i = -1000; i <= 1000; ++i) list.push_back(static_cast<T>(i) / 8);
    for (int k = 20; k < 60; ++k) {
        const T x = std::ldexp(T(1), k);
        for (const T y :
             {x - T(0.5), x + T(0.5), std::nextafter(x, T(0)), -std::nextafter(x, T(0))})
            list.push_back(y);
    }
    for (const T x : list) {
        INFO(x);
        CHECK(naive::same_bits(scalar::floor{}(x), std::floor(x)));
        CHECK(naive::same_bits(scalar::ceil{}(x), std::ceil(x)));
        CHECK(naive::same_bits(scalar::trunc{}(x), std::trunc(x)));
        CHECK(naive::same_bits(scalar::round{}(x), std::nearbyint(x)));
        CHECK(naive::same_bits(scalar::abs{}(x), std::fabs(x)));
        CHECK(scalar::isnan{}(x) == std::isnan(x));
        CHECK(scalar::isinf{}(x) == std::isinf(x));
        CHECK(scalar::isfinite{}(x) == std::isfinite(x));
        for (const T y : {T(1), T(-0.0), std::numeric_limits<T>::infinity()}) {
            CHECK(naive::same_bits(scalar::copysign{}(x, y), std::copysign(x, y)));
        }
        CHECK(naive::same_bits(scalar::relu{}(x), x < 0 ? T(0) : x));
        CHECK(naive::same_bits(scalar::reciprocal{}(x), 1 / x));
    }
    CHECK(ulp::same_everywhere<scalar::floor, T>(list));
    CHECK(ulp::same_everywhere<scalar::ceil, T>(list));
    CHECK(ulp::same_everywhere<scalar::trunc, T>(list));
    CHECK(ulp::same_everywhere<scalar::round, T>(list));
}

TEST_CASE("Integers of one byte keep their type and wrap, every one of them") {
    for (int i = -128; i < 128; ++i) {
        const auto x = static_cast<std::int8_t>(i);
        CHECK(scalar::abs{}(x) == static_cast<std::int8_t>(i < 0 ? -i : i));
        CHECK(scalar::square{}(x) == static_cast<std::int8_t>(i * i));
        CHECK(scalar::sign{}(x) == (i > 0) - (i < 0));
        CHECK(scalar::relu{}(x) == (i > 0 ? i : 0));
        CHECK(scalar::reciprocal{}(x) == (i == 0 ? 0 : 1 / i));
        CHECK(scalar::floor{}(x) == x);
        CHECK(scalar::isfinite{}(x));
        const auto u = static_cast<std::uint8_t>(i);
        CHECK(scalar::square{}(u) == static_cast<std::uint8_t>(u * u));
        CHECK(scalar::reciprocal{}(u) == (u == 1 ? 1 : 0));
        CHECK(scalar::sign{}(u) == (u > 0 ? 1 : 0));
    }
    CHECK(std::is_same_v<decltype(scalar::round{}(std::int8_t{1})), std::int8_t>);
}

TEST_CASE("Decimals are rounded as NumPy rounds them, tens and hundreds too") {
    const double infinity = std::numeric_limits<double>::infinity();
    const scalar::round_decimals cents{100, false}, tens{10, true}, hundreds{100, true};
    const auto all = [](const auto& f, const auto& x, const auto& expected) {
        REQUIRE(x.size() == expected.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            INFO(+x[i]);
            CHECK(f(x[i]) == expected[i]);
        }
    };
    using Doubles = std::vector<double>;
    all(cents, Doubles{0.125, 2.675, -1.005, 1234.5678, infinity, 1e300, 0.5},
        Doubles{0.12, 2.68, -1, 1234.57, infinity, 1e300, 0.5});
    all(cents, std::vector<float>{0.125F, 2.675F, -1.005F, 1234.5678F},
        std::vector<float>{0.12F, 2.68F, -1, 1234.57F});
    all(hundreds, Doubles{1250, -1350, 49.9, 1e300}, Doubles{1200, -1400, 0, 1e300});
    all(tens, std::vector<int>{15, 25, 35, -15, -25, 4, -7},
        std::vector<int>{20, 20, 40, -20, -20, 0, -10});
    all(tens, std::vector<std::int8_t>{127, -128, 5, -5, 6},
        std::vector<std::int8_t>{-126, 126, 0, 0, 10});
    all(hundreds, std::vector<std::uint8_t>{255, 245, 250},
        std::vector<std::uint8_t>{44, 200, 200});
    CHECK(cents(7) == 7);
    CHECK(std::signbit(cents(-0.001)));
    CHECK(std::isnan(cents(std::numeric_limits<double>::quiet_NaN())));
    // Where the power is too large for the type, nothing is lost, or everything.
    CHECK(scalar::round_decimals{1e200, false}(0.1F) == 0.1F);
    CHECK(scalar::round_decimals{infinity, true}(1e300) == 0);
    CHECK(scalar::round_decimals{infinity, true}(-infinity) == -infinity);
    CHECK(scalar::round_decimals{1e39, true}(std::numeric_limits<float>::infinity()) ==
          std::numeric_limits<float>::infinity());
    CHECK(scalar::round_decimals{1e30, true}(std::numeric_limits<std::int64_t>::max()) == 0);
    CHECK(scalar::round_decimals{1e18, true}(std::int64_t{1500000000000000001}) ==
          2000000000000000000);
    const auto z = scalar::round_decimals{10, false}(std::complex<double>(1.25, 2.35));
    CHECK(z == std::complex<double>(1.2, 2.4));
    CHECK(scalar::round{}(std::complex<float>(1.5F, -2.5F)) == std::complex<float>(2, -2));
}

TEST_CASE("Numbers, NaN and complex numbers have a sign") {
    CHECK(scalar::sign{}(-2.5) == -1);
    CHECK(scalar::sign{}(0.0F) == 0);
    CHECK(std::isnan(scalar::sign{}(std::numeric_limits<double>::quiet_NaN())));
    const auto unit = scalar::sign{}(std::complex<double>(3, -4));
    CHECK(unit.real() == Approx(0.6));
    CHECK(unit.imag() == Approx(-0.8));
    CHECK(scalar::sign{}(std::complex<double>(0, 0)) == std::complex<double>(0, 0));
    CHECK(scalar::abs{}(std::complex<float>(3, 4)) == 5);
}

namespace {

struct Signed {
    int value;
    friend Signed abs(Signed x) { return {x.value < 0 ? -x.value : x.value}; }
};

}  // namespace

TEST_CASE("A magnitude is that of any type that has one") {
    CHECK(scalar::abs{}(-1.5L) == 1.5L);
    CHECK(scalar::abs{}(std::complex<long double>(3, -4)) == 5.0L);
    using Wide = std::complex<long double>;
    constexpr long double largest = std::numeric_limits<long double>::max();
    CHECK(scalar::sign{}(Wide(3, -4)) == Wide(0.6L, -0.8L));
    CHECK(scalar::sign{}(Wide(largest, -largest)) == scalar::sign{}(Wide(1, -1)));
    CHECK(scalar::sign{}(Wide(0, 0)) == Wide(0, 0));
    CHECK(scalar::abs{}(Signed{-3}).value == 3);
}
