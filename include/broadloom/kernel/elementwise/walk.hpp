// Walks a plan, tile by tile: packs what has to be packed, calls the loop on flat runs, and brings
// the results of a target that is not flat to their places.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_WALK_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_WALK_HPP

#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/packing.hpp"
#include "broadloom/kernel/elementwise/stream_rows.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {
namespace detail {

/// Hands out the scratch memory to what needs a buffer, for tiles of at most `length` elements.
inline void hand_out(Walk& walk, index_t length, char* memory) {
    memory = aligned(memory);
    for (int i = 0; i < walk.plan.count; ++i) {
        Part& part = walk.parts[i];
        part.buffer = nullptr;
        part.packed_from = nullptr;
        part.offset = 0;
        part.twin = twin_of(walk, i);
        if (part.twin != 0) part.scattered = false;
        if (part.access == Access::direct || part.twin != 0) continue;
        part.buffer = memory;
        const index_t count = part.access == Access::constant ? block_length : length;
        memory += kernel::bytes_in_lines(count * walk.stream(i).bytes);
        if (!part.scattered) continue;
        part.offsets = reinterpret_cast<std::int32_t*>(memory);
        memory += kernel::bytes_in_lines(length * index_t{sizeof(std::int32_t)});
    }
}

/// How many bytes of scratch one element of a tile needs.
inline index_t scratch_per_element(const Walk& walk) {
    index_t bytes = 0;
    for (int i = 0; i < walk.plan.count; ++i) {
        const Access access = walk.parts[i].access;
        if (access == Access::packed) bytes += walk.stream(i).bytes;
        if (walk.parts[i].scattered) bytes += index_t{sizeof(std::int32_t)};
    }
    return bytes;
}
inline index_t scratch_for_constants(const Walk& walk) {
    index_t bytes = 64;
    for (int i = 0; i < walk.plan.count; ++i) {
        bytes += 128;  // room to align
        if (walk.parts[i].access == Access::constant) bytes += block_length * walk.stream(i).bytes;
    }
    return bytes;
}

/// Scratch memory: on the stack unless elements are enormous.
struct Scratch {
    static constexpr index_t bytes = 65536;
    alignas(64) char inside[bytes];
    Memory outside;

