// Matrix products against the definition, for every small pair of shapes and for views.
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/naive.hpp"
#include "support/same_bits.hpp"

#include <broadloom/broadloom.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;

namespace {

template <class T>
Tensor<T> counted(const Shape& shape, int seed) {
    Tensor<T> x = bl::empty<T>(shape);
    index_t i = 0;
    for (T& e : x) e = static_cast<T>((i++ * 7 + seed) % 11 - (std::is_unsigned_v<T> ? 0 : 5));
    return x;
}

// The definition, with every operand broadcast to the whole batch first.
template <class T>
Tensor<T> by_definition(const TensorView<const T>& x, const TensorView<const T>& y) {
    const index_t m = x.extent(-2), k = x.extent(-1), n = y.extent(-1);
    const auto batch_of = [](const TensorView<const T>& v) {
        bl::IndexList extents;
        for (index_t d = 0; d < v.rank() - 2; ++d) extents.push_back(v.shape()[d]);
        return extents;
    };
    const Shape batch = bl::broadcast_shapes(Shape(batch_of(x)), Shape(batch_of(y)));
    const auto whole = [&](const TensorView<const T>& v, index_t rows, index_t columns) {
        bl::IndexList extents = batch.extents();
        extents.push_back(rows);
        extents.push_back(columns);
        return Tensor<T>(v.broadcast_to(Shape(extents))).reshape({batch.size(), rows, columns});
    };
    bl::IndexList extents = batch.extents();
    extents.push_back(m);
    extents.push_back(n);
    if (batch.size() == 0 || m == 0 || n == 0) return bl::zeros<T>(Shape(extents));
    if (k == 0) return bl::zeros<T>(Shape(extents));
    const Tensor<T> a = whole(x, m, k), b = whole(y, k, n);
    Tensor<T> c = bl::zeros<T>({batch.size(), m, n});
    for (index_t p = 0; p < batch.size(); ++p) {
        for (index_t i = 0; i < m; ++i) {
            for (index_t j = 0; j < n; ++j) {
                T sum{};
                for (index_t l = 0; l < k; ++l) sum = static_cast<T>(sum + a(p, i, l) * b(p, l, j));
                c(p, i, j) = sum;
            }
        }
    }
    return std::move(c).reshape(extents);
}

}  // namespace

TEST_CASE("matmul multiplies the last two axes and broadcasts the others") {
    const std::vector<Shape> batches = {{}, {1}, {2}, {3}, {0}, {2, 1}, {1, 3}, {2, 3}};
    for (const Shape& p : batches) {
        for (const Shape& q : batches) {
            for (index_t m : {0, 1, 3}) {
                for (index_t k : {0, 1, 2}) {
                    for (index_t n : {0, 1, 4}) {
                        bl::IndexList left = p.extents(), right = q.extents();
                        left.push_back(m);
                        left.push_back(k);
                        right.push_back(k);
                        right.push_back(n);
                        const auto x = counted<int>(Shape(left), 1);
                        const auto y = counted<int>(Shape(right), 2);
                        if (!bl::broadcastable(p, q)) {
                            CHECK_THROWS_AS(bl::matmul(x, y), bl::shape_error);
                            continue;
                        }
                        const auto expected = by_definition<int>(x.view(), y.view());
                        const auto actual = bl::matmul(x, y);
                        REQUIRE(actual.shape() == expected.shape());
                        REQUIRE(naive::equal(actual, expected));
                    }
                }
            }
        }
    }
}

TEST_CASE("matmul reads transposed, sliced, reversed and expanded operands where they lie") {
    const auto a = counted<double>({2, 20, 18}, 1);
    const auto b = counted<double>({18, 2, 22}, 2);
    using bl::all, bl::range;
    const auto check = [](const TensorView<const double>& x, const TensorView<const double>& y) {
        CHECK(naive::equal(bl::matmul(x, y), by_definition<double>(x, y)));
    };
    check(a, b.permute({1, 0, 2}));
    check(a.transpose().permute({2, 1, 0}), b(all, 0, all));
    check(a(all, range({}, {}, -2), all), b(all, 1, range(0, {}, 3)));
    check(a(0, all, all).transpose(), a(1, all, all));
    check(a(0, 0, all).broadcast_to({5, 18}), b(range({}, {}, -1), 0, all));
}

