#include "broadloom/core/view_members.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/extents.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::range, bl::Shape, bl::Strides, bl::Tensor, bl::TensorView;
using Catch::Matchers::ContainsSubstring;
using naive::counting;

namespace {

// What the members give: views of an lvalue, a tensor of a temporary one.
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>().transpose()), TensorView<int>>);
static_assert(std::is_same_v<decltype(std::declval<const Tensor<int>&>().transpose()),
                             TensorView<const int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>>().transpose()), Tensor<int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>().broadcast_to(Shape{})),
                             TensorView<const int>>);
static_assert(
    std::is_same_v<decltype(std::declval<Tensor<int>>().broadcast_to(Shape{})), Tensor<int>>);
static_assert(
    std::is_same_v<decltype(std::declval<Tensor<int>&>().expand({})), TensorView<const int>>);
static_assert(
    std::is_same_v<decltype(std::declval<TensorView<int>>().expand({})), TensorView<const int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>().windows(Shape{1})),
                             TensorView<const int>>);
static_assert(std::is_same_v<decltype(std::declval<TensorView<int>>().windows(Shape{1})),
                             TensorView<const int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>()[0]), TensorView<int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>>()[0]), Tensor<int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>()(0)), int&>);
static_assert(std::is_same_v<decltype(std::declval<const Tensor<int>&>()(0)), const int&>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>>()(0)), int>);
static_assert(std::is_same_v<decltype(std::declval<TensorView<int>>()(0)), int&>);
static_assert(std::is_same_v<decltype(std::declval<const TensorView<int>&>()(0)), int&>);
static_assert(std::is_same_v<decltype(std::declval<TensorView<const int>>()(0)), const int&>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>&>()(all)), TensorView<int>>);
static_assert(std::is_same_v<decltype(std::declval<Tensor<int>>()(all)), Tensor<int>>);

}  // namespace

enum Line { upper, lower };
template <class X, class I>
concept indexed_by = requires(X& x, I i) { x[i]; };
static_assert(indexed_by<Tensor<int>, unsigned char> && indexed_by<Tensor<int>, Line>);
static_assert(indexed_by<bl::TensorView<int>, std::integral_constant<int, 1>>);
static_assert(!indexed_by<Tensor<int>, double> && !indexed_by<Tensor<int>, bool>);
enum class Strict { first };
static_assert(!indexed_by<Tensor<int>, Strict>);

TEST_CASE("A sub-tensor is named by an integer of any type, or what converts to one") {
    Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(x[upper](1) == 2);
    CHECK(std::as_const(x)[lower](0) == 3);
    CHECK((x + 1)[std::integral_constant<int, -1>{}](1) == 5);
    CHECK_THROWS_AS(x[static_cast<std::size_t>(-1)], bl::index_error);
}

TEST_CASE("Enumerators name elements, rows, axes and extents") {
    Tensor<int> x = {{1, 2}, {3, 4}};
    x(lower, upper) = 5;
    CHECK(x.at(lower, upper) == 5);
    CHECK(x(bl::all, lower)(1) == 4);
    CHECK(x(upper, bl::newaxis).shape() == Shape{1, 2});
    CHECK(x.permute(lower, upper)(0, 1) == 5);
    CHECK(x.reshape({lower, 4}).shape() == Shape{1, 4});
    enum Far : std::uint64_t { far_away = ~std::uint64_t{0} };
    CHECK_THROWS_AS(x.at(far_away, 0), bl::index_error);
}

