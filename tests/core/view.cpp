#include "broadloom/core/view.hpp"

#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"

namespace bl = broadloom;
using bl::all, bl::range, bl::Shape, bl::Strides, bl::Tensor, bl::TensorView;
using Catch::Matchers::ContainsSubstring;
using naive::counting;

namespace {

static_assert(std::is_convertible_v<TensorView<int>, TensorView<const int>>);
static_assert(!std::is_convertible_v<TensorView<const int>, TensorView<int>>);
static_assert(!std::is_assignable_v<TensorView<const int>, TensorView<const int>>,
              "a view of constants is neither written nor rebound");
static_assert(!std::is_assignable_v<TensorView<const int>&, int>);
static_assert(std::is_assignable_v<TensorView<int>, TensorView<const int>>);
static_assert(std::is_assignable_v<TensorView<int>, int>);
static_assert(std::ranges::random_access_range<TensorView<int>>);
static_assert(std::is_same_v<TensorView<const int>::value_type, int>);

constexpr bool views_read_at_compile_time() {
    const int data[6] = {0, 1, 2, 3, 4, 5};
    const TensorView<const int> x(data, Shape{2, 3}, Strides{3, 1});
    int sum = 0;
    for (const int v : x) sum += v;
    return sum == 15 && x.at(1, -1) == 5 && x.rank() == 2 && x.size() == 6 && x.extent(-1) == 3 &&
           x.is_contiguous() && x.data() == data;
}
static_assert(views_read_at_compile_time());

}  // namespace

TEST_CASE("Views read at run time as at compile time") { CHECK(views_read_at_compile_time()); }

TEST_CASE("Copying a view copies no elements, assigning one writes them") {
    Tensor<int> x = counting({2, 3}), y = bl::zeros<int>({2, 3});
    TensorView<int> a = x.view();
    const TensorView<int> b = a;
    CHECK(b.data() == x.data());
    TensorView<int> target = y.view();
    target = a;
    CHECK(target.data() == y.data());
    CHECK(bl::array_equal(y, x));
    target = 7;
    CHECK(bl::array_equal(y, bl::full<int>({2, 3}, 7)));
    CHECK(x(1, 2) == 5);
}

TEST_CASE("Assignment broadcasts, converts upwards and drops leading ones") {
    Tensor<double> x = bl::zeros<double>({2, 3});
    x.view() = Tensor<int>{1, 2, 3};
    CHECK(bl::array_equal(x, Tensor<double>{{1, 2, 3}, {1, 2, 3}}));
    x.view() = Tensor<float>{{5}, {6}};
    CHECK(bl::array_equal(x, Tensor<double>{{5, 5, 5}, {6, 6, 6}}));
    x(0, all) = bl::ones<double>({1, 1, 3});
    CHECK(bl::array_equal(x, Tensor<double>{{1, 1, 1}, {6, 6, 6}}));
    x(0, all) = bl::ones<double>({1, 1, 1, 3}) * 2.0;
    CHECK(x(0, 2) == 2.0);
    x(1, 1) = 9;
    CHECK(x(1, 1) == 9.0);
    x[1] = true;
    CHECK(bl::array_equal(x[1], bl::ones<double>({3})));
    Tensor<int> scalar = bl::zeros<int>({});
    scalar.view() = bl::full<int>({1, 1, 1}, 4);
    CHECK(scalar.item() == 4);
}

TEST_CASE("What does not fit is refused and nothing is written") {
    Tensor<int> x = counting({2, 3});
    const Tensor<int> before = x;
    CHECK_THROWS_AS(x.view() = bl::ones<int>({2}), bl::shape_error);
    CHECK_THROWS_AS(x.view() = bl::ones<int>({2, 2, 3}), bl::shape_error);
    CHECK_THROWS_AS(x.view() = bl::ones<int>({0, 3}), bl::shape_error);
    CHECK_THROWS_AS(x[0] = bl::ones<int>({2, 1}), bl::shape_error);
    CHECK_THROWS_WITH(x(all, range(1)) = before,
                      ContainsSubstring("extent 1") && ContainsSubstring("grow to 3"));
    CHECK(bl::array_equal(x, before));
}

TEST_CASE("An element is reached through a view that is a temporary, and written") {
    Tensor<int> x = counting({2, 3});
    x[1](2) = 50;
    x(range(0, 1), all)(0, 0) = 60;
    x.transpose()(1, 0) = 70;
    ++x.view()(1, 0);
    CHECK(bl::array_equal(x, Tensor<int>{{60, 70, 2}, {4, 4, 50}}));
}

TEST_CASE("at is always checked and takes negative indices") {
    Tensor<int> x = counting({2, 3});
    CHECK(x.at(-1, -3) == 3);
    x.at(0, 1) = 8;
    CHECK(std::as_const(x).at(0, 1) == 8);
    CHECK_THROWS_AS(x.at(2, 0), bl::index_error);
    CHECK_THROWS_AS(x.at(0, -4), bl::index_error);
    CHECK_THROWS_AS(x.at(0), bl::index_error);
    CHECK_THROWS_AS(x.at(0, 0, 0), bl::index_error);
    CHECK_THROWS_AS(x.at(), bl::index_error);
    CHECK_THROWS_AS(x.at(std::size_t(-1), 0, 0), bl::index_error);
    CHECK_THROWS_WITH(x.at(0, 3), ContainsSubstring("index 3") && ContainsSubstring("axis 1") &&
                                      ContainsSubstring("size 3"));
    CHECK(bl::full<int>({}, 3).at() == 3);
}

