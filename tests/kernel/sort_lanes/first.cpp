#include "broadloom/kernel/sort_lanes/first.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/lanes.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// The first k of a lane, found in either way, are what a stable sort puts there.
template <bool Falling, class T>
bool finds_first(const std::vector<T>& x, const std::vector<lanes::Item<T>>& ordered, index_t k) {
    const auto count = static_cast<index_t>(x.size());
    const auto room = static_cast<std::size_t>(2 * kernel::gathered_for<T>(k));
    std::vector<lanes::Item<T>> items(room), best(static_cast<std::size_t>(k));
    kernel::sort_first_of_lane<Falling>(items.data(), k, x.data(), count);
    bool same =
        kernel::first_of_lane<Falling>(best.data(), k, x.data(), count) == std::min(k, count);
    for (std::size_t i = 0; i < best.size() && i < x.size(); ++i) {
        same = same && items[i].index == ordered[i].index && best[i].index == ordered[i].index;
    }
    return same;
}

template <class T, class Draw>
void compare_first(Draw draw) {
    const settings::Restore restore;
    lanes::for_each<T>(draw, [](const std::vector<T>& x, const auto& ordered, auto falling) {
        for (const int level : {0, 1, 2}) {
            kernel::set_isa(level);
            for (const index_t k : {1, 7, 32, 150}) {
                REQUIRE(finds_first<falling.value>(x, ordered, k));
            }
        }
    });
}

}  // namespace

TEMPLATE_TEST_CASE("the first of integers are found without sorting the rest", "", std::int8_t,
                   std::uint16_t, std::int32_t, std::uint64_t) {
    using T = TestType;
    lanes::of_integers<T>([](auto draw) { compare_first<T>(draw); });
    compare_first<T>([](std::mt19937&) { return T{7}; });
    compare_first<T>([rising = T{}](std::mt19937&) mutable { return rising++; });
    compare_first<T>([falling = T{}](std::mt19937&) mutable { return falling--; });
    compare_first<T>([](std::mt19937& e) {
        return e() % 200 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    });
}

TEMPLATE_TEST_CASE("the first of reals are found without sorting the rest", "", float, double) {
    using T = TestType;
    lanes::of_special_reals<T>([](auto draw) { compare_first<T>(draw); });
    compare_first<T>([rising = T(-9)](std::mt19937&) mutable { return ++rising; });
    // Fewer numbers than are asked for, or hardly more.
    compare_first<T>([](std::mt19937& e) {
        return e() % 40 == 0 ? static_cast<T>(e() % 9) : std::numeric_limits<T>::quiet_NaN();
    });
    compare_first<T>([](std::mt19937& e) {
        const T ends = std::numeric_limits<T>::infinity();
        return e() % 2 == 0 ? ends : -ends;
    });
}

TEST_CASE("the first of elements without a key are found, too") {
    using Z = std::complex<float>;
    std::mt19937 engine(4);
    std::vector<Z> x(1000);
    for (Z& z : x) {
        const auto part = [&] { return static_cast<float>(engine() % 6); };
        z = engine() % 9 == 0 ? Z(part(), std::numeric_limits<float>::quiet_NaN())
                              : Z(part(), part());
    }
    std::vector<lanes::Item<Z>> ordered = lanes::items_of(x), room(x.size());
    kernel::sort_lane<true>(ordered.data(), room.data(), 1000);
    for (const index_t k : {1, 7, 32, 150}) REQUIRE(finds_first<true>(x, ordered, k));
}
