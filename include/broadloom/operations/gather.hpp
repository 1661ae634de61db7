// Reading by index: gather, take and take_along_axis. An index tensor of any integral type says,
// element for element, where along one dimension to look. gather refuses negative indices;
// take and take_along_axis count them from the back, as NumPy does.
#ifndef BROADLOOM_OPERATIONS_GATHER_HPP
#define BROADLOOM_OPERATIONS_GATHER_HPP

#include "broadloom/kernel/movement.hpp"
#include "broadloom/kernel/packing/nest.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"

namespace broadloom {

namespace detail {

/// Indices in memory, as a view or a tensor.
template <indices Int>
auto indices_in_memory(Int&& index) {
    if constexpr (integer_range<Int>) return broadloom::from(index);
    else return detail::in_memory(std::forward<Int>(index));
}

[[noreturn]] BROADLOOM_COLD inline void throw_other_rank(const Shape& index, const Shape& along) {
    throw shape_error(Sentence() << "an index of shape " << index << " along an axis of shape "
                                 << along << " must have the same rank");
}

/// An index tensor as the kernel sees it, with the loop that reads its type.
struct Index {
    template <class Int>
    explicit Index(const Int& tensor)
        : data(tensor.data()),
          layout{tensor.shape(), tensor.strides(), 0},
          bytes(sizeof(typename Int::value_type)),
          resolve(kernel::resolver<typename Int::value_type>()),
          kind(kernel::index_kind<typename Int::value_type>()),
          value([](const void* at, index_t i) {
              return scalar::saturate<index_t>(static_cast<const typename Int::value_type*>(at)[i]);
          }) {}

    kernel::Operand operand() const {
        return kernel::Operand{data, &layout.shape, &layout.strides, bytes};
    }

