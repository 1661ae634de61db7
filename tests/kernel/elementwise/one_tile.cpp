// Jobs of a tile or two: through any strides, of any width, the elements are those that a plan
// would have computed; and which jobs these are.
#include "broadloom/kernel/elementwise/one_tile.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include "broadloom/kernel/describe.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class T>
Tensor<T> counted(const Shape& shape, index_t from) {
    Tensor<T> x = bl::empty<T>(shape);
    for (index_t i = 0; i < x.size(); ++i)
        x.data()[i] = static_cast<T>(static_cast<std::int8_t>((from + i * 7) % 61));
    return x;
}

/// One (rows, columns) of elements each, in layouts that loops do not take as they lie.
template <class T>
std::vector<Tensor<T>> memory_of_views(index_t rows, index_t columns) {
    return {counted<T>({columns, rows}, 1),     counted<T>({rows, columns}, 2),
            counted<T>({rows, 2 * columns}, 3), counted<T>({columns}, 4),
            counted<T>({rows, 1}, 5),           counted<T>({1, 1}, 6)};
}
template <class T>
std::vector<TensorView<const T>> views_of(const std::vector<Tensor<T>>& memory, index_t rows,
                                          index_t columns) {
    const Shape shape{rows, columns};
    return {memory[0].transpose(),   memory[1].flip({1}),
            memory[1].flip({0, 1}),  memory[2](bl::all, bl::range(1, 2 * columns, 2)),
            memory[3].expand(shape), memory[4].expand(shape),
            memory[5].expand(shape), memory[1]};
}

/// x - y * x of all pairs of views, into a new tensor and into the middle columns of another one.
template <class T>
int wrong_pairs(index_t rows, index_t columns) {
    const auto memory = memory_of_views<T>(rows, columns);
    const auto views = views_of(memory, rows, columns);
    int wrong = 0;
    for (const auto& x : views) {
        for (const auto& y : views) {
            const auto a = naive::values(x), b = naive::values(y);
            std::vector<T> expected;
            for (std::size_t i = 0; i < a.size(); ++i)
                expected.push_back(static_cast<T>(a[i] - static_cast<T>(b[i] * a[i])));
            const Tensor<T> z = x - y * x;
            wrong += naive::values(z) != expected;
            Tensor<T> around = bl::full<T>({rows, columns + 3}, T{99});
            TensorView<T> slice = around(bl::all, bl::range(1, columns + 1));
            slice = x - y * x;
            wrong += naive::values(slice) != expected;
            slice.fill(T{38});
            for (const T& element : naive::values(around))
                wrong += element != T{38} && element != T{99};
            wrong += around(0, 0) != T{99} || around(rows - 1, columns + 2) != T{99};
        }
    }
    return wrong;
}

std::string told(const Shape& x, const Shape& y) {
    return bl::describe_plan(bl::ones<float>(x) + bl::ones<float>(y));
}

}  // namespace

TEST_CASE("What is packed over the whole shape is computed as one run") {
    CHECK(wrong_pairs<float>(20, 28) == 0);
    CHECK(wrong_pairs<float>(131, 2) == 0);
    CHECK(wrong_pairs<double>(3, 167) == 0);
    CHECK(wrong_pairs<std::int8_t>(37, 13) == 0);
    CHECK(wrong_pairs<std::int16_t>(64, 33) == 0);
    CHECK(wrong_pairs<std::int64_t>(30, 31) == 0);
    CHECK(wrong_pairs<std::complex<float>>(17, 15) == 0);
    CHECK(wrong_pairs<std::complex<double>>(11, 23) == 0);
    CHECK(wrong_pairs<long double>(9, 25) == 0);
}

TEST_CASE("What is only copied goes where the result is, and nowhere beside it") {
    const auto check = [](index_t rows, index_t columns) {
        const auto memory = memory_of_views<std::int32_t>(rows, columns);
        for (const auto& x : views_of(memory, rows, columns)) {
            Tensor<std::int32_t> whole = bl::full<std::int32_t>({rows + 2, columns}, 99);
            TensorView<std::int32_t> inside = whole(bl::range(1, rows + 1));
            inside = x;
            CHECK(naive::values(inside) == naive::values(x));
            CHECK(whole(0, columns - 1) == 99);
            CHECK(whole(rows + 1, 0) == 99);
            Tensor<std::int32_t> around = bl::full<std::int32_t>({rows, columns + 2}, 99);
            TensorView<std::int32_t> slice = around(bl::all, bl::range(1, columns + 1));
            slice = x;
            CHECK(naive::values(slice) == naive::values(x));
            CHECK(bl::sum(around) == bl::sum(x) + 2 * rows * 99);
        }
    };
    check(23, 14);
    check(300, 1);
    check(1, 300);
}

TEST_CASE("A result may be written over an operand of such a job") {
    Tensor<float> x = counted<float>({30, 40}, 1);
    const auto before = naive::values(x), turned = naive::values(x.flip({1}));
    TensorView<float> slice = x(bl::all, bl::range(3, 33));
    const auto old = naive::values(slice);
    slice += bl::ones<float>({30, 1}) * slice.flip({0}).flip({0});
    for (std::size_t i = 0; i < old.size(); ++i) CHECK(naive::values(slice)[i] == 2 * old[i]);
    x = counted<float>({30, 40}, 1);
    x += x.flip({1});
    const auto after = naive::values(x);
    int wrong = 0;
    for (std::size_t i = 0; i < after.size(); ++i) wrong += after[i] != before[i] + turned[i];
    CHECK(wrong == 0);
}

TEST_CASE("Kinds of elements may differ, and one copy serves twins") {
    const Tensor<std::int8_t> bytes = counted<std::int8_t>({40, 30}, 1);
    const Tensor<double> wide = counted<double>({30, 1}, 2);
    const Tensor<bool> mask = bytes > std::int8_t{30};
    const Tensor<double> z = bl::where(mask.transpose(), bytes.transpose(), wide);
    int wrong = 0;
    for (index_t i = 0; i < 30; ++i) {
        for (index_t j = 0; j < 40; ++j) {
            const double element = bytes(j, i);
            wrong += z(i, j) != (element > 30 ? element : wide(i, 0));
        }
    }
    CHECK(wrong == 0);
    const Tensor<float> x = bl::ones<float>({30, 40});
    const std::string square = bl::describe_plan(x.transpose() * x.transpose() + 1.0F);
    CHECK_THAT(square, ContainsSubstring("1 flat run of 1200\noperand 0: packed\n"
                                         "operand 1: packed with operand 0\n"));
}

TEST_CASE("Jobs of a tile or two are one run, if the copies are not too many") {
    CHECK_THAT(told({700, 3}, {3}), ContainsSubstring("1 flat run of 2100\noperand 0: direct\n"
                                                      "operand 1: packed\n"));
    CHECK_THAT(told({700, 3}, {700, 1}), ContainsSubstring("1 flat run"));
    CHECK_THAT(told({1400, 3}, {3}), ContainsSubstring("loops"));
    CHECK_THAT(told({1, 3}, {1300, 1}), ContainsSubstring("loops"));
    const Tensor<float> x = bl::ones<float>({100, 30});
    const auto y = x.transpose();
    CHECK_THAT(bl::describe_plan(y + bl::ones<float>({100})), ContainsSubstring("1 flat run"));
    const Tensor<double> d = bl::ones<double>({40, 50});
    CHECK_THAT(bl::describe_plan(d.transpose() + 1.0), ContainsSubstring("1 flat run"));
    CHECK_THAT(bl::describe_plan(d.transpose() * d.transpose().flip({0})),
               ContainsSubstring("loops"));
}
