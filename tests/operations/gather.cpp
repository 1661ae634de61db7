// gather against the rule written out element by element, over all small shapes; take and
// take_along_axis against NumPy's results in reference/gather.txt.
#include "broadloom/operations/gather.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;
using indexing::Array;

namespace {

/// gather as its rule reads: nothing where the shapes do not fit.
std::optional<Array> naive_gather(Array input, index_t dim, Array index) {
    const bool single = index.shape.empty() && input.shape.size() <= 1;
    if (input.shape.empty()) input.shape = {1};
    if (index.shape.empty()) index.shape = {1};
    const auto rank = input.shape.size(), own = index.shape.size();
    if (own > rank) return std::nullopt;
    const auto d = static_cast<std::size_t>(dim < 0 ? dim + static_cast<index_t>(own) : dim);
    while (index.shape.size() < rank) index.shape.push_back(1);
    Array result;
    for (std::size_t i = 0; i < rank; ++i) {
        const index_t a = input.shape[i], b = index.shape[i];
        if (i != d && a != b && a != 1 && b != 1) return std::nullopt;
        result.shape.push_back(i == d ? b : a == 1 ? b : a);
    }
    indexing::for_each_index(result.shape, [&](const std::vector<index_t>& at) {
        std::vector<index_t> from = at;
        from[d] = static_cast<index_t>(index.broadcast(at));
        result.values.push_back(input.values.empty() ? 0 : input.broadcast(from));
    });
    if (single) result.shape = {};
    return result;
}

}  // namespace

TEST_CASE("gather follows its rule over all small shapes") {
    std::mt19937 engine(1);
    int gathered = 0, refused = 0, outside = 0;
    for (const auto& shape : indexing::shapes(0, 3, {0, 1, 2, 3})) {
        const Array input = indexing::counted(shape);
        const Tensor<int> x = input.tensor<int>();
        for (const auto& other : indexing::shapes(0, 3, {0, 1, 2, 3})) {
            const auto rank = static_cast<index_t>(other.empty() ? 1 : other.size());
            const auto aligned = static_cast<index_t>(std::max(shape.size(), other.size()));
            for (index_t dim = -rank; dim < std::max(rank, aligned); ++dim) {
                const auto d = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
                const index_t extent = shape.empty() ? 1 : d < shape.size() ? shape[d] : 0;
                const Array index = indexing::random(other, 0, extent, engine);
                const Tensor<index_t> where = index.tensor<index_t>();
                const auto expected = naive_gather(input, dim, index);
                if (!expected) {
                    ++refused;
                    REQUIRE_THROWS_AS(bl::gather(x, dim, where), bl::shape_error);
                } else if (extent == 0 && where.size() > 0) {
                    ++outside;
                    REQUIRE_THROWS_AS(bl::gather(x, dim, where), bl::index_error);
                } else {
                    ++gathered;
                    const Tensor<int> result = bl::gather(x, dim, where);
                    REQUIRE(indexing::equal(result, *expected));
                }
            }
            const Tensor<index_t> any = indexing::counted(other).tensor<index_t>();
            REQUIRE_THROWS_AS(bl::gather(x, std::max(rank, aligned), any), bl::error);
            REQUIRE_THROWS_AS(bl::gather(x, -rank - 1, any), bl::error);
        }
    }
    CHECK(gathered > 1000);
    CHECK(refused > 1000);
    CHECK(outside > 100);
}

