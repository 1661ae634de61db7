#include "broadloom/io/npz.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "support/catch.hpp"
#include "support/counting.hpp"
#include "support/npy.hpp"
#include "support/reference.hpp"

namespace bl = broadloom;
using Catch::Matchers::ContainsSubstring;
using naive::counting;

namespace {

// An archive with 64-bit fields for all sizes and offsets from `wide_from` on.
std::string archive(std::initializer_list<bl::NpzMember> members,
                    std::uint64_t wide_from = bl::detail::zip_full) {
    std::string bytes;
    bl::detail::ByteSink sink(bytes);
    bl::detail::write_npz(bl::detail::ZipWriter(sink, wide_from), sink, members.begin(),
                          members.size());
    return bytes;
}

template <class T>
std::vector<std::pair<std::string, bl::Tensor<T>>> arrays_of(const std::string& bytes) {
    bl::detail::ByteSource source(bytes, "memory");
    bl::detail::ZipReader reader(source);
    std::vector<std::pair<std::string, bl::Tensor<T>>> arrays;
    for (const bl::detail::ZipEntry& entry : reader.entries()) {
        arrays.emplace_back(bl::detail::npz_name(entry), bl::detail::read_npz<T>(reader, entry));
    }
    return arrays;
}

// What the io_error says, or nothing when there is none.
template <class T>
std::string complaint_of_archive(const std::string& bytes) {
    return npy::complaint([&] { (void)arrays_of<T>(bytes); });
}

std::string replaced(std::string bytes, std::size_t at, const std::string& by) {
    return bytes.replace(at, by.size(), by);
}

}  // namespace

TEST_CASE("the checksum is the CRC-32 of zip files") {
    // The check value of the catalogue of parametrised CRC algorithms.
    bl::detail::Crc32 crc;
    crc.add("123456789", 9);
    CHECK(crc.value() == 0xCBF43926);
    bl::detail::Crc32 parts;
    parts.add("1", 1);
    parts.add("", 0);
    parts.add("2345678", 7);
    parts.add("9", 1);
    CHECK(parts.value() == crc.value());
}

TEST_CASE("archives made by numpy.savez load") {
    std::ifstream in = reference::open("npy.txt");
    std::string name, dtype, extents, hex;
    int archives = 0;
    while (in >> name >> dtype >> extents >> hex) {
        if (name != "savez") continue;
        reference::with_type(dtype, [&]<class T>(reference::Type<T>) {
            const auto arrays = arrays_of<T>(reference::bytes(hex));
            REQUIRE(arrays.size() == 2);
            CHECK(arrays[0].first == "first");
            CHECK(arrays[1].first == "second");
            CHECK(arrays[0].second.shape() == bl::Shape{2, 3});
            CHECK(bl::array_equal(arrays[0].second, arrays[1].second));
            // Element 4 of the reference arrays, by their formulas.
            CHECK(arrays[0].second(1, 1) == (std::is_integral_v<T> ? T(20) : T(2)));
        });
        ++archives;
    }
    CHECK(archives == 2);
}

TEST_CASE("compressed members are refused in words") {
    std::ifstream in = reference::open("npy.txt");
    std::string name, dtype, extents, hex;
    while (in >> name >> dtype >> extents >> hex) {
        if (name != "savez_compressed") continue;
        CHECK_THAT(complaint_of_archive<double>(reference::bytes(hex)),
                   ContainsSubstring("is compressed"));
    }
}

TEST_CASE("arrays of any types are saved under their names and found again") {
    const auto weights = counting<float>({3, 4});
    const auto labels = counting<std::int64_t>({5});
    const std::string greek = "\xCE\xB8";
    const reference::TemporaryFile file;
    bl::save_npz(file.path(), {{"weights", weights},
                               {"turned", weights.transpose()},
                               {"labels", labels},
                               {"positive", bl::map([](float w) { return w > 0; }, weights)},
                               {"made here", counting<std::uint8_t>({2})},
                               {greek, labels[3]}});
    CHECK(bl::array_equal(bl::load_npz<float>(file.path(), "weights"), weights));
    CHECK(bl::array_equal(bl::load_npz<float>(file.path(), "turned"), weights.transpose()));
    CHECK(bl::array_equal(bl::load_npz<std::int64_t>(file.path(), "labels"), labels));
    CHECK(bl::load_npz<bool>(file.path(), "positive")(0, 1));
    CHECK(bl::array_equal(bl::load_npz<std::uint8_t>(file.path(), "made here"),
                          counting<std::uint8_t>({2})));
    CHECK(bl::load_npz<std::int64_t>(file.path(), greek).item() == 3);

    CHECK_THROWS_WITH(bl::load_npz<float>(file.path(), "bias"),
                      ContainsSubstring("no array 'bias'; there is 'weights', 'turned', "));
    CHECK_THROWS_WITH(bl::load_npz<float>(file.path(), "labels"),
                      ContainsSubstring("array 'labels': holds elements of type int64"));
    CHECK_THROWS_AS(bl::load_npz<float>(file.path()), bl::io_error);
}

TEST_CASE("a member that is not called .npy gives its whole name to the array") {
    bl::detail::ZipEntry entry;
    for (const char* name : {"weights", "npy", "a.np", "x.npyz"}) {
        entry.name = name;
        CHECK(bl::detail::npz_name(entry) == name);
    }
    entry.name = "weights.npy";
    CHECK(bl::detail::npz_name(entry) == "weights");
}

