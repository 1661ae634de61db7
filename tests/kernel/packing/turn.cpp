// Rows that become columns, of every size of element, at both levels of packing.
#include "broadloom/kernel/packing/turn.hpp"

#include <cstddef>
#include <vector>

#include "broadloom/kernel/packing/movers.hpp"
#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, kernel::Block;

namespace {

/// Elements of one size, as bytes.
struct Elements {
    index_t bytes;
    std::vector<unsigned char> all;

    Elements(index_t count, index_t size)
        : bytes(size), all(static_cast<std::size_t>(count * size)) {}
    /// Makes the i-th one different from those around it.
    void number(index_t i) {
        for (index_t b = 0; b < bytes; ++b)
            all[static_cast<std::size_t>(i * bytes + b)] =
                static_cast<unsigned char>(b == 0   ? i * 7 + 1
                                           : b == 1 ? i / 37
                                                    : i + b);
    }
    void take(index_t i, const Elements& other, index_t from) {
        for (index_t b = 0; b < bytes; ++b)
            all[static_cast<std::size_t>(i * bytes + b)] =
                other.all[static_cast<std::size_t>(from * bytes + b)];
    }
    char* at(index_t i) { return reinterpret_cast<char*>(all.data()) + i * bytes; }
};

/// Rows of neighbours, forwards or backwards, in columns `along` elements apart that become rows
/// `to_row` elements apart. The memory is exactly as long as what is read and written, so that a
/// sanitizer would tell; what lies between is not touched.
bool turns(const kernel::Movers& movers, index_t rows, index_t columns, index_t down, index_t along,
           index_t to_row) {
    const index_t across = (columns - 1) * (along < 0 ? -along : along);
    Elements from(across + rows, movers.bytes), expected((rows - 1) * to_row + columns, from.bytes);
    for (index_t i = 0; i < across + rows; ++i) from.number(i);
    const index_t first = (down < 0 ? rows - 1 : 0) + (along < 0 ? across : 0);
    for (index_t i = 0; i < rows; ++i) {
        for (index_t j = 0; j < columns; ++j)
            expected.take(i * to_row + j, from, first + i * down + j * along);
    }
    const Block block{rows, columns, down, along, 0, to_row == columns ? 0 : to_row};
    for (int level = 0; level < (kernel::isa() > 0 ? 2 : 1); ++level) {
        Elements to(static_cast<index_t>((rows - 1) * to_row + columns), from.bytes);
        movers.pack[level](to.at(0), from.at(first), &block);
        if (to.all != expected.all) return false;
    }
    return true;
}

constexpr const kernel::Movers* own_movers[] = {&kernel::movers_of<1>, &kernel::movers_of<2>,
                                                &kernel::movers_of<4>, &kernel::movers_of<8>,
                                                &kernel::movers_of<16>};

}  // namespace

TEST_CASE("Few rows that lie side by side in columns are parted") {
    for (const kernel::Movers* movers : own_movers) {
        for (index_t rows = 1; rows < 20; ++rows) {
            for (const index_t columns : {2, 3, 5, 8, 9, 15, 16, 17, 18, 31, 33, 40, 67}) {
                CAPTURE(movers->bytes, rows, columns);
                if (!turns(*movers, rows, columns, 1, rows, columns) ||
                    !turns(*movers, rows, columns, -1, rows, columns) ||
                    !turns(*movers, rows, columns, 1, rows, columns + 3) ||
                    !turns(*movers, rows, columns, 1, -rows, columns) ||
                    !turns(*movers, rows, columns, 1, rows + 1, columns)) {
                    FAIL("turned wrongly");
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Few columns become neighbours") {
    for (const kernel::Movers* movers : own_movers) {
        for (index_t columns = 2; columns < 20; ++columns) {
            for (const index_t rows : {1, 2, 3, 5, 8, 9, 15, 16, 17, 18, 31, 33, 40, 67}) {
                CAPTURE(movers->bytes, rows, columns);
                if (!turns(*movers, rows, columns, 1, rows, columns) ||
                    !turns(*movers, rows, columns, 1, rows + 5, columns) ||
                    !turns(*movers, rows, columns, 1, -rows, columns) ||
                    !turns(*movers, rows, columns, -1, rows + 5, columns) ||
                    !turns(*movers, rows, columns, 1, rows, columns + 1)) {
                    FAIL("turned wrongly");
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Rows a multiple of 2 KiB apart are crowded") {
    CHECK(kernel::detail::are_crowded(2048));
    CHECK(kernel::detail::are_crowded(1 << 20));
    CHECK_FALSE(kernel::detail::are_crowded(2048 + 64));
}
