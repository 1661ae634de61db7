// Indexing with several tensors at once, as NumPy does: index tensors and integers broadcast
// together and count along one dimension each, masks along as many as they have, and between them
// stand ranges, `all`, `newaxis` and `ellipsis`.
#ifndef BROADLOOM_OPERATIONS_INDEX_HPP
#define BROADLOOM_OPERATIONS_INDEX_HPP

#include "broadloom/kernel/heap_array.hpp"
#include "broadloom/operations/mask.hpp"
#include "broadloom/operations/scatter.hpp"
#include "broadloom/tensor/create.hpp"
#include "broadloom/tensor/from.hpp"

namespace broadloom {
namespace detail {

template <class W>
concept mask_word = tensor_like<W> && std::same_as<element_t<W>, bool>;

}  // namespace detail

/// A word of an index: an integer, a range, `all`, `newaxis`, `ellipsis`, a tensor of integers or a
/// row of them such as a std::vector, or a mask of bool.
template <class W>
concept index_word =
    index_like<W> || detail::slice_word<W> || detail::mask_word<W> || integer_range<W>;

namespace detail {

// The planning below is one function for all of them, and a template so that only programs that
// call it compile it: Int is index_t.

/// An index tensor among words. A mask is as many of them as it has dimensions, and `mask_extent`
/// is what the indexed one must be.
template <class Int>
struct Picked {
    const Int* data = nullptr;
    Layout layout;
    index_t mask_extent = -1;

    TensorView<const Int> index() const { return TensorView<const Int>(data, layout); }
};

/// How many words of a list one stands for: a mask is one for each of its dimensions, and one if it
/// has none.
template <class W>
std::size_t words_of(const W& word) {
    if constexpr (mask_word<W>) {
        return static_cast<std::size_t>(word.rank() > 0 ? word.rank() : 1);
    } else {
        return 1;
    }
}

/// The words of an index: for each a Word, which for an index tensor stands for its dimension,
/// and the number of the tensor, or -1.
template <class Int>
class WordList {
public:
    /// Room for as many words as all that is to be added stands for.
    explicit WordList(std::size_t most) : words(most), tensors(most), picked(most), owned_(most) {}

    template <class W>
    void add(W&& word) {
        if constexpr (!tensor_like<W>) {
            words[count] = Word(word);
            tensors[count++] = -1;
        } else if constexpr (mask_word<W>) {
            const Shape shape = word.shape();
            if (shape.rank() == 0) {
                // A dimension of its own, of which it picks the one or none.
                const bool picks = detail::in_memory(std::forward<W>(word)).item();
                pick(count, keep(broadloom::zeros<Int>(Shape{picks ? 1 : 0})));
                words[count++] = Word(newaxis);
                return;
            }
            const Tensor<Int>& where = keep(broadloom::nonzero(std::forward<W>(word)));
            for (index_t d = 0; d < shape.rank(); ++d) {
                pick(count++, where(all, d), shape[d]);
            }
        } else if constexpr (std::same_as<element_t<W>, Int> &&
                             operand_kind<W> != OperandKind::expression) {
            pick(count++, detail::in_memory(std::forward<W>(word)));
        } else {
            pick(count++, keep(detail::as_indices(std::forward<W>(word))));
        }
    }
    /// Beside index tensors an integer is one too, of rank 0.
    void finish() {
        if (picked_count == 0) return;
        for (std::size_t i = 0; i < count; ++i) {
            if (words[i].kind != Word::index) continue;
            Tensor<Int> index = broadloom::empty<Int>(Shape{});
            *index.data() = *words[i].range_.start;
            pick(i, keep(std::move(index)));
        }
    }

    kernel::HeapArray<Word> words;
    kernel::HeapArray<int> tensors;
    kernel::HeapArray<Picked<Int>> picked;
    std::size_t count = 0, picked_count = 0;

private:
    const Tensor<Int>& keep(Tensor<Int>&& index) {
        Tensor<Int>& kept = owned_[kept_++];
        kept = std::move(index);
        return kept;
    }
    template <class X>
    void pick(std::size_t i, const X& index, index_t mask_extent = -1) {
        words[i] = Word(all);
        tensors[i] = static_cast<int>(picked_count);
        picked[picked_count++] =
            Picked<Int>{index.data(), Layout{index.shape(), index.strides(), 0}, mask_extent};
    }

