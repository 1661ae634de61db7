#include "broadloom/tensor/create.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"
#include "support/elementwise.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
using bl::arange, bl::array_equal, bl::index_t, bl::linspace, bl::Shape, bl::Strides, bl::Tensor,
    bl::TensorView;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class T>
bool agree(const Tensor<T>& x, const std::vector<T>& expected, double epsilons) {
    if (x.shape() != Shape{static_cast<index_t>(expected.size())}) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double a = static_cast<double>(x.data()[i]), b = static_cast<double>(expected[i]);
        if (std::abs(a - b) > epsilons * std::numeric_limits<double>::epsilon() * std::abs(b))
            return false;
    }
    return true;
}

static_assert(std::is_same_v<decltype(arange(3)), Tensor<int>>);
static_assert(std::is_same_v<decltype(arange(0, 3.0F)), Tensor<float>>);
static_assert(std::is_same_v<decltype(arange<float>(3)), Tensor<float>>);
static_assert(
    std::is_same_v<decltype(arange(std::uint8_t(1), std::uint8_t(3))), Tensor<std::uint8_t>>);

}  // namespace

TEST_CASE("Constant tensors have their value everywhere") {
    CHECK(array_equal(bl::full({2, 2}, 3.5F), Tensor<float>{{3.5F, 3.5F}, {3.5F, 3.5F}}));
    CHECK(array_equal(bl::zeros<int>({3}), Tensor<int>{0, 0, 0}));
    CHECK(array_equal(bl::ones<bool>({2}), Tensor<bool>{true, true}));
    CHECK(bl::ones<double>({}).item() == 1.0);
    CHECK(bl::zeros<int>({0, 3}).size() == 0);
    CHECK(bl::empty<int>({2, 3}).shape() == Shape{2, 3});
    CHECK_THROWS_AS(bl::zeros<int>({-1}), bl::shape_error);
}

TEST_CASE("Zeros are made of a number, or of nothing where none makes the type") {
    struct Price {
        int pence;
        Price() : pence(-1) {}
        Price(int p) : pence(p) {}
    };
    CHECK(bl::zeros<Price>({2})(1).pence == 0);
    CHECK(bl::eye<Price>(2)(1, 1).pence == 1);
    CHECK(bl::eye<Price>(2)(0, 1).pence == 0);
    using Row = std::array<float, 3>;
    CHECK(bl::zeros<Row>({2})(1) == Row{});
    using Moment = std::chrono::sys_seconds;
    CHECK(bl::zeros_like(Tensor<Moment>{Moment(std::chrono::seconds(1))})(0) == Moment{});
}

TEST_CASE("Extents make a tensor as a shape does") {
    CHECK(array_equal(bl::zeros<int>(2, 3), bl::zeros<int>({2, 3})));
    CHECK(array_equal(bl::ones<double>(4), bl::ones<double>({4})));
    CHECK(array_equal(bl::full(2, 1.5F), Tensor<float>{1.5F, 1.5F}));
    CHECK(array_equal(bl::full<double>(std::size_t{2}, 3), Tensor<double>{3, 3}));
    CHECK(bl::empty<int>(2, std::size_t{3}, index_t{0}).shape() == Shape{2, 3, 0});
    CHECK_THROWS_AS(bl::zeros<int>(2, -1), bl::shape_error);
    CHECK_THROWS_AS(bl::full(-1, 2), bl::shape_error);
}

TEST_CASE("A tensor may be full of the elements of another, which are broadcast") {
    const Tensor<float> row{1, 2, 3};
    CHECK(array_equal(bl::full({2, 3}, row), Tensor<float>{{1, 2, 3}, {1, 2, 3}}));
    CHECK(array_equal(bl::full({2, 3}, row + 1.0F), Tensor<float>{{2, 3, 4}, {2, 3, 4}}));
    CHECK(array_equal(bl::full({2, 2}, row(1)), Tensor<float>{{2, 2}, {2, 2}}));
    CHECK(bl::full({0, 3}, row).shape() == Shape{0, 3});
    CHECK_THROWS_AS(bl::full({2, 4}, row), bl::shape_error);
}

TEST_CASE("The like-functions take shape and type of an operand, or another type") {
    const Tensor<float> x = bl::ones<float>({2, 3});
    CHECK(array_equal(bl::zeros_like(x), bl::zeros<float>({2, 3})));
    CHECK(array_equal(bl::ones_like<int>(x.transpose()), bl::ones<int>({3, 2})));
    CHECK(array_equal(bl::full_like(x, 2), bl::full<float>({2, 3}, 2)));
    CHECK(bl::empty_like(x + x).shape() == Shape{2, 3});
    static_assert(std::is_same_v<decltype(bl::empty_like<bool>(x)), Tensor<bool>>);
    const auto halves = bl::full_like<double>(bl::ones<int>({2}), 0.5);
    STATIC_REQUIRE(std::is_same_v<decltype(halves), const bl::Tensor<double>>);
    CHECK(halves(1) == 0.5);
}

