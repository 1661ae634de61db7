// A view of a tensor that ends with the function would read freed memory.
// refused: a_tensor_with_a_name
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

#ifdef ALLOWED
bl::Tensor<float> numbers() {
#else
bl::TensorView<float> numbers() {
#endif
    bl::Tensor<float> local = {1, 2, 3};
    return local;
}

int main() { return static_cast<int>(numbers()(0)); }
