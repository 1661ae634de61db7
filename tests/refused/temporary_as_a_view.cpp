// A view would outlive the temporary that it is taken of.
// refused: a_tensor_with_a_name|conversion function|attempting to reference a deleted function
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    const broadloom::Tensor<float> y = x + 1.0F;
    const broadloom::TensorView<const float> view = y;
#else
    const broadloom::TensorView<const float> view = broadloom::eval(x + 1.0F);
#endif
    return view.size() == 3 ? 0 : 1;
}
