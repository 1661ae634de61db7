// A picture as a file: writes 8-bit grey or RGB pixels as a PNG (RFC 2083). The pixels are stored,
// not compressed, which needs no library and every reader understands.
#ifndef BROADLOOM_EXAMPLES_PNG_HPP
#define BROADLOOM_EXAMPLES_PNG_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace png {

using Bytes = std::vector<std::uint8_t>;

inline void append_big_endian(Bytes& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

/// The checksum of a chunk (RFC 2083, section 15).
inline std::uint32_t crc32(const std::uint8_t* bytes, std::size_t size) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> entries{};
        for (std::uint32_t n = 0; n < 256; ++n) {
            std::uint32_t c = n;
            for (int bit = 0; bit < 8; ++bit) {
                c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
            }
            entries[n] = c;
        }
        return entries;
    }();
    std::uint32_t c = 0xFFFFFFFFU;
    for (std::size_t i = 0; i < size; ++i) {
        c = table[(c ^ bytes[i]) & 0xFFU] ^ (c >> 8U);
    }
    return ~c;
}

/// The checksum of a zlib stream (RFC 1950, section 2.2).
inline std::uint32_t adler32(const Bytes& bytes) {
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const std::uint8_t byte : bytes) {
        a = (a + byte) % 65521U;
        b = (b + a) % 65521U;
    }
    return b << 16U | a;
}

/// A zlib stream of stored blocks (RFC 1951, section 3.2.4).
inline Bytes store(const Bytes& bytes) {
    constexpr std::size_t most = 65535;
    Bytes stream = {0x78, 0x01};
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(most, bytes.size() - begin);
        const std::uint8_t last = begin + size == bytes.size() ? 1 : 0;
        const auto low = static_cast<std::uint8_t>(size & 0xFFU);
        const auto high = static_cast<std::uint8_t>(size >> 8U);
        const auto not_low = static_cast<std::uint8_t>(low ^ 0xFFU);
        const auto not_high = static_cast<std::uint8_t>(high ^ 0xFFU);
        for (const std::uint8_t byte : {last, low, high, not_low, not_high}) {
            stream.push_back(byte);
        }
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
        stream.insert(stream.end(), first, first + static_cast<std::ptrdiff_t>(size));
        begin += size;
    } while (begin < bytes.size());
    append_big_endian(stream, adler32(bytes));
    return stream;
}

inline void append_chunk(Bytes& file, std::string_view type, const Bytes& content) {
    append_big_endian(file, static_cast<std::uint32_t>(content.size()));
    const std::size_t begin = file.size();
    file.insert(file.end(), type.begin(), type.end());
    file.insert(file.end(), content.begin(), content.end());
    append_big_endian(file, crc32(file.data() + begin, file.size() - begin));
}

}  // namespace png

/// Writes `height` rows of `width` pixels of 1 (grey) or 3 (red, green, blue) bytes. Throws
/// std::invalid_argument for a picture that PNG does not know, std::runtime_error if it cannot be
/// written.
inline void write_png(const std::string& path, std::size_t width, std::size_t height,
                      std::size_t channels, const std::uint8_t* pixels) {
    constexpr std::size_t most = 32768;  // pixels a side: the one data chunk stays below 4 GB
    if (width == 0 || height == 0 || width > most || height > most ||
        (channels != 1 && channels != 3)) {
        throw std::invalid_argument("write_png: " + std::to_string(height) + " x " +
                                    std::to_string(width) + " pixels of " +
                                    std::to_string(channels) + " channels cannot be written");
    }

    png::Bytes header;
    png::append_big_endian(header, static_cast<std::uint32_t>(width));
    png::append_big_endian(header, static_cast<std::uint32_t>(height));
    const std::uint8_t colour = channels == 1 ? 0 : 2;
    // 8 bits a sample, its colour type, deflate, adaptive filters, not interlaced
    for (const std::uint8_t byte :
         {std::uint8_t{8}, colour, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0}}) {
        header.push_back(byte);
    }

    png::Bytes rows;
    rows.reserve(height * (width * channels + 1));
    for (std::size_t y = 0; y < height; ++y) {
        rows.push_back(0);  // no filter
        const std::uint8_t* row = pixels + y * width * channels;
        rows.insert(rows.end(), row, row + width * channels);
    }

    png::Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    png::append_chunk(file, "IHDR", header);
    png::append_chunk(file, "IDAT", png::store(rows));
    png::append_chunk(file, "IEND", {});

    std::ofstream out(path, std::ios::binary);
    for (const std::uint8_t byte : file) {
        out.put(static_cast<char>(byte));
    }
    out.close();
    if (!out) {
        throw std::runtime_error("write_png: " + path + " cannot be written");
    }
}

#endif  // BROADLOOM_EXAMPLES_PNG_HPP
