#include "broadloom/core/rearrange.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
namespace to = broadloom::detail;
using bl::index_t, bl::IndexList, bl::Layout, bl::Shape, bl::Strides;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr Layout plain(const Shape& shape) { return Layout{shape, to::row_major(shape), 0}; }

constexpr bool unsqueeze_inserts_an_extent_of_one() {
    const Layout x = plain(Shape{2, 3});
    return to::unsqueeze(x, 0).shape == Shape{1, 2, 3} &&
           to::unsqueeze(x, 1).shape == Shape{2, 1, 3} &&
           to::unsqueeze(x, 2).shape == Shape{2, 3, 1} &&
           to::unsqueeze(x, -1).shape == Shape{2, 3, 1} &&
           to::unsqueeze(x, -3).shape == Shape{1, 2, 3} &&
           to::unsqueeze(plain(Shape{}), 0).shape == Shape{1};
}
static_assert(unsqueeze_inserts_an_extent_of_one());

constexpr bool squeeze_drops_extents_of_one() {
    const Layout x = plain(Shape{1, 2, 1, 3, 1});
    return to::squeeze(x).shape == Shape{2, 3} && to::squeeze(x).strides == Strides{3, 1} &&
           to::squeeze(x, {0, -1}).shape == Shape{2, 1, 3} && to::squeeze(x, {}).shape == x.shape &&
           to::squeeze(plain(Shape{1, 1})).shape == Shape{} &&
           to::squeeze(plain(Shape{0, 1, 2})).shape == Shape{0, 2} &&
           to::squeeze(plain(Shape{})).shape == Shape{};
}
static_assert(squeeze_drops_extents_of_one());

constexpr bool permutations_move_extents_and_strides() {
    const Layout x = plain(Shape{2, 3, 4});
    const Layout y = to::permute(x, {2, 0, 1});
    return y.shape == Shape{4, 2, 3} && y.strides == Strides{1, 12, 4} &&
           to::transpose(x).shape == Shape{4, 3, 2} && to::transpose(to::transpose(x)) == x &&
           to::swap_axes(x, 0, -1).shape == Shape{4, 3, 2} && to::swap_axes(x, 1, 1) == x &&
           to::move_axis(x, {0}, {-1}).shape == Shape{3, 4, 2} &&
           to::move_axis(x, {2}, {0}).shape == Shape{4, 2, 3} &&
           to::move_axis(x, {0, 1}, {1, 2}).shape == Shape{4, 2, 3} &&
           to::move_axis(x, {}, {}) == x && to::transpose(plain(Shape{})) == plain(Shape{}) &&
           to::permute(plain(Shape{}), {}).shape == Shape{};
}
static_assert(permutations_move_extents_and_strides());

constexpr bool flips_start_at_the_other_end() {
    const Layout x = plain(Shape{2, 3});
    const Layout all = to::flip(x), one = to::flip(x, {1});
    return all.offset == 5 && all.strides == Strides{-3, -1} && one.offset == 2 &&
           one.strides == Strides{3, -1} && to::flip(all) == x &&
           to::flip(plain(Shape{0, 4})).offset == 0 && to::flip(x, {}) == x &&
           to::flip(plain(Shape{})) == plain(Shape{});
}
static_assert(flips_start_at_the_other_end());

constexpr bool diagonals_step_along_two_axes() {
    const Layout x = plain(Shape{3, 4});
    return to::diagonal(x, 0, 0, 1) == Layout{Shape{3}, {5}, 0} &&
           to::diagonal(x, 1, 0, 1) == Layout{Shape{3}, {5}, 1} &&
           to::diagonal(x, 3, 0, 1) == Layout{Shape{1}, {5}, 3} &&
           to::diagonal(x, 4, 0, 1).shape == Shape{0} &&
           to::diagonal(x, -2, 0, 1) == Layout{Shape{1}, {5}, 8} &&
           to::diagonal(x, -3, 0, 1).shape == Shape{0} &&
           to::diagonal(x, 0, 1, 0).shape == Shape{3} &&
           to::diagonal(x, -1, 1, 0) == Layout{Shape{3}, {5}, 1} &&
           to::diagonal(plain(Shape{2, 3, 4}), 0, -1, 0).shape == Shape{3, 2} &&
           to::diagonal(Layout{Shape{3, 4, 0}, {4, 1, 1}, 5}, 1, 0, 1).offset == 5;
}
static_assert(diagonals_step_along_two_axes());

