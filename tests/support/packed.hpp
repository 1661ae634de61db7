// Packing and unpacking compared, byte by byte, with a copy element by element.
#ifndef TESTS_SUPPORT_PACKED_HPP
#define TESTS_SUPPORT_PACKED_HPP

#include <cstring>
#include <memory>
#include <vector>

#include "broadloom/kernel/packing.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"

namespace packed {

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::IndexList, bl::Shape, bl::Strides, kernel::Block;

/// Memory of exactly what a layout reaches, in elements of some bytes, and where its first lies.
struct Memory {
    std::unique_ptr<char[]> bytes;
    index_t size, first;

    Memory(const Shape& shape, const Strides& strides, index_t element) {
        const auto bounds = bl::detail::bounds_of(shape, strides);
        size = (bounds.high - bounds.low + 1) * element;
        first = -bounds.low * element;
        bytes.reset(new char[static_cast<std::size_t>(size)]);
        for (index_t i = 0; i < size; ++i)
            bytes[static_cast<std::size_t>(i)] = static_cast<char>(i * 7 + i / 251);
    }
    char* at(index_t offset, index_t element) const {
        return bytes.get() + first + offset * element;
    }
};

/// Packs a nest and unpacks it again, and compares both with a copy element by element.
inline void check(const IndexList& extents, const Strides& strides, const kernel::Movers& movers,
                  bool as_block) {
    const index_t element = movers.bytes;
    const Shape shape{Shape(extents)};
    const Memory memory(shape, strides, element);
    const std::vector<index_t> offsets = naive::offsets(shape, strides);
    const auto length = static_cast<std::size_t>(shape.size() * element),
               bytes = static_cast<std::size_t>(element);
    // Room to the byte: packing must not write past its end.
    const std::unique_ptr<char[]> packed(new char[length]);
    const int rank = static_cast<int>(extents.rank());
    if (as_block) {
        kernel::pack(packed.get(), memory.at(0, element),
                     Block{extents[0], extents[1], strides[0], strides[1]}, movers);
    } else {
        kernel::pack(packed.get(), memory.at(0, element), extents.begin(), strides.begin(), rank,
                     movers);
    }
    bool same = true;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        same = same &&
               std::memcmp(packed.get() + i * bytes, memory.at(offsets[i], element), bytes) == 0;
    }
    const auto describe = [&] {
        return bl::detail::text(extents) + " by " + bl::detail::text(strides) + " of " +
               std::to_string(element) + " bytes";
    };
    if (!same) FAIL("packing " << describe());
    if (bl::detail::has_internal_overlap(shape, strides)) return;

    const Memory target(shape, strides, element);
    std::vector<char> expected(target.bytes.get(), target.bytes.get() + target.size);
    for (std::size_t i = 0; i < length; ++i) packed[i] = static_cast<char>(~i);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        std::memcpy(expected.data() + target.first + offsets[i] * element, packed.get() + i * bytes,
                    bytes);
    }
    if (as_block) {
        kernel::unpack(target.at(0, element), packed.get(),
                       Block{extents[0], extents[1], strides[0], strides[1]}, movers);
    } else {
        kernel::unpack(target.at(0, element), packed.get(), extents.begin(), strides.begin(), rank,
                       movers);
    }
    if (std::memcmp(expected.data(), target.bytes.get(), expected.size()) != 0)
        FAIL("unpacking " << describe());
}

inline constexpr const kernel::Movers* element_sizes[] = {
    &kernel::movers_of<1>, &kernel::movers_of<2>,  &kernel::movers_of<3>,  &kernel::movers_of<4>,
    &kernel::movers_of<8>, &kernel::movers_of<12>, &kernel::movers_of<16>, &kernel::movers_of<24>};

}  // namespace packed

#endif  // TESTS_SUPPORT_PACKED_HPP