TEST_CASE("gather finds the same in every layout, index type and element size") {
    std::mt19937 engine(2);
    const auto test = [&](auto element, auto index_element) {
        using T = decltype(element);
        using I = decltype(index_element);
        for (int round = 0; round < 60; ++round) {
            std::vector<index_t> shape, other;
            const auto rank = 1 + engine() % 3;
            for (unsigned d = 0; d < rank; ++d) {
                const index_t n = 1 + static_cast<index_t>(engine() % (rank == 1 ? 1500 : 40));
                shape.push_back(engine() % 4 == 0 ? 1 : n);
                other.push_back(engine() % 3 == 0 ? 1 : shape.back());
            }
            const auto dim = static_cast<std::size_t>(engine() % rank);
            other[dim] = static_cast<index_t>(engine() % (rank == 1 ? 2000 : 50));
            const index_t most = shape[dim] < 120 ? shape[dim] : 120;
            const Array index = indexing::random(other, 0, most, engine);
            Array input = indexing::counted(shape);
            for (double& v : input.values) v = static_cast<double>(static_cast<int>(v) % 100);
            const auto expected = naive_gather(input, static_cast<index_t>(dim), index);
            REQUIRE(expected.has_value());
            const Tensor<T> x = input.tensor<T>();
            const Tensor<I> where = index.tensor<I>();
            const Tensor<T> direct = bl::gather(x, static_cast<index_t>(dim), where);
            REQUIRE(indexing::equal(direct, *expected));
            // Backwards, transposed in memory, and with gaps.
            const Tensor<T> strange =
                bl::gather(indexing::scrambled(x, engine), static_cast<index_t>(dim),
                           indexing::scrambled(where, engine));
            REQUIRE(indexing::equal(strange, *expected));
        }
    };
    test(std::uint8_t{}, std::int64_t{});
    test(float{}, std::int32_t{});
    test(float{}, std::int64_t{});
    test(double{}, std::uint8_t{});
    test(std::int16_t{}, std::int8_t{});
    test(std::complex<float>{}, std::uint16_t{});
    test(std::complex<double>{}, std::uint64_t{});
    test(indexing::Triple{}, std::uint32_t{});
}

TEST_CASE("an index outside of the extent is an index_error that names it") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const auto says = Catch::Matchers::ContainsSubstring;
    CHECK_THROWS_WITH(bl::gather(x, 1, Tensor<int>{{0, 3}}),
                      says("index 3 is out of bounds for axis 1 with size 3"));
    CHECK_THROWS_WITH(bl::gather(x, 0, Tensor<int>{{0, 1, -1}}),
                      says("index -1 is out of bounds for axis 0 with size 2"));
    CHECK_THROWS_AS(bl::gather(x, 1, Tensor<std::uint64_t>{{~std::uint64_t{0}}}), bl::index_error);
    CHECK_THROWS_AS(bl::take(x, Tensor<std::uint64_t>{~std::uint64_t{0}}, 0), bl::index_error);
    for (const std::int64_t beyond : {std::int64_t{1} << 32, -(std::int64_t{1} << 32)}) {
        CHECK_THROWS_AS(bl::gather(x, 1, Tensor<std::int64_t>{{beyond}}), bl::index_error);
        CHECK_THROWS_AS(bl::take(x, Tensor<std::int64_t>{beyond}, 0), bl::index_error);
        CHECK_THROWS_AS(bl::take(x, beyond, 0), bl::index_error);
        CHECK_THROWS_AS(x.at(0, beyond), bl::index_error);
    }
    // The first that is out of reach, not one that is negative or behind it.
    const Tensor<int> line = {1, 2, 3};
    CHECK_THROWS_WITH(bl::take(line, {-1, 7, 8}, 0), says("index 7 "));
    CHECK_THROWS_WITH(bl::take(line, {-3, -4, 0}, 0), says("index -4 "));
    CHECK_THROWS_WITH(bl::take(line, {3, 0}, 0), says("index 3 "));
    // Not what lies between the rows of a view.
    const Tensor<int> wide = {{0, 1, 77}, {9, 0, 88}};
    CHECK_THROWS_WITH(bl::take(line, wide(bl::all, bl::range(2)), 0), says("index 9 "));
    // Also where nothing would be read.
    CHECK_THROWS_AS(bl::gather(bl::zeros<int>({0, 3}), 1, Tensor<int>{{5}}), bl::index_error);
    // Wherever it stands, however long the index.
    for (const index_t at : {0, 1, 511, 512, 513, 1999, 4999}) {
        Tensor<index_t> many = bl::zeros<index_t>({5000});
        many(at) = 3;
        CHECK_THROWS_AS(bl::gather(Tensor<int>{1, 2, 3}, 0, many), bl::index_error);
        CHECK_THROWS_AS(bl::take(x, many, 1), bl::index_error);
        many(at) = -3;
        CHECK_THROWS_AS(bl::gather(Tensor<int>{1, 2, 3}, 0, many), bl::index_error);
        CHECK(bl::take(x, many, 1)(1, at) == 4);
        many(at) = -4;
        CHECK_THROWS_AS(bl::take(x, many, 1), bl::index_error);
    }
}

