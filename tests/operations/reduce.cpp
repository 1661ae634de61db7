// Reductions against a naive evaluator, over all small shapes and sets of axes, and against NumPy's
// results in reference/reduce.txt; what becomes of nothing, of NaN, and of axes that are not there.
#include "broadloom/operations/reduce.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/folds.hpp"
#include "support/limits.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::Axes, bl::index_t, bl::IndexList, bl::keepdims, bl::Shape, bl::Tensor, bl::TensorView;
using folds::disagreement;
using naive::Random, naive::Way;
using C = std::complex<float>;

namespace {

constexpr auto sum = [](const auto&... a) { return bl::sum(a...); };
constexpr auto prod = [](const auto&... a) { return bl::prod(a...); };
constexpr auto max = [](const auto&... a) { return bl::max(a...); };
constexpr auto min = [](const auto&... a) { return bl::min(a...); };
constexpr auto any_of = [](const auto&... a) { return bl::any_of(a...); };
constexpr auto all_of = [](const auto&... a) { return bl::all_of(a...); };
constexpr auto count_nonzero = [](const auto&... a) { return bl::count_nonzero(a...); };
constexpr auto mean = [](const auto&... a) { return bl::mean(a...); };

using Values = std::vector<double>;

/// A hash of elements in order, in which every place counts.
constexpr auto mix = [](std::uint64_t a, double x) {
    return a * 31 + static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
};

double naive_sum(const Values& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double naive_mean(const Values& v) { return naive_sum(v) / static_cast<double>(v.size()); }
double naive_prod(const Values& v) {
    return std::accumulate(v.begin(), v.end(), 1.0, [](double a, double b) { return a * b; });
}
std::int64_t naive_count(const Values& v) {
    return std::count_if(v.begin(), v.end(), [](double x) { return x != 0; });
}

/// One operand over one set of axes: every reduction compared with the elements it is made of.
class Case {
public:
    Case(TensorView<const double> x, const folds::Groups& groups, const Axes& axes)
        : x_(x), groups_(groups), axes_(axes) {
        const auto values = naive::values(x);
        for (const auto& members : groups.members) {
            Values list;
            for (const index_t at : members) list.push_back(values[static_cast<std::size_t>(at)]);
            lists_.push_back(std::move(list));
        }
    }

    template <class F, class N>
    bool same(F&& compute, N&& expected) const {
        const auto open = compute(x_, axes_), kept = compute(x_, axes_, keepdims);
        bool good = open.shape() == groups_.result && kept.shape() == groups_.kept;
        for (std::size_t i = 0; good && i < lists_.size(); ++i) {
            const auto value = expected(lists_[i]);
            const auto a = open.data()[i], b = kept.data()[i];
            good = (a == value || (a != a && value != value)) && (b == a || b != b);
        }
        return good;
    }
    /// Extremes, which refuse a reduced extent of 0.
    template <class F, class N>
    bool same_or_refused(bool refused, F&& compute, N&& expected) const {
        if (!refused) return same(compute, expected);
        try {
            (void)compute(x_, axes_);
        } catch (const bl::value_error&) {
            return true;
        }
        return false;
    }

    bool holds(bool nothing) const {
        return same(sum, naive_sum) && same(prod, naive_prod) && same(mean, naive_mean) &&
               same(count_nonzero, naive_count) &&
               same(any_of, [](const Values& v) { return naive_count(v) > 0; }) &&
               same(all_of,
                    [](const Values& v) { return naive_count(v) == std::int64_t(v.size()); }) &&
               same([](const auto&... a) { return bl::reduce(mix, std::uint64_t{7}, a...); },
                    [](const Values& v) {
                        return std::accumulate(v.begin(), v.end(), std::uint64_t{7}, mix);
                    }) &&
               same_or_refused(
                   nothing, max,
                   [](const Values& v) { return *std::max_element(v.begin(), v.end()); }) &&
               same_or_refused(nothing, min, [](const Values& v) {
                   return *std::min_element(v.begin(), v.end());
               });
    }

private:
    TensorView<const double> x_;
    const folds::Groups& groups_;
    Axes axes_;
    std::vector<Values> lists_;
};

bool reduces_nothing(const Shape& shape, std::uint32_t mask) {
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (((mask >> d) & 1) != 0 && shape[d] == 0) return true;
    }
    return false;
}

/// Powers of two, which sum and multiply without rounding, and now and then a 0.
double element(Random& random) {
    constexpr double list[] = {-2, -1, -0.5, 0.5, 1, 1, 2};
    return random(0, 15) == 0 ? 0.0 : list[random(0, 6)];
}

}  // namespace

