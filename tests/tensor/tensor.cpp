#include "broadloom/tensor/tensor.hpp"

#include <complex>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::range, bl::Shape, bl::Strides, bl::Tensor, bl::TensorView;

namespace {

static_assert(std::is_nothrow_move_constructible_v<Tensor<float>> &&
              std::is_nothrow_move_assignable_v<Tensor<float>>);
static_assert(std::ranges::random_access_range<Tensor<float>> &&
              std::ranges::random_access_range<const Tensor<float>>);
static_assert(!std::is_convertible_v<float, Tensor<float>> &&
              !std::is_convertible_v<Shape, Tensor<float>>);
static_assert(!std::is_assignable_v<Tensor<float>&, float>, "a number fills nothing by assignment");
static_assert(std::is_convertible_v<TensorView<const int>, Tensor<float>>);
static_assert(std::is_same_v<Tensor<bool>::value_type, bool> &&
              std::is_same_v<decltype(*Tensor<bool>().begin()), bool&>);
static_assert(std::is_same_v<decltype(std::declval<const Tensor<int>&>().data()), const int*>);
static_assert(
    std::is_same_v<decltype(std::declval<const Tensor<int>&>().view()), TensorView<const int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>>().view()), Tensor<int>>);
static_assert(std::is_same_v<decltype(Tensor(std::declval<TensorView<const int>>())), Tensor<int>>);
static_assert(std::is_same_v<decltype(Tensor(std::declval<Tensor<int>&>() + 1.5)), Tensor<double>>);

struct Fixed {  // a type of the user: fixed point, hundredths
    int hundredths;
    friend Fixed operator+(Fixed a, Fixed b) { return {a.hundredths + b.hundredths}; }
    friend Fixed operator*(Fixed a, Fixed b) { return {a.hundredths * b.hundredths / 100}; }
    friend bool operator==(Fixed, Fixed) = default;
};

}  // namespace

TEST_CASE("A default tensor has rank 1 and no elements") {
    const Tensor<float> x;
    CHECK(x.shape() == Shape{0});
    CHECK(x.begin() == x.end());
    CHECK(x.is_contiguous());
}

TEST_CASE("A tensor is made from anything that has elements, converted upwards") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    const Tensor<double> y = x;
    CHECK(y(1, 1) == 4.0);
    const Tensor<double> z = x.transpose();
    CHECK(z(0, 1) == 3.0);
    CHECK(z.is_contiguous());
    const Tensor<std::int8_t> narrow = x + 300;  // integers to integers keep the low bits
    CHECK(narrow(0, 0) == 45);
    const Tensor deduced = x.broadcast_to({3, 2, 2});
    CHECK(deduced.shape() == Shape{3, 2, 2});
    CHECK(deduced.is_contiguous());
    const Tensor<std::complex<float>> w = x;
    CHECK(w(1, 0) == std::complex<float>(3, 0));
    CHECK(bl::array_equal(bl::eval(x), x));
    CHECK(bl::eval(bl::add(1, 2)).item() == 3);
}

TEST_CASE("Assignment takes shape and elements of any source") {
    Tensor<float> x = {1, 2, 3};
    x = Tensor<int>{{1}, {2}};
    CHECK(x.shape() == Shape{2, 1});
    x = x + bl::ones<float>({1, 3});
    CHECK(x.shape() == Shape{2, 3});
    CHECK(x(1, 2) == 3.0F);
    x = x[0];
    CHECK(x.shape() == Shape{3});
    x = bl::zeros<float>({0, 4});
    CHECK(x.shape() == Shape{0, 4});
    const auto& same = x;
    x = same;
    CHECK(x.shape() == Shape{0, 4});
}

TEST_CASE("A strided tensor works as a row-major one does") {
    Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4}).transpose()(all, range({}, {}, -1), all);
    CHECK(x.shape() == Shape{4, 3, 2});
    CHECK(!x.is_contiguous());
    CHECK(x(1, 0, 1) == 21);
    CHECK(x.at(-1, -1, 0) == 3);
    x(1, 0, 1) = -1;
    CHECK(*(x.begin() + 7) == -1);
    const Tensor<int> copy = x;
    CHECK(copy.is_contiguous());
    CHECK(bl::array_equal(copy, x));
    x += 1;
    CHECK(bl::array_equal(x, copy + 1));
    x = copy;
    CHECK(bl::array_equal(x, copy));
    x.fill(4);
    CHECK(bl::array_equal(x, bl::full<int>({4, 3, 2}, 4)));
    CHECK(x.extent(-1) == 2);
    CHECK_THROWS_AS(x.extent(3), bl::index_error);
    CHECK_THROWS_AS(x.extent(-4), bl::index_error);
}

TEST_CASE("An expression assigned to a strided tensor is stored row by row") {
    const Tensor<int> y = {{1, 2}, {3, 4}};
    Tensor<int> x = Tensor<int>{{5, 6}, {7, 8}}.transpose();
    REQUIRE(!x.is_contiguous());
    x = y + 1;
    CHECK(x.is_contiguous());
    CHECK(bl::array_equal(x, Tensor<int>{{2, 3}, {4, 5}}));
}

