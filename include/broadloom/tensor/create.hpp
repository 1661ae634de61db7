// New tensors: constant, counted, spaced, with ones on a diagonal or for the class of each index.
#ifndef BROADLOOM_TENSOR_CREATE_HPP
#define BROADLOOM_TENSOR_CREATE_HPP

#include <cmath>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "broadloom/scalar/operators.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

/// A tensor whose elements are yet to be written: `empty<float>(2, 3)` as `empty<float>({2, 3})`.
template <class T, detail::integer_index... Int>
    requires(sizeof...(Int) > 0)
Tensor<T> empty(Int... extents) {
    return broadloom::empty<T>(Shape{extents...});
}
/// Every element `value`: `full({4, 3}, 2.0f)`.
template <class T>
    requires(!tensor_like<T>)
Tensor<T> full(const Shape& shape, const T& value) {
    Tensor<T> result = broadloom::empty<T>(shape);
    result.fill(value);
    return result;
}
/// The elements of an operand, broadcast to the shape: `full({4, 3}, row)`. Throws shape_error.
template <class X>
    requires tensor_like<X>
auto full(const Shape& shape, X&& values) {
    Tensor<element_t<X>> result = broadloom::empty<element_t<X>>(shape);
    result.view() = std::forward<X>(values);
    return result;
}
/// So many elements `value` in one dimension: `full(3, 2.0f)`.
template <class T, detail::integer_index Int>
    requires(!tensor_like<T>)
Tensor<T> full(Int extent, const T& value) {
    return broadloom::full<T>(Shape{extent}, value);
}
/// A tensor of zeros, of a shape or of extents: `zeros<float>({2, 3})`, `zeros<float>(2, 3)`.
template <class T>
Tensor<T> zeros(const Shape& shape) {
    return broadloom::full<T>(shape, scalar::zero<T>());
}
template <class T, detail::integer_index... Int>
    requires(sizeof...(Int) > 0)
Tensor<T> zeros(Int... extents) {
    return broadloom::zeros<T>(Shape{extents...});
}
/// A tensor of ones, likewise.
template <class T>
Tensor<T> ones(const Shape& shape) {
    return broadloom::full<T>(shape, scalar::one<T>());
}
template <class T, detail::integer_index... Int>
    requires(sizeof...(Int) > 0)
Tensor<T> ones(Int... extents) {
    return broadloom::ones<T>(Shape{extents...});
}

/// The same for the shape, and unless told otherwise the element type, of another operand.
template <class T = void, class X>
    requires tensor_like<X>
