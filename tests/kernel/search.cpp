// Places in sorted runs of all short lengths, against a look at each element.
#include "broadloom/kernel/search.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// How many elements of a run come before a value, or do not come after it.
template <bool Last, class A, class B>
index_t place_of(const std::vector<A>& sorted, const B& value) {
    index_t place = 0;
    for (const A& a : sorted) {
        const bool behind =
            Last ? !kernel::detail::comes_before(value, a) : kernel::detail::comes_before(a, value);
        place += behind ? 1 : 0;
    }
    return place;
}

template <class A, class B>
void check_search(const std::vector<A>& sorted, const std::vector<B>& values) {
    std::vector<index_t> first(values.size()), last(values.size());
    const auto count = static_cast<index_t>(sorted.size());
    const auto size = static_cast<index_t>(values.size());
    kernel::find_places<false>(sorted.data(), count, values.data(), size, first.data());
    kernel::find_places<true>(sorted.data(), count, values.data(), size, last.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(first[i] == place_of<false>(sorted, values[i]));
        CHECK(last[i] == place_of<true>(sorted, values[i]));
    }
}

}  // namespace

TEST_CASE("Values stand before or behind equal ones of a sorted run") {
    const std::vector<int> values = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 100};
    for (int length = 0; length <= 20; ++length) {
        std::vector<int> apart, twice;
        for (int i = 0; i < length; ++i) {
            apart.push_back(2 * i);
            twice.push_back(i / 3);
        }
        check_search(apart, values);
        check_search(twice, values);
    }
}

TEST_CASE("NaN stands behind all numbers, and integers compare by value whatever their types") {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    check_search(std::vector<double>{-inf, -1, 0, 2, inf, nan, nan},
                 std::vector<double>{nan, inf, -inf, 1});
    check_search(std::vector<double>{0, 1, 2}, std::vector<int>{-1, 0, 1, 2, 3});
    check_search(std::vector<std::uint64_t>{0, 1, std::uint64_t{1} << 63},
                 std::vector<int>{-1, 0, 5});
    CHECK(kernel::detail::comes_before(-1, std::uint64_t{0}));
}
