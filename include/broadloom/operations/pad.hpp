// Borders around a tensor. The operand is evaluated straight into the middle of the result; the
// borders are then filled axis by axis, from the last to the first, so that every corner is
// written once.
#ifndef BROADLOOM_OPERATIONS_PAD_HPP
#define BROADLOOM_OPERATIONS_PAD_HPP

#include <concepts>
#include <initializer_list>
#include <span>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

/// What a border holds: one value; the nearest element; the elements mirrored at the edge, which
/// is not repeated; the elements of the opposite end. Borders wider than the tensor go on in the
/// same way.
enum class PadMode { constant, edge, reflect, wrap };

/// How many elements come before and after along one axis.
struct Padding {
    index_t before, after;
};

namespace detail {

/// The element, of `extent` in a row, that stands at place j of a border.
constexpr index_t border_source(PadMode mode, index_t j, index_t extent) {
    if (mode == PadMode::edge || extent == 1) return j < 0 ? 0 : extent - 1;
    const index_t period = mode == PadMode::wrap ? extent : 2 * (extent - 1);
    const index_t rest = j % period < 0 ? j % period + period : j % period;
    return rest < extent ? rest : period - rest;
}

template <class T>
class Border {
public:
    /// The borders of axis `axis`, with those of the axes after it in place.
    Border(T* data, const Shape& whole, const Strides& strides, const Shape& inner,
           std::span<const Padding> widths, index_t axis)
        : data_(data), strides_(strides), region_(whole.extents()), axis_(axis),
          extent_(inner[axis]), width_(widths[static_cast<std::size_t>(axis)]) {
        for (index_t d = 0; d < axis; ++d) {
            region_[d] = inner[d];
            data_ += widths[static_cast<std::size_t>(d)].before * strides[d];
        }
    }
    void fill(const T& value) {
        fill(0, width_.before, value);
        fill(width_.before + extent_, width_.after, value);
    }
    void copy(PadMode mode) {
        copy(mode, -width_.before, 0);
        copy(mode, extent_, extent_ + width_.after);
    }

private:
    void fill(index_t start, index_t count, const T& value) {
        if (count == 0) return;
        region_[axis_] = count;
        detail::fill(TensorView<T>(data_ + start * strides_[axis_], Shape(region_), strides_), value);
    }
    /// Copies in runs whose sources lie evenly: backwards, standing still, or forwards.
    void copy(PadMode mode, index_t first, index_t last) {
        for (index_t j = first; j < last;) {
            const index_t from = border_source(mode, j, extent_);
            index_t step = j + 1 < last ? border_source(mode, j + 1, extent_) - from : 0;
            if (step < -1 || step > 1) step = 0;
            index_t count = 1;
            while (j + count < last && border_source(mode, j + count, extent_) == from + count * step) {
                ++count;
            }
            region_[axis_] = count;
            const Shape shape(region_);
            Strides walk = strides_;
            walk[axis_] = step * strides_[axis_];
            kernel::evaluate(TensorView<const T>(at(from), shape, walk), at(j), shape, strides_);
            j += count;
        }
    }
    T* at(index_t j) const { return data_ + (width_.before + j) * strides_[axis_]; }

