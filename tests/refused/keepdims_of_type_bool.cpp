// What is true, in a call that names axes? `keepdims` says it, and var has another such number.
// refused: true_is_written_keepdims
#include "broadloom/operations/reduce.hpp"

int main() {
    const broadloom::Tensor<float> x = {{1, 2}, {3, 4}};
#ifdef ALLOWED
    const auto sums = broadloom::sum(x, 1, broadloom::keepdims);
#else
    const auto sums = broadloom::sum(x, 1, true);
#endif
}
