#include "broadloom/kernel/gemm/product.hpp"

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// (extent, m, k) @ (extent, k, n) of contiguous matrices, with the batch steps given.
kernel::Product batched(index_t extent, index_t m, index_t n, index_t k, index_t a_step,
                        index_t b_step) {
    kernel::Product q;
    q.m = m, q.n = n, q.k = k;
    q.a = q.b = nullptr, q.c = nullptr;
    q.a_row = k, q.a_col = 1, q.b_row = n, q.b_col = 1, q.c_row = n, q.c_col = 1;
    q.batch = 1;
    q.extent[0] = extent, q.a_step[0] = a_step, q.b_step[0] = b_step, q.c_step[0] = m * n;
    return q;
}

}  // namespace

TEST_CASE("A batch that repeats b is one product of more rows") {
    kernel::Product q = batched(1000, 8, 7, 9, 72, 0);
    kernel::gemm_detail::merge_batch(q);
    REQUIRE(q.batch == 0);
    REQUIRE(q.m == 8000);
    REQUIRE(q.n == 7);
}

TEST_CASE("A batch of single rows takes its steps for rows") {
    kernel::Product q = batched(10, 1, 7, 9, 50, 0);
    q.c_step[0] = 70;
    kernel::gemm_detail::merge_batch(q);
    REQUIRE(q.batch == 0);
    REQUIRE(q.m == 10);
    REQUIRE(q.a_row == 50);
    REQUIRE(q.c_row == 70);
}

TEST_CASE("A batch that repeats a is one product of more columns if c is laid out so") {
    kernel::Product q = batched(10, 1, 7, 9, 0, 63);
    kernel::gemm_detail::merge_batch(q);
    REQUIRE(q.batch == 1);
    q.b_row = 70, q.b_step[0] = 7, q.c_row = 70, q.c_step[0] = 7;
    kernel::gemm_detail::merge_batch(q);
    REQUIRE(q.batch == 0);
    REQUIRE(q.n == 70);
}

TEST_CASE("Dimensions merge through others that vanish") {
    kernel::Product q = batched(4, 3, 5, 2, 6, 0);
    q.batch = 3;
    q.extent[1] = 1, q.a_step[1] = q.b_step[1] = q.c_step[1] = 99;
    q.extent[2] = 4, q.a_step[2] = 6, q.b_step[2] = 0, q.c_step[2] = 15;
    q.extent[0] = 7, q.a_step[0] = 24, q.c_step[0] = 60;
    kernel::gemm_detail::merge_batch(q);
    REQUIRE(q.batch == 0);
    REQUIRE(q.m == 84);
}

TEST_CASE("Every product of a batch is visited, the last dimension fastest") {
    kernel::Product q = batched(2, 1, 1, 1, 10, 0);
    q.batch = 2;
    q.extent[1] = 3, q.a_step[1] = 1, q.b_step[1] = 4, q.c_step[0] = 3, q.c_step[1] = 1;
    const double a[20] = {};
    const double b[20] = {};
    double c[6] = {};
    q.a = a, q.b = b, q.c = c;
    index_t count = 0;
    kernel::gemm_detail::for_each_product<double, 1>(
        q, [&](const double* x, const double* y, double* z) {
            CHECK(x - a == count / 3 * 10 + count % 3);
            CHECK(y - b == count % 3 * 4);
            CHECK(z - c == count);
            ++count;
        });
    REQUIRE(count == 6);
}
