// refused: higher kind.*cast
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<int> x = {1, 2};
#ifdef ALLOWED
    const broadloom::Tensor<int> y = broadloom::cast<int>(x * 1.5);
#else
    const broadloom::Tensor<int> y = x * 1.5;
#endif
    return y.size() == 2 ? 0 : 1;
}
