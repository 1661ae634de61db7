#include "broadloom/scalar/promote.hpp"

#include <string>
#include <type_traits>

#include "support/catch.hpp"
#include "support/types.hpp"

using namespace broadloom;

namespace {

using namespace types;

template <class A, class B, class R>
constexpr bool meet_in = std::is_same_v<promote_t<A, B>, R> && std::is_same_v<promote_t<B, A>, R>;

// The same type stays that type; bool yields.
static_assert(meet_in<u8, u8, u8> && meet_in<float, float, float> && meet_in<bool, bool, bool>);
static_assert(meet_in<bool, i8, i8> && meet_in<bool, u64, u64> && meet_in<bool, float, float> &&
              meet_in<bool, c64, c64>);
// Integer and floating give the floating type, however wide the integer.
static_assert(meet_in<i64, float, float> && meet_in<u8, float, float> &&
              meet_in<i32, double, double>);
// Otherwise the wider.
static_assert(meet_in<i8, i16, i16> && meet_in<u8, u32, u32> && meet_in<float, double, double>);
static_assert(meet_in<float, long double, long double>);
static_assert(meet_in<u8, i16, i16> && meet_in<u8, i64, i64> && meet_in<u32, i64, i64>);
static_assert(meet_in<i8, u16, u16>, "of different width the wider, whatever its sign");
// Of equal width but different sign, the next wider signed type.
static_assert(meet_in<i8, u8, i16> && meet_in<i16, u16, i32> && meet_in<i32, u32, i64>);
static_assert(meet_in<i8, u64, i64> && meet_in<i16, u64, i64> && meet_in<i32, u64, i64> &&
              meet_in<i64, u64, i64>);
// Complex: the real types meet.
static_assert(meet_in<c64, float, c64> && meet_in<c64, double, c128> && meet_in<c64, c128, c128>);
static_assert(meet_in<c64, i64, c64> && meet_in<c128, bool, c128> && meet_in<c128, float, c128>);

// A number beside a tensor takes its type unless it is of a higher kind.
static_assert(std::is_same_v<weak_t<int, u8>, u8> && std::is_same_v<weak_t<double, float>, float>);
static_assert(std::is_same_v<weak_t<bool, i32>, i32> && std::is_same_v<weak_t<i64, float>, float>);
static_assert(std::is_same_v<weak_t<double, i32>, double> &&
              std::is_same_v<weak_t<float, i64>, float>);
static_assert(std::is_same_v<weak_t<int, bool>, int> && std::is_same_v<weak_t<c128, float>, c128>);
static_assert(std::is_same_v<weak_t<c128, c64>, c64> && std::is_same_v<weak_t<double, c64>, c64>);

static_assert(storable<int, float> && storable<float, int> == false && storable<double, float>);
static_assert(storable<i64, i8> && storable<bool, int> && !storable<int, bool> &&
              !storable<c64, float>);
static_assert(storable<float, c64> && storable<c128, c64>);

struct Dual {
    float value, slope;
};
static_assert(kind<Dual> == Kind::other && storable<Dual, Dual> && !storable<Dual, float> &&
              !storable<float, Dual>);
static_assert(kind<bool> == Kind::boolean && kind<char> == Kind::integer &&
              kind<const float> == Kind::floating);
static_assert(kind<c64> == Kind::complex && !arithmetic<Dual> && arithmetic<c64> &&
              arithmetic<bool>);

// The fundamental types that are not one of the fixed-width names; char is signed or not.
static_assert(sizeof(promote_t<char, signed char>) <= 2 &&
              sizeof(promote_t<char, unsigned char>) <= 2);
static_assert(sizeof(promote_t<long, long long>) == sizeof(long long));

template <class... T>
struct List {};

template <class A, class... B>
constexpr bool commutes_with() {
    return (std::is_same_v<promote_t<A, B>, promote_t<B, A>> && ...);
}
template <class A, class... B>
constexpr bool kind_is_the_higher() {
    return ((kind<promote_t<A, B>> == (kind<A> < kind<B> ? kind<B> : kind<A>)) && ...);
}
template <class... T>
constexpr bool laws_hold(List<T...>) {
    return (commutes_with<T, T...>() && ...) && (kind_is_the_higher<T, T...>() && ...) &&
           (std::is_same_v<promote_t<T, T>, T> && ...);
}
static_assert(
    laws_hold(List<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned,
                   long, unsigned long, long long, unsigned long long, wchar_t, char8_t, char16_t,
                   char32_t, float, double, long double, c64, c128>{}));

}  // namespace

TEST_CASE("The rules of promotion hold for every pair of types") {
    CHECK(laws_hold(List<bool, i8, u8, i16, u16, i32, u32, i64, u64, float, double, c64, c128>{}));
}
