// Slicing words name places: they give a view, which a selection by a mask cannot be.
// refused: masks_and_indices_select_by_the_member_index
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    const auto selected = x.index(x > 2.0F);
#else
    const auto selected = x(x > 2.0F);
#endif
}
