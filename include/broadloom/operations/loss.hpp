// The elementwise losses. Input and target are broadcast together and compared element by element
// in one pass; the mean is over the broadcast size. Where the two shapes differ, which is seldom
// meant, the handler of broadcast_warning is told.
#ifndef BROADLOOM_OPERATIONS_LOSS_HPP
#define BROADLOOM_OPERATIONS_LOSS_HPP

#include <utility>

#include "broadloom/operations/reduce.hpp"
#include "broadloom/scalar/penalty.hpp"
#include "broadloom/tensor/create.hpp"

namespace broadloom {

/// What becomes of the losses of all elements: their mean or sum, of rank 0, or themselves.
enum class Reduction { mean, sum, none };

/// A tensor that an option may hold, such as a weight: nothing, a number, values in braces, or
/// any operand. Tensors that have a name, and views, are looked at where they are; temporaries,
/// expressions and elements of another type become a tensor of its own.
template <class T>
class OptionalTensor {
public:
    OptionalTensor() = default;
    template <tensor_like X>
    OptionalTensor(X&& x) {
        constexpr bool stays = detail::operand_kind<X> == detail::OperandKind::view ||
                               (detail::operand_kind<X> == detail::OperandKind::tensor &&
                                std::is_lvalue_reference_v<X>);
        if constexpr (stays && std::same_as<element_t<X>, T>) {
            data_ = x.data();
            layout_ = Layout{x.shape(), x.strides(), 0};
            held_ = Held::elsewhere;
        } else {
            keep(std::forward<X>(x));
        }
    }
    template <scalar_like S>
        requires storable<S, T>
    OptionalTensor(S number) {
        keep(broadloom::full<T>(Shape{}, static_cast<T>(number)));
    }
    OptionalTensor(std::initializer_list<Literal<T>> values) { keep(Tensor<T>(values)); }

    /// True when there is a tensor.
    explicit operator bool() const noexcept { return held_ != Held::nothing; }
    /// The tensor, which there must be.
    TensorView<const T> view() const {
        return held_ == Held::here ? kept_.view() : TensorView<const T>(data_, layout_);
    }

private:
    enum class Held { nothing, here, elsewhere };

    template <class X>
    void keep(X&& x) {
        kept_ = Tensor<T>(std::forward<X>(x));
        held_ = Held::here;
    }

    Held held_ = Held::nothing;
    Tensor<T> kept_;
    const T* data_ = nullptr;
    Layout layout_;
};

/// What mse_loss and l1_loss may be told: `mse_loss(x, y, {.reduction = Reduction::sum})`.
struct LossOptions {
    Reduction reduction = Reduction::mean;
};
/// What smooth_l1_loss may be told; `beta` is the error from which on it is linear.
struct SmoothL1Options {
    Reduction reduction = Reduction::mean;
    double beta = 1;
};
/// What huber_loss may be told; `delta` is the error from which on it is linear.
struct HuberOptions {
    Reduction reduction = Reduction::mean;
    double delta = 1;
};
/// What bce_loss may be told; `weight` broadcasts to the losses and multiplies them.
template <class T>
struct BceOptions {
    Reduction reduction = Reduction::mean;
    OptionalTensor<T> weight = {};
};
/// What bce_with_logits_loss may be told; `pos_weight`, which broadcasts too, is how often a
/// target of 1 counts.
template <class T>
struct BceWithLogitsOptions {
    Reduction reduction = Reduction::mean;
    OptionalTensor<T> weight = {};
    OptionalTensor<T> pos_weight = {};
};
/// What kl_div_loss may be told; `log_target` says that targets are logarithms of probabilities.
struct KlDivOptions {
    Reduction reduction = Reduction::mean;
    bool log_target = false;
};

namespace detail {

template <class X, class Y>
consteval auto loss_of() {
    if constexpr (!tensor_like<X>) {
        return loss_of<Y, X>();
    } else if constexpr (tensor_like<Y>) {
        return std::type_identity<loss_t<element_t<X>, element_t<Y>>>{};
    } else {
        return std::type_identity<mean_t<weak_t<std::remove_cvref_t<Y>, element_t<X>>>>{};
    }
}
/// The type of a loss of two operands, one of which may be a number.
template <class X, class Y>
using loss_of_t = typename decltype(loss_of<X, Y>())::type;

/// Input and target of an elementwise loss: real numbers.
template <class X, class Y>
concept comparable = operands<X, Y> && std::is_floating_point_v<loss_of_t<X, Y>>;

/// The shape that input and target broadcast to. Throws shape_error; tells broadcast_warning's
/// handler of shapes that differ, unless it will hear of them when they meet in an expression.
template <class X, class Y>
Shape loss_shape(const X& x, const Y& y) {
    const auto rule = [](Shapes shapes) {
        IndexList common;
        if (!fits(shapes, common)) throw_not_broadcastable(shapes);
        return Shape(common);
    };
    const Shape shape = detail::resolve_by(rule, x, y);
    if constexpr (tensor_like<X> && tensor_like<Y>) {
        if (broadcast_warning::enabled() && x.size() != y.size())
            broadcast_warning::report(x.shape(), y.shape());
    }
    return shape;
}

/// A weight broadcast to a shape; without one, ones.
template <class T>
TensorView<const T> weight_over(const OptionalTensor<T>& weight, const Shape& shape) {
    static constexpr T one = T(1);
    const auto view = weight ? weight.view() : TensorView<const T>(&one, Shape{}, Strides{});
    return view.broadcast_to(shape);
}

/// Losses reduced as asked.
template <class L>
auto reduce_losses(L&& losses, Reduction reduction) {
    using T = element_t<L>;
    switch (reduction) {
        case Reduction::mean:
            return broadloom::full<T>(Shape{}, broadloom::mean(std::forward<L>(losses)));
        case Reduction::sum:
            return broadloom::full<T>(Shape{}, broadloom::sum(std::forward<L>(losses)));
        default: return Tensor<T>(std::forward<L>(losses));
    }
}

/// The loss that `f` measures between two elements.
template <class F, class X, class Y>
auto elementwise_loss(F f, X&& x, Y&& y, Reduction reduction) {
    detail::loss_shape(x, y);
    return detail::reduce_losses(detail::binary<AsReal>(f, std::forward<X>(x), std::forward<Y>(y)),
                                 reduction);
}

}  // namespace detail

/// The squared difference of operands that broadcast together: its mean, or as the options say.
/// Throws shape_error.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto mse_loss(X&& input, Y&& target, const LossOptions& options = {}) {
    return detail::elementwise_loss(scalar::squared_error{}, std::forward<X>(input),
                                    std::forward<Y>(target), options.reduction);
}

