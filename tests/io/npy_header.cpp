#include "broadloom/io/npy_header.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/npy.hpp"

namespace bl = broadloom;
using Catch::Matchers::ContainsSubstring;
using npy::file;

namespace {

bl::detail::NpyHeader header_of(const std::string& bytes) {
    bl::detail::ByteSource source(bytes, "memory");
    return bl::detail::read_npy_header(source);
}

// What the io_error says about the header of elements T, or nothing when there is none.
template <class T>
std::string complaint_of_header(const std::string& bytes) {
    return npy::complaint([&] {
        const bl::detail::NpyHeader header = header_of(bytes);
        (void)bl::detail::check_npy_type(header, bl::detail::npy_type<T>(), "memory");
        (void)bl::detail::npy_shape(header, bl::detail::npy_type<T>(), "memory");
    });
}

}  // namespace

TEST_CASE("another element type than the file's is refused in words") {
    const auto bytes = file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
    CHECK_THAT(complaint_of_header<std::int32_t>(bytes),
               ContainsSubstring("float32 ('<f4'), not int32"));
    CHECK_THAT(complaint_of_header<double>(bytes),
               ContainsSubstring("float32 ('<f4'), not float64"));
    CHECK_THAT(complaint_of_header<bool>(bytes), ContainsSubstring("not bool"));
    const std::string rest = ", 'fortran_order': False, 'shape': (1,), }";
    for (const std::string descr :
         {"<U5", "|O", "|S3", "<M8[ns]", "f", "", "<", "<f", "<f44", "4f"}) {
        CAPTURE(descr);
        CHECK_THAT(complaint_of_header<float>(file("{'descr': '" + descr + "'" + rest, "abcd")),
                   ContainsSubstring("holds elements of type '" + descr + "', not float32"));
    }
    CHECK_THAT(complaint_of_header<float>(file("{'descr': [('a', '<f4')]" + rest, "abcd")),
               ContainsSubstring("records"));
    if constexpr (sizeof(long double) > 8) {
        const std::string order = bl::detail::little_endian_machine ? ">" : "<";
        const std::string foreign = order + "f" + std::to_string(sizeof(long double));
        CHECK_THAT(complaint_of_header<long double>(file("{'descr': '" + foreign + "'" + rest, "")),
                   ContainsSubstring("of another machine"));
    }
}

TEST_CASE("headers of any sound spelling are understood") {
    for (const std::string header : {
             "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }",
             "{\"shape\":(2,3),\"descr\":\"|u1\",\"fortran_order\":False}",
             " { 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , 'descr' : 'u1' , } \n\n",
             "{'descr': '<u1', 'fortran_order': False, 'shape': (2L, 3L)}",
             "{'descr': '=u1',\t'fortran_order': False,\n'shape': (2, 3)}",
         }) {
        for (const char version : {'\1', '\2', '\3'}) {
            CAPTURE(header, version);
            const bl::detail::NpyHeader read = header_of(file(header, "abcdef", version));
            CHECK((read.extents == bl::IndexList{2, 3} && !read.fortran_order));
            CHECK(complaint_of_header<std::uint8_t>(file(header, "", version)).empty());
        }
    }
}

TEST_CASE("malformed headers are refused") {
    const std::string descr = "'descr': '|u1'", order = "'fortran_order': False";
    for (const std::string& header : std::vector<std::string>{
             "",
             "{",
             "{}",
             "}",
             "{'descr'",
             "{'descr':",
             "{'descr': '|u1",
             "{'descr': '|u1'}",
             "{" + descr + ", " + order + "}",
             "{" + descr + ", " + order + ", 'shape': }",
             "{" + descr + ", " + order + ", 'shape': 3}",
             "{" + descr + ", " + order + ", 'shape': (3)}",
             "{" + descr + ", " + order + ", 'shape': (3 3)}",
             "{" + descr + ", " + order + ", 'shape': (3,,)}",
             "{" + descr + ", " + order + ", 'shape': (,)}",
             "{" + descr + ", " + order + ", 'shape': (3,}",
             "{" + descr + ", " + order + ", 'shape': [3]}",
             "{" + descr + ", " + order + ", 'shape': (-3,)}",
             "{" + descr + ", " + order + ", 'shape': (3.0,)}",
             "{" + descr + ", " + order + ", 'shape': (True,)}",
             "{" + descr + ", " + order + ", 'shape': (99999999999999999999,)}",
             "{" + descr + ", " + order + ", 'shape': (3,)",
             "{" + descr + ", " + order + ", 'shape': (3,)} x",
             "{" + descr + ", " + order + ", 'shape': (3,)}" + std::string(1, '\0'),
             "{" + descr + ", " + order + ", 'shape': (3,), 'more': 1}",
             "{" + descr + ", " + order + ", " + descr + ", 'shape': (3,)}",
             "{" + descr + ", " + order + ", 'shape': (3,), 'shape': (3,)}",
             "{" + descr + ", " + order + " 'shape': (3,)}",
             "{" + descr + ", 'fortran_order': 0, 'shape': (3,)}",
             "{" + descr + ", 'fortran_order': 'False', 'shape': (3,)}",
             "{'descr': 'u\\x31', " + order + ", 'shape': (3,)}",
             "{'descr': u1, " + order + ", 'shape': (3,)}",
             "('descr', '|u1')",
             std::string(20, '{'),
             std::string(60000, '('),
         }) {
        CAPTURE(header);
        CHECK_FALSE(complaint_of_header<std::uint8_t>(file(header, "abc")).empty());
    }
}

