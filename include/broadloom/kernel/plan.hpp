// From k layouts to a loop nest. The target and its operands, broadcast to one shape, become
// nested loops: extents of 1 dropped, loops that all walk alike merged, ordered so that the
// innermost one runs along the target's memory. Nothing here depends on types or on functions.
//
//   {4096, 768} + {4096, 1} * {768}   is 2 loops, strides {768, 1}, {1, 0}, {0, 1}
//   {1000, 1000} + {1000, 1000}       is 1 loop of 1000000, strides {1}, {1}
#ifndef BROADLOOM_KERNEL_PLAN_HPP
#define BROADLOOM_KERNEL_PLAN_HPP

#include "broadloom/core/broadcast.hpp"
#include "broadloom/kernel/packing/movers.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel {

/// A tensor as the kernel sees it: where it lies, the size of an element in bytes, and how such
/// elements are packed, if they may have to be.
struct Operand {
    const void* data;
    const Shape* shape;
    const Strides* strides;
    index_t bytes;
    const Movers* movers = nullptr;
};

/// One tensor's part in a loop nest: its first element and its stride, in elements, in every loop.
struct Stream {
    const char* data;
    index_t bytes;
    const Movers* movers;
    index_t strides[max_rank];

    const char* at(index_t offset) const { return data + offset * bytes; }
};

/// True when an operand must be packed to be read along a loop: its elements neither lie side by
/// side there nor are the same one.
inline bool must_pack(const Stream& s, int loop) {
    return s.strides[loop] != 0 && s.strides[loop] != 1;
}

/// The loop nest, outermost loop first; streams[0] is the target.
struct Plan {
    int rank;
    int count;
    index_t extents[max_rank];
    Stream* streams;
};

namespace detail {

/// True for the same elements in the same order, as both operands of `x * x` are.
inline bool are_twins(const Plan& plan, const Stream& s, const Stream& t) {
    bool same = s.data == t.data && s.bytes == t.bytes;
    for (int d = 0; same && d < plan.rank; ++d) same = s.strides[d] == t.strides[d];
    return same;
}
/// The first operand that is a twin of operand i; 0 if there is none before it.
inline int twin_of(const Plan& plan, int i) {
    for (int j = 1; j < i; ++j) {
        if (are_twins(plan, plan.streams[i], plan.streams[j])) return j;
    }
    return 0;
}

/// How many elements a stream has, those that repeat counted once, and how many bytes: more than
/// any memory has if it is described only.
inline double elements_of(const Plan& plan, int stream) {
    double size = 1;
    for (int loop = 0; loop < plan.rank; ++loop) {
        if (plan.streams[stream].strides[loop] != 0)
            size *= static_cast<double>(plan.extents[loop]);
    }
    return size;
}
inline double bytes_of(const Plan& plan, int stream) {
    return elements_of(plan, stream) * static_cast<double>(plan.streams[stream].bytes);
}

/// An operand's stride along dimension d of a shape of the given rank, 0 where it is broadcast.
BROADLOOM_INLINE index_t stride_along(const Operand& operand, index_t d, index_t rank) {
    d -= rank - operand.shape->rank();
    return d >= 0 && (*operand.shape)[d] != 1 ? (*operand.strides)[d] : 0;
}

/// The strides of an operand along the dimensions of `shape` that are not 1.
inline void spread(Stream& stream, const Operand& operand, const Shape& shape) {
    stream.data = static_cast<const char*>(operand.data);
    stream.bytes = operand.bytes;
    stream.movers = operand.movers;
    int loop = 0;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (shape[d] != 1) stream.strides[loop++] = stride_along(operand, d, shape.rank());
    }
}

inline void swap_loops(Plan& plan, int a, int b) {
    const index_t extent = plan.extents[a];
    plan.extents[a] = plan.extents[b];
    plan.extents[b] = extent;
    for (int i = 0; i < plan.count; ++i) {
        index_t* strides = plan.streams[i].strides;
        const index_t stride = strides[a];
        strides[a] = strides[b];
        strides[b] = stride;
    }
}

/// Takes a loop to another place; those between move up.
inline void move_loop(Plan& plan, int from, int to) {
    for (; from < to; ++from) swap_loops(plan, from, from + 1);
    for (; from > to; --from) swap_loops(plan, from, from - 1);
}