TEST_CASE("Maps on a view see through to the elements") {
    Tensor<int> x = counting({2, 3, 4});
    x.transpose()[3](all, 1) = -1;
    CHECK(x(0, 0, 3) == 3);
    CHECK(x(1, 0, 3) == -1);
    CHECK(x(1, 2, 3) == -1);
    CHECK(x.permute({2, 0, 1}).shape() == Shape{4, 2, 3});
    CHECK(x.move_axis(0, -1).shape() == Shape{3, 4, 2});
    CHECK(x.swap_axes(0, 1).shape() == Shape{3, 2, 4});
    CHECK(x.flip(2).at(0, 0, 0) == 3);
    CHECK(x.flip().at(0, 0, 1) == 22);
    CHECK(x.diagonal().shape() == Shape{4, 2});
    CHECK(x.unsqueeze(-1).squeeze(-1).data() == x.data());
    CHECK(x.reshape({6, -1}).shape() == Shape{6, 4});
    CHECK(x.flatten().shape() == Shape{24});
    CHECK(x.windows(Shape{2}, {2}).shape() == Shape{2, 3, 3, 2});
    CHECK(x(0, all, range(0, 4, 2)).windows(Shape{3, 2}).shape() == Shape{1, 1, 3, 2});
    x.diagonal(0, 1, 2).fill(0);
    CHECK(x(1, 2, 2) == 0);
    CHECK(x(1, 2, 1) == 21);
}

TEST_CASE("A reshape of a view that needs a copy says so, of a temporary tensor it copies") {
    Tensor<int> x = counting({2, 3});
    CHECK_THROWS_AS(x.transpose().reshape({6}), bl::shape_error);
    CHECK_THROWS_WITH(x.transpose().flatten(), ContainsSubstring("copy"));
    CHECK(
        bl::array_equal(counting({2, 3}).transpose().reshape({6}), Tensor<int>{0, 3, 1, 4, 2, 5}));
    CHECK(bl::array_equal(counting({2, 3}).transpose().flatten(), Tensor<int>{0, 3, 1, 4, 2, 5}));
    CHECK_THROWS_AS(x.reshape({4}), bl::shape_error);
    CHECK_THROWS_AS(counting({2, 3}).reshape({4}), bl::shape_error);
}

TEST_CASE("Members of a dying tensor keep its memory") {
    Tensor<int> x = counting({2, 3});
    const int* const memory = x.data();
    const Tensor<int> y = std::move(x).transpose().unsqueeze(0)(all, range(1, {}), all);
    CHECK(y.data() == memory + 1);
    CHECK(bl::array_equal(y, Tensor<int>{{{1, 4}, {2, 5}}}));
    CHECK(counting({2, 3})[1].shape() == Shape{3});
    CHECK(counting({2, 3})(1, 2) == 5);
    CHECK(counting({3}).flip().data()[0] == 2);
    CHECK(bl::array_equal(counting({3}).expand({2, -1}), Tensor<int>{{0, 1, 2}, {0, 1, 2}}));
    CHECK(bl::array_equal(counting({3}).expand(2, -1), Tensor<int>{{0, 1, 2}, {0, 1, 2}}));
    CHECK(counting({3}).broadcast_to({2, 3}).is_contiguous());
}

TEST_CASE("An expanded view costs nothing and repeats by a stride of 0") {
    const Tensor<int> row = counting({3});
    const TensorView<const int> wide = row.broadcast_to({extents::vast, 3});
    CHECK(wide.data() == row.data());
    CHECK(wide.strides() == Strides{0, 1});
    CHECK(wide.at(-1, 2) == 2);
    CHECK_THROWS_AS(row.broadcast_to({extents::endless, 3}), bl::shape_error);
    CHECK_THROWS_AS(row.broadcast_to({3, 1}), bl::shape_error);
}

// Helpers of a user, with names that the library uses inside.
namespace user {

template <class X>
Shape shape_of(const X& x) {
    return x.shape();
}
template <class X>
int consume(const X&) {
    return 1;
}
template <class X>
int fill(const X&, float) {
    return 2;
}

}  // namespace user

TEST_CASE("Names of the inside do not stand in the way of the user's") {
    using user::consume, user::fill, user::shape_of;
    const Tensor<float> x = {1, 2};
    CHECK(shape_of(x) == Shape{2});
    CHECK(consume(x) + fill(x.view(), 3.0F) == 3);
}

