// Choosing by a mask: masked_select, masked_fill_, masked_scatter_ and nonzero. A mask is a tensor
// of bool, or of anything that is not 0 where it means true; elements come and go in row-major
// order.
#ifndef BROADLOOM_OPERATIONS_MASK_HPP
#define BROADLOOM_OPERATIONS_MASK_HPP

#include <cstdint>

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
        : held_(in_memory(std::forward<M>(mask))),
          lies_so_(std::is_same_v<element_t<M>, bool> && held_.shape() == shape &&
                   held_.is_contiguous()),
          flat_(empty<bool>(lies_so_ ? Shape{0} : shape)) {
        if (!lies_so_) assign(flat_.view(), cast<bool>(std::as_const(held_).view()));
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
            return lies_so_ && overlaps(footprint(held_), footprint(target));
        }
        return false;
    }

private:
    const decltype(in_memory(std::declval<M>())) held_;
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
          flat_(empty<T>(lies_so_ ? Shape{0} : shape)),
          data_(lies_so_ ? x.data() : flat_.data()) {
        if (!lies_so_) assign(flat_.view(), x.view());
    }

    const T* data() const { return data_; }

private:
    bool lies_so_;
    Tensor<T> flat_;
    const T* data_;
};

/// A word of eight bytes of a mask.
inline std::uint64_t eight(const bool* mask) {
    std::uint64_t word;
    __builtin_memcpy(&word, mask, sizeof word);
    return word;
}

/// The end of the group of up to eight at i; i goes there past eight of which none is true.
inline index_t skip_false(const bool* mask, index_t& i, index_t size) {
    if (size - i < 8) return size;
    const index_t stop = i + 8;
    if (eight(mask + i) == 0) i = stop;
    return stop;
}

inline constexpr std::uint64_t all_eight = 0x0101010101010101u;

inline index_t count_true(const bool* mask, index_t size) {
    index_t count = 0, i = 0;
    for (; i + 8 <= size; i += 8) {
        // The highest byte of the product is the sum of all.
        count += static_cast<index_t>((eight(mask + i) * all_eight) >> 56);
    }
    for (; i < size; ++i) count += mask[i] ? 1 : 0;
    return count;
}

/// Copies the elements where the mask is true; there are `count` of them.
template <class E>
void select_true(E* __restrict to, const E* from, const bool* mask, index_t size, index_t count) {
    E* const end = to + count;
    index_t i = 0;
    // Every element is written, and stays where the next one does not take its place.
    for (; i + 8 <= size && to + 8 <= end; i += 8) {
        const std::uint64_t word = eight(mask + i);
        if (word == 0) continue;
        for (index_t k = i; k < i + 8; ++k) {
            to->value = from[k].value;
            to += mask[k] ? 1 : 0;
        }
    }
    for (; to < end; ++i) {
        if (mask[i]) (to++)->value = from[i].value;
    }
}

/// Copies consecutive elements to where the mask is true. Every element is written, if only with
/// itself.
template <class E>
void spread_true(E* to, const E* from, const bool* mask, index_t size) {
    for (index_t i = 0; i < size;) {
        const index_t stop = skip_false(mask, i, size);
        for (; i < stop; ++i) {
            const E* const source = mask[i] ? from : to + i;
            to[i].value = source->value;
            from += index_t{mask[i]};
        }
    }
}

/// The positions of one row's true elements, each behind the indices of the row. Every element is
/// written, and stays where the next one does not take its place; up to `end`.
template <index_t Rank>
index_t* list_true(index_t* to, const index_t* end, const bool* row, index_t columns,
                   const IndexList& at) {
    const index_t rank = Rank > 0 ? Rank : at.rank() + 1;
    const auto list = [&](index_t i) {
        for (index_t d = 0; d + 1 < rank; ++d) to[d] = at[d];
        to[rank - 1] = i;
        to += rank * index_t{row[i]};
    };
    index_t i = 0;
    for (; i + 8 <= columns && end - to >= 8 * rank; i += 8) {
        if (eight(row + i) == 0) continue;
        for (index_t k = i; k < i + 8; ++k) list(k);
    }
    for (; i < columns && to < end; ++i) list(i);
    return to;
}

}  // namespace detail

/// The elements of x where the mask is true, x and the mask broadcast together, as a tensor of
/// rank 1.
template <class X, class M>
    requires(tensor_like<X> && tensor_like<M>)
[[nodiscard]] Tensor<element_t<X>> masked_select(X&& x, M&& mask) {
    using T = element_t<X>;
    using E = kernel::detail::raw_t<sizeof(T)>;
    const auto from = detail::in_memory(std::forward<X>(x));
    const Shape shape = broadcast_shapes(from.shape(), mask.shape());
    const detail::Mask<M> chosen(std::forward<M>(mask), shape);
    const detail::Elements elements(from, shape);
    const index_t count = detail::count_true(chosen.data(), shape.size());
    Tensor<T> result = empty<T>({count});
    detail::select_true(reinterpret_cast<E*>(result.data()),
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
    const detail::Elements elements(from, from.shape());
    const detail::Mask<M> chosen(std::forward<M>(mask), target.shape());
    const index_t count = detail::count_true(chosen.data(), target.size());
    if (count > from.size()) {
        throw value_error(detail::Sentence()
                          << "a mask with " << count
                          << " true elements needs a source of as many, not shape "
                          << from.shape());
    }
    const auto spread = [&](T* to) {
        detail::spread_true(reinterpret_cast<E*>(to), reinterpret_cast<const E*>(elements.data()),
                            chosen.data(), target.size());
    };
    if (target.is_contiguous() && !chosen.lies_in(target)) {
        spread(target.data());
    } else {
        Tensor<T> copy(target);
        spread(copy.data());
        detail::assign(target, copy);
    }
}

/// The indices of the elements that are not 0, in row-major order: one row for each, one column
/// for each dimension. NaN is not 0.
template <class X>
    requires tensor_like<X>
[[nodiscard]] Tensor<index_t> nonzero(X&& x) {
    const Shape shape = x.shape();
    const index_t rank = shape.rank();
    const detail::Mask<X> chosen(std::forward<X>(x), shape);
    const index_t count = detail::count_true(chosen.data(), shape.size());
    Tensor<index_t> result = empty<index_t>({count, rank});
    if (rank == 0 || count == 0) return result;
    index_t* to = result.data();
    const index_t* const end = to + result.size();
    const index_t columns = shape[rank - 1];
    const auto list = rank == 1   ? detail::list_true<1>
                      : rank == 2 ? detail::list_true<2>
                                  : detail::list_true<0>;
    IndexList at = IndexList::filled(rank - 1, 0);
    for (const bool* row = chosen.data(); to < end; row += columns) {
        to = list(to, end, row, columns, at);
        for (index_t d = rank - 2; d >= 0 && ++at[d] == shape[d]; --d) at[d] = 0;
    }
    return result;
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_MASK_HPP
