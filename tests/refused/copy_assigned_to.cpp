// What is assigned to a copy is lost with it.
// refused: write_to_views_or_by_index_put|selected deleted operator|attempting to reference a deleted function
#include "broadloom/broadloom.hpp"

int main() {
    broadloom::Tensor<float> x = {1, 2, 3};
    const broadloom::Tensor<float> y = {7, 8};
#ifdef ALLOWED
    broadloom::index_put_(x, y, x > 1.0F);
#else
    x.index(x > 1.0F) = y;
#endif
}
