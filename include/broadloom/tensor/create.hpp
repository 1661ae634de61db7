// New tensors: uninitialised, constant, counted, spaced, triangular, and from what C++ programs
// hold already. view_of looks at memory that somebody else owns.
#ifndef BROADLOOM_TENSOR_CREATE_HPP
#define BROADLOOM_TENSOR_CREATE_HPP

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <string>

#include "broadloom/scalar/operators.hpp"
#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

/// Every element `value`: `full({4, 3}, 2.0f)`.
template <class T>
    requires(!tensor_like<T>)
Tensor<T> full(const Shape& shape, const T& value) {
    Tensor<T> result = empty<T>(shape);
    result.fill(value);
    return result;
}
/// The elements of an operand, broadcast to the shape: `full({4, 3}, row)`. Throws shape_error.
template <class X>
    requires tensor_like<X>
auto full(const Shape& shape, X&& values) {
    Tensor<element_t<X>> result = empty<element_t<X>>(shape);
    result.view() = std::forward<X>(values);
    return result;
}
/// A tensor of zeros.
template <class T>
Tensor<T> zeros(const Shape& shape) {
    return full<T>(shape, T(0));
}
/// A tensor of ones.
template <class T>
Tensor<T> ones(const Shape& shape) {
    return full<T>(shape, T(1));
}

/// The same for the shape, and unless told otherwise the element type, of another operand.
template <class T = void, class X>
    requires tensor_like<X>
auto empty_like(const X& x) {
    return empty<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X>
    requires tensor_like<X>
auto zeros_like(const X& x) {
    return zeros<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X>
    requires tensor_like<X>
auto ones_like(const X& x) {
    return ones<std::conditional_t<std::is_void_v<T>, element_t<X>, T>>(x.shape());
}
template <class T = void, class X, class S = std::conditional_t<std::is_void_v<T>, element_t<X>, T>>
    requires tensor_like<X>
auto full_like(const X& x, const S& value) {
    auto result = empty_like<T>(x);
    result.fill(value);
    return result;
}

BROADLOOM_EXACT_BEGIN

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_too_many_steps(double start, double stop,
                                                             double step) {
    throw value_error(Sentence() << "arange from " << std::to_string(start) << " to "
                                 << std::to_string(stop) << " by " << std::to_string(step)
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
        if (count > static_cast<U>(std::numeric_limits<index_t>::max())) {
            throw_too_many_steps(static_cast<double>(start), static_cast<double>(stop),
                                 static_cast<double>(step));
        }
        return static_cast<index_t>(count);
    } else {
        const double exact =
            (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
        // A quotient too small for a double still stands for one step.
        if (exact == 0 && start != stop) return std::signbit(exact) ? 0 : 1;
        const double count = std::ceil(exact);
        if (!(count < 9.0e18)) {
            throw_too_many_steps(static_cast<double>(start), static_cast<double>(stop),
                                 static_cast<double>(step));
        }
        return count > 0 ? static_cast<index_t>(count) : 0;
    }
}

/// `make(i)` for every i, as a tensor of rank 1.
template <class T, class Make>
BROADLOOM_UNCONTRACTED Tensor<T> generate(index_t count, Make&& make) {
    Tensor<T> result = empty<T>({count});
    T* to = result.data();
    for (index_t i = 0; i < count; ++i) to[i] = make(i);
    return result;
}

}  // namespace detail

/// start, start + step, ... up to but without stop, each computed as start + i * step. Throws
/// value_error for a step of 0.
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
        using U = std::make_unsigned_t<R>;
        const R first = scalar::convert<R>(from);
        const R second = scalar::convert<R>(scalar::add::on(from, by));
        const U distance = static_cast<U>(static_cast<U>(second) - static_cast<U>(first));
        return detail::generate<R>(count, [&](index_t i) {
            return static_cast<R>(static_cast<U>(first) +
                                  static_cast<U>(static_cast<U>(i) * distance));
        });
    } else {
        return detail::generate<R>(count, [&](index_t i) {
            return static_cast<R>(static_cast<double>(from) +
                                  static_cast<double>(i) * static_cast<double>(by));
        });
    }
}
template <class T = void, class A, class B>
    requires(scalar_like<A> && scalar_like<B>)
auto arange(A start, B stop) {
    return arange<T>(start, stop, promote_t<A, B>(1));
}
/// 0, 1, 2, ... up to but without stop: `arange<int>(4)` is {0, 1, 2, 3}.
template <class T = void, class A>
    requires scalar_like<A>
auto arange(A stop) {
    return arange<T>(A(0), stop, A(1));
}

