// Are these extents, or values? Braces hold values; what has a shape is made by a function.
// refused: extents_are_for_zeros_ones_full_and_empty
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const auto x = broadloom::zeros<float>({3, 4});
#else
    const broadloom::Tensor<float> x(3, 4);
#endif
}
