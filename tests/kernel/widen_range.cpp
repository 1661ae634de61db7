#include "broadloom/kernel/widen_range.hpp"

#include <cstdint>
#include <limits>

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;

TEST_CASE("A range is widened until it holds all integers, and no further") {
    const std::int16_t values[] = {3, -7, 3, 500, std::numeric_limits<std::int16_t>::min()};
    std::int16_t low = 0, high = 0;
    kernel::widen_range(values, 3, low, high);
    CHECK((low == -7 && high == 3));
    kernel::widen_range(values, 0, low, high);
    CHECK((low == -7 && high == 3));
    kernel::widen_range(values, 5, low, high);
    CHECK((low == std::numeric_limits<std::int16_t>::min() && high == 500));
    const bool truths[] = {true, true};
    bool least = true, most = true;
    kernel::widen_range(truths, 2, least, most);
    CHECK((least && most));
}