    kernel::HeapArray<Tensor<Int>> owned_;  // what `picked` looks at, unless it lies elsewhere
    std::size_t kept_ = 0;
};

/// The dimension of a slice at which a word stands, and the axis of the tensor.
struct Place {
    index_t dimension = 0, axis = 0;
};
inline Place place_of(const Word* words, std::size_t count, std::size_t word, index_t rank) {
    index_t used = 0;
    for (std::size_t i = 0; i < count; ++i) {
        used += words[i].kind == Word::newaxis || words[i].kind == Word::ellipsis ? 0 : 1;
    }
    Place place;
    for (std::size_t i = 0; i < word; ++i) {
        const index_t taken = words[i].kind == Word::ellipsis ? rank - used : 1;
        place.dimension += words[i].kind == Word::index ? 0 : taken;
        place.axis += words[i].kind == Word::newaxis ? 0 : taken;
    }
    return place;
}

/// A walk over a tensor by the offsets of its elements.
template <class Int>
struct Picking {
    IndexWalk walk;  // the dimensions of the index tensors in their place, extent 1 in the tensor
    Tensor<Int> offsets;
    Shape shape;
};

[[noreturn]] BROADLOOM_COLD inline void throw_mask_extent(index_t extent, index_t axis,
                                                          const Shape& shape) {
    throw shape_error(Sentence() << "a mask with extent " << extent << " cannot index dimension "
                                 << axis << " of shape " << shape << ", with extent "
                                 << shape[axis]);
}

/// What words that contain index tensors select. Throws index_error and shape_error.
template <class Int>
Picking<Int> plan_picking(const Layout& from, WordList<Int>& list) {
    list.finish();
    const Layout sliced = detail::slice(from, list.words.data(), static_cast<index_t>(list.count));

    // Which dimensions of the slice the index tensors stand for, and whether they are neighbours.
    kernel::HeapArray<Place> places(list.picked_count);
    bool together = true;
    index_t first = -1;
    std::size_t last_word = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        if (list.tensors[i] < 0) continue;
        const Place place = detail::place_of(list.words.data(), list.count, i, from.shape.rank());
        places[static_cast<std::size_t>(list.tensors[i])] = place;
        together = together && (first < 0 || last_word + 1 == i);
        if (first < 0) first = place.dimension;
        last_word = i;
    }

    // The index tensors broadcast together and become offsets from the lowest element in reach.
    kernel::HeapArray<const Shape*> shapes(list.picked_count);
    int counted = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape& shape = list.picked[i].layout.shape;
        if (shape.rank() > 0) shapes[static_cast<std::size_t>(counted++)] = &shape;
    }
    const Shape common = resolve(Shapes{shapes.data(), counted});
    index_t low = 0, span = 0;
    std::uint32_t is_picked = 0;
    Tensor<Int> offsets = broadloom::empty<Int>(common);
    if (list.picked_count == 0) offsets.fill(0);
    for (std::size_t i = 0; i < list.picked_count; ++i) {
        const Picked<Int>& picked = list.picked[i];
        const auto [d, axis] = places[i];
        const index_t extent = sliced.shape[d], stride = sliced.strides[d];
        if (picked.mask_extent >= 0 && picked.mask_extent != extent) {
            detail::throw_mask_extent(picked.mask_extent, axis, from.shape);
        }
        require_reach(Index(picked.index()), kernel::Reach{extent, extent, 0}, axis);
        const index_t reach = extent > 0 ? (extent - 1) * stride : 0;
        low += reach < 0 ? reach : 0;
        span += reach < 0 ? -reach : reach;
        is_picked |= std::uint32_t{1} << d;
        const auto offset = [=](Int at) noexcept { return (at < 0 ? at + extent : at) * stride; };
        auto added = broadloom::map(offset, picked.index().broadcast_to(common));
        if (i == 0) detail::assign(offsets.view(), std::move(added));
        else detail::assign(offsets.view(), offsets + std::move(added));
    }
    if (low != 0) detail::assign(offsets.view(), offsets - low);

