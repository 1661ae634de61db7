// refused: counts_and_shifts_are_integers
#include "broadloom/operations/roll.hpp"
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({3});
#ifdef ALLOWED
    const auto moved = broadloom::roll(x, 1);
#else
    const auto moved = broadloom::roll(x, true);
#endif
    return moved.size() == 3 ? 0 : 1;
}
