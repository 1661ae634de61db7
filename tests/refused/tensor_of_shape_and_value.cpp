// Is the second one a value for all, or another row? A tensor filled with a value is made by
// `full`.
// refused: shape_and_value_are_for_full
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const auto x = broadloom::full<float>({3, 4}, 0.5F);
#else
    const broadloom::Tensor<float> x({3, 4}, 0.5F);
#endif
}
