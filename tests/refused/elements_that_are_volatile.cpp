// refused: of a trivially copyable type without const or volatile
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    using Element = int;
#else
    using Element = volatile int;
#endif
    broadloom::Tensor<Element> x;
    return x.size() == 0 ? 0 : 1;
}
