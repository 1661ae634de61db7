// max reduces along axes, as NumPy's does: a second tensor is none.
// refused: the_larger_of_two_is_maximum
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3}, y = {3, 2, 1};
#ifdef ALLOWED
    const broadloom::Tensor<float> z = broadloom::maximum(x, y);
#else
    const broadloom::Tensor<float> z = broadloom::max(x, y);
#endif
}
