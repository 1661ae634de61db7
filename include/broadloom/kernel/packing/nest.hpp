// Nests of any number of loops over an operand, and in which order they are packed: what goes over
// neighbours in memory is packed together.
#ifndef BROADLOOM_KERNEL_PACKING_NEST_HPP
#define BROADLOOM_KERNEL_PACKING_NEST_HPP

#include "broadloom/kernel/packing/tile.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {

/// Some loops over one operand, outermost first, joined where one continues the next.
struct Nest {
    int rank = 0;
    index_t extents[max_rank], strides[max_rank];

    BROADLOOM_NOINLINE Nest(const index_t* all_extents, const index_t* all_strides, int loops) {
        for (int d = 0; d < loops; ++d) {
            if (all_extents[d] == 1) continue;
            if (rank > 0 && strides[rank - 1] == all_strides[d] * all_extents[d]) {
                extents[rank - 1] *= all_extents[d];
                strides[rank - 1] = all_strides[d];
            } else {
                extents[rank] = all_extents[d];
                strides[rank++] = all_strides[d];
            }
        }
    }
    index_t extent(int from_inside) const {
        return from_inside < rank ? extents[rank - 1 - from_inside] : 1;
    }
    index_t stride(int from_inside) const {
        return from_inside < rank ? strides[rank - 1 - from_inside] : 0;
    }
    /// The elements of one turn of a loop.
    index_t size_of_turn(int loop) const {
        index_t size = 1;
        while (++loop < rank) size *= extents[loop];
        return size;
    }
};

namespace detail {

/// Neighbours in memory, forwards or backwards, that come to lie `apart` elements from each other,
/// and between them what the loops inside go over; at the end of these, perhaps, a few columns.
/// Where they are grains of several, so far apart lie the grains, and those of one `within` it.
struct Lines {
    const Movers& movers;
    index_t count, step, apart;
    bool few_columns;
    index_t grain = 1, within = 0;

