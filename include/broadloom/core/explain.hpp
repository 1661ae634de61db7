// The words: how shapes line up, where they clash, and what would make them fit. Nothing here
// knows the rule of broadcasting; it asks through the function it is handed.
#ifndef BROADLOOM_CORE_EXPLAIN_HPP
#define BROADLOOM_CORE_EXPLAIN_HPP

#include <string>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

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

BROADLOOM_COLD inline std::string padded(const std::string& word, std::size_t width) {
    return word.size() < width ? std::string(width - word.size(), ' ') + word : word;
}

/// `(2, 3), (4,) and (5,)`.
BROADLOOM_COLD inline std::string enumerated(Shapes shapes) {
    std::string out;
    for (int i = 0; i < shapes.count; ++i) {
        if (i > 0) out += i + 1 == shapes.count ? " and " : ", ";
        append(out, shapes[i]);
    }
    return out;
}

/// True when the extents of the operands at one dimension cannot be broadcast together.
BROADLOOM_COLD inline bool clashes_at(Shapes shapes, index_t dimension, Rule rule) {
    Shape columns[2];
    const Shape* pair[2] = {&columns[0], &columns[1]};
    IndexList ignored;
    for (int i = 0; i < shapes.count; ++i) {
        for (int j = i + 1; j < shapes.count; ++j) {
            const index_t a = shapes.aligned(i, dimension), b = shapes.aligned(j, dimension);
            columns[0] = a < 0 ? Shape{} : Shape{a};
            columns[1] = b < 0 ? Shape{} : Shape{b};
            if (!rule(Shapes{pair, 2}, ignored)) return true;
        }
    }
    return false;
}

/// The shapes one below the other, aligned at the right, with a caret under every clashing
/// dimension or the result below. With a result, or three operands, every line says whose it is.
BROADLOOM_COLD inline std::string aligned_table(Shapes shapes, Rule rule, const IndexList* result) {
    const index_t rank = shapes.max_rank();
    const std::string marks[2] = {"", "result"};
    std::size_t label = 0;
    const auto name = [&](int i) {
        const bool many = shapes.count > 2 || result != nullptr;
        return many ? "operand " + std::to_string(i) : std::string();
    };
    for (int i = 0; i < shapes.count; ++i) label = label < name(i).size() ? name(i).size() : label;
    if (result != nullptr && label < marks[1].size()) label = marks[1].size();

    IndexList widths;
    for (index_t d = 0; d < rank; ++d) {
        std::size_t width = 1;
        for (int i = 0; i < shapes.count; ++i) {
            const index_t extent = shapes.aligned(i, d);
            if (extent < 0) continue;
            const std::size_t digits = std::to_string(extent).size();
            width = width < digits ? digits : width;
        }
        widths.push_back(static_cast<index_t>(width));
    }
    const auto trimmed = [](std::string line) {
        while (!line.empty() && line.back() == ' ') line.pop_back();
        return line;
    };
    std::string out;
    const auto line = [&](const std::string& title, const auto& cell) {
        std::string text = title + std::string(label - title.size(), ' ');
        for (index_t d = 0; d < rank; ++d) {
            text.append(2, ' ');
            text += padded(cell(d), static_cast<std::size_t>(widths[d]));
        }
        out += '\n';
        out += trimmed(text);
    };
    for (int i = 0; i < shapes.count; ++i) {
        line(name(i), [&](index_t d) {
            const index_t extent = shapes.aligned(i, d);
            return extent < 0 ? std::string() : std::to_string(extent);
        });
        if (shapes[i].rank() == 0) out += "  ()";
    }
    if (result != nullptr) {
        line(marks[1], [&](index_t d) { return std::to_string((*result)[d]); });
    } else {
        line("", [&](index_t d) { return clashes_at(shapes, d, rule) ? "^" : ""; });
    }
    return out;
}

