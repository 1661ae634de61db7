// concat, stack and split against NumPy's results in reference/join.txt, in every form an operand
// can have.
#include "broadloom/operations/join.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/gives.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Shape;
using bl::Tensor;

TEST_CASE("concat and stack give what NumPy gives") {
    std::mt19937 engine(1);
    int count = 0;
    for (const auto& record : indexing::records("join.txt")) {
        if (record.name != "concat" && record.name != "stack") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<int>();
        const auto y = record.array("y").tensor<std::int64_t>();
        const auto expected = record.array("result");
        const index_t axis = record.number("axis");
        indexing::in_every_form(x, engine, [&](auto&& part) {
            using Part = decltype(part);
            if (record.name == "concat") {
                const Tensor<std::int64_t> joined =
                    bl::concat(axis, std::forward<Part>(part), y + 0, bl::cast<std::int8_t>(x));
                REQUIRE(joined.is_contiguous());
                REQUIRE(indexing::equal(joined, expected));
            } else {
                const Tensor<std::int64_t> piled = bl::stack(axis, std::forward<Part>(part), y);
                REQUIRE(indexing::equal(piled, expected));
            }
        });
        // Ranges hold tensors or views of one type.
        const auto wide = x.copy().cast<std::int64_t>();
        const Tensor<std::int64_t> first(x), last = first;
        if (record.name == "concat") {
            const std::vector<Tensor<std::int64_t>> list = {first, y, last};
            REQUIRE(indexing::equal(bl::concat(axis, list), expected));
            REQUIRE(
                indexing::equal(bl::concat(axis, {first.view(), y.view(), last.view()}), expected));
        } else {
            const std::array<bl::TensorView<const std::int64_t>, 2> list = {first.view(), y.view()};
            REQUIRE(indexing::equal(bl::stack(axis, list), expected));
            REQUIRE(indexing::equal(bl::stack(axis, std::list{first, y}), expected));
            REQUIRE(indexing::equal(bl::stack(axis, {first.view(), y.view()}), expected));
        }
    }
    CHECK(count > 80);
}

TEST_CASE("parts meet in the type that promotion gives them") {
    const Tensor<std::uint8_t> bytes = {1, 2};
    const Tensor<std::int8_t> small = {-1};
    const Tensor<float> real = {0.5F};
    STATIC_REQUIRE(std::is_same_v<decltype(bl::concat(0, bytes, bytes)), Tensor<std::uint8_t>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::concat(0, bytes, small)), Tensor<std::int16_t>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::concat(0, bytes, small, real)), Tensor<float>>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::stack(0, real, bl::cast<std::complex<double>>(real))),
                       Tensor<std::complex<double>>>);
    CHECK(bl::array_equal(bl::concat(0, bytes, small, real), Tensor<float>{1, 2, -1, 0.5F}));
    CHECK(bl::array_equal(bl::concat(0, real > 0.0F, bytes), Tensor<int>{1, 1, 2}));
}

