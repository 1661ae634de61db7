// Elements as bytes: moved by size and never by type, through unsigned numbers and, where the
// compiler has them, through registers with the few fixed rearrangements that packing needs.
#ifndef BROADLOOM_KERNEL_PACKING_REGISTER_HPP
#define BROADLOOM_KERNEL_PACKING_REGISTER_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "broadloom/kernel/compiler.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::kernel::detail {

#if defined(__GNUC__) || defined(__clang__)
#define BROADLOOM_ANYWHERE [[gnu::may_alias, gnu::packed]]
#else
#define BROADLOOM_ANYWHERE
#pragma pack(push, 1)
#endif

/// The bytes of an element of any type, aligned as that may be, moved as a U of the same size.
template <class U>
struct BROADLOOM_ANYWHERE Raw {
    using type = U;
    U value;
};

#if !defined(__GNUC__) && !defined(__clang__)
#pragma pack(pop)
#endif
#undef BROADLOOM_ANYWHERE

struct Sixteen {
    std::uint64_t low, high;
};
template <std::size_t Bytes>
struct Octets {
    unsigned char bytes[Bytes];
};

/// The bytes of an element of so many: an unsigned number where there is one.
template <std::size_t Bytes>
using raw_t = Raw<std::conditional_t<(Bytes <= 8 && (Bytes & (Bytes - 1)) == 0),
                                     broadloom::detail::unsigned_of<Bytes>,
                                     std::conditional_t<Bytes == 16, Sixteen, Octets<Bytes>>>>;

/// True for elements that registers hold as lanes, where the compiler has such registers.
template <class U>
inline constexpr bool in_registers =
#if defined(__GNUC__) || defined(__clang__)
    std::is_integral_v<U>;
#else
    false;
#endif

#if defined(__GNUC__) || defined(__clang__)

/// A register of lanes of type U, and the fixed rearrangements that packing needs.
template <class U, std::size_t Bytes>
struct Register {
    static constexpr int lanes = static_cast<int>(Bytes / sizeof(U));
    using Vector [[gnu::vector_size(Bytes)]] = U;

    BROADLOOM_INLINE static void load(Vector& v, const void* from) {
        __builtin_memcpy(&v, from, sizeof(Vector));
    }
    BROADLOOM_INLINE static void store(void* to, const Vector& v) {
        __builtin_memcpy(to, &v, sizeof(Vector));
    }

    /// Lane i of the result is element (First + i) / Times of those that begin at a place.
    template <int Times, int First, int... At>
    BROADLOOM_INLINE static void spread(Vector& to, const void* from,
                                        std::integer_sequence<int, At...>) {
        if constexpr (moves_as_floats) {
            // All come from one block, which is loaded into both.
            constexpr int begin = First / Times < in_block ? First / Times : in_block;
            typename Register<float, 16>::Vector block;
            Register<float, 16>::load(block, static_cast<const char*>(from) + begin * 4);
            const auto both = __builtin_shufflevector(block, block, (At % in_block)...);
            to = reinterpret_cast<Vector>(__builtin_shufflevector(
                both, both, (At - At % in_block + (First + At) / Times - begin)...));
        } else {
            Vector v;
            load(v, from);
            to = __builtin_shufflevector(v, v, ((First + At) / Times)...);
        }
    }
    /// Every second or third element of those that begin at a place, from the one at First on.
    template <int Step, int First, int... At>
    BROADLOOM_INLINE static void pick(Vector& to, const void* from,
                                      std::integer_sequence<int, At...>) {
        Vector a, b;
        load(a, from);
        load(b, static_cast<const char*>(from) + Bytes);
        if constexpr (Step == 3) {
            // Their lanes are all different ones.
            Vector c;
            load(c, static_cast<const char*>(from) + 2 * Bytes);
            const Vector ab =
                __builtin_shufflevector(a, b, (is_third_in(1, At, First) ? At + lanes : At)...);
            const Vector abc =
                __builtin_shufflevector(ab, c, (is_third_in(2, At, First) ? At + lanes : At)...);
            to = __builtin_shufflevector(abc, abc, ((3 * At + First) % lanes)...);
        } else if constexpr (moves_as_floats) {
            using Floats = typename Register<float, Bytes>::Vector;
            using Pairs = typename Register<std::uint64_t, Bytes>::Vector;
            const auto in_blocks = reinterpret_cast<Pairs>(__builtin_shufflevector(
                reinterpret_cast<Floats>(a), reinterpret_cast<Floats>(b),
                (At - At % 4 + At % 2 * 2 + At % 4 / 2 * lanes + First)...));
            to =
                reinterpret_cast<Vector>(__builtin_shufflevector(in_blocks, in_blocks, 0, 2, 1, 3));
        } else {
            to = __builtin_shufflevector(a, b, (2 * At + First)...);
        }
    }
    template <int... At>
    BROADLOOM_INLINE static void reverse(Vector& to, const Vector& v,
                                         std::integer_sequence<int, At...>) {
        to = __builtin_shufflevector(v, v, (lanes - 1 - At)...);
    }
    /// Rows become columns: within blocks of 16 bytes, in which registers shuffle best, by as many
    /// perfect shuffles as halve the rows of a block down to one; then blocks change places.
    BROADLOOM_INLINE static void transpose(Vector* rows) {
        constexpr std::make_integer_sequence<int, lanes> order{};
        BROADLOOM_UNROLLED
        for (int first = 0; first < lanes; first += in_block) {
            shuffle<in_block, in_block>(rows + first, order);
        }
        exchange<lanes / 2>(rows, order);
    }
    /// As many perfect shuffles of `Rows` registers of 16 bytes, taken together, as halve `Turns`
    /// down to one: of Rows, they interleave them lane by lane; of the lanes, they part them again.
    template <int Rows, int Turns>
    BROADLOOM_INLINE static void shuffle(Vector* rows) {
        static_assert(Bytes == 16);
        shuffle<Rows, Turns>(rows, std::make_integer_sequence<int, lanes>{});
    }

private:
    static constexpr int in_block = static_cast<int>(16 / sizeof(U));
    /// True where a third element, counted from the one at `first` on, lies in this lane of the
    /// second or third of three registers.
    static constexpr bool is_third_in(int which, int lane, int first) {
        return (which * lanes + lane - first) % 3 == 0;
    }
    /// Two blocks of AVX2: GCC moves integers of four bytes from one to the other by instructions
    /// that take AMD's processors twice as long as to move floats within blocks, then pairs.
    static constexpr bool moves_as_floats = sizeof(U) == 4 && Bytes == 32;

