// What a matrix product is before anything is computed: pointers, extents, strides, and a batch of
// outer dimensions. Broadcasting is a stride of 0, and often melts into more rows or columns.
#ifndef BROADLOOM_KERNEL_GEMM_PRODUCT_HPP
#define BROADLOOM_KERNEL_GEMM_PRODUCT_HPP

#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"

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

/// How many elements the products of a batch have in all.
inline index_t output_size(const Product& q) {
    index_t count = q.m * q.n;
    for (int d = 0; d < q.batch; ++d) count *= q.extent[d];
    return count;
}

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

/// Has a product of nothing stay where its operands begin, which may be nowhere.
inline void stand_still(Product& q) {
    q.a_row = q.a_col = q.b_row = q.b_col = 0;
    for (int d = 0; d < q.batch; ++d) q.a_step[d] = q.b_step[d] = 0;
}

/// True for products of matrices with themselves, turned, that are large, or of many terms: what
/// lies above the diagonal mirrors what lies below, and to copy it takes less than to compute it.
/// With fewer rows the second half would be so small that its sums had another order.
inline bool is_mirrored(const Product& q) {
    constexpr index_t few_rows = 49, many_terms = 128, least_rows = 96, least_terms = 48;
    if (q.a != q.b || q.m != q.n || q.a_row != q.b_col || q.a_col != q.b_row) return false;
    for (int d = 0; d < q.batch; ++d) {
        if (q.a_step[d] != q.b_step[d]) return false;
    }
    return (q.m >= few_rows && q.k >= many_terms) || (q.m >= least_rows && q.k >= least_terms);
}
/// The rows [i, i + m) and columns [j, j + n) of products of elements of so many bytes.
inline Product part(Product q, index_t bytes, index_t i, index_t m, index_t j, index_t n) {
    q.a = static_cast<const char*>(q.a) + i * q.a_row * bytes;
    q.b = static_cast<const char*>(q.b) + j * q.b_col * bytes;
    q.c = static_cast<char*>(q.c) + (i * q.c_row + j * q.c_col) * bytes;
    q.m = m;
    q.n = n;
    return q;
}
/// Copies the first columns of all rows from `half` on to the last columns of the rows before.
template <class E>
void mirror(const Product& q, index_t half) {
    constexpr index_t side = 16;
    for_each_product<E, 1>(q, [&](const E*, const E*, E* c) {
        for (index_t first = half; first < q.m; first += side) {
            const index_t last = first + side < q.m ? first + side : q.m;
            for (index_t j = 0; j < half; ++j) {
                for (index_t i = first; i < last; ++i)
                    c[j * q.c_row + i * q.c_col] = c[i * q.c_row + j * q.c_col];
            }
        }
    });
}

}  // namespace gemm_detail

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_GEMM_PRODUCT_HPP
