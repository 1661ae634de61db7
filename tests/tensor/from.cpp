#include "broadloom/tensor/from.hpp"

#include <array>
#include <limits>
#include <list>
#include <span>
#include <type_traits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("from copies what C++ programs hold already") {
    const std::vector<float> v = {1, 2, 3, 4, 5, 6};
    CHECK(array_equal(bl::from(v, {2, 3}), Tensor<float>{{1, 2, 3}, {4, 5, 6}}));
    CHECK(array_equal(bl::from(std::list<int>{1, 2, 3}), Tensor<int>{1, 2, 3}));
    CHECK(array_equal(bl::from(std::vector<bool>{true, false}), Tensor<bool>{true, false}));
    const int raw[] = {1, 2};
    CHECK(array_equal(bl::from(raw), Tensor<int>{1, 2}));
    CHECK(array_equal(bl::from(Tensor<int>{{1, 2}, {3, 4}}.transpose(), {4}),
                      Tensor<int>{1, 3, 2, 4}));
    CHECK(bl::from(std::vector<int>{}).shape() == Shape{0});
    CHECK(array_equal(bl::from(Shape{20, 30}), Tensor<index_t>{20, 30}));
    CHECK_THROWS_AS(bl::from(v, {4}), bl::shape_error);
    CHECK_THROWS_WITH(bl::from(v, {4}), ContainsSubstring("6") && ContainsSubstring("(4,)"));
}

TEST_CASE("Nested ranges are dimensions") {
    std::vector<std::vector<float>> rows = {{1, 2, 3}, {4, 5, 6}};
    CHECK(array_equal(bl::from(rows), Tensor<float>{{1, 2, 3}, {4, 5, 6}}));
    CHECK(array_equal(bl::from(rows, {3, 2}), Tensor<float>{{1, 2}, {3, 4}, {5, 6}}));
    const int raw[2][2] = {{1, 2}, {3, 4}};
    CHECK(array_equal(bl::from(raw), Tensor<int>{{1, 2}, {3, 4}}));
    const std::vector<std::array<double, 2>> points = {{1, 2}, {3, 4}, {5, 6}};
    CHECK(array_equal(bl::from(points), Tensor<double>{{1, 2}, {3, 4}, {5, 6}}));
    const std::list<std::vector<bool>> masks = {{true, false}, {false, true}};
    CHECK(array_equal(bl::from(masks), Tensor<bool>{{true, false}, {false, true}}));
    CHECK(bl::from(std::vector<std::vector<std::vector<int>>>{}).shape() == Shape{0, 0, 0});
    CHECK(bl::from(std::vector<std::vector<int>>(3)).shape() == Shape{3, 0});
    CHECK_THROWS_AS(bl::from(rows, {4}), bl::shape_error);
    rows.push_back({7});
    CHECK_THROWS_WITH(bl::from(rows), ContainsSubstring("ragged") && ContainsSubstring("(3, 3)"));
}

TEST_CASE("view_of looks at memory of others and stays inside of it") {
    std::vector<int> v = {1, 2, 3, 4, 5, 6};
    TensorView<int> x = bl::view_of(v, {2, 3});
    x(1, 2) = 60;
    CHECK(v[5] == 60);
    CHECK(bl::view_of(v).shape() == Shape{6});
    CHECK(bl::view_of(v, {3}, {2})(2) == 5);
    CHECK(array_equal(bl::view_of(v.data() + 5, {3}, {-2}), Tensor<int>{60, 4, 2}));
    const std::array<double, 4> a = {1, 2, 3, 4};
    static_assert(std::is_same_v<decltype(bl::view_of(a)), TensorView<const double>>);
    CHECK(bl::view_of(std::span<int>(v).subspan(2), {2, 2})(1, 1) == 60);
    int raw[4] = {1, 2, 3, 4};
    CHECK(bl::view_of(raw, {2, 2})(1, 0) == 3);
    // An array of arrays.
    float rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    bl::view_of(rows)(1, 2) = 60;
    CHECK(rows[1][2] == 60);
    CHECK(bl::view_of(rows).shape() == Shape{2, 3});
    CHECK(bl::view_of(rows, {3, 2})(2, 1) == 60);
    CHECK_THROWS_AS(bl::view_of(rows, {4}), bl::shape_error);
    static_assert(std::is_same_v<decltype(bl::view_of(std::declval<const int(&)[2][1][4]>())),
                                 TensorView<const int>>);
    CHECK(bl::view_of(raw).shape() == Shape{4});
    CHECK_THROWS_AS(bl::view_of(raw, {5}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {7}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {2, 2}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {4}, {2}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {2}, {-1}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {2, 3}, {3}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v.data(), {2, 3}, {3}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {2}, {std::numeric_limits<index_t>::max()}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(v, {3, 3},
                                {std::numeric_limits<index_t>::max() / 2,
                                 std::numeric_limits<index_t>::max() / 2}),
                    bl::shape_error);
    CHECK(bl::view_of(v, {0, 5}, {100, 100}).size() == 0);
    CHECK(bl::view_of(v, {1, 6}, {1000, 1}).size() == 6);
    std::vector<int> none;
    CHECK(bl::view_of(none).size() == 0);
    CHECK_THROWS_AS(bl::view_of(none, {1}, {1}), bl::shape_error);
    CHECK_THROWS_AS(bl::view_of(none, {2}, {0}), bl::shape_error);
}

TEST_CASE("A stride along an extent of 1 may be any, as nothing is reached by it") {
    std::vector<int> v = {0, 1, 2, 3, 4, 5};
    const index_t far = index_t{1} << (sizeof(index_t) * 8 - 3);
    TensorView<int> x = bl::view_of(v, {1, 4}, {far, 1});
    x += bl::view_of(v.data() + 2, {1, 4}, {far - 1, 1});
    CHECK(v == std::vector<int>{2, 4, 6, 8, 4, 5});
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK(bl::view_of(v.data(), {1, 1}, {most, -most}).strides() == bl::Strides{0, 0});
}

template <class R>
concept viewable = requires(R& r) { bl::view_of(r); };

TEST_CASE("A tensor and a view have strides of their own, which view_of would not see") {
    STATIC_REQUIRE(viewable<std::vector<int>>);
    STATIC_REQUIRE_FALSE(viewable<bl::Tensor<int>>);
    STATIC_REQUIRE_FALSE(viewable<TensorView<int>>);
}
