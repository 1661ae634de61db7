// What evaluation would do, in words and numbers: the loops, how the nest is cut into tiles, how
// each operand is read, and with which instructions. The decisions are those of tiling.hpp itself.
#ifndef BROADLOOM_KERNEL_DESCRIBE_HPP
#define BROADLOOM_KERNEL_DESCRIBE_HPP

#include <string>

#include "broadloom/kernel/elementwise.hpp"

namespace broadloom {
namespace kernel::detail {

inline std::string strides_text(const Plan& plan, const Stream& stream) {
    Strides strides;
    for (int loop = 0; loop < plan.rank; ++loop) strides.push_back(stream.strides[loop]);
    return broadloom::detail::text(strides);
}

inline std::string access_text(const Walk& walk, int i) {
    const bool target = i == 0;
    switch (walk.parts[i].access) {
        case Access::direct: return "direct";
        case Access::constant: return "constant";
        default: return target ? "scattered" : "packed";
    }
}

/// The account of a job over a shape.
inline std::string describe(const Job& job, const Shape& shape) {
    const auto number = [](index_t n) { return std::to_string(n); };
    std::string out = "shape " + broadloom::detail::text(shape) + ": ";
    if (shape.size() == 0) return out + "nothing to compute";
    const int threads = threads_for(shape.size() * job.code.steps);
    const char* const names[] = {"baseline", "AVX2", "AVX-512"};
    const int chosen = level_for(job.code, shape.size() * job.operands[0].bytes);
    const int level = job.code.strict || chosen == 0 ? chosen : 1;
    const std::string tail = std::string("\n") + names[level] + ", " + number(threads) +
                             (threads == 1 ? " thread" : " threads");
    if (is_flat(job, shape)) {
        return out + "1 flat run of " + number(shape.size()) + tail;
    }
    if (shape.size() <= few_elements) return out + "a few elements, by strides";

    Plan plan;
    plan.count = job.count;
    Room room(job.count);
    plan.streams = room.streams;
    make_plan(plan, job.operands, shape);
    Walk walk{plan, job.code, job.expression, room.parts, room.runs};
    const bool rows = walks_rows(plan);
    if (rows) {
        const Cut cut = plan_rows(walk);
        out += "rows, in tiles of " + number(cut.rows) + " x " + number(cut.columns);
    } else {
        const Flat flat = plan_flat(walk);
        out += "flat runs, in tiles of " + number(flat.chunk) + " x " + number(flat.whole);
    }
    IndexList extents;
    for (int loop = 0; loop < plan.rank; ++loop) extents.push_back(plan.extents[loop]);
    out += "\nloops " + broadloom::detail::text(extents);
    for (int i = 0; i < plan.count; ++i) {
        out += i == 0 ? std::string("\ntarget") : "\noperand " + number(i - 1);
        out += ": " + number(plan.streams[i].bytes) +
               (plan.streams[i].bytes == 1 ? " byte" : " bytes") + ", strides " +
               strides_text(plan, plan.streams[i]) + ", " + access_text(walk, i);
    }
    return out + tail;
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
