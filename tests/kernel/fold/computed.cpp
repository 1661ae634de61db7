// A fold of a formula has the bits of the same fold of its elements, which the loop alone computed:
// for rows and columns of every length, operands of every layout, and elements of several types.
#include "broadloom/kernel/fold/computed.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/statistics.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/present.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::Axes, bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using naive::Presented, naive::Random, naive::same_bits, naive::Way;
using settings::Restore;

namespace {

template <class T>
T any_value(Random& random) {
    if constexpr (std::is_floating_point_v<T>) {
        if (random(0, 99) == 0) return T(0) / T(random(0, 9) == 0 ? 0 : -1);
        return static_cast<T>(random.bits()) / T(4294967296.0) * T(20) - T(10);
    } else {
        return static_cast<T>(random.bits());
    }
}

/// An operand of the shape, in some layout.
template <class T>
Presented<T> whole_operand(const Shape& shape, Random& random) {
    const Way way = random(0, 1) == 0 ? Way::plain : Way::random;
    Presented<T> x(shape, way, random);
    x.fill([&] { return any_value<T>(random); });
    return x;
}
/// The same with some of its extents 1.
template <class T>
Presented<T> operand(const Shape& shape, Random& random) {
    bl::IndexList extents;
    for (const index_t extent : shape) extents.push_back(random(0, 3) == 0 ? 1 : extent);
    return whole_operand<T>(Shape(extents), random);
}

/// Compares folds of what `make` makes with those of its elements: `check(formula, elements)`.
template <class Make, class Check>
void compare(Make&& make, const std::string& what, Check&& check) {
    kernel::set_isa(0);
    const Tensor<typename decltype(make())::value_type> elements = make();
    for (int level = 0; level <= 2; ++level) {
        kernel::set_isa(level);
        INFO(what << " at level " << level);
        check(make, elements);
    }
}
template <class Make>
void compare_sums(Make&& make, const Axes& axes, const std::string& what) {
    compare(make, what, [&](const auto& formula, const auto& elements) {
        CHECK(same_bits(bl::sum(formula(), axes), bl::sum(elements, axes)));
    });
}
template <class Make>
void compare_variances(Make&& make, const Axes& axes, const std::string& what) {
    compare(make, what, [&](const auto& formula, const auto& elements) {
        CHECK(same_bits(bl::var(formula(), axes), bl::var(elements, axes)));
    });
}
template <class Make>
void compare_folds(Make&& make, const Axes& axes, const std::string& what) {
    compare(make, what, [&](const auto& formula, const auto& elements) {
        CHECK(same_bits(bl::sum(formula(), axes), bl::sum(elements, axes)));
        CHECK(same_bits(bl::max(formula(), axes), bl::max(elements, axes)));
        CHECK(same_bits(bl::mean(formula(), axes), bl::mean(elements, axes)));
        CHECK(same_bits(bl::norm(formula(), axes), bl::norm(elements, axes)));
    });
}

const Shape shapes[] = {{63},      {64},       {65},     {1000},      {5, 64},      {9, 100},
                        {3, 700},  {700, 3},   {64, 64}, {40, 33},    {17, 40, 9},  {6, 7, 64},
                        {6, 7, 5}, {33, 5, 4}, {2, 600}, {70, 2, 35}, {20, 18, 66}, {3, 4, 5, 40}};

/// Calls `f(shape, axes, what)` for every shape and set of axes; `what` names them.
template <class F>
void for_each_fold(Random& random, F&& f) {
    for (const Shape& shape : shapes) {
        for (std::uint32_t mask = 1; mask < (1U << shape.rank()); ++mask) {
            f(shape, folds::axes_of(mask, shape.rank(), random),
              bl::detail::text(shape) + " over the mask " + std::to_string(mask) + " of ");
        }
    }
}

}  // namespace

TEMPLATE_TEST_CASE("A fold of a formula has the bits of a fold of its elements", "", float, double,
                   std::uint8_t) {
    const Restore restore;
    Random random(11);
    for_each_fold(random, [&](const Shape& shape, const Axes& axes, const std::string& what) {
        const auto a = operand<TestType>(shape, random), b = operand<TestType>(shape, random);
        const auto c = whole_operand<TestType>(shape, random);
        const auto d = whole_operand<std::int32_t>(shape, random);
        const std::string all =
            what + a.text() + ", " + b.text() + ", " + c.text() + ", " + d.text();
        // Few steps, whose flat blocks have loops of their own.
        compare_folds([&] { return a.read() * c.read(); }, axes, all);
        // More steps, elements of several types, and a constant.
        compare_sums([&] { return square(a.read() - TestType(1)) * b.read() - d.read(); }, axes,
                     all);
    });
}

