// refused: (no matching function|cannot convert|could not convert|no known conversion)
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({2, 3});
#ifdef ALLOWED
    const auto sums = broadloom::sum(x, 1);
#else
    const auto sums = broadloom::sum(x, true);
#endif
    return sums.rank() == 1 ? 0 : 1;
}
