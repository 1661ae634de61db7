// The instruction sets: one kernel body, compiled for several processors, chosen once at run time.
//
// A kernel is a type with a static member template `run<Isa>(args...)`, a BROADLOOM_KERNEL. The
// wrappers below give that body its target attributes; what the body calls must be always-inline
// too, or it stays compiled for the baseline. What the platform is, this header asks, and whoever
// calls it: memory.hpp, parallel.hpp and streaming.hpp, io/file.hpp. A few rooms have loops
// in the vectors of GCC and Clang beside those in plain C++.
//
// Three flavours of arithmetic:
//   strict  the library's own operators: vectorises at any -O, never contracts a*b+c into one
//           rounding, so the same bits come out of every instruction set
//   plain   functors of the user: the compiler's own defaults, but no contraction either
//   fused   matrix products: FMA where the processor has it
#ifndef BROADLOOM_KERNEL_DISPATCH_HPP
#define BROADLOOM_KERNEL_DISPATCH_HPP

#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "broadloom/kernel/atomic.hpp"

// Functions count on how sums are rounded, and on NaN: with such flags exp(0.5) would be 2.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1)
#error \
    "Broadloom needs IEEE arithmetic: compile without -ffast-math, its parts, -Ofast and /fp:fast"
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "Broadloom needs float and double as they are: compile with -msse2 -mfpmath=sse"
#endif
// Those of <windows.h>.
#if defined(min) || defined(max)
#error "Broadloom has functions named min and max: define NOMINMAX before including <windows.h>"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BROADLOOM_INLINE [[gnu::always_inline]] inline
#define BROADLOOM_NOINLINE [[gnu::noinline]]
#define BROADLOOM_COLD [[gnu::cold, gnu::noinline]]
#elif defined(_MSC_VER)
#define BROADLOOM_COLD
#define BROADLOOM_INLINE __forceinline
#define BROADLOOM_NOINLINE __declspec(noinline)
#else
#define BROADLOOM_COLD
#define BROADLOOM_INLINE inline
#define BROADLOOM_NOINLINE
#endif

// Loops call what GCC and Clang have built in, since a function of the standard library may stay
// out of line. Elsewhere that is what there is.
#if !defined(__GNUC__) && !defined(__clang__)
#include <cmath>
#define __builtin_memcpy std::memcpy
#define __builtin_prefetch(place, ...) static_cast<void>(place)
#define __builtin_floorf std::floor
#define __builtin_floor std::floor
#define __builtin_floorl std::floor
#define __builtin_fmodf std::fmod
#define __builtin_fmod std::fmod
#define __builtin_fmodl std::fmod
#define __builtin_fmaf std::fma
#define __builtin_fma std::fma
#define __builtin_fmal std::fma
#endif

// GCC's defaults (trapping math, errno, contraction, a cautious vectoriser at -O2) block the loops
// of a tensor library; the attribute lifts them for one function. It also stops inlining of all
// that is not always-inline, so it is for bodies written on builtins only. Clang needs none of it.
#if defined(__GNUC__) && !defined(__clang__)
#define BROADLOOM_STRICT                                                                     \
    [[gnu::optimize("O2", "tree-vectorize", "vect-cost-model=dynamic", "peel-loops",         \
                    "no-tree-loop-distribute-patterns", "no-trapping-math", "no-math-errno", \
                    "fp-contract=off", "align-loops=32", "no-schedule-insns2")]]
// For all else that rounds, where flags let the compiler contract. It stops no inlining, but costs
// some loops a little.
#if defined(__FMA__) || defined(__AVX512F__) || !(defined(__x86_64__) || defined(__i386__))
#define BROADLOOM_UNCONTRACTED [[gnu::optimize("fp-contract=off")]]
#define BROADLOOM_FMA_EVERYWHERE 1
#else
#define BROADLOOM_UNCONTRACTED
#define BROADLOOM_FMA_EVERYWHERE 0
#endif
#define BROADLOOM_STRICT_SCALAR                                                     \
    [[gnu::optimize("O2", "no-tree-vectorize", "no-trapping-math", "no-math-errno", \
                    "fp-contract=off")]]
