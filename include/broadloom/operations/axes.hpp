// Which axes a reduction takes and what becomes of them: all axes and a plain value, or the axes
// named (one, several, negative; an empty list reduces nothing) and a Tensor; with `keepdims` the
// reduced axes stay with extent 1.
#ifndef BROADLOOM_OPERATIONS_AXES_HPP
#define BROADLOOM_OPERATIONS_AXES_HPP

#include <cstdint>

#include "broadloom/kernel/fold.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {
namespace detail {

enum class KeepToken { token };

}  // namespace detail

/// The type of `keepdims`. In place of `true` one writes that word.
struct Keepdims {
    explicit constexpr Keepdims(detail::KeepToken) {}
    template <std::same_as<bool> B>
    Keepdims(B true_is_written_keepdims) = delete;
};
/// Asks a reduction to keep the reduced axes, with extent 1: `sum(x, 0, keepdims)`.
inline constexpr Keepdims keepdims{detail::KeepToken::token};

/// The axes that a reduction takes: `0`, `-1`, `{0, 2}`, `{}` for none, or `keepdims` for all of
/// them, which stay with extent 1.
class Axes {
public:
    constexpr Axes() = default;
    template <class A>
        requires std::convertible_to<A, detail::OneOrSeveral>
    constexpr Axes(const A& axes) : list_(detail::OneOrSeveral(axes)) {}
    constexpr Axes(std::initializer_list<detail::Listed> axes) : list_(axes) {}
    constexpr Axes(Keepdims) : all_(true), keep_(true) {}

    /// The same axes, which stay with extent 1.
    constexpr Axes kept() const {
        Axes axes = *this;
        axes.keep_ = true;
        return axes;
    }
    constexpr bool keeps() const { return keep_; }
    /// A bit for each of them; rank 0 has none, though 0 and -1 may be named. Throws index_error
    /// if one is out of range or named twice.
    constexpr std::uint32_t mask(index_t rank) const {
        if (all_) return rank == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << rank) - 1;
        if (detail::is_axis_of_rank_0(list_, rank)) return 0;
        std::uint32_t bits = 0;
        for (const index_t axis : detail::normalize_axes(list_, rank)) {
            bits |= std::uint32_t{1} << axis;
        }
        return bits;
    }

private:
    IndexList list_;
    bool all_ = false, keep_ = false;
};

namespace detail {

/// The shape of a reduction's result.
struct Reduced {
    Shape kept;     // with extents of 1 for the reduced axes
    Shape result;   // without them, unless they are to be kept
    index_t count;  // elements that make one result
};

inline Reduced reduced(const Shape& shape, const Axes& axes) {
    const std::uint32_t mask = axes.mask(shape.rank());
    IndexList kept = shape.extents(), left;
    index_t count = 1;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (((mask >> d) & 1) != 0) {
            count *= shape[d];
            kept[d] = 1;
        } else {
            left.push_back(shape[d]);
        }
    }
    return {Shape(kept), Shape(axes.keeps() ? kept : left), count};
}

template <class F, class T>
consteval auto fold_result() {
    using A = decltype(std::declval<const F&>().lift(std::declval<const T&>()));
    if constexpr (requires(const F& f, const A& a) { f.finish(a); }) {
        return std::type_identity<decltype(std::declval<const F&>().finish(
            std::declval<const A&>()))>{};
    } else {
        return std::type_identity<A>{};
    }
}

/// The type of what a fold makes of elements of type T.
template <class F, class T>
using fold_t = typename decltype(fold_result<F, T>())::type;

/// The fold of so many elements into one, of which some have to know how many.
template <class F>
auto fold_of(const F& f, index_t count) {
    if constexpr (requires { f.of(count); }) return f.of(count);
    else return f;
}

/// What becomes of nothing where nothing has no value.
struct Refused {
    const char* name;
};

/// What becomes of nothing in a tensor of this shape: a value, or a refusal that names the shape.
template <class R, class Nothing>
R value_of(const Nothing& nothing, const Shape&) {
    return static_cast<R>(nothing);
}
template <class R>
R value_of(const Refused& refused, const Shape& shape) {
    throw value_error(Sentence() << refused.name << " over no elements has no value: shape "
                                 << shape);
}

/// Folds `x`, held for reading, into a tensor; where there is nothing to fold its elements are
/// `nothing`.
template <class F, class X, class Nothing>
auto fold_into(const F& f, const X& x, const Reduced& to, const Nothing& nothing) {
    using R = fold_t<F, typename X::value_type>;
    if (to.count == 0) {
        // Before there is memory, as it may refuse.
        const R value = detail::value_of<R>(nothing, x.shape());
        Tensor<R> result = broadloom::empty<R>(to.result);
        for (index_t i = 0; i < result.size(); ++i) result.data()[i] = value;
        return result;
    }
    Tensor<R> result = broadloom::empty<R>(to.result);
    if (x.size() > 0) kernel::fold(f, x, result.data(), to.kept);
    return result;
}

/// A reduction with axes.
template <class F, class X, class Nothing>
auto fold_axes(const F& f, X&& x, const Axes& axes, const Nothing& nothing) {
    decltype(auto) read = detail::consume(std::forward<X>(x));
    const Reduced to = detail::reduced(read.shape(), axes);
    return detail::fold_into(detail::fold_of(f, to.count), read, to, nothing);
}

/// A reduction of all there is to a plain value.
template <class F, class X, class Nothing>
auto fold_all(const F& f, X&& x, const Nothing& nothing) {
    decltype(auto) read = detail::consume(std::forward<X>(x));
    const auto fold = detail::fold_of(f, read.size());
    using R = fold_t<decltype(fold), element_t<X>>;
    if (read.size() == 0) return detail::value_of<R>(nothing, read.shape());
    alignas(R) char result[sizeof(R)];
    kernel::fold(fold, read, reinterpret_cast<R*>(result),
                 Shape(IndexList::filled(read.shape().rank(), 1)));
    return *reinterpret_cast<const R*>(result);
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_AXES_HPP
