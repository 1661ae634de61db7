#include "broadloom/operations/arithmetic.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/gives.hpp"

namespace bl = broadloom;
using bl::all, bl::range, bl::Shape, bl::Tensor;
using Catch::Matchers::ContainsSubstring;
using naive::gives;

TEST_CASE("Operators take tensors, views, expressions and numbers on either side") {
    Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const Tensor<int> row = {10, 20, 30};
    CHECK(gives(x + row, Tensor<int>{{11, 22, 33}, {14, 25, 36}}));
    CHECK(gives(row - x[0], Tensor<int>{9, 18, 27}));
    CHECK(gives(100 / (2 * x[1] + 2), Tensor<int>{10, 8, 7}));
    CHECK(gives(-(+x[0] - 2), Tensor<int>{1, 0, -1}));
    CHECK(gives(~((x & 1) | (x << 4)), Tensor<int>{{-18, -33, -50}, {-65, -82, -97}}));
    CHECK(gives(((x ^ 7) >> 1) % 3, Tensor<int>{{0, 2, 2}, {1, 1, 0}}));
}

namespace {

/// All that divides x by d, one element after another by the same divisors in a tensor.
template <class T>
void check_division_by(const Tensor<T>& x, T d) {
    const Tensor<T> divisors = bl::full<T>(x.shape(), d);
    const auto halves = x(range({}, {}, -2));
    const auto half_divisors = divisors(range({}, {}, -2));
    for (int level = 0; level < 3; ++level) {
        bl::kernel::set_isa(level);
        CHECK(gives(x / d, Tensor<T>(x / divisors)));
        CHECK(gives(x % d, Tensor<T>(x % divisors)));
        CHECK(gives(bl::fmod(x, d), Tensor<T>(x % divisors)));
        CHECK(gives(bl::mod(x, d), Tensor<T>(bl::mod(x, divisors))));
        CHECK(gives(bl::floor_divide(x, d), Tensor<T>(bl::floor_divide(x, divisors))));
        CHECK(
            gives(bl::floor_divide(halves, d), Tensor<T>(bl::floor_divide(halves, half_divisors))));
        Tensor<T> quotients = x, rests = x;
        quotients /= d;
        rests %= d;
        CHECK(gives(quotients * d + rests, d == 0 ? Tensor<T>(x * d) : x));
    }
    bl::kernel::set_isa(2);
}

}  // namespace

TEMPLATE_TEST_CASE("Integers divided by a number are those divided by a tensor of it", "",
                   std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
    using T = TestType;
    Tensor<T> x = bl::empty<T>({3001});
    std::uint64_t word = 1;
    for (T& v : x) {
        word = word * 6364136223846793005U + 1442695040888963407U;
        v = static_cast<T>(word >> 32);
    }
    x(0) = std::numeric_limits<T>::lowest();
    for (const int d : {0, 1, 2, 3, 7, 64, 100, -1, -2, -5, -128}) {
        check_division_by(x, static_cast<T>(d));
    }
    check_division_by(x, std::numeric_limits<T>::max());
    check_division_by(x, std::numeric_limits<T>::lowest());
    check_division_by(Tensor<T>(bl::empty<T>({0})), T{3});
    static_assert(std::is_same_v<bl::element_t<decltype(x / 3L)>, T>);
}

TEMPLATE_TEST_CASE("Complex numbers divided by a number are those divided by a tensor of it", "",
                   std::complex<float>, std::complex<double>) {
    using T = TestType;
    Tensor<T> x = bl::empty<T>({77, 13});
    double angle = 0;
    for (T& v : x) {
        angle += 0.3;
        v = T(std::polar(1 + angle, angle));
    }
    const Tensor<T> turned = x.transpose();
    for (const T d : {T(2), T(0, -3), T(1.5F, 0.25F), T(-0.1F, 7), T(0)}) {
        const Tensor<T> divisors = bl::full<T>(x.shape(), d);
        for (int level = 0; level < 3; ++level) {
            bl::kernel::set_isa(level);
            CHECK(gives(x / d, Tensor<T>(x / divisors)));
            CHECK(gives(bl::true_divide(x, d), Tensor<T>(x / divisors)));
            CHECK(gives(turned.transpose() / d, Tensor<T>(x / divisors)));
            Tensor<T> quotients = x;
            quotients /= d;
            CHECK(gives(quotients + T(0), Tensor<T>(x / divisors + T(0))));
        }
    }
    bl::kernel::set_isa(2);
    CHECK(gives(x / 2, Tensor<T>(x / T(2))));
}

