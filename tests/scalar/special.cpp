#include "broadloom/scalar/special.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/limits.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;

namespace {

long double logistic(long double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
long double normal(long double x) {
    return std::erfc(-x * 0.70710678118654752440084436210484904L) / 2;
}

static_assert(scalar::sigmoid{}(0.0F) == 0.5F && scalar::erf{}(0.0) == 0 &&
              scalar::gelu{}(0.0F) == 0);
static_assert(scalar::silu{}(0.0) == 0 && scalar::softplus{}(-infinite<float>) == 0);

}  // namespace

TEMPLATE_TEST_CASE("Activations are within 2 units where they matter, 6 in the double tail of gelu",
                   "", float, double) {
    using T = TestType;
    for (const double range : {1e-3, 1.0, 8.0, 80.0}) {
        ulp::check<scalar::erf, T>(-range, range, 2, [](long double x) { return std::erf(x); });
        ulp::check<scalar::sigmoid, T>(-range, range, 2, logistic);
        ulp::check<scalar::silu, T>(-range, range, 2,
                                    [](long double x) { return x * logistic(x); });
        ulp::check<scalar::softplus, T>(-range, range, 2, [](long double x) {
            return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
        });
        ulp::check<scalar::gelu, T>(std::max(-0.7, -range), range, 2,
                                    [](long double x) { return x * normal(x); });
        ulp::check<scalar::gelu, T>(-range, range, std::is_same_v<T, float> ? 2 : 6,
                                    [](long double x) { return x * normal(x); });
    }
}

TEMPLATE_TEST_CASE("Sums of exponentials far apart are the greater summand", "", float, double) {
    using T = TestType;
    const scalar::logaddexp f;
    for (T x = 100; std::isfinite(x); x *= T(1.375)) {
        if (f(T(0), x) != x || f(x, T(-1)) != x) FAIL(x);
    }
}

TEMPLATE_TEST_CASE(
    "Sums of exponentials are within 2 units of the greater summand, in either order", "", float,
    double) {
    using T = TestType;
    const scalar::logaddexp f;
    for (const double range : {1.0, 40.0, 1e4}) {
        const auto x = ulp::values<T>(T(-range), T(range));
        for (std::size_t i = 0; i < x.size(); ++i) {
            const T y = x[(i * 7 + 3) % x.size()];
            if (!std::isfinite(x[i]) || !std::isfinite(y)) continue;
            const auto a = static_cast<long double>(std::max(x[i], y)),
                       b = static_cast<long double>(std::min(x[i], y));
            const long double sum = a + std::log1p(std::exp(b - a));
            const long double off = std::fabs(static_cast<long double>(f(x[i], y)) - sum);
            const long double unit = static_cast<long double>(std::numeric_limits<T>::epsilon()) *
                                     std::max(std::fabs(a), 1.0L);
            if (!(off <= 2 * unit) || !naive::same_bits(f(x[i], y), f(y, x[i])))
                FAIL(x[i] << " and " << y);
        }
    }
    const T up = infinite<T>, nan = std::numeric_limits<T>::quiet_NaN();
    CHECK((f(up, up) == up && f(-up, -up) == -up && f(up, -up) == up && f(-up, T(3)) == 3));
    CHECK((std::isnan(f(nan, up)) && std::isnan(f(-up, nan))));
    CHECK(f(T(0), T(0)) == std::log(T(2)));
    // The smaller one counts where the larger one is next to nothing.
    for (const T apart : {T(70), T(85), T(100), T(720)}) {
        CHECK(f(T(3), T(3) - apart) == 3);
        CHECK(ulp::distance(f(T(0), -apart), std::exp(-apart)) <= 2);
        CHECK(f(T(1e-30), -apart) == Approx(T(1e-30) + std::exp(-apart)));
    }
    CHECK(f(2, 3L) == Approx(3 + std::log1p(std::exp(-1.0))));
    CHECK(f(0.5L, -1.0L) == Approx(0.5 + std::log1p(std::exp(-1.5))));
    CHECK(f(0.0L, -100.0L) == std::exp(-100.0L));
    CHECK(scalar::softplus{}(-100.0L) == std::exp(-100.0L));
    CHECK(scalar::softplus{}(1e5L) == 1e5L);
}

TEMPLATE_TEST_CASE("At infinity functions reach their limits, and NaN stays", "", float, double) {
    using T = TestType;
    const T up = infinite<T>, nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(scalar::erf{}(up) == 1);
    CHECK(scalar::erf{}(-up) == -1);
    CHECK(scalar::sigmoid{}(up) == 1);
    CHECK(naive::same_bits(scalar::sigmoid{}(-up), T(0)));
    CHECK(scalar::silu{}(up) == up);
    CHECK(std::isnan(scalar::silu{}(-up)));
    CHECK(scalar::softplus{}(up) == up);
    CHECK(naive::same_bits(scalar::softplus{}(-up), T(0)));
    CHECK(scalar::gelu{}(up) == up);
    CHECK(std::isnan(scalar::gelu{}(-up)));
    const T most = std::numeric_limits<T>::max();
    CHECK(scalar::gelu{}(most) == most);
    CHECK(scalar::gelu{}(-most) == 0);
    CHECK(std::isnan(scalar::erf{}(nan)));
    CHECK(std::isnan(scalar::sigmoid{}(nan)));
    CHECK(std::isnan(scalar::silu{}(nan)));
    CHECK(std::isnan(scalar::softplus{}(nan)));
    CHECK(std::isnan(scalar::gelu{}(nan)));
    CHECK(naive::same_bits(scalar::erf{}(T(-0.0)), T(-0.0)));
}