TEST_CASE("A variance of a formula has the bits of the variance of its elements") {
    const Restore restore;
    Random random(13);
    for_each_fold(random, [&](const Shape& shape, const Axes& axes, const std::string& what) {
        const auto a = operand<float>(shape, random), b = operand<float>(shape, random);
        const Tensor<float> whole = bl::ones<float>(shape);
        compare_variances([&] { return a.read() * b.read() + whole; }, axes,
                          what + a.text() + ", " + b.text());
    });
}

TEST_CASE("Results of many tiles are those of a fold of the elements") {
    const Restore restore;
    Random random(12);
    using View = TensorView<const float>;
    const auto distances = [](const View& x, const View& y, index_t axis, const char* what) {
        compare_folds([&] { return bl::abs(x - y); }, axis, what);
        compare_variances([&] { return bl::abs(x - y); }, axis, what);
    };
    const auto a = operand<float>({600, 50}, random), b = operand<float>({600, 50}, random);
    for (const index_t depth : {2, 3, 20, 50}) {
        const auto left = a.read().broadcast_to({600, 50})(bl::all, bl::newaxis, bl::range(depth));
        const auto right = b.read().broadcast_to({600, 50})(bl::range(531), bl::range(depth));
        distances(left, right, -1, "pairs of rows");
    }
    const Tensor<float> point = bl::full<float>({}, 2.5F);
    // Of the last columns there are too few for a vector.
    const auto tall = operand<float>({3000, 1030}, random);
    distances(tall.read().broadcast_to({3000, 1030}), point, 0, "tall columns");
    const auto rows = operand<float>({3, 40000}, random);
    distances(rows.read().broadcast_to({3, 40000}), point, -1, "long rows");
    distances(rows.read().broadcast_to({3, 40000}), point, 0, "long columns");
}

TEMPLATE_TEST_CASE("Panels of columns serve many rows around and change no bit", "", float, double,
                   std::uint8_t) {
    const Restore restore;
    Random random(14);
    constexpr index_t around = 17;
    // Blocks of 16 and 8, what is left of them, and lanes of two or four rows, for every type.
    for (const index_t depth : {7, 8, 11, 16, 29, 32, 64, 70, 128, 256, 500}) {
        for (const index_t width : {16, 33, 64, 100, 700}) {
            const auto a = whole_operand<TestType>({around, 1, depth}, random);
            const auto b = whole_operand<TestType>({1, width, depth}, random);
            const auto c = whole_operand<TestType>({depth, width}, random);
            const auto weights = whole_operand<TestType>({depth}, random);
            const auto d = whole_operand<TestType>({2, 1, width, depth}, random);
            const std::string what = std::to_string(depth) + " rows of " + std::to_string(width) +
                                     " columns, " + a.text() + ", " + b.text() + ", " + c.text();
            const auto columns = a.read().squeeze(1).unsqueeze(-1);
            bl::set_num_threads(depth % 2 == 0 ? 1 : 3);
            compare_folds([&] { return a.read() - b.read(); }, -1, what);
            compare_sums([&] { return square(a.read() - b.read()) * weights.read(); }, -1, what);
            compare_sums([&] { return columns * c.read(); }, 1, what + " side by side");
            compare_sums([&] { return a.read() * d.read(); }, -1, what + " in batches");
        }
    }
}

TEST_CASE("Of two loops that cost as much the inner one becomes the columns") {
    const Restore restore;
    Random random(15);
    using View = TensorView<const double>;
    const auto a = whole_operand<double>({100, 9}, random);
    const auto b = whole_operand<double>({24, 31}, random);
    const Tensor<double> x(a.read()), y(b.read());
    const View left = x.transpose().unsqueeze(1), right = y.transpose().unsqueeze(1).unsqueeze(-1);
    compare_folds([&] { return left - right; }, 2, "nine columns that fill no vector");
}
