// refused: an expression is used up in the statement that makes it.*Tensor z = .*eval
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2};
#ifdef ALLOWED
    const broadloom::Tensor<float> z = x + x;
#else
    auto kept = x + x;
    const broadloom::Tensor<float> z = kept;
#endif
    return z.size() == 2 ? 0 : 1;
}
