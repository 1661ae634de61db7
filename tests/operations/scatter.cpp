// scatter and scatter_add against the rule written out element by element, over all small shapes;
// put_along_axis, index_add and the policies for duplicates against NumPy's and PyTorch's results
// in reference/scatter.txt.
#include "broadloom/operations/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::Duplicates;
using bl::index_t;
using bl::Shape;
using bl::Tensor;
using indexing::Array;

namespace {

/// What a source does to the element it meets.
using Meet = double (*)(double there, double source);

/// A source without a shape is a number. Nothing where the shapes do not fit.
std::optional<Array> naive_scatter(const Array& self, index_t dim, Array index, Array source,
                                   Meet meet) {
    if (index.values.empty()) return self;
    Array before = self;
    if (before.shape.empty()) before.shape = {1};
    if (index.shape.empty()) index.shape = {1};
    const auto rank = before.shape.size(), own = index.shape.size();
    if (own > rank || (!source.shape.empty() && source.shape.size() != rank)) return std::nullopt;
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + static_cast<index_t>(own) : dim);
    while (index.shape.size() < rank) index.shape.push_back(1);
    while (source.shape.size() < rank) source.shape.push_back(1);

    std::vector<index_t> walk;
    Array result;
    for (std::size_t i = 0; i < rank; ++i) {
        index_t extent = 1;
        for (const Array* array : {&index, &source, &before}) {
            const index_t other = array->shape[i];
            if ((array == &before && i == d) || other == extent || other == 1) continue;
            if (extent != 1) return std::nullopt;
            extent = other;
        }
        walk.push_back(extent);
        result.shape.push_back(i == d ? before.shape[i] : extent);
    }
    indexing::for_each_index(result.shape, [&](const std::vector<index_t>& at) {
        result.values.push_back(before.broadcast(at));
    });
    indexing::for_each_index(walk, [&](const std::vector<index_t>& at) {
        std::vector<index_t> to = at;
        to[d] = static_cast<index_t>(index.broadcast(at));
        if (to[d] >= result.shape[d]) return;
        double& there = result.values.at(result.offset(to));
        there = meet(there, source.broadcast(at));
    });
    if (self.shape.empty()) result.shape = {};
    return result;
}

double replace(double, double source) { return source; }
double plus(double there, double source) { return there + source; }

struct Counts {
    int written = 0, refused = 0, outside = 0, reshaped = 0;
};

/// All that the rule says about one set of shapes.
void check_scatter(const Array& self, index_t dim, const Array& index, const Array& source,
                   bool number, index_t extent, Counts& counts) {
    const Tensor<int> before = self.tensor<int>();
    const Tensor<std::int32_t> where = index.tensor<std::int32_t>();
    const Tensor<int> from = source.tensor<int>();
    const auto test = [&](Meet meet, auto scatter, auto scatter_in_place) {
        const auto expected = naive_scatter(self, dim, index, source, meet);
        const bool outside = extent == 0 && where.size() > 0;
        Tensor<int> target = before;
        if (!expected) {
            ++counts.refused;
            REQUIRE_THROWS_AS(scatter(before), bl::shape_error);
            REQUIRE_THROWS_AS(scatter_in_place(target), bl::shape_error);
        } else if (outside) {
            ++counts.outside;
            REQUIRE_THROWS_AS(scatter(before), bl::index_error);
            REQUIRE_THROWS_AS(scatter_in_place(target), bl::error);
        } else {
            ++counts.written;
            REQUIRE(indexing::equal(scatter(before), *expected));
            if (expected->shape == self.shape) {
                scatter_in_place(target);
                REQUIRE(indexing::equal(target, *expected));
                return;
            }
            ++counts.reshaped;
            REQUIRE_THROWS_AS(scatter_in_place(target), bl::shape_error);
        }
        REQUIRE(indexing::equal(target, self));
    };
    if (number) {
        const int value = from.data()[0];
        test(
            replace, [&](const auto& x) { return bl::scatter(x, dim, where, value); },
            [&](auto& x) { bl::scatter_(x, dim, where, value); });
        test(
            plus, [&](const auto& x) { return bl::scatter_add(x, dim, where, value); },
            [&](auto& x) { bl::scatter_add_(x, dim, where, value); });
    } else {
        test(
            replace, [&](const auto& x) { return bl::scatter(x, dim, where, from); },
            [&](auto& x) { bl::scatter_(x, dim, where, from); });
        test(
            plus, [&](const auto& x) { return bl::scatter_add(x, dim, where, from); },
            [&](auto& x) { bl::scatter_add_(x, dim, where, from); });
    }
}