TEST_CASE("arange counts up to but without its end") {
    CHECK(array_equal(arange<int>(4), Tensor<int>{0, 1, 2, 3}));
    CHECK(array_equal(arange(2, 5), Tensor<int>{2, 3, 4}));
    CHECK(array_equal(arange<bool>(2), Tensor<bool>{false, true}));
    CHECK(array_equal(arange<bool>(1, 3), Tensor<bool>{true, true}));
    CHECK_THROWS_AS(arange<bool>(3), bl::value_error);
    CHECK(array_equal(arange(5, 0, -2), Tensor<int>{5, 3, 1}));
    CHECK(array_equal(arange(0, 7, 3), Tensor<int>{0, 3, 6}));
    CHECK(arange(5, 0).size() == 0);
    for (const int step : {1, 2, -1, -2}) CHECK(arange(3, 3, step).size() == 0);
    CHECK(arange(3U, 3U, 2U).size() == 0);
    CHECK(arange<int>(0).size() == 0);
    CHECK(arange<int>(-3).size() == 0);
    CHECK(array_equal(arange<float>(3), Tensor<float>{0, 1, 2}));
    CHECK(array_equal(arange<std::uint8_t>(5, 0, -1), Tensor<std::uint8_t>{5, 4, 3, 2, 1}));
    CHECK(array_equal(arange<int>(2.5), Tensor<int>{0, 1, 2}));
    CHECK(array_equal(arange<int>(0.0, 5.0, 1.5), Tensor<int>{0, 1, 2, 3}));
    CHECK(arange(0, 5, std::numeric_limits<int>::max()).size() == 1);
    CHECK(
        arange(std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 1 << 30).size() ==
        4);
    const index_t low = std::numeric_limits<index_t>::min(),
                  high = std::numeric_limits<index_t>::max();
    CHECK(array_equal(arange(low, high, high), Tensor<index_t>{low, -1, high - 1}));
    CHECK(array_equal(arange(high, low, low), Tensor<index_t>{high, -1}));
    CHECK(array_equal(arange(std::uint64_t(5), ~std::uint64_t(0), ~std::uint64_t(0) / 2),
                      Tensor<std::uint64_t>{5, (~std::uint64_t(0)) / 2 + 5}));
}

TEST_CASE("long lines are start + i * step in every type") {
    const auto check = [](auto start, auto stop, auto step) {
        using T = decltype(start);
        const Tensor<T> line = bl::arange(start, stop, step);
        REQUIRE(line.size() > 2000);
        for (index_t i = 0; i < line.size(); ++i) {
            if constexpr (std::is_integral_v<T>) {
                REQUIRE(line(i) == static_cast<T>(start + static_cast<T>(i) * step));
            } else {
                const double exact =
                    static_cast<double>(start) + static_cast<double>(i) * static_cast<double>(step);
                REQUIRE(line(i) == static_cast<T>(exact));
            }
        }
    };
    check(std::int16_t(30000), std::int16_t(-30000), std::int16_t(-1));
    check(std::uint16_t(0), std::uint16_t(65535), std::uint16_t(3));
    check(-3000, 3000, 2);
    check(std::uint32_t(5), std::uint32_t(9000), std::uint32_t(4));
    check(std::int64_t{1} << 40, (std::int64_t{1} << 40) - 12345, std::int64_t{-5});
    check(0.1f, 500.0f, 0.1f);
    check(-1.0, 2.0, 0.001);
    for (const index_t count : {1000, 1024, 1025, 5000}) {
        const Tensor<double> line = bl::linspace(-1.0, 2.0, count);
        for (index_t i = 0; i < count - 1; ++i) {
            REQUIRE(line(i) ==
                    -1.0 + static_cast<double>(i) * (3.0 / static_cast<double>(count - 1)));
        }
        REQUIRE(line(count - 1) == 2.0);
    }
}

