// A value that several threads share. <atomic> does the same and much more, for a tenth of a second
// in every compilation.
#ifndef BROADLOOM_KERNEL_ATOMIC_HPP
#define BROADLOOM_KERNEL_ATOMIC_HPP

#if !defined(__GNUC__) && !defined(__clang__)
#include <atomic>
#else
#include <type_traits>
#endif

namespace broadloom::kernel {

/// Loads acquire and stores release, so that what was written before a store is seen after the load
/// that reads it. Changes do both.
template <class T>
class Atomic {
public:
    constexpr Atomic(T value) noexcept : value_(value) {}
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

#if defined(__GNUC__) || defined(__clang__)
    T load() const noexcept { return static_cast<T>(__atomic_load_n(&value_, __ATOMIC_ACQUIRE)); }
    void store(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
    /// Puts a value in place of another, which is returned.
    T exchange(T value) noexcept {
        return static_cast<T>(__atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL));
    }
    /// Adds to the value; returns what it was before.
    T fetch_add(T count) noexcept { return __atomic_fetch_add(&value_, count, __ATOMIC_ACQ_REL); }

private:
    // A truth is a word: RISC-V changes no byte in one instruction, and GCC calls a library for it.
    std::conditional_t<std::is_same_v<T, bool>, int, T> value_;
#else
    T load() const noexcept { return value_.load(std::memory_order_acquire); }
    void store(T value) noexcept { value_.store(value, std::memory_order_release); }
    T exchange(T value) noexcept { return value_.exchange(value, std::memory_order_acq_rel); }
    T fetch_add(T count) noexcept { return value_.fetch_add(count, std::memory_order_acq_rel); }

private:
    std::atomic<T> value_;
#endif
};

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ATOMIC_HPP
