// Which way a plan is walked: in tiles of rows, in tiles that are flat runs, one by one, or packed
// as a whole; what is packed straight into the target; and which loop computes a row.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_WAY_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_WAY_HPP

#include "broadloom/kernel/elementwise/formula.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {

namespace detail {

/// The loop for rows of one unit or more at a level. AVX2 streams as fast as wider vectors do.
inline Loop* loop_for(const Code& code, int level, index_t length, Write write) noexcept {
    const bool narrow = length < code.widest_from || (code.light && write != Write::cached);
    return code.loop.level[level > 1 && narrow ? 1 : level];
}
/// The one for short rows of which some operands, told by bits, are constants; null if there is
/// none. Where the machine has wider vectors it is not for long rows, even if a large result is
/// computed at half the width: from memory the loop for all rows takes two thirds of the time.
inline Loop* held_loop_for(const Code& code, int bits, index_t length, Write write) noexcept {
    const int level = isa();
    if (code.held == nullptr || write != Write::cached || (BROADLOOM_X86 && level == 0) ||
        length >= code.held_until || (level > 1 && length >= code.widest_from))
        return nullptr;
    const HeldLoop& held = code.held[bits];
    return length >= held.unit ? held.loop : nullptr;
}

/// True for rows of which the last unit, which overlaps the one before it, adds little.
inline bool fills_units(index_t columns, index_t unit) {
    const index_t units = (columns - 1) / unit + 1;
    return 4 * units * unit <= 5 * columns;
}

/// True for rows of whole units, or of so many more elements than one that their rest costs little.
inline bool are_whole(const Code& code, index_t columns) {
    return columns >= code.unit &&
           (columns % code.unit == 0 ||
            (columns >= row_with_rest && columns >= code.unit + rest_of_rows));
}

/// True for an operand that flat tiles pack, anew and again.
inline bool is_packed_anew(const Plan& plan, const Stream& s, const Flat& flat) {
    if (is_even(plan, s, flat, 1) || is_even(plan, s, flat, 0)) return false;
    for (int loop = 0; loop <= flat.turns; ++loop) {
        if (s.strides[loop] != 0) return true;
    }
    return false;
}

/// True where flat tiles pack nothing but once for all, to serve at least so many of them.
inline bool packs_once(const Plan& plan, index_t tiles = 1) {
    const Flat flat = cut_flat(plan);
    tiles *= flat.chunk;
    for (int loop = flat.turns; loop >= 0 && tiles > 1; --loop)
        tiles = (tiles - 1) / plan.extents[loop] + 1;
    if (tiles > 1) return false;
    for (int i = 1; i < plan.count; ++i) {
        if (is_packed_anew(plan, plan.streams[i], flat)) return false;
    }
    return true;
}

/// True when rows have constants of their own, which would be packed anew for every flat tile;
/// they are whole, and nothing must be packed by rows.
inline bool has_rows_of_constants(const Plan& plan, const Code& code, Write write) {
    const index_t rows = plan.extents[plan.rank - 2], columns = plan.extents[plan.rank - 1];
    if (plan.rank > 2 && rows * columns <= elements_in_tile(plan.streams[0].bytes)) return false;
    if (!are_whole(code, columns)) return false;
    const index_t least = code.light && write == Write::cached ? 0 : long_with_constant;
    bool constant = false;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const index_t down = s.strides[plan.rank - 2], along = s.strides[plan.rank - 1];
        if (along != 1 && (i == 0 || along != 0)) return false;
        constant = constant || (along == 0 && down != 0 && s.bytes <= widest_constant &&
                                columns * s.bytes >= least);
    }
    return constant;
}

/// True for rows that lie as they are computed, or are constants, which have a loop of their own:
/// enough of them for a call, or many where flat tiles would pack what they need once for all.
inline bool has_held_rows(const Plan& plan, const Code& code, Write write) {
    constexpr index_t enough = 512, many = 2048;  // elements
    constexpr index_t most_tiles = 4;             // that repay what is packed, unless it is a row
    if (code.held == nullptr) return false;
    const index_t rows = plan.extents[row_loop(plan)], columns = plan.extents[plan.rank - 1];
    if (plan.rank > 2 && rows * columns < enough) return false;
    int bits = 0;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const index_t along = s.strides[plan.rank - 1];
        if (along != 1 && (i == 0 || along != 0 || s.bytes > widest_constant)) return false;
        if (along == 0) bits |= 1 << (i - 1);
    }
    if (held_loop_for(code, bits, columns, write) == nullptr) return false;
    const index_t unit = code.held[bits].unit;
    if (bits == 0 && (columns < 2 * unit || !fills_units(columns, unit) ||
                      columns >= streamed_row / plan.streams[0].bytes)) {
        return false;
    }
    const bool few = plan.rank > 2 && rows * columns < many;
    return !(few && packs_once(plan, bits == 0 ? 1 : most_tiles));
}

