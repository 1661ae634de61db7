// What vectors.cmake reads the assembly of: elementwise loops in which nothing is left to scalar
// arithmetic.
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"

namespace bl = broadloom;

template <class T>
void loops(const bl::Tensor<T>& x, const bl::Tensor<T>& y, bl::Tensor<T>& z, bl::Tensor<bool>& m,
           bl::Tensor<int>& i) {
    z = x + y;
    z = x * T(2) + T(1);
    z = -x;
    z = bl::abs(x - y) / y;
    z = bl::sqrt(x);
    z = bl::maximum(x, y);
    z = bl::clip(x, T(0), T(1));
    z = bl::where(x > y, x, T(0));
    z = bl::floor(x);
    z = bl::exp(x);
    // The logarithm of doubles is scalar in the baseline.
    if constexpr (sizeof(T) == 4) z = bl::log1p(bl::exp(-bl::abs(x)));
    z = bl::tanh(x);
    z = bl::exp(m);
    m = x < y;
    i = bl::cast<int>(x);
}
template void loops(const bl::Tensor<float>&, const bl::Tensor<float>&, bl::Tensor<float>&,
                    bl::Tensor<bool>&, bl::Tensor<int>&);
template void loops(const bl::Tensor<double>&, const bl::Tensor<double>&, bl::Tensor<double>&,
                    bl::Tensor<bool>&, bl::Tensor<int>&);
