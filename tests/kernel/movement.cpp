// Movements by index through random layouts, against a loop over single elements.
#include "broadloom/kernel/movement.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "broadloom/scalar/operators.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;
using bl::IndexList;
using bl::Shape;
using bl::Strides;
using naive::pick;

namespace {

/// Strides of a memory of their own for a shape, dimensions in random order, some backwards.
struct Lie {
    Strides strides;
    index_t offset = 0, room = 1;
};
Lie lie(const Shape& shape, std::mt19937& engine) {
    Lie result{Strides::filled(shape.rank(), 0)};
    std::vector<index_t> order;
    for (index_t d = 0; d < shape.rank(); ++d) order.push_back(d);
    if (pick(engine, 2) == 0) {
        std::shuffle(order.begin(), order.end(), engine);
    } else {
        std::reverse(order.begin(), order.end());
    }
    index_t step = 1 + pick(engine, 2);
    for (const index_t d : order) {
        const bool backwards = pick(engine, 4) == 0;
        result.strides[d] = backwards ? -step : step;
        if (backwards) result.offset += (shape[d] - 1) * step;
        step *= shape[d];
    }
    result.room = step + 1;
    return result;
}

template <class F>
void for_each_index(const Shape& shape, F&& f) {
    IndexList at = IndexList::filled(shape.rank(), 0);
    for (index_t left = shape.size(); left > 0; --left) {
        f(at);
        for (index_t d = shape.rank() - 1; d >= 0; --d) {
            if (++at[d] < shape[d]) break;
            at[d] = 0;
        }
    }
}

/// The offset of an index in a layout in which extents of 1 stand still.
index_t place(const Shape& shape, const Lie& lie, const IndexList& at) {
    index_t offset = lie.offset;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (shape[d] != 1) offset += at[d] * lie.strides[d];
    }
    return offset;
}

template <class T, class I>
void check_movements(unsigned seed) {
    std::mt19937 engine(seed);
    for (int round = 0; round < 400; ++round) {
        const index_t rank = 1 + pick(engine, 4);
        const index_t most = rank == 1 ? 1500 : rank == 2 ? 60 : rank == 3 ? 14 : 6;
        const index_t dim = pick(engine, rank);
        IndexList walk, own, plain_extents, index_extents;
        for (index_t d = 0; d < rank; ++d) {
            walk.push_back(1 + pick(engine, most));
            own.push_back(d == dim ? 1 : walk[d]);
            plain_extents.push_back(pick(engine, 4) == 0 ? 1 : walk[d]);
            index_extents.push_back(pick(engine, 3) == 0 ? 1 : walk[d]);
        }
        const index_t extent = 1 + pick(engine, 100);
        const bool wraps = std::is_signed_v<I> && pick(engine, 2) == 0;
        const Shape shape(walk), indexed_shape(own), index_shape(index_extents);
        IndexList whole = own;
        whole[dim] = extent;
        const Shape whole_shape(whole);
        const Lie indexed = lie(whole_shape, engine), where = lie(index_shape, engine);

        std::vector<I> indices(static_cast<std::size_t>(where.room));
        for (I& i : indices) {
            i = static_cast<I>(pick(engine, extent));
            if (wraps && pick(engine, 2) == 0) i = static_cast<I>(i - extent);
        }
        const auto at_of = [&](const IndexList& at) {
            IndexList there = at;
            const auto i = static_cast<index_t>(
                indices[static_cast<std::size_t>(place(index_shape, where, at))]);
            there[dim] = i < 0 ? i + extent : i;
            index_t offset = indexed.offset;
            for (index_t d = 0; d < rank; ++d) offset += there[d] * indexed.strides[d];
            return static_cast<std::size_t>(offset);
        };
        for (const int way : {0, 1, 2}) {
            const Shape plain_shape = way == 0 ? shape : Shape(plain_extents);
            const Lie plain = way == 0 ? Lie{bl::detail::row_major(shape), 0, shape.size() + 1}
                                       : lie(plain_shape, engine);
            std::vector<T> one(static_cast<std::size_t>(indexed.room)),
                other(static_cast<std::size_t>(plain.room));
            for (T& v : one) v = static_cast<T>(pick(engine, 100));
            for (T& v : other) v = static_cast<T>(pick(engine, 100));
            std::vector<T> one_after = one, other_after = other;
            for_each_index(shape, [&](const IndexList& at) {
                T& o = one_after[at_of(at)];
                T& p = other_after[static_cast<std::size_t>(place(plain_shape, plain, at))];
                if (way == 0) p = o;
                else o = way == 1 ? p : static_cast<T>(o + p);
            });
            const auto bytes = static_cast<index_t>(sizeof(T));
            const kernel::Movement movement{
                &shape,
                kernel::Operand{one.data() + indexed.offset, &indexed_shape, &indexed.strides,
                                bytes},
                kernel::Operand{other.data() + plain.offset, &plain_shape, &plain.strides, bytes},
                kernel::Operand{indices.data() + where.offset, &index_shape, &where.strides,
                                static_cast<index_t>(sizeof(I))},
                kernel::Reach{extent, wraps ? extent : 0, indexed.strides[dim]},
                kernel::resolver<I>(),
                way == 0   ? kernel::fetch<T>()
                : way == 1 ? kernel::store<T>()
                           : kernel::combine<T, bl::scalar::add>(),
                kernel::index_kind<I>(),
                way != 0};
            REQUIRE(kernel::in_reach(movement.index, movement.reach, movement.resolve));
            REQUIRE(kernel::move_by_index(movement));
            REQUIRE(one == one_after);
            REQUIRE(other == other_after);
        }
    }
}

}  // namespace

