// What a leaf reads: a flat run, a constant of every row, a number.
#include "broadloom/kernel/elementwise/leaf.hpp"

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using kernel::Cursor, kernel::Variable;

namespace {

template <int Held>
Cursor<Variable<int>, Held> leaf_of(const kernel::Run& run) {
    const kernel::Run* next = &run;
    Cursor<Variable<int>, Held> leaf(Variable<int>(0), next);
    CHECK(next == &run + 1);
    return leaf;
}

}  // namespace

TEST_CASE("A leaf is a pointer, spread copies of a constant, or what it is known to be") {
    const int x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int room[4] = {};
    const kernel::Run flat{x, kernel::block_length, 4, nullptr}, constant{x, 0, 1, room};
    auto run = leaf_of<-1>(flat);
    run.row<4>(1);
    CHECK(!run.constant());
    CHECK((run[0] == 5 && run[3] == 8));
    auto spread = leaf_of<-1>(constant);
    spread.row<4>(1);
    CHECK(spread.constant());
    CHECK((spread[0] == 2 && spread[3] == 2 && room[3] == 2));
    auto known = leaf_of<0>(flat);
    known.row<4>(1);
    CHECK(!known.constant());
    CHECK((known[0] == 5 && known[3] == 8));
    auto held = leaf_of<1>({x, 0, 1, nullptr});
    held.row<4>(2);
    CHECK(held.constant());
    CHECK((held[0] == 3 && held[1000] == 3));
}

TEST_CASE("A number is the same wherever a cursor stands") {
    const kernel::Run* none = nullptr;
    const Cursor<broadloom::Scalar<int>, 0> number(broadloom::Scalar<int>{7}, none);
    CHECK((number[0] == 7 && number[99] == 7 && none == nullptr));
}
