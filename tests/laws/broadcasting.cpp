// Every binary operation, and some with three operands, agree with a naive evaluator that knows
// nothing but the rule: for all small shapes, through operands of every layout.
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "broadloom/broadloom.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
namespace scalar = broadloom::scalar;
using bl::index_t, bl::IndexList, bl::Shape, bl::Tensor, bl::TensorView;
using naive::Presented, naive::Random, naive::Way;

namespace {

using View = TensorView<const int>;

/// An operation on tensors, and what it does to one element; results as doubles, which hold them.
struct Operation {
    const char* name;
    bool (*agrees)(const Presented<int>& x, const Presented<int>& y, const Shape& common);
    bool (*throws)(const Presented<int>& x, const Presented<int>& y);
};

template <class R, class Apply, class Element>
bool agrees(const Presented<int>& x, const Presented<int>& y, const Shape& common) {
    const auto result = bl::eval(Apply{}(x.read(), y.read()));
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(*result.data())>, R>);
    if (result.shape() != common || !result.is_contiguous()) return false;
    const R* at = result.data();
    bool same = true;
    naive::for_each_index(common, [&](const IndexList& index) {
        same = same && *at++ == Element{}(x.at(index), y.at(index));
    });
    return same;
}
template <class Apply>
bool throws(const Presented<int>& x, const Presented<int>& y) {
    try {
        (void)Apply{}(x.read(), y.read());
    } catch (const bl::shape_error&) {
        return true;
    }
    return false;
}
template <class R, class Element, class Apply>
constexpr Operation operation(const char* name, Apply) {
    return {name, &agrees<R, Apply, Element>, &throws<Apply>};
}

#define OPERATION(R, element, expression) \
    operation<R, scalar::element>(#expression, [](View x, View y) { return expression; })

const Operation operations[] = {
    OPERATION(int, add, x + y),
    OPERATION(int, subtract, x - y),
    OPERATION(int, multiply, x* y),
    OPERATION(int, divide, x / y),
    OPERATION(int, fmod, x % y),
    OPERATION(int, bit_and, x& y),
    OPERATION(int, bit_or, x | y),
    OPERATION(int, bit_xor, x ^ y),
    OPERATION(int, shift_left, x << y),
    OPERATION(int, shift_right, x >> y),
    OPERATION(bool, equal, x == y),
    OPERATION(bool, not_equal, x != y),
    OPERATION(bool, less, x < y),
    OPERATION(bool, less_equal, x <= y),
    OPERATION(bool, greater, x > y),
    OPERATION(bool, greater_equal, x >= y),
    OPERATION(bool, logical_and, x&& y),
    OPERATION(bool, logical_or, x || y),
    OPERATION(int, floor_divide, bl::floor_divide(x, y)),
    OPERATION(int, mod, bl::mod(x, y)),
    OPERATION(int, maximum, bl::maximum(x, y)),
    OPERATION(int, minimum, bl::minimum(x, y)),
    OPERATION(double, true_divide, bl::true_divide(x, y)),
    // The functors of these names are those of operators above.
    OPERATION(int, add, bl::add(x, y)),
    OPERATION(int, subtract, bl::subtract(x, y)),
    OPERATION(int, multiply, bl::multiply(x, y)),
    OPERATION(int, divide, bl::divide(x, y)),
    OPERATION(int, fmod, bl::fmod(x, y)),
    OPERATION(int, maximum, bl::fmax(x, y)),
    OPERATION(int, minimum, bl::fmin(x, y)),
};
constexpr std::size_t operation_count = std::size(operations);

/// Small numbers, 0 and negative ones among them, and now and then an extreme.
int small_number(Random& random) {
    const index_t pick = random(0, 40);
    if (pick == 0) return std::numeric_limits<int>::min();
    if (pick == 1) return std::numeric_limits<int>::max();
    return static_cast<int>(random(-6, 6));
}
/// true_divide by 0 gives infinities and NaN, which do not compare: no zeros for it.
int number_but_zero(Random& random) { return static_cast<int>(random(1, 9)); }

}  // namespace

TEST_CASE("Every binary operation follows the rule for all small shapes, in every presentation") {
    const std::vector<Shape> shapes = naive::all_shapes(3, 3);
    Random random(1);
    std::size_t round = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            Shape common;
            const bool fits = naive::common_shape({a, b}, common);
            const auto check = [&](const Operation& op, Way way_x, Way way_y) {
                const bool zeros = op.agrees != operations[22].agrees;
                const auto number = [&] {
                    return zeros ? small_number(random) : number_but_zero(random);
                };
                Presented<int> x(a, way_x, random), y(b, way_y, random);
                x.fill(number);
                y.fill(number);
                if (fits ? !op.agrees(x, y, common) : !op.throws(x, y)) {
                    FAIL(op.name << " of " << x.text() << " and " << y.text());
                }
            };
            // Each operation with plain operands, each pair of presentations with some operation.
            for (const Operation& op : operations) check(op, Way::plain, Way::plain);
            for (const Way way_x : naive::ways) {
                for (const Way way_y : naive::ways) {
                    check(operations[round++ % operation_count], way_x, way_y);
                }
            }
        }
    }
}

TEST_CASE("Three operands are broadcast together") {
    const std::vector<Shape> shapes = naive::all_shapes(2, 3);
    Random random(2);
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (const Shape& c : shapes) {
                Shape common;
                const bool fits = naive::common_shape({a, b, c}, common);
                Presented<int> x(a, Way::random, random), y(b, Way::random, random),
                    z(c, Way::random, random);
                const auto number = [&] { return static_cast<int>(random(-3, 3)); };
                x.fill(number);
                y.fill(number);
                z.fill(number);
                const auto check = [&](auto&& apply, auto&& element) {
                    if (!fits) {
                        CHECK_THROWS_AS(apply(), bl::shape_error);
                        return;
                    }
                    const Tensor<int> result = apply();
                    bool same = result.shape() == common;
                    const int* at = result.data();
                    naive::for_each_index(common, [&](const IndexList& index) {
                        same = same && *at++ == element(x.at(index), y.at(index), z.at(index));
                    });
                    if (!same) FAIL(x.text() << " and " << y.text() << " and " << z.text());
                };
                check([&] { return bl::where(x.read(), y.read(), z.read()); },
                      [](int u, int v, int w) { return u != 0 ? v : w; });
                check([&] { return bl::clip(x.read(), y.read(), z.read()); },
                      [](int u, int v, int w) { return std::min(std::max(u, v), w); });
                check([&] { return bl::fma(x.read(), y.read(), z.read()); },
                      [](int u, int v, int w) { return u * v + w; });
            }
        }
    }
}

TEST_CASE("A number beside a tensor is an operand of any shape, on either side") {
    Random random(3);
    for (const Shape& shape : naive::all_shapes(3, 3)) {
        Presented<int> x(shape, Way::random, random);
        x.fill([&] { return static_cast<int>(random(-9, 9)); });
        const Tensor<int> right = x.read() - 2, left = 2 - x.read();
        bool same = right.shape() == shape && left.shape() == shape;
        const int *r = right.data(), *l = left.data();
        naive::for_each_index(shape, [&](const IndexList& index) {
            same = same && *r++ == x.at(index) - 2 && *l++ == 2 - x.at(index);
        });
        CHECK(same);
    }
}
