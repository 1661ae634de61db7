#include "broadloom/operations/math.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/elementwise.hpp"
#include "support/gives.hpp"
#include "support/same_bits.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using naive::gives;

namespace {

template <class F, class E>
constexpr bool applies =
    std::is_same_v<std::remove_cvref_t<decltype(std::declval<const E&>().function())>, F>;
using View = TensorView<const float>;

// A function is a functor and a line: here the lines, the functors have tests of their own.
#define APPLIES(name) \
    static_assert(applies<bl::scalar::name, decltype(bl::name(std::declval<View>()))>, #name)
#define APPLIES_TO_TWO(name)                                                                       \
    static_assert(                                                                                 \
        applies<bl::scalar::name, decltype(bl::name(std::declval<View>(), std::declval<View>()))>, \
        #name)
APPLIES(abs);
APPLIES(sign);
APPLIES(square);
APPLIES(sqrt);
APPLIES(rsqrt);
APPLIES(cbrt);
APPLIES(exp);
APPLIES(exp2);
APPLIES(expm1);
APPLIES(log);
APPLIES(log2);
APPLIES(log10);
APPLIES(log1p);
APPLIES(sin);
APPLIES(cos);
APPLIES(tan);
APPLIES(asin);
APPLIES(acos);
APPLIES(atan);
APPLIES(sinh);
APPLIES(cosh);
APPLIES(tanh);
APPLIES(asinh);
APPLIES(acosh);
APPLIES(atanh);
APPLIES(sigmoid);
APPLIES(relu);
APPLIES(gelu);
APPLIES(silu);
APPLIES(softplus);
APPLIES(erf);
APPLIES(floor);
APPLIES(ceil);
APPLIES(round);
APPLIES(trunc);
APPLIES(reciprocal);
APPLIES(isnan);
APPLIES(isinf);
APPLIES(isfinite);
APPLIES_TO_TWO(atan2);
APPLIES_TO_TWO(hypot);
APPLIES_TO_TWO(logaddexp);
APPLIES_TO_TWO(copysign);
APPLIES_TO_TWO(pow);

/// The functor of an operation beside NumPy's results.
template <class T, class F>
void compare_with_numpy(const reference::Elementwise& record, F f) {
    const std::vector<T> values = reference::elements<T>(record.values),
                         expected = reference::elements<T>(record.results);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const T result = f(values[i]);
        if (!naive::same_bits(result, expected[i])) {
            FAIL(record.operation << " of " << record.type << " " << +values[i] << " gives "
                                  << +result << ", not " << +expected[i]);
        }
    }
}
template <class F>
int compare_floats(const char* operation, F f) {
    return reference::for_each_record(operation, [&](const reference::Elementwise& record) {
        if (record.type == "float32") compare_with_numpy<float>(record, f);
        if (record.type == "float64") compare_with_numpy<double>(record, f);
    });
}
template <class F>
int compare_all(const char* operation, F f) {
    reference::for_each_record(operation, [&](const reference::Elementwise& record) {
        if (record.type == "int16") compare_with_numpy<std::int16_t>(record, f);
        if (record.type == "int32") compare_with_numpy<std::int32_t>(record, f);
        if (record.type == "int64") compare_with_numpy<std::int64_t>(record, f);
        if (record.type == "uint32") compare_with_numpy<std::uint32_t>(record, f);
        if (record.type == "uint64") compare_with_numpy<std::uint64_t>(record, f);
    });
    return compare_floats(operation, f);
}

}  // namespace

TEST_CASE("Rounding, signs and magnitudes are as NumPy has them") {
    CHECK(compare_floats("rint", bl::scalar::round{}) == 2);
    CHECK(compare_floats("floor", bl::scalar::floor{}) == 2);
    CHECK(compare_floats("ceil", bl::scalar::ceil{}) == 2);
    CHECK(compare_floats("trunc", bl::scalar::trunc{}) == 2);
    CHECK(compare_floats("square", bl::scalar::square{}) == 2);
    CHECK(compare_all("sign", bl::scalar::sign{}) == 7);
    CHECK(compare_all("absolute", bl::scalar::abs{}) == 7);
}

TEST_CASE("Elements may be rounded to some decimals, or to tens") {
    const bl::Tensor<double> x{1.234, -5.678, 15};
    CHECK(gives(bl::round(x, 1), bl::Tensor<double>{1.2, -5.7, 15}));
    CHECK(gives(bl::round(x, 0), bl::Tensor<double>{1, -6, 15}));
    CHECK(gives(bl::round(x, -1), bl::Tensor<double>{0, -10, 20}));
    CHECK(gives(bl::round(bl::Tensor<int>{14, 15, 250}, -1), bl::Tensor<int>{10, 20, 250}));
}

TEST_CASE("Integer powers are as NumPy has them") {
    const auto compare = [](const reference::Elementwise& record, auto one) {
        using T = decltype(one);
        const std::vector<T> bases = reference::elements<T>(record.values),
                             expected = reference::elements<T>(record.results);
        std::size_t i = 0;
        for (const T base : bases) {
            for (const T exponent : bases) {
                if (exponent < 0) continue;
                const T result = bl::scalar::pow{}(base, exponent);
                if (result != expected.at(i++))
                    FAIL(record.type << " " << base << " to the " << exponent << ": " << result);
            }
        }
    };
    CHECK(reference::for_each_record("power", [&](const reference::Elementwise& record) {
              if (record.type == "int32") compare(record, std::int32_t());
              if (record.type == "int64") compare(record, std::int64_t());
              if (record.type == "uint64") compare(record, std::uint64_t());
          }) == 3);
}

TEST_CASE("Functions are computed for every element, through any layout, near the standard's") {
    const Tensor<double> x = bl::linspace(0.01, 3, 180).reshape({2, 90});
    const Tensor<double> y = bl::tanh(bl::log(x.transpose())) + bl::exp(x.transpose());
    bool near = y.shape() == Shape{90, 2};
    for (index_t i = 0; i < 90; ++i) {
        for (index_t j = 0; j < 2; ++j) {
            near =
                near &&
                y(i, j) == Approx(std::tanh(std::log(x(j, i))) + std::exp(x(j, i))).epsilon(1e-14);
        }
    }
    CHECK(near);
}

TEST_CASE("Integers keep their type where the result is one, and give double where not") {
    const Tensor<std::int8_t> x = {-128, -1, 0, 5};
    CHECK(gives(bl::abs(x), Tensor<std::int8_t>{-128, 1, 0, 5}));
    CHECK(gives(bl::reciprocal(bl::square(x)), Tensor<std::int8_t>{0, 1, 0, 0}));
    CHECK(gives(bl::sqrt(Tensor<int>{4, 9}), Tensor<double>{2, 3}));
}

TEST_CASE("Functions of two operands broadcast, and take numbers as weak") {
    const Tensor<double> y = {{1}, {-2}}, x = {3, -4, 0.5};
    const Tensor<double> angle = bl::atan2(y, x);
    CHECK(angle.shape() == Shape{2, 3});
    CHECK(angle(1, 1) == Approx(std::atan2(-2.0, -4.0)));
    CHECK(angle(0, 2) == Approx(std::atan2(1.0, 0.5)));
    const Tensor<float> signs = bl::copysign(Tensor<float>{1, -2}, -0.0);
    CHECK((std::signbit(signs(0)) && signs(1) == -2));
}

TEMPLATE_TEST_CASE("An angle in a million changes no bit of its neighbours, in place or nested", "",
                   float, double) {
    using T = TestType;
    const T far = static_cast<T>(1e6), nan = std::numeric_limits<T>::quiet_NaN();
    for (const bl::index_t size : {1, 15, 16, 17, 40, 100}) {
        const Tensor<T> x = bl::linspace<T>(-3, 3, size);
        const Tensor<T> plain = bl::sin(x);
        for (bl::index_t at = 0; at < size; at += 7) {
            for (const T odd : {far, -far, nan, std::numeric_limits<T>::infinity()}) {
                Tensor<T> y = x;
                y(at) = odd;
                Tensor<T> expected = plain;
                expected(at) = bl::scalar::sin{}(odd);
                y = bl::sin(y);
                CHECK(naive::equal(y(bl::range(0, at)), expected(bl::range(0, at))));
                CHECK(naive::equal(y(bl::range(at + 1, {})), expected(bl::range(at + 1, {}))));
                CHECK((y(at) == expected(at) || (y(at) != y(at) && odd != far && odd != -far)));
                Tensor<T> z = x;
                z(at) = odd;
                const Tensor<T> sum = bl::sin(z * T(1)) + bl::tan(z);
                for (bl::index_t i = 0; i < size; ++i) {
                    const auto alone = std::as_const(z)(bl::range(i, i + 1));
                    const T one = bl::eval(bl::sin(alone) + bl::tan(alone)).item();
                    CHECK((sum(i) == one || (sum(i) != sum(i) && one != one)));
                }
            }
        }
    }
}

TEST_CASE("A whole number beside integers keeps its value where the result is real") {
    const Tensor<std::uint8_t> u = {1, 200};
    CHECK(gives(bl::true_divide(u, 1000), Tensor<double>{0.001, 0.2}));
    CHECK(gives(bl::true_divide(1000, u), Tensor<double>{1000, 5}));
    CHECK(gives(bl::copysign(u, -1), Tensor<double>{-1, -200}));
    CHECK(bl::eval(bl::hypot(u, 300))(1) == std::hypot(200.0, 300.0));
    CHECK(bl::eval(bl::atan2(u, -1))(0) > 2.3);
}

TEST_CASE("Counts and exponents may be more than the elements can hold") {
    const Tensor<std::uint8_t> u = {1, 3};
    const Tensor<std::int8_t> i = {-1, 3};
    CHECK(gives(u << 256, Tensor<std::uint8_t>{0, 0}));
    CHECK(gives(i >> 1000, Tensor<std::int8_t>{-1, 0}));
    CHECK(gives(bl::pow(u, -1), Tensor<std::uint8_t>{1, 0}));
    // 3 to the 64th is 1 modulo 256.
    CHECK(gives(bl::pow(u, 256), Tensor<std::uint8_t>{1, 1}));
    CHECK(gives(bl::pow(i, 257), Tensor<std::int8_t>{-1, 3}));
    Tensor<std::uint8_t> shifted = u;
    shifted <<= 300;
    CHECK(gives(shifted, Tensor<std::uint8_t>{0, 0}));
}
