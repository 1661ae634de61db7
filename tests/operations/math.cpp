#include "broadloom/operations/math.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/elementwise.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::array_equal, bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;

namespace {

/// A function of this library beside one of the standard, over values that lie with gaps.
template <class F, class G>
bool near_standard(F f, G standard, const std::vector<double>& values) {
    const TensorView<const double> x(values.data(), Shape{static_cast<index_t>(values.size() + 1) / 2}, {2});
    const Tensor<double> result = f(x);
    for (index_t i = 0; i < x.size(); ++i) {
        const double expected = standard(x(i)), got = result(i);
        const bool same = reference::identical(got, expected) ||
                          std::abs(got - expected) <= 1e-14 * std::max(std::abs(expected), 1e-300);
        if (!same) {
            UNSCOPED_INFO("of " << x(i) << ": " << got << ", not " << expected);
            return false;
        }
    }
    return true;
}

#define NEAR_STANDARD(name, values) \
    CHECK(near_standard([](auto x) { return bl::name(x); }, [](double x) { return std::name(x); }, values))

template <class T>
void compare_with_numpy(const reference::Elementwise& record) {
    const std::vector<T> values = reference::elements<T>(record.values), expected = reference::elements<T>(record.results);
    const TensorView<const T> x(values.data(), Shape{static_cast<index_t>(values.size())}, {1});
    const auto all = [&](const Tensor<T>& result) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!reference::identical(result.data()[i], expected[i])) {
                FAIL(record.operation << " of " << record.type << " " << +values[i] << " gives " << +result.data()[i] << ", not "
                                      << +expected[i]);
            }
        }
    };
    if (record.operation == "sign") all(bl::sign(x));
    if (record.operation == "absolute") all(bl::abs(x));
    if constexpr (std::is_floating_point_v<T>) {
        if (record.operation == "rint") all(bl::round(x));
        if (record.operation == "floor") all(bl::floor(x));
        if (record.operation == "ceil") all(bl::ceil(x));
        if (record.operation == "trunc") all(bl::trunc(x));
        if (record.operation == "square") all(bl::square(x));
    }
}

}  // namespace

TEST_CASE("Rounding, signs and magnitudes are as NumPy has them") {
    int count = 0;
    for (const char* const operation : {"rint", "floor", "ceil", "trunc", "sign", "absolute", "square"}) {
        count += reference::for_each_record(operation, [](const reference::Elementwise& record) {
            if (record.type == "float32") compare_with_numpy<float>(record);
            if (record.type == "float64") compare_with_numpy<double>(record);
            if (record.type == "int16") compare_with_numpy<std::int16_t>(record);
            if (record.type == "int64") compare_with_numpy<std::int64_t>(record);
            if (record.type == "uint32") compare_with_numpy<std::uint32_t>(record);
        });
    }
    CHECK(count == 7 * 2 + 2 * 5);
}

TEST_CASE("Integer powers are as NumPy has them") {
    const auto compare = [](const reference::Elementwise& record, auto one) {
        using T = decltype(one);
        const std::vector<T> bases = reference::elements<T>(record.values), expected = reference::elements<T>(record.results);
        std::vector<T> exponents;
        for (const T e : bases) {
            if (e >= 0) exponents.push_back(e);
        }
        const Tensor<T> r = bl::pow(bl::view_of(bases).unsqueeze(1), bl::view_of(exponents));
        REQUIRE(r.size() == static_cast<index_t>(expected.size()));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (r.data()[i] != expected[i]) FAIL(record.type << " " << i << ": " << r.data()[i] << ", not " << expected[i]);
        }
    };
    CHECK(reference::for_each_record("power", [&](const reference::Elementwise& record) {
              if (record.type == "int32") compare(record, std::int32_t());
              if (record.type == "int64") compare(record, std::int64_t());
              if (record.type == "uint64") compare(record, std::uint64_t());
          }) == 3);
}

TEST_CASE("Functions are near the standard's") {
    const double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> small, positive;
    for (int i = -60; i <= 60; ++i) small.push_back(i / 61.0);
    for (int i = 1; i <= 80; ++i) positive.push_back(i * i / 7.0);
    for (const double x : {inf, -inf, none, 0.0, -0.0}) small.insert(small.end(), {x, x});
    NEAR_STANDARD(exp, small);
    NEAR_STANDARD(expm1, small);
    NEAR_STANDARD(tanh, small);
    NEAR_STANDARD(atan, small);
    NEAR_STANDARD(erf, small);
    NEAR_STANDARD(cbrt, small);
    NEAR_STANDARD(sqrt, positive);
    NEAR_STANDARD(log, positive);
    NEAR_STANDARD(log2, positive);
    NEAR_STANDARD(log10, positive);
    NEAR_STANDARD(log1p, positive);
}

