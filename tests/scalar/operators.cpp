#include "broadloom/scalar/operators.hpp"
#include "broadloom/scalar/remainder.hpp"
#include "broadloom/scalar/rounding.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/elementwise.hpp"
#include "support/limits.hpp"
#include "support/same_bits.hpp"
#include "support/types.hpp"

namespace scalar = broadloom::scalar;

namespace {

using types::i8, types::u8;

// The oracle: mathematics in int, which holds every result of two bytes.
constexpr int floored(int a, int b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

struct Oracle {
    static constexpr int add(int a, int b) { return a + b; }
    static constexpr int subtract(int a, int b) { return a - b; }
    static constexpr int multiply(int a, int b) { return a * b; }
    static constexpr int divide(int a, int b) { return b == 0 ? 0 : a / b; }
    static constexpr int fmod(int a, int b) { return b == 0 ? 0 : a % b; }
    static constexpr int floor_divide(int a, int b) { return b == 0 ? 0 : floored(a, b); }
    static constexpr int mod(int a, int b) { return b == 0 ? 0 : a - b * floored(a, b); }
    static constexpr int maximum(int a, int b) { return a > b ? a : b; }
    static constexpr int minimum(int a, int b) { return a < b ? a : b; }
    static constexpr int bit_and(int a, int b) { return a & b; }
    static constexpr int bit_or(int a, int b) { return a | b; }
    static constexpr int bit_xor(int a, int b) { return a ^ b; }
    static constexpr int shift_left(int a, int b) { return b < 0 || b >= 8 ? 0 : a * (1 << b); }
    static constexpr int shift_right(int a, int b) {
        return b < 0 || b >= 8 ? (a < 0 ? -1 : 0) : floored(a, 1 << b);
    }
};

/// Holds when f wraps the oracle's result into R for every pair of values of A and B.
template <class R, class A, class B, class F>
bool agrees(F f, int (*oracle)(int, int)) {
    for (int i = low<A>; i <= high<A>; ++i) {
        for (int j = low<B>; j <= high<B>; ++j) {
            const A a = static_cast<A>(i);
            const B b = static_cast<B>(j);
            static_assert(std::is_same_v<decltype(f(a, b)), R>);
            if (f(a, b) != static_cast<R>(oracle(i, j))) {
                UNSCOPED_INFO(i << " and " << j << " give " << int{f(a, b)});
                return false;
            }
        }
    }
    return true;
}

constexpr bool signed_extremes_are_defined() {
    const auto check = []<class T>(T) {
        constexpr T one = 1, minus = -1, zero = 0;
        return scalar::divide{}(low<T>, minus) == low<T> && scalar::fmod::on(low<T>, minus) == 0 &&
               scalar::floor_divide{}(low<T>, minus) == low<T> &&
               scalar::divide{}(low<T>, zero) == 0 && scalar::add{}(high<T>, one) == low<T> &&
               scalar::subtract{}(low<T>, one) == high<T> &&
               scalar::multiply{}(low<T>, minus) == low<T> && scalar::negate{}(low<T>) == low<T> &&
               scalar::multiply{}(high<T>, high<T>) == 1 &&
               scalar::shift_left{}(minus, T(8 * sizeof(T) - 1)) == low<T> &&
               scalar::shift_left{}(one, T(8 * sizeof(T))) == 0 &&
               scalar::shift_right{}(minus, T(100)) == -1 &&
               scalar::shift_right{}(high<T>, T(100)) == 0 &&
               scalar::shift_right{}(low<T>, T(8 * sizeof(T) - 1)) == -1 &&
               scalar::shift_left{}(one, minus) == 0 && scalar::shift_right{}(low<T>, minus) == -1;
    };
    return check(std::int8_t{}) && check(std::int16_t{}) && check(std::int32_t{}) &&
           check(std::int64_t{});
}
static_assert(signed_extremes_are_defined());

constexpr bool unsigned_extremes_are_defined() {
    const auto check = []<class T>(T) {
        constexpr T one = 1, zero = 0;
        return scalar::add{}(high<T>, one) == 0 && scalar::subtract{}(zero, one) == high<T> &&
               scalar::multiply{}(high<T>, high<T>) == 1 && scalar::divide{}(high<T>, zero) == 0 &&
               scalar::negate{}(one) == high<T> && scalar::bit_not{}(zero) == high<T> &&
               scalar::shift_left{}(one, T(8 * sizeof(T))) == 0 &&
               scalar::shift_right{}(high<T>, T(8 * sizeof(T))) == 0 &&
               scalar::shift_right{}(high<T>, T(8 * sizeof(T) - 1)) == 1 &&
               scalar::shift_right{}(high<T>, high<T>) == 0;
    };
    return check(std::uint8_t{}) && check(std::uint16_t{}) && check(std::uint32_t{}) &&
           check(std::uint64_t{});
}
static_assert(unsigned_extremes_are_defined());

constexpr bool bool_is_logic() {
    return (scalar::add{}(true, true) == true) &&
           std::is_same_v<decltype(scalar::add{}(true, true)), bool> &&
           !scalar::multiply{}(true, false) && scalar::maximum{}(true, false) &&
           !scalar::minimum{}(true, false) && scalar::bit_xor{}(true, false) &&
           !scalar::bit_xor{}(true, true) && !scalar::bit_not{}(true) &&
           !scalar::divide{}(true, false) && scalar::divide{}(true, true) &&
           !scalar::fmod{}(true, true);
}

constexpr bool operands_meet_first() {
    return scalar::add{}(i8(100), u8(200)) == 300 &&
           std::is_same_v<decltype(scalar::add{}(i8(), u8())), std::int16_t> &&
           scalar::divide{}(7, 2.0) == 3.5 && scalar::multiply{}(true, 2.5F) == 2.5F &&
           scalar::maximum{}(u8(200), i8(-1)) == 200 &&
           std::is_same_v<decltype(scalar::add{}(std::int64_t(), 1.0F)), float>;
}
static_assert(operands_meet_first());

constexpr bool integers_divide_truly_in_double() {
    return scalar::true_divide{}(7, 2) == 3.5 && scalar::true_divide{}(true, true) == 1.0 &&
           std::is_same_v<decltype(scalar::true_divide{}(i8(), i8())), double> &&
           std::is_same_v<decltype(scalar::true_divide{}(1, 1.0F)), float>;
}
static_assert(integers_divide_truly_in_double());

template <class T>
void compare_operator(const reference::Elementwise& record) {
    const std::vector<T> x = reference::elements<T>(record.values);
    const std::vector<T> expected = reference::elements<T>(record.results);
    REQUIRE(expected.size() == x.size() * x.size());
    const auto all = [&](auto f, bool zeros_have_signs) {
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const T a = x[k / x.size()], b = x[k % x.size()], r = f(a, b);
            const bool same =
                naive::same_bits(r, expected[k]) || (!zeros_have_signs && r == expected[k]);
            if (!same) {
                FAIL(record.operation << " of " << record.type << " " << +a << " and " << +b
                                      << " gives " << +r << ", not " << +expected[k]);
            }
        }
    };
    if (record.operation == "add") all(scalar::add{}, true);
    if (record.operation == "multiply") all(scalar::multiply{}, true);
    if (record.operation == "floor_divide") all(scalar::floor_divide{}, true);
    if (record.operation == "remainder") all(scalar::mod{}, true);
    if (record.operation == "fmod") all(scalar::fmod{}, true);
    if (record.operation == "left_shift") {
        if constexpr (std::is_integral_v<T>) all(scalar::shift_left{}, true);
    }
    if (record.operation == "right_shift") {
        if constexpr (std::is_integral_v<T>) all(scalar::shift_right{}, true);
    }
    // The larger of 0 and -0 is either.
    if (record.operation == "maximum") all(scalar::maximum{}, false);
    if (record.operation == "minimum") all(scalar::minimum{}, false);
    if (record.operation == "fmax") all(scalar::fmax{}, false);
    if (record.operation == "fmin") all(scalar::fmin{}, false);
}

template <class T>
bool near(T a, T b) {
    if (naive::same_bits(a, b)) return true;
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(b);
}

template <class R>
void compare_complex_with_numpy(const reference::Elementwise& record) {
    using C = std::complex<R>;
    const std::vector<C> x = reference::elements<C>(record.values);
    const std::vector<C> expected = reference::elements<C>(record.results);
    REQUIRE(expected.size() == x.size() * x.size());
    const auto all = [&](auto f) {
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const C a = x[k / x.size()], b = x[k % x.size()], r = f(a, b);
            if (!near(r.real(), expected[k].real()) || !near(r.imag(), expected[k].imag())) {
                FAIL(record.operation << " of " << a << " and " << b << " gives " << r << ", not "
                                      << expected[k]);
            }
        }
    };
    if (record.operation == "multiply") all(scalar::multiply{});
    if (record.operation == "divide") all(scalar::divide{});
    if (record.operation == "maximum") all(scalar::maximum{});
    if (record.operation == "minimum") all(scalar::minimum{});
    if (record.operation == "fmax") all(scalar::fmax{});
    if (record.operation == "fmin") all(scalar::fmin{});
}

