// refused: an expression is used up in the statement that makes it.*Tensor z = .*eval
#include "broadloom/operations/arithmetic.hpp"

int main() {
    broadloom::Tensor<float> x = {1, 2};
    auto&& kept = x * 2.0F;
#ifdef ALLOWED
    x += std::move(kept);
#else
    x += kept;
#endif
    return x.size() == 2 ? 0 : 1;
}
