// The loops for little: rows of any length, in place, and nothing beside them is written.
#include "broadloom/kernel/elementwise/brief.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include "broadloom/kernel/elementwise/code.hpp"
#include "support/catch.hpp"
#include "support/rows.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;
using rows::Rows;

TEST_CASE("The twin for a handful of elements walks any strides") {
    const Rows<float> rows(4, 3);
    const std::vector<float>&x = rows.x, &y = rows.y;
    const auto sum = rows.formula();
    std::vector<float> z(12, -1.0F);
    const kernel::Run runs[2] = {{x.data(), 3, 1, nullptr}, {y.data(), 0, 1, nullptr}};
    const index_t strides[2] = {4, 1};
    kernel::code_of<Rows<float>::Sum, float>.few(&sum, z.data(), strides, runs, 3, 3);
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c)
            CHECK(z[4 * r + c] == (c < 3 ? x[r + 3 * c] * 2 + y[r] : -1));
    }
}

TEMPLATE_TEST_CASE("Constants of short rows are held, whichever operands they are", "", float,
                   double, std::uint8_t, std::int16_t, std::int64_t, std::complex<float>,
                   std::complex<double>) {
    constexpr const kernel::Code& code = kernel::code_of<typename Rows<TestType>::Sum, TestType>;
    CHECK(code.held[2].unit == 32 / index_t{sizeof(TestType)});
    if (BROADLOOM_X86 && kernel::isa() == 0) return;
    const Rows<TestType> rows(3, 150);
    for (const int bits : {0, 1, 2}) {
        for (index_t length = code.held[bits].unit; length < rows.longest; ++length) {
            INFO(length << " of " << bits);
            CHECK(rows.agree(code.held[bits].loop, length, bits));
        }
    }
    CHECK(code.held[3].loop == nullptr);
}
