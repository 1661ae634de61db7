#include "broadloom/kernel/gemm/gemm_small.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"

namespace gemm_detail = broadloom::kernel::gemm_detail;
namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// How the products of a batch of two dimensions lie: after one another, with gaps, b repeated, b
/// by columns, or the result by columns.
enum class Lie { together, apart, repeated, by_columns, onto_columns };

/// A batch beside four loops, and that nothing is written beside it.
template <class E, class Part, gemm_detail::Algebra G>
bool agrees_in_batches(index_t m, index_t n, index_t k, Lie lie) {
    const index_t gap = lie == Lie::apart ? 3 : 0, count = 5, outer = 2;
    kernel::Product q{};
    q.m = m, q.n = n, q.k = k, q.batch = 2;
    q.a_row = k, q.a_col = 1;
    q.b_row = lie == Lie::by_columns ? 1 : n, q.b_col = lie == Lie::by_columns ? k : 1;
    q.c_row = lie == Lie::onto_columns ? 1 : n, q.c_col = lie == Lie::onto_columns ? m : 1;
    const index_t a_size = m * k + gap, b_size = k * n + gap, c_size = m * n + gap;
    q.extent[0] = outer, q.extent[1] = count;
    q.a_step[1] = a_size, q.b_step[1] = lie == Lie::repeated ? 0 : b_size, q.c_step[1] = c_size;
    q.a_step[0] = count * a_size, q.b_step[0] = count * b_size, q.c_step[0] = count * c_size;

    const auto numbers = [](index_t size, int modulus) {
        std::vector<E> x(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<E>(static_cast<Part>(static_cast<int>(i) % modulus));
        return x;
    };
    const std::vector<E> a = numbers(outer * count * a_size, 7);
    const std::vector<E> b = numbers(outer * count * b_size, 5);
    std::vector<E> c = numbers(outer * count * c_size + 1, 11), expected = c;
    for (index_t e = 0; e < outer * count; ++e) {
        const index_t o = e / count, t = e % count;
        for (index_t i = 0; i < m; ++i) {
            for (index_t j = 0; j < n; ++j) {
                E sum{};
                for (index_t p = 0; p < k; ++p) {
                    const index_t from_a = o * q.a_step[0] + t * q.a_step[1] + i * q.a_row + p;
                    const index_t from_b =
                        o * q.b_step[0] + t * q.b_step[1] + p * q.b_row + j * q.b_col;
                    sum = static_cast<E>(sum + a[static_cast<std::size_t>(from_a)] *
                                                   b[static_cast<std::size_t>(from_b)]);
                }
                expected[static_cast<std::size_t>(e * c_size + i * q.c_row + j * q.c_col)] = sum;
            }
        }
    }
    q.a = a.data(), q.b = b.data(), q.c = c.data();
    gemm_detail::Small<Part, G>::template run<kernel::Baseline>(q, 0, m);
    return c == expected;
}

}  // namespace

TEST_CASE("A batch of small products is its products one by one, wherever they lie") {
    using gemm_detail::Algebra;
    for (const Lie lie :
         {Lie::together, Lie::apart, Lie::repeated, Lie::by_columns, Lie::onto_columns}) {
        for (index_t m = 1; m <= 9; ++m) {
            for (index_t k = 0; k <= 5; ++k) {
                INFO(m << " x " << k << ", lie " << static_cast<int>(lie));
                for (index_t n = 1; n <= 4; ++n) {
                    CHECK(agrees_in_batches<float, float, Algebra::real>(m, n, k, lie));
                }
                for (index_t n = 1; n <= 2; ++n) {
                    CHECK(agrees_in_batches<double, double, Algebra::real>(m, n, k, lie));
                    CHECK(agrees_in_batches<std::complex<float>, float, Algebra::complex>(m, n, k,
                                                                                          lie));
                }
                for (const index_t n : {3, 8, 15, 16}) {
                    CHECK(
                        agrees_in_batches<std::uint8_t, std::uint8_t, Algebra::real>(m, n, k, lie));
                }
            }
        }
    }
}

TEST_CASE("A batch is small when a row of b fits a register") {
    kernel::Product q{};
    q.m = 4, q.n = 16 / index_t{sizeof(float)}, q.k = 4, q.batch = 1;
    using Kernel = gemm_detail::Small<float, gemm_detail::Algebra::real>;
    CHECK(Kernel::takes(q));
    q.batch = 0;
    CHECK_FALSE(Kernel::takes(q));
    q.batch = 1, q.k = Kernel::most_depth + 1;
    CHECK_FALSE(Kernel::takes(q));
    q.k = 4, q.n = 17;
    CHECK_FALSE(Kernel::takes(q));
}
