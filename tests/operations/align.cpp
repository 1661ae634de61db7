#include "broadloom/operations/align.hpp"

#include <limits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::index_t, bl::IndexList, bl::Shape, bl::Tensor;
using naive::counting;

namespace {

/// Paddle's rule, written from its documentation: where the lower-rank operand's dimensions go, or
/// false where there is no room or the axis is not allowed.
bool paddle(const Shape& x, const Shape& y, index_t axis, Shape& result) {
    if (x == y) {
        result = x;
        return true;
    }
    if (x.rank() == y.rank())
        return (axis == -1 || axis == 0) && naive::common_shape({x, y}, result);
    const Shape& high = x.rank() > y.rank() ? x : y;
    Shape low = x.rank() > y.rank() ? y : x;
    const index_t first = axis < 0 ? high.rank() - low.rank() + axis + 1 : axis;
    IndexList trimmed = low.extents();
    while (trimmed.rank() > 0 && trimmed[trimmed.rank() - 1] == 1)
        trimmed.erase(trimmed.rank() - 1);
    if (first < 0 || first + trimmed.rank() > high.rank()) return false;
    IndexList laid = IndexList::filled(high.rank(), 1);
    for (index_t d = 0; d < trimmed.rank(); ++d) laid[first + d] = trimmed[d];
    return naive::common_shape({high, Shape(laid)}, result);
}

}  // namespace

TEST_CASE("The examples of Paddle hold") {
    const auto shape = [](const Shape& x, const Shape& y, index_t axis) {
        return bl::eval(bl::add(counting(x), counting(y), axis)).shape();
    };
    CHECK(shape({2, 1, 4}, {3, 1}, 1) == Shape{2, 3, 4});
    CHECK(shape({2, 3, 4, 5}, {3}, 1) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {}, -1) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {5}, -1) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {4, 5}, 2) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {3, 4}, 1) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {2}, 0) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4, 5}, {2, 1}, 0) == Shape{2, 3, 4, 5});
    CHECK(shape({2, 3, 4}, {4, 1}, 2) == Shape{2, 3, 4});
    CHECK(shape({3}, {2, 3, 4}, 1) == Shape{2, 3, 4});
    CHECK_THROWS_AS(shape({2, 3, 4, 5}, {4, 5}, 1), bl::shape_error);
    CHECK_THROWS_AS(shape({2, 3}, {3, 4, 5, 6}, 3), bl::shape_error);
    CHECK_THROWS_AS(shape({2, 3}, {1, 3}, 1), bl::shape_error);
    CHECK(shape({2, 3}, {1, 3}, 0) == Shape{2, 3});
    CHECK(shape({2, 3}, {2, 3}, 17) == Shape{2, 3});
}

TEST_CASE("Every small pair of shapes and every axis follows the rule, the values with it") {
    const std::vector<Shape> high = naive::all_shapes(3, 3), low = naive::all_shapes(2, 3);
    for (const Shape& a : high) {
        const Tensor<int> x = counting(a);
        for (const Shape& b : low) {
            const Tensor<int> y = counting(b);
            for (index_t axis = -4; axis <= 4; ++axis) {
                Shape expected;
                const bool fits = paddle(a, b, axis, expected);
                INFO(bl::detail::text(a) << bl::detail::text(b) << axis);
                try {
                    const Tensor<int> z = bl::subtract(x, y, axis), back = bl::subtract(y, x, axis);
                    if (!fits || z.shape() != expected || !array_equal(z, -back)) FAIL("wrong");
                } catch (const bl::shape_error&) {
                    if (fits) FAIL("refused");
                }
            }
        }
    }
}

