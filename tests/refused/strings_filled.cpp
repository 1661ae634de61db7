// refused: what is written through a view are elements of a trivially copyable type
#include <string>
#include <vector>

#include "broadloom/tensor/from.hpp"

int main() {
    std::vector<std::string> words(3);
    const auto view = broadloom::view_of(words);
#ifndef ALLOWED
    view.fill(std::string("ab"));
#endif
    return view(2).empty() ? 0 : 1;
}
