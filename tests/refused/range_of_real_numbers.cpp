// refused: the_ends_of_a_range_are_integers
#include "broadloom/tensor/create.hpp"

int main() {
    const auto x = broadloom::ones<float>({3});
#ifdef ALLOWED
    const auto some = x(broadloom::range(0, 2));
#else
    const auto some = x(broadloom::range(0.9, 2.9));
#endif
    return some.size() == 2 ? 0 : 1;
}
