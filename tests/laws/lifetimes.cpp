// An expression cannot dangle: temporaries are moved into it and die with it, and nothing is copied
// or allocated but the result. Run under a sanitizer these tests also see every use after the end.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "broadloom/operations/align.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/expand.hpp"
#include "broadloom/operations/einsum.hpp"
#include "broadloom/operations/index.hpp"
#include "broadloom/operations/mask.hpp"
#include "broadloom/operations/matmul.hpp"
#include "broadloom/operations/normalize.hpp"
#include "broadloom/operations/scatter.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::newaxis, bl::range, bl::Shape, bl::Tensor, bl::TensorView;

namespace {

/// A tensor of which nothing outside this function knows, at memory that was in use before.
Tensor<float> made(float value, index_t n = 200) { return bl::full<float>({n}, value); }

/// Overwrites what freed tensors of this size left behind.
void disturb(index_t n = 200) {
    std::vector<Tensor<float>> garbage;
    for (int i = 0; i < 8; ++i) garbage.push_back(made(-99, n));
}

bool is_all(const Tensor<float>& x, float value) {
    return naive::equal(x, bl::full<float>(x.shape(), value));
}

auto sum_of_temporaries() { return made(1) + made(2) * made(3); }
auto view_of_a_temporary() {
    return made(1).unsqueeze(0).broadcast_to({3, 200}) + made(2)(all, newaxis).squeeze();
}
auto map_over_temporaries() {
    auto own = std::make_shared<float>(4.0F);  // a functor that owns something
    return bl::map([own](float a, float b) { return *own * a + b; }, made(2), made(1));
}
auto numbers_alone() { return bl::add(1.0F, 2.0F) * made(2); }
auto paddle() { return bl::add(bl::ones<float>({2, 200, 3}), made(1), 1); }
auto clipped() { return bl::clip(made(5), made(0), made(3)); }

}  // namespace

TEST_CASE("An expression returned from a function owns its temporaries") {
    {
        auto&& e = sum_of_temporaries();
        disturb();
        CHECK(is_all(Tensor<float>(std::move(e)), 7));
    }
    disturb();
    CHECK(is_all(view_of_a_temporary(), 3));
    CHECK(is_all(map_over_temporaries(), 9));
    CHECK(is_all(numbers_alone(), 6));
    CHECK(is_all(paddle(), 2));
    CHECK(is_all(clipped(), 3));
}

TEST_CASE("Views of a temporary tensor are tensors, however many are chained") {
    const auto chain = [] {
        return bl::arange<int>(24)
            .reshape({2, 3, 4})
            .transpose()
            .permute({1, 0, 2})
            .flip(0)(all, range(1, 3), 0)
            .unsqueeze(1)
            .swap_axes(0, 2)
            .squeeze()
            .move_axis(0, 1)[0];
    };
    static_assert(std::is_same_v<decltype(chain()), Tensor<int>>);
    const Tensor<int> x = chain();
    disturb();
    // (2, 3, 4) turned to (4, 3, 2), permuted to (3, 4, 2), flipped, sliced to (3, 2), turned to
    // (2, 3).
    CHECK(naive::equal(x, Tensor<int>{9, 10}));
}

namespace {

template <class X>
concept arranged = requires(X&& x) { std::forward<X>(x).transpose(); };
template <class X>
concept selected = requires(X&& x) { std::forward<X>(x)(range(0, 2)); };
template <class X>
concept viewed = requires(X&& x) { std::forward<X>(x).view(); };
template <class X>
concept reshaped = requires(X&& x) { std::forward<X>(x).reshape({-1}); };
template <class X>
inline constexpr bool looked_at = arranged<X> && selected<X> && viewed<X> && reshaped<X>;
template <class X>
inline constexpr bool refused = !arranged<X> && !selected<X> && !viewed<X> && !reshaped<X>;

static_assert(looked_at<Tensor<float>&> && looked_at<const Tensor<float>&>);
static_assert(looked_at<Tensor<float>>);
static_assert(looked_at<TensorView<float>> && looked_at<const TensorView<const float>>);

}  // namespace

TEST_CASE("A constant that dies is not looked at") {
    // As what `flag ? constant : made()` gives.
    static_assert(refused<const Tensor<float>>);
    const Tensor<float> constant = made(1);
    const bool flag = constant.size() == 0;
    CHECK((flag ? constant : made(2)).at(3) == 2);
    CHECK(is_all((flag ? constant : made(2)) + 0.0F, 2));
}

