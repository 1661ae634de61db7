// The header of a .npy file, which names the element type, the order and the shape: read with every
// doubt, written as NumPy writes it.
//
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#ifndef BROADLOOM_IO_NPY_HEADER_HPP
#define BROADLOOM_IO_NPY_HEADER_HPP

#include <bit>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "broadloom/core/shape.hpp"
#include "broadloom/io/file.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::detail {

/// An element type as .npy files name it: `f`, 4 for float.
struct NpyType {
    char kind;  // b bool, i and u integers, f floating, c complex
    index_t bytes;
};

template <class T>
constexpr NpyType npy_type() {
    constexpr bool complex_float = std::same_as<T, std::complex<float>> ||
                                   std::same_as<T, std::complex<double>> ||
                                   std::same_as<T, std::complex<long double>>;
    static_assert(standard_integral<T> || complex_float || std::same_as<T, long double> ||
                      (arithmetic<T> && interchange_real<T>),
                  ".npy files hold bool, integers, floating numbers and std::complex of those");
    constexpr char kind = std::same_as<T, bool>     ? 'b'
                          : complex_float           ? 'c'
                          : !std::integral<T>       ? 'f'
                          : std::signed_integral<T> ? 'i'
                                                    : 'u';
    return {kind, sizeof(T)};
}

inline constexpr bool little_endian_machine = std::endian::native == std::endian::little;

/// `<f4` on a little-endian machine, `|u1` where order means nothing.
inline std::string npy_descr(NpyType type) {
    const char order = type.bytes == 1 ? '|' : little_endian_machine ? '<' : '>';
    return std::string(1, order) + type.kind + std::to_string(type.bytes);
}

/// `float32` for people.
inline std::string npy_type_name(NpyType type) {
    const char* name = type.kind == 'b'   ? "bool"
                       : type.kind == 'i' ? "int"
                       : type.kind == 'u' ? "uint"
                       : type.kind == 'f' ? "float"
                                          : "complex";
    return type.kind == 'b' ? name : name + std::to_string(8 * type.bytes);
}

/// What the header of a .npy file says.
struct NpyHeader {
    std::string descr;
    bool fortran_order = false;
    IndexList extents;
};

/// Reads the header's dictionary, the little of Python's syntax that NumPy writes: the three keys
/// in any order, either kind of quotes, a trailing comma, integers with an L.
class NpyHeaderReader {
public:
    NpyHeaderReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    NpyHeader read() {
        NpyHeader header;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!take('}')) {
            const std::string_view key = string();
            expect(':');
            if (key == "descr") {
                once(descr, key);
                if (peek() == '[' || peek() == '(') fail("it holds records, not plain elements");
                header.descr = string();
            } else if (key == "fortran_order") {
                once(order, key);
                header.fortran_order = boolean();
            } else if (key == "shape") {
                once(shape, key);
                header.extents = tuple();
            } else {
                fail(Sentence() << "it has the unknown key " << in_quotes(key));
            }
            if (!take(',') && peek() != '}') fail("a comma or a brace is missing");
        }
        if (peek() != '\0' || at_ < text_.size()) fail("something follows the dictionary");
        if (!descr || !order || !shape) fail("it lacks one of 'descr', 'fortran_order', 'shape'");
        return header;
    }

private:
    [[noreturn]] void fail(const Sentence& reason) const {
        throw io_error(Sentence() << file_ << ": the .npy header cannot be read: " << reason);
    }

    void once(bool& seen, std::string_view key) const {
        if (seen) fail(Sentence() << "it has the key " << in_quotes(key) << " twice");
        seen = true;
    }

    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                      text_[at_] == '\t' || text_[at_] == '\r')) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(Sentence() << "'" << c << "' is missing");
    }

    std::string_view string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail("a string is missing");
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\' || text_[at_] == '\n') fail("a string has an escape in it");
            ++at_;
        }
        if (at_ == text_.size()) fail("a string does not end");
        return text_.substr(begin, at_++ - begin);
    }

    bool boolean() {
        peek();
        for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return word == "True";
            }
        }
        fail("'fortran_order' is neither True nor False");
    }

    IndexList tuple() {
        IndexList extents;
        expect('(');
        while (!take(')')) {
            if (extents.rank() == max_rank) fail("it has too many dimensions");
            extents.push_back(extent());
            if (take(',')) continue;
            if (peek() != ')' || extents.rank() == 1) fail("a comma is missing in 'shape'");
        }
        return extents;
    }

    index_t extent() {
        if (peek() == '-') fail("an extent is negative");
        if (peek() < '0' || peek() > '9') fail("an extent is not an integer");
        index_t value = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            const index_t digit = text_[at_] - '0';
            if (value > (largest_index - digit) / 10) fail("an extent is too large");
            value = 10 * value + digit;
        }
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;
        return value;
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
};