    index_t place(index_t i) const { return i / grain * apart + i % grain * within; }
};

/// Packs the loops from `loop` on for all lines at once.
BROADLOOM_NOINLINE inline void pack_lines(char* to, const char* from, const Nest& nest, int loop,
                                          const Lines& lines) {
    const index_t extent = nest.extents[loop], stride = nest.strides[loop];
    if (loop + 1 == nest.rank) {
        pack(to, from, Block{lines.count, extent, lines.step, stride, 0, lines.apart},
             lines.movers);
        return;
    }
    const index_t bytes = lines.movers.bytes, turn = nest.size_of_turn(loop) * bytes;
    for (index_t i = 0; i < extent; ++i) {
        pack_lines(to + i * turn, from + i * stride * bytes, nest, loop + 1, lines);
    }
}

/// Bytes of the lines that are packed aside at a time, and of all that is.
inline constexpr index_t aside_line = 256, aside_bytes = 32768;

/// Copies rows of any length, which lie so many bytes apart.
inline void copy_rows(char* to, const char* from, index_t bytes, index_t rows, index_t from_row,
                      index_t to_row) {
    if (bytes > 1) return copy_short_rows(to, from, {bytes, rows, 1, from_row, to_row});
    for (index_t i = 0; i < rows; ++i) to[i * to_row] = from[i * from_row];
}

/// The same through a buffer, where lines do not displace each other, `most` turns of the loop at a
/// time. A few columns `join` on the way out: until then they are rows.
BROADLOOM_NOINLINE inline void pack_aside(char* to, const char* from, const Nest& nest, int loop,
                                          const Lines& lines, index_t most, bool join) {
    const index_t bytes = lines.movers.bytes, extent = nest.extents[loop];
    const index_t stride = nest.strides[loop] * bytes, turn = nest.size_of_turn(loop) * bytes;
    alignas(64) char buffer[aside_bytes + aside_line * line_bytes];
    Nest part = nest;
    if (join) {
        part.extents[loop] = nest.extents[loop + 1];
        part.strides[loop] = nest.strides[loop + 1];
        part.strides[loop + 1] = nest.strides[loop];
    }
    for (index_t done = 0, count; done < extent; done += count) {
        count = most < extent - done ? most : extent - done;
        if (most > 1 && extent - done == most + 1) --count;  // one column is not turned
        const index_t row = count * turn;
        const index_t padded = row % (2 * line_bytes) == 0 ? row + line_bytes : row;
        part.extents[join ? loop + 1 : loop] = count;
        pack_lines(buffer, from + done * stride, part, loop,
                   Lines{lines.movers, lines.count, lines.step, padded / bytes, false});
        char* const out = to + done * turn;
        for (index_t i = 0; join && i < lines.count; ++i) {
            pack(out + lines.place(i) * bytes, buffer + i * padded,
                 Block{count, part.extents[loop], 1, count}, lines.movers);
        }
        for (index_t i = 0; !join && i < lines.grain; ++i) {
            copy_rows(out + i * lines.within * bytes, buffer + i * padded, row,
                      lines.count / lines.grain, lines.grain * padded, lines.apart * bytes);
        }
    }
}

/// The same for all loops from `loop` on, as far inside as the buffer holds them.
BROADLOOM_NOINLINE inline void pack_lines_aside(char* to, const char* from, const Nest& nest,
                                                int loop, const Lines& lines) {
    const index_t bytes = lines.movers.bytes, turn = nest.size_of_turn(loop) * bytes;
    const bool join = lines.few_columns && loop + 2 == nest.rank;
    const index_t most = join == lines.few_columns ? aside_bytes / (lines.count * turn) : 0;
    if (most > 0) {
        pack_aside(to, from, nest, loop, lines, most, join);
        return;
    }
    for (index_t i = 0; i < nest.extents[loop]; ++i) {
        pack_lines_aside(to + i * turn, from + i * nest.strides[loop] * bytes, nest, loop + 1,
                         lines);
    }
}

/// True for lines that come to lie so many bytes apart, at least a number, if there are more than
/// the first-level cache holds of those that share its sets.
inline bool displace_each_other(index_t lines, index_t apart, index_t least) {
    constexpr index_t cache = 32768, way = 4096;
    if (apart % least != 0) return false;
    const index_t shared = apart & -apart;
    return lines * (shared < way ? shared : way) > cache;
}

/// True for a few columns that come to lie side by side.
inline bool has_few_columns(const Nest& nest, int outer) {
    constexpr index_t few = 4, many = 16;
    const index_t along = nest.stride(1);
    return nest.rank - outer > 2 && nest.extent(0) <= few && nest.extent(1) >= many &&
           (along > 1 || along < -1);
}

/// The loop over neighbours in memory of which the innermost one takes one at a time; -1 if there
/// is none.
inline int loop_over_lines(const Nest& nest) {
    const index_t along = nest.stride(0);
    if (along >= -1 && along <= 1) return -1;
    int loop = nest.rank - 2;
    while (loop >= 0 && nest.strides[loop] != 1 && nest.strides[loop] != -1) --loop;
    return loop;
}

/// The loop that goes on where such a one ends after a few elements, as channels or coordinates: a
/// line of a cache has several such grains. -1 if there is none, or next to nothing comes to lie
/// between the neighbours.
inline int loop_over_grains(const Nest& nest, int one, index_t bytes) {
    constexpr index_t largest = 24, small_grain = 16;  // bytes
    constexpr index_t fewest = 5, few = 8;             // elements between
    const index_t extent = nest.extents[one];
    if (nest.strides[one] != 1 || extent > largest / bytes || !has_movers(bytes)) return -1;
    const index_t grain = extent * bytes;
    for (int other = nest.rank - 2; other >= 0; --other) {
        if (nest.strides[other] != extent || nest.extents[other] * grain < line_bytes) continue;
        const bool in_turn = other > one && grain <= small_grain;
        const index_t between = nest.size_of_turn(other > one ? other : one);
        return between >= (in_turn ? fewest : few) ? other : -1;
    }
    return -1;
}
inline bool has_grains(const Nest& nest, index_t bytes) {
    const int one = loop_over_lines(nest);
    return one >= 0 && loop_over_grains(nest, one, bytes) >= 0;
}

/// True for three loops of which the innermost are short rows, and the middle one takes few.
inline bool has_few_rows(const Nest& nest, index_t bytes) {
    constexpr index_t few = 16, near_each_other = 4096;  // rows, bytes
    return are_short(nest.extent(0), nest.stride(0), bytes) && nest.extent(1) <= few &&
           nest.extent(1) * nest.extent(0) * bytes <= near_each_other &&
           nest.extent(1) < nest.extent(2) && nest.stride(2) != 0;
}

/// Packs them: all first rows, then all second ones, and so on, as far as the first-level cache
/// holds what they are written to. A call for a few rows takes as long as one for many.
BROADLOOM_NOINLINE inline void pack_few_rows(char* to, const char* from, const Nest& nest,
                                             index_t bytes) {
    constexpr index_t cached = 16384;
    const index_t few = nest.extent(1), turns = nest.extent(2), row = nest.extent(0) * bytes;
    const index_t group = few * row, step = nest.stride(2) * bytes, next = nest.stride(1) * bytes;
    const index_t most = cached / group + 1;
    for (index_t done = 0; done < turns; done += most) {
        const index_t count = most < turns - done ? most : turns - done;
        for (index_t i = 0; i < few; ++i) {
            copy_short_rows(to + done * group + i * row, from + done * step + i * next,
                            {row, count, 1, step, group});
        }
    }
}

/// The first loop of a nest whose turns are packed together with what lies inside, or -1 where a
/// block does it well, and the other loop over the same neighbours, or -1: how many lines of them,
/// or grains, at a time, perhaps aside.
struct Together {
    int outer = -1, inner = -1;
    index_t most = 1;
    bool aside = true, few_columns = false;

