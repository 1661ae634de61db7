// The loops for little: a handful of elements, one by one, and short rows, where what comes before
// and after the elements of a row counts.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_BRIEF_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_BRIEF_HPP

#include "broadloom/kernel/elementwise/loop.hpp"

namespace broadloom::kernel::detail {

/// The twin of the loop for a handful of elements: no blocks, any strides.
template <class X, class R>
struct Few {
    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* formula, void* target_bytes,
                                     const index_t* target_strides, const Run* runs, index_t rows,
                                     index_t columns) {
        Cursor<X> cursor(*static_cast<const X*>(formula), runs);
        R* row = static_cast<R*>(target_bytes);
        const index_t down = target_strides[0], along = target_strides[1];
        for (index_t r = 0; r < rows; ++r, row += down) {
            cursor.place(r);
            R* to = row;
            for (index_t c = 0; c < columns; ++c, to += along) {
                scalar::store(to, scalar::convert<R>(cursor[0]));
                cursor.next();
            }
        }
    }
};

/// The size of the smallest element of all leaves that are not held.
template <class X, int Held>
inline constexpr index_t smallest_read = Held == 0 ? smallest<X> : block_length;
template <class F, class... X, int Held>
inline constexpr index_t smallest_read<Formula<F, X...>, Held> =
    []<std::size_t... At>(std::index_sequence<At...>) {
        index_t least = block_length;
        ((least = smallest_read<X, held_of<Held, At, X...>> < least
                      ? smallest_read<X, held_of<Held, At, X...>>
                      : least),
         ...);
        return least;
    }(std::index_sequence_for<X...>{});

/// The loop over short rows of which the constants are known when it is compiled, one bit for each
/// operand: these stay in registers, where they would else be read as often as the others. The end
/// of a row, a register or less, is computed before anything of the row is written.
template <class X, class R, int Bits>
struct Held {
    using Kernel = Elementwise<X, R>;
    static constexpr index_t least =
        smallest_read<X, Bits> < index_t{sizeof(R)} ? smallest_read<X, Bits> : index_t{sizeof(R)};
    /// A register of the smallest elements, or sixteen where masks are joined.
    static constexpr index_t unit = Kernel::joins_masks ? 16 : least < 32 ? 32 / least : 1;

    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* formula, void* target_bytes, index_t target_row,
                                     const Run* runs, index_t rows, index_t length, Write) {
        Cursor<X, Bits> cursor(*static_cast<const X*>(formula), runs);
        R* row = static_cast<R*>(target_bytes);
        Unset<R, unit> last;
        const index_t before = length - unit;
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += target_row) {
            cursor.template row<unit>(r);
            Kernel::template block<unit>(cursor, before, last.elements);
            BROADLOOM_ROLLED
            for (index_t i = 0; i < before; i += unit) {
                Kernel::template block<unit>(cursor, i, row + i);
            }
            last.copy_to(row + before);
        }
    }
};

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_BRIEF_HPP
