// Where extremes are, in rows, columns and groups of every length, for elements of every size and
// at every level; signed zeros, infinities and NaN.
#include "broadloom/kernel/extreme.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/join.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape, bl::Tensor;
using naive::Random;
using settings::Restore;

TEMPLATE_TEST_CASE("Of few columns each has the first of its extremes, NaN before all others", "",
                   bool, std::int8_t, std::uint32_t, float, double) {
    const Restore restore;
    Random random(3);
    for (const index_t columns : {2, 3, 5, 7, 16, 31, 33, 63, 64, 65}) {
        for (const index_t rows : {2, 40, 129, 1000}) {
            for (const int most : {1, 5, 100}) {
                Tensor<TestType> x = bl::empty<TestType>({rows, columns});
                for (TestType& e : x) e = static_cast<TestType>(random(0, most));
                if constexpr (std::is_floating_point_v<TestType>) {
                    for (index_t k = 0; k < rows / 20; ++k) {
                        x(random(0, rows - 1), random(0, columns - 1)) =
                            std::numeric_limits<TestType>::quiet_NaN();
                    }
                }
                Tensor<index_t> expected = bl::zeros<index_t>({columns});
                for (index_t j = 0; j < columns; ++j) {
                    index_t high = 0;
                    for (index_t i = 1; i < rows && x(high, j) == x(high, j); ++i) {
                        if (x(i, j) > x(high, j) || x(i, j) != x(i, j)) high = i;
                    }
                    expected(j) = high;
                }
                for (int level = 0; level <= 2; ++level) {
                    kernel::set_isa(level);
                    INFO(rows << " x " << columns << " at level " << level);
                    CHECK(naive::equal(bl::argmax(x, 0), expected));
                    CHECK(naive::equal(bl::argmax(x.copy().transpose().copy(), 1), expected));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("The first extreme is found at every level, in rows and columns of any length",
                   "", std::int8_t, std::uint32_t, float) {
    const Restore restore;
    Random random(1);
    for (const index_t n : {1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 200, 1000}) {
        for (const index_t most : {1, 3, 100}) {
            Tensor<TestType> x = bl::empty<TestType>({7, n});
            for (TestType& e : x) e = static_cast<TestType>(random(0, most));
            for (int level = 0; level <= 2; ++level) {
                kernel::set_isa(level);
                const auto along = bl::argmax(x, 1), across = bl::argmin(x.transpose(), 0),
                           down = bl::argmin(x, 0);
                bool same = true;
                for (index_t i = 0; i < 7; ++i) {
                    index_t high = 0, low = 0;
                    for (index_t j = 1; j < n; ++j) {
                        if (x(i, j) > x(i, high)) high = j;
                        if (x(i, j) < x(i, low)) low = j;
                    }
                    same = same && along(i) == high && across(i) == low;
                }
                for (index_t j = 0; j < n; ++j) {
                    index_t low = 0;
                    for (index_t i = 1; i < 7; ++i) low = x(i, j) < x(low, j) ? i : low;
                    same = same && down(j) == low;
                }
                if (!same) FAIL("rows of " << n << " at level " << level);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("The first truth is found wherever it is, and the first of all where there is none") {
    const Restore restore;
    bool same = true;
    for (const index_t length : {1, 2, 7, 8, 9, 31, 32, 33, 64, 100, 127, 128, 129, 300, 70000}) {
        const index_t step = length < 1000 ? 1 : 9999;
        for (index_t at = 0; at <= length; at += step) {
            Tensor<bool> x = bl::zeros<bool>({3, length});
            for (index_t i = at; i < length; i += 1 + at) x(1, i) = true;
            const Tensor<bool> y = !x, across = x.transpose().copy(), apart = bl::stack(2, x, y);
            const index_t first = at < length ? at : 0;
            const Tensor<index_t> expected{0, first, 0};
            for (const int threads : {1, 3}) {
                bl::set_num_threads(threads);
                same = same && bl::array_equal(bl::argmax(x, 1), expected) &&
                       bl::array_equal(bl::argmin(y, 1), expected) &&
                       bl::array_equal(bl::argmin(!x, 1), expected) &&
                       bl::array_equal(bl::argmax(across, 0), expected) &&
                       bl::array_equal(bl::argmax(across.transpose(), 1), expected) &&
                       bl::array_equal(bl::argmax(apart(bl::all, bl::all, 0), 1), expected) &&
                       bl::argmax(x) == (at < length ? length + at : 0) &&
                       bl::argmin(y[1]) == first && bl::argmax(y[1].copy()) == bl::argmin(x[1]);
            }
            if (!same) FAIL("length " << length << ", first true at " << at);
        }
    }
}

TEMPLATE_TEST_CASE("NaN anywhere is the extreme of its row, its column and all", "", float,
                   double) {
    const Restore restore;
    const TestType nan = std::numeric_limits<TestType>::quiet_NaN();
    for (const index_t n : {1, 3, 4, 17, 64, 97, 128, 130, 300, 1100}) {
        Tensor<TestType> x = bl::empty<TestType>({2, n});
        for (index_t j = 0; j < n; ++j) x(0, j) = x(1, j) = static_cast<TestType>(n / 2 - j);
        for (int level = 0; level <= 2; ++level) {
            kernel::set_isa(level);
            INFO("rows of " << n << " at level " << level);
            for (index_t j = 0; j < n; ++j) {
                const TestType before = x(1, j);
                x(1, j) = j % 2 == 0 ? nan : -nan;
                const auto high = bl::max(x, 1), low = bl::min(x.transpose(), 0),
                           across = bl::max(x, 0);
                bool same = high(0) == x(0, 0) && low(0) == x(0, n - 1);
                same = same && std::isnan(high(1)) && std::isnan(low(1)) && std::isnan(bl::max(x));
                same = same && std::isnan(across(j)) && bl::argmax(x, 1)(1) == j;
                same = same && bl::argmin(x, 1)(1) == j && bl::argmax(x) == n + j;
                if (!same) FAIL("NaN at " << j);
                x(1, j) = before;
            }
            CHECK(bl::argmax(x, 1)(1) == 0);
            CHECK(bl::argmin(x, 1)(1) == n - 1);
        }
    }
}

TEST_CASE("Extremes of every kind of element are NumPy's") {
    using folds::disagreement;
    const auto max = [](const auto&... a) { return bl::max(a...); };
    const auto min = [](const auto&... a) { return bl::min(a...); };
    CHECK(disagreement<bool>("max", 0, max) == "");
    CHECK(disagreement<std::uint8_t>("max", 0, max) == "");
    CHECK(disagreement<std::int32_t>("max", 0, max) == "");
    CHECK(disagreement<float>("max", 0, max) == "");
    CHECK(disagreement<std::complex<float>>("max", 0, max) == "");
    CHECK(disagreement<std::int8_t>("min", 0, min) == "");
    CHECK(disagreement<std::uint64_t>("min", 0, min) == "");
    CHECK(disagreement<std::complex<double>>("min", 0, min) == "");
}

TEST_CASE("Zeros of both signs are equal, infinities are extremes, and NaN comes before them") {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const index_t n : {3, 70, 300}) {
        Tensor<float> x = bl::zeros<float>({n});
        x(0) = -0.0F;
        x(2) = -0.0F;
        CHECK(bl::argmax(x) == 0);
        CHECK(bl::argmin(x) == 0);
        x(1) = inf;
        x(2) = -inf;
        CHECK(bl::argmax(x) == 1);
        CHECK(bl::argmin(x) == 2);
        x(n - 1) = std::numeric_limits<float>::quiet_NaN();
        CHECK(bl::argmax(x) == n - 1);
        CHECK(bl::argmin(x) == n - 1);
        CHECK(bl::argmin(bl::full<float>({n}, inf)) == 0);
        CHECK(bl::argmax(bl::full<float>({n}, -inf)) == 0);
    }
}

TEST_CASE("Indices past what a smaller type would hold are whole") {
    const auto x = bl::zeros<std::int8_t>({70000, 2});
    Tensor<std::int8_t> y = x;
    y(69999, 1) = 1;
    CHECK(bl::argmax(y) == 139999);
    CHECK(bl::argmax(y, 0)(1) == 69999);
    CHECK(bl::argmax(y.transpose(), 1)(1) == 69999);
    CHECK(bl::argmax(y.transpose()) == 139999);
}
