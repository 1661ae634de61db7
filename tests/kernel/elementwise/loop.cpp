#include "broadloom/kernel/elementwise/loop.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/kernel/elementwise/code.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/remainder.hpp"
#include "broadloom/scalar/trigonometric.hpp"
#include "support/catch.hpp"
#include "support/rows.hpp"
#include "support/same_bits.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::TensorView;

namespace {

using View = TensorView<const float>;
using LoopSum = kernel::formula_t<decltype(std::declval<View>() * 2.0F + std::declval<View>())>;

std::vector<float> numbers(index_t n) {
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 5;
    return x;
}

/// What x * 2 + y is to the loop.
LoopSum formula(const std::vector<float>& x, const std::vector<float>& y) {
    return LoopSum(View(x.data(), bl::Shape{1}, bl::Strides{1}) * 2.0F +
                   View(y.data(), bl::Shape{1}, bl::Strides{1}));
}

}  // namespace

TEMPLATE_TEST_CASE(
    "Every form of the loop computes rows of any length and writes nothing beside them", "", float,
    double, std::uint8_t, std::int16_t, std::int64_t, std::complex<float>) {
    constexpr const kernel::Code& code =
        kernel::code_of<typename rows::Rows<TestType>::Sum, TestType>;
    static_assert(code.strict && code.light && code.unit >= 8);
    const rows::Rows<TestType> some(3, 1101);
    for (int level = 0; level < 3; ++level) {
        kernel::set_isa(level);
        if (kernel::isa() < level) continue;
        for (index_t length = code.unit; length < some.longest; length += length < 140 ? 1 : 37) {
            INFO(length << " at level " << level);
            CHECK(some.agree(code.loop.level[level], length, static_cast<int>(length % 3)));
        }
    }
    kernel::set_isa(2);
}

TEST_CASE("Rows are computed in place, wherever they begin") {
    constexpr const kernel::Code& code = kernel::code_of<LoopSum, float>;
    const index_t longest = 700, rows = 4;
    const std::vector<float> x = numbers(rows * longest), y = numbers(longest + 16);
    const LoopSum sum = formula(x, y);
    for (int level = 0; level < 3; ++level) {
        kernel::set_isa(level);
        if (kernel::isa() < level) continue;
        for (const index_t length : {100, 255, 256, 257, 300, 512, 683}) {
            for (std::size_t first = 0; first < 17; ++first) {
                // The rows begin at any place of a cache line, and overwrite the first operand.
                std::vector<float> z(x);
                const kernel::Run runs[2] = {
                    {z.data() + first, kernel::block_length, longest, nullptr},
                    {y.data() + first, kernel::block_length, 0, nullptr}};
                code.loop.level[level](&sum, z.data() + first, longest, runs, rows, length,
                                       kernel::Write::cached);
                bool same = true;
                for (std::size_t i = 0; i < z.size(); ++i) {
                    const std::size_t column = i % static_cast<std::size_t>(longest);
                    const bool inside =
                        column >= first && column < first + static_cast<std::size_t>(length);
                    same = same && z[i] == (inside ? x[i] * 2.0F + y[column] : x[i]);
                }
                INFO(length << " from " << first << " at level " << level);
                CHECK(same);
            }
        }
    }
    kernel::set_isa(2);
}

TEST_CASE("Whole lines are streamed") {
    constexpr const kernel::Code& code = kernel::code_of<LoopSum, float>;
    constexpr index_t length = 160, rows = 5;
    const std::vector<float> x = numbers(rows * length), y = numbers(rows);
    const LoopSum sum = formula(x, y);
    std::vector<float> spread(static_cast<std::size_t>(code.unit));
    const kernel::Run runs[2] = {{x.data(), kernel::block_length, length, nullptr},
                                 {y.data(), 0, 1, spread.data()}};
    if (kernel::isa() == 0) return;  // the baseline streams nothing
    for (const auto write : {kernel::Write::streamed, kernel::Write::prefetched}) {
        alignas(64) float z[rows * length];
        code.loop.level[1](&sum, z, length, runs, rows, length, write);
        for (std::size_t i = 0; i < x.size(); ++i)
            CHECK(z[i] == x[i] * 2.0F + y[i / static_cast<std::size_t>(length)]);
    }
}