struct Side {
    int metres;
    friend constexpr Side operator+(Side a, Side b) { return {a.metres + b.metres}; }
    friend constexpr long operator/(Side a, Side b) { return a.metres / b.metres; }
};
struct Area {
    int square_metres;
    friend constexpr bool operator==(Area, Area) = default;
};
constexpr Area operator*(Side a, Side b) { return {a.metres * b.metres}; }
enum Coin { penny = 1, nickel = 5 };

}  // namespace

TEST_CASE("Operators of the user's give results of any type") {
    constexpr Side a{6}, b{2};
    STATIC_REQUIRE(scalar::add{}(a, b).metres == 8);
    STATIC_REQUIRE(scalar::multiply{}(a, b) == Area{12});
    STATIC_REQUIRE(scalar::square{}(a) == Area{36});
    STATIC_REQUIRE(std::is_same_v<decltype(scalar::divide{}(a, b)), long>);
    STATIC_REQUIRE(scalar::divide{}(a, b) == 3);
    constexpr int row[3] = {};
    STATIC_REQUIRE(scalar::subtract{}(row + 2, row + 0) == 2);
    STATIC_REQUIRE(scalar::add{}(penny, nickel) == 6);
}

TEST_CASE("Arithmetic at compile time is arithmetic at run time") {
    CHECK(signed_extremes_are_defined());
    CHECK(unsigned_extremes_are_defined());
    CHECK(bool_is_logic());
    CHECK(operands_meet_first());
    CHECK(integers_divide_truly_in_double());
}

