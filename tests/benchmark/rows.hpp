// A row of a benchmark: a call and the loop one would write by hand, in the same run. Nanoseconds
// for each, the least of several batches that take turns, and their ratio.
#ifndef BROADLOOM_TESTS_BENCHMARK_ROWS_HPP
#define BROADLOOM_TESTS_BENCHMARK_ROWS_HPP

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace benchmark {

/// Makes the compiler believe that a value is looked at.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

inline double batch(auto&& call, int calls) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / calls;
}

/// As many calls as take five milliseconds.
inline int enough(auto&& call) {
    int calls = 1;
    while (batch(call, calls) * calls < 5e6) calls *= 2;
    return calls;
}

inline void head() {
    std::printf("%-36s %14s %14s %8s\n", "", "broadloom ns", "by hand ns", "ratio");
}

inline void row(const char* name, auto&& ours, auto&& by_hand) {
    const int a = enough(ours), b = enough(by_hand);
    double least_a = 1e300, least_b = 1e300;
    for (int i = 0; i < 9; ++i) {
        least_a = std::min(least_a, batch(ours, a));
        least_b = std::min(least_b, batch(by_hand, b));
    }
    std::printf("%-36s %14.1f %14.1f %8.2f\n", name, least_a, least_b, least_a / least_b);
    std::fflush(stdout);
}

}  // namespace benchmark

#endif  // BROADLOOM_TESTS_BENCHMARK_ROWS_HPP
