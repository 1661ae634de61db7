// searchsorted, bincount and histogram against NumPy's results in reference/histogram.txt.
#include "broadloom/operations/histogram.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/reduce.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;

TEST_CASE("searchsorted, bincount and histogram give what NumPy gives") {
    std::mt19937 engine(10);
    for (const auto& record : indexing::records("histogram.txt")) {
        CAPTURE(record.line);
        const auto tensor = [&](const char* name) { return record.array(name).tensor<double>(); };
        if (record.name == "searchsorted") {
            const bool right = record.number("right") != 0;
            const Tensor<double> sorted = tensor("sorted"), values = tensor("values");
            CHECK(indexing::equal(bl::searchsorted(sorted, values, right), record.array("result")));
            CHECK(indexing::equal(
                bl::searchsorted(indexing::scrambled(sorted, engine), values * 1.0, right),
                record.array("result")));
            for (index_t i = 0; i < values.size(); ++i) {
                CHECK(static_cast<double>(bl::searchsorted(sorted, values(i), right)) ==
                      record.array("result").values[static_cast<std::size_t>(i)]);
            }
        } else if (record.name == "bincount") {
            const Tensor<std::uint8_t> x = record.array("x").tensor<std::uint8_t>();
            const index_t length = record.number("length");
            CHECK(indexing::equal(bl::bincount(x, length), record.array("result")));
            const Tensor<double> sums = bl::bincount(x, tensor("weights"), length);
            CHECK(bl::allclose(sums, tensor("sums")));
        } else if (record.name == "histogram_edges") {
            const auto [counts, edges] = bl::histogram(tensor("x"), tensor("edges"));
            CHECK(indexing::equal(counts, record.array("counts")));
            CHECK(indexing::equal(edges, record.array("edges")));
        } else if (record.name == "histogram" || record.name == "histogram_range") {
            const index_t bins = record.number("bins");
            const auto [counts, edges] = record.name == "histogram"
                                             ? bl::histogram(tensor("x"), bins)
                                             : bl::histogram(tensor("x"), bins, -1.0, 0.9);
            CHECK(indexing::equal(counts, record.array("counts")));
            CHECK(indexing::equal(edges, record.array("edges")));
        }
    }
}

TEST_CASE("searchsorted compares different types in the type they meet in") {
    const Tensor<int> sorted = {1, 2, 3};
    CHECK(bl::array_equal(bl::searchsorted(sorted, Tensor<double>{{0.5, 2.5}, {2, 9}}),
                          Tensor<index_t>{{0, 2}, {1, 3}}));
    CHECK(bl::searchsorted(sorted, 2, true) == 2);
    CHECK_THROWS_AS(bl::searchsorted(Tensor<int>{{1}}, sorted), bl::shape_error);
}

TEST_CASE("bincount counts truth values as 0 and 1") {
    CHECK(bl::array_equal(bl::bincount(Tensor<bool>{true, false, true}), Tensor<index_t>{1, 2}));
    CHECK(bl::array_equal(bl::bincount(Tensor<bool>{true, true}, Tensor<float>{0.5F, 2.0F}),
                          Tensor<double>{0.0, 2.5}));
}

TEST_CASE("bincount counts integers in braces, and in a row from elsewhere") {
    const std::vector<int> row = {1, 3};
    CHECK(bl::array_equal(bl::bincount({1, 1, 3}), Tensor<index_t>{0, 2, 0, 1}));
    CHECK(bl::array_equal(bl::bincount(row, 5), Tensor<index_t>{0, 1, 0, 1, 0}));
    CHECK(bl::array_equal(bl::bincount(row, Tensor<float>{0.5F, 2.0F}, 2),
                          Tensor<double>{0, 0.5, 0, 2}));
}

TEST_CASE("what cannot be counted is refused") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(bl::bincount(Tensor<int>{1, -1}), bl::value_error);
    CHECK_THROWS_AS(bl::bincount(Tensor<int>{1}, -1), bl::value_error);
    CHECK_THROWS_AS(bl::bincount(Tensor<int>{1}, Tensor<double>{1, 2}), bl::shape_error);
    CHECK_THROWS_AS(bl::bincount(Tensor<int>{{1, 2}}, Tensor<double>{1, 2}), bl::shape_error);
    CHECK_THROWS_AS(bl::bincount(Tensor<std::uint64_t>{~std::uint64_t{0}}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1, nan, 2}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1, infinity}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, 0), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, std::numeric_limits<index_t>::max()),
                    bl::value_error);
    CHECK_THROWS_WITH(bl::histogram(Tensor<double>{1}, std::numeric_limits<index_t>::max()),
                      Catch::Matchers::ContainsSubstring("no more than can be counted"));
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1e300, 1e300}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, 3, 2.0, 1.0), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, Tensor<double>{1}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, Tensor<double>{1, 0}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, {0.0, nan, 2.0}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, {nan, 2.0}), bl::value_error);
    CHECK_THROWS_AS(bl::histogram(Tensor<double>{1}, Tensor<double>{{1, 2}}), bl::shape_error);
}

TEST_CASE("floats fall between edges that are floats, as NumPy's do") {
    const Tensor<float> x = {0, .1F, .2F, .3F, .4F, .5F, .6F, .7F, .8F, .9F, 1};
    CHECK(bl::array_equal(bl::histogram(x).counts, Tensor<index_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}));
    const Tensor<float> inside = x(bl::range(1, -1));
    CHECK(bl::array_equal(bl::histogram(inside, 10, 0, 1).counts,
                          Tensor<index_t>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    // A range beyond float's holds its infinities too.
    const Tensor<float> extremes = {-std::numeric_limits<float>::infinity(), 0,
                                    std::numeric_limits<float>::infinity()};
    CHECK(bl::sum(bl::histogram(extremes, 4, -1e300, 1e300).counts) == 3);
}

TEST_CASE("What lies beside the range is not counted, however far") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const Tensor<double> x = {-1, 0.5, 2, -infinite, infinite, -1e300, 1e300, 0, 1};
    const auto [counts, edges] = bl::histogram(x, 3, 0, 1);
    CHECK(bl::array_equal(counts, Tensor<index_t>{1, 1, 1}));
    CHECK(bl::sum(bl::histogram(bl::arange(1000) - 500, 7, -3, 4).counts) == 8);
}

TEST_CASE("integers of any sign are placed by value") {
    const Tensor<std::uint64_t> sorted = {1, 9223372036854775813U};
    CHECK(bl::searchsorted(sorted, 5) == 1);
    CHECK(bl::array_equal(bl::searchsorted(sorted, Tensor<std::int64_t>{5, -1}),
                          Tensor<index_t>{1, 0}));
}

TEST_CASE("edges that are refused are left as they were") {
    const Tensor<double> x = {1, 2};
    Tensor<double> edges = {3, 1};
    CHECK_THROWS_AS(bl::histogram(x, std::move(edges)), bl::value_error);
    CHECK(bl::array_equal(edges, Tensor<double>{3, 1}));  // NOLINT: a refused call has not moved
}

TEST_CASE("edges and values may stand in braces") {
    const Tensor<float> x = {0, .25F, .5F, .75F, 1};
    CHECK(bl::array_equal(bl::histogram(x, {0, 0.5, 1}).counts, Tensor<index_t>{2, 3}));
    CHECK(bl::array_equal(bl::histogram(x, 2, {0, 1}).counts, Tensor<index_t>{2, 3}));
    CHECK(bl::array_equal(bl::searchsorted(x, {0.1F, 0.5F}), Tensor<index_t>{1, 2}));
}
