#include "broadloom/core/broadcast.hpp"

#include <string>
#include <span>
#include <vector>

#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::broadcast_shapes, bl::broadcastable, bl::index_t, bl::Shape, bl::Strides;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr bool examples_of_numpy_and_pytorch_hold() {
    return broadcast_shapes(Shape{5, 3, 4, 1}, Shape{3, 1, 1}) == Shape{5, 3, 4, 1} &&
           broadcast_shapes(Shape{5, 1, 4, 1}, Shape{3, 1, 1}) == Shape{5, 3, 4, 1} &&
           broadcast_shapes(Shape{8, 1, 6, 1}, Shape{7, 1, 5}) == Shape{8, 7, 6, 5} &&
           broadcast_shapes(Shape{256, 256, 3}, Shape{3}) == Shape{256, 256, 3} &&
           broadcast_shapes(Shape{6, 7}, Shape{5, 6, 1}, Shape{7}, Shape{5, 1, 7}) ==
               Shape{5, 6, 7} &&
           !broadcastable(Shape{3}, Shape{4}) && !broadcastable(Shape{2, 1}, Shape{8, 4, 3}) &&
           !broadcastable(Shape{2, 1, 4}, Shape{3, 2});
}
static_assert(examples_of_numpy_and_pytorch_hold());

constexpr bool an_extent_of_one_takes_the_other_even_zero() {
    return broadcast_shapes(Shape{1}, Shape{0}) == Shape{0} &&
           broadcast_shapes(Shape{0}, Shape{1}) == Shape{0} && !broadcastable(Shape{0}, Shape{2}) &&
           !broadcastable(Shape{0}, Shape{2, 2}) &&
           broadcast_shapes(Shape{0, 1, 0}, Shape{1, 2, 1}) == Shape{0, 2, 0};
}
static_assert(an_extent_of_one_takes_the_other_even_zero());

constexpr bool rank_zero_fits_everything() {
    return broadcast_shapes() == Shape{} && broadcast_shapes(Shape{}) == Shape{} &&
           broadcast_shapes(Shape{}, Shape{}) == Shape{} &&
           broadcast_shapes(Shape{}, Shape{0, 3}) == Shape{0, 3} &&
           broadcast_shapes(Shape{2}, Shape{}, Shape{3, 1}) == Shape{3, 2} && broadcastable();
}
static_assert(rank_zero_fits_everything());

constexpr bool expansion_is_a_stride_of_zero() {
    using bl::detail::broadcast_strides;
    return broadcast_strides(Shape{3, 1}, {1, 1}, Shape{3, 4}) == Strides{1, 0} &&
           broadcast_strides(Shape{4}, {1}, Shape{3, 4}) == Strides{0, 1} &&
           broadcast_strides(Shape{}, {}, Shape{3, 4}) == Strides{0, 0} &&
           broadcast_strides(Shape{3, 4}, {-4, 7}, Shape{3, 4}) == Strides{-4, 7} &&
           broadcast_strides(Shape{1, 4}, {9, 1}, Shape{1, 4}) == Strides{9, 1} &&
           broadcast_strides(Shape{1}, {1}, Shape{0}) == Strides{0};
}
static_assert(expansion_is_a_stride_of_zero());

constexpr bool assignment_drops_leading_ones() {
    using bl::detail::drop_leading_ones;
    return drop_leading_ones(Shape{1, 1, 3}, 1) == Shape{3} &&
           drop_leading_ones(Shape{1, 1, 3}, 2) == Shape{1, 3} &&
           drop_leading_ones(Shape{1, 2, 3}, 1) == Shape{2, 3} &&
           drop_leading_ones(Shape{1, 1}, 0) == Shape{} &&
           drop_leading_ones(Shape{1, 1}, 2) == Shape{1, 1} &&
           drop_leading_ones(Shape{3}, 5) == Shape{3} &&
           drop_leading_ones(Shape{1, 0}, 1) == Shape{0};
}
static_assert(assignment_drops_leading_ones());

}  // namespace

TEST_CASE("The rule is the same at run time") {
    CHECK(examples_of_numpy_and_pytorch_hold());
    CHECK(an_extent_of_one_takes_the_other_even_zero());
    CHECK(rank_zero_fits_everything());
    CHECK(expansion_is_a_stride_of_zero());
    CHECK(assignment_drops_leading_ones());
}

