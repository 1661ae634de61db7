// Operands repeated to a common shape without a copy: every result is a view with strides of 0
// that cannot be written. What is about to die, or was never evaluated, is returned as a Tensor
// instead, so that nothing dangles.
#ifndef BROADLOOM_OPERATIONS_EXPAND_HPP
#define BROADLOOM_OPERATIONS_EXPAND_HPP

#include <tuple>

#include "broadloom/tensor/create.hpp"

namespace broadloom {

/// The operand repeated along extents of 1 and new leading dimensions. Throws shape_error when it
/// does not broadcast to exactly this shape.
template <operand X>
auto broadcast_to(X&& x, const Shape& shape) {
    if constexpr (!tensor_like<X>) return broadloom::full(shape, x);
    else if constexpr (detail::operand_kind<X> == detail::OperandKind::expression) {
        return broadloom::eval(std::forward<X>(x)).broadcast_to(shape);
    } else {
        return std::forward<X>(x).broadcast_to(shape);
    }
}

/// As broadcast_to, where -1 keeps an extent.
template <tensor_like X>
auto expand(X&& x, const IndexList& shape) {
    const Shape wanted = detail::expanded_shape(x.shape(), shape);
    return broadloom::broadcast_to(std::forward<X>(x), wanted);
}

/// All operands, each repeated to the shape they broadcast to together, as a tuple:
/// `auto [a, b] = broadcast_tensors(x, y)`. Throws shape_error.
template <operand... X>
auto broadcast_tensors(X&&... x) {
    [[maybe_unused]] const Shape shape = detail::common_shape(x...);
    return std::tuple(broadloom::broadcast_to(std::forward<X>(x), shape)...);
}

/// Which of the first two operands of `meshgrid` runs along the rows of the result: with ij
/// operand i runs along dimension i; with xy the first one runs along dimension 1 and the second
/// along dimension 0, as in plots.
enum class Indexing { xy, ij };

struct MeshgridOptions {
    Indexing indexing = Indexing::xy;
    /// Extents of 1 along the other dimensions, to be broadcast later.
    bool sparse = false;
};

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_not_a_grid_line(const Shape& shape) {
    throw shape_error(Sentence() << "meshgrid takes tensors of rank 0 or 1, not shape " << shape);
}

template <class X>
auto grid_line(X&& x, const Shape& grid, index_t axis, bool sparse) {
    if constexpr (operand_kind<X> == OperandKind::expression) {
        return detail::grid_line(detail::in_memory(std::forward<X>(x)), grid, axis, sparse);
    } else {
        IndexList extents = IndexList::filled(grid.rank(), 1);
        Strides strides = Strides::filled(grid.rank(), 0);
        extents[axis] = grid[axis];
        if (x.rank() == 1) strides[axis] = x.strides()[0];
        const Shape line(extents);
        using View = TensorView<const element_t<X>>;
        const View laid = View(x.data(), Layout{line, strides, 0});
        const View view = laid.broadcast_to(sparse ? line : grid);
        // What dies is copied, not taken over: it may stand beside itself.
        if constexpr (is_dying_tensor<X>) return Tensor<element_t<X>>(view);
        else return view;
    }
}

}  // namespace detail

/// Coordinates from vectors, as a tuple with one tensor per operand, all of the shape of the grid:
/// `auto [x, y] = meshgrid(arange<int>(3), arange<int>(2))` are both (2, 3), with
/// `Indexing::ij` or `{.indexing = Indexing::ij}` in front of the operands both (3, 2). Throws
/// shape_error for operands of rank 2 and more.
template <class... X>
    requires(sizeof...(X) > 0 && (tensor_like<X> && ...))
auto meshgrid(const MeshgridOptions& options, X&&... x) {
    constexpr index_t rank = static_cast<index_t>(sizeof...(X));
    IndexList extents;
    const auto add = [&](const Shape& shape) {
        if (shape.rank() > 1) detail::throw_not_a_grid_line(shape);
        extents.push_back(shape.size());
    };
    (add(x.shape()), ...);
    const bool swaps = rank > 1 && options.indexing == Indexing::xy;
    if (swaps) {
        const index_t first = extents[0];
        extents[0] = extents[1];
        extents[1] = first;
    }
    const Shape grid(extents);
    index_t i = 0;
    const auto next = [&] {
        const index_t axis = i++;
        return swaps && axis < 2 ? 1 - axis : axis;
    };
    // Braces take the operands in order.
    return std::tuple{detail::grid_line(std::forward<X>(x), grid, next(), options.sparse)...};
}
template <class... X>
    requires(sizeof...(X) > 0 && (tensor_like<X> && ...))
auto meshgrid(X&&... x) {
    return broadloom::meshgrid(MeshgridOptions{}, std::forward<X>(x)...);
}
template <class... X>
    requires(sizeof...(X) > 0 && (tensor_like<X> && ...))
auto meshgrid(Indexing indexing, X&&... x) {
    return broadloom::meshgrid(MeshgridOptions{.indexing = indexing}, std::forward<X>(x)...);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_EXPAND_HPP
