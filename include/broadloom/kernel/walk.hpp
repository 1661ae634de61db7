// Walks a plan: decides how the loop nest is cut into tiles, which operands the loop may read
// where they lie, and which are constant or packed first; then calls the loop on flat runs.
//
// An operand over a tile is
//   direct    its own memory is the flat run
//   constant  one element, spread over a block of 64 by the loop
//   packed    copied to a buffer in the first-level cache, once for as long as its place stays
// A tile is either a block of rows of the innermost loop, where that is long, or a flat run over
// several short loops. A target that is not flat gets its tiles scattered from a buffer.
#ifndef BROADLOOM_KERNEL_WALK_HPP
#define BROADLOOM_KERNEL_WALK_HPP

#include <memory>

#include "broadloom/kernel/plan.hpp"
#include "broadloom/kernel/tile.hpp"

namespace broadloom::kernel {

/// The elements that one turn of the vectorised loop takes.
inline constexpr index_t block_length = 64;

/// One operand over a tile, as the loop reads it.
struct Run {
    const void* data;
    index_t step;  // elements from one block to the next
    index_t row;   // elements from one row to the next
    void* spread;  // room for block_length copies of a constant, or nullptr for a flat run
};

/// Computes `rows` flat runs of `length` elements into a target whose rows are `target_row`
/// elements apart.
using Loop = void(const void* expression, void* target, index_t target_row, const Run* runs,
                  index_t rows, index_t length);

namespace detail {

inline constexpr index_t tile_length = 2048;    // elements in a flat tile
inline constexpr index_t long_row = 128;        // from here on a row is worth its own run
inline constexpr index_t scratch_bytes = 65536;

enum class Access { direct, constant, packed };

/// What a walk keeps for every stream.
struct Part {
    Access access;
    char* buffer;
    const char* packed_from;  // what the buffer holds, and how much of it
    index_t packed_rows, packed_length;
    index_t offset;  // of the odometer, in elements
};

/// The state of one walk.
struct Walk {
    Plan& plan;
    Loop* loop;
    const void* expression;
    Part* parts;  // one for every stream
    Run* runs;    // one for every operand

