#include "broadloom/core/expression.hpp"

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;

namespace {

struct Dual {
    float value, slope;
};

using Sum = decltype(std::declval<Tensor<float>&>() + 1.0F);

static_assert(bl::tensor_like<Tensor<float>> && bl::tensor_like<const Tensor<float>&>);
static_assert(bl::tensor_like<TensorView<const float>> && bl::tensor_like<Sum&&>);
static_assert(!bl::tensor_like<float> && !bl::tensor_like<Shape> && !bl::tensor_like<std::string>);
static_assert(bl::scalar_like<float> && bl::scalar_like<const bool&> &&
              bl::scalar_like<std::complex<float>>);
static_assert(!bl::scalar_like<Dual> && !bl::scalar_like<Tensor<float>> &&
              !bl::scalar_like<const char*>);
static_assert(bl::operand<int> && bl::operand<Tensor<int>> && !bl::operand<Dual> &&
              !bl::operand<float*>);
static_assert(bl::operands<Tensor<int>, int> && !bl::operands<int, int>);
static_assert(bl::operands<Tensor<Dual>, Dual> && bl::operands<Dual, Tensor<Dual>> &&
              !bl::operands<Tensor<float>, Dual>);
static_assert(std::is_same_v<bl::element_t<const Tensor<int>&>, int>);
static_assert(std::is_same_v<bl::element_t<TensorView<const int>>, int>);
static_assert(std::is_same_v<bl::element_t<Sum>, float>);

static_assert(!std::is_copy_constructible_v<Sum>, "an expression is used once");
static_assert(!std::is_copy_assignable_v<Sum> && !std::is_move_assignable_v<Sum>);
static_assert(std::is_move_constructible_v<Sum>);

// A tensor with a name is viewed, views are copied, a temporary tensor is moved in.
static_assert(std::is_same_v<bl::detail::held_t<Tensor<int>&>, TensorView<const int>>);
static_assert(std::is_same_v<bl::detail::held_t<const Tensor<int>&>, TensorView<const int>>);
static_assert(std::is_same_v<bl::detail::held_t<Tensor<int>>, Tensor<int>>);
static_assert(std::is_same_v<bl::detail::held_t<TensorView<int>&>, TensorView<const int>>);
static_assert(std::is_same_v<bl::detail::held_t<int>, bl::Scalar<int>>);

}  // namespace

TEST_CASE("An expression knows its shape and has not been computed") {
    int calls = 0;
    const Tensor<int> x = bl::ones<int>({2, 1}), y = bl::ones<int>({3});
    auto&& e = bl::map([&](int a, int b) { return ++calls, a + b; }, x, y);
    CHECK(e.shape() == Shape{2, 3});
    CHECK(e.rank() == 2);
    CHECK(e.size() == 6);
    CHECK(e.extent(-1) == 3);
    CHECK_THROWS_AS(e.extent(2), bl::index_error);
    CHECK(calls == 0);
    const Tensor<int> z = std::move(e);
    CHECK(calls == 6);
    CHECK(z(1, 2) == 2);
}

TEST_CASE("Shapes that clash are refused when the expression is built") {
    const Tensor<int> x = bl::ones<int>({3}), y = bl::ones<int>({4});
    CHECK_THROWS_AS(x + y, bl::shape_error);
    CHECK_THROWS_AS(bl::map([](int a, int b, int c) { return a + b + c; }, x, x, y),
                    bl::shape_error);
    CHECK_THROWS_AS((x + x) * y, bl::shape_error);
}

