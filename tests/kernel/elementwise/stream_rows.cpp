// Rows past the caches: whatever their length and wherever they begin, as if they were stored.
#include "broadloom/kernel/elementwise/stream_rows.hpp"

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "broadloom/core/expression.hpp"
#include "broadloom/kernel/elementwise/code.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

namespace {

/// Operands of some rows, the second one a constant of each, and a formula of both.
template <class T, class E, class R = T>
struct StreamedCase {
    using X = kernel::formula_t<E>;
    static constexpr const kernel::Code& code = kernel::code_of<X, R>;
    static constexpr index_t count = 5, longest = 700;

    X formula;
    std::vector<T> x, y;

    explicit StreamedCase(const E& expression) : formula(expression) {
        for (index_t i = 0; i < count * longest + 64; ++i)
            x.push_back(static_cast<T>(static_cast<float>(i % 50 + 1)));
        for (index_t i = 0; i < count; ++i)
            y.push_back(static_cast<T>(static_cast<float>(i % 3 + 1)));
    }

    /// The rows in memory whose first element lies some elements behind the beginning of a line.
    std::vector<R> computed(int level, kernel::Write write, index_t length, index_t pitch,
                            index_t first) const {
        const auto line = static_cast<index_t>(64 / sizeof(R));
        std::vector<R> memory(static_cast<std::size_t>(count * (longest + 16) + 4 * line), R(7));
        std::vector<T> spread(static_cast<std::size_t>(kernel::block_length));
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        // As targets lie that are streamed: their lines begin between elements.
        R* const lines =
            reinterpret_cast<R*>(reinterpret_cast<char*>(memory.data()) + -address % 64);
        kernel::Stream streams[3] = {};
        for (auto& stream : streams) stream.bytes = sizeof(T);
        streams[0].bytes = sizeof(R);
        kernel::Plan plan;
        plan.count = 3;
        plan.streams = streams;
        kernel::Run runs[2] = {{x.data(), kernel::block_length, longest, nullptr},
                               {y.data(), 0, 1, spread.data()}};
        if (write == kernel::Write::cached) {
            code.loop.level[level](&formula, lines + first, pitch, runs, count, length, write);
        } else {
            kernel::detail::Walk walk{plan, code, &formula, nullptr, runs, level, write};
            kernel::detail::StreamedRows(walk, pitch, count, length)
                .run(reinterpret_cast<char*>(lines + first));
            kernel::detail::finish_streaming();
        }
        return std::vector<R>(lines, lines + count * (longest + 16) + 3 * line);
    }

    void agrees() const {
        for (int level = 0; level < 3; ++level) {
            kernel::set_isa(level);
            if (kernel::isa() < level) continue;
            for (index_t length :
                 {64, 65, 79, 80, 96, 100, 127, 128, 160, 192, 255, 257, 300, 640, 683}) {
                for (const index_t gap : {0, 3, 16}) {
                    for (index_t first = 0; first < 17; first += 4) {
                        const auto stored =
                            computed(level, kernel::Write::cached, length, length + gap, first);
                        INFO(length << ", " << gap << " apart, from " << first << " at " << level);
                        CHECK(computed(level, kernel::Write::streamed, length, length + gap,
                                       first) == stored);
                        CHECK(computed(level, kernel::Write::prefetched, length, length + gap,
                                       first) == stored);
                    }
                }
            }
        }
        kernel::set_isa(2);
    }
};

template <class T>
bl::TensorView<const T> any_view() {
    static const T none{};
    return bl::TensorView<const T>(&none, bl::Shape{1}, bl::Strides{1});
}
template <class T, class R = T, class E>
void check_streamed(const E& expression) {
    StreamedCase<T, E, R>(expression).agrees();
}

}  // namespace

TEMPLATE_TEST_CASE("Rows are streamed, and the lines that they share with their neighbours", "",
                   float, double, std::uint8_t, std::int16_t, std::complex<double>) {
    check_streamed<TestType>(any_view<TestType>() * TestType(2) + any_view<TestType>());
}

TEST_CASE("The smallest elements become the largest") {
    // Lines begin between elements of all that is streamed.
    using Largest = std::complex<long double>;
    using Large =
        std::conditional_t<std::has_single_bit(sizeof(Largest)), Largest, std::complex<double>>;
    check_streamed<std::uint8_t, Large>(bl::cast<Large>(any_view<std::uint8_t>()) +
                                        bl::cast<Large>(any_view<std::uint8_t>()));
}

TEST_CASE("What takes long to compute is streamed from lines aside") {
    check_streamed<float>(bl::exp(any_view<float>() / -9.0F) * any_view<float>());
    check_streamed<double>(bl::atan2(any_view<double>(), any_view<double>()));
}

TEST_CASE("Where a streamed row chooses one operand all along, the other is not fetched") {
    constexpr index_t length = 200, pitch = 208;
    const bool mask[] = {true, true, false, false, false};
    const std::vector<float> chosen(2 * length, 3.0F);  // there are no more rows
    const auto choice = bl::where(any_view<bool>(), any_view<float>(), 0.5F);
    using X = kernel::formula_t<std::remove_cvref_t<decltype(choice)>>;
    const X formula(choice);
    kernel::Stream streams[3] = {};
    streams[0].bytes = streams[2].bytes = sizeof(float);
    streams[1].bytes = sizeof(bool);
    kernel::Plan plan;
    plan.count = 3;
    plan.streams = streams;
    const kernel::Code& code = kernel::code_of<X, float>;
    for (int level = 0; level <= kernel::isa(); ++level) {
        alignas(64) bool spread[static_cast<std::size_t>(kernel::block_length)];
        alignas(64) float target[5 * pitch];
        kernel::Run runs[2] = {{mask, 0, 1, spread},
                               {chosen.data(), kernel::block_length, length, nullptr}};
        kernel::detail::Walk walk{
            plan, code, &formula, nullptr, runs, level, kernel::Write::streamed};
        kernel::detail::StreamedRows(walk, pitch, 5, length).run(reinterpret_cast<char*>(target));
        kernel::detail::finish_streaming();
        bool right = true;
        for (index_t r = 0; r < 5; ++r) {
            for (index_t i = 0; i < length; ++i)
                right &= target[r * pitch + i] == (r < 2 ? 3.0F : 0.5F);
        }
        INFO("at level " << level);
        CHECK(right);
    }
}

TEST_CASE("Functions of the user are called once for each streamed element") {
    index_t calls = 0;
    const auto difference = [&calls](float a, float b) { return ++calls, a - b; };
    check_streamed<float>(bl::map(difference, any_view<float>(), any_view<float>()));
    const auto sum = bl::map(difference, any_view<float>(), any_view<float>());
    const StreamedCase<float, std::remove_cvref_t<decltype(sum)>> some(sum);
    calls = 0;
    some.computed(0, kernel::Write::streamed, 683, 690, 4);
    CHECK(calls == 5 * 683);
}
