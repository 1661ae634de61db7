// refused: (no match for .operator.=|invalid operands to binary expression|no viable overloaded|candidate)
#include "broadloom/operations/arithmetic.hpp"

int main() {
    broadloom::Tensor<float> x = {{1}, {2}};
#ifdef ALLOWED
    x.transpose() += 1.0F;
#else
    x.broadcast_to({2, 3}) += 1.0F;
#endif
    return 0;
}
