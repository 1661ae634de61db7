// Writing by index: scatter, scatter_add, index_add and put_along_axis. Indices are checked before
// anything is written; a name that ends in _ writes into its first argument, whose shape it never
// changes, as put_along_axis does, which has NumPy's name.
#ifndef BROADLOOM_OPERATIONS_SCATTER_HPP
#define BROADLOOM_OPERATIONS_SCATTER_HPP

#include "broadloom/operations/duplicates.hpp"

namespace broadloom {
namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_source_rank(const Shape& self, const Shape& source) {
    throw shape_error(Sentence() << "a source of shape " << source
                                 << " must have the same rank as the tensor " << self
                                 << " that it is scattered to, or be a scalar");
}

/// The walk of scatter: the index aligned at the left, all dimensions of self, index and source but
/// the indexed one broadcast, and along that the index and source.
inline Scattering plan_scatter(const Shape& self, const Layout& index, const Layout& source,
                               index_t dim) {
    Scattering plan;
    IndexWalk& walk = plan.walk;
    const Shape target = at_least_1d(self);
    const index_t rank = target.rank();
    walk.index = at_least_1d(index.shape, index.strides);
    if (walk.index.shape.rank() > rank) throw_index_rank(index.shape, self);
    walk.axis = detail::indexed_axis(dim, rank, index.shape.rank());
    walk.index = align_left(walk.index, rank);
    if (source.shape.rank() != 0 && source.shape.rank() != rank) {
        throw_source_rank(self, source.shape);
    }
    plan.source = align_left(source, rank);

    const Shape* all_three[] = {&target, &walk.index.shape, &plan.source.shape};
    const Shapes shapes{all_three, source.shape.rank() == 0 ? 2 : 3};  // a number takes any shape
    const Shape around = expand_around(shapes, walk.axis, index.shape);
    IndexList along{walk.index.shape[walk.axis]};
    if (!broadcast_into(along, IndexList{plan.source.shape[walk.axis]})) {
        throw_index_shapes(shapes, walk.axis, index.shape);
    }
    walk.shape = with_extent(around, walk.axis, along[0]);
    plan.result = with_extent(around, walk.axis, target[walk.axis]);
    return plan;
}

struct LayAlongAxis {
    template <class T>
    void operator()(IndexWalk& walk, const TensorView<T>& self) const {
        detail::lay(walk, self);
    }
};

/// The source as elements of type T in memory; a number has rank 0.
template <class T, class S>
auto source_of(S&& source) {
    if constexpr (!tensor_like<S>) {
        require_storable<std::remove_cvref_t<S>, T>();
        Tensor<T> one = broadloom::empty<T>(Shape{});
        *one.data() = scalar::convert<T>(source);
        return one;
    } else if constexpr (std::is_same_v<element_t<S>, T>) {
        return detail::in_memory(std::forward<S>(source));
    } else {
        return Tensor<T>(std::forward<S>(source));
    }
}

/// Calls `write` with the target, or with a copy that then replaces it: where the target is an
/// operand too, where it is so small that writing it twice costs less than to check the indices
/// beforehand, and where the elements' own operators may throw.
template <class T, class S, class Int, class Write>
void write_in_place(const TensorView<T>& self, const IndexWalk& walk, const S& source,
                    const Int& where, const Index& index, Write&& write) {
    if (!arithmetic<T> || walk.shape.size() / 4 > self.size() ||
        detail::overlaps(detail::footprint(self), detail::footprint(source)) ||
        detail::overlaps(detail::footprint(self), detail::footprint(where))) {
        detail::write_to_copy(self, write);
    } else {
        require_reach(index, walk.reach, walk.axis);
        write(self);
    }
}

[[noreturn]] BROADLOOM_COLD inline void throw_reshapes(const Shape& self, const Shape& result) {
    throw shape_error(Sentence() << "scattering in place cannot change the shape " << self << " to "
                                 << result);
}

/// Puts an index of rank at most 1 along one dimension of a shape, and repeats it in all others.
inline Layout along_dimension(const Layout& index, const Shape& shape, index_t axis) {
    const Layout line = at_least_1d(index.shape, index.strides);
    if (line.shape.rank() != 1) {
        throw shape_error(Sentence()
                          << "this index must have one dimension, not shape " << index.shape);
    }
    Layout laid{with_extent(shape, axis, line.shape[0]), Strides::filled(shape.rank(), 0), 0};
    laid.strides[axis] = line.strides[0];
    return laid;
}

/// A source laid over the shape of a walk as an assignment would. Throws shape_error.
inline Layout broadcast_source(const Shape& shape, const Strides& strides, const Shape& walk) {
    const Shape fitting = assigned_shape(shape, walk);
    Strides last;
    for (index_t d = shape.rank() - fitting.rank(); d < shape.rank(); ++d) {
        last.push_back(strides[d]);
    }
    return Layout{walk, broadcast_strides(fitting, last, walk), 0};
}

/// Sends every element where the index says; the result has the shape of self, expanded.
/// `to_layout` is how the index lies, and `write` writes the source into a target.
template <class X, class Int, class S, class ToLayout, class Write>
auto scattered(X&& self, index_t dim, Int&& index, S&& src, ToLayout&& to_layout, Write&& write) {
    using T = element_t<X>;
    const auto before = detail::in_memory(std::forward<X>(self));
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const auto source = detail::source_of<T>(std::forward<S>(src));
    const Index at(where);
    const Layout laid = to_layout(at.layout);
    if (where.size() == 0) {
        detail::indexed_axis(dim, before.rank(), laid.shape.rank());
        return Tensor<T>(before);
    }
    const Scattering plan = detail::plan_scatter(before.shape(), laid,
                                                 Layout{source.shape(), source.strides(), 0}, dim);
    Tensor<T> result = broadloom::empty<T>(before.rank() > 0 ? plan.result : Shape{});
    detail::assign(result.view(), before);
    write(plan, result.view(), source.data(), at);
    return result;
}

/// The same in place. Throws shape_error if the target would have to change its shape.
template <class X, class Int, class S, class ToLayout, class Write>
void scatter_into(X&& self, index_t dim, Int&& index, S&& src, ToLayout&& to_layout,
                  Write&& write) {
    using T = element_t<X>;
    const TensorView<T> target = self.view();
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const auto source = detail::source_of<T>(std::forward<S>(src));
    const Index at(where);
    const Layout laid = to_layout(at.layout);
    if (where.size() == 0) {
        detail::indexed_axis(dim, target.rank(), laid.shape.rank());
        return;
    }
    Scattering plan = detail::plan_scatter(target.shape(), laid,
                                           Layout{source.shape(), source.strides(), 0}, dim);
    if (target.rank() > 0 && plan.result != target.shape()) {
        detail::throw_reshapes(target.shape(), plan.result);
    }
    detail::lay(plan.walk, target);
    detail::write_in_place(target, plan.walk, source, where, at,
                           [&](const TensorView<T>& to) { write(plan, to, source.data(), at); });
}

struct AsItLies {
    Layout operator()(const Layout& index) const { return index; }
};

/// Writes with one transfer for all elements.
template <class T>
auto by_transfer(const kernel::Transfer& transfer) {
    return
        [transfer](Scattering plan, const TensorView<T>& to, const T* source, const Index& index) {
            detail::lay(plan.walk, to);
            detail::run(plan, to.data(), source, index, transfer);
        };
}
template <class T>
auto by_policy(Duplicates policy) {
    return [policy](const Scattering& plan, const TensorView<T>& to, const T* source,
                    const Index& index) {
        detail::store_by(policy, plan, to, source, index, LayAlongAxis{});
    };
}

/// What can be scattered into elements of X: a tensor, or a number.
template <class S, class X>
concept source_for = tensor_like<S> || scalar_beside<S, X>;

}  // namespace detail

