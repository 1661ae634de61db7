// Triangles: ones on one side of a diagonal, and what a tensor has there.
#ifndef BROADLOOM_TENSOR_TRIANGLE_HPP
#define BROADLOOM_TENSOR_TRIANGLE_HPP

#include <utility>

#include "broadloom/tensor/create.hpp"

namespace broadloom {
namespace detail {

/// How many of a row's columns lie before the k-th diagonal.
inline index_t before_diagonal(index_t row, index_t k, index_t columns) {
    return k >= columns - row ? columns : k <= -row ? 0 : row + k;
}

/// A copy of the last two dimensions with zeros above the k-th diagonal, or below it.
template <class X>
auto triangle(X&& x, index_t k, bool lower) {
    using T = element_t<X>;
    if (x.rank() < 2)
        throw shape_error(Sentence() << "a triangle needs two dimensions, not shape " << x.shape());
    Tensor<T> result(std::forward<X>(x));
    if (!result.is_contiguous()) result = result.copy();
    const index_t rows = result.extent(-2), columns = result.extent(-1);
    T* at = result.data();
    for (index_t left = result.size(); left > 0; left -= rows * columns) {
        for (index_t i = 0; i < rows; ++i, at += columns) {
            const index_t first = lower ? before_diagonal(i + 1, k, columns) : 0;
            const index_t last = lower ? columns : before_diagonal(i, k, columns);
            for (index_t j = first; j < last; ++j) at[j] = scalar::zero<T>();
        }
    }
    return result;
}

}  // namespace detail

/// Ones on and below the k-th diagonal, zeros above: (rows, columns).
template <class T>
Tensor<T> tri(Integer rows, Integer columns, Integer k = 0) {
    return detail::triangle(broadloom::ones<T>({index_t{rows}, index_t{columns}}), k, true);
}
template <class T>
Tensor<T> tri(Integer n) {
    return broadloom::tri<T>(n, n);
}

/// The elements on and below the k-th diagonal of the last two dimensions, zeros elsewhere. Throws
/// shape_error where there are fewer.
template <class X>
    requires tensor_like<X>
auto tril(X&& x, Integer k = 0) {
    return detail::triangle(std::forward<X>(x), k, true);
}
/// The elements on and above the k-th diagonal of the last two dimensions, zeros elsewhere. Throws
/// shape_error where there are fewer.
template <class X>
    requires tensor_like<X>
auto triu(X&& x, Integer k = 0) {
    return detail::triangle(std::forward<X>(x), k, false);
}

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_TRIANGLE_HPP