    const void* data;
    Layout layout;
    index_t bytes;
    kernel::Resolve* resolve;
    kernel::IndexKind kind;
    index_t (*value)(const void*, index_t);
};

/// Throws index_error for the first index, in row-major order, that is out of reach.
[[noreturn]] BROADLOOM_COLD inline void throw_out_of_reach(const Index& index,
                                                           const kernel::Reach& reach,
                                                           index_t axis) {
    const Shape& shape = index.layout.shape;
    IndexList at = IndexList::filled(shape.rank(), 0);
    for (;;) {
        const index_t value = index.value(index.data, offset_of(index.layout.strides, at.begin()));
        index_t d = shape.rank() - 1;
        for (; d >= 0 && at[d] + 1 == shape[d]; --d) at[d] = 0;
        if (d < 0 || value < -reach.wrap || value >= reach.extent) {
            throw_index(value, axis, reach.extent);
        }
        ++at[d];
    }
}
inline void require_reach(const Index& index, const kernel::Reach& reach, index_t axis) {
    if (!kernel::in_reach(index.operand(), reach, index.resolve)) {
        throw_out_of_reach(index, reach, axis);
    }
}

/// A walk over one tensor with an index tensor beside it.
struct IndexWalk {
    index_t axis = 0;  // the indexed dimension, in the tensor
    Shape shape;       // of the walk
    Layout indexed;    // the tensor, with extent 1 along the indexed dimension
    Layout index;
    kernel::Reach reach;
};

[[noreturn]] BROADLOOM_COLD inline void throw_index_rank(const Shape& index, const Shape& self) {
    throw shape_error(Sentence() << "an index of shape " << index
                                 << " has more dimensions than the tensor " << self
                                 << " that it indexes");
}
[[noreturn]] BROADLOOM_COLD inline void throw_index_shapes(Shapes shapes, index_t dim,
                                                           const Shape& index) {
    Sentence out;
    out << "shapes ";
    enumerate(out, shapes);
    if (index.rank() < shapes[1].rank()) {
        out << ", the second an index of shape " << index << " aligned at the left,";
    }
    out << " do not fit";
    for (index_t d = 0; d < shapes[0].rank(); ++d) {
        IndexList common{1};
        for (int i = 0; i < shapes.count; ++i) {
            if (d != dim && !broadcast_into(common, IndexList{shapes[i][d]})) {
                throw shape_error(out << ": " << common[0] << " and " << shapes[i][d]
                                      << " differ at dimension " << d
                                      << ", which is not the indexed dimension " << dim);
            }
        }
    }
    throw shape_error(out << " along the indexed dimension " << dim << ": " << shapes[1][dim]
                          << " indices for " << shapes[shapes.count - 1][dim]
                          << " elements of the source");
}

/// The shape that tensors of one rank, the second an index of this shape, expand to in all
/// dimensions but one, whose extent is 1. Throws shape_error.
inline Shape expand_around(Shapes shapes, index_t dim, const Shape& index) {
    constexpr int most = 3;
    Shape around[most];
    const Shape* list[most] = {};
    for (int i = 0; i < shapes.count; ++i) {
        around[i] = with_extent(shapes[i], dim, 1);
        list[i] = &around[i];
    }
    const Shapes pinned{list, shapes.count};
    IndexList result;
    if (!fits(pinned, result)) throw_index_shapes(shapes, dim, index);
    return resolve(pinned);
}

/// The dimension that an index goes along: a negative one counts in the index's own rank, any other
/// in the tensor's, to which the index is aligned at the left. Throws index_error.
inline index_t indexed_axis(index_t dim, index_t rank, index_t index_rank) {
    return normalize_axis_of_any(dim, dim < 0 || rank < index_rank ? index_rank : rank);
}

/// The walk of gather: the index aligned at the left, all dimensions but the indexed one broadcast.
inline IndexWalk plan_gather(const Shape& shape, const Strides& strides, const Layout& index,
                             index_t dim) {
    IndexWalk plan;
    plan.indexed = at_least_1d(shape, strides);
    plan.index = at_least_1d(index.shape, index.strides);
    const index_t rank = plan.indexed.shape.rank();
    if (plan.index.shape.rank() > rank) throw_index_rank(index.shape, shape);
    plan.axis = detail::indexed_axis(dim, rank, plan.index.shape.rank());
    plan.index = align_left(plan.index, rank);
    const Shape* both[] = {&plan.indexed.shape, &plan.index.shape};
    plan.shape = with_extent(expand_around(Shapes{both, 2}, plan.axis, index.shape), plan.axis,
                             plan.index.shape[plan.axis]);
    plan.reach = kernel::Reach{plan.indexed.shape[plan.axis], 0, plan.indexed.strides[plan.axis]};
    plan.indexed.shape = with_extent(plan.indexed.shape, plan.axis, 1);
    return plan;
}

/// Moves the elements of a tensor that a walk finds to others beside it, or back. Throws
/// index_error for an index out of reach.
template <class T>
void move_elements(const IndexWalk& walk, const Index& index, const T* indexed, const T* plain,
                   const Layout& plain_layout, const kernel::Transfer& transfer,
                   bool writes_indexed) {
    const auto operand = [](const T* data, const Layout& layout) {
        return kernel::Operand{data + layout.offset, &layout.shape, &layout.strides,
                               static_cast<index_t>(sizeof(T))};
    };
    const kernel::Movement movement{
        .shape = &walk.shape,
        .indexed = operand(indexed, walk.indexed),
        .plain = operand(plain, plain_layout),
        .index = {static_cast<const char*>(index.data) + walk.index.offset * index.bytes,
                  &walk.index.shape, &walk.index.strides, index.bytes},
        .reach = walk.reach,
        .resolve = index.resolve,
        .transfer = transfer,
        .kind = index.kind,
        .writes_indexed = writes_indexed};
    if (walk.shape.size() == 0) require_reach(index, walk.reach, walk.axis);
    else if (!kernel::move_by_index(movement)) throw_out_of_reach(index, walk.reach, walk.axis);
}

/// The elements that a walk finds, as a tensor of shape `result`, which has as many.
template <class T>
Tensor<T> fetch(const IndexWalk& walk, const T* from, const Index& index, const Shape& result) {
    Tensor<T> to = broadloom::empty<T>(result);
    const Layout in_order{walk.shape, row_major(walk.shape), 0};
    detail::move_elements<T>(walk, index, from, to.data(), in_order, kernel::fetch<T>(), false);
    return to;
}

/// True where sub-tensors at `count` indices along an axis would move in small pieces, and so many
/// that to bring the whole tensor into order first takes less time.
inline bool lie_in_pieces(const Shape& shape, const Strides& strides, index_t axis, index_t count) {
    constexpr index_t large = 4;  // elements of a piece
    if (shape.size() == 0) return false;
    const index_t inside = axis + 1;
    const kernel::Nest nest(shape.begin() + inside, strides.begin() + inside,
                            static_cast<int>(shape.rank() - inside));
    if (nest.rank == 0) return false;
    const bool several = nest.rank > 1;
    if (nest.stride(0) == 1 && (!several || nest.extent(0) >= large)) return false;
    return count >= (several ? shape[axis] - shape[axis] / 2 : shape[axis]);
}

/// The walk of take: the index's dimensions stand in the place of `axis`.
inline IndexWalk plan_take(const Shape& own_shape, const Strides& own_strides, const Layout& index,
                           index_t axis) {
    static constexpr Layout one = at_least_1d(Shape{}, Strides{});
    const bool has_axes = own_shape.rank() > 0;
    const Shape& shape = has_axes ? own_shape : one.shape;
    const Strides& strides = has_axes ? own_strides : one.strides;
    IndexWalk plan;
    plan.axis = normalize_axis(axis, shape.rank());
    IndexList extents, indexed_extents, index_extents;
    Strides indexed, at;
    const auto add = [&](index_t extent, index_t own, index_t stride, index_t there,
                         index_t index_stride) {
        extents.push_back(extent);
        indexed_extents.push_back(own);
        indexed.push_back(stride);
        index_extents.push_back(there);
        at.push_back(index_stride);
    };
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (d != plan.axis) {
            add(shape[d], shape[d], strides[d], 1, 0);
            continue;
        }
        for (index_t i = 0; i < index.shape.rank(); ++i) {
            add(index.shape[i], 1, 0, index.shape[i], index.strides[i]);
        }
    }
    plan.shape = Shape(extents);
    plan.indexed = Layout{Shape(indexed_extents), indexed, 0};
    plan.index = Layout{Shape(index_extents), at, 0};
    plan.reach = kernel::Reach{shape[plan.axis], shape[plan.axis], strides[plan.axis]};
    return plan;
}

}  // namespace detail

