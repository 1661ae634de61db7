// How far are the elementary functions from the true values, in units in the last place?
//
// Prints a Markdown table. Unary float functions are measured on every float of their range
// against double; double functions on random points against long double. Zeros must have the
// right sign, NaN and infinity must stand where they belong. Complex functions are measured in the
// plane, in units in the last place of the size of what is true, where that is a normal number.
//
//     accuracy_of_functions             everything (an hour or two)
//     accuracy_of_functions --quick     a sample, in seconds: the suite runs this
//     accuracy_of_functions [--quick] NAME...   only these functions
//
// The exit status is 1 when a function is further off than its bar.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/arc.hpp"
#include "broadloom/scalar/exponential.hpp"
#include "broadloom/scalar/hyperbolic.hpp"
#include "broadloom/scalar/logarithm.hpp"
#include "broadloom/scalar/power.hpp"
#include "broadloom/scalar/rounding.hpp"
#include "broadloom/scalar/special.hpp"
#include "broadloom/scalar/trigonometric.hpp"

namespace {

using namespace broadloom;

bool quick = false;
bool failed = false;
std::vector<std::string_view> chosen;

constexpr long block = 64, chunk = 4096;

template <class F, class T>
struct Unary {
    template <class Isa>
    BROADLOOM_INLINE static void run(const T* x, T* __restrict out, long n) {
        for (; n > 0; n -= block, x += block, out += block) {
            for (long i = 0; i < block; ++i) out[i] = F{}(x[i]);
        }
    }
};
template <class F, class T>
struct Binary {
    template <class Isa>
    BROADLOOM_INLINE static void run(const T* x, const T* y, T* __restrict out, long n) {
        for (; n > 0; n -= block, x += block, y += block, out += block) {
            for (long i = 0; i < block; ++i) out[i] = F{}(x[i], y[i]);
        }
    }
};

template <class T>
constexpr T infinite = std::numeric_limits<T>::infinity();

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <class T>
using Word = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

/// The floats in order as integers in order: -0 and 0 are neighbours.
template <class T>
Word<T> place(T x) {
    constexpr Word<T> top = Word<T>{1} << (8 * sizeof(T) - 1);
    Word<T> w;
    std::memcpy(&w, &x, sizeof x);
    return (w & top) != 0 ? static_cast<Word<T>>(~w) : static_cast<Word<T>>(w | top);
}
template <class T>
T at_place(Word<T> p) {
    constexpr Word<T> top = Word<T>{1} << (8 * sizeof(T) - 1);
    const Word<T> w = (p & top) != 0 ? static_cast<Word<T>>(p ^ top) : static_cast<Word<T>>(~p);
    T x;
    std::memcpy(&x, &w, sizeof x);
    return x;
}

/// The distance of `got` from `truth` in units in the last place of T at `truth`; an infinity
/// counts as the power of two past the largest number. Misplaced NaN, infinity or sign: infinite.
template <class T>
double distance(T got, Wide<T> truth) {
    constexpr double off = std::numeric_limits<double>::infinity();
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, float>) {
        // The usual case in few steps: a difference in double times the unit's inverse.
        const double size = std::fabs(truth), high = 0x1p127, low = 0x1p-126;
        if (size >= low && size < high && std::fabs(got) < infinite<float>) {
            std::uint64_t bits;
            std::memcpy(&bits, &size, sizeof bits);
            bits = (std::uint64_t{2 * 1023 + Limits::digits - 1} << 52) - (bits >> 52 << 52);
            double per_unit;
            std::memcpy(&per_unit, &bits, sizeof bits);
            return std::fabs(double{got} - truth) * per_unit;
        }
    }
    const T rounded = static_cast<T>(truth);
    if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got) ? 0 : off;
    if (truth == 0 && got == 0) return std::signbit(truth) == std::signbit(got) ? 0 : off;
    if (got == rounded) {
        if (std::isinf(got)) return 0;
    } else if (std::isinf(truth)) {
        return off;
    }
    const Wide<T> past = std::ldexp(Wide<T>{1}, Limits::max_exponent);
    const Wide<T> value = std::isinf(got) ? std::copysign(past, Wide<T>{got}) : Wide<T>{got};
    const Wide<T> bound = std::isinf(truth) ? std::copysign(past, truth) : truth;
    const int exponent = std::max(std::ilogb(bound), Limits::min_exponent - 1);
    const Wide<T> unit =
        std::ldexp(Wide<T>{1}, std::min(exponent, Limits::max_exponent - 1) - Limits::digits + 1);
    return static_cast<double>(std::fabs(value - bound) / unit);
}

