// Sums of products over named dimensions: two factors whose dimensions carry labels become one
// matrix product, batched over the labels that both keep. tensordot, dot and einsum stand on it.
#ifndef BROADLOOM_OPERATIONS_CONTRACT_HPP
#define BROADLOOM_OPERATIONS_CONTRACT_HPP

#include "broadloom/operations/matmul.hpp"
#include "broadloom/operations/reduce.hpp"

namespace broadloom {
namespace detail {

/// A tensor whose dimensions carry labels; it may own its elements.
template <class R>
struct Factor {
    Tensor<R> owner;
    const R* data;
    Layout layout;
    IndexList labels;

    Factor(const TensorView<const R>& view, const IndexList& names)
        : data(view.data()), layout{view.shape(), view.strides(), 0}, labels(names) {}
    Factor(Tensor<R>&& tensor, const IndexList& names)
        : owner(std::move(tensor)),
          data(owner.data()),
          layout{owner.shape(), owner.strides(), 0},
          labels(names) {}

    // A copy would look at what the original owns.
    Factor(Factor&&) = default;
    Factor& operator=(Factor&&) = default;

    TensorView<const R> view() const { return TensorView<const R>(data, layout); }
    index_t extent(index_t d) const { return layout.shape[d]; }
};

/// Sums over the labels that nobody keeps.
template <class R>
void drop_labels(Factor<R>& factor, const IndexList& kept) {
    IndexList axes, left;
    for (index_t d = 0; d < factor.labels.rank(); ++d) {
        if (detail::holds(kept, factor.labels[d])) left.push_back(factor.labels[d]);
        else axes.push_back(d);
    }
    if (axes.rank() == 0) return;
    factor =
        Factor<R>(Tensor<R>(broadloom::cast<R>(broadloom::sum(factor.view(), Axes(axes)))), left);
}

/// The dimensions of a factor in the order of `labels`, with their common extents; a label that the
/// factor lacks, or has with extent 1, has stride 0.
template <class R>
Layout in_order(const Factor<R>& factor, const IndexList& labels, const Shape& extents) {
    Strides strides;
    for (index_t i = 0; i < labels.rank(); ++i) {
        index_t stride = 0;
        for (index_t d = 0; d < factor.labels.rank(); ++d) {
            if (factor.labels[d] == labels[i] && factor.extent(d) == extents[i]) {
                stride = factor.layout.strides[d];
            }
        }
        strides.push_back(extents[i] == 1 ? 0 : stride);
    }
    return Layout{extents, strides, 0};
}

/// Folds dimensions [first, last) of a layout into one stride; false if they do not allow it.
inline bool fold_dimensions(const Layout& layout, index_t first, index_t last, index_t& stride) {
    stride = 0;
    bool found = false;
    index_t expected = 0;
    for (index_t d = last - 1; d >= first; --d) {
        if (layout.shape[d] == 1) continue;
        if (!found) stride = layout.strides[d];
        else if (layout.strides[d] != expected) return false;
        found = true;
        expected = layout.strides[d] * layout.shape[d];
    }
    return true;
}

/// The labels of a product of x and y, by what they are in it.
struct Roles {
    IndexList batch;    // both have them, and they are kept
    IndexList rows;     // x alone
    IndexList sums;     // both, and nobody keeps them
    IndexList columns;  // y alone
};
inline Roles roles_of(const IndexList& x, const IndexList& y, const IndexList& kept) {
    Roles roles;
    for (const index_t l : x) {
        IndexList& list = !holds(y, l) ? roles.rows : holds(kept, l) ? roles.batch : roles.sums;
        list.push_back(l);
    }
    for (const index_t l : y) {
        if (!holds(x, l)) roles.columns.push_back(l);
    }
    return roles;
}

inline IndexList joined(const IndexList& a, const IndexList& b, const IndexList& c = {}) {
    IndexList labels = a;
    for (const index_t l : b) labels.push_back(l);
    for (const index_t l : c) labels.push_back(l);
    return labels;
}

/// The extents of labels in two factors, 1 giving way to the other.
template <class R>
Shape extents_of(const IndexList& labels, const Factor<R>& x, const Factor<R>& y) {
    IndexList extents;
    for (const index_t label : labels) {
        index_t extent = 1;
        for (const Factor<R>* factor : {&x, &y}) {
            for (index_t d = 0; d < factor->labels.rank(); ++d) {
                if (factor->labels[d] == label && factor->extent(d) != 1) {
                    extent = factor->extent(d);
                }
            }
        }
        extents.push_back(extent);
    }
    return Shape(extents);
}

/// One side of a product as a batch of matrices.
template <class R>
struct Side {
    const R* data;
    Strides batch;
    index_t row, column;
};

/// The factor as matrices whose rows are the labels `down` and whose columns are `along`: copied
/// only where strides cannot say it.
template <class R>
Side<R> side_of(Factor<R>& factor, const Layout& in_order, const IndexList& batch,
                const IndexList& down, const IndexList& along) {
    const index_t outer = batch.rank(), middle = outer + down.rank(), end = middle + along.rank();
    Layout layout = in_order;
    Side<R> side{};
    if (!detail::fold_dimensions(layout, outer, middle, side.row) ||
        !detail::fold_dimensions(layout, middle, end, side.column)) {
        factor = Factor<R>(Tensor<R>(factor.view().laid(layout)), joined(batch, down, along));
        layout = factor.layout;
        static_cast<void>(detail::fold_dimensions(layout, outer, middle, side.row));
        static_cast<void>(detail::fold_dimensions(layout, middle, end, side.column));
    }
    side.data = factor.data;
    for (index_t d = 0; d < outer; ++d) side.batch.push_back(layout.strides[d]);
    return side;
}

/// Two factors multiplied, and summed over the labels that nobody keeps.
template <class R>
Factor<R> contract(Factor<R> x, Factor<R> y, const IndexList& kept) {
    const auto drop_others = [&](Factor<R>& own, const Factor<R>& other) {
        IndexList needed;
        for (const index_t l : own.labels) {
            if (holds(kept, l) || detail::holds(other.labels, l)) needed.push_back(l);
        }
        detail::drop_labels(own, needed);
    };
    drop_others(x, y);
    drop_others(y, x);

    auto [batch, rows, sums, columns] = detail::roles_of(x.labels, y.labels, kept);
    const auto extents = [&](const IndexList& labels) { return detail::extents_of(labels, x, y); };
    const auto laid = [&](const Factor<R>& factor, const IndexList& labels) {
        return detail::in_order(factor, labels, extents(labels));
    };
    const auto spread = [&](const Factor<R>& factor, const IndexList& labels) {
        return factor.view().laid(laid(factor, labels));
    };
    if (sums.rank() == 0) {
        IndexList labels;
        for (const index_t l : kept) {
            if (detail::holds(x.labels, l) || detail::holds(y.labels, l)) labels.push_back(l);
        }
        return Factor<R>(Tensor<R>(spread(x, labels) * spread(y, labels)), labels);
    }
    if (rows.rank() == 0 && columns.rank() > 1)
        return detail::contract(std::move(y), std::move(x), kept);
    // Rows that no stride joins would be copied, which takes longer than to meet a vector in turn,
    // if they are no crumbs.
    if (columns.rank() == 0) {
        constexpr index_t crumb = 64;  // bytes
        const Layout layout = laid(x, rows);
        index_t outer = 0, stride = 0, bytes = sizeof(R);
        while (!detail::fold_dimensions(layout, outer, rows.rank(), stride)) ++outer;
        for (index_t d = outer; d < rows.rank() && bytes < crumb; ++d)
            bytes *= layout.shape[d] < crumb ? layout.shape[d] : crumb;
        for (; outer > 0 && bytes >= crumb; --outer) {
            batch.push_back(rows[0]);
            rows.erase(0);
        }
    }
    const IndexList labels = detail::joined(batch, rows, columns);
    // Products of vectors, each with its own partner, are quicker as sums of one product where they
    // are short, or lie across the rows of x.
    constexpr index_t short_sum = 256;  // bytes
    const index_t terms = extents(sums).size();
    if (rows.rank() == 0 && columns.rank() == 0 && batch.rank() > 0 &&
        (terms * index_t{sizeof(R)} < short_sum || holds(batch, x.labels[-1]))) {
        IndexList axes;
        for (index_t d = 0; d < x.labels.rank(); ++d) {
            if (holds(sums, x.labels[d])) axes.push_back(d);
        }
        return Factor<R>(Tensor<R>(broadloom::cast<R>(broadloom::sum(
                             spread(x, x.labels) * spread(y, x.labels), Axes(axes)))),
                         labels);
    }

    Tensor<R> result = broadloom::empty<R>(extents(labels));
    kernel::Product q{};
    q.m = extents(rows).size();
    q.n = extents(columns).size();
    q.k = terms;
    const Layout left = laid(x, detail::joined(batch, rows, sums));
    const Layout right = laid(y, detail::joined(batch, sums, columns));
    const Side<R> a = detail::side_of(x, left, batch, rows, sums);
    const Side<R> b = detail::side_of(y, right, batch, sums, columns);
    q.a = a.data;
    q.a_row = a.row;
    q.a_col = a.column;
    q.b = b.data;
    q.b_row = b.row;
    q.b_col = b.column;
    q.c = result.data();
    q.c_row = q.n;
    q.c_col = 1;
    q.batch = static_cast<int>(batch.rank());
    for (index_t d = 0; d < batch.rank(); ++d) {
        q.extent[d] = result.shape()[d];
        q.a_step[d] = a.batch[d];
        q.b_step[d] = b.batch[d];
        q.c_step[d] = result.strides()[d];
    }
    kernel::gemm<R>(q);
    return Factor<R>(std::move(result), labels);
}

[[noreturn]] BROADLOOM_COLD inline void throw_dot(const Shape& x, const Shape& y, index_t axis) {
    throw shape_error(Sentence() << "dot of shapes " << x << " and " << y << ": the last axis of "
                                 << x[x.rank() - 1] << " meets axis " << axis << " of " << y[axis]);
}

}  // namespace detail

/// Sums products over pairs of axes, the first of `x_axes` with the first of `y_axes` and so on;
/// the result has the remaining axes of x, then those of y. Throws shape_error where extents
/// differ, index_error for axes.
template <class X, class Y>
    requires(tensor_like<X> && tensor_like<Y>)
auto tensordot(X&& x, Y&& y, const detail::OneOrSeveral& x_axes,
               const detail::OneOrSeveral& y_axes) {
    using R = promote_t<element_t<X>, element_t<Y>>;
    const auto a = detail::in_memory<R>(std::forward<X>(x));
    const auto b = detail::in_memory<R>(std::forward<Y>(y));
    const IndexList sums_x = detail::normalize_axes(x_axes, a.rank());
    const IndexList sums_y = detail::normalize_axes(y_axes, b.rank());
    const bool as_many = sums_x.rank() == sums_y.rank();
    index_t same = 0;
    while (as_many && same < sums_x.rank() && a.shape()[sums_x[same]] == b.shape()[sums_y[same]]) {
        ++same;
    }
    if (same < sums_x.rank() || !as_many) {
        detail::Sentence why;
        why << "tensordot of shapes " << a.shape() << " and " << b.shape() << " over axes "
            << x_axes << " and " << y_axes;
        if (!as_many) throw shape_error(why << ": there are more of one");
        throw shape_error(why << ": the extents " << a.shape()[sums_x[same]] << " and "
                              << b.shape()[sums_y[same]] << " differ");
    }
    // Every dimension its own label, those that are summed the same on both sides.
    IndexList names_x, names_y, kept;
    for (index_t d = 0; d < a.rank(); ++d) names_x.push_back(d);
    for (index_t d = 0; d < b.rank(); ++d) names_y.push_back(max_rank + d);
    for (index_t i = 0; i < sums_x.rank(); ++i) names_y[sums_y[i]] = sums_x[i];
    for (const index_t l : names_x) {
        if (!detail::holds(names_y, l)) kept.push_back(l);
    }
    for (const index_t l : names_y) {
        if (!detail::holds(names_x, l)) kept.push_back(l);
    }
    return detail::contract(detail::Factor<R>(a.view(), names_x),
                            detail::Factor<R>(b.view(), names_y), kept)
        .owner;
}

/// The same with the axes as a pair, as in NumPy: `tensordot(x, y, {{0, 1}, {1, 0}})`.
template <class X, class Y>
    requires(tensor_like<X> && tensor_like<Y>)
auto tensordot(X&& x, Y&& y, const std::pair<IndexList, IndexList>& axes) {
    return broadloom::tensordot(std::forward<X>(x), std::forward<Y>(y), axes.first, axes.second);
}

/// The same over the last `count` axes of x and the first of y.
template <class X, class Y>
    requires(tensor_like<X> && tensor_like<Y>)
auto tensordot(X&& x, Y&& y, Integer count = 2) {
    if (count < 0 || count > x.rank() || count > y.rank()) {
        throw index_error(detail::Sentence()
                          << "tensordot over " << index_t{count} << " axes of shapes " << x.shape()
                          << " and " << y.shape());
    }
    IndexList last, first;
    for (index_t i = 0; i < count; ++i) {
        last.push_back(x.rank() - count + i);
        first.push_back(i);
    }
    return broadloom::tensordot(std::forward<X>(x), std::forward<Y>(y), last, first);
}

/// NumPy's dot: products summed over the last axis of x and the last but one of y (its only one
/// if y is a vector); with rank 0 or a number on either side just the product.
template <class X, class Y>
    requires operands<X, Y>
auto dot(X&& x, Y&& y) {
    if constexpr (tensor_like<X> && tensor_like<Y>) {
        using R = promote_t<element_t<X>, element_t<Y>>;
        if (x.rank() == 0 || y.rank() == 0) {
            return Tensor<R>(std::forward<X>(x) * std::forward<Y>(y));
        }
        const index_t axis = y.rank() > 1 ? y.rank() - 2 : 0;
        if (x.extent(-1) != y.extent(axis)) detail::throw_dot(x.shape(), y.shape(), axis);
        if (x.rank() <= 2 && y.rank() <= 2)
            return broadloom::matmul(std::forward<X>(x), std::forward<Y>(y));
        return broadloom::tensordot(std::forward<X>(x), std::forward<Y>(y), -1, axis);
    } else {
        return broadloom::eval(std::forward<X>(x) * std::forward<Y>(y));
    }
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_CONTRACT_HPP
