// The rearrangements of a register, for every size of element that has them.
#include "broadloom/kernel/packing/register.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace detail = broadloom::kernel::detail;

static_assert(std::is_same_v<detail::raw_t<2>, detail::Raw<std::uint16_t>> &&
              std::is_same_v<detail::raw_t<16>, detail::Raw<detail::Sixteen>>);
static_assert(sizeof(detail::raw_t<8>) == 8 && sizeof(detail::raw_t<12>) == 12 &&
              sizeof(detail::raw_t<16>) == 16);
static_assert(alignof(detail::raw_t<8>) == 1 && alignof(detail::raw_t<12>) == 1 &&
              alignof(detail::raw_t<16>) == 1);

#if defined(__GNUC__) || defined(__clang__)

namespace {

/// 0, 1, 2 ... as elements.
template <class U>
std::vector<U> numbers(int count) {
    std::vector<U> list;
    for (int i = 0; i < count; ++i) list.push_back(static_cast<U>(i));
    return list;
}

/// Turns a square of as many elements as a register has lanes.
template <class U, std::size_t Bytes>
void check_turned() {
    using R = detail::Register<U, Bytes>;
    constexpr auto lanes = static_cast<std::size_t>(R::lanes);
    const auto square = numbers<U>(R::lanes * R::lanes);
    typename R::Vector rows[lanes];
    for (std::size_t i = 0; i < lanes; ++i) R::load(rows[i], &square[i * lanes]);
    R::transpose(rows);
    std::vector<U> turned(lanes * lanes);
    for (std::size_t i = 0; i < lanes; ++i) R::store(&turned[i * lanes], rows[i]);
    for (std::size_t i = 0; i < lanes; ++i) {
        for (std::size_t j = 0; j < lanes; ++j)
            CHECK(turned[i * lanes + j] == square[j * lanes + i]);
    }
}

/// Interleaves the lanes of some registers, and parts them again where they can be.
template <class U, int Count>
void check_shuffled() {
    using R = detail::Register<U, 16>;
    constexpr auto lanes = static_cast<std::size_t>(R::lanes), count = std::size_t{Count};
    const auto list = numbers<U>(Count * R::lanes);
    std::vector<U> out(list.size());
    typename R::Vector parts[count];
    for (std::size_t i = 0; i < count; ++i) R::load(parts[i], &list[i * lanes]);
    R::template shuffle<Count, R::lanes>(parts);
    for (std::size_t i = 0; i < count; ++i) R::store(&out[i * lanes], parts[i]);
    for (std::size_t i = 0; i < lanes; ++i) {
        for (std::size_t j = 0; j < count; ++j) CHECK(out[j * lanes + i] == list[i * count + j]);
    }
    if constexpr ((Count & (Count - 1)) == 0) {
        R::template shuffle<Count, Count>(parts);
        for (std::size_t i = 0; i < count; ++i) R::store(&out[i * lanes], parts[i]);
        CHECK(out == list);
    }
}

/// Elements from `First` on of those of a register, each so many times.
template <class U, std::size_t Bytes, int Times, int First>
void check_spread() {
    using R = detail::Register<U, Bytes>;
    constexpr std::make_integer_sequence<int, R::lanes> order{};
    const auto list = numbers<U>(R::lanes);
    std::vector<U> out(list.size());
    typename R::Vector result;
    R::template spread<Times, First>(result, list.data(), order);
    R::store(out.data(), result);
    for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(out[i] == list[(std::size_t{First} + i) / Times]);
}

/// Every `Step`-th element of those of a few registers, from the one at `First` on.
template <class U, std::size_t Bytes, int Step, int First>
void check_picked() {
    using R = detail::Register<U, Bytes>;
    constexpr std::make_integer_sequence<int, R::lanes> order{};
    const auto list = numbers<U>(Step * R::lanes);
    std::vector<U> out(static_cast<std::size_t>(R::lanes));
    typename R::Vector result;
    R::template pick<Step, First>(result, list.data(), order);
    R::store(out.data(), result);
    for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(out[i] == list[std::size_t{Step} * i + std::size_t{First}]);
}

template <class U, std::size_t Bytes>
void check_rearranged() {
    using R = detail::Register<U, Bytes>;
    constexpr std::make_integer_sequence<int, R::lanes> order{};
    constexpr auto lanes = static_cast<std::size_t>(R::lanes);
    const auto list = numbers<U>(R::lanes);
    typename R::Vector a, result;
    R::load(a, list.data());
    std::vector<U> out(lanes);

    check_spread<U, Bytes, 2, 0>();
    check_spread<U, Bytes, 2, R::lanes>();
    check_spread<U, Bytes, 3, 0>();
    check_spread<U, Bytes, 3, R::lanes>();
    check_spread<U, Bytes, 3, 2 * R::lanes>();
    check_spread<U, Bytes, 4, 0>();
    check_spread<U, Bytes, 4, 3 * R::lanes>();

    check_picked<U, Bytes, 2, 0>();
    check_picked<U, Bytes, 2, 1>();
    check_picked<U, Bytes, 3, 0>();
    check_picked<U, Bytes, 3, 2>();

    R::reverse(result, a, order);
    R::store(out.data(), result);
    for (std::size_t i = 0; i < lanes; ++i) CHECK(out[i] == list[lanes - 1 - i]);
}

}  // namespace

TEMPLATE_TEST_CASE("A square of elements is turned in registers of one, two and four blocks", "",
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    check_turned<TestType, 16>();
    check_turned<TestType, 32>();
    check_turned<TestType, 64>();
}

TEMPLATE_TEST_CASE("Some registers are interleaved lane by lane, and parted", "", std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
    check_shuffled<TestType, 2>();
    check_shuffled<TestType, 3>();
    check_shuffled<TestType, 4>();
    check_shuffled<TestType, 8>();
    check_shuffled<TestType, 16>();
}

TEMPLATE_TEST_CASE("A register repeats, thins out and reverses its lanes", "", std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
    check_rearranged<TestType, 16>();
    check_rearranged<TestType, 32>();
    check_rearranged<TestType, 64>();
}

TEST_CASE("Small elements are reversed sixteen bytes at a time") {
    const auto bytes = numbers<std::uint8_t>(16);
    const std::vector<std::uint16_t> words = {0x102, 0x304, 0x506, 0x708, 0x90a, 0xb0c, 0xd0e, 0xf};
    std::vector<std::uint8_t> other_bytes(16);
    std::vector<std::uint16_t> other_words(8);
    detail::reverse_short<1>(other_bytes.data(), bytes.data());
    detail::reverse_short<2>(other_words.data(), words.data());
    CHECK(other_bytes == std::vector<std::uint8_t>(bytes.rbegin(), bytes.rend()));
    CHECK(other_words == std::vector<std::uint16_t>(words.rbegin(), words.rend()));
}

#endif
