// Threads, opt-in. One pool for the program, made when first needed; a job is a number of pieces,
// which the caller and the workers take one by one. What is cut and where changes no result.
#ifndef BROADLOOM_KERNEL_PARALLEL_HPP
#define BROADLOOM_KERNEL_PARALLEL_HPP

#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/atomic.hpp"
#include "broadloom/kernel/dispatch.hpp"

#if defined(__unix__) || defined(__APPLE__)
#define BROADLOOM_PTHREADS 1
#include <pthread.h>
#include <unistd.h>
#else
#define BROADLOOM_PTHREADS 0
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAS_GTHREADS)  // as GCC on Windows may be built
#define BROADLOOM_THREADS 0
#else
#define BROADLOOM_THREADS 1
#include <condition_variable>
#include <mutex>
#include <thread>
#endif
#endif

namespace broadloom {
namespace kernel {
namespace detail {

inline constinit Atomic<int> wanted_threads{1};

/// Tells the processor that this thread is waiting.
inline void pause() noexcept {
#if BROADLOOM_X86
    __builtin_ia32_pause();
#endif
}

using Piece = void(void* job, index_t piece);

// Threads and locks of the system. <thread> and <mutex> do the same, for a tenth of a second in
// every compilation.
#if BROADLOOM_PTHREADS
class Thread {
public:
    /// Runs `body(argument)` in a thread of its own; false if the system has no thread to give.
    bool start(void* (*body)(void*), void* argument) noexcept {
        // Folds and packed operands take 64 KiB of the stack each; some systems give little more.
        constexpr std::size_t least = std::size_t{1} << 20;
        pthread_attr_t wishes;
        std::size_t stack = 0;
        if (pthread_attr_init(&wishes) != 0) return false;
        if (pthread_attr_getstacksize(&wishes, &stack) == 0 && stack < least)
            pthread_attr_setstacksize(&wishes, least);
        const bool started = pthread_create(&handle_, &wishes, body, argument) == 0;
        pthread_attr_destroy(&wishes);
        return started;
    }
    void join() noexcept { pthread_join(handle_, nullptr); }

private:
    pthread_t handle_{};
};
class Lock {
public:
    void lock() noexcept { pthread_mutex_lock(&mutex_); }
    void unlock() noexcept { pthread_mutex_unlock(&mutex_); }
    /// Sleeps, unlocked, until woken, or for no reason.
    void sleep() noexcept { pthread_cond_wait(&woken_, &mutex_); }
    void wake() noexcept { pthread_cond_broadcast(&woken_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t woken_ = PTHREAD_COND_INITIALIZER;
};
inline int machine_threads() noexcept { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }
/// A number of this process: a fork has another one, and none of the threads.
inline long process() noexcept { return static_cast<long>(getpid()); }
#elif BROADLOOM_THREADS
class Thread {
public:
    bool start(void* (*body)(void*), void* argument) noexcept {
        try {
            thread_ = std::thread(body, argument);
            return true;
        } catch (...) {
            return false;
        }
    }
    void join() noexcept { thread_.join(); }

private:
    std::thread thread_;
};
class Lock {
public:
    void lock() noexcept { mutex_.lock(); }
    void unlock() noexcept { mutex_.unlock(); }
    void sleep() noexcept { woken_.wait(mutex_); }
    void wake() noexcept { woken_.notify_all(); }

private:
    std::mutex mutex_;
    std::condition_variable_any woken_;
};
inline int machine_threads() noexcept {
    return static_cast<int>(std::thread::hardware_concurrency());
}
inline long process() noexcept { return 0; }
#else
// Where the standard library has no threads, all pieces are the caller's.
class Thread {
public:
    bool start(void* (*)(void*), void*) noexcept { return false; }
    void join() noexcept {}
};
class Lock {
public:
    void lock() noexcept {}
    void unlock() noexcept {}
    void sleep() noexcept {}
    void wake() noexcept {}
};
inline int machine_threads() noexcept { return 1; }
inline long process() noexcept { return 0; }
#endif

/// A value whose changes threads wait for: a bounded spin, then sleep.
template <class T>
class Watched : public Atomic<T> {
public:
    using Atomic<T>::Atomic;

    void wait_while(T old) noexcept {
        for (int i = 0; i < 4096; ++i) {
            if (this->load() != old) return;
            pause();
        }
        lock_.lock();
        while (this->load() == old) lock_.sleep();
        lock_.unlock();
    }
    /// Tells of a change. Who has seen the old value is asleep once the lock is free.
    void notify() noexcept {
        lock_.lock();
        lock_.unlock();
        lock_.wake();
    }
    /// Forgets who held the lock.
    void renew() noexcept { new (&lock_) Lock; }

private:
    Lock lock_;
};

/// True from the end of the program's pool on, when objects of static duration are destroyed.
inline constinit Atomic<bool> pool_is_gone{false};

class Pool {
public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
        pool_is_gone.store(true);
        if (process_ != process()) return;
        // A detached thread may still compute, and keeps the workers; all others do without them.
        if (busy_.exchange(true)) return;
        leaving_.store(true);
        while (last_ != nullptr) {
            last_->call();
            last_->thread.join();
            delete std::exchange(last_, last_->before);
        }
    }

    /// Runs all pieces on `threads` threads, this one included, or on as many as the system
    /// gives; false, and nothing done, if another thread is using the pool. Rethrows the first
    /// exception of a piece.
    BROADLOOM_COLD bool run(int threads, Piece* piece, void* job, index_t pieces) {
        if (busy_.exchange(true)) return false;
        if (process_ != process()) begin_anew();
        hire(threads - 1);
        piece_ = piece;
        job_ = job;
        pieces_ = pieces;
        error_ = nullptr;
        failed_.store(false);
        next_.store(0);
        int helpers = workers_ < threads - 1 ? workers_ : threads - 1;
        active_.store(helpers);
        for (Worker* w = last_; helpers > 0; --helpers, w = w->before) w->call();
        work();
        for (int left = active_.load(); left > 0; left = active_.load()) active_.wait_while(left);
        const std::exception_ptr error = std::exchange(error_, nullptr);
        busy_.store(false);
        if (error) std::rethrow_exception(error);
        return true;
    }

private:
    struct Worker {
        Pool& pool;
        Worker* before;
        Thread thread{};
        Watched<unsigned> calls{0};

        void call() noexcept {
            calls.fetch_add(1);
            calls.notify();
        }
    };

    // In a fork, where there are no workers yet: those of the other process are left alone.
    void begin_anew() noexcept {
        process_ = process();
        last_ = nullptr;
        workers_ = 0;
        active_.renew();
    }
    // Makes the number of workers `count` or more, if the system lets it.
    void hire(int count) noexcept {
        while (workers_ < count) {
            Worker* const worker = new (std::nothrow) Worker{*this, last_};
            if (worker == nullptr) return;
            if (!worker->thread.start(serve, worker)) {
                delete worker;
                return;
            }
            last_ = worker;
            ++workers_;
        }
    }
    BROADLOOM_COLD static void* serve(void* argument) noexcept {
        Worker& self = *static_cast<Worker*>(argument);
        self.pool.serve(self);
        return nullptr;
    }
    void serve(Worker& self) noexcept {
        for (unsigned seen = 0;; ++seen) {
            self.calls.wait_while(seen);
            if (leaving_.load()) return;
            work();
            if (active_.fetch_add(-1) == 1) active_.notify();
        }
    }
    void work() noexcept {
        for (index_t i = next_.fetch_add(1); i < pieces_; i = next_.fetch_add(1)) {
            try {
                piece_(job_, i);
            } catch (...) {
                if (!failed_.exchange(true)) {
                    error_ = std::current_exception();
                }
                next_.store(pieces_);
            }
        }
    }

    long process_ = process();
    Worker* last_ = nullptr;  // hired last; each knows the one before
    int workers_ = 0;
    Piece* piece_ = nullptr;
    void* job_ = nullptr;
    index_t pieces_ = 0;
    union {  // not destroyed with the pool, as a detached thread may still use it
        std::exception_ptr error_ = nullptr;
    };
    Atomic<bool> busy_{false}, failed_{false}, leaving_{false};
    Watched<int> active_{0};
    Atomic<index_t> next_{0};
};

#if defined(_WIN32)
// Where objects of a DLL are destroyed no thread can end, and none be waited for: the workers of a
// program that ends are no more, and those of a DLL that goes are to stay asleep.
struct PoolEnd {
    ~PoolEnd() { pool_is_gone.store(true); }
};
inline Pool& pool() {
    static Pool& instance = *new Pool;
    static const PoolEnd end;
    return instance;
}
#else
inline Pool& pool() {
    static Pool instance;
    return instance;
}
#endif

}  // namespace detail

/// How many threads a job of this many elements is worth, of so many elementary steps each, the
/// caller's included: 1 below about 200 microseconds of work.
inline int threads_for(std::int64_t elements, index_t steps = 1) noexcept {
    constexpr index_t least = index_t{1} << 20;
    const int wanted = detail::wanted_threads.load();
    // A division, since elements that repeat may be more than any memory holds.
    return wanted > 1 && elements >= (least + steps - 1) / steps ? wanted : 1;
}

/// Calls `f(i)` for every i in [0, pieces), in any order, on up to `threads` threads. Exceptions
/// reach the caller.
template <class F>
void parallel(int threads, index_t pieces, F&& f) {
    if (threads > pieces) threads = static_cast<int>(pieces);
    if (threads > 1 && !detail::pool_is_gone.load()) {
        detail::Piece* const piece = [](void* job, index_t i) {
            (*static_cast<std::remove_reference_t<F>*>(job))(i);
        };
        if (detail::pool().run(threads, piece, &f, pieces)) return;
    }
    for (index_t i = 0; i < pieces; ++i) f(i);
}

/// How many pieces keep so many threads busy, where some take longer than others.
inline index_t pieces_for(int threads) noexcept { return index_t{4} * threads; }

/// Calls `f(first, last)` for ranges that make up [0, count), on up to `threads` threads. Each has
/// a multiple of `least`, and the last one what is left over.
template <class F>
void share_out(int threads, index_t count, F&& f, index_t least = 1) {
    const index_t units = count / least;
    if (threads == 1 || units < 2) return f(index_t{0}, count);
    const index_t wanted = pieces_for(threads), piece = (units + wanted - 1) / wanted;
    const index_t pieces = (units + piece - 1) / piece, length = piece * least;
    parallel(threads, pieces,
             [&](index_t i) { f(i * length, i + 1 < pieces ? (i + 1) * length : count); });
}

}  // namespace kernel

/// Sets how many threads large evaluations may use; 1 unless told otherwise, 0 for as many as the
/// machine has, and 1024 at most. No thread is made before it is needed.
inline void set_num_threads(int count) noexcept {
    constexpr int most = 1024;
    const int machine = kernel::detail::machine_threads();
    const int threads = count > 0 ? count : machine > 0 ? machine : 1;
    kernel::detail::wanted_threads.store(threads < most ? threads : most);
}

/// How many threads large evaluations may use.
inline int num_threads() noexcept { return kernel::detail::wanted_threads.load(); }

}  // namespace broadloom

#endif  // BROADLOOM_KERNEL_PARALLEL_HPP
