// A failed call changes nothing: neither a mismatch of shapes nor a function that throws half-way
// leaves a trace in its target or its operands.
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "broadloom/operations/align.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/quantile.hpp"
#include "broadloom/operations/index.hpp"
#include "broadloom/operations/repeat.hpp"
#include "broadloom/operations/scatter.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/triangle.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::range, bl::Shape, bl::Tensor;
using naive::counting;

namespace {

struct Stop : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws at the n-th element.
auto failing_at(index_t n) {
    return [n, count = index_t{0}](int x) mutable {
        if (count++ == n) throw Stop("at " + std::to_string(n));
        return x + 1000;
    };
}

/// Runs something that must throw E on a target, and compares the target with what it was.
template <class E, class F>
void unchanged(Tensor<int>& x, F&& f) {
    const Tensor<int> before = x;
    const int* const memory = x.data();
    const bl::Strides strides = x.strides();
    CHECK_THROWS_AS(f(), E);
    CHECK(naive::equal(x, before));
    CHECK(x.data() == memory);
    CHECK(x.strides() == strides);
}

}  // namespace

TEST_CASE("A function that throws at any element leaves the target of an assignment alone") {
    for (const index_t n : {0, 1, 5, 63, 64, 200, 1999}) {
        Tensor<int> x = counting({20, 100});
        const Tensor<int> y = counting({20, 100});
        unchanged<Stop>(x, [&] { x = bl::map(failing_at(n), y); });
        unchanged<Stop>(x, [&] { x = bl::map(failing_at(n), x); });
        unchanged<Stop>(x, [&] { x.view() = bl::map(failing_at(n), y); });
        unchanged<Stop>(x, [&] { x.view() = bl::map(failing_at(n), x); });
        unchanged<Stop>(x, [&] { x += bl::map(failing_at(n), y); });
        unchanged<Stop>(x, [&] { x.view() *= bl::map(failing_at(n), y) + 1; });
        unchanged<Stop>(x, [&] { x.transpose() = bl::map(failing_at(n), y.transpose()); });
        unchanged<Stop>(x, [&] { x = Tensor<int>(bl::map(failing_at(n), y)); });
        unchanged<Stop>(x, [&] { x = bl::map(failing_at(n), y.transpose()); });
    }
}

TEST_CASE("A function that throws is called once for each element before, and not again") {
    int calls = 0;
    const Tensor<int> x = counting({500});
    CHECK_THROWS_AS(bl::eval(bl::map(
                        [&](int v) {
                            if (++calls == 77) throw Stop("77");
                            return v;
                        },
                        x)),
                    Stop);
    CHECK(calls == 77);
}

TEST_CASE("A mismatch leaves targets alone") {
    Tensor<int> x = counting({4, 3});
    const Tensor<int> y = counting({4}), tall = counting({5, 4, 3});
    unchanged<bl::shape_error>(x, [&] { x += y; });
    unchanged<bl::shape_error>(x, [&] { x -= tall; });
    unchanged<bl::shape_error>(x, [&] { x *= counting({1, 4, 3}); });
    unchanged<bl::shape_error>(x, [&] { x = x + y; });
    unchanged<bl::shape_error>(x, [&] { x.view() = y; });
    unchanged<bl::shape_error>(x, [&] { x(all, range(0, 2)) = x; });
    unchanged<bl::shape_error>(x, [&] { x = bl::add(x, tall, 2); });
    unchanged<bl::shape_error>(x, [&] { x = bl::where(x > 3, x, y); });
    unchanged<bl::shape_error>(x, [&] { x = {{1, 2}, {3}}; });
    unchanged<bl::index_error>(x, [&] { x = x(7, all); });
    unchanged<bl::index_error>(x, [&] { x.at(4, 0) = 1; });
    unchanged<bl::shape_error>(x, [&] { x = x.reshape({5}); });
    Tensor<int> column = counting({4, 1});
    unchanged<bl::shape_error>(column, [&] { column += counting({4, 3}); });
    unchanged<bl::shape_error>(column, [&] { column += counting({4}); });
}