/// The absolute difference, likewise.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto l1_loss(X&& input, Y&& target, const LossOptions& options = {}) {
    return detail::elementwise_loss(scalar::absolute_error{}, std::forward<X>(input),
                                    std::forward<Y>(target), options.reduction);
}

/// The absolute difference, less beta / 2, made a parabola below beta; with beta 0 it is l1_loss.
/// Throws value_error for a negative beta.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto smooth_l1_loss(X&& input, Y&& target, const SmoothL1Options& options = {}) {
    if (!(options.beta >= 0)) throw value_error("smooth_l1_loss takes a beta of at least 0");
    return detail::elementwise_loss(scalar::smooth_absolute_error{options.beta},
                                    std::forward<X>(input), std::forward<Y>(target),
                                    options.reduction);
}

/// Half the squared difference below delta, from there on linear. Throws value_error unless delta
/// is positive.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto huber_loss(X&& input, Y&& target, const HuberOptions& options = {}) {
    if (!(options.delta > 0)) throw value_error("huber_loss takes a delta above 0");
    return detail::elementwise_loss(scalar::huber_error{options.delta}, std::forward<X>(input),
                                    std::forward<Y>(target), options.reduction);
}

/// The binary cross-entropy of probabilities, where no logarithm is below -100. NaN for an input
/// outside of [0, 1]. Throws shape_error if the weight does not broadcast to the losses.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto bce_loss(X&& input, Y&& target, const BceOptions<detail::loss_of_t<X, Y>>& options = {}) {
    const Shape shape = detail::loss_shape(input, target);
    const auto weight = detail::weight_over(options.weight, shape);
    return detail::reduce_losses(
        weight * detail::binary<detail::AsReal>(scalar::binary_cross_entropy{},
                                                std::forward<X>(input), std::forward<Y>(target)),
        options.reduction);
}

/// The binary cross-entropy of sigmoid(input), exact for large inputs; NaN for infinite ones where
/// PyTorch's is, of targets in [0, 1]. Throws shape_error if a weight does not broadcast to the
/// losses.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto bce_with_logits_loss(X&& input, Y&& target,
                          const BceWithLogitsOptions<detail::loss_of_t<X, Y>>& options = {}) {
    using T = detail::loss_of_t<X, Y>;
    const Shape shape = detail::loss_shape(input, target);
    const auto weight = detail::weight_over(options.weight, shape);
    const auto pos_weight = detail::weight_over(options.pos_weight, shape);
    return detail::reduce_losses(
        weight * detail::make_expression(scalar::logistic_cross_entropy{},
                                         detail::beside<detail::AsReal, T>(std::forward<X>(input)),
                                         detail::beside<detail::AsReal, T>(std::forward<Y>(target)),
                                         pos_weight),
        options.reduction);
}

/// The Kullback-Leibler divergence of the input, logarithms of probabilities, from the target: 0
/// where the target's probability is, and NaN if the input is infinite there, as PyTorch's.
template <class X, class Y>
    requires detail::comparable<X, Y>
auto kl_div_loss(X&& input, Y&& target, const KlDivOptions& options = {}) {
    if (options.log_target) {
        return detail::elementwise_loss(scalar::log_divergence{}, std::forward<X>(input),
                                        std::forward<Y>(target), options.reduction);
    }
    return detail::elementwise_loss(scalar::divergence{}, std::forward<X>(input),
                                    std::forward<Y>(target), options.reduction);
}

// Where the reduction is all there is to say, it needs no braces: `mse_loss(x, y, Reduction::sum)`.
#define BROADLOOM_REDUCED(loss)                                                 \
    template <class X, class Y, std::same_as<Reduction> R>                      \
        requires detail::comparable<X, Y>                                       \
    auto loss(X&& input, Y&& target, R reduction) {                             \
        return broadloom::loss(std::forward<X>(input), std::forward<Y>(target), \
                               {.reduction = reduction});                       \
    }
BROADLOOM_REDUCED(mse_loss)
BROADLOOM_REDUCED(l1_loss)
BROADLOOM_REDUCED(smooth_l1_loss)
BROADLOOM_REDUCED(huber_loss)
BROADLOOM_REDUCED(bce_loss)
BROADLOOM_REDUCED(bce_with_logits_loss)
BROADLOOM_REDUCED(kl_div_loss)
#undef BROADLOOM_REDUCED

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_LOSS_HPP
