#include "broadloom/kernel/dispatch.hpp"

#include <type_traits>

#include "support/catch.hpp"
#include "support/settings.hpp"

namespace kernel = broadloom::kernel;
using settings::Restore;

namespace {

/// A kernel that tells which instruction set it was compiled for.
struct Level {
    template <class Isa>
    BROADLOOM_INLINE static int run(int add) {
        return Isa::level + add;
    }
};
/// One that a compiler would like to contract: two functions of elements, as in an expression.
struct Contract {
    template <class Isa>
    BROADLOOM_INLINE static void run(const double* x, double* out) {
        for (int i = 0; i < 8; ++i) out[i] = minus(times(x[0], x[1]), x[2]);
    }

private:
    BROADLOOM_INLINE static double times(double a, double b) { return a * b; }
    BROADLOOM_INLINE static double minus(double a, double b) { return a - b; }
};
/// Products of complex numbers, whose sums and differences stand side by side.
struct Products {
    template <class Isa>
    BROADLOOM_INLINE static void run(const float* x, const float* y, float* __restrict out) {
        for (int i = 0; i < 32; i += 2) {
            out[i] = x[i] * y[i] - x[i + 1] * y[i + 1];
            out[i + 1] = x[i] * y[i + 1] + x[i + 1] * y[i];
        }
    }
};

static_assert(kernel::Baseline::bytes == 16 && kernel::Avx2::bytes == 32 &&
              kernel::Avx512::bytes == 64);

}  // namespace

TEST_CASE("A kernel runs at the level in use, in every flavour") {
    const Restore restore;
    for (int wish = 0; wish <= 2; ++wish) {
        kernel::set_isa(wish);
        const int level = kernel::isa();
        CHECK((level <= wish || level == kernel::detail::least_isa));
        CHECK(kernel::strict<Level, int(int)>()(100) == 100 + level);
        CHECK(kernel::fused<Level, int(int)>()(100) == 100 + level);
        // User functions never get an instruction set that brings FMA along.
        CHECK(kernel::plain<Level, int(int)>()(100) == 100 + (level < 1 ? level : 1));
    }
}

TEST_CASE("A level above the processor's own is lowered to it") {
    const Restore restore;
    kernel::set_isa(99);
    const int best = kernel::isa();
    CHECK(best >= 0);
    CHECK(best <= 2);
    // Nor is there a lower one than the compiler may use everywhere.
    kernel::set_isa(0);
    CHECK(kernel::isa() == kernel::detail::least_isa);
    kernel::set_isa(2);
    CHECK(kernel::isa() == best);
}
#if BROADLOOM_X86 && defined(__AVX2__) && defined(__FMA__)
static_assert(kernel::detail::least_isa == 1);
#else
static_assert(kernel::detail::least_isa == 0);
#endif

TEST_CASE("A kernel goes no further than it is told") {
    const Restore restore;
    using kernel::Widest;
    for (int wish = 0; wish <= 2; ++wish) {
        kernel::set_isa(wish);
        const int level = kernel::isa(), narrower = level < 1 ? level : 1;
        CHECK(kernel::strict<Level, int(int), Widest::avx2>()(100) == 100 + narrower);
        CHECK(kernel::strict<Level, int(int), Widest::avx2_alone>()(100) == 100 + narrower);
    }
    static_assert(kernel::narrowed<true>(Widest::avx512) == Widest::avx2_alone);
    static_assert(kernel::narrowed<false>(Widest::avx2) == Widest::avx2);
}

#if !BROADLOOM_FMA_EVERYWHERE
TEST_CASE("Without FMA a sum of products beside a difference is not contracted") {
    const Restore restore;
    float x[32], y[32];
    for (int i = 0; i < 32; ++i) {
        x[i] = 1.0F / static_cast<float>(i + 3);
        y[i] = 1.0F / static_cast<float>(2 * i + 7);
    }
    for (int level = 0; level <= 2; ++level) {
        kernel::set_isa(level);
        float out[32];
        kernel::strict<Products, void(const float*, const float*, float*),
                       kernel::Widest::avx2_alone>()(x, y, out);
        for (int i = 0; i < 32; i += 2) {
            const volatile float first = x[i] * y[i], second = x[i + 1] * y[i + 1];
            const volatile float third = x[i] * y[i + 1], fourth = x[i + 1] * y[i];
            CHECK(out[i] == first - second);
            CHECK(out[i + 1] == third + fourth);
        }
    }
}
#endif

TEST_CASE("Strict arithmetic rounds a product before it subtracts, at every level") {
    const Restore restore;
    volatile double a = 1.0 + 0x1p-30;
    const double x[3] = {a, a, 1.0 + 0x1p-29};
    const volatile double product = x[0] * x[1];
    const double expected = product - x[2];
    for (int level = 0; level <= 2; ++level) {
        kernel::set_isa(level);
        double out[8] = {};
        kernel::strict<Contract, void(const double*, double*)>()(x, out);
        CHECK(out[0] == expected);
        CHECK(out[7] == expected);
    }
}

#if BROADLOOM_X86 && defined(__SEH__) && !defined(__clang__)
namespace {

/// Passed and returned by value, in memory of the stack.
using FourDoubles [[gnu::vector_size(32)]] = double;

BROADLOOM_AVX2 BROADLOOM_NOINLINE FourDoubles added(FourDoubles a, FourDoubles b) { return a + b; }
BROADLOOM_AVX2 BROADLOOM_NOINLINE double first_of_sum(const double* x) {
    FourDoubles a;
    __builtin_memcpy(&a, x, sizeof a);
    return added(added(a, a), a)[0];
}
BROADLOOM_NOINLINE double first_of_sum_after(int bytes, const double* x) {
    volatile char* const room = static_cast<char*>(__builtin_alloca(std::size_t(bytes)));
    room[0] = 0;
    return first_of_sum(x) + room[0];
}

}  // namespace

TEST_CASE("Vectors of 32 bytes lie anywhere on a stack that is aligned to 16") {
    const Restore restore;
    kernel::set_isa(2);
    if (kernel::isa() == 0) return;
    const double x[4] = {1, 2, 3, 4};
    for (const int bytes : {16, 32, 48, 64}) CHECK(first_of_sum_after(bytes, x) == 3);
}
#endif
