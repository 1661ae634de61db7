// Moving elements by index: the walk over a tensor with an index beside it. Indices become offsets
// in blocks that stay in the first-level cache; where the index stands still, whole rows move at
// once, and where it repeats it is read once. Knows no operation's name.
//
//   indexed[i... + step * index[i...]]  <->  plain[i...]
#ifndef BROADLOOM_KERNEL_MOVEMENT_HPP
#define BROADLOOM_KERNEL_MOVEMENT_HPP

#include <cstring>

#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/plan.hpp"
#include "broadloom/kernel/movement/transfer.hpp"

namespace broadloom::kernel {

/// Elements that move between two operands over a shape. `indexed` has extent 1 along the
/// dimension that the index stands for; all three broadcast to the shape, aligned at the right.
struct Movement {
    const Shape* shape;
    Operand indexed, plain, index;
    Reach reach;
    Resolve* resolve;
    Transfer transfer;
    IndexKind kind;
    bool writes_indexed;
};

namespace detail {

/// The loops of a plan outside of one, turn by turn, and where its streams are, up to three.
struct Outside {
    const Plan& plan;
    int loop;
    index_t offset[3] = {}, at[max_rank] = {};

    /// Goes to the next turn; false after the last.
    bool next() {
        for (int d = loop - 1; d >= 0; --d) {
            if (step_along(plan, d, at[d], [&](int i) -> index_t& { return offset[i]; }))
                return true;
        }
        return false;
    }
};

/// Goes on with a list of `listed` numbers until they stand there `times` over, each time `step`
/// more; returns how many that are.
inline index_t list_again(index_t* list, index_t listed, index_t times, index_t step) {
    // Twice as many at a time, which do not wait for each other.
    for (index_t known = 1, added; known < times; known += added) {
        added = times - known < known ? times - known : known;
        for (index_t i = 0; i < added * listed; ++i)
            list[known * listed + i] = list[i] + known * step;
    }
    return listed * times;
}

}  // namespace detail

/// True if every index is in reach; nothing moves.
inline bool in_reach(const Operand& index, const Reach& reach, Resolve* resolve) {
    if (index.shape->size() == 0) return true;
    Plan plan;
    Stream stream;
    plan.count = 1;
    plan.streams = &stream;
    make_plan(plan, &index, *index.shape);
    const int inner = plan.rank - 1, outer = inner > 0 ? inner - 1 : 0;
    const Block block{inner > 0 ? plan.extents[outer] : 1, plan.extents[inner],
                      inner > 0 ? stream.strides[outer] : 0, stream.strides[inner]};
    detail::Outside outside{plan, outer};
    do {
        if (!resolve(nullptr, stream.at(outside.offset[0]), &block, nullptr, &reach)) return false;
    } while (outside.next());
    return true;
}

namespace detail {

/// A movement over the loops of a plan, of which the last few are walked here.
struct Carrier {
    const Movement& movement;
    const Plan& plan;
    const Stream& plain;
    const Stream& indexed;
    const Stream& index;
    int rows;     // the loop whose indices become offsets, or -1
    int columns;  // the loop inside it along which the index stands still, or -1
    index_t* offsets;
    index_t* aside;  // where each of the offsets counts from

    index_t extent(int loop) const { return loop >= 0 ? plan.extents[loop] : 1; }
    static index_t stride(const Stream& s, int loop) { return loop >= 0 ? s.strides[loop] : 0; }

    /// True where the indices of one turn serve all others.
    bool repeats() const { return extent(rows - 1) > 1 && stride(index, rows - 1) == 0; }

