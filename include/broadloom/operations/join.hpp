// Tensors joined into one, and one split into several. Every part, of whatever kind, is evaluated
// straight into its slice of the result; but side by side, element by element, parts are put one
// behind the other first, piece by piece where their elements lie together, and then turned. Parts
// of a split are views.
#ifndef BROADLOOM_OPERATIONS_JOIN_HPP
#define BROADLOOM_OPERATIONS_JOIN_HPP

#include <initializer_list>
#include <iterator>
#include <new>
#include <vector>

#include "broadloom/core/slice.hpp"
#include "broadloom/tensor/create.hpp"

namespace broadloom {

/// A range whose elements are tensors or views: std::vector, std::array, std::span, ...
template <class R>
concept range_of_tensors = !tensor_like<R> && requires(const R& r) {
    std::begin(r) != std::end(r);
    requires tensor_like<decltype(*std::begin(r))>;
};

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_nothing_to_join(const char* verb) {
    throw value_error(Sentence() << verb << " needs at least one tensor");
}

/// The shape of what `concat` makes, told of one part after the other.
class Concatenation {
public:
    explicit Concatenation(index_t axis) : axis_(axis) {}

    void add(const Shape& part) {
        if (extents_.rank() == 0) {
            if (part.rank() == 0)
                throw index_error("tensors of rank 0 have no axis to concat along: stack them");
            axis_ = normalize_axis(axis_, part.rank());
            first_ = part;
            extents_ = part.extents();
            return;
        }
        if (part.rank() != first_.rank()) fail(part, "the ranks differ");
        for (index_t d = 0; d < part.rank(); ++d) {
            if (d != axis_ && part[d] != first_[d]) {
                fail(part, Sentence()
                               << first_[d] << " and " << part[d] << " differ at dimension " << d);
            }
        }
        if (part[axis_] > largest_index - extents_[axis_])
            throw_too_many_elements("joined with others, ", part);
        extents_[axis_] += part[axis_];
    }
    index_t axis() const { return axis_; }
    Shape shape() const {
        if (extents_.rank() == 0) throw_nothing_to_join("concat");
        return Shape(extents_);
    }

private:
    [[noreturn]] void fail(const Shape& part, const Sentence& why) const {
        throw shape_error(Sentence() << "cannot concat " << first_ << " and " << part
                                     << " along axis " << axis_ << ": " << why);
    }

    index_t axis_;
    Shape first_;
    IndexList extents_;
};

/// The shape of what `stack` makes, told of one part after the other.
class Pile {
public:
    explicit Pile(index_t axis) : axis_(axis) {}

    void add(const Shape& part) {
        if (count_++ == 0) {
            axis_ = normalize_axis(axis_, part.rank() + 1);
            first_ = part;
        } else if (part != first_) {
            throw shape_error(Sentence() << "cannot stack " << first_ << " and " << part
                                         << ": the shapes differ");
        }
    }
    index_t axis() const { return axis_; }
    Shape shape() const {
        if (count_ == 0) throw_nothing_to_join("stack");
        IndexList extents = first_.extents();
        extents.insert(axis_, count_);
        return Shape(extents);
    }

private:
    index_t axis_, count_ = 0;
    Shape first_;
};

/// True when stacking along the last axis is faster by planes, which are turned afterwards: alone,
/// a part would write one element of each line of the result at a time.
constexpr bool turns(const Shape& shape, index_t axis, index_t bytes) {
    constexpr index_t least = 1024;  // elements: measured
    return axis == shape.rank() - 1 && shape[axis] >= (bytes < 8 ? 2 : 4) && shape.size() >= least;
}
/// The same where all planes are made first.
constexpr bool stacks_by_planes(const Shape& shape, index_t axis, index_t bytes) {
    constexpr index_t most = index_t{64} << 20;  // bytes: measured
    return detail::turns(shape, axis, bytes) && shape.size() <= most / bytes;
}
inline Shape last_axis_first(const Shape& shape) {
    return move_axis(Layout{shape, row_major(shape), 0}, {-1}, {0}).shape;
}

/// A result that takes its parts one behind the other along an axis.
template <class T>
class Assembly {
public:
    template <class Plan>
    Assembly(const Plan& plan, bool stacked) : Assembly(plan.shape(), plan.axis(), stacked) {}

    template <class X>
    void put(X&& x) {
        decltype(auto) part = detail::consume(std::forward<X>(x));
        const Shape shape = part.shape();
        kernel::evaluate(part, at_, shape, strides_);
        at_ += stacked_ ? step_ : step_ * shape[axis_];
    }
    Tensor<T> take() {
        if (by_planes_) return result_.move_axis(0, -1).copy();
        return std::move(result_);
    }

private:
    Assembly(const Shape& shape, index_t axis, bool stacked)
        : stacked_(stacked),
          by_planes_(stacked && stacks_by_planes(shape, axis, sizeof(T))),
          axis_(by_planes_ ? 0 : axis),
          result_(broadloom::empty<T>(by_planes_ ? last_axis_first(shape) : shape)),
          strides_(result_.strides()),
          at_(result_.data()),
          step_(result_.size() == 0 ? 0 : strides_[axis_]) {
        if (stacked) strides_.erase(axis_);
    }