    /// The memory, and in `length` the longest tile it has room for, `wanted` at most.
    char* reserve(const Walk& walk, index_t wanted, index_t& length) {
        const index_t fixed = scratch_for_constants(walk);
        const index_t each = scratch_per_element(walk);
        length = wanted;
        if (fixed + each * wanted <= bytes) return inside;
        length = each > 0 ? (bytes - fixed) / each : wanted;
        if (length >= block_length && fixed <= bytes) return inside;
        length = wanted < block_length ? wanted : block_length;
        return outside.make(static_cast<std::size_t>(fixed + each * length));
    }
};

/// Steps an odometer over loops [0, loops); false when it is back at the start.
inline bool advance(Walk& walk, int loops, index_t* index) {
    const auto offset = [&](int i) -> index_t& { return walk.parts[i].offset; };
    for (int loop = loops - 1; loop >= 0; --loop) {
        if (step_along(walk.plan, loop, index[loop], offset)) return true;
    }
    return false;
}

/// Computes `rows` flat runs at a level of the instruction set, those too short for the loop one by
/// one.
inline void compute(const Code& code, int level, const void* formula, void* target,
                    index_t target_row, Run* runs, int operands, index_t rows, index_t length) {
    if (code.held != nullptr) {
        int bits = 0;
        for (int i = 0; i < operands; ++i) bits |= runs[i].spread != nullptr ? 1 << i : 0;
        Loop* const loop = held_loop_for(code, bits, length, Write::cached);
        if (loop != nullptr && (rows > 1 || bits != 0))
            return loop(formula, target, target_row, runs, rows, length, Write::cached);
    }
    if (length >= code.unit) {
        loop_for(code, level, length, Write::cached)(formula, target, target_row, runs, rows,
                                                     length, Write::cached);
        return;
    }
    for (int i = 0; i < operands; ++i) {
        runs[i].step = runs[i].step != 0 ? 1 : 0;
        runs[i].spread = nullptr;
    }
    const index_t strides[2] = {target_row, 1};
    code.few(formula, target, strides, runs, rows, length);
}

inline void compute(Walk& walk, void* target, index_t target_row, index_t rows, index_t length) {
    const bool streams = walk.write != Write::cached && walk.parts[0].access == Access::direct;
    if (streams && length >= walk.code.unit) {
        StreamedRows(walk, target_row, rows, length).run(static_cast<char*>(target));
        return;
    }
    compute(walk.code, walk.level, walk.formula, target, target_row, walk.runs, walk.operands(),
            rows, length);
}

/// Points the run of operand i at its data for a tile. `pack_tile` fills a buffer from a place.
template <class PackTile>
inline void prepare(Walk& walk, int i, const char* place, index_t row, index_t rows, index_t length,
                    PackTile&& pack_tile) {
    Part& part = walk.parts[i];
    Run& run = walk.runs[i - 1];
    switch (part.access) {
        case Access::direct: run = Run{place, block_length, row, nullptr}; break;
        case Access::constant: run = Run{place, 0, row, part.buffer}; break;
        case Access::packed: {
            if (part.twin != 0) {
                run = walk.runs[part.twin - 1];
                break;
            }
            // A row that repeats is packed once.
            const index_t packed_rows = row == 0 ? 1 : rows;
            // Fewer elements of one row are the first of it.
            const bool holds = part.packed_from == place &&
                               (packed_rows == 1 ? part.packed_length >= length
                                                 : part.packed_length == length &&
                                                       part.packed_rows >= packed_rows);
            if (!holds) {
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

/// How far ahead of a tile of a turned operand the next one lies, in elements: in short rows the
/// one below. 0 if there is none, or no room for it.
BROADLOOM_NOINLINE inline index_t ahead_of(const Plan& plan, int i, index_t row, index_t column,
                                           index_t height, index_t width) {
    constexpr index_t short_band = index_t{256} << 10;  // bytes
    const int inner = plan.rank - 1, outer = inner > 0 ? inner - 1 : 0;
    const Stream& s = plan.streams[i];
    const index_t along = s.strides[inner], columns = plan.extents[inner];
    if (inner == 0 || !leave_room(along * s.bytes)) return 0;
    const bool below = height * columns * s.bytes <= short_band;
    if (column + width < columns && !below) return width * along;
    if (row + height >= plan.extents[outer]) return 0;
    return height * s.strides[outer] - (below ? 0 : column * along);
}

inline void walk_rows(Walk& walk) {
    Cut cut = plan_rows(walk);
    const Plan& plan = walk.plan;
    const int inner = plan.rank - 1;
    const int outer = inner > 0 ? inner - 1 : 0;
    const index_t rows = inner > 0 ? plan.extents[outer] : 1;
    const index_t columns = plan.extents[inner];
    const auto along = [&](int i) { return plan.streams[i].strides[inner]; };
    const auto down = [&](int i) { return inner > 0 ? plan.streams[i].strides[outer] : 0; };
    const bool buffered = walk.parts[0].access != Access::direct;

    const bool calls = cut.packed > 0 && calls_turned(plan);
    const bool packs_straight = is_copy(walk, Access::packed) && !buffered &&
                                (rows == 1 || down(0) == columns) && !is_crowded(walk) &&
                                !(calls && columns * walk.stream(0).bytes > longest_turned);
    const bool copies_short = is_copy(walk, Access::direct) && !buffered && rows > 1 &&
                              are_short(columns, 1, walk.stream(0).bytes);
    Scratch scratch;
    const int in_place = packs_straight ? 0 : turned_in_place(walk);
    index_t room = 0;
    if (packs_straight || in_place != 0) {
        cut.columns = cut.span = columns;
        hand_out(walk, 0, scratch.reserve(walk, 0, room));
    } else {
        char* memory = scratch.reserve(walk, cut.packed, room);
        for (; cut.packed > room && cut.packed > cut.columns; cut.packed = cut.rows * cut.columns)
            cut.rows /= 2;
        if (cut.packed > room) cut.columns = cut.span = cut.packed = room;
        hand_out(walk, cut.packed, memory);
    }

    const auto run_tile = [&](index_t row, index_t column, index_t height, index_t width) {
        const auto block = [&](int i, index_t packed_rows) {
            const index_t ahead = calls ? ahead_of(plan, i, row, column, height, width) : 0;
            return Block{packed_rows, width, down(i), along(i), ahead};
        };
        const auto place = [&](int i) {
            return walk.stream(i).at(walk.parts[i].offset + row * down(i) + column * along(i));
        };
        char* target = const_cast<char*>(place(0));
        if (packs_straight) {
            pack(target, place(1), block(1, height), *walk.stream(1).movers);
            return;
        }
        if (copies_short) {
            const index_t bytes = walk.stream(0).bytes;
            copy_short_rows(target, place(1),
                            {width * bytes, height, 1, down(1) * bytes, down(0) * bytes});
            return;
        }
        for (int i = 1; i < plan.count; ++i) {
            if (i == in_place) {
                pack(target, place(i), block(i, height), *walk.stream(i).movers);
                walk.runs[i - 1] = Run{target, block_length, width, nullptr};
                continue;
            }
            prepare(walk, i, place(i), down(i), height, width,
                    [&](char* to, const char* from, index_t packed_rows) {
                        pack(to, from, block(i, packed_rows), *walk.stream(i).movers);
                    });
        }
        if (!buffered) {
            compute(walk, target, down(0), height, width);
            return;
        }
        char* const buffer = walk.parts[0].buffer;
        compute(walk, buffer, width, height, width);
        unpack(target, buffer, Block{height, width, down(0), along(0)}, *walk.stream(0).movers);
    };
    const auto least = [](index_t a, index_t b) { return a < b ? a : b; };
    index_t index[max_rank] = {};
    do {
        for (index_t from = 0; from < columns; from += cut.span) {
            const index_t to = least(from + cut.span, columns);
            for (index_t row = 0; row < rows; row += cut.rows) {
                const index_t height = least(cut.rows, rows - row);
                for (index_t column = from; column < to; column += cut.columns) {
                    run_tile(row, column, height, least(cut.columns, to - column));
                }
            }
        }
    } while (advance(walk, outer, index));
}

inline void walk_flat(Walk& walk) {
    Flat flat = plan_flat(walk);
    const Plan& plan = walk.plan;
    const int turns = flat.turns, loops = plan.rank - turns;
    const index_t extent = plan.extents[turns], whole = flat.whole;
    const bool buffered = walk.parts[0].access != Access::direct;

    Scratch scratch;
    index_t room = 0;
    char* memory = scratch.reserve(walk, flat.chunk * whole, room);
    if (room < flat.chunk * whole) flat.chunk = room >= whole ? room / whole : 1;
    Memory large;
    if (room < whole) {
        memory = large.make(static_cast<std::size_t>(scratch_for_constants(walk) +
                                                     scratch_per_element(walk) * whole));
    }
    hand_out(walk, flat.chunk * whole, memory);

    index_t extents[max_rank], index[max_rank] = {};
    for (int loop = turns; loop < plan.rank; ++loop) extents[loop - turns] = plan.extents[loop];
    extents[0] = flat.chunk;
    for (int i = 0; i < plan.count; ++i) {
        const Part& part = walk.parts[i];
        if (part.scattered)
            list_offsets(part.offsets, extents, walk.stream(i).strides + turns, loops);
    }
    const auto place = [&](int i, index_t turn) {
        const Stream& s = walk.stream(i);
        return s.at(walk.parts[i].offset + turn * s.strides[turns]);
    };
    // A tile that repeats often is packed once, and copied by the loop.
    const bool repeats = flat.still && flat.chunk <= extent / 4;
    const bool packs_straight = is_copy(walk, Access::packed) && !buffered && !repeats;
    do {
        for (index_t turn = 0; turn < extent;) {
            const index_t count = extent - turn < flat.chunk ? extent - turn : flat.chunk;
            // Tiles that need nothing packed anew are rows of one call.
            const index_t rows = flat.still && count == flat.chunk ? (extent - turn) / count : 1;
            const index_t length = count * whole;
            extents[0] = count;
            if (packs_straight) {
                const Stream& s = walk.stream(1);
                char* const to = const_cast<char*>(place(0, turn));
                if (walk.parts[1].scattered) {
                    s.movers->pick(to, place(1, turn), walk.parts[1].offsets, length);
                } else {
                    pack(to, place(1, turn), extents, s.strides + turns, loops, *s.movers);
                }
                turn += count;
                continue;
            }
            for (int i = 1; i < plan.count; ++i) {
                const Stream& s = walk.stream(i);
                prepare(walk, i, place(i, turn), count * s.strides[turns], 1, length,
                        [&](char* to, const char* from, index_t) {
                            const Part& part = walk.parts[i];
                            if (part.scattered) s.movers->pick(to, from, part.offsets, length);
                            else pack(to, from, extents, s.strides + turns, loops, *s.movers);
                        });
                if (walk.parts[i].access == Access::packed) walk.runs[i - 1].row = 0;
            }
            const Stream& s = walk.stream(0);
            char* target = const_cast<char*>(place(0, turn));
            void* to = buffered ? walk.parts[0].buffer : target;
            compute(walk, to, count * s.strides[turns], rows, length);
            const Part& part = walk.parts[0];
            if (part.scattered) {
                s.movers->put(target, part.buffer, part.offsets, length);
            } else if (buffered) {
                unpack(target, part.buffer, extents, s.strides + turns, loops, *s.movers);
            }
            turn += rows * count;
        }
    } while (advance(walk, turns, index));
}

/// Computes elements one by one where they lie, in blocks over the two innermost loops.
inline void walk_singly(Walk& walk) {
    const Plan& plan = walk.plan;
    const int inner = plan.rank - 1, outer = inner > 0 ? inner - 1 : 0;
    const index_t rows = inner > 0 ? plan.extents[outer] : 1;
    for (int i = 0; i < plan.count; ++i) walk.parts[i].offset = 0;
    index_t index[max_rank] = {};
    do {
        for (int i = 1; i < plan.count; ++i) {
            const Stream& s = walk.stream(i);
            walk.runs[i - 1] =
                Run{s.at(walk.parts[i].offset), s.strides[inner], s.strides[outer], nullptr};
        }
        const Stream& s = walk.stream(0);
        const index_t strides[] = {s.strides[outer], s.strides[inner]};
        walk.code.few(walk.formula, const_cast<char*>(s.at(walk.parts[0].offset)), strides,
                      walk.runs, rows, plan.extents[inner]);
    } while (advance(walk, outer, index));
}

/// Packs the only operand into the target, with all loops at once.
inline void walk_whole(const Walk& walk) {
    const Stream& from = walk.stream(1);
    pack(const_cast<char*>(walk.stream(0).data), from.data, walk.plan.extents, from.strides,
         walk.plan.rank, *from.movers);
}

}  // namespace detail

/// Runs the loop over a whole plan. `parts` and `runs` are room for one entry per stream.
inline void walk(Plan& plan, const Code& code, const void* formula, detail::Part* parts, Run* runs,
                 int level = isa(), Write write = Write::cached) {
    detail::Walk state{plan, code, formula, parts, runs, level, write};
    switch (way_of(plan, code, write)) {
        case Way::singly: detail::walk_singly(state); break;
        case Way::rows: detail::walk_rows(state); break;
        case Way::flat: detail::walk_flat(state); break;
        case Way::whole: detail::walk_whole(state); break;
    }
    if (write != Write::cached) detail::finish_streaming();
}

}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_WALK_HPP
