// What the examples work on: handwritten digits and a photograph, from the folder data beside this
// file (its README.md says where they come from).
#ifndef BROADLOOM_EXAMPLES_DATA_HPP
#define BROADLOOM_EXAMPLES_DATA_HPP

#include <broadloom/broadloom.hpp>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#ifndef BROADLOOM_EXAMPLES_DATA
#define BROADLOOM_EXAMPLES_DATA "examples/data"
#endif

namespace data {

using broadloom::index_t, broadloom::Tensor;

/// The folder with the data: the program's first argument, or where the examples were built.
inline std::string folder(int argc, char** argv) {
    return argc > 1 ? argv[1] : BROADLOOM_EXAMPLES_DATA;
}

/// Images of digits, 8 x 8 pixels in a row, from 0 for white to 16, and which digits they are.
struct Digits {
    Tensor<float> images;    // (n, 64), to learn from
    Tensor<index_t> labels;  // (n,)
    Tensor<float> unseen;    // (m, 64), held out
    Tensor<index_t> truth;   // (m,)
};

/// Of every three digits in the files two to learn from, and one held out.
inline Digits load_digits(const std::string& folder) {
    using broadloom::all, broadloom::load_npy, broadloom::range;
    const auto images = load_npy<std::uint8_t>(folder + "/digits_images.npy").reshape({-1, 3, 64});
    const auto labels = load_npy<std::uint8_t>(folder + "/digits_labels.npy").reshape({-1, 3});
    return {images(all, range(1, {})).copy().reshape({-1, 64}),
            labels(all, range(1, {})).copy().reshape({-1}), images(all, 0), labels(all, 0)};
}

/// A photograph in the binary PPM format as (height, width, 3), 0 to 1. Throws std::runtime_error.
inline Tensor<float> read_ppm(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + " cannot be opened for reading");
    std::string magic;
    index_t width = 0, height = 0, most = 0;
    file >> magic >> width >> height >> most;
    if (!file || magic != "P6" || width < 1 || height < 1 || most != 255 || file.get() != '\n') {
        throw std::runtime_error(path + " is not a binary PPM of 8 bits a channel");
    }
    auto bytes = broadloom::empty<std::uint8_t>({height, width, 3});
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    if (!file) throw std::runtime_error(path + " ends before its picture does");
    return bytes / 255.0f;
}

}  // namespace data

#endif  // BROADLOOM_EXAMPLES_DATA_HPP
