// Is the vector copied, or looked at? Two functions say which.
// refused: copy_a_range_by_from_or_look_at_it_by_view_of
#include <vector>

#include "broadloom/tensor/from.hpp"

int main() {
    const std::vector<float> values = {1, 2, 3};
#ifdef ALLOWED
    const broadloom::Tensor<float> x = broadloom::from(values);
#else
    const broadloom::Tensor<float> x(values);
#endif
}
