// as_strided against offsets written out, over all small layouts; what leaves the memory or
// repeats elements is refused.
#include "broadloom/tensor/as_strided.hpp"

#include <limits>
#include <set>
#include <type_traits>
#include <utility>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Strides;
using bl::Tensor;
using bl::TensorView;

TEST_CASE("as_strided reaches what its strides say, and nothing outside of the tensor") {
    const Tensor<int> x = bl::arange<int>(7);
    Tensor<int> y = x;
    for (index_t a = 0; a <= 3; ++a) {
        for (index_t b = 0; b <= 3; ++b) {
            for (index_t s = -4; s <= 4; ++s) {
                for (index_t t = -4; t <= 4; ++t) {
                    for (index_t offset = -1; offset <= 7; ++offset) {
                        std::multiset<index_t> places;
                        bool inside = true;
                        for (index_t i = 0; i < a; ++i) {
                            for (index_t j = 0; j < b; ++j) {
                                places.insert(offset + i * s + j * t);
                                inside = inside && *places.rbegin() < 7 && *places.begin() >= 0;
                            }
                        }
                        const Shape shape{a, b};
                        const Strides strides{s, t};
                        if (!inside) {
                            REQUIRE_THROWS_AS(bl::as_strided(x, shape, strides, offset),
                                              bl::shape_error);
                            REQUIRE_THROWS_AS(bl::as_strided(y, shape, strides, offset),
                                              bl::shape_error);
                            continue;
                        }
                        const auto view = bl::as_strided(x, shape, strides, offset);
                        REQUIRE(view.shape() == shape);
                        for (index_t i = 0; i < a; ++i) {
                            for (index_t j = 0; j < b; ++j) {
                                REQUIRE(view(i, j) == offset + i * s + j * t);
                            }
                        }
                        const bool repeats =
                            std::set<index_t>(places.begin(), places.end()).size() < places.size();
                        if (repeats) {
                            REQUIRE_THROWS_AS(bl::as_strided(y, shape, strides, offset),
                                              bl::shape_error);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a view by as_strided writes where the tensor can be written") {
    Tensor<int> x = bl::zeros<int>({3, 3});
    auto diagonal = bl::as_strided(x, {3}, {4});
    static_assert(std::is_same_v<decltype(diagonal), TensorView<int>>);
    diagonal = Tensor<int>{1, 2, 3};
    bl::as_strided(x, {2}, {-2}, 6) += 5;
    CHECK(bl::array_equal(x, Tensor<int>{{1, 0, 0}, {0, 7, 0}, {5, 0, 3}}));
    auto windows = bl::as_strided(std::as_const(x), {8, 2}, {1, 1});
    static_assert(std::is_same_v<decltype(windows), TensorView<const int>>);
    CHECK(windows(7, 1) == 3);
    CHECK_THROWS_WITH(bl::as_strided(x, {8, 2}, {1, 1}),
                      Catch::Matchers::ContainsSubstring("as_const"));
}

TEST_CASE("as_strided of a temporary keeps its elements") {
    const auto x = bl::as_strided(bl::arange<int>(6), {2, 2}, {3, 2});
    static_assert(std::is_same_v<decltype(x), const Tensor<int>>);
    CHECK(bl::array_equal(x, Tensor<int>{{0, 2}, {3, 5}}));
}

TEST_CASE("as_strided measures a view by its lowest and highest element") {
    Tensor<int> x = bl::arange<int>(10);
    auto middle = x(bl::range(7, 2, -1));  // 7, 6, 5, 4, 3
    CHECK(bl::array_equal(bl::as_strided(middle, {2}, {-4}), Tensor<int>{7, 3}));
    CHECK_THROWS_AS(bl::as_strided(middle, {2}, {-5}), bl::shape_error);
    CHECK_THROWS_AS(bl::as_strided(middle, {2}, {1}), bl::shape_error);
    CHECK_THROWS_AS(bl::as_strided(x(bl::range(0, 0)), {1}, {1}), bl::shape_error);
    CHECK(bl::as_strided(x(bl::range(0, 0)), {0, 3}, {1, 1}).size() == 0);
    CHECK(bl::as_strided(x, {0}, {1}, 100).data() == x.data());
}

TEST_CASE("as_strided does not overflow") {
    const Tensor<int> x = bl::arange<int>(6);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    constexpr index_t least = std::numeric_limits<index_t>::min();
    for (const index_t stride : {most, least, most / 2, least / 2}) {
        CHECK_THROWS_AS(bl::as_strided(x, {3}, {stride}), bl::shape_error);
        CHECK_THROWS_AS(bl::as_strided(x, {2, 2}, {stride, stride}, 3), bl::shape_error);
        CHECK(bl::as_strided(x, {1}, {stride}).strides() == Strides{0});
        CHECK(bl::as_strided(x, {1, 1}, {stride, stride}).diagonal().flip().size() == 1);
        CHECK(bl::as_strided(x, {0, 2}, {stride, stride}).flip().size() == 0);
    }
    // Of an empty shape the other extents are as long as one likes.
    const auto nothing = bl::as_strided(x, {0, most / 2}, {1, index_t{1} << 20});
    CHECK(nothing(bl::all, bl::range({}, {}, most / 4 + 1)).shape() == Shape{0, 2});
    CHECK(nothing(bl::all, bl::range(most / 4, {})).shape() == Shape{0, most / 2 - most / 4});
    CHECK(nothing(bl::all, -1).shape() == Shape{0});
    CHECK(nothing.flip().diagonal(most / 4).shape() == Shape{0});
    CHECK_THROWS_AS(bl::as_strided(x, {1}, {1}, most), bl::shape_error);
    CHECK_THROWS_AS(bl::as_strided(x, {1}, {1}, least), bl::shape_error);
    CHECK_THROWS_AS(bl::as_strided(x, {2}, {1, 1}), bl::shape_error);
}
