// refused: the_fourth_is_the_base
#include "broadloom/tensor/create.hpp"

int main() {
#ifdef ALLOWED
    const auto x = broadloom::logspace(0, 3, 4, 2);
#else
    const auto x = broadloom::logspace(0, 3, 4, false);
#endif
    return x.size() == 4 ? 0 : 1;
}
