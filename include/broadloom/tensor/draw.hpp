// What random tensors are made from: even bits of any standard engine, drawn in an order that this
// page fixes, and parameters that are numbers or tensors and are checked before the engine is
// touched.
#ifndef BROADLOOM_TENSOR_DRAW_HPP
#define BROADLOOM_TENSOR_DRAW_HPP

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom::random {

/// A generator of evenly distributed unsigned integers, as those of <random>.
template <class G>
concept engine = requires(std::remove_reference_t<G>& g) {
    { g() } -> std::unsigned_integral;
    requires(std::remove_reference_t<G>::min() < std::remove_reference_t<G>::max());
};

namespace detail {

using namespace broadloom::detail;

/// Even bits from an engine, whatever its range. One whose range is not a power of two gives
/// somewhat fewer bits a call, and now and then a call is not used. High bits come first.
template <class G>
class Bits {
public:
    explicit Bits(G& generator) : generator_(generator) {}

    /// A number of `count` bits, from 1 to 64.
    template <int count>
    BROADLOOM_INLINE std::uint64_t take() {
        if constexpr (count <= width) {
            return chunk() >> (width - count);
        } else {
            const std::uint64_t high = chunk();
            return high << (count - width) | take<count - width>();
        }
    }
    /// A number below `bound`, which is not 0, each equally likely.
    std::uint64_t below(std::uint64_t bound) {
        if (bound > std::uint64_t{1} << 32) {
            // As many bits as the bound has, until they fall below it.
            const int spare = 64 - width_of(bound - 1);
            for (;;) {
                const std::uint64_t x = take<64>() >> spare;
                if (x < bound) return x;
            }
        }
        // D. Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS 29 (2019).
        std::uint64_t product = take<32>() * bound;
        if ((product & low_half) < bound) {
            const std::uint64_t excess = (std::uint64_t{1} << 32) % bound;
            while ((product & low_half) < excess) product = take<32>() * bound;
        }
        return product >> 32;
    }

private:
    static constexpr int width_of(std::uint64_t x) { return static_cast<int>(std::bit_width(x)); }

    static constexpr std::uint64_t low_half = 0xffffffffU;
    static constexpr std::uint64_t span = std::uint64_t{G::max()} - std::uint64_t{G::min()};
    // Of a range of 2^k values all k bits; of another as many as waste less than one call in 256.
    static constexpr bool whole = (span & (span + 1)) == 0;
    static constexpr int width = whole                ? width_of(span)
                                 : width_of(span) > 9 ? width_of(span) - 9
                                                      : 1;
    static constexpr std::uint64_t share =
        whole ? 1 : (span - ((std::uint64_t{1} << width) - 1)) / (std::uint64_t{1} << width) + 1;

    BROADLOOM_INLINE std::uint64_t chunk() {
        for (;;) {
            const std::uint64_t x = std::uint64_t{generator_()} - std::uint64_t{G::min()};
            if constexpr (whole) return x;
            else if (x / share >> width == 0) return x / share;
        }
    }

    G& generator_;
};

template <class G>
Bits<std::remove_reference_t<G>> bits_of(G& generator) {
    return Bits<std::remove_reference_t<G>>(generator);
}

/// What a parameter is evaluated to: a number stays, a tensor or a view is looked at.
template <class P>
auto settle(P&& parameter) {
    if constexpr (tensor_like<P>) return detail::in_memory(std::forward<P>(parameter));
    else return parameter;
}

/// A parameter element by element, in row-major order, over a shape to which it broadcasts.
template <class P>
class ParameterReader {
public:
    ParameterReader(const P& parameter, const Shape&) : value_(parameter) {}
    P next() const { return value_; }

private:
    P value_;
};
template <class P>
    requires tensor_like<P>
class ParameterReader<P> {
public:
    ParameterReader(const P& parameter, const Shape& shape)
        : view_(parameter.broadcast_to(shape)), at_(view_.begin()) {}
    ParameterReader(const ParameterReader&) = delete;
    ParameterReader& operator=(const ParameterReader&) = delete;
    element_t<P> next() { return *at_++; }

private:
    TensorView<const element_t<P>> view_;
    Iterator<const element_t<P>> at_;
};

/// Throws value_error unless `holds` of the parameters everywhere, shape_error unless they
/// broadcast to the shape.
template <class F, class... P>
void require(F holds, const char* otherwise, const Shape& shape, const P&... parameters) {
    const auto fits = [&](const auto& p) {
        if constexpr (tensor_like<decltype(p)>)
            broadloom::detail::require_fits_into(p.shape(), shape);
    };
    (fits(parameters), ...);
    bool good = true;
    if constexpr ((tensor_like<P> || ...)) {
        const Tensor<bool> each(broadloom::detail::make_expression(holds, parameters...));
        for (const bool one : each) good = good && one;
    } else {
        good = holds(parameters...);
    }
    if (!good) throw value_error(otherwise);
}

/// f(draw, parameters...) for every element.
template <class T, class D, class F, class... P>
Tensor<T> combine(const Shape& shape, Tensor<D>&& draws, F f, const P&... parameters) {
    Tensor<T> result = broadloom::empty<T>(shape);
    const auto expression = broadloom::detail::make_expression(
        f, std::move(draws), broadloom::detail::laid_over(parameters, shape)...);
    kernel::evaluate(expression, result.data(), shape, result.strides());
    return result;
}

/// one() for every element, in order.
template <class T, class Draw>
Tensor<T> draw(const Shape& shape, Draw one) {
    Tensor<T> result = broadloom::empty<T>(shape);
    T* const to = result.data();
    for (index_t i = 0; i < result.size(); ++i) to[i] = one();
    return result;
}

/// `count` even bits as a number: a signed one, which converts to a real in one instruction.
template <int count, class B>
BROADLOOM_INLINE std::int64_t whole(B& bits) {
    return static_cast<std::int64_t>(bits.template take<count>());
}
/// 53 even bits as a number in [0, 1).
template <class B>
double unit(B& bits) {
    return static_cast<double>(detail::whole<53>(bits)) * 0x1p-53;
}
/// 52 even bits as a number in (0, 1), as far from either end.
template <class B>
double inner(B& bits) {
    return (static_cast<double>(detail::whole<52>(bits)) + 0.5) * 0x1p-52;
}

}  // namespace detail
}  // namespace broadloom::random

#endif  // BROADLOOM_TENSOR_DRAW_HPP
