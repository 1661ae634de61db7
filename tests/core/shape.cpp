#include "broadloom/core/shape.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

namespace bl = broadloom;
using bl::IndexList, bl::index_t, bl::Shape;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr index_t largest = std::numeric_limits<index_t>::max();
// Its square can be counted, that of its double cannot.
constexpr index_t half = index_t{1} << (4 * sizeof(index_t) - 1);

constexpr bool list_keeps_order() {
    IndexList list{3, 1, 2};
    list.push_back(9);
    list.insert(0, 7);
    list.insert(5, 8);
    list.insert(2, 6);
    bool ok = list == IndexList{7, 3, 6, 1, 2, 9, 8} && list.rank() == 7;
    list.erase(0);
    list.erase(5);
    list.erase(1);
    list[0] = -4;
    return ok && list == IndexList{-4, 1, 2, 9} && list.end() - list.begin() == 4;
}
static_assert(list_keeps_order());

constexpr bool lists_compare_by_length_and_entries() {
    return IndexList{} == IndexList{} && IndexList{1} != IndexList{} &&
           IndexList{1, 2} != IndexList{1} && IndexList{1, 2} != IndexList{1, 3} &&
           IndexList::filled(3, 5) == IndexList{5, 5, 5} && IndexList::filled(0, 5) == IndexList{};
}
static_assert(lists_compare_by_length_and_entries());

constexpr bool size_is_the_product() {
    return Shape{}.size() == 1 && Shape{}.rank() == 0 && Shape{0}.size() == 0 &&
           Shape{2, 3}.size() == 6 && Shape{2, 0, 3}.size() == 0 && Shape{1, 1, 1}.size() == 1 &&
           Shape{7}.rank() == 1 && Shape{2, 3, 4}[2] == 4 &&
           Shape{half, half}.size() == half * half && Shape{largest}.size() == largest &&
           Shape{largest, 1}.size() == largest && Shape{largest / 3, 3}.size() == largest / 3 * 3 &&
           Shape{largest, 0}.size() == 0;
}
static_assert(size_is_the_product());

constexpr bool shapes_compare_by_extents() {
    return Shape{2, 3} == Shape{2, 3} && Shape{2, 3} != Shape{3, 2} && Shape{6} != Shape{2, 3} &&
           Shape{} != Shape{1} && Shape(IndexList{2, 3}) == Shape{2, 3} &&
           Shape{0, 2} != Shape{2, 0};
}
static_assert(shapes_compare_by_extents());

static_assert(std::is_trivially_destructible_v<Shape>);
static_assert(std::is_nothrow_copy_constructible_v<Shape>);
static_assert(!std::is_convertible_v<IndexList, Shape>,
              "a list is not a shape until it is checked");
static_assert(std::is_convertible_v<Shape, const IndexList&>);

}  // namespace

TEST_CASE("Negative axes of shapes and strides count from the back") {
    constexpr Shape shape{2, 3, 4};
    static_assert(shape[-1] == 4 && shape[-3] == 2);
    const bl::IndexList strides{12, 4, 1};
    CHECK(strides[-2] == 4);
    bl::IndexList copy = strides;
    copy[-1] = 5;
    CHECK(copy == bl::IndexList{12, 4, 5});
}

TEST_CASE("Lists and sizes are the same at run time") {
    CHECK(list_keeps_order());
    CHECK(lists_compare_by_length_and_entries());
    CHECK(size_is_the_product());
    CHECK(shapes_compare_by_extents());
}

TEST_CASE("A list holds 32 entries and copies all of them") {
    for (index_t rank = 0; rank <= bl::max_rank; ++rank) {
        IndexList list = IndexList::uninitialized(rank);
        for (index_t i = 0; i < rank; ++i) list[i] = 100 + i;
        const IndexList copy = list;
        IndexList assigned{1, 2, 3, 4, 5, 6, 7};
        assigned = list;
        CHECK(copy == list);
        CHECK(assigned == list);
        CHECK(std::accumulate(copy.begin(), copy.end(), index_t{0}) ==
              100 * rank + rank * (rank - 1) / 2);
        assigned = IndexList{5};
        CHECK(assigned == IndexList{5});
    }
}