TEST_CASE("parts may repeat their elements, and a part may be taken more than once") {
    const Tensor<int> x = {1, 2, 3};
    CHECK(bl::array_equal(bl::concat(0, x.broadcast_to({2, 3}), x.unsqueeze(0)),
                          Tensor<int>{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));
    CHECK(bl::array_equal(bl::stack(1, x, x.flip(), x * x),
                          Tensor<int>{{1, 3, 1}, {2, 2, 4}, {3, 1, 9}}));
}

TEST_CASE("parts that lie in columns are stacked side by side as rows are") {
    const Tensor<int> x = bl::arange<int>(4096).reshape({64, 64});
    const Tensor<int> both = bl::stack(-1, x.transpose(), x);
    CHECK(bl::array_equal(both(bl::ellipsis, 0), x.transpose()));
    CHECK(bl::array_equal(both(bl::ellipsis, 1), x));
}

TEMPLATE_TEST_CASE("many elements side by side come from the part and the place that they should",
                   "", std::uint8_t, std::int16_t, float, double, std::complex<double>) {
    for (const index_t count : {2, 3, 4, 5, 9, 17}) {
        for (const index_t length : {63, 400, 1025}) {
            std::vector<Tensor<TestType>> parts;
            for (index_t i = 0; i < count; ++i) {
                parts.push_back(bl::empty<TestType>({3, length}));
                for (index_t j = 0; j < 3 * length; ++j)
                    parts.back().data()[j] =
                        static_cast<TestType>(static_cast<float>((7 * i + j) % 101));
            }
            parts[1] = parts[1].flip(1).copy();
            const Tensor<TestType> result = bl::stack(-1, parts);
            REQUIRE(result.shape() == Shape{3, length, count});
            REQUIRE(result.is_contiguous());
            bool same = true;
            for (index_t k = 0; k < result.size(); ++k) {
                const Tensor<TestType>& part = parts[static_cast<std::size_t>(k % count)];
                same = same && result.data()[k] == part.data()[k / count];
            }
            CHECK(same);
            // So they do where parts have no range, and where some are views with gaps.
            CHECK(naive::gives(bl::stack(-1, parts[0], parts[1], parts[0], parts[1], parts[1]),
                               bl::stack(-1, parts[0], parts[1], parts[0].flip(0).flip(0).view(),
                                         parts[1], parts[1] + TestType{})));
            std::vector<bl::TensorView<const TestType>> views;
            for (const auto& part : parts) views.push_back(std::as_const(part).view());
            CHECK(naive::gives(bl::stack(-1, views), result));
            views.pop_back();
            views.push_back(std::as_const(parts[1]).flip(1));
            CHECK(naive::gives(bl::stack(-1, views)(bl::ellipsis, -1), parts[1].flip(1).copy()));
            // Parts of other kinds: a view, an expression.
            const auto mixed = bl::stack(2, parts[0], parts[1].flip(0), parts[0] + parts[1]);
            CHECK(naive::gives(mixed(bl::ellipsis, 0), parts[0]));
            CHECK(naive::gives(mixed(bl::ellipsis, 1), parts[1].flip(0).copy()));
            CHECK(naive::gives(mixed(bl::ellipsis, 2), bl::eval(parts[0] + parts[1])));
        }
    }
}

TEST_CASE("parts may stand in braces") {
    const Tensor<int> x = {1, 2}, y = {3, 4};
    CHECK(bl::array_equal(bl::concat(0, {x, y, x}), Tensor<int>{1, 2, 3, 4, 1, 2}));
    CHECK(bl::array_equal(bl::concat(0, {x.flip(), y.flip()}), Tensor<int>{2, 1, 4, 3}));
    CHECK(bl::array_equal(bl::stack(1, {x, y}), Tensor<int>{{1, 3}, {2, 4}}));
    CHECK(bl::array_equal(bl::stack(0, {x.view(), y.view()}), Tensor<int>{{1, 2}, {3, 4}}));
}

namespace {

/// A range that makes what it holds anew whenever it is looked at, as std::views::transform does.
template <class F>
struct Made {
    struct iterator {
        using value_type = std::invoke_result_t<F, int>;
        using difference_type = int;

        value_type operator*() const { return range->make(i); }
        iterator& operator++() {
            ++i;
            return *this;
        }
        iterator operator++(int) { return {range, i++}; }
        bool operator==(const iterator&) const = default;

        const Made* range = nullptr;
        int i = 0;
    };
    iterator begin() const { return {this, 0}; }
    iterator end() const { return {this, count}; }

    F make;
    int count;
};
template <class F>
Made(F, int) -> Made<F>;

}  // namespace

TEST_CASE("a range that makes its parts is read once") {
    int calls = 0;
    const auto make = [&calls](int i) { return Tensor<int>{i, ++calls}; };
    const Made made{make, 3};
    CHECK(bl::array_equal(bl::concat(0, made), Tensor<int>{0, 1, 1, 2, 2, 3}));
    CHECK(calls == 3);
    CHECK(bl::array_equal(bl::stack(1, made), Tensor<int>{{0, 1, 2}, {4, 5, 6}}));
    CHECK(calls == 6);
    const Tensor<int> x = {{1, 2}, {3, 4}};
    const Made rows{[&x](int i) { return x[i]; }, 2};
    CHECK(bl::array_equal(bl::stack(1, rows), x.transpose()));
}

TEST_CASE("every element of an expression is computed once") {
    int calls = 0;
    const Tensor<int> x = {1, 2, 3};
    const auto counted = [&](int v) { return ++calls, v; };
    const Tensor<int> joined = bl::concat(0, x, bl::map(counted, x));
    CHECK(calls == 3);
    CHECK(bl::array_equal(joined, Tensor<int>{1, 2, 3, 1, 2, 3}));
}

TEST_CASE("parts that do not fit are named by their shapes") {
    const auto says = Catch::Matchers::ContainsSubstring;
    const auto x = bl::zeros<int>({2, 3}), y = bl::zeros<int>({3, 4});
    CHECK_THROWS_AS(bl::concat(0, x, y), bl::shape_error);
    CHECK_THROWS_WITH(bl::concat(0, x, y), says("(2, 3) and (3, 4) along axis 0: 3 and 4 differ"));
    CHECK_THROWS_WITH(bl::concat(1, x, x.flatten()), says("(2, 3) and (6,)"));
    CHECK_THROWS_WITH(bl::concat(0, x, bl::zeros<int>({2})), says("the ranks differ"));
    CHECK_THROWS_WITH(bl::concat(0, bl::zeros<int>({2}), x), says("the ranks differ"));
    CHECK_THROWS_WITH(bl::concat(0, bl::zeros<int>({})), says("stack them"));
    CHECK_THROWS_WITH(bl::stack(1, x, y), says("cannot stack (2, 3) and (3, 4)"));
    CHECK_THROWS_AS(bl::concat(2, x, x), bl::index_error);
    CHECK_THROWS_AS(bl::concat(-3, x, x), bl::index_error);
    CHECK_THROWS_AS(bl::concat(0, Tensor<int>(x(0, 0) + bl::zeros<int>({}))), bl::index_error);
    CHECK_THROWS_AS(bl::stack(3, x, x), bl::index_error);
    CHECK_THROWS_AS(bl::stack(-4, x), bl::index_error);
    CHECK_THROWS_AS(bl::concat(0, std::vector<Tensor<int>>()), bl::value_error);
    CHECK_THROWS_AS(bl::stack(0, std::vector<Tensor<int>>()), bl::value_error);
    // Sums of extents are watched as well.
    const Tensor<int> none = bl::empty<int>({extents::endless, 0});
    CHECK_THROWS_AS(bl::concat(0, none, none), bl::shape_error);
    const Tensor<int> most = bl::empty<int>({bl::detail::largest_index, 0});
    CHECK_THROWS_WITH(bl::concat(0, most, most), says("joined with"));
    CHECK_THROWS_AS(bl::concat(0, most, most, most), bl::shape_error);
}

TEST_CASE("split gives what NumPy gives") {
    std::mt19937 engine(2);
    int count = 0;
    for (const auto& record : indexing::records("join.txt")) {
        if (record.name != "split" && record.name != "sections") continue;
        INFO(record.line);
        ++count;
        const auto x = record.array("x").tensor<int>();
        const index_t axis = record.number("axis");
        const auto check = [&](const auto& parts) {
            std::size_t i = 0;
            for (const auto& part : parts) {
                REQUIRE(
                    indexing::equal(Tensor<int>(part), record.array("part" + std::to_string(i++))));
            }
            REQUIRE(record.fields.count("part" + std::to_string(i)) == 0);
        };
        indexing::in_every_form(x, engine, [&](auto&& whole) {
            using Whole = decltype(whole);
            if (record.name == "split") {
                const std::vector<index_t> at = record.numbers("indices");
                check(bl::split(std::forward<Whole>(whole), at, axis));
            } else {
                check(bl::split(std::forward<Whole>(whole), record.number("n"), axis));
            }
        });
    }
    CHECK(count > 80);
}

TEST_CASE("the pieces of a tensor that lives on are views of it") {
    auto x = bl::arange<int>(6);
    auto pieces = bl::split(x, {2});
    STATIC_REQUIRE(std::is_same_v<decltype(pieces), std::vector<bl::TensorView<int>>>);
    pieces[1] *= 10;
    CHECK(bl::array_equal(x, Tensor<int>{0, 1, 20, 30, 40, 50}));
    const auto& fixed = x;
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::split(fixed, 3)), std::vector<bl::TensorView<const int>>>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::split(x.flip(), 3)), std::vector<bl::TensorView<int>>>);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::split(x + 1, 3)), std::vector<Tensor<int>>>);
    STATIC_REQUIRE(
        std::is_same_v<decltype(bl::split(bl::arange<int>(6), 3)), std::vector<Tensor<int>>>);
}

