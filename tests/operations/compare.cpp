#include "broadloom/operations/compare.hpp"

#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/limits.hpp"

namespace bl = broadloom;
using bl::allclose, bl::array_equal, bl::isclose, bl::Shape, bl::Tensor;

TEST_CASE("Comparisons give a tensor of bool, broadcast") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    const Tensor<int> row = {2, 2};
    CHECK(array_equal(x < row, Tensor<bool>{{true, false}, {false, false}}));
    CHECK(array_equal(x <= row, Tensor<bool>{{true, true}, {false, false}}));
    CHECK(array_equal(x > 2, Tensor<bool>{{false, false}, {true, true}}));
    CHECK(array_equal(3 >= x, Tensor<bool>{{true, true}, {true, false}}));
    CHECK(array_equal(x == x.transpose(), Tensor<bool>{{true, false}, {false, true}}));
    CHECK(array_equal(x != 2.0F, Tensor<bool>{{true, false}, {true, true}}));
    CHECK_THROWS_AS(x == bl::ones<int>({3}), bl::shape_error);
}

TEST_CASE("Logic takes any value, and evaluates both sides") {
    const Tensor<int> x = {0, 1, 2};
    const Tensor<bool> mask = {true, false, true};
    CHECK(array_equal(x && mask, Tensor<bool>{false, false, true}));
    CHECK(array_equal(x || mask, Tensor<bool>{true, true, true}));
    CHECK(array_equal(!x, Tensor<bool>{true, false, false}));
    CHECK(array_equal(x > 0 && x < 2, Tensor<bool>{false, true, false}));
    CHECK(array_equal(mask & !mask, Tensor<bool>{false, false, false}));
}

TEST_CASE("Closeness is element by element, equality of arrays is one answer") {
    const Tensor<double> x = {1, inf, not_a_number};
    CHECK(array_equal(isclose(x, Tensor<double>{1 + 1e-6, inf, not_a_number}),
                      Tensor<bool>{true, true, false}));
    CHECK(array_equal(isclose(x, x, 0, 0, true), Tensor<bool>{true, true, true}));
    CHECK(allclose(bl::ones<float>({2, 3}), 1));
    CHECK(allclose(bl::ones<float>({2, 1}), bl::ones<double>({3})));
    CHECK(!allclose(Tensor<float>{1, 2}, Tensor<float>{1, 2.1F}));
    CHECK(allclose(Tensor<float>{1, 2}, Tensor<float>{1, 2.1F}, 0.1));
    CHECK(allclose(bl::zeros<float>({0}), 5));
    CHECK_THROWS_AS(allclose(bl::ones<float>({2}), bl::ones<float>({3})), bl::shape_error);
    CHECK(array_equal(x(bl::range(2)), x(bl::range(2))));
    CHECK(!array_equal(x, x));  // NaN
    CHECK(array_equal(x, x, true));
    CHECK(!array_equal(x, Tensor<double>{1, not_a_number, not_a_number}, true));
    CHECK(!array_equal(Tensor<int>{1, 2}, Tensor<double>{1, not_a_number}, true));
    CHECK(!array_equal(bl::ones<int>({2}), bl::ones<int>({3})));
    CHECK(!array_equal(bl::ones<int>({2, 1}), bl::ones<int>({1, 2})));
    CHECK(array_equal(bl::ones<int>({2}), bl::ones<double>({2})));
    CHECK(array_equal(bl::full<int>({}, 3), 3));
    CHECK(!array_equal(bl::full<int>({1}, 3), 3));
    CHECK(array_equal(3, bl::full<int>({}, 3)));
    CHECK(!array_equal(3, bl::full<int>({1}, 3)));
    CHECK(array_equal(bl::zeros<int>({0, 2}), bl::zeros<int>({0, 2})));
    CHECK(!array_equal(bl::zeros<int>({0, 2}), bl::zeros<int>({2, 0})));
}
