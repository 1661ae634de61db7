// Windows share the elements of their tensor, which must have a name to last.
// refused: must have a name to last
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const broadloom::Tensor<float> x = broadloom::ones<float>({5});
    const auto view = x.windows({3});
#else
    const auto view = broadloom::ones<float>({5}).windows({3});
#endif
    return view.rank() == 2 ? 0 : 1;
}
