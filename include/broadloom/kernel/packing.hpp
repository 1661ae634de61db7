// Packing strided operands and scattering flat results, as in tile.hpp, by nests of any number of
// loops: together what lies on the same lines of memory, or by a list of offsets where that comes
// in crumbs.
#ifndef BROADLOOM_KERNEL_PACKING_HPP
#define BROADLOOM_KERNEL_PACKING_HPP

#include <cstdint>
#include <cstring>

#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/packing/nest.hpp"
#include "broadloom/kernel/parallel.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {
namespace detail {

/// Adds how far a loop goes to the reach of a list of offsets; false where they would be too large.
inline bool extend_reach(index_t& reach, index_t extent, index_t stride) {
    constexpr index_t farthest = INT32_MAX;
    const index_t step = magnitude(stride);
    if (step > farthest / extent) return false;
    reach += step * extent;
    return reach <= farthest;
}

/// Lists the offsets of the elements of a nest of loops, in order.
inline void list_offsets(std::int32_t* list, const index_t* extents, const index_t* strides,
                         int loops) {
    index_t index[max_rank] = {}, at = 0;
    for (;;) {
        for (index_t i = 0; i < extents[loops - 1]; ++i, at += strides[loops - 1]) {
            *list++ = static_cast<std::int32_t>(at);
        }
        at -= extents[loops - 1] * strides[loops - 1];
        int loop = loops - 2;
        for (; loop >= 0; --loop) {
            at += strides[loop];
            if (++index[loop] < extents[loop]) break;
            at -= extents[loop] * strides[loop];
            index[loop] = 0;
        }
        if (loop < 0) return;
    }
}

/// Some turns of a loop of a nest, and what lies inside: their elements are named by a list of
/// offsets, the same for the next turns. That is done where a mover would take but a few elements
/// at a time, as it does where short axes change places.
struct Crumbs {
    static constexpr index_t longest = 1024, short_row = 8;  // elements of a list, and of a row
    int loop = -1;  // -1 where elements come in larger pieces
    index_t turns = 1;

    Crumbs(const Nest& nest, const Together& together, const Movers& movers) {
        if (movers.pick == nullptr || together.inner >= 0) return;
        const index_t along = nest.stride(0);
        const bool backwards = along == -1 && nest.extent(0) < short_row;
        if (nest.rank == 2) choose_rows(nest);
        else if (nest.rank > 2 && (backwards || magnitude(along) > 1)) choose_loops(nest, together);
    }
    /// The same where elements are written to a nest: of two loops alone.
    Crumbs(const Nest& nest, const Movers& movers) {
        if (movers.put != nullptr && nest.rank == 2) choose_rows(nest);
    }

    /// Lists the offsets.
    void list(const Nest& nest, std::int32_t* offsets) const {
        index_t extents[max_rank] = {turns};
        for (int d = loop + 1; d < nest.rank; ++d) extents[d - loop] = nest.extents[d];
        list_offsets(offsets, extents, nest.strides + loop, nest.rank - loop);
    }
    /// Calls `f` for as many turns of the loop at a time, with how many went before and how many
    /// elements there are.
    template <class F>
    void for_each_list(const Nest& nest, F&& f) const {
        const index_t extent = nest.extents[loop], size = nest.size_of_turn(loop);
        for (index_t done = 0, count; done < extent; done += count) {
            count = turns < extent - done ? turns : extent - done;
            f(done, count * size);
        }
    }

private:
    /// Some rows of a few elements that are neither neighbours nor to be turned.
    void choose_rows(const Nest& nest) {
        constexpr index_t shortest = 64, often = 16;
        const index_t columns = nest.extent(0), rows = nest.extent(1), step = nest.stride(0);
        const index_t down = magnitude(nest.stride(1));
        if (columns >= short_row || step == 0 || step == 1 || down <= 1) return;
        index_t size = rows * columns / often, reach = 0;
        if (size < shortest) size = shortest;
        if (size > longest) size = longest;
        turns = size / columns;
        if (rows >= often / 2 * turns && extend_reach(reach, turns, down) &&
            extend_reach(reach, columns, step)) {
            loop = 0;
        }
    }
    void choose_loops(const Nest& nest, const Together& together) {
        const index_t moved = moved_at_once(nest, together);
        if (moved == 0) return;
        index_t size = 1, reach = 0;
        int at = nest.rank;
        while (at > 0 && 2 * size <= longest) {
            --at;
            turns = nest.extents[at] < longest / size ? nest.extents[at] : longest / size;
            if (!extend_reach(reach, turns, nest.strides[at])) return;
            size *= turns;
        }
        // A list for few turns takes as long as it gains, but where it gains most.
        constexpr index_t often = 4, bit = 8;
        if (size >= often * moved && (nest.size_of_turn(-1) >= often * size || moved <= bit))
            loop = at;
    }
    /// How many elements a mover takes, if they are few; 0 also where cache lines that these share
    /// would be fetched again and again.
    static index_t moved_at_once(const Nest& nest, const Together& together) {
        constexpr index_t few = 32, few_of_many = 20;  // elements
        constexpr index_t cached = 4096;               // lines
        const int outer = together.outer;
        const index_t all = outer < 0 ? nest.extent(1) : nest.extents[outer];
        const index_t moved =
            nest.extent(0) * (outer < 0 || all < together.most ? all : together.most);
        const bool many = outer >= 0 && nest.size_of_turn(outer) > cached;
        return moved < (many ? few_of_many : few) ? moved : 0;
    }
};

/// Packs a nest from `loop` on by the offsets of its crumbs.
BROADLOOM_NOINLINE inline void pack_crumbs(char* to, const char* from, const Nest& nest, int loop,
                                           const Crumbs& crumbs, const std::int32_t* offsets,
                                           const Movers& movers) {
    const index_t extent = nest.extents[loop], stride = nest.strides[loop] * movers.bytes;
    const index_t turn = nest.size_of_turn(loop) * movers.bytes;
    if (loop == crumbs.loop) {
        crumbs.for_each_list(nest, [&](index_t done, index_t size) {
            movers.pick(to + done * turn, from + done * stride, offsets, size);
        });
        return;
    }
    for (index_t i = 0; i < extent; ++i) {
        pack_crumbs(to + i * turn, from + i * stride, nest, loop + 1, crumbs, offsets, movers);
    }
}
BROADLOOM_NOINLINE inline void pack_crumbs(char* to, const char* from, const Nest& nest,
                                           const Crumbs& crumbs, const Movers& movers) {
    std::int32_t offsets[Crumbs::longest];
    crumbs.list(nest, offsets);
    pack_crumbs(to, from, nest, 0, crumbs, offsets, movers);
}

/// Writes consecutive elements to the places of a nest: block by block, of its two innermost loops,
/// or these by the offsets of their crumbs.
class Unpacking {
public:
    Unpacking(const Nest& nest, const Movers& movers)
        : nest_(nest),
          outer_(nest.rank > 2 ? nest.rank - 2 : 0),
          block_(nest.extents + outer_, nest.strides + outer_, nest.rank - outer_),
          crumbs_(block_, movers),
          movers_(movers) {
        if (crumbs_.loop >= 0) crumbs_.list(block_, offsets_);
    }
    /// The loops from one on.
    void run(char* to, const char* from, int loop = 0) const {
        if (loop == outer_) return run_block(to, from);
        const index_t bytes = movers_.bytes, stride = nest_.strides[loop] * bytes;
        const index_t turn = nest_.size_of_turn(loop) * bytes;
        for (index_t i = 0; i < nest_.extents[loop]; ++i)
            run(to + i * stride, from + i * turn, loop + 1);
    }

private:
    void run_block(char* to, const char* from) const {
        if (crumbs_.loop < 0) {
            unpack(to, from,
                   Block{block_.extent(1), block_.extent(0), block_.stride(1), block_.stride(0)},
                   movers_);
            return;
        }
        const index_t stride = block_.strides[crumbs_.loop] * movers_.bytes;
        const index_t turn = block_.size_of_turn(crumbs_.loop) * movers_.bytes;
        crumbs_.for_each_list(block_, [&](index_t done, index_t size) {
            movers_.put(to + done * stride, from + done * turn, offsets_, size);
        });
    }