TEST_CASE("map takes any callable, any number of operands and any mix of types") {
    const Tensor<std::uint8_t> a = {1, 2, 3};
    const Tensor<double> b = {{0.5}, {0.25}};
    const Tensor<bool> c = {true, false, true};
    const Tensor<double> r = bl::map([](std::uint8_t x, double y, bool keep, int n,
                                        float f) { return keep ? x * y + n : double(f); },
                                     a, b, c, 10, -1.0F);
    CHECK(bl::array_equal(r, Tensor<double>{{10.5, -1, 11.5}, {10.25, -1, 10.75}}));

    const Tensor<int> none = bl::map([] { return 42; });
    CHECK(none.shape() == Shape{});
    CHECK(none.item() == 42);
    const Tensor<int> only_numbers = bl::map([](int x, int y) { return x * y; }, 6, 7);
    CHECK(only_numbers.item() == 42);

    struct Counter {
        int count = 0;
        int operator()(int x) { return x + count++; }
    };
    CHECK(bl::array_equal(bl::map(Counter{}, bl::zeros<int>({4})), Tensor<int>{0, 1, 2, 3}));
    int (*const pointer)(int) = [](int x) { return -x; };
    CHECK(bl::array_equal(bl::map(pointer, bl::arange<int>(3)), Tensor<int>{0, -1, -2}));
}

TEST_CASE("map takes pointers to members") {
    const Tensor<Dual> d = {Dual{1, 2}, Dual{3, 4}};
    CHECK(bl::array_equal(bl::map(&Dual::slope, d), Tensor<float>{2, 4}));
    using C = std::complex<double>;
    const Tensor<C> z = {C(1, 2), C(3, 4)};
    double (std::complex<double>::* const imaginary)() const = &std::complex<double>::imag;
    CHECK(bl::array_equal(bl::map(imaginary, z), Tensor<double>{2, 4}));
}

TEST_CASE("map works on types of the user, and changes the element type") {
    const Tensor<float> x = {1, 2, 3};
    const Tensor<Dual> d = bl::map([](float v) { return Dual{v, 1}; }, x);
    const Tensor<Dual> squared =
        bl::map([](Dual v) { return Dual{v.value * v.value, 2 * v.value * v.slope}; }, d);
    const Tensor<float> slopes = bl::map([](const Dual& v) { return v.slope; }, squared);
    CHECK(bl::array_equal(slopes, Tensor<float>{2, 4, 6}));
    const Tensor<std::complex<float>> z =
        bl::map([](float re, float im) { return std::complex<float>(re, im); }, x, 1.0F);
    CHECK(z(2) == std::complex<float>(3, 1));
}

TEST_CASE("A function of numbers alone is a number") {
    const float half = bl::sqrt(0.25F), sum = bl::sqrt(0.25F) + 1.0F;
    CHECK((half == 0.5F && sum == 1.5F));
    const bool nan = bl::isnan(half), number = !bl::isnan(half);
    CHECK((!nan && number));
    static_assert(std::is_convertible_v<decltype(bl::sqrt(0.25F)), float>);
    static_assert(!std::is_convertible_v<decltype(bl::sqrt(Tensor<float>{})), float>);
    static_assert(!std::is_convertible_v<Sum, float>);
}

TEST_CASE("Every element is computed once, wherever operands are broadcast") {
    for (const index_t n : {1, 3, 7, 64, 100, 129, 200, 1025, 5000}) {
        for (const index_t rows : {1, 2, 5, 40}) {
            std::int64_t calls = 0;
            const Tensor<int> column = bl::ones<int>({rows, 1}), row = bl::ones<int>({n});
            const Tensor<int> z =
                bl::map([&](int a, int b) { return ++calls, a + b; }, column, row);
            CHECK(calls == rows * n);
        }
    }
}

TEST_CASE("Nested expressions hold their operands, temporaries included") {
    const auto make = [](int n) { return bl::full<int>({3}, n); };
    const Tensor<int> z = (make(1) + make(2)) * (make(3) - 1) + -make(4);
    CHECK(bl::array_equal(z, bl::full<int>({3}, 2)));
}

TEST_CASE("A comparison of tensors is no condition, one of numbers is") {
    using Comparison = decltype(std::declval<Tensor<float>&>() == 1.0F);
    static_assert(!std::is_constructible_v<bool, Comparison>);
    static_assert(std::is_constructible_v<bool, decltype(bl::isnan(1.0))>);
    const bool is_nan = bl::isnan(1.0);
    CHECK_FALSE(is_nan);
}
