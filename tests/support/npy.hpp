// The bytes of .npy files, put together by hand.
#ifndef BROADLOOM_TESTS_SUPPORT_NPY_HPP
#define BROADLOOM_TESTS_SUPPORT_NPY_HPP

#include <string>

#include "broadloom/core/error.hpp"

namespace npy {

/// A file with this header and these bytes of elements.
inline std::string file(const std::string& header, const std::string& elements, char version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0', static_cast<char>(header.size() & 255),
              static_cast<char>(header.size() >> 8)};
    if (version > 1) bytes += {'\0', '\0'};
    return bytes + header + elements;
}
inline std::string file_of_shape(const std::string& shape, const std::string& elements) {
    return file("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }\n", elements);
}

/// What the io_error says that a call throws, or nothing when there is none.
template <class F>
std::string complaint(F&& call) {
    try {
        call();
    } catch (const broadloom::io_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace npy

#endif  // BROADLOOM_TESTS_SUPPORT_NPY_HPP
