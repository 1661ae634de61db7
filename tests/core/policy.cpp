#include "broadloom/core/policy.hpp"

#include <atomic>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "broadloom/core/broadcast.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::broadcast_guard, bl::broadcast_policy, bl::broadcast_warning, bl::broadcastable,
    bl::Shape;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Switches the warning off at the end of a test, however it ends.
struct Quiet {
    ~Quiet() { broadcast_warning::disable(); }
};

static_assert(!std::is_copy_constructible_v<broadcast_guard>);
static_assert(!std::is_move_constructible_v<broadcast_guard>);

}  // namespace

TEST_CASE("Without a guard all that the rule allows is allowed") {
    CHECK(broadcastable(Shape{4, 1}, Shape{3}));
    CHECK(broadcastable(Shape{4, 3}, Shape{3}));
}

TEST_CASE("exact refuses every difference in shape") {
    const broadcast_guard guard{broadcast_policy::exact};
    CHECK(broadcastable(Shape{4, 3}, Shape{4, 3}));
    CHECK(!broadcastable(Shape{4, 3}, Shape{3}));
    CHECK(!broadcastable(Shape{4, 3}, Shape{1, 3}));
    CHECK(!broadcastable(Shape{4, 3}, Shape{4, 3}, Shape{3}));
    CHECK_THROWS_AS(bl::broadcast_shapes(Shape{4, 3}, Shape{3}), bl::shape_error);
    CHECK_THROWS_WITH(bl::broadcast_shapes(Shape{4, 3}, Shape{3}),
                      ContainsSubstring("broadcast_policy::exact") && ContainsSubstring("(4, 3)") &&
                          ContainsSubstring("(3,)"));
}

TEST_CASE("one_sided wants the result to have the shape of an operand") {
    const broadcast_guard guard{broadcast_policy::one_sided};
    CHECK(broadcastable(Shape{4, 3}, Shape{3}));
    CHECK(broadcastable(Shape{}, Shape{4, 3}));
    CHECK(!broadcastable(Shape{4, 1}, Shape{3}));
    CHECK(!broadcastable(Shape{4, 1}, Shape{1, 3}));
    CHECK(broadcastable(Shape{4, 1}, Shape{1, 3}, Shape{4, 3}));
    CHECK_THROWS_WITH(
        bl::broadcast_shapes(Shape{4, 1}, Shape{3}),
        ContainsSubstring("broadcast_policy::one_sided") && ContainsSubstring("(4, 3)"));
}

TEST_CASE("no_rank_promotion wants equal ranks, but for rank 0") {
    const broadcast_guard guard{broadcast_policy::no_rank_promotion};
    CHECK(broadcastable(Shape{4, 1}, Shape{1, 3}));
    CHECK(!broadcastable(Shape{4, 3}, Shape{3}));
    CHECK(broadcastable(Shape{4, 3}, Shape{}));
    CHECK(broadcastable(Shape{}, Shape{4, 3}, Shape{1, 1}));
    CHECK(!broadcastable(Shape{3}, Shape{}, Shape{4, 3}));
    CHECK_THROWS_WITH(bl::broadcast_shapes(Shape{4, 3}, Shape{3}),
                      ContainsSubstring("broadcast_policy::no_rank_promotion"));
}

TEST_CASE("No shapes at all satisfy every policy") {
    for (const broadcast_policy policy :
         {broadcast_policy::one_sided, broadcast_policy::no_rank_promotion,
          broadcast_policy::exact}) {
        const broadcast_guard guard{policy};
        CHECK(broadcastable(std::vector<Shape>()));
        CHECK(bl::broadcast_shapes(std::vector<Shape>()) == Shape{});
    }
}

TEST_CASE("A mismatch under a guard is still told as a mismatch") {
    const broadcast_guard guard{broadcast_policy::exact};
    CHECK_THROWS_WITH(bl::broadcast_shapes(Shape{4}, Shape{3}),
                      ContainsSubstring("not broadcastable"));
}

TEST_CASE("Guards nest, and the end of a scope restores what was before, exceptions included") {
    {
        const broadcast_guard outer{broadcast_policy::exact};
        {
            const broadcast_guard inner{broadcast_policy::any};
            CHECK(broadcastable(Shape{4, 1}, Shape{3}));
        }
        CHECK(!broadcastable(Shape{4, 1}, Shape{3}));
        try {
            const broadcast_guard inner{broadcast_policy::one_sided};
            throw 1;
        } catch (int) {
        }
        CHECK(!broadcastable(Shape{4, 3}, Shape{3}));
    }
    CHECK(broadcastable(Shape{4, 1}, Shape{3}));
}

TEST_CASE("A guard holds in its own thread only") {
    const broadcast_guard guard{broadcast_policy::exact};
    bool elsewhere = false;
    std::thread([&] { elsewhere = broadcastable(Shape{4, 1}, Shape{3}); }).join();
    CHECK(elsewhere);
    CHECK(!broadcastable(Shape{4, 1}, Shape{3}));
}

TEST_CASE("A guard refuses operators and compound assignment before anything is written") {
    const bl::Tensor<float> x = bl::ones<float>({4, 3}), row = bl::ones<float>({3});
    bl::Tensor<float> target = bl::ones<float>({4, 3});
    const broadcast_guard guard{broadcast_policy::exact};
    CHECK_THROWS_AS(x + row, bl::shape_error);
    CHECK_THROWS_AS(target += row, bl::shape_error);
    CHECK(target(3, 2) == 1.0F);
    CHECK_NOTHROW(target += x);
    CHECK_NOTHROW(target *= 2.0F);
    CHECK(target(3, 2) == 4.0F);
}

