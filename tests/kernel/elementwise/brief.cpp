// The loops for little: rows of any length, in place, and nothing beside them is written.
#include "broadloom/kernel/elementwise/brief.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include "broadloom/kernel/elementwise/code.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::TensorView;

namespace {

/// x * 2 + y over some rows.
template <class T>
struct Rows {
    using View = TensorView<const T>;
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

}  // namespace

TEST_CASE("The twin for a handful of elements walks any strides") {
    const Rows<float> rows(4, 3);
    const std::vector<float>&x = rows.x, &y = rows.y;
    const auto sum = rows.formula();
    std::vector<float> z(12, -1.0F);
    const kernel::Run runs[2] = {{x.data(), 3, 1, nullptr}, {y.data(), 0, 1, nullptr}};
    const index_t strides[2] = {4, 1};
    kernel::code_of<Rows<float>::Sum, float>.few(&sum, z.data(), strides, runs, 3, 3);
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c)
            CHECK(z[4 * r + c] == (c < 3 ? x[r + 3 * c] * 2 + y[r] : -1));
    }
}

TEMPLATE_TEST_CASE("Short rows have a loop of their own, whatever their length", "", float, double,
                   std::uint8_t, std::int64_t) {
    constexpr const kernel::Code& code = kernel::code_of<typename Rows<TestType>::Sum, TestType>;
    CHECK(code.short_loop.level[1] != code.loop.level[1]);
    const Rows<TestType> rows(3, code.short_until < 1100 ? code.short_until : 1100);
    for (int level = 0; level < 3; ++level) {
        kernel::set_isa(level);
        if (kernel::isa() < level) continue;
        for (index_t length = code.unit; length < rows.longest; ++length) {
            INFO(length << " at level " << level);
            CHECK(rows.agree(code.short_loop.level[level], length, length % 2 == 0 ? 2 : 0));
        }
    }
    kernel::set_isa(2);
}

TEMPLATE_TEST_CASE("Constants of short rows are held, whichever operands they are", "", float,
                   double, std::uint8_t, std::int16_t, std::int64_t, std::complex<float>,
                   std::complex<double>) {
    constexpr const kernel::Code& code = kernel::code_of<typename Rows<TestType>::Sum, TestType>;
    CHECK(code.held[2].unit == 32 / index_t{sizeof(TestType)});
    if (BROADLOOM_X86 && kernel::isa() == 0) return;
    const Rows<TestType> rows(3, 150);
    for (const int bits : {0, 1, 2}) {
        for (index_t length = code.held[bits].unit; length < rows.longest; ++length) {
            INFO(length << " of " << bits);
            CHECK(rows.agree(code.held[bits].loop, length, bits));
        }
    }
    CHECK(code.held[3].loop == nullptr);
}
