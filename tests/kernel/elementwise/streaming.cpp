#include "broadloom/kernel/elementwise/streaming.hpp"

#include <complex>
#include <cstdint>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace detail = broadloom::kernel::detail;
using bl::index_t, bl::Tensor;
using naive::same_bits;

namespace {

/// Elements of 12 and of 16 bytes.
struct Triple {
    float x, y, z;
    explicit Triple(float value) : x(value), y(value + 1), z(value + 2) {}
};
struct Quadruple {
    float x, y, z, w;
    explicit Quadruple(float value) : x(value), y(value + 1), z(value + 2), w(value + 3) {}
};

/// Elements of T made into a target that begins at several places of a cache line, as numbers.
template <class T>
Tensor<float> moved(const Tensor<float>& x) {
    Tensor<T> target = bl::map([](float value) { return T(value); }, x);
    for (const index_t start : {1, 2, 5, 10}) {
        target(bl::range(start, x.size())) =
            bl::map([](float value) { return T(value + 4); }, x(bl::range(0, x.size() - start)));
    }
    return bl::map([](const T& value) { return value.x + 2 * value.y + 3 * value.z; }, target);
}

/// Prefetches only where rows lie apart, as with a near cache, but whatever the size; folds
/// prefetch all that they read.
constexpr detail::Streaming streams_all{.least = 1,
                                        .streamed = bl::kernel::Write::streamed,
                                        .prefetched_flat = 1,
                                        .prefetched_pieces = 1};
/// Stores, but folds prefetch rows that follow one another.
constexpr detail::Streaming prefetches_flat{.prefetched_flat = 1};
/// The same of others that are read in one piece.
constexpr detail::Streaming prefetches_pieces{.prefetched_pieces = 1};
/// Streams where rows are short.
constexpr detail::Streaming streams_short_rows{.least = index_t{1} << 30,
                                               .streamed = bl::kernel::Write::streamed,
                                               .target = 0,
                                               .read = 0,
                                               .short_rows = 1};
/// Stores, but folds read all once in order before.
constexpr detail::Streaming reads_in_order{.read_in_order = 1};
/// Stores, but calls what is turned, a tile ahead.
constexpr detail::Streaming calls_turned{.turned = 1};

/// Computes with targets stored in the caches and written past them: true when that is the same.
template <class F>
bool is_the_same(F compute) {
    const auto computed = [&](const detail::Streaming& policy) {
        const settings::Streams streams(policy);
        return compute();
    };
    const auto stored = computed(detail::no_streaming);
    return same_bits(stored, computed(detail::far_cache)) &&
           same_bits(stored, computed(streams_all)) &&
           same_bits(stored, computed(prefetches_flat)) &&
           same_bits(stored, computed(prefetches_pieces)) &&
           same_bits(stored, computed(streams_short_rows)) &&
           same_bits(stored, computed(reads_in_order)) && same_bits(stored, computed(calls_turned));
}

}  // namespace

