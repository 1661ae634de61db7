#include "broadloom/kernel/gemm/gemm_pack.hpp"

#include <vector>

#include "support/catch.hpp"

namespace gemm_detail = broadloom::kernel::gemm_detail;
using broadloom::index_t, gemm_detail::Algebra;

namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

}  // namespace

TEST_CASE("Panels of b hold its rows side by side, the last one filled up with zeros") {
    constexpr index_t panel = 8;
    for (const index_t depth : {1, 3, 9}) {
        for (const index_t columns : {1, 7, 8, 9, 140}) {
            const index_t row = columns + 3, packed = (columns + panel - 1) / panel * panel;
            std::vector<float> b(at(depth * row)), rows(at(packed * depth), -1.0F), strided(rows);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i) + 1;
            gemm_detail::pack_rows<16>(rows.data(), static_cast<const float*>(b.data()), depth,
                                       columns, row, panel);
            gemm_detail::pack_columns<Algebra::real, 16>(strided.data(),
                                                         static_cast<const float*>(b.data()), depth,
                                                         columns, row, index_t{1}, panel);
            for (index_t j = 0; j < packed; ++j) {
                for (index_t p = 0; p < depth; ++p) {
                    const float value = j < columns ? b[at(p * row + j)] : 0;
                    const index_t place = j / panel * panel * depth + p * panel + j % panel;
                    CHECK(rows[at(place)] == value);
                    CHECK(strided[at(place)] == value);
                }
            }
        }
    }
}

TEST_CASE("Contiguous columns of b are transposed into the same panels") {
    constexpr index_t panel = 8, depth = 7;
    for (const index_t columns : {3, 8, 21}) {
        std::vector<double> b(at(columns * depth)), out(at((columns + 7) / 8 * 8 * depth), -1.0);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i) + 1;
        gemm_detail::pack_columns<Algebra::real, 16>(out.data(),
                                                     static_cast<const double*>(b.data()), depth,
                                                     columns, index_t{1}, depth, panel);
        for (index_t j = 0; j < columns; ++j) {
            for (index_t p = 0; p < depth; ++p) {
                CHECK(out[at(j / panel * panel * depth + p * panel + j % panel)] ==
                      b[at(j * depth + p)]);
            }
        }
    }
}
