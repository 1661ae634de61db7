// Memory for elements: 64-byte aligned, never zeroed, and freed blocks are kept by size for the
// next tensor or kernel of the thread, up to a settable number of bytes. From 2 MiB on blocks are
// aligned for huge pages, since page faults cost more than most computations on fresh memory.
#ifndef BROADLOOM_KERNEL_MEMORY_HPP
#define BROADLOOM_KERNEL_MEMORY_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/atomic.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__MINGW32__) && !defined(__clang__)
#include <bits/gthr.h>
#endif

namespace broadloom {
namespace kernel {
namespace detail {

// Sanitizers are to see where a block begins and ends, and when it is freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool keeps_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
inline constexpr bool keeps_memory = false;
#else
inline constexpr bool keeps_memory = true;
#endif
#else
inline constexpr bool keeps_memory = true;
#endif

inline constexpr std::size_t alignment = 64;
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

inline constinit Atomic<std::size_t> memory_cache_limit{std::size_t{256} << 20};

/// The size class of a request: its index and the bytes a block of the class has. Classes are 64
/// bytes apart up to 1 KiB, then eight for every doubling.
struct SizeClass {
    int index;
    std::size_t bytes;
};
constexpr SizeClass size_class(std::size_t bytes) {
    if (bytes <= 1024) {
        const std::size_t n = bytes == 0 ? 0 : (bytes - 1) / 64;
        return SizeClass{static_cast<int>(n), (n + 1) * 64};
    }
    // bytes in (1024 << shift, 2048 << shift]
    const int shift = static_cast<int>(std::bit_width(bytes - 1)) - 11;
    const std::size_t step = std::size_t{128} << shift;
    const std::size_t n = (bytes - 1) / step;  // 8 to 15
    return SizeClass{16 + 8 * shift + static_cast<int>(n) - 8, (n + 1) * step};
}
/// The bytes that a block of a class has.
constexpr std::size_t bytes_of_class(int index) {
    const auto n = static_cast<std::size_t>(index);
    return n < 16 ? (n + 1) * 64 : ((n - 16) % 8 + 9) << (7 + (n - 16) / 8);
}
inline constexpr int size_classes = 16 + 8 * (64 - 11);  // eight to each power of two above 1024

/// What stands in a free block: the next one of its class.
struct FreeBlock {
    FreeBlock* next;
};

/// The free blocks of one thread. Trivial on purpose: thread-local access then costs nothing.
struct BlockCache {
    FreeBlock* free[size_classes];
    std::size_t bytes;
    bool armed, closed;
};

// Just before a block stands the address to be freed. It is odd where sanitizers look on: there
// `new` made the block, which ends with the last byte asked for and is never kept. Programs may be
// linked of parts with and without them.
inline std::uintptr_t& origin_of(void* block) noexcept {
    return static_cast<std::uintptr_t*>(block)[-1];
}
BROADLOOM_NOINLINE inline void* allocate_block(std::size_t bytes) {
    const std::size_t align = bytes >= huge_page ? huge_page : alignment;
    if (bytes > static_cast<std::size_t>(broadloom::detail::largest_index) - 2 * align)
        throw std::bad_alloc();
    if constexpr (!keeps_memory) {
        void* raw = ::operator new(bytes + alignment, std::align_val_t{alignment});
        void* block = static_cast<char*>(raw) + alignment;
        origin_of(block) = reinterpret_cast<std::uintptr_t>(raw) | 1;
        return block;
    }
    void* raw = std::malloc(bytes + align + sizeof(std::uintptr_t));
    if (raw == nullptr) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    void* block =
        reinterpret_cast<void*>((address + sizeof(std::uintptr_t) + align - 1) / align * align);
    origin_of(block) = address;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (align == huge_page) madvise(block, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    return block;
}
inline void free_block(void* block) noexcept {
    const std::uintptr_t origin = origin_of(block);
    if (origin % 2 == 0) return std::free(reinterpret_cast<void*>(origin));
    ::operator delete(reinterpret_cast<void*>(origin - 1), std::align_val_t{alignment});
}

BROADLOOM_COLD inline void empty_cache(BlockCache& cache, std::size_t limit) noexcept {
    // The largest go first.
    for (int i = size_classes - 1; i >= 0 && cache.bytes > limit; --i) {
        while (cache.free[i] != nullptr && cache.bytes > limit) {
            FreeBlock* block = cache.free[i];
            cache.free[i] = block->next;
            cache.bytes -= bytes_of_class(i);
            free_block(block);
        }
    }
}

#if defined(__MINGW32__) && !defined(__clang__)
// GCC on Windows frees what is thread-local before its destructors run. So the cache is held by a
// key of the system's threads, which still has it when they end.
BROADLOOM_COLD inline void close_cache(void* held) noexcept {
    auto* const cache = static_cast<BlockCache*>(held);
    empty_cache(*cache, 0);
    delete cache;
}
struct CacheKey {
    __gthread_key_t key{};
    bool is_made = __gthread_key_create(&key, close_cache) == 0;
};
BROADLOOM_COLD inline BlockCache& make_cache(const CacheKey& key) noexcept {
    static constinit BlockCache none{{}, 0, false, true};
    if (!key.is_made) return none;
    auto* const cache = new (std::nothrow) BlockCache{};
    if (cache == nullptr || __gthread_setspecific(key.key, cache) != 0) {
        delete cache;
        return none;
    }
    cache->armed = true;
    return *cache;
}
inline BlockCache& block_cache() noexcept {
    static const CacheKey key;
    if (void* const held = key.is_made ? __gthread_getspecific(key.key) : nullptr)
        return *static_cast<BlockCache*>(held);
    return make_cache(key);
}
inline void arm_cache() {}
#else
inline constinit thread_local BlockCache thread_cache{};
inline BlockCache& block_cache() noexcept { return thread_cache; }

/// Gives the blocks back when the thread ends.
struct CacheCloser {
    ~CacheCloser() {
        empty_cache(thread_cache, 0);
        thread_cache.closed = true;
        thread_cache.armed = false;
    }
    void arm() const noexcept {}
};
inline void arm_cache() {
    static thread_local CacheCloser closer;
    closer.arm();
    thread_cache.armed = true;
}
#endif

/// Uninitialised memory for `bytes` bytes. Throws std::bad_alloc.
inline void* allocate(std::size_t bytes) {
    if constexpr (!keeps_memory) return allocate_block(bytes);
    if (bytes > static_cast<std::size_t>(broadloom::detail::largest_index)) throw std::bad_alloc();
    const SizeClass size = size_class(bytes);
    BlockCache& cache = block_cache();
    FreeBlock* block = cache.free[size.index];
    if (block == nullptr) [[unlikely]]
        return allocate_block(size.bytes);
    cache.free[size.index] = block->next;
    cache.bytes -= size.bytes;
    return block;
}

/// Makes room in the cache for a block, and sees to it that the cache is emptied at the end;
/// false if the block cannot be kept.
BROADLOOM_COLD inline bool make_room(std::size_t bytes, std::size_t limit) noexcept {
    BlockCache& cache = block_cache();
    if (cache.closed) return false;
    if (bytes > limit) {
        empty_cache(cache, limit);
        return false;
    }
    if (!cache.armed) arm_cache();
    if (cache.bytes + bytes > limit) empty_cache(cache, limit - bytes);
    return true;
}

/// Takes back what `allocate(bytes)` gave.
inline void deallocate(void* memory, std::size_t bytes) noexcept {
    if (!keeps_memory || origin_of(memory) % 2 != 0) [[unlikely]]
        return free_block(memory);
    const SizeClass size = size_class(bytes);
    BlockCache& cache = block_cache();
    const std::size_t limit = memory_cache_limit.load();
    if (!cache.armed || cache.bytes + size.bytes > limit) [[unlikely]] {
        if (!make_room(size.bytes, limit)) {
            free_block(memory);
            return;
        }
    }
    cache.free[size.index] = ::new (memory) FreeBlock{cache.free[size.index]};
    cache.bytes += size.bytes;
}

}  // namespace detail

/// A block of memory with its owner.
class Buffer {
public:
    Buffer() = default;
    /// Throws std::bad_alloc.
    Buffer(index_t count, std::size_t element) : bytes_(size(count, element)) {
        memory_ = detail::allocate(bytes_);
    }
    Buffer(Buffer&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Buffer() {
        if (memory_ != nullptr) detail::deallocate(memory_, bytes_);
    }

    void* memory() const noexcept { return memory_; }

private:
    static std::size_t size(index_t count, std::size_t element) {
        const auto n = static_cast<std::size_t>(count);
        if (n > static_cast<std::size_t>(broadloom::detail::largest_index) / element)
            throw std::bad_alloc();
        return n * element;
    }

    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

/// A block that a kernel takes for a while, none until it is made. Out of line: there are many such
/// places, all of them for more than a little.
class Memory {
public:
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        if (data_ != nullptr) give_back();
    }
    /// Takes another block, and returns where it begins. Throws std::bad_alloc.
    BROADLOOM_NOINLINE char* make(std::size_t bytes) {
        void* const fresh = detail::allocate(bytes);
        if (data_ != nullptr) give_back();
        bytes_ = bytes;
        return data_ = static_cast<char*>(fresh);
    }
    char* data() const noexcept { return data_; }

private:
    BROADLOOM_NOINLINE void give_back() noexcept { detail::deallocate(data_, bytes_); }

    char* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace kernel

/// Sets how many bytes of freed blocks each thread keeps for its next tensors: 256 MiB unless
/// told otherwise, 0 to keep none. Other threads give back theirs when they next free a tensor.
inline void set_memory_cache_limit(std::size_t bytes) noexcept {
    kernel::detail::memory_cache_limit.store(bytes);
    kernel::detail::empty_cache(kernel::detail::block_cache(), bytes);
}

/// Gives the blocks that this thread keeps back to the system.
inline void release_memory() noexcept {
    kernel::detail::empty_cache(kernel::detail::block_cache(), 0);
}

}  // namespace broadloom

#endif  // BROADLOOM_KERNEL_MEMORY_HPP