TEST_CASE("elements move to where the index says, in order, on every instruction set") {
    for (const int level : {0, 1, 2}) {
        kernel::set_isa(level);
        check_movements<float, std::int64_t>(1);
        check_movements<std::uint8_t, std::int8_t>(2);
        check_movements<double, std::uint32_t>(3);
        check_movements<std::int16_t, std::int16_t>(4);
        check_movements<double, std::int32_t>(5);
        check_movements<float, std::uint8_t>(6);
    }
    kernel::set_isa(2);
}

TEST_CASE("an index out of reach is found wherever it is, and nothing moves before it is sought") {
    const auto test = [](auto index_type) {
        using I = decltype(index_type);
        for (const index_t size : {1, 7, 64, 65, 511, 512, 513, 1200}) {
            for (index_t at = 0; at < size; at += 1 + size / 40) {
                std::vector<I> indices(static_cast<std::size_t>(size), I(2));
                const Shape shape{size};
                const Strides strides{1};
                const kernel::Operand operand{indices.data(), &shape, &strides,
                                              static_cast<index_t>(sizeof(I))};
                const auto fits = [&](index_t extent, index_t wrap) {
                    return kernel::in_reach(operand, kernel::Reach{extent, wrap, 1},
                                            kernel::resolver<I>());
                };
                REQUIRE(fits(3, 0));
                indices[static_cast<std::size_t>(at)] = I(3);
                REQUIRE_FALSE(fits(3, 0));
                REQUIRE(fits(4, 0));
                if constexpr (std::is_signed_v<I>) {
                    indices[static_cast<std::size_t>(at)] = I(-3);
                    REQUIRE_FALSE(fits(3, 0));
                    REQUIRE(fits(3, 3));
                    indices[static_cast<std::size_t>(at)] = I(-4);
                    REQUIRE_FALSE(fits(3, 3));
                    indices[static_cast<std::size_t>(at)] = std::numeric_limits<I>::min();
                    REQUIRE_FALSE(fits(3, 3));
                }
                indices[static_cast<std::size_t>(at)] = std::numeric_limits<I>::max();
                REQUIRE_FALSE(fits(3, 3));
            }
        }
    };
    test(std::int8_t{});
    test(std::uint8_t{});
    test(std::int32_t{});
    test(std::int64_t{});
    test(std::uint64_t{});
}
