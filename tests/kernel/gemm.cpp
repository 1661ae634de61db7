#include "broadloom/kernel/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;

namespace {

std::mt19937 dice(5);

index_t between(index_t least, index_t most) {
    return least + static_cast<index_t>(dice() % static_cast<unsigned>(most - least + 1));
}

/// Whole numbers so small that floating sums of them are exact in any order.
template <class T>
T draw() {
    if constexpr (std::is_same_v<T, bool>) {
        return dice() % 4 == 0;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(dice());
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(between(-8, 8));
    } else {
        using R = typename T::value_type;
        return T(static_cast<R>(between(-8, 8)), static_cast<R>(between(-8, 8)));
    }
}

template <class T>
std::vector<T> drawn(index_t size) {
    std::vector<T> x(static_cast<std::size_t>(size));
    for (T& v : x) v = draw<T>();
    return x;
}

/// c[i,j] = sum over p of a[i,p] b[p,j] for a batch of products.
template <class T>
void gemm_batched(kernel::Product q) {
    kernel::gemm_prepare<T>(q);
    kernel::gemm_rows<T>(q, 0, q.m);
}
/// The same for one product.
template <class T>
void gemm(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b,
          index_t b_row, index_t b_col, T* c, index_t c_row, index_t c_col) {
    kernel::Product q;
    q.m = m;
    q.n = n;
    q.k = k;
    q.a = a;
    q.a_row = a_row;
    q.a_col = a_col;
    q.b = b;
    q.b_row = b_row;
    q.b_col = b_col;
    q.c = c;
    q.c_row = c_row;
    q.c_col = c_col;
    q.batch = 0;
    gemm_batched<T>(q);
}

/// sum + x y as the element type defines it.
template <class T>
T multiply_add(T sum, T x, T y) {
    if constexpr (std::is_same_v<T, bool>) {
        return sum || (x && y);
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(sum) +
                              static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
    } else {
        return static_cast<T>(sum + x * y);
    }
}

/// A matrix of random elements with gaps, in one of several layouts.
template <class T>
struct Matrix {
    index_t row = 0, column = 0, origin = 0;
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> memory;

    Matrix(index_t rows, index_t columns, int layout) {
        const index_t gap = between(0, 2);
        switch (layout) {
            case 0: row = columns, column = 1; break;
            case 1: row = 1, column = rows; break;
            case 2: row = columns + gap, column = 1; break;
            case 3: row = 1, column = rows + gap; break;
            case 4: row = 2 * columns + gap, column = 2; break;
            case 5: row = -columns - gap, column = -1; break;
            case 6: row = 1, column = 0; break;
            default: row = 0, column = 1;
        }
        index_t low = 0, high = 0;
        for (const index_t reach : {row * (rows - 1), column * (columns - 1)}) {
            (reach < 0 ? low : high) += rows > 0 && columns > 0 ? reach : 0;
        }
        origin = -low;
        memory.resize(static_cast<std::size_t>(high - low + 1));
        for (auto& x : memory) x = draw<T>();
    }
    const T* data() const { return reinterpret_cast<const T*>(memory.data()) + origin; }
    T* data() { return reinterpret_cast<T*>(memory.data()) + origin; }
    T& operator()(index_t i, index_t j) { return data()[i * row + j * column]; }
};

/// Whether gemm leaves in the memory of c, gaps included, what the definition of a product does.
template <class T>
bool agrees(index_t m, index_t n, index_t k, int a_layout, int b_layout, int c_layout) {
    Matrix<T> a(m, k, a_layout), b(k, n, b_layout), c(m, n, c_layout), expected = c;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) {
            T sum{};
            for (index_t p = 0; p < k; ++p) sum = multiply_add(sum, a(i, p), b(p, j));
            expected(i, j) = sum;
        }
    }
    gemm<T>(m, n, k, a.data(), a.row, a.column, b.data(), b.row, b.column, c.data(), c.row,
            c.column);
    return c.memory == expected.memory;
}

template <class Test>
void on_every_isa(Test test) {
    const int best = kernel::isa();
    for (int level = 0; level <= best; ++level) {
        kernel::set_isa(level);
        test();
    }
    kernel::set_isa(best);
}

kernel::Product product(index_t m, index_t n, index_t k) {
    kernel::Product q;
    q.m = m, q.n = n, q.k = k;
    q.a_row = k, q.a_col = 1, q.b_row = n, q.b_col = 1, q.c_row = n, q.c_col = 1;
    q.batch = 0;
    return q;
}

}  // namespace

