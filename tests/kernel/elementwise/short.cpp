// Small jobs without a plan: in any rank, through any strides, the elements are those that a plan
// would have computed.
#include "broadloom/kernel/elementwise/short.hpp"

#include "broadloom/kernel/describe.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/tensor/as_strided.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::IndexList, bl::Shape, bl::Tensor, bl::TensorView;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The element of an operand at an index of the result.
template <class T>
T element(const TensorView<const T>& x, const IndexList& index) {
    const index_t lead = index.rank() - x.rank();
    index_t offset = 0;
    for (index_t d = 0; d < x.rank(); ++d) {
        if (x.shape()[d] != 1) offset += index[lead + d] * x.strides()[d];
    }
    return x.data()[offset];
}

template <class T>
Tensor<T> numbered(const Shape& shape) {
    Tensor<T> x = bl::empty<T>(shape);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 89 + 1);
    return x;
}

/// x - 2 * y, computed and counted out.
template <class T>
bool agrees(const TensorView<const T>& x, const TensorView<const T>& y) {
    const Tensor<T> z = x - y * T{2};
    Tensor<T> wide = bl::full<T>(Shape{z.size() + 1, 2}, T{77});
    TensorView<T> target = bl::as_strided(TensorView<T>(wide), z.shape(), [&] {
        IndexList strides = bl::detail::row_major(z.shape());
        for (index_t d = 0; d < strides.rank(); ++d) strides[d] *= 2;
        return strides;
    }());
    target = x - y * T{2};
    bool same = true;
    index_t at = 0;
    IndexList index = IndexList::filled(z.rank(), 0);
    for (; at < z.size(); ++at) {
        const T expected = static_cast<T>(element(x, index) - element(y, index) * T{2});
        same = same && z.data()[at] == expected && wide.data()[2 * at] == expected &&
               wide.data()[2 * at + 1] == T{77};
        for (index_t d = z.rank() - 1; d >= 0; --d) {
            if (++index[d] < z.shape()[d]) break;
            index[d] = 0;
        }
    }
    return same && wide.data()[2 * at] == T{77};
}

/// Every shape of which the extents are among some.
template <class F>
void for_each_shape(index_t rank, std::initializer_list<index_t> extents, F f) {
    IndexList shape;
    const auto extend = [&](const auto& self) -> void {
        if (shape.rank() == rank) return f(Shape(shape));
        for (const index_t extent : extents) {
            shape.push_back(extent);
            self(self);
            shape.erase(shape.rank() - 1);
        }
    };
    extend(extend);
}

}  // namespace

TEST_CASE("Results may have any rank, and operands may repeat any of their dimensions") {
    int wrong = 0;
    const auto check = [&](const Shape& shape) {
        const Tensor<float> x = numbered<float>(shape);
        for (unsigned mask = 0; mask < 1U << shape.rank(); ++mask) {
            IndexList other = shape.extents();
            for (index_t d = 0; d < other.rank(); ++d) {
                if ((mask >> d & 1) != 0) other[d] = 1;
            }
            const Tensor<float> y = numbered<float>(Shape(other));
            wrong += !agrees<float>(x, y);
        }
    };
    for_each_shape(3, {1, 2, 5, 17}, check);
    for_each_shape(4, {1, 2, 3}, check);
    for_each_shape(5, {1, 2}, check);
    for_each_shape(3, {1, 9, 48, 60}, check);
    for_each_shape(2, {1, 7, 29, 100, 128}, check);
    CHECK(wrong == 0);
}

TEST_CASE("Operands may be turned, reversed or stepped through") {
    int wrong = 0;
    for_each_shape(3, {2, 3, 18}, [&](const Shape& shape) {
        const Tensor<std::int8_t> x = numbered<std::int8_t>(shape);
        const Tensor<std::int8_t> y =
            numbered<std::int8_t>(Shape{shape[2], 2 * shape[0], shape[1]});
        const auto turned = y.permute({1, 2, 0});
        wrong += !agrees<std::int8_t>(x, turned(bl::range(0, 2 * shape[0], 2)));
        wrong += !agrees<std::int8_t>(x, turned(bl::range(0, shape[0])).flip({0, 2}));
        wrong += !agrees<std::int8_t>(x.unsqueeze(1), turned(bl::range(0, shape[0])).unsqueeze(1));
    });
    CHECK(wrong == 0);
}

TEST_CASE("A plan is made only where it gains more than it costs") {
    const auto told = [](const Shape& x, const Shape& y) {
        return bl::describe_plan(bl::ones<float>(x) + bl::ones<float>(y));
    };
    CHECK_THAT(told({4, 3, 2}, {3, 1}), ContainsSubstring("a few elements"));
    CHECK_THAT(told({2, 1, 3, 2}, {3, 1}), ContainsSubstring("a few elements"));
    CHECK_THAT(told({8, 4, 16}, {8, 1, 16}), ContainsSubstring("32 rows as they lie"));
    CHECK_THAT(told({2, 3, 4}, {2, 3, 4}), ContainsSubstring("1 flat run of 24"));
    CHECK_THAT(told({40, 100}, {40, 1}), ContainsSubstring("40 rows as they lie"));
    CHECK_THAT(told({128, 32}, {32}), ContainsSubstring("128 rows as they lie"));
    CHECK_THAT(told({30, 17}, {17}), ContainsSubstring("30 rows as they lie"));
    CHECK_THAT(told({2000, 17}, {17}), ContainsSubstring("flat runs"));
    CHECK_THAT(told({12, 41, 38}, {1}), ContainsSubstring(": 1 row as it lies"));
    CHECK_THAT(told({4, 8, 14, 14}, {8, 1, 1}), ContainsSubstring("32 rows as they lie"));
    CHECK_THAT(told({13, 49, 8}, {49, 8}), ContainsSubstring("13 rows as they lie"));
    CHECK_THAT(told({5, 2, 500}, {2, 1}), ContainsSubstring("10 rows as they lie"));
    CHECK_THAT(told({400, 100}, {400, 1}), ContainsSubstring("loops"));
    CHECK_THAT(told({40, 2, 2}, {40, 1, 2}), ContainsSubstring("1 flat run of 160"));
    CHECK_THAT(told({4000, 2, 2}, {4000, 1, 2}), ContainsSubstring("loops"));
    CHECK_THAT(bl::describe_plan(bl::exp(bl::ones<float>({8, 3, 3}) - bl::ones<float>({3, 1}))),
               ContainsSubstring("1 flat run of 72"));
}
