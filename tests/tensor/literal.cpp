#include "broadloom/tensor/literal.hpp"

#include <complex>
#include <cstdint>
#include <type_traits>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::Literal, bl::Shape, bl::Tensor;
using Catch::Matchers::ContainsSubstring;

namespace {

static_assert(Literal<int>::shape_of({{1, 2, 3}, {4, 5, 6}}) == Shape{2, 3});
static_assert(Literal<int>::shape_of({}) == Shape{0});
static_assert(std::is_convertible_v<int, Literal<float>> &&
              !std::is_convertible_v<double, Literal<int>>);
static_assert(std::is_convertible_v<double, Literal<float>> &&
              !std::is_convertible_v<std::complex<float>, Literal<float>>);
static_assert(std::is_convertible_v<int, Literal<bool>>, "1 and 0 are good enough for a mask");

}  // namespace

TEST_CASE("Braces give the rank at any depth") {
    CHECK(Tensor<int>{}.shape() == Shape{0});
    CHECK(Tensor<int>{5}.shape() == Shape{1});
    CHECK(Tensor<int>{1, 2}.shape() == Shape{2});
    CHECK(Tensor<int>{{1}, {2}}.shape() == Shape{2, 1});
    CHECK(Tensor<int>{{1, 2, 3}}.shape() == Shape{1, 3});
    CHECK(Tensor<int>{{{1}}}.shape() == Shape{1, 1, 1});
    CHECK(Tensor<int>{{{{{1, 2}, {3, 4}}}}}.shape() == Shape{1, 1, 1, 2, 2});
    CHECK(Tensor<int>{{}, {}}.shape() == Shape{2, 0});
    const Tensor<float> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(x.shape() == Shape{2, 3});
    CHECK(x(1, 0) == 4.0F);
}

TEST_CASE("Values are in row-major order, converted upwards") {
    const Tensor<double> x = {{{1, 2.5F}, {3L, true}}, {{-1, 0.5}, {std::uint8_t(7), 8}}};
    const double expected[] = {1, 2.5, 3, 1, -1, 0.5, 7, 8};
    for (int i = 0; i < 8; ++i) CHECK(x.data()[i] == expected[i]);
    const Tensor<std::complex<float>> z = {1, 2.0, std::complex<float>(0, 1)};
    CHECK(z(2) == std::complex<float>(0, 1));
    CHECK(z(1) == std::complex<float>(2, 0));
    const Tensor<bool> mask = {true, 0, 1};
    CHECK((mask(0) && !mask(1) && mask(2)));
}

TEST_CASE("Ragged braces are refused with both shapes") {
    CHECK_THROWS_AS((Tensor<int>{{1, 2}, {3}}), bl::shape_error);
    CHECK_THROWS_AS((Tensor<int>{{1, 2}, 3}), bl::shape_error);
    CHECK_THROWS_AS((Tensor<int>{1, {2}}), bl::shape_error);
    CHECK_THROWS_AS((Tensor<int>{{{1, 2}, {3, 4}}, {{1, 2}}}), bl::shape_error);
    CHECK_THROWS_AS((Tensor<int>{{{1}, {2, 3}}}), bl::shape_error);
    CHECK_THROWS_AS((Tensor<int>{{1}, {}}), bl::shape_error);
    CHECK_THROWS_WITH((Tensor<int>{{1, 2}, {1, 2}, {3}}), ContainsSubstring("(2,)") &&
                                                              ContainsSubstring("(1,)") &&
                                                              ContainsSubstring("entry 2"));
}

TEST_CASE("Values of other expressions may stand in braces") {
    const int one = 1;
    const float half = 0.5F;
    const Tensor<float> x = {{static_cast<float>(one) + half, half}, {half * 2, 3}};
    CHECK(x(0, 0) == 1.5F);
    Tensor<float> y = bl::zeros<float>({7});
    y = {{1, 2}, {3, 4}};
    CHECK(y.shape() == Shape{2, 2});
    y = {};
    CHECK(y.shape() == Shape{0});
    CHECK(bl::array_equal(Tensor<float>{1, 2} * 2.0F, Tensor<float>{2, 4}));
}

TEST_CASE("A type without a value of its own is written in braces") {
    struct Mark {
        int id;
        explicit Mark(int i) : id(i) {}
    };
    Tensor<Mark> x = {{Mark(1), Mark(2)}, {Mark(3), Mark(4)}};
    CHECK(x(1, 0).id == 3);
    x[0] = {Mark(5), Mark(6)};
    CHECK(x(0, 1).id == 6);
}
