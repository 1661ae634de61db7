#include "broadloom/tensor/draw.hpp"

#include <cstdint>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/scripted.hpp"

namespace bl = broadloom;
namespace detail = broadloom::random::detail;

TEST_CASE("high bits come first, and as many calls are made as are needed") {
    ScriptedWords words{{0x12345678U, 0x9abcdef0U}};
    auto bits = detail::bits_of(words);
    CHECK(bits.take<8>() == 0x12);
    CHECK(bits.take<4>() == 0x9);
    CHECK(bits.take<40>() == 0x123456789aU);
    CHECK(bits.take<64>() == 0x123456789abcdef0U);
    CHECK(words.calls == 6);
    Scripted<std::uint64_t, 0, ~std::uint64_t{0}> wide{{0x123456789abcdef0U}};
    CHECK(detail::bits_of(wide).take<64>() == 0x123456789abcdef0U);
    CHECK(detail::bits_of(wide).take<1>() == 0);
    // Four values are two bits a call.
    Scripted<std::uint8_t, 5, 8> narrow{{5, 6, 7, 8}};
    CHECK(detail::bits_of(narrow).take<8>() == 0b00011011);
}

TEST_CASE("values that would make the bits uneven are not used") {
    // Of 5 values two each stand for a bit, the fifth for none.
    Scripted<std::uint8_t, 1, 5> odd{{5, 1, 2, 5, 3, 4}};
    CHECK(detail::bits_of(odd).take<4>() == 0b0011);
    CHECK(odd.calls == 6);
    // The numbers of std::minstd_rand are from 1 to 2^31 - 2: 22 bits a call, of 511 values each.
    Scripted<std::uint32_t, 1, 2147483646> minimal{{1, 511, 512}};
    CHECK(detail::bits_of(minimal).take<22>() == 0);
    CHECK(detail::bits_of(minimal).take<22>() == 0);
    CHECK(detail::bits_of(minimal).take<22>() == 1);
}

TEST_CASE("numbers below a bound are all as likely, by drawing anew") {
    // A word w of 32 bits gives w * 5 / 2^32, unless the rest of the division is 0.
    ScriptedWords words{{0, 0x9999999aU}};
    CHECK(detail::bits_of(words).below(5) == 3);
    CHECK(words.calls == 2);
    ScriptedWords most{{0xffffffffU}};
    CHECK(detail::bits_of(most).below(1) == 0);
    CHECK(detail::bits_of(most).below(std::uint64_t{1} << 32) == 0xffffffffU);
    // 2^32 + 1 needs 33 bits: the first 33 are too large, the next ones fit.
    ScriptedWords pair{{0xffffffffU, 0xffffffffU, 0x7fffffffU, 0x80000000U}};
    CHECK(detail::bits_of(pair).below((std::uint64_t{1} << 32) + 1) == 0xffffffffU);
    CHECK(pair.calls == 4);
}

TEST_CASE("parameters are read in row-major order over the shape they broadcast to") {
    const bl::Shape shape{2, 3};
    detail::ParameterReader number(7, shape);
    CHECK(number.next() == 7);
    const bl::Tensor<int> column = {{1}, {2}};
    const auto view = detail::settle(column);
    detail::ParameterReader reader(view, shape);
    std::vector<int> read;
    for (int i = 0; i < 6; ++i) read.push_back(reader.next());
    CHECK(read == std::vector<int>{1, 1, 1, 2, 2, 2});
}
