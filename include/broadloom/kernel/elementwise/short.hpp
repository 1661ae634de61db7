// Small jobs. Where there is little to compute, a plan costs more than it gains: one flat run, a
// few elements by strides, or rows that the loop takes as they lie are called at once.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_SHORT_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_SHORT_HPP

#include "broadloom/kernel/elementwise/formula.hpp"
#include "broadloom/kernel/elementwise/one_tile.hpp"

namespace broadloom::kernel::detail {

/// Up to this many elements go by strides, and from so many up to so many by rows: more where short
/// rows have a loop of their own and little of them is left over beside whole units, and most where
/// that loop knows their constants, or where rows are long, or all is one. What is larger is
/// planned.
inline constexpr index_t few_elements = 48, least_in_rows = 32, most_in_rows = 1024;
inline constexpr index_t short_elements = 4096, unplanned_elements = 32768;
/// The shortest row that is worth the loop, and how often the two inner dimensions may be called.
inline constexpr index_t shortest_row = 16, most_turns = 16;

/// How a job goes without a plan: the innermost dimension of more than one element as columns, with
/// those that go on where it ends; the one outside of these, or a longer one where that is short,
/// as rows, and the others `around` these in turns.
struct ShortForm {
    enum Kind { none, few, in_rows } kind = none;
    index_t rows, columns;
    index_t strides[2];  // of the target, from row to row and along one
    index_t down;        // the dimension of the rows
    index_t around = 0;  // dimensions from the first on, of which that may be one
    Loop* loop;          // of rows that are taken as they lie
};

/// True when target and operands are one flat run each. What fits a shape and has as many elements
/// has its extents.
inline bool is_flat(const Job& job, const Shape& shape) {
    const Strides& strides = *job.operands[0].strides;
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        if (operand.shape->size() != shape.size() || *operand.strides != strides) return false;
    }
    return broadloom::detail::is_contiguous(shape, strides);
}

/// Evaluates a job of any size that is one flat run.
BROADLOOM_INLINE void run_flat(const Job& job, index_t size, Run* runs) {
    for (int i = 1; i < job.count; ++i) {
        runs[i - 1] = Run{job.operands[i].data, block_length, 0, nullptr};
    }
    const int level = level_for(job.code, size * job.operands[0].bytes);
    compute(job.code, level, job.formula, const_cast<void*>(job.operands[0].data), 0, runs,
            job.count - 1, 1, size);
}

/// Evaluates a job that is one short flat run of a few operands; false if it is none.
BROADLOOM_INLINE bool run_short_flat(const Job& job, index_t size) {
    if (size < job.code.unit || size > most_in_rows || !job.code.light || job.count > short_count)
        return false;
    Run runs[short_count];
    for (int i = 1; i < job.count; ++i) runs[i - 1] = Run{job.operands[i].data, 0, 0, nullptr};
    job.code.loop.level[isa()](job.formula, const_cast<void*>(job.operands[0].data), 0, runs, 1,
                               size, Write::cached);
    return true;
}

/// True when a dimension goes on where so many columns along an inner one end, in target and
/// operands.
inline bool goes_on(const Job& job, index_t rank, index_t outer, index_t inner, index_t columns) {
    for (int i = 0; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        if (stride_along(operand, outer, rank) != columns * stride_along(operand, inner, rank))
            return false;
    }
    return true;
}

/// Finds the rows of a job, and has the runs step by strides; false if they lie in too many turns.
BROADLOOM_INLINE bool lay_rows(ShortForm& form, const Job& job, const Shape& shape, Run* runs) {
    constexpr index_t few_rows = 8;  // of a turn
    const index_t rank = shape.rank();
    const bool joins = shape.size() >= least_in_rows;
    index_t inner = rank - 1;
    while (inner > 0 && shape[inner] == 1) --inner;
    index_t outer = inner - 1;
    form.columns = inner < 0 ? 1 : shape[inner];
    for (; outer >= 0; --outer) {
        if (shape[outer] == 1) continue;
        if (!joins || !goes_on(job, rank, outer, inner, form.columns)) break;
        form.columns *= shape[outer];
    }
    if (outer > 0) {
        const index_t end = outer;
        index_t turns = 1;
        for (index_t d = 0; d < end; ++d) {
            turns *= shape[d];
            if (shape[end] < few_rows && shape[d] > shape[outer]) outer = d;
        }
        if (outer != end) turns = turns / shape[outer] * shape[end];
        if (turns > most_turns) return false;
        form.around = turns == 1 ? 0 : outer == end ? end : end + 1;
    }
    form.down = outer;
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        runs[i - 1] = Run{operand.data, inner < 0 ? 0 : stride_along(operand, inner, rank),
                          outer < 0 ? 0 : stride_along(operand, outer, rank), nullptr};
    }
    const Strides& strides = *job.operands[0].strides;
    form.strides[0] = outer < 0 ? 0 : strides[outer];
    form.strides[1] = inner < 0 ? 0 : strides[inner];
    form.rows = outer < 0 ? 1 : shape[outer];
    return true;
}

