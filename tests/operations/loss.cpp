// The elementwise losses against PyTorch's results in reference/loss.txt; who is told of shapes
// that differ; what an option may hold.
#include "broadloom/operations/loss.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/indexing.hpp"
#include "support/limits.hpp"
#include "support/loss.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Reduction;
using bl::Shape;
using bl::Tensor;
using indexing::Record;
using losses::close;
using losses::reductions;

namespace {

template <class T>
bl::OptionalTensor<T> weight(const Record& record, const std::string& key, std::mt19937& engine) {
    if (record.fields.count(key) == 0) return {};
    return indexing::scrambled(record.array(key).tensor<T>(), engine);
}

/// The loss that a record names, of these operands.
template <class T>
Tensor<T> loss(const Record& record, const Tensor<T>& x, const Tensor<T>& y, Reduction reduction,
               std::mt19937& engine) {
    const std::string& name = record.name;
    if (name == "mse") return bl::mse_loss(x, y, {.reduction = reduction});
    if (name == "l1") return bl::l1_loss(x, y, {.reduction = reduction});
    if (name == "smooth_l1") {
        return bl::smooth_l1_loss(x, y,
                                  {.reduction = reduction, .beta = std::stod(record.word("beta"))});
    }
    if (name == "huber") {
        return bl::huber_loss(x, y,
                              {.reduction = reduction, .delta = std::stod(record.word("delta"))});
    }
    if (name == "kl_div") {
        return bl::kl_div_loss(
            x, y, {.reduction = reduction, .log_target = record.fields.count("log_target") > 0});
    }
    if (name == "bce") {
        return bl::bce_loss(
            x, y, {.reduction = reduction, .weight = weight<T>(record, "weight", engine)});
    }
    return bl::bce_with_logits_loss(x, y,
                                    {.reduction = reduction,
                                     .weight = weight<T>(record, "weight", engine),
                                     .pos_weight = weight<T>(record, "pos_weight", engine)});
}

/// Hears broadcast_warning for its scope.
class Listener {
public:
    Listener() {
        bl::broadcast_warning::enable(
            [this](const Shape& a, const Shape& b) { heard_.emplace_back(a, b); });
    }
    ~Listener() { bl::broadcast_warning::disable(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// What was heard since the last call.
    std::vector<std::pair<Shape, Shape>> heard() { return std::exchange(heard_, {}); }

private:
    std::vector<std::pair<Shape, Shape>> heard_;
};

/// True when `f` throws a shape_error that names both shapes.
template <class F>
bool names(const std::string& a, const std::string& b, F&& f) {
    try {
        f();
    } catch (const bl::shape_error& e) {
        const std::string sentence = e.what();
        return sentence.find(a) != std::string::npos && sentence.find(b) != std::string::npos;
    }
    return false;
}

}  // namespace

TEMPLATE_TEST_CASE("elementwise losses are PyTorch's, with every option and reduction", "", float,
                   double) {
    std::mt19937 engine(1);
    int count = 0;
    for (const Record& record : indexing::records("loss.txt")) {
        if (record.name == "nll" || record.name == "cross_entropy") continue;
        const auto x = record.array("x").tensor<TestType>(),
                   y = record.array("y").tensor<TestType>();
        INFO(record.line);
        for (const auto& [reduction, name] : reductions) {
            CHECK(close(loss(record, x, y, reduction, engine), record.array(name)));
            CHECK(close(loss(record, indexing::scrambled(x, engine), indexing::scrambled(y, engine),
                             reduction, engine),
                        record.array(name)));
        }
        ++count;
    }
    CHECK(count > 200);
}

TEST_CASE("A reduction alone needs no braces") {
    const Tensor<float> x = {0.25F, 0.75F}, y = {0.5F, 1};
    constexpr Reduction sum = Reduction::sum;
    CHECK(bl::mse_loss(x, y, sum).item() == 0.125F);
    CHECK(bl::l1_loss(x, y, sum).item() == 0.5F);
    CHECK(bl::smooth_l1_loss(x, y, sum).item() == 0.0625F);
    CHECK(bl::huber_loss(x, y, sum).item() == 0.0625F);
    CHECK(bl::bce_loss(x, y, sum).item() == bl::bce_loss(x, y, {.reduction = sum}).item());
    CHECK(bl::bce_with_logits_loss(x, y, sum).item() ==
          bl::bce_with_logits_loss(x, y, {.reduction = sum}).item());
    CHECK(bl::kl_div_loss(x, y, sum).item() == bl::kl_div_loss(x, y, {.reduction = sum}).item());
}

TEST_CASE("a loss is a floating tensor, of rank 0 unless it is not reduced") {
    const Tensor<int> x = {1, 2, 4}, y = {{1}, {0}};
    const auto loss = bl::mse_loss(x, y);
    STATIC_REQUIRE(std::is_same_v<decltype(loss), const Tensor<double>>);
    CHECK(loss.shape() == Shape{});
    CHECK(loss.item() == (0 + 1 + 9 + 1 + 4 + 16) / 6.0);
    CHECK(bl::mse_loss(x, y, {Reduction::none}).shape() == Shape{2, 3});
    STATIC_REQUIRE(std::is_same_v<decltype(bl::l1_loss(bl::ones<float>({2}), x)), Tensor<float>>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::l1_loss(bl::ones<float>({2}), bl::ones<double>({2}))),
                       Tensor<double>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::l1_loss(bl::ones<float>({2}), 0.5)), Tensor<float>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::l1_loss(x, 0.5)), Tensor<double>>);
}

