#include "broadloom/kernel/order.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

namespace {

/// The order as its description reads, for std::stable_sort.
template <class T>
bool before(const T& a, const T& b, bool falling) {
    if (a != a || b != b) return b != b && a == a;
    return falling ? b < a : a < b;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// What a sorted lane has at some places, found without sorting it.
template <class T>
void check_places(const std::vector<T>& x, const std::vector<T>& sorted, std::mt19937& engine) {
    std::vector<T> room(x.size());
    const auto count = static_cast<index_t>(x.size());
    bool same = true;
    for (int turn = 0; turn < 20; ++turn) {
        const std::size_t k = turn == 0 ? 0 : turn == 1 ? x.size() - 1 : engine() % x.size();
        const T at = kernel::select_of_lane(x.data(), room.data(), count, static_cast<index_t>(k));
        const auto equal = [](const T& a, const T& b) { return a == b || (a != a && b != b); };
        same = same && equal(at, sorted[k]);
        if (k + 1 == x.size()) continue;
        const T next = kernel::next_of_lane(x.data(), count, static_cast<index_t>(k), at);
        same = same && equal(next, sorted[k + 1]);
    }
    REQUIRE(same);
}

template <class T, class Draw>
void compare(Draw draw) {
    std::mt19937 engine(9);
    for (const std::size_t n : {1U,  2U,  3U,  6U,  7U,   8U,   15U,  16U,  17U,   31U,
                                33U, 63U, 64U, 65U, 100U, 127U, 128U, 129U, 1000U, 5000U}) {
        std::vector<T> x(n);
        for (T& v : x) v = draw(engine);
        for (const bool falling : {false, true}) {
            std::vector<T> expected = x, lane = x, room(n);
            std::stable_sort(expected.begin(), expected.end(),
                             [&](const T& a, const T& b) { return before(a, b, falling); });
            const auto count = static_cast<index_t>(n);
            if (falling) kernel::sort_lane<true>(lane.data(), room.data(), count);
            else kernel::sort_lane<false>(lane.data(), room.data(), count);
            REQUIRE(same_bits(lane, expected));

            if constexpr (kernel::keyed<T>) {
                if (!falling) check_places(x, expected, engine);
            }
            using Item = kernel::Indexed<T, std::uint32_t>;
            std::vector<Item> items, item_room(n);
            for (std::size_t i = 0; i < n; ++i) {
                items.push_back(Item{x[i], static_cast<std::uint32_t>(i)});
            }
            std::vector<Item> ordered = items;
            std::stable_sort(ordered.begin(), ordered.end(), [&](const Item& a, const Item& b) {
                return before(a.value, b.value, falling);
            });
            if (falling) kernel::sort_lane<true>(items.data(), item_room.data(), count);
            else kernel::sort_lane<false>(items.data(), item_room.data(), count);
            bool same = true;
            for (std::size_t i = 0; i < n; ++i) same = same && items[i].index == ordered[i].index;
            REQUIRE(same);
            for (const index_t k : {1, 7, 32}) {
                std::vector<Item> best(32);
                const index_t found =
                    falling ? kernel::first_of_lane<true>(best.data(), k, x.data(), count)
                            : kernel::first_of_lane<false>(best.data(), k, x.data(), count);
                REQUIRE(found == std::min(k, count));
                for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
                    REQUIRE(best[i].index == ordered[i].index);
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("lanes of every type and length are sorted stably") {
    // Few values, so that many are equal; and values of all magnitudes.
    const auto integers = [](auto type) {
        using T = decltype(type);
        compare<T>([](std::mt19937& e) { return static_cast<T>(e() % 10); });
        compare<T>([](std::mt19937& e) {
            return static_cast<T>((std::uint64_t{e()} << 32 | e()) >> e() % 64);
        });
        // A few far away from all others, which the leading bits of keys tell apart alone.
        compare<T>([](std::mt19937& e) {
            const std::uint64_t far = e() % 100 == 0 ? std::uint64_t{e()} << 31 : 0;
            return static_cast<T>(far + e() % 30000);
        });
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

TEMPLATE_TEST_CASE("reals are sorted however they are spread", "", float, double) {
    using T = TestType;
    using Limits = std::numeric_limits<T>;
    const auto share = [](std::mt19937& e) {
        return static_cast<T>(e()) / static_cast<T>(4294967296.0) - T(0.5);
    };
    compare<T>(share);
    // From end to end of what there is, further apart than the largest number, and hardly at all.
    compare<T>([&](std::mt19937& e) { return share(e) * Limits::max(); });
    compare<T>([&](std::mt19937& e) { return share(e) * 2 * Limits::max(); });
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
}

TEST_CASE("zeros of either sign are equal, and NaN of any kind comes last") {
    const auto reals = [](auto type) {
        using T = decltype(type);
        const T special[] = {T(0),
                             -T(0),
                             std::numeric_limits<T>::infinity(),
                             -std::numeric_limits<T>::infinity(),
                             std::numeric_limits<T>::quiet_NaN(),
                             -std::numeric_limits<T>::quiet_NaN(),
                             std::numeric_limits<T>::denorm_min(),
                             std::numeric_limits<T>::max(),
                             T(1),
                             T(-1)};
        compare<T>([&](std::mt19937& e) { return special[e() % 10]; });
        compare<T>([&](std::mt19937& e) {
            const auto v = static_cast<T>(static_cast<std::int32_t>(e()));
            return e() % 8 == 0 ? special[e() % 10] : v / T(3);
        });
    };
    reals(float{});
    reals(double{});
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

TEST_CASE("keys rise with the values") {
    STATIC_REQUIRE(kernel::order_key<false>(std::int8_t{-128}) == 0);
    STATIC_REQUIRE(kernel::order_key<true>(std::int8_t{127}) == 0);
    STATIC_REQUIRE(kernel::order_key<false>(true) == 1);
    STATIC_REQUIRE(kernel::order_key<false>(-0.0F) == kernel::order_key<false>(0.0F));
    STATIC_REQUIRE(kernel::order_key<false>(-1.0) < kernel::order_key<false>(-0.5));
    STATIC_REQUIRE(kernel::order_key<true>(std::numeric_limits<float>::quiet_NaN()) == ~0U);
}
