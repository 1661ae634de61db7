// Copies of operands as the loops of a plan go.
#include "broadloom/kernel/elementwise/lay_flat.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/planned.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
namespace detail = broadloom::kernel::detail;
using bl::index_t, bl::Tensor;
using planned::Planned;

namespace {

using List = std::vector<index_t>;
List strides(const Planned& planned, std::size_t i) {
    const index_t* first = planned.streams[i].strides;
    return {first, first + planned.plan.rank};
}

}  // namespace

TEST_CASE("An operand is laid as the loops go, what repeats once") {
    std::vector<int> elements(6 * 4);
    std::iota(elements.begin(), elements.end(), 0);
    Planned planned({6, 5, 4}, {{20, 4, 1}, {-1, 0, 6}, {0, 0, 1}});
    for (auto& stream : planned.streams) stream.movers = &kernel::movers_of<4>;
    planned.streams[1].data = reinterpret_cast<const char*>(&elements[5]);
    const kernel::Stream from = planned.streams[1];
    CHECK(detail::elements_of(planned.plan, 1) == 24);
    CHECK(detail::elements_of(planned.plan, 2) == 4);

    CHECK(detail::bytes_laid_flat(planned.plan, [](int) { return true; }) == 96 + 16 + 2 * 64);
    CHECK(detail::bytes_laid_flat(planned.plan, [](int i) { return i == 1; }) == 96 + 64);

    alignas(64) int copy[16 + 24];
    char* const to = reinterpret_cast<char*>(copy);
    CHECK(detail::lay_flat(planned.plan, planned.streams[1], to + 1) == to + 64 + 96);
    CHECK(planned.streams[1].data == to + 64);
    planned.streams[1] = from;
    CHECK(detail::lay_flat(planned.plan, planned.streams[1], to) == to + 96);
    CHECK(planned.streams[1].data == to);
    CHECK(strides(planned, 1) == List{4, 0, 1});
    CHECK((copy[0] == 5 && copy[1] == 11 && copy[4] == 4 && copy[23] == 18));
    CHECK(detail::follow_loops(planned.plan, planned.streams[2]) == 4);
    CHECK(strides(planned, 2) == List{0, 0, 1});
}

TEST_CASE("An operand is laid in full, what repeats as often as it does") {
    std::vector<int> elements(3);
    std::iota(elements.begin(), elements.end(), 7);
    Planned planned({5, 3, 2}, {{6, 2, 1}, {0, 1, 0}});
    for (auto& stream : planned.streams) stream.movers = &kernel::movers_of<4>;
    planned.streams[1].data = reinterpret_cast<const char*>(elements.data());
    alignas(64) int copy[16 + 6];
    char* const to = reinterpret_cast<char*>(copy);
    CHECK(detail::lay_flat(planned.plan, planned.streams[1], to + 1, 1) == to + 64 + 24);
    CHECK(planned.streams[1].data == to + 64);
    CHECK(strides(planned, 1) == List{0, 2, 1});
    CHECK(std::vector<int>(copy + 16, copy + 22) == std::vector<int>{7, 7, 8, 8, 9, 9});
}

TEST_CASE("One copy serves all operands that are the same elements in the same order") {
    std::vector<int> elements(12);
    std::iota(elements.begin(), elements.end(), 0);
    Planned planned({3, 4}, {{4, 1}, {1, 3}, {4, 1}, {1, 3}, {1, 3}});
    for (auto& stream : planned.streams) {
        stream.movers = &kernel::movers_of<4>;
        stream.data = reinterpret_cast<const char*>(elements.data());
    }
    planned.streams[4].data += 4;
    planned.streams[4].strides[1] = 2;
    const auto lays = [&](int i) { return i != 2; };
    REQUIRE(detail::bytes_laid_flat(planned.plan, lays) == 2 * (48 + 64));
    alignas(64) int copy[16 + 12];
    detail::lay_all_flat(planned.plan, lays, reinterpret_cast<char*>(copy));
    const char* const first = reinterpret_cast<const char*>(copy);
    CHECK(planned.streams[1].data == first);
    CHECK(planned.streams[2].data == reinterpret_cast<const char*>(elements.data()));
    CHECK(planned.streams[3].data == first);
    CHECK(planned.streams[4].data == first + 64);
    CHECK(strides(planned, 3) == List{4, 1});
    CHECK((copy[1] == 3 && copy[4] == 1 && copy[11] == 11));
    CHECK((copy[16] == 1 && copy[17] == 3 && copy[20] == 2 && copy[27] == 9));
}

TEST_CASE("What is made of operands in any order of the axes is made of their elements") {
    for (const bl::Shape& shape : {bl::Shape{7, 20, 9, 11}, bl::Shape{10, 31, 17, 3}}) {
        const auto x = bl::arange<float>(shape.size()).reshape(shape);
        std::vector<index_t> order{0, 1, 2, 3};
        do {
            const bl::IndexList axes{order[0], order[1], order[2], order[3]};
            const auto view = x.permute(axes);
            const Tensor<float> copy(view), row = bl::arange<float>(copy.shape()[3]);
            CAPTURE(order);
            CHECK(bl::array_equal(Tensor<float>(view * row + copy),
                                  Tensor<float>(copy * row + copy)));
            CHECK(bl::array_equal(Tensor<bool>(view > 6000.0F), Tensor<bool>(copy > 6000.0F)));
            Tensor<float> target = copy;
            target += view.flip(0);
            CHECK(bl::array_equal(target, Tensor<float>(copy + copy.flip(0))));
            const Tensor<bool> odd = bl::eval(bl::mod(x, 2.0F) == 1.0F);
            const Tensor<bool> odd_copy(odd.permute(axes));
            CHECK(bl::array_equal(Tensor<float>(bl::where(odd.permute(axes), view, row)),
                                  Tensor<float>(bl::where(odd_copy, copy, row))));
            // Twice in one expression, and over what it is made of.
            CHECK(bl::array_equal(Tensor<float>(view * view), Tensor<float>(copy * copy)));
            Tensor<float> whole = x;
            whole.permute(axes) = whole.permute(axes) * 2.0F;
            CHECK(bl::array_equal(whole, Tensor<float>(x * 2.0F)));
        } while (std::next_permutation(order.begin(), order.end()));
    }
}
