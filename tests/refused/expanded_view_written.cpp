// An expanded view repeats its elements: it is a view of constants.
// refused: this_view_only_reads_write_to_a_copy_of_it
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<float> x = {{1}, {2}};
#ifdef ALLOWED
    auto view = x.reshape({2});
#else
    auto view = x.expand({-1, 3});
#endif
    view = broadloom::ones<float>({1});
    return 0;
}