void check_shapes(std::size_t least, std::size_t most, const std::vector<index_t>& extents,
                  Counts& counts) {
    std::mt19937 engine(3);
    const auto selves = indexing::shapes(least, most, extents);
    const auto indices = indexing::shapes(0, most, extents);
    for (const auto& shape : selves) {
        Array self = indexing::counted(shape);
        for (double& v : self.values) v = -v;
        for (const auto& other : indices) {
            const auto rank = static_cast<index_t>(other.empty() ? 1 : other.size());
            const auto aligned = static_cast<index_t>(std::max(shape.size(), other.size()));
            for (index_t dim = -rank; dim < std::max(rank, aligned); ++dim) {
                const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
                const index_t extent = shape.empty() ? 1 : d < shape.size() ? shape[d] : 0;
                const Array index = indexing::random(other, 0, extent, engine);
                for (const auto& from : indices) {
                    check_scatter(self, dim, index, indexing::counted(from), false, extent, counts);
                }
                check_scatter(self, dim, index, indexing::counted({}), true, extent, counts);
            }
        }
    }
}

}  // namespace

TEST_CASE("scatter and scatter_add follow their rule over all small shapes of rank 0 to 2") {
    Counts counts;
    check_shapes(0, 2, {0, 1, 2, 3}, counts);
    CHECK(counts.written > 1000);
    CHECK(counts.refused > 1000);
    CHECK(counts.outside > 100);
    CHECK(counts.reshaped > 100);
}

TEST_CASE("scatter and scatter_add follow their rule over small shapes of rank 3") {
    Counts counts;
    check_shapes(3, 3, {0, 1, 3}, counts);
    CHECK(counts.written > 1000);
    CHECK(counts.reshaped > 1000);
}

TEST_CASE("scatter writes the same in every layout, index type and element size") {
    std::mt19937 engine(4);
    const auto test = [&](auto element, auto index_element, bool adds) {
        using T = decltype(element);
        using I = decltype(index_element);
        for (int round = 0; round < 60; ++round) {
            std::vector<index_t> shape, other, from;
            const auto rank = 1 + engine() % 3;
            for (unsigned d = 0; d < rank; ++d) {
                const index_t n = 1 + static_cast<index_t>(engine() % (rank == 1 ? 1500 : 40));
                shape.push_back(n);
                other.push_back(engine() % 3 == 0 ? 1 : n);
                from.push_back(engine() % 3 == 0 ? 1 : n);
            }
            const auto dim = static_cast<std::size_t>(engine() % rank);
            other[dim] = 1 + static_cast<index_t>(engine() % (rank == 1 ? 2000 : 50));
            from[dim] = engine() % 3 == 0 ? 1 : other[dim];
            const index_t most = shape[dim] < 120 ? shape[dim] : 120;
            const Array index = indexing::random(other, 0, most, engine);
            Array self = indexing::counted(shape), source = indexing::counted(from);
            for (Array* array : {&self, &source}) {
                for (double& v : array->values) v = static_cast<double>(static_cast<int>(v) % 5);
            }
            Meet meet = adds ? plus : replace;
            auto expected = naive_scatter(self, static_cast<index_t>(dim), index, source, meet);
            REQUIRE(expected.has_value());
            if constexpr (std::is_same_v<T, std::uint8_t>) {
                for (double& v : expected->values) v = std::fmod(v, 256.0);
            }
            const auto write = [&](auto& x, const auto& i, const auto& s) {
                const auto axis = static_cast<index_t>(dim);
                if constexpr (!std::is_same_v<T, indexing::Triple>) {
                    if (adds) return bl::scatter_add_(x, axis, i, s);
                }
                bl::scatter_(x, axis, i, s);
            };
            const Tensor<I> where = index.tensor<I>();
            Tensor<T> direct = self.tensor<T>();
            write(direct, where, source.tensor<T>());
            REQUIRE(indexing::equal(direct, *expected));
            Tensor<T> strange = indexing::scrambled(self.tensor<T>(), engine);
            write(strange, indexing::scrambled(where, engine),
                  indexing::scrambled(source.tensor<T>(), engine));
            REQUIRE(indexing::equal(strange, *expected));
        }
    };
    for (const bool adds : {false, true}) {
        test(std::uint8_t{}, std::int64_t{}, adds);
        test(float{}, std::int32_t{}, adds);
        test(double{}, std::uint8_t{}, adds);
        test(std::int16_t{}, std::int8_t{}, adds);
        test(std::complex<float>{}, std::uint16_t{}, adds);
        test(std::complex<double>{}, std::uint64_t{}, adds);
    }
    test(indexing::Triple{}, std::uint32_t{}, false);
}

