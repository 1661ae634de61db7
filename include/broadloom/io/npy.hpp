// NumPy's .npy files, format versions 1 to 3. Nothing that the header says is believed before the
// bytes behind it are there, so that a malformed, truncated or hostile file is an io_error and
// never more than that.
#ifndef BROADLOOM_IO_NPY_HPP
#define BROADLOOM_IO_NPY_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/io/npy_header.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

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

[[noreturn]] BROADLOOM_COLD inline void throw_npy_short(const ByteSource& source,
                                                        std::uint64_t held, std::uint64_t needed,
                                                        const Shape& shape) {
    throw io_error(Sentence() << source.name() << ": holds " << held << " bytes of elements, but "
                              << needed << " are needed for the shape " << shape);
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

/// Writes a .npy file, byte for byte as NumPy would for a row-major array. Throws io_error; what
/// was written until then stays.
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
