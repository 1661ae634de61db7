// Other shapes and types than those of a table: short and odd inner extents, four and five loops,
// rows that go backwards or change places. Each row beside the loops one would write by hand.
#include <complex>
#include <cstdint>
#include <string>

#include <broadloom/broadloom.hpp>

#include "rows.hpp"

namespace bl = broadloom;
using benchmark::keep;
using bl::index_t, bl::Tensor;

namespace {

template <class T>
void measure(const std::string& type, index_t n) {
    // 32768 elements, which the second-level cache holds.
    constexpr index_t inside = 8, all = 32768;
    const index_t outside = all / inside / n, m = outside * inside;
    const auto x = bl::full<T>({m, n}, T(1)), column = bl::full<T>({m, 1}, T(2));
    const auto line = bl::full<T>({n}, T(3));
    const auto block = x.reshape({outside, inside, n});
    const auto middle = bl::full<T>({outside, 1, n}, T(4));
    const auto corner = bl::full<T>({outside, inside, 1}, T(5));
    const auto planes = x.reshape({n, m});
    auto z = bl::empty<T>({m, n});
    auto cube = bl::empty<T>({outside, inside, n}), turned = bl::empty<T>({inside, outside, n});
    auto across = bl::empty<T>({n, inside, outside}), parted = bl::empty<T>({n, m});
    auto rolled = bl::empty<T>({inside, n, outside});
    const T *xs = x.data(), *cs = column.data(), *ls = line.data(), *ms = middle.data();
    T *zs = z.data(), *us = cube.data(), *ts = turned.data(), *as = across.data(),
      *ps = parted.data(), *rs = rolled.data();
    const auto row = [&](const char* name, const Tensor<T>& result, auto&& ours, auto&& element) {
        benchmark::row((std::string(name) + ", " + type + ", " + std::to_string(n)).c_str(),
                       [&] {
                           ours();
                           keep(result);
                       },
                       [&] {
                           for (index_t i = 0; i < outside; ++i) {
                               for (index_t j = 0; j < inside; ++j) {
                                   for (index_t k = 0; k < n; ++k) element(i, j, k);
                               }
                           }
                           keep(result);
                       });
    };
    const auto at = [=](index_t i, index_t j, index_t k) { return (i * inside + j) * n + k; };
    row(
        "(m, n) + (n,)", z, [&] { z = x + line; },
        [=](index_t i, index_t j, index_t k) {
            zs[at(i, j, k)] = static_cast<T>(xs[at(i, j, k)] + ls[k]);
        });
    row(
        "(m, n) + (m, 1)", z, [&] { z = x + column; },
        [=](index_t i, index_t j, index_t k) {
            zs[at(i, j, k)] = static_cast<T>(xs[at(i, j, k)] + cs[i * inside + j]);
        });
    row(
        "(a, b, n) + (a, 1, n)", cube, [&] { cube = block + middle; },
        [=](index_t i, index_t j, index_t k) {
            us[at(i, j, k)] = static_cast<T>(xs[at(i, j, k)] + ms[i * n + k]);
        });
    row(
        "(a, b, 1) * (a, 1, n)", cube, [&] { cube = corner * middle; },
        [=](index_t i, index_t j, index_t k) {
            us[at(i, j, k)] = static_cast<T>(T(5) * ms[i * n + k]);
        });
    row(
        "x + x.flip(1)", z, [&] { z = x + x.flip(1); },
        [=](index_t i, index_t j, index_t k) {
            zs[at(i, j, k)] = static_cast<T>(xs[at(i, j, k)] + xs[at(i, j, n - 1 - k)]);
        });
    row(
        "permute({1, 0, 2}) + y", turned, [&] { turned = block.permute({1, 0, 2}) + line; },
        [=](index_t i, index_t j, index_t k) {
            ts[(j * outside + i) * n + k] = static_cast<T>(xs[at(i, j, k)] + ls[k]);
        });
    row(
        "transpose() of (a, b, n)", across, [&] { across = block.transpose(); },
        [=](index_t i, index_t j, index_t k) {
            as[(k * inside + j) * outside + i] = xs[at(i, j, k)];
        });
    row(
        "permute({1, 2, 0}) of (a, b, n)", rolled, [&] { rolled = block.permute({1, 2, 0}); },
        [=](index_t i, index_t j, index_t k) { rs[(j * n + k) * outside + i] = xs[at(i, j, k)]; });
    row(
        "(n, m) to (m, n)", z, [&] { z = planes.transpose(); },
        [=](index_t i, index_t j, index_t k) { zs[at(i, j, k)] = xs[k * m + i * inside + j]; });
    row(
        "(m, n) to (n, m)", parted, [&] { parted = x.transpose(); },
        [=](index_t i, index_t j, index_t k) { ps[k * m + i * inside + j] = xs[at(i, j, k)]; });
}

}  // namespace

int main() {
    benchmark::head();
    for (const index_t n : {3, 7, 16, 33, 129, 500}) {
        measure<float>("float", n);
        measure<double>("double", n);
        measure<std::int16_t>("int16", n);
        measure<std::uint8_t>("uint8", n);
        measure<std::complex<float>>("complex", n);
    }
}
