// A function that returns nothing makes no elements.
// refused: returns the element that it makes
#include "broadloom/broadloom.hpp"

int main() {
    const broadloom::Tensor<int> x = {1, 2, 3};
#ifdef ALLOWED
    const broadloom::Tensor<int> y = broadloom::map([](int i) { return i; }, x);
#else
    const broadloom::Tensor<int> y = broadloom::map([](int) {}, x);
#endif
    return y.rank() == 1 ? 0 : 1;
}
