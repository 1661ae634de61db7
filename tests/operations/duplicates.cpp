// What becomes of several elements for one place, by every policy, against loops over single
// elements; scatter.cpp compares the policies with PyTorch's results.
#include "broadloom/operations/duplicates.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/scatter.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::Duplicates;
using bl::index_t;
using bl::Tensor;
using indexing::Array;

TEST_CASE("of several elements for one place the policy chooses") {
    const Tensor<int> self = {10, 20, 30, 40};
    const Tensor<int> where = {1, 3, 1, 1};
    const Tensor<int> src = {5, 6, 7, -8};
    const auto by = [&](Duplicates policy) { return bl::scatter(self, 0, where, src, policy); };
    CHECK(bl::array_equal(by(Duplicates::last), Tensor<int>{10, -8, 30, 6}));
    CHECK(bl::array_equal(by(Duplicates::first), Tensor<int>{10, 5, 30, 6}));
    CHECK(bl::array_equal(by(Duplicates::add), Tensor<int>{10, 24, 30, 46}));
    CHECK(bl::array_equal(by(Duplicates::multiply), Tensor<int>{10, -5600, 30, 240}));
    CHECK(bl::array_equal(by(Duplicates::min), Tensor<int>{10, -8, 30, 6}));
    CHECK(bl::array_equal(by(Duplicates::max), Tensor<int>{10, 20, 30, 40}));
    CHECK(bl::array_equal(by(Duplicates::mean), Tensor<int>{10, 6, 30, 23}));

    Tensor<int> x = self;
    CHECK_THROWS_AS(bl::scatter_(x, 0, where, src, Duplicates::error), bl::index_error);
    CHECK(bl::array_equal(x, self));
    bl::scatter_(x, 0, Tensor<int>{3, 0}, Tensor<int>{1, 2}, Duplicates::error);
    CHECK(bl::array_equal(x, Tensor<int>{2, 20, 30, 1}));
}

TEST_CASE("every policy keeps the row-major order of the elements, in every layout") {
    std::mt19937 engine(5);
    for (int round = 0; round < 150; ++round) {
        const std::vector<index_t> shape = {3, 4, 5};
        const auto dim = static_cast<std::size_t>(engine() % 3);
        std::vector<index_t> other = shape;
        other[dim] = 9;
        const Array self = indexing::random(shape, -20, 20, engine);
        const Array index = indexing::random(other, 0, shape[dim], engine);
        const Array source = indexing::random(other, -20, 20, engine);
        std::map<std::size_t, std::vector<double>> met;  // at each place, in order
        indexing::for_each_index(other, [&](const std::vector<index_t>& at) {
            std::vector<index_t> to = at;
            to[dim] = static_cast<index_t>(index.broadcast(at));
            met[self.offset(to)].push_back(source.broadcast(at));
        });
        const auto check = [&](Duplicates policy, auto&& combined) {
            Array expected = self;
            for (const auto& [place, values] : met) {
                expected.values[place] = combined(self.values[place], values);
            }
            Tensor<double> x = indexing::scrambled(self.tensor<double>(), engine);
            bl::scatter_(x, static_cast<index_t>(dim),
                         indexing::scrambled(index.tensor<index_t>(), engine),
                         indexing::scrambled(source.tensor<double>(), engine), policy);
            CHECK(indexing::equal(x, expected));
        };
        using Values = std::vector<double>;
        check(Duplicates::last, [](double, const Values& v) { return v.back(); });
        check(Duplicates::first, [](double, const Values& v) { return v.front(); });
        check(Duplicates::add, [](double sum, const Values& v) {
            for (const double e : v) sum += e;
            return sum;
        });
        check(Duplicates::multiply, [](double product, const Values& v) {
            for (const double e : v) product *= e;
            return product;
        });
        check(Duplicates::min, [](double least, const Values& v) {
            for (const double e : v) least = e < least ? e : least;
            return least;
        });
        check(Duplicates::max, [](double most, const Values& v) {
            for (const double e : v) most = e > most ? e : most;
            return most;
        });
        check(Duplicates::mean, [](double sum, const Values& v) {
            for (const double e : v) sum += e;
            return sum / static_cast<double>(v.size() + 1);
        });
    }
}

TEST_CASE("an element that is named twice is said to be") {
    Tensor<int> x = bl::zeros<int>({2, 3});
    const Tensor<int> twice = {{0, 2, 2}};
    CHECK_THROWS_WITH(
        bl::scatter_(x, 1, twice, 1, Duplicates::error),
        Catch::Matchers::ContainsSubstring("the element (0, 2) of shape (2, 3) 2 times"));
    CHECK(bl::array_equal(x, bl::zeros<int>({2, 3})));
}

TEST_CASE("no element goes anywhere from a view of nothing") {
    Tensor<float> x = bl::zeros<float>({4, 0});
    const bl::TensorView<const float> nothing(nullptr, {3, 0}, {-2, 1});
    bl::scatter_(x, 0, Tensor<int>{{0}, {1}, {2}}, nothing, Duplicates::first);
    CHECK(x.size() == 0);
}

TEST_CASE("a mean of integers does not overflow on the way and rounds down") {
    Tensor<std::int8_t> x = {100, -7};
    const Tensor<std::int8_t> src = {100, 120, 0};
    bl::scatter_(x, 0, Tensor<int>{0, 0, 1}, src, Duplicates::mean);
    CHECK(bl::array_equal(x, Tensor<std::int8_t>{106, -4}));
}

TEST_CASE("a policy that the elements do not know is refused and changes nothing") {
    Tensor<bool> truth = {true, false};
    CHECK_THROWS_AS(bl::scatter_(truth, 0, Tensor<int>{1}, true, Duplicates::mean),
                    bl::value_error);
    CHECK(bl::array_equal(truth, Tensor<bool>{true, false}));
    bl::scatter_(truth, 0, Tensor<int>{1}, true, Duplicates::max);
    CHECK(bl::array_equal(truth, Tensor<bool>{true, true}));

    Tensor<indexing::Triple> x = bl::empty<indexing::Triple>({2});
    x.fill(indexing::Triple(1));
    const Tensor<indexing::Triple> src = x(bl::range(1));
    for (const Duplicates policy : {Duplicates::add, Duplicates::multiply, Duplicates::min,
                                    Duplicates::max, Duplicates::mean}) {
        CHECK_THROWS_AS(bl::scatter_(x, 0, Tensor<int>{1}, src, policy), bl::value_error);
    }
    CHECK(x(1) == indexing::Triple(1));
}
