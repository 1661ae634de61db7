// A formula's type says what a loop computes and nothing about who holds the memory, so one loop
// serves tensors, views and temporaries alike.
#include "broadloom/kernel/elementwise/formula.hpp"

#include <cstdint>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::Tensor, bl::TensorView;

namespace {

using View = TensorView<const float>;
using Temporary = Tensor<float>;
using Named = const Tensor<float>&;

template <class X, class Y>
using SumOf = decltype(std::declval<X>() + std::declval<Y>());
using Chain = decltype(std::declval<View>() * 2.0F + std::declval<Temporary>());

struct Plain {
    float operator()(float x) const { return x; }
};
struct Safe {
    float operator()(float x) const noexcept { return x; }
};
struct Changing {
    int calls = 0;
    float operator()(float) { return static_cast<float>(++calls); }
};
using Risky = decltype(bl::map(Plain{}, std::declval<View>()));
using Silent = decltype(bl::map(Safe{}, std::declval<View>()));

template <class X, class Y>
constexpr bool one_formula = std::is_same_v<kernel::formula_t<X>, kernel::formula_t<Y>>;

static_assert(one_formula<SumOf<View, View>, SumOf<Named, Temporary>>);
static_assert(one_formula<SumOf<Named, Named>, SumOf<TensorView<float>, View>>);
static_assert(
    one_formula<decltype(bl::cast<float>(std::declval<SumOf<View, View>>())), SumOf<View, View>>);
static_assert(
    !one_formula<decltype(bl::cast<double>(std::declval<SumOf<View, View>>())), SumOf<View, View>>);
static_assert(
    !one_formula<SumOf<View, View>, decltype(std::declval<View>() - std::declval<View>())>);
static_assert(!one_formula<SumOf<View, View>, SumOf<TensorView<const double>, View>>);

template <class X>
constexpr std::size_t leaves = kernel::detail::leaves<kernel::formula_t<X>>;
static_assert(leaves<View> == 1 && leaves<SumOf<View, Named>> == 2 && leaves<Chain> == 2);
static_assert(leaves<bl::Scalar<float>> == 0);

template <class X>
constexpr bool own_functions = kernel::detail::own_functions<kernel::formula_t<X>>;
static_assert(own_functions<SumOf<View, View>> && own_functions<Chain>);
static_assert(!own_functions<Risky> && !own_functions<Silent>);
static_assert(!own_functions<decltype(std::declval<Risky>() + 1.0F)>);

template <class X>
constexpr bool immediate = kernel::detail::immediate<kernel::formula_t<X>>;
static_assert(immediate<View> && immediate<SumOf<View, View>> && immediate<Chain>);
static_assert(!immediate<decltype(std::declval<Chain>() / 2.0F)> && !immediate<Risky>);
static_assert(!immediate<decltype(std::declval<View>() / 2.0F + std::declval<View>())>);
using Truths = TensorView<const bool>;
static_assert(immediate<decltype(std::declval<Truths>() & std::declval<Truths>())>);
static_assert(!immediate<SumOf<View, Truths>>);

template <class X>
constexpr bool never_throws = kernel::detail::never_throws<kernel::formula_t<X>>;
static_assert(never_throws<SumOf<View, View>> && never_throws<Silent>);
static_assert(!never_throws<Risky> && !never_throws<decltype(std::declval<Risky>() + 1.0F)>);

template <class X>
constexpr bool keeps_no_state = kernel::detail::keeps_no_state<kernel::formula_t<X>>;
using Counted = decltype(bl::map(Changing{}, std::declval<View>()));
static_assert(keeps_no_state<Chain> && keeps_no_state<Risky>);
static_assert(!keeps_no_state<Counted> &&
              !keeps_no_state<decltype(std::declval<Counted>() + 1.0F)>);

template <class T>
using Product = decltype(std::declval<TensorView<const T>>() * std::declval<TensorView<const T>>());
template <class X>
constexpr bool widens = kernel::detail::widens<kernel::formula_t<X>>;
static_assert(widens<Product<std::uint8_t>> && widens<Product<std::int8_t>>);
static_assert(widens<decltype(std::declval<Product<std::uint8_t>>() + std::uint8_t{1})>);
static_assert(!widens<Product<bool>> && !widens<Product<std::int16_t>> && !widens<Chain>);

}  // namespace

TEST_CASE("A formula holds the numbers of its expression, and refers to functions with a state") {
    const Tensor<float> x = {1, 2, 3};
    const auto sum = bl::cast<float>(x * 2.0F + 5.0F);
    const kernel::formula_t<std::remove_const_t<decltype(sum)>> formula(kernel::unconverted(sum));
    CHECK(formula.operand<1>().value == 5.0F);
    CHECK(formula.operand<0>().operand<1>().value == 2.0F);

    auto counting =
        bl::map([calls = 0](float e) mutable { return e + static_cast<float>(++calls); }, x);
    const kernel::formula_t<decltype(counting)> counts(counting);
    CHECK(counts.function(1.0F) == 2.0F);
    CHECK(counting.function()(1.0F) == 3.0F);
}

TEST_CASE("Every way to hold an operand gives the same elements") {
    const Tensor<float> x = {1, 2, 3};
    const View view = x.view();
    const Tensor<float> expected = {2, 4, 6};
    CHECK(bl::array_equal(x + x, expected));
    CHECK(bl::array_equal(view + x, expected));
    CHECK(bl::array_equal(Tensor<float>(x) + view, expected));
    CHECK(bl::array_equal(bl::cast<float>(x + x), expected));
}
