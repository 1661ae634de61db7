// refused: the elements of a Tensor are of a trivially copyable type
#include <string>

#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    using Element = char;
#else
    using Element = std::string;
#endif
    broadloom::Tensor<Element> x = broadloom::empty<Element>({3});
    return x.size() == 3 ? 0 : 1;
}