    const Nest& nest_;
    int outer_;
    Nest block_;
    Crumbs crumbs_;
    const Movers& movers_;
    std::int32_t offsets_[Crumbs::longest];
};

}  // namespace detail

/// Packs a nest of loops, outermost first, into consecutive elements.
BROADLOOM_NOINLINE inline void pack(char* to, const char* from, const index_t* extents,
                                    const index_t* strides, int rank, const Movers& movers) {
    const Nest nest(extents, strides, rank);
    if (nest.rank > 1 && nest.strides[0] == 0) {
        pack(to, from, nest.extents + 1, nest.strides + 1, nest.rank - 1, movers);
        const index_t turn = nest.size_of_turn(0) * movers.bytes;
        detail::replicate(to, turn, nest.extents[0] * turn);
        return;
    }
    const detail::Together together(nest, movers.bytes);
    const detail::Crumbs crumbs(nest, together, movers);
    if (crumbs.loop >= 0) detail::pack_crumbs(to, from, nest, crumbs, movers);
    else detail::pack_nest(to, from, nest, 0, together, movers);
}

/// Writes consecutive elements to the places of a nest of loops, outermost first.
BROADLOOM_NOINLINE inline void unpack(char* to, const char* from, const index_t* extents,
                                      const index_t* strides, int rank, const Movers& movers) {
    const Nest nest(extents, strides, rank);
    detail::Unpacking(nest, movers).run(to, from);
}

/// Writes `size` elements of each of some parts side by side, one of every part in turn: pieces of
/// all are put one behind the other first, where the second-level cache holds them, and then
/// turned. Throws std::bad_alloc.
BROADLOOM_NOINLINE inline void weave(char* to, const char* const* parts, index_t count,
                                     index_t size, const Movers& movers) {
    constexpr index_t cached = index_t{1} << 17, least = 64;
    const index_t bytes = movers.bytes, most = cached / (count * bytes);
    const index_t piece = most < least ? least : most - most % least;
    share_out(
        threads_for(size * count), size,
        [&](index_t first, index_t last) {
            const index_t longest = last - first < piece ? last - first : piece;
            const index_t strides[] = {1, longest};
            const Buffer room(longest * count, static_cast<std::size_t>(bytes));
            char* const lines = static_cast<char*>(room.memory());
            for (index_t i = first; i < last; i += piece) {
                const index_t extents[] = {last - i < piece ? last - i : piece, count};
                for (index_t part = 0; part < count; ++part) {
                    std::memcpy(lines + part * longest * bytes, parts[part] + i * bytes,
                                static_cast<std::size_t>(extents[0] * bytes));
                }
                pack(to + i * count * bytes, lines, extents, strides, 2, movers);
            }
        },
        piece);
}

}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_PACKING_HPP
