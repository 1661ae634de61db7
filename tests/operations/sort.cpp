// sort, argsort and topk against NumPy's results in reference/sort.txt.
#include "broadloom/operations/sort.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;
using indexing::equal;

TEST_CASE("sort and argsort give what NumPy gives, in either direction") {
    std::mt19937 engine(6);
    int count = 0;
    for (const auto& record : indexing::records("sort.txt")) {
        if (record.name != "sort") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<double>();
        const index_t axis = record.number("axis");
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            const Tensor<double> sorted = bl::sort(std::forward<decltype(whole)>(whole), axis);
            REQUIRE(sorted.is_contiguous());
            REQUIRE(equal(sorted, record.array("rising")));
        });
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            REQUIRE(equal(bl::argsort(std::forward<decltype(whole)>(whole), axis),
                          record.array("order")));
        });
        CHECK(equal(bl::sort(x, axis, true), record.array("falling")));
        CHECK(equal(bl::argsort(x, axis, true), record.array("falling_order")));
        CHECK(equal(bl::sort(x.cast<float>(), axis), indexing::Array(record.array("rising"))));
    }
    CHECK(count > 40);
}

TEST_CASE("topk is the beginning of the sorted order") {
    std::mt19937 engine(7);
    for (const index_t n : {1, 5, 31, 40, 300}) {
        const Tensor<int> x = indexing::random({3, n, 2}, 0, 20, engine).tensor<int>();
        for (const bool largest : {true, false}) {
            const auto order = bl::argsort(x, 1, largest);
            const auto sorted = bl::sort(x, 1, largest);
            for (const index_t k : {index_t{0}, index_t{1}, n / 2, n - 1, n}) {
                const auto [values, indices] = bl::topk(x, k, 1, largest);
                REQUIRE(values.shape() == Shape{3, k, 2});
                REQUIRE(bl::array_equal(values, sorted(bl::all, bl::range(k))));
                REQUIRE(bl::array_equal(indices, order(bl::all, bl::range(k))));
            }
        }
    }
    const float nan = std::nanf("");
    const auto [values, indices] = bl::topk(Tensor<float>{nan, 1, nan, 3, 2}, 4);
    CHECK(bl::array_equal(indices, Tensor<int>{3, 4, 1, 0}));
    CHECK(std::isnan(values(3)));
}

TEST_CASE("topk of long lanes is the beginning of the sorted order, however they lie") {
    std::mt19937 engine(8);
    const Tensor<double> x = indexing::random({3, 4000}, 0, 900, engine).tensor<double>();
    const auto check = [](auto&& whole, index_t axis, const auto& order, const auto& sorted) {
        for (const index_t k : {3, 40, 400, 1000, 3999}) {
            const auto [values, indices] = bl::topk(whole, k, axis);
            const auto first = bl::range(k);
            REQUIRE(bl::array_equal(indices.move_axis(axis, 1), order(bl::all, first)));
            REQUIRE(bl::array_equal(values.move_axis(axis, 1), sorted(bl::all, first)));
        }
    };
    const auto order = bl::argsort(x, 1, true);
    const auto sorted = bl::sort(x, 1, true);
    check(x, 1, order, sorted);
    REQUIRE(bl::array_equal(bl::topk(x * 1.0, 40, 1).indices, order(bl::all, bl::range(40))));
    check(x.transpose(), 0, order, sorted);
    check(x.transpose().copy(), 0, order, sorted);
    const Tensor<double> backwards = x.flip(1).copy();
    check(backwards.flip(1), 1, order, sorted);
    const auto row = x(bl::range(1));
    check(row.broadcast_to({3, 4000}), 1, bl::argsort(row.broadcast_to({3, 4000}), 1, true),
          bl::sort(row.broadcast_to({3, 4000}), 1, true));
}

TEST_CASE("complex numbers are sorted by real, then imaginary part, as in NumPy") {
    using Z = std::complex<double>;
    const double nan = std::nan("");
    // np.sort([3+1j, 1+2j, nan+0j, 1-2j, 0+nanj, nan+nanj, nan-1j]) is
    // [1-2j, 1+2j, 3+1j, 0+nanj, nan-1j, nan+0j, nan+nanj].
    const Tensor<Z> x = {Z(3, 1), Z(1, 2), Z(nan, 0), Z(1, -2), Z(0, nan), Z(nan, nan), Z(nan, -1)};
    CHECK(bl::array_equal(bl::argsort(x), Tensor<int>{3, 1, 0, 4, 6, 2, 5}));
    CHECK(bl::array_equal(bl::argsort(x, 0, true), Tensor<int>{0, 1, 3, 4, 2, 6, 5}));
}

TEST_CASE("an axis that is not there, or too many elements, are refused") {
    const auto x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS(bl::sort(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::argsort(x, -3), bl::index_error);
    CHECK_THROWS_AS(bl::topk(x, 4), bl::value_error);
    CHECK_THROWS_AS(bl::topk(x, -1), bl::value_error);
    CHECK_THROWS_AS(bl::topk(x, 1, 2), bl::index_error);
    CHECK(bl::sort(bl::zeros<int>({0, 3}), 0).shape() == Shape{0, 3});
    CHECK(bl::argsort(bl::zeros<int>({2, 0})).shape() == Shape{2, 0});
    CHECK(bl::topk(bl::zeros<int>({2, 0}), 0).values.shape() == Shape{2, 0});
}

TEST_CASE("a single element of rank 0 lies along axis 0") {
    const auto x = bl::full({}, 5);
    CHECK(bl::sort(x, 0).shape() == Shape{});
    CHECK(bl::sort(x + 1).item() == 6);
    CHECK(bl::argsort(x, -1).shape() == Shape{});
    CHECK(bl::argsort(x, 0, true).item() == 0);
    const auto best = bl::topk(x, 1, 0);
    CHECK(best.values.shape() == Shape{});
    CHECK(best.values.item() == 5);
    CHECK(best.indices.item() == 0);
    CHECK_THROWS_AS(bl::sort(x, 1), bl::index_error);
    CHECK_THROWS_AS(bl::argsort(x, -2), bl::index_error);
    CHECK_THROWS_AS(bl::topk(x, 1, 1), bl::index_error);
    CHECK_THROWS_AS(bl::topk(x, 2), bl::value_error);
    CHECK_THROWS_AS(bl::topk(x, 0), bl::value_error);
}

TEST_CASE("a sorted tensor that was about to die keeps its memory") {
    Tensor<int> x = {3, 1, 2};
    const int* const data = x.data();
    const Tensor<int> sorted = bl::sort(std::move(x));
    CHECK(sorted.data() == data);
    CHECK(bl::array_equal(sorted, Tensor<int>{1, 2, 3}));
}
