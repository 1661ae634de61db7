// Variance, norms and logsumexp against NumPy's and PyTorch's results in reference/reduce.txt, and
// against a naive evaluator; how exact they stay where the textbook's formula does not.
#include "broadloom/operations/statistics.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/limits.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::Axes, bl::ddof, bl::index_t, bl::IndexList, bl::keepdims, bl::ord, bl::Shape, bl::Tensor;
using folds::disagreement;
using naive::Random, naive::Way;
using C = std::complex<float>;

namespace {

constexpr auto var = [](const auto&... a) { return bl::var(a...); };
constexpr auto var1 = [](const auto&... a) { return bl::var(a..., ddof(1)); };
constexpr auto stddev = [](const auto&... a) { return bl::stddev(a...); };
constexpr auto norm = [](const auto&... a) { return bl::norm(a...); };
constexpr auto logsumexp = [](const auto&... a) { return bl::logsumexp(a...); };

using Values = std::vector<double>;

double naive_var(const Values& v, double off = 0) {
    const auto n = static_cast<double>(v.size());
    double middle = 0, squares = 0;
    for (const double x : v) middle += x / n;
    for (const double x : v) squares += (x - middle) * (x - middle);
    return squares / std::max(n - off, 0.0);
}
double naive_logsumexp(const Values& v) {
    double total = 0;
    for (const double x : v) total += std::exp(x);
    return std::log(total);
}
double naive_norm(const Values& v) {
    double total = 0;
    for (const double x : v) total += x * x;
    return std::sqrt(total);
}

/// Holds when a result has the shape of its groups and the values that `expected` finds for each.
template <class N>
bool same(const Tensor<double>& result, const std::vector<Values>& lists, const Shape& shape,
          N&& expected) {
    bool good = result.shape() == shape;
    for (std::size_t i = 0; good && i < lists.size(); ++i) {
        good = folds::close(result.data()[i], expected(lists[i]), 100);
    }
    return good;
}

}  // namespace

TEST_CASE("Variances, norms and logsumexp are those of the elements that belong together") {
    Random random(1);
    const Tensor<double> zero = bl::zeros<double>({}), two = bl::full<double>({}, 2);
    for (const Shape& shape : naive::all_shapes(3, 3)) {
        for (std::uint32_t mask = 0; mask < (1U << shape.rank()); ++mask) {
            const auto groups = folds::groups(shape, mask);
            naive::Presented<double> x(shape, Way::random, random);
            x.fill([&] { return static_cast<double>(random(-40, 40)) / 8; });
            const auto values = naive::values(x.read());
            std::vector<Values> lists;
            for (const auto& members : groups.members) {
                Values list;
                for (const index_t at : members)
                    list.push_back(values[static_cast<std::size_t>(at)]);
                lists.push_back(std::move(list));
            }
            const Axes axes = folds::axes_of(mask, shape.rank(), random);
            const bool good =
                same(bl::var(x.read(), axes), lists, groups.result,
                     [](const Values& v) { return naive_var(v); }) &&
                same(bl::var(x.read(), axes, keepdims, ddof(1)), lists, groups.kept,
                     [](const Values& v) { return naive_var(v, 1); }) &&
                same(bl::stddev(x.read(), axes, keepdims), lists, groups.kept,
                     [](const Values& v) { return std::sqrt(naive_var(v)); }) &&
                same(bl::stddev(x.read() * two, axes), lists, groups.result,
                     [](const Values& v) { return 2 * std::sqrt(naive_var(v)); }) &&
                same(bl::norm(x.read(), axes), lists, groups.result, naive_norm) &&
                same(bl::norm(x.read() * two, axes, keepdims), lists, groups.kept,
                     [](const Values& v) { return 2 * naive_norm(v); }) &&
                same(bl::logsumexp(x.read(), axes), lists, groups.result, naive_logsumexp) &&
                same(bl::logsumexp(x.read() * zero, axes, keepdims), lists, groups.kept,
                     [](const Values& v) { return std::log(static_cast<double>(v.size())); });
            if (!good) FAIL(x.text() << " over the mask " << mask);
        }
    }
    SUCCEED();
}

TEST_CASE("Variances are NumPy's in value and type") {
    CHECK(disagreement<bool>("var", 30, var) == "");
    CHECK(disagreement<float>("var", 30, var) == "");
    CHECK(disagreement<double>("var1", 30, var1) == "");
    CHECK(disagreement<C>("var1", 30, var1) == "");
    CHECK(disagreement<float>("stddev", 30, stddev) == "");
    CHECK(disagreement<std::int16_t>("stddev", 30, stddev) == "");
}

