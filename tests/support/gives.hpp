// What an operand comes to, beside a tensor written out.
#ifndef BROADLOOM_TESTS_SUPPORT_GIVES_HPP
#define BROADLOOM_TESTS_SUPPORT_GIVES_HPP

#include <cstddef>
#include <utility>

#include "broadloom/tensor/tensor.hpp"
#include "support/naive.hpp"

namespace naive {

/// True when an operand, once evaluated, has the shape, the type and the elements of `expected`.
template <class X, class T>
bool gives(X&& x, const broadloom::Tensor<T>& expected) {
    return equal(broadloom::eval(std::forward<X>(x)), expected);
}

/// The same where one NaN is as good as another.
template <class X, class T>
bool gives_alike(X&& x, const broadloom::Tensor<T>& expected) {
    const broadloom::Tensor<T> result = broadloom::eval(std::forward<X>(x));
    if (result.shape() != expected.shape()) return false;
    const auto a = values(result), b = values(expected);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && (a[i] == a[i] || b[i] == b[i])) return false;
    }
    return true;
}

}  // namespace naive

#endif  // BROADLOOM_TESTS_SUPPORT_GIVES_HPP