TEST_CASE("Values are those of the operand laid on its axis") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(array_equal(bl::subtract(x, Tensor<int>{1, 4}, 0), Tensor<int>{{0, 1, 2}, {0, 1, 2}}));
    CHECK(array_equal(bl::multiply(x, Tensor<int>{1, 10, 100}, 1),
                      Tensor<int>{{1, 20, 300}, {4, 50, 600}}));
    CHECK(array_equal(bl::divide(x, Tensor<int>{1, 2}, 0), Tensor<int>{{1, 2, 3}, {2, 2, 3}}));
    CHECK(array_equal(bl::maximum(x, Tensor<int>{2, 5}, 0), Tensor<int>{{2, 2, 3}, {5, 5, 6}}));
    CHECK(array_equal(bl::minimum(x, Tensor<int>{2, 5}, 0), Tensor<int>{{1, 2, 2}, {4, 5, 5}}));
    CHECK(array_equal(bl::mod(x, Tensor<int>{2, 4}, 0), Tensor<int>{{1, 0, 1}, {0, 1, 2}}));
    CHECK(array_equal(bl::floor_divide(x, Tensor<int>{-2, 4}, 0),
                      Tensor<int>{{-1, -1, -2}, {1, 1, 1}}));
    CHECK(array_equal(bl::pow(x, Tensor<int>{2, 1}, 0), Tensor<int>{{1, 4, 9}, {4, 5, 6}}));
    CHECK(array_equal(bl::add(x * 2, Tensor<int>{1, 2} + 1, 0),
                      Tensor<int>{{4, 6, 8}, {11, 13, 15}}));
}

TEST_CASE("align is a view of an lvalue, a tensor of a temporary") {
    Tensor<int> y = counting({4, 5});
    auto laid = bl::align(y, 4, 1);
    CHECK(laid.shape() == Shape{1, 4, 5, 1});
    CHECK(laid.data() == y.data());
    static_assert(std::is_same_v<decltype(bl::align(counting({2}), 2, 0)), Tensor<int>>);
    CHECK(bl::align(counting({2}), 2, 0).shape() == Shape{2, 1});
    CHECK(bl::align(y + 1, 3, 0).shape() == Shape{4, 5, 1});
    CHECK_THROWS_AS(bl::align(y, 2, 1), bl::shape_error);
    CHECK_THROWS_AS(bl::align(y, 3, -3), bl::shape_error);
}

TEST_CASE("What does not fit at its axis is named as it was given, and as it was laid") {
    CHECK_THROWS_WITH(
        bl::add(bl::ones<float>({2, 3, 4, 5}), bl::ones<float>({4, 5}), 1),
        Catch::Matchers::ContainsSubstring("shapes (2, 3, 4, 5) and (4, 5) do not fit at axis 1") &&
            Catch::Matchers::ContainsSubstring("(1, 4, 5, 1)"));
}

TEST_CASE("A number may stand beside an axis, as rank 0 may") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(bl::array_equal(bl::add(x, 2, -1), x + 2));
    CHECK(bl::array_equal(bl::subtract(2, x, 1), 2 - x));
    CHECK_THROWS_AS(bl::add(x, 2, 3), bl::shape_error);
}

TEST_CASE("A negative axis of align counts from the right, as in the arithmetic") {
    const Tensor<int> y = counting({4, 5});
    CHECK(bl::align(y, 4).shape() == Shape{1, 1, 4, 5});
    CHECK(bl::align(y, 4, -1).shape() == Shape{1, 1, 4, 5});
    CHECK(bl::align(y, 4, -2).shape() == Shape{1, 4, 5, 1});
    CHECK(bl::align(y, 4, -3).shape() == Shape{4, 5, 1, 1});
    CHECK_THROWS_AS(bl::align(y, 4, -4), bl::shape_error);
    CHECK(bl::align(bl::full({}, 5), 3, -3).shape() == Shape{1, 1, 1});
    CHECK_THROWS_AS(bl::align(bl::full({}, 5), 3, -4), bl::shape_error);
    CHECK_THROWS_AS(bl::align(y, 4, std::numeric_limits<index_t>::min()), bl::shape_error);
    CHECK_THROWS_AS(bl::align(y, std::numeric_limits<index_t>::min(), -1), bl::shape_error);
    const Tensor<int> x = counting({3, 4, 5, 2});
    CHECK(array_equal(bl::add(x, y, -2), x + bl::align(y, 4, -2)));
}