TEST_CASE("Lines of long double are counted and computed in long double") {
    const long double step = 1.0L / 10;
    const Tensor<long double> tenths = bl::arange(0.0L, 1.0L, step);
    REQUIRE(tenths.size() == 10);
    for (index_t i = 0; i < 10; ++i) CHECK(tenths(i) == static_cast<long double>(i) * step);
    const long double large = 1e18L;
    if (large + 1 != large) {
        const Tensor<long double> line = bl::arange(large, large + 8);
        REQUIRE(line.size() == 8);
        CHECK(line(7) == large + 7);
    }
}

TEST_CASE("arange refuses a step of 0 and more elements than can be counted") {
    const double inf = std::numeric_limits<double>::infinity(),
                 none = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(arange(0, 5, 0), bl::value_error);
    CHECK_THROWS_AS(arange(0.0, 5.0, 0.0), bl::value_error);
    CHECK_THROWS_AS(arange(0.0, inf), bl::value_error);
    CHECK_THROWS_AS(arange(0.0, 5.0, none), bl::value_error);
    CHECK_THROWS_AS(arange(none), bl::value_error);
    CHECK_THROWS_WITH(arange(1.5, none, 0.5),
                      Catch::Matchers::ContainsSubstring("from 1.5 to nan by 0.5"));
    CHECK_THROWS_AS(arange(0.0, 1.0, 1e-300), bl::value_error);
    CHECK_THROWS_AS(arange<int>(1e300), bl::value_error);
    CHECK_THROWS_AS(
        arange(std::numeric_limits<index_t>::min(), std::numeric_limits<index_t>::max()),
        bl::value_error);
    CHECK(arange(0.0, -inf).size() == 0);
    CHECK(arange(0.0, 5.0, inf).size() == 1);
    CHECK(arange(0.0, -5.0, inf).size() == 0);
}

TEST_CASE("arange and linspace and logspace are as NumPy has them") {
    int count = reference::for_each_record("arange", [](const reference::Elementwise& record) {
        const auto v = reference::elements<double>(record.values);
        // NumPy's second element is rounded before the others are computed from it.
        if (!agree(arange(v[0], v[1], v[2]), reference::elements<double>(record.results), 64)) {
            FAIL(v[0] << " " << v[1] << " " << v[2]);
        }
    });
    for (const bool endpoint : {true, false}) {
        count += reference::for_each_record(
            endpoint ? "linspace" : "linspace_open", [&](const reference::Elementwise& record) {
                const auto v = reference::elements<double>(record.values);
                const auto n = static_cast<index_t>(v[2]);
                const bool same = record.result_type == "int64"
                                      ? agree(linspace<std::int64_t>(v[0], v[1], n, endpoint),
                                              reference::elements<std::int64_t>(record.results), 0)
                                      : agree(linspace(v[0], v[1], n, endpoint),
                                              reference::elements<double>(record.results), 0);
                if (!same) FAIL(v[0] << " " << v[1] << " " << v[2] << " " << record.result_type);
            });
    }
    count += reference::for_each_record("logspace", [](const reference::Elementwise& record) {
        const auto v = reference::elements<double>(record.values);
        if (!agree(bl::logspace(v[0], v[1], static_cast<index_t>(v[2]), v[3]),
                   reference::elements<double>(record.results), 4)) {
            FAIL(v[0] << " " << v[1] << " " << v[2]);
        }
    });
    CHECK(count == 11 + 11 + 11 + 4 + 4);
}

TEST_CASE("every instruction set counts to the same bits") {
    const settings::Restore restore;
    for (const index_t n : {1, 5, 1000, 3001}) {
        bl::kernel::set_isa(0);
        const double stop = 0.1 + 0.3 * static_cast<double>(n);
        const Tensor<double> x = arange(0.1, stop, 0.3);
        const Tensor<float> y = linspace<float>(-1.7, 2.1, n, false);
        for (const int level : {1, 2}) {
            bl::kernel::set_isa(level);
            CHECK(array_equal(arange(0.1, stop, 0.3), x));
            CHECK(array_equal(linspace<float>(-1.7, 2.1, n, false), y));
        }
    }
}

TEST_CASE("linspace ends exactly where it is told to") {
    for (const double end : {0.1, 1.0, 1.0 / 3, 1e300}) {
        for (const index_t n : {2, 3, 7, 50, 1000}) {
            const Tensor<double> x = linspace(-0.7, end, n);
            CHECK(x(0) == -0.7);
            CHECK(x(n - 1) == end);
        }
    }
    CHECK(linspace(0, 1).size() == 50);
    CHECK_THROWS_AS(linspace(0, 1, -1), bl::value_error);
    CHECK(linspace<int>(0, 1e300, 2)(1) == std::numeric_limits<int>::max());
    CHECK(linspace<float>(0, 1, 3)(1) == 0.5F);
    CHECK(linspace<int>(0.0, 1.0, 50)(49) == 1);  // though 49 steps of 1 / 49 are less
    CHECK(linspace<bool>(0, 1, 3)(1));            // as NumPy converts what is not 0
}

