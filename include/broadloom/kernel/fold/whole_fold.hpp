// Small reductions, which are folded whole, without a plan: where elements lie as they are folded,
// or after they have been packed or computed so. The order in which they are joined is that of a
// plan.
#ifndef BROADLOOM_KERNEL_FOLD_WHOLE_FOLD_HPP
#define BROADLOOM_KERNEL_FOLD_WHOLE_FOLD_HPP

#include "broadloom/kernel/elementwise.hpp"
#include "broadloom/kernel/fold/flat_fold.hpp"
#include "broadloom/kernel/fold/reduction_order.hpp"

namespace broadloom::kernel::detail {

/// What a reduction needs to know of an expression, its type forgotten.
struct Source {
    const void* formula;
    const Code* code;   // null for a tensor or a view
    Operand* operands;  // the result first, with extents of 1 where axes are reduced
    Stream* streams;
    Input* inputs;
    Run* runs;
    int count;
    const Movers* movers;  // of an element
};

/// What is computed or packed before it is folded whole: elements at most, fewer of what is turned
/// or repeats along rows, and bytes.
inline constexpr index_t most_laid = 2048, most_turned = 1024, room_for_elements = 16384;

/// A small reduction as it is folded whole.
struct WholeFold {
    const Shape &shape, &result;
    FlatGroups groups{nullptr, 1, 1, 1};
    index_t columns;       // the first dimension of those
    bool gathers = false;  // reduced dimensions that others lie between

    WholeFold(const Shape& from, const Shape& to) : shape(from), result(to) {
        index_t d = shape.rank() - 1;
        for (; d >= 0 && is_kept(d); --d) groups.columns *= shape[d];
        columns = d + 1;
        for (; d >= 0 && (!is_kept(d) || shape[d] == 1); --d) groups.rows *= shape[d];
        for (; d >= 0 && is_kept(d); --d) groups.groups *= shape[d];
        gathers = d >= 0;
    }
    bool is_kept(index_t d) const { return result[d] == shape[d]; }

    /// Packs an operand as it is folded then: groups, all reduced dimensions as rows, columns.
    void gather(char* to, const Operand& operand, const Movers& movers) {
        index_t extents[max_rank], strides[max_rank];
        int count = 0;
        const auto take = [&](index_t d) {
            extents[count] = shape[d];
            strides[count++] = (*operand.strides)[d];
        };
        groups.groups = groups.rows = 1;
        for (index_t d = 0; d < columns; ++d) {
            if (is_kept(d)) take(d);
            (is_kept(d) ? groups.groups : groups.rows) *= shape[d];
        }
        for (index_t d = 0; d < columns; ++d) {
            if (!is_kept(d)) take(d);
        }
        for (index_t d = columns; d < shape.rank(); ++d) take(d);
        pack(to, static_cast<const char*>(operand.data), extents, strides, count, movers);
    }
};

/// True for elements that lie farther apart from dimension to dimension outwards.
inline bool lie_in_order(const Shape& shape, const Strides& strides) {
    index_t inside = 1;
    for (index_t d = shape.rank() - 1; d >= 0; --d) {
        if (shape[d] == 1) continue;
        if (magnitude(strides[d]) < inside) return false;
        inside = magnitude(strides[d]);
    }
    return true;
}

/// The elements of a small source where they lie as they are folded, or copied or computed into
/// `room`, which is twice what they may take; null where these are too many, or better planned.
inline const char* elements_of(const Source& source, const Folder& folder, WholeFold& whole,
                               char* room) {
    const Shape& shape = whole.shape;
    const Operand& only = source.operands[1];
    bool in_order = true;
    if (source.code == nullptr && !whole.gathers) {
        if (broadloom::detail::is_contiguous(shape, *only.strides))
            return static_cast<const char*>(only.data);
        in_order = lie_in_order(shape, *only.strides);
    }
    const FlatGroups& x = whole.groups;
    if (shape.size() > (in_order ? most_laid : most_turned) ||
        shape.size() * source.movers->bytes > room_for_elements ||
        (whole.gathers && !are_crumbs(folder, x.groups, x.rows, x.columns))) {
        return nullptr;
    }
    if (source.code == nullptr) {
        whole.gather(room, only, *source.movers);
        return room;
    }
    const Strides strides = broadloom::detail::row_major(shape);
    Operand operands[short_count];
    operands[0] = Operand{room, &shape, &strides, source.movers->bytes, source.movers};
    for (int i = 1; i < source.count; ++i) operands[i] = source.operands[i];
    run(Job{*source.code, source.formula, operands, source.count}, shape);
    if (!whole.gathers) return room;
    whole.gather(room + room_for_elements, operands[0], *source.movers);
    return room + room_for_elements;
}

/// Folds a source over its shape without a plan; false unless it is small.
inline bool reduce_whole(const Source& source, const Shape& shape, const Folder& folder) {
    if (shape.size() > most_folded_whole || folder.in_order() || source.count > short_count)
        return false;
    const Operand& result = source.operands[0];
    WholeFold whole(shape, *result.shape);
    alignas(line_bytes) char room[2 * room_for_elements];
    whole.groups.first = elements_of(source, folder, whole, room);
    return whole.groups.first != nullptr &&
           fold_whole(folder, whole.groups, *source.movers,
                      static_cast<char*>(const_cast<void*>(result.data)));
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_FOLD_WHOLE_FOLD_HPP