TEST_CASE("an index outside of the extent changes nothing, wherever it stands") {
    for (const index_t size : {2, 100, 5000}) {
        const Tensor<int> before = bl::arange<int>(static_cast<int>(size));
        for (const index_t at : {0, 511, 512, 4999}) {
            for (const index_t bad : {size, index_t{-1}, std::numeric_limits<index_t>::max(),
                                      std::numeric_limits<index_t>::min()}) {
                Tensor<index_t> where = bl::zeros<index_t>({5000});
                where(at) = bad;
                Tensor<int> x = before;
                CHECK_THROWS_AS(bl::scatter_(x, 0, where, 7), bl::index_error);
                CHECK_THROWS_AS(bl::scatter_add_(x, 0, where, 7), bl::index_error);
                CHECK_THROWS_AS(bl::scatter_(x, 0, where, 7, Duplicates::mean), bl::index_error);
                CHECK_THROWS_AS(bl::scatter_(x, 0, where, 7, Duplicates::first), bl::index_error);
                CHECK_THROWS_AS((void)bl::scatter(x, 0, where, 7), bl::index_error);
                CHECK(naive::equal(x, before));
            }
        }
    }
}

TEST_CASE("integers wrap in scatter_add, and bool is or") {
    CHECK(naive::equal(bl::scatter_add(Tensor<std::uint8_t>{250}, 0, Tensor<int>{0, 0},
                                       Tensor<std::uint8_t>{5, 5}),
                       Tensor<std::uint8_t>{4}));
    CHECK(naive::equal(
        bl::scatter_add(Tensor<bool>{false, false}, 0, Tensor<int>{1, 1}, Tensor<bool>{true, true}),
        Tensor<bool>{false, true}));
}

TEST_CASE("where self is src or index too, these count as they were") {
    Tensor<int> x = bl::arange<int>(6);
    bl::scatter_(x, 0, Tensor<int>{1, 2, 3, 4, 5}, x(bl::range(0, 5)));
    CHECK(naive::equal(x, Tensor<int>{0, 0, 1, 2, 3, 4}));
    x = bl::arange<int>(6);
    bl::scatter_add_(x, 0, Tensor<int>{0, 0, 0, 0, 0, 0}, x);
    CHECK(naive::equal(x, Tensor<int>{15, 1, 2, 3, 4, 5}));
    Tensor<index_t> y = {1, 2, 0, 3};
    bl::scatter_(y, 0, y, Tensor<int>{10, 20, 30, 40});
    CHECK(naive::equal(y, Tensor<index_t>{30, 10, 20, 40}));
    Tensor<index_t> z = {1, 2, 0, 3};
    bl::scatter_add_(z, 0, z, z);
    CHECK(naive::equal(z, Tensor<index_t>{1, 3, 2, 6}));
}

