// The axis comes first, since the parts may be any number.
// refused: the_axis_comes_first_and_the_parts_follow
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3}, y = {3, 2, 1};
#ifdef ALLOWED
    const broadloom::Tensor<float> z = broadloom::concat(0, x, y);
#else
    const broadloom::Tensor<float> z = broadloom::concat(x, y, 0);
#endif
}
