// Which operands are copied before a walk, so that it reads them as it goes: those that lie outside
// of its tiles, and those that flat tiles would pack again and again.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_COPIES_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_COPIES_HPP

#include "broadloom/kernel/elementwise/lay_flat.hpp"
#include "broadloom/kernel/elementwise/way.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::kernel::detail {

/// True for operands that are copied flat before the walk: they lie outside of all tiles, in grains
/// or where rows are short and far apart, or something smaller is made of them.
inline bool is_laid_flat(const Plan& plan, int operand) {
    constexpr index_t short_row = 32, distant = 64;  // elements, bytes
    const Stream& s = plan.streams[operand];
    const int inner = plan.rank - 1;
    const bool pays =
        s.bytes > plan.streams[0].bytes ||
        (plan.extents[inner] < short_row && magnitude(s.strides[inner]) > (distant - 1) / s.bytes);
    return pays ? lies_outside(plan, s) : lies_in_grains(plan, s);
}
/// The memory for these copies; 0 if they would be too few, or too many, or streamed, or the
/// result.
inline std::size_t bytes_laid_flat(const Plan& plan, const Code& code, Write write) {
    constexpr double fewest = 1 << 10, most = 1 << 24;
    if (write != Write::cached || (code.copies && writes_flat(plan))) return 0;
    const double bytes = bytes_laid_flat(plan, [&](int i) { return is_laid_flat(plan, i); });
    return bytes < fewest || bytes > most ? 0 : static_cast<std::size_t>(bytes);
}

/// The elements of the loops from one on, as a number that may be larger than any memory.
inline double size_from(const Plan& plan, int from) {
    double size = 1;
    for (int loop = from; loop < plan.rank; ++loop) size *= static_cast<double>(plan.extents[loop]);
    return size;
}

/// True for a stream that is no flat run, or one element, over the loops from one on.
inline bool is_uneven(const Plan& plan, const Stream& s, int from) {
    if (from == plan.rank) return false;
    const Flat all{from, plan.extents[from], 1, true};
    return !is_even(plan, s, all, 1) && !is_even(plan, s, all, 0);
}

/// The outermost loop along which a stream moves; the number of loops if there is none.
inline int outermost(const Plan& plan, const Stream& s) {
    int loop = 0;
    while (loop < plan.rank && s.strides[loop] == 0) ++loop;
    return loop;
}

/// True for rows that are computed one after the other as fast as one run, though operands have
/// constants of their own in each: long ones, and such as leave nothing over beside whole units.
inline bool goes_by_rows(const Plan& plan, const Code& code, Write write, index_t bytes) {
    constexpr index_t even_row = 128, any_row = 160;  // bytes
    const index_t columns = plan.extents[plan.rank - 1];
    return columns * bytes >= (columns % code.unit == 0 ? even_row : any_row) &&
           walks_rows(plan, code, write);
}

/// Copies in full: of all uneven operands over the loops from one on, and the memory for them.
struct InFull {
    int from = -1;  // none
    double bytes = 0;

    bool has(const Plan& plan, int i) const {
        return from >= 0 && is_uneven(plan, plan.streams[i], from);
    }
};

/// Uneven operands are copied in full if they are the same in several turns of the loops outside,
/// in each of which flat tiles would pack them anew: from there on they run together with all else.
/// They should leave room in the second-level cache; and to fetch wide elements from there beside
/// what comes from memory takes longer than to pack them, but where rows are crumbs.
inline InFull copied_in_full(const Plan& plan, const Code& code, Write write) {
    constexpr double fewest = 4, most = 1 << 19, cached = 1 << 23;  // turns, bytes
    constexpr index_t crumb = 40, narrow = 2;                       // bytes
    const double size = size_from(plan, 0);
    int from = plan.rank;
    index_t widest = plan.streams[0].bytes;
    for (int i = 1; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        const int loop = outermost(plan, s);
        if (loop < from && is_uneven(plan, s, loop)) from = loop;
        if (s.bytes > widest) widest = s.bytes;
    }
    const double inside = size_from(plan, from);
    if (from == plan.rank || size < fewest * inside) return {};
    InFull copies{from};
    for (int i = 0; i < plan.count; ++i) {
        const Stream& s = plan.streams[i];
        if (!copies.has(plan, i)) continue;
        if (i == 0 || outermost(plan, s) < from) return {};
        if (twin_of(plan, i) == 0)
            copies.bytes += inside * static_cast<double>(s.bytes) + line_bytes;
    }
    const bool distant = size * static_cast<double>(widest) > cached;
    if (copies.bytes > most || inside <= static_cast<double>(elements_in_tile(widest)) ||
        (distant && widest > narrow && plan.extents[plan.rank - 1] * widest > crumb) ||
        goes_by_rows(plan, code, write, widest)) {
        return {};
    }
    return copies;
}

/// Makes these copies, and has the plan run over them.
inline void lay_all_in_full(Plan& plan, const InFull& copies, char* to) {
    lay_all_flat(plan, [&](int i) { return copies.has(plan, i); }, to, copies.from);
    merge(plan);
}

}  // namespace broadloom::kernel::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_COPIES_HPP
