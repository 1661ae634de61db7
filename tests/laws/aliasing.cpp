// Overlap is safe: whatever memory target and operands share, the result is as if the operands had
// been copied first; and what does not share an element is not taken for a hazard.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::IndexList, bl::newaxis, bl::range, bl::Shape, bl::Strides,
    bl::Tensor, bl::TensorView;
using naive::counting, naive::Random;

namespace {

template <class X, class T>
bool hazard(const X& expression, const TensorView<T>& target) {
    return bl::kernel::Evaluation(expression, target.data(), target.shape(), target.strides())
        .is_hazard();
}

/// A random view into `count` elements: its shape, strides and first element.
struct Place {
    Shape shape;
    Strides strides;
    index_t first;

    TensorView<int> in(std::vector<int>& memory) const {
        return {memory.data() + first, shape, strides};
    }
};
/// A view of a shape somewhere in the memory, in any direction; without repeated elements if asked.
Place random_place(Random& random, const Shape& shape, index_t count, bool distinct) {
    while (true) {
        Strides strides = naive::strides_of(shape, naive::Way::random, random, true);
        for (index_t d = 0; d < shape.rank() && !distinct; ++d) {
            if (random(0, 2) == 0) strides[d] = random(-9, 9);
        }
        const auto bounds = bl::detail::bounds_of(shape, strides);
        if (bounds.high - bounds.low >= count) continue;
        return {shape, strides, random(-bounds.low, count - 1 - bounds.high)};
    }
}
Shape random_operand(Random& random, const Shape& target) {
    IndexList out = target.extents();
    for (index_t d = 0; d < out.rank(); ++d) {
        if (random(0, 3) == 0) out[d] = 1;
    }
    if (random(0, 3) == 0) {
        for (index_t drop = random(0, out.rank()); drop > 0; --drop) out.erase(0);
    }
    return Shape(out);
}

}  // namespace

TEST_CASE("A shifted copy of a row moves it, forwards and backwards, at any distance") {
    for (const index_t n : {2, 3, 8, 63, 64, 65, 100, 130, 1000, 5000}) {
        for (const index_t shift : {1, 2, 7, 64, 100}) {
            if (shift >= n) continue;
            Tensor<int> up = counting({n}), down = up;
            up(range(shift, {})) = up(range({}, -shift));
            down(range({}, -shift)) = down(range(shift, {}));
            bool same = true;
            for (index_t i = 0; i < n; ++i) {
                same = same && up(i) == (i < shift ? i : i - shift) &&
                       down(i) == (i < n - shift ? i + shift : i);
            }
            if (!same) FAIL(n << " shifted by " << shift);
        }
    }
}

TEST_CASE("A shifted sum reads what was there before") {
    Tensor<int> x = counting({1000});
    x(range(1, {})) += x(range({}, -1));
    for (index_t i = 1; i < 1000; ++i) CHECK(x(i) == 2 * i - 1);
    Tensor<int> y = counting({1000});
    y(range({}, -1)) = y(range(1, {})) * 2 + y(range({}, -1));
    for (index_t i = 0; i < 999; ++i) CHECK(y(i) == 3 * i + 2);
}

TEST_CASE("A tensor plus its transpose is symmetric") {
    for (const index_t n : {2, 3, 8, 33, 130}) {
        Tensor<int> x = counting({n, n}), y = x, z = x;
        const Tensor<int> before = x;
        x = x.transpose() + x;
        y += y.transpose();
        z.view() = z.transpose();
        bool same = true;
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < n; ++j) {
                same = same && x(i, j) == before(i, j) + before(j, i) && y(i, j) == x(i, j) &&
                       z(i, j) == before(j, i);
            }
        }
        CHECK(same);
    }
}

TEST_CASE("A column or a row of the target may be subtracted from all of it") {
    Tensor<int> x = counting({40, 50}), y = x, z = x;
    const Tensor<int> before = x;
    x -= x(all, range(0, 1));
    y -= y(range(-1, {}), all);
    z -= z(3, 4);
    z.view() = z - z[7];
    bool same = true;
    for (index_t i = 0; i < 40; ++i) {
        for (index_t j = 0; j < 50; ++j) {
            same = same && x(i, j) == j && y(i, j) == (i - 39) * 50 && z(i, j) == (i - 7) * 50;
        }
    }
    CHECK(same);
}