TEST_CASE("A view of an lvalue in an expression reads the elements of the time of evaluation") {
    Tensor<float> x = made(1);
    auto&& e = x + 1.0F;
    x.fill(5);
    CHECK(is_all(Tensor<float>(std::move(e)), 6));
}

TEST_CASE("A moved-from tensor is empty, and as good as new") {
    Tensor<float> x = made(1);
    const Tensor<float> y = std::move(x);
    CHECK(x.shape() == Shape{0});  // NOLINT: the state is specified
    CHECK(x.size() == 0);
    CHECK(x.begin() == x.end());
    const Tensor<float> copy = x;
    CHECK(copy.size() == 0);
    x += 1.0F;
    x.fill(2);
    CHECK(bl::eval(x * 2.0F).size() == 0);
    x = y;
    CHECK(is_all(x, 1));
    Tensor<float> z = made(3);
    (void)Tensor<float>(std::move(z) + 1.0F);
    CHECK(z.size() == 0);  // NOLINT
    z = made(2);
    CHECK(is_all(z, 2));
}

TEST_CASE("Copies are deep and moves keep the memory") {
    Tensor<float> x = made(1);
    const float* const memory = x.data();
    Tensor<float> copy = x;
    copy.fill(2);
    CHECK(is_all(x, 1));
    Tensor<float> moved = std::move(x);
    CHECK(moved.data() == memory);
    copy = std::move(moved);
    CHECK(copy.data() == memory);
    Tensor<float>& same = copy;
    copy = std::move(same);
    CHECK(is_all(copy, 1));
    std::swap(copy, x);
    CHECK(x.data() == memory);
    const Tensor<float> transposed = bl::ones<float>({2, 3}).transpose();
    const Tensor<float> rows = transposed;
    CHECK(!transposed.is_contiguous());
    CHECK(rows.is_contiguous());
    CHECK(naive::equal(rows, transposed));
}

TEST_CASE("Memory of the right size is used again by assignment") {
    Tensor<float> x = made(1), y = made(2);
    const float* const memory = x.data();
    x = y + 1.0F;
    CHECK(x.data() == memory);
    CHECK(is_all(x, 3));
    x = y;
    CHECK(x.data() == memory);
    x = x * x;
    CHECK(x.data() == memory);
    CHECK(is_all(x, 4));
}

TEST_CASE("Memory is aligned and can be given back") {
    for (const index_t n : {0, 1, 15, 16, 17, 255, 256, 257, 1000, 100000, 600000, 3000000}) {
        Tensor<float> x = bl::empty<float>({n});
        CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
        if (n > 0) x.fill(1);
    }
    bl::release_memory();
    bl::set_memory_cache_limit(0);
    CHECK(is_all(made(1) + made(2), 3));
    bl::set_memory_cache_limit(std::size_t{256} << 20);
    CHECK(is_all(made(1) + made(2), 3));
}

TEST_CASE("A tensor outlives every kind of operand it was made from") {
    Tensor<float> result;
    {
        std::vector<float> foreign(200, 2.0F);
        const TensorView<float> view = bl::view_of(foreign);
        result = view + made(1);
        foreign.assign(200, -1.0F);
    }
    disturb();
    CHECK(is_all(result, 3));
}

TEST_CASE("An expression that gave its memory away is refused the second time") {
    auto sum = Tensor<int>{1, 2, 3} + 1;
    const Tensor<int> first = std::move(sum);
    CHECK(first(2) == 4);
    CHECK_THROWS_AS(Tensor<int>(std::move(sum)), bl::value_error);  // NOLINT: that is the question
    Tensor<int> target = {7, 8, 9};
    CHECK_THROWS_AS(target = std::move(sum), bl::value_error);  // NOLINT
    CHECK(target(0) == 7);
    auto longer = Tensor<int>{1, 2, 3} + 1;
    target = bl::zeros<int>({2});
    target = std::move(longer);
    CHECK(target(2) == 4);
    CHECK_THROWS_AS(Tensor<int>(std::move(longer)), bl::value_error);  // NOLINT
}

TEST_CASE("A spent expression is refused wherever it is read") {
    auto product = Tensor<float>{1, 2, 3} * Tensor<float>{2, 2, 2};
    const Tensor<float> first = std::move(product);
    Tensor<float> target = {7, 8, 9};
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    CHECK_THROWS_AS(target.view() = std::move(product), bl::value_error);
    CHECK_THROWS_AS(target += std::move(product), bl::value_error);
    CHECK_THROWS_AS(bl::sum(std::move(product)), bl::value_error);
    CHECK_THROWS_AS(bl::einsum("i,i", std::move(product), target), bl::value_error);
    CHECK_THROWS_AS(Tensor<double>(std::move(product) + 1.0F), bl::value_error);
    // NOLINTEND(bugprone-use-after-move)
    CHECK(naive::equal(target, Tensor<float>{7, 8, 9}));
}

