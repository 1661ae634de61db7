// median and quantile against NumPy's results in reference/sort.txt.
#include "broadloom/operations/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/indexing.hpp"
#include "support/limits.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::keepdims;
using bl::Shape;
using bl::Tensor;
using indexing::equal;

TEST_CASE("median and quantile give what NumPy gives, to the last bit") {
    std::mt19937 engine(8);
    int count = 0;
    for (const auto& record : indexing::records("sort.txt")) {
        if (record.name != "along" && record.name != "all") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<double>();
        const auto q = record.array("q").tensor<double>();
        const auto median = record.array("median"), quantile = record.array("quantile");
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            using Whole = decltype(whole);
            if (record.name == "all") {
                const Tensor<double> middle = bl::full({}, bl::median(std::forward<Whole>(whole)));
                REQUIRE(equal(middle, median));
            } else {
                const index_t axis = record.number("axis");
                REQUIRE(equal(bl::median(std::forward<Whole>(whole), axis), median));
            }
        });
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            using Whole = decltype(whole);
            if (record.name == "all") {
                REQUIRE(equal(bl::quantile(std::forward<Whole>(whole), q), quantile));
            } else {
                const index_t axis = record.number("axis");
                REQUIRE(equal(bl::quantile(std::forward<Whole>(whole), q, axis), quantile));
            }
        });
        if (record.name == "along") {
            const index_t axis = record.number("axis");
            CHECK(equal(bl::median(x, axis, keepdims), record.array("kept")));
            const auto one = bl::quantile(x, q(1, 2), axis, keepdims);
            CHECK(one.rank() == x.rank());
            CHECK(bl::allclose(one, bl::quantile(x, q, axis, keepdims)(1, 2, bl::ellipsis), 0, 0,
                               true));
        }
    }
    CHECK(count >= 29);
}

TEST_CASE("integers give double, floating types stay") {
    STATIC_REQUIRE(std::is_same_v<decltype(bl::median(Tensor<int>{1})), double>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::median(Tensor<float>{1})), float>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::quantile(Tensor<float>{1}, 0.5)), float>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::quantile(Tensor<bool>{true}, 0, 0)), Tensor<double>>);
    CHECK(bl::median(Tensor<std::uint8_t>{255, 254}) == 254.5);
    CHECK(bl::median(Tensor<bool>{true, false}) == 0.5);
    CHECK(bl::quantile(bl::arange<int>(11), 0.25) == 2.5);
    // Half-way is counted from the upper end, as NumPy does: 0.1 + 0.2 would be more.
    CHECK(bl::quantile(Tensor<double>{0.1, 0.5}, 0.5) == 0.3);
    CHECK(bl::quantile(bl::arange<int>(11).reshape({1, 11}), 1) == 10);
}

TEST_CASE("several axes are taken together") {
    const Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4});
    // Of the elements with j = 0: 0, 1, 2, 3 and 12, 13, 14, 15.
    CHECK(bl::array_equal(bl::median(x, {0, 2}), Tensor<double>{7.5, 11.5, 15.5}));
    CHECK(bl::median(x, {0, -1}, keepdims).shape() == Shape{1, 3, 1});
    CHECK(bl::median(x, keepdims).shape() == Shape{1, 1, 1});
    // None reduces nothing.
    CHECK(bl::array_equal(bl::quantile(x, 0.3, {}), x));
    CHECK(bl::quantile(x, Tensor<float>{0.1F, 0.2F}, {0, 1}).shape() == Shape{2, 4});
}

TEST_CASE("infinities count only where they take part, and large values have a middle") {
    const double most = std::numeric_limits<double>::max();
    CHECK(bl::quantile(Tensor<double>{1, 2, inf}, 0.5) == 2);
    CHECK(bl::quantile(Tensor<double>{inf, inf}, 0.3) == inf);
    CHECK(bl::quantile(Tensor<double>{1, inf}, 0.5) == inf);
    CHECK(bl::quantile(Tensor<double>{1, -inf}, 0.9) == -inf);
    CHECK(std::isnan(bl::quantile(Tensor<double>{inf, -inf}, 0.5)));
    CHECK(bl::quantile(Tensor<double>{-most, most}, 0.75) == Approx(most / 2));
    CHECK(bl::median(Tensor<double>{most, most}) == most);
    CHECK(bl::median(Tensor<double>{inf, inf}) == inf);
    CHECK(std::isnan(bl::median(Tensor<double>{-inf, inf})));
}

TEST_CASE("of no elements the median is NaN") {
    CHECK(std::isnan(bl::median(Tensor<float>())));
    CHECK(std::isnan(bl::quantile(bl::zeros<int>({0}), 0.5)));
    const auto along = bl::median(bl::zeros<int>({2, 0}), 1);
    CHECK(along.shape() == Shape{2});
    CHECK(std::isnan(along(1)));
    CHECK(bl::median(bl::zeros<int>({2, 0}), 0).shape() == Shape{0});
    CHECK(bl::median(bl::full({}, 4)) == 4);
}

TEST_CASE("fractions outside of [0, 1] and axes that are not there are refused") {
    const auto x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS(bl::quantile(x, 1.1), bl::value_error);
    CHECK_THROWS_AS(bl::quantile(x, -0.1, 0), bl::value_error);
    CHECK_THROWS_AS(bl::quantile(x, std::nan("")), bl::value_error);
    CHECK_THROWS_AS(bl::quantile(x, Tensor<double>{0.5, 2}, 0), bl::value_error);
    CHECK_THROWS_AS(bl::median(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::median(x, {0, 0}), bl::index_error);
}

TEST_CASE("fractions may stand in braces, and without lanes their length does not matter") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::quantile(x, {0.0, 0.5, 1.0}), Tensor<double>{1, 3.5, 6}));
    CHECK(bl::array_equal(bl::quantile(x, {0.5, 1.0}, 1), Tensor<double>{{2, 5}, {3, 6}}));
    CHECK(bl::median(bl::zeros<float>({0, extents::vast}), 1).shape() == bl::Shape{0});
}

