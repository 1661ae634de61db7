// The losses over classes against PyTorch's results in reference/loss.txt, and what they refuse.
#include "broadloom/operations/cross_entropy.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/indexing.hpp"
#include "support/limits.hpp"
#include "support/loss.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Reduction;
using bl::Shape;
using bl::Tensor;
using indexing::Record;
using losses::close;
using losses::reductions;

namespace {

/// The loss that a record names, of these operands.
template <class T, class Y>
Tensor<T> loss(const Record& record, const Tensor<T>& x, const Tensor<Y>& y, Reduction reduction,
               std::mt19937& engine) {
    bl::OptionalTensor<T> weight;
    if (record.fields.count("weight") > 0) {
        weight = indexing::scrambled(record.array("weight").tensor<T>(), engine);
    }
    const index_t ignore = record.number("ignore");
    if constexpr (std::is_integral_v<Y>) {
        if (record.name == "nll") {
            return bl::nll_loss(x, y,
                                {.reduction = reduction, .weight = weight, .ignore_index = ignore});
        }
    }
    return bl::cross_entropy(x, y,
                             {.reduction = reduction,
                              .weight = weight,
                              .ignore_index = ignore,
                              .label_smoothing = std::stod(record.word("smoothing"))});
}

/// What the index_error or shape_error says that `f` throws.
template <class Error, class F>
std::string thrown(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEMPLATE_TEST_CASE("losses over classes are PyTorch's, with every option and reduction", "", float,
                   double) {
    std::mt19937 engine(1);
    int count = 0, probabilities = 0;
    for (const Record& record : indexing::records("loss.txt")) {
        if (record.name != "nll" && record.name != "cross_entropy") continue;
        const auto x = record.array("x").tensor<TestType>();
        const auto strange = indexing::scrambled(x, engine);
        INFO(record.line);
        for (const auto& [reduction, name] : reductions) {
            const indexing::Array expected = record.array(name);
            if (x.shape() == record.array("y").extents()) {
                const auto y = record.array("y").tensor<TestType>();
                CHECK(close(loss(record, x, y, reduction, engine), expected));
                CHECK(
                    close(loss(record, strange, indexing::scrambled(y, engine), reduction, engine),
                          expected));
                ++probabilities;
            } else {
                const auto y = record.array("y").tensor<index_t>();
                CHECK(close(loss(record, x, y, reduction, engine), expected));
                CHECK(
                    close(loss(record, strange, indexing::scrambled(y, engine), reduction, engine),
                          expected));
                ++count;
            }
        }
    }
    CHECK(count > 500);
    CHECK(probabilities > 100);
}

TEST_CASE("Of classes, too, a reduction alone needs no braces") {
    const Tensor<float> scores = {{0.5F, 1}, {2, 4}};
    const Tensor<int> classes = {1, 0};
    CHECK(naive::equal(bl::nll_loss(scores, classes, Reduction::none), Tensor<float>{-1, -2}));
    CHECK(bl::nll_loss(scores[1], 1, Reduction::sum).item() == -4);
    CHECK(bl::cross_entropy(scores, classes, Reduction::none).shape() == Shape{2});
}

TEST_CASE("classes are integers of any type, and one class may be a number") {
    const Tensor<double> x = {{2, 1, 0}, {0, 1, 2}};
    const double near = std::log(1 + std::exp(-1) + std::exp(-2)), far = near + 2;
    CHECK(bl::cross_entropy(x, Tensor<index_t>{0, 2}).item() == Approx(near));
    CHECK(bl::cross_entropy(x, Tensor<std::uint8_t>{2, 0}).item() == Approx(far));
    CHECK(bl::cross_entropy(x, Tensor<int>{2, -100}).item() == Approx(far));
    CHECK(bl::cross_entropy(x, Tensor<std::uint64_t>{2, 255}, {.ignore_index = 255}).item() ==
          Approx(far));
    CHECK(bl::cross_entropy(x, Tensor<bool>{false, true}).item() == Approx(near + 0.5));
    CHECK(bl::cross_entropy(x[0], 0).item() == Approx(near));
    CHECK(bl::nll_loss(x[0], 1).item() == -1);
    CHECK(bl::nll_loss(x[0], 1, {.reduction = Reduction::none}).shape() == Shape{});
}

TEST_CASE("classes may stand in braces, or come in a row from elsewhere") {
    const Tensor<double> x = {{2, 1, 0}, {0, 1, 2}};
    const Tensor<int> classes = {2, 0};
    const std::vector<unsigned char> row = {2, 0};
    CHECK(bl::cross_entropy(x, {2, 0}).item() == bl::cross_entropy(x, classes).item());
    CHECK(bl::cross_entropy(x, row, Reduction::sum).item() ==
          bl::cross_entropy(x, classes, Reduction::sum).item());
    CHECK(bl::cross_entropy(x, {2, 0}, {.label_smoothing = 0.5}).item() ==
          bl::cross_entropy(x, classes, {.label_smoothing = 0.5}).item());
    CHECK(naive::equal(bl::nll_loss(x, row, {.reduction = Reduction::none}), Tensor<double>{0, 0}));
    CHECK(bl::nll_loss(x, {0, 2}, Reduction::sum).item() == -4);
    CHECK_THROWS_AS(bl::cross_entropy(x, {3, 0}), bl::index_error);
    CHECK_THROWS_AS(bl::cross_entropy(x, {1}), bl::shape_error);
}

TEST_CASE("a loss over classes has the type of its scores, of integers double") {
    const auto y = bl::zeros<index_t>({2});
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::nll_loss(bl::ones<float>({2, 3}), y)), Tensor<float>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::cross_entropy(bl::ones<float>({2, 3}),
                                                             bl::ones<double>({2, 3}))),
                                  Tensor<float>>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::cross_entropy(bl::ones<int>({2, 3}), y)), Tensor<double>>);
    CHECK(bl::cross_entropy(bl::ones<int>({2, 3}), y).item() == Approx(std::log(3.0)));
    CHECK(bl::cross_entropy(bl::ones<float>({2, 4}), bl::full<double>({2, 4}, 0.25)).item() ==
          Approx(std::log(4.0F)));
}