    Together(const Nest& nest, index_t bytes) {
        const int one = loop_over_lines(nest);
        if (one < 0) return;
        if (const int other = loop_over_grains(nest, one, bytes); other >= 0) {
            outer = one < other ? one : other;
            inner = one < other ? other : one;
            choose_grains(nest, bytes);
        } else if (one + 2 < nest.rank || is_crowded_block(nest, one, bytes)) {
            outer = one;
            choose_lines(nest, bytes);
        }
    }
    /// The loop that goes along one grain.
    int grain(const Nest& nest) const { return nest.strides[inner] == 1 ? inner : outer; }

private:
    static bool is_crowded_block(const Nest& nest, int rows, index_t bytes) {
        constexpr index_t fewest = 16;
        return nest.extent(0) >= fewest &&
               displace_each_other(nest.extents[rows], nest.extent(0) * bytes, 2048);
    }
    void choose_grains(const Nest& nest, index_t bytes) {
        few_columns = has_few_columns(nest, inner);
        most = aside_line / (nest.extents[grain(nest)] * bytes);
    }
    // Lines that would displace each other where they are written go through a buffer, and so do
    // few columns of small elements.
    void choose_lines(const Nest& nest, index_t bytes) {
        constexpr index_t cached = 65536, least = 1024;  // bytes of what is written, and of a line
        const index_t apart = nest.size_of_turn(outer) * bytes;
        few_columns = has_few_columns(nest, outer);
        aside = has_movers(bytes) &&
                ((few_columns && bytes < 4) ||
                 displace_each_other(nest.extents[outer], apart, few_columns ? 2048 : 1024));
        most = aside ? aside_line / bytes : cached / apart / 16 * 16;
        if (!aside && most < least / bytes) most = least / bytes;
        if (most < 1) most = 1;
    }
};

/// Packs all turns of a loop over neighbours in memory together, some lines at a time.
BROADLOOM_NOINLINE inline void pack_turned(char* to, const char* from, const Nest& nest,
                                           const Together& together, const Movers& movers) {
    const int outer = together.outer;
    const index_t extent = nest.extents[outer], step = nest.strides[outer], most = together.most;
    const index_t turn = nest.size_of_turn(outer);
    for (index_t done = 0; done < extent; done += most) {
        const Lines lines{movers, most < extent - done ? most : extent - done, step, turn,
                          together.few_columns};
        char* const target = to + done * turn * movers.bytes;
        const char* const source = from + done * step * movers.bytes;
        if (together.aside) pack_lines_aside(target, source, nest, outer + 1, lines);
        else pack_lines(target, source, nest, outer + 1, lines);
    }
}

/// Packs both loops over grains together, and those between them one by one, from `loop` on.
BROADLOOM_NOINLINE inline void pack_grains(char* to, const char* from, const Nest& nest, int loop,
                                           const Together& together, const Movers& movers) {
    const index_t bytes = movers.bytes;
    const int inner = together.inner;
    if (loop < inner) {
        const index_t turn = nest.size_of_turn(loop) * bytes;
        for (index_t i = 0; i < nest.extents[loop]; ++i) {
            pack_grains(to + i * turn, from + i * nest.strides[loop] * bytes, nest, loop + 1,
                        together, movers);
        }
        return;
    }
    const int one = together.grain(nest), other = inner + together.outer - one;
    const index_t grain = nest.extents[one], extent = nest.extents[other], most = together.most;
    const index_t within = nest.size_of_turn(one), apart = nest.size_of_turn(other);
    for (index_t done = 0; done < extent; done += most) {
        const index_t count = most < extent - done ? most : extent - done;
        pack_lines_aside(
            to + done * apart * bytes, from + done * grain * bytes, nest, inner + 1,
            Lines{movers, count * grain, 1, apart, together.few_columns, grain, within});
    }
}

BROADLOOM_NOINLINE inline void pack_nest(char* to, const char* from, const Nest& nest, int outer,
                                         const Together& together, const Movers& movers) {
    const index_t bytes = movers.bytes;
    const int loops = nest.rank - outer;
    const bool two = loops == 2;
    if (outer == together.outer) {
        if (together.inner < 0) pack_turned(to, from, nest, together, movers);
        else pack_grains(to, from, nest, outer + 1, together, movers);
        return;
    }
    if (loops <= 2) {
        pack(to, from,
             Block{two ? nest.extent(1) : 1, nest.extent(0), two ? nest.stride(1) : 0,
                   nest.stride(0)},
             movers);
        return;
    }
    if (loops == 3 && nest.stride(1) == 0 && are_short(nest.extent(0), nest.stride(0), bytes)) {
        const index_t row = nest.extent(0) * bytes;
        copy_short_rows(to, from,
                        {row, nest.extent(2), nest.extent(1), nest.stride(2) * bytes, row});
        return;
    }
    if (loops == 3 && has_few_rows(nest, bytes)) {
        pack_few_rows(to, from, nest, bytes);
        return;
    }
    const index_t turn = nest.size_of_turn(outer) * bytes, stride = nest.strides[outer] * bytes;
    const index_t turns = stride == 0 ? 1 : nest.extents[outer];
    for (index_t i = 0; i < turns; ++i) {
        pack_nest(to + i * turn, from + i * stride, nest, outer + 1, together, movers);
    }
    if (stride == 0) replicate(to, turn, nest.extents[outer] * turn);
}

}  // namespace detail
}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_PACKING_NEST_HPP
