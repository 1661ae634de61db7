// What an operation asks memory for: a reduction of an expression its result and a little room for
// tiles, an evaluation its result. Every byte that malloc hands out in this program is counted.
#include <atomic>
#include <cstddef>
#include <cstdlib>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/normalize.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

// The GNU library calls the program's malloc wherever it needs one, and has its own under another
// name; a sanitizer has the same idea.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BROADLOOM_COUNTS_MEMORY 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#undef BROADLOOM_COUNTS_MEMORY
#define BROADLOOM_COUNTS_MEMORY 0
#endif
#endif
#else
#define BROADLOOM_COUNTS_MEMORY 0
#endif

namespace bl = broadloom;
using bl::index_t, bl::keepdims, bl::Shape, bl::Tensor;

namespace {

std::atomic<std::size_t> bytes_given{0};

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The bytes that `f` asks for, none of which come from blocks that the library kept.
template <class F>
std::size_t bytes_of(F&& f) {
    bl::release_memory();
    const std::size_t before = bytes_given.load();
    f();
    return bytes_given.load() - before;
}

}  // namespace

#if BROADLOOM_COUNTS_MEMORY

extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* malloc(std::size_t bytes) noexcept {
    bytes_given.fetch_add(bytes, std::memory_order_relaxed);
    return __libc_malloc(bytes);
}

TEST_CASE("The counter sees what a tensor takes") {
    CHECK(bytes_of([] { (void)bl::empty<float>({1000, 1000}); }) >= 4000000);
    CHECK(bytes_of([] {
              char* volatile block = new char[1000];
              delete[] block;
          }) >= 1000);
    CHECK(bytes_of([] {}) == 0);
}

TEST_CASE("A reduction of an expression takes memory for its result and less than 1 MiB more") {
    const Tensor<float> x = bl::ones<float>({500, 1, 64}), y = bl::zeros<float>({1, 500, 64});
    const std::size_t result = 500 * 500 * sizeof(float);
    Tensor<float> distances;
    CHECK(bytes_of([&] { distances = bl::sum((x - y) * (x - y), -1); }) <= result + mebibyte);
    CHECK((distances.shape() == Shape{500, 500} && distances(499, 499) == 64));
}

TEST_CASE(
    "So do all other reductions, with one value more for each result where there is a second "
    "pass") {
    const Tensor<float> x = bl::ones<float>({300, 1, 64}), y = bl::zeros<float>({1, 300, 64});
    const std::size_t count = 300 * 300;
    Tensor<float> result;
    CHECK(bytes_of([&] { result = bl::max(x - y, 2, keepdims); }) <= count * 4 + mebibyte / 2);
    CHECK(bytes_of([&] { result = bl::mean(x - y, {0}); }) <= 300 * 64 * 4 + mebibyte / 2);
    CHECK(bytes_of([&] { (void)bl::argmin(x - y, -1); }) <= count * 8 + mebibyte / 2);
    CHECK(bytes_of([&] { (void)bl::any_of(x == y, 1); }) <= mebibyte / 2);
    CHECK(bytes_of([&] { (void)bl::norm(x - y, -1); }) <= count * 4 + mebibyte / 2);
    // The mean that distances are taken from is in double.
    CHECK(bytes_of([&] { (void)bl::var(x - y, -1); }) <= count * (4 + 8) + mebibyte / 2);
    CHECK(bytes_of([&] { (void)bl::logsumexp(x - y, -1); }) <= count * (4 + 4) + mebibyte / 2);
    float total = 0;
    CHECK(bytes_of([&] { total = bl::sum(x - y); }) <= mebibyte / 2);
    CHECK(total == 300 * 300 * 64);
    CHECK(bytes_of([&] {
              total = bl::reduce([](float a, float b) { return a + b; }, 0.0F, x - y);
          }) <= mebibyte / 2);
    CHECK(total == 300 * 300 * 64);
}

TEST_CASE("A view is reduced where it lies, whatever its strides") {
    const Tensor<float> x = bl::ones<float>({1000, 2000});
    CHECK(bytes_of([&] { (void)bl::sum(x.transpose(), 0); }) <= mebibyte);
    CHECK(bytes_of([&] { (void)bl::sum(x(bl::all, bl::range({}, {}, -2)), 1); }) <= mebibyte);
    CHECK(bytes_of([&] { (void)bl::max(x.unsqueeze(0).broadcast_to({10, 1000, 2000}), {0, 2}); }) <=
          mebibyte);
}

TEST_CASE("A chain of operators takes memory for its result alone") {
    const Tensor<float> x = bl::ones<float>({1000, 1000}), row = bl::ones<float>({1000}),
                        column = bl::ones<float>({1000, 1});
    // Large blocks are aligned to 2 MiB.
    CHECK(bytes_of([&] { const Tensor<float> z = (x - row) * column + x / 2.0F; }) <=
          4 * mebibyte + 3 * mebibyte);
    Tensor<float> z = x;
    CHECK(bytes_of([&] { z += x * row - column; }) <= mebibyte);
    CHECK(bytes_of([&] { z.view() = x.transpose() * 2.0F; }) <= mebibyte);
}

TEST_CASE("softmax takes its result and a value for each row") {
    const Tensor<float> x = bl::ones<float>({1000, 1000});
    CHECK(bytes_of([&] { (void)bl::softmax(x, 1); }) <= 4 * mebibyte + 3 * mebibyte);
    CHECK(bytes_of([&] { (void)bl::log_softmax(x, 0); }) <= 4 * mebibyte + 3 * mebibyte);
}

#else

TEST_CASE("Memory is not counted where malloc belongs to somebody else") { SUCCEED(); }

#endif
