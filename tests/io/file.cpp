#include "broadloom/io/file.hpp"

#include <random>
#include <string>

#include "support/catch.hpp"
#include "support/reference.hpp"

namespace bl = broadloom;
using bl::detail::ByteSink, bl::detail::ByteSource, bl::detail::Crc32;

namespace {

/// The checksum bit by bit, as ISO 3309 defines it.
std::uint32_t naive_crc(const std::string& bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    }
    return ~crc;
}

}  // namespace

TEST_CASE("The checksum of 123456789 is CBF43926, however it is cut") {
    const std::string digits = "123456789";
    for (std::size_t cut = 0; cut <= digits.size(); ++cut) {
        Crc32 crc;
        crc.add(digits.data(), cut);
        crc.add(digits.data() + cut, digits.size() - cut);
        CHECK(crc.value() == 0xCBF43926U);
    }
    CHECK(Crc32{}.value() == 0);
    std::mt19937 engine(1);
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        Crc32 crc;
        crc.add(bytes.data(), bytes.size());
        CHECK(crc.value() == naive_crc(bytes));
        bytes += static_cast<char>(engine());
    }
}

TEST_CASE("A source gives the bytes of a file or of memory, fewer only at the end") {
    const std::string bytes = "twelve bytes";
    const reference::TemporaryFile file(bytes);
    ByteSource sources[] = {ByteSource(file.path()), ByteSource(std::string_view(bytes), "memory")};
    for (ByteSource& source : sources) {
        CHECK(source.left() == 12);
        char to[20];
        CHECK(source.read(to, 6) == 6);
        CHECK(std::string(to, 6) == "twelve");
        CHECK(source.left() == 6);
        CHECK(source.read_up_to(ByteSource::unknown) == " bytes");
        CHECK(source.read(to, 1) == 0);
        source.open_section(7, 3, "part");
        CHECK(source.name() == "part");
        CHECK(source.read_up_to(100) == "byt");
        CHECK(source.crc() == naive_crc("byt"));
    }
}

TEST_CASE("A sink writes to a file or a string, or only counts") {
    const reference::TemporaryFile file;
    ByteSink to_file(file.path());
    to_file.write("ab");
    to_file.write("");
    to_file.write("c");
    to_file.close();
    CHECK(file.read() == "abc");
    std::string text;
    ByteSink to_string(text);
    to_string.write("abc");
    CHECK(text == "abc");
    CHECK(to_string.count() == 3);
    ByteSink nowhere;
    nowhere.write("abc");
    CHECK(nowhere.count() == 3);
    CHECK(nowhere.crc() == naive_crc("abc"));
}

TEST_CASE("A file that cannot be opened is an io_error that names it") {
    CHECK_THROWS_WITH(
        ByteSource(std::string("/nowhere/at/all")),
        Catch::Matchers::ContainsSubstring("/nowhere/at/all: cannot be opened for reading"));
    CHECK_THROWS_AS(ByteSink(std::string("/nowhere/at/all")), bl::io_error);
}

TEST_CASE("Text of unknown origin is put in quotes, cut and made printable") {
    using bl::detail::in_quotes;
    CHECK(in_quotes("x") == "'x'");
    CHECK(in_quotes("a\n\x80") ==
          "'a?"
          "?'");
    CHECK(in_quotes(std::string(60, 'a')) == "'" + std::string(60, 'a') + "'");
    CHECK(in_quotes(std::string(61, 'a')) == "'" + std::string(60, 'a') + "...'");
}
