#include "broadloom/scalar/complex.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/gives.hpp"
#include "support/ulp.hpp"

namespace bl = broadloom;
namespace scalar = broadloom::scalar;
using bl::index_t;
using bl::Tensor;
using naive::gives;

namespace {

/// The worst distance of a part of f(z) from that of `truth` in long double, and in `off` how often
/// a part is an infinity, a NaN or a zero of its sign where the other is not.
template <class T, class F, class G>
double worst_part(const F& f, const G& truth, int& off) {
    double worst = 0;
    const auto compare = [&](std::complex<T> z) {
        const std::complex<T> got = f(z);
        const std::complex<long double> wanted = truth(std::complex<long double>(z));
        for (const double d : {ulp::distance<T>(got.real(), wanted.real()),
                               ulp::distance<T>(got.imag(), wanted.imag())}) {
            if (std::isinf(d)) ++off;
            else worst = std::max(worst, d);
        }
    };
    for (const T re : ulp::special<T>()) {
        for (const T im : ulp::special<T>()) compare({re, im});
    }
    const auto a = ulp::values<T>(T(-20), T(20)), b = ulp::values<T>(T(-300), T(300));
    for (std::size_t i = 30; i < a.size() && i < b.size(); ++i) {
        compare({a[i], b[b.size() - 1 - i]});
    }
    return worst;
}

}  // namespace

TEMPLATE_TEST_CASE("A complex number has its parts, its conjugate and its angle", "", float, double,
                   long double) {
    using C = std::complex<TestType>;
    const Tensor<C> z = {C(3, 4), C(-1, 0), C(0, -2)};
    const auto re = bl::eval(bl::real(z));
    STATIC_REQUIRE(std::is_same_v<decltype(re), const Tensor<TestType>>);
    CHECK(gives(re, Tensor<TestType>{3, -1, 0}));
    CHECK(gives(bl::imag(z), Tensor<TestType>{4, 0, -2}));
    CHECK(gives(bl::conj(z), Tensor<C>{C(3, -4), C(-1, 0), C(0, 2)}));
    CHECK(gives(bl::real(z * bl::conj(z)), Tensor<TestType>{25, 1, 4}));
    constexpr auto pi = std::numbers::pi_v<TestType>;
    const Tensor<TestType> angle = bl::angle(z),
                           expected{std::atan2(TestType(4), TestType(3)), pi, -pi / 2};
    for (index_t i = 0; i < 3; ++i) {
        CHECK(std::abs(angle(i) - expected(i)) <= TestType(1e-6) * std::abs(expected(i)));
    }
}

TEST_CASE("A real number is a complex one without an imaginary part") {
    const Tensor<int> x = {-2, 5};
    CHECK(gives(bl::real(x), x));
    CHECK(gives(bl::imag(x), Tensor<int>{0, 0}));
    CHECK(gives(bl::conj(x), x));
    CHECK(gives(bl::angle(x), Tensor<double>{std::numbers::pi, 0.0}));
    CHECK(gives(bl::conj(Tensor<bool>{true}), Tensor<bool>{true}));
}

TEMPLATE_TEST_CASE("Exponentials and roots of complex numbers are those of Annex G", "", float,
                   double) {
    using T = TestType;
    int off = 0;
    CHECK(worst_part<T>(scalar::exp{}, [](auto z) { return std::exp(z); }, off) <= 4);
    CHECK(worst_part<T>(scalar::sqrt{}, [](auto z) { return std::sqrt(z); }, off) <= 3);
    CHECK(off == 0);
    for (const T size : {T(1e-9), T(1), T(1e9)}) {
        for (T angle = -3; angle < 3.2; angle += T(0.1)) {
            const std::complex<T> z(size * std::cos(angle), size * std::sin(angle));
            const auto got = scalar::rsqrt{}(z);
            const auto wanted = 1.0L / std::sqrt(std::complex<long double>(z));
            CHECK(ulp::distance<T>(got.real(), wanted.real()) <= 5);
            CHECK(ulp::distance<T>(got.imag(), wanted.imag()) <= 5);
        }
    }
    CHECK(!std::signbit(scalar::rsqrt{}(std::complex<T>(4, 0)).imag()));
}