    Picking<Int> plan;
    const index_t place = together ? first : 0;
    IndexList extents, own;
    Strides strides, index_strides;
    const auto insert = [&] {
        for (index_t i = 0; i < common.rank(); ++i) {
            extents.push_back(common[i]);
            own.push_back(1);
            strides.push_back(0);
            index_strides.push_back(offsets.strides()[i]);
        }
    };
    for (index_t d = 0; d < sliced.shape.rank(); ++d) {
        if (d == place) insert();
        if ((is_picked >> d & 1u) != 0) continue;
        extents.push_back(sliced.shape[d]);
        own.push_back(sliced.shape[d]);
        strides.push_back(sliced.strides[d]);
        index_strides.push_back(0);
    }
    plan.walk.axis = 0;
    plan.walk.shape = plan.shape = Shape(extents);
    plan.walk.indexed = Layout{Shape(own), strides, 0};
    if (plan.shape.size() > 0) plan.walk.indexed.offset = sliced.offset + low;
    plan.walk.index = Layout{plan.walk.shape, index_strides, 0};
    plan.walk.reach = kernel::Reach{span + 1, 0, 1};
    plan.offsets = std::move(offsets);
    return plan;
}

template <class... W>
inline constexpr bool has_rows = (integer_range<W> || ...);
/// A row of integers as an index tensor, and any other word as it is.
template <class W>
decltype(auto) as_word(W&& word) {
    if constexpr (integer_range<W>) return broadloom::from(word);
    else return std::forward<W>(word);
}

/// True for words of which one is an index tensor, with neither integers nor masks beside it.
template <class... W>
constexpr bool picks_once =
    ((index_like<W> ? 1 : 0) + ... + 0) == 1 &&
    ((index_like<W> || (slice_word<W> && !std::integral<std::remove_cvref_t<W>>)) && ...);

/// What such words select: along the dimension of the index tensor, what it takes from the slice
/// of the others.
template <class X, class... W>
Tensor<element_t<X>> pick_once(const X& from, W&&... words) {
    const auto word = []<class V>(const V& w) {
        if constexpr (tensor_like<V>) return Word(all);
        else return Word(w);
    };
    const Word list[] = {word(words)...};
    const Layout whole{from.shape(), from.strides(), 0};
    const Layout sliced = detail::slice(whole, list, static_cast<index_t>(sizeof...(W)));
    Tensor<element_t<X>> result;
    std::size_t at = 0;
    const auto take_if_index = [&]<class V>(V&& w) {
        if constexpr (tensor_like<V>) {
            const auto where = detail::in_memory(std::forward<V>(w));
            const Index index(where);
            const auto [dimension, axis] = detail::place_of(list, sizeof...(W), at, from.rank());
            IndexWalk plan =
                detail::plan_take(sliced.shape, sliced.strides, index.layout, dimension);
            plan.axis = axis;
            if (plan.shape.size() > 0) plan.indexed.offset = sliced.offset;
            result = detail::fetch(plan, from.data(), index, plan.shape);
        }
        ++at;
    };
    (take_if_index(std::forward<W>(words)), ...);
    return result;
}

/// For a plan that fits every contiguous tensor of the shape.
struct AlreadyLaid {
    template <class T>
    void operator()(IndexWalk&, const TensorView<T>&) const {}
};

template <class T, class S, class Int>
void put(const TensorView<T>& target, const S& source, Duplicates policy, WordList<Int>& list) {
    const Shape& shape = target.shape();
    const auto picking = detail::plan_picking(Layout{shape, row_major(shape), 0}, list);
    const Layout from = detail::broadcast_source(source.shape(), source.strides(), picking.shape);
    const Scattering plan{picking.walk, from, shape};
    const Index offsets(picking.offsets);
    const auto write = [&](const TensorView<T>& to) {
        detail::store_by(policy, plan, to, source.data(), offsets, AlreadyLaid{});
    };
    if (arithmetic<T> && target.is_contiguous() &&
        !detail::overlaps(detail::footprint(target), detail::footprint(source))) {
        write(target);
    } else {
        detail::write_to_copy(target, write);
    }
}

}  // namespace detail

/// The elements that the words select, as a tensor. Index tensors and, beside them, integers
/// broadcast together; their common dimensions stand in the place of the first of them, or in
/// front where other words stand between them. A mask is the indices of its true elements and has
/// the extents of the dimensions it indexes; of rank 0 it makes a dimension of 1 or, if it is
/// false, 0. Negative indices count from the back. Throws index_error and shape_error.
///
///     index(x, Tensor<int>{0, 2}, Tensor<int>{1, 1})     // {x(0, 1), x(2, 1)}
///     index(x, all, Tensor<int>{{0}, {2}})               // shape (n, 2, 1)
template <class X, index_word... W>
    requires(tensor_like<X> && !detail::has_rows<W...>)
