#include "broadloom/kernel/compiler.hpp"

#include "support/catch.hpp"

namespace {

BROADLOOM_EXACT_BEGIN
BROADLOOM_INLINE constexpr double times(double a, double b) { return a * b; }
BROADLOOM_INLINE constexpr double minus(double a, double b) { return a - b; }
BROADLOOM_EXACT_END

BROADLOOM_NOINLINE BROADLOOM_UNCONTRACTED double uncontracted(double a, double b, double c) {
    return minus(times(a, b), c);
}
BROADLOOM_STRICT double strict(double a, double b, double c) {
    BROADLOOM_KEEP_STRICT;
    return minus(times(a, b), c);
}
BROADLOOM_STRICT_SCALAR double strict_scalar(double a, double b, double c) {
    BROADLOOM_KEEP_STRICT;
    return minus(times(a, b), c);
}

BROADLOOM_PLANNING_BEGIN
BROADLOOM_NOINLINE int planned(int count) {
    int sum = 0;
    BROADLOOM_ROLLED
    for (int i = 0; i < count; ++i) sum += i;
    BROADLOOM_UNROLLED
    for (int i = 0; i < 4; ++i) sum += 100;
    return sum;
}
BROADLOOM_PLANNING_END

}  // namespace

TEST_CASE("A product is rounded before something is subtracted, wherever there is FMA") {
    const volatile double a = 1.0 + 0x1p-30, c = 1.0 + 0x1p-29;
    const volatile double product = a * a;
    const double expected = product - c;  // a product that is not rounded leaves 2^-60
    CHECK(uncontracted(a, a, c) == expected);
    CHECK(strict(a, a, c) == expected);
    CHECK(strict_scalar(a, a, c) == expected);
}

TEST_CASE("What the compiler forgets of a value, the value keeps") {
    double x = 1.5;
    BROADLOOM_KEEP_APART(x);
    CHECK(x == 1.5);
    unsigned char byte = 7;
    BROADLOOM_KEEP_UNKNOWN(byte);
    BROADLOOM_NO_JUMP(byte);
    CHECK(byte == 7);
    CHECK(planned(5) == 410);
}
