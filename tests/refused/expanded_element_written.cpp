// refused: (assignment of read-only location|read-only variable is not assignable|not assignable|returns a const value)
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<float> x = {{1}, {2}};
#ifdef ALLOWED
    x.transpose()(0, 1) = 2;
#else
    x.broadcast_to({2, 3})(0, 1) = 2;
#endif
    return 0;
}
