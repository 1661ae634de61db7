// Threads change how long an operation takes and nothing else: no bit, no exception, no order in
// which a function of the user sees elements.
#include <cstdint>
#include <stdexcept>

#include "broadloom/operations/cumulative.hpp"
#include "broadloom/operations/gather.hpp"
#include "broadloom/operations/normalize.hpp"
#include "broadloom/operations/quantile.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor;
using settings::Restore;

namespace {

template <class T>
Tensor<T> noise(const Shape& shape) {
    naive::Random random(7);
    Tensor<T> x = bl::empty<T>(shape);
    for (index_t i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<T>(static_cast<std::int32_t>(random.bits()) >> 12);
    }
    return x;
}

/// Holds when `compute` gives the same bits with one thread and with several.
template <class F>
bool same_with_threads(F&& compute) {
    bl::set_num_threads(1);
    const auto alone = compute();
    bool same = true;
    for (const int threads : {2, 5}) {
        bl::set_num_threads(threads);
        const auto shared = compute();
        same = same && naive::same_bits(alone, shared);
    }
    return same;
}

}  // namespace

TEMPLATE_TEST_CASE("Lanes are sorted, and looked for, alike with any number of threads", "", float,
                   std::int16_t, std::int64_t) {
    const Restore restore;
    for (const Shape& shape : {Shape{300, 250}, Shape{30000, 5}, Shape{3, 30000}, Shape{20, 60, 70},
                               Shape{2, 30, 1500}}) {
        const auto x = noise<TestType>(shape);
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            CHECK(same_with_threads([&] { return bl::sort(x, axis); }));
            CHECK(same_with_threads([&] { return bl::argsort(x, axis, true); }));
            CHECK(same_with_threads([&] { return bl::topk(x, 2, axis).indices; }));
            CHECK(same_with_threads([&] { return bl::median(x, axis); }));
        }
    }
}

TEST_CASE("Rows are normalised, and added up, alike with any number of threads") {
    const Restore restore;
    for (const Shape& shape :
         {Shape{400, 300}, Shape{2, 60000}, Shape{60000, 2}, Shape{30, 40, 90}}) {
        const Tensor<float> x = noise<float>(shape) * 1e-4f;
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            CHECK(same_with_threads([&] { return bl::softmax(x, axis); }));
            CHECK(same_with_threads([&] { return bl::log_softmax(x, axis); }));
            CHECK(same_with_threads([&] { return bl::layer_norm(x, axis); }));
        }
    }
    const auto x = noise<float>({30, 200, 200});
    for (index_t axis = 0; axis < 3; ++axis) {
        CHECK(same_with_threads([&] { return bl::cumsum(x, axis); }));
    }
}

TEST_CASE("Elements are gathered alike with any number of threads, or refused") {
    const Restore restore;
    for (const Shape& shape :
         {Shape{600000}, Shape{2, 300000}, Shape{300000, 2}, Shape{800, 800}, Shape{30, 60, 400}}) {
        const auto x = noise<float>(shape);
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            Tensor<int> index = bl::abs(noise<int>(shape)) % static_cast<int>(shape[axis]);
            CHECK(same_with_threads([&] { return bl::take_along_axis(x, index, axis); }));
            CHECK(same_with_threads(
                [&] { return bl::gather(x.transpose().transpose(), axis, index); }));
            const Tensor<int> some =
                bl::abs(noise<int>({shape[axis] + 5})) % static_cast<int>(shape[axis]);
            CHECK(same_with_threads([&] { return bl::take(x, some, axis); }));
            index.data()[index.size() - 1] = static_cast<int>(shape[axis]);
            bl::set_num_threads(3);
            CHECK_THROWS_AS(bl::take_along_axis(x, index, axis), bl::index_error);
        }
    }
}

TEST_CASE("A policy in force does not reach what an operation does inside, in any thread") {
    const Restore restore;
    const auto x = noise<float>({400, 300});
    bl::set_num_threads(3);
    const bl::broadcast_guard guard{bl::broadcast_policy::exact};
    CHECK_NOTHROW(bl::softmax(x, 1));
    CHECK_NOTHROW(bl::layer_norm(x, 1));
}

TEST_CASE("An exception of the user's function leaves a reduction that is shared out") {
    const Restore restore;
    const auto x = noise<float>({1500000});
    const auto fail = [](float value) {
        if (value == 12345.0f) throw std::runtime_error("this one");
        return value;
    };
    Tensor<float> y = bl::where(x == 12345.0f, 0.0f, x);
    bl::set_num_threads(3);
    CHECK_NOTHROW(bl::sum(bl::map(fail, y)));
    y(1400000) = 12345.0f;
    CHECK_THROWS_WITH(bl::sum(bl::map(fail, y)), "this one");
    CHECK_THROWS_WITH(bl::sum(bl::map(fail, y.view().reshape({1000, 1500})), 0), "this one");
    CHECK_THROWS_WITH(bl::sum(bl::map(fail, y.view().reshape({1000, 1500})), 1), "this one");
}

TEST_CASE("A function that changes as it is called sees its elements in order, in one thread") {
    const Restore restore;
    const auto x = bl::zeros<float>({1200, 1000});
    bl::set_num_threads(3);
    const auto count = [n = 0](float) mutable { return ++n; };
    const Tensor<int> counted = bl::map(count, x);
    CHECK(naive::equal(counted, bl::arange<int>(1, 1200001).reshape({1200, 1000})));
    CHECK(bl::max(bl::map(count, x)) == 1200000);
}

TEST_CASE("A fold of the user's sees its elements in order") {
    const Restore restore;
    const auto x = bl::arange<std::int64_t>(1500000);
    bl::set_num_threads(3);
    const auto follows = [](std::int64_t before, std::int64_t value) {
        return before == value ? before + 1 : std::int64_t{-1};
    };
    CHECK(bl::reduce(follows, std::int64_t{0}, x) == 1500000);
}