[[nodiscard]] Tensor<element_t<X>> index(X&& x, W&&... words) {
    if constexpr ((detail::mask_word<W> && ...) && sizeof...(W) == 1) {
        // A mask of x's own shape picks its elements in one pass.
        if (x.rank() > 0 && ((words.shape() == x.shape()) && ...)) {
            return broadloom::masked_select(std::forward<X>(x), std::forward<W>(words)...);
        }
    }
    const auto from = detail::in_memory(std::forward<X>(x));
    const Layout layout{from.shape(), from.strides(), 0};
    if constexpr ((detail::slice_word<W> && ...)) {
        const detail::Word list[sizeof...(W) + 1] = {detail::Word(words)..., detail::Word(all)};
        return Tensor<element_t<X>>(
            from.laid(detail::slice(layout, list, static_cast<index_t>(sizeof...(W)))));
    } else if constexpr (detail::picks_once<W...>) {
        return detail::pick_once(from, std::forward<W>(words)...);
    } else {
        detail::WordList<index_t> list((detail::words_of(words) + ... + 0));
        (list.add(std::forward<W>(words)), ...);
        const auto plan = detail::plan_picking(layout, list);
        return detail::fetch(plan.walk, from.data(), detail::Index(plan.offsets), plan.shape);
    }
}
template <class X, index_word... W>
    requires(tensor_like<X> && detail::has_rows<W...>)
[[nodiscard]] Tensor<element_t<X>> index(X&& x, W&&... words) {
    return broadloom::index(std::forward<X>(x), detail::as_word(std::forward<W>(words))...);
}
/// The same for indices in braces along the first dimension.
template <tensor_like X>
[[nodiscard]] Tensor<element_t<X>> index(X&& x, std::initializer_list<index_t> indices) {
    return broadloom::index(std::forward<X>(x), view_of(indices));
}

/// Writes the source, broadcast, to the elements that the words select; leading 1s of the source
/// are dropped. Where x is the source or a word too, these count as they were. Of several
/// elements for one place the last in row-major order stays, or the policy decides. Throws
/// index_error and shape_error, and then changes nothing.
///
///     index_put_(x, 0, x < 0)                             // x where not negative, else 0
///     index_put_(counts, 1, Duplicates::add, rows, columns)
template <detail::target X, detail::source_for<X> S, index_word... W>
    requires(!detail::has_rows<W...>)
void index_put_(X&& x, S&& src, Duplicates policy, W&&... words) {
    using T = element_t<X>;
    const TensorView<T> target = x.view();
    if constexpr (!tensor_like<S> && (detail::mask_word<W> && ...) && sizeof...(W) == 1) {
        // Through a mask of x's own shape no element is named twice.
        if (detail::replaces(policy) && x.rank() > 0 && ((words.shape() == x.shape()) && ...)) {
            return broadloom::masked_fill_(target, std::forward<W>(words)..., src);
        }
    }
    const auto source = detail::source_of<T>(std::forward<S>(src));
    detail::WordList<index_t> list((detail::words_of(words) + ... + 0));
    (list.add(std::forward<W>(words)), ...);
    detail::put(target, source, policy, list);
}
template <detail::target X, detail::source_for<X> S, index_word... W>
    requires detail::has_rows<W...>
void index_put_(X&& x, S&& src, Duplicates policy, W&&... words) {
    broadloom::index_put_(std::forward<X>(x), std::forward<S>(src), policy,
                          detail::as_word(std::forward<W>(words))...);
}
template <detail::target X, detail::source_for<X> S, index_word... W>
void index_put_(X&& x, S&& src, W&&... words) {
    broadloom::index_put_(std::forward<X>(x), std::forward<S>(src), Duplicates::last,
                          std::forward<W>(words)...);
}

/// The same for indices in braces along the first dimension.
template <detail::target X, detail::source_for<X> S>
void index_put_(X&& x, S&& src, std::initializer_list<index_t> indices) {
    broadloom::index_put_(std::forward<X>(x), std::forward<S>(src), view_of(indices));
}

namespace detail {

template <class X, class... W>
auto index_of(const X& x, W&&... words) {
    return broadloom::index(x, std::forward<W>(words)...);
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_INDEX_HPP
