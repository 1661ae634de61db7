#include "broadloom/kernel/sort_lanes/nth.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/lanes.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// What a sorted lane has at some places, found without sorting it.
template <class T, class Draw>
void compare_nth(Draw draw) {
    std::mt19937 engine(11);
    lanes::for_each<T>(draw, [&](const std::vector<T>& x, const auto& ordered, auto falling) {
        const auto count = static_cast<index_t>(x.size());
        const auto equal = [](const T& a, const T& b) {
            return !lanes::before(a, b, false) && !lanes::before(b, a, false);
        };
        bool same = true;
        for (int turn = 0; turn < 20 && !falling.value; ++turn) {
            const std::size_t k = turn == 0 ? 0 : turn == 1 ? x.size() - 1 : engine() % x.size();
            const auto place = static_cast<index_t>(k);
            std::vector<T> room(x.size());
            const T at = kernel::select_of_lane(x.data(), room.data(), count, place);
            same = same && equal(at, ordered[k].value);
            if (k + 1 == x.size()) continue;
            same = same &&
                   equal(kernel::next_of_lane(x.data(), count, place, at), ordered[k + 1].value);
        }
        REQUIRE(same);
    });
}

}  // namespace

TEMPLATE_TEST_CASE("places of integers are found without sorting", "", std::int8_t, std::uint16_t,
                   std::int32_t, std::uint64_t) {
    lanes::of_integers<TestType>([](auto draw) { compare_nth<TestType>(draw); });
    compare_nth<TestType>([](std::mt19937&) { return TestType{7}; });
}

TEMPLATE_TEST_CASE("places of reals are found without sorting", "", float, double) {
    lanes::of_special_reals<TestType>([](auto draw) { compare_nth<TestType>(draw); });
}

TEST_CASE("neighbours around a place are what a sorted lane has there") {
    const auto check = [](auto draw) {
        using T = decltype(draw(index_t{0}));
        std::mt19937 engine(5);
        for (const index_t count : {index_t{512}, index_t{513}, index_t{5000}, index_t{40000}}) {
            std::vector<T> lane, room(static_cast<std::size_t>(count));
            for (index_t i = 0; i < count; ++i) lane.push_back(draw(i));
            std::vector<T> sorted = lane;
            std::sort(sorted.begin(), sorted.end());
            int held = 0;
            constexpr int turns = 20;
            for (int turn = 0; turn < turns; ++turn) {
                const index_t k =
                    turn == 0   ? 0
                    : turn == 1 ? count - 1
                                : static_cast<index_t>(engine() % static_cast<std::size_t>(count));
                const kernel::Neighbours found =
                    kernel::neighbours_in_lane(lane.data(), room.data(), count, k);
                std::sort(room.begin(), room.begin() + found.count);
                REQUIRE(std::equal(room.begin(), room.begin() + found.count,
                                   sorted.begin() + found.before));
                held += found.hold(k);
            }
            REQUIRE(held > turns / 2);
        }
    };
    std::mt19937 engine(6);
    std::normal_distribution<double> normal;
    check([&](index_t) { return normal(engine); });
    check([&](index_t) { return static_cast<float>(engine()); });
    check([&](index_t i) { return static_cast<double>(i); });
    check([&](index_t i) { return static_cast<float>(-i); });
    check([&](index_t) { return 7; });
    check([&](index_t) { return static_cast<std::int8_t>(engine()); });
    check([&](index_t) { return static_cast<std::uint64_t>(engine()) << 33; });
    check([&](index_t i) { return i % 3 == 0 ? std::numeric_limits<double>::infinity() : -1.0; });
}

TEST_CASE("a NaN is found wherever it is") {
    for (const index_t count : {1, 3, 16, 100}) {
        std::vector<float> lane(static_cast<std::size_t>(count), 1.0f);
        REQUIRE_FALSE(kernel::has_nan(lane.data(), count));
        for (float& x : lane) {
            x = -std::numeric_limits<float>::quiet_NaN();
            REQUIRE(kernel::has_nan(lane.data(), count));
            x = std::numeric_limits<float>::infinity();
        }
    }
}

TEST_CASE("an unsorted lane has at every place what it would have if it were sorted") {
    std::mt19937 engine(5);
    for (const index_t length : {1, 2, 70, 5000, 20000}) {
        std::vector<double> lane(static_cast<std::size_t>(length)), room(lane.size());
        for (double& x : lane) x = static_cast<double>(engine() % 1000);
        std::vector<double> sorted = lane;
        std::sort(sorted.begin(), sorted.end());
        kernel::UnsortedLane<double> all(lane.data(), room.data(), length);
        CHECK_FALSE(all.ends_with_nan());
        bool same = true;
        for (int turn = 0; turn < 40; ++turn) {
            const index_t k = static_cast<index_t>(engine() % static_cast<std::size_t>(length));
            same = same && all[k] == sorted[static_cast<std::size_t>(k)];
            if (k + 1 < length)
                same = same && all[k + 1] == sorted[static_cast<std::size_t>(k) + 1];
        }
        CHECK(same);
        lane[0] = std::numeric_limits<double>::quiet_NaN();
        CHECK(kernel::UnsortedLane<double>(lane.data(), room.data(), length).ends_with_nan());
    }
}
