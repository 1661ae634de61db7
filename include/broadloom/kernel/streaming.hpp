// Writing past the caches. A store that misses them reads the line first, for nothing if all of it
// is overwritten, and displaces what could be read again. Where the last-level cache is large and
// far away, as on servers with many cores, that takes two to four times as long as to compute a
// tile in the first-level cache and to write it out in whole lines; elsewhere it gains nothing.
#ifndef BROADLOOM_KERNEL_STREAMING_HPP
#define BROADLOOM_KERNEL_STREAMING_HPP

#include <cstdint>

#include "broadloom/kernel/plan.hpp"

#if defined(__linux__)
#include <unistd.h>
#endif

namespace broadloom::kernel::detail {

/// The least size of a target, and of all operands together, that is.
inline constexpr index_t least_streamed = index_t{16} << 20, least_footprint = index_t{48} << 20;
/// The least last-level cache with which it pays.
inline constexpr index_t large_cache = index_t{64} << 20;

inline constinit Atomic<index_t> last_level_cache{-1};

/// True when large targets are written past the caches on this processor.
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
    return bytes >= large_cache;
}

#if BROADLOOM_X86
template <int Bytes>
struct Words {
    using Vector [[gnu::vector_size(Bytes)]] = long long;
};
#endif

/// Copies to lines of memory that are not kept in the caches.
struct Streaming {
    template <class Isa>
    BROADLOOM_INLINE static void run(char* to, const char* from, index_t bytes) {
        index_t i = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) % 64);
        if (i > bytes) i = bytes;
        __builtin_memcpy(to, from, static_cast<std::size_t>(i));
#if BROADLOOM_X86
        using Line = typename Words<Isa::bytes>::Vector;
        BROADLOOM_ROLLED
        for (; i + Isa::bytes <= bytes; i += Isa::bytes) {
            Line line;
            __builtin_memcpy(&line, from + i, sizeof line);
            Line* const place = reinterpret_cast<Line*>(to + i);
#if defined(__clang__)
            __builtin_nontemporal_store(line, place);
#else
            if constexpr (Isa::bytes == 64) __builtin_ia32_movntdq512(place, line);
            else if constexpr (Isa::bytes == 32) __builtin_ia32_movntdq256(place, line);
            else __builtin_ia32_movntdq(place, line);
#endif
        }
#endif
        __builtin_memcpy(to + i, from + i, static_cast<std::size_t>(bytes - i));
    }
};
inline void stream(char* to, const char* from, index_t bytes) {
    strict<Streaming, void(char*, const char*, index_t)>()(to, from, bytes);
}
/// Makes what was streamed visible to other threads.
inline void finish_streaming() {
#if BROADLOOM_X86
    __builtin_ia32_sfence();
#endif
}

/// True when a target of so many bytes, which is none of its operands, goes past the caches.
inline bool streams_out(const Operand* operands, int count, const Shape& shape) {
    const index_t size = shape.size(), bytes = operands[0].bytes;
    if (size < least_streamed / bytes || !streaming_pays()) return false;
    // What is described only may be larger than any memory.
    index_t footprint = size < least_footprint ? size * bytes : least_footprint;
    for (int i = 1; i < count; ++i) {
        if (operands[i].data == operands[0].data) return false;
        footprint += operands[i].shape->size() * operands[i].bytes;
    }
    return footprint >= least_footprint;
}

}  // namespace broadloom::kernel::detail

#endif  // BROADLOOM_KERNEL_STREAMING_HPP
