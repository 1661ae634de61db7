// Expressions have the members of tensors that arrange and pick elements.
#include "broadloom/core/evaluated.hpp"

#include <utility>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/index.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::all, bl::array_equal, bl::range, bl::Shape, bl::Tensor;

TEST_CASE("An expression is arranged as the tensor would be that it makes") {
    const Tensor<int> x = bl::arange(6).reshape({1, 2, 3});
    const Tensor<int> z = x + 1;
    CHECK(array_equal((x + 1).unsqueeze(1), z.unsqueeze(1)));
    CHECK(array_equal((x + 1).squeeze(), z.squeeze()));
    CHECK(array_equal((x + 1).squeeze(0), z.squeeze(0)));
    CHECK(array_equal((x + 1).transpose(), z.transpose()));
    CHECK(array_equal((x + 1).permute({1, 2, 0}), z.permute({1, 2, 0})));
    CHECK(array_equal((x + 1).swap_axes(0, 2), z.swap_axes(0, 2)));
    CHECK(array_equal((x + 1).move_axis(0, -1), z.move_axis(0, -1)));
    CHECK(array_equal((x + 1).flip(), z.flip()));
    CHECK(array_equal((x + 1).flip(2), z.flip(2)));
    CHECK(array_equal((x + 1).diagonal(1, 1, 2), z.diagonal(1, 1, 2)));
    CHECK(array_equal((x + 1).reshape({3, -1}), z.reshape({3, -1})));
    CHECK(array_equal((x + 1).flatten(), z.flatten()));
    CHECK(array_equal((x + 1).broadcast_to({4, 2, 3}), z.broadcast_to({4, 2, 3})));
    CHECK(array_equal((x + 1).expand({4, -1, -1}), z.expand({4, -1, -1})));
    CHECK(array_equal((x + 1).unsqueeze({0, -1}), z.unsqueeze({0, -1})));
    CHECK(array_equal((x + 1).permute(2, 0, 1), z.permute(2, 0, 1)));
    CHECK(array_equal((x + 1).reshape(3, -1), z.reshape(3, -1)));
    CHECK(array_equal((x + 1).expand(4, -1, -1), z.expand(4, -1, -1)));
    CHECK(array_equal((x + 1).flip(0, -1), z.flip({0, -1})));
    CHECK(array_equal((x + 1).broadcast_to(4, 2, 3), z.broadcast_to({4, 2, 3})));
    CHECK(array_equal((x + 1).windows({1, 2, 2}), z.windows({1, 2, 2})));
    CHECK(array_equal((x + 1).windows({2, 2}, {1, 2}), z.windows({2, 2}, {1, 2})));
    CHECK(array_equal((x + 1).windows(2, -1), z.windows(2, -1)));
    CHECK_FALSE((x + 1).empty());
    CHECK((x + 1).transpose().shape() == Shape{3, 2, 1});
}

TEST_CASE("Elements of an expression are picked as of the tensor that it makes") {
    const Tensor<int> x{{1, 2, 3}, {4, 5, 6}};
    CHECK((x * 2)(1, 2) == 12);
    CHECK(array_equal((x * 2)(all, range(1, {})), Tensor<int>{{4, 6}, {10, 12}}));
    CHECK(array_equal((x * 2)[-1], Tensor<int>{8, 10, 12}));
    CHECK(array_equal((x * 2).index(x > 4), Tensor<int>{10, 12}));
    CHECK((Tensor<int>{7} + 1).item() == 8);
    CHECK_THROWS_AS((x * 2).item(), bl::value_error);
    CHECK((x + x).at(-1, 0) == 8);
    static_assert(std::is_same_v<decltype((x + x).copy()), Tensor<int>>);
    CHECK_THROWS_AS((x * 2).reshape({4}), bl::shape_error);
}

TEST_CASE("A tensor that dies in the expression lends its memory to what is arranged") {
    Tensor<int> x{{1, 2, 3}, {4, 5, 6}};
    const int* const memory = x.data();
    const Tensor<int> z = (std::move(x) * 2).transpose();
    CHECK(z.data() == memory);
    CHECK(array_equal(z, Tensor<int>{{2, 8}, {4, 10}, {6, 12}}));
}