    /// A perfect shuffle of the rows of blocks, as one sequence in each block, as often as `Turns`
    /// can be halved: its two halves are interleaved, half a block of either at a time.
    template <int Rows, int Turns, int... At>
    BROADLOOM_INLINE static void shuffle(Vector* rows, std::integer_sequence<int, At...> order) {
        if constexpr (Turns > 1) {
            Vector mixed[static_cast<std::size_t>(Rows)];
            shuffle_each<Rows>(mixed, rows, order, std::make_integer_sequence<int, Rows>{});
            BROADLOOM_UNROLLED
            for (int i = 0; i < Rows; ++i) rows[i] = mixed[i];
            shuffle<Rows, Turns / 2>(rows, order);
        }
    }
    template <int Rows, class Order, int... R>
    BROADLOOM_INLINE static void shuffle_each(Vector* to, const Vector* rows, Order order,
                                              std::integer_sequence<int, R...>) {
        (interleave<R % 2, (Rows + R) % 2>(to[R], rows[R / 2], rows[(Rows + R) / 2], order), ...);
    }
    /// The lower or upper halves of two blocks, lane by lane.
    template <int A, int B, int... At>
    BROADLOOM_INLINE static void interleave(Vector& to, const Vector& a, const Vector& b,
                                            std::integer_sequence<int, At...>) {
        to = __builtin_shufflevector(
            a, b,
            (At - At % in_block + At % in_block / 2 +
             (At % 2 == 0 ? A * (in_block / 2) : B * (in_block / 2) + lanes))...);
    }
    /// Of rows `Step` apart the second and the first half of every two Steps of lanes change
    /// places, and so on down to blocks.
    template <int Step, int... At>
    BROADLOOM_INLINE static void exchange(Vector* rows, std::integer_sequence<int, At...> order) {
        if constexpr (Step >= in_block) {
            BROADLOOM_UNROLLED
            for (int i = 0; i < lanes; ++i) {
                if ((i & Step) != 0) continue;
                const Vector a = rows[i], b = rows[i + Step];
                rows[i] =
                    __builtin_shufflevector(a, b, ((At & Step) != 0 ? At - Step + lanes : At)...);
                rows[i + Step] =
                    __builtin_shufflevector(a, b, ((At & Step) != 0 ? At + lanes : At + Step)...);
            }
            exchange<Step / 2>(rows, order);
        }
    }
};

/// Bytes in a register, in the form that the intrinsics for storing take.
template <int Bytes>
using Chunk = typename Register<long long, std::size_t{Bytes}>::Vector;

/// Sixteen bytes of elements of one or two bytes, backwards: first as words of four, then within
/// these, which needs no more than shifts.
template <std::size_t Bytes>
BROADLOOM_INLINE void reverse_short(void* to, const void* from) {
    using Words [[gnu::vector_size(16)]] = std::uint32_t;
    using Halves [[gnu::vector_size(16)]] = std::uint16_t;
    Words words;
    __builtin_memcpy(&words, from, sizeof words);
    words = __builtin_shufflevector(words, words, 3, 2, 1, 0);
    words = words >> 16 | words << 16;
    if constexpr (Bytes == 1) {
        Halves halves;
        __builtin_memcpy(&halves, &words, sizeof halves);
        halves = halves >> 8 | halves << 8;
        __builtin_memcpy(&words, &halves, sizeof words);
    }
    __builtin_memcpy(to, &words, sizeof words);
}

#else

template <int Bytes>
struct Chunk {
    char bytes[Bytes];
};

template <class U, std::size_t Bytes>
struct Register;
template <std::size_t Bytes>
void reverse_short(void* to, const void* from);

#endif

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_PACKING_REGISTER_HPP
