#include "broadloom/kernel/elementwise.hpp"

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/as_strided.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"
#include "support/types.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape, bl::Strides, bl::Tensor, bl::TensorView;

TEST_CASE("An expression is computed into any memory of its shape, converted to its type") {
    const Tensor<float> x = {{1.5F, -2.5F, 300}, {4, 5, 6}};
    const auto e = x * 2.0F;
    std::vector<std::int8_t> out(20, 99);
    kernel::evaluate(e, out.data() + 1, Shape{2, 3}, Strides{8, 2});
    CHECK(out[1] == 3);
    CHECK(out[3] == -5);
    CHECK(out[5] == 127);
    CHECK(out[9] == 8);
    CHECK(out[13] == 12);
    CHECK(out[0] == 99);
    CHECK(out[2] == 99);
    CHECK(out[14] == 99);
}

TEST_CASE("A target of lower rank than its source takes it without the leading ones") {
    const Tensor<float> x = bl::ones<float>({1, 1, 3});
    std::vector<float> out(3);
    kernel::evaluate(x.view(), out.data(), Shape{3}, Strides{1});
    CHECK(out == std::vector<float>{1, 1, 1});
}

TEST_CASE("Operands of the same elements are packed once, others of the same memory apart") {
    for (const index_t n : {40, 130, 300}) {
        Tensor<float> x = bl::empty<float>({n, n});
        for (index_t i = 0; i < n * n; ++i) x.data()[i] = static_cast<float>(i % 1009);
        const auto turned = x.transpose();
        const auto stepped = x(bl::all, bl::range(n % 2, n, 2));
        const auto planes = bl::as_strided(x.view(), Shape{4, n, 5}, Strides{n, 1, 4 * n});
        const Tensor<float> a = (turned - x) * turned + turned.flip(0);
        const Tensor<float> b = stepped * stepped - stepped.flip(1);
        const Tensor<float> c = planes * 2.0F + planes * planes;
        bool same = true;
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < n; ++j) {
                same = same && a(i, j) == (x(j, i) - x(i, j)) * x(j, i) + x(j, n - 1 - i);
            }
            for (index_t j = 0; j < b.extent(1); ++j) {
                same = same && b(i, j) == stepped(i, j) * stepped(i, j) -
                                              stepped(i, stepped.extent(1) - 1 - j);
            }
            for (index_t k = 0; k < 20; ++k) {
                const float p = planes(k % 4, i, k / 4);
                same = same && c(k % 4, i, k / 4) == p * 2.0F + p * p;
            }
        }
        INFO(n);
        CHECK(same);
    }
}

TEST_CASE("Nothing is read or written where there are no elements") {
    const Tensor<float> x = bl::ones<float>({0, 3}), y = bl::ones<float>({3});
    CHECK(bl::eval(x + y).shape() == Shape{0, 3});
    CHECK(bl::eval(x.transpose() + 1.0F).shape() == Shape{3, 0});
    kernel::evaluate(x + y, static_cast<float*>(nullptr), Shape{0, 3}, Strides{3, 1});
}

TEST_CASE("A function that is not copied keeps its state from element to element") {
    struct Counter {
        std::vector<int> seen;  // not trivially copyable
        int operator()(int x) {
            seen.push_back(x);
            return static_cast<int>(seen.size());
        }
    };
    for (const index_t n : {5, 48, 49, 300, 3000}) {
        const Tensor<int> r = bl::map(Counter{}, bl::arange<int>(static_cast<int>(n)));
        CHECK(r(n - 1) == n);
        CHECK(r(0) == 1);
    }
}

TEST_CASE("Results of up to a few elements, of one block and of many are the same function") {
    naive::Random random(1);
    for (index_t n = 0; n <= 200; ++n) {
        Tensor<std::int16_t> x = bl::empty<std::int16_t>({n}), y = bl::empty<std::int16_t>({n});
        for (index_t i = 0; i < n; ++i) {
            x(i) = static_cast<std::int16_t>(random(-32768, 32767));
            y(i) = static_cast<std::int16_t>(random(-32768, 32767));
        }
        const Tensor<std::int16_t> z = x * y + 7;
        const Tensor<bool> less = x < y;
        bool same = true;
        for (index_t i = 0; i < n; ++i) {
            same = same && z(i) == static_cast<std::int16_t>(x(i) * y(i) + 7) &&
                   less(i) == (x(i) < y(i));
        }
        CHECK(same);
    }
}

