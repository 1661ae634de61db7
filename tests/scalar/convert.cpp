#include "broadloom/scalar/convert.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/limits.hpp"

using broadloom::scalar::convert, broadloom::scalar::saturate;

namespace {

template <class F>
constexpr F nan = std::numeric_limits<F>::quiet_NaN();

template <class To, class From>
constexpr bool saturates() {
    return convert<To>(infinite<From>) == high<To> && convert<To>(-infinite<From>) == low<To> &&
           convert<To>(nan<From>) == 0 && convert<To>(high<From>) == high<To> &&
           convert<To>(-high<From>) == low<To> && convert<To>(From(3.99)) == 3 &&
           convert<To>(From(0.5)) == 0 && convert<To>(From(-0.5)) == 0 &&
           convert<To>(From(-0.0)) == 0 && convert<To>(From(100)) == 100 &&
           convert<To>(From(-100)) == (std::is_signed_v<To> ? static_cast<To>(-100) : To(0)) &&
           convert<To>(static_cast<From>(low<To>)) == low<To>;
}
template <class From>
constexpr bool saturates_everywhere() {
    return saturates<std::int8_t, From>() && saturates<std::uint8_t, From>() &&
           saturates<std::int16_t, From>() && saturates<std::uint16_t, From>() &&
           saturates<std::int32_t, From>() && saturates<std::uint32_t, From>() &&
           saturates<std::int64_t, From>() && saturates<std::uint64_t, From>();
}
static_assert(saturates_everywhere<float>() && saturates_everywhere<double>() &&
              saturates_everywhere<long double>());

// The last value inside and the first outside, where the type of the source has them.
constexpr bool edges_are_exact() {
    return convert<std::int32_t>(2147483647.0) == 2147483647 &&
           convert<std::int32_t>(2147483647.5) == 2147483647 &&
           convert<std::int32_t>(2147483648.0) == 2147483647 &&
           convert<std::int32_t>(-2147483648.5) == -2147483647 - 1 &&
           convert<std::int32_t>(2147483520.0F) == 2147483520 &&
           convert<std::int32_t>(2147483648.0F) == 2147483647 &&
           convert<std::uint8_t>(255.9) == 255 && convert<std::uint8_t>(256.0) == 255 &&
           convert<std::uint8_t>(-0.9) == 0 && convert<std::int8_t>(-128.9) == -128 &&
           convert<std::int8_t>(-129.0) == -128 && convert<std::int8_t>(127.9) == 127 &&
           convert<std::int64_t>(9223372036854774784.0) == 9223372036854774784 &&
           convert<std::int64_t>(9223372036854775808.0) == high<std::int64_t> &&
           convert<std::uint64_t>(18446744073709549568.0) == 18446744073709549568U &&
           convert<std::uint64_t>(18446744073709551616.0) == high<std::uint64_t>;
}
static_assert(edges_are_exact());

constexpr bool everything_but_zero_is_true() {
    return convert<bool>(2) && !convert<bool>(0) && convert<bool>(0.1) &&
           convert<bool>(nan<float>) && !convert<bool>(-0.0) && convert<bool>(std::uint8_t(128)) &&
           convert<int>(true) == 1 && convert<float>(false) == 0.0F;
}
static_assert(everything_but_zero_is_true());

constexpr bool integers_keep_their_low_bits() {
    return convert<std::uint8_t>(300) == 44 && convert<std::int8_t>(200) == -56 &&
           convert<std::uint32_t>(-1) == high<std::uint32_t> &&
           convert<std::int32_t>(std::uint64_t(1) << 32) == 0 &&
           convert<std::int64_t>(high<std::uint64_t>) == -1;
}
static_assert(integers_keep_their_low_bits());

constexpr bool bounds_do_not_wrap() {
    return saturate<std::uint8_t>(300) == 255 && saturate<std::uint8_t>(-5) == 0 &&
           saturate<std::int8_t>(-200) == -128 && saturate<std::int8_t>(200U) == 127 &&
           saturate<std::int64_t>(high<std::uint64_t>) == high<std::int64_t> &&
           saturate<std::uint64_t>(low<std::int64_t>) == 0 && saturate<std::int32_t>(7) == 7 &&
           saturate<std::uint64_t>(5LL) == 5 &&
           saturate<std::int64_t>(low<std::int64_t>) == low<std::int64_t> &&
           saturate<float>(1 << 24) == 16777216.0F && saturate<std::uint8_t>(true) == 1;
}
static_assert(bounds_do_not_wrap());

}  // namespace

