// Which loop of a plan becomes the innermost one.
#include "broadloom/kernel/elementwise/innermost.hpp"

#include <vector>

#include "support/catch.hpp"
#include "support/planned.hpp"
#include "support/settings.hpp"

namespace detail = broadloom::kernel::detail;
using broadloom::index_t;
using planned::Planned;

TEST_CASE("Operands that lie across are read as they lie where less is turned of the result") {
    const auto innermost = [](Planned&& p, index_t bytes, index_t unit = 64) {
        p.streams[0].bytes = bytes;
        detail::follow_operands(p.plan, unit);
        return p.plan.extents[1];
    };
    const std::vector<index_t> target{200, 1}, across{1, 100};
    const auto plan = [](std::vector<std::vector<index_t>> strides) {
        return Planned({100, 200}, strides);
    };
    // Truths of one operand or two; of wider results those of two, which are not the same one.
    CHECK(innermost(plan({target, across}), 1) == 100);
    CHECK(innermost(plan({target, across, across}), 1) == 100);
    CHECK(innermost(plan({target, across}), 4) == 200);
    CHECK(innermost(plan({target, across, across}), 4) == 100);
    CHECK(innermost(plan({target, across, across}), 8) == 200);
    Planned twins = plan({target, across, across});
    twins.streams[2].data = twins.streams[1].data;
    CHECK(innermost(std::move(twins), 4) == 200);
    // Where something lies along the target.
    CHECK(innermost(plan({target, target}), 1) == 200);
    CHECK(innermost(plan({target, across, across, target}), 4) == 200);
    // Rows that do not fill a unit, if they continue each other.
    CHECK(innermost(plan({target, across}), 1, 128) == 100);
    CHECK(innermost(plan({target, across, {0, 0}, {0, 1}, {1, 0}}), 1, 128) == 100);
    CHECK(innermost(plan({target, {1, 160}}), 1) == 100);
    CHECK(innermost(plan({target, {1, 160}}), 1, 128) == 200);
    // The target's loop is the next one.
    Planned p({70, 3, 200}, {{600, 200, 1}, {1, 14000, 70}});
    p.streams[0].bytes = 1;
    detail::follow_operands(p.plan, 64);
    CHECK((p.plan.extents[0] == 3 && p.plan.extents[1] == 200 && p.plan.extents[2] == 70));
}

TEST_CASE("A single operand that comes from memory is turned, and fetched ahead of its time") {
    static constexpr detail::Streaming calls{.turned = 1};
    const settings::Streams streams(calls);
    if (!settings::Streams::has_policies()) return;
    const auto innermost = [](index_t rows, index_t columns, std::vector<index_t> operand,
                              std::vector<index_t> other = {0, 0}) {
        Planned p({rows, columns}, {{columns, 1}, std::move(operand), std::move(other)});
        p.streams[0].bytes = 1;
        detail::follow_operands(p.plan, 16);
        return p.plan.extents[1];
    };
    CHECK(innermost(200, 300, {1, 200}) == 300);
    CHECK(innermost(100, 300, {1, 110}) == 300);
    CHECK(innermost(200, 300, {1, 200}, {1, 210}) == 200);
    // Short rows, or such as come in order.
    CHECK(innermost(40, 300, {1, 60}) == 40);
    CHECK(innermost(300, 40, {1, 300}) == 300);
    CHECK(innermost(100, 300, {1, 100}) == 100);
}

TEST_CASE("An operand is turned along the longest loop of its neighbours") {
    Planned p({20, 30, 40, 5}, {{6000, 200, 5, 1}, {1, 1, 1200, 20}, {6000, 200, 5, 1}});
    CHECK(detail::turned_loop(p.plan, p.streams[1]) == 1);
    CHECK(detail::turned_loop(p.plan, p.streams[2]) == -1);
}
