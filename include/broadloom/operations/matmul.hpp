// Matrix products: the last two axes multiply, the others broadcast without being expanded.
// Operands are read where they lie, with any strides; sums are kept in the promoted type.
#ifndef BROADLOOM_OPERATIONS_MATMUL_HPP
#define BROADLOOM_OPERATIONS_MATMUL_HPP

#include "broadloom/kernel/gemm.hpp"
#include "broadloom/operations/arithmetic.hpp"

namespace broadloom {
namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_no_product(const Shape& x, const Shape& y,
                                                         const char* why) {
    throw shape_error(Sentence() << "matmul of shapes " << x << " and " << y << ": " << why);
}

/// The first dimensions of a shape, all but the last two.
inline Shape leading(const Shape& shape) {
    IndexList extents;
    for (index_t d = 0; d + 2 < shape.rank(); ++d) extents.push_back(shape[d]);
    return Shape(extents);
}

/// The dimensions before the last two of a product. Throws shape_error.
inline Shape batch_of(const Shape& x, const Shape& y, const Shape (&batches)[2]) {
    const Shape* list[2] = {&batches[0], &batches[1]};
    IndexList outer;
    if (!fits(Shapes{list, 2}, outer)) {
        Sentence why;
        why << "the batch dimensions are not broadcastable";
        write_table(why, Shapes{list, 2}, fits, nullptr);
        detail::throw_no_product(x, y, why.c_str());
    }
    return resolve(Shapes{list, 2});
}

template <class R>
Tensor<R> matmul_views(const TensorView<const R>& x, const TensorView<const R>& y) {
    if (x.rank() == 0 || y.rank() == 0) {
        detail::throw_no_product(x.shape(), y.shape(), "both need at least one dimension");
    }
    // A vector is a row at the left and a column at the right, and leaves no dimension behind.
    const bool row = x.rank() == 1, column = y.rank() == 1;
    kernel::Product q{};
    q.m = row ? 1 : x.shape()[-2];
    q.n = column ? 1 : y.shape()[-1];
    q.k = x.shape()[-1];
    const index_t inner = column ? -1 : -2;
    if (q.k != y.shape()[inner]) {
        Sentence why;
        why << "the inner extents " << q.k << " and " << y.shape()[inner] << " differ";
        detail::throw_no_product(x.shape(), y.shape(), why.c_str());
    }
    const Shape batches[2] = {detail::leading(x.shape()), detail::leading(y.shape())};
    const bool single = x.rank() <= 2 && y.rank() <= 2;
    const Shape batch = single ? Shape{} : detail::batch_of(x.shape(), y.shape(), batches);

    IndexList extents = batch.extents();
    if (!row) extents.push_back(q.m);
    if (!column) extents.push_back(q.n);
    Tensor<R> result = broadloom::empty<R>(Shape(extents));
    q.a = x.data();
    q.a_row = row ? 0 : x.strides()[-2];
    q.a_col = x.strides()[-1];
    q.b = y.data();
    q.b_row = y.strides()[inner];
    q.b_col = column ? 0 : y.strides()[-1];
    q.c = result.data();
    q.c_row = q.n;
    q.c_col = 1;
    const index_t rank = batch.rank();
    q.batch = static_cast<int>(rank);
    for (index_t d = 0; d < rank; ++d) {
        const auto step = [&](const Shape& own, const Strides& strides) {
            const index_t at = d - (rank - own.rank());
            return at < 0 || own[at] == 1 ? 0 : strides[at];
        };
        q.extent[d] = batch[d];
        q.a_step[d] = step(batches[0], x.strides());
        q.b_step[d] = step(batches[1], y.strides());
        q.c_step[d] = result.strides()[d];
    }
    kernel::gemm<R>(q);
    return result;
}

}  // namespace detail

/// The matrix product of the last two axes: (..., m, k) with (..., k, n) gives (..., m, n), the
/// rest broadcast. A vector counts as a row at the left and as a column at the right. Throws
/// shape_error for rank 0, and when the inner extents differ; an inner extent of 0 gives zeros.
template <class X, class Y>
    requires(tensor_like<X> && tensor_like<Y>)
auto matmul(X&& x, Y&& y) {
    using R = promote_t<element_t<X>, element_t<Y>>;
    const auto a = detail::in_memory<R>(std::forward<X>(x));
    const auto b = detail::in_memory<R>(std::forward<Y>(y));
    return detail::matmul_views<R>(a.view(), b.view());
}

/// Every element of x times every element of y: (x.size(), y.size()), whatever their shapes.
template <class X, class Y>
    requires operands<X, Y>
auto outer(X&& x, Y&& y) {
    if constexpr (!tensor_like<X>) {
        return broadloom::eval(x * broadloom::eval(std::forward<Y>(y)).reshape({1, -1}));
    } else if constexpr (!tensor_like<Y>) {
        return broadloom::eval(broadloom::eval(std::forward<X>(x)).reshape({-1, 1}) * y);
    } else {
        using R = promote_t<element_t<X>, element_t<Y>>;
        return detail::with_line(std::forward<X>(x), [&](const auto& column) {
            return detail::with_line(std::forward<Y>(y), [&](const auto& row) {
                const Shape shape{column.size(), row.size()};
                return Tensor<R>(column.unsqueeze(1).broadcast_to(shape) * row.broadcast_to(shape));
            });
        });
    }
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_MATMUL_HPP
