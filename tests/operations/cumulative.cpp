// Running sums and products against a naive evaluator, over all small shapes, and against NumPy's
// results in reference/reduce.txt.
#include "broadloom/operations/cumulative.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::index_t, bl::IndexList, bl::Shape, bl::Tensor;
using naive::Random, naive::Way;

namespace {

/// Compares an operation along an axis, or over all, with the records.
template <class T, class F>
void check_lanes(const std::string& operation, int units, F&& compute) {
    std::mt19937 engine(1);
    const auto list = folds::records(operation, folds::name_of<T>());
    CHECK(list.size() >= 3);
    for (const auto& record : list) {
        using R = bl::accumulator_t<T>;
        const auto x = record.data.template tensor<T>(), scrambled = indexing::scrambled(x, engine);
        INFO(record.text());
        CHECK(folds::name_of<R>() == record.result.type);
        const auto expected = record.result.template tensor<R>();
        for (const auto& operand : {x.view(), scrambled.view()}) {
            const Tensor<R> result =
                record.takes_all() ? compute(operand) : compute(operand, record.list()[0]);
            CHECK(folds::close(result, expected, units));
        }
    }
}

constexpr auto cumsum = [](const auto&... a) { return bl::cumsum(a...); };
constexpr auto cumprod = [](const auto&... a) { return bl::cumprod(a...); };

}  // namespace

TEST_CASE("Every element becomes the sum of itself and those before it along the axis") {
    Random random(1);
    auto shapes = naive::all_shapes(4, 3);
    for (const Shape& longer :
         {Shape{200}, Shape{9, 70}, Shape{70, 9}, Shape{5, 1, 33}, Shape{3, 17, 20}})
        shapes.push_back(longer);
    for (const Shape& shape : shapes) {
        for (index_t axis = -shape.rank(); axis < shape.rank(); ++axis) {
            naive::Presented<std::int64_t> x(shape, Way::random, random);
            x.fill([&] { return std::int64_t{random(-2, 3)}; });
            const index_t along = axis < 0 ? axis + shape.rank() : axis;
            const auto total = bl::cumsum(x.read(), axis),
                       product = bl::cumprod(x.read() * 2 - 1, axis);
            bool same = total.shape() == shape && product.shape() == shape;
            naive::for_each_index(shape, [&](const IndexList& index) {
                std::int64_t a = 0, b = 1;
                IndexList at = index;
                for (at[along] = 0; at[along] <= index[along]; ++at[along]) {
                    a += x.at(at);
                    b = static_cast<std::int64_t>(static_cast<std::uint64_t>(b) *
                                                  static_cast<std::uint64_t>(x.at(at) * 2 - 1));
                }
                const index_t place = naive::broadcast_offset(index, shape, total.strides());
                same = same && total.data()[place] == a && product.data()[place] == b;
            });
            if (!same) FAIL(x.text() << " along " << axis);
        }
        naive::Presented<std::int64_t> x(shape, Way::random, random);
        x.fill([&] { return std::int64_t{random(-2, 3)}; });
        const auto flat = bl::cumsum(x.read());
        CHECK(flat.shape() == Shape{shape.size()});
        std::int64_t a = 0;
        index_t i = 0;
        for (const std::int64_t e : naive::values(x.read())) CHECK(flat(i++) == (a += e));
    }
}

TEST_CASE("Running sums and products are NumPy's in value and type") {
    check_lanes<bool>("cumsum", 0, cumsum);
    check_lanes<std::int64_t>("cumsum", 0, cumsum);
    check_lanes<float>("cumsum", 0, cumsum);
    check_lanes<double>("cumsum", 0, cumsum);
    check_lanes<std::complex<float>>("cumsum", 0, cumsum);
    check_lanes<bool>("cumprod", 0, cumprod);
    check_lanes<std::int64_t>("cumprod", 0, cumprod);
    check_lanes<float>("cumprod", 2, cumprod);
    check_lanes<double>("cumprod", 2, cumprod);
    check_lanes<std::complex<float>>("cumprod", 20, cumprod);
}