TEMPLATE_TEST_CASE("A product of small matrices is the sum over the inner extent", "", float,
                   double, std::int32_t, std::uint8_t, bool, std::complex<float>,
                   std::complex<double>) {
    on_every_isa([] {
        for (index_t m = 0; m <= 9; ++m) {
            for (index_t n = 0; n <= 9; ++n) {
                for (index_t k = 0; k <= 9; ++k) {
                    CAPTURE(kernel::isa(), m, n, k);
                    REQUIRE(agrees<TestType>(m, n, k, 0, 0, 0));
                    const int a = int(dice() % 8), b = int(dice() % 8), c = int(dice() % 6);
                    CAPTURE(a, b, c);
                    REQUIRE(agrees<TestType>(m, n, k, a, b, c));
                }
            }
        }
    });
}

TEMPLATE_TEST_CASE("A product of any shape and layout is the sum over the inner extent", "", float,
                   double, std::int32_t, std::uint8_t, bool, std::complex<float>,
                   std::complex<double>) {
    on_every_isa([] {
        const auto check = [](index_t m, index_t n, index_t k) {
            const int a = int(dice() % 8), b = int(dice() % 8), c = int(dice() % 6);
            CAPTURE(kernel::isa(), m, n, k, a, b, c);
            REQUIRE(agrees<TestType>(m, n, k, a, b, c));
        };
        for (int repeat = 0; repeat < 20; ++repeat) {
            check(between(1, 40), between(1, 80), between(1, 40));
            check(1, between(1, 300), between(1, 300));
            check(between(1, 300), 1, between(1, 300));
            check(between(1, 60), between(1, 60), 1);
        }
        for (int repeat = 0; repeat < 3; ++repeat) {
            check(between(100, 200), between(100, 200), between(100, 200));
            check(between(1, 12), between(500, 1500), between(30, 100));
            check(between(500, 1500), between(1, 12), between(30, 100));
            check(between(1, 12), between(1, 12), between(1500, 5000));
            check(1, between(1, 20), between(2000, 5000));
            check(between(1000, 3000), 1, between(1, 20));
        }
    });
}

TEMPLATE_TEST_CASE("Rows that lie a page apart are multiplied like any other", "", float, double) {
    on_every_isa([] {
        constexpr index_t m = 20, n = 200, k = 30, page = 4096 / sizeof(TestType);
        std::vector<TestType> a(m * page), b(k * n), c(m * n);
        for (auto& x : a) x = draw<TestType>();
        for (auto& x : b) x = draw<TestType>();
        gemm<TestType>(m, n, k, a.data(), page, 1, b.data(), n, 1, c.data(), n, 1);
        bool same = true;
        for (index_t i = 0; i < m; ++i) {
            for (index_t j = 0; j < n; ++j) {
                TestType sum = 0;
                for (index_t p = 0; p < k; ++p) {
                    sum += a[std::size_t(i * page + p)] * b[std::size_t(p * n + j)];
                }
                same &= c[std::size_t(i * n + j)] == sum;
            }
        }
        REQUIRE(same);
    });
}

TEMPLATE_TEST_CASE("Rounding errors stay within the bound for a sum of k products", "", float,
                   double) {
    on_every_isa([] {
        for (const index_t k : {10, 100, 1000}) {
            const index_t m = 13, n = 37;
            std::uniform_real_distribution<TestType> uniform(-1, 1);
            std::vector<TestType> a(std::size_t(m * k)), b(std::size_t(k * n)),
                c(std::size_t(m * n));
            for (auto& x : a) x = uniform(dice);
            for (auto& x : b) x = uniform(dice);
            gemm<TestType>(m, n, k, a.data(), k, 1, b.data(), n, 1, c.data(), n, 1);
            for (index_t i = 0; i < m; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    long double sum = 0, size = 0;
                    for (index_t p = 0; p < k; ++p) {
                        const long double x = a[std::size_t(i * k + p)];
                        const long double y = b[std::size_t(p * n + j)];
                        sum += x * y;
                        size += std::abs(x * y);
                    }
                    const long double unit = std::numeric_limits<TestType>::epsilon() / 2;
                    REQUIRE(std::abs(static_cast<long double>(c[std::size_t(i * n + j)]) - sum) <=
                            static_cast<long double>(k + 1) * unit * size);
                }
            }
        }
    });
}

