// Which operands are copied before a walk, and that nothing else changes.
#include "broadloom/kernel/elementwise/copies.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "broadloom/kernel/describe.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/planned.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
namespace detail = broadloom::kernel::detail;
using bl::index_t, bl::Tensor;
using Catch::Matchers::ContainsSubstring;
using planned::Planned;

namespace {

using List = std::vector<index_t>;

/// From where operands of a plan of floats, or of elements of so many bytes, are copied in full.
int copied_from(const List& extents, const std::vector<List>& steps, index_t bytes = 4) {
    Planned planned(extents, steps);
    for (auto& stream : planned.streams) stream.bytes = bytes;
    planned.code.unit = 16;
    planned.code.light = true;
    return detail::copied_in_full(planned.plan, planned.code, kernel::Write::cached).from;
}

template <class T>
Tensor<T> counted(const bl::Shape& shape, index_t first) {
    return bl::eval(bl::cast<T>(bl::mod(bl::arange<index_t>(shape.size()) + first, 61)))
        .reshape(shape)
        .copy();
}

}  // namespace

TEST_CASE("Operands in grains are laid flat beside others, whatever is made of them") {
    const auto lays = [](const List& operand) {
        Planned planned({40, 30, 3, 50}, {{4500, 150, 50, 1}, operand, {4500, 150, 50, 1}});
        for (auto& stream : planned.streams) stream.movers = &kernel::movers_of<4>;
        return detail::is_laid_flat(planned.plan, 1);
    };
    CHECK(lays({3, 6000, 1, 120}));
    CHECK(!lays({150, 6000, 50, 1}));
    CHECK(!lays({1, 6000, 2000, 40}));
}

TEST_CASE("What short rows have of their own is copied in full where it serves many turns") {
    // Images of 500 channels, each with a factor.
    CHECK(copied_from({20, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 1, 0}}) == 1);
    CHECK(copied_from({20, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 1, 0}, {0, 3, 0}}) == 1);
    CHECK(copied_from({2, 10, 500, 5, 5}, {{125000, 12500, 25, 5, 1}, {0, 0, 5, 0, 1}}) == 2);
    // Few turns, a tile, more than the second-level cache holds, long rows.
    CHECK(copied_from({3, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({20, 80, 25}, {{2000, 25, 1}, {2000, 25, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({4, 8000, 25}, {{200000, 25, 1}, {200000, 25, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({20, 500, 49}, {{24500, 49, 1}, {24500, 49, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({20, 500, 32}, {{16000, 32, 1}, {16000, 32, 1}, {0, 1, 0}}) == -1);
    // Beside what comes from memory crumbs alone, or narrow elements.
    CHECK(copied_from({400, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({1000, 500, 9}, {{4500, 9, 1}, {4500, 9, 1}, {0, 1, 0}}) == 1);
    CHECK(copied_from({800, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 1, 0}}, 1) == 1);
    // All else lies flat, and what is copied is the same outside.
    CHECK(copied_from({20, 500, 25}, {{12500, 25, 1}, {25000, 50, 2}, {0, 1, 0}}) == -1);
    CHECK(copied_from({20, 500, 25}, {{15000, 30, 1}, {12500, 25, 1}, {0, 1, 0}}) == -1);
    CHECK(copied_from({20, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {500, 1, 0}}) == -1);
    CHECK(copied_from({20, 500, 25}, {{12500, 25, 1}, {12500, 25, 1}, {0, 0, 1}}) == -1);
    // The product of extents may be larger than any number of bytes.
    CHECK(copied_from({index_t{1} << 20, index_t{1} << 20, index_t{1} << 20},
                      {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}) == -1);
}

TEST_CASE("The plan tells of copies in full") {
    const Tensor<float> x = bl::ones<float>({20, 500, 25}), c = bl::ones<float>({500, 1});
    const std::string told = bl::describe_plan(x * c);
    CHECK_THAT(told, ContainsSubstring("loops (20, 12500)"));
    CHECK_THAT(told,
               ContainsSubstring("operand 1: 4 bytes, strides (0, 1), direct from a flat copy"));
}

TEMPLATE_TEST_CASE("What is made of copies in full is made of the operands", "", float, double,
                   std::int16_t, std::uint8_t) {
    const settings::Restore restore;
    for (const index_t columns : {3, 5, 16, 17, 25, 60, 121}) {
        for (const int threads : {1, 3}) {
            bl::set_num_threads(threads);
            const bl::Shape shape{9, 300, columns};
            const auto x = counted<TestType>(shape, 1), y = counted<TestType>(shape, 9);
            const auto c = counted<TestType>({300, 1}, 3), d = counted<TestType>({300, 1}, 5);
            const Tensor<TestType> whole(c.broadcast_to(shape)), other(d.broadcast_to(shape));
            CAPTURE(columns, threads);
            CHECK(bl::array_equal(bl::eval(x * c), bl::eval(x * whole)));
            CHECK(bl::array_equal(bl::eval(x * c + d), bl::eval(x * whole + other)));
            CHECK(bl::array_equal(bl::eval(x < c), bl::eval(x < whole)));
            CHECK(bl::array_equal(bl::eval(bl::where(c < d, x, y)),
                                  bl::eval(bl::where(whole < other, x, y))));
            Tensor<TestType> target = x, same = x;
            target += c;
            same += whole;
            CHECK(bl::array_equal(target, same));
        }
    }
}
