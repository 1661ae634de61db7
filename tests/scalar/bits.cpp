#include "broadloom/scalar/bits.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/ulp.hpp"

namespace scalar = broadloom::scalar;
namespace math = broadloom::scalar::math;

static_assert(scalar::vector_real<float> && scalar::vector_real<double>);
static_assert(!scalar::vector_real<long double> && !scalar::vector_real<int>);
static_assert(math::to_bits(1.0F) == 0x3f800000U &&
              math::from_bits<double>(0x3ff0000000000000U) == 1.0);
static_assert(math::sign_of(-0.0F) == 0x80000000U &&
              math::or_sign(2.0, math::sign_of(-1.0)) == -2.0);
static_assert(math::polynomial(2.0, 1.0, 3.0, 5.0) == 1 + 2 * (3 + 2 * 5.0));
static_assert(math::small_word_to_real<float>(4242U) == 4242.0F);

TEMPLATE_TEST_CASE("Rounding to nearest is nearbyint, for every kind of value", "", float, double) {
    using T = TestType;
    auto list = ulp::special<T>();
    for (int i = -2000; i <= 2000; ++i) list.push_back(static_cast<T>(i) / 4);
    for (const T x : {math::Format<T>::integral, math::Format<T>::integral / 2}) {
        for (const T y : {x, std::nextafter(x, T(0)), std::nextafter(x, 2 * x), x - T(0.5)}) {
            list.push_back(y);
            list.push_back(-y);
        }
    }
    for (const T x : list) CHECK(naive::same_bits(math::nearest(x), std::nearbyint(x)));
}

TEMPLATE_TEST_CASE("Masks and what is NaN stand for selections", "", float, double) {
    using T = TestType;
    for (const T x : ulp::special<T>()) {
        const T a = std::fabs(x);
        const auto mask = math::above(a, T(2));
        CHECK(mask == (a <= T(2) ? math::word<T>{0} : ~math::word<T>{0}));
        CHECK(naive::same_bits(math::keep_where(mask, a), a <= T(2) ? T(0) : a));
        CHECK(naive::same_bits(math::or_nan(T(5), x), x != x ? x : T(5)));
    }
}

TEMPLATE_TEST_CASE("A clamp holds numbers and lets NaN pass", "", float, double) {
    using T = TestType;
    for (const T x : ulp::special<T>()) {
        const T y = math::clamp(x, T(-1), T(2));
        CHECK(naive::same_bits(y, x != x ? x : x > 2 ? T(2) : x < -1 ? T(-1) : x));
    }
}

TEMPLATE_TEST_CASE("Scaling by a power of two rounds once, into subnormals and past the largest",
                   "", float, double) {
    using T = TestType;
    using F = math::Format<T>;
    const int least = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits - 2;
    for (int k = least; k <= F::bias + 1; ++k) {
        const T shifted = F::round + static_cast<T>(2 * F::bias + k);
        for (const T x : {T(1), T(0.75), T(1.25) + std::numeric_limits<T>::epsilon()}) {
            CHECK(math::scale(x, shifted) == std::ldexp(x, k));
        }
        if (k > -F::bias && k <= F::bias) {
            CHECK(math::power_of_two(F::round + static_cast<T>(F::bias + k)) ==
                  std::ldexp(T(1), k));
        }
    }
}

TEST_CASE("A bit selects, its neighbours do not matter") {
    CHECK(math::select_by_bit(0xffU, 1.0F, 2.0F) == 1);
    CHECK(math::select_by_bit(0xfeU, 1.0F, 2.0F) == 2);
    CHECK(math::flip_sign(3.0, math::sign_of(-0.0)) == -3);
}
