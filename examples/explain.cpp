// Do these shapes broadcast together: to what shape, by which expansions, and if not, what helps?
#include <broadloom/broadloom.hpp>
#include <charconv>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

namespace bl = broadloom;

constexpr const char* usage =
    "usage: explain SHAPE...\n"
    "\n"
    "Shows how shapes line up under the rules of broadcasting, and what they broadcast to.\n"
    "A shape is its extents with an x between them, and () is a single number:\n"
    "\n"
    "    explain 8x1x6x1 7x1x5\n"
    "    explain 256x256x3 3 '()'\n"
    "\n"
    "Ends with 0 if the shapes fit, with 1 if they do not, and with 2 if it cannot read them.\n";

/// The shape in a word such as 8x1x6x1, or nothing if it is not one. Throws where it is too long.
static std::optional<bl::Shape> parse(std::string_view word) {
    bl::IndexList extents;
    if (word == "()") return bl::Shape(extents);
    const char* at = word.data();
    const char* const end = at + word.size();
    for (;;) {
        bl::index_t extent = -1;
        const auto [next, error] = std::from_chars(at, end, extent);
        if (error != std::errc() || extent < 0) return {};
        extents.push_back(extent);
        if (next == end) return bl::Shape(extents);
        if (*next != 'x') return {};
        at = next + 1;
    }
}

int main(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + (argc > 0), argv + argc);
    if (words.empty()) {
        std::fputs(usage, stderr);
        return 2;
    }
    std::vector<bl::Shape> shapes;
    for (const std::string_view word : words) {
        if (word == "--help" || word == "-h") {
            std::fputs(usage, stdout);
            return 0;
        }
        try {
            if (const auto shape = parse(word)) {
                shapes.push_back(*shape);
                continue;
            }
            std::fprintf(stderr, "explain: '%s' is not a shape such as 8x1x6x1\n", word.data());
        } catch (const std::exception& e) {
            std::fprintf(stderr, "explain: %s\n", e.what());
        }
        return 2;
    }
    std::puts(bl::explain(shapes).c_str());
    return bl::broadcastable(shapes) ? 0 : 1;
}

// prints  shapes (8, 1, 6, 1) and (7, 1, 5) broadcast to (8, 7, 6, 5)
//         operand 0  8  1  6  1
//         operand 1     7  1  5
//         result     8  7  6  5
//         ...
