// A value of a higher kind is not stored unless a cast says so.
// refused: higher kind.*cast
#include "broadloom/operations/arithmetic.hpp"

int main() {
    broadloom::Tensor<int> x = {1, 2};
#ifdef ALLOWED
    x += 2;
#else
    x += 1.5;
#endif
    return 0;
}