TEST_CASE("scores, targets and weights may be expressions") {
    const Tensor<double> x = {{2, 1, 0}, {0, 1, 2}};
    const Tensor<index_t> y = {0, 1};
    const Tensor<double> w = {1, 2, 3};
    const double expected =
        bl::cross_entropy(bl::eval(2.0 * x), bl::eval(y + 1), {.weight = bl::eval(w + 1.0)}).item();
    CHECK(bl::cross_entropy(2.0 * x, y + 1, {.weight = w + 1.0}).item() == expected);
    CHECK(bl::cross_entropy(2.0 * x, y + 1, {.weight = {2, 3, 4}}).item() == expected);
    CHECK(bl::nll_loss(-x, y, {.reduction = Reduction::sum}).item() == 3);
    CHECK(bl::cross_entropy(x + 1.0, x / 3.0, {.reduction = Reduction::none}).shape() == Shape{2});
}

TEST_CASE("the mean is over the weights of the targets that count") {
    const Tensor<double> log_p = {{-1, -2}, {-3, -4}, {-5, -6}};
    const Tensor<index_t> y = {0, 1, 0};
    CHECK(bl::nll_loss(log_p, y, {.weight = {2, 5}}).item() == (2 * 1 + 5 * 4 + 2 * 5) / 9.0);
    CHECK(bl::nll_loss(log_p, y, {.weight = {2, 5}, .ignore_index = 0}).item() == 4);
    const auto none = bl::nll_loss(log_p, y, {.reduction = Reduction::none, .ignore_index = 1});
    CHECK(none(0) == 1);
    CHECK(none(1) == 0);
    CHECK(std::isnan(bl::nll_loss(log_p, bl::full<int>({3}, 7), {.ignore_index = 7}).item()));
}

TEST_CASE("infinite losses count, unless the sample is ignored") {
    const Tensor<double> x = {{0, -inf}, {0, 0}};
    const double two = std::log(2.0);
    CHECK(bl::cross_entropy(x, Tensor<int>{1, 0}).item() == inf);
    CHECK(bl::cross_entropy(x, Tensor<int>{1, 0}, {.ignore_index = 1}).item() == Approx(two));
    // Of weight 0 they are NaN, as PyTorch's.
    const auto each = [](const Tensor<double>& losses, double second) {
        return std::isnan(losses(0)) && losses(1) == Approx(second);
    };
    const auto none = Reduction::none;
    CHECK(
        each(bl::cross_entropy(x, Tensor<int>{1, 0}, {.reduction = none, .weight = {1, 0}}), two));
    CHECK(each(bl::cross_entropy(x, Tensor<int>{0, 0},
                                 {.reduction = none, .weight = {1, 0}, .label_smoothing = 0.5}),
               0.75 * two));
    CHECK(each(bl::cross_entropy(x, Tensor<double>{{1, 0}, {0.5, 0.5}}, {.reduction = none}), two));
    CHECK(std::isnan(bl::nll_loss(x, Tensor<int>{1, 1}, {.reduction = none, .weight = {1, 0}})(0)));
    // Where no target counts there is no mean, whatever the other classes add.
    const Tensor<double> plain = {{0, 1}, {0, 0}};
    CHECK(std::isnan(
        bl::cross_entropy(plain, Tensor<int>{1, 1}, {.weight = {1, 0}, .label_smoothing = 0.5})
            .item()));
    // An ignored sample may even be NaN.
    const Tensor<double> unknown = {{std::nan(""), 0}, {0, 0}};
    CHECK(bl::cross_entropy(unknown, Tensor<int>{-100, 0}, {.label_smoothing = 0.5}).item() ==
          Approx(two));
}