TEMPLATE_TEST_CASE("Rows computed in shares have the same bits as rows computed at once", "", float,
                   std::complex<double>) {
    using T = TestType;
    on_every_isa([] {
        const auto random = [](std::vector<T>& x) {
            std::uniform_real_distribution<double> uniform(-1, 1);
            for (T& v : x) v = static_cast<T>(static_cast<float>(uniform(dice)));
        };
        const index_t shapes[][3] = {{15, 5, 5},      {20, 7, 9},      {64, 64, 64},
                                     {12, 3000, 50},  {13, 3000, 50},  {100, 90, 500},
                                     {200, 1, 3000},  {150, 150, 150}, {3000, 3, 40},
                                     {130, 600, 400}, {200, 3, 3000},  {200, 4, 300}};
        for (const auto& [m, n, k] : shapes) {
            for (const bool turned : {false, true}) {
                std::vector<T> a(std::size_t(m * k)), b(std::size_t(k * n)), c(std::size_t(m * n));
                random(a);
                random(b);
                kernel::Product q = product(m, n, k);
                if (turned) q.a_row = 1, q.a_col = m;
                q.a = a.data(), q.b = b.data(), q.c = c.data();
                gemm_batched<T>(q);
                std::vector<T> shared(c.size());
                q.c = shared.data();
                kernel::gemm_prepare<T>(q);
                if (q.m < 12) continue;
                for (index_t i = 0; i < q.m;) {
                    const index_t next = std::min(q.m, i + between(1, 1 + q.m / 3));
                    kernel::gemm_rows<T>(q, i, next);
                    i = next;
                }
                CAPTURE(kernel::isa(), m, n, k, turned);
                REQUIRE(std::memcmp(c.data(), shared.data(), c.size() * sizeof(T)) == 0);
            }
        }
    });
}

TEST_CASE("An inner extent of 0 gives zeros") {
    std::vector<float> c(12, 7.0f);
    gemm<float>(3, 4, 0, nullptr, 0, 1, nullptr, 4, 1, c.data(), 4, 1);
    REQUIRE(c == std::vector<float>(12));
}

TEST_CASE("What is infinite or NaN reaches only its own rows and columns") {
    on_every_isa([] {
        for (const index_t n : {1, 3, 7, 8, 20, 40}) {
            const index_t m = 30, k = 37;
            const float infinity = std::numeric_limits<float>::infinity();
            std::vector<float> a(std::size_t(m * k), 1.0f), b(std::size_t(k * n), 1.0f),
                c(std::size_t(m * n));
            a[std::size_t(3 * k + 2)] = infinity;
            b[std::size_t(5 * n + n - 1)] = -infinity;
            gemm<float>(m, n, k, a.data(), k, 1, b.data(), n, 1, c.data(), n, 1);
            for (index_t i = 0; i < m; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    const float x = c[std::size_t(i * n + j)];
                    CAPTURE(kernel::isa(), n, i, j);
                    if (i == 3 && j == n - 1) {
                        REQUIRE(std::isnan(x));
                    } else {
                        REQUIRE(x == (i == 3 ? infinity : j == n - 1 ? -infinity : float(k)));
                    }
                }
            }
        }
    });
}

namespace {

/// Two-by-two matrices: a product of these does not commute.
struct Pair {
    bl::index_t p = 0, q = 0, r = 0, s = 0;
    friend Pair operator+(Pair x, Pair y) { return {x.p + y.p, x.q + y.q, x.r + y.r, x.s + y.s}; }
    friend Pair operator*(Pair x, Pair y) {
        return {x.p * y.p + x.q * y.r, x.p * y.q + x.q * y.s, x.r * y.p + x.s * y.r,
                x.r * y.q + x.s * y.s};
    }
    friend bool operator==(Pair, Pair) = default;
};

}  // namespace

TEST_CASE("Sums of a type of the user begin with a product, and are 0 of none") {
    struct Way {  // the shortest of several, each the length of two
        int length;
        explicit Way(int steps) : length(steps) {}
        Way operator+(Way other) const { return length < other.length ? *this : other; }
        Way operator*(Way other) const { return Way(length + other.length); }
    };
    const Way a[3] = {Way(5), Way(1), Way(4)}, b[3] = {Way(1), Way(3), Way(2)};
    Way c[1] = {Way(9)};
    gemm<Way>(1, 1, 3, a, 3, 1, b, 1, 1, c, 1, 1);
    CHECK(c[0].length == 4);
    gemm<Way>(1, 1, 0, a, 3, 1, b, 1, 1, c, 1, 1);
    CHECK(c[0].length == 0);
}