    int operands() const { return plan.count - 1; }
    const Stream& stream(int i) const { return plan.streams[i]; }
};

/// Hands out the scratch memory to what needs a buffer, for tiles of at most `length` elements.
inline void hand_out(Walk& walk, index_t length, char* memory) {
    memory += (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
    for (int i = 0; i < walk.plan.count; ++i) {
        Part& part = walk.parts[i];
        part.buffer = nullptr;
        part.packed_from = nullptr;
        part.offset = 0;
        if (part.access == Access::direct) continue;
        part.buffer = memory;
        const index_t count = part.access == Access::constant ? block_length : length;
        memory += (count * walk.stream(i).bytes + 63) / 64 * 64;
    }
}

/// How many bytes of scratch one element of a tile needs.
inline index_t scratch_per_element(const Walk& walk) {
    index_t bytes = 0;
    for (int i = 0; i < walk.plan.count; ++i) {
        if (walk.parts[i].access == Access::packed) bytes += walk.stream(i).bytes;
    }
    return bytes;
}
inline index_t scratch_for_constants(const Walk& walk) {
    index_t bytes = 64;
    for (int i = 0; i < walk.plan.count; ++i) {
        bytes += 64;  // room to align
        if (walk.parts[i].access == Access::constant) bytes += block_length * walk.stream(i).bytes;
    }
    return bytes;
}

/// Scratch memory: on the stack unless elements are enormous.
struct Scratch {
    alignas(64) char inside[scratch_bytes];
    std::unique_ptr<char[]> outside;

    /// The memory, and in `length` the longest tile it has room for, `wanted` at most.
    char* reserve(const Walk& walk, index_t wanted, index_t& length) {
        const index_t fixed = scratch_for_constants(walk);
        const index_t each = scratch_per_element(walk);
        length = wanted;
        if (fixed + each * wanted <= scratch_bytes) return inside;
        length = each > 0 ? (scratch_bytes - fixed) / each : wanted;
        if (length >= block_length) return inside;
        length = wanted < block_length ? wanted : block_length;
        outside.reset(new char[static_cast<std::size_t>(fixed + each * length)]);
        return outside.get();
    }
};

/// Steps an odometer over loops [0, loops); false when it is back at the start.
inline bool advance(Walk& walk, int loops, index_t* index) {
    const Plan& plan = walk.plan;
    for (int loop = loops - 1; loop >= 0; --loop) {
        if (++index[loop] < plan.extents[loop]) {
            for (int i = 0; i < plan.count; ++i) {
                walk.parts[i].offset += plan.streams[i].strides[loop];
            }
            return true;
        }
        index[loop] = 0;
        for (int i = 0; i < plan.count; ++i) {
            walk.parts[i].offset -= (plan.extents[loop] - 1) * plan.streams[i].strides[loop];
        }
    }
    return false;
}

/// Points the run of operand i at its data for a tile. `pack_tile` fills a buffer from a place.
template <class PackTile>
inline void prepare(Walk& walk, int i, const char* place, index_t row, index_t rows,
                    index_t length, PackTile&& pack_tile) {
    Part& part = walk.parts[i];
    Run& run = walk.runs[i - 1];
    switch (part.access) {
        case Access::direct: run = Run{place, block_length, row, nullptr}; break;
        case Access::constant: run = Run{place, 0, row, part.buffer}; break;
        case Access::packed: {
            // A row that repeats is packed once.
            const index_t packed_rows = row == 0 ? 1 : rows;
            if (part.packed_from != place || part.packed_rows < packed_rows ||
                part.packed_length != length) {
                pack_tile(part.buffer, place, packed_rows);
                part.packed_from = place;
                part.packed_rows = packed_rows;
                part.packed_length = length;
            }
            run = Run{part.buffer, block_length, row == 0 ? 0 : length, nullptr};
            break;
        }
    }
}

/// The loop whose neighbours in memory some operand has, when the innermost one does not: the
/// rows of a transposition. Otherwise the second innermost loop.
inline int row_loop(const Plan& plan) {
    const int inner = plan.rank - 1;
    for (int i = 1; i < plan.count; ++i) {
        const index_t* strides = plan.streams[i].strides;
        if (strides[inner] == 0 || strides[inner] == 1) continue;
        for (int loop = inner - 1; loop >= 0; --loop) {
            if (strides[loop] == 1) return loop;
        }
    }
    return inner - 1;
}

/// Tiles that are blocks of rows of the innermost loop.
inline void walk_rows(Walk& walk) {
    // The rows' loop goes second to last, so that the others are the odometer.
    Plan& plan = walk.plan;
    const int inner = plan.rank - 1;
    const int outer = inner > 0 ? inner - 1 : 0;
    if (inner > 0) swap_loops(plan, row_loop(plan), outer);
    const index_t rows = inner > 0 ? plan.extents[outer] : 1;
    const index_t columns = plan.extents[inner];

    bool packs = false, repeats = false;
    for (int i = 0; i < plan.count; ++i) {
        const index_t along = plan.streams[i].strides[inner];
        const bool fresh = i > 0 && along == 0;
        walk.parts[i].access = along == 1 ? Access::direct
                               : fresh    ? Access::constant
                                          : Access::packed;
        packs = packs || walk.parts[i].access == Access::packed;
        repeats = repeats || (i > 0 && along != 0 && inner > 0 &&
                              plan.streams[i].strides[outer] == 0);
    }
    // Without packing a run may be as long as the row, but a row that serves again should still
    // be in the cache then.
    index_t most_columns = columns, most_rows = rows;
    if (packs) {
        most_columns = columns < 256 ? columns : 256;
        most_rows = rows < 16 ? rows : 16;
        if (rows == 1) most_columns = columns < tile_length ? columns : tile_length;
    } else if (repeats && columns > 16384) {
        most_columns = 8192;
    }
    Scratch scratch;
    index_t room = 0;
    char* memory = scratch.reserve(walk, packs ? most_columns * most_rows : 0, room);
    if (packs) {
        while (most_rows > 1 && most_rows * most_columns > room) most_rows /= 2;
        if (most_columns > room) most_columns = room;
    }
    hand_out(walk, most_rows * most_columns, memory);
    const bool scatters = walk.parts[0].access == Access::packed;

    index_t index[max_rank] = {};
    const auto stride = [&](int i, int loop) { return inner > 0 ? plan.streams[i].strides[loop] : 0; };
    do {
        for (index_t row = 0; row < rows; row += most_rows) {
            const index_t height = rows - row < most_rows ? rows - row : most_rows;
            for (index_t column = 0; column < columns; column += most_columns) {
                const index_t width =
                    columns - column < most_columns ? columns - column : most_columns;
                const auto place = [&](int i) {
                    const Stream& s = plan.streams[i];
                    return s.at(walk.parts[i].offset + row * stride(i, outer) + column * s.strides[inner]);
                };
                for (int i = 1; i < plan.count; ++i) {
                    const Stream& s = plan.streams[i];
                    prepare(walk, i, place(i), stride(i, outer), height, width,
                            [&](char* to, const char* from, index_t packed_rows) {
                                pack(to, from,
                                     Block{packed_rows, width, stride(i, outer), s.strides[inner]},
                                     s.bytes);
                            });
                }
                char* target = const_cast<char*>(place(0));
                if (scatters) {
                    walk.loop(walk.expression, walk.parts[0].buffer, width, walk.runs, height,
                              width);
                    unpack(target, walk.parts[0].buffer,
                           Block{height, width, stride(0, outer), plan.streams[0].strides[inner]},
                           plan.streams[0].bytes);
                } else {
                    walk.loop(walk.expression, target, stride(0, outer), walk.runs, height, width);
                }
            }
        }
    } while (advance(walk, outer, index));
}

/// Tiles that are flat runs over several short loops.
inline void walk_flat(Walk& walk) {
    const Plan& plan = walk.plan;
    const int inner = plan.rank - 1;
    // The loops from `first` on make a tile, with `chunk` turns of the loop before it.
    int first = inner;
    index_t whole = plan.extents[inner];
    while (first > 1 && whole * plan.extents[first - 1] <= tile_length) {
        whole *= plan.extents[--first];
    }
    const int turns = first - 1;  // the loop that is cut into chunks
    const index_t extent = plan.extents[turns];
    index_t chunk = tile_length / whole;
    if (chunk < 1) chunk = 1;
    if (chunk > extent) chunk = extent;
    // Whole vectors, if that costs little.
    for (index_t unit = 16; unit > 1; unit /= 2) {
        if (chunk >= 2 * unit && chunk < extent) {
            chunk -= chunk % unit;
            break;
        }
    }

    const auto even = [&](const Stream& s, index_t factor) {
        // Every loop of the tile continues the one inside it.
        index_t step = factor;
        for (int loop = inner; loop >= first; --loop) {
            if (s.strides[loop] != step) return false;
            step *= plan.extents[loop];
        }
        return chunk == 1 || s.strides[turns] == step;
    };
    bool packs_anew = false;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const bool constant = i > 0 && even(s, 0);
        walk.parts[i].access = even(s, 1)   ? Access::direct
                               : constant ? Access::constant
                                          : Access::packed;
        packs_anew = packs_anew || (walk.parts[i].access == Access::packed &&
                                    (i == 0 || s.strides[turns] != 0));
    }
    Scratch scratch;
    index_t room = 0;
    char* memory = scratch.reserve(walk, chunk * whole, room);
    if (room < chunk * whole && room >= whole) chunk = room / whole;
    std::unique_ptr<char[]> large;
    if (room < whole) {
        chunk = 1;
        large.reset(new char[static_cast<std::size_t>(scratch_for_constants(walk) +
                                                      scratch_per_element(walk) * whole)]);
        memory = large.get();
    }
    hand_out(walk, chunk * whole, memory);
    const bool scatters = walk.parts[0].access == Access::packed;

    index_t extents[max_rank], index[max_rank] = {};
    for (int loop = turns; loop <= inner; ++loop) extents[loop - turns] = plan.extents[loop];
    do {
        for (index_t turn = 0; turn < extent;) {
            index_t count = extent - turn < chunk ? extent - turn : chunk;
            // Tiles that need nothing packed anew are rows of one call.
            index_t rows = 1;
            if (!packs_anew && count == chunk) rows = (extent - turn) / chunk;
            extents[0] = count;
            const index_t length = count * whole;
            for (int i = 1; i < plan.count; ++i) {
                const Stream& s = plan.streams[i];
                prepare(walk, i, s.at(walk.parts[i].offset + turn * s.strides[turns]),
                        count * s.strides[turns], 1, length,
                        [&](char* to, const char* from, index_t) {
                            pack(to, from, extents, s.strides + turns, inner - turns + 1, s.bytes);
                        });
                if (walk.parts[i].access == Access::packed) walk.runs[i - 1].row = 0;
            }
            const Stream& s = plan.streams[0];
            char* target = const_cast<char*>(s.at(walk.parts[0].offset + turn * s.strides[turns]));
            if (scatters) {
                walk.loop(walk.expression, walk.parts[0].buffer, length, walk.runs, 1, length);
                unpack(target, walk.parts[0].buffer, extents, s.strides + turns,
                       inner - turns + 1, s.bytes);
            } else {
                walk.loop(walk.expression, target, count * s.strides[turns], walk.runs, rows, length);
            }
            turn += rows * count;
        }
    } while (advance(walk, turns, index));
}

}  // namespace detail

/// Runs the loop over a whole plan. `parts` and `runs` are room for one entry per stream.
inline void walk(Plan& plan, Loop* loop, const void* expression, detail::Part* parts,
                 Run* runs) {
    detail::Walk state{plan, loop, expression, parts, runs};
    if (plan.rank == 1 || plan.extents[plan.rank - 1] >= detail::long_row) {
        detail::walk_rows(state);
    } else {
        detail::walk_flat(state);
    }
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_WALK_HPP
