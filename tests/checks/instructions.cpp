// One small call, many times over: `instructions CALL COUNT`. What is counted are instructions, by
// instructions.cmake, since times of so few nanoseconds differ from machine to machine.
#include <cstdlib>
#include <string>

#include "broadloom/broadloom.hpp"

namespace bl = broadloom;
using bl::Tensor;

namespace {

/// Calls `f` so many times; the compiler must believe that somebody reads what it gives.
template <class F>
void repeat(int count, F f) {
    for (int i = 0; i < count; ++i) {
        const float* volatile read = f();
        static_cast<void>(read);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string call = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 0;
    const auto x = bl::ones<float>({16}), square = bl::ones<float>({3, 3});
    const auto column = bl::ones<float>({3, 1}), number = bl::ones<float>({});
    const auto one = bl::ones<float>({1}), rows = bl::ones<float>({3, 1, 7});
    const auto four = bl::ones<float>({4});
    auto z = bl::ones<float>({16});
    float total = 0;
    const auto fresh = [](const auto& a, const auto& b) {
        return [&a, &b] {
            const Tensor<float> result = a + b;
            return result.data();
        };
    };
    if (call == "fresh") repeat(count, fresh(x, x));
    else if (call == "into") repeat(count, [&] { return (z = x + x).data(); });
    else if (call == "in-place") repeat(count, [&] { return (z += x).data(); });
    else if (call == "scalar") repeat(count, [&] { return (z = x * 2.0F).data(); });
    else if (call == "column") repeat(count, fresh(square, column));
    else if (call == "number") repeat(count, fresh(number, four));
    else if (call == "rank-3") repeat(count, fresh(one, rows));
    else if (call == "sum") repeat(count, [&] { return &(total = bl::sum(x)); });
    else return EXIT_FAILURE;
}
