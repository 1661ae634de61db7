// Results that are made in another order than their own.
#include "broadloom/kernel/fold/aside.hpp"

#include "support/catch.hpp"
#include "support/planned.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;
using planned::Planned;

TEST_CASE("Results come into their own order, whatever the order they were made in") {
    // Made column by column, a reduced loop between: result[i][j] lies at 3 * i + j.
    float results[6] = {};
    Planned planned({3, 5, 2}, {{1, 0, 3}, {10, 2, 1}});
    planned.streams[0].data = reinterpret_cast<const char*>(results);
    kernel::detail::Aside aside;
    aside.lay(planned.plan, sizeof(float));
    const kernel::Stream& target = planned.plan.streams[0];
    CHECK((target.strides[0] == 2 && target.strides[1] == 0 && target.strides[2] == 1));
    float* const made = reinterpret_cast<float*>(const_cast<char*>(target.data));
    CHECK(made != results);
    for (index_t j = 0; j < 3; ++j) {
        for (index_t i = 0; i < 2; ++i) made[2 * j + i] = static_cast<float>(10 * i + j);
    }
    aside.bring_back(kernel::movers_of<sizeof(float)>);
    for (index_t i = 0; i < 2; ++i) {
        for (index_t j = 0; j < 3; ++j) CHECK(results[3 * i + j] == static_cast<float>(10 * i + j));
    }
}

TEST_CASE("What was not laid aside is not brought back") {
    kernel::detail::Aside aside;
    aside.bring_back(kernel::movers_of<sizeof(float)>);
    SUCCEED();
}
