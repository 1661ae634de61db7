// Where the elements of a tensor lie: a Layout is a shape, a stride for every dimension and an
// offset, all in elements. Layouts know nothing of types or memory; what two of them share is
// decided here, exactly.
#ifndef BROADLOOM_CORE_STRIDES_HPP
#define BROADLOOM_CORE_STRIDES_HPP

#include <cstdint>

#include "broadloom/core/shape.hpp"

namespace broadloom {

/// A shape, its strides, and the offset of its first element, in elements.
struct Layout {
    Shape shape;
    Strides strides;
    index_t offset = 0;

    friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

namespace detail {

/// The strides of a tensor stored row by row: `row_major(Shape{2, 3}) == {3, 1}`.
constexpr Strides row_major(const Shape& shape) {
    Strides strides = Strides::uninitialized(shape.rank());
    index_t step = 1;
    for (index_t d = shape.rank() - 1; d >= 0; --d) {
        strides[d] = step;
        step *= shape[d] > 0 ? shape[d] : 1;
    }
    return strides;
}

/// Throws shape_error unless there is a stride for every dimension.
inline void require_strides(const Shape& shape, const Strides& strides) {
    if (strides.rank() == shape.rank()) return;
    throw shape_error(Sentence() << "strides " << strides << " do not belong to shape " << shape);
}

/// Strides without those so long that sums of two, in bytes, could overflow. They belong to extents
/// of 0 and 1, along which nothing is reached, or to an empty shape, whose other extents may be
/// long as well.
constexpr Strides within_reach(const Shape& shape, const Strides& strides) noexcept {
    constexpr index_t longest = largest_index >> (sizeof(index_t) > 4 ? 7 : 2);
    Strides result = strides;
    for (index_t d = 0; d < strides.rank(); ++d) {
        const index_t most = shape.size() == 0 && shape[d] > 1 ? longest / shape[d] : longest;
        if (strides[d] > most || strides[d] < -most) result[d] = 0;
    }
    return result;
}

/// The strides within reach of a layout of elements of so many bytes that others describe. Throws
/// shape_error unless the elements lie within one address space.
inline Strides require_addressable(const Shape& shape, const Strides& strides, index_t bytes) {
    const Strides within = within_reach(shape, strides);
    index_t room = largest_index / bytes - 1;
    for (index_t d = 0; shape.size() > 0 && d < shape.rank(); ++d) {
        const index_t step = within[d] < 0 ? -within[d] : within[d], most = shape[d] - 1;
        if (most > 0 && (within[d] != strides[d] || step > room / most)) {
            throw shape_error(Sentence() << "shape " << shape << " with strides " << strides
                                         << " reaches beyond all memory");
        }
        room -= most * step;
    }
    return within;
}

/// True when the elements, in row-major order, are neighbours in memory. Extents of 1 may have
/// any stride, and an empty tensor is contiguous.
constexpr bool is_contiguous(const Shape& shape, const Strides& strides) noexcept {
    if (shape.size() == 0) return true;
    index_t step = 1;
    for (index_t d = shape.rank() - 1; d >= 0; --d) {
        if (shape[d] != 1) {
            if (strides[d] != step) return false;
            step *= shape[d];
        }
    }
    return true;
}

/// The offset of an index, which must lie inside the shape.
constexpr index_t offset_of(const Strides& strides, const index_t* index) noexcept {
    index_t offset = 0;
    for (index_t d = 0; d < strides.rank(); ++d) offset += index[d] * strides[d];
    return offset;
}

/// The lowest and the highest offset that a non-empty layout reaches, relative to its first
/// element.
struct Bounds {
    index_t low = 0, high = 0;
};
constexpr Bounds bounds_of(const Shape& shape, const Strides& strides) noexcept {
    Bounds b;
    for (index_t d = 0; d < shape.rank(); ++d) {
        const index_t reach = (shape[d] - 1) * strides[d];
        (reach < 0 ? b.low : b.high) += reach;
    }
    return b;
}

/// True if all elements of a non-empty layout lie between two offsets, however large its strides.
constexpr bool lies_inside(const Layout& layout, const Bounds& room) {
    index_t low = layout.offset, high = layout.offset;
    if (low < room.low || high > room.high) return false;
    for (index_t d = 0; d < layout.shape.rank(); ++d) {
        const index_t steps = layout.shape[d] - 1, stride = layout.strides[d];
        if (steps == 0 || stride == 0) continue;
        // Divisions, so that nothing overflows; room.high - room.low does not.
        if (stride > 0 ? steps > (room.high - high) / stride
                       : stride < room.low - low || steps > (room.low - low) / stride) {
            return false;
        }
        (stride > 0 ? high : low) += steps * stride;
    }
    return true;
}

/// One term of a sum over dimensions: `step * k` for k in [0, most].
struct Term {
    index_t step, most;
};

/// Decides whether sum(step_i * k_i) == target has a solution, by depth-first search with the
/// terms sorted by falling step. `budget` bounds the work; when it runs out the answer is true.
/// The question is the one NumPy's memory-overlap test asks (a bounded Diophantine equation).
BROADLOOM_COLD constexpr bool reaches(const Term* terms, int count, index_t target, index_t span,
                                      long& budget) {
    if (target < 0 || target > span) return false;
    if (target == 0 || count == 0) return target == 0;
    const index_t step = terms[0].step;
    const index_t rest = span - step * terms[0].most;
    if (count == 1) return target % step == 0;
    // What the remaining terms cannot supply, this one must.
    const index_t high = target / step < terms[0].most ? target / step : terms[0].most;
    const index_t low = target > rest ? (target - rest + step - 1) / step : 0;
    for (index_t k = high; k >= low; --k) {
        if (--budget < 0) return true;
        if (reaches(terms + 1, count - 1, target - k * step, rest, budget)) return true;
    }
    return false;
}

/// One of two layouts over the same bytes: where its first element lies, and its steps in bytes.
struct Footprint {
    std::intptr_t address;
    index_t bytes;  // of an element
    const Shape* shape;
    const Strides* strides;