/// result[i, j, k] = input[index[i, j, k], j, k] for dim 0, and so on for the others.
///
/// An index of lower rank is aligned at the left, extents of 1 appended; a negative `dim` counts
/// in the index's own rank; all extents but `dim`'s broadcast, both ways. A rank of 0 counts as
/// one dimension of extent 1, and an index of rank 0 into a vector gives rank 0. Throws
/// shape_error, and index_error for an index outside of [0, extent).
///
///     gather(Tensor<int>{{1, 2}, {3, 4}}, 1, Tensor<int>{{1}, {0}})   // {{2}, {3}}
template <class X, class Int = detail::InBraces>
    requires(tensor_like<X> && detail::indices<Int>)
[[nodiscard]] Tensor<element_t<X>> gather(X&& input, Axis dim, Int&& index) {
    const auto from = detail::in_memory(std::forward<X>(input));
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const detail::Index at(where);
    const detail::IndexWalk plan =
        detail::plan_gather(from.shape(), from.strides(), at.layout, dim);
    const bool single = where.rank() == 0 && from.rank() <= 1;
    return detail::fetch(plan, from.data(), at, single ? Shape{} : plan.shape);
}

/// The sub-tensors at the given indices along an axis: shape[:axis] + index.shape +
/// shape[axis + 1:]. Negative indices count from the back. Throws index_error.
template <class X, class Int = detail::InBraces>
    requires(tensor_like<X> && detail::indices<Int>)
[[nodiscard]] Tensor<element_t<X>> take(X&& x, Int&& index, Axis axis) {
    using T = element_t<X>;
    const auto from = detail::in_memory(std::forward<X>(x));
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const detail::Index at(where);
    const bool reorders =
        from.rank() > 0 &&
        detail::lie_in_pieces(from.shape(), from.strides(),
                              detail::normalize_axis(axis, from.rank()), where.size());
    const Tensor<T> in_order = reorders ? Tensor<T>(from) : Tensor<T>();
    const TensorView<const T> source = reorders ? in_order.view() : from.view();
    const detail::IndexWalk plan =
        detail::plan_take(source.shape(), source.strides(), at.layout, axis);
    return detail::fetch(plan, source.data(), at, plan.shape);
}
/// The elements at the given indices of all elements in row-major order.
template <class X, class Int = detail::InBraces>
    requires(tensor_like<X> && detail::indices<Int>)
[[nodiscard]] Tensor<element_t<X>> take(X&& x, Int&& index) {
    return detail::with_line(std::forward<X>(x), [&](const auto& line) {
        return broadloom::take(line, std::forward<Int>(index), 0);
    });
}
/// The sub-tensor at one index, whose dimension is gone: of a vector, a tensor of rank 0.
template <class X, detail::integer_index Int>
    requires tensor_like<X>
[[nodiscard]] Tensor<element_t<X>> take(X&& x, Int index, Axis axis) {
    const index_t at = detail::to_index(index);
    return broadloom::take(std::forward<X>(x), TensorView<const index_t>(&at, Shape{}, Strides{}),
                           axis);
}
/// The element at one index of all elements in row-major order, as a tensor of rank 0.
template <class X, detail::integer_index Int>
    requires tensor_like<X>
[[nodiscard]] Tensor<element_t<X>> take(X&& x, Int index) {
    const index_t at = detail::to_index(index);
    return broadloom::take(std::forward<X>(x), TensorView<const index_t>(&at, Shape{}, Strides{}));
}

/// result[i, j, k] = x[i, index[i, j, k], k] for axis 1, and so on: x and the index have equal
/// rank and broadcast in all dimensions but `axis`. Negative indices count from the back. Throws
/// shape_error and index_error.
template <class X, class Int = detail::InBraces>
    requires(tensor_like<X> && detail::indices<Int>)
[[nodiscard]] Tensor<element_t<X>> take_along_axis(X&& x, Int&& index, Axis axis = -1) {
    const auto from = detail::in_memory(std::forward<X>(x));
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const detail::Index at(where);
    if (from.rank() != where.rank()) {
        detail::throw_other_rank(where.shape(), from.shape());
    }
    detail::normalize_axis(axis, from.rank());
    detail::IndexWalk plan = detail::plan_gather(from.shape(), from.strides(), at.layout, axis);
    plan.reach.wrap = plan.reach.extent;
    return detail::fetch(plan, from.data(), at, plan.shape);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_GATHER_HPP
