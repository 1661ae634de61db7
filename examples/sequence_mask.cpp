// Sequences of different lengths lie in the rows of one matrix. Which elements belong to them?
#include <broadloom/broadloom.hpp>
#include <iostream>

namespace bl = broadloom;

int main() {
    const bl::Tensor<int> sequences = {{2, 3, 4, 0, 0},   //
                                       {1, 0, 0, 2, 3},   //
                                       {0, 5, 6, 7, 8}};  // (3, 5)
    const bl::Tensor<int> lengths = {3, 1, 5};            // (3,)

    // A row of positions against a column of lengths: (1, 5) < (3, 1) is (3, 5).
    const bl::Tensor mask =
        bl::arange<int>(sequences.extent(1)).unsqueeze(0) < lengths.unsqueeze(1);
    const bl::Tensor kept = sequences * mask;

    std::cout << sequences << "\n\n" << mask << "\n\n" << kept << "\n";

    const bl::Tensor<int> expected = {{2, 3, 4, 0, 0}, {1, 0, 0, 0, 0}, {0, 5, 6, 7, 8}};
    return bl::array_equal(kept, expected) ? 0 : 1;
}

// prints  [[2 3 4 0 0]
//          [1 0 0 2 3]
//          [0 5 6 7 8]]
//
//         [[ True  True  True False False]
//          [ True False False False False]
//          [ True  True  True  True  True]]
//
//         [[2 3 4 0 0]
//          [1 0 0 0 0]
//          [0 5 6 7 8]]
