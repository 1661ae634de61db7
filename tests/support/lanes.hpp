// Lanes to be sorted: of many lengths, drawn from any distribution, beside what std::stable_sort
// makes of them.
#ifndef BROADLOOM_TESTS_SUPPORT_LANES_HPP
#define BROADLOOM_TESTS_SUPPORT_LANES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "broadloom/kernel/sort_lanes/order.hpp"

namespace lanes {

/// The order as its description reads.
template <class T>
bool before(const T& a, const T& b, bool falling) {
    if (a != a || b != b) return b != b && a == a;
    return falling ? b < a : a < b;
}

template <class T>
using Item = broadloom::kernel::Indexed<T, std::uint32_t>;

/// The values of a lane with their indices.
template <class T>
std::vector<Item<T>> items_of(const std::vector<T>& x) {
    std::vector<Item<T>> items;
    for (std::size_t i = 0; i < x.size(); ++i) {
        items.push_back(Item<T>{x[i], static_cast<std::uint32_t>(i)});
    }
    return items;
}

template <class T>
std::vector<Item<T>> sorted_items(const std::vector<T>& x, bool falling) {
    std::vector<Item<T>> items = items_of(x);
    std::stable_sort(items.begin(), items.end(), [=](const Item<T>& a, const Item<T>& b) {
        return before(a.value, b.value, falling);
    });
    return items;
}

/// True when sort(items, room, count) brings the items of a lane into the order of others.
template <class T, class Sort>
bool sorts_items(const std::vector<T>& x, const std::vector<Item<T>>& ordered, Sort sort) {
    std::vector<Item<T>> items = items_of(x), room(x.size());
    sort(items.data(), room.data(), static_cast<broadloom::index_t>(x.size()));
    bool same = true;
    for (std::size_t i = 0; i < x.size(); ++i) same = same && items[i].index == ordered[i].index;
    return same;
}

/// Calls check(lane, sorted items, falling as a constant) for lanes of many lengths, whose elements
/// `draw` takes from an engine.
template <class T, class Draw, class Check>
void for_each(Draw draw, Check check) {
    std::mt19937 engine(9);
    for (const std::size_t n : {1U,  2U,  3U,  6U,  7U,   8U,   15U,  16U,  17U,   31U,
                                33U, 63U, 64U, 65U, 100U, 127U, 128U, 129U, 1000U, 5000U}) {
        std::vector<T> x(n);
        for (T& v : x) v = draw(engine);
        check(x, sorted_items(x, false), std::false_type{});
        check(x, sorted_items(x, true), std::true_type{});
    }
}

/// Calls f(draw) for many ways to draw integers: few values, so that many are equal; values of all
/// magnitudes; and a few far away from all others, which the leading bits of keys tell apart alone.
template <class T, class F>
void of_integers(F f) {
    f([](std::mt19937& e) { return static_cast<T>(e() % 10); });
    f([](std::mt19937& e) { return static_cast<T>((std::uint64_t{e()} << 32 | e()) >> e() % 64); });
    f([](std::mt19937& e) {
        const std::uint64_t far = e() % 100 == 0 ? std::uint64_t{e()} << 31 : 0;
        return static_cast<T>(far + e() % 30000);
    });
}

/// The same for reals with zeros of both signs, infinities and NaN among them.
template <class T, class F>
void of_special_reals(F f) {
    using Limits = std::numeric_limits<T>;
    static constexpr T special[] = {T(0),
                                    -T(0),
                                    Limits::infinity(),
                                    -Limits::infinity(),
                                    Limits::quiet_NaN(),
                                    -Limits::quiet_NaN(),
                                    Limits::denorm_min(),
                                    Limits::max(),
                                    T(1),
                                    T(-1)};
    f([](std::mt19937& e) { return special[e() % 10]; });
    f([](std::mt19937& e) {
        const auto v = static_cast<T>(static_cast<std::int32_t>(e()));
        return e() % 8 == 0 ? special[e() % 10] : v / T(3);
    });
}

}  // namespace lanes

#endif  // BROADLOOM_TESTS_SUPPORT_LANES_HPP
