#include "broadloom/kernel/tile.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "support/catch.hpp"
#include "support/present.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::IndexList, bl::Shape, bl::Strides, kernel::Block;
using naive::Random;
using settings::Restore;

namespace {

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
void check_tile(const IndexList& extents, const Strides& strides, const kernel::Movers& movers,
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

constexpr const kernel::Movers* element_sizes[] = {
    &kernel::movers_of<1>, &kernel::movers_of<2>,  &kernel::movers_of<3>,  &kernel::movers_of<4>,
    &kernel::movers_of<8>, &kernel::movers_of<12>, &kernel::movers_of<16>, &kernel::movers_of<24>};

}  // namespace

TEST_CASE("Blocks of every size are packed and unpacked to the byte") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        for (const index_t rows : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 65}) {
            for (const index_t columns :
                 {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130}) {
                kernel::set_isa(level++ % 3);
                const IndexList extents{rows, columns};
                check_tile(extents, {columns, 1}, *element, true);      // as it lies
                check_tile(extents, {columns + 3, 1}, *element, true);  // rows with gaps
                check_tile(extents, {2 * columns, 2}, *element, true);  // every second
                check_tile(extents, {3 * columns, 3}, *element, true);  // every third
                check_tile(extents, {1, rows}, *element, true);         // turned
                check_tile(extents, {1, rows + 5}, *element, true);     // turned, with gaps
                check_tile(extents, {1, 0}, *element, true);            // a column repeated
                check_tile(extents, {5, 0}, *element, true);  // a column with gaps, repeated
                check_tile(extents, {0, 1}, *element, true);  // a row repeated
                check_tile(extents, {0, 0}, *element, true);  // one element
                check_tile(extents, {-columns, -1}, *element, true);  // backwards
                check_tile(extents, {-1, rows}, *element, true);      // turned, half backwards
                check_tile(extents, {1, -rows}, *element, true);
                check_tile(extents, {columns, -1}, *element, true);
                check_tile(extents, {2 * columns, -2}, *element, true);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Nests of any rank and stride are packed and unpacked to the byte") {
    const Restore restore;
    Random random(1);
    for (int round = 0; round < 4000; ++round) {
        kernel::set_isa(static_cast<int>(random(0, 2)));
        Shape shape = random.shape(5, 6, 1);
        if (random(0, 3) == 0) {
            IndexList extents = shape.extents();
            if (extents.rank() > 0 && shape.size() < 200)
                extents[random(0, extents.rank() - 1)] = random(1, 70);
            shape = Shape(extents);
        }
        const Strides strides =
            naive::strides_of(shape, naive::Way::random, random, random(0, 1) == 0);
        check_tile(shape.extents(), strides, *element_sizes[random(0, 7)], false);
    }
    SUCCEED();
}

TEST_CASE("Rows that repeat within a nest are packed to the byte") {
    for (const kernel::Movers* element : element_sizes) {
        for (index_t columns = 1; columns <= 110; ++columns) {
            for (const index_t times : {2, 3}) {
                const IndexList extents{3, times, columns};
                check_tile(extents, {columns, 0, 1}, *element, false);
                check_tile(extents, {-columns - 1, 0, 1}, *element, false);
                check_tile(extents, {1, 0, 1}, *element, false);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Few rows at a time are packed to the byte, whichever way they lie") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        for (const index_t turns : {3, 20, 700}) {
            for (const index_t few : {2, 5, 16}) {
                for (const index_t row : {2, 7, 33}) {
                    kernel::set_isa(level++ % 3);
                    const IndexList extents{turns, few, row};
                    check_tile(extents, {row, turns * row, 1}, *element, false);
                    check_tile(extents, {-row - 1, turns * (row + 1), 1}, *element, false);
                    check_tile(extents, {few * (row + 2), -row - 2, 1}, *element, false);
                    check_tile(extents, {0, row, 1}, *element, false);
                    check_tile(extents, {1, 3, 1}, *element, false);  // rows share elements
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Short rows are copied to the byte, at any distance, one or several times") {
    const Restore restore;
    for (index_t bytes = 2; bytes <= kernel::detail::ShortRows::longest;
         bytes += bytes < 300 ? 1 : 61) {
        kernel::set_isa(static_cast<int>(bytes % 3));
        for (const index_t gap : {index_t{0}, index_t{5}}) {
            for (const index_t times : {1, 3}) {
                constexpr index_t rows = 4;
                // Neither side has a byte to spare behind its last row.
                const index_t from_row = bytes + gap, to_row = bytes + 2 * gap;
                std::vector<char> from(static_cast<std::size_t>((rows - 1) * from_row + bytes));
                std::vector<char> to(static_cast<std::size_t>((rows * times - 1) * to_row + bytes),
                                     '?');
                for (std::size_t i = 0; i < from.size(); ++i)
                    from[i] = static_cast<char>(i * 7 + i / 251);
                std::vector<char> expected = to;
                for (index_t r = 0; r < rows * times; ++r) {
                    std::memcpy(expected.data() + r * to_row, from.data() + r / times * from_row,
                                static_cast<std::size_t>(bytes));
                }
                kernel::detail::copy_short_rows(to.data(), from.data(),
                                                {bytes, rows, times, from_row, to_row});
                if (to != expected) FAIL(bytes << " bytes, " << times << " times");
            }
        }
    }
    SUCCEED();
}