TEST_CASE("A guard refuses what would be broadcast as it is assigned") {
    const bl::Tensor<float> row = bl::ones<float>({3});
    bl::Tensor<float> target = bl::zeros<float>({4, 3});
    const broadcast_guard guard{broadcast_policy::exact};
    CHECK_THROWS_WITH(target(bl::all) = row, ContainsSubstring("broadcast_policy::exact refuses"));
    CHECK(target(0, 0) == 0.0F);
    CHECK_NOTHROW(target[0] = row);
    CHECK_NOTHROW(target[1] = row.unsqueeze(0));
    CHECK_NOTHROW(target[2] = 1.0F);
    CHECK(target(1, 2) == 1.0F);
    const broadcast_guard other{broadcast_policy::one_sided};
    CHECK_NOTHROW(target(bl::all) = row);
    CHECK(target(3, 2) == 1.0F);
}

TEST_CASE("The warning is off until it is enabled") { CHECK(!broadcast_warning::enabled()); }

TEST_CASE("The handler is told both shapes when sizes are equal, shapes differ and broadcast") {
    const Quiet quiet;
    std::vector<std::string> told;
    broadcast_warning::enable([&](const Shape& a, const Shape& b) {
        told.push_back(bl::detail::text(a) + bl::detail::text(b));
    });
    CHECK(broadcast_warning::enabled());
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    CHECK(told == std::vector<std::string>{"(4, 1)(4,)"});
    bl::broadcast_shapes(Shape{4}, Shape{4});     // the same shape
    bl::broadcast_shapes(Shape{4, 1}, Shape{5});  // other sizes
    bl::broadcast_shapes(Shape{4, 3}, Shape{3});
    CHECK_THROWS(bl::broadcast_shapes(Shape{4}, Shape{2, 2}));  // not broadcastable
    CHECK(broadcastable(Shape{4, 1}, Shape{4}));                // a question, not an operation
    CHECK(told.size() == 1);
    bl::broadcast_shapes(Shape{3}, Shape{4, 1}, Shape{4, 3}, Shape{1, 4, 1});
    CHECK(told.back() == "(4, 1)(1, 4, 1)");
    bl::broadcast_shapes(Shape{1, 1}, Shape{});  // one element each
    CHECK(told.back() == "(1, 1)()");
    bl::broadcast_shapes(Shape{3, 1}, Shape{3, 1}, Shape{1, 3});  // the first two are alike
    CHECK(told.back() == "(3, 1)(1, 3)");
    const std::size_t before = told.size();
    bl::broadcast_shapes(Shape{2}, Shape{2}, Shape{3, 1});  // of one size and one shape
    CHECK(told.size() == before);
}

TEST_CASE("An operator and a compound assignment tell once each") {
    const Quiet quiet;
    int count = 0;
    broadcast_warning::enable([&](const Shape&, const Shape&) { ++count; });
    const bl::Tensor<float> column = bl::ones<float>({4, 1}), row = bl::ones<float>({4});
    const bl::Tensor<float> sum = column + row;
    CHECK(count == 1);
    CHECK(sum.shape() == Shape{4, 4});
    bl::Tensor<float> target = bl::ones<float>({1, 4});
    target += row;
    CHECK(count == 2);
}

TEST_CASE("A disabled warning tells nobody, and a new handler replaces the old one") {
    const Quiet quiet;
    int first = 0, second = 0;
    broadcast_warning::enable([&](const Shape&, const Shape&) { ++first; });
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    broadcast_warning::enable([&](const Shape&, const Shape&) { ++second; });
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    broadcast_warning::disable();
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    CHECK(first == 1);
    CHECK(second == 1);
    CHECK(!broadcast_warning::enabled());
}

TEST_CASE("A handler is destroyed when another replaces it or the warning is disabled") {
    const Quiet quiet;
    const auto kept = std::make_shared<int>(0);
    for (int i = 0; i < 2; ++i) {
        broadcast_warning::enable([kept](const Shape&, const Shape&) { ++*kept; });
        CHECK(kept.use_count() == 2);
    }
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    CHECK(*kept == 1);
    broadcast_warning::disable();
    CHECK(kept.use_count() == 1);
}

TEST_CASE("Without a handler the warning goes to std::cerr") {
    const Quiet quiet;
    std::ostringstream text;
    std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
    broadcast_warning::enable();
    bl::broadcast_shapes(Shape{4, 1}, Shape{4});
    std::cerr.rdbuf(before);
    CHECK_THAT(text.str(), ContainsSubstring("(4, 1)") && ContainsSubstring("(4,)"));
}

TEST_CASE("A handler that throws stops the operation") {
    const Quiet quiet;
    broadcast_warning::enable([](const Shape&, const Shape&) { throw bl::shape_error("no"); });
    bl::Tensor<float> target = bl::ones<float>({1, 4});
    CHECK_THROWS_AS(target += bl::ones<float>({4}), bl::shape_error);
    CHECK(target(0, 3) == 1.0F);
}

TEST_CASE("Handlers may be changed while other threads broadcast") {
    const Quiet quiet;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&wrong] {
            for (int i = 0; i < 2000; ++i)
                wrong += bl::broadcast_shapes(Shape{4, 1}, Shape{4}) != Shape{4, 4};
        });
    }
    for (int i = 0; i < 500; ++i) {
        broadcast_warning::enable([](const Shape&, const Shape&) {});
        if (i % 3 == 0) broadcast_warning::disable();
    }
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
}