TEST_CASE("scatter writes through views, and its source may be an expression or a lower kind") {
    Tensor<double> x = bl::zeros<double>({3, 4});
    bl::scatter_(x(1, bl::all), 0, Tensor<int>{3, 0}, Tensor<int>{7, 8});
    CHECK(naive::equal(x, Tensor<double>{{0, 0, 0, 0}, {8, 0, 0, 7}, {0, 0, 0, 0}}));
    const Tensor<int> one = {{1}};
    bl::scatter_add_(x.transpose(), 0, one, one * 2 + 1);
    CHECK(naive::equal(x, Tensor<double>{{0, 3, 0, 0}, {8, 3, 0, 7}, {0, 3, 0, 0}}));
    CHECK(naive::equal(bl::scatter(x(0, bl::all) * 2, 0, Tensor<int>{0}, 1.5),
                       Tensor<double>{1.5, 6, 0, 0}));
}

TEST_CASE("an empty index changes nothing, whatever the other shapes") {
    Tensor<int> x = {{1, 2}, {3, 4}};
    const Tensor<index_t> none = bl::zeros<index_t>({0});
    bl::scatter_(x, 0, none, bl::zeros<int>({7, 7, 7}));
    bl::scatter_add_(x, 0, bl::zeros<index_t>({5, 5, 5, 0}), 1);
    CHECK(naive::equal(x, Tensor<int>{{1, 2}, {3, 4}}));
    CHECK(naive::equal(bl::scatter(x, 0, none, bl::zeros<int>({7})), x));
}

TEST_CASE("an axis out of range is refused beside an empty index too") {
    Tensor<int> x = {10, 20};
    const Tensor<index_t> none = bl::zeros<index_t>({0});
    CHECK_THROWS_AS(bl::scatter_(x, 7, none, 1), bl::index_error);
    CHECK_THROWS_AS(bl::scatter_add_(x, 1, none, 1), bl::index_error);
    CHECK_THROWS_AS(bl::scatter(x, -2, none, 1), bl::index_error);
    CHECK_NOTHROW(bl::scatter_(x, -1, none, 1));
}

TEST_CASE("what scatter refuses it explains") {
    const auto says = Catch::Matchers::ContainsSubstring;
    Tensor<int> x = bl::zeros<int>({1, 5});
    CHECK_THROWS_WITH(bl::scatter_(x, 1, bl::zeros<int>({2, 3}), 1),
                      says("(1, 5)") && says("(2, 5)") && says("in place"));
    CHECK_THROWS_WITH((void)bl::scatter(x, 1, bl::zeros<int>({1, 3}), bl::zeros<int>({3})),
                      says("same rank"));
    CHECK_THROWS_WITH((void)bl::scatter(x, 1, bl::zeros<int>({1, 3}), bl::zeros<int>({1, 4})),
                      says("along the indexed dimension 1"));
    CHECK_THROWS_WITH((void)bl::scatter(bl::zeros<int>({2, 5}), 1, bl::zeros<int>({1, 3}),
                                        bl::zeros<int>({3, 3})),
                      says("2 and 3 differ at dimension 0"));
}

TEST_CASE("put_along_axis, index_add and the policies give what NumPy and PyTorch give") {
    const auto policy_of = [](const std::string& name) {
        if (name == "add") return Duplicates::add;
        if (name == "multiply") return Duplicates::multiply;
        if (name == "min") return Duplicates::min;
        if (name == "max") return Duplicates::max;
        return Duplicates::mean;
    };
    const auto test_policy = [&](const indexing::Record& record, auto element) {
        using T = decltype(element);
        const Tensor<T> x = record.array("x").tensor<T>();
        const Tensor<T> result =
            bl::scatter(x, record.number("dim"), record.array("index").tensor<index_t>(),
                        record.array("source").tensor<T>(), policy_of(record.word("policy")));
        CHECK(indexing::equal(result, record.array("result")));
    };
    for (const auto& record : indexing::records("scatter.txt")) {
        CAPTURE(record.line);
        if (record.name == "put_along_axis") {
            Tensor<float> x = record.array("x").tensor<float>();
            bl::put_along_axis(x, record.array("index").tensor<index_t>(),
                               record.array("values").tensor<float>(), record.number("axis"));
            CHECK(indexing::equal(x, record.array("result")));
        } else if (record.name == "index_add") {
            Tensor<int> x = record.array("x").tensor<int>();
            const Tensor<index_t> where = record.array("index").tensor<index_t>();
            const Tensor<int> source = record.array("source").tensor<int>();
            const index_t dim = record.number("dim");
            CHECK(indexing::equal(bl::index_add(x, dim, where, source), record.array("result")));
            bl::index_add_(x, dim, where, source);
            CHECK(indexing::equal(x, record.array("result")));
        } else if (record.word("kind") == "int64") {
            test_policy(record, std::int64_t{});
        } else {
            test_policy(record, double{});
        }
    }
}