constexpr bool windows_share_their_elements() {
    const Layout x = plain(Shape{5, 4});
    return to::windows(x, Shape{3}, {0}).shape == Shape{3, 4, 3} &&
           to::windows(x, Shape{3}, {0}).strides == Strides{4, 1, 4} &&
           to::windows(x, Shape{2, 2}, {0, 1}).shape == Shape{4, 3, 2, 2} &&
           to::windows(x, Shape{4}, {-1}).shape == Shape{5, 1, 4} &&
           to::windows(x, Shape{4, 2}, {0, 0}).shape == Shape{1, 4, 4, 2} &&
           to::windows(x, Shape{}, {}) == x;
}
static_assert(windows_share_their_elements());

constexpr bool reshape_finds_strides_where_there_are_any() {
    Layout y;
    const Layout x = plain(Shape{4, 6});
    const bool split = to::reshape(x, Shape{2, 2, 3, 2}, y) && y.strides == Strides{12, 6, 2, 1};
    const bool turned = !to::reshape(to::transpose(x), Shape{24}, y) &&
                        to::reshape(to::transpose(x), Shape{2, 3, 4}, y) &&
                        y.strides == Strides{3, 1, 6};
    const bool reversed =
        to::reshape(to::flip(x), Shape{24}, y) && y.strides == Strides{-1} && y.offset == 23;
    const bool column = !to::reshape(Layout{Shape{4, 3}, {6, 1}, 0}, Shape{12}, y) &&
                        to::reshape(Layout{Shape{4, 3}, {6, 1}, 0}, Shape{2, 2, 3, 1}, y);
    const bool repeated =
        to::reshape(Layout{Shape{4, 3}, {0, 0}, 0}, Shape{12}, y) && y.strides == Strides{0};
    return split && turned && reversed && column && repeated;
}
static_assert(reshape_finds_strides_where_there_are_any());

constexpr bool one_extent_is_inferred() {
    return to::infer_shape(Shape{4, 6}, {-1}) == Shape{24} &&
           to::infer_shape(Shape{4, 6}, {3, -1, 2}) == Shape{3, 4, 2} &&
           to::infer_shape(Shape{}, {-1}) == Shape{1} && to::infer_shape(Shape{}, {}) == Shape{} &&
           to::infer_shape(Shape{0, 3}, {-1, 3}) == Shape{0, 3} &&
           to::infer_shape(Shape{0}, {0, 5}) == Shape{0, 5};
}
static_assert(one_extent_is_inferred());

constexpr bool align_lays_dimensions_from_an_axis_on() {
    return to::align(plain(Shape{4, 5}), 4, 1) == Layout{Shape{1, 4, 5, 1}, {0, 5, 1, 0}, 0} &&
           to::align(plain(Shape{4, 1}), 3, 2) == Layout{Shape{1, 1, 4}, {0, 0, 1}, 0} &&
           to::align(plain(Shape{1, 1}), 2, 2).shape == Shape{1, 1} &&
           to::align(plain(Shape{}), 2, 0).shape == Shape{1, 1} &&
           to::align(plain(Shape{}), 0, 0).shape == Shape{};
}
static_assert(align_lays_dimensions_from_an_axis_on());

constexpr bool minus_one_keeps_an_extent_in_expand() {
    return to::expanded_shape(Shape{3, 1}, {-1, 4}) == Shape{3, 4} &&
           to::expanded_shape(Shape{3, 1}, {2, -1, 4}) == Shape{2, 3, 4} &&
           to::expanded_shape(Shape{}, {}) == Shape{};
}
static_assert(minus_one_keeps_an_extent_in_expand());

/// What a map must do: the element at `index` of the result is the one at `origin(index)`.
template <class Origin>
bool reads(const Layout& result, const Layout& from, Origin&& origin) {
    bool same = true;
    naive::for_each_index(result.shape, [&](const IndexList& index) {
        const IndexList source = origin(index);
        index_t at = result.offset, wanted = from.offset;
        for (index_t d = 0; d < index.rank(); ++d) at += index[d] * result.strides[d];
        for (index_t d = 0; d < source.rank(); ++d) {
            same = same && source[d] >= 0 && source[d] < from.shape[d];
            wanted += source[d] * from.strides[d];
        }
        same = same && at == wanted && source.rank() == from.shape.rank();
    });
    return same;
}

