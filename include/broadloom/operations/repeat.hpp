// Tensors repeated into new memory: whole (tile) or element by element (repeat). For repeating
// without a copy see expand.hpp.
#ifndef BROADLOOM_OPERATIONS_REPEAT_HPP
#define BROADLOOM_OPERATIONS_REPEAT_HPP

#include <cstring>

#include "broadloom/tensor/create.hpp"

namespace broadloom {
namespace detail {

constexpr void require_count(index_t count) {
    if (count < 0) throw value_error(Sentence() << "cannot repeat " << count << " times");
}

/// The extent that `count` repetitions of an extent need. Throws shape_error past index_t.
constexpr index_t repeated(const Shape& shape, index_t extent, index_t count) {
    require_count(count);
    if (count > 0 && extent > largest_index / count) throw_too_many_elements("repeated, ", shape);
    return extent * count;
}

/// A walk that visits source and target together: loops of extent 1 are left out.
struct Weave {
    IndexList extents;
    Strides from, to;

    constexpr void add(index_t extent, index_t from_stride, index_t to_stride) {
        if (extent == 1) return;
        extents.push_back(extent);
        from.push_back(from_stride);
        to.push_back(to_stride);
    }
    template <class T>
    void copy(const T* source, T* target) const {
        const Shape shape(extents);
        kernel::evaluate(TensorView<const T>(source, shape, from), target, shape, to);
    }
};

/// The elements along an axis repeated counts[i] times each; one count serves all.
template <class T>
Tensor<T> repeat_along(const TensorView<const T>& x, const index_t* counts, index_t given,
                       index_t axis) {
    if (x.rank() == 0) return detail::repeat_along<T>(x.unsqueeze(0), counts, given, axis);
    const Shape& shape = x.shape();
    IndexList extents = shape.extents();
    const index_t extent = shape[axis];
    if (given != 1 && given != extent) {
        throw shape_error(Sentence() << "repeat takes one count, or one for each of the " << extent
                                     << " elements along axis " << axis << " of shape " << shape
                                     << ", not " << given);
    }
    if (given == 1) {
        extents[axis] = repeated(shape, extent, counts[0]);
        if (counts[0] > 1 && shape[-1] > 1 && kernel::magnitude(x.strides()[-1]) > 1) {
            // Rows that lie across the result are brought into order first.
            const Tensor<T> rows(x);
            return detail::repeat_along<T>(rows.view(), counts, given, axis);
        }
        Tensor<T> result = broadloom::empty<T>(Shape(extents));
        if (result.size() == 0) return result;
        Weave weave;
        for (index_t d = 0; d < shape.rank(); ++d) {
            const index_t step = result.strides()[d];
            if (d == axis) {
                weave.add(extent, x.strides()[d], step * counts[0]);
                weave.add(counts[0], 0, step);
            } else {
                weave.add(shape[d], x.strides()[d], step);
            }
        }
        weave.copy(x.data(), result.data());
        return result;
    }
    extents[axis] = 0;
    for (index_t i = 0; i < given; ++i) {
        const index_t count = counts[i];
        require_count(count);
        if (count > largest_index - extents[axis]) throw_too_many_elements("repeated, ", shape);
        extents[axis] += count;
    }
    Tensor<T> result = broadloom::empty<T>(Shape(extents));
    if (result.size() == 0) return result;
    // Rows of neighbours in memory move as blocks.
    const Tensor<T> rows(x);
    index_t inner = 1;
    for (index_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
    const std::size_t bytes = static_cast<std::size_t>(inner) * sizeof(T);
    const T* from = rows.data();
    T* to = result.data();
    for (index_t left = rows.size() / (extent * inner); left > 0; --left) {
        for (index_t i = 0; i < given; ++i, from += inner) {
            for (index_t k = 0; k < counts[i]; ++k, to += inner) std::memcpy(to, from, bytes);
        }
    }
    return result;
}

}  // namespace detail

/// The whole tensor again and again: counts[d] times along dimension d, where the shorter of
/// counts and shape is filled up with leading 1s. `tile(x, {2, 1})` of (2, 3) is (4, 3). Throws
/// value_error for a negative count.
template <tensor_like X>
auto tile(X&& x, const detail::OneOrSeveral& counts) {
    using T = element_t<X>;
    const auto kept = detail::in_memory(std::forward<X>(x));
    const TensorView<const T> from = kept.view();
    const index_t rank = from.rank() > counts.rank() ? from.rank() : counts.rank();
    const index_t lead = rank - from.rank(), lead_counts = rank - counts.rank();
    const auto extent = [&](index_t d) { return d < lead ? 1 : from.shape()[d - lead]; };
    const auto count = [&](index_t d) { return d < lead_counts ? 1 : counts[d - lead_counts]; };
    IndexList extents;
    for (index_t d = 0; d < rank; ++d) {
        extents.push_back(detail::repeated(from.shape(), extent(d), count(d)));
    }
    Tensor<T> result = broadloom::empty<T>(Shape(extents));
    if (result.size() == 0) return result;
    detail::Weave weave;
    for (index_t d = 0; d < rank; ++d) {
        const index_t step = result.strides()[d];
        weave.add(count(d), 0, step * extent(d));
        weave.add(extent(d), d < lead ? 0 : from.strides()[d - lead], step);
    }
    weave.copy(from.data(), result.data());
    return result;
}

/// Every element along an axis `count` times in a row: {1, 2} twice is {1, 1, 2, 2}.
template <tensor_like X, detail::integer_index Int>
auto repeat(X&& x, Int count, Axis axis) {
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    const index_t counts[1] = {detail::to_integer(count)};
    const auto kept = detail::in_memory(std::forward<X>(x));
    return detail::repeat_along<element_t<X>>(kept.view(), counts, 1, along);
}
/// The same with a count for each element along the axis, in a tensor, in braces, or in a row such
/// as a std::vector; a single one serves all. Throws shape_error when there are more or fewer, or
/// in more than one dimension, value_error for a negative one.
template <tensor_like X, detail::indices C = detail::InBraces>
auto repeat(X&& x, C&& counts, Axis axis) {
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    const Tensor<index_t> list = detail::as_indices(std::forward<C>(counts));
    if (list.rank() > 1) {
        throw shape_error(detail::Sentence()
                          << "repeat takes counts of rank 0 or 1, not shape " << list.shape());
    }
    const auto kept = detail::in_memory(std::forward<X>(x));
    return detail::repeat_along<element_t<X>>(kept.view(), list.data(), list.size(), along);
}
/// The same for all elements in row-major order.
template <tensor_like X, class C = detail::InBraces>
auto repeat(X&& x, C&& counts) {
    return detail::with_line(std::forward<X>(x), [&](const auto& line) {
        return broadloom::repeat(line, std::forward<C>(counts), 0);
    });
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_REPEAT_HPP
