// What is asked of the loops of a reduction before it is cut.
#include "broadloom/kernel/fold/cutting.hpp"

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

TEST_CASE("Loops are stepped out of as long as they are all reduced or all kept") {
    kernel::Stream streams[2] = {{nullptr, 4, nullptr, {0, 35, 0, 0, 7, 1}},
                                 {nullptr, 4, nullptr, {420, 105, 35, 7, 0, 2}}};
    kernel::Plan plan;
    plan.count = 2;
    plan.streams = streams;
    plan.rank = 6;
    const index_t extents[] = {2, 4, 3, 5, 5, 7};
    for (int loop = 0; loop < 6; ++loop) plan.extents[loop] = extents[loop];

    index_t columns = 1, rows = 1, groups = 1, outer = 1;
    CHECK(kernel::detail::step_out(plan, 6, false, columns) == 4);
    CHECK(kernel::detail::step_out(plan, 4, true, rows) == 2);
    CHECK(kernel::detail::step_out(plan, 2, false, groups) == 1);
    CHECK(kernel::detail::step_out(plan, 1, true, outer) == 0);
    CHECK((columns == 35 && rows == 15 && groups == 4 && outer == 2));

    CHECK(kernel::detail::packs_along(plan, 5));
    CHECK(!kernel::detail::packs_along(plan, 4));
    CHECK(kernel::detail::serves(plan, 5, 4));
    CHECK(!kernel::detail::serves(plan, 5, 3));
}