TEST_CASE("a class out of range is an index_error that names it, unless it is ignored") {
    const auto x = bl::zeros<float>({2, 3, 2});
    const auto say = [&](const auto& y, index_t ignore) {
        const auto a =
            thrown<bl::index_error>([&] { (void)bl::nll_loss(x, y, {.ignore_index = ignore}); });
        const auto b = thrown<bl::index_error>(
            [&] { (void)bl::cross_entropy(x, y, {.ignore_index = ignore}); });
        CHECK(a == b);
        return a;
    };
    CHECK(say(Tensor<int>{{0, 1}, {3, 2}}, -100) == "class 3 is out of range for 3 classes");
    CHECK(say(Tensor<int>{{0, 1}, {3, 2}}, 3) == "nothing was thrown");
    CHECK(say(Tensor<int>{{-1, 1}, {3, 2}}, 3) == "class -1 is out of range for 3 classes");
    CHECK(say(Tensor<std::uint8_t>{{0, 255}, {1, 2}}, 3) ==
          "class 255 is out of range for 3 classes");
    CHECK(say(Tensor<std::uint64_t>{{0, ~std::uint64_t{99}}, {1, 2}}, -100) ==
          "class 18446744073709551516 is out of range for 3 classes");
    const auto none = bl::zeros<float>({2, 0});
    CHECK_THROWS_AS(bl::cross_entropy(none, Tensor<int>{0, -100}), bl::index_error);
    CHECK_THROWS_AS(bl::cross_entropy(bl::zeros<float>({3}), 3), bl::index_error);
}

TEST_CASE("without classes there is nothing but ignored targets") {
    const auto x = bl::zeros<double>({2, 0});
    const auto y = bl::full<int>({2}, -100);
    CHECK(std::isnan(bl::cross_entropy(x, y).item()));
    CHECK(std::isnan(bl::nll_loss(x, y, {.weight = bl::zeros<double>({0})}).item()));
    CHECK(bl::cross_entropy(x, y, {.reduction = Reduction::sum, .label_smoothing = 0.5}).item() ==
          0);
    CHECK(std::isnan(bl::cross_entropy(x, x).item()));
    CHECK(bl::cross_entropy(x, x, {.reduction = Reduction::none, .label_smoothing = 0.5}).shape() ==
          Shape{2});
}

TEST_CASE("targets that do not fit are a shape_error that names both shapes") {
    const auto check = [](const Shape& scores, const auto& y) {
        const auto x = bl::zeros<float>(scores);
        const auto sentence = thrown<bl::shape_error>([&] { (void)bl::cross_entropy(x, y); });
        INFO(sentence);
        CHECK(sentence.find(bl::detail::text(scores)) != std::string::npos);
        CHECK(sentence.find(bl::detail::text(y.shape())) != std::string::npos);
        if constexpr (std::is_integral_v<bl::element_t<decltype(y)>>) {
            CHECK(sentence == thrown<bl::shape_error>([&] { (void)bl::nll_loss(x, y); }));
        }
    };
    check({2, 3}, bl::zeros<int>({3}));
    check({2, 3}, bl::zeros<int>({2, 1}));
    check({2, 3}, bl::zeros<int>({2, 3}));
    check({2, 3}, bl::zeros<int>({}));
    check({3}, bl::zeros<int>({3}));
    check({3}, bl::zeros<int>({1}));
    check({2, 3, 4}, bl::zeros<int>({2, 3}));
    check({2, 3, 4}, bl::zeros<int>({2, 1}));
    check({2, 3}, bl::zeros<float>({2}));
    check({2, 3}, bl::zeros<float>({1, 3}));
    check({}, bl::zeros<int>({}));
    check({}, bl::zeros<float>({}));
    // Integers in the shape of the scores look like probabilities.
    using Catch::Matchers::ContainsSubstring;
    CHECK_THROWS_WITH(bl::cross_entropy(bl::zeros<float>({2, 3}), bl::zeros<int>({2, 3})),
                      ContainsSubstring("class probabilities are floating values"));
    CHECK_THROWS_WITH(bl::cross_entropy(bl::zeros<float>({2, 3}), bl::zeros<int>({3})),
                      !ContainsSubstring("class probabilities"));

    const auto x = bl::zeros<double>({2, 3});
    const auto y = bl::zeros<int>({2});
    for (const Shape& shape : {Shape{2}, Shape{1}, Shape{}, Shape{1, 3}, Shape{2, 3}}) {
        const auto w = bl::ones<double>(shape);
        CHECK_THROWS_AS(bl::nll_loss(x, y, {.weight = w}), bl::shape_error);
        CHECK_THROWS_AS(bl::cross_entropy(x, y, {.weight = w}), bl::shape_error);
        CHECK_THROWS_AS(bl::cross_entropy(x, x, {.weight = w}), bl::shape_error);
    }
}

