// What the tests of files share: reference records of hex digits, element types by NumPy's names,
// and files that remove themselves.
#ifndef BROADLOOM_TESTS_SUPPORT_REFERENCE_HPP
#define BROADLOOM_TESTS_SUPPORT_REFERENCE_HPP

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>

#include "broadloom/core/shape.hpp"
#include "broadloom/scalar/promote.hpp"

namespace reference {

/// A file of reference data; tests run in the folder tests/.
inline std::ifstream open(const std::string& name) {
    std::ifstream in("reference/" + name);
    if (!in) throw std::runtime_error("there is no reference file " + name);
    return in;
}

/// `2x3` is the shape (2, 3), `scalar` the shape ().
inline broadloom::Shape shape(const std::string& extents) {
    broadloom::IndexList list;
    if (extents != "scalar") {
        std::istringstream in(extents);
        std::string extent;
        while (std::getline(in, extent, 'x')) {
            list.push_back(broadloom::detail::to_index(std::stoll(extent)));
        }
    }
    return broadloom::Shape(list);
}

/// False for a shape that is too large for this machine.
inline bool has_indices(const std::string& extents) {
    const broadloom::Shape known = shape(extents);
    for (const broadloom::index_t extent : known.extents()) {
        if (extent == broadloom::detail::largest_index) return false;
    }
    return true;
}

/// `00ff` is two bytes, `-` none.
inline std::string bytes(const std::string& hex) {
    std::string out;
    if (hex == "-") return out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return out;
}

/// Bytes of T's of NumPy, which are little-endian, as they lie in the memory of this machine.
template <class T>
std::string native_bytes(std::string bytes) {
    constexpr auto width = static_cast<std::ptrdiff_t>(sizeof(broadloom::detail::real_t<T>));
    if constexpr (std::endian::native == std::endian::big) {
        for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
    }
    return bytes;
}

template <class T>
struct Type {
    using type = T;
};

/// Calls `f(Type<T>())` with the T that NumPy calls `name`.
template <class F>
void with_type(const std::string& name, F&& f) {
    if (name == "bool") return f(Type<bool>());
    if (name == "int8") return f(Type<std::int8_t>());
    if (name == "int16") return f(Type<std::int16_t>());
    if (name == "int32") return f(Type<std::int32_t>());
    if (name == "int64") return f(Type<std::int64_t>());
    if (name == "uint8") return f(Type<std::uint8_t>());
    if (name == "uint16") return f(Type<std::uint16_t>());
    if (name == "uint32") return f(Type<std::uint32_t>());
    if (name == "uint64") return f(Type<std::uint64_t>());
    if (name == "float32") return f(Type<float>());
    if (name == "float64") return f(Type<double>());
    if (name == "complex64") return f(Type<std::complex<float>>());
    if (name == "complex128") return f(Type<std::complex<double>>());
    throw std::runtime_error("no element type is called " + name);
}

/// A file of the given bytes that goes when it is no longer needed.
class TemporaryFile {
public:
    TemporaryFile() {
        std::random_device random;
        path_ = (std::filesystem::temp_directory_path() /
                 ("broadloom_test_" + std::to_string(random()) + std::to_string(random())))
                    .string();
    }
    explicit TemporaryFile(const std::string& bytes) : TemporaryFile() { write(bytes); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::string& path() const { return path_; }
    std::string read() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

private:
    std::string path_;
};

}  // namespace reference

#endif  // BROADLOOM_TESTS_SUPPORT_REFERENCE_HPP
