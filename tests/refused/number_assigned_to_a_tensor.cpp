// Does it fill, or become one element? `fill` says which.
// refused: use of deleted function|selected deleted operator|attempting to reference a deleted function
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<float> x = {1, 2};
#ifdef ALLOWED
    x.fill(3);
#else
    x = 3.0F;
#endif
    return 0;
}
