#include "broadloom/io/zip.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "support/catch.hpp"

namespace bl = broadloom;
using namespace bl::detail;
using Catch::Matchers::ContainsSubstring;

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

/// What the directory of an archive says of its member.
struct Told {
    std::uint64_t packed = 4, size = 4, offset = 0;
    std::string extra = "";
    std::uint64_t comment = 0, signature = zip_directory_entry;
};
/// An archive of the stored member "m" of four bytes, with such a directory.
std::string archive(const Told& told) {
    std::string bytes;
    ByteSink sink(bytes);
    ZipWriter(sink).start("m", 4, 0);
    sink.write("data");
    const std::uint64_t begin = bytes.size();
    put_little(bytes, told.signature, 4);
    bytes.append(16, '\0');
    put_little(bytes, told.packed, 4);
    put_little(bytes, told.size, 4);
    put_little(bytes, 1, 2);  // the length of the name
    put_little(bytes, told.extra.size(), 2);
    put_little(bytes, told.comment, 2);
    bytes.append(8, '\0');
    put_little(bytes, told.offset, 4);
    bytes += 'm' + told.extra;
    const std::uint64_t length = bytes.size() - begin;
    put_little(bytes, zip_end, 4);
    put_little(bytes, 0, 4);
    put_little(bytes, 1, 2);
    put_little(bytes, 1, 2);
    put_little(bytes, length, 4);
    put_little(bytes, begin, 4);
    put_little(bytes, 0, 2);
    return bytes;
}
/// An extra field with numbers of 64 bits.
std::string extra_field(std::uint64_t tag, std::initializer_list<std::uint64_t> numbers) {
    std::string bytes;
    put_little(bytes, tag, 2);
    put_little(bytes, 8 * numbers.size(), 2);
    for (const std::uint64_t number : numbers) put_little(bytes, number, 8);
    return bytes;
}
std::string first_member(const std::string& bytes) {
    ByteSource source(std::string_view(bytes), "archive");
    ZipReader reader(source);
    return reader.open(reader.entries()[0], "member").read_up_to(100);
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

TEST_CASE("Members and directories take their 64-bit form from a number on") {
    const std::size_t plain = archive(zip_full).size(), member = 20 + 28, directory = 76;
    CHECK(archive(std::uint64_t{0}).size() == plain + 2 * member + directory);
    CHECK(archive(std::uint64_t{5}).size() == plain + 2 * member + directory);
    CHECK(archive(std::uint64_t{6}).size() == plain + member + directory);  // an offset alone
    CHECK(archive(std::uint64_t{plain - 22}).size() == plain + directory);
    CHECK(archive(std::uint64_t{plain - 21}).size() == plain);
}

TEST_CASE("64-bit fields stand for the full ones alone, behind fields of other kinds") {
    CHECK(first_member(archive(Told{})) == "data");
    for (const Told& told : {
             Told{zip_full, zip_full, zip_full, extra_field(1, {4, 4, 0})},
             Told{4, zip_full, 0, extra_field(1, {4})},
             Told{zip_full, 4, 0, extra_field(1, {4})},
             Told{4, 4, zip_full, extra_field(1, {0})},
             Told{4, zip_full, zip_full, extra_field(7, {1, 2, 3}) + extra_field(1, {4, 0})},
         }) {
        CHECK(first_member(archive(told)) == "data");
    }
}

TEST_CASE("One full field of an end record is enough to look for the 64-bit one") {
    const std::string whole = archive(std::uint64_t{0});
    const std::size_t end = whole.size() - 22, record = end - 76;
    struct Number {
        std::size_t at, in_record;
        int width;
    };
    const Number numbers[] = {{end + 10, record + 32, 2},   // the entries
                              {end + 12, record + 40, 4},   // the length of the directory
                              {end + 16, record + 48, 4}};  // where it begins
    for (const Number& full : numbers) {
        std::string bytes = whole;
        for (const Number& number : numbers) {
            std::string value;
            put_little(value, get_little(whole, number.in_record, number.width), number.width);
            if (&number != &full) bytes.replace(number.at, value.size(), value);
        }
        INFO(full.at - end);
        CHECK(first_member(bytes) == "first");
    }
    std::string without = whole;
    without[record] = 'x';
    CHECK_THROWS_WITH(first_member(without), ContainsSubstring("zip64 record is missing"));
}

TEST_CASE("An end record in a comment is not the archive's") {
    std::string comment;
    put_little(comment, zip_end, 4);
    comment += std::string(18, '\0') + "and more";
    std::string bytes = archive(Told{});
    bytes[bytes.size() - 2] = static_cast<char>(comment.size());
    CHECK(first_member(bytes + comment) == "data");
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

TEST_CASE("A directory that contradicts itself or the archive is refused with the reason") {
    const auto says = [](const std::string& bytes, const char* reason) {
        CHECK_THROWS_WITH(first_member(bytes), ContainsSubstring(reason));
    };
    says(archive(Told{4, zip_full, 0, extra_field(1, {})}), "its directory is damaged");
    says(archive(Told{4, zip_full, 0, extra_field(1, {4}).substr(0, 8)}),
         "its directory is damaged");
    says(archive(Told{4, 4, 0, "", 5}), "its directory is damaged");
    says(archive(Told{4, 4, 0, "", 0, zip_end}), "its directory is damaged");
    says(archive(Told{4, 3}), "two sizes");
    says(archive(Told{4, 4, 1}), "not where it should be");
    const std::string good = archive(Told{});
    const auto says_with = [&](std::size_t at, std::size_t byte, const char* reason) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(byte);
        says(bytes, reason);
    };
    const std::size_t size = good.size();
    says_with(27, 0x7f, "a member reaches past the end");                 // the length of its name
    says_with(size - 10, 50, "its directory reaches past the end");       // its length
    says_with(size - 6, size - 2, "its directory reaches past the end");  // where it begins
}

TEST_CASE("A member lies within its archive, whatever is asked for") {
    const std::string bytes = archive(zip_full);
    ByteSource source(std::string_view(bytes), "archive");
    ZipReader reader(source);
    ZipEntry entry = reader.entries()[0];
    entry.packed = entry.size = bytes.size();
    CHECK_THROWS_WITH(reader.open(entry, "x"), ContainsSubstring("a member reaches past the end"));
    entry.offset = bytes.size() - 10;
    CHECK_THROWS_WITH(reader.open(entry, "x"), ContainsSubstring("something lies past its end"));
}

TEST_CASE("Compressed and encrypted members and names that are there twice are refused") {
    const std::string bytes = archive(zip_full);
    ByteSource source(std::string_view(bytes), "archive");
    ZipReader reader(source);
    ZipEntry entry = reader.entries()[0];
    entry.method = 8;
    CHECK_THROWS_WITH(reader.open(entry, "x"), ContainsSubstring("x: is compressed"));
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
    CHECK_THROWS_WITH(ZipReader(again), ContainsSubstring("two members 'a'"));
}
