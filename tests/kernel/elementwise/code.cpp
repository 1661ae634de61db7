// What is compiled for an expression: which rows with constants have loops of their own.
#include "broadloom/kernel/elementwise/code.hpp"

#include <cstdint>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;

namespace {

using Leaf = bl::TensorView<const float>;
template <class T = Leaf>
T leaf();

/// The rows of an expression that have a loop, as a list of their bits.
template <class E>
std::vector<int> held_in() {
    const kernel::Code& code = kernel::code_of<kernel::formula_t<E>, float>;
    std::vector<int> bits;
    if (code.held == nullptr) return bits;
    for (int i = 0; i < 1 << kernel::detail::leaves<kernel::formula_t<E>>; ++i) {
        if (code.held[i].loop != nullptr) bits.push_back(i);
    }
    return bits;
}

/// Whether what is stored as elements of type R has a loop for the widest vectors.
template <class R, class E>
bool is_widest() {
    const kernel::Code& code = kernel::code_of<kernel::formula_t<E>, R>;
    return code.loop.level[2] != code.loop.level[1];
}

}  // namespace

TEST_CASE("Two or three operands have loops for their usual constants, more for two") {
    using List = std::vector<int>;
    CHECK(held_in<decltype(leaf() * 2.0F)>() == List{});
    CHECK(held_in<decltype(leaf() + leaf())>() == List{0, 1, 2});
    CHECK(held_in<decltype(leaf() * leaf() + leaf())>() == List{0, 1, 2, 4, 6});
    CHECK(held_in<decltype((leaf() - leaf()) / leaf() * leaf() + leaf())>() == List{6});
    CHECK(held_in<decltype(leaf() * leaf() + leaf() * leaf() + leaf() * leaf())>() == List{});
    // To compute these takes far longer than to read a constant.
    CHECK(held_in<decltype(bl::exp(leaf() - leaf()))>() == List{});
}

TEST_CASE("Rows that choose an operand hold their choice, however long they are") {
    using Mask = bl::TensorView<const bool>;
    using Sum = kernel::formula_t<decltype(leaf() + leaf())>;
    using Choice = kernel::formula_t<decltype(bl::where(leaf<Mask>(), leaf(), 0.0F))>;
    CHECK(kernel::code_of<Sum, float>.held_until == 4096);
    CHECK(kernel::code_of<Choice, float>.held_until == bl::detail::largest_index);
    CHECK(kernel::code_of<Choice, float>.held[1].loop != nullptr);
}

TEST_CASE("What AVX2 has instructions for has no loop for wider vectors") {
    using Word = bl::TensorView<const int>;
    using Long = bl::TensorView<const std::int64_t>;
    using Short = bl::TensorView<const std::int16_t>;
    CHECK(!is_widest<float, decltype(leaf() * 2.0F + leaf())>());
    CHECK(!is_widest<double, decltype(bl::abs(leaf() - leaf()))>());
    CHECK(!is_widest<int, decltype(leaf<Word>() * leaf<Word>())>());
    CHECK(is_widest<std::int64_t, decltype(leaf<Long>() * leaf<Long>())>() == BROADLOOM_X86);
    CHECK(is_widest<std::int16_t, decltype(leaf<Short>() + leaf<Short>())>() == BROADLOOM_X86);
    CHECK(is_widest<float, decltype(leaf() / leaf())>() == BROADLOOM_X86);
    CHECK(is_widest<bool, decltype(leaf() < leaf())>() == BROADLOOM_X86);
    CHECK(is_widest<float, decltype(bl::exp(leaf()))>() == BROADLOOM_X86);
}