TEST_CASE("The 33rd dimension is refused, and the list stays as it was") {
    IndexList list = IndexList::filled(32, 1);
    CHECK_THROWS_AS(list.push_back(1), bl::shape_error);
    CHECK_THROWS_AS(list.insert(0, 1), bl::shape_error);
    CHECK(list == IndexList::filled(32, 1));
    CHECK_THROWS_AS(IndexList::filled(33, 0), bl::shape_error);
    CHECK_THROWS_AS(IndexList::uninitialized(33), bl::shape_error);
    CHECK_THROWS_WITH((IndexList::uninitialized(40)),
                      ContainsSubstring("rank 40") && ContainsSubstring("32"));
    CHECK(Shape(IndexList::filled(32, 1)).size() == 1);
}

TEST_CASE("A negative extent is refused with the shape in the message") {
    CHECK_THROWS_AS((Shape{2, -1}), bl::shape_error);
    CHECK_THROWS_WITH((Shape{2, -1}), ContainsSubstring("(2, -1)"));
    CHECK_THROWS_AS((Shape{0, -5}), bl::shape_error);
    CHECK_THROWS_AS(Shape{std::numeric_limits<index_t>::min()}, bl::shape_error);
}

TEST_CASE("More elements than index_t can count are refused, an extent of 0 beside or not") {
    const index_t big = 2 * half;
    CHECK_THROWS_AS((Shape{big, big}), bl::shape_error);
    CHECK_THROWS_AS((Shape{largest, 2}), bl::shape_error);
    CHECK_THROWS_AS((Shape{2, largest}), bl::shape_error);
    CHECK_THROWS_AS((Shape{largest / 3 + 1, 3}), bl::shape_error);
    CHECK_THROWS_AS((Shape{big, big, 0}), bl::shape_error);
    CHECK_THROWS_AS((Shape{0, big, big}), bl::shape_error);
    CHECK_THROWS_AS((Shape{index_t{1} << 16, index_t{1} << 16, index_t{1} << 16, index_t{1} << 15}),
                    bl::shape_error);
    CHECK_THROWS_WITH((Shape{big, big}), ContainsSubstring("(" + std::to_string(big) + ", " +
                                                           std::to_string(big) + ")"));
}

TEST_CASE("Extents known at run time come in any range of integers") {
    const std::vector<index_t> extents = {2, 3};
    const Shape shape = extents;
    CHECK(shape == Shape{2, 3});
    CHECK(shape == extents);
    CHECK(Shape(std::array<unsigned, 3>{4, 5, 6}) == Shape{4, 5, 6});
    CHECK(Shape(std::vector<int>{}) == Shape{});
    const int axes[] = {-1, 0};
    CHECK(IndexList(axes) == IndexList{-1, 0});
    CHECK_THROWS_AS(Shape(std::vector<int>{2, -1}), bl::shape_error);
    CHECK_THROWS_AS(Shape(std::vector<int>(33, 1)), bl::shape_error);
    static_assert(!std::is_constructible_v<Shape, std::vector<bool>>);
    static_assert(!std::is_constructible_v<Shape, std::vector<double>>);
    static_assert(!std::is_constructible_v<Shape, std::string>);
}

TEST_CASE("Extents in braces may be of any integer type, and of several") {
    const std::vector<float> values(6);
    const unsigned three = 3;
    const std::int8_t last = -1;
    CHECK(Shape{values.size(), three, 2} == Shape{6, 3, 2});
    CHECK(IndexList{values.size(), last} == IndexList{6, -1});
    // What index_t does not hold is too large, not negative.
    CHECK_THROWS_AS((Shape{std::numeric_limits<std::uint64_t>::max(), 2}), bl::shape_error);
    CHECK(IndexList{std::numeric_limits<std::uint64_t>::max()}[0] ==
          std::numeric_limits<index_t>::max());
}

TEST_CASE("Shapes are written as NumPy writes tuples") {
    CHECK(bl::detail::text(Shape{}) == "()");
    CHECK(bl::detail::text(Shape{3}) == "(3,)");
    CHECK(bl::detail::text(Shape{2, 3}) == "(2, 3)");
    CHECK(bl::detail::text(IndexList{-1, 0, 10}) == "(-1, 0, 10)");
}

TEST_CASE("Rank 0 counts as one dimension where that is asked for") {
    CHECK(bl::detail::at_least_1d(Shape{}) == Shape{1});
    CHECK(bl::detail::at_least_1d(Shape{2, 3}) == Shape{2, 3});
}
