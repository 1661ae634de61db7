// Writing past the caches. A store that misses them reads the line first, for nothing if all of it
// is overwritten, and displaces what could be read again. Where the last-level cache is large and
// far away, as on servers with many cores, that takes two to four times as long as to compute a few
// lines in the first-level cache and to write them out whole; elsewhere it gains nothing.
#ifndef BROADLOOM_KERNEL_STREAMING_HPP
#define BROADLOOM_KERNEL_STREAMING_HPP

#include <cstdint>

#include "broadloom/kernel/plan.hpp"
#include "broadloom/kernel/register.hpp"

#if defined(__linux__)
#include <unistd.h>
#endif

namespace broadloom::kernel {

/// How the loop writes a target that lies flat.
enum class Write { cached, streamed };

namespace detail {

inline constexpr index_t line_bytes = 64;  // of a cache

/// The least size of a target that is streamed, and of all operands together. From here on it takes
/// two thirds of the time where other data has been in the caches, even if the result is read next;
/// a fifth less otherwise, and a fifth more if it is read next.
inline constexpr index_t least_streamed = index_t{8} << 20, least_footprint = index_t{24} << 20;
inline constexpr index_t largest_element = 32;  // bytes
/// The least last-level cache with which it pays.
inline constexpr index_t large_cache = index_t{64} << 20;

inline constinit Atomic<index_t> last_level_cache{-1};

/// True when large targets are written past the caches on this processor: none of the baseline has
/// a cache so large.
inline bool streaming_pays() noexcept {
    index_t bytes = last_level_cache.load();
    if (bytes < 0) {
        bytes = 0;
#if BROADLOOM_X86 && defined(_SC_LEVEL3_CACHE_SIZE)
        bytes = static_cast<index_t>(sysconf(_SC_LEVEL3_CACHE_SIZE));
        if (bytes < 0) bytes = 0;
#endif
        last_level_cache.store(bytes);
    }
    return bytes >= large_cache && isa() > 0;
}

/// Has the caches fetch `Bytes` of what a stream is computed from, some lines ahead of a place and
/// perhaps behind the end. Processors do so by themselves, but stop at every page of 4 KiB.
template <index_t Bytes>
BROADLOOM_INLINE void call_ahead(const void* place) {
    constexpr index_t ahead = 2048;
    const auto from = reinterpret_cast<std::uintptr_t>(place);
    for (index_t i = ahead; i < ahead + Bytes; i += line_bytes) {
        __builtin_prefetch(reinterpret_cast<const void*>(from + static_cast<std::uintptr_t>(i)));
    }
}

/// Has the second-level cache fetch sixteen rows, as many blocks ahead as it takes, if they are so
/// short that processors do not where sixteen are read at a time, some columns after the others.
BROADLOOM_INLINE void call_rows(const void* place, index_t row_bytes) {
    constexpr index_t longest = 2048;
    if (row_bytes <= 0 || row_bytes > longest) return;
    const auto from =
        reinterpret_cast<std::uintptr_t>(place) + static_cast<std::uintptr_t>(32 * row_bytes);
    BROADLOOM_ROLLED
    for (index_t i = 0; i < 16 * row_bytes; i += line_bytes) {
        __builtin_prefetch(reinterpret_cast<const void*>(from + static_cast<std::uintptr_t>(i)), 0,
                           2);
    }
}

/// Copies whole lines to where lines begin, and has none of them kept in the caches.
template <class Isa>
BROADLOOM_INLINE void stream(void* to, const void* from, index_t bytes) {
#if BROADLOOM_X86
    using Vector = Chunk<Isa::bytes>;
    BROADLOOM_ROLLED
    for (index_t i = 0; i < bytes; i += Isa::bytes) {
        Vector vector;
        __builtin_memcpy(&vector, static_cast<const char*>(from) + i, sizeof vector);
        Vector* const place = reinterpret_cast<Vector*>(static_cast<char*>(to) + i);
#if defined(__clang__)
        __builtin_nontemporal_store(vector, place);
#else
        if constexpr (Isa::bytes == 64) __builtin_ia32_movntdq512(place, vector);
        else if constexpr (Isa::bytes == 32) __builtin_ia32_movntdq256(place, vector);
        else __builtin_ia32_movntdq(place, vector);
#endif
    }
#else
    __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
#endif
}
/// Copies a part of a line, out of the way.
BROADLOOM_NOINLINE inline void copy_part(void* to, const void* from, index_t bytes) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
}
/// Makes what was streamed visible to other threads.
inline void finish_streaming() {
#if BROADLOOM_X86
    __builtin_ia32_sfence();
#endif
}

/// How a target, the first of some operands, is written: past the caches when it is large and
/// none of the others is the same memory.
inline Write write_for(const Operand* operands, int count, const Shape& shape) {
    const index_t size = shape.size(), bytes = operands[0].bytes;
    if (size < least_streamed / largest_element) return Write::cached;  // without a division
    if (size < least_streamed / bytes || !streaming_pays()) return Write::cached;
    // Lines begin between elements.
    const auto address = reinterpret_cast<std::uintptr_t>(operands[0].data);
    if ((bytes & (bytes - 1)) != 0 || address % static_cast<std::uintptr_t>(bytes) != 0)
        return Write::cached;
    // What is described only may be larger than any memory.
    const auto bytes_of = [](index_t elements, index_t each) {
        return elements < least_footprint ? elements * each : least_footprint;
    };
    index_t footprint = bytes_of(size, bytes);
    for (int i = 1; i < count; ++i) {
        if (operands[i].data == operands[0].data) return Write::cached;
        footprint += bytes_of(operands[i].shape->size(), operands[i].bytes);
    }
    return footprint >= least_footprint ? Write::streamed : Write::cached;
}

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_STREAMING_HPP