Layout random_layout(naive::Random& random, index_t rank) {
    const Shape shape = random.shape(rank, 4);
    Layout x{shape, {}, random(0, 9)};
    for (index_t d = 0; d < shape.rank(); ++d) x.strides.push_back(random(-20, 20));
    return x;
}

}  // namespace

TEST_CASE("Layout maps are the same at run time") {
    CHECK(unsqueeze_inserts_an_extent_of_one());
    CHECK(squeeze_drops_extents_of_one());
    CHECK(permutations_move_extents_and_strides());
    CHECK(flips_start_at_the_other_end());
    CHECK(diagonals_step_along_two_axes());
    CHECK(windows_share_their_elements());
    CHECK(reshape_finds_strides_where_there_are_any());
    CHECK(one_extent_is_inferred());
    CHECK(align_lays_dimensions_from_an_axis_on());
    CHECK(minus_one_keeps_an_extent_in_expand());
}

TEST_CASE("Every map reads the elements its definition names, whatever the strides") {
    naive::Random random(1);
    for (int round = 0; round < 3000; ++round) {
        const Layout x = random_layout(random, 4);
        const index_t rank = x.shape.rank();
        INFO(bl::detail::text(x.shape) << " " << bl::detail::text(x.strides));

        const index_t at = random(0, rank);
        CHECK(reads(to::unsqueeze(x, at), x, [&](IndexList i) {
            i.erase(at);
            return i;
        }));
        IndexList order;
        for (index_t d = 0; d < rank; ++d) order.insert(random(0, d), d);
        CHECK(reads(to::permute(x, order), x, [&](const IndexList& i) {
            IndexList source = i;
            for (index_t d = 0; d < rank; ++d) source[order[d]] = i[d];
            return source;
        }));
        if (rank == 0) continue;

        const index_t axis = random(0, rank - 1), other = random(0, rank - 1);
        CHECK(reads(to::flip(x, {axis}), x, [&](IndexList i) {
            i[axis] = x.shape[axis] - 1 - i[axis];
            return i;
        }));
        const Layout moved = to::move_axis(x, {axis}, {other});
        CHECK(reads(moved, x, [&](IndexList i) {
            const index_t value = i[other];
            i.erase(other);
            i.insert(axis, value);
            return i;
        }));
        const index_t extent = x.shape[axis];
        if (extent > 0) {
            const index_t window = random(1, extent);
            const Layout w = to::windows(x, Shape{window}, {axis});
            CHECK(w.shape[axis] == extent - window + 1);
            CHECK(reads(w, x, [&](IndexList i) {
                i[axis] += i[rank];
                i.erase(rank);
                return i;
            }));
        }
        if (axis == other) continue;
        const index_t shift = random(-5, 5);
        const Layout d = to::diagonal(x, shift, axis, other);
        const index_t rows = x.shape[axis], columns = x.shape[other];
        const index_t count = std::max<index_t>(0, std::min(rows - std::max<index_t>(0, -shift),
                                                            columns - std::max<index_t>(0, shift)));
        CHECK(d.shape[rank - 2] == count);
        CHECK(reads(d, x, [&](const IndexList& i) {
            IndexList source = IndexList::filled(rank, 0);
            index_t next = 0;
            for (index_t a = 0; a < rank; ++a) {
                if (a == axis) source[a] = i[rank - 2] + std::max<index_t>(0, -shift);
                else if (a == other) source[a] = i[rank - 2] + std::max<index_t>(0, shift);
                else source[a] = i[next++];
            }
            return source;
        }));
    }
}