TEST_CASE("Small results are the same function of operands that lie in any way") {
    naive::Random random(2);
    const auto broadcast = [&](const Shape& shape) {
        bl::IndexList out = shape.extents();
        for (index_t d = 0; d < out.rank(); ++d) {
            if (random(0, 2) == 0) out[d] = 1;
        }
        return Shape(out);
    };
    const auto draw = [&] { return static_cast<std::int32_t>(random(-1000, 1000)); };
    for (int round = 0; round < 600; ++round) {
        const index_t columns = random(1, 40), rows = random(1, 40);
        const Shape shape = round % 4 == 0 ? Shape{rows, 1, columns} : Shape{rows, columns};
        const auto way = [&] { return random(0, 1) == 0 ? naive::Way::plain : naive::Way::random; };
        naive::Presented<std::int32_t> x(shape, way(), random), y(broadcast(shape), way(), random),
            z(broadcast(shape), way(), random);
        for (auto* p : {&x, &y, &z}) p->fill(draw);
        const Tensor<std::int64_t> sum = bl::cast<std::int64_t>(x.read()) + y.read() * 3 - z.read();
        bool same = true;
        index_t i = 0;
        naive::for_each_index(shape, [&](const bl::IndexList& index) {
            same = same && sum.data()[i++] == x.at(index) + y.at(index) * 3 - z.at(index);
        });
        if (!same) FAIL(x.text() << ", " << y.text() << " and " << z.text());
        // Into rows with gaps.
        Tensor<std::int32_t> wide = bl::zeros<std::int32_t>({rows, columns + 3});
        wide(bl::all, bl::range(1, columns + 1)) =
            z.read().broadcast_to(shape).reshape({rows, columns});
        CHECK(bl::sum(wide) == bl::sum(z.read().broadcast_to(shape)));
    }
}

TEST_CASE("Bytes that stand for true are true whatever their value") {
    // Memory of other programs may hold more than 0 and 1.
    unsigned char bytes[100];
    for (int i = 0; i < 100; ++i) bytes[i] = static_cast<unsigned char>(i % 3 == 0 ? 0 : 1);
    const TensorView<const bool> mask(reinterpret_cast<const bool*>(bytes), Shape{100}, Strides{1});
    const Tensor<int> r = mask * 5 + !mask;
    bool same = true;
    for (int i = 0; i < 100; ++i) same = same && r(i) == (i % 3 == 0 ? 1 : 5);
    CHECK(same);
}

TEST_CASE("Enormous elements are computed without room for many") {
    // A stack of 8 MiB has no room for a block of them.
    using Element = types::Large<160000>;
    Tensor<Element> x = bl::empty<Element>({2, 3});
    double value = 0;
    for (Element& each : x) each = Element{++value, {}};
    const Tensor<Element> twice = x + x, turned = x.transpose() + twice.transpose();
    CHECK((twice(1, 0).first == 8 && turned(2, 1).first == 18));
}

TEST_CASE("A hazard is memory shared other than element for element") {
    Tensor<float> x = bl::ones<float>({4, 4});
    const auto hazard = [&](auto&& e) {
        return kernel::Evaluation(e, x.data(), x.shape(), x.strides()).is_hazard();
    };
    CHECK(!hazard(x + 1.0F));
    CHECK(!hazard(x + x));
    CHECK(hazard(x + x.transpose()));
    CHECK(hazard(x + x[0]));
    CHECK(!hazard(bl::ones<float>({4}) + x));
    const Tensor<float> y = x;
    CHECK(!hazard(y + y.transpose()));
}

