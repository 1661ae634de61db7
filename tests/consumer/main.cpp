// A user's program of two sources: both include the library, so a definition that is not inline
// would stop the link.
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

bl::Tensor<float> column();

int main() {
    bl::Tensor<float> row = {10, 20, 30};
    bl::Tensor<float> sum = column() + row;
    return sum.at(1, 2) == 32.0f ? 0 : 1;
}
