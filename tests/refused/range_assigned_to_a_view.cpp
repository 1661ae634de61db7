// A range of the standard library does not say whether it is copied or looked at.
// refused: copy it by from
#include <vector>

#include "broadloom/broadloom.hpp"

int main() {
    broadloom::Tensor<float> x = {{1, 2, 3}, {4, 5, 6}};
    const std::vector<float> row = {7, 8, 9};
#ifdef ALLOWED
    x[0] = broadloom::view_of(row);
#else
    x[0] = row;
#endif
}
