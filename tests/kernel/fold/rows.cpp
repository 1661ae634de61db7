#include "broadloom/kernel/fold/rows.hpp"

#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::TensorView;

namespace {

constexpr index_t group_count = 3, row_count = 21, column_count = 40, lane_count = 8;

/// Element j of row r of group g.
float element_at(index_t g, index_t r, index_t j) {
    return static_cast<float>((g * row_count + r) * column_count + j);
}

std::vector<float> elements() {
    std::vector<float> x(static_cast<std::size_t>(group_count * row_count * column_count));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    return x;
}

/// Reads all rows, from the first group's on, as a fold does.
template <class Rows, class Value>
void check_rows(Rows read, Value&& value) {
    for (index_t g = 0; g < group_count; ++g, read.next_group()) {
        CHECK(read.end(row_count) == row_count);
        for (index_t first = 0; first < row_count; first += 16) {
            const index_t count = first + 16 < row_count ? 16 : row_count - first;
            CHECK((read.block(first, row_count) == count && !read.adds()));
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
    check_rows(kernel::detail::StoredRows<float>(x.data(), column_count, row_count * column_count),
               element_at);
}

TEST_CASE("Rows that follow one another are read by distances that the compiler knows") {
    const std::vector<float> x = elements();
    kernel::detail::StoredRows<float> read(x.data(), column_count);
    CHECK_FALSE(read.flat<lane_count>());
    CHECK(read.flat<column_count>());
    CHECK(read.block(3, row_count) == 16);
    const kernel::detail::FlatRows<kernel::detail::StoredRows<float>, column_count> flat{read, 7};
    for (index_t r = 0; r < 4; ++r) {
        CHECK(flat.load(r, 2) == element_at(0, 3 + r, 9));
        CHECK(flat.down(12).load(r, 0) == element_at(0, 15 + r, 7));
    }
}

TEST_CASE("Rows of a formula are made by group, block, part and row, with constants of their own") {
    using View = TensorView<const float>;
    using Sum = kernel::formula_t<decltype(std::declval<View>() * 2.0F + std::declval<View>())>;
    using Computed = kernel::detail::ComputedRows<Sum, lane_count>;
    const std::vector<float> x = elements();
    std::vector<float> y(static_cast<std::size_t>(group_count * row_count)),
        spread(16 * lane_count);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i) * 0.5F;
    const auto view = [](const std::vector<float>& v) {
        return View(v.data(), bl::Shape{1}, bl::Strides{1});
    };
    const Sum sum(view(x) * 2.0F + view(y));
    const kernel::Run runs[2] = {{x.data(), row_count * column_count, column_count, nullptr},
                                 {y.data(), row_count, 1, spread.data()}};
    const auto value = [&](index_t g, index_t r, index_t j) {
        return element_at(g, r, j) * 2.0F + y[static_cast<std::size_t>(g * row_count + r)];
    };
    check_rows(Computed(sum, runs, false, false), value);
    CHECK_FALSE(Computed(sum, runs, false, false).flat<lane_count>());
    // Where groups are the parts, a part is the first row of one.
    const Computed by_groups(sum, runs, true, false);
    for (index_t g = 0; g < group_count; ++g) {
        CHECK(by_groups.part(g, 0).load(0, 6) == value(g, 0, 6));
        CHECK(by_groups.part(g, 0).skip(30).load(0, 6) == value(g, 0, 36));
    }
    // By lanes the blocks are every eighth row, in the order in which halves join; five of the 21
    // rows are left over.
    Computed by_lanes(sum, runs, false, true);
    CHECK(by_lanes.end(row_count) == 16 * lane_count);
    const index_t order[] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (index_t b = 0; b < lane_count; ++b) {
        CHECK(by_lanes.block(16 * b, row_count) == 2);
        CHECK(by_lanes.adds() == (order[b] < 5));
        const auto part = by_lanes.part(1, 3);
        for (index_t r = 0; r < (by_lanes.adds() ? 3 : 2); ++r) {
            CHECK(part.load(r, 5) == value(0, order[b] + r * lane_count, 8));
            CHECK(part.down(r).load(0, 5) == value(0, order[b] + r * lane_count, 8));
        }
    }
    // Lanes of two rows each make blocks of eight, four lanes in one.
    const index_t even = 2 * lane_count;
    CHECK(by_lanes.end(even) == 2 * even);
    for (index_t b = 0; b < even / 8; ++b) {
        CHECK(by_lanes.block(16 * b, even) == 8);
        const auto part = by_lanes.part(1, 3);
        for (index_t r = 0; r < 8; ++r) {
            const index_t row = order[4 * b + r / 2] + r % 2 * lane_count;
            CHECK(part.fours(r / 4).load(r % 4, 5) == value(0, row, 8));
        }
    }
}