TEST_CASE(
    "A reduction folds the elements that belong together, for all small shapes and sets of axes") {
    Random random(1);
    for (const Shape& shape : naive::all_shapes(4, 3)) {
        for (std::uint32_t mask = 0; mask < (1U << shape.rank()); ++mask) {
            const auto groups = folds::groups(shape, mask);
            for (const Way way : {Way::plain, Way::random}) {
                naive::Presented<double> x(shape, way, random);
                x.fill([&] { return element(random); });
                const Case c(x.read(), groups, folds::axes_of(mask, shape.rank(), random));
                if (!c.holds(reduces_nothing(shape, mask)))
                    FAIL(x.text() << " over the mask " << mask);
            }
        }
    }
    SUCCEED();
}

TEST_CASE(
    "A reduction folds the elements that belong together, whatever the sizes and the layout") {
    Random random(2);
    const index_t lengths[] = {1,  2,  3,  4,   5,   8,    15,   16,  17,
                               31, 33, 64, 100, 257, 1000, 1025, 3000};
    for (int round = 0; round < 500; ++round) {
        IndexList extents;
        index_t size = 1;
        for (index_t d = random(1, 5); d > 0; --d) {
            const index_t extent = lengths[random(0, 16)];
            if (size * extent > 9000) continue;
            size *= extent;
            extents.insert(random(0, extents.rank()), extent);
        }
        const Shape shape(extents);
        const auto mask = static_cast<std::uint32_t>(random(0, (1 << shape.rank()) - 1));
        const auto groups = folds::groups(shape, mask);
        const Way way = round % 3 == 0 ? naive::ways[random(0, 4)] : Way::random;
        naive::Presented<double> x(shape, way, random);
        // Products of thousands stay within range.
        x.fill([&] {
            return random(0, 99) == 0 ? element(random) : random(0, 1) == 0 ? -1.0 : 1.0;
        });
        const Case c(x.read(), groups, folds::axes_of(mask, shape.rank(), random));
        if (!c.holds(false)) FAIL(x.text() << " over the mask " << mask);
    }
    SUCCEED();
}

TEST_CASE("An expression reduces as the tensor of its values does") {
    Random random(3);
    const index_t lengths[] = {0, 1, 2, 3, 7, 16, 40, 130, 1100};
    for (int round = 0; round < 400; ++round) {
        IndexList extents, other;
        index_t size = 1;
        for (index_t d = random(0, 4); d > 0; --d) {
            const index_t extent = lengths[random(0, 8)];
            if (size * extent > 6000) continue;
            size *= extent;
            extents.push_back(extent);
            other.push_back(random(0, 1) == 0 ? 1 : extent);
        }
        while (other.rank() > 0 && random(0, 3) == 0) other.erase(0);
        const Shape shape(extents);
        naive::Presented<double> x(shape, Way::random, random),
            y(Shape(other), Way::random, random);
        const auto small = [&] { return static_cast<double>(random(-3, 3)); };
        x.fill(small);
        y.fill(small);
        const Tensor<double> whole = (x.read() - y.read()) * 2.0, less = y.read() - x.read();
        const auto mask = static_cast<std::uint32_t>(random(0, (1 << shape.rank()) - 1));
        const Axes axes = folds::axes_of(mask, shape.rank(), random);
        bool same =
            folds::close(bl::sum((x.read() - y.read()) * 2.0, axes), bl::sum(whole, axes), 0) &&
            bl::sum((x.read() - y.read()) * 2.0) == bl::sum(whole);
        if (!reduces_nothing(shape, mask)) {
            same = same && folds::close(bl::max(y.read() - x.read(), axes, keepdims),
                                        bl::max(less, axes, keepdims), 0);
        }
        if (!same) FAIL(x.text() << " with " << y.text() << " over the mask " << mask);
    }
    SUCCEED();
}

