// Random tensors: the same for a seed everywhere, evenly spread, and checked before they are drawn.
// Expected values come from the definitions of the engines and of the algorithms named in the
// header, written once more here.
#include "broadloom/tensor/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/naive.hpp"
#include "support/scripted.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;

namespace {

struct Moments {
    double mean = 0, variance = 0, kurtosis = 0;
};
template <class X>
Moments moments(const X& x) {
    Moments m;
    const auto n = static_cast<double>(x.size());
    for (const double v : x) m.mean += v / n;
    for (const double v : x) {
        const double square = (v - m.mean) * (v - m.mean);
        m.variance += square / n;
        m.kurtosis += square * square / n;
    }
    m.kurtosis /= m.variance * m.variance;
    return m;
}

}  // namespace

TEST_CASE("uniform takes the high bits of the engine, in row-major order") {
    // The default seed of std::mt19937 gives 3499211612, 581869302, 3890346734, 3586334585 first.
    std::mt19937 engine;
    const auto x = bl::random::uniform<float>({2, 2}, engine);
    CHECK(x(0, 0) == static_cast<float>(3499211612U >> 8) / 16777216.0F);
    CHECK(x(0, 1) == static_cast<float>(581869302U >> 8) / 16777216.0F);
    CHECK(x(1, 1) == static_cast<float>(3586334585U >> 8) / 16777216.0F);
    std::mt19937 again;
    const double y = bl::random::uniform({}, again).item();
    CHECK(y == static_cast<double>((std::uint64_t{3499211612U} << 21) | (581869302U >> 11)) /
                   9007199254740992.0);
    // A temporary engine will do.
    CHECK(naive::equal(bl::random::uniform<float>({2, 2}, std::mt19937()), x));
}

TEST_CASE("uniform never reaches its end") {
    ScriptedWords most{{0xffffffffU}};
    CHECK(bl::random::uniform<float>({}, most).item() == 1.0F - std::ldexp(1.0F, -24));
    CHECK(bl::random::uniform<double>({}, most).item() == 1.0 - std::ldexp(1.0, -53));
    const auto last = [&](float low, float high) {
        return bl::random::uniform<float>({}, most, low, high).item();
    };
    CHECK(last(1e8F, 1e8F + 8) == 1e8F);
    CHECK(last(0, 3) == std::nextafter(3.0F, 0.0F));
    CHECK(last(-3, -1) == std::nextafter(-1.0F, -2.0F));
    CHECK(last(-1, 0) < 0);
    CHECK(last(-std::numeric_limits<float>::denorm_min(), 0) ==
          -std::numeric_limits<float>::denorm_min());
    CHECK(last(5, 5) == 5);
    ScriptedWords least{{0}};
    CHECK(bl::random::uniform<float>({}, least, -2, 7).item() == -2);
}

TEST_CASE("engines of any range give even bits") {
    const auto spread = [](auto engine) {
        const auto x = bl::random::uniform({100000}, engine);
        const Moments m = moments(x);
        CHECK(std::abs(m.mean - 0.5) < 0.005);
        CHECK(std::abs(m.variance - 1.0 / 12) < 0.001);
        std::vector<int> counts(7);
        for (const index_t v : bl::random::integers({70000}, engine, 0, 7)) {
            ++counts[static_cast<std::size_t>(v)];
        }
        for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
    };
    spread(std::minstd_rand(12345));
    spread(std::mt19937_64(1));
    spread(std::ranlux24(1));
    spread(std::ranlux48(1));
    spread(std::knuth_b(1));
}

TEST_CASE("parameters that are tensors broadcast") {
    std::mt19937 engine(3), again(3);
    const Tensor<float> mean = {{0}, {1000}}, deviation = {1, 2, 0};
    const auto x = bl::random::normal(mean, deviation, engine);
    STATIC_REQUIRE(std::is_same_v<decltype(x), const Tensor<float>>);
    CHECK(x.shape() == Shape{2, 3});
    CHECK(x(0, 2) == 0);
    CHECK(x(1, 2) == 1000);
    // The same draws, put together by hand.
    const auto z = bl::random::normal<double>({2, 3}, again);
    const Tensor<double> exact = bl::cast<double>(mean) + bl::cast<double>(deviation) * z;
    const Tensor<float> expected = bl::cast<float>(exact);
    CHECK(naive::equal(x, expected));

    const auto y = bl::random::uniform<double>({4, 2, 3}, engine, mean, mean + deviation);
    CHECK((y(0, 0, 2) == 0 && y(0, 1, 2) == 1000));
    const auto n =
        bl::random::integers(Tensor<std::int16_t>{{0}, {10}}, Tensor<int>{11, 12}, engine);
    STATIC_REQUIRE(std::is_same_v<decltype(n), const Tensor<int>>);
    CHECK(n(1, 0) == 10);
    const auto b = bl::random::bernoulli(Tensor<double>{{0}, {1}} * Tensor<double>{1, 1}, engine);
    CHECK(naive::equal(b, Tensor<bool>{{false, false}, {true, true}}));
}

