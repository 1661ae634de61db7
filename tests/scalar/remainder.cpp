// The usual forms of fmod, mod and floor_divide, in vectors, against the full forms, bit by bit:
// special values, quotients next to integers, and beyond what the usual form takes.
#include "broadloom/scalar/remainder.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Tensor;
namespace scalar = bl::scalar;

namespace {

constexpr index_t size = 4096;

/// Numbers of every kind and size.
template <class T>
T any_number(std::mt19937_64& engine) {
    using limits = std::numeric_limits<T>;
    constexpr T special[] = {0,
                             T(-0.0),
                             limits::infinity(),
                             -limits::infinity(),
                             limits::quiet_NaN(),
                             limits::denorm_min(),
                             limits::min(),
                             limits::max()};
    const double mantissa = 1 + static_cast<double>(engine() >> 12) * 0x1p-52;
    switch (engine() % 4) {
        case 0: return special[engine() % 8];
        case 1: return static_cast<T>(static_cast<int>(engine() % 41) - 20);
        case 2: return scalar::math::from_bits<T>(static_cast<scalar::math::word<T>>(engine()));
        default: return static_cast<T>(std::ldexp(mantissa, static_cast<int>(engine() % 100) - 50));
    }
}
/// Pairs whose quotient is small, many of them next to an integer.
template <class T>
void tame_pair(std::mt19937_64& engine, T& x, T& y) {
    std::uniform_real_distribution<double> wide(-1e4, 1e4), narrow(-10, 10);
    x = static_cast<T>(wide(engine));
    y = static_cast<T>(narrow(engine));
    const T whole = static_cast<T>(static_cast<int>(engine() % 101) - 50);
    switch (engine() % 4) {
        case 0: x = y * whole; break;
        case 1:
            x = std::nextafter(y * whole, static_cast<T>(engine() % 2 == 0 ? 1e9 : -1e9));
            break;
        case 2: x = std::round(x), y = std::round(y) + T(11); break;
        default: break;
    }
}

template <class T>
bool same_bits(T x, T y) {
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof(T)) == 0;
}

template <class T, class F>
void agrees(F function) {
    std::mt19937_64 engine(7);
    auto x = bl::empty<T>({size}), y = bl::empty<T>({size});
    index_t wrong = 0;
    for (int round = 0; round < 60; ++round) {
        for (index_t i = 0; i < size; ++i) {
            if (round % 2 == 0) tame_pair(engine, x(i), y(i));
            else x(i) = any_number<T>(engine), y(i) = any_number<T>(engine);
        }
        const Tensor<T> z = bl::map(function, x, y), usual = [&]() -> Tensor<T> {
            if constexpr (std::is_same_v<F, scalar::fmod>) return bl::fmod(x, y);
            else if constexpr (std::is_same_v<F, scalar::mod>) return bl::mod(x, y);
            else return bl::floor_divide(x, y);
        }();
        for (index_t i = 0; i < size; ++i) wrong += !same_bits(z(i), usual(i));
    }
    CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("remainders in vectors are those of the C library", "", float, double) {
    agrees<TestType>(scalar::fmod{});
    agrees<TestType>(scalar::mod{});
    agrees<TestType>(scalar::floor_divide{});
}

TEST_CASE("a large quotient among small ones is divided exactly") {
    auto x = bl::full<double>({64}, 7.5);
    x(11) = 1e300;
    const Tensor<double> rest = bl::fmod(x, 2.25);
    CHECK(rest(0) == 0.75);
    CHECK(rest(11) == std::fmod(1e300, 2.25));
}
