#include "broadloom/scalar/integer.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "support/catch.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(std::is_same_v<scalar::wrap_t<std::int8_t>, std::uint32_t> &&
              std::is_same_v<scalar::wrap_t<std::int64_t>, std::uint64_t> &&
              !scalar::wrapping<bool> && !scalar::wrapping<float>);
static_assert(scalar::negate_where(~std::uint32_t{0}, std::uint32_t{5}) == 0U - 5U &&
              scalar::negate_where(std::uint32_t{0}, std::uint32_t{5}) == 5U);
constexpr std::int64_t seven = 7, none = 0, minus_one = -1;
static_assert(scalar::divisor(seven).safe == 7 && scalar::divisor(none).safe == 1 &&
              scalar::divisor(minus_one).safe == 1 && ~scalar::divisor(minus_one).negates == 0 &&
              scalar::divisor(none).defined == 0 && ~scalar::divisor(seven).defined == 0);
static_assert(scalar::quotient(-7, 2) == -3 && scalar::floor_quotient(-7, 2) == -4 &&
              scalar::quotient(7U, 0U) == 0 && scalar::floor_quotient(7, 0) == 0);

/// Whether quotients and rests come out as C++ has them in wider integers, and as 0 by 0.
template <class T>
bool divides(T a, T b) {
    const auto wide_a = static_cast<std::int64_t>(a), wide_b = static_cast<std::int64_t>(b);
    const std::int64_t whole = b == 0 ? 0 : wide_a / wide_b, rest = b == 0 ? 0 : wide_a % wide_b;
    const bool below = rest != 0 && (rest < 0) != (wide_b < 0);
    const T count = static_cast<T>(whole), lower = static_cast<T>(whole - (below ? 1 : 0));
    return scalar::quotient(a, b) == count && scalar::floor_quotient(a, b) == lower &&
           scalar::rest(a, b, count) == static_cast<T>(rest) &&
           scalar::rest(a, b, lower) == static_cast<T>(below ? rest + wide_b : rest);
}

}  // namespace

TEMPLATE_TEST_CASE("Quotients of all bytes are whole", "", std::int8_t, std::uint8_t) {
    using limits = std::numeric_limits<TestType>;
    for (int a = limits::min(); a <= limits::max(); ++a) {
        for (int b = limits::min(); b <= limits::max(); ++b) {
            if (!divides(static_cast<TestType>(a), static_cast<TestType>(b))) FAIL(a << " / " << b);
        }
    }
}

TEMPLATE_TEST_CASE("Quotients of wider integers are whole, beside multiples and at the edges", "",
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t) {
    using T = TestType;
    using limits = std::numeric_limits<T>;
    std::mt19937_64 engine(5);
    for (int i = 0; i < 200000; ++i) {
        const int drop = static_cast<int>(engine() % (8 * sizeof(T)));
        const T b = static_cast<T>(static_cast<T>(engine()) >> drop);
        const T times = b == 0 ? T{0} : static_cast<T>(static_cast<std::int64_t>(engine()) / b);
        const T multiple =
            static_cast<T>(static_cast<std::uint64_t>(times) * static_cast<std::uint64_t>(b));
        bool whole = true;
        for (const T a : {static_cast<T>(engine()), multiple, limits::min(), limits::max()}) {
            whole = whole && divides(a, b);
            if (a > limits::min()) whole = whole && divides(static_cast<T>(a - 1), b);
            if (a < limits::max()) whole = whole && divides(static_cast<T>(a + 1), b);
        }
        if (!whole) FAIL(b);
    }
}

TEST_CASE("Words below 2^51 are divided with their rest, and others are marked") {
    std::mt19937_64 engine(7);
    for (int i = 0; i < 200000; ++i) {
        const std::uint64_t a = engine() >> (14 + engine() % 50);
        const std::uint64_t b = (engine() >> (14 + engine() % 50)) + 1;
        const auto [count, rest] = scalar::divide_words(a, b);
        if (count != a / b || rest != a % b) FAIL(a << " / " << b);
    }
    const auto marks = [](std::int64_t a, std::int64_t b) {
        scalar::math::Rare rare;
        static_cast<void>(scalar::divide_usual(a, b, rare));
        return rare.any();
    };
    CHECK(!marks(1000, -7));
    CHECK(!marks(std::int64_t{1} << 50, 1));
    CHECK(marks(1, 0));
    CHECK(marks(std::numeric_limits<std::int64_t>::min(), 3));
    CHECK(marks(3, std::int64_t{1} << 60));
}
