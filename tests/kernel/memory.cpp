#include "broadloom/kernel/memory.hpp"

#include <cstring>
#include <limits>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
namespace memory = broadloom::kernel::detail;

namespace {

constexpr bool size_classes_hold_what_was_asked_for() {
    int last = -1;
    std::size_t last_bytes = 0;
    for (std::size_t bytes = 0; bytes < 70000; bytes += bytes < 3000 ? 1 : 37) {
        const memory::SizeClass c = memory::size_class(bytes);
        if (c.bytes < bytes || c.bytes % 64 != 0 || c.index < last ||
            c.index >= memory::size_classes || memory::bytes_of_class(c.index) != c.bytes)
            return false;
        if (c.index == last && c.bytes != last_bytes) return false;
        // No more than an eighth is wasted, or 64 bytes.
        if (c.bytes - bytes > bytes / 8 + 64) return false;
        last = c.index;
        last_bytes = c.bytes;
    }
    const std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
    const memory::SizeClass largest = memory::size_class(most);
    return largest.index < memory::size_classes && largest.bytes >= most;
}
static_assert(size_classes_hold_what_was_asked_for());

/// Restores the limit at the end of a test.
struct Limit {
    explicit Limit(std::size_t bytes) { bl::set_memory_cache_limit(bytes); }
    ~Limit() { bl::set_memory_cache_limit(std::size_t{256} << 20); }
};

}  // namespace

TEST_CASE("Size classes are the same at run time") {
    CHECK(size_classes_hold_what_was_asked_for());
}

TEST_CASE("Blocks are aligned, apart from each other, and writable to the last byte") {
    std::vector<std::pair<char*, std::size_t>> blocks;
    for (std::size_t bytes = 0; bytes < 5000000; bytes = bytes * 3 / 2 + 1) {
        char* const block = static_cast<char*>(memory::allocate(bytes));
        CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
        if (memory::keeps_memory && bytes >= std::size_t{2} << 20)
            CHECK(reinterpret_cast<std::uintptr_t>(block) % (std::size_t{2} << 20) == 0);
        std::memset(block, static_cast<int>(blocks.size()), bytes);
        blocks.emplace_back(block, bytes);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto [block, bytes] = blocks[i];
        if (bytes > 0)
            CHECK((block[0] == static_cast<char>(i) && block[bytes - 1] == static_cast<char>(i)));
        memory::deallocate(block, bytes);
    }
}

