// What evaluation would do, in words and numbers: the loops, how the nest is cut into tiles, how
// each operand is read, and with which instructions. The decisions are those of way.hpp and
// tiling.hpp themselves.
#ifndef BROADLOOM_KERNEL_DESCRIBE_HPP
#define BROADLOOM_KERNEL_DESCRIBE_HPP

#include <string>

#include "broadloom/kernel/elementwise.hpp"

namespace broadloom {
namespace kernel::detail {

using broadloom::detail::Sentence;

inline IndexList strides_of(const Plan& plan, const Stream& stream) {
    IndexList strides;
    for (int loop = 0; loop < plan.rank; ++loop) strides.push_back(stream.strides[loop]);
    return strides;
}

inline const char* access_text(Access access) {
    switch (access) {
        case Access::direct: return "direct";
        case Access::constant: return "constant";
        default: return "packed";
    }
}
inline const char* access_text(const Walk& walk, int i) {
    const Access access = walk.parts[i].access;
    if (i > 0) return access_text(access);
    return access == Access::packed      ? "scattered"
           : walk.write != Write::cached ? "streamed"
                                         : "direct";
}

/// The instruction set of the loop for runs of some length that a level asks for.
inline int level_of(const Code& code, int asked, index_t length, Write write) {
    Loop* const loop = loop_for(code, asked, length, write);
    int level = asked;
    while (level > 0 && loop_for(code, level - 1, length, write) == loop) --level;
    return level;
}

/// The loops of a job over a shape, and what they do with each operand. Returns the length of the
/// runs that are computed in vectors, or 0.
inline index_t describe_loops(Sentence& out, const Job& job, const Shape& shape, Write write) {
    Plan plan;
    plan.count = job.count;
    Room<Part> room(job.count);
    plan.streams = room.streams;
    plan_job(plan, job, shape, write);
    IndexList laid;
    const InFull copies = copied_in_full(plan, job.code, write);
    for (int i = 1; i < plan.count; ++i) {
        if (!copies.has(plan, i)) continue;
        follow_loops(plan, plan.streams[i], copies.from);
        laid.push_back(i);
    }
    merge(plan);
    const bool lays = bytes_laid_flat(plan, job.code, write) > 0;
    for (int i = 1; lays && i < plan.count; ++i) {
        if (!is_laid_flat(plan, i)) continue;
        follow_loops(plan, plan.streams[i]);
        laid.push_back(i);
    }
    merge(plan);
    Walk walk{plan, job.code, job.formula, room.states, room.runs, 0, write};
    index_t length = 0;
    int in_place = 0;
    switch (way_of(plan, job.code, write)) {
        case Way::singly:
            for (int i = 0; i < plan.count; ++i) walk.parts[i].access = Access::direct;
            out << "one by one, where they lie";
            break;
        case Way::whole:
            for (int i = 0; i < plan.count; ++i) walk.parts[i].access = Access::direct;
            walk.parts[1].access = Access::packed;
            out << "packed into the target";
            break;
        case Way::rows: {
            Cut cut = plan_rows(walk);
            in_place = turned_in_place(walk);
            if (in_place != 0) cut.columns = plan.extents[plan.rank - 1];
            length = cut.columns;
            out << "rows, in tiles of " << cut.rows << " x " << cut.columns;
            break;
        }
        case Way::flat: {
            const Flat flat = plan_flat(walk);
            length = flat.chunk * flat.whole;
            out << "flat runs, in tiles of " << flat.chunk << " x " << flat.whole;
            break;
        }
    }
    IndexList extents;
    for (int loop = 0; loop < plan.rank; ++loop) extents.push_back(plan.extents[loop]);
    out << "\nloops " << extents;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& stream = plan.streams[i];
        if (i == 0) out << "\ntarget";
        else out << "\noperand " << i - 1;
        out << ": " << stream.bytes << (stream.bytes == 1 ? " byte" : " bytes") << ", strides "
            << strides_of(plan, stream) << ", " << access_text(walk, i);
        for (const index_t j : laid) {
            if (j == i) out << " from a flat copy";
        }
        if (in_place != 0 && i == in_place) out << " into the target";
        if (const int twin = twin_of(walk, i); twin != 0) out << " with operand " << twin - 1;
    }
    return length;
}

/// The operands of a job that is one tile.
inline void describe_tile(Sentence& out, const Job& job, const Shape& shape) {
    const OneTile tile(job, shape);
    for (int i = 1; i < job.count; ++i) {
        out << "\noperand " << i - 1 << ": " << access_text(tile.access(i));
        if (const int twin = twin_of(job, i); twin != 0 && tile.access(i) == Access::packed)
            out << " with operand " << twin - 1;
    }
}

/// The account of a job over a shape.
inline std::string describe(const Job& job, const Shape& shape) {
    Sentence out;
    out << "shape " << broadloom::detail::text(shape) << ": ";
    if (shape.size() == 0) return (out << "nothing to compute").str();
    const Write write = write_for(job, shape);
    const bool flat = write == Write::cached && is_flat(job, shape);
    ShortForm form;
    bool one_tile = false;
    if (!flat && shape.size() <= unplanned_elements && job.count <= short_count) {
        Run runs[short_count];
        form = short_form(job, shape, runs);
        one_tile = form.kind == ShortForm::none && OneTile(job, shape).fits();
    }
    if (form.kind == ShortForm::few) return (out << "a few elements, by strides").str();
    // What is described only may be larger than any memory.
    constexpr index_t large = index_t{1} << (sizeof(index_t) == 8 ? 40 : 24);
    const index_t size = shape.size() < large ? shape.size() : large;
    int level = level_for(job.code, size * job.operands[0].bytes);
    index_t length = shape.size();
    if (flat || one_tile) {
        out << "1 flat run of " << length;
        if (one_tile) describe_tile(out, job, shape);
    } else if (form.kind != ShortForm::none) {
        length = form.columns;
        level = isa();
        const index_t rows = shape.size() / length;
        out << rows << (rows == 1 ? " row as it lies" : " rows as they lie");
    } else {
        length = describe_loops(out, job, shape, write);
    }
    const char* const names[] = {"baseline", "AVX2", "AVX-512"};
    const int threads = threads_for(job.code, size);
    out << "\n"
        << names[length > 0 ? level_of(job.code, level, length, write) : 0] << ", " << threads
        << (threads == 1 ? " thread" : " threads");
    return out.str();
}

}  // namespace kernel::detail

/// What evaluating an expression would do: the loops and their strides, which operands are read
/// directly, as constants or packed into a buffer, and the instruction set. Computes nothing.
template <class F, class... X>
std::string describe_plan(const Expression<F, X...>& expression) {
    using Node = Expression<F, X...>;
    using R = typename Node::value_type;
    const Strides strides = detail::row_major(expression.shape());
    const kernel::Evaluation<Node, R> evaluation(expression, nullptr, expression.shape(), strides);
    return kernel::detail::describe(evaluation.job(), expression.shape());
}

}  // namespace broadloom

#endif  // BROADLOOM_KERNEL_DESCRIBE_HPP