TEST_CASE("fractions may come in a row from elsewhere") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const std::vector<float> q = {0.5F, 1.0F};
    CHECK(bl::array_equal(bl::quantile(x, q), Tensor<double>{3.5, 6}));
    CHECK(bl::array_equal(bl::quantile(x, q, 1), Tensor<double>{{2, 5}, {3, 6}}));
    CHECK(bl::quantile(x, q, 1, bl::keepdims).shape() == bl::Shape{2, 2, 1});
    CHECK_THROWS_AS(bl::quantile(x, std::vector<double>{1.5}), bl::value_error);
}

TEST_CASE("Fractions may lie in memory in any order") {
    const Tensor<double> x = {0.25, 0.5, 1.0, 2.0};
    const Tensor<double> q = {{0, 1}, {0.5, 0.5}};
    CHECK(bl::array_equal(bl::quantile(x, q.copy().transpose()),
                          Tensor<double>{{0.25, 0.75}, {2.0, 0.75}}));
    CHECK(bl::array_equal(bl::quantile(x, Tensor<double>{0, 1}.flip()), Tensor<double>{2, 0.25}));
}

TEST_CASE("Fractions and axes may both stand in braces") {
    const Tensor<double> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::quantile(x, {0.0, 0.5}, {0, 1}), Tensor<double>{1, 3.5}));
    CHECK(bl::quantile(x, {0.0, 0.5}, {0, 1}, bl::keepdims).shape() == bl::Shape{2, 1, 1});
}

TEST_CASE("Many lanes have the quantiles that each of them has") {
    naive::Random random(31);
    for (const index_t length : {1, 2, 9, 70}) {
        Tensor<float> x = bl::empty<float>({83, length});
        for (float& e : x) {
            e = random(0, 400) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                    : static_cast<float>(random(-50, 50)) * 0.25F;
        }
        const auto medians = bl::median(x, 1), thirds = bl::quantile(x, 0.3, 1);
        const auto turned = bl::median(x.transpose(), 0);
        bool same = true;
        for (index_t i = 0; i < 83; ++i) {
            const float median = bl::median(x[i]), third = bl::quantile(x[i], 0.3);
            const auto equal = [](float a, float b) { return a == b || (a != a && b != b); };
            same = same && equal(medians(i), median) && equal(turned(i), median) &&
                   equal(thirds(i), third);
        }
        CHECK(same);
    }
}

TEST_CASE("Zeros in the middle have the signs that they have where lanes are sorted") {
    naive::Random random(7);
    for (const index_t length : {64, 65, 66, 128, 200, 5000}) {
        Tensor<double> x = bl::empty<double>(21, length);
        for (double& e : x) e = random(0, 2) == 0 ? 0.0 : random(0, 40) == 0 ? 1.0 : -0.0;
        const Tensor<double> sorted = bl::sort(x, 1);
        const auto medians = bl::median(x, 1);
        bool same = true;
        for (index_t i = 0; i < 21; ++i) {
            const double low = sorted(i, (length - 1) / 2), high = sorted(i, length / 2);
            const double middle = length % 2 == 1 ? high : (low + high) / 2;
            for (const double median : {medians(i), bl::median(x[i])})
                same = same && median == middle && std::signbit(median) == std::signbit(middle);
        }
        CHECK(same);
    }
}

TEST_CASE("medians and quantiles of long lanes are those of the sorted ones") {
    std::mt19937 engine(3);
    const auto check = [](auto draw) {
        using T = decltype(draw(index_t{0}));
        for (const index_t count : {4095, 4096, 4097, 10000, 30001}) {
            Tensor<T> x = bl::empty<T>({count});
            for (index_t i = 0; i < count; ++i) x(i) = draw(i);
            const Tensor<T> sorted = bl::sort(x);
            const auto at = [&](index_t i) { return static_cast<double>(sorted(i)); };
            const double middle = (at((count - 1) / 2) + at(count / 2)) / 2;
            CHECK(static_cast<double>(bl::median(x)) == Approx(middle));
            for (const double q : {0.0, 0.01, 0.5, 0.73, 0.999, 1.0}) {
                const double place = q * static_cast<double>(count - 1);
                const auto low = static_cast<index_t>(place);
                const double a = at(low), b = at(std::min(low + 1, count - 1));
                const double expected = a + (b - a) * (place - static_cast<double>(low));
                CHECK(static_cast<double>(bl::quantile(x, q)) == Approx(expected).margin(1e-4));
            }
            const auto both = bl::quantile(x, {0.9, 0.1});
            CHECK(both(0) == bl::quantile(x, 0.9));
            CHECK(both(1) == bl::quantile(x, 0.1));
        }
    };
    check([&](index_t) { return static_cast<float>(engine() % 100000) / 1000.0f; });
    check([&](index_t) { return static_cast<double>(engine()); });
    check([&](index_t i) { return static_cast<double>(-i); });
    check([&](index_t) { return static_cast<std::uint8_t>(engine()); });
    check([&](index_t) { return static_cast<std::int16_t>(engine()); });
    check([](index_t) { return 5; });

    Tensor<float> x = bl::ones<float>({5000});
    x(77) = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(bl::median(x)));
    CHECK(std::isnan(bl::quantile(x, 0.0)));
}
