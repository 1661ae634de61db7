// The loop. Every elementwise operation is a function of the leaves of an expression, computed by
// one loop over flat runs, compiled once for every instruction set; its twin for a handful of
// elements walks strides, one by one.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_LOOP_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_LOOP_HPP

#include "broadloom/kernel/elementwise/cursor.hpp"

namespace broadloom::kernel {

namespace detail {

/// Room for numbers, which are not set to zero first, as complex ones would be.
template <class R, index_t Length>
union Unset {
    R elements[static_cast<std::size_t>(Length)];

    BROADLOOM_INLINE Unset() {}
    /// Copies all of them, in the registers that they were computed in, or stored from: to load
    /// parts of these from where they were stored just now takes as long as a short row.
    BROADLOOM_INLINE void copy_to(R* to) const {
        for (index_t i = 0; i < Length; ++i) scalar::store(to + i, scalar::load(elements + i));
    }
};

/// The loop over flat runs. The library's own functions may be computed twice: what is left over
/// at the end of a row is the end of one more unit, computed before the last whole one is written,
/// which it overlaps.
template <class X, class R>
struct Elementwise {
    using C = Cursor<X>;
    static constexpr bool own = own_functions<X> && arithmetic<R>;
    static constexpr index_t least_bytes =
        smallest<X> < index_t{sizeof(R)} ? smallest<X> : index_t{sizeof(R)};
    static constexpr index_t most_bytes =
        largest<X> > index_t{sizeof(R)} ? largest<X> : index_t{sizeof(R)};
    /// Elements in a register of 64 bytes, and no fewer than 8, or 16 of what takes many steps.
    static constexpr index_t fewest = steps<X> < heavy ? 8 : 16;
    static constexpr index_t unit = !own                        ? 1
                                    : 64 / least_bytes < fewest ? fewest
                                                                : 64 / least_bytes;
    /// What is true of wider elements is chosen, not converted: compilers then join masks, where
    /// else they make numbers of the elements' width to make them narrower.
    static constexpr bool joins_masks = own && std::is_same_v<R, bool> && smallest<X> > 1;
    /// Small elements fill registers slowly, unless they become words.
    static constexpr bool waits = (unit <= 16 || sizeof(R) == 4) && steps<X> < heavy;
    static constexpr bool light = own && steps<X> < heavy;
    /// What little is computed of leaves the registers past the caches, by vectors of AVX2, whose
    /// stores are as fast. All else is streamed from lines aside.
    template <class Isa>
    static constexpr bool streams =
        light && Isa::level == 1 && index_t{sizeof(R)} <= largest_element;

    /// One test for rare elements may serve many, where these cost little more than usual ones, or
    /// 32 registers hold all that one heavy function takes; after it has found some there is none
    /// for a while. Else, or then, few are computed with a rare one.
    static constexpr bool tests_few = own && !all_bear_rare<X>;
    template <class Isa>
    static constexpr bool tests_many =
        own && any_usual<X> &&
        (all_bear_rare<X> || (Isa::level == 2 && any_short_usual<X> && steps<X> < 2 * heavy));
    static constexpr index_t tested = 256 / most_bytes < unit ? unit : 256 / most_bytes;
    static constexpr index_t untested = 2048;

    template <unsigned Form, class At>
    BROADLOOM_INLINE static void compute_usual(const At& cursor, index_t i, R* to,
                                               scalar::math::Rare& rare) {
        scalar::store(to, scalar::convert<R>(cursor.template usual<Form>(i, rare)));
    }
    /// False, and nothing is written, if an element is a rare one.
    template <unsigned Form, index_t Length, class At>
    BROADLOOM_INLINE static bool usual_block(const At& cursor, index_t first, R* __restrict to) {
        // The target may be an operand, which is read again if this is in vain.
        R values[static_cast<std::size_t>(Length)];
        scalar::math::Rare rare;
        // Many stay a loop, of which Clang is told; a unit becomes vectors by itself.
        if constexpr (Length > unit || !tests_few) {
            BROADLOOM_VECTORISED
            for (index_t i = 0; i < Length; ++i)
                compute_usual<Form>(cursor, first + i, values + i, rare);
        } else {
            for (index_t i = 0; i < Length; ++i)
                compute_usual<Form>(cursor, first + i, values + i, rare);
        }
        if (rare.any()) return false;
        for (index_t i = 0; i < Length; ++i) {
            scalar::store(to + i, scalar::load(values + i));
        }
        return true;
    }

    /// The same, and false, if no function has this form or it will not do.
    template <unsigned Form, index_t Length, class At>
    BROADLOOM_INLINE static bool is_usual(const At& cursor, index_t first, R* __restrict to) {
        if constexpr (own && any_usual_form<Form, X>) {
            return (cursor.forms() & Form) != 0 && usual_block<Form, Length>(cursor, first, to);
        } else {
            return false;
        }
    }

    /// Computes elements from the one at `first` on.
    template <index_t Length, class At>
    BROADLOOM_INLINE static void block(const At& cursor, index_t first, R* __restrict to) {
        if constexpr (tests_few) {
            if (is_usual<1, Length>(cursor, first, to)) return;
            if (is_usual<2, Length>(cursor, first, to)) return;
            if (is_usual<4, Length>(cursor, first, to)) return;
        }
        if constexpr (joins_masks) {
            auto* const bytes = reinterpret_cast<unsigned char*>(to);
            unsigned char yes = 1;
            BROADLOOM_KEEP_UNKNOWN(yes);
            for (index_t i = 0; i < Length; ++i) {
                bytes[i] = scalar::convert<bool>(cursor[first + i]) ? yes : 0;
            }
        } else if constexpr (own) {
            BROADLOOM_VECTORISED
            for (index_t i = 0; i < Length; ++i) {
                scalar::store(to + i, scalar::convert<R>(cursor[first + i]));
            }
        } else {
            for (index_t i = 0; i < Length; ++i) {
                scalar::store(to + i, scalar::convert<R>(cursor[first + i]));
            }
        }
    }

