// What a matrix product is before anything is computed: pointers, extents, strides, and a batch of
// outer dimensions. Broadcasting is a stride of 0, and often melts into more rows or columns.
#ifndef BROADLOOM_KERNEL_GEMM_PRODUCT_HPP
#define BROADLOOM_KERNEL_GEMM_PRODUCT_HPP

#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

namespace broadloom::kernel {

/// One product or a batch of them: c[i,j] = sum over p of a[i,p] b[p,j]. Strides count elements;
/// an operand is repeated by a stride of 0. `batch` outer dimensions, slowest first, have extents
/// and a step for each operand.
struct Product {
    index_t m, n, k;
    const void* a;
    index_t a_row, a_col;
    const void* b;
    index_t b_row, b_col;
    void* c;
    index_t c_row, c_col;
    int batch;
    index_t extent[max_rank], a_step[max_rank], b_step[max_rank], c_step[max_rank];
};

namespace gemm_detail {

/// Calls `f(a, b, c)` for every product of the batch, the last batch dimension fastest.
template <class E, index_t Parts, class F>
BROADLOOM_INLINE void for_each_product(const Product& q, const F& f) {
    const E* a = static_cast<const E*>(q.a);
    const E* b = static_cast<const E*>(q.b);
    E* c = static_cast<E*>(q.c);
    index_t at[max_rank];
    for (int d = 0; d < q.batch; ++d) at[d] = 0;
    for (;;) {
        f(a, b, c);
        int d = q.batch - 1;
        for (; d >= 0; --d) {
            a += q.a_step[d] * Parts;
            b += q.b_step[d] * Parts;
            c += q.c_step[d] * Parts;
            if (++at[d] < q.extent[d]) break;
            a -= q.extent[d] * q.a_step[d] * Parts;
            b -= q.extent[d] * q.b_step[d] * Parts;
            c -= q.extent[d] * q.c_step[d] * Parts;
            at[d] = 0;
        }
        if (d < 0) return;
    }
}

/// The same product with the roles of rows and columns exchanged.
inline void transpose(Product& q) {
    std::swap(q.m, q.n);
    std::swap(q.a, q.b);
    std::swap(q.a_row, q.b_col);
    std::swap(q.a_col, q.b_row);
    std::swap(q.c_row, q.c_col);
    for (int d = 0; d < q.batch; ++d) std::swap(q.a_step[d], q.b_step[d]);
}

/// Makes batch dimensions over which an operand is repeated part of the other one's rows or
/// columns, and drops those of extent 1.
inline void merge_batch(Product& q) {
    for (int d = q.batch - 1; d >= 0; --d) {
        const index_t extent = q.extent[d], a = q.a_step[d], b = q.b_step[d], c = q.c_step[d];
        if (extent != 1 && b == 0 && (q.m == 1 || (a == q.m * q.a_row && c == q.m * q.c_row))) {
            if (q.m == 1) {
                q.a_row = a;
                q.c_row = c;
            }
            q.m *= extent;
        } else if (extent != 1 && a == 0 &&
                   (q.n == 1 || (b == q.n * q.b_col && c == q.n * q.c_col))) {
            if (q.n == 1) {
                q.b_col = b;
                q.c_col = c;
            }
            q.n *= extent;
        } else if (extent != 1) {
            continue;
        }
        --q.batch;
        for (int e = d; e < q.batch; ++e) {
            q.extent[e] = q.extent[e + 1];
            q.a_step[e] = q.a_step[e + 1];
            q.b_step[e] = q.b_step[e + 1];
            q.c_step[e] = q.c_step[e + 1];
        }
        d = q.batch;
    }
}

}  // namespace gemm_detail

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_GEMM_PRODUCT_HPP
