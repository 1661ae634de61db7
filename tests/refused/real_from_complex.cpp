// refused: higher kind.*cast
#include <complex>

#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<std::complex<float>> z = {1, 2};
    broadloom::Tensor<float> x = {1, 2};
#ifdef ALLOWED
    x = z.cast<float>();
#else
    x = z;
#endif
    return 0;
}
