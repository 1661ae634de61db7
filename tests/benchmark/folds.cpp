// Reductions beside the loops one would write by hand: sums, extremes and means over inner, outer
// and all axes of square, tall and wide matrices, of what is transposed and of images, softmax, and
// a reduction of an expression.
#include <cmath>
#include <string>
#include <vector>

#include <broadloom/broadloom.hpp>

#include "rows.hpp"

namespace bl = broadloom;
using benchmark::keep, benchmark::row;
using bl::index_t, bl::Tensor;

namespace {

/// What hands write: sixteen sums side by side, so that the compiler may use vectors.
template <class Join>
float fold_line(const float* p, index_t n, float start, Join join) {
    float lanes[16];
    for (float& lane : lanes) lane = start;
    index_t i = 0;
    for (; i + 16 <= n; i += 16) {
        for (int k = 0; k < 16; ++k) lanes[k] = join(lanes[k], p[i + k]);
    }
    for (; i < n; ++i) lanes[0] = join(lanes[0], p[i]);
    for (int k = 1; k < 16; ++k) lanes[0] = join(lanes[0], lanes[k]);
    return lanes[0];
}

void matrix(index_t rows, index_t columns) {
    const auto plus = [](float a, float b) { return a + b; };
    const auto larger = [](float a, float b) { return a > b ? a : b; };
    const Tensor<float> x = bl::sin(bl::arange<float>(rows * columns).reshape({rows, columns}));
    const float* p = x.data();
    const std::string shape = " (" + std::to_string(rows) + "," + std::to_string(columns) + ")";
    row(("sum all" + shape).c_str(), [&] { keep(bl::sum(x)); },
        [&] { keep(fold_line(p, rows * columns, 0, plus)); });
    row(("max all" + shape).c_str(), [&] { keep(bl::max(x)); },
        [&] { keep(fold_line(p, rows * columns, p[0], larger)); });
    row(("mean all" + shape).c_str(), [&] { keep(bl::mean(x)); },
        [&] { keep(fold_line(p, rows * columns, 0, plus) / static_cast<float>(rows * columns)); });
    Tensor<float> down = bl::empty<float>({columns}), along = bl::empty<float>({rows});
    const auto by_hand_down = [&](auto join) {
        float* d = down.data();
        for (index_t j = 0; j < columns; ++j) d[j] = p[j];
        for (index_t i = 1; i < rows; ++i) {
            for (index_t j = 0; j < columns; ++j) d[j] = join(d[j], p[i * columns + j]);
        }
        keep(down);
    };
    const auto by_hand_along = [&](float start, auto join) {
        float* a = along.data();
        for (index_t i = 0; i < rows; ++i) a[i] = fold_line(p + i * columns, columns, start, join);
        keep(along);
    };
    row(("sum axis 0" + shape).c_str(),
        [&] {
            down = bl::sum(x, 0);
            keep(down);
        },
        [&] { by_hand_down(plus); });
    row(("max axis 0" + shape).c_str(),
        [&] {
            down = bl::max(x, 0);
            keep(down);
        },
        [&] { by_hand_down(larger); });
    row(("sum axis 1" + shape).c_str(),
        [&] {
            along = bl::sum(x, 1);
            keep(along);
        },
        [&] { by_hand_along(0, plus); });
    row(("max axis 1" + shape).c_str(),
        [&] {
            along = bl::max(x, 1);
            keep(along);
        },
        [&] { by_hand_along(-2, larger); });
}

/// A view whose axes go the other way, and loops in the order of memory.
void turned(index_t a, index_t b, index_t c) {
    const Tensor<float> x = bl::sin(bl::arange<float>(a * b * c).reshape({a, b, c}));
    const auto view = x.transpose();
    const float* p = x.data();
    Tensor<float> middle = bl::empty<float>({c, a}), last = bl::empty<float>({c, b});
    row(
        "sum axis 1, transposed",
        [&] {
            middle = bl::sum(view, 1);
            keep(middle);
        },
        [&] {
            std::vector<float> sums(static_cast<std::size_t>(c));
            for (index_t i = 0; i < a; ++i) {
                sums.assign(sums.size(), 0);
                for (index_t j = 0; j < b; ++j) {
                    const float* line = p + (i * b + j) * c;
                    for (index_t k = 0; k < c; ++k) sums[static_cast<std::size_t>(k)] += line[k];
                }
                for (index_t k = 0; k < c; ++k)
                    middle.data()[k * a + i] = sums[static_cast<std::size_t>(k)];
            }
            keep(middle);
        });
    row(
        "max axis 2, transposed",
        [&] {
            last = bl::max(view, 2);
            keep(last);
        },
        [&] {
            for (index_t j = 0; j < b; ++j) {
                for (index_t k = 0; k < c; ++k) {
                    float most = p[j * c + k];
                    for (index_t i = 1; i < a; ++i) {
                        const float next = p[(i * b + j) * c + k];
                        most = next > most ? next : most;
                    }
                    last.data()[k * b + j] = most;
                }
            }
            keep(last);
        });
}

/// Statistics of images whose channels come last in memory, and second for the program.
void channels_last(index_t images, index_t side, index_t channels) {
    const index_t pixels = side * side;
    const Tensor<float> x = bl::sin(
        bl::arange<float>(images * pixels * channels).reshape({images, side, side, channels}));
    const auto view = x.permute({0, 3, 1, 2});
    const float* p = x.data();
    Tensor<float> mean = bl::empty<float>({channels}),
                  pooled = bl::empty<float>({images, channels});
    const auto by_hand = [&](index_t first, index_t last, float* sums) {
        for (index_t k = 0; k < channels; ++k) sums[k] = 0;
        for (index_t i = first * pixels; i < last * pixels; ++i) {
            for (index_t k = 0; k < channels; ++k) sums[k] += p[i * channels + k];
        }
        const auto count = static_cast<float>((last - first) * pixels);
        for (index_t k = 0; k < channels; ++k) sums[k] /= count;
    };
    row(
        "mean of each channel, channels last",
        [&] {
            mean = bl::mean(view, {0, 2, 3});
            keep(mean);
        },
        [&] {
            by_hand(0, images, mean.data());
            keep(mean);
        });
    row(
        "mean over pixels, channels last",
        [&] {
            pooled = bl::mean(view, {2, 3});
            keep(pooled);
        },
        [&] {
            for (index_t i = 0; i < images; ++i) by_hand(i, i + 1, pooled.data() + i * channels);
            keep(pooled);
        });
}

}  // namespace