TEST_CASE("A line of one value is its start") {
    CHECK(array_equal(linspace(2.0, 5.0, 1), Tensor<double>{2}));
    CHECK(array_equal(linspace(2.0, 5.0, 1, false), Tensor<double>{2}));
    CHECK(array_equal(linspace<int>(2.0, 5.0, 1), Tensor<int>{2}));
    CHECK(array_equal(bl::logspace(1.0, 3.0, 1), Tensor<double>{10}));
}

TEST_CASE("shapes and axes may be counted at run time") {
    const std::vector<int> shape = {2, 3}, turned = {1, 0};
    const auto x = bl::ones<float>(shape);
    CHECK(x.shape() == Shape{2, 3});
    CHECK(x.reshape(std::vector<int>{3, -1}).shape() == Shape{3, 2});
    CHECK(x.permute(turned).shape() == Shape{3, 2});
    CHECK(x.expand(std::vector<int>{4, -1, -1}).shape() == Shape{4, 2, 3});
}

TEST_CASE("eye has its ones on any diagonal") {
    CHECK(array_equal(bl::eye<int>(2), Tensor<int>{{1, 0}, {0, 1}}));
    CHECK(array_equal(bl::eye<int>(2, 3, 1), Tensor<int>{{0, 1, 0}, {0, 0, 1}}));
    CHECK(array_equal(bl::eye<int>(3, 2, -1), Tensor<int>{{0, 0}, {1, 0}, {0, 1}}));
    CHECK(array_equal(bl::eye<int>(2, 2, 5), bl::zeros<int>({2, 2})));
    CHECK(bl::eye<int>(0).shape() == Shape{0, 0});
    CHECK(bl::eye<int>(0, 3).shape() == Shape{0, 3});
    CHECK_THROWS_AS(bl::eye<int>(-1), bl::shape_error);
}

TEST_CASE("one_hot marks the class of each index") {
    CHECK(array_equal(bl::one_hot(Tensor<int>{2, 0}, 3), Tensor<float>{{0, 0, 1}, {1, 0, 0}}));
    CHECK(bl::one_hot(Tensor<int>{{2, 0}}.transpose(), 3).shape() == Shape{2, 1, 3});
    CHECK(bl::one_hot<int>(bl::zeros<std::uint8_t>({0}), 4).shape() == Shape{0, 4});
    CHECK(bl::one_hot<bool>(bl::full<int>({}, 1), 2)(1));
    CHECK(array_equal(bl::one_hot<int>({1, 0}, 2), Tensor<int>{{0, 1}, {1, 0}}));
    CHECK(array_equal(bl::one_hot(std::vector<int>{1, 0}, 2), Tensor<float>{{0, 1}, {1, 0}}));
    CHECK(array_equal(bl::one_hot<int>(std::list<short>{1}), Tensor<int>{{0, 1}}));
    CHECK(array_equal(bl::one_hot({1, 0}), Tensor<float>{{0, 1}, {1, 0}}));
    CHECK_THROWS_AS(bl::one_hot(Tensor<int>{3}, 3), bl::index_error);
    CHECK_THROWS_AS(bl::one_hot(Tensor<int>{-1}, 3), bl::index_error);
    CHECK_THROWS_AS(bl::one_hot(Tensor<int>{0}, -1), bl::shape_error);
    CHECK_THROWS_WITH(bl::one_hot(Tensor<std::uint64_t>{~std::uint64_t{0}}, 3),
                      Catch::Matchers::ContainsSubstring(std::to_string(bl::detail::largest_index) +
                                                         " is not one of 3 classes"));
    CHECK_THROWS_AS(bl::one_hot(bl::zeros<int>({0}), -1), bl::shape_error);
}

TEST_CASE("Without a number of classes, one_hot has as many as the largest index asks for") {
    CHECK(array_equal(bl::one_hot(Tensor<int>{1, 0, 2}), bl::one_hot(Tensor<int>{1, 0, 2}, 3)));
    CHECK(bl::one_hot(bl::empty<int>({0})).shape() == Shape{0, 0});
    CHECK_THROWS_AS(bl::one_hot(Tensor<int>{1, -1}), bl::index_error);
    CHECK_THROWS_AS(bl::one_hot(Tensor<index_t>{std::numeric_limits<index_t>::max()}),
                    bl::index_error);
}
