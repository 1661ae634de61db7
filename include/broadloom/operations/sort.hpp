// Sorting along an axis: sort, argsort, topk. Stable, NaN last in either direction, complex
// numbers by real, then imaginary part. The axis is brought together in memory first, so that
// every lane is sorted where the cache holds it.
#ifndef BROADLOOM_OPERATIONS_SORT_HPP
#define BROADLOOM_OPERATIONS_SORT_HPP

#include <cstdint>

#include "broadloom/kernel/network.hpp"
#include "broadloom/kernel/nth.hpp"
#include "broadloom/kernel/sort_lane.hpp"
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
    Tensor<T> lanes = empty<T>(Shape(extents));
    Strides strides = lanes.strides();
    for (index_t d = 0; d < rank; ++d) strides[order[d]] = lanes.strides()[d];
    kernel::evaluate(consume(std::forward<X>(x)), lanes.data(), shape, strides);
    return lanes;
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

/// Uninitialised room for `count` elements.
template <class E>
class Scratch {
public:
    explicit Scratch(index_t count) : buffer_(count, sizeof(E)) {}
    E* data() const { return static_cast<E*>(buffer_.memory()); }

private:
    kernel::Buffer buffer_;
};

/// A line of the cache, room for a network.
struct CacheLine {
    char bytes[64];
};

/// Calls `f` with std::bool_constant of the direction.
template <class F>
auto with_direction(bool falling, F&& f) {
    return falling ? f(std::true_type{}) : f(std::false_type{});
}

/// Sorts lanes that lie one after the other, each by itself.
template <class T>
void sort_each(T* lane, index_t count, index_t length, bool falling) {
    const Scratch<T> room(length);
    with_direction(falling, [&](auto direction) {
        for (; count > 0; --count, lane += length) {
            kernel::sort_lane<direction.value>(lane, room.data(), length);
        }
    });
}

/// Sorts lanes by a network, in place and by strides; few that are left over, and those with NaN
/// or negative zeros, each by itself.
template <class T>
class NetworkSorter {
public:
    NetworkSorter(index_t length, index_t stride, bool falling)
        : length_(length), stride_(stride), falling_(falling), lines_(length), lane_(2 * length) {}

    void sort(T* lanes, index_t count, index_t lane_stride) {
        for (; count >= together; count -= together, lanes += together * lane_stride) {
            sort_some(lanes, lane_stride);
        }
        // It does no harm to sort some again.
        if (3 * count >= together) sort_some(lanes - (together - count) * lane_stride, lane_stride);
        else sort_rest(lanes, count, lane_stride);
    }

private:
    static constexpr index_t together = kernel::lanes_at_once<T>;

    void sort_some(T* lanes, index_t lane_stride) {
        if (!kernel::sort_in_network(lanes, lane_stride, length_, stride_, falling_,
                                     lines_.data()->bytes)) {
            sort_rest(lanes, together, lane_stride);
        }
    }
    void sort_rest(T* lanes, index_t count, index_t lane_stride) {
        with_direction(falling_, [&](auto direction) {
            T* const lane = lane_.data();
            for (; count > 0; --count, lanes += lane_stride) {
                for (index_t i = 0; i < length_; ++i) lane[i] = lanes[i * stride_];
                kernel::sort_lane<direction.value>(lane, lane + length_, length_);
                for (index_t i = 0; i < length_; ++i) lanes[i * stride_] = lane[i];
            }
        });
    }

    index_t length_, stride_;
    bool falling_;
    Scratch<CacheLine> lines_;
    Scratch<T> lane_;
};

/// True for lanes of which `sort_lanes` takes many at once.
template <class T>
bool sorts_at_once([[maybe_unused]] index_t count, [[maybe_unused]] index_t length) {
    if constexpr (kernel::networked<T>) return kernel::suits_network<T>(count, length);
    else return false;
}
/// Calls `f(first, last)` for lanes [0, count), `together` and more at a time, which threads may
/// share to sort them.
template <class F>
void share_lanes(index_t count, index_t length, index_t together, F&& f) {
    kernel::share_out(kernel::threads_for(count * length * kernel::heavy), count, f, together);
}
/// Sorts lanes that lie one after the other.
template <class T>
void sort_lanes(T* lanes, index_t count, index_t length, bool falling) {
    if constexpr (kernel::networked<T>) {
        if (kernel::suits_network<T>(count, length)) {
            share_lanes(count, length, kernel::lanes_at_once<T>, [&](index_t first, index_t last) {
                NetworkSorter<T>(length, 1, falling)
                    .sort(lanes + first * length, last - first, length);
            });
            return;
        }
    }
    share_lanes(count, length, 1, [&](index_t first, index_t last) {
        sort_each(lanes + first * length, last - first, length, falling);
    });
}

/// Up to this many of a lane are found by keeping the best, not by sorting.
inline constexpr index_t few = 32;

/// Writes the first indices of lanes in order, by a network.
template <class T>
void order_by_network(const T* lanes, index_t count, index_t length, bool falling, index_t* to,
                      index_t kept) {
    const Scratch<CacheLine> room(kernel::lines_to_order<T>(length));
    with_direction(falling, [&](auto direction) {
        // The last ones may come again.
        constexpr index_t together = kernel::indexed_at_once;
        for (index_t i = 0; i < count; i += together) {
            const index_t first = i + together < count ? i : count - together;
            kernel::order_in_network<direction.value>(lanes + first * length, length,
                                                      to + first * kept, kept, room.data()->bytes);
        }
    });
}