int main() {
    benchmark::head();
    matrix(1000, 1000);
    matrix(1000000, 4);
    matrix(4, 1000000);
    turned(64, 128, 512);
    channels_last(16, 112, 64);

    const index_t n = 1000;
    const Tensor<float> x = bl::sin(bl::arange<float>(n * n).reshape({n, n}));
    Tensor<float> z = bl::empty<float>({n, n});
    row(
        "softmax (1000,1000)",
        [&] {
            z = bl::softmax(x, -1);
            keep(z);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                const float* p = x.data() + i * n;
                float* q = z.data() + i * n;
                float peak = p[0], total = 0;
                for (index_t j = 1; j < n; ++j) peak = p[j] > peak ? p[j] : peak;
                for (index_t j = 0; j < n; ++j) total += q[j] = std::exp(p[j] - peak);
                for (index_t j = 0; j < n; ++j) q[j] /= total;
            }
            keep(z);
        });
    const Tensor<float> middle = bl::mean(x, 0);
    Tensor<float> spread = bl::empty<float>({n});
    row(
        "sum(square(x - row), 1), (1000,1000)",
        [&] {
            spread = bl::sum(bl::square(x - middle), 1);
            keep(spread);
        },
        [&] {
            for (index_t i = 0; i < n; ++i) {
                float lanes[16] = {};
                for (index_t j = 0; j + 16 <= n; j += 16) {
                    for (int l = 0; l < 16; ++l) {
                        const float d = x.data()[i * n + j + l] - middle.data()[j + l];
                        lanes[l] += d * d;
                    }
                }
                for (index_t j = n / 16 * 16; j < n; ++j) {
                    const float d = x.data()[i * n + j] - middle.data()[j];
                    lanes[0] += d * d;
                }
                float sum = 0;
                for (const float lane : lanes) sum += lane;
                spread.data()[i] = sum;
            }
            keep(spread);
        });
    const auto a = x(bl::range(0, 500), bl::range(0, 64)).copy();
    const auto b = x(bl::range(500, 1000), bl::range(0, 64)).copy();
    Tensor<float> distances = bl::empty<float>({500, 500});
    row(
        "sum((x-y)*(x-y), -1), 500x500x64",
        [&] {
            const auto across = a.unsqueeze(1), down = b.unsqueeze(0);
            distances = bl::sum((across - down) * (across - down), -1);
            keep(distances);
        },
        [&] {
            for (index_t i = 0; i < 500; ++i) {
                for (index_t j = 0; j < 500; ++j) {
                    const float *p = a.data() + i * 64, *q = b.data() + j * 64;
                    float lanes[16] = {};
                    for (int k = 0; k < 64; k += 16) {
                        for (int l = 0; l < 16; ++l) {
                            lanes[l] += (p[k + l] - q[k + l]) * (p[k + l] - q[k + l]);
                        }
                    }
                    float sum = 0;
                    for (const float lane : lanes) sum += lane;
                    distances.data()[i * 500 + j] = sum;
                }
            }
            keep(distances);
        });
}
