// Copies of operands that lie across all that a walk or a reduction takes at a time, which would
// fetch a cache line for every element, as the loops of the plan go; and of those that would be
// packed for every tile anew, in full.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_LAY_FLAT_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_LAY_FLAT_HPP

#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/kernel/packing.hpp"
#include "broadloom/kernel/plan.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// Gives a stream the strides of a copy as the loops of a plan go, in which what repeats stands
/// once, or from loop `full` on as often as it does. Returns the elements of the copy.
inline index_t follow_loops(const Plan& plan, Stream& s, int full = max_rank) {
    index_t size = 1;
    for (int loop = plan.rank - 1; loop >= 0; --loop) {
        if (s.strides[loop] == 0 && loop < full) continue;
        s.strides[loop] = size;
        size *= plan.extents[loop];
    }
    return size;
}

/// Copies an operand so to the next multiple of 64 bytes from a place on, and has its stream read
/// it there. Returns the place behind it.
inline char* lay_flat(const Plan& plan, Stream& s, char* to, int full = max_rank) {
    index_t extents[max_rank], strides[max_rank];
    int rank = 0;
    for (int loop = 0; loop < plan.rank; ++loop) {
        if (s.strides[loop] == 0 && loop < full) continue;
        extents[rank] = plan.extents[loop];
        strides[rank++] = s.strides[loop];
    }
    to = aligned(to);
    pack(to, s.data, extents, strides, rank, *s.movers);
    s.data = to;
    return to + follow_loops(plan, s, full) * s.bytes;
}

/// The memory that such copies want, of all operands for which `lays(operand)`, as a number that
/// may be larger than any memory; 0 if there are none. One copy serves all twins.
template <class Lays>
double bytes_laid_flat(const Plan& plan, Lays&& lays) {
    constexpr double room_to_align = 64;
    double bytes = 0;
    for (int i = 1; i < plan.count; ++i) {
        if (!lays(i) || twin_of(plan, i) != 0) continue;
        bytes += bytes_of(plan, i) + room_to_align;
    }
    return bytes;
}

/// Copies all these operands, into so much memory from `to` on; from loop `full` on in full.
template <class Lays>
void lay_all_flat(Plan& plan, Lays&& lays, char* to, int full = max_rank) {
    const char* const first = to;
    for (int i = 1; i < plan.count; ++i) {
        Stream& s = plan.streams[i];
        const bool laid = first <= s.data && s.data < to;  // with a twin before it
        if (laid || !lays(i)) continue;
        const Stream own = s;
        to = lay_flat(plan, s, to, full);
        for (int j = i + 1; j < plan.count; ++j) {
            if (are_twins(plan, own, plan.streams[j])) plan.streams[j] = s;
        }
    }
}

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_LAY_FLAT_HPP
