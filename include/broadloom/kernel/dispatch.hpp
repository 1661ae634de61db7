// The instruction sets: one kernel body, compiled for several processors, chosen once at run time.
//
// A kernel is a type with a static member template `run<Isa>(args...)`, a BROADLOOM_KERNEL. The
// wrappers below give that body its target attributes; what the body calls must be always-inline
// too, or it stays compiled for the baseline.
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
#include "broadloom/kernel/compiler.hpp"

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
// The stack of Windows is aligned to 16 bytes, yet some of what GCC lays there it moves as though
// it were aligned to 32 or 64 (its bug 54412; distributions patch it). Moves that need no alignment
// are as fast where there is one: the assembler takes these.
#if BROADLOOM_X86 && defined(__SEH__) && !defined(__clang__)
asm(R"(.ifndef broadloom_moves
.set broadloom_moves, 1
.macro vmovaps operands:vararg
vmovups \operands
.endm
.macro vmovapd operands:vararg
vmovupd \operands
.endm
.macro vmovdqa operands:vararg
vmovdqu \operands
.endm
.macro vmovdqa32 operands:vararg
vmovdqu32 \operands
.endm
.macro vmovdqa64 operands:vararg
vmovdqu64 \operands
.endm
.endif)");
#endif
// What the compiler may use everywhere need not be asked for, nor be done without.
#if BROADLOOM_X86 && defined(__AVX2__) && defined(__FMA__)
#define BROADLOOM_LEAST_ISA 1
#else
#define BROADLOOM_LEAST_ISA 0
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
/// The lowest level that is compiled.
inline constexpr int least_isa = BROADLOOM_LEAST_ISA;

/// The best level of this processor, or less if the environment variable BROADLOOM_ISA
/// (baseline, avx2 or avx512) asks for less.
inline int detect_isa() noexcept {
    int level = least_isa;
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
        const int most = std::strcmp(wish, "baseline") == 0 ? least_isa
                         : std::strcmp(wish, "avx2") == 0   ? 1
                                                            : 2;
        level = level < most ? level : most;
    }
#endif
    return level;
}
/// The level in use from now on.
inline int first_isa() noexcept {
    const int level = detect_isa();
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
    static constexpr auto* strict_least = [] {
        using Lowest = std::conditional_t<BROADLOOM_X86, Other, Kernel>;
        if constexpr (least_isa > 0) return avx2<W>;
        else return strict_baseline<Lowest, R, Args...>;
    }();
    // Templates, so that what is not asked for is not compiled.
    template <class K>
    static constexpr auto* plain_least = [] {
        if constexpr (least_isa > 0) return plain_avx2<K, R, Args...>;
        else return plain_baseline<K, R, Args...>;
    }();
    template <class K>
    static constexpr auto* fused_least = [] {
        if constexpr (least_isa > 0) return fused_avx2<K, R, Args...>;
        else return fused_baseline<K, R, Args...>;
    }();
    template <Widest W, class Other = Kernel>
    static constexpr Result strict{{strict_least<W, Other>, avx2<W>, widest<W>}};
    template <Widest W>
    static constexpr Result above_baseline{
        {BROADLOOM_X86 && least_isa == 0 ? nullptr : avx2<W>, avx2<W>, widest<W>}};
    static constexpr Result plain{
        {plain_least<Kernel>, plain_avx2<Kernel, R, Args...>, plain_avx2<Kernel, R, Args...>}};
    static constexpr Result fused{
        {fused_least<Kernel>, fused_avx2<Kernel, R, Args...>, fused_avx512<Kernel, R, Args...>}};
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
    return level >= 0 ? level : detail::first_isa();
}

/// Asks for a level, for tests; levels above the processor's own are lowered to it.
inline void set_isa(int level) noexcept {
    const int most = detail::detect_isa(), least = detail::least_isa;
    detail::isa_level.store(level > most ? most : level < least ? least : level);
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
