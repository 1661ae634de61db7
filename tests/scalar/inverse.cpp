#include "broadloom/scalar/inverse.hpp"

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace scalar = broadloom::scalar;

namespace {

static_assert(scalar::upper_product(0xffff, 0xffff) == 0xfffe);
static_assert(scalar::Inverse<4>(7).of(0xffffffffU) == 0xffffffffU / 7 &&
              scalar::Inverse<2>(1).of(0xffff) == 0xffff && scalar::Inverse<1>(0).of(255) == 0);
static_assert(scalar::by_number<scalar::mod, int>(-3)(7) == -2 &&
              scalar::by_number<scalar::fmod, int>(-3)(7) == 1);
static_assert(scalar::divides_by_number<scalar::divide, std::int8_t, long> &&
              !scalar::divides_by_number<scalar::divide, int, float> &&
              !scalar::divides_by_number<scalar::divide, bool, int> &&
              !scalar::divides_by_number<scalar::divide, std::int64_t, int> &&
              !scalar::divides_by_number<scalar::multiply, int, int> &&
              scalar::divides_by_number<scalar::true_divide, std::complex<float>, int> &&
              !scalar::divides_by_number<scalar::divide, float, float>);

/// Whether all four functions of a and d come out as C++ has them in wider integers, and as 0 by 0.
template <class T>
class Divided {
public:
    explicit Divided(T d) : quotient_(d), floor_(d), fmod_(d), mod_(d), d_(d) {}

    bool right(T a) const {
        const std::int64_t x = a, d = d_;
        const std::int64_t whole = d == 0 ? 0 : x / d, rest = d == 0 ? 0 : x % d;
        const bool below = rest != 0 && (rest < 0) != (d < 0);
        return quotient_(a) == static_cast<T>(whole) &&
               floor_(a) == static_cast<T>(whole - (below ? 1 : 0)) &&
               fmod_(a) == static_cast<T>(rest) &&
               mod_(a) == static_cast<T>(below ? rest + d : rest);
    }

private:
    scalar::by_number<scalar::divide, T> quotient_;
    scalar::by_number<scalar::floor_divide, T> floor_;
    scalar::by_number<scalar::fmod, T> fmod_;
    scalar::by_number<scalar::mod, T> mod_;
    T d_;
};

/// Numbers about the powers of two, and at the edges.
template <class T>
std::vector<T> edges() {
    std::vector<T> list;
    for (unsigned shift = 0; shift < 8 * sizeof(T); ++shift) {
        const std::uint64_t power = std::uint64_t{1} << shift;
        for (const std::uint64_t near : {power - 1, power, power + 1}) {
            list.push_back(static_cast<T>(near));
            list.push_back(static_cast<T>(0 - near));
        }
    }
    for (const int small : {3, 5, 6, 7, 10, 11, 60, 100, 113}) {
        list.push_back(static_cast<T>(small));
        list.push_back(static_cast<T>(-small));
        list.push_back(static_cast<T>(std::numeric_limits<T>::max() / static_cast<T>(small)));
    }
    return list;
}

/// Whether quotients by one complex number have the bits of those by any.
template <class T>
BROADLOOM_UNCONTRACTED bool divides_complex() {
    using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const auto same = [](T a, T b) {
        return (a != a && b != b) || std::bit_cast<Word>(a) == std::bit_cast<Word>(b);
    };
    std::vector<T> reals = {0,
                            1,
                            3,
                            T(0.7),
                            std::numeric_limits<T>::denorm_min(),
                            infinity,
                            std::numeric_limits<T>::min(),
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::quiet_NaN()};
    for (std::size_t i = 0, n = reals.size(); i < n; ++i) reals.push_back(-reals[i]);
    std::vector<std::complex<T>> numbers;
    for (const T re : reals) {
        for (const T im : reals) numbers.emplace_back(re, im);
    }
    for (const std::complex<T>& d : numbers) {
        const scalar::by_number<scalar::divide, std::complex<T>> by(d);
        for (const std::complex<T>& z : numbers) {
            const std::complex<T> quotient = by(z), wanted = scalar::divide{}(z, d);
            if (!same(quotient.real(), wanted.real()) || !same(quotient.imag(), wanted.imag()))
                return false;
        }
    }
    return true;
}

}  // namespace

TEMPLATE_TEST_CASE("All bytes are divided by all", "", std::int8_t, std::uint8_t) {
    using limits = std::numeric_limits<TestType>;
    for (int d = limits::min(); d <= limits::max(); ++d) {
        const Divided<TestType> by(static_cast<TestType>(d));
        for (int a = limits::min(); a <= limits::max(); ++a) {
            if (!by.right(static_cast<TestType>(a))) FAIL(a << " by " << d);
        }
    }
}

TEMPLATE_TEST_CASE("All short integers are divided by some, and those about multiples by all", "",
                   std::int16_t, std::uint16_t) {
    using T = TestType;
    using limits = std::numeric_limits<T>;
    for (const T d : edges<T>()) {
        const Divided<T> by(d);
        for (int a = limits::min(); a <= limits::max(); ++a) {
            if (!by.right(static_cast<T>(a))) FAIL(a << " by " << d);
        }
    }
    for (int d = limits::min(); d <= limits::max(); ++d) {
        const Divided<T> by(static_cast<T>(d));
        for (const int n : {-d * (limits::max() / (d == 0 ? 1 : d)), -d, 0, d, 2 * d,
                            d * (limits::max() / (d == 0 ? 1 : d)), int{limits::max()}}) {
            for (const int a : {n - 1, n, n + 1}) {
                if (!by.right(static_cast<T>(a))) FAIL(a << " by " << d);
            }
        }
    }
}

TEMPLATE_TEST_CASE("Words are divided at random, at the edges and about multiples", "",
                   std::int32_t, std::uint32_t) {
    using T = TestType;
    std::mt19937_64 engine(5);
    std::vector<T> numbers = edges<T>();
    for (int i = 0; i < 20000; ++i) {
        numbers.push_back(static_cast<T>(static_cast<T>(engine()) >> (engine() % 32)));
    }
    const std::vector<T> dividends = edges<T>();
    for (const T d : numbers) {
        const Divided<T> by(d);
        bool right = true;
        for (const T a : dividends) right = right && by.right(a);
        for (int i = 0; i < 20; ++i) {
            const T a = static_cast<T>(engine());
            const std::uint64_t multiple =
                static_cast<std::uint64_t>(d == 0 ? 0 : std::int64_t{a} / d * d);
            for (const std::uint64_t near : {multiple - 1, multiple, multiple + 1}) {
                right = right && by.right(static_cast<T>(near));
            }
            right = right && by.right(a);
        }
        if (!right) FAIL(d);
    }
}

TEST_CASE("Complex numbers divided by one have the bits of their quotients") {
    CHECK(divides_complex<float>());
    CHECK(divides_complex<double>());
}