TEST_CASE("A tensor of bool has real elements") {
    Tensor<bool> x = {true, false, true};
    bool& first = x(0);
    first = false;
    CHECK(!x(0));
    for (bool& v : x) v = !v;
    CHECK(bl::array_equal(x, Tensor<bool>{true, true, false}));
}

TEST_CASE("A tensor of a type of the user uses its operators") {
    const Fixed half{50}, two{200};
    const Tensor<Fixed> x = bl::full<Fixed>({2, 3}, half);
    const Tensor<Fixed> y = x * x + x;
    CHECK(y(1, 2) == Fixed{75});
    const Tensor<Fixed> z = x * two;
    CHECK(z(0, 0) == Fixed{100});
    const Tensor<Fixed> w = two + z.transpose();
    CHECK(w(2, 1) == Fixed{300});
    CHECK(bl::array_equal(x, x));
    Tensor<Fixed> t = x;
    t += x;
    t(0, bl::all) = half;
    CHECK(t(1, 0) == Fixed{100});
    CHECK(t(0, 0) == half);
}

TEST_CASE("fill and item reach elements through any layout") {
    Tensor<int> x = bl::zeros<int>({3, 4});
    x(all, range(0, 4, 2)).fill(1);
    CHECK(bl::array_equal(x, Tensor<int>{{1, 0, 1, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}}));
    CHECK(x(range(1, 2), range(2, 3)).item() == 1);
    Tensor<int> empty = bl::zeros<int>({0});
    empty.fill(3);
    CHECK(empty.size() == 0);
    Tensor<bool> truths = {false, true};
    truths.fill(1);
    CHECK(array_equal(truths, Tensor<bool>{true, true}));
}

TEST_CASE("cast is an expression that saturates") {
    const Tensor<float> x = {-1.5F, 300, 2.5F};
    const Tensor<std::uint8_t> y = x.cast<std::uint8_t>();
    CHECK(bl::array_equal(y, Tensor<std::uint8_t>{0, 255, 2}));
    const Tensor<bool> z = x.cast<bool>();
    CHECK(bl::array_equal(z, Tensor<bool>{true, true, true}));
    CHECK(bl::array_equal(bl::full<float>({2}, 1.5F).cast<int>(), Tensor<int>{1, 1}));
    CHECK(bl::array_equal(x(range(2)).cast<int>(), Tensor<int>{-1, 300}));
    CHECK(bl::array_equal(bl::cast<int>(x * 2.0F), Tensor<int>{-3, 600, 5}));
}

TEST_CASE("Thirty-two dimensions are as good as two") {
    const Tensor<int> x = bl::ones<int>(Shape(bl::IndexList::filled(32, 1)));
    const Tensor<int> y = x + x;
    CHECK(y.rank() == 32);
    CHECK(y.item() == 2);
    bl::IndexList wide = bl::IndexList::filled(32, 1);
    for (index_t d = 0; d < 32; d += 4) wide[d] = 2;
    const Tensor<int> z = bl::arange<int>(256).reshape(wide);
    CHECK(bl::array_equal(bl::eval(z.transpose() + x).transpose(), z + 1));
    CHECK_THROWS_AS(x.unsqueeze(0), bl::shape_error);
}

TEST_CASE("The element type of numbers in braces is theirs") {
    const Tensor x = {20, 30, 40};
    const Tensor y = {{1.0, 2.0}, {3.0, 4.0}};
    const Tensor z = {{{1}, {2}}};
    const Tensor same{x};
    STATIC_REQUIRE(std::is_same_v<decltype(x), const Tensor<int>>);
    STATIC_REQUIRE(std::is_same_v<decltype(y), const Tensor<double>>);
    STATIC_REQUIRE(std::is_same_v<decltype(same), const Tensor<int>>);
    CHECK(z.shape() == Shape{1, 2, 1});
}

TEST_CASE("Tensors are swapped without moving an element") {
    Tensor<int> x = {1, 2, 3}, y = {{4, 5}};
    const int *at_x = x.data(), *at_y = y.data();
    using std::swap;
    swap(x, y);
    CHECK((x.data() == at_y && y.data() == at_x));
    CHECK((x.shape() == Shape{1, 2} && y.shape() == Shape{3}));
    swap(x, x);
    CHECK(bl::array_equal(x, Tensor<int>{{4, 5}}));
}

TEST_CASE("Views are swapped by their elements") {
    Tensor<int> x = {{1, 2}, {3, 4}, {5, 6}};
    bl::swap(x[0], x[1]);
    CHECK(bl::array_equal(x, Tensor<int>{{3, 4}, {1, 2}, {5, 6}}));
    auto first = x[0], last = x[2];
    using std::swap;
    swap(first, last);
    CHECK(bl::array_equal(x, Tensor<int>{{5, 6}, {1, 2}, {3, 4}}));
    CHECK_THROWS_AS(bl::swap(x[0], x(bl::all, 0)), bl::shape_error);
    Tensor<int> y = {7}, z = {8, 9};
    swap(y, z);
    CHECK(y.size() == 2);
}

TEST_CASE("An expression is cast in its statement") {
    const Tensor<int> x = {1, 5};
    const Tensor<float> y = (x > 2).cast<float>() * 0.5f;
    CHECK(bl::array_equal(y, Tensor<float>{0, 0.5f}));
}