TEST_CASE("Values and types are NumPy's") {
    CHECK(disagreement<bool>("sum", 0, sum) == "");
    CHECK(disagreement<std::int8_t>("sum", 0, sum) == "");
    CHECK(disagreement<std::uint64_t>("sum", 0, sum) == "");
    CHECK(disagreement<C>("sum", 20, sum) == "");
    CHECK(disagreement<bool>("prod", 0, prod) == "");
    CHECK(disagreement<std::uint16_t>("prod", 0, prod) == "");
    CHECK(disagreement<C>("prod", 40, prod) == "");
    CHECK(disagreement<double>("min", 0, min) == "");
    CHECK(disagreement<C>("any_of", 0, any_of) == "");
    CHECK(disagreement<double>("all_of", 0, all_of) == "");
    CHECK(disagreement<float>("count_nonzero", 0, count_nonzero) == "");
    CHECK(disagreement<std::uint64_t>("mean", 20, mean) == "");
    CHECK(disagreement<double>("mean", 20, mean) == "");
    CHECK(disagreement<C>("mean", 20, mean) == "");
}

TEST_CASE("Without axes and keepdims a reduction is a plain value, else a tensor") {
    const Tensor<double> x = {{1, 2, 3}, {4, 5, 6}};
    STATIC_REQUIRE(std::is_same_v<decltype(bl::sum(x)), double>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::any_of(x)), bool>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::count_nonzero(x)), std::int64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::mean(x.cast<std::int8_t>())), double>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::mean(x)), double>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::sum(x, 0)), Tensor<double>>);
    CHECK(bl::sum(x) == 21);
    CHECK(bl::sum(x, {0, 1}).shape() == Shape{});
    CHECK(bl::sum(x, {0, 1}).item() == 21);
    CHECK(bl::sum(x, keepdims).shape() == Shape{1, 1});
    CHECK(bl::sum(x, {}).shape() == Shape{2, 3});
    CHECK(bl::sum(x, {})(1, 2) == 6);
    CHECK(bl::sum(x, -1)(1) == 15);
    CHECK(bl::sum(x, {-1, 0}, keepdims).shape() == Shape{1, 1});
    CHECK(bl::mean(x, keepdims)(0, 0) == 3.5);
    const Tensor<double> one = bl::full<double>({}, 4);
    CHECK(bl::sum(one) == 4);
    CHECK(bl::sum(one, {}).shape() == Shape{});
    CHECK((bl::sum(one, 0).item() == 4 && bl::mean(one, -1).item() == 4));
    CHECK(bl::max(one, keepdims).item() == 4);
}

TEST_CASE("Over nothing there is a neutral element, and no extreme") {
    const auto none = bl::zeros<double>({0, 3});
    CHECK(bl::sum(none) == 0);
    CHECK(bl::prod(none) == 1);
    CHECK(bl::all_of(none));
    CHECK(!bl::any_of(none));
    CHECK(bl::count_nonzero(none) == 0);
    CHECK(std::isnan(bl::mean(none)));
    CHECK(std::isnan(bl::mean(bl::zeros<std::int8_t>({0}))));
    CHECK(bl::reduce([](int a, double) { return a + 1; }, 7, none) == 7);
    CHECK(folds::close(bl::prod(none, 0), bl::ones<double>({3}), 0));
    CHECK(folds::close(bl::reduce([](int a, double) { return a + 1; }, 7, none, 0),
                       bl::full<int>({3}, 7), 0));
    CHECK_THROWS_AS(bl::max(none), bl::value_error);
    CHECK_THROWS_AS(bl::min(none), bl::value_error);
    CHECK_THROWS_AS(bl::max(none, keepdims), bl::value_error);
    CHECK_THROWS_AS(bl::min(none, 0), bl::value_error);
    CHECK_THROWS_AS(bl::max(none, {0, 1}), bl::value_error);
    CHECK_THROWS_AS(bl::max(bl::zeros<int>({0, extents::vast}), 0), bl::value_error);
    CHECK_THROWS_WITH(bl::max(none), Catch::Matchers::ContainsSubstring("max"));
    // Only a reduced extent of 0 counts, and it does whatever the result's shape.
    CHECK(bl::max(none, 1).shape() == Shape{0});
    CHECK(bl::min(none, {}).shape() == Shape{0, 3});
    CHECK_THROWS_AS(bl::max(bl::zeros<double>({0, 0}), 1), bl::value_error);
    CHECK(bl::max(bl::zeros<double>({0, 0}), {}).shape() == Shape{0, 0});
    CHECK_THROWS_AS(bl::max(none - none, 0), bl::value_error);
}

