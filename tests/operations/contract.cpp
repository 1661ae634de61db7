// tensordot and dot against sums of products written out.
#include "support/catch.hpp"
#include "support/naive.hpp"

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::Shape, bl::Tensor;

TEST_CASE("tensordot sums over pairs of axes and keeps the others in order") {
    const auto x = bl::arange<double>(24).reshape({2, 3, 4});
    const auto y = bl::arange<double>(60).reshape({4, 5, 3});
    const auto z = bl::tensordot(x, y, {1, 2}, {2, 0});
    REQUIRE(z.shape() == Shape{2, 5});
    for (bl::index_t i = 0; i < 2; ++i) {
        for (bl::index_t j = 0; j < 5; ++j) {
            double sum = 0;
            for (bl::index_t a = 0; a < 3; ++a) {
                for (bl::index_t b = 0; b < 4; ++b) sum += x(i, a, b) * y(b, j, a);
            }
            CHECK(z(i, j) == sum);
        }
    }
    CHECK(naive::equal(bl::tensordot(x, y, {-1}, {0}), bl::tensordot(x, y, 1)));
    CHECK(bl::tensordot(x, y, 0).shape() == Shape{2, 3, 4, 4, 5, 3});
}

TEST_CASE("tensordot and dot refuse extents and axes that do not fit") {
    using Catch::Matchers::ContainsSubstring;
    const auto x = bl::ones<int>({2, 3}), y = bl::ones<int>({4, 5}), three = bl::ones<int>({3});
    CHECK_THROWS_AS(bl::tensordot(x, y, 1), bl::shape_error);
    CHECK_THROWS_AS(bl::tensordot(x, y, 3), bl::index_error);
    CHECK_THROWS_AS(bl::tensordot(x, x, -1), bl::index_error);
    CHECK_THROWS_WITH(bl::tensordot(x, three, 2), ContainsSubstring("tensordot over 2 axes"));
    CHECK_THROWS_AS(bl::tensordot(x, y, {2}, {0}), bl::index_error);
    CHECK_THROWS_AS(bl::tensordot(x, y, {0, 0}, {0, 1}), bl::index_error);
    CHECK_THROWS_AS(bl::tensordot(x, y, {0, 1}, {0}), bl::shape_error);
    CHECK_THROWS_WITH(bl::tensordot(x, three, {0, 1}, {0}), ContainsSubstring("more of one"));
    CHECK_THROWS_WITH(bl::tensordot(x, three, bl::IndexList{}, {0}),
                      ContainsSubstring("more of one"));
    CHECK_THROWS_WITH(bl::dot(x, bl::ones<int>({2})),
                      ContainsSubstring("dot of shapes (2, 3) and (2,)"));
}

TEST_CASE("dot is the product of vectors, of matrices, and by a number") {
    const auto v = bl::arange<int>(3);
    const auto m = bl::arange<int>(12).reshape({4, 3});
    CHECK(bl::dot(v, v).item() == 5);
    CHECK(naive::equal(bl::dot(m, v), bl::matmul(m, v)));
    CHECK(naive::equal(bl::dot(m, m.transpose()), bl::matmul(m, m.transpose())));
    CHECK(naive::equal(bl::dot(m, bl::full({}, 2)), bl::eval(m * 2)));
    const auto t = bl::arange<int>(24).reshape({2, 3, 4});
    CHECK(bl::dot(m, t).shape() == Shape{4, 2, 4});
    CHECK(naive::equal(bl::dot(m, t), bl::tensordot(m, t, {1}, {1})));
}

TEST_CASE("an extent of 0 contracts to zeros") {
    CHECK(naive::equal(bl::dot(bl::ones<int>({2, 0}), bl::ones<int>({0, 3})),
                       bl::zeros<int>({2, 3})));
}

TEST_CASE("tensordot sums over one axis of each") {
    const bl::Tensor<int> x = {{1, 2, 3}, {4, 5, 6}}, y = {{1, 0}, {0, 1}, {1, 1}};
    CHECK(naive::equal(bl::tensordot(x, y, 1, 0), bl::matmul(x, y)));
    CHECK(naive::equal(bl::tensordot(x, y, 0, -1), bl::matmul(x.transpose(), y.transpose())));
}

TEST_CASE("Only the result must have no more dimensions than a tensor can") {
    const auto ones = [](bl::index_t rank) {
        return bl::ones<int>(bl::Shape(bl::IndexList::filled(rank, 1)));
    };
    CHECK(bl::tensordot(ones(20), ones(20), 6).rank() == 28);
    CHECK(bl::tensordot(ones(32), ones(2), 1).rank() == 32);
    CHECK(bl::tensordot(ones(17), ones(17), 1).rank() == 32);
    CHECK(bl::tensordot(ones(32), ones(32), 24).rank() == 16);
    CHECK(bl::dot(ones(32), ones(2)).rank() == 32);
    CHECK_THROWS_AS(bl::tensordot(ones(17), ones(17), 0), bl::shape_error);
}

TEST_CASE("A number in dot and outer is one of rank 0") {
    const bl::Tensor<int> x = {1, 2};
    CHECK(naive::equal(bl::dot(x, 2), bl::Tensor<int>{2, 4}));
    CHECK(naive::equal(bl::dot(0.5, x), bl::Tensor<double>{0.5, 1}));
    CHECK(naive::equal(bl::outer(x, 2), bl::Tensor<int>{{2}, {4}}));
    CHECK(naive::equal(bl::outer(2, x + 1), bl::Tensor<int>{{4, 6}}));
}

TEST_CASE("The axes of tensordot may be a pair of lists") {
    const Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4}),
                      y = bl::arange<int>(12).reshape({4, 3});
    CHECK(array_equal(bl::tensordot(x, y, {{1, 2}, {1, 0}}), bl::tensordot(x, y, {1, 2}, {1, 0})));
    CHECK(array_equal(bl::tensordot(x, y, {{2}, {0}}), bl::tensordot(x, y, 1)));
    CHECK_THROWS_WITH(bl::tensordot(x, y, {1}, {0}),
                      Catch::Matchers::ContainsSubstring("extents 3 and 4 differ"));
}
