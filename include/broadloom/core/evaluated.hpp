// The members of tensors that arrange and pick elements, for expressions: these have no elements
// yet, so each is evaluated first, into a Tensor that takes on the new layout without a copy.
#ifndef BROADLOOM_CORE_EVALUATED_HPP
#define BROADLOOM_CORE_EVALUATED_HPP

#include <initializer_list>
#include <utility>

#include "broadloom/core/view.hpp"

namespace broadloom::detail::members {

// A member that takes numbers in place of a list, at least so many.
#define BROADLOOM_OF_NUMBERS(NAME, LEAST)    \
    template <detail::integer_index... Int>  \
        requires(sizeof...(Int) >= LEAST)    \
    auto NAME(Int... numbers)&& {            \
        return evaluated().NAME(numbers...); \
    }

/// What `(x + y).transpose()` and the like mean: `eval(x + y).transpose()`.
template <class Self>
class EvaluatedMembers {
public:
    auto unsqueeze(const OneOrSeveral& axes) && { return evaluated().unsqueeze(axes); }
    auto squeeze() && { return evaluated().squeeze(); }
    auto squeeze(const OneOrSeveral& axes) && { return evaluated().squeeze(axes); }
    auto transpose() && { return evaluated().transpose(); }
    auto permute(const IndexList& axes) && { return evaluated().permute(axes); }
    BROADLOOM_OF_NUMBERS(permute, 1)
    auto swap_axes(Axis a, Axis b) && { return evaluated().swap_axes(a, b); }
    auto move_axis(const OneOrSeveral& from, const OneOrSeveral& to) && {
        return evaluated().move_axis(from, to);
    }
    auto flip() && { return evaluated().flip(); }
    auto flip(const OneOrSeveral& axes) && { return evaluated().flip(axes); }
    BROADLOOM_OF_NUMBERS(flip, 2)
    auto diagonal(Integer shift = 0, Axis axis1 = 0, Axis axis2 = 1) && {
        return evaluated().diagonal(shift, axis1, axis2);
    }
    auto reshape(const IndexList& shape) && { return evaluated().reshape(shape); }
    BROADLOOM_OF_NUMBERS(reshape, 1)
    auto flatten() && { return evaluated().flatten(); }
    auto broadcast_to(const Shape& shape) && { return evaluated().broadcast_to(shape); }
    BROADLOOM_OF_NUMBERS(broadcast_to, 1)
    auto expand(const IndexList& shape) && { return evaluated().expand(shape); }
    BROADLOOM_OF_NUMBERS(expand, 1)
    auto windows(const Shape& window) && { return evaluated().windows(window); }
    auto windows(const Shape& window, const OneOrSeveral& axes) && {
        return evaluated().windows(window, axes);
    }
    template <detail::integer_index Int, class... A>
    auto windows(Int window, const A&... axis) && {
        return evaluated().windows(window, axis...);
    }

#undef BROADLOOM_OF_NUMBERS

    template <detail::slice_word... W>
    auto operator()(const W&... words) && {
        return evaluated()(words...);
    }
    template <detail::first_word W>
    auto operator[](const W& word) && {
        return evaluated()[word];
    }
#if defined(__cpp_multidimensional_subscript)
    template <detail::slice_word V, detail::slice_word... W>
        requires(sizeof...(W) > 0)
    auto operator[](const V& word, const W&... words) && {
        return evaluated()(word, words...);
    }
#endif
    template <class... W>
    auto index(W&&... words) && {
        return evaluated().index(std::forward<W>(words)...);
    }
    auto index(std::initializer_list<index_t> indices) && { return evaluated().index(indices); }
    /// One element, by value. Throws index_error.
    template <detail::integer_index... Int>
    auto at(Int... indices) && {
        return evaluated().at(indices...);
    }
    auto at(const IndexList& index) && { return evaluated().at(index); }
    /// The only element. Throws value_error when there are more or none.
    auto item() && { return evaluated().item(); }
    /// The elements, as eval gives them.
    auto copy() && { return evaluated(); }

    // One that is kept in an `auto` variable has no members, but a name for what to write.
#define BROADLOOM_KEPT(NAME) \
    template <class... A>    \
    void NAME(const A&... an_expression_is_not_kept_write_Tensor_or_eval)& = delete;
    BROADLOOM_KEPT(unsqueeze)
    BROADLOOM_KEPT(squeeze)
    BROADLOOM_KEPT(transpose)
    BROADLOOM_KEPT(flip)
    BROADLOOM_KEPT(reshape)
    BROADLOOM_KEPT(flatten)
    BROADLOOM_KEPT(operator())
    BROADLOOM_KEPT(index)
    BROADLOOM_KEPT(at)
    BROADLOOM_KEPT(item)
    BROADLOOM_KEPT(copy)
#undef BROADLOOM_KEPT
    template <class Int>
    void operator[](const Int& an_expression_is_not_kept_write_Tensor_or_eval) & = delete;

private:
    auto evaluated() { return Tensor<typename Self::value_type>(static_cast<Self&&>(*this)); }
};

}  // namespace broadloom::detail::members

#endif  // BROADLOOM_CORE_EVALUATED_HPP
