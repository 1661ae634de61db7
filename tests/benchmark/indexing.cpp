// Gathering, scattering, selecting, joining and sorting beside the loops one would write by hand.
// Both sides make a new result each time.
#include <algorithm>
#include <cstring>
#include <utility>

#include <broadloom/broadloom.hpp>

#include "rows.hpp"

namespace bl = broadloom;
using benchmark::keep, benchmark::row;
using bl::index_t, bl::Tensor;

namespace {

/// Indices that jump about in [0, extent).
Tensor<index_t> scrambled(const bl::Shape& shape, index_t extent) {
    Tensor<index_t> index = bl::arange<index_t>(shape.size()).reshape(shape);
    index = (index * 7919 + 13) % extent;
    return index;
}

}  // namespace

int main() {
    benchmark::head();
    const index_t n = 1000;
    const Tensor<float> x = bl::arange<float>(n * n).reshape({n, n});
    const float* p = x.data();

    const Tensor<index_t> columns = scrambled({n, n}, n);
    Tensor<float> z = bl::empty<float>({n, n});
    row(
        "gather axis 1 of (1000,1000)",
        [&] {
            z = bl::gather(x, 1, columns);
            keep(z);
        },
        [&] {
            Tensor<float> out = bl::empty<float>({n, n});
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    out.data()[i * n + j] = p[i * n + columns.data()[i * n + j]];
                }
            }
            z = std::move(out);
            keep(z);
        });

    const index_t picks = 100000;
    const Tensor<float> table = bl::arange<float>(10000 * 64).reshape({10000, 64});
    const Tensor<index_t> rows = scrambled({picks}, 10000);
    Tensor<float> taken = bl::empty<float>({picks, 64});
    row(
        "take 100 000 rows of 64",
        [&] {
            taken = bl::take(table, rows, 0);
            keep(taken);
        },
        [&] {
            Tensor<float> out = bl::empty<float>({picks, 64});
            for (index_t i = 0; i < picks; ++i) {
                std::memcpy(out.data() + i * 64, table.data() + rows.data()[i] * 64,
                            64 * sizeof(float));
            }
            taken = std::move(out);
            keep(taken);
        });

    const index_t million = 1000000;
    const Tensor<float> values = bl::ones<float>({million});
    const Tensor<index_t> where = scrambled({million}, 10000);
    Tensor<float> sums = bl::zeros<float>({10000});
    row(
        "scatter_add 1e6 into 1e4",
        [&] {
            bl::scatter_add_(sums, 0, where, values);
            keep(sums);
        },
        [&] {
            for (index_t i = 0; i < million; ++i) sums.data()[where.data()[i]] += values.data()[i];
            keep(sums);
        });

    const Tensor<float> line = bl::arange<float>(million);
    const Tensor<bool> mask = where % 2 == 0;
    Tensor<float> some;
    row(
        "masked_select of 1e6",
        [&] {
            some = bl::masked_select(line, mask);
            keep(some);
        },
        [&] {
            index_t count = 0;
            for (index_t i = 0; i < million; ++i) count += mask.data()[i];
            Tensor<float> out = bl::empty<float>({count});
            index_t at = 0;
            for (index_t i = 0; i < million; ++i) {
                if (mask.data()[i]) out.data()[at++] = line.data()[i];
            }
            some = std::move(out);
            keep(some);
        });

    const Tensor<float> part = bl::arange<float>(n * 100).reshape({n, 100});
    Tensor<float> joined = bl::empty<float>({n, n});
    row(
        "concat ten (1000,100) along 1",
        [&] {
            joined = bl::concat(1, part, part, part, part, part, part, part, part, part, part);
            keep(joined);
        },
        [&] {
            Tensor<float> out = bl::empty<float>({n, n});
            for (index_t i = 0; i < n; ++i) {
                for (index_t k = 0; k < 10; ++k) {
                    std::memcpy(out.data() + i * n + k * 100, part.data() + i * 100,
                                100 * sizeof(float));
                }
            }
            joined = std::move(out);
            keep(joined);
        });

    const Tensor<float> lanes = bl::sin(bl::arange<float>(4096 * 64).reshape({4096, 64}));
    Tensor<float> sorted = bl::empty<float>({4096, 64});
    row(
        "sort (4096,64) along 1",
        [&] {
            sorted = bl::sort(lanes, 1);
            keep(sorted);
        },
        [&] {
            Tensor<float> out = lanes;
            for (index_t i = 0; i < 4096; ++i) {
                std::sort(out.data() + i * 64, out.data() + (i + 1) * 64);
            }
            sorted = std::move(out);
            keep(sorted);
        });
}