struct Worst {
    double ulp = 0;
    long double x = 0, y = 0;
    void see(double distance, long double at, long double at_y = 0) {
        if (distance > ulp) *this = {distance, at, at_y};
    }
};

bool wanted(std::string_view name) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end();
}

template <class T>
void report(const char* name, const char* range, const Worst& worst, double bar, bool has_y) {
    const bool bad = !(worst.ulp <= bar);
    failed |= bad;
    const char* const type = std::is_same_v<T, float>    ? "float"
                             : std::is_same_v<T, double> ? "double"
                             : sizeof(T) == 8            ? "complex float"
                                                         : "complex double";
    std::printf("| %s | %s | %s | %.3f | %.2f | %.9Lg", name, type, range, worst.ulp, bar, worst.x);
    if (has_y) std::printf(", %.9Lg", worst.y);
    std::printf(" |%s\n", bad ? " TOO FAR" : "");
    std::fflush(stdout);
}

std::uint64_t state = 88172645463325252U;
std::uint64_t draw() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717U;
}
/// A number of [low, high]: half of the time by value, half of the time by place.
template <class T>
T draw(T low, T high) {
    const std::uint64_t bits = draw();
    if ((bits & 1) != 0 && std::isfinite(low) && std::isfinite(high)) {
        const double share = static_cast<double>(draw() >> 11) * 0x1p-53;
        return static_cast<T>(double{low} * (1 - share) + double{high} * share);
    }
    const Word<T> first = place(low), count = static_cast<Word<T>>(place(high) - first);
    return at_place<T>(static_cast<Word<T>>(
        first + (count == std::numeric_limits<Word<T>>::max()
                     ? static_cast<Word<T>>(draw())
                     : static_cast<Word<T>>(draw() % (std::uint64_t{count} + 1)))));
}