TEST_CASE("shapes that do not fit are a shape_error that says where") {
    const auto says = Catch::Matchers::ContainsSubstring;
    CHECK_THROWS_WITH(
        bl::gather(bl::zeros<int>({2, 3, 4}), 0, bl::zeros<int>({1, 2, 4})),
        says("(2, 3, 4)") && says("(1, 2, 4)") && says("3 and 2") && says("dimension 1"));
    CHECK_THROWS_WITH(bl::gather(bl::zeros<int>({2, 3}), 1, bl::zeros<int>({3, 3})),
                      says("shapes (2, 3) and (3, 3) do not fit: 2 and 3 differ"));
    CHECK_THROWS_WITH(bl::gather(bl::zeros<int>({3}), 0, bl::zeros<int>({3, 3})),
                      says("more dimensions"));
    CHECK_THROWS_AS(bl::take_along_axis(bl::zeros<int>({3, 3}), bl::zeros<int>({3}), 0),
                    bl::shape_error);
    CHECK_THROWS_WITH(bl::gather(bl::zeros<int>({2, 3, 4}), 1, bl::zeros<int>({3, 1})),
                      says("an index of shape (3, 1)"));
}

TEST_CASE("gather takes expressions and temporaries") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const Tensor<int> where = {{0}, {1}};
    CHECK(bl::array_equal(bl::gather(x * 2, 1, where + 1), Tensor<int>{{4}, {12}}));
    CHECK(bl::array_equal(bl::gather(bl::arange<int>(6), 0, Tensor<int>{5, 0}), Tensor<int>{5, 0}));
    CHECK(bl::gather(x, 0, Tensor<int>{{1}}).shape() == Shape{1, 3});
    CHECK(bl::gather(Tensor<int>{7, 8, 9}, 0, bl::full({}, 2)).item() == 9);
    CHECK(bl::gather(Tensor<int>{7, 8, 9}, 0, bl::full({}, 2)).shape() == Shape{});
}

TEST_CASE("take and take_along_axis give what NumPy gives") {
    for (const auto& record : indexing::records("gather.txt")) {
        const Tensor<double> x = record.array("x").tensor<double>();
        const Tensor<index_t> where = record.array("index").tensor<index_t>();
        const index_t axis = record.number("axis");
        const Array expected = record.array("result");
        CAPTURE(record.line);
        if (record.name == "take") {
            CHECK(indexing::equal(bl::take(x, where, axis), expected));
            CHECK(indexing::equal(bl::take(x + 0.0, where.cast<std::int8_t>(), axis), expected));
        } else if (record.name == "take_flat") {
            CHECK(indexing::equal(bl::take(x, where), expected));
        } else if (record.name == "take_along_axis") {
            CHECK(indexing::equal(bl::take_along_axis(x, where, axis), expected));
        }
    }
}

TEST_CASE("take flattens what is not contiguous in row-major order") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::take(x.transpose(), Tensor<int>{1, -1, 2}), Tensor<int>{4, 6, 2}));
    CHECK(bl::array_equal(bl::take(x, 1, 0), Tensor<int>{4, 5, 6}));
    CHECK(bl::array_equal(bl::take(x, -1, 1), Tensor<int>{3, 6}));
    CHECK_THROWS_AS(bl::take(x, Tensor<int>{0}, 2), bl::index_error);
}

