#include "broadloom/core/strides.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Layout, bl::Shape, bl::Strides;
using bl::detail::bounds_of, bl::detail::Footprint, bl::detail::has_internal_overlap,
    bl::detail::is_contiguous, bl::detail::offset_of, bl::detail::overlaps, bl::detail::row_major;

namespace {

constexpr bool row_major_strides_multiply_from_the_right() {
    return row_major(Shape{2, 3}) == Strides{3, 1} && row_major(Shape{}) == Strides{} &&
           row_major(Shape{5}) == Strides{1} && row_major(Shape{4, 1, 3}) == Strides{3, 3, 1} &&
           row_major(Shape{4, 0, 3}) == Strides{3, 3, 1};
}
static_assert(row_major_strides_multiply_from_the_right());

constexpr bool contiguity_ignores_what_is_never_stepped() {
    return is_contiguous(Shape{2, 3}, {3, 1}) && !is_contiguous(Shape{2, 3}, {1, 2}) &&
           !is_contiguous(Shape{2, 3}, {4, 1}) && !is_contiguous(Shape{2, 3}, {3, -1}) &&
           is_contiguous(Shape{2, 1, 3}, {3, 77, 1}) && is_contiguous(Shape{1}, {0}) &&
           is_contiguous(Shape{0, 3}, {-5, 9}) && is_contiguous(Shape{}, {}) &&
           !is_contiguous(Shape{2}, {0});
}
static_assert(contiguity_ignores_what_is_never_stepped());

constexpr bool offsets_are_sums_of_steps() {
    const index_t index[3] = {1, 2, 3};
    return offset_of({100, 10, 1}, index) == 123 && offset_of({-1, 0, 2}, index) == 5 &&
           offset_of({}, index) == 0;
}
static_assert(offsets_are_sums_of_steps());

constexpr bool bounds_reach_both_ways() {
    const auto b = bounds_of(Shape{3, 4}, {-10, 2});
    const auto scalar = bounds_of(Shape{}, {});
    return b.low == -20 && b.high == 6 && scalar.low == 0 && scalar.high == 0;
}
static_assert(bounds_reach_both_ways());

constexpr bool repeated_elements_are_internal_overlap() {
    return has_internal_overlap(Shape{3}, {0}) && !has_internal_overlap(Shape{1}, {0}) &&
           has_internal_overlap(Shape{3, 3}, {1, 1}) &&
           !has_internal_overlap(Shape{3, 3}, {3, 1}) &&
           !has_internal_overlap(Shape{3, 3}, {-1, 3}) &&
           !has_internal_overlap(Shape{0, 5}, {0, 0}) && !has_internal_overlap(Shape{}, {}) &&
           has_internal_overlap(Shape{2, 2}, {4, 0});
}
static_assert(repeated_elements_are_internal_overlap());

static_assert(Layout{Shape{2}, Strides{1}, 0} == Layout{Shape{2}, Strides{1}, 0});
static_assert(Layout{Shape{2}, Strides{1}, 0} != Layout{Shape{2}, Strides{1}, 1});

std::set<index_t> bytes_of(const Footprint& f) {
    std::set<index_t> out;
    for (const index_t at : naive::offsets(*f.shape, *f.strides)) {
        for (index_t b = 0; b < f.bytes; ++b) out.insert(f.address + at * f.bytes + b);
    }
    return out;
}

struct RandomLayout {
    Shape shape;
    Strides strides;

    explicit RandomLayout(naive::Random& random, index_t rank, index_t extent, index_t step)
        : shape(random.shape(rank, extent)) {
        for (index_t d = 0; d < shape.rank(); ++d) strides.push_back(random(-step, step));
    }
};

}  // namespace

TEST_CASE("Strides, contiguity, offsets and bounds are the same at run time") {
    CHECK(row_major_strides_multiply_from_the_right());
    CHECK(contiguity_ignores_what_is_never_stepped());
    CHECK(offsets_are_sums_of_steps());
    CHECK(bounds_reach_both_ways());
    CHECK(repeated_elements_are_internal_overlap());
}

TEST_CASE("A layout is contiguous exactly when its offsets count up from 0") {
    naive::Random random(1);
    for (int round = 0; round < 20000; ++round) {
        const RandomLayout x(random, 3, 3, 4);
        const std::vector<index_t> at = naive::offsets(x.shape, x.strides);
        bool counts = true;
        for (std::size_t i = 0; i < at.size(); ++i)
            counts = counts && at[i] == static_cast<index_t>(i);
        if (is_contiguous(x.shape, x.strides) != counts) {
            FAIL(bl::detail::text(x.shape) << " " << bl::detail::text(x.strides));
        }
    }
}

TEST_CASE("Bounds are the lowest and the highest offset") {
    naive::Random random(2);
    for (int round = 0; round < 5000; ++round) {
        const RandomLayout x(random, 4, 4, 9);
        const std::vector<index_t> at = naive::offsets(x.shape, x.strides);
        if (at.empty()) continue;
        const auto b = bounds_of(x.shape, x.strides);
        CHECK(b.low == *std::min_element(at.begin(), at.end()));
        CHECK(b.high == *std::max_element(at.begin(), at.end()));
    }
}

