// Writing past the caches. A store that misses them reads the line first, for nothing if all of it
// is overwritten, and displaces what could be read again. Where the last-level cache is large and
// far away, as on servers with many cores, that takes two to four times as long as to compute a few
// lines in the first-level cache and to write them out whole; where it is near and fast, that pays
// only for what it can't hold; elsewhere it gains nothing.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_STREAMING_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_STREAMING_HPP

#include <cstdint>

#include "broadloom/kernel/plan.hpp"
#include "broadloom/kernel/packing/register.hpp"

#if defined(__linux__)
#include <unistd.h>
#endif

namespace broadloom::kernel {

/// How the loop writes a target that lies flat: into the caches, past them, or past them with all
/// that it is computed from prefetched.
enum class Write { cached, streamed, prefetched };

namespace detail {

/// The least size of a target that is streamed, on any processor.
inline constexpr index_t least_streamed = index_t{8} << 20;
inline constexpr index_t largest_element = 256;  // bytes of what is streamed

/// What a kind of processor streams, and what is prefetched there: bytes from which on, or 0.
struct Streaming {
    index_t least = 0;               // bytes of the target and the operands
    Write streamed = Write::cached;  // as which
    bool heavy = true;               // what takes many steps to compute, too
    int target = 1, read = 1;        // what bytes of these count
    bool in_order = false;           // operands count if read in order, as all large ones must be
    bool one_alone = false;          // prefetches one operand where no other goes along rows
    index_t short_rows = 0;          // bytes of a target alone, of rows of a few elements
    index_t stored_rows = 0;         // rows that are no whole lines: shorter ones are stored
    index_t prefetched_flat = 0;     // rows that follow one another
    index_t prefetched_pieces = 0;   // others that are read in one piece
    index_t read_in_order = 0;       // all that is read, line by line before it is used
    index_t turned = 0;              // of all streams: what is turned, a tile ahead of its time,
    index_t crowded = 0;             // unless it lies multiples of so many bytes apart
};
inline constexpr Streaming no_streaming{};
/// A last-level cache of 64 MiB or more that many cores share, far from each. Streamed results take
/// two thirds of the time where other data has been in the caches, even if they are read next; a
/// fifth less otherwise, and a fifth more if they are read next.
inline constexpr Streaming far_cache{.least = index_t{24} << 20,
                                     .streamed = Write::prefetched,
                                     .turned = index_t{24} << 20,
                                     .crowded = 4096};
inline constexpr index_t large_cache = index_t{64} << 20;
/// AMD's, of 16 to 96 MiB beside a few cores, far faster than memory: streaming pays where what is
/// read needs the room and the memory is busy with nothing else, up to a quarter of the time. A
/// result of 16 MiB takes a sixth more where it is read next, one of 24 MiB no more. Stores of
/// whole lines in one go read none, so that a result alone takes half as long again if it is
/// streamed, unless it goes by tiles of short rows: then it takes half. Lines that rows share are
/// worth their while in rows of 512 bytes; shorter ones took up to twice as long. Loops need not
/// prefetch rows in one piece, and folds not those that follow one another; of other rows folds
/// take up to half of the time if they do.
inline constexpr Streaming near_cache{.least = index_t{15} << 20,
                                      .streamed = Write::streamed,
                                      .heavy = false,
                                      .target = 0,
                                      .in_order = true,
                                      .one_alone = true,
                                      .short_rows = index_t{24} << 20,
                                      .stored_rows = 512,
                                      .prefetched_pieces = index_t{8} << 20,
                                      .read_in_order = index_t{20} << 20,
                                      .turned = index_t{15} << 20};
/// Where one core streams faster than it stores, as with Zen 3, that pays as soon as the cache of
/// 32 MiB does not hold all there is, whatever it is computed from: from 8 MiB on of a sum of two
/// others (0.6 to 0.9 of the time), from 12 MiB of one, from 48 MiB of next to nothing, which take
/// up to twice as long before. Together with what reads the result next it takes up to 1.4 times as
/// long below 24 MiB. Flat folds of more than the second-level cache take 0.7 to 0.9 if they call.
inline constexpr Streaming zen3_cache{.least = index_t{48} << 20,
                                      .streamed = Write::streamed,
                                      .heavy = false,
                                      .read = 3,
                                      .prefetched_flat = index_t{1} << 19,
                                      .prefetched_pieces = index_t{8} << 20,
                                      .turned = index_t{15} << 20};

inline constinit Atomic<const Streaming*> streaming_policy{nullptr};

/// What this processor streams. None of the baseline has caches for it.
inline const Streaming& streaming() noexcept {
    const Streaming* policy = streaming_policy.load();
    if (policy == nullptr) {
        policy = &no_streaming;
#if BROADLOOM_X86 && defined(_SC_LEVEL3_CACHE_SIZE)
        // Compilers that do not know of Zen 4 take it for Zen 3, which has no AVX-512.
        const bool zen3 = __builtin_cpu_is("znver3") && !__builtin_cpu_supports("avx512f");
        if (zen3) policy = &zen3_cache;
        else if (__builtin_cpu_is("amd")) policy = &near_cache;
        else if (sysconf(_SC_LEVEL3_CACHE_SIZE) >= large_cache) policy = &far_cache;
#endif
        streaming_policy.store(policy);
    }
    return isa() > 0 ? *policy : no_streaming;
}

/// Has the caches fetch `Bytes` of what a stream is computed from, some bytes ahead of a place and
/// perhaps behind the end. Processors do so by themselves, but stop at every page of 4 KiB.
template <index_t Bytes>
BROADLOOM_INLINE void prefetch(const void* place, index_t ahead = 2048) {
    const auto from = reinterpret_cast<std::uintptr_t>(place) + static_cast<std::uintptr_t>(ahead);
    for (index_t i = 0; i < Bytes; i += line_bytes) {
        __builtin_prefetch(reinterpret_cast<const void*>(from + static_cast<std::uintptr_t>(i)));
    }
}

/// Has the caches fetch the sixteen rows that come two blocks after these, `Bytes` of each.
template <index_t Bytes>
BROADLOOM_INLINE void prefetch_block(const void* place, index_t row_bytes) {
    BROADLOOM_ROLLED
    for (index_t row = 32; row < 48; ++row) prefetch<Bytes>(place, row * row_bytes);
}

/// Reads a part of every cache line of some rows, in order, for the caches to have them.
BROADLOOM_NOINLINE inline void read_in_order(const void* place, index_t rows, index_t bytes,
                                             index_t row_bytes) {
    if (bytes == row_bytes) {
        bytes *= rows;
        rows = 1;
    }
    const volatile char* from = static_cast<const volatile char*>(place);
    for (; rows > 0; --rows, from += row_bytes) {
        for (index_t i = 0; i < bytes; i += line_bytes) static_cast<void>(from[i]);
    }
}

/// Copies whole lines to where lines begin, and has none of them kept in the caches. Wider vectors
/// than AVX2's stream no faster.
template <class Isa>
BROADLOOM_INLINE void stream(void* to, const void* from, index_t bytes) {
#if BROADLOOM_X86
    static_assert(Isa::bytes <= 32);
    using Vector = Chunk<Isa::bytes>;
    for (index_t i = 0; i < bytes; i += Isa::bytes) {
        Vector vector;
        __builtin_memcpy(&vector, static_cast<const char*>(from) + i, sizeof vector);
        Vector* const place = reinterpret_cast<Vector*>(static_cast<char*>(to) + i);
#if defined(__clang__)
        __builtin_nontemporal_store(vector, place);
#else
        if constexpr (Isa::bytes == 32) __builtin_ia32_movntdq256(place, vector);
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

BROADLOOM_PLANNING_BEGIN

/// True for a plan of more than the caches hold: they are told to fetch what will be turned, of
/// which a tile takes parts of many rows of memory.
BROADLOOM_NOINLINE inline bool calls_turned(const Plan& plan) {
    const index_t least = streaming().turned;
    if (least == 0) return false;
    double bytes = 0;
    for (int i = 0; i < plan.count; ++i) bytes += bytes_of(plan, i);
    return bytes >= static_cast<double>(least);
}
/// False for such rows where lines that were fetched would displace those in use: places that are
/// multiples of 4 KiB apart share few lines.
inline bool leave_room(index_t row_bytes) {
    const index_t crowded = streaming().crowded;
    return crowded == 0 || row_bytes % crowded != 0;
}

/// How many elements of memory an operand takes for each of its own where it goes in steps.
inline index_t step_of(const Operand& operand) {
    index_t step = 1, least = 0;
    for (index_t d = 0; d < operand.shape->rank(); ++d) {
        if ((*operand.shape)[d] == 1 || (*operand.strides)[d] == 0) continue;
        step = magnitude((*operand.strides)[d]);
        if (least == 0 || step < least) least = step;
    }
    return step == least ? step : 1;
}

/// True for an operand of rows of less than some pages, each of which begins far from where the one
/// before ends: what reads such rows waits for memory, and takes up to twice as long if it streams.
inline bool lies_in_jumps(const Operand& operand) {
    constexpr index_t far_off = 512, long_run = 16384;  // bytes
    index_t run = 1;
    for (index_t d = operand.shape->rank() - 1; d >= 0; --d) {
        const index_t extent = (*operand.shape)[d], stride = (*operand.strides)[d];
        if (extent == 1 || stride == 0) continue;
        if (stride != run) {
            return run <= (long_run - 1) / operand.bytes &&
                   magnitude(stride - run) > (far_off - 1) / operand.bytes;
        }
        run *= extent;
    }
    return false;
}

/// How many elements of memory an operand has: what is repeated counts once.
inline index_t distinct_elements(const Operand& operand) {
    index_t elements = 1;
    for (index_t d = 0; d < operand.shape->rank(); ++d) {
        if ((*operand.strides)[d] != 0) elements *= (*operand.shape)[d];
    }
    return elements;
}

/// How a target, the first of some operands, is written: past the caches when it is large and
/// none of the others is the same memory. `light` is what takes few steps to compute; a mere copy
/// in steps is not streamed by processors that do not call what they read.
inline Write write_for(const Operand* operands, int count, const Shape& shape, bool light,
                       bool copies) {
    const index_t size = shape.size(), bytes = operands[0].bytes;
    if (size < least_streamed / largest_element) return Write::cached;  // without a division
    if (bytes > largest_element || size < least_streamed / bytes) return Write::cached;
    const Streaming& policy = streaming();
    if (!light && !policy.heavy) return Write::cached;
    if (copies && policy.streamed == Write::streamed && step_of(operands[1]) > 1)
        return Write::cached;
    // Lines begin between elements.
    const auto address = reinterpret_cast<std::uintptr_t>(operands[0].data);
    if ((bytes & (bytes - 1)) != 0 || address % static_cast<std::uintptr_t>(bytes) != 0)
        return Write::cached;
    constexpr index_t short_row = 32, long_row = 128;  // elements
    const index_t columns = shape.rank() > 0 ? shape[shape.rank() - 1] : 1;
    const bool short_rows = policy.short_rows > 0 && size >= policy.short_rows / bytes &&
                            shape.rank() > 1 && columns < short_row;
    index_t footprint = 0;
    int moving = 0;  // operands along rows
    for (int i = 0; i < count; ++i) {
        if (i > 0 && operands[i].data == operands[0].data) return Write::cached;
        const Shape& own = *operands[i].shape;
        if (i > 0 && own.rank() > 0 && own[own.rank() - 1] > 1) ++moving;
        const bool in_order = own.rank() == 0 || (*operands[i].strides)[own.rank() - 1] == 1;
        if (i > 0 && policy.in_order && !in_order) continue;
        // What is described only may be larger than any memory.
        const index_t elements = distinct_elements(operands[i]);
        if (i > 0 && policy.in_order && elements >= policy.least / operands[i].bytes &&
            detail::lies_in_jumps(operands[i]))
            return Write::cached;
        const index_t weight = i == 0 ? policy.target : policy.read;
        const index_t lines = line_bytes / operands[i].bytes, step = step_of(operands[i]);
        const index_t taken = operands[i].bytes * (step < lines ? step : lines > 0 ? lines : 1);
        footprint += weight * (elements < policy.least ? elements * taken : policy.least);
        if (short_rows && elements > 1 && elements < size) footprint += policy.least;
    }
    if (footprint < policy.least) return Write::cached;
    const bool one_alone = policy.one_alone && moving == 1 && columns >= long_row;
    return one_alone ? Write::prefetched : policy.streamed;
}

BROADLOOM_PLANNING_END

}  // namespace detail
}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_STREAMING_HPP
