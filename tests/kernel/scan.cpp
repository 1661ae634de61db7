// Running folds, in place or not: exact, one after the other, at every level and along every axis.
#include "broadloom/kernel/scan.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/scalar/operators.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape;

namespace {

template <class T, class F>
void check_scan(const Shape& shape, index_t axis, F f) {
    naive::Random random(1);
    std::vector<T> x(static_cast<std::size_t>(shape.size()));
    for (T& e : x) e = static_cast<T>(static_cast<double>(random(-1000, 1000)) / 7);
    std::vector<T> expected = x;
    index_t inner = 1;
    for (index_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
    for (index_t i = 0; i < shape.size(); ++i) {
        if (i / inner % shape[axis] == 0) continue;
        const auto at = static_cast<std::size_t>(i), before = static_cast<std::size_t>(i - inner);
        expected[at] = f(expected[before], expected[at]);
    }
    for (int level = 0; level <= 2; ++level) {
        kernel::set_isa(level);
        std::vector<T> y = x, z(x.size());
        kernel::scan(f, x.data(), z.data(), shape, axis);
        CHECK(z == expected);
        kernel::scan(f, y.data(), y.data(), shape, axis);
        CHECK(y == expected);
    }
    kernel::set_isa(2);
}

}  // namespace

TEMPLATE_TEST_CASE("A scan folds every element with the one before it", "", std::int64_t, float) {
    const Shape shapes[] = {{1},     {5},        {100},       {3, 7},    {4, 7},   {9, 64},
                            {64, 9}, {5, 33, 3}, {6, 2, 130}, {1, 1, 4}, {7, 1, 2}};
    for (const Shape& shape : shapes) {
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            check_scan<TestType>(shape, axis, bl::scalar::add{});
            check_scan<TestType>(shape, axis, bl::scalar::maximum{});
        }
    }
}

TEST_CASE("Few columns are folded like many") {
    for (const index_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
        for (const index_t rows : {1, 2, 50}) {
            check_scan<float>({2, rows, columns}, 1, bl::scalar::add{});
            check_scan<std::int64_t>({3, rows, columns}, 1, bl::scalar::add{});
        }
    }
}

TEST_CASE("A long line of extremes is folded in pieces as it is element by element") {
    for (const index_t length : {1023, 1024, 1025, 2048, 2500, 9000}) {
        check_scan<std::int16_t>({length}, 0, bl::scalar::maximum{});
        check_scan<double>({length}, 0, bl::scalar::minimum{});
        check_scan<double>({5, length}, 1, bl::scalar::maximum{});
        // Zeros of both signs, of which the last one counts, and then NaN, which stays.
        std::vector<float> x(static_cast<std::size_t>(length), -0.0F);
        x[500] = 0.0F;
        x[1000] = std::numeric_limits<float>::quiet_NaN();
        kernel::scan(bl::scalar::maximum{}, x.data(), x.data(), Shape{length}, 0);
        bool same = true;
        for (std::size_t i = 0; i < x.size(); ++i) {
            same = same && (i < 1000 ? std::signbit(x[i]) == (i != 500) : std::isnan(x[i]));
        }
        CHECK(same);
    }
}

TEST_CASE("A scan of nothing touches nothing") {
    double* const nothing = nullptr;
    kernel::scan(bl::scalar::add{}, nothing, nothing, Shape{0, 3}, 1);
    kernel::scan(bl::scalar::add{}, nothing, nothing, Shape{3, 0}, 1);
    double one = 5;
    kernel::scan(bl::scalar::add{}, &one, &one, Shape{1, 1}, 0);
    CHECK(one == 5);
}