    T* data_;
    const Strides& strides_;
    IndexList region_;
    index_t axis_, extent_;
    Padding width_;
};

/// The shape with its borders. Throws where the widths do not make sense.
inline Shape padded_shape(const Shape& inner, std::span<const Padding> widths, PadMode mode) {
    constexpr index_t most = static_cast<index_t>(static_cast<std::size_t>(-1) / 2);
    IndexList extents = inner.extents();
    for (index_t d = 0; d < inner.rank(); ++d) {
        const auto [before, after] = widths[static_cast<std::size_t>(d)];
        if (before < 0 || after < 0) {
            throw value_error("a border cannot have a negative width: " + std::to_string(before) +
                              " and " + std::to_string(after) + " at dimension " +
                              std::to_string(d));
        }
        if (mode != PadMode::constant && inner[d] == 0 && (before > 0 || after > 0)) {
            throw shape_error("dimension " + std::to_string(d) + " of shape " + text(inner) +
                              " has nothing to fill a border with");
        }
        if (before > most - inner[d] || after > most - inner[d] - before) {
            throw_too_many_elements(inner.extents());
        }
        extents[d] += before + after;
    }
    return Shape(extents);
}

template <class X>
auto padded(X&& x, std::span<const Padding> given, PadMode mode, const element_t<X>& value) {
    using T = element_t<X>;
    const Shape inner = x.shape();
    Padding widths[max_rank];
    if (given.size() != 1 && static_cast<index_t>(given.size()) != inner.rank()) {
        throw shape_error("pad takes one pair of widths, or one for each dimension of shape " +
                          text(inner) + ", not " + std::to_string(given.size()));
    }
    const auto rank = static_cast<std::size_t>(inner.rank());
    for (std::size_t d = 0; d < rank; ++d) widths[d] = given[given.size() == 1 ? 0 : d];
    const Shape whole = padded_shape(inner, {widths, rank}, mode);

    Tensor<T> result = empty<T>(whole);
    if (whole.size() == 0) return result;
    if (inner.size() > 0) {
        T* middle = result.data();
        for (std::size_t d = 0; d < rank; ++d) {
            middle += widths[d].before * result.strides()[static_cast<index_t>(d)];
        }
        kernel::evaluate(consume(std::forward<X>(x)), middle, inner, result.strides());
    }
    for (index_t axis = inner.rank() - 1; axis >= 0; --axis) {
        Border<T> border(result.data(), whole, result.strides(), inner, {widths, rank}, axis);
        if (mode == PadMode::constant) border.fill(value);
        else border.copy(mode);
    }
    return result;
}

}  // namespace detail

/// The operand with a border: `pad(x, {{1, 1}, {0, 2}})` has a row before and after and two
/// columns after, of zeros. Takes one pair of widths for every dimension. `value` is what
/// PadMode::constant fills in. Throws shape_error for another number of widths, or when an empty
/// dimension would have to be mirrored; value_error for negative widths.
template <class X, class V = element_t<X>>
    requires(tensor_like<X> && (scalar_like<V> || std::same_as<V, element_t<X>>))
auto pad(X&& x, std::span<const Padding> widths, PadMode mode = PadMode::constant, V value = V()) {
    using T = element_t<X>;
    static_assert(storable<V, T>, "the value has a higher kind than the elements: cast them first");
    return detail::padded(std::forward<X>(x), widths, mode, scalar::convert<T>(value));
}
template <class X, class V = element_t<X>>
    requires(tensor_like<X> && (scalar_like<V> || std::same_as<V, element_t<X>>))
auto pad(X&& x, std::initializer_list<Padding> widths, PadMode mode = PadMode::constant,
         V value = V()) {
    return pad(std::forward<X>(x), std::span<const Padding>(widths.begin(), widths.size()), mode,
               value);
}
/// The same widths for every dimension: `pad(x, {1, 2})` one before and two after, `pad(x, 1)` one
/// all around.
template <class X, class V = element_t<X>>
    requires(tensor_like<X> && (scalar_like<V> || std::same_as<V, element_t<X>>))
auto pad(X&& x, Padding width, PadMode mode = PadMode::constant, V value = V()) {
    return pad(std::forward<X>(x), std::span<const Padding>(&width, 1), mode, value);
}
template <class X, std::integral I, class V = element_t<X>>
    requires(tensor_like<X> && (scalar_like<V> || std::same_as<V, element_t<X>>))
auto pad(X&& x, I width, PadMode mode = PadMode::constant, V value = V()) {
    const Padding all_around{static_cast<index_t>(width), static_cast<index_t>(width)};
    return pad(std::forward<X>(x), all_around, mode, value);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_PAD_HPP