auto empty_like(const X& x) {
    return broadloom::empty<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X>
    requires tensor_like<X>
auto zeros_like(const X& x) {
    return broadloom::zeros<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X>
    requires tensor_like<X>
auto ones_like(const X& x) {
    return broadloom::ones<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X, class S = std::conditional_t<std::is_void_v<T>, element_t<X>, T>>
    requires tensor_like<X>
auto full_like(const X& x, const S& value) {
    auto result = broadloom::empty_like<T>(x);
    result.fill(value);
    return result;
}

BROADLOOM_EXACT_BEGIN

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_too_many_steps(double start, double stop,
                                                             double step) {
    throw value_error(Sentence() << "arange from " << start << " to " << stop << " by " << step
                                 << " would have more elements than can be counted");
}

[[noreturn]] BROADLOOM_COLD inline void throw_too_many_truths(index_t count) {
    throw value_error(Sentence() << "arange of " << count << " elements of bool, which has two");
}

/// How many steps from start stay below stop: ceil((stop - start) / step), exact for integers.
template <class T>
index_t count_steps(T start, T stop, T step) {
    if (!(step != T(0))) throw value_error("arange with a step of 0");
    if constexpr (std::is_integral_v<T>) {
        const bool up = step > T(0);
        if (up ? start >= stop : start <= stop) return 0;
        // Differences of integers, which may need one bit more than T has.
        using U = std::make_unsigned_t<std::conditional_t<(sizeof(T) < 8), long long, T>>;
        const U span = up ? static_cast<U>(stop) - static_cast<U>(start)
                          : static_cast<U>(start) - static_cast<U>(stop);
        const U stride = up ? static_cast<U>(step) : U(0) - static_cast<U>(step);
        const U count = (span - 1) / stride + 1;
        if (count > static_cast<U>(largest_index)) {
            throw_too_many_steps(static_cast<double>(start), static_cast<double>(stop),
                                 static_cast<double>(step));
        }
        return static_cast<index_t>(count);
    } else {
        using Wide = std::conditional_t<std::is_same_v<T, long double>, long double, double>;
        const auto exact = static_cast<double>(
            (static_cast<Wide>(stop) - static_cast<Wide>(start)) / static_cast<Wide>(step));
        // A quotient too small for a double still stands for one step.
        if (exact == 0 && start != stop) return std::signbit(exact) ? 0 : 1;
        const double count = std::ceil(exact);
        if (!(count < static_cast<double>(largest_index))) {
            throw_too_many_steps(static_cast<double>(start), static_cast<double>(stop),
                                 static_cast<double>(step));
        }
        return count > 0 ? static_cast<index_t>(count) : 0;
    }
}

/// `make(i)` for every i, as a tensor of rank 1.
template <class T, class Make>
BROADLOOM_UNCONTRACTED Tensor<T> generate(index_t count, Make&& make) {
    Tensor<T> result = broadloom::empty<T>({count});
    T* to = result.data();
    for (index_t i = 0; i < count; ++i) to[i] = make(i);
    return result;
}

/// The numbers start + i * step: in double for real types, and for integers unsigned, which wraps.
template <class T>
struct Line {
    static consteval auto number() {
        if constexpr (!std::is_integral_v<T>) return double{};
        else return std::common_type_t<std::make_unsigned_t<T>, unsigned>{};
    }
    using Number = decltype(number());
    Number start, step;
};

/// Writes the first `count` numbers of a line. Counted in int, since that becomes double in
/// vectors: wider ones take 0.6 to 0.7 of the time.
template <class T>
struct WriteLine {
    template <class Isa>
    BROADLOOM_KERNEL static void run(T* to, index_t count, const Line<T>* line) {
        using Number = typename Line<T>::Number;
        constexpr int block = 1024;
        const Number start = line->start, step = line->step;
        BROADLOOM_ROLLED
        for (index_t first = 0; first < count; first += block, to += block) {
            const int here = count - first < block ? static_cast<int>(count - first) : block;
            const auto before = static_cast<Number>(first);
            if constexpr (std::is_integral_v<T>) {
                Number value = start + before * step;
                for (int k = 0; k < here; ++k, value += step) to[k] = static_cast<T>(value);
            } else {
                for (int k = 0; k < here; ++k) to[k] = static_cast<T>(start + (before + k) * step);
            }
        }
    }
};
template <class T>
Tensor<T> make_line(index_t count, const Line<T>& line) {
    Tensor<T> result = broadloom::empty<T>({count});
    using Write = void(T*, index_t, const Line<T>*);
    // Integers take little as it is, and one form compiles sooner than three.
    if constexpr (std::is_integral_v<T>) {
        kernel::strict_baseline_form<WriteLine<T>, Write>(result.data(), count, &line);
    } else {
        kernel::strict<WriteLine<T>, Write>()(result.data(), count, &line);
    }
    return result;
}

}  // namespace detail

/// start, start + step, ... up to but without stop, each computed as start + i * step. Throws
/// value_error for a step of 0, and for more elements than can be counted, or than bool has.
template <class T = void, class A, class B, class C>
    requires(scalar_like<A> && scalar_like<B> && scalar_like<C>)
auto arange(A start, B stop, C step) {
    using P = promote_t<promote_t<A, B>, C>;
    using R = std::conditional_t<std::is_void_v<T>, P, T>;
    const P from = scalar::convert<P>(start), by = scalar::convert<P>(step);
    const index_t count = detail::count_steps<P>(from, scalar::convert<P>(stop), by);
    if constexpr (std::is_same_v<R, bool>) {
        if (count > 2) detail::throw_too_many_truths(count);
        return detail::generate<R>(count, [&](index_t i) {
            return scalar::convert<R>(i == 0 ? from : scalar::add::on(from, by));
        });
    } else if constexpr (std::is_integral_v<R>) {
        // Fractional steps are those between the first two integers, as NumPy's are.
        using U = typename detail::Line<R>::Number;
        const U first = static_cast<U>(scalar::convert<R>(from));
        const U second = static_cast<U>(scalar::convert<R>(scalar::add::on(from, by)));
        return detail::make_line(count, detail::Line<R>{first, second - first});
    } else if constexpr (std::is_same_v<R, long double>) {
        const auto first = static_cast<R>(from), each = static_cast<R>(by);
        return detail::generate<R>(count,
                                   [&](index_t i) { return first + static_cast<R>(i) * each; });
    } else {
        return detail::make_line(
            count, detail::Line<R>{static_cast<double>(from), static_cast<double>(by)});
    }
}
template <class T = void, class A, class B>
    requires(scalar_like<A> && scalar_like<B>)
auto arange(A start, B stop) {
    return broadloom::arange<T>(start, stop, promote_t<A, B>(1));
}
/// 0, 1, 2, ... up to but without stop: `arange<int>(4)` is {0, 1, 2, 3}.
template <class T = void, class A>
    requires scalar_like<A>
auto arange(A stop) {
    return broadloom::arange<T>(A(0), stop, A(1));
}

/// `count` evenly spaced values from start to stop, both exact; without the end point, the steps
/// are as if there were one value more. Throws value_error for a negative count.
template <class T = double>
Tensor<T> linspace(double start, double stop, Integer count = 50, bool endpoint = true) {
    if (count < 0) {
        throw value_error(detail::Sentence()
                          << "there cannot be " << index_t{count} << " values in a line");
    }
    const index_t steps = endpoint ? count - 1 : index_t{count};
    const double step = steps > 0 ? (stop - start) / static_cast<double>(steps) : 0.0;
    if constexpr (!std::is_integral_v<T>) {
        if (step != 0.0 || start == stop) {
            Tensor<T> line = detail::make_line(count, detail::Line<T>{start, step});
            if (endpoint && count > 1) line.data()[count - 1] = static_cast<T>(stop);
            return line;
        }
    }
    return detail::generate<T>(count, [&](index_t i) {
        const bool last = endpoint && i == count - 1 && count > 1;
        const double value =
            last ? stop
            : steps > 0 && step == 0.0
                ? start + static_cast<double>(i) / static_cast<double>(steps) * (stop - start)
                : start + static_cast<double>(i) * step;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
            return scalar::convert<T>(std::floor(value));
        else return static_cast<T>(value);
    });
}

/// `count` values spaced evenly on a logarithmic scale, from base^start to base^stop. Throws
/// value_error for a negative count.
template <class T = double>
Tensor<T> logspace(double start, double stop, Integer count = 50, double base = 10.0) {
    const Tensor<double> exponents = linspace<double>(start, stop, count);
    return detail::generate<T>(
        count, [&](index_t i) { return scalar::convert<T>(std::pow(base, exponents.data()[i])); });
}
template <class T = double, std::same_as<bool> the_fourth_is_the_base>
Tensor<T> logspace(double, double, Integer, the_fourth_is_the_base) = delete;

BROADLOOM_EXACT_END

/// Ones on a diagonal, zeros elsewhere: (rows, columns), shifted by k to the right.
template <class T>
Tensor<T> eye(Integer rows, Integer columns, Integer k = 0) {
    Tensor<T> result = broadloom::zeros<T>({index_t{rows}, index_t{columns}});
    result.diagonal(k).fill(scalar::one<T>());
    return result;
}
template <class T>
Tensor<T> eye(Integer n) {
    return broadloom::eye<T>(n, n);
}

/// A tensor, view or expression of integers, but not of bool.
template <class X>
concept index_like = tensor_like<X> && detail::integer<element_t<X>>;

namespace detail {

/// Integers of any type as indices, in memory of their own: what index_t does not hold is out of
/// reach, not negative.
template <tensor_like X>
Tensor<index_t> as_indices(X&& x) {
    const auto reach = [](const element_t<X>& i) noexcept { return scalar::saturate<index_t>(i); };
    return broadloom::map(reach, detail::borrowed(std::forward<X>(x)));
}

/// The same of a row, such as a std::vector.
template <integer_range R>
Tensor<index_t> as_indices(const R& row) {
    Tensor<index_t> list = broadloom::empty<index_t>(Shape{detail::count_of(row)});
    index_t* to = list.data();
    for (const auto i : row) *to++ = detail::to_index(i);
    return list;
}
/// What says where: an index tensor, or integers in a row, such as a std::vector, or in braces.
template <class X>
concept indices = index_like<X> || integer_range<X>;
/// What names classes: the same, or truth values.
template <class X>
concept class_indices = indices<X> || (tensor_like<X> && std::is_integral_v<element_t<X>>);

[[noreturn]] BROADLOOM_COLD inline void throw_class(index_t index, index_t classes) {
    throw index_error(Sentence() << index << " is not one of " << classes
                                 << " classes, which count from 0");
}

template <class T>
Tensor<T> one_hot_of(const Tensor<index_t>& index, index_t classes) {
    IndexList extents = index.shape().extents();
    extents.push_back(classes);
    const Shape shape(extents);
    for (const index_t i : index) {
        if (i < 0 || i >= classes) throw_class(i, classes);
    }
    Tensor<T> result = broadloom::zeros<T>(shape);
    T* row = result.data();
    for (const index_t i : index) {
        row[i] = scalar::one<T>();
        row += classes;
    }
    return result;
}

}  // namespace detail

/// The class indices of x, a tensor, a row such as a std::vector, or integers in braces, as vectors
/// of 0 and a single 1: shape (...,) gives (..., classes). Throws index_error for an index outside
/// of [0, classes).
template <class T = float, detail::class_indices X = detail::InBraces>
Tensor<T> one_hot(X&& x, Integer classes) {
    return detail::one_hot_of<T>(detail::as_indices(std::forward<X>(x)), classes);
}
/// The same with as many classes as the largest index asks for.
template <class T = float, detail::class_indices X = detail::InBraces>
Tensor<T> one_hot(X&& x) {
    const Tensor<index_t> index = detail::as_indices(std::forward<X>(x));
    index_t classes = 0;
    for (const index_t i : index) {
        if (i >= classes) classes = i < detail::largest_index ? i + 1 : i;
    }
    return detail::one_hot_of<T>(index, classes);
}

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_CREATE_HPP
