// What the tests of elementary functions share: values of every kind, distances in units in the
// last place, and one function computed by every instruction set.
#ifndef BROADLOOM_TESTS_SUPPORT_ULP_HPP
#define BROADLOOM_TESTS_SUPPORT_ULP_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "broadloom/kernel/dispatch.hpp"
#include "support/catch.hpp"
#include "support/same_bits.hpp"

namespace ulp {

/// How far `got` is from `truth`, in units in the last place of T; infinite where a NaN, an
/// infinity or the sign of a zero is out of place.
template <class T>
double distance(T got, long double truth) {
    constexpr double off = std::numeric_limits<double>::infinity();
    using Limits = std::numeric_limits<T>;
    const T rounded = static_cast<T>(truth);
    if (naive::same_bits(got, rounded) && (got != got || got == 0 || std::isinf(got))) return 0;
    if (got != got || truth != truth || std::isinf(truth)) return off;
    if (got == 0 && rounded == 0) return off;
    const long double value =
        std::isinf(got)
            ? std::copysign(std::ldexp(1.0L, Limits::max_exponent), static_cast<long double>(got))
            : static_cast<long double>(got);
    const int exponent = truth == 0 ? Limits::min_exponent - 1
                                    : std::clamp(std::ilogb(truth), Limits::min_exponent - 1,
                                                 Limits::max_exponent - 1);
    return static_cast<double>(std::fabs(value - truth) /
                               std::ldexp(1.0L, exponent - Limits::digits + 1));
}

/// Zeros, infinities, NaN, subnormals, the ends of the range, and their negatives.
template <class T>
std::vector<T> special() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> list;
    for (const T x : {T(0), T(1), T(2), T(0.5), T(1.5), T(3), Limits::denorm_min(),
                      5 * Limits::denorm_min(), Limits::min(), Limits::epsilon(), Limits::max(),
                      Limits::infinity(), Limits::quiet_NaN()}) {
        list.push_back(x);
        list.push_back(-x);
    }
    return list;
}
/// The special values that lie in [low, high], both ends, and `count` numbers between.
template <class T>
std::vector<T> values(T low, T high, int count = 4000) {
    std::vector<T> list;
    for (const T x : special<T>()) {
        if (x != x || (x >= low && x <= high)) list.push_back(x);
    }
    list.push_back(low);
    list.push_back(high);
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<T> by_value(low / 2, high / 2), by_size(-20, 0);
    for (int i = 0; i < count; ++i) {
        const T x = 2 * by_value(engine);
        list.push_back(i % 2 == 0 ? x : x * std::exp2(by_size(engine)));
        if (!(list.back() >= low && list.back() <= high)) list.back() = x;
    }
    return list;
}

template <class F, class T>
struct Loop {
    template <class Isa>
    BROADLOOM_INLINE static void run(const T* x, T* __restrict out, long n) {
        for (long i = 0; i < n; i += 16) {
            for (long j = 0; j < 16; ++j) out[i + j] = F{}(x[i + j]);
        }
    }
};
/// F of every value, computed by a loop of one instruction set.
template <class F, class T>
std::vector<T> computed(std::vector<T> x, int level) {
    const std::size_t size = x.size();
    x.resize((size + 15) / 16 * 16, T(1));
    std::vector<T> out(x.size());
    broadloom::kernel::set_isa(level);
    broadloom::kernel::strict<Loop<F, T>, void(const T*, T*, long)>()(x.data(), out.data(),
                                                                      static_cast<long>(x.size()));
    broadloom::kernel::set_isa(2);
    out.resize(size);
    return out;
}
/// F of one element, with no step that loops do not take either.
template <class F, class... T>
BROADLOOM_UNCONTRACTED auto by_itself(T... x) {
    return F{}(x...);
}
/// True when every instruction set gives what one element by itself gives.
template <class F, class T>
bool same_everywhere(const std::vector<T>& x) {
    for (int level = 0; level < 3; ++level) {
        const std::vector<T> out = computed<F, T>(x, level);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!naive::same_bits(out[i], by_itself<F>(x[i]))) return false;
        }
    }
    return true;
}
/// The largest distance of F from the truth over some values.
template <class F, class T, class Truth>
double worst(const std::vector<T>& x, Truth truth) {
    double most = 0;
    for (const T v : x)
        most = std::max(most, distance<T>(by_itself<F>(v), truth(static_cast<long double>(v))));
    return most;
}

/// Checks F on [low, high]: within `bar` of the truth, and the same from every instruction set.
template <class F, class T, class Truth>
void check(double low, double high, double bar, Truth truth) {
    const auto x = values<T>(static_cast<T>(low), static_cast<T>(high));
    CHECK(worst<F, T>(x, truth) <= bar);
    CHECK(same_everywhere<F, T>(x));
    CHECK(same_everywhere<F, T>(special<T>()));
}
/// The same, and within `bar` at all special values.
template <class F, class T, class Truth>
void check_all(double low, double high, double bar, Truth truth) {
    check<F, T>(low, high, bar, truth);
    CHECK(worst<F, T>(special<T>(), truth) <= bar);
}

/// Checks F of two numbers: within `bar` of the truth at all pairs of special values and at those
/// of two lists, as far as both go.
template <class F, class T, class Truth>
void check_pairs(const std::vector<T>& x, const std::vector<T>& y, double bar, Truth truth) {
    const auto off = [&](T a, T b) {
        return distance<T>(by_itself<F>(a, b),
                           truth(static_cast<long double>(a), static_cast<long double>(b)));
    };
    for (const T a : special<T>()) {
        for (const T b : special<T>()) {
            INFO(a << ", " << b);
            CHECK(off(a, b) <= bar);
        }
    }
    double most = 0;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        most = std::max(most, off(x[i], y[i]));
    CHECK(most <= bar);
}

}  // namespace ulp

#endif  // BROADLOOM_TESTS_SUPPORT_ULP_HPP