TEST_CASE("take finds the same in every layout, of few sub-tensors and of many") {
    std::mt19937 engine(5);
    for (const Shape& shape : {Shape{6, 2, 3, 2}, Shape{5, 7}, Shape{1, 4, 3}, Shape{9, 2, 5},
                               Shape{2, 0, 3}, Shape{300, 3}}) {
        const Tensor<int> x = bl::arange(static_cast<int>(shape.size())).reshape(shape);
        for (int round = 0; round < 20; ++round) {
            const Tensor<int> lies = indexing::scrambled(x, engine);
            for (index_t axis = 0; axis < shape.rank(); ++axis) {
                const index_t extent = shape[axis];
                for (const index_t count :
                     {index_t{0}, index_t{1}, extent / 2, extent, 3 * extent}) {
                    if (extent == 0 && count > 0) continue;
                    const Tensor<index_t> where =
                        indexing::random({count}, -extent, extent, engine).tensor<index_t>();
                    CAPTURE(shape, lies.strides(), axis, where);
                    CHECK(bl::array_equal(bl::take(lies, where, axis), bl::take(x, where, axis)));
                }
            }
        }
        const Tensor<int> lies = x.swap_axes(0, -1);
        CHECK_THROWS_AS(bl::take(lies, bl::full<index_t>({9}, 1000), -1), bl::index_error);
    }
}

TEST_CASE("take refuses more indices than a result can have elements") {
    const Tensor<double> x = bl::zeros<double>({4, 3, 3});
    const Tensor<int> zero{0};
    const auto endless = zero.broadcast_to({bl::detail::largest_index / 4 * 3});
    CHECK_THROWS_AS(bl::take(x.permute({2, 1, 0}), endless, 0), bl::shape_error);
}

TEST_CASE("take counts all elements without an axis, and an unsigned index is never negative") {
    const Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::take(x, 3).item() == 4);
    CHECK(bl::take(x.transpose(), -2).item() == 3);
    const std::size_t none = 0;
    CHECK_THROWS_AS(bl::take(x, none - 1, 0), bl::index_error);
    CHECK_THROWS_AS(bl::take(x, none - 1), bl::index_error);
    CHECK_THROWS_AS(x.at(none - 1, 0), bl::index_error);
    CHECK_THROWS_AS(x(none - 1, bl::all), bl::index_error);
}

TEST_CASE("indices of take may stand in braces") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(bl::array_equal(bl::take(x, {1, 0}, 0), Tensor<int>{{3, 4}, {1, 2}}));
    CHECK(bl::array_equal(bl::take(x, {-1, 0}), Tensor<int>{4, 1}));
}

TEST_CASE("indices of take may come in a row from elsewhere") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(bl::array_equal(bl::take(x, std::vector<int>{1, -2}, 0), Tensor<int>{{3, 4}, {1, 2}}));
    CHECK(bl::array_equal(bl::take(x, std::vector<std::size_t>{3, 0}), Tensor<int>{4, 1}));
    CHECK(bl::take(x, std::vector<int>{}, 1).shape() == Shape{2, 0});
    CHECK_THROWS_AS(bl::take(x, std::vector<int>{2}, 0), bl::index_error);
}

TEST_CASE("gather and take_along_axis take such indices of one dimension, too") {
    const Tensor<int> x = {5, 6, 7};
    CHECK(bl::array_equal(bl::gather(x, 0, {2, 0}), Tensor<int>{7, 5}));
    CHECK(bl::array_equal(bl::gather(x, 0, std::vector<int>{1}), Tensor<int>{6}));
    CHECK(bl::array_equal(bl::take_along_axis(x, {-1, 1}), Tensor<int>{7, 6}));
    CHECK_THROWS_AS(bl::gather(x, 0, {3}), bl::index_error);
    CHECK_THROWS_AS(bl::take_along_axis(Tensor<int>{{1, 2}}, {0}, 0), bl::shape_error);
}

TEST_CASE("take counts rank 0 as one element along axis 0, take_along_axis does not") {
    const Tensor<int> five = bl::full({}, 5);
    CHECK(bl::take(five, 0, 0).shape() == Shape{});
    CHECK(bl::take(five, -1, -1).item() == 5);
    CHECK(bl::array_equal(bl::take(five, {0, 0}, 0), Tensor<int>{5, 5}));
    CHECK_THROWS_AS(bl::take(five, 1, 0), bl::index_error);
    CHECK_THROWS_AS(bl::take(five, 0, 1), bl::index_error);
    CHECK_THROWS_AS(bl::take_along_axis(five, bl::full({}, 0), 0), bl::index_error);
}