namespace {

/// True if the loop at every level computes F of numbers, with rare ones among them, as F itself.
template <class T, class F>
bool loop_agrees(const std::vector<T>& x, const F& f) {
    using Leaf = TensorView<const T>;
    using X = kernel::formula_t<bl::Expression<F, Leaf>>;
    const auto size = static_cast<index_t>(x.size());
    const X formula(bl::detail::make_expression(f, Leaf(x.data(), bl::Shape{1}, bl::Strides{1})));
    constexpr const kernel::Code& code = kernel::code_of<X, T>;
    bool same = true;
    for (int level = 0; level < 3; ++level) {
        kernel::set_isa(level);
        if (kernel::isa() < level) continue;
        std::vector<T> z = x;  // in place
        const kernel::Run runs[1] = {{z.data(), kernel::block_length, size, nullptr}};
        code.loop.level[level](&formula, z.data(), size, runs, 1, size, kernel::Write::cached);
        for (std::size_t i = 0; i < x.size(); ++i) same = same && naive::same_bits(z[i], f(x[i]));
    }
    kernel::set_isa(2);
    return same;
}

/// F of a number beside 0.7.
template <class F>
struct BesideOne {
    static constexpr int steps = F::steps;
    template <class T>
    static constexpr bool has_short_usual = F::template has_short_usual<T, T>;

    template <class T>
    BROADLOOM_INLINE T operator()(T x) const {
        return F{}(x, T(0.7));
    }
    template <class T>
    BROADLOOM_INLINE T usual(T x, bl::scalar::math::Rare& rare) const {
        return F{}.usual(x, T(0.7), rare);
    }
};

/// Usual numbers, and rare ones at some places.
template <class T, class F>
bool rare_are_found(const F& f) {
    using Limits = std::numeric_limits<T>;
    const T rare[] = {-Limits::infinity(),
                      Limits::infinity(),
                      Limits::quiet_NaN(),
                      T(0),
                      T(-1),
                      Limits::denorm_min(),
                      Limits::max(),
                      T(-100),
                      T(-720),
                      T(88.9)};
    bool same = true;
    std::size_t turn = 0;
    for (const int length : {16, 17, 31, 63, 64, 65, 100, 128, 200, 1000, 5000}) {
        const auto size = static_cast<std::size_t>(length);
        std::vector<T> x(size);
        for (std::size_t i = 0; i < size; ++i) x[i] = T(0.01) * static_cast<T>(i % 700 + 1);
        same = same && loop_agrees(x, f);
        for (std::size_t at = 0; at < size; at += size < 150 ? 1 : 61) {
            std::vector<T> some = x;
            some[at] = rare[turn++ % 10];
            some[(at * 7 + 3) % size] = rare[turn++ % 10];
            same = same && loop_agrees(some, f);
        }
        for (const T one : rare) same = same && loop_agrees(std::vector<T>(size, one), f);
    }
    return same;
}

}  // namespace

TEMPLATE_TEST_CASE("Rare arguments are found wherever they stand among usual ones", "", float,
                   double) {
    CHECK(rare_are_found<TestType>(bl::scalar::exp{}));
    CHECK(rare_are_found<TestType>(bl::scalar::exp2{}));
    CHECK(rare_are_found<TestType>(bl::scalar::log{}));
    CHECK(rare_are_found<TestType>(bl::scalar::log2{}));
    CHECK(rare_are_found<TestType>(bl::scalar::log10{}));
    CHECK(rare_are_found<TestType>(bl::scalar::sin{}));
    CHECK(rare_are_found<TestType>(bl::scalar::tan{}));
    CHECK(rare_are_found<TestType>(BesideOne<bl::scalar::mod>{}));
    CHECK(rare_are_found<TestType>(BesideOne<bl::scalar::floor_divide>{}));
}