TEST_CASE("A reshape keeps the order of the elements, or says that it needs a copy") {
    naive::Random random(2);
    int views = 0, copies = 0;
    for (int round = 0; round < 20000; ++round) {
        // A permuted, flipped and sliced tensor.
        const Shape whole = random.shape(4, 3, 1);
        Layout x = plain(whole);
        IndexList order;
        for (index_t d = 0; d < whole.rank(); ++d)
            order.insert(random(0, 3) == 0 ? random(0, d) : d, d);
        x = to::permute(x, order);
        if (x.shape.rank() > 0 && random(0, 2) == 0)
            x = to::flip(x, {random(0, x.shape.rank() - 1)});
        if (x.shape.rank() > 0 && random(0, 2) == 0)
            x.strides[random(0, x.shape.rank() - 1)] = random(-2, 2);
        // Another shape of the same size.
        IndexList extents;
        for (index_t left = x.shape.size(); left > 1;) {
            index_t factor = 2;
            while (left % factor != 0) ++factor;
            if (random(0, 1) == 0 && left % (factor * 2) == 0) factor *= 2;
            extents.insert(random(0, extents.rank()), factor);
            if (random(0, 4) == 0) extents.insert(random(0, extents.rank()), 1);
            left /= factor;
        }
        const Shape shape(extents);
        Layout y;
        const std::vector<index_t> before = naive::offsets(x);
        if (to::reshape(x, shape, y)) {
            ++views;
            if (y.shape != shape || naive::offsets(y) != before) {
                FAIL(bl::detail::text(x.shape)
                     << bl::detail::text(x.strides) << " as " << bl::detail::text(shape));
            }
            continue;
        }
        ++copies;
        // Then no strides can do it: they would have to be these.
        Strides forced;
        for (index_t d = 0, step = shape.size(); d < shape.rank(); ++d) {
            step /= shape[d];
            forced.push_back(shape[d] > 1 ? before[static_cast<std::size_t>(step)] - before[0] : 0);
        }
        if (naive::offsets(shape, forced, x.offset) == before) {
            FAIL(bl::detail::text(x.shape)
                 << bl::detail::text(x.strides) << " can be " << bl::detail::text(shape));
        }
    }
    CHECK(views > 5000);
    CHECK(copies > 500);
}

TEST_CASE("What is out of range, named twice or of the wrong size is refused") {
    const Layout x = plain(Shape{2, 3});
    Layout y;
    CHECK_THROWS_AS(to::unsqueeze(x, 3), bl::index_error);
    CHECK_THROWS_AS(to::unsqueeze(x, -4), bl::index_error);
    const Layout full = plain(Shape(IndexList::filled(32, 1)));
    CHECK_THROWS_AS(to::unsqueeze(full, 0), bl::shape_error);
    CHECK_THROWS_AS(to::unsqueeze(full, IndexList{32}), bl::shape_error);
    CHECK_THROWS_AS(to::unsqueeze(full, IndexList{32, 0}), bl::shape_error);
    CHECK_THROWS_AS(to::squeeze(x, {0}), bl::shape_error);
    CHECK_THROWS_AS(to::squeeze(x, {2}), bl::index_error);
    CHECK_THROWS_AS(to::squeeze(plain(Shape{1, 1}), {0, -2}), bl::index_error);
    CHECK_THROWS_AS(to::permute(x, {0}), bl::shape_error);
    CHECK_THROWS_AS(to::permute(x, {0, 0}), bl::index_error);
    CHECK_THROWS_AS(to::permute(x, {0, 2}), bl::index_error);
    CHECK_THROWS_AS(to::swap_axes(x, 0, 2), bl::index_error);
    CHECK_THROWS_AS(to::move_axis(x, {0, 1}, {0}), bl::shape_error);
    CHECK_THROWS_AS(to::move_axis(x, {0, 0}, {0, 1}), bl::index_error);
    CHECK_THROWS_AS(to::flip(x, {1, 1}), bl::index_error);
    CHECK_THROWS_AS(to::diagonal(x, 0, 1, 1), bl::index_error);
    CHECK_THROWS_AS(to::diagonal(x, 0, 0, 2), bl::index_error);
    CHECK_THROWS_AS(to::diagonal(plain(Shape{4}), 0, 0, 1), bl::index_error);
    CHECK_THROWS_AS(to::windows(x, Shape{3}, {0}), bl::shape_error);
    const Layout longest{Shape{std::numeric_limits<index_t>::max()}, Strides{0}, 0};
    CHECK_THROWS_AS(to::windows(longest, Shape{0}, {0}), bl::shape_error);
    const Layout longest_of_none{Shape{0, to::largest_index}, {1, 1}, 0};
    CHECK_THROWS_WITH(to::windows(longest_of_none, Shape{0}, {1}),
                      ContainsSubstring("more elements than can be counted"));
    // A window of windows has what the first ones left.
    CHECK_THROWS_AS(to::windows(plain(Shape{5}), Shape{4, 3}, {0, 0}), bl::shape_error);
    CHECK(to::windows(x, Shape{0}, {0}).shape.size() == 0);
    CHECK_THROWS_AS(to::windows(x, Shape{1}, {0, 1}), bl::shape_error);
    CHECK_THROWS_AS(to::infer_shape(Shape{6}, {4, -1}), bl::shape_error);
    CHECK_THROWS_AS(to::infer_shape(Shape{6}, {-1, -1}), bl::shape_error);
    CHECK_THROWS_AS(to::infer_shape(Shape{0}, {0, -1}), bl::shape_error);
    CHECK_THROWS_AS(to::infer_shape(Shape{6}, {5}), bl::shape_error);
    CHECK_THROWS_AS(to::infer_shape(Shape{6}, {-2, -3}), bl::shape_error);
    CHECK_THROWS_AS(to::broadcast_to(x, Shape{3}), bl::shape_error);
    CHECK_THROWS_AS(to::expanded_shape(Shape{3, 1}, {-1, 3, 4}), bl::shape_error);
    CHECK_THROWS_AS(to::expanded_shape(Shape{3, 1}, {-1}), bl::shape_error);
    CHECK_THROWS_AS(to::expanded_shape(Shape{3, 1}, {3, -2}), bl::shape_error);
    CHECK_THROWS_AS(to::align(x, 2, 1), bl::shape_error);
    CHECK_THROWS_AS(to::align(x, 4, -1), bl::shape_error);
    CHECK_THROWS_AS(to::align(plain(Shape{}), 2, 3), bl::shape_error);
    CHECK_THROWS_AS(to::align(x, 33, 0), bl::shape_error);
    CHECK_THROWS_WITH(to::infer_shape(Shape{2, 3}, {4}),
                      ContainsSubstring("(2, 3)") && ContainsSubstring("(4,)"));
}