/// Takes the loop for rows where they lie as it wants them and no plan would gain; else a plan, but
/// for a few elements.
BROADLOOM_INLINE void choose_loop(ShortForm& form, const Job& job, index_t size, const Run* runs) {
    bool lie = form.strides[1] == 1;
    int bits = 0;
    for (int i = 1; i < job.count; ++i) {
        const index_t step = runs[i - 1].step;
        lie = lie && (step == 1 || (step == 0 && job.operands[i].bytes <= widest_constant));
        if (step == 0) bits |= 1 << (i - 1);
    }
    const bool light = job.code.light, whole = light && are_whole(job.code, form.columns);
    form.loop = held_loop_for(job.code, bits, form.columns, Write::cached);
    const bool held = form.loop != nullptr && (bits != 0 || size <= 2 * most_in_rows ||
                                               fills_units(form.columns, job.code.held[bits].unit));
    const bool moves = bits + 1 < 1 << (job.count - 1);  // along the rows, and is no fill
    const bool own_runs =
        held || (moves && (form.rows == 1 || (light && form.columns >= long_row)));
    lie = lie &&
          size <= (own_runs ? unplanned_elements
                   : whole  ? short_elements
                            : most_in_rows) &&
          (held || (form.columns >= shortest_row && form.columns >= job.code.unit));
    if (lie) {
        form.kind = ShortForm::in_rows;
        if (form.loop == nullptr)
            form.loop = loop_for(job.code, isa(), form.columns, Write::cached);
    } else if (size > few_elements &&
               (form.around > 0 || size > 4 * few_elements || job.code.steps >= heavy)) {
        form.kind = ShortForm::none;
    }
}

/// Decides which short form a job takes, and has the runs step by strides.
BROADLOOM_INLINE ShortForm short_form(const Job& job, const Shape& shape, Run* runs) {
    ShortForm form;
    if (!lay_rows(form, job, shape, runs)) return form;
    form.kind = ShortForm::few;
    if (const index_t size = shape.size(); size >= least_in_rows)
        choose_loop(form, job, size, runs);
    return form;
}

/// Goes to the next turn of the dimensions around the rows; false after the last one.
inline bool next_turn(const Job& job, const Shape& shape, const ShortForm& form, index_t* index,
                      Run* runs, char*& target) {
    for (index_t d = form.around - 1; d >= 0; --d) {
        if (d == form.down) continue;
        const bool more = ++index[d] < shape[d];
        const index_t steps = more ? 1 : 1 - shape[d];
        target += steps * (*job.operands[0].strides)[d] * job.operands[0].bytes;
        for (int i = 1; i < job.count; ++i) {
            const Operand& operand = job.operands[i];
            runs[i - 1].data = static_cast<const char*>(runs[i - 1].data) +
                               steps * stride_along(operand, d, shape.rank()) * operand.bytes;
        }
        if (more) return true;
        index[d] = 0;
    }
    return false;
}

/// Calls `f` with the target of every turn of the dimensions around the rows.
template <class F>
BROADLOOM_INLINE void for_each_turn(const Job& job, const Shape& shape, const ShortForm& form,
                                    Run* runs, F&& f) {
    char* target = static_cast<char*>(const_cast<void*>(job.operands[0].data));
    if (form.around == 0) return f(target);
    index_t index[max_rank];
    for (index_t d = 0; d < form.around; ++d) index[d] = 0;
    do f(target);
    while (next_turn(job, shape, form, index, runs, target));
}

/// Evaluates the rows of a short form, where operands that do not move along them are constants.
BROADLOOM_NOINLINE inline void run_in_rows(const Job& job, const Shape& shape,
                                           const ShortForm& form, Run* runs) {
    alignas(64) char spread[short_count][block_length * widest_constant];
    for (int i = 0; i + 1 < job.count; ++i) {
        if (runs[i].step == 0) runs[i].spread = spread[i];
    }
    for_each_turn(job, shape, form, runs, [&](char* target) {
        form.loop(job.formula, target, form.strides[0], runs, form.rows, form.columns,
                  Write::cached);
    });
}

/// Evaluates a small job without a plan; false when it needs one.
BROADLOOM_INLINE bool run_short(const Job& job, const Shape& shape, Run* runs) {
    const ShortForm form = short_form(job, shape, runs);
    if (form.kind == ShortForm::none) {
        const OneTile tile(job, shape);
        if (tile.fits()) tile.run(runs);
        return tile.fits();
    }
    if (form.kind == ShortForm::in_rows) {
        run_in_rows(job, shape, form, runs);
        return true;
    }
    for_each_turn(job, shape, form, runs, [&](char* target) {
        job.code.few(job.formula, target, form.strides, runs, form.rows, form.columns);
    });
    return true;
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_SHORT_HPP
