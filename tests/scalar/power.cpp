#include "broadloom/scalar/power.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/join.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/gives.hpp"
#include "support/limits.hpp"
#include "support/ulp.hpp"

namespace bl = broadloom;
namespace scalar = broadloom::scalar;
using bl::index_t;
using bl::Tensor;
using naive::gives, naive::gives_alike, naive::same_bits;

static_assert(scalar::pow{}(2.0F, 10.0F) == 1024 && scalar::pow{}(2, -1) == 0 &&
              scalar::pow{}(-1, -3) == -1);
static_assert(scalar::pow{}(0, -1) == 0 && scalar::pow{}(false, false) &&
              !scalar::pow{}(false, true));

TEMPLATE_TEST_CASE("Powers are within 4 units, those of special values of Annex F", "", float,
                   double) {
    using T = TestType;
    ulp::check_pairs<scalar::pow, T>(ulp::values<T>(T(0), T(100)), ulp::values<T>(T(-20), T(20)), 4,
                                     [](long double x, long double y) { return std::pow(x, y); });
}

TEST_CASE("Powers of integers of one byte wrap, every one of them") {
    for (int i = -128; i < 128; ++i) {
        const auto x = static_cast<std::int8_t>(i);
        std::uint32_t power = 1;
        for (int n = 0; n < 20; ++n, power *= static_cast<std::uint32_t>(i)) {
            CHECK(scalar::pow{}(x, static_cast<std::int8_t>(n)) == static_cast<std::int8_t>(power));
        }
        const int inverse = i == 1 ? 1 : i == -1 ? -1 : 0;
        CHECK(scalar::pow{}(x, std::int8_t{-3}) == inverse);
        CHECK(scalar::pow{}(x, std::int8_t{-128}) == inverse * inverse);
    }
}

TEST_CASE("Complex powers of 0, and to 0, are NumPy's") {
    using C = std::complex<double>;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const scalar::pow pow;
    for (const C x : {C(0), C(inf, 0), C(nan, 1), C(2, 3)}) CHECK(pow(x, C(0)) == C(1));
    for (const C y : {C(2.5), C(1, 2), C(0.5, -3)}) CHECK(pow(C(0), y) == C(0));
    for (const C y : {C(-1), C(-1, 2), C(0, 1), C(nan, 1)}) {
        const C outside = pow(C(0), y);
        CHECK((std::isnan(outside.real()) && std::isnan(outside.imag())));
    }
    CHECK(std::abs(pow(C(1, 1), C(2)) - C(0, 2)) < 1e-15);
}

TEMPLATE_TEST_CASE("Small whole powers of complex numbers are products", "", float, double) {
    using T = TestType;
    using C = std::complex<T>;
    constexpr T up = infinite<T>, most = std::numeric_limits<T>::max();
    const scalar::pow pow;
    for (const C x : {C(-up, 1), C(most, 0), C(T(0.1), -3)}) CHECK(pow(x, C(1)) == x);
    CHECK(pow(C(0, 1), C(4)) == C(1));
    CHECK(pow(C(1, 1), C(10)) == C(0, 32));
    CHECK(pow(C(0, 2), C(-2)) == C(T(-0.25)));
    CHECK(pow(C(2), C(-99)) == C(std::ldexp(T(1), -99)));
    CHECK(std::abs(pow(C(1, 1), C(T(0.5))) - std::sqrt(C(1, 1))) < T(1e-6));
    // One exponent for all gives the same, overflow included.
    const bl::Tensor<C> z = {C(T(-2.5), std::sqrt(most) * 4), C(1, 2), C(T(0.3), T(-0.7))};
    for (const T n : {T(1), T(2), T(3), T(5), T(-1), T(-3)}) {
        CHECK(gives_alike(bl::pow(z, n), bl::eval(bl::pow(z, bl::full_like(z, C(n))))));
    }
}