TEMPLATE_TEST_CASE("Circular and hyperbolic functions of complex numbers are those of Annex G", "",
                   float, double) {
    using T = TestType;
    const double far = sizeof(T) == 4 ? 0.51 : 6;
    int off = 0;
    CHECK(worst_part<T>(scalar::sinh{}, [](auto z) { return std::sinh(z); }, off) <= far);
    CHECK(worst_part<T>(scalar::cosh{}, [](auto z) { return std::cosh(z); }, off) <= far);
    CHECK(worst_part<T>(scalar::tanh{}, [](auto z) { return std::tanh(z); }, off) <= far);
    CHECK(worst_part<T>(scalar::sin{}, [](auto z) { return std::sin(z); }, off) <= far);
    CHECK(worst_part<T>(scalar::cos{}, [](auto z) { return std::cos(z); }, off) <= far);
    CHECK(worst_part<T>(scalar::tan{}, [](auto z) { return std::tan(z); }, off) <= far);
    CHECK(off == 0);
}

TEMPLATE_TEST_CASE("Other exponentials of complex numbers are as close where little is lost", "",
                   float, double) {
    using T = TestType;
    std::mt19937_64 engine(4);
    std::uniform_real_distribution<T> sign(-1, 1), exponent(-30, 4);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::complex<T> z(sign(engine) * std::exp2(exponent(engine)),
                                sign(engine) * std::exp2(exponent(engine)));
        const long double re = z.real(), im = z.imag(), half = std::sin(im / 2);
        const long double grown = std::expm1(re) * std::cos(im), bend = 2 * half * half;
        const auto got = scalar::expm1{}(z), power = scalar::exp2{}(z);
        if (std::abs(grown - bend) > bend) {
            worst = std::max(worst, ulp::distance<T>(got.real(), grown - bend));
        }
        worst = std::max(worst, ulp::distance<T>(got.imag(), std::exp(re) * std::sin(im)));
        const auto wanted =
            std::exp(std::complex<long double>(z) * std::numbers::ln2_v<long double>);
        CHECK(std::abs(std::complex<long double>(power) - wanted) <=
              std::abs(wanted) * 8 * std::numeric_limits<T>::epsilon());
    }
    CHECK(worst <= (sizeof(T) == 4 ? 0.51 : 6));
}

TEMPLATE_TEST_CASE("Logarithms of complex numbers are those of Annex G", "", float, double) {
    using T = TestType;
    int off = 0;
    const auto log2 = [](auto z) { return std::log(z) * std::numbers::log2e_v<long double>; };
    CHECK(worst_part<T>(scalar::log{}, [](auto z) { return std::log(z); }, off) <= 2);
    CHECK(worst_part<T>(scalar::log2{}, log2, off) <= 3);
    CHECK(worst_part<T>(scalar::log10{}, [](auto z) { return std::log10(z); }, off) <= 3);
    CHECK(off == 0);
}

TEMPLATE_TEST_CASE("Complex logarithms are as close near the circle where they are imaginary", "",
                   float, double) {
    using T = TestType;
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<T> turn(-4, 4), exponent(-60, -1), sign(-1, 1);
    double worst = 0, worst_of_one_plus = 0;
    const auto farther = [](double& far, std::complex<T> got, std::complex<long double> wanted) {
        for (const double d : {ulp::distance<T>(got.real(), wanted.real()),
                               ulp::distance<T>(got.imag(), wanted.imag())}) {
            far = std::max(far, d);
        }
    };
    for (int i = 0; i < 20000; ++i) {
        const T angle = turn(engine), size = 1 + sign(engine) * std::exp2(exponent(engine));
        const std::complex<T> z(size * std::cos(angle), size * std::sin(angle));
        farther(worst, scalar::log{}(z), std::log(std::complex<long double>(z)));
        const std::complex<T> y(sign(engine) * std::exp2(exponent(engine)),
                                sign(engine) * std::exp2(exponent(engine)));
        const long double re = y.real(), im = y.imag(), more = re * (2 + re) + im * im;
        if (std::abs(more) < im * im / 2) continue;  // little would be left of two
        farther(worst_of_one_plus, scalar::log1p{}(y),
                {std::log1p(more) / 2, std::atan2(im, 1 + re)});
    }
    CHECK(worst <= (sizeof(T) == 4 ? 0.51 : 2.1));
    CHECK(worst_of_one_plus <= (sizeof(T) == 4 ? 0.51 : 2.5));
    const std::complex<T> one = scalar::log{}(std::complex<T>(1, -0.0F));
    CHECK((one == std::complex<T>(0, 0) && !std::signbit(one.real()) && std::signbit(one.imag())));
}

