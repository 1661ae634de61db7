#include "broadloom/kernel/packing/nest.hpp"

#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, broadloom::IndexList, broadloom::Shape, broadloom::Strides;
using naive::Random;
using packed::element_sizes;
using settings::Restore;

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
        packed::check(shape.extents(), strides, *element_sizes[random(0, 7)], false);
    }
    SUCCEED();
}

TEST_CASE("Rows that repeat within a nest are packed to the byte") {
    for (const kernel::Movers* element : element_sizes) {
        for (index_t columns = 1; columns <= 110; ++columns) {
            for (const index_t times : {2, 3}) {
                const IndexList extents{3, times, columns};
                packed::check(extents, {columns, 0, 1}, *element, false);
                packed::check(extents, {-columns - 1, 0, 1}, *element, false);
                packed::check(extents, {1, 0, 1}, *element, false);
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
                    packed::check(extents, {row, turns * row, 1}, *element, false);
                    packed::check(extents, {-row - 1, turns * (row + 1), 1}, *element, false);
                    packed::check(extents, {few * (row + 2), -row - 2, 1}, *element, false);
                    packed::check(extents, {0, row, 1}, *element, false);
                    packed::check(extents, {1, 3, 1}, *element, false);  // rows share elements
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Lines that displace each other, or have few columns, are packed to the byte") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        const index_t crowded = 4096 / element->bytes;
        for (const index_t lines : {1, 3, 17, 67}) {
            for (const index_t columns : {1, 2, 3, 4, 5, 20}) {
                for (const index_t rows : {16, 33}) {
                    kernel::set_isa(level++ % 3);
                    const index_t all = lines * rows * columns;
                    const auto check = [&](const IndexList& extents, const Strides& strides) {
                        packed::check(extents, strides, *element, false);
                    };
                    check({lines, rows, columns}, {1, lines, lines * rows});
                    check({lines, rows, columns}, {-1, lines * columns, lines});
                    check({lines, rows, columns}, {1, 0, lines});  // rows repeat
                    check({lines, rows, columns}, {1, 1, lines});  // and share elements
                    check({lines, rows, columns}, {1, -2, -7});
                    check({2, lines, rows, columns}, {all, 1, lines, -lines * rows});
                }
                const index_t rows = crowded / columns;
                packed::check({lines, rows, columns}, {1, lines, lines * rows}, *element, false);
            }
            packed::check({lines, crowded / 2}, {1, lines + 1}, *element, false);
            packed::check({lines, 3, crowded}, {-1, lines * crowded, lines}, *element, false);
            packed::check({lines, crowded / 2, 2, 3}, {1, 6 * lines, 3 * lines, -lines}, *element,
                          false);
        }
        for (const index_t columns : {3, 129}) {
            packed::check({300, columns, 2}, {1, 300, 300 * columns}, *element, false);
        }
        packed::check({300, crowded / 2}, {1, 301}, *element, false);
    }
    SUCCEED();
}

TEST_CASE("Grains of a few elements are packed to the byte, wherever they come to lie") {
    const Restore restore;
    int level = 0;
    for (const kernel::Movers* element : element_sizes) {
        for (const index_t grain : {2, 3, 4, 7, 16}) {
            for (const index_t grains : {3, 33}) {
                for (const index_t rest : {1, 4, 8, 33}) {
                    kernel::set_isa(level++ % 3);
                    const index_t run = grain * grains, all = run * rest;
                    const auto check = [&](const IndexList& extents, const Strides& strides) {
                        packed::check(extents, strides, *element, false);
                    };
                    check({grain, grains, rest}, {1, grain, run});
                    check({grains, grain, rest}, {grain, 1, -run - 2});
                    check({grain, grains, rest, 2}, {1, grain, run, all});
                    check({grain, 2, grains, rest}, {1, all, grain, run});
                    check({2, grains, 3, grain, rest}, {3 * all + 5, grain, all, 1, run});
                    check({grains, grain, rest, 9}, {grain, 1, 9 * run, run});
                    check({grains, 3, grain, rest}, {grain, 0, 1, run});
                    check({grains, grain, rest, 3}, {grain, 1, 0, run});
                }
            }
        }
    }
    SUCCEED();
}
