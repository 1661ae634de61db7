// A random engine whose numbers a test writes down.
#ifndef BROADLOOM_TESTS_SUPPORT_SCRIPTED_HPP
#define BROADLOOM_TESTS_SUPPORT_SCRIPTED_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

/// Gives the numbers of a list, over and over, in a range of the test's choice.
template <class T, T Min, T Max>
struct Scripted {
    using result_type = T;
    std::vector<T> numbers;
    std::size_t calls = 0;

    static constexpr T min() { return Min; }
    static constexpr T max() { return Max; }
    T operator()() { return numbers[calls++ % numbers.size()]; }
};
using ScriptedWords = Scripted<std::uint32_t, 0, 0xffffffffU>;

#endif  // BROADLOOM_TESTS_SUPPORT_SCRIPTED_HPP