TEMPLATE_TEST_CASE("Complex elements are the same alone, in a row and among rare ones", "", float,
                   double) {
    using C = std::complex<TestType>;
    constexpr index_t n = 100;
    Tensor<C> x = bl::zeros<C>({n});
    for (index_t i = 0; i < n; ++i) x(i) = C(TestType(i) / 7 - 5, TestType(i * i) / 13);
    Tensor<C> mixed = x;
    mixed(bl::range({}, {}, 16)) = C(std::numeric_limits<TestType>::infinity(), 0);
    const Tensor<C> exp = bl::exp(x), exp_mixed = bl::exp(mixed);
    const Tensor<C> sqrt = bl::sqrt(x), sqrt_mixed = bl::sqrt(mixed);
    const Tensor<C> log = bl::log(x), log_mixed = bl::log(mixed);
    const Tensor<C> tanh = bl::tanh(x), tanh_mixed = bl::tanh(mixed);
    const Tensor<C> rsqrt = bl::rsqrt(x), rsqrt_mixed = bl::rsqrt(mixed);
    for (index_t i = 0; i < n; ++i) {
        CHECK(exp(i) == scalar::exp{}(C(x(i))));
        CHECK(sqrt(i) == scalar::sqrt{}(C(x(i))));
        CHECK(log(i) == scalar::log{}(C(x(i))));
        CHECK(tanh(i) == scalar::tanh{}(C(x(i))));
        CHECK(rsqrt(i) == scalar::rsqrt{}(C(x(i))));
        if (i % 16 == 0) continue;
        CHECK(exp(i) == C(exp_mixed(i)));
        CHECK(sqrt(i) == C(sqrt_mixed(i)));
        CHECK(log(i) == C(log_mixed(i)));
        CHECK(tanh(i) == C(tanh_mixed(i)));
        CHECK(rsqrt(i) == C(rsqrt_mixed(i)));
    }
}

TEMPLATE_TEST_CASE("Complex numbers have reciprocals and signs", "", float, double, long double) {
    using T = TestType;
    using C = std::complex<T>;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    CHECK(scalar::reciprocal{}(C(2, 0)) == C(T(0.5), 0));
    CHECK(scalar::reciprocal{}(C(0, 4)) == C(0, T(-0.25)));
    CHECK(scalar::reciprocal{}(C(1, -1)) == C(T(0.5), T(0.5)));
    CHECK(scalar::reciprocal{}(C(infinity, 1)) == C(0, 0));
    CHECK(std::isnan(scalar::reciprocal{}(C(0, 0)).real()));
    CHECK(std::isnan(scalar::reciprocal{}(C(0, 0)).imag()));
    CHECK(scalar::sign{}(C(-3, 0)) == C(-1, 0));
    CHECK(scalar::sign{}(C(0, 0)) == C(0, 0));
    CHECK(scalar::sign{}(C(-infinity, 5)) == C(-1, 0));
    CHECK(scalar::sign{}(C(5, infinity)) == C(0, 1));
    for (const T size : {std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min()}) {
        if constexpr (sizeof(T) > 8) break;
        CHECK(std::abs(C(1, -1) / std::sqrt(T(2)) - scalar::sign{}(C(size, -size))) < T(1e-6));
    }
    CHECK(std::isnan(scalar::sign{}(C(infinity, infinity)).real()));
    CHECK(std::isnan(scalar::sign{}(C(std::numeric_limits<T>::quiet_NaN(), 1)).imag()));
}

TEST_CASE("Complex elements are chosen whole") {
    using C = std::complex<float>;
    const Tensor<C> x = {C(1, 5), C(2, 1), C(0, 0)}, y = {C(1, 4), C(2, 3), C(-1, 9)};
    CHECK(gives(bl::maximum(x, y), Tensor<C>{C(1, 5), C(2, 3), C(0, 0)}));
    CHECK(gives(bl::minimum(x, y), Tensor<C>{C(1, 4), C(2, 1), C(-1, 9)}));
    CHECK(gives(bl::where(bl::imag(x) > 1, x, y), Tensor<C>{C(1, 5), C(2, 3), C(-1, 9)}));
    const C nan(std::numeric_limits<float>::quiet_NaN(), 2);
    CHECK(scalar::maximum{}(C(9, 9), nan).imag() == 2);
    CHECK(scalar::minimum{}(nan, C(-9, -9)).imag() == 2);
    CHECK(scalar::fmax{}(nan, C(1, 2)) == C(1, 2));
    CHECK(scalar::fmin{}(C(1, 2), nan) == C(1, 2));
}