TEST_CASE("options out of their range are value_errors") {
    const auto x = bl::zeros<double>({2, 3});
    const auto y = bl::zeros<int>({2});
    for (const double smoothing : {-0.1, 1.1, inf, std::nan("")}) {
        CHECK_THROWS_AS(bl::cross_entropy(x, y, {.label_smoothing = smoothing}), bl::value_error);
        CHECK_THROWS_AS(bl::cross_entropy(x, x, {.label_smoothing = smoothing}), bl::value_error);
    }
    CHECK_THROWS_AS(bl::cross_entropy(x, x, {.ignore_index = 0}), bl::value_error);
}

TEST_CASE("scores and classes may lie in any way") {
    Tensor<float> scores = bl::empty<float>({2, 5, 4, 3});  // samples, 5 x 4 places, classes
    Tensor<int> classes = bl::empty<int>({4, 2, 10});
    for (index_t i = 0; i < scores.size(); ++i)
        scores.data()[i] = static_cast<float>(i * 37 % 101) / 50;
    for (index_t i = 0; i < classes.size(); ++i)
        classes.data()[i] = static_cast<int>(i * 7 % 5) - 2 < 0 ? -100 : static_cast<int>(i % 3);
    const auto laid = scores.move_axis(3, 1);  // (2, 3, 5, 4)
    const auto chosen =
        classes(bl::all, bl::all, bl::range(9, {}, -2)).permute({1, 2, 0});  // (2, 5, 4)
    const Tensor<float> laid_flat = laid.copy();
    const Tensor<int> chosen_flat = chosen.copy();
    const Tensor<float> weight = {1, 2, 3};
    for (const auto reduction : {Reduction::none, Reduction::mean, Reduction::sum}) {
        CHECK(bl::array_equal(
            bl::nll_loss(laid, chosen, {.reduction = reduction, .weight = weight}),
            bl::nll_loss(laid_flat, chosen_flat, {.reduction = reduction, .weight = weight})));
        CHECK(bl::array_equal(bl::cross_entropy(laid, chosen, reduction),
                              bl::cross_entropy(laid_flat, chosen_flat, reduction)));
    }
    const Tensor<float> found = bl::nll_loss(laid, chosen, Reduction::none);
    for (index_t n = 0; n < 2; ++n) {
        for (index_t i = 0; i < 5; ++i) {
            for (index_t j = 0; j < 4; ++j) {
                const int c = chosen(n, i, j);
                CHECK(found(n, i, j) == (c < 0 ? 0.0F : -scores(n, i, j, c)));
            }
        }
    }
}

TEST_CASE("what a loss broadcasts inside is its own affair") {
    const Tensor<double> x = {{{1, 2, 3}}, {{4, 5, 6}}};
    const auto y = bl::zeros<int>({2, 3});
    const Tensor<double> w = {2};
    bl::broadcast_warning::enable([](const Shape&, const Shape&) { CHECK(false); });
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    CHECK(bl::cross_entropy(x, y, {.weight = w, .label_smoothing = 0.5}).item() == 0);
    CHECK(bl::cross_entropy(x, x, {.weight = w, .label_smoothing = 0.5}).item() == 0);
    CHECK(bl::cross_entropy(x.reshape({3, 2}), bl::zeros<int>({3}), {.weight = {1, 2}}).rank() ==
          0);
    CHECK(bl::nll_loss(x, y, {.reduction = Reduction::sum, .weight = w}).item() == -42);
    bl::broadcast_warning::disable();
}

TEST_CASE("a float loss of a hundred thousand samples is as exact as one of them") {
    const auto x = bl::zeros<float>({100000, 7});
    const auto y = bl::full<int>({100000}, 3);
    CHECK(bl::cross_entropy(x, y).item() == Approx(std::log(7.0F)).epsilon(1e-6));
    CHECK(bl::cross_entropy(x, y, {.label_smoothing = 0.3}).item() ==
          Approx(std::log(7.0F)).epsilon(1e-6));
}
