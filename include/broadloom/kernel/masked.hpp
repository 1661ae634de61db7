// Elements where a mask is true: counted, sought, brought together, spread out, listed. Masks are
// read eight at a time, and but for a search no step depends on whether one is true.
#ifndef BROADLOOM_KERNEL_MASKED_HPP
#define BROADLOOM_KERNEL_MASKED_HPP

#include <cstdint>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"

namespace broadloom::kernel {
namespace detail {

/// A word of eight bytes of a mask.
inline std::uint64_t eight(const void* mask) {
    std::uint64_t word;
    __builtin_memcpy(&word, mask, sizeof word);
    return word;
}

/// The end of the group of up to eight at i; i goes there past eight of which none is true.
inline index_t skip_false(const bool* mask, index_t& i, index_t size) {
    if (size - i < 8) return size;
    const index_t stop = i + 8;
    if (eight(mask + i) == 0) i = stop;
    return stop;
}

inline constexpr std::uint64_t all_eight = 0x0101010101010101u;

}  // namespace detail

/// How many are true.
inline index_t count_true(const bool* mask, index_t size) {
    index_t count = 0, i = 0;
    for (; i + 8 <= size; i += 8) {
        // The highest byte of the product is the sum of all.
        count += static_cast<index_t>((detail::eight(mask + i) * detail::all_eight) >> 56);
    }
    for (; i < size; ++i) count += mask[i] ? 1 : 0;
    return count;
}

/// Where a truth, 0 or 1, first stands among bytes of a mask; `size` if nowhere.
inline index_t first_truth(const unsigned char* mask, index_t size, unsigned char wanted) {
    const std::uint64_t others = wanted != 0 ? 0 : detail::all_eight;
    index_t i = 0;
    for (; i + 128 <= size; i += 128) {
        std::uint64_t any = 0;
        for (index_t k = i; k < i + 128; k += 8) any |= detail::eight(mask + k) ^ others;
        if (any != 0) break;
    }
    while (i + 8 <= size && detail::eight(mask + i) == others) i += 8;
    while (i < size && mask[i] != wanted) ++i;
    return i;
}

/// Copies the elements where the mask is true; there are `count` of them.
template <class E>
void select_true(E* __restrict to, const E* from, const bool* mask, index_t size, index_t count) {
    E* const end = to + count;
    index_t i = 0;
    // Every element is written, and stays where the next one does not take its place.
    for (; i + 8 <= size && to + 8 <= end; i += 8) {
        const std::uint64_t word = detail::eight(mask + i);
        if (word == 0) continue;
        for (index_t k = i; k < i + 8; ++k) {
            to->value = from[k].value;
            to += mask[k] ? 1 : 0;
        }
    }
    for (; to < end; ++i) {
        if (mask[i]) (to++)->value = from[i].value;
    }
}

/// Copies consecutive elements to where the mask is true. Every element is written, if only with
/// itself.
template <class E>
void spread_true(E* to, const E* from, const bool* mask, index_t size) {
    for (index_t i = 0; i < size;) {
        const index_t stop = detail::skip_false(mask, i, size);
        for (; i < stop; ++i) {
            const E* const source = mask[i] ? from : to + i;
            to[i].value = source->value;
            from += index_t{mask[i]};
        }
    }
}

/// The positions of one row's true elements, each behind the indices of the row. Every element is
/// written, and stays where the next one does not take its place; up to `end`.
template <index_t Rank>
index_t* list_true(index_t* to, const index_t* end, const bool* row, index_t columns,
                   const IndexList& at) {
    const index_t rank = Rank > 0 ? Rank : at.rank() + 1;
    const auto list = [&](index_t i) {
        for (index_t d = 0; d + 1 < rank; ++d) to[d] = at[d];
        to[rank - 1] = i;
        to += rank * index_t{row[i]};
    };
    index_t i = 0;
    for (; i + 8 <= columns && end - to >= 8 * rank; i += 8) {
        if (detail::eight(row + i) == 0) continue;
        for (index_t k = i; k < i + 8; ++k) list(k);
    }
    for (; i < columns && to < end; ++i) list(i);
    return to;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_MASKED_HPP
