// Einstein's sums in NumPy's language: `einsum("...ij,jk->...ik", x, y)`. The equation is read
// into labels, then factors are contracted pair by pair, the pair with the smallest result first.
#ifndef BROADLOOM_OPERATIONS_EINSUM_HPP
#define BROADLOOM_OPERATIONS_EINSUM_HPP

#include <string_view>
#include <vector>

#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/operations/contract.hpp"
#include "broadloom/tensor/create.hpp"

namespace broadloom {
namespace detail {

/// An equation with the operands' shapes put in: a label for every dimension. Letters are their
/// own labels; dimension i from the right of an ellipsis is label 256 + i.
class Equation {
public:
    Equation(std::string_view text, const Shape* shapes, std::size_t count)
        : inputs(count), text_(text) {
        std::size_t at = 0;
        require_lists(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) ++at;
            at = read_operand(at, shapes[i], i);
        }
        if (at < text_.size()) read_output(at + 2);  // behind "->"
        else imply_output();
    }

    kernel::HeapArray<IndexList> inputs;  // of every operand the labels
    IndexList output;

private:
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    /// Checks that there is a list of labels for every operand.
    void require_lists(std::size_t count) const {
        const std::string_view given = text_.substr(0, text_.find("->"));
        std::size_t lists = 1;
        for (std::size_t at = 0; at < given.size(); ++at) {
            if (given[at] != ',') continue;
            if (lists++ == count) {
                fail(at, Sentence()
                             << "there are more lists of labels than the " << count << " operands");
            }
        }
        if (lists < count)
            fail(given.size(), Sentence() << count << " operands need as many lists of labels");
    }

    [[noreturn]] void fail(std::size_t at, const Sentence& why) const {
        Sentence sentence;
        throw value_error(point(sentence << "einsum: " << why, at));
    }
    [[noreturn]] void misfit(std::size_t at, const Shape& shape, const Sentence& why) const {
        Sentence sentence;
        throw shape_error(point(sentence << "einsum: " << why << " in shape " << shape, at));
    }
    /// Adds the equation and a mark below one of its letters.
    const Sentence& point(Sentence& sentence, std::size_t at) const {
        sentence << "\n  " << text_ << "\n  ";
        return sentence.pad(sentence.size() + at) << '^';
    }
    /// Steps over an ellipsis; false if there is none.
    bool take_ellipsis(std::size_t& at) const {
        if (text_[at] != '.') return false;
        if (text_.substr(at, 3) != "...") fail(at, "an ellipsis has three dots");
        at += 3;
        return true;
    }

    std::size_t read_operand(std::size_t at, const Shape& shape, std::size_t operand) {
        const std::size_t begin = at;
        index_t letters = 0;
        std::size_t end = at;
        for (; end < text_.size() && text_[end] != ',' && text_.substr(end, 2) != "->"; ++end) {
            letters += is_letter(text_[end]);
        }
        IndexList labels;
        bool ellipsis = false;
        while (at < end) {
            const char c = text_[at];
            if (c == ' ') {
                ++at;
            } else if (is_letter(c)) {
                labels.push_back(c);
                if (labels.rank() > shape.rank()) {
                    misfit(at, shape,
                           Sentence() << "more labels than dimensions of operand " << operand);
                }
                note_extent(at, c, shape[labels.rank() - 1], shape, labels);
                ++at;
            } else if (take_ellipsis(at)) {
                if (ellipsis) fail(at - 3, "an operand has one ellipsis");
                ellipsis = true;
                const index_t covered = shape.rank() - letters;
                for (index_t i = covered; i > 0; --i) {
                    labels.push_back(256 + i - 1);
                    note_extent(at - 3, 256 + i - 1, shape[labels.rank() - 1], shape, labels);
                }
                widest_ = widest_ < covered ? covered : widest_;
            } else {
                fail(at, Sentence() << "'" << c << "' is no label");
            }
        }
        if (labels.rank() != shape.rank()) {
            misfit(begin, shape,
                   Sentence() << "fewer labels than dimensions of operand " << operand);
        }
        inputs[operand] = labels;
        return at;
    }

    /// Checks that a label has one extent everywhere, or 1; on one operand exactly one.
    void note_extent(std::size_t at, index_t label, index_t extent, const Shape& shape,
                     const IndexList& labels) {
        for (index_t d = 0; d + 1 < labels.rank(); ++d) {
            if (labels[d] == label && shape[d] != extent) {
                misfit(at, shape,
                       Sentence() << "a diagonal needs equal extents, not " << shape[d] << " and "
                                  << extent);
            }
        }
        Known* const known = find(label);
        if (known == known_end_) {
            *known_end_++ = Known{label, extent, &shape, 1};
            return;
        }
        const index_t have = known->extent;
        if (have != extent && have != 1 && extent != 1) {
            misfit(at, shape,
                   Sentence() << "extent " << have << " in shape " << *known->shape
                              << " does not fit " << extent);
        }
        if (have == 1) {
            known->extent = extent;
            known->shape = &shape;
        }
        ++known->count;
    }

    void read_output(std::size_t at) {
        bool ellipsis = false;
        while (at < text_.size()) {
            const char c = text_[at];
            if (c == ' ') {
                ++at;
            } else if (is_letter(c)) {
                if (find(c) == known_end_) fail(at, "no operand has this label");
                if (holds(output, c)) fail(at, "the result has a label once");
                output.push_back(c);
                ++at;
            } else if (take_ellipsis(at)) {
                if (ellipsis) fail(at - 3, "the result has one ellipsis");
                ellipsis = true;
                for (index_t i = widest_; i > 0; --i) output.push_back(256 + i - 1);
            } else {
                fail(at, Sentence() << "'" << c << "' is no label");
            }
        }
        if (widest_ > 0 && !ellipsis) fail(at, "the result needs the ellipsis of the operands");
    }