/// Turns loops around so that the target is walked forwards in memory.
inline void straighten(Plan& plan) {
    for (int loop = 0; loop < plan.rank; ++loop) {
        if (plan.streams[0].strides[loop] >= 0) continue;
        for (int i = 0; i < plan.count; ++i) {
            Stream& stream = plan.streams[i];
            stream.data += (plan.extents[loop] - 1) * stream.strides[loop] * stream.bytes;
            stream.strides[loop] = -stream.strides[loop];
        }
    }
}

/// Outermost first by the target's stride. Where the target stands still, as in a reduction, the
/// loops keep their order.
inline void order(Plan& plan) {
    const index_t* target = plan.streams[0].strides;
    for (int i = 1; i < plan.rank; ++i) {
        for (int j = i; j > 0 && target[j - 1] < target[j] && target[j - 1] != 0; --j) {
            swap_loops(plan, j - 1, j);
        }
    }
}

/// Joins neighbouring loops that every stream walks as one.
inline void merge(Plan& plan) {
    int kept = 0;
    for (int loop = 1; loop < plan.rank; ++loop) {
        bool alike = true;
        for (int i = 0; i < plan.count; ++i) {
            const index_t* strides = plan.streams[i].strides;
            alike = alike && strides[kept] == strides[loop] * plan.extents[loop];
        }
        if (alike) {
            plan.extents[kept] *= plan.extents[loop];
        } else {
            plan.extents[++kept] = plan.extents[loop];
        }
        for (int i = 0; i < plan.count; ++i) {
            plan.streams[i].strides[kept] = plan.streams[i].strides[loop];
        }
    }
    plan.rank = kept + 1;
}

/// The outermost loop of at least so many turns, or else the longest.
inline int loop_to_share(const Plan& plan, index_t wanted) {
    int longest = 0;
    for (int loop = 0; loop < plan.rank && plan.extents[longest] < wanted; ++loop) {
        if (plan.extents[loop] > plan.extents[longest]) longest = loop;
    }
    return longest;
}
/// Turns [first, first + extent) of one loop, as a plan with streams of its own.
inline Plan part_of(const Plan& plan, int loop, index_t first, index_t extent, Stream* streams) {
    Plan part = plan;
    part.extents[loop] = extent;
    part.streams = streams;
    for (int i = 0; i < plan.count; ++i) {
        streams[i] = plan.streams[i];
        streams[i].data = streams[i].at(first * streams[i].strides[loop]);
    }
    return part;
}

/// Takes the next step along a loop, and with it the `offset(i)` of every stream; false when that
/// leads back to the start.
template <class Offset>
BROADLOOM_INLINE bool step_along(const Plan& plan, int loop, index_t& index, Offset&& offset) {
    const bool more = ++index < plan.extents[loop];
    if (!more) index = 0;
    const index_t steps = more ? 1 : 1 - plan.extents[loop];
    for (int i = 0; i < plan.count; ++i) offset(i) += steps * plan.streams[i].strides[loop];
    return more;
}

/// Fills in a loop for every dimension but those of extent 1, over a shape to which all operands
/// broadcast and which is not empty; false if there is a single element, which has one loop.
inline bool lay_loops(Plan& plan, const Operand* operands, const Shape& shape) {
    plan.rank = 0;
    for (const index_t extent : shape) {
        if (extent != 1) plan.extents[plan.rank++] = extent;
    }
    for (int i = 0; i < plan.count; ++i) spread(plan.streams[i], operands[i], shape);
    if (plan.rank > 0) return true;
    plan.extents[plan.rank++] = 1;
    for (int i = 0; i < plan.count; ++i) plan.streams[i].strides[0] = 1;
    return false;
}

}  // namespace detail

/// Fills in the loop nest of `count` operands, the first of which is the target, over a shape to
/// which all of them broadcast and which is not empty. There is at least one loop.
inline void make_plan(Plan& plan, const Operand* operands, const Shape& shape) {
    if (!detail::lay_loops(plan, operands, shape)) return;
    detail::straighten(plan);
    detail::order(plan);
    detail::merge(plan);
}

}  // namespace broadloom::kernel

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_PLAN_HPP
