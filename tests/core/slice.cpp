// Slices against Python's rules written out step by step: all lengths, starts, stops and steps
// that are small, and all pairs of words in two dimensions.
#include "broadloom/core/slice.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace bl = broadloom;
using bl::all;
using bl::ellipsis;
using bl::index_t;
using bl::Layout;
using bl::newaxis;
using bl::range;
using bl::Shape;
using bl::Strides;
using bl::detail::slice;
using bl::detail::Word;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The indices that Python's x[start:stop:step] visits, by its reference: a negative end counts
/// from the back, then the ends are moved into [0, length], or [-1, length - 1] for a negative
/// step, which are also what a missing end stands for; then start, start + step, ... before stop.
std::vector<index_t> visited(std::optional<index_t> start, std::optional<index_t> stop,
                             index_t step, index_t length) {
    const index_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? length : length - 1;
    const auto end_of = [&](std::optional<index_t> end, index_t missing) {
        if (!end) return missing;
        index_t at = *end < 0 ? *end + length : *end;
        if (at < lowest) at = lowest;
        if (at > highest) at = highest;
        return at;
    };
    const index_t first = end_of(start, step > 0 ? lowest : highest);
    const index_t last = end_of(stop, step > 0 ? highest : lowest);
    std::vector<index_t> list;
    for (index_t i = first; step > 0 ? i < last : i > last; i += step) list.push_back(i);
    return list;
}

/// The offsets that a layout visits, in row-major order.
std::vector<index_t> offsets(const Layout& layout) {
    std::vector<index_t> list = {layout.offset};
    for (index_t d = 0; d < layout.shape.rank(); ++d) {
        std::vector<index_t> next;
        for (const index_t offset : list) {
            for (index_t i = 0; i < layout.shape[d]; ++i) {
                next.push_back(offset + i * layout.strides[d]);
            }
        }
        list = next;
    }
    return list;
}

template <class... W>
constexpr Layout sliced(const Layout& from, const W&... words) {
    const Word list[] = {Word(words)...};
    return slice(from, list, sizeof...(W));
}

constexpr Layout cube{Shape{2, 3, 4}, Strides{12, 4, 1}, 0};

constexpr bool words_do_what_they_say() {
    return sliced(cube, 1) == Layout{Shape{3, 4}, Strides{4, 1}, 12} &&
           sliced(cube, ellipsis, -1) == Layout{Shape{2, 3}, Strides{12, 4}, 3} &&
           sliced(cube, all, newaxis, -1) == Layout{Shape{2, 1, 4}, Strides{12, 0, 1}, 8} &&
           sliced(cube, 0, ellipsis, range({}, {}, -2)) == Layout{Shape{3, 2}, Strides{4, -2}, 3} &&
           sliced(cube, newaxis, ellipsis, newaxis).shape == Shape{1, 2, 3, 4, 1} &&
           sliced(cube, 1, 2, 3, ellipsis) == Layout{Shape{}, Strides{}, 23} &&
           sliced(cube, range(1)) == Layout{Shape{1, 3, 4}, Strides{12, 4, 1}, 0};
}
static_assert(words_do_what_they_say());

enum Side { left, right };

template <class... A>
concept makes_a_range = requires(A... arguments) { range(arguments...); };

static_assert(range(std::uint8_t{3}).stop == 3 && range(std::size_t{3}).stop == 3);
static_assert(range(3L, -1).start == 3 && range(left, right).stop == 1);
static_assert(range({}, std::nullopt).start == std::nullopt && !range(1, {}).stop);
static_assert(range({}, std::optional<index_t>{2}, 2U).stop == 2);
static_assert(!range(std::optional<int>{}, 2).start);
static_assert(range(0, static_cast<std::size_t>(-1)).stop == std::numeric_limits<index_t>::max());
static_assert(makes_a_range<int> && makes_a_range<int, long, unsigned>);
static_assert(!makes_a_range<double> && !makes_a_range<bool> && !makes_a_range<std::nullopt_t>);
static_assert(!makes_a_range<int, float> && !makes_a_range<bool, int>);
static_assert(!makes_a_range<int, int, double> && !makes_a_range<int, int, bool>);
static_assert(!makes_a_range<int, std::optional<double>>);

}  // namespace

TEST_CASE("What index_t does not hold is behind the end of a range") {
    const auto npos = static_cast<std::size_t>(-1);
    CHECK(sliced(cube, ellipsis, range(0, npos)) == cube);
    CHECK(sliced(cube, ellipsis, range(npos, {})).shape == Shape{2, 3, 0});
    CHECK(sliced(cube, ellipsis, range(npos, {}, -1)) == sliced(cube, all, all, range({}, {}, -1)));
}

TEST_CASE("A negative number of an unsigned type is refused, by its own name") {
    const std::size_t two = 2;
    CHECK_THROWS_WITH(range({}, -two),
                      ContainsSubstring(std::to_string(-two) + " is beyond any tensor"));
    CHECK_THROWS_AS(range(-two, {}), bl::index_error);
    CHECK_THROWS_AS(range(-two), bl::index_error);
    CHECK_THROWS_AS(range({}, {}, -two), bl::index_error);
    CHECK_THROWS_AS(range(std::optional(-two), {}), bl::index_error);
    CHECK(range(0, two).stop == 2);
    CHECK(range(0, std::uint8_t{255}).stop == 255);
}

