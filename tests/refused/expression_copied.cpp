// refused: (use of deleted function|call to deleted constructor|call to implicitly-deleted copy constructor)
#include "broadloom/operations/arithmetic.hpp"

int main() {
    const broadloom::Tensor<float> x = {1, 2};
    auto&& first = x + x;
#ifdef ALLOWED
    auto second = std::move(first);
#else
    auto second = first;
#endif
    return second.size() == 2 ? 0 : 1;
}
