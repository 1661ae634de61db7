// tile and repeat against NumPy's results in reference/join.txt.
#include "broadloom/operations/repeat.hpp"

#include <limits>
#include <span>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;

TEST_CASE("tile and repeat give what NumPy gives") {
    std::mt19937 engine(3);
    int count = 0;
    for (const auto& record : indexing::records("join.txt")) {
        if (record.name != "tile" && record.name != "repeat") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<float>();
        const auto expected = record.array("result");
        const std::vector<index_t> counts = record.numbers("counts");
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            using Whole = decltype(whole);
            if (record.name == "tile") {
                bl::IndexList list;
                for (const index_t n : counts) list.push_back(n);
                REQUIRE(indexing::equal(bl::tile(std::forward<Whole>(whole), list), expected));
            } else {
                REQUIRE(indexing::equal(
                    bl::repeat(std::forward<Whole>(whole), counts, record.number("axis")),
                    expected));
            }
        });
        if (record.name == "repeat" && counts.size() == 1) {
            REQUIRE(indexing::equal(bl::repeat(x, counts[0], record.number("axis")), expected));
        }
    }
    CHECK(count > 100);
}

TEST_CASE("one count tiles the last dimension") {
    CHECK(bl::array_equal(bl::tile(Tensor<int>{{1, 2}, {3, 4}}, 2),
                          Tensor<int>{{1, 2, 1, 2}, {3, 4, 3, 4}}));
    CHECK(bl::array_equal(bl::tile(bl::full({}, 5), 3), Tensor<int>{5, 5, 5}));
    CHECK(bl::array_equal(bl::repeat(Tensor<int>{1, 2}, {0, 3}, 0), Tensor<int>{2, 2, 2}));
}

TEST_CASE("counts that make no sense are refused") {
    const auto x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS(bl::tile(x, {1, -1}), bl::value_error);
    CHECK_THROWS_AS(bl::repeat(x, -1, 0), bl::value_error);
    CHECK_THROWS_AS(bl::repeat(x, {1, -1}, 0), bl::value_error);
    CHECK_THROWS_AS(bl::tile(bl::zeros<int>({0}), -std::size_t{1}), bl::index_error);
    CHECK_THROWS_AS(bl::repeat(bl::zeros<int>({0}), -std::size_t{1}, 0), bl::index_error);
    CHECK_THROWS_AS(bl::repeat(x, {1, 2}, 1), bl::shape_error);
    CHECK_THROWS_AS(bl::repeat(x, 1, 2), bl::index_error);
    CHECK_THROWS_AS(bl::tile(x, extents::endless), bl::shape_error);
    CHECK_THROWS_AS(bl::repeat(x, {extents::endless, extents::endless}, 0), bl::shape_error);
}

TEST_CASE("tensors of the highest rank can be tiled and repeated") {
    const Tensor<int> x =
        bl::arange<int>(6).reshape({2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3});
    CHECK(bl::array_equal(bl::repeat(x, 2, 31).flatten(),
                          Tensor<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
    CHECK(
        bl::array_equal(bl::tile(x, 2).flatten(), Tensor<int>{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
}

TEST_CASE("counts may be a tensor, and without an axis all elements are repeated") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::repeat(x, Tensor<std::uint8_t>{1, 2, 0}, 1),
                          Tensor<int>{{1, 2, 2}, {4, 5, 5}}));
    CHECK(bl::array_equal(bl::repeat(x, bl::full({}, 2), 0),
                          Tensor<int>{{1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {4, 5, 6}}));
    CHECK(bl::array_equal(bl::repeat(x, 2), Tensor<int>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}));
    CHECK(bl::array_equal(bl::repeat(x.transpose(), {0, 1, 0, 1, 0, 1}), Tensor<int>{4, 5, 6}));
    CHECK_THROWS_AS(bl::repeat(x, Tensor<int>{{1, 2}}, 0), bl::shape_error);
    CHECK_THROWS_AS(bl::repeat(x, Tensor<int>{1, -2}, 0), bl::value_error);
}

TEST_CASE("a result past counting is refused by the name of what is repeated") {
    const auto x = bl::zeros<int>({2, 3});
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_WITH(bl::tile(x, most),
                      Catch::Matchers::ContainsSubstring("repeated, shape (2, 3) would have"));
    CHECK_THROWS_AS(bl::repeat(x, most, 0), bl::shape_error);
    CHECK_THROWS_AS(bl::repeat(x, {most, most, index_t{2}}, 1), bl::shape_error);
    CHECK(bl::tile(bl::zeros<int>({0, most / 2}), {1, 2}).shape() == Shape{0, most / 2 * 2});
}

TEST_CASE("Rank 0 is repeated along axis 0") {
    const Tensor<int> five = bl::full({}, 5);
    CHECK(bl::array_equal(bl::repeat(five, 2, 0), Tensor<int>{5, 5}));
    CHECK(bl::array_equal(bl::repeat(five, {3}, -1), Tensor<int>{5, 5, 5}));
    CHECK_THROWS_AS(bl::repeat(five, 2, 1), bl::index_error);
    CHECK_THROWS_AS(bl::repeat(five, {1, 2}, 0), bl::shape_error);
}
