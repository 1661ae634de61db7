// Lanes sorted and ordered together give what std::stable_sort gives of each.
#include "broadloom/kernel/sort_lanes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

namespace {

/// Few values, so that many are equal, and now and then a NaN.
template <class T>
std::vector<T> few_values(index_t count, bool with_nan) {
    static std::mt19937 engine(3);
    std::vector<T> x(static_cast<std::size_t>(count));
    for (T& v : x) {
        v = static_cast<T>(engine() % 50);
        if constexpr (std::is_floating_point_v<T>) {
            if (with_nan && engine() % 40 == 0) v = std::numeric_limits<T>::quiet_NaN();
        }
    }
    return x;
}

template <class T>
bool goes_before(T a, T b, bool falling) {
    if (a != a || b != b) return a == a;
    return falling ? a > b : a < b;
}
/// The indices of a lane, whose elements lie a stride apart, in order.
template <class T>
std::vector<index_t> stable_order(const T* lane, index_t length, index_t stride, bool falling) {
    std::vector<index_t> order(static_cast<std::size_t>(length));
    std::iota(order.begin(), order.end(), index_t{0});
    std::stable_sort(order.begin(), order.end(), [&](index_t i, index_t j) {
        return goes_before(lane[i * stride], lane[j * stride], falling);
    });
    return order;
}
template <class T>
bool hold_alike(T a, T b) {
    return a == b || (a != a && b != b);
}
/// True if a lane holds what it had before, in order.
template <class T>
bool is_sorted_of(const T* sorted, const T* before, index_t length, index_t stride, bool falling) {
    const std::vector<index_t> order = stable_order(before, length, stride, falling);
    bool all = true;
    for (index_t i = 0; i < length; ++i) {
        const index_t from = order[static_cast<std::size_t>(i)];
        all = all && hold_alike(sorted[i * stride], before[from * stride]);
    }
    return all;
}

/// Calls `f(count, length, falling, with_nan)` for lanes that suit networks and that do not.
template <class F>
void for_each_size_of_lanes(F f) {
    for (const int threads : {1, 3}) {
        bl::set_num_threads(threads);
        for (const index_t count : {1, 3, 16, 37, 200}) {
            for (const index_t length : {1, 2, 5, 16, 33, 100}) {
                for (const bool falling : {false, true}) {
                    f(count, length, falling, false);
                    f(count, length, falling, true);
                }
            }
        }
    }
}

}  // namespace

TEMPLATE_TEST_CASE("lanes one after the other are each sorted", "", std::int8_t, std::uint32_t,
                   std::int64_t, float, double) {
    using T = TestType;
    const settings::Restore restore;
    for_each_size_of_lanes([](index_t count, index_t length, bool falling, bool with_nan) {
        const std::vector<T> before = few_values<T>(count * length, with_nan);
        std::vector<T> lanes = before;
        kernel::sort_lanes(lanes.data(), count, length, falling);
        bool all = true;
        for (index_t i = 0; i < count; ++i) {
            all = all && is_sorted_of(lanes.data() + i * length, before.data() + i * length, length,
                                      1, falling);
        }
        REQUIRE(all);
    });
}

TEMPLATE_TEST_CASE("lanes side by side are sorted where they lie", "", std::int16_t, std::int32_t,
                   float, double) {
    using T = TestType;
    const settings::Restore restore;
    for_each_size_of_lanes([](index_t inside, index_t length, bool falling, bool with_nan) {
        if (!kernel::suits_network<T>(inside, length)) return;
        for (const index_t blocks : {1, 3}) {
            const std::vector<T> before = few_values<T>(blocks * inside * length, with_nan);
            std::vector<T> lanes = before;
            kernel::sort_lanes_side_by_side(lanes.data(), blocks, length, inside, falling);
            bool all = true;
            for (index_t i = 0; i < blocks * inside; ++i) {
                const index_t first = i / inside * inside * length + i % inside;
                all = all && is_sorted_of(lanes.data() + first, before.data() + first, length,
                                          inside, falling);
            }
            REQUIRE(all);
        }
    });
}

TEMPLATE_TEST_CASE("the first indices of lanes come in order, equal ones as they stand", "",
                   std::int8_t, std::int64_t, float, double) {
    using T = TestType;
    const settings::Restore restore;
    for_each_size_of_lanes([](index_t count, index_t length, bool falling, bool with_nan) {
        const std::vector<T> lanes = few_values<T>(count * length, with_nan);
        for (const index_t kept : {index_t{1}, (length + 1) / 2, length}) {
            std::vector<index_t> indices(static_cast<std::size_t>(count * kept));
            kernel::order_lanes(lanes.data(), count, length, falling, indices.data(), kept);
            bool all = true;
            for (index_t i = 0; i < count; ++i) {
                const auto order = stable_order(lanes.data() + i * length, length, 1, falling);
                all = all && std::equal(indices.begin() + i * kept,
                                        indices.begin() + (i + 1) * kept, order.begin());
            }
            REQUIRE(all);
        }
    });
}
