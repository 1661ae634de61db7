// Evaluation: what an expression needs from its type is its code and a list of its leaves; all else
// is decided here, once for all types: one flat run, a few elements by strides, or a walk of a
// plan, perhaps shared out to threads. Also here: why overlap is safe.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_HPP

#include <cstdint>

#include "broadloom/kernel/elementwise/copies.hpp"
#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/kernel/elementwise/code.hpp"
#include "broadloom/kernel/memory.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/elementwise/short.hpp"

namespace broadloom::kernel {
namespace detail {

/// Appends the leaves of an expression, in the order in which the cursors take their runs.
template <class X>
void list_leaves(const X& tensor, Operand*& list) {
    using T = typename X::value_type;
    *list++ = Operand{tensor.data(), &tensor.shape(), &tensor.strides(),
                      static_cast<index_t>(sizeof(T)), &movers_of<sizeof(T)>};
}
template <class T>
void list_leaves(const Scalar<T>&, Operand*&) {}
template <class F, class... X>
void list_leaves(const Expression<F, X...>& expression, Operand*& list) {
    expression.with_operands([&](const auto&... x) { (detail::list_leaves(x, list), ...); });
}

/// Room for what a walk or a fold keeps for every stream: on the stack, unless there are many.
template <class State>
struct Room {
    static constexpr int inside = 8;
    Stream few_streams[inside];
    State few_states[inside];
    Run few_runs[inside];
    HeapArray<Stream> more_streams;
    HeapArray<State> more_states;
    HeapArray<Run> more_runs;
    Stream* streams = few_streams;
    State* states = few_states;
    Run* runs = few_runs;

    explicit Room(int count) {
        if (count <= inside) [[likely]]
            return;
        const auto n = static_cast<std::size_t>(count);
        streams = more_streams.make(n);
        states = more_states.make(n);
        runs = more_runs.make(n);
    }
};

/// How many threads an evaluation of so many elements is worth.
inline int threads_for(const Code& code, index_t size) noexcept {
    return code.shares ? kernel::threads_for(size, code.steps) : 1;
}

BROADLOOM_PLANNING_BEGIN

/// Shares a plan out: the outermost loop that is long enough, or else the longest, in pieces.
BROADLOOM_COLD inline void run_parallel(const Plan& plan, const Job& job, int level, Write write,
                                        int threads) {
    const int loop = loop_to_share(plan, pieces_for(threads));
    const auto run_part = [&](index_t first, index_t last) {
        Room<Part> room(plan.count);
        Plan part = part_of(plan, loop, first, last - first, room.streams);
        walk(part, job.code, job.formula, room.states, room.runs, level, write);
    };
    // In whole blocks where a piece is a run.
    share_out(threads, plan.extents[loop], run_part, plan.rank == 1 ? block_length : 1);
}

/// Fills in the plan of a job over a shape.
inline void plan_job(Plan& plan, const Job& job, const Shape& shape, Write write) {
    make_plan(plan, job.operands, shape);
    if (job.code.shares && write == Write::cached) follow_operands(plan, job.code.unit);
}

/// Evaluates a job by a walk of its plan.
BROADLOOM_NOINLINE inline void run_plan(const Job& job, const Shape& shape, Write write,
                                        int threads) {
    Room<Part> room(job.count);
    Plan plan;
    plan.count = job.count;
    plan.streams = room.streams;
    plan_job(plan, job, shape, write);
    Memory full, flat;
    if (const InFull copies = copied_in_full(plan, job.code, write); copies.from >= 0)
        lay_all_in_full(plan, copies, full.make(static_cast<std::size_t>(copies.bytes)));
    if (const std::size_t bytes = bytes_laid_flat(plan, job.code, write)) {
        lay_all_flat(plan, [&](int i) { return is_laid_flat(plan, i); }, flat.make(bytes));
        merge(plan);
    }
    const int level = level_for(job.code, shape.size() * job.operands[0].bytes);
    if (threads > 1) run_parallel(plan, job, level, write, threads);
    else walk(plan, job.code, job.formula, room.states, room.runs, level, write);
}

BROADLOOM_PLANNING_END

/// How the target of a job is written.
inline Write write_for(const Job& job, const Shape& shape) {
    return write_for(job.operands, job.count, shape, job.code.steps < heavy, job.code.copies);
}

/// Evaluates a job that is not small, perhaps in several threads.
BROADLOOM_NOINLINE inline void run_large(const Job& job, const Shape& shape, bool flat) {
    const int threads = threads_for(job.code, shape.size());
    const Write write = write_for(job, shape);
    if (flat && threads == 1 && write == Write::cached && job.count <= short_count) {
        Run runs[short_count];
        return run_flat(job, shape.size(), runs);
    }
    run_plan(job, shape, write, threads);
}

/// Evaluates a job that takes some preparation.
BROADLOOM_NOINLINE inline void run_prepared(const Job& job, const Shape& shape, bool flat) {
    const index_t size = shape.size();
    if (size == 0) return;
    if (size <= unplanned_elements && job.count <= short_count) [[likely]] {
        Run runs[short_count];
        if (flat && size <= short_elements) return run_flat(job, size, runs);
        if (!flat && run_short(job, shape, runs)) return;
    }
    run_large(job, shape, flat);
}

/// Evaluates a job over a shape, which is flat if target and operands are one flat run each.
BROADLOOM_INLINE void run(const Job& job, const Shape& shape, bool flat) {
    if (flat && run_short_flat(job, shape.size())) return;
    run_prepared(job, shape, flat);
}
BROADLOOM_NOINLINE inline void run(const Job& job, const Shape& shape) {
    run(job, shape, is_flat(job, shape));
}

/// True when writing the target of a job could change an operand before it is read: they share
/// memory other than element for element.
inline bool is_hazard_of_strided(const Job& job) {
    const auto footprint = [](const Operand& o) {
        return broadloom::detail::Footprint{reinterpret_cast<std::intptr_t>(o.data), o.bytes,
                                            o.shape, o.strides};
    };
    const Operand& target = job.operands[0];
    const auto written = footprint(target);
    const auto reach = written.reach();
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        const bool same = operand.data == target.data && operand.bytes == target.bytes &&
                          *operand.shape == *target.shape && *operand.strides == *target.strides;
        const auto read = footprint(operand);
        if (same || broadloom::detail::are_apart(reach, read.reach())) continue;
        if (broadloom::detail::overlaps(written, read)) return true;
    }
    return false;
}
/// The same where target and operands are one flat run each.
inline bool is_hazard_of_flat(const Job& job) {
    const Operand& target = job.operands[0];
    const index_t size = target.shape->size();
    const auto written = reinterpret_cast<std::uintptr_t>(target.data);
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        const auto read = reinterpret_cast<std::uintptr_t>(operand.data);
        if (read == written && operand.bytes == target.bytes) continue;
        if (read < written + static_cast<std::uintptr_t>(size * target.bytes) &&
            written < read + static_cast<std::uintptr_t>(size * operand.bytes)) {
            return true;
        }
    }
    return false;
}
inline bool is_hazard(const Job& job, bool flat) {
    return flat ? is_hazard_of_flat(job) : is_hazard_of_strided(job);
}
BROADLOOM_NOINLINE inline bool is_hazard(const Job& job) {
    return is_hazard(job, is_flat(job, *job.operands[0].shape));
}

