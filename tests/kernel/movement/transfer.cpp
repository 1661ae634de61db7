// The loops under gather and scatter against loops over single elements: offsets of blocks of
// indices, and rows of elements of every size.
#include "broadloom/kernel/movement/transfer.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "broadloom/scalar/operators.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;
using naive::pick;

namespace {

/// An element of `Size` parts.
template <class P, std::size_t Size>
struct Lumps {
    P parts[Size];

    friend bool operator==(const Lumps&, const Lumps&) = default;
};

template <class T>
T element(index_t i) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(i % 100);
    } else {
        T value{};
        unsigned char bytes[sizeof(T)];
        for (std::size_t b = 0; b < sizeof(T); ++b) {
            bytes[b] = static_cast<unsigned char>((i + static_cast<index_t>(b)) % 120);
        }
        std::copy(bytes, bytes + sizeof(T), reinterpret_cast<unsigned char*>(&value));
        return value;
    }
}

/// Moves random rows, neighbours or not, each to a place of its own.
template <class T>
void check_rows(unsigned seed) {
    std::mt19937 engine(seed);
    for (int round = 0; round < 300; ++round) {
        kernel::Rows rows{1 + pick(engine, 40), 1, 1, 1, 1};
        if (pick(engine, 3) > 0) rows.columns = 1 + pick(engine, pick(engine, 2) == 0 ? 9 : 200);
        rows.along = pick(engine, 3) == 0 ? 2 : 1;
        rows.across = pick(engine, 3) == 0 ? 3 : 1;
        rows.down = rows.columns * rows.across + pick(engine, 2);
        const index_t width = rows.columns * rows.along;
        std::vector<index_t> offsets;
        for (index_t r = 0; r < rows.rows; ++r) offsets.push_back(r * width);
        std::shuffle(offsets.begin(), offsets.end(), engine);

        std::vector<T> indexed, plain;
        for (index_t i = 0; i < rows.rows * width; ++i) indexed.push_back(element<T>(i));
        for (index_t i = 0; i < rows.rows * rows.down; ++i) plain.push_back(element<T>(i + 50));
        const auto for_each = [&](auto&& f) {
            for (index_t r = 0; r < rows.rows; ++r) {
                for (index_t c = 0; c < rows.columns; ++c) {
                    f(static_cast<std::size_t>(offsets[static_cast<std::size_t>(r)] +
                                               c * rows.along),
                      static_cast<std::size_t>(r * rows.down + c * rows.across));
                }
            }
        };
        std::vector<T> expected = plain, result = plain;
        for_each([&](std::size_t i, std::size_t p) { expected[p] = indexed[i]; });
        kernel::fetch<T>().move(indexed.data(), offsets.data(), result.data(), &rows);
        REQUIRE(result == expected);

        expected = result = indexed;
        for_each([&](std::size_t i, std::size_t p) { expected[i] = plain[p]; });
        kernel::store<T>().move(result.data(), offsets.data(), plain.data(), &rows);
        REQUIRE(result == expected);

        if constexpr (std::is_arithmetic_v<T>) {
            expected = result = indexed;
            for_each([&](std::size_t i, std::size_t p) {
                expected[i] = static_cast<T>(expected[i] + plain[p]);
            });
            kernel::combine<T, bl::scalar::add>().move(result.data(), offsets.data(), plain.data(),
                                                       &rows);
            REQUIRE(result == expected);
        }
    }
}

}  // namespace

TEST_CASE("rows of elements of every size move between offsets and strides") {
    for (const int level : {0, 1, 2}) {
        kernel::set_isa(level);
        check_rows<std::uint8_t>(1);
        check_rows<std::int16_t>(2);
        check_rows<float>(3);
        check_rows<double>(4);
        check_rows<std::complex<float>>(5);
        check_rows<std::complex<double>>(6);
        check_rows<Lumps<std::uint8_t, 3>>(7);
        check_rows<Lumps<std::uint16_t, 5>>(8);
        check_rows<Lumps<int, 3>>(9);
        check_rows<Lumps<double, 9>>(10);
    }
    kernel::set_isa(2);
}

