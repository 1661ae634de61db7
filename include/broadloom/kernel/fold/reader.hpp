// Reads an expression piece by piece: any run of its elements, in row-major order of the inner
// loops of a plan, lands in a flat buffer. Leaves are read in place, as constants or through packed
// copies, as in a walk; a tensor or a view that lies flat already is not copied at all.
#ifndef BROADLOOM_KERNEL_FOLD_READER_HPP
#define BROADLOOM_KERNEL_FOLD_READER_HPP

#include "broadloom/kernel/elementwise.hpp"
#include "broadloom/kernel/fold/odometer.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {

/// What a reader keeps for every stream of its plan; the first is the target, which it only moves.
struct Input {
    index_t offset;                   // of the odometers, in elements
    detail::Access access[max_rank];  // of the loops from this one on, taken together
    const char* place;
    int twin;                 // an operand before it whose packed copies serve, or 0
    char* buffer;             // for packed copies, or for a spread constant
    const char* packed_from;  // what the buffer holds: turns of a loop, or rows if there are any
    int packed_loop;
    index_t packed_count, packed_rows;
};

class Reader {
public:
    /// `code` is null for an expression that is just a tensor or a view. At most `longest`
    /// elements, moved by `movers`, are asked for at once; a constant has room for `copies`.
    Reader(const Plan& plan, const Code* code, const void* formula, Input* inputs, Run* runs,
           const Movers& movers, index_t longest, index_t copies)
        : plan_(plan),
          code_(code),
          formula_(formula),
          inputs_(inputs),
          runs_(runs),
          movers_(movers),
          longest_(longest),
          copies_(copies),
          calls_(detail::calls_turned(plan)) {
        sizes_[plan.rank - 1] = 1;
        for (int l = plan.rank - 2; l >= 0; --l) sizes_[l] = sizes_[l + 1] * plan.extents[l + 1];
        for (int i = 0; i < plan.count; ++i) {
            classify(plan.streams[i], inputs[i]);
            inputs[i].twin = detail::twin_of(plan, i);
        }
    }

    const Plan& plan() const { return plan_; }
    /// The elements of one turn of a loop.
    index_t size(int loop) const { return sizes_[loop]; }
    index_t bytes() const { return movers_.bytes; }
    const Movers& movers() const { return movers_; }

    /// True where the caches are told to fetch what will be turned.
    bool calls() const { return calls_; }

    /// The bytes of memory that `give` wants.
    index_t scratch() const {
        index_t total = 0;
        for (int i = 1; i < plan_.count; ++i) total += buffer_bytes(i);
        return total;
    }
    void give(char* memory) {
        for (int i = 1; i < plan_.count; ++i) {
            inputs_[i].buffer = memory;
            memory += buffer_bytes(i);
        }
    }

    /// True when the elements of the loops from `first` on lie side by side in memory.
    bool is_flat(int first) const {
        return code_ == nullptr &&
               (first == plan_.rank || inputs_[1].access[first] == detail::Access::direct);
    }
    /// The element of a tensor or a view `steps` elements from where the odometers stand.
    const char* at(index_t steps) const { return plan_.streams[1].at(inputs_[1].offset + steps); }
    index_t stride(int loop) const { return plan_.streams[1].strides[loop]; }
    /// Where the odometers stand in the target, in elements.
    index_t target() const { return inputs_[0].offset; }

    /// Elements [start, start + length) of the loops from `first` on.
    void read(int first, index_t start, index_t length, char* to) {
        while (length > 0) {
            // The largest box that begins here: some turns of one loop, with all inside it.
            int loop = first;
            index_t turn = detail::quotient(start, sizes_[loop]);
            while (start != turn * sizes_[loop] || length < sizes_[loop]) {
                turn = detail::quotient(start, sizes_[++loop]);
            }
            index_t count = detail::quotient(length, sizes_[loop]);
            const index_t index = place(first, loop, turn);
            if (loop > first) {
                const index_t left = plan_.extents[loop] - index;
                if (count > left) count = left;
            }
            box(loop, count, to);
            const index_t done = count * sizes_[loop];
            start += done;
            length -= done;
            to += done * movers_.bytes;
        }
    }