TEST_CASE("A mismatch while moving leaves the operand where it was") {
    Tensor<int> x = counting({2, 3});
    const Tensor<int> before = x;
    CHECK_THROWS_AS(std::move(x).reshape({5}), bl::shape_error);
    CHECK(naive::equal(x, before));  // NOLINT: a refused call has not moved
    CHECK_THROWS_AS(std::move(x).transpose().permute({0}), bl::shape_error);
    Tensor<int> y = counting({2, 3});
    CHECK_THROWS_AS(std::move(y)(5), bl::index_error);
    CHECK(naive::equal(y, before));  // NOLINT
    CHECK_THROWS_AS(std::move(y)(all, 5), bl::index_error);
    CHECK(naive::equal(y, before));  // NOLINT
    CHECK_THROWS_AS(std::move(y).broadcast_to({3}), bl::shape_error);
    CHECK(naive::equal(y, before));  // NOLINT
}

TEST_CASE("More memory than there is throws std::bad_alloc and leaves the target alone") {
    Tensor<int> x = counting({4});
    // A sixteenth of what 32 bits address may well be there.
    const index_t parts = sizeof(index_t) == 8 ? 16 : 2;
    const index_t huge = std::numeric_limits<index_t>::max() / parts;
    unchanged<std::bad_alloc>(x, [&] { x = bl::zeros<int>({huge}); });
    unchanged<std::bad_alloc>(x, [&] { x = bl::empty<int>({huge, parts}); });
    const Tensor<int> one = counting({1});
    unchanged<std::bad_alloc>(x, [&] { x = one.broadcast_to({huge}); });
    unchanged<bl::shape_error>(x, [&] { x = bl::empty<int>({huge, parts + 1}); });
}

/// A number whose sums throw, from the n-th on.
struct Grumpy {
    static inline int left = 0;
    int value = 0;

    friend Grumpy operator+(Grumpy a, Grumpy b) {
        if (left-- <= 0) throw Stop("sum");
        return {a.value + b.value};
    }
};

/// True of 0, 1, ... count - 1.
static bool counts_up(const Tensor<Grumpy>& x, int count) {
    int value = 0;
    for (const Grumpy& g : x) {
        if (g.value != value++) return false;
    }
    return value == count;
}

TEST_CASE("An operator of the elements that throws leaves the target alone") {
    Tensor<Grumpy> x = bl::map([](int v) { return Grumpy{v}; }, counting({20}));
    const Tensor<Grumpy> y = x;
    const auto still = [&] { return counts_up(x, 20); };
    for (const int sums : {0, 1, 19}) {
        Grumpy::left = sums;
        CHECK_THROWS_AS(x = x + y, Stop);
        CHECK(still());
        Grumpy::left = sums;
        CHECK_THROWS_AS(x += y, Stop);
        CHECK(still());
        Grumpy::left = sums;
        CHECK_THROWS_AS(x.view() = x.flip() + y, Stop);
        CHECK(still());
    }
    Grumpy::left = 20;
    x += y;
    CHECK(x(3).value == 6);
}

TEST_CASE("An operator that throws while elements are scattered leaves the target alone") {
    Tensor<Grumpy> x = bl::map([](int v) { return Grumpy{v}; }, counting({20}));
    const Tensor<Grumpy> ones = bl::map([](int) { return Grumpy{1}; }, counting({10}));
    const Tensor<index_t> at = bl::arange<index_t>(10);
    const auto still = [&] { return counts_up(x, 20); };
    Grumpy::left = 4;
    CHECK_THROWS_AS(bl::scatter_add_(x, 0, at, ones), Stop);
    CHECK(still());
    Grumpy::left = 4;
    CHECK_THROWS_AS(bl::index_add_(x, 0, at, ones), Stop);
    CHECK(still());
    Grumpy::left = 4;
    CHECK_THROWS_AS(bl::index_put_(x, ones, bl::Duplicates::add, at), Stop);
    CHECK(still());
    Grumpy::left = 10;
    bl::scatter_add_(x, 0, at, ones);
    CHECK(x(3).value == 4);
}

