// Matrix products beside three plain loops, and beside the system's BLAS and
// Eigen where CMake finds them: the ratio is time over the other's time.
#include <string>

#include <broadloom/broadloom.hpp>

#include "rows.hpp"

#ifdef BENCHMARK_WITH_BLAS
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*,
                       const int*);
#endif
#ifdef BENCHMARK_WITH_EIGEN
#include <Eigen/Core>
#endif

namespace bl = broadloom;
using benchmark::keep, benchmark::row;
using bl::index_t, bl::Tensor;

namespace {

Tensor<float> numbers(const bl::Shape& shape) {
    return Tensor<float>(bl::sin(bl::arange<float>(shape.size()))).reshape(shape);
}

void by_hand(const float* a, const float* b, float* c, index_t m, index_t n, index_t k) {
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) c[i * n + j] = 0;
        for (index_t l = 0; l < k; ++l) {
            const float factor = a[i * k + l];
            for (index_t j = 0; j < n; ++j) c[i * n + j] += factor * b[l * n + j];
        }
    }
}

void square(index_t n) {
    const Tensor<float> a = numbers({n, n}), b = numbers({n, n});
    Tensor<float> c = bl::empty<float>({n, n});
    const std::string name = "matmul " + std::to_string(n);
    const auto ours = [&] {
        c = bl::matmul(a, b);
        keep(c);
    };
    row(name.c_str(), ours, [&] {
        by_hand(a.data(), b.data(), c.data(), n, n, n);
        keep(c);
    });
#ifdef BENCHMARK_WITH_BLAS
    row((name + ", BLAS").c_str(), ours, [&] {
        const int size = static_cast<int>(n);
        const float one = 1, zero = 0;
        sgemm_("N", "N", &size, &size, &size, &one, b.data(), &size, a.data(), &size, &zero,
               c.data(), &size);
        keep(c);
    });
#endif
#ifdef BENCHMARK_WITH_EIGEN
    row((name + ", Eigen").c_str(), ours, [&] {
        using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        Eigen::Map<Matrix>(c.data(), n, n).noalias() =
            Eigen::Map<const Matrix>(a.data(), n, n) * Eigen::Map<const Matrix>(b.data(), n, n);
        keep(c);
    });
#endif
}

void batch(const char* name, const bl::Shape& left, const bl::Shape& right) {
    const Tensor<float> a = numbers(left), b = numbers(right);
    Tensor<float> c = bl::matmul(a, b);
    const index_t m = left[2], k = left[3], n = right[3];
    const index_t outer = c.extent(0), inner = c.extent(1);
    const auto step = [](const Tensor<float>& x, index_t axis) {
        return x.extent(axis) == 1 ? 0 : x.strides()[axis];
    };
    const auto each = [&](auto&& product) {
        for (index_t i = 0; i < outer; ++i) {
            for (index_t j = 0; j < inner; ++j) {
                product(a.data() + i * step(a, 0) + j * step(a, 1),
                        b.data() + i * step(b, 0) + j * step(b, 1),
                        c.data() + (i * inner + j) * m * n);
            }
        }
        keep(c);
    };
    const auto ours = [&] {
        c = bl::matmul(a, b);
        keep(c);
    };
    row(name, ours, [&] { each([&](auto* p, auto* q, auto* r) { by_hand(p, q, r, m, n, k); }); });
#ifdef BENCHMARK_WITH_EIGEN
    row((std::string(name) + ", Eigen").c_str(), ours, [&] {
        using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        each([&](auto* p, auto* q, auto* r) {
            Eigen::Map<Matrix>(r, m, n).noalias() =
                Eigen::Map<const Matrix>(p, m, k) * Eigen::Map<const Matrix>(q, k, n);
        });
    });
#endif
}

}  // namespace

int main() {
    benchmark::head();
    for (const index_t n : {64, 128, 256, 512, 1024}) square(n);
    batch("(16,1,64,64)@(1,16,64,64)", {16, 1, 64, 64}, {1, 16, 64, 64});
    batch("(1000,1,8,9)@(1,1,9,7)", {1000, 1, 8, 9}, {1, 1, 9, 7});
    batch("(1,1,100000,3)@(1,1,3,1)", {1, 1, 100000, 3}, {1, 1, 3, 1});
    batch("(1000,1,130,2)@(1000,1,2,1)", {1000, 1, 130, 2}, {1000, 1, 2, 1});
}
