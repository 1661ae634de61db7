// The records of reference/elementwise.txt, which NumPy made: an operation, the values it was given
// and the results.
#ifndef BROADLOOM_TESTS_SUPPORT_ELEMENTWISE_HPP
#define BROADLOOM_TESTS_SUPPORT_ELEMENTWISE_HPP

#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "support/reference.hpp"

namespace reference {

struct Elementwise {
    std::string operation, type, result_type;
    std::string values, results;  // bytes
};

/// Calls `f` with every record of an operation; how many there were comes back.
template <class F>
int for_each_record(const std::string& operation, F&& f) {
    std::ifstream in = open("elementwise.txt");
    int count = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, operation.size() + 1, operation + " ") != 0) continue;
        std::istringstream words(line);
        Elementwise record;
        std::string values, results;
        words >> record.operation >> record.type >> record.result_type >> values >> results;
        record.values = bytes(values);
        record.results = bytes(results);
        f(record);
        ++count;
    }
    return count;
}

/// Bytes as elements.
template <class T>
std::vector<T> elements(const std::string& bytes) {
    std::vector<T> out(bytes.size() / sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = bytes[i] != 0;
    } else if (!out.empty()) {
        const std::string native = native_bytes<T>(bytes);
        std::memcpy(static_cast<void*>(out.data()), native.data(), out.size() * sizeof(T));
    }
    return out;
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_SUPPORT_ELEMENTWISE_HPP
