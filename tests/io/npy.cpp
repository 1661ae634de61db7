#include "broadloom/io/npy.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#if __has_include(<unistd.h>) && !defined(_WIN32)
#include <unistd.h>
#endif

#include "broadloom/operations/compare.hpp"
#include "broadloom/core/slice.hpp"
#include "support/catch.hpp"
#include "support/npy.hpp"
#include "support/reference.hpp"

namespace bl = broadloom;
using npy::file, npy::file_of_shape;

namespace {

// Element k of the reference arrays.
template <class T>
T reference_element(bl::index_t k) {
    const auto real = static_cast<double>(k);
    if constexpr (std::is_same_v<T, bool>) {
        return k % 3 == 0;
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(1.5 * real - 4);
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(5 * k - (std::is_signed_v<T> ? 20 : 0));
    } else {
        using Part = typename T::value_type;
        return T(static_cast<Part>(real - 2), static_cast<Part>(real / 2));
    }
}

template <class T>
bl::Tensor<T> reference_tensor(const bl::Shape& shape) {
    bl::Tensor<T> x = bl::empty<T>(shape);
    for (bl::index_t k = 0; k < x.size(); ++k) x.data()[k] = reference_element<T>(k);
    return x;
}

template <class T>
bl::Tensor<T> from_memory(const std::string& bytes) {
    bl::detail::ByteSource source(bytes, "memory");
    return bl::detail::read_npy<T>(source);
}

// What the io_error says, or nothing when there is none.
template <class T>
std::string complaint(const std::string& bytes) {
    return npy::complaint([&] { (void)from_memory<T>(bytes); });
}

}  // namespace

TEST_CASE("files made by NumPy load: every type, order, byte order and version") {
    std::ifstream in = reference::open("npy.txt");
    std::string name, dtype, extents, hex;
    int files = 0;
    while (in >> name >> dtype >> extents >> hex) {
        if (name != "plain" && name != "other") continue;
        if (!reference::has_indices(extents)) continue;
        reference::with_type(dtype, [&, text = extents]<class T>(reference::Type<T>) {
            CAPTURE(name, dtype, text);
            const std::string bytes = reference::bytes(hex);
            const auto expected = reference_tensor<T>(reference::shape(text));
            CHECK(bl::array_equal(from_memory<T>(bytes), expected));
            const reference::TemporaryFile saved(bytes);
            CHECK(bl::array_equal(bl::load_npy<T>(saved.path()), expected));
        });
        ++files;
    }
    CHECK(files >= 50);
}

TEST_CASE("saved files are byte for byte NumPy's") {
    std::ifstream in = reference::open("npy.txt");
    std::string name, dtype, extents, hex;
    while (in >> name >> dtype >> extents >> hex) {
        if (name != "plain" || !bl::detail::little_endian_machine) continue;
        if (!reference::has_indices(extents)) continue;
        reference::with_type(dtype, [&, text = extents]<class T>(reference::Type<T>) {
            CAPTURE(dtype, text);
            const reference::TemporaryFile saved;
            bl::save_npy(saved.path(), reference_tensor<T>(reference::shape(text)));
            CHECK(saved.read() == reference::bytes(hex));
        });
    }
}

TEST_CASE("Fortran order loads as strides, without moving elements") {
    const std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
    const auto x = from_memory<std::uint8_t>(file(header, "abcdef"));
    CHECK(x.shape() == bl::Shape{2, 3});
    CHECK(x.strides() == bl::Strides{1, 2});
    CHECK(x(1, 0) == 'b');
}

TEST_CASE("views save their elements in row-major order") {
    const auto x = reference_tensor<float>({40, 50, 3});
    const reference::TemporaryFile saved;
    const auto round_trip = [&](const auto& view) {
        bl::save_npy(saved.path(), view);
        return bl::array_equal(bl::load_npy<float>(saved.path()), view);
    };
    CHECK(round_trip(x.transpose()));
    CHECK(round_trip(x.flip()));
    CHECK(round_trip(x(bl::all, bl::range(1, {}, 3), bl::range({}, {}, -2))));
    CHECK(round_trip(x(bl::range(0, 1)).broadcast_to({3, 50, 3})));
    CHECK(round_trip(x[3]));
    CHECK(round_trip(x(bl::range(0, 0))));
    CHECK(round_trip(x(5, 6, bl::range(1, 2))));
}

