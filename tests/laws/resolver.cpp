// The resolver against another, written here from the prose of the rule: random pairs and triples
// of shapes, as many as fit in a few seconds. BROADLOOM_RESOLVER_CASES asks for a number of them.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "broadloom/core/broadcast.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::index_t, bl::IndexList, bl::Shape;

namespace {

/// A shape without the library: a rank and its extents.
struct Plain {
    int rank = 0;
    std::array<std::int64_t, 8> extent{};
};

/// The rule in words: put the shapes one below the other, aligned at the right; fill up with 1s.
/// In every column those that are not 1 must be equal, and that is the extent of the result; where
/// all are 1 it is 1.
template <std::size_t N>
bool resolve(const std::array<Plain, N>& shapes, Plain& result) {
    result.rank = 0;
    for (const Plain& s : shapes) result.rank = s.rank > result.rank ? s.rank : result.rank;
    for (int column = 0; column < result.rank; ++column) {
        std::int64_t common = 1;
        bool found = false;
        for (const Plain& s : shapes) {
            const int own = column - (result.rank - s.rank);
            const std::int64_t extent = own < 0 ? 1 : s.extent[static_cast<std::size_t>(own)];
            if (extent == 1) continue;
            if (found && extent != common) return false;
            common = extent;
            found = true;
        }
        result.extent[static_cast<std::size_t>(column)] = common;
    }
    return true;
}

/// A small fast generator (SplitMix64, Steele, Lea and Flood 2014).
struct SplitMix {
    std::uint64_t state;
    std::uint64_t operator()() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
};

/// Shapes that often fit: a common stem whose extents are kept, dropped to 1, or now and then
/// changed.
template <std::size_t N>
std::array<Plain, N> related_shapes(SplitMix& random) {
    std::uint64_t bits = random();
    const auto draw = [&](std::uint64_t count) {
        const std::uint64_t value = bits % count;
        bits /= count;
        if (bits < 1024) bits = random();
        return value;
    };
    // The elements of six of the largest can be counted.
    constexpr std::int64_t largest = sizeof(index_t) == 8 ? 1000 : 31;
    constexpr std::int64_t extents[] = {0, 1, 2, 3, 4, 7, largest};
    Plain stem;
    stem.rank = static_cast<int>(draw(7));
    for (int d = 0; d < stem.rank; ++d) stem.extent[static_cast<std::size_t>(d)] = extents[draw(7)];
    std::array<Plain, N> out;
    for (Plain& s : out) {
        const int skip =
            draw(3) == 0 ? static_cast<int>(draw(static_cast<std::uint64_t>(stem.rank) + 1)) : 0;
        s.rank = stem.rank - skip;
        for (int d = 0; d < s.rank; ++d) {
            std::int64_t extent = stem.extent[static_cast<std::size_t>(d + skip)];
            const std::uint64_t fate = draw(16);
            if (fate < 5) extent = 1;
            if (fate >= 14) extent = extents[draw(7)];
            s.extent[static_cast<std::size_t>(d)] = extent;
        }
    }
    return out;
}

Shape to_shape(const Plain& s) {
    IndexList extents;
    for (int d = 0; d < s.rank; ++d)
        extents.push_back(static_cast<index_t>(s.extent[static_cast<std::size_t>(d)]));
    return Shape(extents);
}

template <std::size_t N>
bool agree(const std::array<Plain, N>& plain, bool& fits) {
    Plain expected;
    fits = resolve(plain, expected);
    std::array<Shape, N> shapes;
    for (std::size_t i = 0; i < N; ++i) shapes[i] = to_shape(plain[i]);
    const auto all = [&](auto&& f) {
        if constexpr (N == 2) return f(shapes[0], shapes[1]);
        else return f(shapes[0], shapes[1], shapes[2]);
    };
    if (all([](const auto&... s) { return bl::broadcastable(s...); }) != fits) return false;
    return !fits ||
           all([](const auto&... s) { return bl::broadcast_shapes(s...); }) == to_shape(expected);
}

template <std::size_t N>
void try_many(std::int64_t cases, std::chrono::steady_clock::duration time) {
    SplitMix random{N};
    std::int64_t fitting = 0, done = 0;
    const auto end = std::chrono::steady_clock::now() + time;
    while (done < cases && (done % 4096 != 0 || std::chrono::steady_clock::now() < end)) {
        const auto plain = related_shapes<N>(random);
        bool fits = false;
        if (!agree(plain, fits)) {
            std::string text;
            for (const Plain& s : plain) text += bl::detail::text(to_shape(s)) + " ";
            FAIL(text << "after " << done);
        }
        fitting += fits;
        ++done;
    }
    INFO(done << " cases, " << fitting << " of them fit");
    CHECK(fitting > done / 10);
    CHECK(fitting < done * 9 / 10);
}

template <std::size_t N>
void try_as_asked() {
    using namespace std::chrono_literals;
    if (const char* const wish = std::getenv("BROADLOOM_RESOLVER_CASES"))
        try_many<N>(std::atoll(wish), 24h);
    else try_many<N>(10'000'000, 1500ms);
}

}  // namespace

TEST_CASE("Random pairs of shapes resolve as the rule says") { try_as_asked<2>(); }
TEST_CASE("Random triples of shapes resolve as the rule says") { try_as_asked<3>(); }

TEST_CASE("The order of three operands does not matter, nor does resolving two of them first") {
    SplitMix random{7};
    for (int round = 0; round < 20000; ++round) {
        const auto plain = related_shapes<3>(random);
        const Shape a = to_shape(plain[0]), b = to_shape(plain[1]), c = to_shape(plain[2]);
        const bool fits = bl::broadcastable(a, b, c);
        CHECK(bl::broadcastable(c, b, a) == fits);
        CHECK(bl::broadcastable(b, c, a) == fits);
        if (fits) {
            const Shape common = bl::broadcast_shapes(a, b, c);
            CHECK(bl::broadcast_shapes(c, a, b) == common);
            CHECK(bl::broadcast_shapes(bl::broadcast_shapes(a, b), c) == common);
            CHECK(bl::broadcast_shapes(a, bl::broadcast_shapes(b, c)) == common);
        } else if (bl::broadcastable(a, b)) {
            CHECK(!bl::broadcastable(bl::broadcast_shapes(a, b), c));
        }
    }
}
