// What is written to a copy is lost with it.
// refused: what_is_written_to_a_copy|deleted function
#include "broadloom/broadloom.hpp"

int main() {
    broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    broadloom::masked_fill_(x, x > 1.0F, 0.0F);
#else
    x.index(x > 1.0F).fill(0.0F);
#endif
}
