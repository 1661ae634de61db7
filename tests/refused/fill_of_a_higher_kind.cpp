// refused: the source has elements of a higher kind
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<int> x = {1, 2};
#ifdef ALLOWED
    x.fill(2);
#else
    x.fill(2.5);
#endif
    return 0;
}