TEST_CASE("A tensor may be assigned a view or a function of itself, of any shape") {
    Tensor<int> x = counting({2, 3});
    x = x.transpose();
    CHECK(bl::array_equal(x, Tensor<int>{{0, 3}, {1, 4}, {2, 5}}));
    x = x[1];
    CHECK(bl::array_equal(x, Tensor<int>{1, 4}));
    x = x(all, newaxis) * x;
    CHECK(bl::array_equal(x, Tensor<int>{{1, 4}, {4, 16}}));
    const auto& same = x;
    x = same;
    CHECK(bl::array_equal(x, Tensor<int>{{1, 4}, {4, 16}}));
    x = x.flip() + x;
    CHECK(bl::array_equal(x, Tensor<int>{{17, 8}, {8, 17}}));
    x.view() = x.view();
    CHECK(bl::array_equal(x, Tensor<int>{{17, 8}, {8, 17}}));
    x = x.broadcast_to({2, 2, 2});
    CHECK(x.shape() == Shape{2, 2, 2});
    CHECK(x(1, 0, 1) == 8);
}

TEST_CASE("A fill with an element of the target is a fill with what it was") {
    Tensor<int> x = counting({300});
    x.fill(x(7));
    CHECK(bl::array_equal(x, bl::full<int>({300}, 7)));
    Tensor<int> y = counting({300});
    y.view() = y(range(5, 6));
    CHECK(bl::array_equal(y, bl::full<int>({300}, 5)));
    Tensor<int> z = counting({300});
    z += z(299);
    CHECK(z(299) == 598);
    CHECK(z(0) == 299);
}

TEST_CASE("Assignment through random views of one memory is as if the operands were copied first") {
    Random random(1);
    constexpr index_t count = 150;
    int hazards = 0;
    for (int round = 0; round < 20000; ++round) {
        const Shape shape = random.shape(3, 4, 1);
        const Place target = random_place(random, shape, count, true);
        const Place first = random_place(random, random_operand(random, shape), count, false);
        const Place second = random_place(random, random_operand(random, shape), count, false);
        std::vector<int> memory(count), expected;
        for (int& v : memory) v = static_cast<int>(random(0, 99));
        expected = memory;
        std::vector<int> copy = memory;
        const TensorView<int> written = target.in(memory);
        const TensorView<const int> x = first.in(memory), y = second.in(memory);
        naive::for_each_index(shape, [&](const IndexList& index) {
            const int a = copy[static_cast<std::size_t>(
                first.first + naive::broadcast_offset(index, first.shape, first.strides))];
            const int b = copy[static_cast<std::size_t>(
                second.first + naive::broadcast_offset(index, second.shape, second.strides))];
            int& r = expected[static_cast<std::size_t>(
                target.first + naive::broadcast_offset(index, shape, target.strides))];
            const int old = r;
            switch (round % 4) {
                case 0: r = a; break;
                case 1: r = a - b; break;
                case 2: r = old + a * b; break;
                default: r = old - a; break;
            }
        });
        TensorView<int> to = written;
        switch (round % 4) {
            case 0: to = x; break;
            case 1: to = x - y; break;
            case 2: to += x * y; break;
            default: to -= x; break;
        }
        hazards += hazard(x, written);
        if (memory != expected) {
            FAIL("case " << round % 4 << " into " << bl::detail::text(shape)
                         << bl::detail::text(target.strides) << " at " << target.first << " from "
                         << bl::detail::text(first.shape) << bl::detail::text(first.strides)
                         << " at " << first.first << " and " << bl::detail::text(second.shape)
                         << bl::detail::text(second.strides) << " at " << second.first);
        }
    }
    CHECK(hazards > 1000);
    CHECK(hazards < 18000);
}

TEST_CASE("A hazard is reported exactly when two different elements share memory") {
    Random random(2);
    std::vector<int> memory(100);
    for (int round = 0; round < 20000; ++round) {
        const Place target = random_place(random, random.shape(3, 4, 1), 100, true);
        const Place source = random_place(random, target.shape, 100, false);
        const std::vector<index_t> to = naive::offsets(target.shape, target.strides, target.first);
        const std::vector<index_t> from =
            naive::offsets(source.shape, source.strides, source.first);
        bool shared = false;
        for (const index_t at : from)
            shared = shared || std::find(to.begin(), to.end(), at) != to.end();
        const bool said = hazard(source.in(memory), target.in(memory));
        // Element for element is no hazard; what shares nothing must never be one.
        if (said ? !shared : shared && to != from) {
            FAIL(bl::detail::text(target.shape)
                 << bl::detail::text(target.strides) << " at " << target.first << " and "
                 << bl::detail::text(source.strides) << " at " << source.first);
        }
    }
}