template <class F, class T, class Truth>
void unary(const char* name, const char* range, T low, T high, double bar, Truth truth) {
    if (!wanted(name)) return;
    auto* const f = kernel::strict<Unary<F, T>, void(const T*, T*, long)>();
    std::vector<T> x(chunk), out(chunk);
    Worst worst;
    long filled = 0;
    const auto flush = [&] {
        for (long i = filled; i < chunk; ++i) x[static_cast<std::size_t>(i)] = T{1};
        f(x.data(), out.data(), chunk);
        for (long i = 0; i < filled; ++i) {
            const auto k = static_cast<std::size_t>(i);
            worst.see(distance<T>(out[k], truth(Wide<T>{x[k]})), x[k]);
        }
        filled = 0;
    };
    const auto take = [&](T value) {
        x[static_cast<std::size_t>(filled++)] = value;
        if (filled == chunk) flush();
    };
    if constexpr (std::is_same_v<T, float>) {
        const std::uint64_t first = place(low), last = place(high);
        const std::uint64_t step = quick ? std::max<std::uint64_t>((last - first) / 400000, 1) : 1;
        for (std::uint64_t p = first; p <= last; p += step) take(at_place<T>(std::uint32_t(p)));
    } else {
        for (long i = 0; i < (quick ? 100000 : 20000000); ++i) take(draw(low, high));
    }
    for (const T edge :
         {T{0}, -T{0}, T{1}, T{-1}, low, high, std::numeric_limits<T>::min(),
          std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max(),
          std::numeric_limits<T>::lowest(), std::numeric_limits<T>::infinity(),
          -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
        take(edge);
    }
    flush();
    report<T>(name, range, worst, bar, false);
}

template <class F, class T, class Truth>
void binary(const char* name, const char* range, T x_low, T x_high, T y_low, T y_high, double bar,
            Truth truth) {
    if (!wanted(name)) return;
    auto* const f = kernel::strict<Binary<F, T>, void(const T*, const T*, T*, long)>();
    std::vector<T> x(chunk), y(chunk), out(chunk);
    Worst worst;
    long filled = 0;
    const auto flush = [&] {
        f(x.data(), y.data(), out.data(), chunk);
        for (long i = 0; i < filled; ++i) {
            const auto k = static_cast<std::size_t>(i);
            worst.see(distance<T>(out[k], truth(Wide<T>{x[k]}, Wide<T>{y[k]})), x[k], y[k]);
        }
        filled = 0;
    };
    const auto take = [&](T a, T b) {
        x[static_cast<std::size_t>(filled)] = a;
        y[static_cast<std::size_t>(filled++)] = b;
        if (filled == chunk) flush();
    };
    for (long i = 0; i < (quick ? 100000 : 40000000); ++i) {
        const T a = draw(x_low, x_high);
        take(a, draw(y_low, y_high));
    }
    constexpr T tiny = std::numeric_limits<T>::denorm_min(), huge = std::numeric_limits<T>::max(),
                infinity = std::numeric_limits<T>::infinity();
    const T edges[] = {T{0},
                       -T{0},
                       T{0.5},
                       T{-0.5},
                       T{1},
                       T{-1},
                       T{2},
                       T{-2},
                       T{3},
                       T{-3},
                       T{1.5},
                       T{-1.5},
                       tiny,
                       -tiny,
                       huge,
                       -huge,
                       T{1e9},
                       T{-1e9},
                       infinity,
                       -infinity,
                       x_low,
                       x_high,
                       std::nextafter(T{1}, T{2}),
                       std::nextafter(T{1}, T{0}),
                       std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::min()};
    for (const T a : edges) {
        for (const T b : edges) take(a, b);
    }
    flush();
    report<T>(name, range, worst, bar, true);
}

/// A function of complex numbers with parts of up to `most`, some of them next to 1, -1, i and -i.
template <class F, class T, class Truth>
void complex_unary(const char* name, T most, double bar, Truth truth) {
    if (!wanted(name)) return;
    using C = std::complex<T>;
    using W = std::complex<long double>;
    using Limits = std::numeric_limits<T>;
    auto* const f = kernel::strict<Unary<F, C>, void(const C*, C*, long)>();
    std::vector<C> x(chunk), out(chunk);
    Worst worst;
    for (long left = quick ? 5 : 1000; left > 0; --left) {
        for (C& z : x) {
            const std::uint64_t where = draw() % 8;
            constexpr T close = T(0.01);
            const C corner = where < 4 ? C(0) : where < 6 ? C(1) : C(0, 1);
            const T reach = where < 4 ? most : close, re = draw(-reach, reach);
            z = (where % 2 == 0 ? corner : -corner) + C(re, draw(-reach, reach));
        }
        f(x.data(), out.data(), chunk);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const W expected = truth(W(x[i]));
            const long double size = std::abs(expected);
            if (!(size > (Limits::min)() * 0x1p30L && size < (Limits::max)())) continue;
            const long double off = std::abs(W(out[i]) - expected) / size / Limits::epsilon();
            const double ulp = off <= 1e9L ? static_cast<double>(off) : infinite<double>;
            worst.see(ulp, x[i].real(), x[i].imag());
        }
    }
    char range[32];
    std::snprintf(range, sizeof range, "parts up to %g", static_cast<double>(most));
    report<C>(name, range, worst, bar, true);
}

/// One function in both types over one range.
template <class F, class Truth>
void both(const char* name, const char* range, double low, double high, double bar, Truth truth) {
    unary<F, float>(name, range, static_cast<float>(low), static_cast<float>(high), bar, truth);
    unary<F, double>(name, range, low, high, bar, truth);
}
template <class F, class Truth>
void both2(const char* name, const char* range, double x_low, double x_high, double y_low,
           double y_high, double bar, Truth truth) {
    binary<F, float>(name, range, float(x_low), float(x_high), float(y_low), float(y_high), bar,
                     truth);
    binary<F, double>(name, range, x_low, x_high, y_low, y_high, bar, truth);
}