    /// Rows of `length` elements, a unit at least. Rows that are streamed are whole units, and
    /// begin where a cache line does.
    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* formula, void* target_bytes, index_t target_row,
                                     const Run* runs, index_t rows, index_t length,
                                     [[maybe_unused]] Write write) {
        C cursor(*static_cast<const X*>(formula), runs);
        R* row = static_cast<R*>(target_bytes);
        if constexpr (light) {
            if constexpr (streams<Isa>) {
                if (write != Write::cached)
                    return stream_rows<Isa>(cursor, row, target_row, rows, length, write);
            }
            light_rows(cursor, row, target_row, rows, length);
        } else {
            [[maybe_unused]] index_t plain = 0;
            BROADLOOM_ROLLED
            for (index_t r = 0; r < rows; ++r, row += target_row) {
                cursor.template row<block_length>(r);
                if constexpr (own) heavy_row<Isa>(cursor, row, length, plain);
                else each(cursor, row, length);
            }
        }
    }

private:
    /// Rows of what takes little to compute.
    BROADLOOM_INLINE static void light_rows(C& cursor, R* row, index_t target_row, index_t rows,
                                            index_t length) {
        Unset<R, unit> last;
        const index_t rest = length & (unit - 1), whole = length - rest;
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += target_row) {
            cursor.template row<unit>(r);
            if (rest == 0) [[likely]] {  // in one with what follows, small calls take longer
                BROADLOOM_ROLLED
                for (index_t i = 0; i < whole; i += unit) {
                    block<unit>(cursor, 0, row + i);
                    cursor.advance();
                }
                continue;
            }
            index_t i = 0;
            BROADLOOM_ROLLED
            for (index_t stop = whole - unit; stop <= whole; stop += unit) {
                BROADLOOM_ROLLED
                for (; i < stop; i += unit) {
                    block<unit>(cursor, 0, row + i);
                    cursor.advance();
                }
                if (stop == whole) break;
                C end = cursor;
                end.skip(length - unit - i);
                block<unit>(end, 0, last.elements);
            }
            last.copy_to(row + (length - unit));
        }
    }
    template <class Isa>
    BROADLOOM_INLINE static void stream_rows(C& cursor, R* row, index_t target_row, index_t rows,
                                             index_t length, Write write) {
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += target_row) {
            cursor.template row<unit>(r);
            BROADLOOM_ROLLED
            for (index_t i = 0; i < length; i += unit) {
                if (write == Write::prefetched) cursor.template prefetch<unit>();
                Unset<R, unit> lines;
                block<unit>(cursor, 0, lines.elements);
                detail::stream<Isa>(row + i, lines.elements, unit * index_t{sizeof(R)});
                cursor.advance();
            }
        }
    }

    /// A row of what takes long to compute, of which the next `plain` elements are not tested
    /// together. Its code is long, too, and stands once for the end and the row.
    template <class Isa>
    BROADLOOM_KERNEL static void heavy_row(const C& cursor, R* row, index_t length,
                                           index_t& plain) {
        Unset<R, unit> last;
        const index_t rest = length & (unit - 1);
        BROADLOOM_ROLLED
        for (int part = rest != 0 ? 0 : 1; part < 2; ++part) {
            C at = cursor;
            if (part == 0) at.skip(length - unit);
            R* to = part == 0 ? last.elements : row;
            index_t left = part == 0 ? unit : length - rest;
            BROADLOOM_ROLLED
            for (; left > 0; left -= block_length, to += block_length) {
                units<Isa>(at, left < block_length ? left : block_length, to, plain);
                at.advance();
            }
        }
        if (rest != 0) last.copy_to(row + (length - unit));
    }
    /// Whole units of a block.
    template <class Isa>
    BROADLOOM_INLINE static void units(const C& cursor, index_t count, R* target,
                                       [[maybe_unused]] index_t& plain) {
        index_t i = 0;
        if constexpr (tests_many<Isa>) {
            BROADLOOM_ROLLED
            while (i < count) {
                if (plain <= 0 && i + tested <= count) {
                    if (usual_block<1, tested>(cursor, i, target + i)) {
                        i += tested;
                        continue;
                    }
                    plain = untested;
                }
                const index_t end = 0 < plain && plain < count - i ? i + plain : count;
                if (plain > 0) plain -= end - i;
                BROADLOOM_ROLLED
                for (; i < end; i += unit) block<unit>(cursor, i, target + i);
            }
        } else {
            BROADLOOM_ROLLED
            for (; i < count; i += unit) block<unit>(cursor, i, target + i);
        }
    }

    /// Functions of the user are called once for each element.
    BROADLOOM_INLINE static void each(C cursor, R* row, index_t length) {
        for (; length >= block_length; length -= block_length, row += block_length) {
            block<block_length>(cursor, 0, row);
            cursor.advance();
        }
        for (index_t i = 0; i < length; ++i) block<1>(cursor, i, row + i);
    }
};

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_LOOP_HPP