/// A copy of self in which, for dim 0, result[index[i, j, k], j, k] = src[i, j, k], and so on.
///
/// An index of lower rank is aligned at the left, extents of 1 appended; a negative `dim` counts
/// in the index's own rank; self and src have equal rank, or src is a number or has rank 0. All
/// extents but `dim`'s broadcast between the three; along `dim` those of index and src do. Of
/// several elements for one place the last in row-major order stays. An empty index changes
/// nothing. Throws shape_error, and index_error for an index outside of [0, extent).
template <class X, class Int = detail::InBraces, class S>
    requires(tensor_like<X> && detail::indices<Int> && detail::source_for<S, X>)
[[nodiscard]] Tensor<element_t<X>> scatter(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    return detail::scattered(std::forward<X>(self), dim, std::forward<Int>(index),
                             std::forward<S>(src), detail::AsItLies{},
                             detail::by_transfer<T>(kernel::store<T>()));
}
/// The same, with a choice of what becomes of several elements for one place.
template <class X, class Int = detail::InBraces, class S>
    requires(tensor_like<X> && detail::indices<Int> && detail::source_for<S, X>)
[[nodiscard]] Tensor<element_t<X>> scatter(X&& self, Axis dim, Int&& index, S&& src,
                                           Duplicates policy) {
    return detail::scattered(std::forward<X>(self), dim, std::forward<Int>(index),
                             std::forward<S>(src), detail::AsItLies{},
                             detail::by_policy<element_t<X>>(policy));
}
/// As scatter, but added to what is there, all of them; integers wrap.
template <class X, class Int = detail::InBraces, class S>
    requires(tensor_like<X> && detail::indices<Int> && detail::source_for<S, X>)
