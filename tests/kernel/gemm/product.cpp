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

TEST_CASE("A large product of a matrix with itself, turned, mirrors its halves") {
    kernel::Product q{};
    q.m = q.n = 100, q.k = 50;
    float x[64] = {}, c[36] = {};
    q.a = q.b = x;
    q.a_row = 1, q.a_col = 100, q.b_row = 100, q.b_col = 1;
    CHECK(kernel::gemm_detail::is_mirrored(q));
    q.m = q.n = 49;
    CHECK_FALSE(kernel::gemm_detail::is_mirrored(q));
    q.k = 200;
    CHECK(kernel::gemm_detail::is_mirrored(q));
    q.m = q.n = 100;
    q.batch = 1, q.a_step[0] = 5000, q.b_step[0] = 0;
    CHECK_FALSE(kernel::gemm_detail::is_mirrored(q));
    q.batch = 0, q.b_col = 2;
    CHECK_FALSE(kernel::gemm_detail::is_mirrored(q));

    q.m = q.n = 6, q.c = c, q.c_row = 6, q.c_col = 1;
    for (int i = 0; i < 36; ++i) c[i] = static_cast<float>(i);
    kernel::gemm_detail::mirror<float>(q, 4);
    CHECK((c[4] == 24 && c[5] == 30 && c[10] == 25 && c[22] == 27 && c[23] == 33));
    CHECK((c[1] == 1 && c[29] == 29));

    q.b_col = 1, q.a = q.b = x;
    const kernel::Product below = kernel::gemm_detail::part(q, sizeof(float), 4, 2, 0, 4);
    CHECK((below.m == 2 && below.n == 4 && below.b == x && below.c == c + 24));
}
