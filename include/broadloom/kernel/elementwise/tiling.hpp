// How a plan is cut into tiles, and how every operand is read over one: decided once, before the
// first element is touched, from extents and strides alone.
//
// An operand over a tile is
//   direct    its own memory is the flat run
//   constant  one element, spread over a block of 64 by the loop
//   packed    copied to a buffer in the first-level cache, once for as long as its place stays
// A tile is a block of rows of a long innermost loop, or a flat run over several short loops.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_TILING_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_TILING_HPP

#include <cstdint>

#include "broadloom/kernel/packing.hpp"
#include "broadloom/kernel/elementwise/innermost.hpp"
#include "broadloom/kernel/elementwise/streaming.hpp"

namespace broadloom::kernel {

/// The elements that one turn of the vectorised loop takes.
inline constexpr index_t block_length = 64;

/// One operand over a tile, as the loop reads it.
struct Run {
    const void* data;
    index_t step;    // elements from one block to the next
    index_t row;     // elements from one row to the next
    void* spread;    // room for block_length copies of a constant, or nullptr for a flat run
    index_t before;  // rows that come before these

    Run() = default;  // sets nothing
    BROADLOOM_INLINE Run(const void* place, index_t to_block, index_t to_row, void* room,
                         index_t rows_before = 0)
        : data(place), step(to_block), row(to_row), spread(room), before(rows_before) {}
};

/// Computes `rows` flat runs of `length` elements into a target whose rows are `target_row`
/// elements apart.
using Loop = void(const void* formula, void* target, index_t target_row, const Run* runs,
                  index_t rows, index_t length, Write write);

/// The same over any strides, target_strides[0] from row to row and [1] along one; a run's `step`
/// goes from one element to the next.
using FewLoop = void(const void* formula, void* target, const index_t* target_strides,
                     const Run* runs, index_t rows, index_t columns);

/// A loop over rows with known constants, null where there is none, and the shortest row it takes.
struct HeldLoop {
    Loop* loop;
    index_t unit;
};

/// What is compiled for an expression, its type forgotten.
struct Code {
    Forms<Loop> loop;
    FewLoop* few;
    const HeldLoop* held;  // for short rows, by the bits of the operands that are constants there
    index_t held_until;    // the first length that these do not take
    index_t unit;         // the shortest length that the loop takes, 1 if it takes no element twice
    index_t widest_from;  // elements; shorter rows take narrower vectors
    index_t steps;        // elementary operations for an element, roughly
    bool light;           // the library's own arithmetic, and little of it
    bool waits;           // for memory, where the target is large
    bool strict;          // the library's own arithmetic
    bool copies;          // the only operand is the result
    bool immediate;       // its functions are an instruction or two for a single element
    bool shares;          // its functions may be called in several threads
};

/// Results larger than the second-level cache are written faster by half-width stores.
inline constexpr index_t large_result = index_t{1} << 20;  // bytes
static_assert(large_result <= detail::least_streamed, "the widest vectors need not stream then");

/// The level for a target of so many bytes: half the width where the loop waits for memory.
inline int level_for(const Code& code, index_t bytes) noexcept {
    const int level = isa();
    return level > 1 && code.waits && bytes >= large_result ? 1 : level;
}

namespace detail {

inline constexpr index_t tile_length = 2048, tile_bytes = 8192;  // of a flat tile, at most
inline constexpr index_t still_bytes = 3072;  // packed for all tiles, at most: it stays near
inline constexpr index_t block_rows = 32;     // of a tile with something to pack, at most
inline constexpr index_t block_columns = 256, block_row_bytes = 1024;
inline constexpr index_t again_bytes = 32768;    // of a row that is packed once for all, at most
inline constexpr index_t long_row = 128;         // from here on a row is worth its own run
inline constexpr index_t row_apart = 16;         // the same where an operand has gaps between rows
inline constexpr index_t row_again = 32;         // the same where it repeats,
inline constexpr index_t row_again_bytes = 128;  // and is not shorter than this
inline constexpr index_t row_with_rest = 20;     // the same beside a constant of its own,
inline constexpr index_t rest_of_rows = 8;       // and more than a unit by as many
inline constexpr index_t longest_flat = 1024, longest_flat_bytes = 4096;  // rows in flat tiles
inline constexpr index_t long_with_constant = 320;  // bytes, of what is heavy or streamed
inline constexpr index_t widest_constant = 16;      // bytes, in a row that is taken as it lies
inline constexpr index_t row_with_gap = 16;         // the same where a target has gaps between rows
inline constexpr index_t long_span = 1 << 19;       // bytes of a row that repeats and stays near
inline constexpr index_t streamed_row = 1024;       // bytes of one that may begin within a line,
inline constexpr index_t joined_row = 256;          // and if the row before ends there

/// How an operand is read over a tile. A target is written directly, or else through a buffer.
enum class Access { direct, constant, packed };

/// What a walk keeps for every stream.
struct Part {
    Access access;
    int twin;  // an operand before this one that is packed from the same elements, or 0
    char* buffer;
    const char* packed_from;  // what the buffer holds, and how much of it
    index_t packed_rows, packed_length;
    index_t offset;         // of the odometer, in elements
    bool scattered;         // moved by a list of offsets,
    std::int32_t* offsets;  // the same for every tile
};

/// The state of one walk.
struct Walk {
    Plan& plan;
    const Code& code;
    const void* formula;
    Part* parts;  // one for every stream
    Run* runs;    // one for every operand
    int level = 0;
    Write write = Write::cached;  // a direct target

