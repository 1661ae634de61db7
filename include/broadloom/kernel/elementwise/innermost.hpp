// Which loop of a plan becomes the innermost one: operands that lie across the target are read as
// they lie, or turned.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_INNERMOST_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_INNERMOST_HPP

#include "broadloom/kernel/elementwise/streaming.hpp"
#include "broadloom/kernel/packing.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// How many bytes an element has that would be packed, or unpacked, were a loop the innermost one.
BROADLOOM_NOINLINE inline index_t bytes_packed_along(const Plan& plan, int loop) {
    index_t bytes = 0;
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (!must_pack(s, loop) || twin_of(plan, i) != 0) continue;
        // To write across lines takes longer than to read across them, but single bytes are turned
        // in the cache.
        bytes += i == 0 && s.bytes > 1 ? 3 * s.bytes / 2 : s.bytes;
    }
    return bytes;
}

/// True where a loop, made the innermost one, continues in the present one for all operands that
/// would not be packed: short as it is, tiles are flat runs over both.
inline bool continues(const Plan& plan, int loop, int inner) {
    for (int i = 1; i < plan.count; ++i) {
        const index_t* strides = plan.streams[i].strides;
        if (strides[loop] == 1 && strides[inner] != plan.extents[loop] && strides[inner] != 0)
            return false;
    }
    return true;
}

/// The longest loop along which an operand's neighbours in memory lie, if it must be packed along
/// the innermost one; -1 if there is none.
inline int turned_loop(const Plan& plan, const Stream& s) {
    int longest = -1;
    if (!must_pack(s, plan.rank - 1)) return longest;
    for (int loop = plan.rank - 2; loop >= 0; --loop) {
        if (magnitude(s.strides[loop]) == 1 && plan.extents[loop] > 1 &&
            (longest < 0 || plan.extents[loop] > plan.extents[longest]))
            longest = loop;
    }
    return longest;
}

/// True where a single operand is turned, larger than the caches: it is fetched ahead of its time,
/// which a target that is turned would not be. Short rows that follow one another in memory come
/// in order by themselves.
inline bool turns_one_ahead(const Plan& plan) {
    constexpr index_t fewest = 48, short_row = 128;  // elements
    const int inner = plan.rank - 1;
    int packed = 0;
    for (int i = 1; i < plan.count; ++i) {
        if (!must_pack(plan.streams[i], inner) || twin_of(plan, i) != 0) continue;
        if (packed != 0) return false;
        packed = i;
    }
    const Stream& s = plan.streams[packed];
    const int loop = packed == 0 ? -1 : turned_loop(plan, s);
    if (loop < 0 || plan.extents[inner] < fewest || plan.extents[loop] < fewest) return false;
    const bool in_order = s.strides[inner] == plan.extents[loop];
    return !(in_order && plan.extents[loop] <= short_row) && calls_turned(plan);
}

/// Takes another loop for the innermost one where operands lie across the target, and less would
/// have to be packed: they are read as they lie, and the result is turned instead.
inline void follow_operands(Plan& plan, index_t unit) {
    const int inner = plan.rank - 1;
    if (plan.streams[0].strides[inner] != 1) return;
    int best = inner;
    index_t least = bytes_packed_along(plan, inner);
    if (least > 0 && turns_one_ahead(plan)) return;
    for (int loop = inner - 1; loop >= 0 && least > 0; --loop) {
        const index_t bytes = bytes_packed_along(plan, loop);
        if (bytes >= least || (plan.extents[loop] < unit && !continues(plan, loop, inner)))
            continue;
        best = loop;
        least = bytes;
    }
    move_loop(plan, best, inner);
}

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_INNERMOST_HPP