TEST_CASE("elements that are aligned less than their size move from where they are") {
    std::vector<float> memory(9, 0.0f);
    auto* numbers = reinterpret_cast<std::complex<float>*>(memory.data() + 1);
    const index_t offsets[] = {3, 1};
    std::complex<float> source[] = {{1, 2}, {3, 4}};
    const kernel::Rows rows{2, 1, 0, 1, 0};
    kernel::store<std::complex<float>>().move(numbers, offsets, source, &rows);
    CHECK(memory == std::vector<float>{0, 0, 0, 3, 4, 0, 0, 1, 2});
}

TEST_CASE("elements for one place are written in order") {
    int place = 0;
    const std::vector<index_t> offsets(100, 0);
    std::vector<int> source(100);
    for (int i = 0; i < 100; ++i) source[static_cast<std::size_t>(i)] = i;
    const kernel::Rows down{100, 1, 0, 1, 0}, across{1, 100, 0, 0, 1};
    kernel::store<int>().move(&place, offsets.data(), source.data(), &down);
    CHECK(place == 99);
    place = 0;
    kernel::store<int>().move(&place, offsets.data(), source.data(), &across);
    CHECK(place == 99);
    kernel::combine<int, bl::scalar::add>().move(&place, offsets.data(), source.data(), &across);
    CHECK(place == 99 + 4950);
}

TEST_CASE("blocks of indices become offsets, negative ones from the back where that is allowed") {
    const auto check = [](auto index_type, unsigned seed) {
        using I = decltype(index_type);
        std::mt19937 engine(seed);
        for (int round = 0; round < 500; ++round) {
            const index_t extent = 1 + pick(engine, 100);
            const bool wraps = std::is_signed_v<I> && pick(engine, 2) == 0;
            const kernel::Reach reach{extent, wraps ? extent : 0, pick(engine, 3) - 1};
            const kernel::Block block{1 + pick(engine, 5), 1 + pick(engine, 70), pick(engine, 80),
                                      pick(engine, 3)};
            const index_t down = pick(engine, 9) - 4, along = pick(engine, 3) - 1;
            std::vector<I> indices;
            for (index_t i = 0; i < 5 * 80 + 70 * 3; ++i) {
                index_t at = pick(engine, extent);
                if (wraps && pick(engine, 2) == 0) at -= extent;
                indices.push_back(static_cast<I>(at));
            }
            std::vector<index_t> expected, aside,
                offsets(static_cast<std::size_t>(block.rows * block.columns));
            for (index_t r = 0; r < block.rows; ++r) {
                for (index_t c = 0; c < block.columns; ++c) {
                    const auto i = static_cast<index_t>(indices[static_cast<std::size_t>(
                        r * block.row_stride + c * block.column_stride)]);
                    aside.push_back(r * down + c * along);
                    expected.push_back((i < 0 ? i + extent : i) * reach.step + aside.back());
                }
            }
            const auto resolve = [&](index_t* to) {
                return kernel::resolver<I>()(to, indices.data(), &block, aside.data(), &reach);
            };
            REQUIRE(resolve(offsets.data()));
            REQUIRE(offsets == expected);
            REQUIRE(resolve(nullptr));
            const index_t r = pick(engine, block.rows), c = pick(engine, block.columns);
            indices[static_cast<std::size_t>(r * block.row_stride + c * block.column_stride)] =
                static_cast<I>(extent);
            REQUIRE_FALSE(resolve(offsets.data()));
            REQUIRE_FALSE(resolve(nullptr));
        }
    };
    check(std::int8_t{}, 11);
    check(std::uint8_t{}, 12);
    check(std::int16_t{}, 13);
    check(std::uint32_t{}, 14);
    check(std::int64_t{}, 15);
    check(std::uint64_t{}, 16);
}
