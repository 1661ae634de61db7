// The rule, and nobody else knows it. Shapes are aligned at the right; a missing dimension counts
// as 1; two extents are compatible when they are equal or one of them is 1, and the result is
// `a == 1 ? b : a` (not the maximum: 1 with 0 gives 0). An operand follows with stride 0.
#ifndef BROADLOOM_CORE_BROADCAST_HPP
#define BROADLOOM_CORE_BROADCAST_HPP

#include <concepts>
#include <iterator>
#include <string>
#include <type_traits>

#include "broadloom/core/explain.hpp"
#include "broadloom/core/policy.hpp"
#include "broadloom/core/strides.hpp"
#include "broadloom/kernel/heap_array.hpp"

namespace broadloom {
namespace detail {

/// Folds one more shape into `result`; false when they clash.
constexpr bool broadcast_into(IndexList& result, const IndexList& shape) {
    const index_t missing = shape.rank() - result.rank();
    if (missing > 0) {
        IndexList wider = IndexList::uninitialized(shape.rank());
        for (index_t d = 0; d < missing; ++d) wider[d] = 1;
        for (index_t d = missing; d < shape.rank(); ++d) wider[d] = result[d - missing];
        result = wider;
    }
    const index_t lead = result.rank() - shape.rank();
    for (index_t d = 0; d < shape.rank(); ++d) {
        const index_t a = result[lead + d], b = shape[d];
        if (a == b || b == 1) continue;
        if (a != 1) return false;
        result[lead + d] = b;
    }
    return true;
}

/// The rule for any number of shapes; none at all give rank 0.
BROADLOOM_NOINLINE constexpr bool fits(Shapes shapes, IndexList& result) {
    result = shapes.count > 0 ? shapes.list[0]->extents() : IndexList();
    for (int i = 1; i < shapes.count; ++i) {
        if (!broadcast_into(result, shapes.list[i]->extents())) return false;
    }
    return true;
}

/// What a policy refuses although the rule allows it.
constexpr bool allowed(broadcast_policy policy, Shapes shapes, const IndexList& result) {
    bool one_sided = shapes.count == 0, same_rank = true, exact = true;
    index_t rank = 0;
    for (int i = 0; i < shapes.count; ++i) {
        const IndexList& shape = shapes.list[i]->extents();
        one_sided = one_sided || shape == result;
        exact = exact && shape == result;
        if (shape.rank() > 0 && rank > 0 && shape.rank() != rank) same_rank = false;
        if (shape.rank() > 0) rank = shape.rank();
    }
    switch (policy) {
        case broadcast_policy::one_sided: return one_sided;
        case broadcast_policy::no_rank_promotion: return same_rank;
        case broadcast_policy::exact: return exact;
        default: return true;
    }
}

[[noreturn]] BROADLOOM_COLD inline void throw_not_broadcastable(Shapes shapes) {
    Sentence out;
    write_mismatch(out, shapes, fits);
    throw shape_error(out);
}
[[noreturn]] BROADLOOM_COLD inline void throw_refused(Shapes shapes, const IndexList& result) {
    Sentence out;
    out << "shapes ";
    enumerate(out, shapes);
    out << " would broadcast to " << result << ", which " << policy_name(current_policy)
        << " refuses";
    write_table(out, shapes, fits, &result);
    throw shape_error(out);
}
/// Throws shape_error where the policy in force refuses.
inline void require_allowed(Shapes shapes, const IndexList& result) {
    if (!allowed(current_policy, shapes, result)) throw_refused(shapes, result);
}

BROADLOOM_COLD inline void warn_same_size(Shapes shapes) {
    for (int j = 1; j < shapes.count; ++j) {
        for (int i = 0; i < j; ++i) {
            if (shapes[i].size() == shapes[j].size() && shapes[i] != shapes[j]) {
                broadcast_warning::report(shapes[i], shapes[j]);
                return;
            }
        }
    }
}

constexpr bool all_equal(Shapes shapes) {
    for (int i = 1; i < shapes.count; ++i) {
        if (*shapes.list[0] != *shapes.list[i]) return false;
    }
    return shapes.count > 0;
}

/// The common shape of operands that differ, told to contracts and warnings.
BROADLOOM_NOINLINE constexpr Shape resolve_fully(Shapes shapes) {
    IndexList result;
    if (!fits(shapes, result)) throw_not_broadcastable(shapes);
    if (!std::is_constant_evaluated()) {
        require_allowed(shapes, result);
        if (broadcast_warning::enabled()) warn_same_size(shapes);
    }
    return Shape(result);
}

/// True when somebody wants to hear of every broadcast.
inline bool is_watched() noexcept {
    return current_policy != broadcast_policy::any || broadcast_warning::enabled();
}

/// The common shape of two that fit, of few dimensions and small extents, in one pass; false where
/// anything else is the case.
constexpr bool settle(const IndexList& a, const IndexList& b, Shape& result) {
    const bool first = a.rank() >= b.rank();
    const IndexList& more = first ? a : b;
    const IndexList& less = first ? b : a;
    const index_t rank = more.rank(), lead = rank - less.rank();
    // The product of so many extents so small is at hand in one register.
    constexpr index_t most = 4;
    constexpr std::size_t safe = (std::size_t{1} << (8 * sizeof(index_t) / most - 1)) - 1;
    if (rank > most) return false;
    IndexList extents = more;
    bool clash = false;
    std::size_t size = 1, widest = 0;
    for (index_t d = 0; d < rank; ++d) {
        index_t extent = extents[d];
        if (d >= lead) {
            const index_t other = less[d - lead];
            extent = extent == 1 ? other : extent;
            clash |= (extent != other) & (other != 1);
            extents[d] = extent;
        }
        size *= static_cast<std::size_t>(extent);
        widest |= static_cast<std::size_t>(extent);
    }
    if (clash || widest > safe) return false;
    result = Shape::trusted(extents, static_cast<index_t>(size));
    return true;
}

/// The common shape of shapes that differ.
BROADLOOM_NOINLINE constexpr Shape resolve_different(Shapes shapes) {
    // Two small shapes that fit, which nobody watches, are settled in one pass.
    if (shapes.count == 2 && (std::is_constant_evaluated() || !is_watched())) {
        Shape result;
        if (settle(shapes[0].extents(), shapes[1].extents(), result)) return result;
    }
    return resolve_fully(shapes);
}

/// The common shape of the operands. Throws shape_error on a mismatch, or where the policy in
/// force refuses; tells the warning's handler.
BROADLOOM_NOINLINE constexpr Shape resolve(Shapes shapes) {
    if (all_equal(shapes)) return *shapes.list[0];
    return resolve_different(shapes);
}

/// Names `given`, and tells of `source`, which is that or what of it must fit.
[[noreturn]] BROADLOOM_COLD inline void throw_cannot_grow(const Shape& given, const Shape& source,
                                                          const Shape& target) {
    Sentence out;
    out << "cannot broadcast " << given << " into " << target;
    const index_t lead = source.rank() - target.rank();
    if (lead > 0) {
        out << ": the target would have to gain " << lead
            << (lead == 1 ? " dimension" : " dimensions");
    } else {
        for (index_t d = source.rank() - 1; d >= 0; --d) {
            const index_t have = target[d - lead], want = source[d];
            if (have == want || want == 1) continue;
            out << ": extent " << have << " at dimension " << d - lead
                << (have == 1 ? " would have to grow to " : " does not match ") << want;
            break;
        }
        constexpr auto fits_target = [](Shapes shapes, IndexList& result) {
            return fits(shapes, result) && result == shapes[1].extents();
        };
        write_unsqueeze(out, "the source", source, target, fits_target);
    }
    throw shape_error(out);
}

/// True when `source` broadcasts to exactly `target`.
constexpr bool fits_into(const IndexList& source, const IndexList& target) {
    const index_t lead = target.rank() - source.rank();
    if (lead < 0) return false;
    for (index_t d = 0; d < source.rank(); ++d) {
        if (source[d] != 1 && source[d] != target[lead + d]) return false;
    }
    return true;
}
/// Throws shape_error unless `source` broadcasts to exactly `target`.
BROADLOOM_NOINLINE constexpr void require_fits_into(const Shape& source, const Shape& target) {
    if (!fits_into(source.extents(), target.extents())) throw_cannot_grow(source, source, target);
}

/// The strides with zeros: how a layout is walked as if it had `target`'s shape. Throws
/// shape_error when it does not broadcast to it.
constexpr Strides broadcast_strides(const Shape& shape, const Strides& strides,
                                    const Shape& target) {
    require_fits_into(shape, target);
    const index_t lead = target.rank() - shape.rank();
    Strides result = Strides::uninitialized(target.rank());
    for (index_t d = 0; d < lead; ++d) result[d] = 0;
    for (index_t d = 0; d < shape.rank(); ++d) {
        result[lead + d] = shape[d] == 1 && target[lead + d] != 1 ? 0 : strides[d];
    }
    return result;
}

/// A shape without its leading extents of 1 beyond `rank` dimensions, as assignment drops them.
constexpr Shape drop_leading_ones(const Shape& shape, index_t rank) {
    index_t first = 0;
    while (shape.rank() - first > rank && shape[first] == 1) ++first;
    if (first == 0) return shape;
    IndexList rest;
    for (index_t d = first; d < shape.rank(); ++d) rest.push_back(shape[d]);
    return Shape(rest);
}
/// The same, for a source that may be assigned to elements of a shape. Throws shape_error, also
/// where the policy in force refuses what is no number.
BROADLOOM_NOINLINE constexpr Shape assigned_shape(const Shape& source, const Shape& target) {
    const Shape rest = drop_leading_ones(source, target.rank());
    if (!fits_into(rest.extents(), target.extents())) throw_cannot_grow(source, rest, target);
    if (rest.rank() > 0 && !std::is_constant_evaluated() && is_watched()) {
        const Shape* const list[2] = {&target, &rest};
        require_allowed(Shapes{list, 2}, target.extents());
    }
    return rest;
}
/// Throws shape_error unless a source may be assigned to elements of a shape.
BROADLOOM_NOINLINE constexpr void require_assignable(const Shape& source, const Shape& target) {
    if (source != target) assigned_shape(source, target);
}

/// A range of shapes, or of what converts to them: a std::vector, std::array or std::span.
template <class R>
concept range_of_shapes = requires(const R& r) {
    { *std::begin(r) } -> std::convertible_to<const Shape&>;
    std::size(r);
};

/// Calls `f` with shapes whose number is known at run time only.
template <class R, class F>
auto with_shapes(const R& shapes, F f) {
    // Copies, since a shape may be made as the range is read.
    kernel::HeapArray<Shape> kept(std::size(shapes));
    kernel::HeapArray<const Shape*> list(kept.size());
    std::size_t i = 0;
    for (const auto& shape : shapes) {
        kept[i] = shape;
        list[i] = &kept[i];
        ++i;
    }
    return f(Shapes{list.data(), static_cast<int>(list.size())});
}
/// A shape, or what has one: a tensor, a view, an expression.
template <class S>
concept shaped = std::convertible_to<S, Shape> || requires(const S& x) {
    { x.shape() } -> std::convertible_to<Shape>;
};
template <shaped S>
constexpr Shape shape_of(const S& x) {
    if constexpr (std::convertible_to<S, Shape>) return x;
    else return x.shape();
}
/// Calls `f` with shapes that stand one by one.
template <class F, class... S>
constexpr auto with_listed(F f, const S&... shapes) {
    const Shape list[sizeof...(S) + 1] = {detail::shape_of(shapes)..., Shape{}};
    const Shape* pointers[sizeof...(S) + 1] = {};
    for (std::size_t i = 0; i < sizeof...(S); ++i) pointers[i] = &list[i];
    return f(Shapes{pointers, static_cast<int>(sizeof...(S))});
}
inline std::string explain_all(Shapes shapes) { return explanation(shapes, fits); }
/// True when the shapes fit, the result is a shape, and the policy in force allows it.
constexpr bool fits_and_allowed(Shapes shapes) {
    IndexList result;
    if (!fits(shapes, result) || count_elements(result) < 0) return false;
    return std::is_constant_evaluated() || allowed(current_policy, shapes, result);
}
/// As `resolve`, but the handler of warnings is told nothing.
inline Shape resolve_quietly(Shapes shapes) {
    IndexList result;
    if (fits(shapes, result) && allowed(current_policy, shapes, result)) return Shape(result);
    return resolve(shapes);
}

}  // namespace detail

/// Declares `NAME(shapes...)` for shapes or what has one, for one to four shapes in braces, and for
/// any number of them in a row, such as a std::vector<Shape>.
#define BROADLOOM_OF_SHAPES(RESULT, NAME, F)                                             \
    template <detail::shaped... S>                                                       \
    RESULT NAME(const S&... shapes) {                                                    \
        return detail::with_listed(F, shapes...);                                        \
    }                                                                                    \
    RESULT NAME(const Shape& x) { return detail::with_listed(F, x); }                    \
    RESULT NAME(const Shape& x, const Shape& y) { return detail::with_listed(F, x, y); } \
    RESULT NAME(const Shape& x, const Shape& y, const Shape& z) {                        \
        return detail::with_listed(F, x, y, z);                                          \
    }                                                                                    \
    RESULT NAME(const Shape& x, const Shape& y, const Shape& z, const Shape& w) {        \
        return detail::with_listed(F, x, y, z, w);                                       \
    }                                                                                    \
    template <detail::range_of_shapes R>                                                 \
    RESULT NAME(const R& shapes) {                                                       \
        return detail::with_shapes(shapes, F);                                           \
    }

/// The shape that all of these broadcast to: `broadcast_shapes({3, 1}, {4})` is (3, 4). Throws
/// shape_error, which names the shapes and shows them aligned.
BROADLOOM_OF_SHAPES(constexpr Shape, broadcast_shapes, detail::resolve)

/// True when the shapes broadcast together under the policy in force.
BROADLOOM_OF_SHAPES(constexpr bool, broadcastable, detail::fits_and_allowed)

/// A printable table of how shapes line up, what each dimension does, and the result, or the
/// reason why there is none and what would help. Never throws for shapes that clash.
BROADLOOM_OF_SHAPES(inline std::string, explain, detail::explain_all)

#undef BROADLOOM_OF_SHAPES

}  // namespace broadloom

#endif  // BROADLOOM_CORE_BROADCAST_HPP
