// Two axes to exchange, as in PyTorch, or all of them in a new order, as in NumPy?
// refused: swap_axes_exchanges_two_and_permute_orders_all
#include "broadloom/tensor/tensor.hpp"

int main() {
    const broadloom::Tensor<float> x = {{{1, 2}, {3, 4}}};
#ifdef ALLOWED
    const auto turned = x.swap_axes(0, 1);
#else
    const auto turned = x.transpose(0, 1);
#endif
}
