#include "broadloom/kernel/gemm/gemm_lanes.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace gemm_detail = broadloom::kernel::gemm_detail;
using broadloom::index_t;

static_assert(gemm_detail::even_share(10, 20) == 10 && gemm_detail::even_share(21, 20) == 11 &&
              gemm_detail::even_share(0, 4) == 0);
static_assert(sizeof(gemm_detail::unsigned_of<4>) == 4 &&
              gemm_detail::VectorOf<float, 32>::lanes == 8);

TEST_CASE("A run of any length is copied, and nothing beside it") {
    for (index_t n = 0; n < 40; ++n) {
        std::vector<float> from(static_cast<std::size_t>(n)),
            to(static_cast<std::size_t>(n) + 1, -1.0F);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i) + 1;
        gemm_detail::copy<16>(to.data(), static_cast<const float*>(from.data()), n);
        for (std::size_t i = 0; i < from.size(); ++i) CHECK(to[i] == from[i]);
        CHECK(to.back() == -1);
    }
}

TEST_CASE("A register is filled in part, from its beginning or its end, with zeros elsewhere") {
    const double x[4] = {1, 2, 3, 4};
    for (index_t n = 1; n <= 2; ++n) {
        gemm_detail::VectorOf<double, 16>::type v;
        double out[2];
        gemm_detail::load_first<16>(v, x, n);
        gemm_detail::store<16>(out, v);
        CHECK(out[0] == 1);
        CHECK(out[1] == (n == 2 ? 2 : 0));
        gemm_detail::load_last<16>(v, x + 2, n);
        gemm_detail::store<16>(out, v);
        CHECK(out[0] == (n == 2 ? 3 : 0));
        CHECK(out[1] == (n == 2 ? 4 : 3));
    }
}

TEMPLATE_TEST_CASE("Runs are transposed into rows, remainders too", "", std::uint32_t,
                   std::uint64_t) {
    using U = TestType;
    constexpr index_t lanes = gemm_detail::VectorOf<U, 16>::lanes;
    for (index_t length = 0; length < 11; ++length) {
        const index_t step = length + 2, row = lanes + 3;
        std::vector<U> from(static_cast<std::size_t>(lanes * step)),
            to(static_cast<std::size_t>(length * row + 1));
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<U>(i);
        gemm_detail::transpose<16>(to.data(), row, static_cast<const U*>(from.data()), step,
                                   length);
        for (index_t p = 0; p < length; ++p) {
            for (index_t j = 0; j < lanes; ++j) {
                CHECK(to[static_cast<std::size_t>(p * row + j)] ==
                      from[static_cast<std::size_t>(j * step + p)]);
            }
        }
    }
}
