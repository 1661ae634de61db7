// A fold of the user's takes its elements in row-major order, whatever their size and layout.
#include "broadloom/kernel/fold/in_order.hpp"

#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;

TEST_CASE("A function of the user's sees elements in row-major order, along any axes") {
    const bl::Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const auto digits = [](int number, int digit) { return 10 * number + digit; };
    CHECK(bl::reduce(digits, 0, x) == 123456);
    CHECK(bl::reduce(digits, 0, x.transpose()) == 142536);
    const auto rows = bl::reduce(digits, 7, x, 1), columns = bl::reduce(digits, 0, x, 0);
    CHECK(rows(0) == 7123);
    CHECK(rows(1) == 7456);
    CHECK(columns(2) == 36);
}

TEST_CASE("Elements of many bytes are folded by a function of the user's") {
    struct Wide {
        double v[40];
    };
    const auto x = bl::full<Wide>({30, 20}, Wide{{1, 2}});
    const auto add = [](double a, const Wide& w) { return a + w.v[0] + w.v[1]; };
    CHECK(bl::reduce(add, 0.0, x) == 1800);
    CHECK(bl::reduce(add, 0.0, x, 0)(19) == 90);
    CHECK(bl::reduce(add, 0.0, x.transpose(), 0)(29) == 60);
}
