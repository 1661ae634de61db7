// NumPy's .npy files, format versions 1 to 3. Nothing that the header says is believed before the
// bytes behind it are there, so that a malformed, truncated or hostile file is an io_error and
// never more than that.
#ifndef BROADLOOM_IO_NPY_HPP
#define BROADLOOM_IO_NPY_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/io/npy_header.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

/// Reverses the bytes of every word: halves change places, then theirs.
template <class W>
void reverse_bytes(unsigned char* p, std::size_t bytes) {
    constexpr W twos = static_cast<W>(0x0000ffff0000ffffU),
                ones = static_cast<W>(0x00ff00ff00ff00ffU);
    for (std::size_t at = 0; at < bytes; at += sizeof(W)) {
        W w;
        std::memcpy(&w, p + at, sizeof(W));
        if constexpr (sizeof(W) == 8) w = w << 32 | w >> 32;
        if constexpr (sizeof(W) >= 4) w = (w & twos) << 16 | (w >> 16 & twos);
        w = static_cast<W>((w & ones) << 8 | (w >> 8 & ones));
        std::memcpy(p + at, &w, sizeof(W));
    }
}
/// Makes bytes that came from a file into elements: native byte order, and bools of 0 or 1.
inline void settle_npy(void* elements, std::size_t bytes, NpyType type, bool swapped) {
    auto* const p = static_cast<unsigned char*>(elements);
    if (type.kind == 'b') {
        for (std::size_t i = 0; i < bytes; ++i) p[i] = p[i] != 0 ? 1 : 0;
    }
    if (!swapped) return;
    const auto width = static_cast<std::size_t>(type.kind == 'c' ? type.bytes / 2 : type.bytes);
    if (width == 2) return reverse_bytes<std::uint16_t>(p, bytes);
    if (width == 4) return reverse_bytes<std::uint32_t>(p, bytes);
    if (width == 8) return reverse_bytes<std::uint64_t>(p, bytes);
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
    Tensor<T> x = broadloom::empty<T>(shape);
    const auto count = static_cast<std::size_t>(bytes);
    if (!sized) {
        if (count > 0) std::memcpy(static_cast<void*>(x.data()), gathered.data(), count);
    } else if (const std::size_t got = source.read(static_cast<void*>(x.data()), count);
               got != count) {
        throw_npy_short(source, got, bytes, shape);
    }
    detail::settle_npy(x.data(), count, type, swapped);
    char extra = 0;
    if (source.read(&extra, 1) != 0) {
        throw io_error(Sentence() << source.name() << ": has bytes after the last element");
    }
    if (turned) return std::move(x).transpose();
    return x;
}

/// Writes elements in row-major order, whatever their strides, block by block.
inline void write_in_order(ByteSink& sink, const char* data, const Shape& shape,
                           const Strides& strides, const kernel::Movers& movers) {
    constexpr index_t block = 256 * 1024;  // bytes
    // A block is some indices of dimension d with all that is behind it.
    index_t d = shape.rank() - 1, inner = 1;
    while (d > 0 && shape[d] <= block / (inner * movers.bytes)) inner *= shape[d--];
    const index_t fit = block / (inner * movers.bytes), most = fit > 0 ? fit : 1;
    IndexList extents, steps, index = IndexList::filled(shape.rank(), 0);
    for (index_t e = d; e < shape.rank(); ++e) {
        extents.push_back(shape[e]);
        steps.push_back(strides[e]);
    }
    kernel::Memory memory;
    char* const room = memory.make(static_cast<std::size_t>(most * inner * movers.bytes));
    for (index_t left = shape.size(); left > 0; left -= extents[0] * inner) {
        extents[0] = shape[d] - index[d] < most ? shape[d] - index[d] : most;
        kernel::pack(room, data + offset_of(strides, index.begin()) * movers.bytes, extents.begin(),
                     steps.begin(), static_cast<int>(extents.rank()), movers);
        sink.write(room, static_cast<std::size_t>(extents[0] * inner * movers.bytes));
        index[d] += extents[0];
        for (index_t e = d; e > 0 && index[e] == shape[e]; --e) {
            index[e] = 0;
            ++index[e - 1];
        }
    }
}

/// Throws shape_error for more bytes than can be counted, as an expanded view may have.
inline void require_countable(const Shape& shape, index_t bytes) {
    if (shape.size() > largest_index / bytes) throw_too_many_elements(shape.extents());
}

/// Writes a .npy file as NumPy does.
inline void write_npy(ByteSink& sink, NpyType type, const void* data, const Shape& shape,
                      const Strides& strides, const kernel::Movers& movers) {
    const bool in_rows = is_contiguous(shape, strides);
    const Layout turned = transpose(Layout{shape, strides, 0});
    const bool fortran_order = !in_rows && is_contiguous(turned.shape, turned.strides);
    sink.write(npy_header(type, shape, fortran_order));
    if (in_rows || fortran_order) {
        sink.write(data, static_cast<std::size_t>(shape.size() * type.bytes));
    } else {
        write_in_order(sink, static_cast<const char*>(data), shape, strides, movers);
    }
}

}  // namespace detail

/// The array in a .npy file, in row-major or Fortran order and either byte order. Throws io_error
/// when the file cannot be read, is damaged in any way, or holds elements other than T.
template <class T>
Tensor<T> load_npy(const std::string& path) {
    detail::ByteSource source(path);
    return detail::read_npy<T>(source);
}

/// Writes a .npy file, byte for byte as NumPy would: in Fortran order what lies in that. Throws
/// io_error; what was written until then stays. Throws shape_error for more than can be counted.
template <tensor_like X>
void save_npy(const std::string& path, X&& x) {
    if constexpr (detail::operand_kind<X> == detail::OperandKind::expression) {
        broadloom::save_npy(path, broadloom::eval(std::forward<X>(x)));
    } else {
        using T = element_t<X>;
        constexpr detail::NpyType type = detail::npy_type<T>();
        detail::require_countable(x.shape(), type.bytes);
        detail::ByteSink sink(path);
        detail::write_npy(sink, type, x.data(), x.shape(), x.strides(),
                          kernel::movers_of<sizeof(T)>);
        sink.close();
    }
}

}  // namespace broadloom

#endif  // BROADLOOM_IO_NPY_HPP
