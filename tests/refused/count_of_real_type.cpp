// refused: counts_and_shifts_are_integers
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const auto x = broadloom::linspace(0, 1, 3);
#else
    const auto x = broadloom::linspace(0, 1, 2.9);
#endif
    return x.size() == 3 ? 0 : 1;
}
