// A fold of the user's takes its elements in row-major order, whatever their size and layout.
#include "broadloom/kernel/fold/in_order.hpp"

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;

TEST_CASE("A function of the user's sees elements in row-major order, along any axes") {
    const bl::Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    const auto digits = [](int number, int digit) { return 10 * number + digit; };
    CHECK(bl::reduce(digits, 0, x) == 123456);
    CHECK(bl::reduce(digits, 0, x.transpose()) == 142536);
    const auto rows = bl::reduce(digits, 7, x, 1), columns = bl::reduce(digits, 0, x, 0);
    CHECK(rows(0) == 7123);
    CHECK(rows(1) == 7456);
    CHECK(columns(2) == 36);
}

TEST_CASE("A function of the user's may keep something of its own") {
    auto counting = [calls = 0](int, int) mutable { return ++calls; };
    CHECK(bl::reduce(counting, 0, bl::ones<int>({3, 4})) == 12);
}

namespace {

/// x -> a x + b modulo a prime; a product is one after the other.
struct Affine {
    int a, b;
    friend Affine operator*(Affine f, Affine g) { return {f.a * g.a % 97, (f.a * g.b + f.b) % 97}; }
    friend bool operator==(Affine, Affine) = default;
};
/// Ordered by its key alone.
struct Entry {
    int key, place;
    friend bool operator<(Entry x, Entry y) { return x.key < y.key; }
};

}  // namespace

TEST_CASE("Products of a type of the user keep the order of their factors") {
    for (const bl::index_t rows : {1, 2, 5, 8, 17, 40, 1000}) {
        auto x = bl::empty<Affine>({rows, 3});
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < 3; ++j) x(i, j) = Affine{(i * i + j) % 96 + 1, (i + 7 * j) % 97};
        }
        const auto along_columns = bl::prod(x, 0), along_rows = bl::prod(x.transpose(), 1),
                   in_memory = bl::prod(x.transpose().copy(), 1);
        for (int j = 0; j < 3; ++j) {
            Affine expected = x(0, j);
            for (int i = 1; i < rows; ++i) expected = expected * x(i, j);
            CHECK(along_columns(j) == expected);
            CHECK(along_rows(j) == expected);
            CHECK(in_memory(j) == expected);
        }
        CHECK(bl::prod(x.transpose()) == bl::prod(along_columns));
        CHECK_THROWS_AS(bl::prod(bl::empty<Affine>({0})), bl::value_error);
        CHECK(bl::prod(x * x, 0)(0) == bl::reduce([](Affine f, Affine g) { return f * (g * g); },
                                                  Affine{1, 0}, x(bl::all, 0)));
    }
}

TEST_CASE("Products along several axes keep the order of the first") {
    const bl::index_t m = 5, n = 9, k = 37;
    auto x = bl::empty<Affine>({m, n, k});
    int count = 0;
    for (Affine& f : x) {
        f = Affine{count % 96 + 1, count * count % 97};
        ++count;
    }
    const bl::Tensor<Affine> along = bl::prod(x, {0, 2}),
                             turned = bl::prod(x.permute({2, 1, 0}), {0, 2});
    for (bl::index_t j = 0; j < n; ++j) {
        Affine rows{1, 0}, columns{1, 0};
        for (bl::index_t i = 0; i < m * k; ++i) {
            rows = rows * x(i / k, j, i % k);
            columns = columns * x(i % m, j, i / m);
        }
        CHECK(along(j) == rows);
        CHECK(turned(j) == columns);
    }
}

TEST_CASE("Of elements of the user's that are as large as the largest it is the first") {
    for (const int count : {1, 3, 8, 33, 100, 5000}) {
        auto x = bl::empty<Entry>({2, count});
        for (int i = 0; i < count; ++i) x(0, i) = x(1, i) = Entry{i % 5 == 3 ? 1 : i % 7, i};
        for (int i = 0; i < count; ++i) x(1, i).key = -x(1, i).key;
        const bl::Tensor<Entry> y = x.transpose().copy();
        const auto most = bl::argmax(x, 1), least = bl::argmin(x, 1);
        for (int i = 0; i < 2; ++i) {
            CHECK(bl::max(x, 1)(i).place == most(i));
            CHECK(bl::min(x, 1)(i).place == least(i));
            CHECK(bl::max(y, 0)(i).place == most(i));
            CHECK(bl::min(y, 0)(i).place == least(i));
            CHECK(bl::max(x(i, bl::all)).place == most(i));
        }
    }
}

TEST_CASE("Elements of many bytes are folded by a function of the user's") {
    struct Wide {
        double v[40];
    };
    const auto x = bl::full<Wide>({30, 20}, Wide{{1, 2}});
    const auto add = [](double a, const Wide& w) { return a + w.v[0] + w.v[1]; };
    CHECK(bl::reduce(add, 0.0, x) == 1800);
    CHECK(bl::reduce(add, 0.0, x, 0)(19) == 90);
    CHECK(bl::reduce(add, 0.0, x.transpose(), 0)(29) == 60);
}
