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
/// at the end of a row is the end of one more unit, computed before anything is written.
template <class X, class R>
struct Elementwise {
    using C = Cursor<X>;
    static constexpr bool own = own_functions<X> && arithmetic<R>;
    static constexpr index_t least_bytes =
        smallest<X> < index_t{sizeof(R)} ? smallest<X> : index_t{sizeof(R)};
    static constexpr index_t most_bytes =
        largest<X> > index_t{sizeof(R)} ? largest<X> : index_t{sizeof(R)};
    /// Short rows, which may be the same one again and again, are in the caches before long.
    static constexpr index_t least_prefetched = 128;
    static constexpr index_t late_end = 1024;  // bytes of a row whose end is computed late
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
    /// What is never asked to stream is not compiled for it: the baseline, enormous elements, and
    /// the widest vectors where the loop waits, since large targets then take half of them.
    template <class Isa>
    static constexpr bool may_stream =
        index_t{sizeof(R)} <= largest_element && (Isa::level == 1 || (Isa::level == 2 && !waits));

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

    /// Whole units, `count` elements in all, of which the next `plain` are not tested together.
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

    /// The same past the caches, as they leave the registers, or, where many are tested together,
    /// through a few lines in the first-level cache.
    template <class Isa>
    BROADLOOM_INLINE static void stream_units(const C& cursor, index_t count, R* target,
                                              [[maybe_unused]] index_t& plain) {
        if constexpr (tests_many<Isa>) {
            alignas(line_bytes) Unset<R, block_length> lines;
            units<Isa>(cursor, count, lines.elements, plain);
            detail::stream<Isa>(target, lines.elements, count * index_t{sizeof(R)});
        } else {
            BROADLOOM_ROLLED
            for (index_t i = 0; i < count; i += unit) {
                Unset<R, unit> lines;
                block<unit>(cursor, i, lines.elements);
                detail::stream<Isa>(target + i, lines.elements, unit * index_t{sizeof(R)});
            }
        }
    }

    template <class Isa>
    BROADLOOM_KERNEL static void run(const void* formula, void* target_bytes, index_t target_row,
                                     const Run* runs, index_t rows, index_t length, Write write) {
        C cursor(*static_cast<const X*>(formula), runs);
        R* row = static_cast<R*>(target_bytes);
        const bool streams = may_stream<Isa> && write != Write::cached;
        const index_t longest = cursor.constant() || streams ? block_length : length;
        Shared shared;
        shared.prefetches = streams && length >= least_prefetched &&
                            (write == Write::prefetched || cursor.apart(length));
        shared.last = target_row == length ? row + (rows - 1) * length : row;
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += target_row) {
            cursor.template row<block_length>(r);
            if constexpr (own) run_units<Isa>(cursor, row, length, longest, streams, shared);
            else run_once<Isa>(cursor, row, length, streams && begins_line(row));
        }
    }

