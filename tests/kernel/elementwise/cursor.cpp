// What the loops read, wherever a cursor stands: flat runs, constants that are spread, numbers.
#include "broadloom/kernel/elementwise/cursor.hpp"

#include <complex>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/select.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::TensorView, kernel::block_length;

namespace {

template <class T>
struct Reads {
    using View = TensorView<const T>;
    using Sum = kernel::formula_t<decltype(std::declval<View>() * T(2) + std::declval<View>())>;

    std::vector<T> x, y;  // a flat run, and one element for every row

    Reads() {
        for (int i = 0; i < 512; ++i) x.push_back(T(static_cast<float>(i)));
        for (int i = 0; i < 4; ++i) y.push_back(T(static_cast<float>(1000 * i)));
    }
    Sum formula() const {
        return Sum(View(x.data(), bl::Shape{1}, bl::Strides{1}) * T(2) +
                   View(y.data(), bl::Shape{1}, bl::Strides{1}));
    }
    /// x * 2 + y at a column of a row of 128.
    T expected(index_t row, index_t column) const {
        return x[static_cast<std::size_t>(row * 128 + column)] * T(2) +
               y[static_cast<std::size_t>(row)];
    }
};

}  // namespace

TEMPLATE_TEST_CASE("A cursor reads what stands beside it, row by row and block by block", "", float,
                   double, std::complex<float>, std::complex<double>) {
    const Reads<TestType> reads;
    const auto formula = reads.formula();
    alignas(64) TestType room[4 * static_cast<std::size_t>(block_length)];
    kernel::Run runs[] = {{reads.x.data(), block_length, 128, nullptr},
                          {reads.y.data(), 0, 1, room}};
    const kernel::Run* run = runs;
    kernel::Cursor<std::remove_cv_t<decltype(formula)>> cursor(formula, run);
    CHECK(run == runs + 2);
    for (index_t row = 0; row < 4; ++row) {
        cursor.place(row);
        CHECK(cursor[0] == reads.expected(row, 0));
        cursor.next();
        CHECK(cursor[0] == reads.expected(row, block_length));
        cursor.template row<block_length>(row);
        CHECK(cursor[block_length - 1] == reads.expected(row, block_length - 1));
        cursor.advance();
        CHECK(cursor[3] == reads.expected(row, block_length + 3));
        cursor.template row<16>(row);
        CHECK(cursor[15] == reads.expected(row, 15));
        cursor.advance();
        CHECK(cursor[2] == reads.expected(row, 18));
        cursor.template row<16>(row);
        cursor.skip(17);
        CHECK(cursor[0] == reads.expected(row, 17));
    }
    // Some rows at once, as folds take them.
    cursor.template block<block_length>(1, 3, kernel::every(1));
    for (index_t row = 0; row < 3; ++row) {
        CHECK(cursor.at(row, 5) == reads.expected(1 + row, 5));
    }
    cursor.down(2);
    CHECK(cursor.at(0, 63) == reads.expected(3, 63));
}

TEST_CASE("Rows are flat where all that a cursor reads follows one another") {
    const Reads<float> reads;
    const auto formula = reads.formula();
    float room[32];
    const auto flat = [&](index_t x_row, index_t y_row, void* y_room) {
        const kernel::Run runs[] = {{reads.x.data(), 0, x_row, nullptr},
                                    {reads.y.data(), 0, y_row, y_room}};
        const kernel::Run* run = runs;
        return kernel::Cursor<std::remove_cv_t<decltype(formula)>>(formula, run).flat(32);
    };
    CHECK(flat(32, 32, nullptr));
    CHECK_FALSE(flat(32, 33, nullptr));
    CHECK_FALSE(flat(0, 32, nullptr));
    CHECK_FALSE(flat(32, 1, room));
    CHECK_FALSE(flat(32, 32, room));
}

TEMPLATE_TEST_CASE("A cursor that knows its constants reads rows", "", float, double,
                   std::complex<float>, std::complex<double>) {
    const Reads<TestType> reads;
    const auto formula = reads.formula();
    const kernel::Run runs[] = {{reads.x.data(), 0, 128, nullptr}, {reads.y.data(), 0, 1, nullptr}};
    const kernel::Run* run = runs;
    kernel::Cursor<std::remove_cv_t<decltype(formula)>, 2> cursor(formula, run);
    CHECK(run == runs + 2);
    for (index_t row = 0; row < 4; ++row) {
        cursor.template row<1>(row);
        CHECK(cursor[0] == reads.expected(row, 0));
        CHECK(cursor[127] == reads.expected(row, 127));
    }
}

TEST_CASE("A cursor steps from group to group, each with a constant of its own") {
    const Reads<float> reads;
    const auto formula = reads.formula();
    alignas(64) float room[4 * static_cast<std::size_t>(block_length)];
    const kernel::Run runs[] = {{reads.x.data(), 128, 32, nullptr}, {reads.y.data(), 1, 0, room}};
    const kernel::Run* run = runs;
    kernel::Cursor<std::remove_cv_t<decltype(formula)>> cursor(formula, run);
    for (index_t group = 0; group < 4; ++group) {
        cursor.template group<32>(group);
        CHECK(cursor.at(0, 31) == reads.expected(group, 31));
    }
    for (index_t group = 0; group < 4; ++group) {
        cursor.template block<32>(1, 3, kernel::every(1));
        CHECK(cursor.at(2, 1) == reads.expected(group, 97));
        cursor.next_group();
    }
}

TEST_CASE("Of a row that chooses one operand all along, the other is not read") {
    using View = TensorView<const float>;
    const bl::Shape one{1};
    const bl::Strides stride{1};
    const bool mask[] = {false, true, true, false};
    const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 20, 30, 40, 50, 60, 70, 80};
    using Choice =
        kernel::formula_t<decltype(bl::where(std::declval<TensorView<const bool>>(),
                                             std::declval<View>() + 0.5F, std::declval<View>()))>;
    const Choice formula(bl::where(TensorView<const bool>(mask, one, stride),
                                   View(x, one, stride) + 0.5F, View(y, one, stride)));
    alignas(64) bool room[static_cast<std::size_t>(block_length)];
    // Rows of two: x has no fourth.
    const kernel::Run constant[] = {
        {mask, 0, 1, room}, {x, block_length, 2, nullptr}, {y, block_length, 2, nullptr}};
    const kernel::Run* run = constant;
    kernel::Cursor<Choice> cursor(formula, run);
    cursor.row<2>(1);
    CHECK(cursor[0] == 3.5F);
    cursor.row<2>(2);
    CHECK(cursor[1] == 6.5F);
    cursor.row<2>(3);
    CHECK(cursor[0] == 70);
    CHECK(cursor[1] == 80);

    // Rows that come later may have been read by another cursor.
    const kernel::Run later[] = {{mask + 3, 0, 1, room, 3},
                                 {x + 6, block_length, 2, nullptr, 3},
                                 {y + 6, block_length, 2, nullptr, 3}};
    run = later;
    kernel::Cursor<Choice> last(formula, run);
    last.row<2>(0);
    CHECK(last[1] == 80);

    const kernel::Run flat[] = {{mask, block_length, 1, nullptr},
                                {x, block_length, 2, nullptr},
                                {y, block_length, 2, nullptr}};
    run = flat;
    kernel::Cursor<Choice> along(formula, run);
    along.row<2>(0);
    CHECK(along[0] == 10);
    CHECK(along[1] == 2.5F);
    along.row<2>(2);
    CHECK(along[0] == 5.5F);
    CHECK(along[1] == 60);
}
