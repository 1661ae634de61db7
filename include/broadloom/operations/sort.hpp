// Sorting along an axis: sort, argsort, topk. Stable, NaN last in either direction, complex
// numbers by real, then imaginary part. The axis is brought together in memory first, so that
// every lane is sorted where the cache holds it.
#ifndef BROADLOOM_OPERATIONS_SORT_HPP
#define BROADLOOM_OPERATIONS_SORT_HPP

#include "broadloom/kernel/sort_lanes.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

/// What `topk` finds: the values, and their indices along the axis.
template <class T>
struct TopK {
    Tensor<T> values;
    Tensor<index_t> indices;
};

namespace detail {

/// The operand with the named axes, counted from the front, last and together: contiguous lanes.
template <class X>
Tensor<element_t<X>> lanes_of(X&& x, const IndexList& axes) {
    using T = element_t<X>;
    const Shape shape = x.shape();
    const index_t rank = shape.rank();
    IndexList order;
    for (index_t d = 0; d < rank; ++d) {
        bool named = false;
        for (const index_t axis : axes) named = named || axis == d;
        if (!named) order.push_back(d);
    }
    for (const index_t axis : axes) order.push_back(axis);
    IndexList extents;
    bool moves = false;
    for (index_t d = 0; d < rank; ++d) {
        extents.push_back(shape[order[d]]);
        moves = moves || order[d] != d;
    }
    if constexpr (operand_kind<X> == OperandKind::tensor && !std::is_lvalue_reference_v<X> &&
                  !std::is_const_v<X>) {
        if (!moves && x.is_contiguous()) return std::move(x);
    }
    Tensor<T> lanes = broadloom::empty<T>(Shape(extents));
    Strides strides = lanes.strides();
    for (index_t d = 0; d < rank; ++d) strides[order[d]] = lanes.strides()[d];
    kernel::evaluate(detail::consume(std::forward<X>(x)), lanes.data(), shape, strides);
    return lanes;
}

/// Calls `f` with lanes to be read, where they lie if they are together, and their shape.
template <class X, class F>
auto with_lanes(X&& x, index_t axis, F&& f) {
    if constexpr (operand_kind<X> != OperandKind::expression) {
        if (axis == x.rank() - 1 && x.is_contiguous()) return f(std::as_const(x).data(), x.shape());
    }
    const Tensor<element_t<X>> lanes = detail::lanes_of(std::forward<X>(x), IndexList{axis});
    return f(lanes.data(), lanes.shape());
}

/// The indices of a single element of rank 0.
inline Tensor<index_t> first_index() {
    Tensor<index_t> index = empty<index_t>({});
    *index.data() = 0;
    return index;
}

/// Lanes back where the axis was, stored row by row.
template <class T>
Tensor<T> lanes_back(Tensor<T>&& lanes, index_t axis) {
    if (axis == lanes.rank() - 1) return std::move(lanes);
    return Tensor<T>(std::as_const(lanes).move_axis(-1, axis));
}

/// The indices of the first `kept` elements of every lane, in order.
template <class T>
Tensor<index_t> order_of(const T* lanes, const Shape& shape, bool falling, index_t kept) {
    const index_t axis = shape.rank() - 1, length = shape[axis];
    Tensor<index_t> indices = broadloom::empty<index_t>(detail::with_extent(shape, axis, kept));
    if (indices.size() == 0) return indices;
    kernel::order_lanes(lanes, shape.size() / length, length, falling, indices.data(), kept);
    return indices;
}

}  // namespace detail

/// The elements in rising order along an axis, or falling if asked. A single element of rank 0,
/// here as in argsort and topk, lies along axis 0. Throws index_error for the axis.
template <tensor_like X>
[[nodiscard]] auto sort(X&& x, Axis axis = -1, bool descending = false) {
    using T = element_t<X>;
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    if (x.rank() == 0) return Tensor<T>(std::forward<X>(x));
    if constexpr (kernel::networked<T>) {
        const Shape shape = x.shape();
        const index_t length = shape[along];
        index_t inside = 1;
        for (index_t d = along + 1; d < shape.rank(); ++d) inside *= shape[d];
        if (shape.size() > 0 && kernel::suits_network<T>(inside, length)) {
            // Neighbours belong to different lanes: they need not be brought together.
            Tensor<T> result = detail::lanes_of(std::forward<X>(x), {});
            kernel::sort_lanes_side_by_side(result.data(), shape.size() / (length * inside), length,
                                            inside, descending);
            return result;
        }
    }
    Tensor<T> lanes = detail::lanes_of(std::forward<X>(x), IndexList{along});
    if (const index_t length = lanes.extent(-1); lanes.size() > 0) {
        kernel::sort_lanes(lanes.data(), lanes.size() / length, length, descending);
    }
    return detail::lanes_back(std::move(lanes), along);
}

/// The indices along an axis that would sort it; equal elements keep their order, in either
/// direction. Throws index_error for the axis.
template <tensor_like X>
Tensor<index_t> argsort(X&& x, Axis axis = -1, bool descending = false) {
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    if (x.rank() == 0) return detail::first_index();
    return detail::with_lanes(
        std::forward<X>(x), along, [&](const auto* lanes, const Shape& shape) {
            return detail::lanes_back(detail::order_of(lanes, shape, descending, shape[-1]), along);
        });
}

/// The k largest elements along an axis, or the smallest, in order, with their indices; NaN comes
/// after all others, of equal elements the first is first. Throws value_error unless k lies
/// between 0 and the extent, and is 1 for rank 0; index_error for the axis.
template <tensor_like X>
TopK<element_t<X>> topk(X&& x, Integer k, Axis axis = -1, bool largest = true) {
    using T = element_t<X>;
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    const bool found = x.rank() > 0 ? k >= 0 && k <= x.shape()[along] : k == 1;
    if (!found) {
        throw value_error(detail::Sentence()
                          << "topk cannot find " << index_t{k} << " elements along axis " << along
                          << " of shape " << x.shape());
    }
    if (x.rank() == 0) return {Tensor<T>(std::forward<X>(x)), detail::first_index()};
    return detail::with_lanes(std::forward<X>(x), along, [&](const T* lane, const Shape& shape) {
        Tensor<index_t> indices = detail::order_of(lane, shape, largest, k);
        Tensor<T> values = broadloom::empty<T>(indices.shape());
        const index_t length = shape[-1];
        const index_t* at = indices.data();
        T* to = values.data();
        for (index_t left = k > 0 ? indices.size() / k : 0; left > 0; --left, lane += length) {
            for (index_t i = 0; i < k; ++i) *to++ = lane[*at++];
        }
        return TopK<T>{detail::lanes_back(std::move(values), along),
                       detail::lanes_back(std::move(indices), along)};
    });
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_SORT_HPP
