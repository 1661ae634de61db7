// refused: (deleted function|no matching function)
#include "broadloom/operations/normalize.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({2, 3});
#ifdef ALLOWED
    const auto shares = broadloom::softmax(x, 1);
#else
    const auto shares = broadloom::softmax(x, 1.9);
#endif
    return shares.rank() == 2 ? 0 : 1;
}