TEST_CASE("Compositions are what their formulas say") {
    const Tensor<double> x = bl::linspace(-4, 4, 33);
    const auto close = [](const auto& a, const auto& b) { return bl::allclose(a, b, 1e-13, 1e-15); };
    CHECK(close(bl::eval(bl::sigmoid(x)), bl::eval(1 / (1 + bl::exp(-x)))));
    CHECK(close(bl::eval(bl::silu(x)), bl::eval(x / (1 + bl::exp(-x)))));
    CHECK(close(bl::eval(bl::softplus(x)), bl::eval(bl::log1p(bl::exp(x)))));
    CHECK(close(bl::eval(bl::gelu(x)), bl::eval(x * 0.5 * (1 + bl::erf(x / std::sqrt(2.0))))));
    CHECK(close(bl::eval(bl::rsqrt(bl::square(x) + 1)), bl::eval(bl::reciprocal(bl::sqrt(x * x + 1)))));
    CHECK(array_equal(bl::relu(Tensor<float>{-1, 0, 2}), Tensor<float>{0, 0, 2}));
    CHECK(bl::eval(bl::softplus(Tensor<double>{1000, -1000}))(0) == 1000.0);
    CHECK(bl::eval(bl::sigmoid(Tensor<double>{-1000}))(0) == 0.0);
}

TEST_CASE("Integers keep their type where the result is one, and give double where not") {
    const Tensor<std::int8_t> x = {-128, -1, 0, 5};
    CHECK(array_equal(bl::abs(x), Tensor<std::int8_t>{-128, 1, 0, 5}));
    CHECK(array_equal(bl::square(x), Tensor<std::int8_t>{0, 1, 0, 25}));
    CHECK(array_equal(bl::floor(x), x));
    CHECK(array_equal(bl::reciprocal(x), Tensor<std::int8_t>{0, -1, 0, 0}));
    CHECK(array_equal(bl::sqrt(Tensor<int>{4, 9}), Tensor<double>{2, 3}));
    CHECK(array_equal(bl::exp(Tensor<bool>{false}), Tensor<double>{1}));
}

TEST_CASE("Classes of values are told apart") {
    const float inf = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    const Tensor<float> x = {0, none, inf, -inf, 1e-45F, -none};
    CHECK(array_equal(bl::isnan(x), Tensor<bool>{false, true, false, false, false, true}));
    CHECK(array_equal(bl::isinf(x), Tensor<bool>{false, false, true, true, false, false}));
    CHECK(array_equal(bl::isfinite(x), Tensor<bool>{true, false, false, false, true, false}));
    CHECK(array_equal(bl::isnan(Tensor<int>{1}), Tensor<bool>{false}));
}

TEST_CASE("Functions of two operands broadcast, and take numbers as weak") {
    const Tensor<double> y = {{1}, {-2}}, x = {3, -4, 0.5};
    const auto each = [&](const Tensor<double>& result, double (*standard)(double, double)) {
        bool near = result.shape() == Shape{2, 3};
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 3; ++j) near = near && result(i, j) == Approx(standard(y(i, 0), x(j))).epsilon(1e-14);
        }
        return near;
    };
    CHECK(each(bl::atan2(y, x), [](double a, double b) { return std::atan2(a, b); }));
    CHECK(each(bl::hypot(y, x), [](double a, double b) { return std::hypot(a, b); }));
    CHECK(each(bl::copysign(y, x), [](double a, double b) { return std::copysign(a, b); }));
    CHECK(each(bl::pow(bl::abs(y), x), [](double a, double b) { return std::pow(std::abs(a), b); }));
    CHECK(std::signbit(bl::eval(bl::copysign(Tensor<float>{1}, -0.0))(0)));
}

TEST_CASE("Complex numbers have a magnitude and a direction") {
    using Z = std::complex<double>;
    const Tensor<Z> z = {Z(3, 4), Z(0, 0)};
    CHECK(array_equal(bl::abs(z), Tensor<double>{5, 0}));
    CHECK(std::abs(bl::eval(bl::sign(z))(0) - Z(0.6, 0.8)) < 1e-15);
    CHECK(bl::eval(bl::sign(z))(1) == Z(0, 0));
    CHECK(array_equal(bl::square(z), Tensor<Z>{Z(-7, 24), Z(0, 0)}));
    CHECK(std::abs(bl::eval(bl::sqrt(z))(0) - std::sqrt(Z(3, 4))) < 1e-15);
}