TEST_CASE("Conversions are the same at run time") {
    CHECK(saturates_everywhere<float>());
    CHECK(saturates_everywhere<double>());
    CHECK(saturates_everywhere<long double>());
    CHECK(edges_are_exact());
    CHECK(everything_but_zero_is_true());
    CHECK(integers_keep_their_low_bits());
    CHECK(bounds_do_not_wrap());
}

TEST_CASE("A floating value becomes the integer nearest to it of those towards zero") {
    for (int i = -70000; i <= 70000; i += 7) {
        const double x = i / 128.0;
        const int whole = static_cast<int>(x);
        CHECK(convert<int>(x) == whole);
        CHECK(convert<int>(static_cast<float>(x)) == whole);
        CHECK(convert<std::int8_t>(x) == (whole > 127 ? 127 : whole < -128 ? -128 : whole));
        CHECK(convert<std::uint8_t>(x) == (whole > 255 ? 255 : whole < 0 ? 0 : whole));
    }
}

TEMPLATE_TEST_CASE("An integer of 64 bits becomes the double nearest to it", "", std::int64_t,
                   std::uint64_t) {
    using I = TestType;
    const auto check = [](std::uint64_t word) {
        const I x = static_cast<I>(word);
        const double y = convert<double>(x);
        INFO(x);
        CHECK(y == static_cast<double>(x));
        CHECK(std::signbit(y) == (x < I(0)));
    };
    std::mt19937_64 random;
    for (int bits = 0; bits < 64; ++bits) {
        const std::uint64_t power = std::uint64_t{1} << bits;
        // At the halves between doubles, and on both sides of them.
        for (const std::uint64_t half : {power >> 53, power >> 54, 3 * (power >> 53)}) {
            for (std::uint64_t off = 0; off < 5; ++off) {
                check(power + half + off - 2);
                check(~(power + half + off - 2));
            }
        }
        for (int i = 0; i < 100; ++i) {
            const std::uint64_t word = random() >> bits;
            check(word);
            check(~word);
        }
    }
    STATIC_REQUIRE(convert<double>(high<I>) == (std::is_signed_v<I> ? 0x1p63 : 0x1p64));
    STATIC_REQUIRE(convert<double>(low<I>) == (std::is_signed_v<I> ? -0x1p63 : 0.0));
}

TEMPLATE_TEST_CASE("Usual values become words of 64 bits as all do, and others are marked", "",
                   float, double) {
    using T = TestType;
    const auto check = [](auto whole, T x, bool usual) {
        using I = decltype(whole);
        broadloom::scalar::math::Rare rare;
        const I word = broadloom::scalar::cast<I>{}.usual(x, rare);
        INFO(static_cast<double>(x));
        CHECK(rare.any() == !usual);
        if (usual) CHECK(word == convert<I>(x));
    };
    constexpr T most = T(0x1p51), infinity = std::numeric_limits<T>::infinity();
    for (const T x :
         {T(0), T(0.5), T(0.99), T(1), T(1.5), T(2.5), T(1e9), T(1e12 + 0.5), most / 2 + 1, most,
          std::nextafter(T(1), T(0)), std::numeric_limits<T>::denorm_min()}) {
        check(std::int64_t{}, x, true);
        check(std::int64_t{}, -x, true);
        check(std::uint64_t{}, x, true);
        check(std::uint64_t{}, -x, x < 1);
    }
    for (const T x :
         {std::nextafter(most, infinity), T(1e30), infinity, std::numeric_limits<T>::quiet_NaN()}) {
        check(std::int64_t{}, x, false);
        check(std::int64_t{}, -x, false);
        check(std::uint64_t{}, x, false);
    }
}