TEST_CASE("a stream is a copy of whole lines") {
    alignas(detail::line_bytes) char from[640], to[640];
    for (std::size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<char>(i % 120 + 1);
    bool same = true;
    for (index_t start = 0; start < 640; start += detail::line_bytes) {
        for (index_t bytes = 0; start + bytes <= 640; bytes += detail::line_bytes) {
            for (char& c : to) c = 0;
            detail::stream<bl::kernel::Baseline>(to + start, from, bytes);
            detail::finish_streaming();
            for (index_t i = 0; i < 640; ++i) {
                const bool inside = i >= start && i < start + bytes;
                same = same && to[i] == (inside ? from[i - start] : '\0');
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
    CHECK(is_the_same([&] { return bl::eval(four * values({2'000'003, 1})); }));
    CHECK(is_the_same([&] { return bl::eval(values({100'003, 81}) * values({100'003, 1})); }));
    CHECK(is_the_same(
        [&] { return bl::eval(values({2300, 2400}) + values({2400, 2300}).transpose()); }));
    CHECK(is_the_same([&] { return bl::eval(rows.cast<double>() + bl::cast<std::uint8_t>(row)); }));
    CHECK(is_the_same([&] { return bl::eval(values({2300, 2401}).transpose()); }));
    CHECK(is_the_same([&] { return bl::eval(narrow.transpose()); }));
    CHECK(is_the_same([&] { return bl::eval(row.broadcast_to({5003, 1001})); }));
    CHECK(is_the_same([&] { return bl::eval(values({4111, 1}) < values({4113})); }));
    CHECK(is_the_same(
        [&] { return bl::eval(bl::map([](float a, float b) { return a - b; }, rows, row)); }));
    // Of two halves whose lines begin elsewhere.
    Tensor<std::complex<float>> pairs = bl::eval(bl::cast<std::complex<float>>(flat));
    CHECK(is_the_same([&] {
        Tensor<std::complex<float>> target = pairs;
        target(bl::range(3, 5'000'000)) = pairs(bl::range(4, 5'000'001)) * 2.0F;
        return target;
    }));
    // Of sizes and places that share no line.
    CHECK(is_the_same([&] { return moved<Triple>(flat); }));
    CHECK(is_the_same([&] { return moved<Quadruple>(flat); }));
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

TEST_CASE("what is turned is the same where it is fetched ahead") {
    for (const bl::Shape& shape : {bl::Shape{70, 300}, bl::Shape{300, 70}, bl::Shape{3, 40, 210},
                                   bl::Shape{2, 1100, 50}, bl::Shape{40, 3, 2100}}) {
        const auto values =
            bl::eval(bl::arange<float>(static_cast<float>(shape.size())).reshape(shape));
        const auto turned = values.swap_axes(-1, -2), outer = values.swap_axes(0, -1);
        const Tensor<std::int16_t> halves = bl::cast<std::int16_t>(values);
        const auto small = halves.swap_axes(-1, -2);
        const Tensor<float> other = bl::eval(turned * 0.5F);
        CHECK(is_the_same([&] { return turned.copy(); }));
        CHECK(is_the_same([&] { return outer.flip().copy(); }));
        CHECK(is_the_same([&] { return bl::eval(turned + 1.0F); }));
        CHECK(is_the_same([&] { return bl::eval(outer * outer - 2.0F); }));
        CHECK(is_the_same([&] { return bl::eval(turned + other); }));
        CHECK(is_the_same([&] { return bl::eval(bl::cast<float>(turned > other * 2.5F)); }));
        CHECK(is_the_same([&] { return bl::eval(bl::cast<float>(outer > 1000.0F)); }));
        CHECK(is_the_same([&] { return bl::eval(bl::cast<float>(small + small)); }));
    }
}

TEST_CASE("rows are called unless lines would displace each other") {
    if (!settings::Streams::has_policies()) return;
    const auto leaves_room = [](const detail::Streaming& policy, index_t bytes) {
        const settings::Streams streams(policy);
        return detail::leave_room(bytes);
    };
    CHECK(leaves_room(detail::far_cache, 12'000));
    CHECK(!leaves_room(detail::far_cache, 12'288));
    CHECK(leaves_room(detail::near_cache, 12'288));
}

TEST_CASE("folds are the same where they call what they read") {
    const Tensor<float> x = bl::eval(bl::arange<float>(40'000.0F).reshape({100, 400}));
    const Tensor<double> y = bl::cast<double>(x);
    const Tensor<float> column = bl::eval(bl::arange<float>(100.0F).reshape({100, 1}));
    const auto part = x(bl::all, bl::range(3, 35));
    CHECK(is_the_same(
        [&] { return Tensor<float>({bl::sum(x), bl::sum(x * x), bl::max(x.transpose())}); }));
    for (const index_t axis : {0, 1}) {
        CHECK(is_the_same([&] { return bl::sum(x, axis); }));
        CHECK(is_the_same([&] { return bl::sum(part, axis); }));
        CHECK(is_the_same([&] { return bl::min(y.flip(), axis); }));
        CHECK(is_the_same([&] { return bl::sum(x * 2.0F + column, axis); }));
        CHECK(is_the_same([&] { return bl::sum(part * column, axis); }));
        CHECK(is_the_same([&] { return bl::argmax(y + column, axis); }));
        CHECK(is_the_same([&] { return bl::count_nonzero(x < column * 400.0F, axis); }));
    }
}

TEST_CASE("only what is large, and no operand, is streamed") {
    using bl::kernel::Write;
    if (!settings::Streams::has_policies()) return;
    const settings::Streams streams(detail::no_streaming);
    const auto with = [](const detail::Streaming& policy) {
        detail::streaming_policy.store(&policy);
    };
    alignas(8) const char target[8] = {}, other = 0;
    const auto write = [&](index_t elements, bool in_place, const char* place, bool light = true,
                           index_t step = 1, bool copies = false) {
        const bl::Shape shape{elements};
        const bl::Strides strides{1}, steps{step};
        const bl::kernel::Operand operands[] = {
            {place, &shape, &strides, 4},
            {in_place ? place : &other, &shape, copies ? &steps : &strides, 4},
            {&other, &shape, &steps, 4},
        };
        return detail::write_for(operands, 3, shape, light, copies);
    };
    constexpr index_t large = 1 << 23, least = 1 << 21;
    with(detail::far_cache);
    CHECK(write(large, false, target) == Write::prefetched);
    CHECK(write(large, false, target, true, 2, true) == Write::prefetched);
    CHECK(write(least, false, target, false, -1) == Write::prefetched);
    CHECK(write(large, true, target) == Write::cached);
    CHECK(write(1 << 20, false, target) == Write::cached);
    // No line begins between its elements.
    CHECK(write(large, false, target + 2) == Write::cached);
    with(detail::near_cache);
    CHECK(write(large, false, target) == Write::streamed);
    CHECK(write(least, false, target) == Write::streamed);
    CHECK(write(least - 200'000, false, target) == Write::cached);
    CHECK(write(least, false, target, true, -1) == Write::cached);
    CHECK(write(large, false, target, false) == Write::cached);
    with(detail::zen3_cache);
    CHECK(write(large, false, target, true, -1) == Write::streamed);
    CHECK(write(least, false, target) == Write::streamed);
    // Of one operand less is read, but what goes in steps takes more memory.
    for (const index_t step : {1, 2}) {
        const bl::Shape shape{least};
        const bl::Strides strides{1}, steps{step};
        const bl::kernel::Operand pair[] = {{target, &shape, &strides, 4},
                                            {&other, &shape, &steps, 4}};
        CHECK(detail::write_for(pair, 2, shape, true, false) ==
              (step == 1 ? Write::cached : Write::streamed));
    }
    // What is repeated is little.
    {
        const bl::Shape shape{2, large};
        const bl::Strides strides{large, 1}, repeated{0, 0};
        const bl::kernel::Operand pair[] = {{target, &shape, &strides, 2},
                                            {&other, &shape, &repeated, 2}};
        CHECK(detail::write_for(pair, 2, shape, true, false) == Write::cached);
    }
    // Little of it is read.
    for (const index_t elements : {large, 2 * large}) {
        const bl::Shape shape{elements};
        const bl::Strides strides{1};
        const bl::kernel::Operand alone{target, &shape, &strides, 4};
        CHECK(detail::write_for(&alone, 1, shape, true, false) ==
              (elements > large ? Write::streamed : Write::cached));
    }
    // A copy of what goes in steps is not streamed.
    CHECK(write(large, false, target, true, 2, true) == Write::cached);
    CHECK(write(large, false, target, true, -1, true) == Write::streamed);
    CHECK(write(large, false, target, false) == Write::cached);
    with(detail::no_streaming);
    CHECK(write(large, false, target) == Write::cached);
}

TEST_CASE("one operand alone is prefetched where several are not") {
    using bl::kernel::Write;
    if (!settings::Streams::has_policies()) return;
    const settings::Streams streams(detail::near_cache);
    alignas(8) const char target[8] = {}, other = 0;
    const bl::Shape shape{1 << 14, 500}, column{1 << 14, 1}, row{500};
    const bl::Strides strides{500, 1}, down{1, 1}, along{1};
    const auto write = [&](const bl::Shape& beside, const bl::Strides& its_strides, int count) {
        const bl::kernel::Operand operands[] = {{target, &shape, &strides, 4},
                                                {&other, &shape, &strides, 4},
                                                {&other, &beside, &its_strides, 4}};
        return detail::write_for(operands, count, shape, true, false);
    };
    CHECK(write(shape, strides, 2) == Write::prefetched);
    CHECK(write(column, down, 3) == Write::prefetched);
    CHECK(write(row, along, 3) == Write::streamed);
    CHECK(write(shape, strides, 3) == Write::streamed);
    // Short rows may go in tiles, for which something is packed.
    const bl::Shape narrow{1 << 17, 64};
    const bl::Strides rows{64, 1};
    const bl::kernel::Operand pair[] = {{target, &narrow, &rows, 4}, {&other, &narrow, &rows, 4}};
    CHECK(detail::write_for(pair, 2, narrow, true, false) == Write::streamed);
}

TEST_CASE("what is read by rows that lie in jumps is not streamed") {
    using bl::kernel::Write;
    if (!settings::Streams::has_policies()) return;
    const settings::Streams streams(detail::near_cache);
    alignas(8) const char target[8] = {}, other = 0;
    const auto write = [&](const bl::Shape& shape, const bl::Strides& strides) {
        const bl::Strides flat = bl::detail::row_major(shape);
        const bl::kernel::Operand operands[] = {
            {target, &shape, &flat, 4}, {&other, &shape, &flat, 4}, {&other, &shape, &strides, 4}};
        return detail::write_for(operands, 3, shape, true, false);
    };
    constexpr index_t rows = 1 << 14;
    CHECK(write({rows, 500}, {500, 1}) == Write::streamed);
    CHECK(write({rows, 500}, {600, 1}) == Write::streamed);
    CHECK(write({rows, 500}, {628, 1}) == Write::cached);
    CHECK(write({rows, 500}, {-500, 1}) == Write::cached);
    CHECK(write({50, 300, 500}, {500, 25'000, 1}) == Write::cached);
    // Long rows, and those of another operand that repeat, are no jumps; nor is what is small.
    CHECK(write({rows, 5000}, {9000, 1}) == Write::streamed);
    CHECK(write({50, 300, 500}, {150'000, 0, 1}) == Write::streamed);
    CHECK(write({5000, 500}, {900, 1}) == Write::streamed);
}
