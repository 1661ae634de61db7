// Lanes sorted and ordered together give what std::stable_sort gives of each.
#include "broadloom/kernel/sort_lanes.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/lanes.hpp"
#include "support/same_bits.hpp"
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

/// A lane whose elements lie a stride apart, in order.
template <class T>
std::vector<lanes::Item<T>> ordered(const T* lane, index_t length, index_t stride, bool falling) {
    std::vector<T> values;
    for (index_t i = 0; i < length; ++i) values.push_back(lane[i * stride]);
    return lanes::sorted_items(values, falling);
}
/// True if a lane holds what it had before, in order.
template <class T>
bool is_sorted_of(const T* sorted, const T* before, index_t length, index_t stride, bool falling) {
    bool all = true;
    for (const lanes::Item<T>& item : ordered(before, length, stride, falling)) {
        all = all && naive::same_bits(*sorted, item.value);
        sorted += stride;
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
        std::vector<T> sorted = before;
        kernel::sort_lanes(sorted.data(), count, length, falling);
        bool all = true;
        for (index_t i = 0; i < count; ++i) {
            all = all && is_sorted_of(sorted.data() + i * length, before.data() + i * length,
                                      length, 1, falling);
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
            std::vector<T> sorted = before;
            kernel::sort_lanes_side_by_side(sorted.data(), blocks, length, inside, falling);
            bool all = true;
            for (index_t i = 0; i < blocks * inside; ++i) {
                const index_t first = i / inside * inside * length + i % inside;
                all = all && is_sorted_of(sorted.data() + first, before.data() + first, length,
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
        const std::vector<T> values = few_values<T>(count * length, with_nan);
        for (const index_t kept : {index_t{1}, (length + 1) / 2, length}) {
            std::vector<index_t> indices(static_cast<std::size_t>(count * kept));
            kernel::order_lanes(values.data(), count, length, falling, indices.data(), kept);
            bool all = true;
            for (index_t i = 0; i < count; ++i) {
                const auto order = ordered(values.data() + i * length, length, 1, falling);
                for (index_t k = 0; k < kept; ++k) {
                    const auto place = static_cast<std::size_t>(k);
                    all = all && indices[static_cast<std::size_t>(i * kept) + place] ==
                                     static_cast<index_t>(order[place].index);
                }
            }
            REQUIRE(all);
        }
    });
}
