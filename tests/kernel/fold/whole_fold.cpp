// Small reductions are packed or computed before they are folded whole: they have the bits that a
// plan gives them, whatever their strides.
#include "broadloom/kernel/fold/whole_fold.hpp"

#include <utility>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor, bl::TensorView;
using bl::kernel::detail::WholeFold;
using folds::awkward;
using naive::same_bits;

namespace {

/// The elements of x in layouts of their own: turned, reversed, stepped through.
std::vector<Tensor<float>> memory_of(const TensorView<const float>& x) {
    const index_t rank = x.rank();
    std::vector<index_t> backwards;
    bl::IndexList wide;
    for (index_t d = 0; d < rank; ++d) {
        backwards.push_back(rank - 1 - d);
        wide.push_back(d + 1 < rank ? x.extent(d) : 2 * x.extent(d));
    }
    Tensor<float> stepped = bl::zeros<float>(Shape(wide));
    stepped(bl::ellipsis, bl::range({}, {}, 2)) = x;
    return {x.permute(backwards).copy(), x.flip({rank - 1}).copy(), stepped};
}

/// Whether `reduce` makes the same of an operand in any layout, and of one that is computed.
template <class F>
bool holds(const Tensor<float>& x, F reduce) {
    const auto memory = memory_of(x);
    std::vector<index_t> backwards;
    for (index_t d = 0; d < x.rank(); ++d) backwards.push_back(x.rank() - 1 - d);
    const auto expected = reduce(x);
    return same_bits(reduce(memory[0].permute(backwards)), expected) &&
           same_bits(reduce(memory[1].flip({x.rank() - 1})), expected) &&
           same_bits(reduce(memory[2](bl::ellipsis, bl::range({}, {}, 2))), expected) &&
           same_bits(reduce(x * 1.0F), expected);
}

}  // namespace

TEST_CASE("Small reductions have the same bits in every layout and computed") {
    int wrong = 0;
    for (const Shape& shape :
         {Shape{3, 4, 5, 6}, Shape{2, 16, 21}, Shape{6, 16, 21}, Shape{31, 33}, Shape{7, 1, 90},
          Shape{2, 3, 2, 3, 2, 3}, Shape{40, 40}, Shape{5, 3, 67}, Shape{1, 17, 1, 19}}) {
        const Tensor<float> x = awkward(shape, 5);
        for (unsigned axes = 1; axes < 1U << shape.rank(); ++axes) {
            std::vector<index_t> reduced;
            for (index_t d = 0; d < shape.rank(); ++d) {
                if ((axes >> d & 1) != 0) reduced.push_back(d);
            }
            wrong +=
                !holds(x, [&](auto&& y) { return bl::sum(std::forward<decltype(y)>(y), reduced); });
            wrong += !holds(x, [&](auto&& y) {
                return bl::mean(std::forward<decltype(y)>(y), reduced, bl::keepdims);
            });
            wrong +=
                !holds(x, [&](auto&& y) { return bl::max(std::forward<decltype(y)>(y), reduced); });
        }
        wrong += !holds(x, [](auto&& y) { return bl::argmax(std::forward<decltype(y)>(y)); });
        wrong += !holds(x, [](auto&& y) { return bl::argmin(std::forward<decltype(y)>(y), 0); });
    }
    CHECK(wrong == 0);
}

TEST_CASE("Reduced dimensions are rows between groups and columns") {
    const Shape shape{2, 3, 4, 5};
    const auto whole = [&](const Shape& result) { return WholeFold(shape, result); };
    const Shape middle{2, 1, 1, 5}, outer{1, 3, 4, 5}, all{1, 1, 1, 1}, apart{1, 3, 1, 5};
    CHECK(whole(middle).groups.groups == 2);
    CHECK(whole(middle).groups.rows == 12);
    CHECK(whole(middle).groups.columns == 5);
    CHECK(whole(outer).groups.rows == 2);
    CHECK(whole(outer).groups.columns == 60);
    CHECK(whole(all).groups.rows == 120);
    CHECK_FALSE(whole(middle).gathers);
    CHECK_FALSE(whole(outer).gathers);
    CHECK_FALSE(whole(all).gathers);
    CHECK(whole(apart).gathers);
}

TEST_CASE("Reduced dimensions that others lie between are brought together") {
    const Tensor<float> x = awkward({2, 3, 2, 5}, 6);
    const bl::Strides strides = x.strides();
    const Shape result{1, 3, 1, 5};
    WholeFold whole(x.shape(), result);
    const bl::kernel::Operand operand{x.data(), &x.shape(), &strides, 4, &bl::kernel::movers_of<4>};
    Tensor<float> gathered = bl::empty<float>({3, 2, 2, 5});
    whole.gather(reinterpret_cast<char*>(gathered.data()), operand, *operand.movers);
    CHECK(same_bits(gathered, x.permute({1, 0, 2, 3}).copy()));
    CHECK(whole.groups.groups == 3);
    CHECK(whole.groups.rows == 4);
    CHECK(whole.groups.columns == 5);
}