TEST_CASE("a loss takes expressions and numbers") {
    const Tensor<float> x = {1, 2, 3};
    CHECK(bl::mse_loss(x * 2.0F, x + 1.0F, {.reduction = Reduction::sum}).item() == 0 + 1 + 4);
    CHECK(bl::l1_loss(x, 2, {.reduction = Reduction::sum}).item() == 2);
    CHECK(bl::l1_loss(2, x, {.reduction = Reduction::sum}).item() == 2);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::bce_loss(x * 0.5F, 1)), Tensor<float>>);
    CHECK(bl::bce_with_logits_loss(x * 0.0F, 0.5).item() == Approx(std::log(2.0)));
}

TEST_CASE("a float loss over a million elements is as exact as its elements") {
    const Tensor<float> x = bl::full<float>({1000, 1000}, 0.1F);
    CHECK(bl::l1_loss(x, 0.0F).item() == Approx(0.1).epsilon(1e-7));
    CHECK(bl::l1_loss(x, 0.0F, {.reduction = Reduction::sum}).item() == Approx(1e5).epsilon(1e-6));
}

TEST_CASE("infinite logits and impossible targets have the losses that PyTorch gives them") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor<double> x = {inf, inf, inf, -inf, -inf}, y = {0, 1, 0.5, 0, 1};
    const indexing::Array logistic{{5}, {inf, nan, inf, nan, nan}};
    CHECK(close(bl::bce_with_logits_loss(x, y, {.reduction = Reduction::none}), logistic));
    const Tensor<double> log_p = {-inf, -inf, 0, -1}, p = {0, 1, 1, 0};
    const indexing::Array divergence{{4}, {nan, inf, 0, 0}};
    CHECK(close(bl::kl_div_loss(log_p, p, {.reduction = Reduction::none}), divergence));
}

TEST_CASE("a loss over nothing has the mean NaN and the sum 0") {
    const auto nothing = bl::zeros<float>({0, 3});
    CHECK(std::isnan(bl::mse_loss(nothing, nothing).item()));
    CHECK(bl::mse_loss(nothing, nothing, {.reduction = Reduction::sum}).item() == 0);
    CHECK(bl::mse_loss(nothing, nothing, {.reduction = Reduction::none}).shape() == Shape{0, 3});
    CHECK(std::isnan(bl::bce_loss(nothing, nothing, {.weight = {1, 2, 3}}).item()));
}

TEST_CASE("a loss tells the warning's handler, once, of shapes that differ") {
    const auto column = bl::full<double>({4, 1}, 0.5), row = bl::full<double>({4}, 0.5),
               table = bl::full<double>({3, 4}, 0.5);
    Listener listener;
    const auto each = [&](const auto& x, const auto& y, std::size_t times) {
        const auto told = [&](const Tensor<double>& result) {
            CHECK(result.rank() == 0);
            const auto heard = listener.heard();
            REQUIRE(heard.size() == times);
            if (times == 1) CHECK((heard[0].first == x.shape() && heard[0].second == y.shape()));
        };
        told(bl::mse_loss(x, y));
        told(bl::l1_loss(x, y));
        told(bl::smooth_l1_loss(x, y));
        told(bl::huber_loss(x, y));
        told(bl::kl_div_loss(x, y));
        told(bl::kl_div_loss(x, y, {.log_target = true}));
        told(bl::bce_loss(x, y, {.weight = 2}));
        told(bl::bce_with_logits_loss(x, y, {.weight = 3, .pos_weight = 2}));
    };
    each(column, row, 1);
    each(table, row, 1);
    each(row, column, 1);
    each(row, row, 0);
    each(table, table, 0);
    CHECK(bl::mse_loss(row, 1).rank() == 0);
    CHECK(listener.heard().empty());
}