TEMPLATE_TEST_CASE("Complex powers are e^(y log(x)), in a row, beside rare ones and alone", "",
                   float, double) {
    using T = TestType;
    using C = std::complex<T>;
    using Wide = std::complex<long double>;
    constexpr index_t n = 400;
    bl::Tensor<C> x = bl::zeros<C>({n}), y = bl::zeros<C>({n});
    for (index_t i = 0; i < n; ++i) {
        x(i) = std::polar(T(0.1) + T(i % 37) / 5, T(i) / 7 - 30);
        y(i) = C(T(i % 11) / 3 - T(1.5), T(i % 13) / 4 - T(1.5));
        if (i % 50 == 0) x(i) = C(infinite<T>, T(i));
        if (i % 40 == 0) y(i) = C(T(i % 3), 0);
        if (i % 60 == 1) x(i) = C(0);
    }
    const bl::Tensor<C> power = bl::pow(x, y), root = bl::pow(x, T(0.5)),
                        part = bl::pow(x, C(1, -2));
    const auto alike = [](C a, C b) { return a == b || (a != a && b != b); };
    for (index_t i = 0; i < n; ++i) {
        const C base = x(i), exponent = y(i);
        CHECK(alike(power(i), scalar::pow{}(base, exponent)));
        CHECK(alike(root(i), scalar::pow{}(base, C(T(0.5)))));
        CHECK(alike(part(i), scalar::pow{}(base, C(1, -2))));
        if (base == C(0) || !std::isfinite(base.real())) continue;
        const Wide wanted = std::exp(Wide(exponent) * std::log(Wide(base)));
        const T bar = std::numeric_limits<T>::epsilon() * (sizeof(T) == 4 ? 1 : 16);
        if (exponent != C(0)) CHECK(std::abs(Wide(power(i)) - wanted) <= bar * std::abs(wanted));
    }
}

TEST_CASE("One exponent for all is that of each, and squares and cubes are products") {
    const bl::Tensor<double> x = bl::linspace(-3.0, 5.0, 100);
    CHECK(gives(bl::pow(x, 2), bl::eval(x * x)));
    CHECK(gives(bl::pow(x, 3), bl::eval(x * x * x)));
    for (const double exponent : {-3.0, 0.0, 1.0, 2.5, 7.0}) {
        const bl::Tensor<double> each = bl::pow(x, bl::full_like(x, exponent));
        CHECK(gives_alike(bl::pow(x, exponent), each));
    }
    for (const double base : {-2.0, 0.0, 1.0, 2.5}) {
        const bl::Tensor<double> each = bl::pow(bl::full_like(x, base), x);
        CHECK(gives_alike(bl::pow(base, x), each));
    }
    const bl::Tensor<int> n = bl::arange(-4, 30);
    CHECK(gives(bl::pow(n, 2), bl::eval(n * n)));
    CHECK(gives(bl::pow(n, 5), bl::eval(bl::pow(n, bl::full_like(n, 5)))));
    CHECK(gives(bl::pow(bl::Tensor<bool>{true, false}, 2), bl::Tensor<int>{1, 0}));
}

TEMPLATE_TEST_CASE("Roots and inverses as powers are rounded step by step, in a row and alone", "",
                   float, double) {
    using T = TestType;
    constexpr T up = infinite<T>, nan = std::numeric_limits<T>::quiet_NaN();
    constexpr T least = std::numeric_limits<T>::denorm_min();
    const Tensor<T> some = {-up, -4, -least, T(-0.0), 0, least, T(0.3), 1, 4, T(1e25), up, nan};
    const Tensor<T> x = bl::concat(0, some, bl::linspace<T>(T(0.1), T(9), 100));
    const Tensor<T> power[] = {bl::pow(x, T(0.5)), bl::pow(x, T(-0.5)), bl::pow(x, T(-1)),
                               bl::pow(x, T(-2)), bl::pow(x, 1)};
    const Tensor<T> sums = bl::pow(x, T(0.5)) + bl::pow(x, T(0.5)),
                    mixed = bl::pow(x, T(2)) + bl::pow(x, T(0.5));
    for (index_t i = 0; i < x.size(); ++i) {
        const T root = x(i) == -up ? up : std::sqrt(x(i) + T(0)), inverse = 1 / x(i);
        const T expected[] = {root, 1 / root, inverse, inverse * inverse, x(i)};
        const T exponents[] = {T(0.5), T(-0.5), T(-1), T(-2), T(1)};
        for (int k = 0; k < 5; ++k) {
            CHECK(same_bits(power[k](i), expected[k]));
            CHECK(same_bits(scalar::pow_to<T>{exponents[k]}(x(i)), expected[k]));
        }
        CHECK(same_bits(sums(i), root + root));
        CHECK(same_bits(mixed(i), x(i) * x(i) + root));
    }
}

