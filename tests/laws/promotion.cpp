// The element type of every result, as the rules of promotion have it: one table for operators,
// functions and choices.
#include <type_traits>
#include <utility>

#include "broadloom/broadloom.hpp"
#include "support/catch.hpp"
#include "support/types.hpp"

namespace bl = broadloom;
using bl::Tensor;

namespace {

using namespace types;

template <class T>
Tensor<T>& tensor();
template <class E>
using element = bl::element_t<E>;

/// Tensor beside tensor: operators, functions and choices all give R.
template <class A, class B, class R>
constexpr bool meet_in =
    std::is_same_v<element<decltype(tensor<A>() * tensor<B>())>, R> &&
    std::is_same_v<element<decltype(tensor<B>() + tensor<A>())>, R> &&
    std::is_same_v<element<decltype(bl::maximum(tensor<A>(), tensor<B>()))>, R> &&
    std::is_same_v<element<decltype(bl::where(tensor<bool>(), tensor<A>(), tensor<B>()))>, R> &&
    std::is_same_v<element<decltype(bl::where(tensor<bool>(), tensor<B>(), tensor<A>()))>, R> &&
    std::is_same_v<element<decltype(bl::clip(tensor<A>(), tensor<A>(), tensor<B>()))>, R>;

static_assert(meet_in<u8, u8, u8> && meet_in<float, float, float> && meet_in<bool, bool, bool>);
static_assert(meet_in<bool, i8, i8> && meet_in<bool, float, float> && meet_in<bool, c64, c64>);
static_assert(meet_in<i64, float, float> && meet_in<u8, double, double> && meet_in<i32, c64, c64>);
static_assert(meet_in<i8, i32, i32> && meet_in<u8, u16, u16> && meet_in<float, double, double>);
static_assert(meet_in<i8, u8, i16> && meet_in<u16, i16, i32> && meet_in<i32, u32, i64>);
static_assert(meet_in<u64, i8, i64> && meet_in<u64, i64, i64> && meet_in<u32, i64, i64>);
static_assert(meet_in<c64, double, c128> && meet_in<c64, c128, c128>);

/// A number of type S beside a tensor of T: R, on either side and in every form.
template <class S, class T, class R>
constexpr bool beside =
    std::is_same_v<element<decltype(tensor<T>() + std::declval<S>())>, R> &&
    std::is_same_v<element<decltype(std::declval<S>() * tensor<T>())>, R> &&
    std::is_same_v<element<decltype(bl::minimum(tensor<T>(), std::declval<S>()))>, R> &&
    std::is_same_v<element<decltype(bl::where(tensor<bool>(), tensor<T>(), std::declval<S>()))>,
                   R> &&
    std::is_same_v<element<decltype(bl::where(tensor<bool>(), std::declval<S>(), tensor<T>()))>,
                   R> &&
    std::is_same_v<element<decltype(bl::clip(tensor<T>(), std::declval<S>(), std::declval<S>()))>,
                   R> &&
    std::is_same_v<element<decltype(bl::lerp(tensor<T>(), std::declval<S>(), std::declval<S>()))>,
                   R> &&
    std::is_same_v<element<decltype(bl::fma(tensor<T>(), std::declval<S>(), std::declval<S>()))>,
                   R> &&
    std::is_same_v<element<decltype(bl::addcmul(tensor<T>(), tensor<T>(), std::declval<S>()))>, R>;

static_assert(beside<double, float, float> && beside<int, float, float> && beside<i64, u8, u8>);
static_assert(beside<bool, float, float> && beside<float, c64, c64> && beside<double, c64, c64>);
static_assert(beside<double, i32, double> && beside<float, i64, float> &&
              beside<c128, float, c128>);

// Comparisons and logic give bool, true division a floating type.
static_assert(std::is_same_v<element<decltype(tensor<float>() < tensor<i32>())>, bool>);
static_assert(std::is_same_v<element<decltype(tensor<u8>() == 3)>, bool>);
static_assert(std::is_same_v<element<decltype(tensor<u8>() && tensor<float>())>, bool>);
static_assert(std::is_same_v<element<decltype(!tensor<float>())>, bool>);
static_assert(std::is_same_v<element<decltype(bl::isclose(tensor<i8>(), 1))>, bool>);
#if defined(__SIZEOF_INT128__)
// An integer for the language with its GNU extensions, but not of the standard's arithmetic.
__extension__ using wide = __int128;
static_assert(bl::kind<wide> == bl::Kind::other && !bl::arithmetic<wide>);
static_assert(std::is_same_v<element<decltype(tensor<wide>() + tensor<wide>())>, wide>);
#endif
static_assert(
    std::is_same_v<element<decltype(bl::true_divide(tensor<i8>(), tensor<i8>()))>, double>);
static_assert(std::is_same_v<element<decltype(bl::true_divide(tensor<float>(), 2))>, float>);
static_assert(std::is_same_v<element<decltype(tensor<i32>() / 2)>, i32>);
static_assert(std::is_same_v<element<decltype(tensor<i32>() / 2.0)>, double>);
static_assert(std::is_same_v<element<decltype(bl::pow(tensor<i32>(), 2))>, i32>);
static_assert(std::is_same_v<element<decltype(bl::pow(tensor<float>(), 2))>, float>);
static_assert(std::is_same_v<element<decltype(bl::pow(tensor<i32>(), 0.5))>, double>);
static_assert(std::is_same_v<element<decltype(-tensor<u8>())>, u8>);
static_assert(std::is_same_v<element<decltype(~tensor<bool>())>, bool>);
static_assert(std::is_same_v<element<decltype(bl::abs(tensor<c64>()))>, float>);
static_assert(std::is_same_v<element<decltype(bl::abs(tensor<i8>()))>, i8>);
static_assert(std::is_same_v<element<decltype(bl::sqrt(tensor<i32>()))>, double>);
static_assert(std::is_same_v<element<decltype(bl::exp(tensor<float>()))>, float>);
static_assert(
    std::is_same_v<element<decltype(bl::masked_fill(tensor<float>(), tensor<bool>(), 2))>, float>);
static_assert(std::is_same_v<element<decltype(tensor<float>().cast<i8>())>, i8>);
static_assert(std::is_same_v<element<decltype(bl::atan2(tensor<float>(), 1.0))>, float>);
static_assert(std::is_same_v<element<decltype(bl::hypot(tensor<i32>(), tensor<i32>()))>, double>);

// What may be stored without a cast, and what may not.
template <class T, class X>
concept updatable = requires(Tensor<T>& x, X&& y) { x += std::forward<X>(y); };
static_assert(updatable<float, double> && updatable<float, int> && updatable<u8, i64> &&
              updatable<double, Tensor<float>&>);

}  // namespace

