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

static_assert(kernel::Baseline::bytes == 16 && kernel::Avx2::bytes == 32 &&
              kernel::Avx512::bytes == 64);

}  // namespace

TEST_CASE("A kernel runs at the level in use, in every flavour") {
    const Restore restore;
    for (int wish = 0; wish <= 2; ++wish) {
        kernel::set_isa(wish);
        const int level = kernel::isa();
        CHECK(level <= wish);
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
    kernel::set_isa(0);
    CHECK(kernel::isa() == 0);
    kernel::set_isa(2);
    CHECK(kernel::isa() == best);
}

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