TEST_CASE("A request that no memory can meet is std::bad_alloc") {
    CHECK_THROWS_AS(memory::allocate(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    CHECK_THROWS_AS(memory::allocate(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
    CHECK_THROWS_AS(memory::allocate(std::numeric_limits<std::size_t>::max() / 2 - 1000),
                    std::bad_alloc);
    // So many elements of eight bytes that their number of bytes cannot be told.
    constexpr bl::index_t many = bl::index_t{1} << (8 * sizeof(bl::index_t) - 3);
    CHECK_THROWS_AS(bl::kernel::Buffer(many, 8), std::bad_alloc);
    CHECK_THROWS_AS(bl::kernel::Buffer(many + 1, 8), std::bad_alloc);
    CHECK_THROWS_AS(bl::empty<double>(bl::Shape{many}), std::bad_alloc);
}

TEST_CASE("A freed block serves the next request of its class, within the limit") {
    if (!memory::keeps_memory) return;
    const Limit limit(1 << 20);
    bl::release_memory();
    void* const first = memory::allocate(1000);
    memory::deallocate(first, 1000);
    CHECK(memory::allocate(990) == first);
    memory::deallocate(first, 990);
    CHECK(memory::block_cache().bytes == 1024);
    bl::release_memory();
    CHECK(memory::block_cache().bytes == 0);
    // Never more than the limit, whatever is freed.
    std::vector<void*> blocks;
    for (int i = 0; i < 50; ++i) blocks.push_back(memory::allocate(100000));
    for (void* const block : blocks) {
        memory::deallocate(block, 100000);
        CHECK(memory::block_cache().bytes <= 1 << 20);
    }
    CHECK(memory::block_cache().bytes > 500000);
    void* const large = memory::allocate(2 << 20);
    memory::deallocate(large, 2 << 20);
    CHECK(memory::block_cache().bytes <= 1 << 20);
}

TEST_CASE("A block made where sanitizers look on is never kept") {
    const std::size_t align = memory::alignment;
    void* const raw = ::operator new(2 * align, std::align_val_t{align});
    void* const block = static_cast<char*>(raw) + align;
    memory::origin_of(block) = reinterpret_cast<std::uintptr_t>(raw) | 1;
    const std::size_t before = memory::block_cache().bytes;
    memory::deallocate(block, align);
    CHECK(memory::block_cache().bytes == before);
}

TEST_CASE("With a limit of 0 nothing is kept") {
    const Limit limit(0);
    memory::deallocate(memory::allocate(1000), 1000);
    CHECK(memory::block_cache().bytes == 0);
}

TEST_CASE("Tensors may die in another thread than they were born in") {
    std::vector<bl::Tensor<int>> made;
    std::thread([&] {
        for (int i = 0; i < 20; ++i) made.push_back(bl::full<int>({1000 + i}, i));
    }).join();
    for (int i = 0; i < 20; ++i) CHECK(made[static_cast<std::size_t>(i)](999) == i);
    std::thread([mine = std::move(made)]() mutable { mine.clear(); }).join();
    CHECK(bl::full<int>({1000}, 3)(0) == 3);
}

TEST_CASE("A limit set elsewhere empties the cache of a thread when it next frees a tensor") {
    if (!memory::keeps_memory) return;
    std::thread([] {
        {
            const auto x = bl::zeros<double>({1000});
        }
        CHECK(memory::block_cache().bytes >= 8000);
        std::thread([] { bl::set_memory_cache_limit(0); }).join();
        {
            const auto x = bl::zeros<double>({1000});
        }
        CHECK(memory::block_cache().bytes == 0);
    }).join();
    bl::set_memory_cache_limit(std::size_t{256} << 20);
}

#if !defined(__MINGW32__) || defined(__clang__)  // GCC there destroys what it has freed
TEST_CASE("Tensors may outlive the cache of their thread") {
    int seen = 0;
    std::thread([&seen] {
        struct Late {
            bl::Tensor<int> x;
            int* seen = nullptr;
            ~Late() {
                x = bl::full<int>({500}, 2);
                *seen = x(499);
            }
        };
        static thread_local Late late;  // made before the cache, so that it dies after it
        late.seen = &seen;
        late.x = bl::full<int>({100}, 1);
        late.x = bl::full<int>({200}, 1);
    }).join();
    CHECK(seen == 2);
}
#endif

TEST_CASE("The blocks of a thread end with it") {
    if (!memory::keeps_memory) return;
    // Far more than there is, were they kept.
    for (int i = 0; i < 2000; ++i) {
        std::thread([] {
            memory::deallocate(memory::allocate(std::size_t{200} << 20), std::size_t{200} << 20);
            CHECK(memory::block_cache().bytes >= std::size_t{200} << 20);
        }).join();
    }
}

TEST_CASE("What a kernel takes goes back to the thread, and is taken from there") {
    if (!memory::keeps_memory) return;
    const Limit limit(1 << 20);
    bl::release_memory();
    const char* first = nullptr;
    {
        bl::kernel::Memory taken;
        CHECK(taken.data() == nullptr);
        first = taken.make(1000);
        CHECK(taken.data() == first);
        CHECK(taken.make(5000) != first);
        CHECK(memory::block_cache().bytes == 1024);
    }
    CHECK(memory::block_cache().bytes > 6000);
    bl::kernel::Memory again;
    CHECK(again.make(1000) == first);
}
