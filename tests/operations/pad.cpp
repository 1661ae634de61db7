// pad against NumPy's results in reference/join.txt.
#include "broadloom/operations/pad.hpp"

#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::PadMode;
using bl::Shape;
using bl::Tensor;

TEST_CASE("pad gives what NumPy gives") {
    std::mt19937 engine(5);
    int count = 0;
    for (const auto& record : indexing::records("join.txt")) {
        if (record.name != "pad") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<int>();
        const std::vector<index_t> flat = record.numbers("widths");
        std::vector<bl::Padding> widths;
        for (std::size_t i = 0; i < flat.size(); i += 2) widths.push_back({flat[i], flat[i + 1]});
        const std::string& name = record.word("mode");
        const PadMode mode = name == "constant"  ? PadMode::constant
                             : name == "edge"    ? PadMode::edge
                             : name == "reflect" ? PadMode::reflect
                                                 : PadMode::wrap;
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            REQUIRE(indexing::equal(bl::pad(std::forward<decltype(whole)>(whole), widths, mode, -7),
                                    record.array("result")));
        });
    }
    CHECK(count > 100);
}

TEST_CASE("widths can be given for every dimension, or once for all") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(bl::array_equal(bl::pad(x, {{1, 0}, {0, 1}}),
                          Tensor<int>{{0, 0, 0}, {1, 2, 0}, {3, 4, 0}}));
    CHECK(bl::array_equal(bl::pad(x, {0, 1}, PadMode::edge),
                          Tensor<int>{{1, 2, 2}, {3, 4, 4}, {3, 4, 4}}));
    CHECK(bl::array_equal(bl::pad(x, 1, PadMode::constant, 9),
                          Tensor<int>{{9, 9, 9, 9}, {9, 1, 2, 9}, {9, 3, 4, 9}, {9, 9, 9, 9}}));
    CHECK(bl::array_equal(bl::pad(x * 2, {{0, 0}, {1, 0}}), Tensor<int>{{0, 2, 4}, {0, 6, 8}}));
    CHECK(bl::array_equal(bl::pad(x, {bl::Padding{1, 1}}), bl::pad(x, 1)));
    CHECK(bl::array_equal(bl::pad(bl::full({}, 3), 2), bl::full({}, 3)));
    CHECK(bl::array_equal(bl::pad(bl::zeros<int>({0}), {2, 1}, PadMode::constant, 5),
                          Tensor<int>{5, 5, 5}));
}

TEST_CASE("borders that make no sense are refused") {
    const auto x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS(bl::pad(x, {{1, 1}, {1, 1}, {1, 1}}), bl::shape_error);
    CHECK_THROWS_AS(bl::pad(x, -1), bl::value_error);
    CHECK_THROWS_AS(bl::pad(x, {0, -1}), bl::value_error);
    CHECK_THROWS_AS(bl::pad(x, {-1, 0}), bl::value_error);
    CHECK_THROWS_AS(bl::pad(x, {-1, 2}), bl::value_error);
    CHECK_THROWS_AS(bl::pad(x, -std::size_t{1}), bl::index_error);
    for (const PadMode mode : {PadMode::edge, PadMode::reflect, PadMode::wrap}) {
        CHECK_THROWS_AS(bl::pad(bl::zeros<int>({0, 3}), 1, mode), bl::shape_error);
        CHECK_THROWS_AS(bl::pad(bl::zeros<int>({0}), {1, 0}, mode), bl::shape_error);
        CHECK_THROWS_AS(bl::pad(bl::zeros<int>({0}), {0, 1}, mode), bl::shape_error);
    }
    CHECK_THROWS_AS(bl::pad(x, extents::endless), bl::shape_error);
    CHECK_THROWS_WITH(bl::pad(x, {1, bl::detail::largest_index}),
                      Catch::Matchers::ContainsSubstring("padded, shape (2, 3) would have"));
    // Nothing to mirror, and no border that asks for it.
    CHECK(bl::pad(bl::zeros<int>({0, 3}), {{0, 0}, {1, 1}}, PadMode::reflect).shape() ==
          Shape{0, 5});
    // Nothing to copy, however wide the border.
    CHECK(bl::pad(bl::zeros<int>({0, 3}), {{0, 0}, {extents::vast, 0}}, PadMode::edge).shape() ==
          Shape{0, extents::vast + 3});
}

TEST_CASE("Borders of a type of the user are zeros of it") {
    struct Stroke {
        int width;
        explicit Stroke(int w) : width(w) {}
        bool operator==(const Stroke&) const = default;
    };
    CHECK(bl::array_equal(bl::pad(Tensor<Stroke>{Stroke(7)}, {1, 0}),
                          Tensor<Stroke>{Stroke(0), Stroke(7)}));
}

TEST_CASE("The value of a border may stand for the mode") {
    const Tensor<int> x = {{1, 2}};
    CHECK(array_equal(bl::pad(x, {{1, 0}, {0, 1}}, 9), Tensor<int>{{9, 9, 9}, {1, 2, 9}}));
    CHECK(array_equal(bl::pad(x, 1, 9), bl::pad(x, 1, PadMode::constant, 9)));
    CHECK(array_equal(bl::pad(x, {1, 2}, 9), bl::pad(x, {1, 2}, PadMode::constant, 9)));
    const std::vector<bl::Padding> widths = {{0, 1}, {1, 0}};
    CHECK(array_equal(bl::pad(x.cast<double>(), widths, 0.5),
                      Tensor<double>{{0.5, 1, 2}, {0.5, 0.5, 0.5}}));
    CHECK(array_equal(bl::pad(x, 1, PadMode::edge), bl::pad(x, {{1, 1}}, PadMode::edge)));
}
