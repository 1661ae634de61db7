#include "broadloom/operations/select.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "broadloom/tensor/create.hpp"
#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::Shape, bl::Tensor;

namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("where chooses among three operands, numbers among them") {
    const Tensor<bool> mask = {{true}, {false}};
    const Tensor<int> x = {1, 2, 3};
    CHECK(array_equal(bl::where(mask, x, -x), Tensor<int>{{1, 2, 3}, {-1, -2, -3}}));
    CHECK(array_equal(bl::where(mask, x, 0), Tensor<int>{{1, 2, 3}, {0, 0, 0}}));
    CHECK(array_equal(bl::where(mask, 0.5, x), Tensor<double>{{0.5, 0.5, 0.5}, {1, 2, 3}}));
    CHECK(array_equal(bl::where(mask, 1, 2), Tensor<int>{{1}, {2}}));
    CHECK(array_equal(bl::where(x > 1, x, 9), Tensor<int>{9, 2, 3}));
    CHECK(array_equal(bl::where(x - 1, x, 9), Tensor<int>{9, 2, 3}));
    CHECK(array_equal(bl::where(true, x, 9), x));
    CHECK_THROWS_AS(bl::where(mask, x, bl::ones<int>({2})), bl::shape_error);
    // The value that is not chosen does not matter, whatever it is.
    CHECK(array_equal(bl::where(Tensor<float>{0, 1} != 0, 1 / Tensor<float>{0, 1}, 0),
                      Tensor<float>{0, 1}));
}

TEST_CASE("clip holds values between bounds, the upper one stronger") {
    const Tensor<float> x = {-5, 0.5F, 5, none};
    const Tensor<float> y = bl::clip(x, -1, 1);
    CHECK((y(0) == -1 && y(1) == 0.5F && y(2) == 1 && y(3) != y(3)));
    CHECK(array_equal(bl::clip(Tensor<int>{1, 5, 9}, 7, 3), Tensor<int>{3, 3, 3}));
    CHECK(array_equal(bl::clip(Tensor<int>{1, 5, 9}, Tensor<int>{{2}, {6}}, 8),
                      Tensor<int>{{2, 5, 8}, {6, 6, 8}}));
    const Tensor<float> z =
        bl::clip(Tensor<float>{0, 0}, Tensor<float>{none, 0}, Tensor<float>{1, none});
    CHECK((z(0) != z(0) && z(1) != z(1)));
    CHECK(array_equal(bl::clip(Tensor<std::uint8_t>{0, 100, 255}, -7, 1000),
                      Tensor<std::uint8_t>{0, 100, 255}));
    CHECK(array_equal(bl::clip(Tensor<int>{0, 1, 2}, 0.5, 1.5), Tensor<double>{0.5, 1, 1.5}));
}

TEST_CASE("lerp goes from one operand to the other, in their type") {
    const Tensor<float> x = {0, 10}, y = {1, 20};
    CHECK(array_equal(bl::lerp(x, y, 0.5), Tensor<float>{0.5F, 15}));
    CHECK(array_equal(bl::lerp(x, y, Tensor<float>{{0}, {1}}), Tensor<float>{{0, 10}, {1, 20}}));
    CHECK(array_equal(bl::lerp(x, 1, 0.5), Tensor<float>{0.5F, 5.5F}));
    CHECK(array_equal(bl::lerp(0, 2, x), Tensor<float>{0, 20}));
    CHECK(array_equal(bl::lerp(Tensor<int>{0, 10}, 20, 0.25), Tensor<double>{5, 12.5}));
    static_assert(std::is_same_v<bl::element_t<decltype(bl::lerp(x, 1.0, 0.5))>, float>);
}

TEST_CASE("fma rounds once, addcmul and addcdiv as their operators do") {
    const float a = 1 + std::ldexp(1.0F, -14);
    const Tensor<float> x = {a};
    CHECK(bl::eval(bl::fma(x, x, -1))(0) == std::fma(a, a, -1.0F));
    CHECK(array_equal(bl::fma(Tensor<int>{2, 3}, 4, Tensor<int>{{1}, {2}}),
                      Tensor<int>{{9, 13}, {10, 14}}));
    const Tensor<float> y = {1, 2, 4}, column = {{1}, {10}};
    CHECK(array_equal(bl::addcmul(y, y, column), Tensor<float>{{2, 4, 8}, {11, 22, 44}}));
    CHECK(array_equal(bl::addcmul(y, y, column, 0.5), Tensor<float>{{1.5F, 3, 6}, {6, 12, 24}}));
    CHECK(
        array_equal(bl::addcdiv(column, column, y, 2), Tensor<float>{{3, 2, 1.5F}, {30, 20, 15}}));
    static_assert(std::is_same_v<bl::element_t<decltype(bl::addcmul(y, y, y, 0.5))>, float>);
}