TEST_CASE(
    "Numbers beside tensors wrap into their type, bounds saturate, comparisons keep the value") {
    const Tensor<u8> x = {0, 44, 255};
    CHECK(bl::array_equal(x + 300, Tensor<u8>{44, 88, 43}));
    CHECK(bl::array_equal(x - 1, Tensor<u8>{255, 43, 254}));
    CHECK(bl::array_equal(bl::maximum(x, 300), Tensor<u8>{255, 255, 255}));
    CHECK(bl::array_equal(bl::minimum(x, -1), Tensor<u8>{0, 0, 0}));
    CHECK(bl::array_equal(bl::clip(x, -5, 300), x));
    CHECK(bl::array_equal(x == 300, Tensor<bool>{false, false, false}));
    CHECK(bl::array_equal(x < 300, Tensor<bool>{true, true, true}));
    CHECK(bl::array_equal(-1 < x, Tensor<bool>{true, true, true}));
    CHECK(bl::array_equal(x > 43.5, Tensor<bool>{false, true, true}));
    CHECK(bl::array_equal(Tensor<bool>{true, false} == 2, Tensor<bool>{false, false}));
}

TEST_CASE("Integers of different sign compare as mathematics has it") {
    const Tensor<i64> negative = {-1, 5};
    const Tensor<u64> large = {~u64{0}, 5};
    CHECK(bl::array_equal(negative < large, Tensor<bool>{true, false}));
    CHECK(bl::array_equal(negative == large, Tensor<bool>{false, true}));
    CHECK(bl::array_equal(negative == Tensor<u8>{255, 5}, Tensor<bool>{false, true}));
    CHECK(bl::array_equal(large > -1, Tensor<bool>{true, true}));
}

TEST_CASE("A compound assignment computes in the common type and stores in the target's") {
    Tensor<u8> x = {200, 100};
    x += Tensor<i32>{1000, -101};
    CHECK(bl::array_equal(x, Tensor<u8>{176, 255}));
    Tensor<float> y = {1, 2};
    y *= Tensor<double>{0.1, 0.2};
    CHECK(y(0) == 0.1F);
    y += true;
    CHECK(y(0) == 1.1F);
    Tensor<bool> z = {true, false};
    z &= Tensor<bool>{true, true};
    z |= true;
    z ^= true;
    CHECK(bl::array_equal(z, Tensor<bool>{false, false}));
}

TEST_CASE("Bool adds and multiplies as logic") {
    const Tensor<bool> a = {true, true, false}, b = {true, false, false};
    CHECK(bl::array_equal(a + b, Tensor<bool>{true, true, false}));
    CHECK(bl::array_equal(a * b, Tensor<bool>{true, false, false}));
    CHECK(bl::array_equal(a + 1, Tensor<int>{2, 2, 1}));
}