TEST_CASE("normal variables are finite at both ends, and spread as they should be") {
    // The ends are finite and symmetric.
    ScriptedWords least{{0}}, most{{0xffffffffU}};
    const double low = bl::random::normal({}, least).item();
    CHECK(low == -bl::random::normal({}, most).item());
    CHECK(low == Approx(-8.2095).epsilon(1e-4));

    std::mt19937 engine(5);
    const auto z = bl::random::normal({1000000}, engine);
    const Moments m = moments(z);
    CHECK(std::abs(m.mean) < 0.005);
    CHECK(std::abs(m.variance - 1) < 0.005);
    CHECK(std::abs(m.kurtosis - 3) < 0.03);
}

TEST_CASE("every instruction set draws the same") {
    const auto draw = [] {
        std::mt19937 engine(11);
        return bl::random::normal({1000}, engine, 1.5, 2.5);
    };
    const int best = bl::kernel::isa();
    const auto expected = draw();
    for (int level = 0; level <= best; ++level) {
        bl::kernel::set_isa(level);
        CHECK(naive::equal(draw(), expected));
    }
    bl::kernel::set_isa(best);
}

TEST_CASE("integers fill their whole range and no more") {
    std::mt19937 engine(6);
    std::vector<int> seen(256);
    for (const std::uint8_t v : bl::random::integers<std::uint8_t>({10000}, engine, 0, 256)) {
        ++seen[v];
    }
    CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    bool negative = false, positive = false;
    for (const std::int64_t v : bl::random::integers<std::int64_t>({100}, engine, low, high)) {
        negative = negative || v < low / 2;
        positive = positive || v > high / 2;
    }
    CHECK((negative && positive));
    for (const std::uint64_t v :
         bl::random::integers<std::uint64_t>({3}, engine, ~0ULL - 1, ~0ULL)) {
        CHECK(v == ~0ULL - 1);
    }
    for (const int v : bl::random::integers<int>({1000}, engine, -3, 4)) {
        REQUIRE(v >= -3);
        REQUIRE(v < 4);
    }
}

TEST_CASE("permutations and choices hold every number at most once") {
    std::mt19937 engine(7);
    for (const index_t n : {0, 1, 2, 100}) {
        auto x = bl::random::permutation(n, engine);
        std::sort(x.data(), x.data() + n);
        CHECK(naive::equal(x, bl::arange<index_t>(n)));
    }
    auto some = bl::random::choice(100, 99, engine, false);
    CHECK(some.size() == 99);
    std::sort(some.data(), some.data() + 99);
    CHECK(std::adjacent_find(some.begin(), some.end()) == some.end());
    // Every order of three is as likely as another.
    std::vector<int> orders(27);
    for (int i = 0; i < 6000; ++i) {
        const auto p = bl::random::permutation(3, engine);
        ++orders[static_cast<std::size_t>(9 * p(0) + 3 * p(1) + p(2))];
    }
    for (const int count : orders) CHECK((count == 0 || std::abs(count - 1000) < 150));

    const Tensor<int> rows = bl::arange<int>(12).reshape({4, 3});
    const auto chosen = bl::random::choice(rows.transpose(), 5, engine);
    CHECK(chosen.shape() == Shape{5, 4});
    for (index_t i = 0; i < 5; ++i) CHECK(chosen(i, 1) - chosen(i, 0) == 3);
    const auto all = bl::random::choice(bl::arange<float>(4) * 2.0F, 4, engine, false);
    CHECK((all(0) + all(1) + all(2) + all(3)) == 12);
    CHECK(bl::random::choice(rows, 0, engine).shape() == Shape{0, 3});
}

TEST_CASE("bernoulli is true as often as it should be") {
    std::mt19937 engine(8);
    int count = 0;
    for (const bool b : bl::random::bernoulli({100000}, engine, 0.3)) count += b;
    CHECK(std::abs(count - 30000) < 600);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::random::bernoulli<float>({2}, engine, 0.5F)), Tensor<float>>);
    const auto sure = bl::random::bernoulli<int>({3}, engine, 1);
    CHECK(naive::equal(sure, bl::ones<int>({3})));
}

