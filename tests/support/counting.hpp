// Tensors that count, which show where each element went.
#ifndef BROADLOOM_TESTS_SUPPORT_COUNTING_HPP
#define BROADLOOM_TESTS_SUPPORT_COUNTING_HPP

#include "broadloom/tensor/create.hpp"

namespace naive {

/// 0, 1, 2, ... in rows.
template <class T = int>
broadloom::Tensor<T> counting(const broadloom::Shape& shape) {
    broadloom::Tensor<T> x = broadloom::empty<T>(shape);
    for (broadloom::index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i);
    return x;
}

}  // namespace naive

#endif  // BROADLOOM_TESTS_SUPPORT_COUNTING_HPP
