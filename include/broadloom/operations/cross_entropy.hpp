// The losses over classes. The classes are axis 1 of the scores, or axis 0 of a single sample:
// (N, C) goes with targets (N,), (C,) with a single class, (N, C, d1, ...) with (N, d1, ...).
// Inside, whatever there is once a sample keeps an extent of 1 in the place of the classes, so
// that broadcasting does the rest. Ignored samples have no say; an infinite loss of weight 0 is
// NaN, as PyTorch's is.
#ifndef BROADLOOM_OPERATIONS_CROSS_ENTROPY_HPP
#define BROADLOOM_OPERATIONS_CROSS_ENTROPY_HPP

#include "broadloom/operations/loss.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/select.hpp"
#include "broadloom/tensor/from.hpp"

namespace broadloom {

/// What nll_loss may be told: `weight` has an element for every class; targets of `ignore_index`,
/// which need not be a class, do not count.
template <class T>
struct NllOptions {
    Reduction reduction = Reduction::mean;
    OptionalTensor<T> weight = {};
    index_t ignore_index = -100;
};
/// What cross_entropy may be told; `label_smoothing`, in [0, 1], is how much of a target is
/// spread evenly over all classes.
template <class T>
struct CrossEntropyOptions {
    Reduction reduction = Reduction::mean;
    OptionalTensor<T> weight = {};
    index_t ignore_index = -100;
    double label_smoothing = 0;
};

namespace detail {

/// Scores of classes: real numbers.
template <class X>
concept class_scores = tensor_like<X> && std::is_floating_point_v<mean_t<element_t<X>>>;

/// One class, or a tensor of classes.
template <class Y>
concept class_targets = operand<Y> && std::is_integral_v<element_t<Y>>;

template <class X>
using score_t = mean_t<element_t<X>>;

/// The axis of the classes. Throws shape_error if there is none.
inline index_t class_axis(const Shape& scores) {
    if (scores.rank() == 0) throw shape_error("scores of shape () have no axis of classes");
    return scores.rank() == 1 ? 0 : 1;
}
template <class T>
void require_class_weight(const OptionalTensor<T>& weight, index_t classes) {
    if (weight && weight.view().shape() != Shape{classes}) {
        throw shape_error(Sentence() << "class weights of shape " << weight.view().shape()
                                     << " are not one for each of " << classes << " classes");
    }
}
/// Class weights over scores of a shape; without any, ones.
template <class T>
TensorView<const T> class_weight_over(const OptionalTensor<T>& weight, const Shape& scores,
                                      index_t axis) {
    if (!weight) return detail::weight_over(weight, scores);
    IndexList extents = IndexList::filled(scores.rank() - axis, 1);
    extents[0] = scores[axis];
    return weight.view().reshape(extents).broadcast_to(scores);
}

/// Throws shape_error unless there is a target for each sample of scores.
inline void require_targets(const Shape& targets, const Shape& scores) {
    IndexList expected = scores.extents();
    expected.erase(class_axis(scores));
    if (targets.extents() != expected) {
        throw shape_error(
            Sentence() << "classes of shape " << targets << " do not fit scores of shape " << scores
                       << ", which take " << expected
                       << (targets == scores ? "; class probabilities are floating values" : ""));
    }
}

/// What is known of every sample from its class; 0 where it is ignored.
template <class T>
struct Samples {
    Tensor<bool> ignored;
    Tensor<T> score, weight;  // of the class
};

/// The samples of scores: one plain loop over what is small beside them. Throws shape_error, and
/// index_error for a target that is neither a class nor ignored.
template <class T, class Int>
Samples<T> samples(const TensorView<const T>& scores, const TensorView<const Int>& targets,
                   const OptionalTensor<T>& weight, index_t ignore) {
    const Shape& shape = scores.shape();
    const index_t axis = class_axis(shape), classes = shape[axis];
    detail::require_targets(targets.shape(), shape);
    detail::require_class_weight(weight, classes);
    const TensorView<const T> weights = detail::weight_over(weight, Shape{classes});
    const index_t step = scores.strides()[axis], weight_step = weights.strides()[0];
    const T* const class_weight = weights.data();
    const Shape each = with_extent(shape, axis, 1);
    Samples<T> result{empty<bool>(each), broadloom::zeros<T>(each), broadloom::zeros<T>(each)};
    bool* ignored = result.ignored.data();
    T *score = result.score.data(), *its_weight = result.weight.data();
    // Of the first class; without classes there is no memory to step in.
    Strides steps = classes > 0 ? scores.strides() : Strides::filled(shape.rank(), 0);
    steps.erase(axis);
    const TensorView<const T> first(scores.data(), targets.shape(), steps);
    const index_t last = targets.rank() - 1, length = last < 0 ? 1 : targets.extent(last);
    const index_t along = last < 0 ? 0 : targets.strides()[last], down = last < 0 ? 0 : steps[last];
    for (index_t row = 0; row < targets.size(); row += length) {
        const Int* const in_row = (targets.begin() + row).operator->();
        const T* const at = (first.begin() + row).operator->();
        for (index_t i = 0; i < length; ++i) {
            const Int target = in_row[i * along];
            ignored[row + i] = scalar::equal{}(target, ignore);
            if (ignored[row + i]) continue;
            if (scalar::less{}(target, 0) || !scalar::less{}(target, classes)) {
                throw index_error(Sentence() << "class " << +target << " is out of range for "
                                             << classes << (classes == 1 ? " class" : " classes"));
            }
            const auto its_class = static_cast<index_t>(target);
            score[row + i] = at[i * down + its_class * step];
            its_weight[row + i] = class_weight[its_class * weight_step];
        }
    }
    return result;
}

/// Weighted losses of samples as asked; the mean is over the weights, and NaN when they are all 0,
/// whatever label smoothing adds.
template <class T>
Tensor<T> reduce_samples(Tensor<T>&& losses, const Tensor<T>& weight, index_t axis,
                         Reduction reduction) {
    switch (reduction) {
        case Reduction::mean: {
            const T total = broadloom::sum(weight);
            return broadloom::full<T>(Shape{},
                                      (total == 0 ? T(0) : broadloom::sum(losses)) / total);
        }
        case Reduction::sum: return broadloom::full<T>(Shape{}, broadloom::sum(losses));
        default: return std::move(losses).squeeze(axis);
    }
}

/// Scores on their way to logarithms of probabilities, x - peak - log_sum, which are computed
/// again where they are needed.
template <class T>
class LogSoftmax {
public:
    explicit LogSoftmax(const TensorView<const T>& scores)
        : scores_(scores), axis_(detail::class_axis(scores.shape())) {
        if (scores.size() == 0) {
            peak_ = log_sum_ = broadloom::zeros<T>(detail::with_extent(scores.shape(), axis_, 1));
        } else {
            peak_ = broadloom::max(scores_, axis_, keepdims);
            log_sum_ = broadloom::log(
                broadloom::sum(detail::exp_of_negative(scores_ - over(peak_)), axis_, keepdims));
        }
    }

