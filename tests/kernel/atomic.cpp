// Values that threads share: no change is lost, and what was written before a store is seen after
// the load that reads it.
#include "broadloom/kernel/atomic.hpp"

#include <cstddef>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using broadloom::kernel::Atomic;

TEST_CASE("A value changes as told, and changes return what was there") {
    Atomic<int> count{3};
    CHECK(count.load() == 3);
    count.store(5);
    CHECK(count.exchange(7) == 5);
    CHECK(count.fetch_add(-2) == 7);
    CHECK(count.load() == 5);
    Atomic<bool> flag{false};
    CHECK_FALSE(flag.exchange(true));
    CHECK(flag.load());
    Atomic<std::size_t> size{~std::size_t{0}};
    CHECK(size.load() == ~std::size_t{0});
}

TEST_CASE("Counts of several threads add up") {
    Atomic<long> count{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 10000; ++i) count.fetch_add(1);
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(count.load() == 40000);
}

TEST_CASE("What was written before a store is seen after the load") {
    for (int turn = 0; turn < 100; ++turn) {
        int message = 0;
        Atomic<bool> ready{false};
        std::thread writer([&] {
            message = turn + 1;
            ready.store(true);
        });
        while (!ready.load()) std::this_thread::yield();
        CHECK(message == turn + 1);
        writer.join();
    }
}
