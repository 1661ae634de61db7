// Contiguous tensors and views as std::span, without a copy.
#ifndef BROADLOOM_INTEROP_SPAN_HPP
#define BROADLOOM_INTEROP_SPAN_HPP

#include <span>

#include "broadloom/tensor/tensor.hpp"

// What a shape counts by size() are elements of a tensor; as a range it has as many as dimensions.
template <>
inline constexpr bool std::ranges::disable_sized_range<broadloom::Shape> = true;

namespace broadloom {

/// The elements in row-major order. Throws shape_error when they are not neighbours in memory;
/// copy() makes them so.
template <class T>
std::span<T> as_span(const TensorView<T>& x) {
    if (!x.is_contiguous()) {
        throw shape_error(detail::Sentence()
                          << "shape " << x.shape() << " with strides " << x.strides()
                          << " is not contiguous: write x.copy()");
    }
    return {x.data(), static_cast<std::size_t>(x.size())};
}
template <class T>
std::span<T> as_span(Tensor<T>& x) {
    return broadloom::as_span(x.view());
}
template <class T>
std::span<const T> as_span(const Tensor<T>& x) {
    return broadloom::as_span(x.view());
}
template <class T>
void as_span(const Tensor<T>&&) = delete;

}  // namespace broadloom

#endif  // BROADLOOM_INTEROP_SPAN_HPP
