// An expanded view repeats its elements: it is a view of constants.
// refused: no match for .*operator=|use of deleted function|no viable overloaded .*=
#include "broadloom/tensor/create.hpp"

int main() {
    broadloom::Tensor<float> x = {{1}, {2}};
#ifdef ALLOWED
    auto view = x.reshape({2});
#else
    auto view = x.expand({-1, 3});
#endif
    view = broadloom::ones<float>({1});
    return 0;
}
