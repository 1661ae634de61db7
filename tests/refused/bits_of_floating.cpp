// refused: only integers and bool have bits
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2};
#ifdef ALLOWED
    const broadloom::Tensor<bool> y = (x > 0) & (x < 3);
#else
    const broadloom::Tensor<float> y = x & x;
#endif
    return y.size() == 2 ? 0 : 1;
}
