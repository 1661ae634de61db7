#include "broadloom/kernel/packing.hpp"

#include <cstddef>
#include <vector>

#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, broadloom::IndexList, broadloom::Strides;
using naive::Random;
using packed::element_sizes;
using settings::Restore;

namespace {

kernel::detail::Crumbs crumbs_of(const IndexList& extents, const Strides& strides,
                                 const kernel::Movers& movers = kernel::movers_of<4>) {
    const kernel::Nest nest(extents.begin(), strides.begin(), static_cast<int>(extents.rank()));
    return {nest, kernel::detail::Together(nest, movers.bytes), movers};
}

}  // namespace

TEST_CASE("Short axes that change places are moved by offsets") {
    // (64, 2, 64, 2) with its last and second axis exchanged: a mover would take 2 by 2.
    const auto crumbs = crumbs_of({64, 2, 64, 2}, {256, 1, 2, 128});
    CHECK(crumbs.loop == 0);
    CHECK(crumbs.turns == 4);
    // Of many turns of an inner loop as many as a list holds.
    CHECK(crumbs_of({2, 1000, 7, 2}, {1, 28, 2, 14}).loop == 1);
    CHECK(crumbs_of({2, 1000, 7, 2}, {1, 28, 2, 14}).turns == 73);
    // So are pieces of a few elements backwards.
    CHECK(crumbs_of({16, 30, 2, 4}, {240, -8, 4, -1}).loop == 0);
    CHECK(crumbs_of({16, 30, 2, 8}, {480, -16, 8, -1}).loop < 0);
}

TEST_CASE("What movers take in larger pieces is not listed") {
    CHECK(crumbs_of({64, 64, 64}, {1, 4096, 64}).loop < 0);  // squares
    CHECK(crumbs_of({64, 8, 512, 2}, {1, 64, 512, 262144}).loop < 0);
    CHECK(crumbs_of({100, 3, 7}, {21, 7, 1}).loop < 0);                       // rows
    CHECK(crumbs_of({100, 2, 3}, {6, 1, 2}, kernel::movers_of<3>).loop < 0);  // no code for these
    if constexpr (sizeof(index_t) == 8) {
        const index_t far = index_t{1} << 31;
        CHECK(crumbs_of({64, 2, 64, 2}, {256, 1, 2, far}).loop < 0);
        CHECK(crumbs_of({64, 2, 64, 2}, {far / 4, 1, 2, 128}).loop < 0);
        CHECK(crumbs_of({1000, 3}, {far, 2}).loop < 0);
    }
}

TEST_CASE("Short axes in any order are packed to the byte") {
    const Restore restore;
    Random random(5);
    for (int round = 0; round < 1500; ++round) {
        kernel::set_isa(static_cast<int>(random(0, 2)));
        const index_t rank = random(3, 5);
        IndexList extents, strides, order;
        for (index_t d = 0; d < rank; ++d) {
            extents.push_back(random(0, 3) == 0 ? random(20, 90) : random(2, 4));
            strides.push_back(0);
            order.push_back(d);
        }
        for (index_t d = rank - 1; d > 0; --d) {
            const index_t other = random(0, d), place = order[d];
            order[d] = order[other];
            order[other] = place;
        }
        index_t step = random(1, 2);
        for (index_t d = 0; d < rank; ++d) {
            strides[order[d]] = random(0, 4) == 0 ? -step : step;
            step *= extents[order[d]];
        }
        if (step > 60000) continue;
        packed::check(extents, strides, *element_sizes[random(0, 7)], false);
    }
    SUCCEED();
}

TEST_CASE("Many rows of a few elements, neither neighbours nor turned, are moved by offsets") {
    CHECK(crumbs_of({1000, 2}, {2, -1}).loop == 0);  // a flip of coordinates
    CHECK(crumbs_of({1000, 3}, {7, 2}).loop == 0);
    CHECK(crumbs_of({1000, 3}, {7, 2}).turns == 62);
    CHECK(crumbs_of({1000, 3}, {3, 1}).loop < 0);     // rows
    CHECK(crumbs_of({1000, 3}, {1, 1000}).loop < 0);  // a transposition
    CHECK(crumbs_of({1000, 3}, {1, 0}).loop < 0);
    CHECK(crumbs_of({1000, 3}, {0, 2}).loop < 0);
    CHECK(crumbs_of({1000, 9}, {19, 2}).loop < 0);
    CHECK(crumbs_of({100, 3}, {7, 2}).loop < 0);  // a list would take as long as it gains
    CHECK(crumbs_of({1000, 3}, {7, 2}, kernel::movers_of<3>).loop < 0);
}

TEST_CASE("Rows of a few elements are packed and written to the byte") {
    const Restore restore;
    for (const index_t columns : {2, 3, 5, 7}) {
        for (const index_t rows : {1, 40, 300, 301, 2000}) {
            for (const index_t step : {2, 3, -1, -2}) {
                for (int size = 0; size < 8; ++size) {
                    kernel::set_isa(size % 3);
                    const index_t row = columns * (step < 0 ? -step : step) + 1;
                    packed::check({rows, columns}, {row, step}, *element_sizes[size], false);
                    packed::check({rows, columns}, {-row, step}, *element_sizes[size], true);
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Parts are woven to the byte") {
    const Restore restore;
    int round = 0;
    for (const index_t count : {1, 2, 3, 5, 8, 700}) {
        for (const index_t size : {0, 1, 63, 1000, 70000}) {
            if (count * size > 700000) continue;
            for (const kernel::Movers* movers : element_sizes) {
                kernel::set_isa(round % 3);
                broadloom::set_num_threads(1 + 2 * (++round % 2));
                const auto bytes = static_cast<std::size_t>(movers->bytes);
                const std::size_t length = static_cast<std::size_t>(size) * bytes;
                std::vector<std::vector<char>> parts;
                std::vector<const char*> places;
                for (index_t part = 0; part < count; ++part) {
                    parts.emplace_back(length);
                    for (std::size_t i = 0; i < length; ++i)
                        parts.back()[i] =
                            static_cast<char>(i * 7 + i / 251) ^ static_cast<char>(part);
                    places.push_back(parts.back().data());
                }
                std::vector<char> woven(length * parts.size());
                kernel::weave(woven.data(), places.data(), count, size, *movers);
                bool same = true;
                std::size_t at = 0;
                for (std::size_t i = 0; i < length; i += bytes) {
                    for (const std::vector<char>& part : parts) {
                        for (std::size_t k = 0; k < bytes; ++k)
                            same = same && woven[at++] == part[i + k];
                    }
                }
                REQUIRE(same);
            }
        }
    }
}
