// Borders around a tensor. The operand is evaluated straight into the middle of the result; the
// borders are then filled axis by axis, from the last to the first, so that every corner is
// written once.
#ifndef BROADLOOM_OPERATIONS_PAD_HPP
#define BROADLOOM_OPERATIONS_PAD_HPP

#include <concepts>
#include <initializer_list>
#include <iterator>

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

/// The borders before and after one axis; those of the axes behind it must be in place.
template <class T>
class Border {
public:
    Border(Tensor<T>& whole, const Shape& inner, const Padding* widths, index_t axis)
        : data_(whole.data()),
          strides_(whole.strides()),
          region_(whole.shape().extents()),
          axis_(axis),
          extent_(inner[axis]),
          width_(widths[axis]) {
        for (index_t d = 0; d < axis; ++d) {
            region_[d] = inner[d];
            offset_ += widths[d].before * strides_[d];
        }
    }
    void fill(const T& value) {
        fill(-width_.before, width_.before, value);
        fill(extent_, width_.after, value);
    }
    void copy(PadMode mode) {
        copy(mode, -width_.before, 0);
        copy(mode, extent_, extent_ + width_.after);
    }

private:
    // Places count from the first element inside of the border.
    void fill(index_t place, index_t count, const T& value) {
        region_[axis_] = count;
        const Shape shape(region_);
        if (shape.size() == 0) return;
        detail::fill(TensorView<T>(at(place), shape, strides_), value);
    }
    // Copies in runs whose sources lie evenly: backwards, standing still, or forwards.
    void copy(PadMode mode, index_t first, index_t last) {
        const auto source = [&](index_t place) { return border_source(mode, place, extent_); };
        for (index_t place = first; place < last;) {
            const index_t from = source(place);
            index_t step = place + 1 < last ? source(place + 1) - from : 0;
            if (step < -1 || step > 1) step = 0;
            index_t count = 1;
            while (place + count < last && source(place + count) == from + count * step) ++count;
            region_[axis_] = count;
            const Shape shape(region_);
            if (shape.size() == 0) return;
            Strides walk = strides_;
            walk[axis_] = step * strides_[axis_];
            kernel::evaluate(TensorView<const T>(at(from), shape, walk), at(place), shape,
                             strides_);
            place += count;
        }
    }
    T* at(index_t place) const {
        return data_ + offset_ + (width_.before + place) * strides_[axis_];
    }

    T* data_;
    const Strides& strides_;
    IndexList region_;
    index_t offset_ = 0, axis_, extent_;
    Padding width_;
};

/// The shape with its borders. Throws where the widths do not make sense.
inline Shape padded_shape(const Shape& inner, const Padding* widths, PadMode mode) {
    IndexList extents = inner.extents();
    for (index_t d = 0; d < inner.rank(); ++d) {
        const auto [before, after] = widths[d];
        if (before < 0 || after < 0) {
            throw value_error(Sentence() << "a border cannot have a negative width: " << before
                                         << " and " << after << " at dimension " << d);
        }
        if (mode != PadMode::constant && inner[d] == 0 && (before > 0 || after > 0)) {
            throw shape_error(Sentence() << "dimension " << d << " of shape " << inner
                                         << " has nothing to fill a border with");
        }
        if (after > largest_index - inner[d] - before) throw_too_many_elements("padded, ", inner);
        extents[d] += before + after;
    }
    return Shape(extents);
}

/// A range of widths, such as a std::vector, std::array or std::span.
template <class R>
concept range_of_paddings = requires(const R& r) {
    { std::data(r) } -> std::convertible_to<const Padding*>;
    std::size(r);
};

/// What a border may hold beside elements of X.
template <class V, class X>
concept value_of_border = scalar_like<V> || std::same_as<V, element_t<X>>;