    bool stacked_, by_planes_;
    index_t axis_;
    Tensor<T> result_;
    Strides strides_;
    T* at_;
    index_t step_;
};

/// Parts whose elements lie together, side by side along the last axis of the result.
template <class T>
Tensor<T> woven(const Shape& shape, const char* const* parts) {
    Tensor<T> result = broadloom::empty<T>(shape);
    const index_t count = shape[-1];
    kernel::weave(reinterpret_cast<char*>(result.data()), parts, count, shape.size() / count,
                  kernel::movers_of<sizeof(T)>);
    return result;
}
/// True when that is faster than to write one part after the other: not of so many that few
/// elements of each fit into the cache.
inline bool weaves(const Pile& pile, index_t bytes) {
    constexpr index_t most = 8192;
    const Shape shape = pile.shape();
    return detail::turns(shape, pile.axis(), bytes) && shape[-1] <= most / bytes &&
           kernel::detail::has_movers(bytes);
}
inline bool weaves(const Concatenation&, index_t) { return false; }

template <class X>
const char* first_byte(const X& x) {
    return reinterpret_cast<const char*>(x.data());
}

template <class Plan, class... X>
auto join(Plan plan, bool stacked, X&&... parts) {
    (plan.add(parts.shape()), ...);
    using T = promote_all_t<element_t<X>...>;
    if constexpr (((operand_kind<X> != OperandKind::expression &&
                    std::is_same_v<element_t<X>, T>) &&
                   ...)) {
        if (detail::weaves(plan, sizeof(T)) && (parts.is_contiguous() && ...)) {
            const char* const each[] = {detail::first_byte(parts)...};
            return detail::woven<T>(plan.shape(), each);
        }
    }
    Assembly<T> result(plan, stacked);
    (result.put(std::forward<X>(parts)), ...);
    return result.take();
}
template <class Plan, class R>
auto join_range(Plan plan, bool stacked, const R& parts) {
    using Part = decltype(*std::begin(parts));
    using T = element_t<Part>;
    if constexpr (!std::is_lvalue_reference_v<Part> ||
                  !std::forward_iterator<decltype(std::begin(parts))>) {
        // Parts that the range makes as it is read, which may be done once.
        std::vector<std::remove_cvref_t<Part>> kept;
        for (auto&& part : parts) kept.push_back(std::forward<decltype(part)>(part));
        return detail::join_range(plan, stacked, kept);
    } else {
        for (const auto& part : parts) plan.add(part.shape());
        if constexpr (operand_kind<Part> != OperandKind::expression) {
            if (detail::weaves(plan, sizeof(T))) {
                std::vector<const char*> each;
                for (const auto& part : parts) {
                    if (!part.is_contiguous()) break;
                    each.push_back(detail::first_byte(part));
                }
                if (static_cast<index_t>(each.size()) == plan.shape()[-1])
                    return detail::woven<T>(plan.shape(), each.data());
            }
        }
        Assembly<T> result(plan, stacked);
        for (const auto& part : parts) result.put(part);
        return result.take();
    }
}

/// The `count` pieces of a tensor or a view that the ranges `cut(i)` name, as views; of a Tensor
/// about to die, and of an expression, as tensors.
template <class X, class F>
auto pieces(X&& x, index_t axis, index_t count, const F& cut) {
    if constexpr (operand_kind<X> == OperandKind::expression) {
        return detail::pieces(broadloom::eval(std::forward<X>(x)), axis, count, cut);
    } else {
        constexpr bool dies =
            operand_kind<X> == OperandKind::tensor && !std::is_lvalue_reference_v<X>;
        const Layout whole{x.shape(), x.strides(), 0};
        using Piece = std::conditional_t<dies, Tensor<element_t<X>>, decltype(x.laid(whole))>;
        std::vector<Piece> result;
        if (static_cast<std::size_t>(count) > result.max_size()) throw std::bad_alloc();
        result.reserve(static_cast<std::size_t>(count));
        for (index_t i = 0; i < count; ++i) {
            const Taken taken = detail::take(cut(i), whole.shape[axis]);
            result.push_back(Piece(x.laid(narrow(whole, axis, taken.start, taken.count))));
        }
        return result;
    }
}

template <class X, class R>
auto split_at(X&& x, const R& indices, index_t axis) {
    const index_t along = detail::normalize_axis(axis, x.rank());
    const auto count = static_cast<index_t>(std::size(indices));
    auto next = std::begin(indices);
    Range cut{{}, 0, 1};  // every piece starts where the last one stopped
    return detail::pieces(std::forward<X>(x), along, count + 1, [&](index_t i) {
        cut.start = cut.stop;
        cut.stop = {};
        if (i < count) cut.stop = detail::to_index(*next++);
        return cut;
    });
}

}  // namespace detail