TEST_CASE("where chooses whole rows, whatever stands in those that it does not choose") {
    for (const bl::index_t rows : {1, 2, 7, 40}) {
        for (const bl::index_t columns : {1, 15, 64, 130, 400, 1100, 5000}) {
            CAPTURE(rows, columns);
            const Shape shape{rows, columns};
            Tensor x = bl::zeros<float>(shape), y = x, both = x, one = x;
            Tensor mask = bl::zeros<bool>({rows, 1});
            for (bl::index_t i = 0; i < rows; ++i) {
                mask(i, 0) = i * i % 7 > 2;
                for (bl::index_t j = 0; j < columns; ++j) {
                    x(i, j) = mask(i, 0) ? static_cast<float>(i * columns + j) : none;
                    y(i, j) = mask(i, 0) ? none : static_cast<float>(-i * columns - j);
                    both(i, j) = mask(i, 0) ? 2 * x(i, j) : y(i, j);
                    one(i, j) = mask(i, 0) ? x(i, j) : 7;
                }
            }
            CHECK(array_equal(bl::where(mask, x * 2, y), both));
            CHECK(array_equal(bl::where(mask, x, 7), one));
            CHECK(
                array_equal(bl::where(mask, x.transpose().transpose(), y), bl::where(mask, x, y)));
            CHECK(array_equal(bl::where(!mask, bl::where(mask, x, y), x), bl::where(!mask, y, x),
                              true));
            const Tensor<double> flipped = bl::where(mask, x.flip(1), y);
            CHECK(array_equal(flipped.flip(1), bl::where(mask, x, y.flip(1))));
            Tensor<float> into = bl::zeros<float>({columns, rows});
            into.view().transpose() = bl::where(mask, x, y);
            CHECK(array_equal(into.transpose(), bl::where(mask, x, y)));
        }
    }
}

TEST_CASE("masked_fill puts a value where the mask is true") {
    const Tensor<float> x = {1, 2, 3};
    const Tensor<bool> mask = {{true, false, false}, {false, false, true}};
    CHECK(array_equal(bl::masked_fill(x, mask, -1), Tensor<float>{{-1, 2, 3}, {1, 2, -1}}));
    CHECK(array_equal(bl::masked_fill(x, x > 1, 0.5), Tensor<float>{1, 0.5F, 0.5F}));
    CHECK(array_equal(bl::masked_fill(Tensor<std::uint8_t>{1, 2}, Tensor<bool>{true, false}, 300),
                      Tensor<std::uint8_t>{44, 2}));
    CHECK_THROWS_AS(bl::masked_fill(x, bl::ones<bool>({2}), 0), bl::shape_error);
}

TEST_CASE("Empty braces are no bound") {
    const Tensor<int> x = {-5, 1, 9};
    CHECK(array_equal(bl::clip(x, {}, 3), Tensor<int>{-5, 1, 3}));
    CHECK(array_equal(bl::clip(x, 0, {}), Tensor<int>{0, 1, 9}));
    CHECK(array_equal(bl::clip(x, Tensor<int>{{0}, {2}}, {}), Tensor<int>{{0, 1, 9}, {2, 2, 9}}));
    CHECK(
        array_equal(bl::clip(Tensor<std::uint8_t>{0, 255}, {}, 300), Tensor<std::uint8_t>{0, 255}));
    CHECK(array_equal(bl::clip(x * x, {}, 3.5), Tensor<double>{3.5, 1, 3.5}));
}

TEST_CASE("Numbers of a higher kind lift clip, lerp and fma before they are held to a type") {
    const Tensor<std::uint8_t> u = {1, 200, 255};
    CHECK(bl::array_equal(bl::clip(u, 300, 400.5), Tensor<double>{300, 300, 300}));
    CHECK(bl::array_equal(bl::clip(u, -5, 100), Tensor<std::uint8_t>{1, 100, 100}));
    CHECK(bl::array_equal(bl::lerp(u, 300, 0.5), Tensor<double>{150.5, 250, 277.5}));
    CHECK(bl::array_equal(bl::fma(u, 300, 0.5), Tensor<double>{300.5, 60000.5, 76500.5}));
}

TEST_CASE("lerp reaches its end exactly, however far its start") {
    const Tensor<float> from = {1e8F, 1e30F}, to = {1, 2};
    CHECK(bl::array_equal(bl::lerp(from, to, 1.0F), to));
    CHECK(bl::array_equal(bl::lerp(from, to, 0.0F), from));
    using C = std::complex<float>;
    const Tensor<C> start = {C(1e20F, -1e20F), C(0, 1e-20F)}, end = {C(1, 2), C(3, -0.1F)};
    CHECK(bl::array_equal(bl::lerp(start, end, 1.0F), end));
    CHECK(bl::array_equal(bl::lerp(start, end, C(0)), start));
    CHECK(bl::array_equal(bl::lerp(start, end, C(0, 1)), Tensor<C>{C(0, 2 * -1e20F), C(0.1F, 3)}));
}

