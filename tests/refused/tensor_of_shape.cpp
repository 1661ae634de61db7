// A tensor of a shape alone does not say what is in it.
// refused: shapes_are_for_zeros_ones_full_and_empty
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const auto x = broadloom::zeros<float>({2, 3});
#else
    const broadloom::Tensor<float> x(broadloom::Shape{2, 3});
#endif
    return x.rank() == 2 ? 0 : 1;
}