/// `count` evenly spaced values from start to stop, both exact; without the end point, the steps
/// are as if there were one value more. Throws value_error for a negative count.
template <class T = double>
Tensor<T> linspace(double start, double stop, index_t count = 50, bool endpoint = true) {
    if (count < 0) {
        throw value_error(detail::Sentence() << "there cannot be " << count << " values in a line");
    }
    const index_t steps = endpoint ? count - 1 : count;
    const double step = steps > 0 ? (stop - start) / static_cast<double>(steps) : 0.0;
    return detail::generate<T>(count, [&](index_t i) {
        const bool last = endpoint && i == count - 1 && count > 1;
        const double value =
            last ? stop
            : steps > 0 && step == 0.0
                ? start + static_cast<double>(i) / static_cast<double>(steps) * (stop - start)
                : start + static_cast<double>(i) * step;
        if constexpr (std::is_integral_v<T>) return scalar::convert<T>(std::floor(value));
        else return static_cast<T>(value);
    });
}

/// `count` values spaced evenly on a logarithmic scale, from base^start to base^stop.
template <class T = double>
Tensor<T> logspace(double start, double stop, index_t count = 50, double base = 10.0) {
    const Tensor<double> exponents = linspace<double>(start, stop, count);
    return detail::generate<T>(
        count, [&](index_t i) { return scalar::convert<T>(std::pow(base, exponents.data()[i])); });
}

BROADLOOM_EXACT_END

/// Ones on a diagonal, zeros elsewhere: (rows, columns), shifted by k to the right.
template <class T>
Tensor<T> eye(index_t rows, index_t columns, index_t k = 0) {
    Tensor<T> result = zeros<T>({rows, columns});
    result.diagonal(k).fill(T(1));
    return result;
}
template <class T>
Tensor<T> eye(index_t n) {
    return eye<T>(n, n);
}

namespace detail {

/// How many of a row's columns lie before the k-th diagonal.
inline index_t before_diagonal(index_t row, index_t k, index_t columns) {
    return k >= columns - row ? columns : k <= -row ? 0 : row + k;
}

/// A copy of the last two dimensions with zeros above the k-th diagonal, or below it.
template <class X>
auto triangle(X&& x, index_t k, bool lower) {
    using T = element_t<X>;
    if (x.rank() < 2)
        throw shape_error(Sentence() << "a triangle needs two dimensions, not shape " << x.shape());
    Tensor<T> result(std::forward<X>(x));
    if (!result.is_contiguous()) result = result.copy();
    const index_t rows = result.extent(-2), columns = result.extent(-1);
    T* at = result.data();
    for (index_t left = result.size(); left > 0; left -= rows * columns) {
        for (index_t i = 0; i < rows; ++i, at += columns) {
            const index_t first = lower ? before_diagonal(i + 1, k, columns) : 0;
            const index_t last = lower ? columns : before_diagonal(i, k, columns);
            for (index_t j = first; j < last; ++j) at[j] = T(0);
        }
    }
    return result;
}

}  // namespace detail

/// Ones on and below the k-th diagonal, zeros above: (rows, columns).
template <class T>
Tensor<T> tri(index_t rows, index_t columns, index_t k = 0) {
    return detail::triangle(ones<T>({rows, columns}), k, true);
}
template <class T>
Tensor<T> tri(index_t n) {
    return tri<T>(n, n);
}

/// The elements on and below the k-th diagonal of the last two dimensions, zeros elsewhere.
template <class X>
    requires tensor_like<X>
auto tril(X&& x, index_t k = 0) {
    return detail::triangle(std::forward<X>(x), k, true);
}
/// The elements on and above the k-th diagonal of the last two dimensions, zeros elsewhere.
template <class X>
    requires tensor_like<X>
auto triu(X&& x, index_t k = 0) {
    return detail::triangle(std::forward<X>(x), k, false);
}

namespace detail {

/// What a range holds; the elements of std::vector<bool> are bool, whatever stands for them.
template <class R>
using range_element_t = typename std::iterator_traits<
    std::remove_cvref_t<decltype(std::begin(std::declval<const R&>()))>>::value_type;

/// How many elements a range has, counted where it does not know.
template <class R>
index_t count_of(const R& range) {
    if constexpr (requires { std::size(range); }) {
        return static_cast<index_t>(std::size(range));
    } else {
        index_t count = 0;
        for (auto i = std::begin(range); i != std::end(range); ++i) ++count;
        return count;
    }
}

}  // namespace detail

/// The elements of a range, in order, under a shape of the same size. Throws shape_error.
template <class R>
    requires requires(const R& r) { std::begin(r), std::end(r); }
auto from(const R& range, const Shape& shape) {
    using T = detail::range_element_t<R>;
    const index_t count = detail::count_of(range);
    if (count != shape.size()) {
        throw shape_error(detail::Sentence()
                          << "a range of " << count << " elements does not fill shape " << shape);
    }
    Tensor<T> result = empty<T>(shape);
    T* to = result.data();
    auto i = std::begin(range);
    if constexpr (std::contiguous_iterator<decltype(i)> && std::is_trivially_copyable_v<T>) {
        if (count > 0)
            std::memcpy(to, std::to_address(i), static_cast<std::size_t>(count) * sizeof(T));
    } else {
        for (; i != std::end(range); ++i) *to++ = *i;
    }
    return result;
}
/// The elements of a range as a tensor of rank 1.
template <class R>
    requires requires(const R& r) { std::begin(r), std::end(r); }
