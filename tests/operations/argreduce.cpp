// argmax and argmin against a naive evaluator, over all small shapes and sets of axes, and against
// NumPy's results in reference/reduce.txt; ties, NaN and nothing.
#include "broadloom/operations/argreduce.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/limits.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::Axes, bl::index_t, bl::IndexList, bl::keepdims, bl::Shape, bl::Tensor;
using folds::disagreement;
using naive::Random, naive::Way;

namespace {

constexpr auto argmax = [](const auto&... a) { return folds::recorded(bl::argmax(a...)); };
constexpr auto argmin = [](const auto&... a) { return folds::recorded(bl::argmin(a...)); };

/// The first place that none exceeds, or the first NaN.
index_t first_extreme(const std::vector<double>& values, const std::vector<index_t>& members,
                      bool largest) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < members.size(); ++i) {
        const double a = values[static_cast<std::size_t>(members[i])];
        const double b = values[static_cast<std::size_t>(members[best])];
        if (std::isnan(b)) break;
        if (std::isnan(a) || (largest ? a > b : a < b)) best = i;
    }
    return static_cast<index_t>(best);
}

/// Compares one set of axes with the definition, with and without keepdims.
bool holds(bl::TensorView<const double> x, std::uint32_t mask, const Axes& axes) {
    const auto groups = folds::groups(x.shape(), mask);
    index_t reduced = 1;
    for (index_t d = 0; d < x.rank(); ++d) reduced *= ((mask >> d) & 1) != 0 ? x.shape()[d] : 1;
    if (reduced == 0) {
        try {
            (void)bl::argmax(x, axes);
        } catch (const bl::value_error&) {
            return true;
        }
        return false;
    }
    const auto values = naive::values(x);
    const auto high = bl::argmax(x, axes), low = bl::argmin(x, axes),
               kept = bl::argmax(x, axes, keepdims);
    bool same = high.shape() == groups.result && low.shape() == groups.result &&
                kept.shape() == groups.kept;
    for (std::size_t i = 0; same && i < groups.members.size(); ++i) {
        const index_t expected = first_extreme(values, groups.members[i], true);
        same = high.data()[i] == expected && kept.data()[i] == expected &&
               low.data()[i] == first_extreme(values, groups.members[i], false);
    }
    return same;
}

}  // namespace