    /// Of all classes.
    auto operator()() const { return (scores_ - over(peak_)) - over(log_sum_); }
    /// Of the samples' own classes.
    auto operator()(const Samples<T>& samples) const {
        return broadloom::where(samples.ignored, 0, (samples.score - peak_) - log_sum_);
    }

    const Shape& shape() const { return scores_.shape(); }
    index_t axis() const { return axis_; }
    index_t classes() const { return shape()[axis_]; }

private:
    TensorView<const T> over(const Tensor<T>& x) const { return x.broadcast_to(shape()); }

    TensorView<const T> scores_;
    index_t axis_;
    Tensor<T> peak_, log_sum_;
};

inline void require_smoothing(double smoothing) {
    if (!(smoothing >= 0 && smoothing <= 1)) {
        throw value_error(Sentence()
                          << "label_smoothing is a number from 0 to 1, not " << smoothing);
    }
}

/// Cross-entropy with classes as targets.
template <class T, class Int>
Tensor<T> class_cross_entropy(const TensorView<const T>& scores,
                              const TensorView<const Int>& targets,
                              const CrossEntropyOptions<T>& options) {
    const Samples<T> samples =
        detail::samples<T>(scores, targets, options.weight, options.ignore_index);
    const LogSoftmax<T> log_p(scores);
    const double smoothing = options.label_smoothing;
    Tensor<T> losses = samples.weight * (T(0) - log_p(samples));
    if (smoothing > 0 && log_p.classes() > 0) {
        const auto weight = detail::class_weight_over(options.weight, scores.shape(), log_p.axis());
        // Stored: a fold over the formula itself takes as long to run, and longer to compile.
        const Tensor<T> costs = weight * -log_p();
        const Tensor<T> spread = broadloom::sum(costs, log_p.axis(), keepdims);
        const T own = static_cast<T>(1 - smoothing);
        const T each = static_cast<T>(smoothing / static_cast<double>(log_p.classes()));
        losses = own * losses + broadloom::where(samples.ignored, 0, each * spread);
    }
    return detail::reduce_samples(std::move(losses), samples.weight, log_p.axis(),
                                  options.reduction);
}

/// Cross-entropy with probabilities of all classes as targets.
template <class T, class Y>
Tensor<T> probability_cross_entropy(const TensorView<const T>& scores, Y&& targets,
                                    const CrossEntropyOptions<T>& options) {
    const Shape shape = scores.shape();
    const index_t axis = class_axis(shape), classes = shape[axis];
    if (targets.shape() != shape) {
        throw shape_error(Sentence() << "class probabilities of shape " << targets.shape()
                                     << " do not fit scores of shape " << shape
                                     << "; targets that are classes have an integer type");
    }
    if (options.ignore_index >= 0) {
        throw value_error("class probabilities cannot be told to ignore a class");
    }
    detail::require_class_weight(options.weight, classes);
    const LogSoftmax<T> log_p(scores);
    const T own = static_cast<T>(1 - options.label_smoothing);
    const T each =
        static_cast<T>(options.label_smoothing / static_cast<double>(classes > 0 ? classes : 1));
    Tensor<T> losses =
        broadloom::sum((own * broadloom::cast<T>(std::forward<Y>(targets)) + each) *
                           (detail::class_weight_over(options.weight, shape, axis) * -log_p()),
                       axis, keepdims);
    // The mean is over samples, whatever their weight; of no elements at all it is NaN.
    const Tensor<T> count = broadloom::full<T>(losses.shape(), shape.size() > 0 ? T(1) : T(0));
    return detail::reduce_samples(std::move(losses), count, axis, options.reduction);
}

}  // namespace detail

/// The negative log likelihood: minus the logarithm of a probability that the input has for each
/// target's class, times the class's weight. The mean is over the weights used, NaN if all targets
/// are ignored; with Reduction::none ignored targets have loss 0. Throws shape_error, and
/// index_error for a class out of range.
template <class X, class Y>
    requires(detail::class_scores<X> && detail::class_targets<Y>)
auto nll_loss(X&& input, Y&& target, const NllOptions<detail::score_t<X>>& options = {}) {
    using T = detail::score_t<X>;
    if constexpr (scalar_like<Y>) {
        const element_t<Y> one = target;
        return broadloom::nll_loss(std::forward<X>(input), TensorView(&one, Shape{}, Strides{}),
                                   options);
    } else {
        const auto held = detail::in_memory<T>(std::forward<X>(input));
        const auto targets = detail::in_memory(std::forward<Y>(target));
        const TensorView<const T> scores = held.view();
        const detail::Samples<T> samples =
            detail::samples<T>(scores, TensorView<const element_t<Y>>(targets.view()),
                               options.weight, options.ignore_index);
        Tensor<T> losses = samples.weight * (T(0) - samples.score);
        return detail::reduce_samples(std::move(losses), samples.weight,
                                      detail::class_axis(scores.shape()), options.reduction);
    }
}
template <class X, class Y, std::same_as<Reduction> R>
    requires(detail::class_scores<X> && detail::class_targets<Y>)
auto nll_loss(X&& input, Y&& target, R reduction) {
    return broadloom::nll_loss(std::forward<X>(input), std::forward<Y>(target),
                               {.reduction = reduction});
}

/// The same for classes in a row, such as a std::vector, or in braces.
template <class X, integer_range R = detail::InBraces,
          class Options = NllOptions<detail::score_t<X>>>
    requires detail::class_scores<X>
auto nll_loss(X&& input, const R& targets, const Options& options = {}) {
    return broadloom::nll_loss(std::forward<X>(input), broadloom::from(targets), options);
}

/// The cross-entropy of softmax(input) over the classes: nll_loss of its logarithm, exact for
/// large inputs. A target of a floating type is a probability for every class and has the input's
/// shape; its mean is over samples, and none can be ignored. Throws shape_error, index_error for a
/// class out of range, and value_error for a label_smoothing outside of [0, 1].
///
///     cross_entropy(logits, classes, {.weight = {1, 2, 1}, .label_smoothing = 0.1})
template <class X, class Y>
    requires(detail::class_scores<X> && (detail::class_targets<Y> || detail::class_scores<Y>))
auto cross_entropy(X&& input, Y&& target,
                   const CrossEntropyOptions<detail::score_t<X>>& options = {}) {
    using T = detail::score_t<X>;
    if constexpr (scalar_like<Y>) {
        const element_t<Y> one = target;
        return broadloom::cross_entropy(std::forward<X>(input),
                                        TensorView(&one, Shape{}, Strides{}), options);
    } else {
        detail::require_smoothing(options.label_smoothing);
        const auto held = detail::in_memory<T>(std::forward<X>(input));
        const TensorView<const T> scores = held.view();
        if constexpr (detail::class_targets<Y>) {
            const auto targets = detail::in_memory(std::forward<Y>(target));
            return detail::class_cross_entropy<T>(
                scores, TensorView<const element_t<Y>>(targets.view()), options);
        } else {
            return detail::probability_cross_entropy<T>(scores, std::forward<Y>(target), options);
        }
    }
}
template <class X, class Y, std::same_as<Reduction> R>
    requires(detail::class_scores<X> && (detail::class_targets<Y> || detail::class_scores<Y>))
auto cross_entropy(X&& input, Y&& target, R reduction) {
    return broadloom::cross_entropy(std::forward<X>(input), std::forward<Y>(target),
                                    {.reduction = reduction});
}
/// The same for classes in a row, such as a std::vector, or in braces.
template <class X, integer_range R = detail::InBraces,
          class Options = CrossEntropyOptions<detail::score_t<X>>>
    requires detail::class_scores<X>
auto cross_entropy(X&& input, const R& targets, const Options& options = {}) {
    return broadloom::cross_entropy(std::forward<X>(input), broadloom::from(targets), options);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_CROSS_ENTROPY_HPP