TEST_CASE("All pairs of signed bytes are as in mathematics, wrapped") {
    CHECK(agrees<i8, i8, i8>(scalar::add{}, Oracle::add));
    CHECK(agrees<i8, i8, i8>(scalar::subtract{}, Oracle::subtract));
    CHECK(agrees<i8, i8, i8>(scalar::multiply{}, Oracle::multiply));
    CHECK(agrees<i8, i8, i8>(scalar::divide{}, Oracle::divide));
    CHECK(agrees<i8, i8, i8>(scalar::fmod{}, Oracle::fmod));
    CHECK(agrees<i8, i8, i8>(scalar::floor_divide{}, Oracle::floor_divide));
    CHECK(agrees<i8, i8, i8>(scalar::mod{}, Oracle::mod));
    CHECK(agrees<i8, i8, i8>(scalar::maximum{}, Oracle::maximum));
    CHECK(agrees<i8, i8, i8>(scalar::minimum{}, Oracle::minimum));
    CHECK(agrees<i8, i8, i8>(scalar::fmax{}, Oracle::maximum));
    CHECK(agrees<i8, i8, i8>(scalar::fmin{}, Oracle::minimum));
    CHECK(agrees<i8, i8, i8>(scalar::bit_and{}, Oracle::bit_and));
    CHECK(agrees<i8, i8, i8>(scalar::bit_or{}, Oracle::bit_or));
    CHECK(agrees<i8, i8, i8>(scalar::bit_xor{}, Oracle::bit_xor));
    CHECK(agrees<i8, i8, i8>(scalar::shift_left{}, Oracle::shift_left));
    CHECK(agrees<i8, i8, i8>(scalar::shift_right{}, Oracle::shift_right));
}

TEST_CASE("All pairs of unsigned bytes are as in mathematics, wrapped") {
    CHECK(agrees<u8, u8, u8>(scalar::add{}, Oracle::add));
    CHECK(agrees<u8, u8, u8>(scalar::subtract{}, Oracle::subtract));
    CHECK(agrees<u8, u8, u8>(scalar::multiply{}, Oracle::multiply));
    CHECK(agrees<u8, u8, u8>(scalar::divide{}, Oracle::divide));
    CHECK(agrees<u8, u8, u8>(scalar::fmod{}, Oracle::fmod));
    CHECK(agrees<u8, u8, u8>(scalar::floor_divide{}, Oracle::floor_divide));
    CHECK(agrees<u8, u8, u8>(scalar::mod{}, Oracle::mod));
    CHECK(agrees<u8, u8, u8>(scalar::maximum{}, Oracle::maximum));
    CHECK(agrees<u8, u8, u8>(scalar::minimum{}, Oracle::minimum));
    CHECK(agrees<u8, u8, u8>(scalar::shift_left{}, Oracle::shift_left));
    CHECK(agrees<u8, u8, u8>(scalar::shift_right{}, Oracle::shift_right));
}