TEST_CASE("Usual doubles become words of 32 bits as all do, and others are marked") {
    const auto check = [](double x, bool usual) {
        broadloom::scalar::math::Rare rare;
        const std::int32_t word = broadloom::scalar::cast<std::int32_t>{}.usual(x, rare);
        INFO(x);
        CHECK(rare.any() == !usual);
        if (usual) CHECK(word == convert<std::int32_t>(x));
    };
    for (const double x : {0.0, 0.5, 0.99, 1.0, 126.9, 65536.0, 1e6, 1e9, 2147483646.9}) {
        check(x, true);
        check(-x, true);
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    check(2147483647.0, true);
    for (const double x : {2147483648.0, 1e30, infinity, broadloom::scalar::math::nan<double>}) {
        check(x, false);
        check(-x, false);
    }
}

TEMPLATE_TEST_CASE("A real number is held between the bounds of narrow words", "", std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::uint32_t) {
    using I = TestType;
    const auto check = [](auto x) {
        const long double whole = std::trunc(static_cast<long double>(x));
        const I expected = x != x            ? I(0)
                           : whole < low<I>  ? low<I>
                           : whole > high<I> ? high<I>
                                             : static_cast<I>(whole);
        INFO(static_cast<double>(x));
        CHECK(convert<I>(x) == expected);
    };
    const auto check_both = [&](double x) {
        for (const double y : {x, std::nextafter(x, 1e300), std::nextafter(x, -1e300)}) {
            check(y);
            check(-y);
        }
        const float near_x = static_cast<float>(x);
        for (const float y :
             {near_x, std::nextafter(near_x, 1e30F), std::nextafter(near_x, -1e30F)}) {
            check(y);
            check(-y);
        }
    };
    for (int bits = -3; bits < 66; ++bits) {
        for (const double off : {-1.0, -0.5, 0.0, 0.5, 1.0})
            check_both(std::ldexp(1.0, bits) + off);
    }
    for (int i = 0; i < 2000; ++i) check_both(i * 0.25);
    check_both(infinite<double>);
    check_both(broadloom::scalar::math::nan<double>);
    check_both(std::numeric_limits<double>::denorm_min());
}

static_assert(broadloom::scalar::cast<std::int32_t>::has_usual<double> &&
              !broadloom::scalar::cast<std::uint16_t>::has_usual<double> &&
              !broadloom::scalar::cast<std::uint32_t>::has_usual<double> &&
              !broadloom::scalar::cast<char32_t>::has_usual<double> &&
              !broadloom::scalar::cast<std::int32_t>::has_usual<float>);

TEST_CASE("A complex number is made of parts, and loses the second only when cast") {
    using C = std::complex<float>;
    using Z = std::complex<double>;
    CHECK(convert<C>(Z(1.5, -2.5)) == C(1.5F, -2.5F));
    CHECK(convert<Z>(3) == Z(3, 0));
    CHECK(convert<Z>(true) == Z(1, 0));
    CHECK(convert<double>(Z(1.5, 7)) == 1.5);
    CHECK(convert<int>(Z(1e20, 7)) == std::numeric_limits<int>::max());
    CHECK(convert<bool>(Z(0, 1)));
    CHECK(!convert<bool>(Z(0, -0.0)));
}

TEMPLATE_TEST_CASE("A complex number is true but for zeros of any sign", "", float, double,
                   long double) {
    using Limits = std::numeric_limits<TestType>;
    const TestType zeros[2] = {TestType(0), -TestType(0)};
    const TestType others[5] = {Limits::denorm_min(), -Limits::denorm_min(), TestType(1),
                                Limits::infinity(), Limits::quiet_NaN()};
    for (const TestType zero : zeros) {
        for (const TestType other : zeros) CHECK(!convert<bool>(std::complex(zero, other)));
        for (const TestType other : others) {
            CHECK(convert<bool>(std::complex(zero, other)));
            CHECK(convert<bool>(std::complex(other, zero)));
            CHECK(convert<bool>(std::complex(other, other)));
        }
    }
}

TEST_CASE("A type of the user is converted by its own conversion") {
    struct Metres {
        double value;
        explicit operator double() const { return value; }
    };
    CHECK(convert<double>(Metres{2.5}) == 2.5);
    CHECK(convert<Metres>(Metres{2.5}).value == 2.5);
}

TEST_CASE("The 0 of a type is made of a number, or else of nothing") {
    struct Minus {
        int value = -1;
        constexpr Minus() = default;
        constexpr explicit Minus(int v) : value(v) {}
    };
    struct Flat {
        int value = 3;
    };
    enum class Level { low, high };
    using broadloom::scalar::one, broadloom::scalar::zero;
    STATIC_REQUIRE(zero<float>() == 0 && !zero<bool>() && zero<std::complex<float>>() == 0.0F);
    STATIC_REQUIRE(zero<Minus>().value == 0 && zero<Flat>().value == 3);
    STATIC_REQUIRE(zero<Level>() == Level::low && one<Level>() == Level::high);
    STATIC_REQUIRE(zero<int*>() == nullptr && one<Minus>().value == 1);
}
