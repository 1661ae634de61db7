// refused: an aggregate has no 1
#include "broadloom/tensor/create.hpp"

struct Spot {
    int x = 0, y = 0;
};

int main() {
#ifdef ALLOWED
    const broadloom::Tensor<Spot> spots = broadloom::full({2}, Spot{1, 1});
#else
    const broadloom::Tensor<Spot> spots = broadloom::ones<Spot>({2});
#endif
    return spots.size() == 2 ? 0 : 1;
}
