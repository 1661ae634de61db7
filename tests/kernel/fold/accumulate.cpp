// The inner loops of folds: exact for integers of every type, for floats as exact as a tree of
// additions, for any shape of vectors; and for types of the user's.
#include "broadloom/kernel/fold/accumulate.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape, bl::Tensor;
using naive::Random;

namespace {

/// A number and its derivative.
struct Dual {
    double value, slope;

    Dual() = default;
    constexpr Dual(double v, double s = 0) : value(v), slope(s) {}
    friend constexpr Dual operator+(const Dual& a, const Dual& b) {
        return {a.value + b.value, a.slope + b.slope};
    }
    friend constexpr Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, a.value * b.slope + a.slope * b.value};
    }
};

}  // namespace

TEMPLATE_TEST_CASE("Elements of every integer type sum in 64 bits, in rows, columns and groups", "",
                   bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
    using A = bl::accumulator_t<TestType>;
    STATIC_REQUIRE(sizeof(A) == 8);
    CHECK(folds::disagreement<TestType>("sum", 0, [](const auto&... a) { return bl::sum(a...); }) ==
          "");
    Random random(1);
    for (const index_t n : {1, 5, 15, 16, 17, 40, 127, 128, 129, 300, 2500}) {
        Tensor<TestType> x = bl::empty<TestType>({n, 3});
        A columns[3] = {}, total = 0;
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < 3; ++j) {
                x(i, j) = static_cast<TestType>(random.bits());
                columns[j] = static_cast<A>(static_cast<std::uint64_t>(columns[j]) +
                                            static_cast<std::uint64_t>(x(i, j)));
            }
        }
        for (const A c : columns)
            total =
                static_cast<A>(static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(c));
        const auto down = bl::sum(x, 0), turned = bl::sum(x.transpose(), 1);
        for (index_t j = 0; j < 3; ++j) CHECK((down(j) == columns[j] && turned(j) == columns[j]));
        CHECK(bl::sum(x) == total);
        CHECK(bl::sum(bl::sum(x, 1)) == total);
    }
}

TEST_CASE("Floating sums are NumPy's but for rounding") {
    const auto sum = [](const auto&... a) { return bl::sum(a...); };
    CHECK(folds::disagreement<float>("sum", 20, sum) == "");
    CHECK(folds::disagreement<double>("sum", 20, sum) == "");
}

TEST_CASE("The error of a float sum of ten million grows with the logarithm alone") {
    constexpr index_t n = 10000000;
    Random random(2);
    Tensor<float> x = bl::empty<float>({n});
    double exact = 0;
    for (float& e : x) {
        e = static_cast<float>(random.bits() >> 8) / 16777216.0F;
        exact += static_cast<double>(e);
    }
    constexpr double unit = 0x1p-24;  // of rounding
    const auto error = [&](float total, double truth) {
        return std::abs(static_cast<double>(total) - truth) / truth;
    };
    // A tree of additions is off by at most log2(n) roundings, and by about as many as its root.
    const double bound = 24 * unit;
    CHECK(error(bl::sum(x), exact) < bound);
    CHECK(error(bl::sum(x), exact) < 4 * unit);
    CHECK(error(bl::mean(x), exact / static_cast<double>(n)) < 5 * unit);
    CHECK(error(bl::sum(x + 0.0F), exact) < 4 * unit);
    // Down columns, along rows and over the middle as well.
    const auto table = x.view().reshape({10, 1000000});
    CHECK(error(bl::sum(bl::sum(table, 1)), exact) < 6 * unit);
    const auto tall = x.view().reshape({1000000, 10});
    CHECK(error(bl::sum(bl::sum(tall, 0)), exact) < 6 * unit);
    const auto middle = x.view().reshape({2, 1000000, 5});
    CHECK(error(bl::sum(bl::sum(middle, 1)), exact) < 6 * unit);
    // Ones are counted exactly up to the last integer that a float holds.
    CHECK(bl::sum(bl::full<float>({}, 1).broadcast_to({n})) == static_cast<float>(n));
    CHECK(bl::sum(bl::full<float>({}, 0.1F).broadcast_to({n})) == Approx(1e6).epsilon(3e-7));
}

TEST_CASE("Types of the user's sum and multiply with their own operators") {
    Tensor<Dual> x = bl::empty<Dual>({37, 4});
    double total = 0, slopes = 0;
    for (index_t i = 0; i < 37; ++i) {
        for (index_t j = 0; j < 4; ++j) {
            x(i, j) = Dual(static_cast<double>(i * j), static_cast<double>(i - j));
            total += static_cast<double>(i * j);
            slopes += static_cast<double>(i - j);
        }
    }
    const Dual all = bl::sum(x), nothing = bl::prod(bl::empty<Dual>({0}));
    CHECK((all.value == total && all.slope == slopes));
    CHECK((nothing.value == 1 && nothing.slope == 0));
    const auto columns = bl::sum(x, 0);
    CHECK(columns(2).value == 36 * 37);
    CHECK(bl::prod(x(1, bl::range(1, 3))).slope == 1 * -1 + 0 * 2);
}
