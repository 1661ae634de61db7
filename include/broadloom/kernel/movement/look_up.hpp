// Single elements of one line, looked up by the usual types of indices: without offsets between, as
// other movements by index have them, which takes half to three quarters of the time. Knows no
// operation's name.
#ifndef BROADLOOM_KERNEL_MOVEMENT_LOOK_UP_HPP
#define BROADLOOM_KERNEL_MOVEMENT_LOOK_UP_HPP

#include <cstdint>
#include <type_traits>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/compiler.hpp"

namespace broadloom::kernel {

/// What an index means: it lies in [0, extent), or in [-extent, extent) if `wrap` is the extent
/// and not 0, and counts steps of `step` elements.
struct Reach {
    index_t extent = 0, wrap = 0, step = 0;
};

/// The types of indices that need not become offsets.
enum class IndexKind : char { other, byte, word, offset };
template <class Int>
consteval IndexKind index_kind() {
    if (std::is_same_v<Int, std::uint8_t>) return IndexKind::byte;
    if (std::is_same_v<Int, std::int32_t>) return IndexKind::word;
    return std::is_same_v<Int, index_t> ? IndexKind::offset : IndexKind::other;
}

/// Moves `count` neighbours of the plain side, each from or to its place among neighbours of the
/// indexed side; false at an index out of reach, where it stops. `kind` is not `other`.
using LookUp = bool(void* indexed, const void* indices, void* plain, index_t count, IndexKind kind,
                    const Reach* reach);

namespace detail {

/// Looks up elements as Way does.
template <class Way>
struct Direct {
    using E = typename Way::Element;

    static bool run(void* indexed, const void* indices, void* plain, index_t count, IndexKind kind,
                    const Reach* reach) {
        E* table = static_cast<E*>(indexed);
        E* line = static_cast<E*>(plain);
        switch (kind) {
            case IndexKind::byte: return run<std::uint8_t>(table, indices, line, count, *reach);
            case IndexKind::word: return run<std::int32_t>(table, indices, line, count, *reach);
            default: return run<index_t>(table, indices, line, count, *reach);
        }
    }

private:
    static constexpr index_t group = 8, stretch = 512;

    template <class Int>
    BROADLOOM_UNCONTRACTED static bool run(E* __restrict table, const void* indices,
                                           E* __restrict line, index_t count, const Reach& reach) {
        const Int* at = static_cast<const Int*>(indices);
        for (index_t i = 0; i < count;) {
            i += move<Int, false>(table, at + i, line + i, count - i, reach);
            // A stretch in which some count from the back, or the last few.
            const index_t rest = count - i < stretch ? count - i : stretch;
            const index_t moved = move<Int, true>(table, at + i, line + i, rest, reach);
            if (moved < rest) return false;
            i += moved;
        }
        return true;
    }
    // Moves groups until one is out of reach, and returns how many elements have moved. Those that
    // may count from the back are followed by what is no whole group.
    template <class Int, bool from_the_back>
    BROADLOOM_INLINE static index_t move(E* __restrict table, const Int* at, E* __restrict line,
                                         index_t count, const Reach& reach) {
        const auto extent = static_cast<std::size_t>(reach.extent);
        const index_t wrap = reach.wrap;
        const auto place = [=](Int index) {
            auto i = static_cast<index_t>(index);
            if constexpr (from_the_back && std::is_signed_v<Int>) i += i < 0 ? wrap : 0;
            return static_cast<std::size_t>(i);
        };
        index_t i = 0;
        for (; i + group <= count; i += group) {
            std::size_t places[group];
            bool outside = false;
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < group; ++k) {
                places[k] = place(at[i + k]);
                outside |= places[k] >= extent;
            }
            if (outside) return i;
            BROADLOOM_UNROLLED
            for (index_t k = 0; k < group; ++k) Way::move(table[places[k]], line[i + k]);
        }
        if constexpr (from_the_back) {
            for (; i < count; ++i) {
                const std::size_t here = place(at[i]);
                if (here >= extent) return i;
                Way::move(table[here], line[i]);
            }
        }
        return i;
    }
};

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_MOVEMENT_LOOK_UP_HPP
