// Small reductions are folded whole, without a plan: they have the bits that they would have among
// others, which takes one.
#include "broadloom/kernel/fold/flat_fold.hpp"

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/statistics.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/naive.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Tensor;
using folds::awkward;
using naive::same_bits;
using settings::Restore;

namespace {

constexpr index_t most_whole = kernel::detail::most_folded_whole;

/// Groups of rows of columns, some more of them than are folded whole.
template <class T>
struct Groups {
    Tensor<T> all;
    Tensor<T> few;

    Groups(index_t groups, index_t rows, index_t columns)
        : all(bl::cast<T>(
              awkward({groups + most_whole / (rows * columns) + 1, rows, columns}, 21))),
          few(all(bl::range(0, groups))) {}
};

/// Whether `reduce` makes of a few groups what it makes of them among others.
template <class T, class F>
bool holds(const Groups<T>& x, F reduce) {
    const auto among_others = reduce(x.all);
    return same_bits(reduce(x.few), bl::eval(among_others(bl::range(0, x.few.extent(0)))));
}

}  // namespace

TEST_CASE("A few groups of rows have the bits that they have among others") {
    const Restore restore;
    int level = 0;
    for (const index_t columns : {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 100}) {
        for (const index_t rows : {1, 2, 3, 4, 5, 7, 15, 16, 17, 31, 32, 33, 47, 64, 65, 500}) {
            for (const index_t groups : {1, 2, 4, 5, 16, 17, 40, 200}) {
                if (groups * rows * columns > most_whole) continue;
                kernel::set_isa(level++ % 3);
                const Groups<float> x(groups, rows, columns);
                const Groups<int> n(groups, rows, columns);
                const Groups<signed char> c(groups, rows, columns);
                const bool all_hold =
                    holds(x, [](const auto& z) { return bl::sum(z, 1); }) &&
                    holds(x, [](const auto& z) { return bl::max(z, 1); }) &&
                    holds(x, [](const auto& z) { return bl::mean(z, 1); }) &&
                    holds(x, [](const auto& z) { return bl::var(z, 1); }) &&
                    holds(x, [](const auto& z) { return bl::sum(z * z - z, 1); }) &&
                    holds(n, [](const auto& z) { return bl::sum(z, 1); }) &&
                    holds(n, [](const auto& z) { return bl::min(z, 1); }) &&
                    holds(c, [](const auto& z) { return bl::sum(z, 1); }) &&
                    holds(c, [](const auto& z) { return bl::count_nonzero(z > 3, 1); });
                if (!all_hold) FAIL(groups << " groups of " << rows << " rows of " << columns);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Small reductions do not depend on how their elements lie") {
    const Restore restore;
    int level = 0;
    for (const index_t columns : {1, 2, 3, 7, 33, 64}) {
        for (const index_t rows : {1, 2, 5, 16, 33, 150}) {
            if (4 * rows * columns > most_whole) continue;
            kernel::set_isa(level++ % 3);
            const auto wide = awkward({columns, 2 * rows, 2}, 5);
            const auto x = wide(bl::all, bl::range({}, {}, -2), bl::all).permute({2, 1, 0});
            const Tensor<float> flat = x;
            for (const bl::Axes& axes : {bl::Axes{0}, bl::Axes{1}, bl::Axes{2}, bl::Axes{0, 1},
                                         bl::Axes{1, 2}, bl::Axes{0, 2}, bl::Axes{0, 1, 2}}) {
                CHECK(same_bits(bl::sum(x, axes), bl::sum(flat, axes)));
                CHECK(same_bits(bl::sum(x + 1.0F, axes), bl::sum(bl::eval(flat + 1.0F), axes)));
            }
            const auto repeated = flat(0, 0, bl::range(1)).broadcast_to({rows, columns});
            CHECK(same_bits(bl::sum(repeated, 0), bl::sum(bl::eval(repeated + 0.0F), 0)));
        }
    }
}

TEST_CASE("A function of the user's sees every element of a small reduction once") {
    const auto x = bl::arange(12.0).reshape({3, 4});
    int calls = 0;
    const auto count = [&](double value) {
        ++calls;
        return value;
    };
    CHECK(bl::sum(bl::map(count, x)) == 66);
    CHECK(calls == 12);
    CHECK(naive::equal(bl::sum(bl::map(count, x), 1), Tensor<double>{6, 22, 38}));
    CHECK(calls == 24);
}