    /// True for rows that are read as such: without a unit they are computed one by one.
    bool suits_rows(index_t width) const { return code_ == nullptr || width >= code_->unit; }
    /// Columns [column, column + width) of the innermost loop, in `height` rows of those around it
    /// from `first` on: from a row on, and `step` apart if they are all of one loop.
    void read_rows(int first, index_t row, index_t height, index_t column, index_t width, char* to,
                   index_t step) {
        const int inner = plan_.rank - 1, outer = plan_.rank - 2;
        for (index_t count; height > 0; height -= count, row += count) {
            const index_t index = place(first, outer, row), left = plan_.extents[outer] - index;
            count = first < outer && left < height ? left : height;
            if (code_ == nullptr) {
                pack(to, inputs_[1].place + column * stride(inner) * bytes(),
                     turned_block(plan_.streams[1], index, count, width, step), movers_);
            } else {
                rows_from_place(index, count, column, width, step);
                detail::compute(*code_, isa(), formula_, to, width, runs_, plan_.count - 1, count,
                                width);
            }
            to += count * width * bytes();
        }
    }

    const void* formula() const { return formula_; }
    /// The same rows of one loop as the formula's operands lie there, or their packed copies.
    const Run* rows(index_t row, index_t height, index_t column, index_t width, index_t step) {
        place(plan_.rank - 2, plan_.rank - 2, row);
        return rows_from_place(row, height, column, width, step);
    }
    /// All rows of the two innermost loops for the formula's operands: constants where they lie, of
    /// all else panels of `lanes` columns, one behind the other, the last of which may overlap the
    /// one before. The rows of a panel come in order, or lane by lane as halves of a vector join.
    const Run* panels(index_t column, index_t width, index_t lanes, bool by_lanes) {
        const int inner = plan_.rank - 1, outer = plan_.rank - 2;
        const index_t height = plan_.extents[outer];
        place(outer, outer, 0);
        for (int i = 1; i < plan_.count; ++i) {
            Input& input = inputs_[i];
            const Stream& s = plan_.streams[i];
            const index_t along = s.strides[inner], down = s.strides[outer];
            if (along == 0) {
                runs_[i - 1] = Run{input.place, 0, down, input.buffer};
                continue;
            }
            if (shares(i)) continue;
            const char* const place = input.place + column * along * s.bytes;
            if (input.packed_from != place || input.packed_count != width) {
                char* to = input.buffer;
                for (index_t j = 0; j < width; j += lanes, to += height * lanes * s.bytes) {
                    const index_t first = j + lanes < width ? j : width - lanes;
                    pack_panel(to, place + first * along * s.bytes, s, height, lanes, by_lanes);
                }
                input.packed_from = place;
                input.packed_count = width;
            }
            runs_[i - 1] = Run{input.buffer, 0, lanes, nullptr};
        }
        return runs_;
    }
    /// True when no operand must be packed to be read over the loops from `first` on.
    bool in_place(int first) const {
        for (int i = 1; i < plan_.count; ++i) {
            if (inputs_[i].access[first] == Access::packed) return false;
        }
        return true;
    }
    /// Goes to a turn of the loops from `first` up to `inside`, and returns how many of the next
    /// `turns` are of one loop.
    index_t go_to(int first, int inside, index_t turn, index_t turns) {
        const index_t index = place(first, inside - 1, turn);
        if (first == inside) return 1;
        const index_t left = plan_.extents[inside - 1] - index;
        return turns < left ? turns : left;
    }
    /// Where that is in a tensor or a view.
    const char* here() const { return inputs_[1].place; }
    /// What lies inside of these turns, in place, as rows of `length` elements, from an element on.
    const Run* rows_inside(int inside, index_t length, index_t start = 0) {
        for (int i = 1; i < plan_.count; ++i) {
            const Input& input = inputs_[i];
            const Stream& s = plan_.streams[i];
            const index_t turn = inside > 0 ? s.strides[inside - 1] : 0;
            runs_[i - 1] = input.access[inside] == Access::direct
                               ? Run{input.place + start * s.bytes, turn, length, nullptr}
                               : Run{input.place, turn, 0, input.buffer};
        }
        return runs_;
    }

