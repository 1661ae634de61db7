// A comparison of tensors has many answers.
// refused: all_of_any_of_and_array_equal_give_one_answer
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2, 3};
#ifdef ALLOWED
    if (all_of(x == x)) return 0;
#else
    if (x == x) return 0;
#endif
    return 1;
}
