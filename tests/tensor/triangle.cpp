#include "broadloom/tensor/triangle.hpp"

#include <cstddef>
#include <limits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::index_t, bl::Shape, bl::Tensor;

TEST_CASE("tri, tril and triu know their diagonals") {
    CHECK(array_equal(bl::tri<int>(2), Tensor<int>{{1, 0}, {1, 1}}));
    CHECK(array_equal(bl::tri<int>(2, 3, 1), Tensor<int>{{1, 1, 0}, {1, 1, 1}}));
    CHECK(array_equal(bl::tri<int>(3, 2, -1), Tensor<int>{{0, 0}, {1, 0}, {1, 1}}));
    CHECK(bl::tri<int>(2, 0).shape() == Shape{2, 0});
    CHECK_THROWS_AS(bl::tri<int>(-1), bl::shape_error);
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    CHECK(array_equal(bl::tril(x), Tensor<int>{{1, 0, 0}, {4, 5, 0}, {7, 8, 9}}));
    CHECK(array_equal(bl::triu(x, 1), Tensor<int>{{0, 2, 3}, {0, 0, 6}, {0, 0, 0}}));
    CHECK(array_equal(bl::tril(x.transpose(), -1), Tensor<int>{{0, 0, 0}, {2, 0, 0}, {3, 6, 0}}));
    CHECK(array_equal(bl::triu(x + 0, -1), Tensor<int>{{1, 2, 3}, {4, 5, 6}, {0, 8, 9}}));
    CHECK(bl::tril(bl::ones<int>({2, 2, 3}))(1, 0, 1) == 0);
    CHECK(bl::tril(bl::ones<int>({2, 0, 3})).size() == 0);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    constexpr index_t least = std::numeric_limits<index_t>::min();
    for (const index_t k : {most, most - 1, least + 1, least}) {
        const Tensor<int> none = bl::zeros<int>({3, 3});
        CHECK(array_equal(bl::tril(x, k), k > 0 ? x : none));
        CHECK(array_equal(bl::triu(x, k), k > 0 ? none : x));
        CHECK(array_equal(bl::tri<int>(3, 2, k), bl::full<int>({3, 2}, k > 0 ? 1 : 0)));
    }
    CHECK_THROWS_AS(bl::tril(bl::ones<int>({3})), bl::shape_error);
}

TEST_CASE("The triangle of a tensor about to die is right whatever its strides") {
    Tensor<int> x = {{1, 2}, {3, 4}, {5, 6}}, y = x;
    CHECK(array_equal(bl::tril(std::move(x).transpose()), Tensor<int>{{1, 0, 0}, {2, 4, 0}}));
    CHECK(array_equal(bl::triu(std::move(y).flip(0)), Tensor<int>{{5, 6}, {0, 4}, {0, 0}}));
}

TEST_CASE("Beside a triangle of an aggregate there is what it is without values") {
    struct Spot {
        int x = 0, y = 0;
    };
    const Tensor<Spot> spots = bl::tril(bl::full({2, 2}, Spot{3, 4}));
    CHECK(spots(1, 0).y == 4);
    CHECK(spots(0, 1).y == 0);
}

TEST_CASE("A diagonal that index_t does not hold is refused") {
    const auto far = static_cast<std::size_t>(-1);
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK_THROWS_AS(bl::tril(x, far), bl::index_error);
    CHECK_THROWS_AS(bl::triu(x, far), bl::index_error);
    CHECK_THROWS_AS(bl::tri<int>(2U, 2U, far), bl::index_error);
}
