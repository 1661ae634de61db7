// An expression kept in a variable would outlive what it refers to.
// refused: an expression is used up in the statement that makes it.*Tensor z = .*eval
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2}, y = {3, 4};
#ifdef ALLOWED
    const broadloom::Tensor<float> kept = x + y;
#else
    auto kept = x + y;
#endif
    const broadloom::Tensor<float> z = kept * 2.0F;
    return z.size() == 2 ? 0 : 1;
}