private:
    /// What rows of a streamed target share: whether what they are computed from is prefetched,
    /// and lines, of which this is what the row before has.
    struct Shared {
        alignas(line_bytes) Unset<R, 2 * unit> lines;
        index_t held = 0;         // elements
        index_t plain = 0;        // elements that are not tested together
        const R* last = nullptr;  // the row after which none begins where it ends
        bool prefetches = false;
    };
    /// Writes what is left over of a streamed row, whole lines together with its neighbours.
    template <class Isa>
    BROADLOOM_KERNEL static void stream_ends(R* row, index_t length, const R* first, index_t head,
                                             const R* rest_of_row, index_t rest, Shared& shared) {
        constexpr index_t size = sizeof(R);
        if (shared.held != 0) {
            detail::copy_part(shared.lines.elements + shared.held, first, head * size);
            detail::stream<Isa>(row - shared.held, shared.lines.elements,
                                (shared.held + head) * size);
        } else if (head != 0) {
            detail::copy_part(row, first, head * size);
        }
        const bool goes_on = row < shared.last;
        shared.held = goes_on ? rest : 0;
        if (rest == 0) return;
        R* const to = goes_on ? shared.lines.elements : row + (length - rest);
        detail::copy_part(to, rest_of_row, rest * size);
    }

    // In turns of up to `longest` elements. Vectors that lie across two cache lines take twice as
    // long: the units of a long row begin where a line of the target does.
    template <class Isa>
    BROADLOOM_KERNEL static void run_units(const C& cursor, R* row, index_t length, index_t longest,
                                           bool streams, Shared& shared) {
        Unset<R, unit> first, last;
        const bool from_line = streams || length * index_t{sizeof(R)} >= 1024;
        const index_t head = from_line ? before_line(row) : 0;
        const auto rest = static_cast<index_t>(static_cast<std::size_t>(length - head) % unit);
        // What is left over at either end is computed aside, before anything of it is written. Of a
        // longer row the end comes just before the last whole unit: to fetch every row's end before
        // the row takes twice as long where they come from memory.
        const bool late =
            rest != 0 && length >= 4 * unit && length * index_t{sizeof(R)} >= late_end;
        const index_t whole = length - head - rest - (late ? unit : 0);
        enum Stretch { middle, final, early, begin, end };  // the last three aside
        const Stretch ends_with = late ? final : middle;
        Stretch part = rest != 0 && !late ? early : head != 0 ? begin : middle;
        for (;;) {
            C at = cursor;
            R* target = row + head;
            index_t offset = head, left = unit;
            if (part == middle) {
                left = whole;
            } else if (part == final) {
                offset += whole;
                target += whole;
            } else {
                offset = part == begin ? 0 : length - unit;
                target = part == begin ? first.elements : last.elements;
            }
            at.skip(offset);
            const bool by_lines = streams && part <= final;
            for (;;) {
                const index_t turn = left < longest ? left : longest;
                if (by_lines && shared.prefetches) at.prefetch();
                if constexpr (may_stream<Isa>) {
                    if (by_lines) stream_units<Isa>(at, turn, target, shared.plain);
                }
                if (!by_lines) units<Isa>(at, turn, target, shared.plain);
                left -= turn;
                if (left <= 0) break;
                at.advance();
                target += block_length;
            }
            if (part == ends_with) break;
            part = part == middle               ? end
                   : part == end                ? final
                   : part == early && head != 0 ? begin
                                                : middle;
        }
        if (streams) {
            // To touch what was streamed would bring it back.
            if ((shared.held | head | rest) != 0) {
                stream_ends<Isa>(row, length, first.elements, head, last.elements + (unit - rest),
                                 rest, shared);
            }
            return;
        }
        if (head != 0) first.copy_to(row);
        if (rest != 0) last.copy_to(row + (length - unit));
    }
    BROADLOOM_INLINE static bool begins_line(const R* row) {
        return reinterpret_cast<std::uintptr_t>(row) % line_bytes == 0;
    }
    /// How many elements go before the next cache line.
    BROADLOOM_INLINE static index_t before_line(const R* row) {
        const std::uintptr_t bytes = -reinterpret_cast<std::uintptr_t>(row) % line_bytes;
        return static_cast<index_t>(bytes / sizeof(R));
    }
    template <class Isa>
    BROADLOOM_KERNEL static void run_once(const C& cursor, R* target, index_t left, bool streams) {
        alignas(line_bytes) char memory[may_stream<Isa> ? sizeof(R) * block_length : 1];
        R* const lines = reinterpret_cast<R*>(memory);
        C at = cursor;
        for (; left >= block_length; left -= block_length, target += block_length) {
            block<block_length>(at, 0, streams ? lines : target);
            if (streams) detail::stream<Isa>(target, lines, index_t{sizeof memory});
            at.advance();
        }
        for (index_t i = 0; i < left; ++i) block<1>(at, i, target + i);
    }
};

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_LOOP_HPP
