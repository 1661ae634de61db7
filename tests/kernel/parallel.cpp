// Threads: every piece runs once, exceptions arrive, and what runs inside a piece or beside a busy
// pool runs in its own thread.
#include "broadloom/kernel/parallel.hpp"

#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#if BROADLOOM_PTHREADS
#include <sys/wait.h>
#endif

#include "support/catch.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;
using settings::Restore;

TEST_CASE("Every piece runs exactly once, on any number of threads") {
    for (const int threads : {1, 2, 3, 8, 2}) {
        for (const index_t pieces : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(pieces));
            kernel::parallel(threads, pieces,
                             [&](index_t i) { ++runs[static_cast<std::size_t>(i)]; });
            bool once = true;
            for (const auto& r : runs) once = once && r.load() == 1;
            CHECK(once);
        }
    }
}

TEST_CASE("A job has no more threads than it asks for or has pieces, whoever was hired before") {
    for (int round = 0; round < 200; ++round) {
        for (const int threads : {12, 2, 3, 1}) {
            for (const index_t pieces : {2, 5, 40}) {
                std::mutex lock;
                std::set<std::thread::id> seen;
                std::atomic<int> runs{0};
                kernel::parallel(threads, pieces, [&](index_t) {
                    ++runs;
                    const std::lock_guard<std::mutex> held(lock);
                    seen.insert(std::this_thread::get_id());
                });
                const auto most = static_cast<std::size_t>(pieces < threads ? pieces : threads);
                if (runs != pieces || seen.size() > most) CHECK(seen.size() <= most);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("The first exception of a piece reaches the caller, and the pool is good for more") {
    for (const int threads : {1, 2, 4}) {
        std::atomic<int> before{0};
        auto fail = [&](index_t i) {
            ++before;
            if (i == 3) throw std::runtime_error("piece 3");
        };
        CHECK_THROWS_WITH(kernel::parallel(threads, 100, fail), "piece 3");
        CHECK(before >= 1);
        std::atomic<int> count{0};
        kernel::parallel(threads, 50, [&](index_t) { ++count; });
        CHECK(count == 50);
    }
}

TEST_CASE("A job within a piece runs in the thread of the piece") {
    std::atomic<int> count{0}, elsewhere{0};
    kernel::parallel(3, 5, [&](index_t) {
        const auto mine = std::this_thread::get_id();
        kernel::parallel(3, 10, [&](index_t) {
            ++count;
            if (std::this_thread::get_id() != mine) ++elsewhere;
        });
    });
    CHECK(count == 50);
    CHECK(elsewhere == 0);
}

TEST_CASE("Callers in several threads share the pool without waiting for each other") {
    std::atomic<int> count{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t) {
        callers.emplace_back([&] {
            for (int round = 0; round < 100; ++round)
                kernel::parallel(2, 10, [&](index_t) { ++count; });
        });
    }
    for (auto& caller : callers) caller.join();
    CHECK(count == 4 * 100 * 10);
}

TEST_CASE("No more threads are wanted than make sense") {
    const Restore restore;
    bl::set_num_threads(std::numeric_limits<int>::max());
    CHECK(bl::num_threads() == 1024);
}

// The thread sanitizer makes no threads in a fork.
#if defined(__has_feature)
#define BROADLOOM_THREAD_SANITIZER __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_THREAD__)
#define BROADLOOM_THREAD_SANITIZER 1
#else
#define BROADLOOM_THREAD_SANITIZER 0
#endif
#if BROADLOOM_PTHREADS && !BROADLOOM_THREAD_SANITIZER
TEST_CASE("A fork of the process has workers of its own") {
    std::atomic<int> runs{0};
    auto job = [&](index_t) { ++runs; };
    kernel::parallel(3, 100, job);
    const pid_t child = fork();
    if (child == 0) {
        kernel::parallel(3, 100, job);
        _exit(runs.load() == 200 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    kernel::parallel(3, 100, job);
    CHECK(runs.load() == 200);
}
#endif

TEST_CASE("What is shared out is taken once, in one piece unless it is worth more") {
    const Restore restore;
    for (const int threads : {1, 2, 3}) {
        bl::set_num_threads(threads);
        for (const index_t count : {0, 1, 2, 7, 1000}) {
            for (const index_t steps : {index_t{1}, index_t{1} << 30}) {
                for (const index_t least : {1, 3, 64}) {
                    std::vector<std::atomic<int>> taken(static_cast<std::size_t>(count));
                    std::atomic<int> calls{0}, crumbs{0};
                    const auto take = [&](index_t first, index_t last) {
                        ++calls;
                        if (first % least != 0 || (last - first < least && count >= least))
                            ++crumbs;
                        for (; first < last; ++first) ++taken[static_cast<std::size_t>(first)];
                    };
                    kernel::share_out(kernel::threads_for(steps), count, take, least);
                    bool once = true;
                    for (const auto& t : taken) once = once && t.load() == 1;
                    CHECK(once);
                    CHECK(crumbs == 0);
                    if (threads == 1 || steps == 1 || count < 2 * least) CHECK(calls == 1);
                    else CHECK((calls > 1 && calls <= 4 * threads));
                }
            }
        }
    }
}

TEST_CASE("Only large jobs are worth more than one thread, and only when asked for") {
    const Restore restore;
    CHECK(bl::num_threads() == 1);
    CHECK(kernel::threads_for(index_t{1} << 30) == 1);
    bl::set_num_threads(3);
    CHECK(bl::num_threads() == 3);
    CHECK(kernel::threads_for(index_t{1} << 30) == 3);
    CHECK(kernel::threads_for(1000) == 1);
    CHECK((kernel::threads_for(100000, 10) == 1 && kernel::threads_for(104858, 10) == 3));
    CHECK(kernel::threads_for(bl::detail::largest_index, 100) == 3);
    bl::set_num_threads(0);
    CHECK(bl::num_threads() >= 1);
    bl::set_num_threads(-5);
    CHECK(bl::num_threads() >= 1);
}
