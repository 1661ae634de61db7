// What is compiled for an expression: which loops, and for which instruction sets.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_CODE_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_CODE_HPP

#include "broadloom/kernel/elementwise/brief.hpp"

namespace broadloom::kernel {

namespace detail {

/// The constants of short rows for which there is a loop: of two operands none or one, of three the
/// last two besides, of more the second and third, as where rows are brought to mean and deviation.
template <class X>
constexpr bool has_held(int bits) {
    constexpr std::size_t count = leaves<X>;
    if (count < 2 || count > 5 || bits >= (1 << count) - 1) return false;
    if (count > 3) return bits == 6;
    return bits == 0 || bits == 1 || bits == 2 || bits == 4 || bits == 6;
}
template <class X, class R, class Bits>
struct HeldLoops;
template <class X, class R, int... Bits>
struct HeldLoops<X, R, std::integer_sequence<int, Bits...>> {
    template <int B>
    static constexpr HeldLoop made = [] {
        if constexpr (has_held<X>(B)) {
            using Rows = Held<X, R, B>;
            constexpr Widest avx2 = kernel::narrowed<of_complex<X>>(Widest::avx2);
            return HeldLoop{strict_forms<Rows, Loop, avx2, Elementwise<X, R>>.level[1], Rows::unit};
        } else {
            return HeldLoop{nullptr, 0};
        }
    }();
    static constexpr HeldLoop loops[] = {made<Bits>...};
};

/// The loops for the library's own functions.
template <class X, class R>
constexpr void choose_loops(Code& code) {
    using Kernel = Elementwise<X, R>;
    // AVX2 makes wider elements of small ones, and back, with fewer shuffles.
    constexpr bool avx2 = widens<X> || (Kernel::light && Kernel::most_bytes == 1) ||
                          (suits_avx2<X> && suits_avx2<Variable<R>>);
    constexpr Widest widest = kernel::narrowed<of_complex<X>>(avx2 ? Widest::avx2 : Widest::avx512);
    code.loop = strict_forms<Kernel, Loop, widest>;
    if constexpr (Kernel::light) {
        // Bytes of a row that narrower vectors compute sooner; where there are none wider, twice as
        // many that a loop which knows their constants does.
        constexpr index_t short_row = 1024, sooner = avx2 ? 2 * short_row : short_row;
        code.widest_from = Kernel::joins_masks ? 0 : sooner / Kernel::most_bytes;
        if constexpr (has_held<X>(2) || has_held<X>(6)) {
            code.held = HeldLoops<X, R, std::make_integer_sequence<int, 1 << leaves<X>>>::loops;
            // A choice made once for a row must not be read again for every element.
            code.held_until = is_selection<X>       ? broadloom::detail::largest_index
                              : Kernel::joins_masks ? 128
                                                    : 16 * short_row / Kernel::most_bytes;
        }
    }
}

template <class X, class R>
constexpr Code make_code() {
    using Kernel = Elementwise<X, R>;
    Code code{.loop = {},
              .few = nullptr,
              .held = nullptr,
              .held_until = 0,
              .unit = Kernel::unit,
              .widest_from = 0,
              .steps = steps<X>,
              .light = Kernel::light,
              .waits = Kernel::waits,
              .strict = own_functions<X>,
              .copies = copies<X, R>,
              .immediate = immediate<X>,
              .shares = keeps_no_state<X>};
    if constexpr (own_functions<X>) {
        detail::choose_loops<X, R>(code);
        code.few = strict_scalar_form<Few<X, R>, FewLoop>;
    } else {
        code.loop = plain_forms<Kernel, Loop>;
        code.few = plain_baseline_form<Few<X, R>, FewLoop>;
    }
    return code;
}

}  // namespace detail

/// The code that computes a formula of type X into elements of type R.
template <class X, class R>
inline constexpr Code code_of = detail::make_code<X, R>();

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_CODE_HPP