template <class Int, class T>
void order_lanes(const T* from, index_t count, index_t length, bool falling, index_t* to,
                 index_t kept) {
    using Item = kernel::Indexed<T, Int>;
    const bool sorts = kept > few || kept == length;
    const Scratch<Item> room(sorts ? 2 * length : kept);
    with_direction(falling, [&](auto direction) {
        Item* const items = room.data();
        for (; count > 0; --count, from += length) {
            if (sorts) {
                for (index_t i = 0; i < length; ++i) items[i] = Item{from[i], static_cast<Int>(i)};
                kernel::sort_lane<direction.value>(items, items + length, length);
            } else {
                kernel::first_of_lane<direction.value>(items, kept, from, length);
            }
            for (index_t i = 0; i < kept; ++i) *to++ = static_cast<index_t>(items[i].index);
        }
    });
}

/// The indices of the first `kept` elements of every lane, in order.
template <class T>
Tensor<index_t> order_of(const Tensor<T>& lanes, bool falling, index_t kept) {
    const index_t axis = lanes.rank() - 1, length = lanes.shape()[axis];
    Tensor<index_t> indices = empty<index_t>(with_extent(lanes.shape(), axis, kept));
    if (indices.size() == 0) return indices;
    const index_t count = lanes.size() / length;
    const T* const from = lanes.data();
    index_t* const to = indices.data();
    if constexpr (kernel::keyed<T>) {
        constexpr index_t rare = sizeof(T) > 4 ? 5 : 10;  // one in so many, most of them seen early
        const bool cached = length * index_t{sizeof(T)} <= 1024;
        const bool many = kept == length || kept > few || (cached && kept * rare > length);
        if (many && kernel::suits_network_with_indices<T>(count, length)) {
            share_lanes(count, length, kernel::indexed_at_once, [&](index_t first, index_t last) {
                order_by_network(from + first * length, last - first, length, falling,
                                 to + first * kept, kept);
            });
            return indices;
        }
    }
    share_lanes(count, length, 1, [&](index_t first, index_t last) {
        // Narrow indices make narrow items, which move faster.
        const auto order = static_cast<std::uint64_t>(length) >> 32 == 0
                               ? order_lanes<std::uint32_t, T>
                               : order_lanes<index_t, T>;
        order(from + first * length, last - first, length, falling, to + first * kept, kept);
    });
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
            const index_t block = length * inside, blocks = shape.size() / block;
            // Whole blocks at a time, or some lanes of the only one.
            detail::share_lanes(
                blocks * inside, length, blocks > 1 ? inside : kernel::lanes_at_once<T>,
                [&](index_t first, index_t last) {
                    detail::NetworkSorter<T> sorter(length, inside, descending);
                    for (index_t some; first < last; first += some) {
                        some = last - first < inside ? last - first : inside;
                        sorter.sort(result.data() + first / inside * block + first % inside, some,
                                    1);
                    }
                });
            return result;
        }
    }
    Tensor<T> lanes = detail::lanes_of(std::forward<X>(x), IndexList{along});
    if (const index_t length = lanes.extent(-1); lanes.size() > 0) {
        detail::sort_lanes(lanes.data(), lanes.size() / length, length, descending);
    }
    return detail::lanes_back(std::move(lanes), along);
}

/// The indices along an axis that would sort it; equal elements keep their order, in either
/// direction. Throws index_error for the axis.
template <tensor_like X>
Tensor<index_t> argsort(X&& x, Axis axis = -1, bool descending = false) {
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    if (x.rank() == 0) return detail::first_index();
    const auto lanes = detail::lanes_of(std::forward<X>(x), IndexList{along});
    return detail::lanes_back(detail::order_of(lanes, descending, lanes.extent(-1)), along);
}

/// The k largest elements along an axis, or the smallest, in order, with their indices; NaN comes
/// after all others, of equal elements the first is first. Throws value_error unless k lies
/// between 0 and the extent, and is 1 for rank 0; index_error for the axis.
template <tensor_like X>
TopK<element_t<X>> topk(X&& x, index_t k, Axis axis = -1, bool largest = true) {
    using T = element_t<X>;
    const index_t along = detail::normalize_axis_of_any(axis, x.rank());
    const bool found = x.rank() > 0 ? k >= 0 && k <= x.shape()[along] : k == 1;
    if (!found) {
        throw value_error(detail::Sentence() << "topk cannot find " << k << " elements along axis "
                                             << along << " of shape " << x.shape());
    }
    if (x.rank() == 0) return {Tensor<T>(std::forward<X>(x)), detail::first_index()};
    const Tensor<T> lanes = detail::lanes_of(std::forward<X>(x), IndexList{along});
    Tensor<index_t> indices = detail::order_of(lanes, largest, k);
    Tensor<T> values = empty<T>(indices.shape());
    const index_t length = lanes.extent(-1);
    const T* lane = lanes.data();
    const index_t* at = indices.data();
    T* to = values.data();
    for (index_t left = k > 0 ? indices.size() / k : 0; left > 0; --left, lane += length) {
        for (index_t i = 0; i < k; ++i) *to++ = lane[*at++];
    }
    return {detail::lanes_back(std::move(values), along),
            detail::lanes_back(std::move(indices), along)};
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_SORT_HPP
