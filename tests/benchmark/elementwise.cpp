// Broadcasting beside the loop one would write by hand, in the same run: nanoseconds for each, the
// least of several batches, and their ratio. Figures of different runs do not compare.
#include <vector>

#include <broadloom/broadloom.hpp>

#include "rows.hpp"

namespace bl = broadloom;
using benchmark::keep, benchmark::row;
using bl::index_t, bl::Tensor;

int main() {
    benchmark::head();
    constexpr index_t n = 1000;
    const auto x = bl::arange<float>(n * n).reshape({n, n});
    const auto line = bl::arange<float>(n);
    const auto column = line.reshape({n, 1});
    auto z = bl::empty<float>({n, n});
    const float *xs = x.data(), *ys = line.data();
    float* zs = z.data();

    row(
        "row (1000,1000)+(1000,)",
        [&] {
            z = x + line;
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) zs[i * n + j] = xs[i * n + j] + ys[j];
            }
            keep(z);
        });
    row(
        "column (1000,1)",
        [&] {
            z = x + column;
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) zs[i * n + j] = xs[i * n + j] + ys[i];
            }
            keep(z);
        });
    row(
        "outer product",
        [&] {
            z = column * line;
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) zs[i * n + j] = ys[i] * ys[j];
            }
            keep(z);
        });
    row(
        "x + transpose",
        [&] {
            z = x + x.transpose();
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) zs[i * n + j] = xs[i * n + j] + xs[j * n + i];
            }
            keep(z);
        });
    row(
        "(x - c) / s * g + b",
        [&] {
            z = (x - column) / (column + 1.0f) * line + line;
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    zs[i * n + j] = (xs[i * n + j] - ys[i]) / (ys[i] + 1.0f) * ys[j] + ys[j];
                }
            }
            keep(z);
        });
    const auto pixels = bl::arange<float>(n * n * 3).reshape({n, n, 3});
    const Tensor<float> gain = {0.5f, 1.0f, 2.0f};
    auto image = bl::empty<float>({n, n, 3});
    row(
        "rgb (1000,1000,3)*(3,)",
        [&] {
            image = pixels * gain;
            keep(image);
        },
        [&] {
            const float *p = pixels.data(), *g = gain.data();
            float* q = image.data();
            for (index_t i = 0; i < n * n; ++i) {
                for (index_t c = 0; c < 3; ++c) q[3 * i + c] = p[3 * i + c] * g[c];
            }
            keep(image);
        });
    const Tensor<float> a = {1, 2, 3}, b = {{1}, {2}, {3}};
    row(
        "small (3,)+(3,1)",
        [&] {
            Tensor<float> s = a + b;
            keep(s);
        },
        [&] {
            std::vector<float> s(9);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) s[3 * i + j] = a.data()[j] + b.data()[i];
            }
            keep(s);
        });
}
