// Vectors of accumulators become one row of them, whatever its width.
#include "broadloom/kernel/fold/lanes.hpp"

#include <vector>

#include "broadloom/scalar/monoid.hpp"
#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

using Total = broadloom::scalar::fold::sum;
using Join = kernel::detail::JoinLanes<Total, double>;
constexpr index_t joined = Join::lanes;
constexpr Total fold{};

double element(index_t i) { return static_cast<double>(i * i % 101); }

}  // namespace

TEST_CASE("Rows that stand side by side in a vector are joined, and what is left over") {
    for (const index_t width : {1, 2, 3, 5, 7, 8, 15}) {
        const index_t turns = (joined + width - 1) / width, end = turns * width;
        const index_t length = end > joined ? 2 * joined : joined;
        for (const index_t groups : {1, 2, 3}) {
            for (index_t left = 0; left < end; left += width) {
                // A vector of more than its lanes has the last ones once more behind them.
                std::vector<double> vectors(static_cast<std::size_t>(2 * groups * length)), rest,
                    expected, result(static_cast<std::size_t>(groups * width));
                for (index_t g = 0; g < groups; ++g) {
                    double* const vector = vectors.data() + g * length;
                    for (index_t i = 0; i < end && i < joined; ++i) vector[i] = element(g * 31 + i);
                    for (index_t i = end - joined; end > joined && i < end; ++i)
                        vector[2 * joined - end + i] = element(g * 31 + i);
                    for (index_t i = 0; i < left; ++i) rest.push_back(element(g * 17 + i + 5));
                    for (index_t column = 0; column < width; ++column) {
                        double sum = 0;
                        for (index_t i = column; i < end; i += width) sum += element(g * 31 + i);
                        for (index_t i = column; i < left; i += width)
                            sum += element(g * 17 + i + 5);
                        expected.push_back(sum);
                    }
                }
                Join::wide<Join::Halves, kernel::FoldTurns>()(
                    &fold, reinterpret_cast<char*>(vectors.data()),
                    reinterpret_cast<const char*>(rest.data()), left, groups, left, width, turns,
                    reinterpret_cast<char*>(result.data()));
                CHECK(result == expected);
            }
        }
    }
}

TEST_CASE("Elements alone are joined one after the other") {
    const double x[] = {1, 10, 2, 20, 3, 30};
    double result[2] = {};
    Join::wide<Join::Halves, kernel::FoldTurns>()(&fold, nullptr, reinterpret_cast<const char*>(x),
                                                  0, 1, 6, 2, 0, reinterpret_cast<char*>(result));
    CHECK((result[0] == 6 && result[1] == 60));
}
