// refused: (deleted function|deleted constructor|no matching function)
#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({2, 3});
#ifdef ALLOWED
    const auto rising = broadloom::sort(x, 0);
#else
    const auto rising = broadloom::sort(x, {});
#endif
    return rising.rank() == 2 ? 0 : 1;
}
