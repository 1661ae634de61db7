#include "broadloom/kernel/streaming.hpp"

#include <cstdint>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace detail = broadloom::kernel::detail;
using bl::index_t, bl::Tensor;

namespace {

/// Computes with targets stored in the caches and written past them: true when that is the same.
template <class F>
bool is_the_same(F compute) {
    const index_t own = detail::last_level_cache.load();
    detail::last_level_cache.store(0);
    const auto stored = compute();
    detail::last_level_cache.store(detail::large_cache);
    const auto streamed = compute();
    detail::last_level_cache.store(own);
    return bl::array_equal(stored, streamed);
}

}  // namespace

TEST_CASE("a stream is a copy, wherever it begins and ends") {
    std::vector<char> from(400), to(600);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i % 120 + 1);
    bool same = true;
    for (const int level : {0, 1, 2}) {
        bl::kernel::set_isa(level);
        for (index_t start = 0; start < 70; ++start) {
            for (index_t bytes = 0; bytes < 300; bytes += bytes < 140 ? 1 : 37) {
                for (char& c : to) c = 0;
                detail::stream(to.data() + start, from.data() + 3, bytes);
                detail::finish_streaming();
                for (index_t i = 0; i < index_t{600}; ++i) {
                    const bool inside = i >= start && i < start + bytes;
                    const char expected =
                        inside ? from[static_cast<std::size_t>(i - start + 3)] : '\0';
                    same = same && to[static_cast<std::size_t>(i)] == expected;
                }
            }
        }
    }
    CHECK(same);
}

TEST_CASE("large results are the same past the caches") {
    const auto values = [](const bl::Shape& shape) {
        return bl::eval(bl::arange<float>(static_cast<float>(shape.size())).reshape(shape));
    };
    const Tensor<float> flat = values({5'000'011}), rows = values({5003, 1001});
    const Tensor<float> row = values({1001}), column = values({5003, 1});
    const Tensor<float> narrow = values({2'000'003, 4}), four = values({4});
    CHECK(is_the_same([&] { return bl::eval(flat + flat * 2.0F); }));
    CHECK(is_the_same([&] { return bl::eval(rows * row + column * rows + rows); }));
    CHECK(is_the_same([&] { return bl::eval(narrow + four * narrow); }));
    CHECK(is_the_same([&] { return bl::eval(values({100'003, 81}) * values({100'003, 1})); }));
    CHECK(is_the_same(
        [&] { return bl::eval(values({2300, 2400}) + values({2400, 2300}).transpose()); }));
    CHECK(is_the_same([&] { return bl::eval(rows.cast<double>() + bl::cast<std::uint8_t>(row)); }));
    // In place, into rows with gaps, and shared out.
    CHECK(is_the_same([&] {
        Tensor<float> target = rows;
        target += row;
        return target;
    }));
    CHECK(is_the_same([&] {
        Tensor<float> target = bl::zeros<float>({5003, 1010});
        target(bl::all, bl::range(3, 1004)) = rows + column * row;
        return target;
    }));
    bl::set_num_threads(2);
    CHECK(is_the_same([&] { return bl::eval(rows * row + column); }));
    bl::set_num_threads(1);
}

TEST_CASE("only what is large, and no operand, is streamed") {
    const index_t own = detail::last_level_cache.load();
    detail::last_level_cache.store(detail::large_cache);
    const auto streams = [](index_t elements, bool in_place) {
        const bl::Shape shape{elements};
        const bl::Strides strides{1};
        const char target = 0, other = 0;
        const bl::kernel::Operand operands[] = {
            {&target, &shape, &strides, 4},
            {in_place ? &target : &other, &shape, &strides, 4},
            {&other, &shape, &strides, 4},
        };
        return detail::streams_out(operands, 3, shape);
    };
    CHECK(streams(1 << 23, false));
    CHECK_FALSE(streams(1 << 23, true));
    CHECK_FALSE(streams(1 << 20, false));
    detail::last_level_cache.store(0);
    CHECK_FALSE(streams(1 << 23, false));
    detail::last_level_cache.store(own);
}
