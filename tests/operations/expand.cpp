#include "broadloom/operations/expand.hpp"

#include <tuple>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::Shape;
using bl::Tensor;

TEST_CASE("broadcast_to repeats any operand") {
    const Tensor<int> x = {{1}, {2}};
    const Tensor<int> expected = {{1, 1, 1}, {2, 2, 2}};
    const auto view = bl::broadcast_to(x, {2, 3});
    STATIC_REQUIRE(std::is_same_v<decltype(view), const bl::TensorView<const int>>);
    CHECK(view.data() == x.data());
    CHECK(view.strides()[1] == 0);
    CHECK(bl::array_equal(view, expected));
    CHECK(bl::array_equal(bl::broadcast_to(x + 0, {2, 3}), expected));
    CHECK(bl::array_equal(bl::broadcast_to(Tensor<int>(x), {2, 3}), expected));
    CHECK(bl::array_equal(bl::broadcast_to(7, {2, 2}), Tensor<int>{{7, 7}, {7, 7}}));
    CHECK(bl::broadcast_to(x, {4, 2, 0}).shape() == Shape{4, 2, 0});
    CHECK_THROWS_AS(bl::broadcast_to(x, {3, 3}), bl::shape_error);
    CHECK_THROWS_AS(bl::broadcast_to(x, {2}), bl::shape_error);
}

TEST_CASE("broadcast_tensors gives every operand the common shape") {
    const Tensor<int> x = {{1}, {2}};
    const Tensor<float> y = {10, 20, 30};
    const auto [a, b] = bl::broadcast_tensors(x, y);
    STATIC_REQUIRE(std::is_same_v<decltype(b), const bl::TensorView<const float>>);
    CHECK(a.data() == x.data());
    CHECK(bl::array_equal(a, Tensor<int>{{1, 1, 1}, {2, 2, 2}}));
    CHECK(bl::array_equal(b, Tensor<float>{{10, 20, 30}, {10, 20, 30}}));
    // What would dangle is kept.
    const auto [c, d] = bl::broadcast_tensors(bl::arange<int>(3), x * 1);
    STATIC_REQUIRE(std::is_same_v<decltype(c), const Tensor<int>>);
    CHECK(bl::array_equal(c, Tensor<int>{{0, 1, 2}, {0, 1, 2}}));
    CHECK(bl::array_equal(d, Tensor<int>{{1, 1, 1}, {2, 2, 2}}));
    CHECK_THROWS_AS(bl::broadcast_tensors(y, bl::zeros<int>({2})), bl::shape_error);
    CHECK(std::tuple_size_v<decltype(bl::broadcast_tensors())> == 0);
}

TEST_CASE("meshgrid lays coordinates as NumPy does") {
    const auto x = bl::arange<int>(3);
    const Tensor<float> y = {0.5F, 1.5F};
    const Tensor<int> z = {7};

    const auto [a, b] = bl::meshgrid(x, y);
    STATIC_REQUIRE(std::is_same_v<decltype(a), const bl::TensorView<const int>>);
    CHECK(a.data() == x.data());
    CHECK(bl::array_equal(a, Tensor<int>{{0, 1, 2}, {0, 1, 2}}));
    CHECK(bl::array_equal(b, Tensor<float>{{0.5F, 0.5F, 0.5F}, {1.5F, 1.5F, 1.5F}}));

    const auto [c, d] = bl::meshgrid({.indexing = bl::Indexing::ij}, x, y);
    CHECK(bl::array_equal(c, Tensor<int>{{0, 0}, {1, 1}, {2, 2}}));
    CHECK(bl::array_equal(d, Tensor<float>{{0.5F, 1.5F}, {0.5F, 1.5F}, {0.5F, 1.5F}}));
    CHECK(bl::array_equal(std::get<1>(bl::meshgrid(bl::Indexing::ij, x, y)), d));

    const auto [e, f, g] = bl::meshgrid({.sparse = true}, x, y, z);
    CHECK(e.shape() == Shape{1, 3, 1});
    CHECK(f.shape() == Shape{2, 1, 1});
    CHECK(g.shape() == Shape{1, 1, 1});
    CHECK(bl::array_equal(e.flatten(), x));

    const auto [h, i, j] = bl::meshgrid(x.flip(), y, z);
    CHECK(h.shape() == Shape{2, 3, 1});
    CHECK(bl::array_equal(h(0, bl::all, 0), Tensor<int>{2, 1, 0}));
    CHECK(bl::array_equal(i(bl::all, 2, 0), y));
    CHECK(j(1, 2, 0) == 7);

    const auto [only] = bl::meshgrid(x);
    CHECK(bl::array_equal(only, x));
}

TEST_CASE("meshgrid swaps the first two of any number of dimensions, unless told otherwise") {
    const Tensor<int> x = {1, 2}, y = {3, 4, 5}, z = {6, 7, 8, 9}, w = {10, 11, 12, 13, 14};
    const auto [a, b, c, d] = bl::meshgrid(x, y, z, w);
    CHECK(a.shape() == Shape{3, 2, 4, 5});
    CHECK(a(2, 1, 3, 4) == 2);
    CHECK(b(2, 1, 3, 4) == 5);
    CHECK(c(2, 1, 3, 4) == 9);
    CHECK(d(2, 1, 3, 4) == 14);
    const auto [e, f, g, h] = bl::meshgrid({.indexing = bl::Indexing::ij}, x, y, z, w);
    CHECK(e.shape() == Shape{2, 3, 4, 5});
    CHECK(f(1, 2, 3, 4) == 5);
    CHECK(g(1, 2, 3, 4) == 9);
    CHECK(h(1, 2, 3, 4) == 14);
}

TEST_CASE("meshgrid keeps what would dangle, and takes numbers and empty vectors") {
    const auto [a, b] = bl::meshgrid(bl::arange<int>(2), bl::arange<int>(3) * 10);
    STATIC_REQUIRE(std::is_same_v<decltype(a), const Tensor<int>>);
    CHECK(bl::array_equal(a + b, Tensor<int>{{0, 1}, {10, 11}, {20, 21}}));
    const auto [c, d] = bl::meshgrid({.sparse = true}, bl::arange<int>(2), bl::zeros<int>({}));
    CHECK(c.shape() == Shape{1, 2});
    CHECK(d.shape() == Shape{1, 1});
    const auto none = bl::zeros<int>({0}), some = bl::zeros<int>({2});
    const auto [e, f] = bl::meshgrid(none, some);
    CHECK(e.shape() == Shape{2, 0});
    CHECK(f.shape() == Shape{2, 0});
    const auto flat = bl::zeros<int>({2, 2});
    CHECK_THROWS_AS(bl::meshgrid(some, flat), bl::shape_error);
}

TEST_CASE("expand keeps an extent of -1") {
    const Tensor<int> x = {{1}, {2}};
    CHECK(bl::array_equal(bl::expand(x, {-1, 3}), Tensor<int>{{1, 1, 1}, {2, 2, 2}}));
    CHECK(bl::expand(x + 1, {4, -1, -1}).shape() == Shape{4, 2, 1});
}

TEST_CASE("Numbers are broadcast beside tensors") {
    const Tensor<int> x = {{1}, {2}};
    const auto [a, b, c] = bl::broadcast_tensors(x, 7, bl::ones<int>({3}));
    CHECK(a.shape() == Shape{2, 3});
    CHECK(bl::array_equal(b, bl::full({2, 3}, 7)));
    CHECK(c.shape() == Shape{2, 3});
}
