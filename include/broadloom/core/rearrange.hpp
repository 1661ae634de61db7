// The same elements in another arrangement: permute, reshape, squeeze, expand, flip, diagonal,
// windows. Each is a map from layout to layout that never touches an element; a reshape that
// would need a copy says so.
#ifndef BROADLOOM_CORE_REARRANGE_HPP
#define BROADLOOM_CORE_REARRANGE_HPP

#include <cstdint>

#include "broadloom/core/axis.hpp"
#include "broadloom/core/broadcast.hpp"
#include "broadloom/core/strides.hpp"

namespace broadloom::detail {

/// Inserts an extent of 1, or several, whose axes count in the result. Throws index_error.
constexpr Layout unsqueeze(const Layout& from, const OneOrSeveral& axes) {
    const index_t rank = from.shape.rank() + axes.rank();
    if (rank > max_rank) throw_rank(rank);
    const IndexList named = normalize_axes(axes, rank);
    IndexList extents;
    Strides strides;
    index_t next = 0;  // of the dimensions that are there
    for (index_t d = 0; d < rank; ++d) {
        const bool is_new = holds(named, d);
        extents.push_back(is_new ? 1 : from.shape[next]);
        strides.push_back(is_new ? 0 : from.strides[next]);
        next += !is_new;
    }
    return Layout{Shape(extents), strides, from.offset};
}

/// Drops the named axes, which must have extent 1, or the one that rank 0 lacks. Throws
/// shape_error.
constexpr Layout squeeze(const Layout& from, const IndexList& axes) {
    if (is_axis_of_rank_0(axes, from.shape.rank())) return from;
    const IndexList named = normalize_axes(axes, from.shape.rank());
    IndexList extents;
    Strides strides;
    for (index_t d = 0; d < from.shape.rank(); ++d) {
        if (!holds(named, d)) {
            extents.push_back(from.shape[d]);
            strides.push_back(from.strides[d]);
        } else if (from.shape[d] != 1) {
            throw shape_error(Sentence() << "cannot squeeze axis " << d << " of shape "
                                         << from.shape << ": its extent is not 1");
        }
    }
    return Layout{Shape(extents), strides, from.offset};
}

/// Drops every extent of 1.
constexpr Layout squeeze(const Layout& from) {
    IndexList ones;
    for (index_t d = 0; d < from.shape.rank(); ++d) {
        if (from.shape[d] == 1) ones.push_back(d);
    }
    return squeeze(from, ones);
}

/// Dimension i of the result is dimension axes[i]. Throws shape_error unless every axis is named,
/// index_error if one is named twice.
constexpr Layout permute(const Layout& from, const IndexList& axes) {
    const index_t rank = from.shape.rank();
    if (axes.rank() != rank) {
        throw shape_error(Sentence() << "permute takes one axis for every dimension: " << axes
                                     << " for shape " << from.shape);
    }
    const IndexList order = normalize_axes(axes, rank);
    IndexList extents;
    Strides strides;
    for (const index_t axis : order) {
        extents.push_back(from.shape[axis]);
        strides.push_back(from.strides[axis]);
    }
    return Layout{Shape(extents), strides, from.offset};
}

/// All dimensions in reverse order.
constexpr Layout transpose(const Layout& from) {
    IndexList axes;
    for (index_t d = from.shape.rank() - 1; d >= 0; --d) axes.push_back(d);
    return permute(from, axes);
}

constexpr Layout swap_axes(const Layout& from, index_t a, index_t b) {
    const index_t rank = from.shape.rank();
    const index_t first = normalize_axis(a, rank), second = normalize_axis(b, rank);
    IndexList axes;
    for (index_t d = 0; d < rank; ++d)
        axes.push_back(d == first ? second : d == second ? first : d);
    return permute(from, axes);
}

/// Moves axes to new places; the others keep their order.
constexpr Layout move_axis(const Layout& from, const IndexList& source,
                           const IndexList& destination) {
    const index_t rank = from.shape.rank();
    if (source.rank() != destination.rank()) {
        throw shape_error(Sentence() << "move_axis takes as many sources as destinations: "
                                     << source << " and " << destination);
    }
    const IndexList origin = normalize_axes(source, rank);
    const IndexList goal = normalize_axes(destination, rank);
    IndexList axes = IndexList::filled(rank, -1);
    std::uint32_t moved = 0;
    for (index_t i = 0; i < origin.rank(); ++i) {
        axes[goal[i]] = origin[i];
        moved |= std::uint32_t{1} << origin[i];
    }
    index_t next = 0;
    for (index_t d = 0; d < rank; ++d) {
        if (axes[d] >= 0) continue;
        while ((moved >> next & 1) != 0) ++next;
        axes[d] = next++;
    }
    return permute(from, axes);
}

/// Runs the named axes backwards.
constexpr Layout flip(const Layout& from, const IndexList& axes) {
    Layout to = from;
    for (const index_t axis : normalize_axes(axes, from.shape.rank())) {
        if (from.shape.size() > 0) to.offset += (from.shape[axis] - 1) * from.strides[axis];
        to.strides[axis] = -from.strides[axis];
    }
    return to;
}
/// Runs every axis backwards.
constexpr Layout flip(const Layout& from) {
    IndexList axes;
    for (index_t d = 0; d < from.shape.rank(); ++d) axes.push_back(d);
    return flip(from, axes);
}

/// The elements whose indices along two axes differ by `shift`, as a new last dimension.
constexpr Layout diagonal(const Layout& from, index_t shift, index_t axis1, index_t axis2) {
    const index_t rank = from.shape.rank();
    const IndexList pair = normalize_axes(IndexList{axis1, axis2}, rank);
    const index_t rows = from.shape[pair[0]], columns = from.shape[pair[1]];
    const bool outside = shift >= 0 ? shift >= columns : shift <= -rows;
    const index_t down = outside || shift >= 0 ? 0 : -shift;
    const index_t right = outside || shift < 0 ? 0 : shift;
    const index_t room = rows - down < columns - right ? rows - down : columns - right;
    IndexList extents;
    Strides strides;
    for (index_t d = 0; d < rank; ++d) {
        if (d == pair[0] || d == pair[1]) continue;
        extents.push_back(from.shape[d]);
        strides.push_back(from.strides[d]);
    }
    extents.push_back(outside ? 0 : room);
    // Strides of what is empty or single may be too long to add.
    const Strides within = within_reach(from.shape, from.strides);
    strides.push_back(within[pair[0]] + within[pair[1]]);
    Layout to{Shape(extents), strides, from.offset};
    if (to.shape.size() > 0) {
        to.offset += down * from.strides[pair[0]] + right * from.strides[pair[1]];
    }
    return to;
}

/// Every window of the given extents along the named axes, as new last dimensions; the windows
/// share their elements. An axis may be named twice: then windows of windows. Throws shape_error
/// where a window is larger than its axis.
constexpr Layout windows(const Layout& from, const Shape& window, const IndexList& axes) {
    if (axes.rank() != window.rank()) {
        throw shape_error(Sentence()
                          << "windows of shape " << window << " need as many axes, not " << axes);
    }
    IndexList extents = from.shape.extents();
    Strides strides = from.strides;
    for (index_t i = 0; i < axes.rank(); ++i) {
        const index_t axis = normalize_axis(axes[i], from.shape.rank());
        if (window[i] > extents[axis]) {
            throw shape_error(Sentence() << "a window of " << window[i] << " does not fit axis "
                                         << axis << " of shape " << from.shape);
        }
        if (window[i] == 0 && extents[axis] == largest_index) throw_too_many_elements(extents);
        extents[axis] = extents[axis] - window[i] + 1;
        extents.push_back(window[i]);
        strides.push_back(from.strides[axis]);
    }
    return Layout{Shape(extents), strides, from.offset};
}

/// The shape with its one -1, if any, replaced by what makes the sizes agree. Throws shape_error.
constexpr Shape infer_shape(const Shape& from, const IndexList& wanted) {
    IndexList extents = wanted;
    index_t open = -1;
    for (index_t d = 0; d < wanted.rank(); ++d) {
        if (wanted[d] != -1) continue;
        if (open >= 0)
            throw shape_error(Sentence() << "a reshape can leave one extent open: " << wanted);
        open = d;
        extents[d] = 1;
    }
    const Shape rest(extents);
    if (open < 0 ? rest.size() != from.size()
                 : rest.size() == 0 || from.size() % rest.size() != 0) {
        throw shape_error(Sentence() << "cannot reshape " << from << " with " << from.size()
                                     << " elements into " << wanted);
    }
    if (open < 0) return rest;
    extents[open] = from.size() / rest.size();
    return Shape(extents);
}

/// The layout of the same elements, in row-major order, under another shape of the same size;
/// false when no strides can express it, so that a copy is needed.
constexpr bool reshape(const Layout& from, const Shape& shape, Layout& to) {
    to = Layout{shape, row_major(shape), from.offset};
    if (is_contiguous(from.shape, from.strides)) return true;
    // Walk both shapes from the front in groups of equal size. Inside a group the old dimensions
    // must be one even run, which the new ones then divide.
    index_t old_d = 0, new_d = 0;
    const index_t old_rank = from.shape.rank(), new_rank = shape.rank();
    while (old_d < old_rank && new_d < new_rank) {
        index_t old_size = from.shape[old_d], new_size = shape[new_d];
        const index_t group = new_d;
        index_t last = from.shape[old_d] == 1 ? -1 : old_d;  // last dimension that steps
        ++old_d;
        ++new_d;
        while (old_size != new_size) {
            if (old_size < new_size) {
                old_size *= from.shape[old_d];
                if (from.shape[old_d] != 1) {
                    if (last >= 0 &&
                        from.strides[last] != from.shape[old_d] * from.strides[old_d]) {
                        return false;
                    }
                    last = old_d;
                }
                ++old_d;
            } else {
                new_size *= shape[new_d++];
            }
        }
        index_t step = last >= 0 ? from.strides[last] : 0;
        for (index_t d = new_d - 1; d >= group; --d) {
            to.strides[d] = step;
            step *= shape[d];
        }
    }
    // What is left over are extents of 1.
    for (; new_d < new_rank; ++new_d) to.strides[new_d] = 0;
    return true;
}

[[noreturn]] BROADLOOM_COLD inline void throw_needs_copy(const Layout& from, const Shape& shape) {
    throw shape_error(Sentence() << "shape " << from.shape << " with strides " << from.strides
                                 << " cannot be viewed as " << shape
                                 << " without a copy: write x.copy().reshape(...)");
}

/// The layout repeated along extents of 1 to `shape`, with stride 0. Throws shape_error.
constexpr Layout broadcast_to(const Layout& from, const Shape& shape) {
    return Layout{shape, broadcast_strides(from.shape, from.strides, shape), from.offset};
}

/// The shape `expand` asks for, where -1 keeps an extent that is there. Throws shape_error.
constexpr Shape expanded_shape(const Shape& from, const IndexList& wanted) {
    const index_t lead = wanted.rank() - from.rank();
    if (lead < 0) {
        throw shape_error(Sentence()
                          << "cannot expand " << from << " to " << wanted << ", which has " << -lead
                          << (lead == -1 ? " dimension" : " dimensions") << " less");
    }
    IndexList extents = wanted;
    for (index_t d = 0; d < wanted.rank(); ++d) {
        if (wanted[d] != -1) continue;
        if (d < lead) {
            throw shape_error(Sentence() << "expand to " << wanted << ": -1 at dimension " << d
                                         << ", which " << from << " does not have");
        }
        extents[d] = from[d - lead];
    }
    return Shape(extents);
}

/// A lower-rank layout laid on `rank` dimensions from `axis` on: its trailing 1s are trimmed as
/// far as needed, missing dimensions count as 1. Throws shape_error where there is no room.
constexpr Layout align(const Layout& from, index_t rank, index_t axis) {
    index_t kept = from.shape.rank();
    // Without a sum, which an axis far out of range would overflow.
    const auto has_room = [&] { return axis >= 0 && kept <= rank - axis; };
    while (kept > 0 && !has_room() && from.shape[kept - 1] == 1) --kept;
    if (!has_room()) {
        throw shape_error(Sentence() << "shape " << from.shape << " has no room in " << rank
                                     << (rank == 1 ? " dimension" : " dimensions") << " from axis "
                                     << axis << " on");
    }
    IndexList extents = IndexList::filled(rank, 1);
    Strides strides = Strides::filled(rank, 0);
    for (index_t d = 0; d < kept; ++d) {
        extents[axis + d] = from.shape[d];
        strides[axis + d] = from.strides[d];
    }
    return Layout{Shape(extents), strides, from.offset};
}
/// The layout with extents of 1 appended up to `rank`: aligned at the left.
constexpr Layout align_left(const Layout& from, index_t rank) {
    IndexList extents = from.shape.extents();
    Strides strides = from.strides;
    while (extents.rank() < rank) {
        extents.push_back(1);
        strides.push_back(0);
    }
    return Layout{Shape(extents), strides, from.offset};
}
/// A rank of 0 counts as one dimension of extent 1.
constexpr Layout at_least_1d(const Shape& shape, const Strides& strides) {
    if (shape.rank() > 0) return Layout{shape, strides, 0};
    return Layout{Shape{1}, Strides{1}, 0};
}

/// `count` indices from `start` on along an axis, counted from the front.
constexpr Layout narrow(const Layout& from, index_t axis, index_t start, index_t count) {
    const Shape shape = with_extent(from.shape, axis, count);
    return Layout{shape, from.strides,
                  from.offset + (shape.size() == 0 ? 0 : start * from.strides[axis])};
}

}  // namespace broadloom::detail

#endif  // BROADLOOM_CORE_REARRANGE_HPP
