// The usual forms of fmod, mod and floor_divide, in vectors, against the full forms, bit by bit:
// special values, quotients next to integers, and beyond what the usual form takes.
#include "broadloom/scalar/remainder.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/same_bits.hpp"

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
        for (index_t i = 0; i < size; ++i) wrong += !naive::same_bits(z(i), usual(i));
    }
    CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("remainders in vectors are those of the C library", "", float, double) {
    agrees<TestType>(scalar::fmod{});
    agrees<TestType>(scalar::mod{});
    agrees<TestType>(scalar::floor_divide{});
}

namespace {

/// What integers give by their definition.
template <class T>
struct Plain {
    static T divide(T a, T b) {
        if (b == 0) return 0;
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return bl::eval(-Tensor<T>{a})(0);
        return static_cast<T>(a / b);
    }
    static T fmod(T a, T b) {
        const bool whole = b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1));
        return whole ? T(0) : static_cast<T>(a % b);
    }
    static bool adjusts(T a, T b) { return fmod(a, b) != 0 && (fmod(a, b) < 0) != (b < 0); }
    static T mod(T a, T b) { return static_cast<T>(fmod(a, b) + (adjusts(a, b) ? b : T(0))); }
    static T floor_divide(T a, T b) {
        return static_cast<T>(divide(a, b) - (adjusts(a, b) ? T(1) : T(0)));
    }
};

/// Integers of all sizes, the limits of their type and of the usual form among them.
template <class T>
T any_integer(std::mt19937_64& engine, bool tame) {
    using limits = std::numeric_limits<T>;
    const auto near = [&](std::uint64_t x) { return static_cast<T>(x + engine() % 5 - 2); };
    switch (tame ? 3 : engine() % 5) {
        case 0: return near(static_cast<std::uint64_t>(limits::min()));
        case 1: return near(std::uint64_t{1} << 50);
        case 2: return static_cast<T>(static_cast<T>(0) - near(std::uint64_t{1} << 51));
        case 3: {
            const auto magnitude = static_cast<T>(engine() % 100000);
            return std::is_signed_v<T> && engine() % 2 == 0 ? static_cast<T>(-magnitude)
                                                            : magnitude;
        }
        default: return static_cast<T>(engine() >> engine() % 64);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("integers divide in vectors as one by one", "", std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    using T = TestType;
    std::mt19937_64 engine(3);
    auto x = bl::empty<T>({size}), y = bl::empty<T>({size});
    index_t wrong = 0;
    for (int round = 0; round < 40; ++round) {
        const bool tame = round % 2 == 0;
        for (index_t i = 0; i < size; ++i) {
            x(i) = any_integer<T>(engine, tame);
            y(i) = any_integer<T>(engine, tame);
            if (tame && y(i) == 0) y(i) = 7;
        }
        const Tensor<T> quotient = x / y, rest = bl::fmod(x, y), modulus = bl::mod(x, y),
                        whole = bl::floor_divide(x, y);
        for (index_t i = 0; i < size; ++i) {
            wrong += quotient(i) != Plain<T>::divide(x(i), y(i));
            wrong += rest(i) != Plain<T>::fmod(x(i), y(i));
            wrong += modulus(i) != Plain<T>::mod(x(i), y(i));
            wrong += whole(i) != Plain<T>::floor_divide(x(i), y(i));
        }
        for (const T divisor : {T(0), T(1), T(7), static_cast<T>(-1), static_cast<T>(-3)}) {
            const Tensor<T> by_one = bl::mod(x, divisor);
            for (index_t i = 0; i < size; ++i) wrong += by_one(i) != Plain<T>::mod(x(i), divisor);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("a large quotient among small ones is divided exactly") {
    auto x = bl::full<double>({64}, 7.5);
    x(11) = 1e300;
    const Tensor<double> rest = bl::fmod(x, 2.25);
    CHECK(rest(0) == 0.75);
    CHECK(rest(11) == std::fmod(1e300, 2.25));
}