    /// The first byte and the one behind the last.
    constexpr Bounds reach() const noexcept {
        const Bounds b = bounds_of(*shape, *strides);
        return Bounds{address + b.low * bytes, address + (b.high + 1) * bytes};
    }
};

/// True when two layouts whose first and last bytes lie within each other have a byte in common.
/// Exact for up to a few thousand search steps, beyond which it answers true.
BROADLOOM_COLD inline bool meet(const Footprint& a, const Footprint& b) {
    // A byte of a element and a byte of a b element coincide when
    //   a.low + sum(a steps) + i == b.low + sum(b steps) + j,  0 <= i < a.bytes, 0 <= j < b.bytes.
    // With b's terms mirrored (k -> most - k) all coefficients are positive.
    Term terms[2 * max_rank + 2];
    int count = 0;
    const auto add = [&](index_t step, index_t most) {
        if (most <= 0 || step == 0) return;
        if (step < 0) step = -step;
        int at = count++;
        for (; at > 0 && terms[at - 1].step < step; --at) terms[at] = terms[at - 1];
        terms[at] = Term{step, most};
    };
    for (const Footprint* f : {&a, &b}) {
        for (index_t d = 0; d < f->shape->rank(); ++d) {
            add((*f->strides)[d] * f->bytes, (*f->shape)[d] - 1);
        }
        add(1, f->bytes - 1);
    }
    // Equal steps are one term.
    int kept = 0;
    index_t span = 0;
    for (int i = 0; i < count; ++i) {
        if (kept > 0 && terms[kept - 1].step == terms[i].step) {
            terms[kept - 1].most += terms[i].most;
        } else {
            terms[kept++] = terms[i];
        }
        span += terms[i].step * terms[i].most;
    }
    long budget = 4096;
    return reaches(terms, kept, b.reach().high - 1 - a.reach().low, span, budget);
}

/// True when one ends before the other begins.
constexpr bool are_apart(const Bounds& a, const Bounds& b) noexcept {
    return a.high <= b.low || b.high <= a.low;
}

/// True when two layouts have a byte in common.
inline bool overlaps(const Footprint& a, const Footprint& b) {
    if (a.shape->size() == 0 || b.shape->size() == 0) return false;
    return !are_apart(a.reach(), b.reach()) && meet(a, b);
}

/// True when a layout reaches one element along two different indices (an expanded dimension,
/// overlapping windows). Conservative: sorted by stride, every dimension must step over all
/// smaller ones.
constexpr bool has_internal_overlap(const Shape& shape, const Strides& strides) noexcept {
    if (shape.size() <= 1) return false;
    Term terms[max_rank]{};
    int count = 0;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (shape[d] == 1) continue;
        const index_t step = strides[d] < 0 ? -strides[d] : strides[d];
        int at = count++;
        for (; at > 0 && terms[at - 1].step > step; --at) terms[at] = terms[at - 1];
        terms[at] = Term{step, shape[d] - 1};
    }
    index_t reach = 0;
    for (int i = 0; i < count; ++i) {
        if (terms[i].step <= reach) return true;
        reach += terms[i].step * terms[i].most;
    }
    return false;
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_CORE_STRIDES_HPP