TEST_CASE("parameters that make no sense are refused before anything is drawn") {
    namespace random = bl::random;
    ScriptedWords engine{{1}};
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    CHECK_THROWS_AS(random::uniform({2}, engine, 1, 0), bl::value_error);
    CHECK_THROWS_AS(random::uniform({2}, engine, 0, inf), bl::value_error);
    CHECK_THROWS_AS(random::uniform({2}, engine, nan, 1), bl::value_error);
    CHECK_THROWS_AS(random::uniform<float>({2}, engine, -3e38, 3e38), bl::value_error);
    CHECK_THROWS_AS(random::uniform({2}, engine, Tensor<double>{0, 2}, 1), bl::value_error);
    CHECK_THROWS_AS(random::uniform({2}, engine, bl::zeros<double>({3}), 1), bl::shape_error);
    CHECK_THROWS_AS(random::normal({2}, engine, 0, -1), bl::value_error);
    CHECK_THROWS_AS(random::normal({2}, engine, 0, nan), bl::value_error);
    CHECK_THROWS_AS(random::normal(Tensor<float>{1, 2}, Tensor<float>{1, 2, 3}, engine),
                    bl::shape_error);
    CHECK_THROWS_AS(random::integers({2}, engine, 3, 3), bl::value_error);
    CHECK_THROWS_AS(random::integers<std::uint8_t>({2}, engine, 0, 257), bl::value_error);
    CHECK_THROWS_AS(random::integers<std::uint8_t>({2}, engine, -1, 2), bl::value_error);
    CHECK_THROWS_AS(random::integers<std::int8_t>({2}, engine, -200, 10), bl::value_error);
    CHECK_THROWS_AS(random::integers<std::int8_t>({2}, engine, 0, 129), bl::value_error);
    CHECK_THROWS_AS(random::integers<std::int64_t>({2}, engine, 0, ~0ULL), bl::value_error);
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    CHECK_THROWS_AS(random::integers<std::int64_t>({2}, engine, 0, lowest), bl::value_error);
    CHECK_THROWS_AS(random::bernoulli({2}, engine, 1.5), bl::value_error);
    CHECK_THROWS_AS(random::bernoulli({2}, engine, nan), bl::value_error);
    CHECK_THROWS_AS(random::permutation(-1, engine), bl::shape_error);
    CHECK_THROWS_AS(random::choice(3, 4, engine, false), bl::value_error);
    CHECK_THROWS_AS(random::choice(0, 1, engine), bl::value_error);
    for (const bool replace : {true, false}) {
        CHECK_THROWS_AS(random::choice(5, -1, engine, replace), bl::value_error);
        CHECK_THROWS_AS(random::choice(-3, 2, engine, replace), bl::value_error);
        CHECK_THROWS_AS(random::choice(-3, 0, engine, replace), bl::value_error);
    }
    CHECK_THROWS_AS(random::choice(bl::full({}, 1), 1, engine), bl::shape_error);
    CHECK_THROWS_AS(random::choice(-std::size_t{1}, 2, engine), bl::index_error);
    CHECK_THROWS_AS(random::choice(bl::zeros<int>({3}), 4, engine, false), bl::value_error);
    CHECK_THROWS_AS(random::choice(bl::zeros<int>({1, 0, extents::vast}), extents::vast, engine),
                    bl::shape_error);
    CHECK(engine.calls == 0);
    CHECK(random::integers({0}, engine, 0, 5).size() == 0);
    CHECK(random::choice(0, 0, engine).size() == 0);
}

TEST_CASE("a number beside a tensor of parameters breaks no contract of shapes") {
    ScriptedWords engine{{1}};
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    CHECK(bl::random::normal(Tensor<double>{1, 2, 3}, 0.5, engine).size() == 3);
    CHECK_THROWS_AS(bl::random::normal(Tensor<double>{1, 2, 3}, Tensor<double>{0.5}, engine),
                    bl::shape_error);
}

TEST_CASE("Parameters are laid over a shape that is given, whatever the contract") {
    ScriptedWords engine{{1}};
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    CHECK(bl::random::uniform({3, 2}, engine, Tensor<double>{0, 1}, 2).shape() == bl::Shape{3, 2});
    CHECK(bl::random::bernoulli({2, 1}, engine, Tensor<double>{0.5}).size() == 2);
    const std::size_t calls = engine.calls;
    CHECK_THROWS_AS(bl::random::uniform({3, 2}, engine, Tensor<double>{0}, Tensor<double>{1, 2}),
                    bl::shape_error);
    CHECK(engine.calls == calls);
}