namespace {

struct Metres {
    int value;
};
/// Refuses to be made of some.
struct Choosy {
    int value = 0;
    Choosy() = default;
    Choosy(Metres m) : value(m.value) {
        if (value == 7) throw Stop("7");
    }
};

}  // namespace

TEST_CASE("A conversion of elements that throws leaves the target alone") {
    Tensor<Choosy> x = bl::full<Choosy>({20}, Choosy(Metres{-1}));
    const Tensor<Metres> y = bl::map([](int v) { return Metres{v}; }, counting({20}));
    const auto still = [&] {
        for (const Choosy& c : x) {
            if (c.value != -1) return false;
        }
        return true;
    };
    CHECK_THROWS_AS(x = y, Stop);
    CHECK(still());
    CHECK_THROWS_AS(x.view() = y, Stop);
    CHECK(still());
    CHECK_THROWS_AS(x(range(0, {}, 2)) = y(range(1, {}, 2)), Stop);
    CHECK(still());
    x(range(0, 7)) = y(range(0, 7));
    CHECK(x(6).value == 6);
}

TEST_CASE("A functor whose copy throws leaves the target alone") {
    struct Fragile {
        Fragile() = default;
        Fragile(const Fragile&) { throw Stop("copy"); }
        Fragile(Fragile&&) = default;
        int operator()(int x) const { return x; }
    };
    Tensor<int> x = counting({4});
    const Fragile fragile;
    unchanged<Stop>(x, [&] { x = bl::map(fragile, x); });
    x = bl::map(Fragile{}, x);  // moves are enough
    CHECK(x(3) == 3);
}

TEST_CASE("An operation that is refused moves no operand") {
    Tensor<float> x = bl::ones<float>({2, 3});
    const Tensor<float> y = bl::ones<float>({4});
    CHECK_THROWS_AS(x = std::move(x) + y, bl::shape_error);
    CHECK_THROWS_AS(Tensor<float>(y - std::move(x)), bl::shape_error);
    CHECK_THROWS_AS(Tensor<float>(bl::where(y > 0.0f, std::move(x), 1.0f)), bl::shape_error);
    CHECK_THROWS_AS(bl::repeat(std::move(x), {1, 2}), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::clip(std::move(x), 0.0f, y)), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::clip(0.0f, std::move(x), y)), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::addcmul(y, std::move(x), 2.0f)), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::addcmul(y, 2.0f, std::move(x), 3.0f)), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::addcdiv(y, std::move(x), 2.0f)), bl::shape_error);
    CHECK_THROWS_AS(bl::eval(bl::addcdiv(y, std::move(x), 2.0f, 3.0f)), bl::shape_error);
    CHECK_THROWS_AS(bl::add(std::move(x), y, 5), bl::shape_error);
    CHECK_THROWS_AS(bl::pow(std::move(x), y, 1), bl::shape_error);
    CHECK_THROWS_AS(bl::add(std::move(x), bl::ones<float>({2, 4}), 0), bl::shape_error);
    CHECK_THROWS_AS(bl::quantile(std::move(x), Tensor<double>{0.5, 2.0}), bl::value_error);
    CHECK(naive::equal(x, bl::ones<float>({2, 3})));  // NOLINT: a refused call has not moved
    Tensor<int> line = counting({6});
    CHECK_THROWS_AS(line = bl::tril(std::move(line)), bl::shape_error);
    CHECK_THROWS_AS(line = bl::one_hot<int>(std::move(line), 3), bl::index_error);
    CHECK(naive::equal(line, counting({6})));  // NOLINT
}

TEST_CASE("What a contract refuses of three operands, two of which fit, moves none") {
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    const Tensor<int> other = counting({2, 3}), row = counting({3});
    Tensor<int> x = counting({2, 3});
    CHECK_THROWS_AS(bl::clip(std::move(x), other, row), bl::shape_error);
    CHECK(naive::equal(x, counting({2, 3})));  // NOLINT: a refused call has not moved
    CHECK_THROWS_AS(bl::addcmul(row, std::move(x), other), bl::shape_error);
    CHECK(naive::equal(x, counting({2, 3})));  // NOLINT
}
