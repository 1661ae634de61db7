// refused: a view would outlive this temporary range
#include <vector>

#include "broadloom/tensor/from.hpp"

int main() {
#ifdef ALLOWED
    const std::vector<float> values = {1, 2, 3};
    const auto view = broadloom::view_of(values);
#else
    const auto view = broadloom::view_of(std::vector<float>{1, 2, 3});
#endif
    return view.size() == 3 ? 0 : 1;
}