TEST_CASE("put_along_axis never reshapes and checks before it writes") {
    Tensor<int> x = {{1, 2, 3}};
    const Tensor<int> before = x;
    CHECK_THROWS_AS(bl::put_along_axis(x, bl::zeros<int>({2, 1}), 5, 1), bl::shape_error);
    CHECK_THROWS_AS(bl::put_along_axis(x, Tensor<int>{{0, 3}}, 5, 1), bl::index_error);
    CHECK_THROWS_AS(bl::put_along_axis(x, Tensor<int>{{0, -4}}, 5, 1), bl::index_error);
    CHECK_THROWS_AS(bl::put_along_axis(x, Tensor<int>{0}, 5, 0), bl::shape_error);
    CHECK_THROWS_AS(bl::put_along_axis(x, Tensor<int>{{0, -1}}, Tensor<int>{1, 2, 3}, 1),
                    bl::shape_error);
    CHECK_THROWS_AS(bl::put_along_axis(x, Tensor<int>{{2, -1}}, 5, 1, Duplicates::error),
                    bl::index_error);
    CHECK(naive::equal(x, before));
    bl::put_along_axis(x, Tensor<int>{{2, -1}}, Tensor<int>{10, 20}, 1, Duplicates::add);
    CHECK(naive::equal(x, Tensor<int>{{1, 2, 33}}));
}

TEST_CASE("indices of one dimension may stand in braces, or come in a row from elsewhere") {
    const std::vector<int> twice = {1, 1};
    Tensor<int> x = {1, 2, 3};
    CHECK(naive::equal(bl::scatter(x, 0, {2, 0}, Tensor<int>{8, 9}), Tensor<int>{9, 2, 8}));
    CHECK(naive::equal(bl::scatter(x, 0, twice, Tensor<int>{8, 9}, Duplicates::first),
                       Tensor<int>{1, 8, 3}));
    CHECK(naive::equal(bl::scatter_add(x, 0, twice, 4), Tensor<int>{1, 10, 3}));
    CHECK(naive::equal(bl::index_add(x, 0, {0, 2}, 1), Tensor<int>{2, 2, 4}));
    bl::scatter_(x, 0, {0}, 7);
    bl::scatter_add_(x, 0, {0}, 1);
    bl::index_add_(x, 0, twice, Tensor<int>{1, 2});
    bl::put_along_axis(x, {-1}, 0, 0);
    CHECK(naive::equal(x, Tensor<int>{8, 5, 0}));
    CHECK_THROWS_AS(bl::scatter_(x, 0, {0, 3}, 7), bl::index_error);
    CHECK(naive::equal(x, Tensor<int>{8, 5, 0}));
}

TEST_CASE("index_add takes an index of one dimension") {
    const Tensor<int> x = bl::zeros<int>({2, 3});
    CHECK_THROWS_AS((void)bl::index_add(x, 0, bl::zeros<int>({1, 1}), 1), bl::shape_error);
    CHECK_THROWS_AS((void)bl::index_add(x, 2, bl::zeros<int>({1}), 1), bl::index_error);
    CHECK_THROWS_AS((void)bl::index_add(x, 1, Tensor<int>{-1}, 1), bl::index_error);
    CHECK(naive::equal(bl::index_add(x, -1, Tensor<int>{2, 2}, 1),
                       Tensor<int>{{0, 0, 2}, {0, 0, 2}}));
}