    /// Steps an odometer; false when it is back at the start.
    bool advance(Odometer& odometer) {
        const auto offset = [this](int i) -> index_t& { return inputs_[i].offset; };
        for (int d = odometer.count - 1; d >= 0; --d) {
            if (detail::step_along(plan_, odometer.loops[d], odometer.index[d], offset))
                return true;
        }
        return false;
    }

private:
    using Access = detail::Access;

    // Goes to a turn of `loop`, counted over all loops from `first` on, and returns its index.
    index_t place(int first, int loop, index_t turn) {
        index_t index[max_rank];
        for (int l = loop; l > first; --l) {
            const index_t outside = detail::quotient(turn, plan_.extents[l]);
            index[l] = turn - outside * plan_.extents[l];
            turn = outside;
        }
        index[first] = turn;
        for (int i = 1; i < plan_.count; ++i) {
            const Stream& s = plan_.streams[i];
            index_t offset = inputs_[i].offset;
            for (int l = first; l <= loop; ++l) offset += index[l] * s.strides[l];
            inputs_[i].place = s.at(offset);
        }
        return loop >= first ? index[loop] : 0;
    }

    void classify(const Stream& s, Input& input) const {
        bool direct = true, constant = true;
        for (int l = plan_.rank - 1; l >= 0; --l) {
            direct = direct && s.strides[l] == sizes_[l];
            constant = constant && s.strides[l] == 0;
            input.access[l] = direct     ? Access::direct
                              : constant ? Access::constant
                                         : Access::packed;
        }
        input.offset = 0;
        input.buffer = nullptr;
        input.packed_from = nullptr;
    }
    index_t buffer_bytes(int i) const {
        bool packs = false, spreads = false;
        for (int l = 0; l < plan_.rank; ++l) {
            packs = packs || inputs_[i].access[l] == Access::packed;
            spreads = spreads || inputs_[i].access[l] == Access::constant;
        }
        if (code_ == nullptr) return 0;
        packs = packs && inputs_[i].twin == 0;
        const index_t packed = packs ? longest_ : 0, spread = packs || spreads ? copies_ : 0;
        const index_t count = packed > spread ? packed : spread;
        return kernel::bytes_in_lines(count * plan_.streams[i].bytes);
    }

    // Rows of the two innermost loops, from a row on and `step` apart. The next ones, or else the
    // first ones of the next columns, are what the caches should fetch.
    BROADLOOM_NOINLINE Block turned_block(const Stream& s, index_t row, index_t rows, index_t width,
                                          index_t step) const {
        const int outer = plan_.rank - 2;
        const index_t down = step * s.strides[outer], along = s.strides[outer + 1];
        index_t ahead = 0;
        if (calls_ && detail::leave_room(along * s.bytes)) {
            const bool last = row + rows * step >= plan_.extents[outer];
            ahead = last ? width * along - row * s.strides[outer] : rows * down;
        }
        return {rows, width, down, along, ahead};
    }
    // True for an operand that is packed as one before it: what holds that serves both.
    bool shares(int i) const {
        const int twin = inputs_[i].twin;
        if (twin != 0) runs_[i - 1] = runs_[twin - 1];
        return twin != 0;
    }
    const Run* rows_from_place(index_t row, index_t height, index_t column, index_t width,
                               index_t step) {
        const int inner = plan_.rank - 1, outer = plan_.rank - 2;
        for (int i = 1; i < plan_.count; ++i) {
            Input& input = inputs_[i];
            const Stream& s = plan_.streams[i];
            const index_t along = s.strides[inner], down = step * s.strides[outer];
            const char* const place = input.place + column * along * s.bytes;
            Run& run = runs_[i - 1];
            if (along == 1) {
                run = Run{place, block_length, down, nullptr};
                continue;
            }
            if (along == 0) {
                input.packed_from = nullptr;
                run = Run{place, 0, down, input.buffer};
                continue;
            }
            if (shares(i)) continue;
            const index_t rows = down == 0 ? 1 : height;
            if (input.packed_from != place || input.packed_rows != rows ||
                input.packed_count != width) {
                const index_t apart = down == 0 ? 0 : step;
                pack(input.buffer, place, turned_block(s, row, rows, width, apart), *s.movers);
                input.packed_from = place;
                input.packed_rows = rows;
                input.packed_count = width;
            }
            run = Run{input.buffer, block_length, down == 0 ? 0 : width, nullptr};
        }
        return runs_;
    }