TEST_CASE("Shapes and strides of temporaries last as long as they are looked at") {
    Tensor<int> x = bl::zeros<int>({2, 3, 4});
    index_t size = 1, sum = 0;
    for (const index_t extent : x[0].shape()) size *= extent;
    for (const index_t stride : x[0].strides()) sum += stride;
    for (const index_t extent : (x + 1).shape()) size *= extent;
    CHECK(size == 12 * 24);
    CHECK(sum == 5);
    for (const index_t extent : x[0].shape().extents()) sum += extent;
    CHECK(sum == 12);
    const bl::IndexList& extents = x[0].shape();
    disturb();
    CHECK(extents == bl::IndexList{3, 4});
}

namespace {

template <class E>
concept taken_apart = requires(E&& e) { std::forward<E>(e).function(); } ||
                      requires(E&& e) { std::forward<E>(e).template operand<0>(); };
using Negative = decltype(-std::declval<Tensor<float>&>());

static_assert(taken_apart<Negative&> && taken_apart<const Negative&>);
static_assert(!taken_apart<Negative> && !taken_apart<const Negative>);
static_assert(
    std::is_same_v<decltype(std::declval<const Shape&>().extents()), const bl::IndexList&>);
static_assert(std::is_same_v<decltype(std::declval<Shape>().extents()), bl::IndexList>);
static_assert(std::is_same_v<decltype(std::declval<const Shape>().extents()), bl::IndexList>);

}  // namespace

TEST_CASE("A tensor may stand beside itself moved") {
    const auto made = [] { return Tensor<float>{1, -2, 3}; };
    Tensor<float> x = made();
    x = bl::where(x > 0.0f, std::move(x), 0.0f);
    CHECK(naive::equal(x, Tensor<float>{1, 0, 3}));
    x = made();
    x = x * x + std::move(x);
    CHECK(naive::equal(x, Tensor<float>{2, 2, 12}));
    x = made();
    const Tensor<float> y = x + std::move(x);
    CHECK(naive::equal(y, Tensor<float>{2, -4, 6}));
    x = made();
    const Tensor<float> z = std::move(x) - x;
    CHECK(naive::equal(z, bl::zeros<float>({3})));
}

TEST_CASE("It may in functions that take several steps, in any place") {
    const Tensor<float> kept{1, 2, 3};
    // NOLINTBEGIN: that is the question
    const auto check = [&](auto f) {
        const Tensor<float> expected = f(kept, kept, kept);
        Tensor<float> x = kept, y = kept, z = kept;
        CHECK(naive::equal(Tensor<float>(f(std::move(x), x, x)), expected));
        CHECK(naive::equal(Tensor<float>(f(y, std::move(y), y)), expected));
        CHECK(naive::equal(Tensor<float>(f(z, z, std::move(z))), expected));
    };
#define BROADLOOM_CHECK_PLACES(...)                                             \
    check([]<class X, class Y, class Z>(X&& a, Y&& b, [[maybe_unused]] Z&& c) { \
        return bl::eval(__VA_ARGS__);                                           \
    })
    BROADLOOM_CHECK_PLACES(bl::addcmul(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c)));
    BROADLOOM_CHECK_PLACES(
        bl::addcmul(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c), 2.0));
    BROADLOOM_CHECK_PLACES(bl::addcdiv(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c)));
    BROADLOOM_CHECK_PLACES(
        bl::addcdiv(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c), 2.0));
    BROADLOOM_CHECK_PLACES(bl::clip(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c)));
    BROADLOOM_CHECK_PLACES(bl::lerp(std::forward<X>(a), std::forward<Y>(b), std::forward<Z>(c)));
    BROADLOOM_CHECK_PLACES(bl::add(std::forward<X>(a), std::forward<Y>(b), -1));
    BROADLOOM_CHECK_PLACES(bl::outer(std::forward<X>(a), std::forward<Y>(b)));
    BROADLOOM_CHECK_PLACES(
        bl::layer_norm(std::forward<X>(a), -1, std::forward<Y>(b), std::forward<Z>(c)));
