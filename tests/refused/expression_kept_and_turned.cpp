// An expression kept in a variable has no elements to rearrange.
// refused: an_expression_is_not_kept|call to deleted member function|attempting to reference a deleted function
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<float> x = {{1, 2}, {3, 4}};
#ifdef ALLOWED
    const broadloom::Tensor<float> y = (x + x).transpose();
#else
    auto kept = x + x;
    const broadloom::Tensor<float> y = kept.transpose();
#endif
    return y.size() == 4 ? 0 : 1;
}