TEST_CASE("Norms of every order are PyTorch's, of integers in double") {
    CHECK(disagreement<std::int16_t>("norm", 30, norm) == "");
    CHECK(disagreement<float>("norm", 30, norm) == "");
    CHECK(disagreement<C>("norm", 30, norm) == "");
    const auto orders = [](const char* name, double p) {
        const auto compute = [p](const auto&... a) { return bl::norm(a..., ord(p)); };
        CHECK(disagreement<double>(name, 60, compute) == "");
        if (p != 3) CHECK(disagreement<C>(name, 100, compute) == "");
    };
    orders("norm", 2);
    orders("norm_0", 0);
    orders("norm_1", 1);
    orders("norm_3", 3);
    orders("norm_half", 0.5);
    orders("norm_inf", inf);
    orders("norm_-inf", -inf);
    CHECK(bl::norm(Tensor<double>{{3, 4}, {5, 12}}, 1, keepdims, ord(2))(1, 0) == 13);
    CHECK(bl::norm(Tensor<double>{{3, 4}, {5, 12}}, -1, keepdims, ord(1)).shape() == Shape{2, 1});
    CHECK(bl::norm(Tensor<double>{{3, 4}, {5, 12}}, ord(1), 1)(1) == 17.0);
    CHECK(bl::norm(Tensor<double>{{3, 4}, {5, 12}}, ord(1), 1, keepdims)(0, 0) == 7.0);
}

TEST_CASE("logsumexp is PyTorch's, rows of infinities and NaN included") {
    CHECK(disagreement<bool>("logsumexp", 30, logsumexp) == "");
    CHECK(disagreement<std::int16_t>("logsumexp", 30, logsumexp) == "");
    CHECK(disagreement<float>("logsumexp", 30, logsumexp) == "");
    CHECK(disagreement<double>("logsumexp", 30, logsumexp) == "");
}

TEST_CASE("A mean a million times the deviation does not spoil the variance") {
    std::mt19937 engine(1);
    Tensor<double> x = bl::empty<double>({3, 100000});
    Tensor<float> y = bl::empty<float>(x.shape());
    for (index_t i = 0; i < x.size(); ++i) {
        const double u = static_cast<double>(engine()) / 4294967296.0 - 0.5;
        x.data()[i] = 1e6 + u;
        y.data()[i] = static_cast<float>(4096 + u / 8);
    }
    const auto exact = [](const auto& row) {
        long double middle = 0, squares = 0;
        for (const auto e : row) middle += e;
        middle /= static_cast<long double>(row.size());
        for (const auto e : row) squares += (e - middle) * (e - middle);
        return static_cast<double>(squares / static_cast<long double>(row.size()));
    };
    const auto variances = bl::var(x, 1);
    const auto single = bl::var(y, 1);
    for (index_t i = 0; i < 3; ++i) {
        CHECK(variances(i) == Approx(exact(x[i])).epsilon(1e-9));
        CHECK(static_cast<double>(single(i)) == Approx(exact(y[i])).epsilon(3e-7));
    }
    CHECK(bl::var(x) == Approx(exact(x)).epsilon(1e-9));
    CHECK(bl::var(bl::full<float>({1000}, 0.1F)) == 0);
}

TEST_CASE("logsumexp neither overflows nor loses what is small") {
    const Tensor<double> x = {{1000, 1000}, {-1000, -1000}, {0, -50}};
    const auto y = bl::logsumexp(x, 1);
    CHECK(y(0) == Approx(1000 + std::log(2.0)));
    CHECK(y(1) == Approx(-1000 + std::log(2.0)));
    CHECK(y(2) == Approx(std::exp(-50.0)).margin(1e-16));
    CHECK(bl::logsumexp(Tensor<double>{-inf, -inf}) == -inf);
    CHECK(bl::logsumexp(Tensor<double>{inf, -inf, 3}) == inf);
    CHECK(std::isnan(bl::logsumexp(Tensor<double>{inf, std::nan("")})));
}

TEST_CASE("Over nothing a variance is NaN, a norm 0 and logsumexp minus infinity") {
    const auto none = bl::zeros<double>({0, 3});
    CHECK(std::isnan(bl::var(none)));
    CHECK(std::isnan(bl::stddev(none, 0)(2)));
    CHECK(bl::norm(none) == 0);
    CHECK(bl::norm(none, 0, ord(3))(1) == 0);
    CHECK(bl::logsumexp(none) == -inf);
    CHECK(bl::logsumexp(none, 0)(2) == -inf);
    CHECK(bl::logsumexp(none, 1).shape() == Shape{0});
    CHECK(bl::var(none, 1, keepdims).shape() == Shape{0, 1});
    CHECK_THROWS_AS(bl::norm(none, ord(inf)), bl::value_error);
    // Too few elements for what is taken off: NaN, or infinity where they differ.
    CHECK(std::isnan(bl::var(bl::ones<double>({1}), ddof(1))));
    CHECK(bl::var(Tensor<double>{1, 3}, ddof(2)) == inf);
    CHECK(bl::var(Tensor<double>{1, 3}, ddof(3)) == inf);
    CHECK(bl::stddev(Tensor<double>{1, 3}, ddof(5)) == inf);
}