auto from(const R& range) {
    return from(range, Shape{detail::count_of(range)});
}

namespace detail {

[[noreturn]] BROADLOOM_COLD inline void throw_outside(const Shape& shape, const Strides& strides,
                                                      index_t room) {
    throw shape_error(Sentence() << "shape " << shape << " with strides " << strides
                                 << " reaches outside of the " << room << " elements there are");
}
/// Throws unless a layout that starts at the first of `room` elements stays inside of them.
inline void require_room(const Shape& shape, const Strides& strides, index_t room) {
    require_strides(shape, strides);
    if (shape.size() == 0) return;
    // Step by step, so that nothing overflows.
    index_t reach = 0;
    for (index_t d = 0; d < shape.rank(); ++d) {
        if (shape[d] == 1) continue;
        if (strides[d] < 0 || (strides[d] > 0 && shape[d] - 1 > (room - 1 - reach) / strides[d])) {
            throw_outside(shape, strides, room);
        }
        reach += (shape[d] - 1) * strides[d];
    }
    if (room < 1) throw_outside(shape, strides, room);
}

template <class R>
constexpr void require_lasting() {
    static_assert(
        std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>,
        "a view would outlive this temporary range: give it a name, or copy it with from()");
}

}  // namespace detail

/// A view of memory that somebody else owns, row by row; the caller vouches for its size.
template <class P>
    requires std::is_pointer_v<std::remove_reference_t<P>>
auto view_of(P&& data, const Shape& shape) {
    using T = std::remove_pointer_t<std::remove_reference_t<P>>;
    return TensorView<T>(data, shape, detail::row_major(shape));
}
/// A view of memory that somebody else owns, with strides in elements, negative ones included.
template <class P>
    requires std::is_pointer_v<std::remove_reference_t<P>>
auto view_of(P&& data, const Shape& shape, const Strides& strides) {
    using T = std::remove_pointer_t<std::remove_reference_t<P>>;
    detail::require_strides(shape, strides);
    return TensorView<T>(data, shape, detail::within_reach(strides));
}
/// A view of a contiguous range (std::vector, std::array, std::span, an array): of all its
/// elements, under a shape, or with strides. Throws shape_error where it would reach outside.
template <class R>
    requires requires(R& r) { std::data(r), std::size(r); }
auto view_of(R&& range, const Shape& shape) {
    detail::require_lasting<R>();
    if (static_cast<index_t>(std::size(range)) != shape.size()) {
        throw shape_error(detail::Sentence() << "a range of " << std::size(range)
                                             << " elements cannot be viewed as " << shape);
    }
    return view_of(std::data(range), shape);
}
template <class R>
    requires requires(R& r) { std::data(r), std::size(r); }
auto view_of(R&& range, const Shape& shape, const Strides& strides) {
    detail::require_lasting<R>();
    detail::require_room(shape, strides, static_cast<index_t>(std::size(range)));
    return view_of(std::data(range), shape, strides);
}
template <class R>
    requires requires(R& r) { std::data(r), std::size(r); }
auto view_of(R&& range) {
    detail::require_lasting<R>();
    return view_of(std::data(range), Shape{static_cast<index_t>(std::size(range))});
}

namespace detail {

/// Integers of any type as indices, in memory of their own: what index_t does not hold is out of
/// reach, not negative.
template <class X>
Tensor<index_t> as_indices(X&& x) {
    const auto reach = [](const element_t<X>& i) noexcept { return scalar::saturate<index_t>(i); };
    return map(reach, std::forward<X>(x));
}

[[noreturn]] BROADLOOM_COLD inline void throw_class(index_t index, index_t classes) {
    throw index_error(Sentence() << index << " is not one of the classes 0 to " << classes - 1);
}

}  // namespace detail

/// The class indices of x as vectors of 0 and a single 1: shape (...,) gives (..., classes).
/// Throws index_error for an index outside of [0, classes).
template <class T = float, class X>
    requires(tensor_like<X> && std::is_integral_v<element_t<X>>)
Tensor<T> one_hot(X&& x, index_t classes) {
    const auto kept = detail::in_memory(std::forward<X>(x));
    const Tensor<index_t> index = detail::as_indices(kept);
    IndexList extents = index.shape().extents();
    extents.push_back(classes);
    const Shape shape(extents);
    for (const index_t i : index) {
        if (i < 0 || i >= classes) detail::throw_class(i, classes);
    }
    Tensor<T> result = zeros<T>(shape);
    T* row = result.data();
    for (const index_t i : index) {
        row[i] = T(1);
        row += classes;
    }
    return result;
}

}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_CREATE_HPP