/// True for rows, not too long, that flat tiles read as they lie or pack once for all; or that go
/// backwards or in steps, must be packed in any case, and are not turned.
inline bool suits_flat(const Plan& plan) {
    const int inner = plan.rank - 1;
    const index_t columns = plan.extents[inner];
    if (columns >= longest_flat || columns * plan.streams[0].bytes >= longest_flat_bytes)
        return false;
    bool packs = false;
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (must_pack(s, inner)) {
            packs = true;
            for (int loop = 0; loop < inner; ++loop) {
                if (s.strides[loop] == 1 || s.strides[loop] == -1) return false;
            }
        }
    }
    return packs || packs_once(plan);
}

/// True where rows of operands lie as they are computed, but apart, and blocks have several: flat
/// tiles would pack them anew and again.
inline bool has_rows_apart(const Plan& plan, const Code& code) {
    constexpr index_t fewest = 8;
    const int inner = plan.rank - 1;
    const index_t columns = plan.extents[inner];
    const index_t least = code.steps < heavy ? row_apart : long_row;
    if (columns < least || columns < code.unit || plan.extents[inner - 1] < fewest) return false;
    const Flat flat = cut_flat(plan);
    bool apart = false;
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (must_pack(s, inner)) return false;
        // A row that repeats is soon copied.
        const bool again = s.strides[inner - 1] == 0 &&
                           (columns < row_again || columns <= (row_again_bytes - 1) / s.bytes);
        apart = apart || (s.strides[inner] == 1 && !again && is_packed_anew(plan, s, flat));
    }
    return apart;
}

/// True where rows lie across an operand, and the loop over its neighbours is outside of a flat
/// tile, which would fetch a cache line for every element.
inline bool turns_outside(const Plan& plan) {
    constexpr index_t fewest = 8;  // elements of a row, and rows, that are worth a block
    const int inner = plan.rank - 1;
    if (plan.extents[inner] < fewest) return false;
    const Flat flat = cut_flat(plan);
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (magnitude(s.strides[inner]) * s.bytes < line_bytes) continue;
        for (int loop = 0; loop <= flat.turns; ++loop) {
            const bool inside = loop == flat.turns && flat.chunk >= fewest;
            if (magnitude(s.strides[loop]) == 1 && plan.extents[loop] >= fewest && !inside)
                return true;
        }
    }
    return false;
}

/// True where rows lie across an operand that the caches are told to fetch, tile by tile.
inline bool turns_ahead(const Plan& plan) {
    constexpr index_t fewest = 16;  // elements of a row, and rows
    if (plan.extents[plan.rank - 1] < fewest) return false;
    for (int i = 1; i < plan.count; ++i) {
        const int loop = turned_loop(plan, plan.streams[i]);
        if (loop >= 0 && plan.extents[loop] >= fewest) return calls_turned(plan);
    }
    return false;
}

/// True for an operand that is made of grains, with others between them.
inline bool lies_in_grains(const Plan& plan, const Stream& s) {
    return has_grains(Nest(plan.extents, s.strides, plan.rank), s.bytes);
}

/// True where the neighbours of an operand are further outside than two loops of a tile reach, but
/// for large blocks of long rows, which are better cut.
BROADLOOM_NOINLINE inline bool lies_outside(const Plan& plan, const Stream& s) {
    constexpr index_t largest = index_t{1} << 15;  // elements
    if (!must_pack(s, plan.rank - 1) || s.movers->pack[0] == nullptr) return false;
    const Nest nest(plan.extents, s.strides, plan.rank);
    if (has_grains(nest, s.bytes)) return true;
    const index_t row = nest.extent(0);
    for (int loop = nest.rank - 3; loop >= 0; --loop) {
        if (magnitude(nest.strides[loop]) == 1)
            return row < long_row || nest.extents[loop] * row <= largest;
    }
    return false;
}

/// True where the target lies flat, as the loops of a plan go.
inline bool writes_flat(const Plan& plan) {
    index_t size = 1;
    for (int loop = plan.rank - 1; loop >= 0; size *= plan.extents[loop--]) {
        if (plan.streams[0].strides[loop] != size) return false;
    }
    return true;
}

/// True for copies of such an operand into a target that lies flat: packed with all loops at once
/// there are no tiles to begin and end. What would be streamed is, but for grains and next to no
/// columns.
inline bool packs_whole(const Plan& plan, const Code& code, Write write) {
    constexpr index_t fewest = 16;  // bytes of a row that is streamed
    const Stream& from = plan.streams[1];
    if (!code.copies || !lies_outside(plan, from)) return false;
    if (write != Write::cached && plan.extents[plan.rank - 1] * from.bytes > fewest &&
        !lies_in_grains(plan, from)) {
        return false;
    }
    return writes_flat(plan);
}

/// The operand from whose packed copy operand i is read, too; 0 if there is none.
inline int twin_of(const Walk& walk, int i) {
    return walk.parts[i].access == Access::packed ? twin_of(walk.plan, i) : 0;
}

/// True when all there is to do is to copy an operand that is read in one way: into the target
/// itself, where that is consecutive and not streamed.
inline bool is_copy(const Walk& walk, Access access) {
    return walk.code.copies && walk.parts[1].access == access && walk.write == Write::cached;
}

