// What the compiler is told: what to inline, which loops become vectors, and how strictly numbers
// are rounded. What the platform is, this header and dispatch.hpp ask, and whoever calls it:
// memory.hpp, parallel.hpp and streaming.hpp, io/file.hpp. A few rooms have loops in the vectors of
// GCC and Clang beside those in plain C++.
#ifndef BROADLOOM_KERNEL_COMPILER_HPP
#define BROADLOOM_KERNEL_COMPILER_HPP

#if !defined(__GNUC__) && !defined(__clang__)
#include <cmath>
#include <cstring>
#endif

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

#endif  // BROADLOOM_KERNEL_COMPILER_HPP
