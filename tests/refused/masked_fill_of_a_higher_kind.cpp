// refused: the value has a higher kind than the elements
#include "broadloom/operations/select.hpp"

int main() {
    const broadloom::Tensor<int> x = {1, 2};
    const broadloom::Tensor<bool> mask = {true, false};
#ifdef ALLOWED
    const broadloom::Tensor<int> y = broadloom::masked_fill(x, mask, 2);
#else
    const broadloom::Tensor<int> y = broadloom::masked_fill(x, mask, 2.5);
#endif
    return y.size() == 2 ? 0 : 1;
}
