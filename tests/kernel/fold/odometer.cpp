// Counting turns of loops.
#include "broadloom/kernel/fold/odometer.hpp"

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

TEST_CASE("An odometer starts at the first turn of every loop") {
    kernel::Odometer odometer;
    odometer.add(3);
    odometer.add(1);
    CHECK(odometer.count == 2);
    CHECK((odometer.loops[0] == 3 && odometer.loops[1] == 1));
    CHECK((odometer.index[0] == 0 && odometer.index[1] == 0));
}

TEST_CASE("Turns are parted whatever their number") {
    constexpr index_t half = index_t{1} << (4 * sizeof(index_t));
    const index_t numbers[] = {0, 1, 7, 1000, half - 1, half, broadloom::detail::largest_index};
    for (const index_t a : numbers) {
        for (const index_t b : numbers) {
            if (b > 0) CHECK(kernel::detail::quotient(a, b) == a / b);
        }
    }
}