template <class X>
auto padded(X&& x, const Padding* given, std::size_t count, PadMode mode,
            const element_t<X>& value) {
    using T = element_t<X>;
    const Shape inner = x.shape();
    Padding widths[max_rank];
    if (count != 1 && static_cast<index_t>(count) != inner.rank()) {
        throw shape_error(Sentence()
                          << "pad takes one pair of widths, or one for each dimension of shape "
                          << inner << ", not " << count);
    }
    for (index_t d = 0; d < inner.rank(); ++d) {
        widths[d] = given[count == 1 ? 0 : static_cast<std::size_t>(d)];
    }
    const Shape whole = padded_shape(inner, widths, mode);

    Tensor<T> result = broadloom::empty<T>(whole);
    if (whole.size() == 0) return result;
    if (inner.size() > 0) {
        T* middle = result.data();
        for (index_t d = 0; d < inner.rank(); ++d) middle += widths[d].before * result.strides()[d];
        kernel::evaluate(detail::consume(std::forward<X>(x)), middle, inner, result.strides());
    }
    for (index_t axis = inner.rank() - 1; axis >= 0; --axis) {
        Border<T> border(result, inner, widths, axis);
        if (mode == PadMode::constant) border.fill(value);
        else border.copy(mode);
    }
    return result;
}

}  // namespace detail

/// The operand with a border: `pad(x, {{1, 1}, {0, 2}})` has a row before and after and two
/// columns after, of zeros. Takes a pair of widths for each dimension, or one for all. `value` is
/// what PadMode::constant fills in. Throws shape_error for another number of widths, or when an
/// empty dimension would have to be mirrored; value_error for negative widths.
template <tensor_like X, detail::range_of_paddings R, class V = element_t<X>>
    requires detail::value_of_border<V, X>
auto pad(X&& x, const R& widths, PadMode mode = PadMode::constant, V value = scalar::zero<V>()) {
    using T = element_t<X>;
    static_assert(storable<V, T>, "the value has a higher kind than the elements: cast them first");
    return detail::padded(std::forward<X>(x), std::data(widths), std::size(widths), mode,
                          scalar::convert<T>(value));
}
template <tensor_like X, class V = element_t<X>>
    requires detail::value_of_border<V, X>
auto pad(X&& x, std::initializer_list<Padding> widths, PadMode mode = PadMode::constant,
         V value = scalar::zero<V>()) {
    return broadloom::pad<X, std::initializer_list<Padding>>(std::forward<X>(x), widths, mode,
                                                             value);
}
/// The same widths for every dimension: `pad(x, {1, 2})` one before and two after, `pad(x, 1)` one
/// all around.
template <tensor_like X, class V = element_t<X>>
    requires detail::value_of_border<V, X>
auto pad(X&& x, Padding width, PadMode mode = PadMode::constant, V value = scalar::zero<V>()) {
    const Padding widths[1] = {width};
    return broadloom::pad(std::forward<X>(x), widths, mode, value);
}
template <tensor_like X, detail::integer_index Int, class V = element_t<X>>
    requires detail::value_of_border<V, X>
auto pad(X&& x, Int width, PadMode mode = PadMode::constant, V value = scalar::zero<V>()) {
    const Padding all_around{detail::to_integer(width), detail::to_integer(width)};
    return broadloom::pad(std::forward<X>(x), all_around, mode, value);
}
/// The same with a value alone: `pad(x, {{1, 1}, {0, 2}}, 9)`, `pad(x, 1, 0.5)`.
template <tensor_like X, class W, class V>
    requires(detail::value_of_border<V, X> && !std::same_as<V, PadMode>)
auto pad(X&& x, const W& widths, V value) {
    return broadloom::pad(std::forward<X>(x), widths, PadMode::constant, value);
}
template <tensor_like X, class V>
    requires(detail::value_of_border<V, X> && !std::same_as<V, PadMode>)
auto pad(X&& x, std::initializer_list<Padding> widths, V value) {
    return broadloom::pad(std::forward<X>(x), widths, PadMode::constant, value);
}
template <tensor_like X, class V>
    requires(detail::value_of_border<V, X> && !std::same_as<V, PadMode>)
auto pad(X&& x, Padding width, V value) {
    return broadloom::pad(std::forward<X>(x), width, PadMode::constant, value);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_PAD_HPP
