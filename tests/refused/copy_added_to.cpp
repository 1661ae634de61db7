// What is added to a copy is lost with it.
// refused: write_to_views_or_by_index_put|selected deleted operator|attempting to reference a deleted function
#include "broadloom/broadloom.hpp"

int main() {
    broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    broadloom::index_put_(x, 1, broadloom::Duplicates::add, x > 1.0F);
#else
    x.index(x > 1.0F) += 1;
#endif
}
