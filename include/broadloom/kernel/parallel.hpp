// Threads, opt-in. One pool for the program, made when first needed; a job is a number of pieces,
// which the caller and the workers take one by one. Pieces never depend on how many threads there
// are, so neither does the result.
#ifndef BROADLOOM_KERNEL_PARALLEL_HPP
#define BROADLOOM_KERNEL_PARALLEL_HPP

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"

namespace broadloom {
namespace kernel {
namespace detail {

inline std::atomic<int> wanted_threads{1};

/// Tells the processor that this thread is waiting.
inline void pause() noexcept {
#if BROADLOOM_X86
    __builtin_ia32_pause();
#endif
}

/// Waits until `word` is not `old`: a bounded spin, then sleep.
template <class T>
void wait_while(const std::atomic<T>& word, T old) noexcept {
    for (int i = 0; i < 4096; ++i) {
        if (word.load(std::memory_order_acquire) != old) return;
        pause();
    }
    word.wait(old, std::memory_order_acquire);
}

using Piece = void(void* job, index_t piece);

class Pool {
public:
    ~Pool() {
        leaving_.store(true, std::memory_order_relaxed);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
        for (int i = 0; i < workers_; ++i) threads_[static_cast<std::size_t>(i)].join();
    }

    /// Runs all pieces on `threads` threads, this one included; false, and nothing done, if
    /// another thread is using the pool. Rethrows the first exception of a piece.
    bool run(int threads, Piece* piece, void* job, index_t pieces) {
        if (busy_.exchange(true, std::memory_order_acquire)) return false;
        try {
            hire(threads - 1);
        } catch (...) {
            busy_.store(false, std::memory_order_release);
            throw;
        }
        piece_ = piece;
        job_ = job;
        pieces_ = pieces;
        error_ = nullptr;
        failed_.store(false, std::memory_order_relaxed);
        next_.store(0, std::memory_order_relaxed);
        helpers_ = threads - 1;
        active_.store(workers_, std::memory_order_relaxed);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
        work();
        for (int left = active_.load(std::memory_order_acquire); left > 0;
             left = active_.load(std::memory_order_acquire)) {
            wait_while(active_, left);
        }
        const std::exception_ptr error = std::exchange(error_, nullptr);
        busy_.store(false, std::memory_order_release);
        if (error) std::rethrow_exception(error);
        return true;
    }

private:
    // Makes the number of workers at least `count`.
    void hire(int count) {
        if (count <= workers_) return;
        auto threads = std::make_unique<std::thread[]>(static_cast<std::size_t>(count));
        for (int i = 0; i < workers_; ++i) {
            threads[static_cast<std::size_t>(i)].swap(threads_[static_cast<std::size_t>(i)]);
        }
        threads_ = std::move(threads);
        while (workers_ < count) {
            const int id = workers_;
            const unsigned seen = turn_.load(std::memory_order_relaxed);
            threads_[static_cast<std::size_t>(id)] = std::thread([this, id, seen] { serve(id, seen); });
            ++workers_;
        }
    }
    void serve(int id, unsigned seen) noexcept {
        for (;;) {
            wait_while(turn_, seen);
            seen = turn_.load(std::memory_order_acquire);
            if (leaving_.load(std::memory_order_relaxed)) return;
            if (id < helpers_) work();
            if (active_.fetch_sub(1, std::memory_order_acq_rel) == 1) active_.notify_all();
        }
    }
    void work() noexcept {
        for (index_t i = next_.fetch_add(1, std::memory_order_relaxed); i < pieces_;
             i = next_.fetch_add(1, std::memory_order_relaxed)) {
            try {
                piece_(job_, i);
            } catch (...) {
                if (!failed_.exchange(true, std::memory_order_acq_rel)) {
                    error_ = std::current_exception();
                }
                next_.store(pieces_, std::memory_order_relaxed);
            }
        }
    }

    std::unique_ptr<std::thread[]> threads_;
    int workers_ = 0;
    int helpers_ = 0;
    Piece* piece_ = nullptr;
    void* job_ = nullptr;
    index_t pieces_ = 0;
    std::exception_ptr error_;
    std::atomic<bool> busy_{false}, failed_{false}, leaving_{false};
    std::atomic<unsigned> turn_{0};
    std::atomic<int> active_{0};
    std::atomic<index_t> next_{0};
};

inline Pool& pool() {
    static Pool instance;
    return instance;
}

}  // namespace detail

/// How many threads a job of this many elementary steps is worth, the caller's included: 1 below
/// about 200 microseconds of work.
inline int threads_for(index_t steps) noexcept {
    const int wanted = detail::wanted_threads.load(std::memory_order_relaxed);
    return wanted > 1 && steps >= index_t{1} << 20 ? wanted : 1;
}

/// Calls `f(i)` for every i in [0, pieces), in any order, on up to `threads` threads. Exceptions
/// reach the caller.
template <class F>
void parallel(int threads, index_t pieces, F&& f) {
    if (threads > 1 && pieces > 1) {
        detail::Piece* const piece = [](void* job, index_t i) {
            (*static_cast<std::remove_reference_t<F>*>(job))(i);
        };
        if (detail::pool().run(threads, piece, &f, pieces)) return;
    }
    for (index_t i = 0; i < pieces; ++i) f(i);
}

}  // namespace kernel

/// Sets how many threads large evaluations may use; 1 unless told otherwise, 0 for as many as the
/// machine has. No thread is made before it is needed.
inline void set_num_threads(int count) noexcept {
    const int machine = static_cast<int>(std::thread::hardware_concurrency());
    const int threads = count > 0 ? count : machine > 0 ? machine : 1;
    kernel::detail::wanted_threads.store(threads, std::memory_order_relaxed);
}

/// How many threads large evaluations may use.
inline int num_threads() noexcept {
    return kernel::detail::wanted_threads.load(std::memory_order_relaxed);
}

}  // namespace broadloom

#endif  // BROADLOOM_KERNEL_PARALLEL_HPP