TEST_CASE("addcmul of bool is bool, and masked_fill takes a value of rank 0") {
    const Tensor<bool> b = {true, false};
    const Tensor<bool> sum = bl::addcmul(b, b, b);
    CHECK(bl::array_equal(sum, b));
    const Tensor<int> x = {1, 2, 3};
    CHECK(bl::array_equal(bl::masked_fill(x, x > 1, bl::full({}, 9)), Tensor<int>{1, 9, 9}));
    CHECK_THROWS_AS(bl::masked_fill(x, x > 1, Tensor<int>{9}), bl::shape_error);
}

TEST_CASE("The terms of addcmul and addcdiv are computed in the type that all three meet in") {
    const Tensor<float> x = {1, 2};
    const Tensor<std::uint8_t> bytes = {200, 100};
    const Tensor<int> whole = {1, 2};
    CHECK(bl::array_equal(bl::addcmul(x, bytes, bytes, 2), Tensor<float>{80001, 20002}));
    CHECK(bl::array_equal(bl::addcmul(x, whole, whole, 0.5), Tensor<float>{1.5F, 4}));
    CHECK(bl::array_equal(bl::addcdiv(x, whole, x, 0.5), Tensor<float>{1.5F, 2.5F}));
    CHECK(bl::array_equal(bl::addcdiv(x, whole, Tensor<int>{2, 4}), Tensor<float>{1.5F, 2.5F}));
    static_assert(
        std::is_same_v<bl::element_t<decltype(bl::addcmul(x, whole, whole, 0.5))>, float>);
    static_assert(std::is_same_v<bl::element_t<decltype(bl::addcmul(whole, whole, x))>, float>);
}

TEST_CASE("Two numbers in addcmul and addcdiv meet as elements of the type they stand beside") {
    const Tensor<float> x = {1, 2};
    CHECK(bl::array_equal(bl::addcdiv(x, 1, 4), Tensor<float>{1.25F, 2.25F}));
    CHECK(bl::array_equal(bl::addcdiv(x, 1, 4, 2), Tensor<float>{1.5F, 2.5F}));
    const Tensor<int> i = {1, 2};
    CHECK(bl::array_equal(bl::addcmul(i, 2147483647, 2), Tensor<int>{-1, 0}));
    const Tensor<std::complex<float>> sum = bl::addcmul(x, std::complex<float>(0, 2), 3);
    CHECK(sum(0) == std::complex<float>(1, 6));
}

TEST_CASE("where takes numbers of the user beside elements of their type") {
    struct Point {
        int x, y;
        bool operator==(const Point&) const = default;
    };
    const Tensor<Point> p = {Point{1, 2}, Point{3, 4}};
    const Tensor<bool> c = {true, false};
    const Tensor<Point> first = bl::where(c, p, Point{0, 0}), last = bl::where(c, Point{0, 0}, p);
    CHECK((first(0) == p(0) && first(1) == Point{0, 0}));
    CHECK((last(0) == Point{0, 0} && last(1) == p(1)));
}

TEST_CASE("Named functions take such numbers too") {
    struct Level {
        int value;
        bool operator==(const Level&) const = default;
        auto operator<=>(const Level&) const = default;
        Level operator+(const Level& other) const { return {value + other.value}; }
    };
    const Tensor<Level> x = {Level{1}, Level{5}, Level{3}};
    const auto is = [](const Tensor<Level>& y, int a, int b, int c) {
        return y(0) == Level{a} && y(1) == Level{b} && y(2) == Level{c};
    };
    CHECK(is(bl::add(x, Level{1}), 2, 6, 4));
    CHECK(is(bl::maximum(Level{2}, x), 2, 5, 3));
    CHECK(is(bl::clip(x, Level{2}, Level{4}), 2, 4, 3));
}

TEST_CASE("A bound may be left out of clip, in braces, as nullopt or at the end") {
    const Tensor<float> x = {-2, 0.5F, 3};
    CHECK(array_equal(bl::clip(x, {}, 1), Tensor<float>{-2, 0.5F, 1}));
    CHECK(array_equal(bl::clip(x, std::nullopt, 1), Tensor<float>{-2, 0.5F, 1}));
    CHECK(array_equal(bl::clip(x, 0, {}), Tensor<float>{0, 0.5F, 3}));
    CHECK(array_equal(bl::clip(x, 0, std::nullopt), Tensor<float>{0, 0.5F, 3}));
    CHECK(array_equal(bl::clip(x, 0), Tensor<float>{0, 0.5F, 3}));
    CHECK(array_equal(bl::clip(x, {}, {}), x));
    CHECK(array_equal(bl::clip(x + 1, std::nullopt, std::nullopt), x + 1));
}
