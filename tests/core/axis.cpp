#include "broadloom/core/axis.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

namespace bl = broadloom;
using bl::Axis, bl::IndexList, bl::Integer, bl::index_t;
using bl::detail::OneOrSeveral;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr index_t most = std::numeric_limits<index_t>::max();

enum Side { left, right };
struct Last {
    constexpr operator index_t() const { return -1; }
};

/// A function of one axis.
constexpr index_t place(Axis axis) { return axis; }
/// A function of one axis or several.
constexpr index_t count(const OneOrSeveral& axes) { return axes.rank(); }

template <class A>
concept names_an_axis = requires(A a) { place(a); };

static_assert(place(2) == 2 && place(std::int8_t{-1}) == -1 && place(3U) == 3);
static_assert(place(right) == 1 && place(Last{}) == -1);
static_assert(!std::is_default_constructible_v<Axis>);
static_assert(Integer(2) == 2 && Integer(std::int8_t{-1}) == -1 && Integer(right) == 1);
static_assert(Integer(Last{}) == -1 && Integer(std::uint64_t{most}) == most);
static_assert(!std::is_default_constructible_v<Integer>);
static_assert(!std::is_convertible_v<bool, Integer> && !std::is_convertible_v<float, Integer>);
static_assert(!names_an_axis<bool> && !names_an_axis<double> && !names_an_axis<const char*>);

static_assert(count(7) == 1 && count(Axis(7)) == 1 && count({}) == 0 && count({0, -1}) == 2);
static_assert(count(IndexList{1, 2, 3}) == 3 && count(std::array<int, 2>{}) == 2);
static_assert(count(right) == 1 && count({left, right}) == 2);
static_assert(!std::is_convertible_v<bool, OneOrSeveral>);

constexpr bool axes_count_from_either_end() {
    using bl::detail::normalize_axes, bl::detail::normalize_axis;
    return normalize_axis(0, 3) == 0 && normalize_axis(2, 3) == 2 && normalize_axis(-1, 3) == 2 &&
           normalize_axis(-3, 3) == 0 && normalize_axes({-1, 0}, 3) == IndexList{2, 0} &&
           normalize_axes({}, 3) == IndexList{} &&
           normalize_axes(IndexList::filled(1, -1), 32) == IndexList{31};
}
static_assert(axes_count_from_either_end());

}  // namespace

TEST_CASE("Axes are the same at run time") {
    CHECK(axes_count_from_either_end());
    CHECK(place(std::vector<int>(2).size()) == 2);
    CHECK(count(std::vector<int>(2)) == 2);
    CHECK(OneOrSeveral(-1)[0] == -1);
}

TEST_CASE("An integer that index_t does not hold is refused by its own name") {
    const std::size_t two = 2;
    CHECK_THROWS_WITH(place(-two),
                      ContainsSubstring(std::to_string(-two) + " is beyond any tensor"));
    CHECK_THROWS_AS(Integer(std::uint64_t{1} << 63), bl::index_error);
    CHECK_THROWS_AS(OneOrSeveral(-two), bl::index_error);
    CHECK_THROWS_AS((OneOrSeveral{0, -two}), bl::index_error);
    CHECK_THROWS_AS(OneOrSeveral(std::vector<std::size_t>{0, -two}), bl::index_error);
}

TEST_CASE("An axis out of range is an index_error that names the axis and the rank") {
    using bl::detail::normalize_axis;
    CHECK_THROWS_AS(normalize_axis(3, 3), bl::index_error);
    CHECK_THROWS_AS(normalize_axis(-4, 3), bl::index_error);
    CHECK_THROWS_AS(normalize_axis(0, 0), bl::index_error);
    CHECK_THROWS_AS(normalize_axis(most, 3), bl::index_error);
    CHECK_THROWS_AS(normalize_axis(-most - 1, 3), bl::index_error);
    CHECK_THROWS_WITH(normalize_axis(-4, 3), ContainsSubstring("-4") && ContainsSubstring("3"));
}

TEST_CASE("An axis named twice is an index_error, however it is counted") {
    using bl::detail::normalize_axes;
    CHECK_THROWS_AS(normalize_axes({0, 0}, 2), bl::index_error);
    CHECK_THROWS_AS(normalize_axes({1, -1}, 2), bl::index_error);
    CHECK_THROWS_AS(normalize_axes({31, -1}, 32), bl::index_error);
    CHECK_THROWS_AS(normalize_axes({0, 5}, 2), bl::index_error);
    CHECK_THROWS_WITH(normalize_axes({1, -1}, 2), ContainsSubstring("(1, -1)"));
}

TEST_CASE("An axis may count rank 0 as one dimension") {
    using bl::detail::normalize_axis_of_any;
    CHECK(normalize_axis_of_any(-1, 0) == 0);
    CHECK(normalize_axis_of_any(-1, 2) == 1);
    CHECK_THROWS_AS(normalize_axis_of_any(1, 0), bl::index_error);
}