TEST_CASE("An axis that is not there, or named twice, is an index_error") {
    const auto x = bl::zeros<double>({2, 3});
    CHECK_THROWS_AS(bl::sum(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::sum(x, -3), bl::index_error);
    CHECK_THROWS_AS(bl::max(x, {0, 0}), bl::index_error);
    CHECK_THROWS_AS(bl::mean(x, {1, -1}), bl::index_error);
    CHECK_THROWS_AS(bl::any_of(x, {0, 2}, keepdims), bl::index_error);
    CHECK_THROWS_AS(bl::sum(bl::full<double>({}, 1), 1), bl::index_error);
    CHECK_THROWS_AS(bl::sum(bl::zeros<double>({0}), 1), bl::index_error);
    CHECK_THROWS_AS(bl::reduce(mix, std::uint64_t{0}, x, 2), bl::index_error);
}

TEST_CASE("Extremes pass NaN on from any place, and from rows, columns and all") {
    for (const index_t n : {1, 2, 5, 17, 64, 100, 1000}) {
        Tensor<double> x = bl::zeros<double>({3, n});
        for (index_t i = 0; i < n; i += 1 + n / 20) {
            x(1, i) = not_a_number;
            const auto big = bl::max(x, 1), low = bl::min(x, 1);
            CHECK((big(0) == 0 && std::isnan(big(1)) && low(2) == 0 && std::isnan(low(1))));
            CHECK((std::isnan(bl::max(x)) && std::isnan(bl::min(x))));
            CHECK((std::isnan(bl::max(x, 0)(i)) && std::isnan(bl::min(x.transpose(), 1)(i))));
            x(1, i) = 0;
        }
        CHECK(bl::max(x) == 0);
    }
    const Tensor<double> infinite = {inf, -inf, 1};
    CHECK(bl::max(infinite) == inf);
    CHECK(bl::min(infinite) == -inf);
    CHECK(std::isnan(bl::sum(infinite)));
    CHECK(bl::any_of(Tensor<double>{0, not_a_number}));
    CHECK(bl::all_of(Tensor<double>{1, not_a_number}));
    CHECK(bl::count_nonzero(Tensor<double>{0, not_a_number, -0.0}) == 1);
}

TEST_CASE("Integers sum and multiply in 64 bits, and wrap there") {
    const auto bytes = bl::full<std::int8_t>({1000}, std::int8_t{-128});
    CHECK(bl::sum(bytes) == -128000);
    CHECK(bl::mean(bytes) == -128);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::prod(bl::zeros<std::uint16_t>({1}))), std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::sum(bl::zeros<bool>({1}))), std::int64_t>);
    const auto most = bl::full<std::uint64_t>({3}, std::numeric_limits<std::uint64_t>::max());
    CHECK(bl::sum(most) == most(0) - 2);
    CHECK(bl::prod(bl::full<std::uint16_t>({5}, std::uint16_t{0x8000})) == 0);
}

