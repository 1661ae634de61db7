// The words: how shapes line up, where they clash, and what would make them fit. Nothing here
// knows the rule of broadcasting; it asks through the function it is handed.
#ifndef BROADLOOM_CORE_EXPLAIN_HPP
#define BROADLOOM_CORE_EXPLAIN_HPP

#include <string>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"

BROADLOOM_PLANNING_BEGIN

namespace broadloom::detail {

/// Several shapes, by pointer: the operands of one operation, in order.
struct Shapes {
    const Shape* const* list;
    int count;

    constexpr const Shape& operator[](int i) const { return *list[i]; }
    index_t max_rank() const {
        index_t rank = 0;
        for (int i = 0; i < count; ++i) rank = rank < list[i]->rank() ? list[i]->rank() : rank;
        return rank;
    }
    /// The extent of operand i at a dimension of the result, or -1 where it has none.
    index_t aligned(int i, index_t dimension) const {
        const index_t d = dimension - (max_rank() - list[i]->rank());
        return d < 0 ? -1 : (*list[i])[d];
    }
};

/// The rule: true when the shapes broadcast; then `result` is their common shape.
using Rule = bool (*)(Shapes, IndexList& result);

/// Writes `(2, 3), (4,) and (5,)`.
BROADLOOM_COLD inline void enumerate(Sentence& out, Shapes shapes) {
    for (int i = 0; i < shapes.count; ++i) {
        if (i > 0) out << (i + 1 == shapes.count ? " and " : ", ");
        out << shapes[i];
    }
}

/// True when two extents, -1 for none, cannot be broadcast together.
BROADLOOM_COLD inline bool clash(index_t a, index_t b, Rule rule) {
    Shape columns[2];
    if (a >= 0) columns[0] = Shape{a};
    if (b >= 0) columns[1] = Shape{b};
    const Shape* pair[2] = {&columns[0], &columns[1]};
    IndexList ignored;
    return !rule(Shapes{pair, 2}, ignored);
}

/// Finds the first two operands that clash at one dimension; false when there are none.
BROADLOOM_COLD inline bool clashes_at(Shapes shapes, index_t dimension, Rule rule,
                                      index_t (&extents)[2]) {
    for (int i = 0; i < shapes.count; ++i) {
        for (int j = i + 1; j < shapes.count; ++j) {
            extents[0] = shapes.aligned(i, dimension);
            extents[1] = shapes.aligned(j, dimension);
            if (clash(extents[0], extents[1], rule)) return true;
        }
    }
    return false;
}

/// How many characters an extent takes.
BROADLOOM_COLD inline index_t digits(index_t extent) {
    index_t count = 1;
    while ((extent /= 10) != 0) ++count;
    return count;
}

/// Writes the shapes one below the other, aligned at the right, with a caret under every clashing
/// dimension or the result below. With a result, or three operands, every line says whose it is.
BROADLOOM_COLD inline void write_table(Sentence& out, Shapes shapes, Rule rule,
                                       const IndexList* result) {
    const index_t rank = shapes.max_rank();
    const bool named = shapes.count > 2 || result != nullptr;
    index_t label = 0;
    if (named) label = shapes.count > 0 ? 8 + digits(shapes.count - 1) : 6;
    IndexList widths;
    for (index_t d = 0; d < rank; ++d) {
        index_t width = 1;
        for (int i = 0; i < shapes.count; ++i) {
            const index_t extent = shapes.aligned(i, d);
            if (extent >= 0 && digits(extent) > width) width = digits(extent);
        }
        widths.push_back(width);
    }
    for (int i = 0; i <= shapes.count; ++i) {
        const bool below = i == shapes.count;
        out << "\n";
        index_t end = static_cast<index_t>(out.size()) + label;
        if (below && result != nullptr) out << "result";
        if (!below && named) out << "operand " << i;
        for (index_t d = 0; d < rank; ++d) {
            end += 2 + widths[d];
            index_t extent = -1, ignored[2];
            if (!below) extent = shapes.aligned(i, d);
            else if (result != nullptr) extent = (*result)[d];
            else if (clashes_at(shapes, d, rule, ignored)) {
                out.pad(static_cast<std::size_t>(end - 1)) << "^";
            }
            if (extent >= 0) {
                out.pad(static_cast<std::size_t>(end - digits(extent))) << extent;
            }
        }
        if (below && result != nullptr && rank == 0) {
            out.pad(static_cast<std::size_t>(end)) << "  ()";
        }
        if (!below && shapes[i].rank() == 0) out << "  ()";
    }
}

/// True when extents would fit beside a shape.
BROADLOOM_COLD inline bool fits_beside(const IndexList& extents, const Shape& other, Rule rule) {
    const Shape shape(extents);
    const Shape* pair[2] = {&shape, &other};
    IndexList result;
    return rule(Shapes{pair, 2}, result);
}

/// Writes how dimensions of 1 would make one shape fit beside another, as a sentence on a line of
/// its own; false if they would not.
BROADLOOM_COLD inline bool write_unsqueeze(Sentence& out, const char* who, const Shape& changed,
                                           const Shape& other, Rule rule) {
    if (changed.rank() > 0 && changed.rank() < other.rank()) {
        const index_t last = other.rank() - changed.rank();
        for (index_t axis = last - 1; axis >= 0; --axis) {
            IndexList laid = changed.extents();
            for (index_t d = axis; d < last; ++d) laid.push_back(1);
            if (!fits_beside(laid, other, rule)) continue;
            out << "\nlaid on the other from axis " << axis << ", " << who
                << " would fit: align(..., " << other.rank() << ", " << axis << ")";
            if (last - axis == 1) out << " or unsqueeze(-1), as keepdims in a reduction leaves it";
            return true;
        }
    }
    for (index_t axis = changed.rank(); axis > 0 && changed.rank() < other.rank(); --axis) {
        IndexList wider = changed.extents();
        wider.insert(axis, 1);
        if (!fits_beside(wider, other, rule)) continue;
        out << "\nunsqueeze(" << axis << ") makes " << who << " " << wider << ", which fits";
        return true;
    }
    return false;
}

/// Writes one simple change to one of two shapes that makes them fit, or nothing.
BROADLOOM_COLD inline void write_remedy(Sentence& out, Shapes shapes, Rule rule) {
    if (shapes.count != 2) return;
    const char* const who[2] = {"the first operand", "the second operand"};
    // The last operand is tried first: it is usually the one that was meant to adapt.
    for (int which = 1; which >= 0; --which) {
        if (write_unsqueeze(out, who[which], shapes[which], shapes[1 - which], rule)) return;
    }
    for (int which = 1; which >= 0; --which) {
        IndexList turned;
        index_t steps = 0;
        for (index_t d = shapes[which].rank() - 1; d >= 0; --d) {
            turned.push_back(shapes[which][d]);
            steps += turned[turned.rank() - 1] != 1;
        }
        // A row or a column in many dimensions is not what somebody forgot to transpose.
        if (steps >= 2 && fits_beside(turned, shapes[1 - which], rule)) {
            out << "\ntranspose() makes " << who[which] << " " << turned << ", which fits";
            return;
        }
    }
    if (shapes[0].rank() == 1 && shapes[1].rank() == 1) {
        out << "\nfor every pair of elements, write x(all, newaxis) for the first operand";
    }
}

/// Writes of a mismatch: the shapes, the dimension, the table, and a remedy if there is one.
BROADLOOM_COLD inline void write_mismatch(Sentence& out, Shapes shapes, Rule rule) {
    out << "shapes ";
    enumerate(out, shapes);
    out << " are not broadcastable: ";
    index_t extents[2] = {}, d = shapes.max_rank() - 1;
    while (d >= 0 && !clashes_at(shapes, d, rule, extents)) --d;
    if (d < 0) return;
    out << extents[0] << " and " << extents[1] << " differ at dimension " << d;
    write_table(out, shapes, rule, nullptr);
    write_remedy(out, shapes, rule);
}

/// The printable account of how shapes line up: the table, what every dimension does, and the
/// result or the reason why there is none.
BROADLOOM_COLD inline std::string explanation(Shapes shapes, Rule rule) {
    Sentence out;
    IndexList result;
    if (!rule(shapes, result)) {
        write_mismatch(out, shapes, rule);
        return out.str();
    }
    out << "shapes ";
    enumerate(out, shapes);
    out << " broadcast to " << result;
    write_table(out, shapes, rule, &result);
    for (index_t d = 0; d < result.rank(); ++d) {
        out << "\ndimension " << d << ": " << result[d];
        bool alike = true;
        for (int i = 0; i < shapes.count; ++i) {
            const index_t extent = shapes.aligned(i, d);
            if (extent == result[d]) continue;
            out << (alike ? ", expanded for operand " : ", operand ") << i
                << (extent < 0 ? " (has none)" : " (is 1)");
            alike = false;
        }
        if (alike) out << ", all alike";
    }
    return out.str();
}

}  // namespace broadloom::detail

BROADLOOM_PLANNING_END

#endif  // BROADLOOM_CORE_EXPLAIN_HPP