/// Evaluates a job whose target was there before, unless that is a hazard; false if it is one.
BROADLOOM_NOINLINE inline bool run_in_place(const Job& job) {
    const Shape& shape = *job.operands[0].shape;
    const bool flat = is_flat(job, shape);
    if (is_hazard(job, flat)) return false;
    run(job, shape, flat);
    return true;
}
/// The same where the target has a shape and lies flat.
BROADLOOM_NOINLINE inline bool run_over(const Job& job, const Shape& shape) {
    const Operand& target = job.operands[0];
    return shape == *target.shape &&
           broadloom::detail::is_contiguous(*target.shape, *target.strides) && run_in_place(job);
}

}  // namespace detail

/// One evaluation of an expression into a target of its shape.
template <class X, class R>
class Evaluation {
public:
    Evaluation(const X& expression, R* target, const Shape& shape, const Strides& strides)
        : formula_(kernel::unconverted(expression)) {
        operands_[0] = Operand{target, &shape, &strides, static_cast<index_t>(sizeof(R)),
                               &movers_of<sizeof(R)>};
        Operand* leaf = operands_ + 1;
        detail::list_leaves(expression, leaf);
    }

    /// Where the result goes; perhaps to another place.
    Operand& target() { return operands_[0]; }
    /// True when the target must not be written before all is read.
    bool is_hazard() const { return detail::is_hazard(job()); }
    /// What is to be done, for those who only describe it.
    detail::Job job() const { return {code_of<formula_t<X>, R>, &formula_, operands_, count}; }
    void run() const { detail::run(job(), *operands_[0].shape); }
    /// The same, unless that is a hazard; false if it is one.
    bool run_in_place() const { return detail::run_in_place(job()); }

private:
    static constexpr int count = static_cast<int>(detail::leaves<formula_t<X>>) + 1;
    formula_t<X> formula_;
    Operand operands_[static_cast<std::size_t>(count)];
};

/// Computes every element of `expression` into `target`, which has its shape and does not overlap
/// its leaves but element for element.
template <class X, class R>
void evaluate(const X& expression, R* target, const Shape& shape, const Strides& strides) {
    Evaluation<X, R>(expression, target, shape, strides).run();
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_HPP