TEST_CASE("a header that lacks a key is refused, whichever it is") {
    const std::string keys[] = {"'descr': '|u1', ", "'fortran_order': False, ", "'shape': (3,), "};
    for (const std::string& missing : keys) {
        std::string header = "{";
        for (const std::string& key : keys) header += key == missing ? "" : key;
        CAPTURE(header);
        CHECK_THAT(complaint_of_header<std::uint8_t>(file(header + "}", "abc")),
                   ContainsSubstring("it lacks one of"));
    }
}

TEST_CASE("a header that cannot be read is refused with the reason") {
    const auto complaint_of = [](const std::string& descr, const std::string& shape) {
        return complaint_of_header<std::uint8_t>(
            file("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + "}", ""));
    };
    const auto too_large = static_cast<std::uint64_t>(bl::detail::largest_index) + 1;
    for (const std::uint64_t extent : {too_large, too_large + 1}) {
        CHECK_THAT(complaint_of("'|u1'", "(" + std::to_string(extent) + ",)"),
                   ContainsSubstring("an extent is too large"));
    }
    CHECK_THAT(complaint_of("'|u\\x31'", "(1,)"),
               ContainsSubstring("a string has an escape in it"));
    CHECK_THAT(complaint_of_header<std::uint8_t>(file("{'descr': '|u1", "")),
               ContainsSubstring("a string does not end"));
}

TEST_CASE("the start of a file that is none is refused with the reason") {
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }   ";
    const std::string good = file(header, "");
    const auto complaint = [](const std::string& bytes) {
        return npy::complaint([&] { header_of(bytes); });
    };
    CHECK(complaint(good).empty());
    std::string bytes = good;
    for (const char version : {'\0', '\4'}) {
        bytes[6] = version;
        CHECK_THAT(complaint(bytes), ContainsSubstring("unknown .npy version"));
    }
    bytes[6] = bytes[7] = '\1';
    CHECK_THAT(complaint(bytes), ContainsSubstring("unknown .npy version 1.1"));
    // Within the length of the header, and within the blanks behind its dictionary.
    for (const std::size_t size : {std::size_t{8}, std::size_t{9}, good.size() - 1}) {
        CHECK_THAT(complaint(good.substr(0, size)),
                   ContainsSubstring("ends inside the .npy header"));
    }
    std::string large = file(header, "", 2);
    large[10] = '\x20';
    CHECK_THAT(complaint(large), ContainsSubstring("more than any tensor needs"));
}

TEST_CASE("a header is written in as many bytes as NumPy takes") {
    const bl::detail::NpyType type = bl::detail::npy_type<float>();
    for (const bl::Shape& shape : {bl::Shape{}, bl::Shape{3}, bl::Shape{2, 3}}) {
        const std::string header = bl::detail::npy_header(type, shape);
        CHECK(header.size() == 128);
        CHECK(bl::Shape(header_of(header).extents) == shape);
        CHECK(complaint_of_header<float>(header).empty());
    }
    // Long shapes take more, by steps of 64.
    const bl::Shape longest(bl::IndexList::filled(32, 1));
    CHECK(bl::detail::npy_header(type, longest).size() % 64 == 0);
    CHECK(bl::Shape(header_of(bl::detail::npy_header(type, longest)).extents) == longest);
}