TEST_CASE("The mean of integers below 64 bits is that of their exact sum") {
    const Tensor<std::int32_t> x = {{std::numeric_limits<std::int32_t>::min()}, {1}};
    const index_t many = index_t{1} << 22;
    const auto wide = x.broadcast_to({2, many});
    CHECK(bl::mean(wide) == static_cast<double>((1 - (std::int64_t{1} << 31)) * many) /
                                static_cast<double>(2 * many));
    CHECK(bl::mean(x.broadcast_to({2, 3}), 1)(0) == -0x1p31);
    const Tensor<bool> truth = {true, false, true};
    CHECK(bl::mean(truth) == 2.0 / 3);
    CHECK(bl::mean(truth == Tensor<bool>{true, true, true}) == 2.0 / 3);
    CHECK(bl::mean(Tensor<std::uint32_t>{0xffffffffU, 0xfffffffeU}) == 0xfffffffe.8p0);
    STATIC_REQUIRE(bl::scalar::fold::mean<double>::exact<std::uint32_t>);
    STATIC_REQUIRE(!bl::scalar::fold::mean<double>::exact<std::int64_t>);
}

TEST_CASE("An expanded axis counts as often as it is long") {
    const Tensor<double> x = {{1}, {2}};
    CHECK(bl::sum(x.broadcast_to({2, 1000})) == 3000);
    CHECK(bl::sum(x.broadcast_to({500, 2, 3}), {0, 2})(1) == 3000);
    CHECK(bl::count_nonzero(x.broadcast_to({500, 2, 3})) == 3000);
    CHECK(bl::mean(x.broadcast_to({2, 1000}), 1)(1) == 2);
}

TEST_CASE("What is settled early is told of more elements than a memory holds") {
    constexpr index_t large = index_t{1} << (8 * sizeof(index_t) - 3);
    const Tensor<double> x({{1.0}, {2.0}, {3.0}});
    const auto wide = x.broadcast_to({3, large});
    CHECK((bl::any_of(wide) && bl::any_of(wide == 1.0) && !bl::all_of(wide - 1.0)));
    CHECK(bl::array_equal(bl::any_of(wide, 1), Tensor<bool>{true, true, true}));
    CHECK(bl::array_equal(bl::all_of(wide * 0.0, 1), Tensor<bool>{false, false, false}));
}

TEST_CASE("reduce takes any function, in row-major order, and any plain accumulator") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const auto digits = [](long a, int d) { return 10 * a + d; };
    CHECK(bl::reduce(digits, 0L, x) == 123456);
    CHECK(bl::reduce(digits, 0L, x.transpose()) == 142536);
    CHECK(bl::reduce(digits, 0L, x, 0)(1) == 25);
    CHECK(bl::reduce(digits, 9L, x, -1)(1) == 9456);
    CHECK(bl::reduce(digits, 0L, x * 2 - 1, 1, keepdims)(1, 0) == 7 * 100 + 9 * 10 + 11);
    CHECK(bl::reduce(digits, 5L, x, {})(0, 1) == 52);
    struct Range {
        int low, high;
    };
    const auto widen = [](Range r, int v) {
        return Range{std::min(r.low, v), std::max(r.high, v)};
    };
    const Range range = bl::reduce(widen, Range{100, -100}, x * x);
    CHECK((range.low == 1 && range.high == 36));
    // A function with state sees every element once, in order.
    std::vector<int> seen;
    (void)bl::reduce(
        [&seen](int a, int v) {
            seen.push_back(v);
            return a;
        },
        0, x);
    CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6});
    // An integer to begin with truncates nothing.
    const Tensor<double> halves = {{0.5, 1.5}, {2.5, 3.5}};
    CHECK(bl::reduce(std::plus<>{}, 0, halves) == 8.0);
    CHECK(bl::array_equal(bl::reduce(std::plus<>{}, 1, halves, 0), Tensor<double>{4, 6}));
    CHECK(bl::reduce([](int n, double v) { return n + (v > 1); }, 0, halves) == 3);
    static_assert(std::is_same_v<decltype(bl::reduce(std::plus<>{}, 0, x)), int>);
    struct Refusal {};
    CHECK_THROWS_AS(bl::reduce(
                        [](int, int v) -> int {
                            if (v == 5) throw Refusal{};
                            return v;
                        },
                        0, x, 0),
                    Refusal);
}

