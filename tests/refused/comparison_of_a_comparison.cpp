// In NumPy this is an error, in C++ it would be true everywhere.
// refused: write a < x && x < b
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    const broadloom::Tensor<bool> between = 1.0F < x && x < 3.0F;
#else
    const broadloom::Tensor<bool> between = 1.0F < x < 3.0F;
#endif
    return between.size() == 3 ? 0 : 1;
}