TEST_CASE("What does not broadcast into a shape is refused") {
    using bl::detail::require_assignable, bl::detail::require_fits_into;
    require_fits_into(Shape{3, 1}, Shape{2, 3, 4});
    CHECK_THROWS_AS(require_fits_into(Shape{2}, Shape{3}), bl::shape_error);
    CHECK_THROWS_AS(require_fits_into(Shape{1, 3}, Shape{3}), bl::shape_error);
    require_assignable(Shape{1, 3}, Shape{3});
    require_assignable(Shape{1, 1, 1}, Shape{0});
    CHECK_THROWS_AS(require_assignable(Shape{2, 3}, Shape{3}), bl::shape_error);
    CHECK_THROWS_AS(require_assignable(Shape{1, 2}, Shape{3}), bl::shape_error);
}

TEST_CASE("Every pair of shapes of rank 0 to 3 with extents 0 to 3 follows the rule") {
    const std::vector<Shape> shapes = naive::all_shapes(3, 3);
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            Shape expected;
            const bool fits = naive::common_shape({a, b}, expected);
            if (broadcastable(a, b) != fits) FAIL(bl::explain(a, b));
            if (fits) {
                if (broadcast_shapes(a, b) != expected) FAIL(bl::explain(a, b));
            } else {
                try {
                    broadcast_shapes(a, b);
                    FAIL(bl::explain(a, b));
                } catch (const bl::shape_error&) {
                }
            }
        }
    }
}

TEST_CASE("A result with more elements than can be counted is refused") {
    const index_t big = extents::vast;
    CHECK_THROWS_AS(broadcast_shapes(Shape{big, 1}, Shape{big}), bl::shape_error);
    CHECK_THROWS_WITH(broadcast_shapes(Shape{big, 1}, Shape{big}),
                      ContainsSubstring("more elements"));
    CHECK(!broadcastable(Shape{big, 1}, Shape{big}));
    CHECK(broadcastable(Shape{big, 1}, Shape{0}));
    // Each of the extents is small.
    const index_t small = (index_t{1} << (2 * sizeof(index_t) - 1)) - 1;
    const Shape a{small, small, 1, 1, 1}, b{1, 1, small, small, small};
    CHECK_THROWS_AS(broadcast_shapes(a, b), bl::shape_error);
    CHECK(!broadcastable(a, b));
}

TEST_CASE("Thirty-two dimensions broadcast like two") {
    bl::IndexList odd = bl::IndexList::filled(32, 1), even = odd;
    for (index_t d = 0; d < 32; ++d) (d % 16 == 0 ? odd : even)[d] = d % 16 == 0 ? 3 : 1;
    even[1] = 2;
    const Shape result = broadcast_shapes(Shape(odd), Shape(even));
    CHECK(result.size() == 18);
    CHECK(result[1] == 2);
    CHECK(result[16] == 3);
}

TEST_CASE("A view that cannot grow says which extent would have to") {
    using bl::detail::broadcast_strides;
    CHECK_THROWS_WITH(broadcast_strides(Shape{3, 4}, {4, 1}, Shape{3, 1}),
                      ContainsSubstring("cannot broadcast (3, 4) into (3, 1)") &&
                          ContainsSubstring("extent 1 at dimension 1 would have to grow to 4"));
    CHECK_THROWS_WITH(broadcast_strides(Shape{2, 3, 4}, {12, 4, 1}, Shape{4}),
                      ContainsSubstring("gain 2 dimensions"));
    CHECK_THROWS_WITH(broadcast_strides(Shape{1, 4}, {4, 1}, Shape{4}),
                      ContainsSubstring("gain 1 dimension"));
    CHECK_THROWS_WITH(broadcast_strides(Shape{4}, {1}, Shape{2, 3}),
                      ContainsSubstring("extent 3 at dimension 1 does not match 4"));
    CHECK_THROWS_WITH(broadcast_strides(Shape{3}, {1}, Shape{0}),
                      ContainsSubstring("extent 0 at dimension 0 does not match 3"));
}

TEST_CASE("What does not fit is told of dimensions of 1 where they would help") {
    using bl::detail::require_fits_into;
    CHECK_THROWS_WITH(require_fits_into(Shape{2}, Shape{2, 3}),
                      ContainsSubstring("the source would fit"));
    CHECK_THROWS_WITH(require_fits_into(Shape{2}, Shape{1, 3}),
                      !ContainsSubstring("would fit") && !ContainsSubstring("which fits"));
}