TEST_CASE("Tensors of the highest rank reduce like any other") {
    IndexList extents = IndexList::filled(32, 1);
    extents[0] = extents[7] = extents[31] = 3;
    const Tensor<double> x = bl::arange<double>(27).reshape(Shape(extents));
    CHECK(bl::sum(x, keepdims).item() == 351);
    CHECK(bl::sum(x, keepdims).shape() == Shape(IndexList::filled(32, 1)));
    CHECK(bl::sum(x, {0, -1}).rank() == 30);
    CHECK(bl::max(x, 31).size() == 9);
    CHECK(bl::max(x, 31).data()[8] == 26);
    CHECK(bl::min(x, {7, 0}).data()[2] == 2);
    CHECK_THROWS_AS(bl::sum(x, 32), bl::index_error);
}

TEST_CASE("sum_to is the adjoint of broadcasting") {
    Random random(5);
    for (const Shape& shape : naive::all_shapes(3, 3)) {
        for (const Shape& small : naive::all_shapes(3, 3)) {
            Shape common;
            const bool fits = naive::common_shape({shape, small}, common) && common == shape;
            naive::Presented<double> x(shape, Way::random, random);
            x.fill([&] { return element(random); });
            if (!fits) {
                CHECK_THROWS_AS(bl::sum_to(x.read(), small), bl::shape_error);
                continue;
            }
            Tensor<double> expected = bl::zeros<double>(small);
            const bl::Strides plain = expected.strides();
            naive::for_each_index(shape, [&](const IndexList& index) {
                expected.data()[naive::broadcast_offset(index, small, plain)] += x.at(index);
            });
            if (!folds::close(bl::sum_to(x.read(), small), expected, 0))
                FAIL(x.text() << " to " << bl::detail::text(small));
        }
    }
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::sum_to(bl::ones<bool>({2}), Shape{})), Tensor<std::int64_t>>);
    CHECK_THROWS_WITH(bl::sum_to(bl::ones<int>({2, 3}), Shape{2}),
                      Catch::Matchers::ContainsSubstring("cannot sum (2, 3) to (2,)"));
}

TEST_CASE("A dying tensor and an expression are reduced in the statement that makes them") {
    CHECK(bl::sum(bl::arange<double>(5)) == 10);
    CHECK(bl::max(bl::arange<double>(5).unsqueeze(0), 1)(0) == 4);
    CHECK(bl::sum(bl::arange<double>(6) > 2) == 3);
    CHECK(bl::max(bl::arange<double>(4) - bl::ones<double>({4})) == 2);
}

namespace {

/// A number that is made of an int or, when asked for, of a double, and one that a float divides.
struct Made {
    int value;
    Made(int v = 0) : value(v) {}
    explicit Made(double v) : value(static_cast<int>(v)) {}
    friend Made operator+(Made a, Made b) { return {a.value + b.value}; }
    friend Made operator/(Made a, Made b) { return {a.value / b.value}; }
};
struct Divided {
    float value;
    friend Divided operator+(Divided a, Divided b) { return {a.value + b.value}; }
    friend Divided operator/(Divided a, float b) { return {a.value / b}; }
};
/// One that a double makes and divides; divided by its like it is a ratio.
struct Measured {
    double value;
    explicit Measured(double v) : value(v) {}
    friend Measured operator+(Measured a, Measured b) { return Measured(a.value + b.value); }
    friend Measured operator/(Measured a, double b) { return Measured(a.value / b); }
    double operator/(Measured other) const { return value / other.value; }
};

}  // namespace

TEST_CASE("Means are taken of what is divided by a number in any way") {
    CHECK(bl::mean(Tensor<Made>{Made(2), Made(4), Made(6)}).value == 4);
    CHECK(bl::mean(Tensor<Divided>{Divided{1}, Divided{2}}, 0).item().value == 1.5F);
    CHECK(bl::mean(Tensor<Measured>{Measured(1), Measured(2)}).value == 1.5);
    using std::chrono::milliseconds;
    CHECK(bl::mean(Tensor<milliseconds>{milliseconds(1), milliseconds(3)}) == milliseconds(2));
}
