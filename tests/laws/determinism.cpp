// The same bits come out of every instruction set, and fused or not.
#include <complex>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/cumulative.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using naive::Random, naive::same_bits;

namespace {

/// Values whose products and quotients all need rounding.
template <class T>
Tensor<T> awkward(const Shape& shape, std::uint32_t seed) {
    Random random(seed);
    Tensor<T> x = bl::empty<T>(shape);
    for (index_t i = 0; i < x.size(); ++i) {
        x.data()[i] =
            static_cast<T>(static_cast<double>(random.bits()) / 4294967296.0 * 20.0 - 10.0);
    }
    return x;
}

/// Holds when `compute` gives the same bits at every level the processor has.
template <class F>
bool same_at_every_level(F&& compute) {
    bl::kernel::set_isa(0);
    const auto baseline = compute();
    bool same = true;
    for (int level = 1; level <= 2; ++level) {
        bl::kernel::set_isa(level);
        same = same && same_bits(baseline, compute());
    }
    bl::kernel::set_isa(2);
    return same;
}

template <class T>
void check_arithmetic(const Shape& shape, const Shape& other) {
    const Tensor<T> x = awkward<T>(shape, 1), y = awkward<T>(other, 2), z = awkward<T>(shape, 3);
    // Products and sums, which a processor with FMA would like to round once.
    const auto fused = [&] { return bl::eval(x * y + z - y * T(0.3)); };
    CHECK(same_at_every_level(fused));
    // Fused or step by step.
    const Tensor<T> product = x * y, scaled = y * T(0.3);
    const Tensor<T> sum = product + z;
    CHECK(same_bits(fused(), bl::eval(sum - scaled)));
}

}  // namespace

TEST_CASE("Sums of products are the same bits at every level, fused or not") {
    for (const index_t n : {1, 7, 64, 100, 1001}) {
        check_arithmetic<float>({n}, {n});
        check_arithmetic<float>({5, n}, {5, 1});
        check_arithmetic<double>({n}, {n});
        check_arithmetic<double>({n, 3}, {3});
    }
}

TEMPLATE_TEST_CASE("A function of a function is the same bits as both in turn, at the edges too",
                   "", float, double) {
    using T = TestType;
    using limits = std::numeric_limits<T>;
    std::vector<T> numbers{T(0),
                           -T(0),
                           T(1),
                           T(-1),
                           limits::infinity(),
                           -limits::infinity(),
                           limits::max(),
                           limits::lowest(),
                           limits::min(),
                           limits::denorm_min(),
                           limits::quiet_NaN(),
                           T(88),
                           T(-88),
                           T(-104),
                           T(710),
                           T(-745)};
    for (int i = -40; i < 40; ++i) numbers.push_back(T(i) * T(0.37));
    const Tensor<T> x = bl::from(numbers, {static_cast<index_t>(numbers.size())});
    // What chooses constants, and what chooses by conditions.
#define BROADLOOM_CHECK_INNER(INNER)                                                         \
    do {                                                                                     \
        const Tensor<T> y = INNER(x);                                                        \
        CHECK(same_at_every_level([&] { return bl::eval(bl::log(INNER(x))); }));             \
        CHECK(same_bits(bl::eval(bl::log(INNER(x))), bl::eval(bl::log(y))));                 \
        CHECK(same_bits(bl::eval(bl::log1p(INNER(x))), bl::eval(bl::log1p(y))));             \
        CHECK(same_bits(bl::eval(bl::cbrt(INNER(x))), bl::eval(bl::cbrt(y))));               \
        CHECK(same_bits(bl::eval(bl::pow(INNER(x), T(2.5))), bl::eval(bl::pow(y, T(2.5))))); \
        CHECK(same_bits(bl::eval(bl::atan2(INNER(x), x)), bl::eval(bl::atan2(y, x))));       \
        CHECK(same_bits(bl::eval(bl::isclose(INNER(x), x)), bl::eval(bl::isclose(y, x))));   \
        CHECK(same_bits(bl::eval(bl::cast<int>(INNER(x))), bl::eval(bl::cast<int>(y))));     \
        CHECK(same_bits(bl::eval(bl::fmax(INNER(x), T(1))), bl::eval(bl::fmax(y, T(1)))));   \
    } while (false)
    BROADLOOM_CHECK_INNER(bl::exp);
    BROADLOOM_CHECK_INNER(bl::acos);
    BROADLOOM_CHECK_INNER(bl::relu);
    BROADLOOM_CHECK_INNER(bl::sign);
#undef BROADLOOM_CHECK_INNER
    const Tensor<T> sigmoid = bl::sigmoid(x);
    CHECK(same_at_every_level([&] { return bl::eval(bl::log(bl::sigmoid(x))); }));
    CHECK(same_bits(bl::eval(bl::log(bl::sigmoid(x))), bl::eval(bl::log(sigmoid))));
}

TEST_CASE("In place is the same bits as fresh") {
    const Tensor<float> x = awkward<float>({7, 130}, 1), y = awkward<float>({130}, 2);
    Tensor<float> in_place = x;
    in_place *= y;
    in_place += y;
    CHECK(same_bits(in_place, bl::eval(x * y + y)));
}