#define BROADLOOM_ROLLED _Pragma("GCC unroll 1")
#define BROADLOOM_VECTORISED
#define BROADLOOM_UNROLLED _Pragma("GCC unroll 16")
// A function without floating arithmetic of its own takes the flags of what is inlined into it,
// trapping math among them. One value that no instruction makes keeps those of the attribute.
#if defined(__SSE2__)
#define BROADLOOM_KEEP_STRICT \
    double own;               \
    asm volatile("" : "=x"(own))
#elif defined(__aarch64__)
#define BROADLOOM_KEEP_STRICT \
    double own;               \
    asm volatile("" : "=w"(own))
#else
#define BROADLOOM_KEEP_STRICT static_cast<void>(0)
#endif
// Makes the compiler forget where a floating value came from.
#if defined(__SSE2__)
#define BROADLOOM_KEEP_APART(x) asm("" : "+x"(x))
#elif defined(__aarch64__)
#define BROADLOOM_KEEP_APART(x) asm("" : "+w"(x))
#else
#define BROADLOOM_KEEP_APART(x) static_cast<void>(0)
#endif
// The same of an integer and its value.
#define BROADLOOM_KEEP_UNKNOWN(x) asm("" : "+r"(x))
#else
#define BROADLOOM_UNCONTRACTED
#define BROADLOOM_FMA_EVERYWHERE 0
#define BROADLOOM_STRICT
#define BROADLOOM_STRICT_SCALAR
#define BROADLOOM_KEEP_STRICT static_cast<void>(0)
#define BROADLOOM_KEEP_APART(x) static_cast<void>(0)
#define BROADLOOM_KEEP_UNKNOWN(x) static_cast<void>(0)
#endif

// Clang unrolls a short loop over elements first, and then makes no vectors of it, or gathers of
// the loop around it: that one is to stay as it is, and the inner one to become vectors. What is
// written there is read, if at all, by the same turn.
#if defined(__clang__)
#define BROADLOOM_ROLLED _Pragma("clang loop vectorize(disable) unroll(disable)")
#define BROADLOOM_VECTORISED _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#define BROADLOOM_UNROLLED _Pragma("clang loop unroll(full)")
#elif !defined(__GNUC__)
#define BROADLOOM_ROLLED
#define BROADLOOM_VECTORISED
#define BROADLOOM_UNROLLED
#endif

// The bodies of kernels and what is large in them: GCC optimises what is always inlined before it
// is, for every level of nesting anew, and once more in the wrapper, which is enough.
#if defined(__GNUC__) && !defined(__clang__)
#define BROADLOOM_KERNEL [[gnu::always_inline, gnu::optimize("O0", "strict-aliasing")]] inline
#define BROADLOOM_KEEPS_ARRAYS true  // in registers, over a loop that adds to a few elements
// Between these two stands what plans the work on many elements, or writes messages, and is no
// template. It takes GCC half of the time to compile at -O1, and runs almost as fast.
#define BROADLOOM_PLANNING_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O1\")")
#define BROADLOOM_PLANNING_END _Pragma("GCC pop_options")
#else
#define BROADLOOM_KERNEL BROADLOOM_INLINE
#define BROADLOOM_KEEPS_ARRAYS false
#define BROADLOOM_PLANNING_BEGIN
#define BROADLOOM_PLANNING_END
#endif

// Keeps an integer what it is, where Clang would sooner jump, and guess, than multiply by 0 or 1.
#if defined(__clang__)
#define BROADLOOM_NO_JUMP(x) asm("" : "+r"(x))
#else
#define BROADLOOM_NO_JUMP(x) static_cast<void>(0)
#endif

// Clang contracts a*b+c inside one function where FMA is at hand, and does not tell of flags that
// let it reorder sums. Function objects on elements stand between these two.
#if defined(__clang__)
#define BROADLOOM_EXACT_BEGIN                                            \
    _Pragma("float_control(push)") _Pragma("float_control(precise, on)") \
        _Pragma("clang fp contract(off)")
#define BROADLOOM_EXACT_END _Pragma("float_control(pop)")
#else
#define BROADLOOM_EXACT_BEGIN
#define BROADLOOM_EXACT_END
#endif

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define BROADLOOM_X86 1
#define BROADLOOM_AVX2 [[gnu::target("avx2")]]
#define BROADLOOM_AVX2_FMA [[gnu::target("avx2,fma")]]
#if defined(__clang__)  // Clang drops a whole attribute that names an option it does not know
#define BROADLOOM_AVX512 [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]]
#else
#define BROADLOOM_AVX512 \
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")]]
#endif
#else
#define BROADLOOM_X86 0
#endif

