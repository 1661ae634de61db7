#include "broadloom/io/print.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>

#include "broadloom/core/slice.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/reference.hpp"

namespace bl = broadloom;
using naive::counting;

namespace {

// A tensor of these bytes, repeated as often as the shape needs.
template <class T>
bl::Tensor<T> tensor_of(const bl::Shape& shape, const std::string& bytes) {
    bl::Tensor<T> x = bl::empty<T>(shape);
    auto* const to = reinterpret_cast<unsigned char*>(x.data());
    const std::size_t count = static_cast<std::size_t>(shape.size()) * sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = static_cast<unsigned char>(bytes[i % bytes.size()]);
    }
    return x;
}

template <class T>
std::string printed(T value) {
    bl::Tensor<T> x = bl::empty<T>({});
    *x.data() = value;
    return bl::to_string(x);
}
template <class T>
std::string printed_in_row(std::initializer_list<T> values) {
    bl::Tensor<T> x = bl::empty<T>({static_cast<bl::index_t>(values.size())});
    bl::index_t i = 0;
    for (const T& value : values) x.data()[i++] = value;
    return bl::to_string(x);
}

template <class X>
std::string streamed(X&& x) {
    std::ostringstream out;
    out << std::forward<X>(x);
    return out.str();
}

}  // namespace

namespace own {

// Names itself.
struct Grade {
    char letter;
};
std::string to_string(const Grade& grade) { return {grade.letter, '+'}; }

// Names itself at length.
struct Banner {
    char letter;
};
std::string to_string(const Banner& banner) { return std::string(80, banner.letter); }

// Sixteenths, which convert to and from numbers.
struct Fixed {
    int sixteenths;
    Fixed() = default;
    explicit Fixed(long double value) : sixteenths(static_cast<int>(std::lround(value * 16))) {}
    explicit operator long double() const { return static_cast<long double>(sixteenths) / 16; }
    friend Fixed operator/(Fixed a, Fixed b) {
        return Fixed(static_cast<long double>(a) / static_cast<long double>(b));
    }
};

}  // namespace own

TEST_CASE("arrays print as NumPy prints them") {
    std::ifstream in = reference::open("print.txt");
    std::string line;
    std::getline(in, line);
    int arrays = 0;
    while (in) {
        const std::string record = line;
        std::string expected;
        while (std::getline(in, line) && line[0] == '|') expected += line.substr(1) + '\n';
        expected.pop_back();

        std::istringstream words(record);
        std::string dtype, extents, hex;
        words >> dtype >> extents >> hex;
        reference::with_type(dtype, [&]<class T>(reference::Type<T>) {
            const auto x = tensor_of<T>(reference::shape(extents),
                                        reference::native_bytes<T>(reference::bytes(hex)));
            const std::string text = bl::to_string(x);
            if (text != expected) {
                CAPTURE(record.substr(0, 200));
                CHECK(text == expected);
            }
        });
        ++arrays;
    }
    CHECK(arrays > 1000);
}

TEST_CASE("rank 0 prints like a scalar, in full") {
    CHECK(printed(0.1) == "0.1");
    CHECK(printed(0.1f) == "0.1");
    CHECK(printed(1.0 / 3) == "0.3333333333333333");
    CHECK(printed(1.0f / 3) == "0.33333334");
    CHECK(printed(1e-5) == "1e-05");
    CHECK(printed(2.0) == "2.0");
    CHECK(printed(1e16) == "1e+16");
    CHECK(printed(true) == "True");
    CHECK(printed(std::complex<double>(0, 2)) == "2j");
    CHECK(printed(std::complex<double>(-0.0, 2)) == "(-0+2j)");
    CHECK(printed(std::complex<float>(1, -0.5f)) == "(1-0.5j)");
}

TEST_CASE("small integers print as numbers, not as characters") {
    CHECK(printed_in_row<std::int8_t>({65, -1, 127}) == "[ 65  -1 127]");
    CHECK(printed_in_row<std::uint8_t>({65, 255}) == "[ 65 255]");
    CHECK(printed_in_row<char>({'a', 'b'}) == "[97 98]");
    CHECK(printed_in_row<char16_t>({u'a', 1}) == "[97  1]");
    CHECK(printed_in_row<unsigned long long>({18446744073709551615u}) == "[18446744073709551615]");
}

TEST_CASE("one format serves the whole array") {
    CHECK(printed_in_row<double>({1, 10, 0.125}) == "[ 1.    10.     0.125]");
    CHECK(printed_in_row<double>({1, 1e-9}) == "[1.e+00 1.e-09]");
    CHECK(printed_in_row<double>({-1.5, std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()}) == "[-1.5  inf  nan]");
    // A zero asks for no exponent, wherever it stands.
    CHECK(printed_in_row<double>({1.5, 0}) == "[1.5 0. ]");
    CHECK(printed_in_row<double>({0, 1.5, 0}) == "[0.  1.5 0. ]");
    // Imaginary parts leave room for the sign of what is not finite.
    using Complex = std::complex<double>;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(printed_in_row<Complex>({Complex(1, 1), Complex(1, nan)}) == "[1. +1.j 1.+nanj]");
}