TEST_CASE("expressions are evaluated to be saved") {
    const auto x = reference_tensor<double>({2, 3});
    const reference::TemporaryFile saved;
    bl::save_npy(saved.path(), bl::map([](double v) { return v > 0; }, x));
    const auto loaded = bl::load_npy<bool>(saved.path());
    CHECK(loaded.shape() == x.shape());
    CHECK(loaded(1, 2));
    CHECK_FALSE(loaded(0, 0));
}

TEST_CASE("long double keeps its bits") {
    auto x = bl::empty<long double>({3});
    x.data()[0] = 1.0L / 3;
    x.data()[1] = -std::numeric_limits<long double>::max();
    x.data()[2] = std::numeric_limits<long double>::denorm_min();
    const reference::TemporaryFile saved;
    bl::save_npy(saved.path(), x);
    CHECK(bl::array_equal(bl::load_npy<long double>(saved.path()), x));
}

TEST_CASE("bytes of a bool other than 0 and 1 load as true") {
    const std::string header = "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}";
    const auto x = from_memory<bool>(file(header, {'\0', '\1', '\2', '\xFF'}));
    CHECK_FALSE(x(0));
    CHECK(x(1) == true);
    CHECK(x(2) == true);
    CHECK(x(3) == true);
    // No byte stays that a bool must not have.
    const auto* const bytes = reinterpret_cast<const unsigned char*>(x.data());
    for (int i = 0; i < 4; ++i) CHECK(bytes[i] == (i == 0 ? 0 : 1));
}

TEST_CASE("a file that is not there or cannot be written is an io_error with the reason") {
    CHECK_THROWS_AS(bl::load_npy<int>("/no/such/file.npy"), bl::io_error);
    CHECK_THROWS_AS(bl::load_npy<int>("/"), bl::io_error);
    const auto x = reference_tensor<int>({100000});
    CHECK_THROWS_AS(bl::save_npy("/no/such/file.npy", x), bl::io_error);
    if (std::filesystem::exists("/dev/full")) {
        CHECK_THROWS_AS(bl::save_npy("/dev/full", x), bl::io_error);
        CHECK_THROWS_AS(bl::save_npy("/dev/full", x(bl::range(0, 1))), bl::io_error);
    }
}

TEST_CASE("a file that lies about its size is refused before memory is taken") {
    for (const std::string shape :
         {"(1000000000000,)", "(9223372036854775807,)", "(3, 9223372036854775807)",
          "(4294967296, 4294967296)", "(4294967296, 4294967296, 0)", "(2, 2)", "(4,)"}) {
        CAPTURE(shape);
        CHECK_FALSE(complaint<std::uint8_t>(file_of_shape(shape, "abc")).empty());
    }
    std::string rank33 = "(";
    for (int i = 0; i < 33; ++i) rank33 += "1, ";
    CHECK_FALSE(complaint<std::uint8_t>(file_of_shape(rank33 + ")", "a")).empty());
    CHECK_FALSE(complaint<std::uint8_t>(file_of_shape("(3,)", "abcd")).empty());
    CHECK_FALSE(complaint<std::uint8_t>(file_of_shape("(0,)", "a")).empty());
    // A header length far past the end, and one past any sense.
    std::string bytes = file(std::string(20, ' '), "", 2);
    for (const char high : {'\0', '\1', '\x7F', '\xFF'}) {
        bytes[10] = '\x7F';
        bytes[11] = high;
        CHECK_FALSE(complaint<std::uint8_t>(bytes).empty());
    }
}

