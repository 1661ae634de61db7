// NumPy's .npy files, format versions 1 to 3. The header names the element type, the order and the
// shape; nothing in it is believed before the bytes behind it are there, so that a malformed,
// truncated or hostile file is an io_error and never more than that.
//
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#ifndef BROADLOOM_IO_NPY_HPP
#define BROADLOOM_IO_NPY_HPP

#include <bit>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/io/file.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

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
    static_assert(std::is_arithmetic_v<T> || complex_float,
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
                fail(Sentence() << "it has the unknown key " << quoted(key));
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
        if (seen) fail(Sentence() << "it has the key " << quoted(key) << " twice");
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
            if (value > (PTRDIFF_MAX - digit) / 10) fail("an extent is too large");
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
        std::string held = quoted(header.descr);
        for (const char kind : {'b', 'i', 'u', 'f', 'c'}) {
            for (const index_t bytes : {1, 2, 4, 8, 16, 32}) {
                const NpyType known{kind, bytes};
                if (found == std::string_view(npy_descr(known)).substr(1)) {
                    held = npy_type_name(known) + " (" + quoted(header.descr) + ')';
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
    index_t most = PTRDIFF_MAX / type.bytes;
    for (const index_t extent : header.extents) {
        if (extent > most) {
            throw io_error(Sentence() << file << ": the shape " << text(header.extents)
                                      << " has more elements than memory can hold");
        }
        if (extent > 0) most /= extent;
    }
    return Shape(header.extents);
}

/// Makes bytes that came from a file into elements: native byte order, and bools of 0 or 1.
inline void settle_npy(void* elements, std::size_t bytes, NpyType type, bool swapped) {
    auto* const p = static_cast<unsigned char*>(elements);
    if (type.kind == 'b') {
        for (std::size_t i = 0; i < bytes; ++i) p[i] = p[i] != 0 ? 1 : 0;
    }
    if (!swapped) return;
    const auto width = static_cast<std::size_t>(type.kind == 'c' ? type.bytes / 2 : type.bytes);
    for (std::size_t at = 0; at < bytes; at += width) {
        for (std::size_t i = 0; i < width / 2; ++i) {
            std::swap(p[at + i], p[at + width - 1 - i]);
        }
    }
}

[[noreturn]] inline void throw_npy_short(const ByteSource& source, std::uint64_t held,
                                         std::uint64_t needed, const Shape& shape) {
    throw io_error(Sentence() << source.name() << ": holds " << held << " bytes of elements, but "
                              << needed << " are needed for the shape " << text(shape));
}

/// Reads one .npy array that fills the source to its end. Throws io_error.
template <class T>
Tensor<T> read_npy(ByteSource& source) {
    constexpr NpyType type = npy_type<T>();
    const NpyHeader header = read_npy_header(source);
    const bool swapped = check_npy_type(header, type, source.name());
    Shape shape = npy_shape(header, type, source.name());
    const auto bytes = static_cast<std::uint64_t>(shape.size()) * sizeof(T);

    // A source of unknown size is read before a tensor is made for it.
    std::string gathered;
    const bool sized = source.left() != ByteSource::unknown;
    if (!sized) gathered = source.read_up_to(bytes);
    const std::uint64_t held = sized ? source.left() : gathered.size();
    if (held < bytes) throw_npy_short(source, held, bytes, shape);

    const bool turned = header.fortran_order && shape.rank() > 1;
    if (turned) {
        IndexList reversed;
        for (index_t d = shape.rank(); d-- > 0;) reversed.push_back(shape[d]);
        shape = Shape(reversed);
    }
    Tensor<T> x = empty<T>(shape);
    const auto count = static_cast<std::size_t>(bytes);
    if (!sized) {
        if (count > 0) std::memcpy(static_cast<void*>(x.data()), gathered.data(), count);
    } else if (const std::size_t got = source.read(static_cast<void*>(x.data()), count);
               got != count) {
        throw_npy_short(source, got, bytes, shape);
    }
    settle_npy(x.data(), count, type, swapped);
    char extra = 0;
    if (source.read(&extra, 1) != 0) {
        throw io_error(Sentence() << source.name() << ": has bytes after the last element");
    }
    if (turned) return std::move(x).transpose();
    return x;
}

/// The header NumPy writes for row-major elements: version 1.0, which the at most 32 extents of a
/// tensor always fit, padded to a multiple of 64 bytes. NumPy also leaves room for the first
/// extent to grow in place to 21 digits.
inline std::string npy_header(NpyType type, const Shape& shape) {
    std::string text = "{'descr': '" + npy_descr(type) + "', 'fortran_order': False, 'shape': ";
    text += broadloom::detail::text(shape);
    text += ", }";
    if (shape.rank() > 0) text.append(21 - std::to_string(shape[0]).size(), ' ');
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

/// Brings elements that lie `step` bytes apart together.
inline void pick(char* to, const char* from, index_t step, index_t count, index_t bytes) {
    // A copy of constant length is one instruction.
    const auto copy = [=](auto width) {
        for (index_t i = 0; i < count; ++i) {
            std::memcpy(to + i * bytes, from + i * step, static_cast<std::size_t>(width));
        }
    };
    switch (bytes) {
        case 1: return copy(std::integral_constant<int, 1>());
        case 2: return copy(std::integral_constant<int, 2>());
        case 4: return copy(std::integral_constant<int, 4>());
        case 8: return copy(std::integral_constant<int, 8>());
        default: return copy(bytes);
    }
}

/// Writes elements in row-major order, whatever their strides, through a small buffer.
inline void write_elements(ByteSink& sink, const void* data, const Shape& shape,
                           const Strides& strides, index_t bytes) {
    const auto* const base = static_cast<const char*>(data);
    if (is_contiguous(shape, strides)) {
        sink.write(base, static_cast<std::size_t>(shape.size() * bytes));
        return;
    }
    char buffer[8192];
    const index_t room = static_cast<index_t>(sizeof buffer) / bytes;
    index_t filled = 0;
    const index_t last = shape.rank() - 1;
    IndexList index = IndexList::filled(shape.rank(), 0);
    for (index_t left = shape.size(); left > 0; left -= shape[last]) {
        const index_t first = offset_of(strides, index.begin());
        for (index_t i = 0; i < shape[last];) {
            if (filled == room) {
                sink.write(buffer, static_cast<std::size_t>(filled * bytes));
                filled = 0;
            }
            const index_t rest = shape[last] - i;
            const index_t count = rest < room - filled ? rest : room - filled;
            pick(buffer + filled * bytes, base + (first + i * strides[last]) * bytes,
                 strides[last] * bytes, count, bytes);
            filled += count;
            i += count;
        }
        for (index_t d = last - 1; d >= 0 && ++index[d] == shape[d]; --d) index[d] = 0;
    }
    sink.write(buffer, static_cast<std::size_t>(filled * bytes));
}

}  // namespace detail

/// The array in a .npy file, in row-major or Fortran order and either byte order. Throws io_error
/// when the file cannot be read, is damaged in any way, or holds elements other than T.
template <class T>
Tensor<T> load_npy(const std::string& path) {
    detail::ByteSource source(path);
    return detail::read_npy<T>(source);
}

/// Writes a .npy file, byte for byte as NumPy would for a row-major array. Throws io_error.
template <tensor_like X>
void save_npy(const std::string& path, X&& x) {
    if constexpr (detail::operand_kind<X> == detail::OperandKind::expression) {
        save_npy(path, eval(std::forward<X>(x)));
    } else {
        constexpr detail::NpyType type = detail::npy_type<element_t<X>>();
        detail::ByteSink sink(path);
        sink.write(detail::npy_header(type, x.shape()));
        detail::write_elements(sink, x.data(), x.shape(), x.strides(), type.bytes);
        sink.close();
    }
}

}  // namespace broadloom

#endif  // BROADLOOM_IO_NPY_HPP