TEST_CASE("Signed with unsigned bytes meet in 16 bits, where nothing wraps but products") {
    using i16 = std::int16_t;
    CHECK(agrees<i16, i8, u8>(scalar::add{}, Oracle::add));
    CHECK(agrees<i16, u8, i8>(scalar::subtract{}, Oracle::subtract));
    CHECK(agrees<i16, i8, u8>(scalar::multiply{}, Oracle::multiply));
    CHECK(agrees<i16, u8, i8>(scalar::floor_divide{}, Oracle::floor_divide));
    CHECK(agrees<i16, i8, u8>(scalar::mod{}, Oracle::mod));
    CHECK(agrees<i16, i8, u8>(scalar::maximum{}, Oracle::maximum));
}

TEST_CASE("Unary functions of bytes wrap") {
    for (int i = -128; i < 128; ++i) {
        const i8 x = static_cast<i8>(i);
        CHECK(scalar::negate{}(x) == static_cast<i8>(-i));
        CHECK(scalar::bit_not{}(x) == static_cast<i8>(~i));
        CHECK(scalar::identity{}(x) == x);
        const u8 y = static_cast<u8>(i);
        CHECK(scalar::negate{}(y) == static_cast<u8>(-i));
        CHECK(scalar::bit_not{}(y) == static_cast<u8>(~i));
    }
}

TEST_CASE("Integers and floats are as NumPy has them, at the edges and beyond") {
    int count = 0;
    for (const char* const operation :
         {"add", "multiply", "floor_divide", "remainder", "fmod", "left_shift", "right_shift",
          "maximum", "minimum", "fmax", "fmin"}) {
        count += reference::for_each_record(operation, [](const reference::Elementwise& record) {
            if (record.type == "int16") compare_operator<std::int16_t>(record);
            if (record.type == "int32") compare_operator<std::int32_t>(record);
            if (record.type == "int64") compare_operator<std::int64_t>(record);
            if (record.type == "uint32") compare_operator<std::uint32_t>(record);
            if (record.type == "uint64") compare_operator<std::uint64_t>(record);
            if (record.type == "float32") compare_operator<float>(record);
            if (record.type == "float64") compare_operator<double>(record);
        });
    }
    CHECK(count > 40);
}

TEST_CASE("Complex products, quotients and extremes are as NumPy has them") {
    int count = 0;
    for (const char* const operation :
         {"multiply", "divide", "maximum", "minimum", "fmax", "fmin"}) {
        count += reference::for_each_record(operation, [](const reference::Elementwise& record) {
            if (record.type == "complex64") compare_complex_with_numpy<float>(record);
            if (record.type == "complex128") compare_complex_with_numpy<double>(record);
        });
    }
    CHECK(count >= 12);
}

TEST_CASE("Long double divides and leaves remainders like double") {
    CHECK(scalar::floor_divide{}(-7.0L, 2.0L) == -4.0L);
    CHECK(scalar::mod{}(-7.0L, 2.0L) == 1.0L);
    CHECK(scalar::fmod{}(-7.0L, 2.0L) == -1.0L);
    CHECK(std::signbit(scalar::mod{}(4.0L, -2.0L)));
}

TEST_CASE("fma rounds once") {
    const double x = 1.0 + std::ldexp(1.0, -30);
    CHECK(scalar::fma{}(x, x, -1.0) == std::fma(x, x, -1.0));
    CHECK(scalar::fma{}(x, x, -1.0) != x * x - 1.0);
    const float y = 1.0F + std::ldexp(1.0F, -14);
    CHECK(scalar::fma{}(y, y, -1.0F) == std::fma(y, y, -1.0F));
    CHECK(scalar::fma{}(3, 4, 5) == 17);
    CHECK(scalar::fma{}(u8(200), u8(2), u8(1)) == 145);
    CHECK(scalar::fma{}(std::complex<float>(0, 1), std::complex<float>(0, 1), 1.0F) ==
          std::complex<float>(0, 0));
}