TEST_CASE("Integer powers stay integers: they wrap, and truncate where the exponent is negative") {
    const Tensor<int> base = {2, -2, 3, 0, 1, -1, -1, 5};
    const Tensor<int> exponent = {10, 3, 21, 0, -5, -5, -4, -1};
    CHECK(gives(bl::pow(base, exponent), Tensor<int>{1024, -8, 1870418611, 1, 1, -1, 1, 0}));
    CHECK(bl::eval(bl::pow(Tensor<int>{0}, Tensor<int>{-1}))(0) == 0);
    CHECK(gives(bl::pow(Tensor<std::uint32_t>{4294967295, 1, 0}, -2),
                Tensor<std::uint32_t>{0, 1, 0}));
    CHECK(gives(bl::pow(Tensor<std::uint8_t>{2, 3, 255}, 9), Tensor<std::uint8_t>{0, 227, 255}));
    const Tensor<double> roots = bl::pow(Tensor<double>{2, 4}, 0.5);
    CHECK((roots(0) == Approx(1.4142135623730951).epsilon(1e-15) && roots(1) == 2));
    const Tensor<bool> bits =
        bl::eval(bl::pow(Tensor<bool>{{false}, {true}}, Tensor<bool>{false, true}));
    CHECK(gives(bits, Tensor<bool>{{true, false}, {true, true}}));
    static_assert(std::is_same_v<decltype(bl::eval(bl::pow(bits, bits))), Tensor<bool>>);
}

TEST_CASE("A negative count shifts everything out, beside unsigned elements too") {
    const Tensor<std::uint8_t> u = {6, 255};
    CHECK(gives(u << -9, Tensor<std::uint8_t>{0, 0}));
    CHECK(gives(u >> -1, Tensor<std::uint8_t>{0, 0}));
    CHECK(gives(u << 300, Tensor<std::uint8_t>{0, 0}));
    CHECK(gives(Tensor<int>{6, -6} >> -1, Tensor<int>{0, -1}));
    Tensor<std::uint64_t> w = {6};
    w >>= -1;
    CHECK(w(0) == 0);
}

TEST_CASE("Compound assignment keeps shape, memory and type of its target") {
    Tensor<float> x = {{1, 2, 3}, {4, 5, 6}};
    const float* const memory = x.data();
    x += 1;
    x -= Tensor<int>{1, 1, 1};
    x *= Tensor<double>{{2}, {10}};
    x /= std::as_const(x);
    CHECK(gives(x, bl::ones<float>({2, 3})));
    CHECK(x.data() == memory);
    x(all, 1) += 5;
    x[0] *= 3.0;
    CHECK(gives(x, Tensor<float>{{3, 18, 3}, {1, 6, 1}}));
    ((x += 1) -= 1) *= 2;
    CHECK(x(0, 1) == 36);
    Tensor<int> y = {12, 13, 14};
    y %= 5;
    y <<= 2;
    y |= 1;
    y &= ~4;
    y ^= 1;
    y >>= 1;
    CHECK(gives(y, Tensor<int>{4, 4, 8}));
    Tensor<int> empty = bl::zeros<int>({0, 3});
    empty += Tensor<int>{1, 2, 3};
    CHECK(empty.shape() == Shape{0, 3});
}

TEST_CASE("What compound assignment gives lives as long as what it was called on, or on its own") {
    Tensor<float> x = {{1, 2}, {3, 4}};
    STATIC_REQUIRE(std::is_same_v<decltype(x += 1), Tensor<float>&>);
    STATIC_REQUIRE(std::is_same_v<decltype(x[0] += 1), bl::TensorView<float>>);
    float sum = 0;
    for (const float element : x[0] += 1) sum += element;
    CHECK(sum == 5.0F);
    auto&& column = (x(all, 0) -= 1);
    (column += 2) += 3;
    CHECK(gives(x, Tensor<float>{{6, 3}, {7, 4}}));
}

