#include "broadloom/kernel/rows.hpp"

#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::TensorView;

namespace {

constexpr index_t groups = 3, rows = 21, columns = 40, lanes = 8;

/// Element j of row r of group g.
float element(index_t g, index_t r, index_t j) {
    return static_cast<float>((g * rows + r) * columns + j);
}

std::vector<float> elements() {
    std::vector<float> x(static_cast<std::size_t>(groups * rows * columns));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    return x;
}

/// Reads all rows, from the first group's on, as a fold does.
template <class Rows, class Value>
void check(Rows read, Value&& value) {
    for (index_t g = 0; g < groups; ++g, read.next_group()) {
        CHECK(read.end(rows) == rows);
        for (index_t first = 0; first < rows; first += 16) {
            const index_t count = first + 16 < rows ? 16 : rows - first;
            CHECK((read.block(first, rows) == count && !read.adds()));
            for (const index_t column : {0, 3, 32}) {
                const auto part = read.part(1, column);
                for (index_t r = 0; r < count; ++r) {
                    CHECK(part.load(r, 5) == value(g, first + r, column + 5));
                    CHECK(part.down(r).load(0, 7) == value(g, first + r, column + 7));
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("Rows in memory are read by group, block, part and row") {
    const std::vector<float> x = elements();
    check(kernel::detail::StoredRows<float>(x.data(), columns, rows * columns), element);
}

TEST_CASE("Rows that follow one another are read by distances that the compiler knows") {
    const std::vector<float> x = elements();
    kernel::detail::StoredRows<float> read(x.data(), columns);
    CHECK_FALSE(read.flat<lanes>());
    CHECK(read.flat<columns>());
    CHECK(read.block(3, rows) == 16);
    const kernel::detail::FlatRows<kernel::detail::StoredRows<float>, columns> flat{read, 7};
    for (index_t r = 0; r < 4; ++r) {
        CHECK(flat.load(r, 2) == element(0, 3 + r, 9));
        CHECK(flat.down(12).load(r, 0) == element(0, 15 + r, 7));
    }
}

TEST_CASE("Rows of a formula are made by group, block, part and row, with constants of their own") {
    using View = TensorView<const float>;
    using Sum = kernel::formula_t<decltype(std::declval<View>() * 2.0F + std::declval<View>())>;
    using Computed = kernel::detail::ComputedRows<Sum, lanes>;
    const std::vector<float> x = elements();
    std::vector<float> y(static_cast<std::size_t>(groups * rows)), spread(16 * lanes);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i) * 0.5F;
    const auto view = [](const std::vector<float>& v) {
        return View(v.data(), bl::Shape{1}, bl::Strides{1});
    };
    const Sum sum(view(x) * 2.0F + view(y));
    const kernel::Run runs[2] = {{x.data(), rows * columns, columns, nullptr},
                                 {y.data(), rows, 1, spread.data()}};
    const auto value = [&](index_t g, index_t r, index_t j) {
        return element(g, r, j) * 2.0F + y[static_cast<std::size_t>(g * rows + r)];
    };
    check(Computed(sum, runs, false, false), value);
    CHECK_FALSE(Computed(sum, runs, false, false).flat<lanes>());
    // Where groups are the parts, a part is the first row of one.
    const Computed by_groups(sum, runs, true, false);
    for (index_t g = 0; g < groups; ++g) {
        CHECK(by_groups.part(g, 0).load(0, 6) == value(g, 0, 6));
        CHECK(by_groups.part(g, 0).skip(30).load(0, 6) == value(g, 0, 36));
    }
    // By lanes the blocks are every eighth row, in the order in which halves join; five of the 21
    // rows are left over.
    Computed by_lanes(sum, runs, false, true);
    CHECK(by_lanes.end(rows) == 16 * lanes);
    const index_t order[] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (index_t b = 0; b < lanes; ++b) {
        CHECK(by_lanes.block(16 * b, rows) == 2);
        CHECK(by_lanes.adds() == (order[b] < 5));
        const auto part = by_lanes.part(1, 3);
        for (index_t r = 0; r < (by_lanes.adds() ? 3 : 2); ++r) {
            CHECK(part.load(r, 5) == value(0, order[b] + r * lanes, 8));
            CHECK(part.down(r).load(0, 5) == value(0, order[b] + r * lanes, 8));
        }
    }
    // Lanes of two rows each make blocks of eight, four lanes in one.
    const index_t even = 2 * lanes;
    CHECK(by_lanes.end(even) == 2 * even);
    for (index_t b = 0; b < even / 8; ++b) {
        CHECK(by_lanes.block(16 * b, even) == 8);
        const auto part = by_lanes.part(1, 3);
        for (index_t r = 0; r < 8; ++r) {
            const index_t row = order[4 * b + r / 2] + r % 2 * lanes;
            CHECK(part.fours(r / 4).load(r % 4, 5) == value(0, row, 8));
        }
    }
}