TEST_CASE("a contract in force refuses a loss to broadcast, but not its weight") {
    const auto column = bl::ones<double>({4, 1}), row = bl::ones<double>({4}),
               table = bl::ones<double>({3, 4});
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    CHECK_THROWS_AS(bl::mse_loss(column, row), bl::shape_error);
    CHECK_THROWS_AS(bl::bce_with_logits_loss(table, row), bl::shape_error);
    CHECK(bl::mse_loss(table, table).item() == 0);
    CHECK(bl::bce_loss(table, table, {.weight = row}).item() == 0);
    CHECK(bl::bce_with_logits_loss(table, table, {.weight = row, .pos_weight = 2}).rank() == 0);
}

TEST_CASE("shapes that do not fit are named") {
    const auto x = bl::ones<double>({2, 3}), y = bl::ones<double>({4}),
               z = bl::ones<double>({2, 4});
    CHECK(names("(2, 3)", "(4,)", [&] { (void)bl::mse_loss(x, y); }));
    CHECK(names("(2, 3)", "(4,)", [&] { (void)bl::bce_loss(x, y); }));
    CHECK(names("(2, 3)", "(4,)", [&] { (void)bl::bce_with_logits_loss(x, y); }));
    CHECK(names("(2, 3)", "(4,)", [&] { (void)bl::bce_loss(x, x, {.weight = y}); }));
    CHECK(
        names("(2, 3)", "(4,)", [&] { (void)bl::bce_with_logits_loss(x, x, {.pos_weight = y}); }));
    // A weight does not make the losses more than they are.
    CHECK(names("(2, 4)", "(4,)", [&] { (void)bl::bce_loss(y, y, {.weight = z}); }));
}

TEST_CASE("a loss that is refused moves no operand") {
    auto x = bl::full<double>({2, 3}, 0.5);
    const auto target = bl::ones<double>({2, 3}), y = bl::ones<double>({4});
    CHECK_THROWS_AS(bl::bce_loss(std::move(x), target, {.weight = y}), bl::shape_error);
    CHECK_THROWS_AS(bl::bce_with_logits_loss(std::move(x), target, {.pos_weight = y}),
                    bl::shape_error);
    CHECK((x.shape() == Shape{2, 3} && x(1, 2) == 0.5));  // NOLINT: a refused call has not moved
}

TEST_CASE("a bend that is no bend is a value_error") {
    const auto x = bl::ones<double>({2});
    CHECK_THROWS_AS(bl::smooth_l1_loss(x, x, {.beta = -1}), bl::value_error);
    CHECK_THROWS_AS(bl::smooth_l1_loss(x, x, {.beta = std::nan("")}), bl::value_error);
    CHECK_THROWS_AS(bl::huber_loss(x, x, {.delta = 0}), bl::value_error);
    CHECK_THROWS_AS(bl::huber_loss(x, x, {.delta = std::nan("")}), bl::value_error);
}

TEST_CASE("an option holds nothing, a number, braces, or any operand") {
    CHECK(!bl::OptionalTensor<float>());
    const bl::OptionalTensor<float> number = 2, braces = {{1, 2}, {3, 4}};
    CHECK((number && number.view().shape() == Shape{} && number.view().item() == 2));
    CHECK((braces.view().shape() == Shape{2, 2} && braces.view()(1, 0) == 3));

    // What has a name is looked at, what has not is kept, and so are other types.
    Tensor<float> named = {1, 2, 3};
    const bl::OptionalTensor<float> seen = named, view = named(bl::range(1, {})),
                                    kept = Tensor<float>{5, 6}, sum = named + 1.0F,
                                    wide = Tensor<double>{7, 8};
    CHECK(seen.view().data() == named.data());
    CHECK(view.view().data() == named.data() + 1);
    CHECK(kept.view()(1) == 6);
    CHECK(sum.view()(2) == 4);
    CHECK(wide.view()(0) == 7);

    // A copy outlives what it was made from.
    bl::OptionalTensor<float> copy;
    {
        const bl::OptionalTensor<float> brief = Tensor<float>{5, 6};
        copy = brief;
    }
    CHECK(copy.view()(1) == 6);

    bl::BceOptions<double> options;
    options.weight = Tensor<double>{1, 3};
    const Tensor<double> p = {0.5, 0.5}, y = {1, 1};
    CHECK(bl::bce_loss(p, y, options).item() == Approx(2 * std::log(2.0)));
    options.weight = {};
    CHECK(bl::bce_loss(p, y, options).item() == Approx(std::log(2.0)));
}