    /// The ellipsis, then the labels that stand once, in alphabetical order.
    void imply_output() {
        for (index_t i = widest_; i > 0; --i) output.push_back(256 + i - 1);
        for (index_t label = 'A'; label <= 'z'; ++label) {
            const Known* const known = find(label);
            if (known != known_end_ && known->count == 1) output.push_back(label);
        }
    }

    struct Known {
        index_t label, extent;
        const Shape* shape;  // that has this extent
        int count;
    };
    /// Where a label is noted, or the end.
    Known* find(index_t label) {
        Known* known = known_;
        while (known != known_end_ && known->label != label) ++known;
        return known;
    }

    std::string_view text_;
    Known known_[52 + max_rank];  // as many labels as there are
    Known* known_end_ = known_;
    index_t widest_ = 0;
};

/// A factor without repeated labels: they become diagonals.
template <class R>
Factor<R> take_diagonals(const TensorView<const R>& view, const IndexList& labels) {
    IndexList names, extents;
    Strides strides;
    for (index_t d = 0; d < labels.rank(); ++d) {
        index_t at = 0;
        while (at < names.rank() && names[at] != labels[d]) ++at;
        if (at < names.rank()) {
            // Strides of what is empty or single may be too long to add.
            if (view.size() > 0 && view.shape()[d] > 1) strides[at] += view.strides()[d];
        } else {
            names.push_back(labels[d]);
            extents.push_back(view.shape()[d]);
            strides.push_back(view.strides()[d]);
        }
    }
    return Factor<R>(view.laid(Layout{Shape(extents), strides, 0}), names);
}

/// About how many elements two factors have after a contraction, perhaps more than there can be.
template <class R>
double result_size(const Factor<R>& x, const Factor<R>& y, const IndexList& kept) {
    double size = 1;
    const auto count = [&](const Factor<R>& factor, const Factor<R>* before) {
        for (index_t d = 0; d < factor.labels.rank(); ++d) {
            const index_t l = factor.labels[d];
            if (holds(kept, l) && !(before != nullptr && detail::holds(before->labels, l))) {
                size *= static_cast<double>(factor.extent(d));
            }
        }
    };
    count(x, nullptr);
    count(y, &x);
    return size;
}

template <class R>
Tensor<R> contract_all(std::vector<Factor<R>> factors, const IndexList& output) {
    while (factors.size() > 1) {
        // What a pair keeps, the labels of the result and of the factors that remain, in the order
        // of the result.
        const auto kept_without = [&](std::size_t i, std::size_t j) {
            const auto is_kept = [&](index_t label) {
                if (holds(output, label)) return true;
                for (std::size_t t = 0; t < factors.size(); ++t) {
                    if (t != i && t != j && detail::holds(factors[t].labels, label)) return true;
                }
                return false;
            };
            const IndexList &x = factors[i].labels, &y = factors[j].labels;
            IndexList kept;
            for (const IndexList* labels : {&output, &x, &y}) {
                for (const index_t l : *labels) {
                    const bool has = holds(x, l) || holds(y, l);
                    if (has && is_kept(l) && !holds(kept, l)) kept.push_back(l);
                }
            }
            return kept;
        };
        std::size_t first = 0, second = 1;
        double least = -1;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            for (std::size_t j = i + 1; j < factors.size(); ++j) {
                const double size = detail::result_size(factors[i], factors[j], kept_without(i, j));
                if (least >= 0 && size >= least) continue;
                least = size;
                first = i;
                second = j;
            }
        }
        const IndexList kept = kept_without(first, second);
        Factor<R> joined =
            detail::contract(std::move(factors[first]), std::move(factors[second]), kept);
        factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(second));
        factors[first] = std::move(joined);
    }
    Factor<R>& last = factors[0];
    detail::drop_labels(last, output);
    const bool is_result =
        last.data == last.owner.data() && last.owner.shape() == last.layout.shape;
    if (is_result && last.labels == output) return std::move(last.owner);
    IndexList order;
    for (const index_t label : output) {
        for (index_t d = 0; d < last.labels.rank(); ++d) {
            if (last.labels[d] == label) order.push_back(d);
        }
    }
    return Tensor<R>(last.view().permute(order));
}

/// An operand of an equation, in memory.
template <class R, class X>
auto factor(X&& x) {
    if constexpr (scalar_like<X>) return broadloom::full({}, scalar::convert<R>(x));
    else return detail::in_memory<R>(std::forward<X>(x));
}

template <class R, class... M>
Tensor<R> einsum_of(std::string_view text, const M&... operands) {
    const Shape shapes[] = {operands.shape()...};
    const Equation equation(text, shapes, sizeof...(M));
    std::vector<Factor<R>> factors;
    factors.reserve(sizeof...(M));
    const auto add = [&](const TensorView<const R>& view) {
        factors.push_back(detail::take_diagonals<R>(view, equation.inputs[factors.size()]));
    };
    (add(operands.view()), ...);
    return detail::contract_all<R>(std::move(factors), equation.output);
}

}  // namespace detail

/// The sum of products that an equation names, in NumPy's language: letters for dimensions, an
/// ellipsis for the rest, repeated letters for diagonals; without `->` the result has the letters
/// that stand once. Extents of 1 broadcast; a number has no dimensions. Throws value_error for an
/// equation that cannot be read, pointing at the place, and shape_error for shapes that do not fit
/// it.
template <class... X>
    requires((operand<X> && ...) && (tensor_like<X> || ...))
auto einsum(std::string_view equation, X&&... operands) {
    using R = detail::common_t<X...>;
    return detail::einsum_of<R>(equation, detail::factor<R>(std::forward<X>(operands))...);
}

}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_EINSUM_HPP