    // One panel of an operand.
    void pack_panel(char* to, const char* from, const Stream& s, index_t height, index_t lanes,
                    bool by_lanes) const {
        const index_t down = s.strides[plan_.rank - 2], along = s.strides[plan_.rank - 1];
        if (!by_lanes) {
            pack(to, from, Block{height, lanes, down, along}, *s.movers);
            return;
        }
        index_t extents[max_rank], strides[max_rank];
        int rank = 0;
        for (index_t lane = 1; lane < lanes; lane *= 2, ++rank) {
            extents[rank] = 2;
            strides[rank] = lane * down;
        }
        extents[rank] = height / lanes;
        strides[rank] = lanes * down;
        extents[rank + 1] = lanes;
        strides[rank + 1] = along;
        pack(to, from, extents, strides, rank + 2, *s.movers);
    }

    // `count` turns of a loop of an operand with all inside it.
    void pack_turns(char* to, const char* from, const Stream& s, int loop, index_t count) const {
        if (calls_ && loop + 2 == plan_.rank) {
            Block block = turned_block(s, 0, count, plan_.extents[loop + 1], 1);
            // Columns that lie near each other come one after the other.
            constexpr index_t most_apart = 1024, columns_ahead = 64;  // bytes, elements
            const index_t along = block.column_stride;
            if (magnitude(along) * s.bytes <= most_apart) block.ahead = columns_ahead * along;
            pack(to, from, block, *s.movers);
            return;
        }
        index_t extents[max_rank];
        extents[0] = count;
        for (int l = loop + 1; l < plan_.rank; ++l) extents[l - loop] = plan_.extents[l];
        pack(to, from, extents, s.strides + loop, plan_.rank - loop, *s.movers);
    }
    // The same of all operands, computed, from the places on.
    void box(int loop, index_t count, char* to) {
        while (count == 1 && loop + 1 < plan_.rank) count = plan_.extents[++loop];
        if (code_ == nullptr)
            return pack_turns(to, inputs_[1].place, plan_.streams[1], loop, count);
        // Long rows are read where they lie, one by one, if together they would have to be packed.
        const bool by_rows = loop + 1 < plan_.rank && sizes_[loop] >= detail::long_row &&
                             !in_place(loop) && in_place(loop + 1);
        for (int i = 1; i < plan_.count; ++i) {
            Input& input = inputs_[i];
            const Access how = input.access[by_rows ? loop + 1 : loop];
            const index_t row = by_rows ? plan_.streams[i].strides[loop] : 0;
            if (how == Access::direct) {
                runs_[i - 1] = Run{input.place, block_length, row, nullptr};
            } else if (how == Access::constant) {
                runs_[i - 1] = Run{input.place, 0, row, input.buffer};
                input.packed_from = nullptr;
            } else if (!shares(i)) {
                if (input.packed_from != input.place || input.packed_rows != 0 ||
                    input.packed_loop != loop || input.packed_count < count) {
                    pack_turns(input.buffer, input.place, plan_.streams[i], loop, count);
                    input.packed_from = input.place;
                    input.packed_loop = loop;
                    input.packed_count = count;
                    input.packed_rows = 0;
                }
                runs_[i - 1] = Run{input.buffer, block_length, 0, nullptr};
            }
        }
        const index_t rows = by_rows ? count : 1;
        const index_t length = (by_rows ? 1 : count) * sizes_[loop];
        detail::compute(*code_, isa(), formula_, to, length, runs_, plan_.count - 1, rows, length);
    }

    const Plan& plan_;
    const Code* code_;
    const void* formula_;
    Input* inputs_;
    Run* runs_;
    const Movers& movers_;
    index_t longest_, copies_;
    bool calls_;
    index_t sizes_[max_rank];
};

}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_FOLD_READER_HPP