    /// The same for every block: it begins with a turn.
    void lay_aside() {
        const index_t all = extent(rows), count = all < offsets_length ? all : offsets_length;
        const index_t turns = extent(rows - 1), most = offsets_length / count;
        aside[0] = 0;
        const index_t listed = list_again(aside, 1, count, stride(indexed, rows));
        list_again(aside, listed, turns < most ? turns : most, stride(indexed, rows - 1));
    }
    /// The indices from `first` on, `turns` times `count` of them, as offsets; nullptr if one is
    /// out of reach. Indices that are offsets already are not copied.
    const index_t* resolve(const char* first, index_t turns, index_t count) {
        const Block block{turns, count, stride(index, rows - 1), stride(index, rows)};
        if (movement.kind == IndexKind::offset && turns == 1 && stride(indexed, rows) == 0 &&
            movement.reach.step == 1 && block.column_stride == 1) {
            Reach plainly = movement.reach;
            plainly.wrap = 0;
            if (movement.resolve(nullptr, first, &block, nullptr, &plainly)) {
                return reinterpret_cast<const index_t*>(first);
            }
        }
        return movement.resolve(offsets, first, &block, aside, &movement.reach) ? offsets : nullptr;
    }
    /// The offsets of one turn, and of others in which the same indices come again.
    const index_t* resolve_repeated(const char* first, index_t turns, index_t count) {
        const index_t* const from = resolve(first, 1, count);
        if (from == nullptr || turns == 1) return from;
        if (from != offsets)
            std::memcpy(offsets, from, sizeof(index_t) * static_cast<std::size_t>(count));
        list_again(offsets, count, turns, stride(indexed, rows - 1));
        return offsets;
    }
    void move(const char* at_indexed, const index_t* from, const char* at_plain, index_t count) {
        const Rows list{count, extent(columns), stride(indexed, columns), stride(plain, rows),
                        stride(plain, columns)};
        movement.transfer.move(const_cast<char*>(at_indexed), from, const_cast<char*>(at_plain),
                               &list);
    }

    /// True where rows are lines of single elements with an index each.
    bool is_looked_up() const {
        constexpr index_t least = 64;  // below which turns are better taken together
        return !repeats() && movement.kind != IndexKind::other && movement.reach.step == 1 &&
               columns < 0 && extent(rows) >= least && stride(index, rows) == 1 &&
               stride(plain, rows) == 1 && stride(indexed, rows) == 0;
    }
    /// All turns of the loop around lines that are looked up.
    bool look_up(index_t at_plain, index_t at_indexed, index_t at_index) const {
        const int outer = rows - 1;
        const index_t turns = extent(outer);
        for (index_t turn = 0; turn < turns; ++turn) {
            const char* table = indexed.at(at_indexed + turn * stride(indexed, outer));
            const char* line = plain.at(at_plain + turn * stride(plain, outer));
            if (!movement.transfer.look_up(
                    const_cast<char*>(table), index.at(at_index + turn * stride(index, outer)),
                    const_cast<char*>(line), extent(rows), movement.kind, &movement.reach)) {
                return false;
            }
        }
        return true;
    }

    /// All turns of the loop around the rows, and the rows, from one place on.
    bool run(index_t at_plain, index_t at_indexed, index_t at_index) {
        const int outer = rows - 1;
        const index_t turns = extent(outer), count = extent(rows);
        const bool even = rows >= 0 && stride(plain, outer) == stride(plain, rows) * count;
        if (turns > 1 && count <= offsets_length / 4 && (even || !repeats())) {
            const index_t most = offsets_length / count;
            const index_t* from = nullptr;
            for (index_t turn = 0; turn < turns; turn += most) {
                const index_t here = turns - turn < most ? turns - turn : most;
                const char* const first = index.at(at_index + turn * stride(index, outer));
                if (!repeats()) from = resolve(first, here, count);
                else if (turn == 0) from = resolve_repeated(first, here, count);
                if (from == nullptr) return false;
                // Several turns at once, where the plain side does not notice where one ends.
                const index_t together = even ? here : 1;
                for (index_t t = 0; t < here; t += together) {
                    move(indexed.at(at_indexed + turn * stride(indexed, outer)), from + t * count,
                         plain.at(at_plain + (turn + t) * stride(plain, outer)), together * count);
                }
            }
            return true;
        }
        for (index_t turn = 0; turn < (repeats() ? 1 : turns); ++turn) {
            for (index_t row = 0; row < count; row += offsets_length) {
                const index_t here = count - row < offsets_length ? count - row : offsets_length;
                const index_t* from = resolve(
                    index.at(at_index + turn * stride(index, outer) + row * stride(index, rows)), 1,
                    here);
                if (from == nullptr) return false;
                // Indices that repeat serve every turn.
                const index_t last = repeats() ? turns : turn + 1;
                for (index_t t = turn; t < last; ++t) {
                    move(indexed.at(at_indexed + t * stride(indexed, outer) +
                                    row * stride(indexed, rows)),
                         from,
                         plain.at(at_plain + t * stride(plain, outer) + row * stride(plain, rows)),
                         here);
                }
            }
        }
        return true;
    }
};

/// Blocks of elements over several short loops, over which the plain side and the index lie flat:
/// some turns of `loop`, and what lies inside.
struct Blocks {
    int loop = -1;  // -1 where two loops suffice
    index_t size = 1, turns = 1;

