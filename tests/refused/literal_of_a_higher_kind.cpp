// refused: (could not convert|no matching (function|constructor)|cannot convert|conversion)
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const broadloom::Tensor<float> x = {{1, 2}, {3, 4.5}};
#else
    const broadloom::Tensor<int> x = {{1, 2}, {3, 4.5}};
#endif
    return x.size() == 4 ? 0 : 1;
}