/// True where rows are turned into a target whose rows are crowded: through a buffer they displace
/// none. What comes from memory gains nothing.
inline bool is_crowded(const Walk& walk) {
    constexpr index_t most = index_t{8} << 20;  // bytes
    const Stream& target = walk.stream(0);
    const int inner = walk.plan.rank - 1;
    if (inner == 0 || !are_crowded(target.strides[inner - 1] * target.bytes)) return false;
    index_t bytes = target.bytes;
    for (int loop = 0; loop <= inner; ++loop) bytes *= walk.plan.extents[loop];
    return magnitude(walk.stream(1).strides[inner - 1]) == 1 && bytes <= most;
}

/// The longest row, in bytes, of a target into which rows are turned from memory.
inline constexpr index_t longest_turned = 16384;

/// The only operand that is packed, if its rows are turned and the target can be what it is packed
/// into, to be read as an operand: it is no operand, lies flat, and has elements of the same size.
/// 0 where that is not so.
inline int turned_in_place(const Walk& walk) {
    const Plan& plan = walk.plan;
    const int inner = plan.rank - 1;
    const Stream& target = walk.stream(0);
    if (inner == 0 || walk.write != Write::cached || target.strides[inner] != 1) return 0;
    const index_t columns = plan.extents[inner];
    if (target.strides[inner - 1] != columns || columns > longest_turned / target.bytes ||
        are_crowded(columns * target.bytes)) {
        return 0;
    }
    int packed = 0;
    for (int i = 1; i < plan.count; ++i) {
        if (walk.stream(i).data == target.data) return 0;
        if (walk.parts[i].access != Access::packed || twin_of(walk, i) != 0) continue;
        if (packed != 0 || walk.stream(i).bytes != target.bytes) return 0;
        if (magnitude(walk.stream(i).strides[inner - 1]) != 1) return 0;
        packed = i;
    }
    return packed;
}

}  // namespace detail

/// True for plans of elements far from each other, several or farther ones, of which little is
/// made: each is computed where it lies. To pack them, and to put back what is made of them, would
/// fetch their cache lines several times, or, where they are written apart, takes two more moves;
/// from memory, where the target would be streamed, less than far is enough. Small elements take
/// long to pack where steps are no registers' affair.
inline bool walks_singly(const Plan& plan, const Code& code, Write write) {
    constexpr index_t most_steps = 4;
    const int inner = plan.rank - 1;
    const bool apart = plan.streams[0].strides[inner] != 1;
    if (!code.immediate || code.steps > most_steps || write == Write::prefetched) return false;
    if (code.copies && !apart) return false;
    int reasons = 0;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const index_t along = magnitude(s.strides[inner]);
        for (int loop = 0; loop < inner; ++loop) {
            const index_t step = magnitude(s.strides[loop]);
            if (step != 0 && step < along) return false;  // a transposition
        }
        const index_t gap = along > 1 ? along * s.bytes : 0;
        if (s.bytes == 1) reasons += gap >= 64 ? 2 : 0;
        else if (write == Write::streamed) reasons += gap >= 12 ? 2 : gap >= 6 ? 1 : 0;
        else if (s.bytes == 2) reasons += gap >= 64 ? 2 : gap >= 6 ? 1 : 0;
        else if (apart) reasons += gap >= 16 ? 2 : gap >= 8 ? 1 : 0;
        else reasons += gap >= 20 ? 2 : gap >= 16 ? 1 : 0;
    }
    return reasons >= 2;
}

/// True for plans whose tiles are blocks of rows, false where they are flat runs. A target with
/// gaps between its rows would be computed aside in flat runs, so there rows may be shorter.
inline bool walks_rows(const Plan& plan, const Code& code, Write write) {
    if (plan.rank == 1) return true;
    const index_t* strides = plan.streams[0].strides + plan.rank - 2;
    const index_t columns = plan.extents[plan.rank - 1];
    if (strides[1] != 1 && strides[0] == 1) return columns >= code.unit;  // the target is turned
    if (strides[1] != 1 || strides[0] == columns) {
        // Rows without a unit are computed one by one, which only light functions bear.
        const bool suits =
            columns < detail::long_row && (columns >= code.unit || code.steps < heavy);
        if (suits && (detail::turns_outside(plan) || detail::turns_ahead(plan))) return true;
        if (detail::has_rows_apart(plan, code) || detail::has_held_rows(plan, code, write))
            return true;
        if (write != Write::cached && !detail::has_rows_of_lines(plan)) {
            if (detail::streaming().stored_rows == 0) return false;
            write = Write::cached;  // and so are these rows, if any
        }
        if (columns >= detail::long_row) return !detail::suits_flat(plan);
        return (code.waits || code.light) && detail::has_rows_of_constants(plan, code, write);
    }
    return columns >= detail::row_with_gap && columns >= code.unit;
}

/// How a plan is walked. One by one nothing is streamed.
enum class Way { singly, rows, flat, whole };
inline Way way_of(const Plan& plan, const Code& code, Write write) {
    if (detail::packs_whole(plan, code, write)) return Way::whole;
    if (walks_singly(plan, code, write)) return Way::singly;
    return walks_rows(plan, code, write) ? Way::rows : Way::flat;
}

}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_WAY_HPP