namespace broadloom::kernel {

/// The instruction sets as types: `bytes` is the width of one register.
struct Baseline {
    static constexpr int level = 0, bytes = 16;
};
struct Avx2 {
    static constexpr int level = 1, bytes = 32;
};
struct Avx512 {
    static constexpr int level = 2, bytes = 64;
};

namespace detail {

inline constinit Atomic<int> isa_level{-1};

/// The best level of this processor, or less if the environment variable BROADLOOM_ISA
/// (baseline, avx2 or avx512) asks for less.
inline int detect_isa() noexcept {
    int level = 0;
#if BROADLOOM_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        level = 1;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
            level = 2;
        }
    }
    if (const char* wish = std::getenv("BROADLOOM_ISA"); wish != nullptr) {
        const int most = std::strcmp(wish, "baseline") == 0 ? 0
                         : std::strcmp(wish, "avx2") == 0   ? 1
                                                            : 2;
        level = level < most ? level : most;
    }
#endif
    isa_level.store(level);
    return level;
}

#if defined(__clang__)
// What cannot become vectors is no fault of who includes this.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
template <class Kernel, class R, class... Args>
BROADLOOM_STRICT R strict_baseline(Args... args) {
    BROADLOOM_KEEP_STRICT;
    return Kernel::template run<Baseline>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_STRICT_SCALAR R strict_scalar(Args... args) {
    BROADLOOM_KEEP_STRICT;
    return Kernel::template run<Baseline>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_UNCONTRACTED R plain_baseline(Args... args) {
    return Kernel::template run<Baseline>(args...);
}
template <class Kernel, class R, class... Args>
R fused_baseline(Args... args) {
    return Kernel::template run<Baseline>(args...);
}
#if BROADLOOM_X86
template <class Kernel, class R, class... Args>
BROADLOOM_STRICT BROADLOOM_AVX2_FMA R strict_avx2(Args... args) {
    BROADLOOM_KEEP_STRICT;
    return Kernel::template run<Avx2>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_STRICT BROADLOOM_AVX2 R strict_avx2_alone(Args... args) {
    BROADLOOM_KEEP_STRICT;
    return Kernel::template run<Avx2>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_STRICT BROADLOOM_AVX512 R strict_avx512(Args... args) {
    BROADLOOM_KEEP_STRICT;
    return Kernel::template run<Avx512>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_UNCONTRACTED BROADLOOM_AVX2 R plain_avx2(Args... args) {
    return Kernel::template run<Avx2>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_AVX2_FMA R fused_avx2(Args... args) {
    return Kernel::template run<Avx2>(args...);
}
template <class Kernel, class R, class... Args>
BROADLOOM_AVX512 R fused_avx512(Args... args) {
    return Kernel::template run<Avx512>(args...);
}
#else
template <class Kernel, class R, class... Args>
inline constexpr auto* strict_avx2 = &strict_baseline<Kernel, R, Args...>;
template <class Kernel, class R, class... Args>
inline constexpr auto* strict_avx2_alone = &strict_baseline<Kernel, R, Args...>;
template <class Kernel, class R, class... Args>
inline constexpr auto* strict_avx512 = &strict_baseline<Kernel, R, Args...>;
template <class Kernel, class R, class... Args>
inline constexpr auto* plain_avx2 = &plain_baseline<Kernel, R, Args...>;
template <class Kernel, class R, class... Args>
inline constexpr auto* fused_avx2 = &fused_baseline<Kernel, R, Args...>;
template <class Kernel, class R, class... Args>
inline constexpr auto* fused_avx512 = &fused_baseline<Kernel, R, Args...>;
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace detail

/// The compiled forms of one kernel, by level.
template <class Signature>
struct Forms {
    Signature* level[3];
};

/// The widest vectors that a kernel takes. Where sums and differences of products stand side by
/// side, as in products of complex numbers, GCC contracts them in vectors wherever there is FMA,
/// whatever it is told: these kernels take AVX2 alone, without FMA.
enum class Widest { avx512, avx2, avx2_alone };

/// The same for kernels that would take these, of elements that may be complex numbers.
template <bool IsComplex>
constexpr Widest narrowed(Widest widest) {
    return IsComplex ? Widest::avx2_alone : widest;
}

namespace detail {

template <class Kernel, class Signature>
struct FormsOf;
template <class Kernel, class R, class... Args>
struct FormsOf<Kernel, R(Args...)> {
    using Result = Forms<R(Args...)>;
    template <Widest W>
    static constexpr auto* avx2 = [] {
        if constexpr (W == Widest::avx2_alone) return strict_avx2_alone<Kernel, R, Args...>;
        else return strict_avx2<Kernel, R, Args...>;
    }();
    template <Widest W>
    static constexpr auto* widest = [] {
        if constexpr (W == Widest::avx512) return strict_avx512<Kernel, R, Args...>;
        else return avx2<W>;
    }();
    /// With another kernel for the baseline of x86, or the same.
    template <Widest W, class Other = Kernel>
    static constexpr Result strict{
        {strict_baseline<std::conditional_t<BROADLOOM_X86, Other, Kernel>, R, Args...>, avx2<W>,
         widest<W>}};
    template <Widest W>
    static constexpr Result above_baseline{{BROADLOOM_X86 ? nullptr : avx2<W>, avx2<W>, widest<W>}};
    static constexpr Result plain{{plain_baseline<Kernel, R, Args...>,
                                   plain_avx2<Kernel, R, Args...>, plain_avx2<Kernel, R, Args...>}};
    static constexpr Result fused{{fused_baseline<Kernel, R, Args...>,
                                   fused_avx2<Kernel, R, Args...>,
                                   fused_avx512<Kernel, R, Args...>}};
    static constexpr R (*scalar)(Args...) = strict_scalar<Kernel, R, Args...>;
    static constexpr R (*lowest)(Args...) = strict_baseline<Kernel, R, Args...>;
    static constexpr R (*baseline)(Args...) = plain_baseline<Kernel, R, Args...>;
};

}  // namespace detail

/// All forms of `Kernel::run`, as a constant, perhaps with another kernel for the baseline of x86.
template <class Kernel, class Signature, Widest W = Widest::avx512, class Lowest = Kernel>
inline constexpr Forms<Signature> strict_forms =
    detail::FormsOf<Kernel, Signature>::template strict<W, Lowest>;
template <class Kernel, class Signature>
inline constexpr Forms<Signature> plain_forms = detail::FormsOf<Kernel, Signature>::plain;
/// The form for the baseline alone, and the one of it that goes one by one, where nothing wider
/// repays itself.
template <class Kernel, class Signature>
inline constexpr Signature* strict_baseline_form = detail::FormsOf<Kernel, Signature>::lowest;
template <class Kernel, class Signature>
inline constexpr Signature* strict_scalar_form = detail::FormsOf<Kernel, Signature>::scalar;
template <class Kernel, class Signature>
inline constexpr Signature* plain_baseline_form = detail::FormsOf<Kernel, Signature>::baseline;

/// The level in use: 0 baseline, 1 AVX2, 2 AVX-512.
inline int isa() noexcept {
    const int level = detail::isa_level.load();
    return level >= 0 ? level : detail::detect_isa();
}

/// Asks for a level, for tests; levels above the processor's own are lowered to it.
inline void set_isa(int level) noexcept {
    const int most = detail::detect_isa();
    detail::isa_level.store(level < most ? level : most);
}

/// The compiled form of `Kernel::run` for this processor, as a function pointer:
/// `auto* f = strict<Loop, void(float*, std::size_t)>();`
template <class Kernel, class Signature, Widest W = Widest::avx512>
Signature* strict() noexcept {
    return strict_forms<Kernel, Signature, W>.level[isa()];
}
/// The same, or null for a kernel that the baseline of x86 has to do without.
template <class Kernel, class Signature, Widest W = Widest::avx512>
Signature* strict_above_baseline() noexcept {
    return detail::FormsOf<Kernel, Signature>::template above_baseline<W>.level[isa()];
}
template <class Kernel, class Signature>
Signature* plain() noexcept {
    return detail::FormsOf<Kernel, Signature>::plain.level[isa()];
}
template <class Kernel, class Signature>
Signature* fused() noexcept {
    return detail::FormsOf<Kernel, Signature>::fused.level[isa()];
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_DISPATCH_HPP
