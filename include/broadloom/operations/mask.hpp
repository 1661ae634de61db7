// Choosing by a mask: masked_select, masked_fill_, masked_scatter_ and nonzero. A mask is a tensor
// of bool, or of anything that is not 0 where it means true; elements come and go in row-major
// order.
#ifndef BROADLOOM_OPERATIONS_MASK_HPP
#define BROADLOOM_OPERATIONS_MASK_HPP

#include "broadloom/kernel/masked.hpp"
#include "broadloom/operations/gather.hpp"
#include "broadloom/operations/select.hpp"

namespace broadloom {
namespace detail {

/// True in row-major order where an operand is not 0, broadcast to a shape: a view where the
/// operand lies like that already.
template <class M>
class Mask {
public:
    Mask(M&& mask, const Shape& shape)
        : held_(detail::in_memory(std::forward<M>(mask))),
          lies_so_(std::is_same_v<element_t<M>, bool> && held_.shape() == shape &&
                   held_.is_contiguous()),
          flat_(empty<bool>(lies_so_ ? Shape{0} : shape)) {
        if (!lies_so_)
            detail::assign(flat_.view(), broadloom::cast<bool>(std::as_const(held_).view()));
    }

    const bool* data() const {
        if constexpr (std::is_same_v<element_t<M>, bool>) {
            if (lies_so_) return held_.data();
        }
        return flat_.data();
    }

    /// True where these are elements of a target too.
    template <class T>
    bool lies_in(const TensorView<T>& target) const {
        if constexpr (std::is_same_v<element_t<M>, bool>) {
            return lies_so_ &&
                   detail::overlaps(detail::footprint(held_), detail::footprint(target));
        }
        return false;
    }

private:
    const decltype(detail::in_memory(std::declval<M>())) held_;
    bool lies_so_;
    Tensor<bool> flat_;
};

/// The elements of a tensor in row-major order, broadcast to a shape: a view where they lie like
/// that already.
template <class X>
class Elements {
public:
    using T = typename X::value_type;

    Elements(const X& x, const Shape& shape)
        : lies_so_(x.shape() == shape && x.is_contiguous()),
          flat_(broadloom::empty<T>(lies_so_ ? Shape{0} : shape)),
          data_(lies_so_ ? x.data() : flat_.data()) {
        if (!lies_so_) detail::assign(flat_.view(), x.view());
    }

    const T* data() const { return data_; }

private:
    bool lies_so_;
    Tensor<T> flat_;
    const T* data_;
};

}  // namespace detail

/// The elements of x where the mask is true, x and the mask broadcast together, as a tensor of
/// rank 1.
template <class X, class M>
    requires(tensor_like<X> && tensor_like<M>)
[[nodiscard]] Tensor<element_t<X>> masked_select(X&& x, M&& mask) {
    using T = element_t<X>;
    using E = kernel::detail::raw_t<sizeof(T)>;
    const auto from = detail::in_memory(std::forward<X>(x));
    const Shape shape = broadloom::broadcast_shapes(from.shape(), mask.shape());
    const detail::Mask<M> chosen(std::forward<M>(mask), shape);
    const detail::Elements elements(from, shape);
    const index_t count = kernel::count_true(chosen.data(), shape.size());
    Tensor<T> result = broadloom::empty<T>({count});
    kernel::select_true(reinterpret_cast<E*>(result.data()),
                        reinterpret_cast<const E*>(elements.data()), chosen.data(), shape.size(),
                        count);
    return result;
}

/// Sets the elements of x where the mask, broadcast to x, is true. The value is a number or has
/// rank 0. Throws shape_error if x would have to grow.
template <class X, class M, class V>
    requires(detail::target<X> && tensor_like<M> && (tensor_like<V> || scalar_beside<V, X>))
void masked_fill_(X&& x, M&& mask, V&& value) {
    using T = element_t<X>;
    const TensorView<T> target = x.view();
    detail::require_fits_into(mask.shape(), target.shape());
    const T filling = [&] {
        if constexpr (tensor_like<V>) {
            detail::require_storable<element_t<V>, T>();
            detail::require_single("masked_fill_", value.shape());
            return scalar::convert<T>(detail::in_memory(std::forward<V>(value)).item());
        } else {
            detail::require_storable<std::remove_cvref_t<V>, T>();
            return scalar::convert<T>(value);
        }
    }();
    detail::assign(target,
                   detail::make_expression(scalar::where{}, detail::borrowed(std::forward<M>(mask)),
                                           filling, TensorView<const T>(target)));
}

/// Replaces the elements of x where the mask, broadcast to x, is true by the first elements of
/// source in row-major order. Where x is the source or the mask too, these count as they were.
/// Throws shape_error if x would have to grow, value_error if there are too few, and then changes
/// nothing.
template <class X, class M, class S>
    requires(detail::target<X> && tensor_like<M> && tensor_like<S>)
void masked_scatter_(X&& x, M&& mask, S&& source) {
    using T = element_t<X>;
    using E = kernel::detail::raw_t<sizeof(T)>;
    const TensorView<T> target = x.view();
    detail::require_fits_into(mask.shape(), target.shape());
    const Tensor<T> from(detail::in_memory(std::forward<S>(source)));
    const detail::Mask<M> chosen(std::forward<M>(mask), target.shape());
    const index_t count = kernel::count_true(chosen.data(), target.size());
    if (count > from.size()) {
        throw value_error(detail::Sentence()
                          << "a mask with " << count
                          << " true elements needs a source of as many, not shape "
                          << from.shape());
    }
    const auto spread = [&](const TensorView<T>& to) {
        kernel::spread_true(reinterpret_cast<E*>(to.data()),
                            reinterpret_cast<const E*>(from.data()), chosen.data(), to.size());
    };
    if (target.is_contiguous() && !chosen.lies_in(target)) spread(target);
    else detail::write_to_copy(target, spread);
}

/// The indices of the elements that are not 0, in row-major order: one row for each, one column
/// for each dimension. NaN is not 0.
template <class X>
    requires tensor_like<X>
[[nodiscard]] Tensor<index_t> nonzero(X&& x) {
    const Shape shape = x.shape();
    const index_t rank = shape.rank();
    const detail::Mask<X> chosen(std::forward<X>(x), shape);
    const index_t count = kernel::count_true(chosen.data(), shape.size());
    Tensor<index_t> result = empty<index_t>({count, rank});
    if (rank == 0 || count == 0) return result;
    index_t* to = result.data();
    const index_t* const end = to + result.size();
    const index_t columns = shape[rank - 1];
    const auto list = rank == 1   ? kernel::list_true<1>
                      : rank == 2 ? kernel::list_true<2>
                                  : kernel::list_true<0>;
    IndexList at = IndexList::filled(rank - 1, 0);
    for (const bool* row = chosen.data(); to < end; row += columns) {
        to = list(to, end, row, columns, at);
        for (index_t d = rank - 2; d >= 0 && ++at[d] == shape[d]; --d) at[d] = 0;
    }
    return result;
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_MASK_HPP