TEST_CASE("Strides along which nothing is reached are 0 if they are out of reach") {
    using bl::detail::largest_index, bl::detail::within_reach;
    CHECK(within_reach(Shape{1, 1}, {largest_index, -largest_index}) == Strides{0, 0});
    // Along the long extents of an empty shape a shorter one is out of reach.
    CHECK(within_reach(Shape{0, 1000}, {1, largest_index / 500}) == Strides{1, 0});
}

TEST_CASE("All strides together keep the bytes of a layout within one address space") {
    using bl::detail::largest_index, bl::detail::require_addressable;
    const bool wide = sizeof(index_t) > 4;
    const index_t far = largest_index >> (wide ? 8 : 4), bytes = wide ? 8 : 4;
    const index_t most = (largest_index / bytes - 1) / far;
    CHECK(require_addressable(Shape{most + 1}, {far}, bytes) == Strides{far});
    for (const Shape& shape :
         {Shape{1, most + 2}, Shape{most + 1, most + 1}, Shape{most / 2 + 2, most / 2 + 2}}) {
        CHECK_THROWS_AS(require_addressable(shape, {far, far}, bytes), bl::shape_error);
    }
    CHECK_NOTHROW(require_addressable(Shape{0, most + 2, most + 2}, {1, 1, far}, bytes));
}

TEST_CASE("Two layouts overlap exactly when they have a byte in common") {
    naive::Random random(3);
    int overlapping = 0;
    for (int round = 0; round < 60000; ++round) {
        const RandomLayout x(random, 3, 4, 7), y(random, 3, 4, 7);
        const index_t sizes[] = {1, 2, 3, 4, 8};
        const Footprint a{1000, sizes[random(0, 4)], &x.shape, &x.strides};
        const Footprint b{1000 + random(-40, 40), sizes[random(0, 4)], &y.shape, &y.strides};
        const std::set<index_t> a_bytes = bytes_of(a), b_bytes = bytes_of(b);
        bool common = false;
        for (const index_t byte : a_bytes) common = common || b_bytes.count(byte) != 0;
        overlapping += common;
        if (overlaps(a, b) != common || overlaps(b, a) != common) {
            FAIL(bl::detail::text(x.shape)
                 << bl::detail::text(x.strides) << " of " << a.bytes << " and "
                 << bl::detail::text(y.shape) << bl::detail::text(y.strides) << " of " << b.bytes
                 << " at " << b.address - a.address);
        }
    }
    CHECK(overlapping > 10000);
}

TEST_CASE("Layouts are taken to overlap where it would take too long to find out") {
    // They have 379 bytes in common, but far behind the start of a search.
    const Shape a{7, 8, 8, 8}, b{8, 5, 9, 8, 2};
    const Strides a_steps{708, 356, 640, 96}, b_steps{218, 64, 696, 632, 795};
    CHECK(overlaps(Footprint{0, 1, &a, &a_steps}, Footprint{909, 1, &b, &b_steps}));
}

TEST_CASE("Interleaved columns of one large buffer do not overlap") {
    const Shape shape{1000, 300};
    const Strides strides{1000, 3};
    for (index_t shift = 0; shift < 6; ++shift) {
        const Footprint a{4096, 4, &shape, &strides}, b{4096 + shift * 4, 4, &shape, &strides};
        CHECK(overlaps(a, b) == (shift % 3 == 0));
    }
}

TEST_CASE("A broadcast layout of any extent is compared by the memory it has") {
    const Shape huge{extents::vast, 3}, small{3};
    const Strides repeat{0, 1}, plain{1};
    const Footprint a{64, 4, &huge, &repeat}, b{76, 4, &small, &plain}, c{72, 4, &small, &plain};
    CHECK(!overlaps(a, b));
    CHECK(overlaps(a, c));
}

TEST_CASE("A layout that repeats its elements overlaps others where its elements are") {
    const Shape repeated{4, 3}, plain{2};
    const Strides repeat{0, 2}, step{2};
    const Footprint a{0, 1, &repeated, &repeat}, b{1, 1, &plain, &step}, c{2, 1, &plain, &step};
    CHECK(!overlaps(a, b));
    CHECK(overlaps(a, c));
}

TEST_CASE("Where no internal overlap is reported there is none") {
    naive::Random random(4);
    for (int round = 0; round < 20000; ++round) {
        const RandomLayout x(random, 3, 4, 14);
        const std::vector<index_t> at = naive::offsets(x.shape, x.strides);
        const bool repeats = std::set<index_t>(at.begin(), at.end()).size() != at.size();
        if (repeats && !has_internal_overlap(x.shape, x.strides)) {
            FAIL(bl::detail::text(x.shape) << " " << bl::detail::text(x.strides));
        }
    }
}

TEST_CASE("What slices and permutations of a tensor reach is free of internal overlap") {
    naive::Random random(5);
    for (int round = 0; round < 5000; ++round) {
        const Shape whole = random.shape(4, 5, 1);
        Strides strides = row_major(whole);
        bl::IndexList extents = whole.extents();
        for (index_t d = 0; d < whole.rank(); ++d) {
            const index_t step = random(1, 3), other = random(0, whole.rank() - 1);
            extents[d] = (extents[d] + step - 1) / step;
            strides[d] *= random(0, 1) == 0 ? step : -step;
            std::swap(extents[d], extents[other]);
            std::swap(strides[d], strides[other]);
        }
        CHECK(!has_internal_overlap(Shape(extents), strides));
    }
}
