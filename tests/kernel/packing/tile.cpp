#include "broadloom/kernel/packing/tile.hpp"

#include <cstring>
#include <vector>

#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, broadloom::IndexList;
using packed::element_sizes;
using settings::Restore;

TEST_CASE("Blocks of every size are packed and unpacked to the byte") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        for (const index_t rows : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 65}) {
            for (const index_t columns :
                 {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130}) {
                kernel::set_isa(level++ % 3);
                const IndexList extents{rows, columns};
                packed::check(extents, {columns, 1}, *element, true);      // as it lies
                packed::check(extents, {columns + 3, 1}, *element, true);  // rows with gaps
                packed::check(extents, {2 * columns, 2}, *element, true);  // every second
                packed::check(extents, {3 * columns, 3}, *element, true);  // every third
                packed::check(extents, {1, rows}, *element, true);         // turned
                packed::check(extents, {1, rows + 5}, *element, true);     // turned, with gaps
                packed::check(extents, {1, 0}, *element, true);            // a column repeated
                packed::check(extents, {5, 0}, *element, true);  // a column with gaps, repeated
                packed::check(extents, {0, 1}, *element, true);  // a row repeated
                packed::check(extents, {0, 0}, *element, true);  // one element
                packed::check(extents, {-columns, -1}, *element, true);  // backwards
                packed::check(extents, {-1, rows}, *element, true);      // turned, half backwards
                packed::check(extents, {1, -rows}, *element, true);
                packed::check(extents, {columns, -1}, *element, true);
                packed::check(extents, {2 * columns, -2}, *element, true);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("A few rows with gaps are parted to the byte, however long they are") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        for (index_t rows = 2; rows <= 16; ++rows) {
            const index_t most = 4096 / (rows * element->bytes);  // at a time
            for (const index_t columns :
                 {index_t{64}, most, most + 1, most + 31, most + 32, index_t{1111}}) {
                kernel::set_isa(level++ % 3);
                const IndexList extents{rows, columns};
                packed::check(extents, {1, rows + 1}, *element, true);
                packed::check(extents, {-1, rows + 4}, *element, true);
                packed::check(extents, {1, -rows}, *element, true);
                packed::check(extents, {-1, rows}, *element, true);
                packed::check(extents, {-1, -rows - 1}, *element, true);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Short rows are copied to the byte, at any distance, one or several times") {
    const Restore restore;
    const auto step = [](index_t bytes) { return bytes < 300 ? 1 : bytes < 1100 ? 61 : 1021; };
    for (index_t bytes = 2; bytes <= kernel::detail::ShortRows::longest; bytes += step(bytes)) {
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
