#include "broadloom/core/explain.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "broadloom/core/broadcast.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::explain, bl::index_t, bl::Shape;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class... S>
std::string mismatch(const S&... shapes) {
    try {
        bl::broadcast_shapes(shapes...);
    } catch (const bl::shape_error& e) {
        return e.what();
    }
    return "no error";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

}  // namespace

TEST_CASE("A mismatch names the shapes and the dimension, and shows them aligned") {
    CHECK(mismatch(Shape{5, 2, 4, 1}, Shape{3, 1, 1}) ==
          "shapes (5, 2, 4, 1) and (3, 1, 1) are not broadcastable: 2 and 3 differ at dimension 1\n"
          "  5  2  4  1\n"
          "     3  1  1\n"
          "     ^");
}

TEST_CASE("Columns are as wide as their widest extent, and every clash has a caret") {
    CHECK(mismatch(Shape{2, 100, 4}, Shape{3, 5, 4})
              .find("\n  2  100  4\n"
                    "  3    5  4\n"
                    "  ^    ^") != std::string::npos);
}

TEST_CASE("With three operands every line says which one it is") {
    CHECK(mismatch(Shape{2, 3}, Shape{3}, Shape{4, 1, 2})
              .find("shapes (2, 3), (3,) and (4, 1, 2) are not broadcastable: 3 and 2 differ at "
                    "dimension 2\n"
                    "operand 0     2  3\n"
                    "operand 1        3\n"
                    "operand 2  4  1  2\n"
                    "                 ^") == 0);
}

TEST_CASE("Two operands that fit and one that does not: the clashing extents are named") {
    CHECK_THAT(mismatch(Shape{}, Shape{3}, Shape{1}, Shape{5}),
               ContainsSubstring("3 and 5 differ"));
    CHECK_THAT(mismatch(Shape{0}, Shape{2}), ContainsSubstring("0 and 2 differ at dimension 0"));
}

TEST_CASE("The message of any clash marks exactly the dimensions that clash") {
    const std::vector<Shape> shapes = naive::all_shapes(3, 3);
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            Shape common;
            if (naive::common_shape({a, b}, common)) continue;
            const std::string text = mismatch(a, b);
            const std::vector<std::string> lines = lines_of(text);
            INFO(text);
            REQUIRE(lines.size() >= 4);
            // All extents have one digit here: dimension d stands in column 3 * d + 2.
            const index_t rank = a.rank() > b.rank() ? a.rank() : b.rank();
            std::string rows[3] = {std::string(), std::string(), std::string()};
            index_t last = -1;
            for (index_t d = 0; d < rank; ++d) {
                const index_t in_a = d - (rank - a.rank()), in_b = d - (rank - b.rank());
                const bool both = in_a >= 0 && in_b >= 0;
                const bool clash = both && a[in_a] != b[in_b] && a[in_a] != 1 && b[in_b] != 1;
                rows[0] += in_a < 0 ? "   " : "  " + std::to_string(a[in_a]);
                rows[1] += in_b < 0 ? "   " : "  " + std::to_string(b[in_b]);
                rows[2] += clash ? "  ^" : "   ";
                if (clash) last = d;
            }
            while (rows[2].back() == ' ') rows[2].pop_back();
            const bool aligned = lines[1] == rows[0] && lines[2] == rows[1] && lines[3] == rows[2];
            const bool named =
                lines[0].find(bl::detail::text(a)) != std::string::npos &&
                lines[0].find(bl::detail::text(b)) != std::string::npos &&
                lines[0].find("dimension " + std::to_string(last)) != std::string::npos;
            if (!aligned || !named) FAIL("not as it should be");
        }
    }
}