TEST_CASE("Interleaved and neighbouring views are no hazards") {
    Tensor<int> x = counting({60, 100});
    const auto view = [&](auto... words) { return x(words...); };
    CHECK(!hazard(view(all, range(1, {}, 2)), view(all, range(0, {}, 2))));
    CHECK(!hazard(view(range(0, {}, 2), all), view(range(1, {}, 2), all)));
    CHECK(!hazard(view(all, range(0, 50)), view(all, range(50, {}))));
    CHECK(!hazard(view(range(0, 30), all), view(range(30, {}), all)));
    CHECK(!hazard(view(all, range({}, {}, -2)), view(all, range(0, {}, 2))));
    CHECK(!hazard(view(0, all), view(1, all)));
    CHECK(!hazard(x, x.view()));
    CHECK(!hazard(x.view() + 1, x.view()));
    CHECK(hazard(view(all, range(0, 51)), view(all, range(49, {}))));
    CHECK(hazard(x.flip(0), x.view()));
    CHECK(hazard(view(all, range(3, 4)), x.view()));
    const Tensor<int> other = x;
    CHECK(!hazard(other + other, x.view()));
}

TEST_CASE("Views of other element sizes over the same bytes are told apart by bytes") {
    std::vector<std::int32_t> memory(64);
    const TensorView<std::int32_t> ints(memory.data(), Shape{32}, Strides{1});
    const TensorView<unsigned char> bytes(reinterpret_cast<unsigned char*>(memory.data()),
                                          Shape{32}, Strides{4});
    const TensorView<unsigned char> after(reinterpret_cast<unsigned char*>(memory.data() + 32),
                                          Shape{32}, Strides{4});
    CHECK(hazard(bytes, ints));
    CHECK(!hazard(after, ints));
}

TEST_CASE("Elements of other sizes are a hazard from one start, and up to the last byte") {
    std::vector<std::int64_t> memory(16);
    const auto wide = [&](const Shape& shape, const Strides& strides) {
        return TensorView<std::int64_t>(memory.data(), shape, strides);
    };
    const auto narrow = [&](index_t first, const Shape& shape, const Strides& strides) {
        auto* const elements = reinterpret_cast<std::int32_t*>(memory.data());
        return TensorView<std::int32_t>(elements + first, shape, strides);
    };
    for (const index_t first : {0, 6, 8}) {
        const auto x = wide({4}, {1});
        const auto y = narrow(first, {4}, {1});
        CHECK(hazard(x, y) == (first < 8));
        CHECK(hazard(y, x) == (first < 8));
    }
    // The same in rows that do not lie together.
    CHECK(hazard(wide({2, 2}, {4, 1}), narrow(0, {2, 2}, {4, 1})));
    CHECK(hazard(narrow(0, {2, 2}, {4, 1}), wide({2, 2}, {4, 1})));
}

TEST_CASE("Twice the same target in one statement is element for element") {
    Tensor<double> x = {1, 2, 3, 4};
    x = x * x + x;
    CHECK(bl::array_equal(x, Tensor<double>{2, 6, 12, 20}));
    x -= x * 0.5 + x;
    CHECK(bl::array_equal(x, Tensor<double>{-1, -3, -6, -10}));
    Tensor<float> large = bl::ones<float>({100000});
    for (int i = 0; i < 3; ++i) large = large * 2.0F + large;
    CHECK(large(99999) == 27.0F);
    CHECK(bl::array_equal(large, bl::full<float>({100000}, 27.0F)));
}

TEST_CASE("A temporary that is moved into an expression and assigned back is safe") {
    Tensor<int> x = counting({1000});
    x = std::move(x) + 1;
    CHECK(x(0) == 1);
    CHECK(x(999) == 1000);
    x = std::move(x).flip() - 1;
    CHECK(x(0) == 999);
    CHECK(x.size() == 1000);
}