TEST_CASE("What is assigned loses leading extents of 1, and does not fit for another reason") {
    using bl::detail::assigned_shape;
    CHECK(assigned_shape(Shape{1, 1, 3}, Shape{2, 3}) == Shape{1, 3});
    CHECK_THROWS_WITH(assigned_shape(Shape{1, 2, 2}, Shape{2, 3}),
                      ContainsSubstring("cannot broadcast (1, 2, 2) into (2, 3)") &&
                          ContainsSubstring("extent 3 at dimension 1 does not match 2"));
    CHECK_THROWS_WITH(assigned_shape(Shape{1, 3}, Shape{2}),
                      ContainsSubstring("extent 2 at dimension 0 does not match 3"));
    CHECK_THROWS_WITH(assigned_shape(Shape{2, 1, 3}, Shape{3}),
                      ContainsSubstring("gain 2 dimensions"));
}

TEST_CASE("Strides with zeros read what the rule says, for all small shapes") {
    const std::vector<Shape> shapes = naive::all_shapes(3, 3);
    for (const Shape& from : shapes) {
        for (const Shape& to : shapes) {
            Shape common;
            const bool fits = naive::common_shape({from, to}, common) && common == to;
            const Strides plain = bl::detail::row_major(from);
            if (bl::detail::fits_into(from.extents(), to.extents()) != fits) {
                FAIL(bl::detail::text(from) << " into " << bl::detail::text(to));
            }
            if (!fits) continue;
            const Strides spread = bl::detail::broadcast_strides(from, plain, to);
            const std::vector<index_t> at = naive::offsets(to, spread);
            std::size_t i = 0;
            bool same = true;
            naive::for_each_index(to, [&](const bl::IndexList& index) {
                same = same && at[i++] == naive::broadcast_offset(index, from, plain);
            });
            if (!same) FAIL(bl::detail::text(from) << " into " << bl::detail::text(to));
        }
    }
}

TEST_CASE("Shapes that are counted at run time broadcast as those written out") {
    const std::vector<Shape> shapes = {Shape{8, 1, 6, 1}, Shape{7, 1, 5}, Shape{}};
    CHECK(broadcast_shapes(shapes) == Shape{8, 7, 6, 5});
    CHECK(broadcastable(shapes));
    CHECK(bl::explain(shapes) == bl::explain(shapes[0], shapes[1], shapes[2]));
    std::vector<Shape> changeable = shapes;
    CHECK(broadcast_shapes(std::span(changeable)) == Shape{8, 7, 6, 5});
    CHECK(broadcast_shapes(std::span(shapes)) == Shape{8, 7, 6, 5});
    const std::vector<Shape> clash = {Shape{3}, Shape{4}};
    CHECK(!broadcastable(clash));
    CHECK_THROWS_AS(broadcast_shapes(clash), bl::shape_error);
    CHECK(broadcast_shapes(std::vector<Shape>{}) == Shape{});
    const std::vector<bl::index_t> column = {4, 1};
    CHECK(broadcast_shapes(column, Shape{3}) == Shape{4, 3});
    const std::vector<std::vector<int>> plain = {{8, 1, 6, 1}, {7, 1, 5}, {}};
    CHECK(broadcast_shapes(plain) == Shape{8, 7, 6, 5});
    CHECK(broadcastable(plain));
    CHECK(bl::explain(plain) == bl::explain(shapes));
}

TEST_CASE("Up to four shapes may be written in braces") {
    static_assert(broadcast_shapes({3, 1}, {4}) == Shape{3, 4});
    static_assert(broadcast_shapes({5, 1}, {1, 6}, {6}, {}) == Shape{5, 6});
    CHECK(broadcastable({2, 1}, {3}, {1}));
    CHECK(!broadcastable({2, 1}, {3}, {1}, {4}));
    CHECK(bl::explain({2, 1}, {3}) == bl::explain(Shape{2, 1}, Shape{3}));
    CHECK(bl::explain({2}, {3}, {1}) == bl::explain(Shape{2}, Shape{3}, Shape{1}));
    CHECK(broadcast_shapes({3, 1}, {}) == Shape{3, 1});
    CHECK(broadcastable({1, 2}, {5, 1}));
    CHECK(!broadcastable({2}, {3}));
}

namespace {

struct Shaped {
    Shape extents;
    const Shape& shape() const { return extents; }
};

}  // namespace

TEST_CASE("What has a shape stands for it") {
    const Shaped x{{2, 1}}, y{{3}};
    CHECK(broadcast_shapes(x, y) == Shape{2, 3});
    CHECK(broadcast_shapes(x, y, Shape{4, 1, 1}) == Shape{4, 2, 3});
    CHECK(broadcastable(x, y));
    CHECK_FALSE(broadcastable(y, Shape{2}));
    CHECK(bl::explain(x, y) == bl::explain({2, 1}, {3}));
}
