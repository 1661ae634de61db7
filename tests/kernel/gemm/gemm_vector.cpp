#include "broadloom/kernel/gemm/gemm_vector.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "broadloom/kernel/gemm.hpp"
#include "support/catch.hpp"
#include "support/settings.hpp"

namespace gemm_detail = broadloom::kernel::gemm_detail;
using broadloom::index_t;
namespace kernel = broadloom::kernel;
using kernel::Baseline;

namespace {

/// A matrix of either order times a vector with gaps, beside two loops, for many sizes.
template <class E>
void check_vector() {
    for (const index_t m : {1, 3, 4, 5, 17, 1030}) {
        for (const index_t k : {1, 2, 7, 16, 33, 2100}) {
            if (m * k > 100000) continue;
            std::vector<E> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(2 * k)),
                expected(static_cast<std::size_t>(m));
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<E>(i % 7);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<E>(i % 5);
            for (const bool by_columns : {false, true}) {
                kernel::Product q{};
                q.m = m, q.n = 1, q.k = k;
                q.a_row = by_columns ? 1 : k, q.a_col = by_columns ? m : 1;
                q.b_row = 2, q.b_col = 1, q.c_row = 3, q.c_col = 1;
                std::vector<E> c(static_cast<std::size_t>(3 * m), E{9});
                q.a = a.data(), q.b = b.data(), q.c = c.data();
                for (index_t i = 0; i < m; ++i) {
                    E sum{};
                    for (index_t p = 0; p < k; ++p) {
                        sum = static_cast<E>(
                            sum + a[static_cast<std::size_t>(i * q.a_row + p * q.a_col)] *
                                      b[static_cast<std::size_t>(2 * p)]);
                    }
                    expected[static_cast<std::size_t>(i)] = sum;
                }
                if (by_columns)
                    gemm_detail::Columns<E, gemm_detail::Algebra::real>::template run<Baseline>(
                        q, 0, m);
                else
                    gemm_detail::Dots<E, gemm_detail::Algebra::real>::template run<Baseline>(q, 0,
                                                                                             m);
                bool same = true;
                for (index_t i = 0; i < 3 * m; ++i) {
                    const E value = i % 3 == 0 ? expected[static_cast<std::size_t>(i / 3)] : E{9};
                    same = same && c[static_cast<std::size_t>(i)] == value;
                }
                INFO(m << " x " << k << (by_columns ? " by columns" : " by rows"));
                CHECK(same);
            }
        }
    }
}

}  // namespace

TEST_CASE("A matrix times a vector, by rows and by columns, writes the result and nothing else") {
    check_vector<double>();
    check_vector<float>();
    check_vector<std::uint16_t>();
}

TEMPLATE_TEST_CASE("A matrix of few columns times a vector", "", float, double, std::int8_t,
                   std::uint16_t, std::int32_t, std::int64_t, bool) {
    using E = TestType;
    constexpr bool real = std::is_floating_point_v<E>;
    const settings::Restore restore;
    for (const index_t m : {8, 16, 23, 64, 65, 200}) {
        for (index_t k = 1; k <= 18; ++k) {
            for (const index_t gap : {0, 1}) {
                for (const bool by_columns : {false, true}) {
                    // What lies between rows must not come into any sum, nor what is behind them.
                    const index_t pitch = (by_columns ? m : k) + gap, runs = by_columns ? k : m;
                    const auto size = static_cast<std::size_t>(runs * pitch - gap);
                    const std::unique_ptr<E[]> a(new E[size]), b(new E[2 * std::size_t(k)]);
                    for (std::size_t i = 0; i < size; ++i) {
                        const bool inside = static_cast<index_t>(i) % pitch < pitch - gap;
                        if constexpr (real)
                            a[i] = inside ? E(i % 7) : std::numeric_limits<E>::quiet_NaN();
                        else a[i] = static_cast<E>(inside ? i % 3 : 1);
                    }
                    for (std::size_t i = 0; i < 2 * std::size_t(k); ++i)
                        b[i] = static_cast<E>(i % 5);
                    kernel::Product q{};
                    q.m = m, q.n = 1, q.k = k;
                    q.a_row = by_columns ? 1 : pitch, q.a_col = by_columns ? pitch : 1;
                    q.b_row = 2, q.b_col = 1, q.c_row = 1 + gap, q.c_col = 1;
                    q.a = a.get(), q.b = b.get();
                    bool same = true;
                    for (int level = 0; level <= 2; ++level) {
                        kernel::set_isa(level);
                        const std::unique_ptr<E[]> c(new E[std::size_t((m - 1) * q.c_row + 1)]());
                        q.c = c.get();
                        kernel::gemm_rows<E>(q, 0, m / 2);
                        kernel::gemm_rows<E>(q, m / 2, m);
                        for (index_t i = 0; i < m; ++i) {
                            E sum{};
                            for (index_t p = 0; p < k; ++p) {
                                sum = gemm_detail::multiply_add<E>(
                                    sum, a[std::size_t(i * q.a_row + p * q.a_col)],
                                    b[std::size_t(2 * p)]);
                            }
                            same = same && c[std::size_t(i * q.c_row)] == sum;
                            if (gap == 1 && i + 1 < m)
                                same = same && c[std::size_t(2 * i + 1)] == E{};
                        }
                    }
                    INFO(m << " x " << k << (by_columns ? " by columns" : " by rows") << ", gap "
                           << gap);
                    CHECK(same);
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("Complex rows times a vector, one row or several", "", float, double) {
    using Z = std::complex<TestType>;
    for (const index_t m : {1, 2, 5}) {
        for (const index_t k : {1, 3, 8, 31, 64, 1030, 2100}) {
            std::vector<Z> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(2 * k)),
                c(static_cast<std::size_t>(m));
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = Z(TestType(i % 7), TestType(i % 3));
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = Z(TestType(i % 5), -TestType(i % 4));
            kernel::Product q{};
            q.m = m, q.n = 1, q.k = k;
            q.a_row = k, q.a_col = 1, q.b_col = 1, q.c_row = 1, q.c_col = 1;
            q.a = a.data(), q.b = b.data(), q.c = c.data();
            for (const index_t step : {1, 2}) {
                q.b_row = step;
                using Kernel = gemm_detail::Dots<TestType, gemm_detail::Algebra::complex>;
                Kernel::template run<Baseline>(q, 0, m);
                INFO(m << " x " << k << ", step " << step);
                for (index_t i = 0; i < m; ++i) {
                    Z sum = 0;
                    for (index_t p = 0; p < k; ++p) {
                        sum += a[static_cast<std::size_t>(i * k + p)] *
                               b[static_cast<std::size_t>(step * p)];
                    }
                    CHECK(c[static_cast<std::size_t>(i)] == sum);
                }
            }
        }
    }
}

TEST_CASE("All lanes are folded into one") {
    const float x[4] = {1, 2, 4, 8};
    gemm_detail::VectorOf<float, 16>::type v;
    gemm_detail::load<16>(v, x);
    CHECK(gemm_detail::fold_lanes<gemm_detail::Algebra::real, 16, float>(v) == 15);
}