/// Reads magic, version and header; the source goes on with the elements.
inline NpyHeader read_npy_header(ByteSource& source) {
    // A header of plain elements takes a few hundred bytes; NumPy itself refuses past 10000.
    constexpr std::uint32_t longest = 1 << 20;
    const auto truncated = [&source]() -> io_error {
        return io_error(Sentence() << source.name() << ": ends inside the .npy header");
    };
    unsigned char start[12] = {};
    if (source.read(start, 8) != 8 || std::memcmp(start, "\x93NUMPY", 6) != 0) {
        throw io_error(Sentence() << source.name() << ": is not a .npy file");
    }
    const int major = start[6], minor = start[7];
    if (major < 1 || major > 3 || minor != 0) {
        throw io_error(Sentence() << source.name() << ": is of the unknown .npy version " << major
                                  << '.' << minor);
    }
    const std::size_t width = major == 1 ? 2 : 4;
    if (source.read(start + 8, width) != width) throw truncated();
    const std::uint32_t length = start[8] | std::uint32_t{start[9]} << 8 |
                                 std::uint32_t{start[10]} << 16 | std::uint32_t{start[11]} << 24;
    if (length > longest) {
        throw io_error(Sentence() << source.name() << ": has a .npy header of " << length
                                  << " bytes, more than any tensor needs");
    }
    const std::string text = source.read_up_to(length);
    if (text.size() != length) throw truncated();
    return NpyHeaderReader(text, source.name()).read();
}

/// Compares the element type of a file with the one asked for; returns true when the bytes of
/// each number must be turned around.
inline bool check_npy_type(const NpyHeader& header, NpyType type, const std::string& file) {
    std::string_view found = header.descr;
    char order = '=';
    if (!found.empty() && std::string_view("<>=|").find(found[0]) != std::string_view::npos) {
        order = found[0];
        found.remove_prefix(1);
    }
    if (found != std::string_view(npy_descr(type)).substr(1)) {
        std::string held = in_quotes(header.descr);
        for (const char kind : {'b', 'i', 'u', 'f', 'c'}) {
            for (const index_t bytes : {1, 2, 4, 8, 16, 32}) {
                const NpyType known{kind, bytes};
                if (found == std::string_view(npy_descr(known)).substr(1)) {
                    held = npy_type_name(known) + " (" + in_quotes(header.descr) + ')';
                }
            }
        }
        throw io_error(Sentence() << file << ": holds elements of type " << held << ", not "
                                  << npy_type_name(type));
    }
    const bool swapped = type.bytes > 1 && order == (little_endian_machine ? '>' : '<');
    const index_t longest = type.kind == 'c' ? 16 : 8;
    if (swapped && type.bytes > longest) {
        throw io_error(Sentence() << file
                                  << ": holds extended floating numbers of another machine");
    }
    return swapped;
}

/// The shape of a file's elements, once their number of bytes can be counted.
inline Shape npy_shape(const NpyHeader& header, NpyType type, const std::string& file) {
    index_t most = largest_index / type.bytes;
    for (const index_t extent : header.extents) {
        if (extent > most) {
            throw io_error(Sentence() << file << ": the shape " << header.extents
                                      << " has more elements than memory can hold");
        }
        if (extent > 0) most /= extent;
    }
    return Shape(header.extents);
}

/// The header NumPy writes: version 1.0, which the at most 32 extents of a tensor always fit,
/// padded to a multiple of 64 bytes. NumPy also leaves room for the slowest extent to grow in place
/// to 21 digits.
inline std::string npy_header(NpyType type, const Shape& shape, bool fortran_order = false) {
    std::string text = "{'descr': '" + npy_descr(type) + "', 'fortran_order': ";
    text += fortran_order ? "True, 'shape': " : "False, 'shape': ";
    text += broadloom::detail::text(shape);
    text += ", }";
    if (shape.rank() > 0) {
        const index_t slowest = shape[fortran_order ? shape.rank() - 1 : 0];
        text.append(21 - std::to_string(slowest).size(), ' ');
    }
    constexpr std::size_t start = 10;
    text.append(64 - (start + text.size() + 1) % 64, ' ');
    text += '\n';
    std::string header = "\x93NUMPY";
    for (const std::size_t byte :
         {std::size_t{1}, std::size_t{0}, text.size() & 255, text.size() >> 8}) {
        header += static_cast<char>(static_cast<unsigned char>(byte));
    }
    return header + text;
}

}  // namespace broadloom::detail

#endif  // BROADLOOM_IO_NPY_HEADER_HPP