/// The operands one behind the other along an axis that they have: tensors, views and
/// expressions in any mix, which meet in promote_t. Throws shape_error unless all other extents
/// agree, index_error for the axis.
template <class... X>
    requires(sizeof...(X) > 0 && (tensor_like<X> && ...))
auto concat(Axis axis, X&&... parts) {
    return detail::join(detail::Concatenation(axis), false, std::forward<X>(parts)...);
}
/// The same for a range of tensors or views. Throws value_error when there are none.
template <range_of_tensors R>
auto concat(Axis axis, const R& parts) {
    return detail::join_range(detail::Concatenation(axis), false, parts);
}
/// The same for tensors or for views in braces, `concat(0, {x, y})`, where C++ copies tensors;
/// without braces it does not.
template <tensor_like X>
auto concat(Axis axis, std::initializer_list<X> parts) {
    return detail::join_range(detail::Concatenation(axis), false, parts);
}
/// NumPy and PyTorch take the axis last; here the parts may be any number, and it comes first.
template <class X, class... More>
    requires(tensor_like<X> || range_of_tensors<X>)
void concat(X&& the_axis_comes_first_and_the_parts_follow, More&&...) = delete;
template <tensor_like X>
void concat(std::initializer_list<X> the_axis_comes_first_and_the_parts_follow,
            index_t = 0) = delete;

/// The operands, all of one shape, side by side along a new axis of the result. Throws
/// shape_error, index_error for the axis.
template <class... X>
    requires(sizeof...(X) > 0 && (tensor_like<X> && ...))
auto stack(Axis axis, X&&... parts) {
    return detail::join(detail::Pile(axis), true, std::forward<X>(parts)...);
}
/// The same for a range of tensors or views. Throws value_error when there are none.
template <range_of_tensors R>
auto stack(Axis axis, const R& parts) {
    return detail::join_range(detail::Pile(axis), true, parts);
}
/// The same for tensors or for views in braces, `stack(0, {x, y})`, where C++ copies tensors;
/// without braces it does not.
template <tensor_like X>
auto stack(Axis axis, std::initializer_list<X> parts) {
    return detail::join_range(detail::Pile(axis), true, parts);
}
/// NumPy and PyTorch take the axis last; here the parts may be any number, and it comes first.
template <class X, class... More>
    requires(tensor_like<X> || range_of_tensors<X>)
void stack(X&& the_axis_comes_first_and_the_parts_follow, More&&...) = delete;
template <tensor_like X>
void stack(std::initializer_list<X> the_axis_comes_first_and_the_parts_follow,
           index_t = 0) = delete;

/// `sections` equal pieces along an axis, as a std::vector of views; of a Tensor about to die, and
/// of an expression, as tensors. Throws shape_error when the extent is not a multiple of it.
template <tensor_like X, detail::integer_index Int>
auto split(X&& x, Int sections, Axis axis = 0) {
    const index_t along = detail::normalize_axis(axis, x.rank());
    const index_t extent = x.shape()[along], count = detail::to_integer(sections);
    if (count < 1 || extent % count != 0) {
        throw shape_error(detail::Sentence() << "cannot split shape " << x.shape() << " along axis "
                                             << along << " into " << count << " equal pieces");
    }
    const index_t each = extent / count;
    return detail::pieces(std::forward<X>(x), along, count,
                          [&](index_t i) { return range(i * each, (i + 1) * each); });
}
/// The pieces between the given indices, which work as the ends of a range do: `split(x, {2, 5})`
/// is x(range(0, 2)), x(range(2, 5)) and x(range(5, {})).
template <tensor_like X, integer_range R = detail::InBraces>
auto split(X&& x, const R& indices, Axis axis = 0) {
    return detail::split_at(std::forward<X>(x), indices, axis);
}
/// The same for indices in a tensor of rank 1. Throws shape_error for any other rank.
template <tensor_like X, tensor_like R>
    requires detail::integer<element_t<R>>
auto split(X&& x, R&& indices, Axis axis = 0) {
    const Tensor<index_t> list = detail::as_indices(std::forward<R>(indices));
    if (list.rank() != 1) {
        throw shape_error(detail::Sentence()
                          << "split takes indices of rank 1, not shape " << list.shape());
    }
    return detail::split_at(std::forward<X>(x), list, axis);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_JOIN_HPP