TEST_CASE("at takes an index whose length is known at run time only") {
    Tensor<int> x = counting({2, 3});
    const std::vector<int> last = {1, -1};
    CHECK(x.at(last) == 5);
    x.at({0, 1}) = 8;
    CHECK(std::as_const(x).at({0, 1}) == 8);
    CHECK(x.view().at({-2, 1}) == 8);
    CHECK(x.transpose().at({1, 0}) == 8);
    CHECK((x + 1).at({0, 1}) == 9);
    CHECK(counting({2, 3}).at({1, 2}) == 5);
    CHECK(bl::full<int>({}, 3).at({}) == 3);
    CHECK_THROWS_AS(x.at({0, 3}), bl::index_error);
    CHECK_THROWS_AS(x.at({0}), bl::index_error);
    CHECK_THROWS_AS(x.at(std::vector<int>{0, 0, 0}), bl::index_error);
}

#ifndef NDEBUG
TEST_CASE("A negative index in parentheses is sent to at") {
    const Tensor<int> x = counting({2, 3});
    CHECK_THROWS_WITH(x(-1, 0), ContainsSubstring("index -1") && ContainsSubstring("at()"));
    CHECK_THROWS_WITH(x(-3, 0), ContainsSubstring("index -3") && !ContainsSubstring("at()"));
}
#endif

TEST_CASE("An index list of the wrong length is refused in every build") {
    Tensor<int> x = counting({2, 3});
    CHECK_THROWS_AS(x(0), bl::index_error);
    CHECK_THROWS_AS(x(0, 0, 0), bl::index_error);
    CHECK_THROWS_AS(x(), bl::index_error);
#ifndef NDEBUG
    CHECK_THROWS_AS(x(2, 0), bl::index_error);
    CHECK_THROWS_AS(x(0, -1), bl::index_error);
    CHECK_THROWS_AS(std::as_const(x)(0, 3), bl::index_error);
#endif
    CHECK(bl::full<int>({}, 3)() == 3);
}

TEST_CASE("item is for one element of any rank") {
    CHECK(bl::full<int>({1, 1}, 4).item() == 4);
    CHECK(bl::full<int>({}, 4).view().item() == 4);
    CHECK_THROWS_AS(counting({2}).item(), bl::value_error);
    CHECK_THROWS_AS(bl::zeros<int>({0}).item(), bl::value_error);
}

TEST_CASE("Braces are values where a view is written, and lists where axes are asked for") {
    Tensor<int> x = {{1, 2}, {3, 4}};
    x[0] = {7, 8};
    CHECK(bl::array_equal(x, Tensor<int>{{7, 8}, {3, 4}}));
    x(all, 1) = {0};
    CHECK(bl::array_equal(x, Tensor<int>{{7, 0}, {3, 0}}));
    x.view() = {{1, 2}, {3, 4}};
    CHECK(bl::array_equal(x, Tensor<int>{{1, 2}, {3, 4}}));
    CHECK_THROWS_AS((x[0] = {1, 2, 3}), bl::shape_error);
    CHECK(bl::array_equal(x.flip({}), x));
    CHECK(bl::array_equal(x.flip({0}), x.flip(0)));
    CHECK(x.squeeze({}).shape() == Shape{2, 2});
    CHECK_THROWS_AS(x.move_axis({}, {0}), bl::shape_error);
}

TEST_CASE("A view that is a constant writes its elements all the same") {
    Tensor<int> x = counting({2, 2});
    const auto row = x[0];
    row = 5;
    CHECK(x(0, 1) == 5);
    row = x[1];
    CHECK(x(0, 1) == 3);
    row = x[1] + 1;
    CHECK(x(0, 0) == 3);
    static_assert(!std::is_assignable_v<const TensorView<const int>&, int>);
}

TEST_CASE("A view is deduced from a tensor") {
    Tensor<int> x = counting({2, 2});
    const Tensor<int> y = x;
    TensorView v = x;
    TensorView w = y;
    static_assert(std::is_same_v<decltype(v), TensorView<int>>);
    static_assert(std::is_same_v<decltype(w), TensorView<const int>>);
    CHECK(v.data() == x.data());
    CHECK(w.data() == y.data());
    CHECK(*v.cbegin() == 0);
    CHECK(v.cend() - v.cbegin() == 4);
    CHECK(*x.cbegin() == 0);
    CHECK(x.cend() - x.cbegin() == 4);
    CHECK(*v.rbegin() == 3);
    CHECK(*std::prev(y.rend()) == 0);
    *x.rbegin() = 9;
    CHECK(x(1, 1) == 9);
    CHECK_FALSE(v.empty());
    CHECK(x(bl::range(0, 0)).empty());
    CHECK(Tensor<int>().empty());
}