TEST_CASE("what load_npz gives, save_npz takes") {
    const reference::TemporaryFile file, again;
    bl::save_npz(file.path(), {{"a", counting<int>({2, 2})}, {"b", counting<int>({0, 3})}});
    const auto arrays = bl::load_npz<int>(file.path());
    REQUIRE(arrays.size() == 2);
    CHECK(arrays[0].first == "a");
    CHECK(arrays[1].second.shape() == bl::Shape{0, 3});
    bl::save_npz(again.path(), arrays);
    CHECK(again.read() == file.read());
    bl::save_npz(file.path(), {});
    CHECK(bl::load_npz<int>(file.path()).empty());
}

TEST_CASE("two arrays of one name are refused before anything is written") {
    const auto x = counting<int>({2});
    const reference::TemporaryFile file("as it was");
    CHECK_THROWS_AS(bl::save_npz(file.path(), {{"x", x}, {"y", x}, {"x", x}}), bl::value_error);
    CHECK_THROWS_AS(bl::save_npz(file.path(), {{std::string(70000, 'x'), x}}), bl::value_error);
    CHECK(file.read() == "as it was");
    // A temporary that cannot be saved is not kept.
    const bl::index_t most = bl::detail::largest_index;
    CHECK_THROWS_AS(bl::NpzMember("x", std::as_const(x)[0].broadcast_to({most})), bl::shape_error);
    CHECK_THAT(complaint_of_archive<int>(archive({{"x", x}, {"x", x}})),
               ContainsSubstring("two members"));
}

TEST_CASE("64-bit sizes and offsets are written and read") {
    const auto x = counting<int>({2, 3});
    const auto y = counting<int>({4});
    for (const std::uint64_t wide_from : {0u, 200u, 300u, 100000u}) {
        CAPTURE(wide_from);
        const auto arrays = arrays_of<int>(archive({{"x", x}, {"y", y}}, wide_from));
        REQUIRE(arrays.size() == 2);
        CHECK(bl::array_equal(arrays[0].second, x));
        CHECK(bl::array_equal(arrays[1].second, y));
    }
}

TEST_CASE("an archive may end in a comment") {
    std::string bytes = archive({{"x", counting<int>({2})}});
    bytes = replaced(bytes, bytes.size() - 2, {'\5', '\0'}) + "hello";
    CHECK(arrays_of<int>(bytes).size() == 1);
}

TEST_CASE("a damaged archive is an io_error or gives the same elements, never other ones") {
    const auto x = counting<std::uint8_t>({2, 3});
    const auto y = counting<std::uint8_t>({4});
    for (const std::uint64_t wide_from : {std::uint64_t{0}, bl::detail::zip_full}) {
        const std::string bytes = archive({{"x", x}, {"y", y}}, wide_from);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            CHECK_FALSE(complaint_of_archive<std::uint8_t>(bytes.substr(0, length)).empty());
        }
        int wrong = 0;
        std::string damaged = bytes;
        for (char& byte : damaged) {
            const char good = byte;
            for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                byte = static_cast<char>(good ^ flip);
                try {
                    const auto arrays = arrays_of<std::uint8_t>(damaged);
                    if (!arrays.empty() && !bl::array_equal(arrays[0].second, x)) ++wrong;
                    if (arrays.size() > 1 && !bl::array_equal(arrays[1].second, y)) ++wrong;
                } catch (const bl::io_error&) {
                }
            }
            byte = good;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("members that share bytes are refused") {
    // Both entries of the directory point at the first member, which is nearly all of the file.
    const auto large = counting<std::uint8_t>({4096});
    const auto small = counting<std::uint8_t>({1});
    std::string bytes = archive({{"a", large}, {"b", small}});
    const std::size_t first = bytes.find("PK\1\2");
    const std::size_t second = bytes.find("PK\1\2", first + 1);
    for (const std::size_t field :
         {std::size_t{16}, std::size_t{20}, std::size_t{24}, std::size_t{42}}) {
        bytes = replaced(bytes, second + field, bytes.substr(first + field, 4));
    }
    CHECK_THAT(complaint_of_archive<std::uint8_t>(bytes), ContainsSubstring("larger than it is"));
}

TEST_CASE("encrypted members, foreign files and nonsense are refused") {
    const std::string bytes = archive({{"x", counting<int>({2})}});
    const std::size_t entry = bytes.find("PK\1\2");
    CHECK_THAT(complaint_of_archive<int>(replaced(bytes, entry + 8, "\1")),
               ContainsSubstring("encrypted"));
    CHECK_THAT(complaint_of_archive<int>(""), ContainsSubstring("too short"));
    CHECK_THAT(complaint_of_archive<int>(std::string(70000, 'x')),
               ContainsSubstring("no directory"));
    CHECK_THAT(complaint_of_archive<int>(replaced(bytes, 0, "x")), ContainsSubstring("not where"));
    CHECK_THROWS_AS(bl::load_npz<int>("/no/such/file.npz"), bl::io_error);
    CHECK_THROWS_AS(bl::load_npz<int>("/", "x"), bl::io_error);
}

TEST_CASE("A map of tensors by their names is written") {
    const reference::TemporaryFile file;
    const std::map<std::string, bl::Tensor<int>> arrays = {{"a", counting({2})},
                                                           {"b", counting({3})}};
    bl::save_npz(file.path(), arrays);
    CHECK(bl::array_equal(bl::load_npz<int>(file.path(), "b"), counting({3})));
    CHECK(bl::load_npz<int>(file.path()).size() == 2);
}