TEST_CASE("Several extents of 1 are inserted where they stand in the result") {
    const Tensor<int> x = counting({2, 3});
    CHECK(x.unsqueeze({0, 3}).shape() == Shape{1, 2, 3, 1});
    CHECK(x.unsqueeze({-1, 1}).shape() == Shape{2, 1, 3, 1});
    CHECK(x.unsqueeze({}).shape() == Shape{2, 3});
    CHECK(counting({2}).unsqueeze({0, 1}).shape() == Shape{1, 1, 2});
    CHECK_THROWS_AS(x.unsqueeze({0, 0}), bl::index_error);
    CHECK_THROWS_AS(x.unsqueeze({0, 4}), bl::index_error);
}

TEST_CASE("Brackets take any word, and since C++23 several") {
    Tensor<int> x = counting({3, 2});
    CHECK(bl::array_equal(x[range(1, {})], Tensor<int>{{2, 3}, {4, 5}}));
    CHECK(std::as_const(x)[bl::newaxis].shape() == Shape{1, 3, 2});
    CHECK((x + 1)[range({}, {}, -2)](0, 0) == 5);
    CHECK(counting({3, 2})[range(0, 1)].shape() == Shape{1, 2});
    x[range(0, 2)] = 7;
    CHECK(bl::array_equal(x, Tensor<int>{{7, 7}, {7, 7}, {4, 5}}));
#if defined(__cpp_multidimensional_subscript)
    CHECK(x[2, 1] == 5);
    CHECK(std::as_const(x)[all, 0].shape() == Shape{3});
    CHECK((x + 1)[2, 0] == 5);
    CHECK(counting({3, 2})[1, all].shape() == Shape{2});
    x[0, 1] = 9;
    x[all, 0] = 1;
    CHECK(bl::array_equal(x, Tensor<int>{{1, 9}, {1, 7}, {1, 5}}));
#endif
}

TEST_CASE("Extents and axes may stand without braces") {
    Tensor<int> x = counting({2, 3});
    CHECK(x.reshape(3, -1).shape() == Shape{3, 2});
    CHECK(x.reshape(6).shape() == Shape{6});
    CHECK(std::as_const(x).permute(1, 0).shape() == Shape{3, 2});
    CHECK(x.permute(1, std::size_t{0}).strides() == Strides{1, 3});
    CHECK(x.flip(0, -1).strides() == Strides{-3, -1});
    CHECK(counting({2, 3}).flip(0)(0, 1) == 4);
    CHECK(x.broadcast_to(2, 2, 3).strides() == Strides{0, 3, 1});
    CHECK(x.unsqueeze(std::vector<int>{0, -1}).shape() == Shape{1, 2, 3, 1});
    CHECK(counting({2, 3}).permute(1, 0).reshape(2, 3)(0, 1) == 3);
    x.reshape(6)(5) = 7;
    CHECK(x(1, 2) == 7);
    CHECK_THROWS_AS(x.reshape(4), bl::shape_error);
    CHECK_THROWS_AS(x.permute(0, 0), bl::index_error);
}

TEST_CASE("Shifts are integers of any type, as far as index_t holds them") {
    const Tensor<int> x{{1, 2}, {3, 4}};
    CHECK_THROWS_AS(x.diagonal(static_cast<std::size_t>(-1)), bl::index_error);
    CHECK(bl::array_equal(x.diagonal(std::size_t{1}), Tensor<int>{2}));
    CHECK(bl::array_equal(x.diagonal(std::int8_t{-1}), Tensor<int>{3}));
}

TEST_CASE("Windows of a tensor about to die are a tensor of their own") {
    const Tensor<int> windows = counting({5}).windows({3});
    CHECK(windows.shape() == Shape{3, 3});
    CHECK(windows.strides() == Strides{3, 1});
    CHECK(windows(2, 2) == 4);
    CHECK(counting({2, 4}).windows(2, -1).shape() == Shape{2, 3, 2});
}
