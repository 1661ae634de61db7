#include "broadloom/kernel/packing/movers.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, kernel::Block;

namespace {

constexpr const kernel::Movers* usual[] = {&kernel::movers_of<1>, &kernel::movers_of<2>,
                                           &kernel::movers_of<4>, &kernel::movers_of<8>,
                                           &kernel::movers_of<16>};

constexpr const kernel::Movers* unusual[] = {&kernel::movers_of<3>, &kernel::movers_of<12>,
                                             &kernel::movers_of<24>, &kernel::movers_of<64>};

/// Element i of some bytes: no two are equal.
std::string element(index_t i, index_t bytes) {
    std::string e(static_cast<std::size_t>(bytes), static_cast<char>(i));
    e[0] = static_cast<char>(i * 7 + 1);
    return e;
}

}  // namespace

TEST_CASE("There is code for the sizes of numbers, less for others, and none for large ones") {
    for (const kernel::Movers* m : usual) CHECK((m->pack[0] && m->unpack && m->pick && m->put));
    for (const kernel::Movers* m : unusual)
        CHECK((m->pack[0] && m->pack[1] && m->unpack && !m->pick && !m->put));
    const kernel::Movers& large = kernel::movers_of<72>;
    CHECK((!large.pack[0] && !large.pack[1] && !large.unpack && !large.pick && !large.put));
    CHECK((kernel::movers_of<3>.bytes == 3 && large.bytes == 72));
}

TEST_CASE("Elements of unusual sizes are packed one by one, in rows that may lie apart") {
    for (const kernel::Movers* movers : unusual) {
        const index_t bytes = movers->bytes, zero = 200;
        std::string from;
        for (index_t i = 0; i < 400; ++i) from += element(i, bytes);
        for (const Block& block :
             {Block{5, 7, 20, 1}, Block{17, 9, 1, 20}, Block{17, 9, -1, 20, 0, 11},
              Block{3, 33, -60, 2}, Block{4, 1, 3, 5}, Block{4, 6, 7, 0},
              Block{6, 5, 1, -9, 0, 8}}) {
            const index_t to_row = block.to_row != 0 ? block.to_row : block.columns;
            std::string packed(static_cast<std::size_t>(block.rows * to_row * bytes), '?');
            std::string expected = packed;
            for (index_t i = 0; i < block.rows; ++i) {
                for (index_t j = 0; j < block.columns; ++j)
                    expected.replace(
                        static_cast<std::size_t>((i * to_row + j) * bytes),
                        static_cast<std::size_t>(bytes),
                        element(zero + i * block.row_stride + j * block.column_stride, bytes));
            }
            movers->pack[0](packed.data(), from.data() + zero * bytes, &block);
            CHECK(packed == expected);
        }
    }
}

TEST_CASE("Elements are picked from a list of places and put back there, in every number") {
    for (const kernel::Movers* movers : usual) {
        const index_t bytes = movers->bytes;
        for (index_t count = 0; count < 21; ++count) {
            // Places with gaps, out of order.
            std::vector<std::int32_t> offsets;
            for (index_t i = 0; i < count; ++i)
                offsets.push_back(static_cast<std::int32_t>((i * 8 + 3) % 21 * 2));
            std::string from, expected;
            for (index_t i = 0; i < 42; ++i) from += element(i, bytes);
            for (const std::int32_t at : offsets) expected += element(at, bytes);
            std::string picked(expected.size(), '?');
            movers->pick(picked.data(), from.data(), offsets.data(), count);
            CHECK(picked == expected);

            std::string to(from.size(), '?'), put = to;
            for (const std::int32_t at : offsets)
                to.replace(static_cast<std::size_t>(at * bytes), static_cast<std::size_t>(bytes),
                           element(at, bytes));
            movers->put(put.data(), picked.data(), offsets.data(), count);
            CHECK(put == to);
        }
    }
}

TEST_CASE("Both levels of packing bring the same bytes, and unpacking brings them back") {
    for (const kernel::Movers* movers : usual) {
        const index_t bytes = movers->bytes;
        std::string from;
        for (index_t i = 0; i < 400; ++i) from += element(i, bytes);
        for (const Block& block : {Block{5, 7, 50, 1}, Block{17, 9, 1, 20}, Block{3, 33, 100, 3}}) {
            const auto length = static_cast<std::size_t>(block.rows * block.columns * bytes);
            std::string expected, packed(length, '?'), back(from.size(), '?');
            for (index_t i = 0; i < block.rows; ++i) {
                for (index_t j = 0; j < block.columns; ++j)
                    expected += element(i * block.row_stride + j * block.column_stride, bytes);
            }
            for (int level = 0; level < (kernel::isa() > 0 ? 2 : 1); ++level) {
                movers->pack[level](packed.data(), from.data(), &block);
                CHECK(packed == expected);
            }
            movers->unpack(back.data(), packed.data(), &block);
            for (std::size_t i = 0; i < back.size(); ++i)
                if (back[i] != '?' && back[i] != from[i]) FAIL("byte " << i);
            movers->pack[0](packed.data(), back.data(), &block);
            CHECK(packed == expected);
        }
    }
}

TEST_CASE("Lines in steps and backwards are read from their first element to their last") {
    for (const kernel::Movers* movers : usual) {
        const index_t bytes = movers->bytes;
        for (const index_t along : {2, 3, 4, -1, -2}) {
            for (index_t columns = 1; columns < 70; ++columns) {
                const Block block{1, columns, 0, along};
                const index_t reach = (columns - 1) * (along < 0 ? -along : along) + 1;
                // No byte more than these elements have.
                const auto size = static_cast<std::size_t>(reach * bytes);
                const std::unique_ptr<char[]> from(new char[size]);
                std::string expected, packed(static_cast<std::size_t>(columns * bytes), '?');
                for (index_t i = 0; i < reach; ++i)
                    element(i, bytes).copy(from.get() + i * bytes, static_cast<std::size_t>(bytes));
                const index_t first = along < 0 ? reach - 1 : 0;
                for (index_t j = 0; j < columns; ++j) expected += element(first + j * along, bytes);
                for (int level = 0; level < (kernel::isa() > 0 ? 2 : 1); ++level) {
                    movers->pack[level](packed.data(), from.get() + first * bytes, &block);
                    INFO(columns << " elements of " << bytes << " bytes by " << along);
                    CHECK(packed == expected);
                }
            }
        }
    }
}
