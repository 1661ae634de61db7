// refused: (deleted function|no matching function)
#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({2, 3});
#ifdef ALLOWED
    const auto falling = broadloom::sort(x, -1, true);
    const auto smallest = broadloom::topk(x, 2, -1, false);
#else
    const auto falling = broadloom::sort(x, true);
    const auto smallest = broadloom::topk(x, 2, false);
#endif
    return falling.rank() == smallest.values.rank() ? 0 : 1;
}
