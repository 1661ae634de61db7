// The stack under every fold joins as a binary counter carries: vectors for equal numbers of rows,
// earlier rows before later ones, so that no element takes part in more joins than it must.
#include "broadloom/kernel/fold/folder.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t;

namespace {

/// A run of rows, and in how many joins any of them took part.
struct Span {
    int first, last, depth;
};

void join(const void*, char* to, const char* from, index_t width) {
    Span* a = reinterpret_cast<Span*>(to);
    const Span* b = reinterpret_cast<const Span*>(from);
    for (index_t i = 0; i < width; ++i) {
        // Neighbours only.
        CHECK(a[i].last + 1 == b[i].first);
        a[i] = Span{a[i].first, b[i].last, (a[i].depth > b[i].depth ? a[i].depth : b[i].depth) + 1};
    }
}

int bits_in(int n) { return n == 0 ? 0 : n % 2 + bits_in(n / 2); }

}  // namespace

TEST_CASE("Vectors carry like the digits of a binary number, and collapse in order") {
    constexpr index_t width = 2;
    kernel::Folder folder{};
    folder.join = &join;
    for (int count = 1; count <= 40; ++count) {
        std::vector<Span> memory(width * 10);
        constexpr auto bytes = static_cast<index_t>(width * sizeof(Span));
        char* const first = reinterpret_cast<char*>(memory.data());
        kernel::Stack stack{first, first + bytes, width, bytes};
        for (int row = 0; row < count; ++row) {
            Span* const top = reinterpret_cast<Span*>(stack.top());
            for (index_t i = 0; i < width; ++i) top[i] = Span{row, row, 0};
            kernel::detail::carry(folder, stack, 1, width);
            CHECK(stack.height == bits_in(row + 1));
        }
        CHECK(stack.rows == count);
        kernel::detail::collapse(folder, stack, width);
        int most = 0;
        while ((1 << most) < count) ++most;
        for (index_t i = 0; i < width; ++i) {
            const Span& all = memory[static_cast<std::size_t>(i)];
            CHECK(all.first == 0);
            CHECK(all.last == count - 1);
            CHECK(all.depth <= most + 1);
        }
    }
}

static_assert(kernel::detail::lanes<1> == 128 && kernel::detail::lanes<4> == 32 &&
              kernel::detail::lanes<8> == 16);
static_assert(kernel::detail::lanes<16> == 8 && kernel::detail::lanes<65> == 1);

TEST_CASE("Lanes in the order of halves join as halves of their vector do") {
    const std::vector<index_t> eight = {0, 4, 2, 6, 1, 5, 3, 7};
    for (index_t i = 0; i < 8; ++i) {
        CHECK(kernel::detail::in_halves(i, 8) == eight[static_cast<std::size_t>(i)]);
    }
    CHECK(kernel::detail::in_halves(0, 1) == 0);
    CHECK(kernel::detail::in_halves(31, 32) == 31);
}