[[nodiscard]] Tensor<element_t<X>> scatter_add(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    return detail::scattered(std::forward<X>(self), dim, std::forward<Int>(index),
                             std::forward<S>(src), detail::AsItLies{},
                             detail::by_transfer<T>(kernel::combine<T, scalar::add>()));
}

/// As scatter, in place: a tensor or a view that can be written, which keeps its shape. After an
/// error it is as before. Where it is src or index too, these count as they were.
template <class X, class Int = detail::InBraces, class S>
    requires(detail::target<X> && detail::indices<Int> && detail::source_for<S, X>)
void scatter_(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    detail::scatter_into(std::forward<X>(self), dim, std::forward<Int>(index), std::forward<S>(src),
                         detail::AsItLies{}, detail::by_transfer<T>(kernel::store<T>()));
}
/// The same with a policy for places that are named more than once.
template <class X, class Int = detail::InBraces, class S>
    requires(detail::target<X> && detail::indices<Int> && detail::source_for<S, X>)
void scatter_(X&& self, Axis dim, Int&& index, S&& src, Duplicates policy) {
    detail::scatter_into(std::forward<X>(self), dim, std::forward<Int>(index), std::forward<S>(src),
                         detail::AsItLies{}, detail::by_policy<element_t<X>>(policy));
}
/// As scatter_add, in place.
template <class X, class Int = detail::InBraces, class S>
    requires(detail::target<X> && detail::indices<Int> && detail::source_for<S, X>)
void scatter_add_(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    detail::scatter_into(std::forward<X>(self), dim, std::forward<Int>(index), std::forward<S>(src),
                         detail::AsItLies{},
                         detail::by_transfer<T>(kernel::combine<T, scalar::add>()));
}

/// A copy of self to whose sub-tensor index[i] along `dim` the sub-tensor i of src is added. The
/// index has one dimension, and src broadcasts as in scatter_add.
template <class X, class Int = detail::InBraces, class S>
    requires(tensor_like<X> && detail::indices<Int> && detail::source_for<S, X>)
[[nodiscard]] Tensor<element_t<X>> index_add(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    const Shape shape = detail::at_least_1d(self.shape());
    const index_t axis = detail::normalize_axis(dim, shape.rank());
    return detail::scattered(
        std::forward<X>(self), axis, std::forward<Int>(index), std::forward<S>(src),
        [=](const Layout& at) { return detail::along_dimension(at, shape, axis); },
        detail::by_transfer<T>(kernel::combine<T, scalar::add>()));
}
/// As index_add, in place.
template <class X, class Int = detail::InBraces, class S>
    requires(detail::target<X> && detail::indices<Int> && detail::source_for<S, X>)
void index_add_(X&& self, Axis dim, Int&& index, S&& src) {
    using T = element_t<X>;
    const Shape shape = detail::at_least_1d(self.shape());
    const index_t axis = detail::normalize_axis(dim, shape.rank());
    detail::scatter_into(
        std::forward<X>(self), axis, std::forward<Int>(index), std::forward<S>(src),
        [=](const Layout& at) { return detail::along_dimension(at, shape, axis); },
        detail::by_transfer<T>(kernel::combine<T, scalar::add>()));
}

/// Writes into x, for axis 1, x[i, index[i, j, k], k] = values[i, j, k], and so on: x and the
/// index have equal rank, the index broadcasts to x in all dimensions but `axis`, and the values
/// to what comes of that. Negative indices count from the back. Throws shape_error and
/// index_error, and then changes nothing.
template <class X, class Int = detail::InBraces, class V>
    requires(detail::target<X> && detail::indices<Int> && detail::source_for<V, X>)
void put_along_axis(X&& x, Int&& index, V&& values, Axis axis,
                    Duplicates policy = Duplicates::last) {
    using T = element_t<X>;
    const TensorView<T> target = x.view();
    const auto where = detail::indices_in_memory(std::forward<Int>(index));
    const auto source = detail::source_of<T>(std::forward<V>(values));
    if (target.rank() != where.rank()) {
        detail::throw_other_rank(where.shape(), target.shape());
    }
    const detail::Index at(where);
    detail::Scattering plan;
    plan.walk = detail::plan_gather(target.shape(), target.strides(), at.layout,
                                    detail::normalize_axis(axis, target.rank()));
    plan.walk.reach.wrap = plan.walk.reach.extent;
    plan.result =
        detail::with_extent(plan.walk.shape, plan.walk.axis, target.shape()[plan.walk.axis]);
    if (plan.result != target.shape()) detail::throw_reshapes(target.shape(), plan.result);
    plan.source = detail::broadcast_source(source.shape(), source.strides(), plan.walk.shape);
    detail::write_in_place(target, plan.walk, source, where, at, [&](const TensorView<T>& to) {
        detail::store_by(policy, plan, to, source.data(), at, detail::LayAlongAxis{});
    });
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_SCATTER_HPP