TEST_CASE("A target that would have to grow is named, with the extent") {
    Tensor<float> x = bl::ones<float>({1, 3, 1});
    CHECK_THROWS_WITH(x += bl::ones<float>({3, 1, 7}), ContainsSubstring("(1, 3, 1)") &&
                                                           ContainsSubstring("(3, 1, 7)") &&
                                                           ContainsSubstring("grow"));
    CHECK_THROWS_WITH(x += bl::ones<float>({1, 1, 3, 1}), ContainsSubstring("gain 1 dimension"));
    CHECK_THROWS_AS(x[0] += bl::ones<float>({1, 3, 1}), bl::shape_error);
    CHECK(gives(x, bl::ones<float>({1, 3, 1})));
}

TEST_CASE("Named functions take numbers alone as well") {
    CHECK(bl::eval(bl::add(1, 2.5)).item() == 3.5);
    CHECK(bl::eval(bl::maximum(3, 5)).shape() == Shape{});
    CHECK(bl::eval(bl::mod(-7, 3)).item() == 2);
    CHECK(bl::eval(bl::subtract(std::uint8_t(1), std::uint8_t(2))).item() == 255);
}

TEST_CASE("Extremes follow NaN or ignore it") {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const Tensor<double> a = {1, none, 3, none}, b = {2, 2, none, none};
    const Tensor<double> most = bl::maximum(a, b), least = bl::minimum(a, b),
                         known = bl::fmax(a, b), low = bl::fmin(a, b);
    CHECK(most(0) == 2);
    CHECK(least(0) == 1);
    for (int i = 1; i < 4; ++i) CHECK((most(i) != most(i) && least(i) != least(i)));
    CHECK((known(1) == 2 && known(2) == 3 && known(3) != known(3)));
    CHECK((low(1) == 2 && low(2) == 3 && low(3) != low(3)));
}

TEST_CASE("Complex numbers calculate by their parts") {
    using C = std::complex<float>;
    const Tensor<C> z = {C(1, 2), C(0, 1)};
    CHECK(gives(z * z + 1, Tensor<C>{C(-2, 4), C(0, 0)}));
    CHECK(gives(Tensor<float>{1, 2} * z / 2.0, Tensor<C>{C(0.5F, 1), C(0, 1)}));
}

namespace {

struct Point {
    float x, y;
    friend bool operator==(const Point&, const Point&) = default;
    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator*(Point a, float s) { return {a.x * s, a.y * s}; }
    friend Point operator*(float s, Point a) { return a * s; }
    friend Point operator/(Point a, float s) { return {a.x / s, a.y / s}; }
};

}  // namespace

TEST_CASE("Types of the user meet others by operators of their own") {
    Tensor<Point> p = {Point{1, 2}, Point{3, 4}};
    const Tensor<float> s = {1, 2};
    CHECK(gives(p * 2.0F, Tensor<Point>{Point{2, 4}, Point{6, 8}}));
    CHECK(gives(s * p, Tensor<Point>{Point{1, 2}, Point{6, 8}}));
    CHECK(gives((p + p) / s, Tensor<Point>{Point{2, 4}, Point{3, 4}}));
    p *= s;
    CHECK(p(1) == Point{6, 8});
    CHECK(bl::sum(p) == Point{7, 10});
    const Tensor<std::byte> bits = {std::byte{1}, std::byte{2}};
    CHECK(gives(bits << 1, Tensor<std::byte>{std::byte{2}, std::byte{4}}));
}

namespace elsewhere {

/// Elements in whose namespace there are templates named as helpers of the library.
struct Amount {
    int value;
    friend Amount operator+(Amount a, Amount b) { return {a.value + b.value}; }
};
template <class T>
[[maybe_unused]] int hold(T&&) {
    return 0;
}
template <class T>
[[maybe_unused]] int consume(T&&) {
    return 0;
}
template <class T>
[[maybe_unused]] int in_memory(T&&) {
    return 0;
}

}  // namespace elsewhere

TEST_CASE("Functions beside the elements do not take the place of helpers") {
    bl::Tensor<elsewhere::Amount> x = bl::full<elsewhere::Amount>({3}, elsewhere::Amount{2});
    const bl::Tensor<elsewhere::Amount> y = x + x;
    x += y;
    x.view() = x.flip() + y;
    CHECK(x(1).value == 10);
}
