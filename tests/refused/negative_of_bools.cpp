// refused: bool has no negative
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<bool> x = {true, false};
#ifdef ALLOWED
    const broadloom::Tensor<bool> y = ~x;
#else
    const broadloom::Tensor<bool> y = -x;
#endif
    return y.size() == 2 ? 0 : 1;
}
