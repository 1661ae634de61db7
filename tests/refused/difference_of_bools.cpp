// refused: bool has no difference
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<bool> x = {true, false};
#ifdef ALLOWED
    const broadloom::Tensor<bool> y = x ^ x;
#else
    const broadloom::Tensor<bool> y = x - x;
#endif
    return y.size() == 2 ? 0 : 1;
}