TEST_CASE("Where a simple change helps the message says which") {
    // A row of statistics per row of the other.
    CHECK_THAT(mismatch(Shape{4, 3}, Shape{4}),
               ContainsSubstring("unsqueeze(-1)") && ContainsSubstring("keepdims"));
    CHECK_THAT(mismatch(Shape{4}, Shape{4, 3}), ContainsSubstring("the first operand"));
    // A channel vector on NCHW.
    CHECK_THAT(mismatch(Shape{2, 3, 4, 5}, Shape{3}), ContainsSubstring("align(..., 4, 1)"));
    CHECK_THAT(mismatch(Shape{2, 3}, Shape{3, 2}), ContainsSubstring("transpose()"));
    CHECK_THAT(mismatch(Shape{3}, Shape{4}), ContainsSubstring("newaxis"));
    CHECK_THAT(mismatch(Shape{2, 7, 5}, Shape{2, 5}),
               ContainsSubstring("unsqueeze(1)") || ContainsSubstring("axis"));
    // Two dimensions are missing, which a single one of 1 does not make up for.
    CHECK_THAT(mismatch(Shape{2, 3, 4}, Shape{2}),
               ContainsSubstring("align(..., 3, 0)") && !ContainsSubstring("unsqueeze(-1)"));
    // Pairs are made of two lines.
    CHECK_THAT(mismatch(Shape{3}, Shape{2, 4}), !ContainsSubstring("for every pair"));
    CHECK_THAT(mismatch(Shape{2, 4}, Shape{3}), !ContainsSubstring("for every pair"));
    // Nothing simple helps: the table is the end.
    const std::string hopeless = mismatch(Shape{2, 3}, Shape{5, 7});
    CHECK(hopeless.back() == '^');
}

TEST_CASE("Shapes that fit are explained dimension by dimension") {
    CHECK(explain(Shape{8, 1, 6, 1}, Shape{7, 1, 5}) ==
          "shapes (8, 1, 6, 1) and (7, 1, 5) broadcast to (8, 7, 6, 5)\n"
          "operand 0  8  1  6  1\n"
          "operand 1     7  1  5\n"
          "result     8  7  6  5\n"
          "dimension 0: 8, expanded for operand 1 (has none)\n"
          "dimension 1: 7, expanded for operand 0 (is 1)\n"
          "dimension 2: 6, expanded for operand 1 (is 1)\n"
          "dimension 3: 5, expanded for operand 0 (is 1)");
}

TEST_CASE("Labels have room for the number of the last operand, and for the result alone") {
    CHECK_THAT(explain(std::vector<Shape>(10, Shape{3})),
               ContainsSubstring("\noperand 9  3\nresult     3\n"));
    CHECK_THAT(explain(std::vector<Shape>(11, Shape{3})),
               ContainsSubstring("\noperand 9   3\noperand 10  3\n"));
    CHECK_THAT(explain(std::vector<Shape>()), ContainsSubstring("\nresult  ()"));
}

TEST_CASE("An explanation is given for any shapes, those of rank 0 included") {
    CHECK_THAT(explain(Shape{}, Shape{2}), ContainsSubstring("()") && ContainsSubstring("(2,)"));
    CHECK_THAT(explain(Shape{}), ContainsSubstring("broadcast to ()"));
    CHECK(explain(Shape{}, Shape{}) ==
          "shapes () and () broadcast to ()\n"
          "operand 0  ()\n"
          "operand 1  ()\n"
          "result     ()");
    CHECK_THAT(explain(), ContainsSubstring("broadcast to ()"));
    CHECK_THAT(explain(Shape{3}, Shape{4}), ContainsSubstring("not broadcastable"));
    CHECK_THAT(explain(Shape{2, 2}, Shape{2, 2}), ContainsSubstring("all alike"));
    CHECK_THAT(explain(Shape{0, 1}, Shape{1, 0}), ContainsSubstring("(0, 0)"));
    const std::vector<Shape> shapes = naive::all_shapes(2, 3);
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (const Shape& c : shapes) {
                Shape common;
                const bool fits = naive::common_shape({a, b, c}, common);
                const std::string text = explain(a, b, c);
                const std::string said = fits ? "broadcast to " + bl::detail::text(common) + "\n"
                                              : "are not broadcastable: ";
                if (text.find(said) == std::string::npos) FAIL(text);
            }
        }
    }
}
