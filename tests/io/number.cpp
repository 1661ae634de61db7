#include "broadloom/io/number.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace broadloom::detail;

namespace {

template <class T>
PrintType type_of() {
    return {PrintKind::real,
            sizeof(T),
            nullptr,
            [](const void* element) {
                return std::complex<long double>(*static_cast<const T*>(element));
            },
            [](char* first, char* last, long double value) {
                return std::to_chars(first, last, static_cast<T>(value),
                                     std::chars_format::scientific)
                    .ptr;
            },
            [](long double high, long double low) {
                return static_cast<T>(high) / static_cast<T>(low) > 1000;
            }};
}
const PrintType single = type_of<float>(), twofold = type_of<double>();

std::string text(double value) { return scalar_text(twofold, &value); }
std::string text(float value) { return scalar_text(single, &value); }

/// Numbers of an array, as they would be printed side by side.
std::string row(std::initializer_list<long double> numbers) {
    broadloom::kernel::HeapArray<long double> values(numbers.size());
    std::size_t i = 0;
    for (const long double number : numbers) values[i++] = number;
    const RealFormat format(twofold, values, false);
    std::string line;
    for (const long double value : values) line += (line.empty() ? "" : "|") + format(value);
    return line;
}

}  // namespace

TEST_CASE("A number shows the fewest digits that tell it from its neighbours") {
    CHECK(text(0.1) == "0.1");
    CHECK(text(0.1F) == "0.1");
    CHECK(text(static_cast<double>(0.1F)) == "0.10000000149011612");
    CHECK(text(1.0) == "1.0");
    CHECK(text(-0.0) == "-0.0");
    CHECK(text(1.0 / 3) == "0.3333333333333333");
    CHECK(text(16777216.0F) == "16777216.0");
}

TEST_CASE("A number is scientific below 1e-4 and from 1e16 on") {
    CHECK(text(1e-4) == "0.0001");
    CHECK(text(9e-5) == "9e-05");
    CHECK(text(1e15) == "1000000000000000.0");
    CHECK(text(1e16) == "1e+16");
    CHECK(text(-1.5e300) == "-1.5e+300");
    CHECK(text(5e-324) == "5e-324");
}

TEST_CASE("What is not finite has a name") {
    CHECK(text(std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(text(-std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(text(-std::numeric_limits<float>::infinity()) == "-inf");
    CHECK(non_finite_text(std::numeric_limits<long double>::infinity(), true) == "+inf");
}

TEST_CASE("In an array points and exponents are lined up") {
    CHECK(row({1, 2.5L, -10}) == "  1. |  2.5|-10. ");
    CHECK(row({0.5L, 1e-5L}) == "5.e-01|1.e-05");
    CHECK(row({1, std::numeric_limits<long double>::infinity()}) == " 1.|inf");
    CHECK(row({1.0 / 3}) == "0.33333333");
}

TEST_CASE("Digits are rounded from the exact value") {
    CHECK(rounded_digits(0.5L, 1).figures == "5");
    CHECK(rounded_digits(2.675L, 3).exponent == 0);
    CHECK(rounded_digits(static_cast<long double>(2.675), 3).figures ==
          "267");  // a little less than 2.675
    CHECK(rounded_digits(999.96L, 4).figures == "1000");
    CHECK(rounded_digits(999.96L, 4).exponent == 3);
    CHECK(exponent_text(-5, 2) == "e-05");
    CHECK(exponent_text(300, 2) == "e+300");
}