TEST_CASE("long double prints in its own range") {
    CHECK(printed_in_row<long double>({1.5L, -0.25L}) == "[ 1.5  -0.25]");
    CHECK(printed(0.5L) == "0.5");
    if (std::numeric_limits<long double>::digits == 64) {  // else it is as wide as double
#ifndef _LIBCPP_VERSION                                    // which prints it as a double
        CHECK(printed(0.1L) == "0.1");
        CHECK(printed(static_cast<long double>(0.1)) == "0.10000000000000000555");
        CHECK(printed_in_row<long double>({1e4000L, 1}) == "[1.e+4000 1.e+0000]");
#endif
    }
}

TEST_CASE("views print the elements they show") {
    auto x = counting<int>({3, 4});
    CHECK(bl::to_string(x.transpose()) == "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
    CHECK(bl::to_string(x(1, bl::range({}, {}, -2))) == "[7 5]");
    CHECK(bl::to_string(x(bl::range(0, 1), 0).broadcast_to({2, 3})) == "[[0 0 0]\n [0 0 0]]");
    CHECK(bl::to_string(x[2]) == "[ 8  9 10 11]");
    CHECK(streamed(x.view()) == bl::to_string(x));
}

TEST_CASE("expressions are evaluated to be printed") {
    const auto x = counting<float>({2, 2});
    const auto half = [](float v) { return v / 2; };
    CHECK(bl::to_string(bl::map(half, x)) == "[[0.  0.5]\n [1.  1.5]]");
    CHECK(streamed(bl::map(half, x)) == "[[0.  0.5]\n [1.  1.5]]");
}

TEST_CASE("a view of any size prints at once, for only its corners are read") {
    const auto one = counting<double>({1});
    const bl::index_t many = bl::index_t{1} << (4 * sizeof(bl::index_t) - 1);
    const std::string text = bl::to_string(one.broadcast_to({many, many}));
    CHECK(text ==
          "[[0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n ...\n"
          " [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]]");
}

TEST_CASE("the dots of a summary wrap as elements do") {
    const std::string word = "10.12345678+1.12345678j";
    const auto x = bl::full({1001}, std::complex<double>(10.12345678, 1.12345678));
    const std::string lines = '[' + word + ' ' + word + ' ' + word + "\n ... ";
    CHECK(bl::to_string(x).substr(0, lines.size()) == lines);
}

TEST_CASE("shapes and strides print as tuples") {
    CHECK(streamed(bl::Shape{2, 3}) == "(2, 3)");
    CHECK(streamed(bl::Shape{3}) == "(3,)");
    CHECK(streamed(bl::Shape{}) == "()");
    CHECK(streamed(bl::Strides{3, -1}) == "(3, -1)");
    CHECK(bl::to_string(bl::Shape{2, 3}) == "(2, 3)");
}

TEST_CASE("the stream's width and precision do not change the text") {
    std::ostringstream out;
    out.width(30);
    out.precision(2);
    out << counting<double>({2}) << bl::Shape{2};
    CHECK(out.str() == "[0. 1.](2,)");
    out.str("");
    out.width(9);
    out << counting<int>({2}) << 5;
    CHECK(out.str() == "[0 1]5");
}

TEST_CASE("elements of the user's own types print by their to_string") {
    CHECK(printed_in_row<own::Grade>({{'a'}, {'b'}}) == "[a+ b+]");
    CHECK(printed(own::Grade{'c'}) == "c+");
    // What is longer than a line has one of its own.
    CHECK(printed_in_row<own::Banner>({{'a'}, {'b'}}) ==
          '[' + std::string(80, 'a') + "\n " + std::string(80, 'b') + ']');
}

TEST_CASE("elements that convert to and from long double print as numbers") {
    using own::Fixed;
    CHECK(printed_in_row<Fixed>({Fixed(0.5L), Fixed(-3.25L), Fixed(0.0625L)}) ==
          "[ 0.5  -3.25  0.06]");  // the fewest digits that come back to the same sixteenth
    CHECK(printed(Fixed(2)) == "2.0");
}

namespace {
namespace written {

struct Pair {
    int a, b;
};
std::ostream& operator<<(std::ostream& out, const Pair& x) { return out << x.a << '/' << x.b; }

enum class Colour { red, green };
std::ostream& operator<<(std::ostream& out, Colour c) {
    return out << (c == Colour::red ? "red" : "green");
}
enum Plain { first, sixth = 5 };
enum class Named { only };
std::string to_string(Named) { return "named"; }

}  // namespace written
}  // namespace

TEST_CASE("Elements with an operator<< print as they write themselves") {
    const bl::Tensor<written::Pair> x = {written::Pair{1, 2}, written::Pair{30, 4}};
    CHECK(bl::to_string(x) == "[ 1/2 30/4]");
    CHECK(bl::to_string(bl::Tensor<written::Colour>{written::Colour::red,
                                                    written::Colour::green}) == "[  red green]");
    CHECK(bl::to_string(bl::Tensor<written::Named>{written::Named::only}) == "[named]");
    // An enumeration without one is written as its integers.
    CHECK(bl::to_string(bl::Tensor<written::Plain>{written::first, written::sixth}) == "[0 5]");
}
