// Choosing by masks against loops over single elements, over all small shapes that broadcast.
#include "broadloom/operations/mask.hpp"

#include <limits>
#include <random>
#include <vector>

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

/// An array spread over a shape it broadcasts to.
Array spread(Array array, const std::vector<index_t>& shape) {
    while (array.shape.size() < shape.size()) array.shape.insert(array.shape.begin(), 1);
    Array result{shape, {}};
    indexing::for_each_index(shape, [&](const std::vector<index_t>& at) {
        result.values.push_back(array.broadcast(at));
    });
    return result;
}

std::vector<index_t> extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

}  // namespace

TEST_CASE("masked_select, masked_fill_ and masked_scatter_ follow their rules over small shapes") {
    std::mt19937 engine(7);
    const Array source = indexing::counted({40});
    for (const auto& shape : indexing::shapes(0, 3, {0, 1, 3})) {
        for (const auto& other : indexing::shapes(0, 3, {0, 1, 3})) {
            const Array x = indexing::counted(shape), mask = indexing::random(other, 0, 2, engine);
            const Tensor<int> from = x.tensor<int>();
            const Tensor<bool> chosen = mask.tensor<bool>();
            const Tensor<int> src = source.tensor<int>();
            Tensor<int> filled = from, scattered = from;
            if (!bl::broadcastable(from.shape(), chosen.shape())) {
                REQUIRE_THROWS_AS(bl::masked_select(from, chosen), bl::shape_error);
                REQUIRE_THROWS_AS(bl::masked_fill_(filled, chosen, -1), bl::shape_error);
                REQUIRE_THROWS_AS(bl::masked_scatter_(filled, chosen, src), bl::shape_error);
                REQUIRE(indexing::equal(filled, x));
                continue;
            }
            const Shape common = bl::broadcast_shapes(from.shape(), chosen.shape());
            const Array wide = spread(x, extents(common)), where = spread(mask, extents(common));
            Array selected, fill = wide, scatter = wide;
            for (std::size_t i = 0; i < wide.values.size(); ++i) {
                if (where.values[i] == 0) continue;
                scatter.values[i] = source.values[selected.values.size()];
                fill.values[i] = -1;
                selected.values.push_back(wide.values[i]);
            }
            selected.shape = {static_cast<index_t>(selected.values.size())};
            REQUIRE(indexing::equal(bl::masked_select(from, chosen), selected));
            REQUIRE(indexing::equal(bl::masked_select(indexing::scrambled(from, engine) * 1,
                                                      indexing::scrambled(chosen, engine)),
                                    selected));
            if (common != from.shape()) {
                REQUIRE_THROWS_AS(bl::masked_fill_(filled, chosen, -1), bl::shape_error);
                REQUIRE_THROWS_AS(bl::masked_scatter_(scattered, chosen, src), bl::shape_error);
                REQUIRE(indexing::equal(filled, x));
                REQUIRE(indexing::equal(scattered, x));
                continue;
            }
            bl::masked_fill_(filled, chosen, -1);
            REQUIRE(indexing::equal(filled, fill));
            bl::masked_scatter_(scattered, chosen, src);
            REQUIRE(indexing::equal(scattered, scatter));
            Tensor<int> strange = indexing::scrambled(from, engine);
            bl::masked_scatter_(strange, chosen, src);
            REQUIRE(indexing::equal(strange, scatter));
        }
    }
}

TEST_CASE("masks of every density and length select the right elements") {
    std::mt19937 engine(8);
    for (const index_t size : {0, 1, 7, 8, 9, 63, 64, 65, 1000}) {
        for (const unsigned density : {0u, 1u, 10u, 50u, 90u, 100u}) {
            Tensor<bool> mask = bl::zeros<bool>({size});
            std::vector<double> expected;
            std::vector<index_t> places;
            for (index_t i = 0; i < size; ++i) {
                mask(i) = engine() % 100 < density;
                if (!mask(i)) continue;
                expected.push_back(static_cast<double>(i));
                places.push_back(i);
            }
            const Tensor<double> x = bl::arange<double>(static_cast<double>(size));
            const Tensor<double> selected = bl::masked_select(x, mask);
            CHECK(std::vector<double>(selected.begin(), selected.end()) == expected);
            const Tensor<index_t> indices = bl::nonzero(mask);
            CHECK(indices.shape() == Shape{static_cast<index_t>(places.size()), 1});
            CHECK(std::vector<index_t>(indices.begin(), indices.end()) == places);
            Tensor<double> y = bl::zeros<double>({size});
            bl::masked_scatter_(y, mask, selected);
            CHECK(bl::array_equal(y, bl::where(mask, x, 0.0)));
        }
    }
}

TEST_CASE("nonzero lists indices in row-major order, of masks and of numbers") {
    for (const auto& shape : indexing::shapes(0, 3, {0, 1, 2, 3})) {
        std::mt19937 engine(9);
        const Array x = indexing::random(shape, 0, 3, engine);
        Array expected{{0, static_cast<index_t>(shape.size())}, {}};
        indexing::for_each_index(shape, [&](const std::vector<index_t>& at) {
            if (x.broadcast(at) == 0) return;
            ++expected.shape[0];
            for (const index_t i : at) expected.values.push_back(static_cast<double>(i));
        });
        REQUIRE(indexing::equal(bl::nonzero(x.tensor<float>()), expected));
        REQUIRE(indexing::equal(bl::nonzero(indexing::scrambled(x.tensor<int>(), engine) != 0),
                                expected));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(bl::array_equal(bl::nonzero(Tensor<double>{0, nan, -0.0, 1}), Tensor<index_t>{{1}, {3}}));
}

TEST_CASE("masked_fill_ takes rank 0, masked_scatter_ a source that is long enough") {
    Tensor<float> x = {1, 2, 3};
    const Tensor<bool> mask = {true, false, true};
    bl::masked_fill_(x, mask, bl::full({}, 7));
    CHECK(bl::array_equal(x, Tensor<float>{7, 2, 7}));
    CHECK_THROWS_AS(bl::masked_fill_(x, mask, Tensor<float>{1}), bl::shape_error);
    CHECK_THROWS_AS(bl::masked_scatter_(x, mask, Tensor<float>{1}), bl::value_error);
    CHECK(bl::array_equal(x, Tensor<float>{7, 2, 7}));
    bl::masked_fill_(x, x > 5.0f, 0);
    CHECK(bl::array_equal(x, Tensor<float>{0, 2, 0}));
    // The source may be the target.
    Tensor<int> y = {1, 2, 3};
    bl::masked_scatter_(y, Tensor<bool>{false, true, true}, y);
    CHECK(bl::array_equal(y, Tensor<int>{1, 1, 2}));
}

TEST_CASE("where a target of masked_scatter_ is the mask too, the mask counts as it was") {
    bl::Tensor<bool> x = {true, false, true, false, false, true, true, false};
    const bl::Tensor<bool> source = {false, true, true, false, true, true, true, true};
    bl::masked_scatter_(x(bl::range(1, {})), x(bl::range({}, -1)), source);
    CHECK(bl::array_equal(x, bl::Tensor<bool>{true, false, true, true, false, true, true, false}));
    bl::Tensor<bool> y = {true, false, true};
    bl::masked_scatter_(y, y, bl::Tensor<bool>{false, true});
    CHECK(bl::array_equal(y, bl::Tensor<bool>{false, false, true}));
}