TEST_CASE("a vector counts as a row at the left and as a column at the right") {
    const auto v = counted<float>({9}, 1);
    const auto m = counted<float>({2, 9, 7}, 2);
    CHECK(bl::matmul(v, m).shape() == Shape{2, 7});
    CHECK(bl::matmul(m.swap_axes(1, 2), v).shape() == Shape{2, 7});
    CHECK(naive::equal(bl::matmul(v, m), bl::matmul(v.unsqueeze(0), m).squeeze(1)));
    CHECK(bl::matmul(v, v).shape() == Shape{});
    float squares = 0;
    for (const float e : v) squares += e * e;
    CHECK(bl::matmul(v, v).item() == squares);
}

TEST_CASE("matmul refuses what does not fit and names the shapes") {
    using Catch::Matchers::ContainsSubstring;
    const auto x = bl::ones<float>({2, 3});
    CHECK_THROWS_AS(bl::matmul(x, x), bl::shape_error);
    CHECK_THROWS_WITH(bl::matmul(x, x), ContainsSubstring("(2, 3) and (2, 3)") &&
                                            ContainsSubstring("the inner extents 3 and 2 differ"));
    CHECK_THROWS_WITH(bl::matmul(bl::ones<float>({2, 2}), x.transpose()),
                      ContainsSubstring("the inner extents 2 and 3 differ"));
    CHECK_THROWS_AS(bl::matmul(bl::ones<float>({}), x), bl::shape_error);
    for (const bool left : {true, false}) {
        const auto one = bl::ones<float>({});
        CHECK_THROWS_WITH(left ? bl::matmul(one, x) : bl::matmul(x, one),
                          ContainsSubstring("at least one dimension"));
    }
}

TEST_CASE("products of nothing look at nothing") {
    const bl::TensorView<const float> rows(nullptr, {2, 0}, {7, 1}),
        columns(nullptr, {0, 3}, {3, 1});
    CHECK(bl::array_equal(bl::matmul(rows, columns), bl::zeros<float>({2, 3})));
    const bl::TensorView<const float> batch(nullptr, {5, 2, 0}, {3, 2, 1});
    CHECK(bl::array_equal(bl::matmul(batch, columns), bl::zeros<float>({5, 2, 3})));
    const auto endless = bl::zeros<float>({0, extents::endless});
    CHECK(bl::matmul(endless, endless.transpose()).shape() == bl::Shape{0, 0});
}

TEST_CASE("matmul promotes its operands, evaluates expressions and keeps integers wrapping") {
    const auto x = counted<std::int32_t>({3, 4}, 1);
    const auto y = counted<double>({4, 2}, 2);
    static_assert(std::is_same_v<decltype(bl::matmul(x, y)), Tensor<double>>);
    CHECK(naive::equal(bl::matmul(x, y), bl::matmul(Tensor<double>(x), y)));
    CHECK(naive::equal(bl::matmul(x + 1, y * 2.0),
                       bl::matmul(Tensor<double>(x + 1), Tensor<double>(y * 2.0))));
    Tensor<std::uint8_t> u = {{200, 100}};
    CHECK(bl::matmul(u, u.transpose()).item() == static_cast<std::uint8_t>(200 * 200 + 100 * 100));
    Tensor<bool> t = {{true, false}, {false, false}};
    CHECK(naive::equal(bl::matmul(t, t), t));
    using Z = std::complex<double>;
    Tensor<Z> z = {{Z(0, 1), Z(1, 0)}};
    CHECK(bl::matmul(z, z.transpose()).item() == Z(0, 0));
}

