// refused: higher kind.*cast
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<int> x = {{1, 2}, {3, 4}};
#ifdef ALLOWED
    x[0] = 2;
#else
    x[0] = 2.5;
#endif
    return 0;
}