TEST_CASE("The index of an extreme counts the reduced elements in row-major order") {
    Random random(1);
    for (const Shape& shape : naive::all_shapes(4, 3)) {
        for (std::uint32_t mask = 0; mask < (1U << shape.rank()); ++mask) {
            for (const Way way : {Way::plain, Way::random}) {
                naive::Presented<double> x(shape, way, random);
                x.fill([&] {
                    return random(0, 30) == 0 ? not_a_number : static_cast<double>(random(-2, 2));
                });
                if (!holds(x.read(), mask, folds::axes_of(mask, shape.rank(), random))) {
                    FAIL(x.text() << " over the mask " << mask);
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("The index of an extreme is found whatever the sizes and the layout") {
    Random random(2);
    const index_t lengths[] = {1, 2, 3, 5, 15, 16, 17, 33, 64, 65, 100, 257, 1000, 2100, 9000};
    for (int round = 0; round < 500; ++round) {
        IndexList extents;
        index_t size = 1;
        for (index_t d = random(1, 5); d > 0; --d) {
            const index_t extent = lengths[random(0, 14)];
            if (size * extent > 12000) continue;
            size *= extent;
            extents.insert(random(0, extents.rank()), extent);
        }
        const Shape shape(extents);
        const auto mask = static_cast<std::uint32_t>(random(0, (1 << shape.rank()) - 1));
        naive::Presented<double> x(shape, round % 3 == 0 ? naive::ways[random(0, 4)] : Way::random,
                                   random);
        const index_t spread = random(0, 1) == 0 ? 3 : 100000;
        x.fill([&] {
            return random(0, 3000) == 0 ? not_a_number
                                        : static_cast<double>(random(-spread, spread));
        });
        if (!holds(x.read(), mask, folds::axes_of(mask, shape.rank(), random))) {
            FAIL(x.text() << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("Indices are NumPy's for elements of any type") {
    CHECK(disagreement<bool>("argmax", 0, argmax) == "");
    CHECK(disagreement<std::uint8_t>("argmax", 0, argmax) == "");
    CHECK(disagreement<std::int64_t>("argmax", 0, argmax) == "");
    CHECK(disagreement<float>("argmax", 0, argmax) == "");
    CHECK(disagreement<std::complex<float>>("argmax", 0, argmax) == "");
    CHECK(disagreement<std::int8_t>("argmin", 0, argmin) == "");
    CHECK(disagreement<std::uint16_t>("argmin", 0, argmin) == "");
    CHECK(disagreement<double>("argmin", 0, argmin) == "");
    CHECK(disagreement<std::complex<double>>("argmin", 0, argmin) == "");
}

TEST_CASE("Without axes an index is a number, else a tensor of them") {
    const Tensor<double> x = {{3, 1, 2}, {0, 9, 9}};
    STATIC_REQUIRE(std::is_same_v<decltype(bl::argmax(x)), index_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::argmin(x, 0)), Tensor<index_t>>);
    CHECK(bl::argmax(x) == 4);
    CHECK(bl::argmin(x) == 3);
    CHECK(bl::argmax(x, {0, 1}).item() == 4);
    CHECK(bl::argmax(x, keepdims).shape() == Shape{1, 1});
    CHECK(bl::argmax(x, 1, keepdims)(1, 0) == 1);
    CHECK(bl::argmin(x, -1)(0) == 1);
    CHECK(bl::argmax(x, {}).shape() == Shape{2, 3});
    CHECK(bl::sum(bl::argmax(x, {})) == 0);
    CHECK(bl::argmax(bl::full<double>({}, 2)) == 0);
    CHECK(bl::argmax(x.transpose()) == 3);
}

TEST_CASE("The first of equal extremes counts, and the first NaN before all others") {
    for (const index_t n : {2, 16, 63, 64, 65, 500, 3000}) {
        Tensor<double> x = bl::zeros<double>({2, n});
        CHECK(bl::argmax(x) == 0);
        CHECK(bl::argmin(x, 1)(1) == 0);
        for (index_t i = n - 1; i >= 0; i -= 1 + n / 10) {
            x(0, i) = -0.0;
            CHECK(bl::argmax(x[0]) == 0);
            CHECK(bl::argmin(x[0]) == 0);
            x(1, i) = not_a_number;
            CHECK(bl::argmax(x) == n + i);
            CHECK(bl::argmin(x) == n + i);
            CHECK(bl::argmax(x, 0)(i) == 1);
            CHECK(bl::argmin(x.transpose(), 0)(1) == i);
        }
    }
}

TEST_CASE("Expressions have extremes too") {
    const auto x = bl::arange<double>(3000), column = bl::arange<double>(4).unsqueeze(1);
    CHECK(bl::argmin((x - 1234.0) * (x - 1234.0)) == 1234);
    CHECK(bl::argmax(column - x) == 3 * 3000);
    CHECK(bl::argmax(column - x, 0)(17) == 3);
    CHECK(bl::argmin(column - x, 1)(2) == 2999);
}

TEST_CASE("Nothing has no extreme, and an axis that is not there is refused") {
    const auto none = bl::zeros<double>({0, 3});
    CHECK_THROWS_AS(bl::argmax(none), bl::value_error);
    CHECK_THROWS_AS(bl::argmin(none), bl::value_error);
    CHECK_THROWS_AS(bl::argmax(none, 0), bl::value_error);
    CHECK_THROWS_AS(bl::argmax(none, {0, 1}, keepdims), bl::value_error);
    CHECK_THROWS_AS(bl::argmin(bl::zeros<double>({0, 0}), 0), bl::value_error);
    CHECK_THROWS_WITH(bl::argmin(none), Catch::Matchers::ContainsSubstring("argmin"));
    CHECK(bl::argmax(none, 1).shape() == Shape{0});
    CHECK(bl::argmax(none, 1, keepdims).shape() == Shape{0, 1});
    const auto x = bl::zeros<double>({2, 3});
    CHECK_THROWS_AS(bl::argmax(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::argmax(x, {1, 1}), bl::index_error);
    CHECK_THROWS_AS(bl::argmin(x, {0, -2}, keepdims), bl::index_error);
    CHECK_THROWS_AS(bl::argmin(bl::full<double>({}, 1), 1), bl::index_error);
    CHECK(bl::argmin(bl::full<double>({}, 1), 0).item() == 0);
}