TEST_CASE("a damaged file loads or is an io_error, and is never anything else") {
    std::ifstream in = reference::open("npy.txt");
    std::string name, dtype, extents, hex;
    while (in >> name >> dtype >> extents >> hex) {
        if (extents != "2x3" && extents != "4x3x2" && extents != "scalar") continue;
        if (name != "plain" && name != "other") continue;
        reference::with_type(dtype, [&]<class T>(reference::Type<T>) {
            const std::string bytes = reference::bytes(hex);
            for (std::size_t length = 0; length < bytes.size(); ++length) {
                CHECK_THROWS_AS(from_memory<T>(bytes.substr(0, length)), bl::io_error);
            }
            CHECK_THROWS_AS(from_memory<T>(bytes + 'x'), bl::io_error);
            std::string damaged = bytes;
            for (char& byte : damaged) {
                const char good = byte;
                for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                    byte = static_cast<char>(good ^ flip);
                    (void)complaint<T>(damaged);  // any other exception fails the test
                }
                byte = good;
            }
        });
    }
}

#if __has_include(<unistd.h>) && !defined(_WIN32)
TEST_CASE("a pipe, whose size nobody knows, is read as it comes") {
    const auto through_pipe = [](const std::string& bytes) {
        int ends[2] = {};
        REQUIRE(pipe(ends) == 0);
        REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        close(ends[1]);
        struct Close {
            int end;
            ~Close() { close(end); }
        } const closing{ends[0]};
        return bl::load_npy<std::uint8_t>("/dev/fd/" + std::to_string(ends[0]));
    };
    if (!std::filesystem::exists("/dev/fd")) return;
    CHECK(bl::array_equal(through_pipe(file_of_shape("(3,)", "abc")),
                          from_memory<std::uint8_t>(file_of_shape("(3,)", "abc"))));
    CHECK_THROWS_AS(through_pipe(file_of_shape("(3,)", "ab")), bl::io_error);
    CHECK_THROWS_AS(through_pipe(file_of_shape("(3,)", "abcd")), bl::io_error);
    CHECK_THROWS_AS(through_pipe(file_of_shape("(9000000000000000000,)", "abc")), bl::io_error);
}
#endif

TEST_CASE("What lies in Fortran order is written so, as NumPy does") {
    const auto x = reference_tensor<std::int32_t>({3, 2});
    const reference::TemporaryFile saved;
    bl::save_npy(saved.path(), x.transpose());
    const std::string bytes = saved.read();
    const std::string order = bl::detail::little_endian_machine ? "<" : ">";
    const std::string text =
        "{'descr': '" + order + "i4', 'fortran_order': True, 'shape': (2, 3), }";
    CHECK(bytes.substr(10, text.size()) == text);
    CHECK(bytes.size() == 128 + 24);
    CHECK(std::memcmp(bytes.data() + 128, x.data(), 24) == 0);
    CHECK(bl::array_equal(bl::load_npy<std::int32_t>(saved.path()), x.transpose()));
}

TEST_CASE("More bytes than can be counted are refused before a file is touched") {
    const bl::Tensor<double> one{{1}};
    const reference::TemporaryFile saved;
    bl::save_npy(saved.path(), one);
    const auto huge = one.broadcast_to({2, bl::detail::largest_index / 4});
    CHECK_THROWS_AS(bl::save_npy(saved.path(), huge), bl::shape_error);
    CHECK(bl::array_equal(bl::load_npy<double>(saved.path()), one));
}

TEST_CASE("What lies in no order is written in rows, block by block") {
    const auto x = reference_tensor<float>({40, 50, 90});
    const auto wide = reference_tensor<long double>({30, 7});
    const reference::TemporaryFile saved;
    const auto round_trip = [&](const auto& view) {
        bl::save_npy(saved.path(), view);
        return bl::array_equal(bl::load_npy<bl::element_t<decltype(view)>>(saved.path()), view);
    };
    CHECK(round_trip(x.permute({1, 0, 2})));
    CHECK(round_trip(x.permute({2, 0, 1}).flip(1)));
    CHECK(round_trip(x(bl::all, bl::range({}, {}, -3), bl::range(1, {}, 2))));
    CHECK(round_trip(x.reshape({2, 90000}).transpose()(bl::range({}, {}, 2))));
    CHECK(round_trip(x.reshape({2, 90000}).flip(1)));
    CHECK(round_trip(wide(bl::all, bl::range(0, 5)).transpose()));
}