TEST_CASE("Division, remainders and extremes are the same bits at every level") {
    const Tensor<float> x = awkward<float>({33, 65}, 1), y = awkward<float>({65}, 2);
    CHECK(same_at_every_level([&] { return bl::eval(bl::floor_divide(x, y) + bl::mod(x, y)); }));
    CHECK(same_at_every_level(
        [&] { return bl::eval(bl::where(x < y, x / y, bl::maximum(x, y) * 0.1F)); }));
    CHECK(
        same_at_every_level([&] { return bl::eval(bl::lerp(x, y, 0.3F) + bl::fma(x, y, 0.1F)); }));
    CHECK(same_at_every_level([&] { return bl::eval(x.cast<std::int8_t>()); }));
}

TEMPLATE_TEST_CASE("Complex products and quotients are the same bits at every level", "", float,
                   double) {
    using C = std::complex<TestType>;
    const Tensor<TestType> parts = awkward<TestType>({4, 130}, 1);
    const auto join = [](TestType re, TestType im) { return C(re, im); };
    const Tensor<C> x = bl::map(join, parts[0], parts[1]), y = bl::map(join, parts[2], parts[3]);
    CHECK(same_at_every_level([&] { return bl::eval(x * y + x / y); }));
    CHECK(same_at_every_level([&] { return bl::eval(bl::addcmul(x, x, y) / x); }));
    CHECK(same_at_every_level([&] { return bl::prod(x.reshape({13, 10}), 0); }));
    CHECK(same_at_every_level([&] { return bl::sum(bl::eval(x * y).reshape({10, 13}), 1); }));
    CHECK(same_at_every_level([&] { return bl::cumprod(y, 0); }));
}

TEST_CASE("A function of the user among the library's changes no bit of these") {
    const Tensor<float> x = awkward<float>({1000}, 1), y = awkward<float>({1000}, 2);
    const auto itself = [](float v) { return v; };
    const Tensor<float> product = x * y;
    CHECK(same_bits(bl::eval(bl::map(itself, x) * y + x), bl::eval(product + x)));
    CHECK(same_at_every_level([&] { return bl::eval(bl::map(itself, x * y + x)); }));
}

TEST_CASE("Integers are the same at every level, their edges included") {
    const Tensor<std::int32_t> x = bl::map(
        [](float v) { return static_cast<std::int32_t>(v * 2e8F); }, awkward<float>({1000}, 1));
    const Tensor<std::int32_t> y =
        bl::map([](float v) { return static_cast<std::int32_t>(v); }, awkward<float>({1000}, 2));
    CHECK(same_at_every_level([&] { return bl::eval(((x * x + x / y) << y) ^ (x >> y)); }));
}

TEMPLATE_TEST_CASE("What was an integer on the way is none of negative zero", "", std::int8_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    const auto check = [](auto real) {
        using T = decltype(real);
        using C = std::complex<T>;
        const Tensor<T> x = awkward<T>({100}, 1) * T(0.1);
        const Tensor<TestType> whole = bl::cast<TestType>(x);
        const auto stands_for = [&](auto of, auto of_element) {
            const auto fused = [&] { return bl::eval(of(bl::cast<TestType>(x))); };
            auto expected = fused();
            for (index_t i = 0; i < x.size(); ++i) expected(i) = of_element(x(i), T(whole(i)));
            CHECK(same_bits(fused(), expected));
            CHECK(same_at_every_level(fused));
        };
        stands_for([](auto&& n) { return bl::cast<T>(std::forward<decltype(n)>(n)); },
                   [](T, T n) { return n; });
        stands_for([](auto&& n) { return T(1) / std::forward<decltype(n)>(n); },
                   [](T, T n) { return T(1) / n; });
        stands_for([&](auto&& n) { return bl::where(x > T(0), x, std::forward<decltype(n)>(n)); },
                   [](T at, T n) { return at > T(0) ? at : n; });
        const C z(-2, 3);
        const Tensor<C> same = bl::full<C>({100}, z);
        stands_for([&](auto&& n) { return same * std::forward<decltype(n)>(n); },
                   [&](T, T n) { return C(z.real() * n, z.imag() * n); });
    };
    check(float{});
    check(double{});
}

TEST_CASE("A layout changes no bit of the result") {
    Random random(4);
    const Tensor<double> x = awkward<double>({20, 30, 40}, 1), y = awkward<double>({30, 1}, 2);
    const Tensor<double> plain = x * y + 0.1;
    Tensor<double> target = bl::zeros<double>({40, 30, 20});
    target.transpose() = x * y + 0.1;
    CHECK(same_bits(bl::eval(target.transpose()), plain));
    const Tensor<double> turned = x.transpose().copy();
    CHECK(same_bits(bl::eval(turned.transpose() * y + 0.1), plain));
}

TEST_CASE("The level can be lowered and is never above the processor's own") {
    bl::kernel::set_isa(2);
    const int best = bl::kernel::isa();
    CHECK(best >= 0);
    CHECK(best <= 2);
    bl::kernel::set_isa(0);
    CHECK(bl::kernel::isa() == 0);
    bl::kernel::set_isa(2);
    CHECK(bl::kernel::isa() == best);
}
