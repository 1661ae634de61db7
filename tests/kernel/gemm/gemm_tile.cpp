#include "broadloom/kernel/gemm/gemm_tile.hpp"

#include <cstdint>
#include <vector>

#include "support/catch.hpp"

namespace gemm_detail = broadloom::kernel::gemm_detail;
using broadloom::index_t, gemm_detail::Algebra;

namespace {

/// A tile of 5 rows and 2 registers of 16 bytes beside three loops, stored and added.
template <class E, Algebra G>
void check_tile() {
    constexpr index_t rows = 5, parts = gemm_detail::parts_of<G>,
                      width = 2 * gemm_detail::VectorOf<E, 16>::lanes;
    for (const index_t depth : {0, 1, 7}) {
        for (const bool add : {false, true}) {
            std::vector<E> a(static_cast<std::size_t>(rows * (depth + 1) * parts)),
                b(static_cast<std::size_t>((depth + 1) * width)),
                c(static_cast<std::size_t>(rows * width), E{1});
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<E>(i % 7);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<E>(i % 5);
            std::vector<E> expected = c;
            for (index_t i = 0; i < rows; ++i) {
                for (index_t j = 0; j < width; j += parts) {
                    E re = E{}, im = E{};
                    for (index_t p = 0; p < depth; ++p) {
                        const auto x = static_cast<std::size_t>((i * (depth + 1) + p) * parts);
                        const auto y = static_cast<std::size_t>(p * width + j);
                        if constexpr (G == Algebra::complex) {
                            re = re + a[x] * b[y] - a[x + 1] * b[y + 1];
                            im = im + a[x] * b[y + 1] + a[x + 1] * b[y];
                        } else {
                            re = static_cast<E>(re + a[x] * b[y]);
                        }
                    }
                    const auto at = static_cast<std::size_t>(i * width + j);
                    expected[at] = static_cast<E>(add ? expected[at] + re : re);
                    if constexpr (G == Algebra::complex)
                        expected[at + 1] = add ? expected[at + 1] + im : im;
                }
            }
            gemm_detail::tile<G, 16, 5, 2>(
                depth, static_cast<const E*>(a.data()), (depth + 1) * parts, parts,
                static_cast<const E*>(b.data()), width, c.data(), width, add);
            CHECK(c == expected);
        }
    }
}

}  // namespace

TEST_CASE("A tile is the product of its rows and columns, stored or added") {
    check_tile<float, Algebra::real>();
    check_tile<double, Algebra::real>();
    check_tile<std::uint8_t, Algebra::real>();
    check_tile<double, Algebra::complex>();
}

TEST_CASE("Runs of any length are stored or added, each element once") {
    for (index_t n = 0; n < 30; ++n) {
        std::vector<int> to(static_cast<std::size_t>(n) + 1, 10),
            from(static_cast<std::size_t>(n) + 1, 3);
        gemm_detail::put_run<Algebra::real, 16>(to.data(), static_cast<const int*>(from.data()), n,
                                                true);
        for (index_t i = 0; i < n; ++i) CHECK(to[static_cast<std::size_t>(i)] == 13);
        CHECK(to.back() == 10);
        gemm_detail::put_run<Algebra::real, 16>(to.data(), static_cast<const int*>(from.data()), n,
                                                false);
        for (index_t i = 0; i < n; ++i) CHECK(to[static_cast<std::size_t>(i)] == 3);
        CHECK(to.back() == 10);
    }
}

TEST_CASE("Plus means or for truth values") {
    CHECK(gemm_detail::plus<Algebra::boolean>(std::uint8_t{1}, std::uint8_t{1}) == 1);
    CHECK(gemm_detail::plus<Algebra::real>(std::uint8_t{255}, std::uint8_t{2}) == 1);
}