/// One simple change to one of two shapes that makes them fit, as a sentence, or nothing.
BROADLOOM_COLD inline std::string remedy(Shapes shapes, Rule rule) {
    if (shapes.count != 2) return {};
    IndexList result;
    const auto fits = [&](const Shape& a, const Shape& b) {
        const Shape* pair[2] = {&a, &b};
        return rule(Shapes{pair, 2}, result);
    };
    const auto who = [](int which) {
        return std::string(which == 0 ? "the first operand" : "the second operand");
    };
    // The last operand is tried first: it is usually the one that was meant to adapt.
    for (int which = 1; which >= 0; --which) {
        const Shape& changed = shapes[which];
        const Shape& other = shapes[1 - which];
        if (changed.rank() > 0 && changed.rank() < other.rank()) {
            const index_t last = other.rank() - changed.rank();
            for (index_t axis = last - 1; axis >= 0; --axis) {
                IndexList laid = changed.extents();
                for (index_t d = axis; d < last; ++d) laid.push_back(1);
                if (!fits(Shape(laid), other)) continue;
                std::string out = "laid on the other from axis " + std::to_string(axis) + ", " +
                                  who(which) + " would fit: align(..., " +
                                  std::to_string(other.rank()) + ", " + std::to_string(axis) + ")";
                if (last - axis == 1) {
                    out += " or unsqueeze(-1), as keepdims in a reduction leaves it";
                }
                return out;
            }
        }
        for (index_t axis = changed.rank(); axis > 0 && changed.rank() < other.rank(); --axis) {
            IndexList wider = changed.extents();
            wider.insert(axis, 1);
            if (!fits(Shape(wider), other)) continue;
            return "unsqueeze(" + std::to_string(axis) + ") makes " + who(which) + " " + text(wider) +
                   ", which fits";
        }
    }
    for (int which = 1; which >= 0; --which) {
        IndexList turned;
        index_t steps = 0;
        for (index_t d = shapes[which].rank() - 1; d >= 0; --d) {
            turned.push_back(shapes[which][d]);
            steps += turned[turned.rank() - 1] != 1;
        }
        // A row or a column in many dimensions is not what somebody forgot to transpose.
        if (steps >= 2 && fits(Shape(turned), shapes[1 - which])) {
            return "transpose() makes " + who(which) + " " + text(turned) + ", which fits";
        }
    }
    if (shapes[0].rank() == 1 && shapes[1].rank() == 1) {
        return "for every pair of elements, write x(all, newaxis) for the first operand";
    }
    return {};
}

/// The message of a mismatch: the shapes, the dimension, the table, and a remedy if there is one.
BROADLOOM_COLD inline std::string mismatch_message(Shapes shapes, Rule rule) {
    std::string out = "shapes " + enumerated(shapes) + " are not broadcastable: ";
    const index_t rank = shapes.max_rank();
    for (index_t d = rank - 1; d >= 0; --d) {
        if (!clashes_at(shapes, d, rule)) continue;
        for (int i = 0; i < shapes.count; ++i) {
            for (int j = i + 1; j < shapes.count; ++j) {
                const index_t a = shapes.aligned(i, d), b = shapes.aligned(j, d);
                const Shape columns[2] = {a < 0 ? Shape{} : Shape{a}, b < 0 ? Shape{} : Shape{b}};
                const Shape* pair[2] = {&columns[0], &columns[1]};
                IndexList ignored;
                if (rule(Shapes{pair, 2}, ignored)) continue;
                out += std::to_string(a) + " and " + std::to_string(b) + " differ at dimension " +
                       std::to_string(d) + aligned_table(shapes, rule, nullptr);
                const std::string help = remedy(shapes, rule);
                return help.empty() ? out : out + "\n" + help;
            }
        }
    }
    return out;
}

/// The printable account of how shapes line up: the table, what every dimension does, and the
/// result or the reason why there is none.
BROADLOOM_COLD inline std::string explanation(Shapes shapes, Rule rule) {
    IndexList result;
    if (!rule(shapes, result)) return mismatch_message(shapes, rule);
    std::string out = "shapes " + enumerated(shapes) + " broadcast to " + text(result);
    out += aligned_table(shapes, rule, &result);
    for (index_t d = 0; d < result.rank(); ++d) {
        std::string who;
        for (int i = 0; i < shapes.count; ++i) {
            const index_t extent = shapes.aligned(i, d);
            if (extent == result[d]) continue;
            if (!who.empty()) who += ", ";
            who += "operand " + std::to_string(i) + (extent < 0 ? " (has none)" : " (is 1)");
        }
        out += "\ndimension " + std::to_string(d) + ": " + std::to_string(result[d]) +
               (who.empty() ? ", all alike" : ", expanded for " + who);
    }
    return out;
}

}  // namespace broadloom::detail

#endif  // BROADLOOM_CORE_EXPLAIN_HPP