TEMPLATE_TEST_CASE("Long rows that go in steps serve all rows of their block", "", signed char,
                   std::int32_t, std::complex<double>) {
    const auto element = [](index_t i) {
        return static_cast<TestType>(static_cast<signed char>(i % 11 - 5));
    };
    const auto filled = [&](const Shape& shape) {
        auto x = bl::empty<TestType>(shape);
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = element(i);
        return x;
    };
    for (const index_t columns : {1030, 3001, 20011, 40003}) {
        const auto x = filled({2, 7, columns}), rows = filled({2, 1, 2 * columns}),
                   row = filled({columns}), gaps = filled({2, 7, columns + 5});
        const auto stepped = rows(bl::ellipsis, bl::range(0, {}, 2)), back = row.flip(0);
        const auto apart = gaps(bl::ellipsis, bl::range(0, columns));
        auto z = bl::empty<TestType>(x.shape());
        index_t wrong = 0;
        const auto check = [&](auto&& value) {
            for (index_t b = 0; b < 2; ++b) {
                for (index_t r = 0; r < 7; ++r) {
                    for (index_t c = 0; c < columns; ++c) wrong += z(b, r, c) != value(b, r, c);
                }
            }
        };
        z = x + stepped;
        check([&](index_t b, index_t r, index_t c) -> TestType {
            return static_cast<TestType>(x(b, r, c) + rows(b, 0, 2 * c));
        });
        z = apart * back - stepped;
        check([&](index_t b, index_t r, index_t c) -> TestType {
            return static_cast<TestType>(gaps(b, r, c) * row(columns - 1 - c) - rows(b, 0, 2 * c));
        });
        // Beside one that is packed anew for every row.
        z = x.flip(-1) + back;
        check([&](index_t b, index_t r, index_t c) -> TestType {
            return static_cast<TestType>(x(b, r, columns - 1 - c) + row(columns - 1 - c));
        });
        z(bl::all) = back + bl::full({}, element(3));
        check([&](index_t, index_t, index_t c) -> TestType {
            return static_cast<TestType>(row(columns - 1 - c) + element(3));
        });
        CHECK(wrong == 0);
    }
}

TEMPLATE_TEST_CASE("Transposed operands are turned in the target, unless it is an operand", "",
                   signed char, std::int32_t, float, std::complex<double>) {
    using T = TestType;
    for (const auto& [rows, columns] :
         {std::pair<index_t, index_t>{9, 130}, {70, 41}, {33, 500}, {100, 257}}) {
        auto x = bl::empty<T>({rows, columns}), y = bl::empty<T>({columns, rows});
        for (index_t i = 0; i < x.size(); ++i) {
            x.data()[i] = static_cast<T>(static_cast<signed char>(i % 7 - 3));
            y.data()[i] = static_cast<T>(static_cast<signed char>(i % 5 - 2));
        }
        const auto turned = y.view().transpose();
        const Tensor<T> own = turned.copy(), before = x;
        const auto column = x(bl::all, bl::range(0, 1)), row = x(bl::range(0, 1), bl::all);
        Tensor<T> z = x + turned;
        CHECK(bl::array_equal(z, x + own));
        z = turned * turned + x * turned;
        CHECK(bl::array_equal(z, own * own + x * own));
        z = (turned - column) * row + T(3);
        CHECK(bl::array_equal(z, (own - column) * row + T(3)));
        z = bl::map([](T a, T b) { return static_cast<T>(a + b + b); }, x, turned);
        CHECK(bl::array_equal(z, x + own + own));
        // In place, and from what dies with the expression.
        x += turned;
        CHECK(bl::array_equal(x, before + own));
        x = before * turned + x;
        CHECK(bl::array_equal(x, before * own + (before + own)));
        Tensor<T> last = Tensor<T>(before) + turned;
        CHECK(bl::array_equal(last, before + own));
    }
}

TEST_CASE("Many tiles of short loops, in any order and direction, are read and written right") {
    const index_t n = 3000;
    const auto check = [](auto&& target, const auto& x, const auto& y) {
        target.fill(-1);
        target = x * 2 + y;
        index_t wrong = 0;
        auto a = x.begin(), b = y.begin();
        for (const auto value : target) wrong += value != *a++ * 2 + *b++;
        CHECK(wrong == 0);
    };
    const auto plain = bl::arange<int>(n * 2 * 3 * 4).reshape({n, 2, 3, 4});
    const Shape shape = plain.shape();
    auto whole = bl::empty<int>(shape);
    auto wide = bl::full<int>({n, 2, 3, 8}, 7);
    const auto few = bl::arange<int>(6).reshape({2, 3, 1});
    const auto backwards = plain.flip(-1),
               turned = plain.reshape({n, 4, 3, 2}).permute({0, 3, 2, 1});
    check(whole, backwards, few.broadcast_to(shape));
    check(whole, turned, plain.view());
    check(whole, turned.flip(1), backwards);
    check(whole, bl::as_strided(plain, shape, {3, 1, 2, 1}), plain.view());
    // Every second element of the last axis, backwards: the others stay.
    check(wide(bl::ellipsis, bl::range({}, {}, -2)), turned, few.broadcast_to(shape));
    CHECK(bl::sum(wide(bl::ellipsis, bl::range(0, {}, 2))) == 7 * n * 2 * 3 * 4);
}