TEST_CASE("Axes that are not there are refused") {
    const auto x = bl::ones<double>({2, 3});
    CHECK_THROWS_AS(bl::var(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::stddev(x, {0, 0}), bl::index_error);
    CHECK_THROWS_AS(bl::norm(x, {1, -1}), bl::index_error);
    CHECK_THROWS_AS(bl::norm(x, -3, ord(1)), bl::index_error);
    CHECK_THROWS_AS(bl::logsumexp(x, {0, 2}, keepdims), bl::index_error);
}

TEST_CASE("Norms of long double have its digits in any order") {
    const Tensor<long double> x = {1.0L / 3, 2.0L / 3, -5.0L / 7};
    const long double exact = std::cbrt(1.0L / 27 + 8.0L / 27 + 125.0L / 343);
    constexpr long double unit = std::numeric_limits<long double>::epsilon();
    CHECK(std::fabs(bl::norm(x, ord(3)) - exact) <= 2 * unit);
}

TEST_CASE("A norm that is refused moves no operand") {
    auto x = bl::ones<double>({2, 3});
    CHECK_THROWS_AS(x = bl::norm(std::move(x), {0, 0}, ord(1)), bl::index_error);
    CHECK((x.shape() == Shape{2, 3} && x(1, 2) == 1));  // NOLINT: a refused call has not moved
    auto nothing = bl::zeros<double>({0, 3});
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(x = bl::norm(std::move(nothing), 0, ord(infinity)), bl::value_error);
    CHECK_THROWS_AS(x = bl::norm(std::move(nothing), 0, ord(-infinity)), bl::value_error);
    CHECK(nothing.shape() == Shape{0, 3});  // NOLINT: likewise
}

TEST_CASE("An expression with a state is evaluated once") {
    int calls = 0;
    const auto next = [&calls](double x) mutable { return x + ++calls; };
    CHECK(bl::var(bl::map(next, bl::zeros<double>({4}))) == 1.25);
    CHECK(calls == 4);
    CHECK(bl::logsumexp(bl::map(next, bl::zeros<double>({3}))) ==
          Approx(7 + std::log(1 + std::exp(-1.0) + std::exp(-2.0))));
    CHECK(calls == 7);
    // It may change what it refers to, though it does not change itself.
    const auto count = [&calls](double x) { return x + ++calls; };
    CHECK(bl::var(bl::map(count, bl::zeros<double>({4}))) == 1.25);
    CHECK(calls == 11);
}

TEST_CASE("What the library lays over an operand is no broadcast of the user's") {
    const Tensor<double> x = {{1, 2, 3}, {4, 5, 9}}, empty = bl::zeros<double>({0, 3});
    int told = 0;
    bl::broadcast_warning::enable([&told](const Shape&, const Shape&) { ++told; });
    {
        const bl::broadcast_guard guard{bl::broadcast_policy::exact};
        CHECK(bl::var(x, 1)(0) == Approx(2.0 / 3));
        CHECK(bl::stddev(x * x, 0, keepdims).shape() == Shape{1, 3});
        CHECK(bl::logsumexp(x, 1).shape() == Shape{2});
        CHECK(bl::norm(x, 0, ord(3)).shape() == Shape{3});
        CHECK(bl::var(empty, 1).shape() == Shape{0});
        CHECK_THROWS_AS(bl::var(x * x[0], 1), bl::shape_error);
    }
    bl::broadcast_warning::disable();
    CHECK(told == 0);
}

TEST_CASE("One axis may stand in braces, as in all reductions") {
    const Tensor<float> x = bl::ones<float>({2, 3, 4});
    CHECK(bl::var(x, {0}).shape() == Shape{3, 4});
    CHECK(bl::stddev(x, {1}).shape() == Shape{2, 4});
    CHECK(bl::norm(x, {2}).shape() == Shape{2, 3});
    CHECK(bl::var(x, ddof(1)) == 0);
}

TEST_CASE("An axis that is not there leaves a dying tensor as it was") {
    Tensor<double> x = {1, 2, 3};
    CHECK_THROWS_AS(bl::var(std::move(x), 1), bl::index_error);
    CHECK_THROWS_AS(bl::logsumexp(std::move(x), 1), bl::index_error);
    CHECK_THROWS_AS(bl::norm(std::move(x), Axes{1}), bl::index_error);
    CHECK(x.shape() == Shape{3});
    CHECK(bl::var(std::move(x)) == 2.0 / 3);
}
