// What a program may ask of broadcasting beyond the rule: a warning where shapes of equal size
// broadcast to something larger, and contracts that allow less than the rule does.
#ifndef BROADLOOM_CORE_POLICY_HPP
#define BROADLOOM_CORE_POLICY_HPP

#include <concepts>
#include <iostream>
#include <utility>

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/atomic.hpp"

namespace broadloom {

/// What the resolver accepts, also of a target and what is assigned to it, unless that is a number.
/// `any`: all the rule allows. `one_sided`: the result has the shape of one of the operands, so no
/// outer products. `no_rank_promotion`: operands of rank 1 and more have the same rank. `exact`:
/// all shapes are equal.
enum class broadcast_policy { any, one_sided, no_rank_promotion, exact };

namespace detail {

inline thread_local broadcast_policy current_policy = broadcast_policy::any;

inline const char* policy_name(broadcast_policy policy) {
    switch (policy) {
        case broadcast_policy::one_sided: return "broadcast_policy::one_sided";
        case broadcast_policy::no_rank_promotion: return "broadcast_policy::no_rank_promotion";
        case broadcast_policy::exact: return "broadcast_policy::exact";
        default: return "broadcast_policy::any";
    }
}

/// What a warning calls, of any type; it goes with the last that holds it. (<functional> and
/// <memory> have such things, for a tenth of a second in every compilation.)
struct Warning {
    virtual void operator()(const Shape& a, const Shape& b) = 0;
    virtual ~Warning() = default;
    kernel::Atomic<int> holders{1};
};
template <class F>
struct WarningOf final : Warning {
    explicit WarningOf(F&& f) : call(std::move(f)) {}
    void operator()(const Shape& a, const Shape& b) override { call(a, b); }
    F call;
};
struct WarningHold {
    constexpr WarningHold() = default;
    explicit WarningHold(Warning* w) noexcept : warning(w) {}
    WarningHold(const WarningHold& other) noexcept : warning(other.warning) {
        if (warning != nullptr) warning->holders.fetch_add(1);
    }
    WarningHold& operator=(const WarningHold&) = delete;
    ~WarningHold() {
        if (warning == nullptr) return;
        if (warning->holders.fetch_add(-1) == 1) delete warning;
    }
    Warning* warning = nullptr;
};

}  // namespace detail

/// Makes the resolver refuse more for its scope, in its thread; guards nest.
///
///     broadcast_guard guard{broadcast_policy::exact};
class [[nodiscard]] broadcast_guard {
public:
    explicit broadcast_guard(broadcast_policy policy) noexcept : outer_(detail::current_policy) {
        detail::current_policy = policy;
    }
    ~broadcast_guard() { detail::current_policy = outer_; }
    broadcast_guard(const broadcast_guard&) = delete;
    broadcast_guard& operator=(const broadcast_guard&) = delete;

private:
    broadcast_policy outer_;
};

/// Tells of operands that have different shapes, are broadcastable and have the same number of
/// elements, as (4, 1) with (4,): code that once meant element by element now gets (4, 4).
/// Off by default; one handler for the whole program, safe to change while others compute.
class broadcast_warning {
public:
    /// Calls `handler` with both shapes; without one, prints them to std::cerr.
    template <std::invocable<const Shape&, const Shape&> F = void(*)(const Shape&, const Shape&)>
    static void enable(F handler = print) {
        exchange(detail::WarningHold(new detail::WarningOf<F>(std::move(handler))));
        enabled_.store(true);
    }
    static void disable() {
        enabled_.store(false);
        exchange(detail::WarningHold());
    }
    static bool enabled() noexcept { return enabled_.load(); }

    /// Hands two shapes to the handler, if there is one.
    static void report(const Shape& a, const Shape& b) {
        const detail::WarningHold hold = current();
        if (hold.warning != nullptr) (*hold.warning)(a, b);
    }

private:
    // Held for the copy of one pointer.
    struct Lock {
        Lock() noexcept {
            while (busy_.exchange(true)) {
            }
        }
        ~Lock() { busy_.store(false); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
    };

    static detail::WarningHold current() noexcept {
        Lock lock;
        if (handler_ != nullptr) handler_->holders.fetch_add(1);
        return detail::WarningHold(handler_);
    }
    static void exchange(detail::WarningHold&& next) noexcept {
        Lock lock;
        std::swap(handler_, next.warning);
    }
    static void print(const Shape& a, const Shape& b) {
        std::cerr << "broadloom: shapes " + detail::text(a) + " and " + detail::text(b) +
                         " have the same number of elements and are broadcast against each other, "
                         "not taken element by element\n";
    }

    static inline constinit kernel::Atomic<bool> enabled_{false};
    static inline constinit kernel::Atomic<bool> busy_{false};
    // Never destroyed: objects of static duration may broadcast in their destructors.
    static inline constinit detail::Warning* handler_ = nullptr;
};

}  // namespace broadloom

#endif  // BROADLOOM_CORE_POLICY_HPP
