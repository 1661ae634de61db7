#include "broadloom/scalar/complex.hpp"

#include <complex>
#include <numbers>
#include <type_traits>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::Tensor;

TEMPLATE_TEST_CASE("A complex number has its parts, its conjugate and its angle", "", float, double,
                   long double) {
    using C = std::complex<TestType>;
    const Tensor<C> z = {C(3, 4), C(-1, 0), C(0, -2)};
    const auto re = bl::eval(bl::real(z));
    STATIC_REQUIRE(std::is_same_v<decltype(re), const Tensor<TestType>>);
    CHECK(bl::array_equal(re, Tensor<TestType>{3, -1, 0}));
    CHECK(bl::array_equal(bl::imag(z), Tensor<TestType>{4, 0, -2}));
    CHECK(bl::array_equal(bl::conj(z), Tensor<C>{C(3, -4), C(-1, 0), C(0, 2)}));
    CHECK(bl::array_equal(bl::real(z * bl::conj(z)), Tensor<TestType>{25, 1, 4}));
    constexpr auto pi = std::numbers::pi_v<TestType>;
    CHECK(bl::allclose(bl::angle(z),
                       Tensor<TestType>{std::atan2(TestType(4), TestType(3)), pi, -pi / 2}, 1e-6));
}

TEST_CASE("A real number is a complex one without an imaginary part") {
    const Tensor<int> x = {-2, 5};
    CHECK(bl::array_equal(bl::real(x), x));
    CHECK(bl::array_equal(bl::imag(x), Tensor<int>{0, 0}));
    CHECK(bl::array_equal(bl::conj(x), x));
    CHECK(bl::allclose(bl::angle(x), Tensor<double>{std::numbers::pi, 0.0}));
    CHECK(bl::array_equal(bl::conj(Tensor<bool>{true}), Tensor<bool>{true}));
}