    Blocks(const Plan& plan, const Stream& plain, const Stream& index) {
        const auto lies_flat = [&](int d) {
            return plain.strides[d] == size && index.strides[d] == size;
        };
        int d = plan.rank - 1;
        while (d >= 0 && lies_flat(d) && size * plan.extents[d] <= offsets_length)
            size *= plan.extents[d--];
        const bool parts = d >= 0 && lies_flat(d) && 2 * size <= offsets_length;
        if (plan.rank - d < (parts ? 3 : 4)) return;
        loop = parts ? d : d + 1;
        if (!parts) size /= plan.extents[loop];
        turns = parts ? offsets_length / size : plan.extents[loop];
    }
};

/// Moves elements by such blocks.
inline bool move_blocks(const Movement& movement, const Plan& plan, const Blocks& blocks) {
    const int side = movement.writes_indexed ? 0 : 1;
    const Stream &indexed = plan.streams[side], &plain = plan.streams[1 - side],
                 &index = plan.streams[2];
    const int loop = blocks.loop;
    index_t offsets[offsets_length], aside[offsets_length], listed = 1;
    aside[0] = 0;
    for (int d = plan.rank - 1; d >= loop; --d) {
        const index_t turns = d == loop ? blocks.turns : plan.extents[d];
        listed = list_again(aside, listed, turns, indexed.strides[d]);
    }
    Outside outside{plan, loop};
    do {
        for (index_t turn = 0, count; turn < plan.extents[loop]; turn += count) {
            const index_t left = plan.extents[loop] - turn;
            count = left < blocks.turns ? left : blocks.turns;
            const auto place = [&](const Stream& s, int i) {
                return const_cast<char*>(s.at(outside.offset[i] + turn * s.strides[loop]));
            };
            const Block block{1, count * blocks.size, 0, 1};
            if (!movement.resolve(offsets, place(index, 2), &block, aside, &movement.reach))
                return false;
            const Rows list{block.columns, 1, 0, 1, 0};
            movement.transfer.move(place(indexed, side), offsets, place(plain, 1 - side), &list);
        }
    } while (outside.next());
    return true;
}

/// Moves the elements of a plan, or of a part of one.
inline bool move_part(const Movement& movement, const Plan& plan) {
    const Stream* streams = plan.streams;
    const int indexed = movement.writes_indexed ? 0 : 1;
    const int inner = plan.rank - 1;
    const bool block = streams[2].strides[inner] == 0;
    index_t offsets[offsets_length], aside[offsets_length];
    Carrier carrier{movement,           plan,       streams[1 - indexed],
                    streams[indexed],   streams[2], block ? inner - 1 : inner,
                    block ? inner : -1, offsets,    aside};
    const bool looks_up = carrier.is_looked_up();
    if (!looks_up) {
        const Blocks blocks(plan, streams[1 - indexed], streams[2]);
        if (blocks.loop >= 0) return move_blocks(movement, plan, blocks);
        carrier.lay_aside();
    }
    Outside outside{plan, carrier.rows - 1};
    do {
        const index_t at_plain = outside.offset[1 - indexed], at_indexed = outside.offset[indexed];
        const index_t at_index = outside.offset[2];
        const bool found = looks_up ? carrier.look_up(at_plain, at_indexed, at_index)
                                    : carrier.run(at_plain, at_indexed, at_index);
        if (!found) return false;
    } while (outside.next());
    return true;
}

}  // namespace detail

/// Moves every element; stops and returns false at an index out of reach. Along a dimension in
/// which the indexed side stands still, elements move in ascending order.
inline bool move_by_index(const Movement& movement) {
    const index_t size = movement.shape->size();
    if (size == 0) return true;
    Plan plan;
    Stream streams[3];
    const int indexed = movement.writes_indexed ? 0 : 1;
    Operand operands[3] = {movement.plain, movement.plain, movement.index};
    operands[indexed] = movement.indexed;
    plan.count = 3;
    plan.streams = streams;
    make_plan(plan, operands, *movement.shape);

    // What is written by index may meet in one element.
    constexpr index_t steps = 2;
    const int threads = movement.writes_indexed ? 1 : threads_for(size, steps);
    if (threads == 1) return detail::move_part(movement, plan);
    const int loop = detail::loop_to_share(plan, pieces_for(threads));
    Atomic<bool> reached{true};
    share_out(threads, plan.extents[loop], [&](index_t first, index_t last) {
        Stream own[3];
        const Plan part = detail::part_of(plan, loop, first, last - first, own);
        if (!detail::move_part(movement, part)) reached.store(false);
    });
    return reached.load();
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_MOVEMENT_HPP
