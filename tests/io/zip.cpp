#include "broadloom/io/zip.hpp"

#include <string>

#include "support/catch.hpp"

namespace bl = broadloom;
using namespace bl::detail;

namespace {

std::uint32_t crc_of(std::string_view bytes) {
    ByteSink sink;
    sink.write(bytes);
    return sink.crc();
}

/// An archive of two members.
std::string archive(std::uint64_t wide_from) {
    std::string bytes;
    ByteSink sink(bytes);
    ZipWriter writer(sink, wide_from);
    writer.start("one", 5, crc_of("first"));
    sink.write("first");
    writer.start("zwei \xc3\xa4", 0, 0);
    writer.finish();
    return bytes;
}

}  // namespace

TEST_CASE("Numbers are stored with their lowest byte first") {
    std::string bytes = "x";
    put_little(bytes, 0x0102030405060708U, 8);
    put_little(bytes, 0xfffe, 2);
    CHECK(bytes[1] == 8);
    CHECK(get_little(bytes, 1, 8) == 0x0102030405060708U);
    CHECK(get_little(bytes, 9, 2) == 0xfffe);
}

TEST_CASE("What is written is read again, in 32-bit and in 64-bit form") {
    for (const std::uint64_t wide_from : {zip_full, std::uint64_t{0}, std::uint64_t{30}}) {
        const std::string bytes = archive(wide_from);
        ByteSource source(std::string_view(bytes), "archive");
        ZipReader reader(source);
        REQUIRE(reader.entries().size() == 2);
        CHECK(reader.entries()[0].name == "one");
        CHECK(reader.entries()[1].name == "zwei \xc3\xa4");
        CHECK(reader.entries()[1].flags == 2048);
        CHECK(reader.open(reader.entries()[0], "member").read_up_to(100) == "first");
        CHECK(source.crc() == reader.entries()[0].crc);
        CHECK(reader.open(reader.entries()[1], "member").read_up_to(100).empty());
    }
}

TEST_CASE("An archive cut anywhere, or with one byte changed, is read or refused, never more") {
    const std::string bytes = archive(zip_full);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        ByteSource source(std::string_view(bytes).substr(0, n), "archive");
        CHECK_THROWS_AS(ZipReader(source), bl::io_error);
    }
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        for (const int flip : {1, 0x80, 0xff}) {
            std::string changed = bytes;
            changed[n] = static_cast<char>(changed[n] ^ flip);
            ByteSource source(std::string_view(changed), "archive");
            try {
                ZipReader reader(source);
                for (const ZipEntry& entry : reader.entries()) {
                    const std::string got = reader.open(entry, "member").read_up_to(1000);
                    CHECK(got.size() <= bytes.size());
                }
            } catch (const bl::io_error&) {
            }
        }
    }
}

TEST_CASE("Compressed and encrypted members and names that are there twice are refused") {
    const std::string bytes = archive(zip_full);
    ByteSource source(std::string_view(bytes), "archive");
    ZipReader reader(source);
    ZipEntry entry = reader.entries()[0];
    entry.method = 8;
    CHECK_THROWS_WITH(reader.open(entry, "x"),
                      Catch::Matchers::ContainsSubstring("x: is compressed"));
    entry.method = 0;
    entry.flags = 1;
    CHECK_THROWS_WITH(reader.open(entry, "x"), "x: is encrypted");
    std::string twice;
    ByteSink sink(twice);
    ZipWriter writer(sink);
    writer.start("a", 0, 0);
    writer.start("a", 0, 0);
    writer.finish();
    ByteSource again(std::string_view(twice), "archive");
    CHECK_THROWS_WITH(ZipReader(again), Catch::Matchers::ContainsSubstring("two members 'a'"));
}