#undef BROADLOOM_CHECK_PLACES
    Tensor<float> x = kept;
    const auto [rows, columns] = bl::meshgrid(std::move(x), x);
    CHECK((naive::equal(rows[0], kept) && naive::equal(columns.transpose()[0], kept)));
    x = kept;
    x += std::move(x);
    CHECK(naive::equal(x, Tensor<float>{2, 4, 6}));
    bl::masked_scatter_(x, x > 2.0F, std::move(x));
    CHECK(naive::equal(x, Tensor<float>{2, 2, 4}));
    Tensor<bool> mask{true, false};
    bl::masked_fill_(mask, std::move(mask), false);
    CHECK(naive::equal(mask, Tensor<bool>{false, false}));
    // NOLINTEND
}

TEST_CASE("What lies in a dying tensor is read before something else is computed there") {
    const Tensor<float> x{{1, 2, 3}, {4, 5, 7}};
    Tensor<float> dying = x;
    const auto first = dying[0], second = dying[1];
    CHECK(naive::equal(bl::layer_norm(std::move(dying), -1, first, second),
                       bl::layer_norm(x, -1, x[0], x[1])));
}

TEST_CASE("So is what lies in a tensor that dies with an expression") {
    const Tensor<float> x{1, 2, 4};
    const Tensor<index_t> order{1, 0, 2};
    const Tensor<bool> mask{true, false, true};
    // Every call has a tensor of its own, that dies with the first operand, and a view of it.
    const auto with = [](const auto& kept, auto&& f) {
        auto dying = kept;
        const auto view = std::as_const(dying).view();
        return f(std::move(dying), view);
    };
#define BROADLOOM_CHECK_VIEWED(KEPT, ...)                                               \
    CHECK(naive::equal(                                                                 \
        with(KEPT, [&](auto&& moved, const auto& v) { return bl::eval(__VA_ARGS__); }), \
        with(KEPT, [&](auto&&, const auto& v) {                                         \
            auto moved = KEPT;                                                          \
            return bl::eval(__VA_ARGS__);                                               \
        })))
    BROADLOOM_CHECK_VIEWED(x, bl::matmul(std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::matmul(std::move(moved) * 2.0F, bl::cast<double>(v)));
    BROADLOOM_CHECK_VIEWED(order, bl::matmul(std::move(moved), bl::cast<double>(v)));
    BROADLOOM_CHECK_VIEWED(x, bl::dot(std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::einsum("i,i->", std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::outer(std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::outer(v, std::move(moved) * 2.0F));
    BROADLOOM_CHECK_VIEWED(x, bl::layer_norm(std::move(moved) * 2.0F, -1, v, v));
    BROADLOOM_CHECK_VIEWED(x, bl::layer_norm(v, -1, std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::batch_norm(v, 0, 1, std::move(moved) * 2.0F, v));
    BROADLOOM_CHECK_VIEWED(x, bl::add(std::move(moved) * 2.0F, v, 0));
    BROADLOOM_CHECK_VIEWED(order, bl::take(std::move(moved) * 2, v, 0));
    BROADLOOM_CHECK_VIEWED(order, bl::gather(std::move(moved) * 2, 0, v));
    BROADLOOM_CHECK_VIEWED(order, bl::index(std::move(moved) * 2, v));
    BROADLOOM_CHECK_VIEWED(order,
                           bl::scatter_add(bl::zeros<index_t>({3}), 0, v, std::move(moved) * 10));
    BROADLOOM_CHECK_VIEWED(mask, bl::masked_select(!std::move(moved), v));
#undef BROADLOOM_CHECK_VIEWED
    Tensor<bool> dying = mask, target{false, true, false};
    const auto view = std::as_const(dying).view();
    bl::masked_scatter_(target, view, !std::move(dying));
    CHECK(naive::equal(target, Tensor<bool>{false, true, true}));
}

TEST_CASE("An iterator outlives its view, as long as two dimensions or fewer are left to walk") {
    Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4});
    const auto walked = [](auto first, auto last) {
        disturb();
        std::vector<int> values(first, last);
        std::vector<int> back;
        while (last != first) back.push_back(*--last);
        CHECK(std::equal(values.rbegin(), values.rend(), back.begin(), back.end()));
        return values;
    };
    const auto list = [](auto&& view) { return naive::values(view); };
    {
        auto first = x[1].begin(), last = x[1].end();
        CHECK(walked(first, last) == list(x[1]));
    }
    {
        auto first = x(all, 1, 2).begin(), last = x(all, 1, 2).end();
        CHECK(walked(first, last) == std::vector<int>{6, 18});
        std::iter_swap(first, first + 1);
        CHECK((x(0, 1, 2) == 18 && x(1, 1, 2) == 6));
    }
    {
        auto first = x[0].transpose().begin(), last = x[0].transpose().end();
        CHECK(walked(first, last) == list(x[0].transpose()));
    }
}