template <class F, class Truth>
void both_complex(const char* name, double most, double bar, Truth truth) {
    complex_unary<F, float>(name, static_cast<float>(most), bar, truth);
    complex_unary<F, double>(name, most, bar, truth);
}

template <class W>
W true_sigmoid(W x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
template <class W>
W true_gelu(W x) {
    return x * std::erfc(-x * static_cast<W>(0.70710678118654752440084436210484904L)) / 2;
}

void measure() {
    constexpr double all = infinite<double>;
    std::puts("| function | type | range | max ulp | bar | at |\n|---|---|---|---:|---:|---|");
    both<scalar::exp>("exp", "all", -all, all, 1.1, [](auto x) { return std::exp(x); });
    both<scalar::exp2>("exp2", "all", -all, all, 1.1, [](auto x) { return std::exp2(x); });
    both<scalar::expm1>("expm1", "all", -all, all, 1.1, [](auto x) { return std::expm1(x); });
    both<scalar::log>("log", "all", -all, all, 1.1, [](auto x) { return std::log(x); });
    both<scalar::log2>("log2", "all", -all, all, 1.1, [](auto x) { return std::log2(x); });
    both<scalar::log10>("log10", "all", -all, all, 1.1, [](auto x) { return std::log10(x); });
    both<scalar::log1p>("log1p", "all", -all, all, 1.1, [](auto x) { return std::log1p(x); });
    both<scalar::sinh>("sinh", "all", -all, all, 2, [](auto x) { return std::sinh(x); });
    both<scalar::cosh>("cosh", "all", -all, all, 2, [](auto x) { return std::cosh(x); });
    both<scalar::tanh>("tanh", "all", -all, all, 2, [](auto x) { return std::tanh(x); });
    both<scalar::asinh>("asinh", "all", -all, all, 2, [](auto x) { return std::asinh(x); });
    both<scalar::acosh>("acosh", "all", -all, all, 2, [](auto x) { return std::acosh(x); });
    both<scalar::atanh>("atanh", "all", -all, all, 2, [](auto x) { return std::atanh(x); });
    both<scalar::sigmoid>("sigmoid", "all", -all, all, 2, [](auto x) { return true_sigmoid(x); });
    both<scalar::silu>("silu", "all", -all, all, 2, [](auto x) { return x * true_sigmoid(x); });
    both<scalar::softplus>("softplus", "all", -all, all, 2, [](auto x) {
        return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    });
    both<scalar::sin>("sin", "all", -all, all, 2, [](auto x) { return std::sin(x); });
    both<scalar::cos>("cos", "all", -all, all, 2, [](auto x) { return std::cos(x); });
    both<scalar::tan>("tan", "all", -all, all, 4, [](auto x) { return std::tan(x); });
    both<scalar::asin>("asin", "all", -all, all, 2, [](auto x) { return std::asin(x); });
    both<scalar::acos>("acos", "all", -all, all, 2, [](auto x) { return std::acos(x); });
    both<scalar::atan>("atan", "all", -all, all, 2, [](auto x) { return std::atan(x); });
    both<scalar::sqrt>("sqrt", "all", -all, all, 0.501, [](auto x) { return std::sqrt(x); });
    both<scalar::rsqrt>("rsqrt", "all", -all, all, 2, [](auto x) { return 1 / std::sqrt(x); });
    both<scalar::cbrt>("cbrt", "all", -all, all, 2, [](auto x) { return std::cbrt(x); });
    both<scalar::erf>("erf", "all", -all, all, 2, [](auto x) { return std::erf(x); });
    const auto gelu = [](auto x) { return true_gelu(x); };
    unary<scalar::gelu, float>("gelu", "all", -infinite<float>, infinite<float>, 2, gelu);
    unary<scalar::gelu, double>("gelu", "x >= -0.5", -0.5, infinite<double>, 2, gelu);
    unary<scalar::gelu, double>("gelu", "all", -infinite<double>, infinite<double>, 6, gelu);
    both<scalar::floor>("floor", "all", -all, all, 0, [](auto x) { return std::floor(x); });
    both<scalar::ceil>("ceil", "all", -all, all, 0, [](auto x) { return std::ceil(x); });
    both<scalar::trunc>("trunc", "all", -all, all, 0, [](auto x) { return std::trunc(x); });
    both<scalar::round>("round", "all", -all, all, 0, [](auto x) { return std::nearbyint(x); });
    const auto pow = [](auto x, auto y) { return std::pow(x, y); };
    both2<scalar::pow>("pow", "all", -all, all, -all, all, 4, pow);
    both2<scalar::pow>("pow", "x in [0, 100], y in [-20, 20]", 0, 100, -20, 20, 4, pow);
    both2<scalar::pow>("pow", "x in [0.9, 1.1], y in [-1e4, 1e4]", 0.9, 1.1, -1e4, 1e4, 4, pow);
    const auto atan2 = [](auto y, auto x) { return std::atan2(y, x); };
    both2<scalar::atan2>("atan2", "all", -all, all, -all, all, 2, atan2);
    both2<scalar::atan2>("atan2", "[-10, 10]", -10, 10, -10, 10, 2, atan2);
    const auto hypot = [](auto x, auto y) { return std::hypot(x, y); };
    both2<scalar::hypot>("hypot", "all", -all, all, -all, all, 2, hypot);
    both2<scalar::hypot>("hypot", "[-10, 10]", -10, 10, -10, 10, 2, hypot);
}

/// Where the standard library's functions are glibc's: those of others are further off, and what
/// should be the truth too.
void measure_complex() {
#if defined(__GLIBCXX__) && defined(__GLIBC__)
    using std::numbers::ln10_v, std::numbers::ln2_v;
    both_complex<scalar::exp>("exp", 80, 2, [](auto z) { return std::exp(z); });
    both_complex<scalar::exp2>("exp2", 2, 2,
                               [](auto z) { return std::exp(z * ln2_v<long double>); });
    both_complex<scalar::log>("log", 1e30, 2, [](auto z) { return std::log(z); });
    both_complex<scalar::log2>("log2", 1e30, 2,
                               [](auto z) { return std::log(z) / ln2_v<long double>; });
    both_complex<scalar::log10>("log10", 1e30, 2,
                                [](auto z) { return std::log(z) / ln10_v<long double>; });
    both_complex<scalar::sqrt>("sqrt", 1e30, 2, [](auto z) { return std::sqrt(z); });
    both_complex<scalar::rsqrt>("rsqrt", 1e30, 4, [](auto z) { return 1.0L / std::sqrt(z); });
    both_complex<scalar::sin>("sin", 80, 2, [](auto z) { return std::sin(z); });
    both_complex<scalar::cos>("cos", 80, 2, [](auto z) { return std::cos(z); });
    both_complex<scalar::tan>("tan", 80, 4, [](auto z) { return std::tan(z); });
    both_complex<scalar::sinh>("sinh", 80, 2, [](auto z) { return std::sinh(z); });
    both_complex<scalar::cosh>("cosh", 80, 2, [](auto z) { return std::cosh(z); });
    both_complex<scalar::tanh>("tanh", 80, 4, [](auto z) { return std::tanh(z); });
    both_complex<scalar::asin>("asin", 1e30, 4, [](auto z) { return std::asin(z); });
    both_complex<scalar::acos>("acos", 1e30, 4, [](auto z) { return std::acos(z); });
    both_complex<scalar::atan>("atan", 1e30, 4, [](auto z) { return std::atan(z); });
    both_complex<scalar::asinh>("asinh", 1e30, 4, [](auto z) { return std::asinh(z); });
    both_complex<scalar::acosh>("acosh", 1e30, 4, [](auto z) { return std::acosh(z); });
    both_complex<scalar::atanh>("atanh", 1e30, 4, [](auto z) { return std::atanh(z); });
    both_complex<scalar::reciprocal>("reciprocal", 1e18, 4, [](auto z) { return 1.0L / z; });
#endif
}

}  // namespace

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--quick") == 0) quick = true;
        else chosen.emplace_back(words[i]);
    }
    measure();
    measure_complex();
    return failed ? 1 : 0;
}