TEST_CASE("split refuses what does not divide, and takes more pieces than dimensions") {
    const auto x = bl::arange<int>(60);
    CHECK_THROWS_AS(bl::split(x, 7), bl::shape_error);
    CHECK_THROWS_AS(bl::split(x, 0), bl::shape_error);
    CHECK_THROWS_AS(bl::split(x, -1), bl::shape_error);
    CHECK_THROWS_AS(bl::split(x, -std::size_t{1}), bl::index_error);
    CHECK_THROWS_AS(bl::split(x, 2, 1), bl::index_error);
    CHECK_THROWS_AS(bl::split(x, {2}, -2), bl::index_error);
    CHECK(bl::split(x, 60).size() == 60);
    CHECK_THROWS_AS(bl::split(bl::zeros<int>({0}), extents::endless), std::bad_alloc);
    // One index in braces is an index, not a number of pieces.
    CHECK(bl::split(x, {5}).size() == 2);
}

TEST_CASE("split takes its indices from a tensor too") {
    const Tensor<int> x = {1, 2, 3, 4, 5};
    const auto parts = bl::split(x, Tensor<std::int8_t>{1, 3});
    REQUIRE(parts.size() == 3);
    CHECK(bl::array_equal(parts[0], Tensor<int>{1}));
    CHECK(bl::array_equal(parts[2], Tensor<int>{4, 5}));
    CHECK_THROWS_AS(bl::split(x, Tensor<int>{{1, 3}}), bl::shape_error);
    CHECK_THROWS_AS(bl::split(x, bl::full({}, 1)), bl::shape_error);
}

TEST_CASE("An index that no tensor reaches is an end, not a negative one") {
    const Tensor<int> x = {1, 2, 3};
    const auto pieces = bl::split(x, Tensor<std::uint64_t>{1, ~std::uint64_t{0}});
    REQUIRE(pieces.size() == 3);
    CHECK(pieces[1].shape() == Shape{2});
    CHECK(pieces[2].shape() == Shape{0});
    const auto same = bl::split(x, std::vector<std::uint64_t>{1, ~std::uint64_t{0}});
    CHECK(same[1].shape() == Shape{2});
}
