#include "broadloom/kernel/sort_lanes/sort_lane.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/lanes.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

template <class T, class Draw>
void compare_lanes(Draw draw) {
    lanes::for_each<T>(draw, [](const std::vector<T>& x, const auto& ordered, auto falling) {
        const auto count = static_cast<index_t>(x.size());
        std::vector<T> lane = x, room(x.size());
        kernel::sort_lane<falling.value>(lane.data(), room.data(), count);
        bool same = true;
        for (std::size_t i = 0; i < x.size(); ++i) {
            same = same && std::memcmp(&lane[i], &ordered[i].value, sizeof(T)) == 0;
        }
        REQUIRE(same);
        REQUIRE(lanes::sorts_items(x, ordered, [](auto* items, auto* item_room, index_t n) {
            kernel::sort_lane<decltype(falling)::value>(items, item_room, n);
        }));
    });
}

}  // namespace

TEST_CASE("lanes of every type and length are sorted stably") {
    const auto integers = [](auto type) {
        using T = decltype(type);
        lanes::of_integers<T>([](auto draw) { compare_lanes<T>(draw); });
    };
    for (const int level : {0, 1, 2}) {
        kernel::set_isa(level);
        integers(std::int8_t{});
        integers(std::uint8_t{});
        integers(std::int16_t{});
        integers(std::uint16_t{});
        integers(std::int32_t{});
        integers(std::uint32_t{});
        integers(std::int64_t{});
        integers(std::uint64_t{});
    }
    bool truths[100], room[100];
    for (int i = 0; i < 100; ++i) truths[i] = i % 3 == 0;
    kernel::sort_lane<false>(truths, room, 100);
    CHECK(std::is_sorted(truths, truths + 100));
    CHECK(truths[66] - truths[65] == 1);
}

TEST_CASE("zeros of either sign are equal, and NaN of any kind comes last") {
    lanes::of_special_reals<float>([](auto draw) { compare_lanes<float>(draw); });
    lanes::of_special_reals<double>([](auto draw) { compare_lanes<double>(draw); });
}

TEST_CASE("types without keys are merged") {
    std::mt19937 engine(10);
    std::vector<long double> x(500), room(500);
    for (long double& v : x) v = static_cast<long double>(engine() % 100);
    x[3] = x[77] = std::numeric_limits<long double>::quiet_NaN();
    kernel::sort_lane<true>(x.data(), room.data(), 500);
    CHECK(std::is_sorted(x.begin(), x.end() - 2, std::greater<>()));
    CHECK((std::isnan(x[498]) && std::isnan(x[499])));
}
