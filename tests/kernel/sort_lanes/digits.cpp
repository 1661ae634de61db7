#include "broadloom/kernel/sort_lanes/digits.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "broadloom/kernel/sort_lanes/sort_lane.hpp"
#include "support/catch.hpp"
#include "support/lanes.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// Items sorted byte by byte, and by digits of both widths.
template <class T, class Draw>
void compare(Draw draw) {
    lanes::for_each<T>(draw, [](const std::vector<T>& x, const auto& ordered, auto falling) {
        REQUIRE(lanes::sorts_items(x, ordered, [](auto* lane, auto* room, index_t count) {
            kernel::detail::radix_sort<decltype(falling)::value>(lane, room, count);
        }));
        REQUIRE(lanes::sorts_items(x, ordered, [](auto* lane, auto* room, index_t count) {
            kernel::detail::sort_by_digits<decltype(falling)::value, 8>(lane, room, count);
        }));
        REQUIRE(lanes::sorts_items(x, ordered, [](auto* lane, auto* room, index_t count) {
            kernel::detail::sort_by_digits<decltype(falling)::value, 11>(lane, room, count);
        }));
    });
}

}  // namespace

TEMPLATE_TEST_CASE("integers are sorted by their digits", "", std::uint8_t, std::int16_t,
                   std::uint32_t, std::int64_t) {
    lanes::of_integers<TestType>([](auto draw) { compare<TestType>(draw); });
}

TEMPLATE_TEST_CASE("reals are sorted however they are spread", "", float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    const auto share = [](std::mt19937& e) {
        return static_cast<T>(e()) / static_cast<T>(4294967296.0) - T(0.5);
    };
    compare<T>(share);
    // From end to end of what there is, further apart than the largest number, and hardly at all.
    compare<T>([&](std::mt19937& e) { return share(e) * Limits::max(); });
    compare<T>([&](std::mt19937& e) { return e() % 2 == 0 ? Limits::max() : Limits::lowest(); });
    compare<T>([&](std::mt19937& e) { return share(e) * Limits::min(); });
    compare<T>([&](std::mt19937& e) { return 1 + static_cast<T>(e() % 50) * Limits::epsilon(); });
    // Half of them in one place, some alike, and a few that are no numbers or infinite.
    compare<T>([&](std::mt19937& e) { return e() % 2 == 0 ? T(0.125) : share(e); });
    compare<T>([&](std::mt19937& e) {
        return std::round(share(e) * 1000) + (e() % 4 == 0 ? share(e) * T(1e-5) : 0);
    });
    compare<T>([&](std::mt19937& e) { return e() % 500 == 0 ? Limits::infinity() : share(e); });
    compare<T>([&](std::mt19937& e) { return e() % 500 == 0 ? Limits::quiet_NaN() : share(e); });
    compare<T>([&](std::mt19937& e) { return e() % 500 == 0 ? T(1e30) : share(e); });
    lanes::of_special_reals<T>([](auto draw) { compare<T>(draw); });
}
