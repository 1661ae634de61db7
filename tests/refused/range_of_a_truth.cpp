// refused: counts_and_shifts_are_integers
#include "broadloom/core/slice.hpp"

int main() {
#ifdef ALLOWED
    const auto first = broadloom::range(1);
#else
    const auto first = broadloom::range(true);
#endif
    return first.step == 1 ? 0 : 1;
}
