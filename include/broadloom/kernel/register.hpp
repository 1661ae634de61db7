// Elements as bytes: moved by size and never by type, through unsigned numbers and, where the
// compiler has them, through registers with the few fixed rearrangements that packing needs.
#ifndef BROADLOOM_KERNEL_REGISTER_HPP
#define BROADLOOM_KERNEL_REGISTER_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include "broadloom/kernel/dispatch.hpp"

namespace broadloom::kernel::detail {

#if defined(__GNUC__) || defined(__clang__)
#define BROADLOOM_MAY_ALIAS [[gnu::may_alias]]
#else
#define BROADLOOM_MAY_ALIAS
#endif

/// The bytes of an element of any type, moved through an unsigned number of the same size.
template <class U>
struct BROADLOOM_MAY_ALIAS Raw {
    using type = U;
    U value;
};

#undef BROADLOOM_MAY_ALIAS

struct Sixteen {
    std::uint64_t low, high;
};

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

    /// Lane i of the result is lane i / Times + First of v.
    template <int Times, int First, int... I>
    BROADLOOM_INLINE static void spread(Vector& to, const Vector& v,
                                        std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(v, v, ((First + I) / Times)...);
    }
    /// Every second lane of a and b.
    template <int... I>
    BROADLOOM_INLINE static void evens(Vector& to, const Vector& a, const Vector& b,
                                       std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(a, b, (2 * I)...);
    }
    template <int... I>
    BROADLOOM_INLINE static void reverse(Vector& to, const Vector& v,
                                         std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(v, v, (lanes - 1 - I)...);
    }
    /// One stage of a transposition: the halves of the rows, interleaved lane by lane.
    template <int... I>
    BROADLOOM_INLINE static void riffle(Vector* rows, std::integer_sequence<int, I...>) {
        Vector mixed[static_cast<std::size_t>(lanes)];
        BROADLOOM_UNROLLED
        for (int i = 0; i < lanes / 2; ++i) {
            const Vector &a = rows[i], &b = rows[i + lanes / 2];
            mixed[2 * i] = __builtin_shufflevector(a, b, (I / 2 + I % 2 * lanes)...);
            mixed[2 * i + 1] =
                __builtin_shufflevector(a, b, (lanes / 2 + I / 2 + I % 2 * lanes)...);
        }
        BROADLOOM_UNROLLED
        for (int i = 0; i < lanes; ++i) rows[i] = mixed[i];
    }
    /// Rows become columns: as many perfect shuffles as halve the rows down to one.
    BROADLOOM_INLINE static void transpose(Vector* rows) {
        BROADLOOM_UNROLLED
        for (int n = lanes; n > 1; n /= 2) riffle(rows, std::make_integer_sequence<int, lanes>{});
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

#endif  // BROADLOOM_KERNEL_REGISTER_HPP
