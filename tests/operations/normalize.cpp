// softmax, log_softmax, layer and batch normalisation against PyTorch's results in
// reference/reduce.txt; rows of large, infinite and no elements; contracts and shapes.
#include "broadloom/operations/normalize.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/limits.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::Axes, bl::index_t, bl::keepdims, bl::Shape, bl::Tensor;

namespace {

/// Compares an operation along one axis, or from one axis on, with the records.
template <class T, class F>
void check_rows(const std::string& operation, int units, F&& compute) {
    std::mt19937 engine(1);
    const auto list = folds::records(operation, folds::name_of<T>());
    CHECK(list.size() >= 2);
    for (const auto& record : list) {
        using R = bl::mean_t<T>;
        const auto x = record.data.template tensor<T>(), scrambled = indexing::scrambled(x, engine);
        const auto expected = record.result.template tensor<R>();
        INFO(record.text());
        CHECK(folds::close(Tensor<R>(compute(x.view(), record.list())), expected, units));
        CHECK(folds::close(Tensor<R>(compute(scrambled.view(), record.list())), expected, units));
    }
}

/// A tensor of small numbers that doubles hold exactly.
Tensor<double> drawn(naive::Random& random, const Shape& shape) {
    Tensor<double> x = bl::empty<double>(shape);
    for (double& e : x) e = static_cast<double>(random(-100, 100)) / 16;
    return x;
}

/// True when no element is farther from what is expected than absolute + relative * |expected|.
bool near(const Tensor<double>& x, const Tensor<double>& expected, double relative,
          double absolute) {
    if (x.shape() != expected.shape()) return false;
    for (index_t i = 0; i < x.size(); ++i) {
        const double e = expected.data()[i];
        if (!(std::abs(x.data()[i] - e) <= absolute + relative * std::abs(e))) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("Normalisations are PyTorch's, rows of infinities and NaN included") {
    const auto softmax = [](const auto& x, const bl::IndexList& axes) {
        return bl::softmax(x, axes[0]);
    };
    const auto log_softmax = [](const auto& x, const bl::IndexList& axes) {
        return bl::log_softmax(x, axes[0]);
    };
    const auto layer_norm = [](const auto& x, const bl::IndexList& axes) {
        return bl::layer_norm(x, axes);
    };
    check_rows<float>("softmax", 8, softmax);
    check_rows<double>("softmax", 8, softmax);
    check_rows<std::int64_t>("softmax", 8, softmax);
    check_rows<float>("log_softmax", 8, log_softmax);
    check_rows<double>("log_softmax", 8, log_softmax);
    check_rows<float>("layer_norm", 40, layer_norm);
    check_rows<double>("layer_norm", 40, layer_norm);
}

TEST_CASE("softmax sums to 1 along any axis of any layout, and log_softmax is its logarithm") {
    naive::Random random(1);
    for (const Shape& shape : naive::all_shapes(3, 3)) {
        for (index_t axis = -shape.rank(); axis < shape.rank(); ++axis) {
            naive::Presented<double> x(shape, naive::Way::random, random);
            x.fill([&] { return static_cast<double>(random(-4000, 4000)) / 10; });
            const auto y = bl::softmax(x.read(), axis), z = bl::log_softmax(x.read(), axis);
            CHECK((y.shape() == shape && z.shape() == shape));
            if (shape.size() == 0) continue;
            for (const double total : bl::sum(y, axis)) CHECK(std::abs(total - 1) <= 1e-12);
            Tensor<double> powers = z;
            for (double& e : powers) e = std::exp(e);
            CHECK(near(powers, y, 1e-10, 1e-300));
            CHECK(near(z, x.read() - bl::logsumexp(x.read(), axis, keepdims), 1e-12, 1e-12));
        }
    }
}

TEST_CASE("Many long rows are normalised once, in place of an operand about to die as well") {
    const Tensor<double> x = bl::arange<double>(40000).reshape({400, 100}) / 4000.0;
    const Tensor<double> apart = bl::softmax(x), in_place = bl::softmax(x * 1.0);
    CHECK(bl::array_equal(apart, in_place));
    CHECK(bl::allclose(bl::sum(in_place, -1), bl::ones<double>({400})));
    CHECK(bl::allclose(in_place[399], bl::softmax(x[399])));
}

TEST_CASE("A row of minus infinities has no softmax, a masked one has") {
    const Tensor<float> x = {
        {0, static_cast<float>(-inf), 0},
        {static_cast<float>(-inf), static_cast<float>(-inf), static_cast<float>(-inf)},
        {1e30F, 1e30F, -1e30F}};
    const auto y = bl::softmax(x, -1);
    CHECK((y(0, 0) == 0.5F && y(0, 1) == 0 && y(0, 2) == 0.5F));
    CHECK((std::isnan(y(1, 0)) && std::isnan(y(1, 2))));
    CHECK((y(2, 0) == 0.5F && y(2, 2) == 0));
    const auto z = bl::log_softmax(x, -1);
    CHECK(z(0, 1) == static_cast<float>(-inf));
    CHECK(z(2, 2) == -2e30F);
    CHECK(std::isnan(bl::softmax(Tensor<double>{inf, 1}, 0)(0)));
}

TEST_CASE("softmax takes expressions and integers, and refuses axes that are not there") {
    const Tensor<int> x = {{1, 2}, {3, 3}};
    STATIC_REQUIRE(std::is_same_v<decltype(bl::softmax(x, 0)), Tensor<double>>);
    CHECK(bl::softmax(x, 1)(1, 0) == 0.5);
    CHECK(bl::softmax(x * 1.0, 1)(1, 1) == 0.5);
    CHECK_THROWS_AS(bl::softmax(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::log_softmax(x, -3), bl::index_error);
    CHECK_THROWS_AS(bl::softmax(bl::full<double>({}, 1), 1), bl::index_error);
    CHECK(bl::softmax(bl::full<double>({}, 1), 0).item() == 1);
    CHECK(bl::softmax(bl::zeros<double>({0, 3}), 0).shape() == Shape{0, 3});
    CHECK(bl::log_softmax(bl::zeros<double>({3, 0}), 1).shape() == Shape{3, 0});
}

TEST_CASE("layer_norm scales and shifts by parameters that broadcast to its operand") {
    naive::Random random(2);
    const auto x = drawn(random, {4, 3, 5}), gamma = drawn(random, {3, 5}),
               beta = drawn(random, {5});
    const auto y = bl::layer_norm(x, {1, 2}, gamma, beta, 1e-3);
    for (index_t n = 0; n < 4; ++n) {
        double middle = 0, squares = 0;
        for (const double e : x[n]) middle += e / 15;
        for (const double e : x[n]) squares += (e - middle) * (e - middle) / 15;
        for (index_t i = 0; i < 3; ++i) {
            for (index_t j = 0; j < 5; ++j) {
                const double expected =
                    (x(n, i, j) - middle) / std::sqrt(squares + 1e-3) * gamma(i, j) + beta(j);
                CHECK(y(n, i, j) == Approx(expected).margin(1e-12));
            }
        }
    }
    CHECK(near(bl::layer_norm(x, {1, 2}, gamma * 1.0, 2, 1e-3), y - beta + 2.0, 1e-12, 1e-12));
    CHECK(bl::layer_norm(bl::zeros<double>({0, 3}), -1).shape() == Shape{0, 3});
    CHECK_THROWS_AS(bl::layer_norm(x, 3), bl::index_error);
    CHECK_THROWS_AS(bl::layer_norm(x, -1, drawn(random, {4}), 0), bl::shape_error);
    CHECK_THROWS_AS(bl::layer_norm(x, -1, gamma, drawn(random, {2, 4, 3, 5})), bl::shape_error);
}

TEST_CASE("batch_norm is the formula, over statistics of the caller") {
    const Tensor<double> x = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
    const Tensor<double> middle = {{1}, {2}, {3}}, variance = {{4}, {5}, {6}},
                         gamma = {{1}, {-1}, {2}};
    const auto y = bl::batch_norm(x, middle, variance, gamma, 0.5, 0.1);
    CHECK(y.shape() == x.shape());
    for (index_t n = 0; n < 2; ++n) {
        for (index_t c = 0; c < 3; ++c) {
            for (index_t i = 0; i < 2; ++i) {
                const double expected =
                    (x(n, c, i) - middle(c, 0)) / std::sqrt(variance(c, 0) + 0.1) * gamma(c, 0) +
                    0.5;
                CHECK(y(n, c, i) == Approx(expected));
            }
        }
    }
    CHECK(
        near(bl::batch_norm(x * 1.0, middle + 0.0, variance * 1.0, gamma, 0.5, 0.1), y, 1e-14, 0));
    CHECK(bl::batch_norm(x, 1.0, 4.0, 2, 0, 0)(0, 0, 1) == 1);
    CHECK(naive::equal(bl::batch_norm(x, middle, variance),
                       bl::batch_norm(x, middle, variance, 1, 0)));
    CHECK(naive::equal(bl::batch_norm(x, middle, variance, 0.1),
                       bl::batch_norm(x, middle, variance, 1, 0, 0.1)));
    CHECK_THROWS_AS(bl::batch_norm(x, bl::zeros<double>({2}), 1, 1, 0), bl::shape_error);
    CHECK_THROWS_AS(bl::batch_norm(x, 0, bl::ones<double>({4, 2, 3, 2}), 1, 0), bl::shape_error);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::batch_norm(bl::ones<float>({2}), 0, 1, 1, 0)), Tensor<float>>);
}

TEST_CASE("batch_norm lays statistics of rank 1 on the channels, wherever they would broadcast") {
    naive::Random random(3);
    const Tensor<double> channels = drawn(random, {3}), variance = channels * channels + 0.5;
    for (const Shape& shape : {Shape{2, 3}, Shape{2, 3, 4}, Shape{2, 3, 3}, Shape{2, 3, 5, 3}}) {
        const Tensor<double> x = drawn(random, shape);
        const auto over = bl::align(channels, shape.rank(), 1).copy(),
                   variance_over = bl::align(variance, shape.rank(), 1).copy();
        const auto expected = bl::batch_norm(x, over, variance_over, over, 0.5);
        CHECK(naive::equal(bl::batch_norm(x, channels, variance, channels, 0.5), expected));
        CHECK(naive::equal(bl::batch_norm(x, channels + 0.0, variance, over, 0.5), expected));
    }
    CHECK(bl::batch_norm(drawn(random, {3}), channels, variance, 1, 0).shape() == Shape{3});
    CHECK(bl::batch_norm(drawn(random, {0, 3, 2}), channels, variance, 1, 0).shape() ==
          Shape{0, 3, 2});
    CHECK(bl::batch_norm(drawn(random, {2, 3, 2}), drawn(random, {1}), 1, 1, 0).shape() ==
          Shape{2, 3, 2});
}

TEST_CASE("A contract refuses no broadcast of the library's own, and the warning tells of none") {
    const Tensor<double> x = {{1, 2, 3}, {4, 5, 9}}, gamma = {1, 2, 3}, column = {{1}, {2}};
    const auto soft = bl::softmax(x, 1), log_soft = bl::log_softmax(x, 0),
               layer = bl::layer_norm(x, 1, gamma, 0);
    int told = 0;
    bl::broadcast_warning::enable([&told](const Shape&, const Shape&) { ++told; });
    for (const auto policy : {bl::broadcast_policy::exact, bl::broadcast_policy::no_rank_promotion,
                              bl::broadcast_policy::one_sided}) {
        const bl::broadcast_guard guard{policy};
        CHECK(folds::close(bl::softmax(x, 1), soft, 0));
        CHECK(folds::close(bl::log_softmax(x, 0), log_soft, 0));
        CHECK(folds::close(bl::layer_norm(x, 1, gamma, 0), layer, 0));
        CHECK(bl::batch_norm(x, column, column * 2.0, gamma, column).shape() == x.shape());
        CHECK(bl::softmax(bl::zeros<double>({0, 3}), 1).shape() == Shape{0, 3});
        CHECK(bl::layer_norm(bl::zeros<double>({0, 3}), 1).shape() == Shape{0, 3});
    }
    bl::broadcast_warning::disable();
    CHECK(told == 0);
}

TEST_CASE("layer_norm refuses axes that are not there, of nothing too") {
    const auto none = bl::zeros<float>({0, 3});
    CHECK_THROWS_AS(bl::layer_norm(none, 2), bl::index_error);
    CHECK_THROWS_AS(bl::layer_norm(none, {1, 1}), bl::index_error);
    CHECK(bl::layer_norm(none, 1).shape() == bl::Shape{0, 3});
    auto x = bl::ones<float>({2, 3});
    CHECK_THROWS_AS(x = bl::layer_norm(std::move(x), 7), bl::index_error);
    CHECK((x.shape() == Shape{2, 3} && x(1, 2) == 1));  // NOLINT: a refused call has not moved
}

TEST_CASE("softmax of nothing is empty, however long its rows") {
    constexpr index_t most = std::numeric_limits<index_t>::max();
    const Tensor<float> one = bl::ones<float>({1});
    CHECK(bl::softmax(one.broadcast_to({most}).broadcast_to({0, most}), 1).size() == 0);
}

TEST_CASE("softmax is along the last axis unless told otherwise") {
    const Tensor<double> x = bl::arange<double>(6).reshape({2, 3});
    CHECK(bl::array_equal(bl::softmax(x), bl::softmax(x, -1)));
    CHECK(bl::array_equal(bl::log_softmax(x), bl::log_softmax(x, 1)));
}

TEST_CASE("A normalised tensor may be scaled without being shifted") {
    const Tensor<double> x = bl::arange<double>(6).reshape({2, 3}), gamma = {1, 2, 3};
    CHECK(bl::array_equal(bl::layer_norm(x, -1, gamma), bl::layer_norm(x, -1, gamma, 0)));
    const Tensor<double> mean = bl::mean(x, 0), var = bl::var(x, 0);
    CHECK(bl::array_equal(bl::batch_norm(x, mean, var, gamma),
                          bl::batch_norm(x, mean, var, gamma, 0)));
}

TEST_CASE("Each parameter may lie in a large operand about to die") {
    const Tensor<double> x = bl::sin(bl::arange<double>(40000)).reshape({400, 100});
    const Tensor<double> row = x[0].copy();
    for (const bool scales : {true, false}) {
        Tensor<double> y = x;
        const auto in_y = y[0];
        const auto dying = scales ? bl::layer_norm(std::move(y), -1, in_y, 0.5)
                                  : bl::layer_norm(std::move(y), -1, 0.5, in_y);
        CHECK(bl::array_equal(
            dying, scales ? bl::layer_norm(x, -1, row, 0.5) : bl::layer_norm(x, -1, 0.5, row)));
    }
}

TEST_CASE("Statistics that are not one for each channel are named by their shape") {
    const Tensor<double> x = bl::zeros<double>({2, 3, 4}), four = bl::zeros<double>({4});
    CHECK_THROWS_WITH(bl::batch_norm(x, four, four),
                      Catch::Matchers::ContainsSubstring("shape (4,)") &&
                          Catch::Matchers::ContainsSubstring("shape (2, 3, 4)"));
}

TEST_CASE("batch_norm that is refused leaves a tensor about to die as it was") {
    const Tensor<float> three = bl::ones<float>({3}), four = bl::ones<float>({4});
    Tensor<float> x = bl::ones<float>({2, 3});
    CHECK_THROWS_AS(bl::batch_norm(std::move(x), four, three), bl::shape_error);
    CHECK_THROWS_AS(bl::batch_norm(std::move(x), three, four), bl::shape_error);
    CHECK_THROWS_AS(bl::batch_norm(std::move(x), three, three, four, three), bl::shape_error);
    CHECK_THROWS_AS(bl::batch_norm(std::move(x), three, three, three, four), bl::shape_error);
    CHECK(naive::equal(x, bl::ones<float>({2, 3})));  // NOLINT: a refused call has not moved
}