TEST_CASE("Running extremes keep their type, and a NaN from where it stands") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor<float> x = {{1, 3, 2}, {4, nan, 5}};
    CHECK(bl::array_equal(bl::cummax(x[0]), Tensor<float>{1, 3, 3}));
    CHECK(bl::array_equal(bl::cummin(x, 0)(bl::all, 0), Tensor<float>{1, 1}));
    CHECK(bl::allclose(bl::cummax(x, 1)[1], Tensor<float>{4, nan, nan}, 0, 0, true));
    CHECK(bl::array_equal(bl::cummin(Tensor<std::uint8_t>{{3, 200}, {1, 2}}),
                          Tensor<std::uint8_t>{3, 3, 1, 1}));
    STATIC_REQUIRE(std::is_same_v<decltype(bl::cummax(Tensor<bool>{true})), Tensor<bool>>);
    CHECK(bl::cummax(x + 1.0F, -1)(0, 2) == 4);
    CHECK(bl::cummin(bl::zeros<int>({0, 3}), 0).shape() == Shape{0, 3});
    CHECK_THROWS_AS(bl::cummax(x, 2), bl::index_error);
}

TEST_CASE("Differences are of neighbours along an axis") {
    const Tensor<int> x = {{1, 4, 9}, {2, 2, 7}};
    CHECK(bl::array_equal(bl::diff(x), Tensor<int>{{3, 5}, {0, 5}}));
    CHECK(bl::array_equal(bl::diff(x, 0), Tensor<int>{{1, -2, -2}}));
    CHECK(bl::array_equal(bl::diff(x.flip(1)), Tensor<int>{{-5, -3}, {-5, 0}}));
    CHECK(bl::array_equal(bl::diff(bl::cumsum(x, 1), 1), x(bl::all, bl::range(1, {}))));
    CHECK(bl::array_equal(bl::diff(Tensor<bool>{true, false, false}), Tensor<bool>{true, false}));
    CHECK(bl::array_equal(bl::diff(Tensor<std::uint8_t>{2, 1}), Tensor<std::uint8_t>{255}));
    CHECK(bl::diff(x * 2)(0, 0) == 6);
    CHECK(bl::diff(bl::ones<float>({1})).shape() == Shape{0});
    CHECK(bl::diff(bl::ones<float>({2, 0})).shape() == Shape{2, 0});
    CHECK_THROWS_AS(bl::diff(bl::full<float>({}, 1)), bl::index_error);
}

TEST_CASE("Differences are what the operator of the elements makes") {
    const float row[4] = {};
    const Tensor<const float*> places = {row, row + 1, row + 3};
    CHECK(bl::array_equal(bl::diff(places), Tensor<std::ptrdiff_t>{1, 2}));
}

TEST_CASE("Small integers run in 64 bits") {
    const auto x = bl::full<std::int8_t>({4}, std::int8_t{100});
    STATIC_REQUIRE(std::is_same_v<decltype(bl::cumsum(x)), Tensor<std::int64_t>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::cumprod(bl::ones<std::uint16_t>({2}), 0)),
                                  Tensor<std::uint64_t>>);
    CHECK(bl::cumsum(x)(3) == 400);
    CHECK(bl::cumprod(x, 0)(3) == 100000000);
}

TEST_CASE("A running sum takes expressions, expanded views and dying tensors") {
    const auto x = bl::arange<double>(4);
    CHECK(bl::cumsum(x * 2.0 + 1.0)(3) == 16);
    CHECK(bl::cumsum(x.unsqueeze(1) - x, 0)(3, 1) == 2);
    CHECK(bl::cumsum(x.broadcast_to({3, 4}), 0)(2, 3) == 9);
    CHECK(bl::cumsum(bl::arange<double>(5), -1)(4) == 10);
    CHECK(bl::cumprod(bl::full<double>({}, 3)).shape() == Shape{1});
}

TEST_CASE("A single element of rank 0 lies along axis 0") {
    const auto x = bl::full<double>({}, 3);
    CHECK(bl::cumsum(x, 0).shape() == Shape{});
    CHECK(bl::cumsum(x, -1).item() == 3);
    CHECK(bl::cumprod(x + 1.0, 0).item() == 4);
}

TEST_CASE("An axis that is not there is an index_error") {
    const auto x = bl::ones<double>({2, 3});
    CHECK_THROWS_AS(bl::cumsum(x, 2), bl::index_error);
    CHECK_THROWS_AS(bl::cumprod(x, -3), bl::index_error);
    CHECK_THROWS_AS(bl::cumsum(bl::full<double>({}, 1), 1), bl::index_error);
    CHECK(bl::cumsum(bl::zeros<double>({0, 3}), 1).shape() == Shape{0, 3});
    CHECK(bl::cumsum(bl::zeros<double>({0, 3})).shape() == Shape{0});
}
