// roll, flip and rot90 against NumPy's results in reference/join.txt.
#include "broadloom/operations/roll.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Tensor;

namespace {

bl::IndexList list_of(const std::vector<index_t>& values) {
    bl::IndexList list;
    for (const index_t v : values) list.push_back(v);
    return list;
}

}  // namespace

TEST_CASE("roll, flip and rot90 give what NumPy gives") {
    std::mt19937 engine(4);
    int count = 0;
    for (const auto& record : indexing::records("join.txt")) {
        if (record.name != "roll" && record.name != "flip" && record.name != "rot90") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<double>();
        const auto expected = record.array("result");
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            using Whole = decltype(whole);
            if (record.name == "roll") {
                const auto shifts = list_of(record.numbers("shift"));
                const bool named = record.fields.count("axis") != 0;
                const Tensor<double> rolled = named
                                                  ? bl::roll(std::forward<Whole>(whole), shifts,
                                                             list_of(record.numbers("axis")))
                                                  : bl::roll(std::forward<Whole>(whole), shifts[0]);
                REQUIRE(rolled.is_contiguous());
                REQUIRE(indexing::equal(rolled, expected));
            } else if (record.name == "flip") {
                const auto axes = list_of(record.numbers("axes"));
                const Tensor<double> flipped =
                    axes.rank() == 0
                        ? Tensor<double>(bl::flip(std::forward<Whole>(whole)))
                        : Tensor<double>(bl::flip(std::forward<Whole>(whole), axes[0]));
                REQUIRE(indexing::equal(flipped, expected));
            } else {
                const auto plane = record.numbers("plane");
                const Tensor<double> turned(
                    bl::rot90(std::forward<Whole>(whole), record.number("k"), plane[0], plane[1]));
                REQUIRE(indexing::equal(turned, expected));
            }
        });
    }
    CHECK(count > 200);
}

TEST_CASE("flips and turns of a tensor that lives on are views of it") {
    Tensor<int> x = {{1, 2}, {3, 4}};
    auto turned = bl::rot90(x);
    STATIC_REQUIRE(std::is_same_v<decltype(turned), bl::TensorView<int>>);
    CHECK(bl::array_equal(turned, Tensor<int>{{2, 4}, {1, 3}}));
    turned(0, 0) = 20;
    CHECK(x(0, 1) == 20);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::flip(std::as_const(x), 0)), bl::TensorView<const int>>);
    // One that is about to die keeps its elements.
    STATIC_REQUIRE(std::is_same_v<decltype(bl::rot90(bl::eye<int>(2))), Tensor<int>>);
    CHECK(bl::array_equal(bl::flip(bl::arange<int>(3)), Tensor<int>{2, 1, 0}));
}

TEST_CASE("a shift that index_t does not hold is refused") {
    const Tensor<int> x = {1, 2, 3, 4, 5};
    const auto back = static_cast<std::size_t>(-1);
    CHECK_THROWS_AS(bl::roll(x, back), bl::index_error);
    CHECK_THROWS_AS(bl::roll(x, back, 0), bl::index_error);
    CHECK_THROWS_AS(bl::roll(x, {back}, {0}), bl::index_error);
    CHECK_THROWS_AS(bl::roll(x, std::vector<std::size_t>{back}, 0), bl::index_error);
    CHECK(bl::array_equal(bl::roll(x, std::size_t{1}), Tensor<int>{5, 1, 2, 3, 4}));
}

TEST_CASE("axes and shifts that make no sense are refused") {
    const auto x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS(bl::roll(x, 1, 2), bl::index_error);
    CHECK_THROWS_AS(bl::roll(x, bl::IndexList{}, bl::IndexList{-5}), bl::index_error);
    CHECK_THROWS_AS(bl::roll(x, {1, 2, 3}, {0, 1}), bl::shape_error);
    CHECK_THROWS_AS(bl::flip(x, {0, 0}), bl::index_error);
    CHECK_THROWS_AS(bl::rot90(x, 1, 1, -1), bl::index_error);
    CHECK_THROWS_AS(bl::rot90(bl::zeros<int>({3})), bl::index_error);
}

TEST_CASE("a single shift serves all axes, a single axis all shifts, and planes stand in braces") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::roll(x, 1, {0, 1}), Tensor<int>{{6, 4, 5}, {3, 1, 2}}));
    CHECK(bl::array_equal(bl::roll(x, {1, 1}, 1), Tensor<int>{{2, 3, 1}, {5, 6, 4}}));
    CHECK_THROWS_AS(bl::roll(x, {1, 2, 3}, {0, 1}), bl::shape_error);
    CHECK(bl::array_equal(bl::rot90(x, 1, {1, 0}), bl::rot90(x, -1)));
    CHECK_THROWS_AS(bl::rot90(x, 1, {0, 1, 0}), bl::value_error);
    CHECK_THROWS_AS(bl::rot90(x, 1, {0}), bl::value_error);
    CHECK(bl::array_equal(bl::flip(x, {}), x));
}
