// Rows as the loops of the kernel get them, without a plan.
#ifndef BROADLOOM_TESTS_SUPPORT_ROWS_HPP
#define BROADLOOM_TESTS_SUPPORT_ROWS_HPP

#include <utility>
#include <vector>

#include "broadloom/kernel/elementwise/code.hpp"
#include "broadloom/operations/arithmetic.hpp"

namespace rows {

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

/// x * 2 + y over some rows.
template <class T>
struct Rows {
    using View = bl::TensorView<const T>;
    using Sum = kernel::formula_t<decltype(std::declval<View>() * T(2) + std::declval<View>())>;

    index_t count, longest;
    std::vector<T> x, y;

    Rows(index_t rows, index_t columns) : count(rows), longest(columns) {
        for (index_t i = 0; i < rows * columns; ++i) {
            x.push_back(static_cast<T>(static_cast<float>(i % 50 + 1)));
            y.push_back(static_cast<T>(static_cast<float>(i % 7)));
        }
    }
    Sum formula() const {
        return Sum(View(x.data(), bl::Shape{1}, bl::Strides{1}) * T(2) +
                   View(y.data(), bl::Shape{1}, bl::Strides{1}));
    }
    /// True if a loop does for rows of a length what their elements say, over the first operand,
    /// and leaves alone what is behind them. The bits tell which operands are constants of a row.
    bool agree(kernel::Loop* loop, index_t length, int bits) const {
        const Sum sum = formula();
        std::vector<T> z(x);
        std::vector<T> spread(2 * static_cast<std::size_t>(kernel::block_length));
        const auto run = [&](const T* data, bool constant, T* room) {
            return kernel::Run{data, 0, constant ? 1 : longest, constant ? room : nullptr};
        };
        // A constant is no element of the target.
        const bool held[2] = {(bits & 1) != 0, (bits & 2) != 0};
        const kernel::Run runs[2] = {run(held[0] ? x.data() : z.data(), held[0], spread.data()),
                                     run(y.data(), held[1], &spread[kernel::block_length])};
        loop(&sum, z.data(), longest, runs, count, length, kernel::Write::cached);
        bool same = true;
        for (index_t r = 0; r < count; ++r) {
            for (index_t i = 0; i < longest; ++i) {
                const auto at = static_cast<std::size_t>(r * longest + i);
                const auto row = static_cast<std::size_t>(r);
                const T value =
                    static_cast<T>(x[held[0] ? row : at] * T(2) + y[held[1] ? row : at]);
                same = same && z[at] == (i < length ? value : x[at]);
            }
        }
        return same;
    }
};

}  // namespace rows

#endif  // BROADLOOM_TESTS_SUPPORT_ROWS_HPP