TEST_CASE("Rank 0 may be squeezed along the axis that it lacks") {
    const Layout x = plain(Shape{});
    CHECK(to::squeeze(x, {0}).shape.rank() == 0);
    CHECK(to::squeeze(x, {-1}).shape.rank() == 0);
    CHECK_THROWS_AS(to::squeeze(x, {1}), bl::index_error);
    CHECK_THROWS_AS(to::squeeze(x, {0, -1}), bl::index_error);
}

TEST_CASE("A diagonal any distance away is empty") {
    const index_t far = std::numeric_limits<index_t>::max();
    CHECK(to::diagonal(plain(Shape{3, 4}), far, 0, 1).shape == Shape{0});
    CHECK(to::diagonal(plain(Shape{3, 4}), -far - 1, 0, 1).shape == Shape{0});
    CHECK(to::diagonal(plain(Shape{0, 4}), 0, 0, 1).shape == Shape{0});
    CHECK(to::diagonal(plain(Shape{0, 4}), -1, 0, 1).shape == Shape{0});
    CHECK(to::diagonal(plain(Shape{4, 0}), 0, 0, 1).shape == Shape{0});
    CHECK(to::diagonal(plain(Shape{0, 4}), 2, 0, 1).shape == Shape{0});
}

TEST_CASE("A diagonal has no sum of strides that are too long for one") {
    const index_t most = std::numeric_limits<index_t>::max();
    const Layout single = to::diagonal(Layout{Shape{1, 1}, {most, most}, 0}, 0, 0, 1);
    CHECK(single.shape == Shape{1});
    CHECK(single.strides == Strides{0});
}

TEST_CASE("A view that cannot lose dimensions says which shape was wanted") {
    CHECK_THROWS_WITH(bl::detail::expanded_shape(bl::Shape{2, 3}, bl::IndexList{3}),
                      Catch::Matchers::ContainsSubstring("cannot expand (2, 3) to (3,)"));
}

TEST_CASE("Layouts are aligned at the left, narrowed and given another extent") {
    using bl::Shape, bl::Strides;
    CHECK(to::align_left(plain(Shape{2, 3}), 4).shape == Shape{2, 3, 1, 1});
    CHECK(to::align_left(plain(Shape{2, 3}), 4).strides == Strides{3, 1, 0, 0});
    CHECK(to::align_left(plain(Shape{}), 0).shape == Shape{});
    CHECK(to::at_least_1d(Shape{}, Strides{}).shape == Shape{1});
    CHECK(to::at_least_1d(Shape{2}, Strides{-5}).strides == Strides{-5});
    const Layout columns = to::narrow(plain(Shape{2, 3}), 1, 1, 2);
    CHECK(columns.shape == Shape{2, 2});
    CHECK(columns.strides == Strides{3, 1});
    CHECK(columns.offset == 1);
    CHECK(to::narrow(plain(Shape{2, 3}), 0, 2, 0).offset == 0);
    CHECK(to::with_extent(Shape{2, 3}, 1, 7) == Shape{2, 7});
}