TEST_CASE("Words do at run time what they do at compile time") { CHECK(words_do_what_they_say()); }

TEST_CASE("A range takes the indices that Python's slice takes") {
    std::vector<std::optional<index_t>> ends = {std::nullopt};
    for (index_t i = -8; i <= 8; ++i) ends.push_back(i);
    int compared = 0;
    for (index_t length = 0; length <= 6; ++length) {
        const Layout line{Shape{length}, Strides{1}, 0};
        for (const auto& start : ends) {
            for (const auto& stop : ends) {
                for (index_t step = -3; step <= 3; ++step) {
                    if (step == 0) {
                        REQUIRE_THROWS_AS(sliced(line, range(start, stop, 0)), bl::value_error);
                        continue;
                    }
                    const Layout result = sliced(line, range(start, stop, step));
                    const auto expected = visited(start, stop, step, length);
                    REQUIRE(result.shape == Shape{static_cast<index_t>(expected.size())});
                    REQUIRE(offsets(result) == expected);
                    ++compared;
                }
            }
        }
    }
    CHECK(compared == 7 * 18 * 18 * 6);
}

TEST_CASE("Two ranges take every pair of indices, backwards and through other strides too") {
    std::vector<bl::Range> ranges;
    using End = std::optional<index_t>;
    for (const End start : {End(), End(1), End(-2)}) {
        for (const End stop : {End(), End(3), End(-1)}) {
            for (const index_t step : {-2, -1, 1, 2}) ranges.push_back(range(start, stop, step));
        }
    }
    for (index_t rows = 0; rows <= 4; ++rows) {
        for (index_t columns = 0; columns <= 4; ++columns) {
            const Layout from{Shape{rows, columns}, Strides{-7, 30}, 100};
            for (const bl::Range& r : ranges) {
                for (const bl::Range& c : ranges) {
                    std::vector<index_t> expected;
                    for (const index_t i : visited(r.start, r.stop, r.step, rows)) {
                        for (const index_t j : visited(c.start, c.stop, c.step, columns)) {
                            expected.push_back(100 - 7 * i + 30 * j);
                        }
                    }
                    REQUIRE(offsets(sliced(from, r, c)) == expected);
                }
            }
        }
    }
}

TEST_CASE("A single index does not clamp") {
    for (index_t length = 0; length <= 3; ++length) {
        const Layout line{Shape{length}, Strides{5}, 0};
        for (index_t i = -5; i <= 5; ++i) {
            if (i < -length || i >= length) {
                REQUIRE_THROWS_AS(sliced(line, i), bl::index_error);
            } else {
                const index_t at = i < 0 ? i + length : i;
                REQUIRE(sliced(line, i) == Layout{Shape{}, Strides{}, 5 * at});
            }
        }
    }
    CHECK_THROWS_WITH(sliced(cube, 0, 3), Catch::Matchers::ContainsSubstring(
                                              "index 3 is out of bounds for axis 1 with size 3"));
}

TEST_CASE("A layout without elements keeps its offset, whatever is taken of it") {
    const Layout none{Shape{4, 0}, Strides{3, 1}, 7};
    CHECK(sliced(none, 2) == Layout{Shape{0}, Strides{1}, 7});
}

TEST_CASE("An ellipsis stands for what is missing, wherever it is") {
    for (index_t before = 0; before <= 3; ++before) {
        for (index_t after = 0; before + after <= 3; ++after) {
            std::vector<Word> words;
            for (index_t i = 0; i < before; ++i) words.push_back(Word(0));
            words.push_back(Word(ellipsis));
            for (index_t i = 0; i < after; ++i) words.push_back(Word(-1));
            const Layout result = slice(cube, words.data(), static_cast<index_t>(words.size()));
            Layout expected{Shape{}, Strides{}, 0};
            bl::IndexList extents;
            for (index_t d = 0; d < 3; ++d) {
                if (d >= before && d < 3 - after) {
                    extents.push_back(cube.shape[d]);
                    expected.strides.push_back(cube.strides[d]);
                } else if (d >= 3 - after) {
                    expected.offset += (cube.shape[d] - 1) * cube.strides[d];
                }
            }
            expected.shape = Shape(extents);
            CHECK(result == expected);
        }
    }
    CHECK_THROWS_AS(sliced(cube, ellipsis, ellipsis), bl::index_error);
    CHECK_THROWS_AS(sliced(cube, 0, 0, 0, 0), bl::index_error);
    CHECK_THROWS_AS(sliced(cube, all, all, all, all), bl::index_error);
}

TEST_CASE("Ends and steps may be as large as they can be") {
    constexpr index_t most = std::numeric_limits<index_t>::max();
    constexpr index_t least = std::numeric_limits<index_t>::min();
    const Layout line{Shape{5}, Strides{3}, 0};
    CHECK(offsets(sliced(line, range(least, most, most))) == std::vector<index_t>{0});
    CHECK(offsets(sliced(line, range(most, least, least))) == std::vector<index_t>{12});
    CHECK(offsets(sliced(line, range(-1, most))) == std::vector<index_t>{12});
    CHECK(offsets(sliced(line, range(least, 2))) == std::vector<index_t>{0, 3});
    CHECK(offsets(sliced(line, range(most, {}, most))).empty());
}
