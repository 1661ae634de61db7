#include "broadloom/tensor/source.hpp"

#include <type_traits>
#include <utility>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::Shape, bl::Tensor, bl::TensorView;
using bl::detail::consume, bl::detail::in_memory, bl::detail::owns_tensor, bl::detail::with_line;

namespace {

using Matrix = Tensor<int>;
template <class A, class B>
using sum_of = decltype(std::declval<A>() + std::declval<B>());
static_assert(!owns_tensor<int, sum_of<Matrix&, Matrix&>>);
static_assert(owns_tensor<int, sum_of<Matrix, Matrix&>>);
static_assert(owns_tensor<int, sum_of<Matrix&, sum_of<Matrix&, Matrix>>>);
static_assert(!owns_tensor<float, sum_of<Matrix, Matrix>>);

}  // namespace

TEST_CASE("A tensor is read through a view, an expression as it is") {
    Matrix x = {{1, 2}, {3, 4}};
    static_assert(std::is_same_v<decltype(consume(x)), TensorView<const int>>);
    static_assert(std::is_same_v<decltype(consume(x + 1)), sum_of<Matrix&, int>&>);
    CHECK(consume(x).data() == x.data());
    CHECK(consume(x.transpose()).strides() == bl::Strides{1, 2});
}

TEST_CASE("What is in memory stays there, and a result has memory of its own") {
    Matrix x = {{1, 2}, {3, 4}};
    const int* const memory = x.data();
    CHECK(in_memory(x).data() == memory);
    CHECK(in_memory(x.transpose()).data() == memory);
    const Matrix doubled = in_memory(x * 2);
    CHECK(array_equal(doubled, Matrix{{2, 4}, {6, 8}}));
    const TensorView<const int> part = x[1];
    const Matrix moved = in_memory(std::move(x) * 2);
    CHECK(moved.data() != memory);
    CHECK(array_equal(part, Matrix{3, 4}));
}

TEST_CASE("A line is a view of all elements, or a copy where their strides ask for it") {
    const Matrix x = {{1, 2}, {3, 4}};
    const auto look = [](const auto& line) { return std::pair(line.data(), Matrix(line)); };
    CHECK(with_line(x, look).first == x.data());
    CHECK(with_line(x.flip(), look).first == x.data() + 3);
    CHECK(array_equal(with_line(x.flip(), look).second, Matrix{4, 3, 2, 1}));
    CHECK(with_line(x.transpose(), look).first != x.data());
    CHECK(array_equal(with_line(x.transpose(), look).second, Matrix{1, 3, 2, 4}));
    CHECK(array_equal(with_line(x + 1, look).second, Matrix{2, 3, 4, 5}));
    CHECK(with_line(bl::zeros<int>({0, 3}), look).second.shape() == Shape{0});
}
