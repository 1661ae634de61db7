// refused: (assignment of read-only location|cannot assign to return value|not assignable)
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    broadloom::Tensor<float> x = {1, 2};
#else
    const broadloom::Tensor<float> x = {1, 2};
#endif
    x(0) = 3;
    return 0;
}
