// refused: this_view_only_reads_write_to_a_copy_of_it
#include "broadloom/operations/arithmetic.hpp"

int main() {
    broadloom::Tensor<float> x = {{1}, {2}};
#ifdef ALLOWED
    x.transpose() += 1.0F;
#else
    x.broadcast_to({2, 3}) += 1.0F;
#endif
    return 0;
}