    int operands() const { return plan.count - 1; }
    const Stream& stream(int i) const { return plan.streams[i]; }
};

BROADLOOM_PLANNING_BEGIN

/// The loop over the rows of a tile. It is the longest whose neighbours in memory some operand has
/// when the innermost loop does not: the rows of a transposition. Otherwise it is the second
/// innermost, or, where that is short, the longest, if what it passes by stays in the cache until
/// its turn comes.
inline int row_loop(const Plan& plan) {
    constexpr index_t few_rows = 32, kept_bytes = index_t{1} << 17, whole_lines = 512;  // bytes
    const int inner = plan.rank - 1;
    int best = inner - 1, longest = inner - 1;
    index_t most = 1, bytes = plan.streams[0].bytes;
    bool packs = false;
    for (int loop = inner; loop >= 0; --loop) {
        const index_t extent = plan.extents[loop];
        if (bytes <= kept_bytes) bytes *= extent <= kept_bytes ? extent : kept_bytes + 1;
        if (loop < inner && extent > plan.extents[longest]) longest = loop;
    }
    for (int i = 0; i < plan.count; ++i) {
        const index_t* strides = plan.streams[i].strides;
        if (!must_pack(plan.streams[i], inner)) continue;
        packs = true;
        for (int loop = inner - 1; i > 0 && loop >= 0; --loop) {
            if (magnitude(strides[loop]) != 1 || plan.extents[loop] <= most) continue;
            best = loop;
            most = plan.extents[loop];
        }
    }
    if (packs || plan.extents[best] >= few_rows) return best;
    const bool stays =
        bytes <= kept_bytes || plan.extents[inner] >= whole_lines / plan.streams[0].bytes;
    return stays ? longest : best;
}

/// How many elements of so many bytes a flat tile has.
inline index_t elements_in_tile(index_t bytes) {
    const index_t fit = tile_bytes / bytes;
    return fit < 1 ? 1 : fit < tile_length ? fit : tile_length;
}

/// What there is to do for the rows of the innermost loop: elements of up to `bytes` are packed, of
/// rows that lie across memory, of another for every row, or of the same one again and again; or a
/// row that lies in memory repeats.
struct Packing {
    index_t bytes = 0;
    bool turns = false, anew = false, again = false;
    index_t repeats = 0;  // bytes of an element
};

/// How rows are cut: into tiles of `rows` by `columns`, all rows of a span of columns before the
/// next span. So many elements of a tile are packed.
struct Cut {
    index_t rows, columns, span, packed;
};
inline Cut cut_rows(index_t rows, index_t columns, const Packing& packing) {
    // A row that serves all others should still be in the cache when it does.
    Cut cut{rows, columns, columns, 0};
    if (packing.repeats != 0 && columns > 2 * long_span / packing.repeats)
        cut.columns = cut.span = long_span / packing.repeats;
    if (packing.bytes == 0) return cut;
    if (!packing.anew) {
        // Cut, rows would lie apart for all other operands.
        const index_t most = again_bytes / packing.bytes;
        if (cut.columns > most && most > 0) cut.columns = cut.span = most;
        cut.packed = cut.columns;
        return cut;
    }
    index_t most = elements_in_tile(packing.bytes);
    if (packing.turns) {
        // What turns should touch few rows of memory at a time, and several cache lines of each.
        const index_t fit = block_row_bytes / packing.bytes;
        most = fit < 1 ? most : fit < block_columns ? fit : block_columns;
    }
    if (cut.columns > most) {
        cut.columns = most;
        if (packing.again) cut.span = most;
    }
    const index_t tall = packing.turns ? block_rows : most / cut.columns;
    if (cut.rows > tall) cut.rows = tall;
    cut.packed = cut.rows * cut.columns;
    return cut;
}

/// True when rows are whole lines of the target, share lines with the rows around them, or are long
/// enough for a part of one at each end: a line is streamed at once, or not at all.
inline bool has_rows_of_lines(const Plan& plan) {
    const Stream& target = plan.streams[0];
    const index_t length = plan.extents[plan.rank - 1];
    if (plan.rank == 1 || length >= streamed_row / target.bytes) return true;
    const index_t bytes = length * target.bytes;
    const index_t* strides = target.strides + plan.rank - 2;
    const bool joins = bytes >= joined_row && bytes >= streaming().stored_rows;
    if (joins && strides[1] == 1 && strides[0] == length) return true;
    index_t places = bytes | static_cast<index_t>(reinterpret_cast<std::intptr_t>(target.data));
    for (int loop = 0; loop < plan.rank - 1; ++loop)
        places |= target.strides[loop] % line_bytes * target.bytes;
    return places % line_bytes == 0;
}

/// Decides on tiles that are blocks of rows of the innermost loop, for which the rows' loop goes
/// second to last.
inline Cut plan_rows(Walk& walk) {
    Plan& plan = walk.plan;
    const int inner = plan.rank - 1;
    if (inner > 0) swap_loops(plan, row_loop(plan), inner - 1);
    const index_t rows = inner > 0 ? plan.extents[inner - 1] : 1;
    Packing packing;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const index_t along = s.strides[inner], down = rows > 1 ? s.strides[inner - 1] : 0;
        Access& access = walk.parts[i].access;
        access = along == 1            ? Access::direct
                 : i > 0 && along == 0 ? Access::constant
                                       : Access::packed;
        walk.parts[i].scattered = false;
        if (access == Access::packed) {
            if (s.bytes > packing.bytes) packing.bytes = s.bytes;
            packing.turns = packing.turns || (down != 0 && magnitude(down) < magnitude(along));
            const bool again = rows > 1 && down == 0;
            packing.again = packing.again || again;
            packing.anew = packing.anew || !again;
        } else if (i > 0 && access == Access::direct) {
            if (rows > 1 && down == 0 && s.bytes > packing.repeats) packing.repeats = s.bytes;
        }
    }
    if (!has_rows_of_lines(plan)) walk.write = Write::cached;
    return cut_rows(rows, plan.extents[inner], packing);
}

/// Tiles that are flat runs: `turns` counts the loop of which a tile takes `chunk` turns, each of
/// `whole` elements; no operand is packed anew from one tile to the next if `still`.
struct Flat {
    int turns;
    index_t chunk, whole;
    bool still;
};

/// True when the loops of a tile continue each other with `step` between elements.
inline bool is_even(const Plan& plan, const Stream& s, const Flat& flat, index_t step) {
    for (int loop = plan.rank - 1; loop > flat.turns; --loop) {
        if (s.strides[loop] != step) return false;
        step *= plan.extents[loop];
    }
    return flat.chunk == 1 || s.strides[flat.turns] == step;
}

/// True when a list of the offsets of a tile's elements packs an operand better than going loop by
/// loop: the inner loops are short, and neither repeat elements nor turn rows.
inline bool is_scattered(const Plan& plan, const Stream& s, const Flat& flat) {
    constexpr index_t short_loop = 16, worth_turning = 128;
    if (s.movers == nullptr || s.movers->pick == nullptr) return false;
    index_t extents[max_rank];
    extents[0] = flat.chunk;
    index_t reach = 0, tiles = plan.extents[flat.turns] / flat.chunk;
    for (int loop = flat.turns; loop < plan.rank; ++loop) {
        if (loop > flat.turns) extents[loop - flat.turns] = plan.extents[loop];
        if (!extend_reach(reach, plan.extents[loop], s.strides[loop])) return false;
    }
    for (int loop = 0; loop < flat.turns; ++loop) tiles *= plan.extents[loop];
    // The list must serve several times.
    if (tiles < 3) return false;
    const Nest nest(extents, s.strides + flat.turns, plan.rank - flat.turns);
    if (nest.extent(0) >= short_loop) return false;
    if (nest.stride(0) == 1 && nest.extent(0) > 1) {
        // Rows are copied as such, all in one call or enough of them.
        const bool in_one = nest.rank < 3 || (nest.rank == 3 && nest.stride(1) == 0);
        if (in_one || nest.extent(0) * nest.extent(1) >= 64) return false;
    }
    if (nest.rank > 2) {
        const index_t block = nest.extent(0) * nest.extent(1), turned = magnitude(nest.stride(1));
        return block < (turned == 1 ? worth_turning : short_loop * short_loop);
    }
    return nest.extent(0) < short_loop / 2 && nest.stride(0) != 0 && nest.stride(1) != 1;
}

/// Up to so many turns of an extent: at least one, and in whole vectors, if that costs little.
inline index_t in_vectors(index_t turns, index_t extent) {
    if (turns >= extent) return extent;
    for (index_t unit = 16; unit > 1; unit /= 2) {
        if (turns >= 2 * unit) return turns - turns % unit;
    }
    return turns < 1 ? 1 : turns;
}

/// Cuts tiles that are flat runs over several short loops.
inline Flat cut_flat(const Plan& plan) {
    const index_t longest = elements_in_tile(plan.streams[0].bytes);
    int first = plan.rank - 1;
    index_t whole = plan.extents[first];
    while (first > 1 && whole * plan.extents[first - 1] <= longest) whole *= plan.extents[--first];
    Flat flat{first - 1, longest / whole, whole, true};
    const index_t extent = plan.extents[flat.turns];
    flat.chunk = in_vectors(flat.chunk, extent);
    return flat;
}

/// Decides how operands are read over such tiles.
inline Flat plan_flat(Walk& walk) {
    const Plan& plan = walk.plan;
    Flat flat = cut_flat(plan);
    index_t packed = 0;  // bytes of a turn
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        Access& access = walk.parts[i].access;
        access = is_even(plan, s, flat, 1)            ? Access::direct
                 : i > 0 && is_even(plan, s, flat, 0) ? Access::constant
                                                      : Access::packed;
        if (access == Access::packed && (i == 0 || s.strides[flat.turns] != 0)) flat.still = false;
        if (access == Access::packed) packed += s.bytes * flat.whole;
        walk.parts[i].scattered = access == Access::packed && is_scattered(plan, s, flat);
    }
    if (flat.still && flat.chunk * packed > still_bytes) {
        flat.chunk = in_vectors(still_bytes / packed, flat.chunk);
    }
    return flat;
}

BROADLOOM_PLANNING_END

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_TILING_HPP