TEMPLATE_TEST_CASE("Powers of integers are the same in a row and alone", "", std::int8_t,
                   std::uint8_t, std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
    using T = TestType;
    using W = std::uint64_t;
    constexpr index_t n = 300;
    Tensor<T> x = bl::zeros<T>({n}), y = x;
    for (const index_t most : {16, 17, 120}) {
        for (index_t i = 0; i < n; ++i) {
            x(i) = static_cast<T>(i * 37 - 100);
            y(i) = static_cast<T>(i * 7 % most);
        }
        const Tensor<T> power = bl::pow(x, y);
        for (index_t i = 0; i < n; ++i) {
            W expected = 1;
            for (T k = 0; k < T(y(i)); ++k) expected *= static_cast<W>(T(x(i)));
            CHECK(T(power(i)) == static_cast<T>(expected));
        }
    }
    if constexpr (std::is_signed_v<T>) {
        y.fill(-3);
        const Tensor<T> power = bl::pow(x, y);
        for (index_t i = 0; i < n; ++i) {
            const T base = x(i);
            CHECK(T(power(i)) == (base == 1 || base == -1 ? base : T(0)));
        }
    }
}

TEMPLATE_TEST_CASE("A power of one exponent is the same in a row and alone", "", float, double,
                   std::complex<float>, std::complex<double>) {
    using T = TestType;
    constexpr index_t n = 200;
    Tensor<T> x = bl::zeros<T>({n});
    for (index_t i = 0; i < n; ++i) x(i) = T(static_cast<float>(i) * 0.37F + 0.1F);
    for (const int exponent : {0, 2, 3, 4}) {
        const Tensor<T> power = bl::pow(x, exponent),
                        by_value = bl::pow(x, T(static_cast<float>(exponent)));
        CHECK(gives(power, by_value));
        for (index_t i = 0; i < n; ++i) {
            const Tensor<T> alone = bl::pow(x(bl::range(i, i + 1)), exponent);
            CHECK(T(alone(0)) == T(power(i)));
            if (exponent == 2) CHECK(T(power(i)) == scalar::multiply{}(T(x(i)), T(x(i))));
        }
    }
}

TEMPLATE_TEST_CASE("A power is that of the full form to the bit, whatever stands beside it", "",
                   float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    std::mt19937_64 engine(3);
    const T special[] = {T(0),
                         -T(0),
                         T(1),
                         T(-1),
                         T(2),
                         T(-3),
                         T(0.5),
                         T(1e10),
                         T(-1e-10),
                         Limits::min(),
                         Limits::max(),
                         Limits::denorm_min(),
                         -Limits::min(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN(),
                         T(1) + Limits::epsilon()};
    const auto any = [&](T low, T high, unsigned rarely) {
        if (engine() % rarely == 0) return special[engine() % std::size(special)];
        return low + (high - low) * static_cast<T>(engine() % 100003) / T(100003);
    };
    constexpr index_t n = 1000;
    Tensor<T> x = bl::zeros<T>({n}), y = x;
    for (const T most : {T(3), T(30), T(2000)}) {
        for (const unsigned rarely : {2U, 50U, 100000U}) {
            for (index_t i = 0; i < n; ++i) {
                x(i) = any(T(0), T(20), rarely);
                y(i) = any(-most, most, rarely);
            }
            const auto full = [](T a, T b) { return scalar::pow{}(a, b); };
            CHECK(gives_alike(bl::pow(x, y), Tensor<T>(bl::map(full, x, y))));
            const T exponent = y(7);
            CHECK(gives_alike(bl::pow(x, exponent), Tensor<T>(bl::map(full, x, exponent))));
        }
    }
}

TEST_CASE("Powers of several exponents in one expression are each its own") {
    constexpr index_t n = 100;
    const Tensor<double> x = bl::linspace(0.1, 50.0, n);
    const Tensor<std::complex<double>> z = bl::cast<std::complex<double>>(x);
    for (const double a : {2.0, 3.0, 0.5, -1.0, 2.5}) {
        for (const double b : {2.0, 0.5, -2.0, 1.7}) {
            const Tensor<double> one = bl::pow(x, a), other = bl::pow(x, b);
            CHECK(gives(bl::pow(x, a) * bl::pow(x, b), Tensor<double>(one * other)));
            const Tensor<std::complex<double>> whole = bl::pow(z, a);
            CHECK(
                gives(bl::pow(z, a) * bl::pow(x, b), Tensor<std::complex<double>>(whole * other)));
        }
    }
}