TEST_CASE("Elements of a type of the user are multiplied left by right") {
    const auto next = [] { return Pair{between(-9, 9), between(-9, 9), between(-9, 9), 1}; };
    std::vector<Pair> a(5 * 4), b(4 * 6), c(5 * 6), expected(5 * 6);
    for (Pair& x : a) x = next();
    for (Pair& x : b) x = next();
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            for (std::size_t p = 0; p < 4; ++p) {
                expected[i + 5 * j] = expected[i + 5 * j] + a[i * 4 + p] * b[p * 6 + j];
            }
        }
    }
    gemm<Pair>(5, 6, 4, a.data(), 4, 1, b.data(), 6, 1, c.data(), 1, 5);
    REQUIRE(c == expected);
}

TEMPLATE_TEST_CASE("A batch is its products one by one, with broadcast operands", "", float,
                   std::int32_t, std::complex<float>) {
    using T = TestType;
    on_every_isa([] {
        for (int repeat = 0; repeat < 60; ++repeat) {
            const index_t m = between(1, 12), n = between(1, 12), k = between(0, 12);
            kernel::Product q = product(m, n, k);
            if (repeat % 3 == 1) q.a_row = 1, q.a_col = m;
            if (repeat % 3 == 2) q.b_row = 1, q.b_col = k;
            q.batch = 3;
            index_t a_size = m * k, b_size = k * n, c_size = m * n;
            for (int d = 2; d >= 0; --d) {
                q.extent[d] = between(1, 4);
                const bool a_repeats = dice() % 2 == 0, b_repeats = dice() % 2 == 0;
                q.a_step[d] = a_repeats ? 0 : a_size;
                q.b_step[d] = b_repeats ? 0 : b_size;
                q.c_step[d] = c_size;
                a_size *= a_repeats ? 1 : q.extent[d];
                b_size *= b_repeats ? 1 : q.extent[d];
                c_size *= q.extent[d];
            }
            const std::vector<T> a = drawn<T>(a_size + 1), b = drawn<T>(b_size + 1);
            std::vector<T> c = drawn<T>(c_size), expected = c;
            q.a = a.data(), q.b = b.data(), q.c = c.data();
            for (index_t e = 0; e < q.extent[0]; ++e) {
                for (index_t f = 0; f < q.extent[1]; ++f) {
                    for (index_t g = 0; g < q.extent[2]; ++g) {
                        gemm<T>(
                            m, n, k, a.data() + e * q.a_step[0] + f * q.a_step[1] + g * q.a_step[2],
                            q.a_row, q.a_col,
                            b.data() + e * q.b_step[0] + f * q.b_step[1] + g * q.b_step[2], q.b_row,
                            q.b_col,
                            expected.data() + e * q.c_step[0] + f * q.c_step[1] + g * q.c_step[2],
                            q.c_row, q.c_col);
                    }
                }
            }
            gemm_batched<T>(q);
            CAPTURE(kernel::isa(), m, n, k, repeat);
            REQUIRE(c == expected);
        }
    });
}

TEST_CASE("An empty batch writes nothing") {
    kernel::Product q = product(2, 2, 2);
    q.batch = 1;
    q.extent[0] = 0;
    q.a_step[0] = q.b_step[0] = q.c_step[0] = 4;
    q.a = q.b = nullptr;
    q.c = nullptr;
    gemm_batched<double>(q);
    SUCCEED();
}

TEST_CASE("A batch that becomes rows of one product has as many elements as before") {
    const std::vector<float> a = drawn<float>(1000 * 72), b = drawn<float>(63);
    std::vector<float> c(1000 * 56);
    kernel::Product q;
    q.m = 8;
    q.n = 7;
    q.k = 9;
    q.a = a.data();
    q.b = b.data();
    q.c = c.data();
    q.a_row = 9;
    q.b_row = q.c_row = 7;
    q.a_col = q.b_col = q.c_col = 1;
    q.batch = 1;
    q.extent[0] = 1000;
    q.a_step[0] = 72;
    q.b_step[0] = 0;
    q.c_step[0] = 56;
    CHECK(kernel::output_size(q) == 56000);
    kernel::gemm_prepare<float>(q);
    CHECK(q.m == 8000);
    CHECK(kernel::output_size(q) == 56000);
}
