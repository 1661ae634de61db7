// unique and unique_all against NumPy's results in reference/histogram.txt.
#include "broadloom/operations/unique.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;

TEST_CASE("unique and unique_all give what NumPy gives") {
    std::mt19937 engine(11);
    int compared = 0;
    for (const auto& record : indexing::records("histogram.txt")) {
        if (record.name != "unique") continue;
        CAPTURE(record.line);
        const Tensor<double> x = record.array("x").tensor<double>();
        CHECK(indexing::equal(bl::unique(x), record.array("values")));
        CHECK(indexing::equal(bl::unique(indexing::scrambled(x, engine) + 0.0),
                              record.array("values")));
        for (const bool strange : {false, true}) {
            const auto found = bl::unique_all(strange ? indexing::scrambled(x, engine) : x);
            CHECK(indexing::equal(found.values, record.array("values")));
            CHECK(indexing::equal(found.indices, record.array("indices")));
            CHECK(indexing::equal(found.inverse, record.array("inverse")));
            CHECK(indexing::equal(found.counts, record.array("counts")));
        }
        ++compared;
    }
    CHECK(compared > 4);
}

TEST_CASE("the values of unique_all, taken by inverse, are the tensor") {
    const Tensor<int> x = {{3, 1, 3}, {2, 1, 1}};
    const auto found = bl::unique_all(x);
    CHECK(bl::array_equal(bl::take(found.values, found.inverse, 0), x));
    CHECK(bl::array_equal(bl::take(x, found.indices), found.values));
    CHECK(bl::array_equal(bl::unique(x > 1), Tensor<bool>{false, true}));
}

TEST_CASE("complex numbers with a NaN in any part are one value") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    using Z = std::complex<double>;
    const Tensor<Z> x = {Z(1, nan), Z(1, 2), Z(nan, 1), Z(1, 2), Z(nan, nan), Z(0, 5)};
    const Tensor<Z> values = bl::unique(x);
    CHECK(values.shape() == Shape{3});
    CHECK(values(0) == Z(0, 5));
    CHECK(values(1) == Z(1, 2));
}

TEST_CASE("A tensor about to die may run backwards") {
    const Tensor<int> x = {1, 2, 3, 3};
    const auto found = bl::unique_all(x.copy().flip());
    CHECK(bl::array_equal(found.values, Tensor<int>{1, 2, 3}));
    CHECK(bl::array_equal(found.indices, Tensor<index_t>{3, 2, 0}));
    CHECK(bl::array_equal(found.inverse, Tensor<index_t>{2, 2, 1, 0}));
    CHECK(bl::array_equal(found.counts, Tensor<index_t>{1, 1, 2}));
}

TEMPLATE_TEST_CASE("Integers are told apart alike, close together or beyond apart", "", std::int8_t,
                   std::uint8_t, std::int16_t, int, std::int64_t, std::uint64_t) {
    const auto check = [](const std::vector<TestType>& values) {
        std::vector<TestType> expected = values;
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        const Tensor<TestType> found = bl::unique(bl::from(values));
        return std::equal(found.begin(), found.end(), expected.begin(), expected.end());
    };
    using Limits = std::numeric_limits<TestType>;
    naive::Random random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<TestType> values;
        const index_t size = random(0, 60), spread = random(0, 500);
        for (index_t i = 0; i < size; ++i) {
            values.push_back(static_cast<TestType>(random(0, spread) - spread / 2));
        }
        CHECK(check(values));
        values.push_back(Limits::max());
        CHECK(check(values));
        values.push_back(Limits::lowest());
        CHECK(check(values));
        // At the edge, and many.
        for (auto& value : values) value = static_cast<TestType>(Limits::max() - value % 3);
        CHECK(check(values));
        for (auto& value : values) value = static_cast<TestType>(Limits::lowest() + value % 3);
        CHECK(check(values));
    }
}

TEST_CASE("Of truths there are two") {
    CHECK(bl::array_equal(bl::unique(Tensor<bool>{true, false, true}), Tensor<bool>{false, true}));
    CHECK(bl::array_equal(bl::unique(Tensor<bool>{true, true}), Tensor<bool>{true}));
    CHECK(bl::unique(Tensor<bool>{}).size() == 0);
}

namespace {

/// Counts how often its order is asked.
struct AskedForOrder {
    int value;
    static inline int times = 0;
    friend bool operator<(const AskedForOrder& a, const AskedForOrder& b) {
        ++times;
        return a.value < b.value;
    }
};

template <class F>
int times_asked(F&& f) {
    AskedForOrder::times = 0;
    f();
    return AskedForOrder::times;
}

}  // namespace

TEST_CASE("Neighbours in order are asked once, so that no answer can contradict another") {
    Tensor<AskedForOrder> x = bl::empty<AskedForOrder>({40});
    for (index_t i = 0; i < x.size(); ++i) x(i).value = static_cast<int>(i * 7 % 11);
    const int sorting = times_asked([&] { (void)bl::sort(x); });
    const int ordering = times_asked([&] { (void)bl::argsort(x); });
    CHECK(times_asked([&] { CHECK(bl::unique(x).size() == 11); }) == sorting + 39);
    CHECK(times_asked([&] { CHECK(bl::unique_all(x).counts.size() == 11); }) == ordering + 39);
}

TEST_CASE("Integers that differ by 2^32 are different on any machine") {
    const std::int64_t beyond = std::int64_t{1} << 32;
    CHECK(bl::array_equal(bl::unique(Tensor<std::int64_t>{beyond, 0, beyond, 3}),
                          Tensor<std::int64_t>{0, 3, beyond}));
}