TEST_CASE("a product has the same bits for any number of threads") {
    const auto x = counted<float>({300, 257}, 1), y = counted<float>({257, 301}, 3);
    const auto p = counted<float>({40, 1, 33, 34}, 1), q = counted<float>({1, 5, 34, 35}, 3);
    const auto row = counted<float>({1, 5000}, 1), wide = counted<float>({5000, 3500}, 3);
    const auto one = bl::matmul(x, y);
    const auto many = bl::matmul(p, q);
    const auto flat = bl::matmul(row, wide);
    for (const int threads : {2, 3, 7, 400}) {
        bl::set_num_threads(threads);
        CHECK(naive::equal(bl::matmul(x, y), one));
        CHECK(naive::equal(bl::matmul(p, q), many));
        CHECK(naive::equal(bl::matmul(row, wide), flat));
    }
    bl::set_num_threads(1);
}

TEMPLATE_TEST_CASE("a matrix times itself, turned, is what it is times a copy, to the bit", "",
                   float, double, std::int32_t, std::uint8_t, bool, std::complex<float>) {
    using T = TestType;
    naive::Random random(11);
    const auto check = [](const auto& x, const auto& y) {
        CHECK(naive::same_bits(bl::matmul(x, y), bl::matmul(x.copy(), y.copy())));
    };
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{47, 96},
                                        {48, 95},
                                        {48, 96},
                                        {131, 97},
                                        {60, 200},
                                        {96, 1000},
                                        {130, 48},
                                        {300, 49},
                                        {1030, 50},
                                        {200, 64},
                                        {1, 130},
                                        {0, 130}}) {
        CAPTURE(rows, columns);
        Tensor<T> x = bl::empty<T>({2, rows, columns});
        for (T& value : x) value = static_cast<T>(static_cast<float>(random.bits() % 1000) / 7.0F);
        const auto one = x[0], wide = one(bl::all, bl::range({}, {}, -1));
        check(one.transpose(), one);
        check(wide.transpose(), wide);
        check(x[1].transpose(), one);
        check(x.swap_axes(1, 2), x);
        const auto turned = one.transpose();
        check(turned, turned.transpose());
        bl::set_num_threads(3);
        const auto shared = bl::matmul(one.transpose(), one);
        bl::set_num_threads(1);
        CHECK(naive::same_bits(shared, bl::matmul(one.transpose(), one)));
        CHECK(bl::array_equal(shared, shared.transpose()));
    }
    const Tensor<T> none = bl::empty<T>({0, 100, 60});
    CHECK(bl::matmul(none, none.swap_axes(1, 2)).shape() == bl::Shape{0, 100, 100});
}

TEST_CASE("outer multiplies every element with every other") {
    CHECK(naive::equal(bl::outer(Tensor<int>{1, 2}, Tensor<int>{{3, 4}, {5, 6}}),
                       Tensor<int>{{3, 4, 5, 6}, {6, 8, 10, 12}}));
}

namespace {
struct Length {
    float metres;
    friend Length operator*(Length a, Length b) { return {a.metres * b.metres}; }
};
}  // namespace

TEST_CASE("outer takes a number of the user's own type") {
    const Tensor<Length> lengths = {Length{1}, Length{2}};
    const Tensor<Length> column = bl::outer(lengths, Length{3});
    CHECK(column.shape() == Shape{2, 1});
    CHECK(column(1, 0).metres == 6.0F);
    CHECK(bl::outer(Length{3}, lengths)(0, 1).metres == 6.0F);
}

TEST_CASE("a contract refuses no outer product") {
    const bl::broadcast_guard guard(bl::broadcast_policy::exact);
    CHECK(naive::equal(bl::outer(bl::Tensor<int>{1, 2}, bl::Tensor<int>{3, 4, 5}),
                       bl::Tensor<int>{{3, 4, 5}, {6, 8, 10}}));
}
