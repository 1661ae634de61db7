// refused: (deleted function|no matching function)
#include "broadloom/operations/cumulative.hpp"
#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({2, 3});
#ifdef ALLOWED
    const auto sums = broadloom::cumsum(x);
    const auto rising = broadloom::sort(x, 0);
#else
    const auto sums = broadloom::cumsum(x, {});
    const auto rising = broadloom::sort(x, {});
#endif
    return sums.rank() + 1 == rising.rank() ? 0 : 1;
}
