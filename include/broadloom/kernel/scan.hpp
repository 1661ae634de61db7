// Running folds in place: along one axis of a tensor that lies row by row, every element becomes
// the fold of itself with all before it, one after the other.
#ifndef BROADLOOM_KERNEL_SCAN_HPP
#define BROADLOOM_KERNEL_SCAN_HPP

#include "broadloom/core/shape.hpp"
#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::kernel {
namespace detail {

template <class F, class T>
struct Scan {
    /// `outer` blocks of `extent` rows of `inner` elements; each row takes in the one before.
    template <class Isa>
    BROADLOOM_INLINE static void run(T* data, index_t outer, index_t extent, index_t inner) {
        const F f{};
        if (inner == 1) {
            // Rows have no influence on each other: four at a time hide the wait for each sum.
            index_t i = 0;
            BROADLOOM_ROLLED
            for (; i + 4 <= outer; i += 4, data += 4 * extent) {
                T a = data[0], b = data[extent], c = data[2 * extent], d = data[3 * extent];
                BROADLOOM_ROLLED
                for (index_t j = 1; j < extent; ++j) {
                    data[j] = a = f(a, data[j]);
                    data[extent + j] = b = f(b, data[extent + j]);
                    data[2 * extent + j] = c = f(c, data[2 * extent + j]);
                    data[3 * extent + j] = d = f(d, data[3 * extent + j]);
                }
            }
            BROADLOOM_ROLLED
            for (; i < outer; ++i, data += extent) {
                T a = data[0];
                BROADLOOM_ROLLED
                for (index_t j = 1; j < extent; ++j) data[j] = a = f(a, data[j]);
            }
            return;
        }
        BROADLOOM_ROLLED
        for (index_t i = 0; i < outer; ++i) {
            BROADLOOM_ROLLED
            for (index_t j = 1; j < extent; ++j)
                row(f, data + j * inner, data + (j - 1) * inner, inner);
            data += extent * inner;
        }
    }
    BROADLOOM_INLINE static void row(const F& f, T* __restrict to, const T* __restrict before,
                                     index_t inner) {
        for (index_t k = 0; k < inner; ++k) to[k] = f(before[k], to[k]);
    }
};

}  // namespace detail

/// Folds with F, a function of two elements, along one axis of elements that lie row by row.
template <class F, class T>
void scan(F, T* data, const Shape& shape, index_t axis) {
    if (shape.size() == 0) return;
    index_t outer = 1, inner = 1;
    for (index_t d = 0; d < axis; ++d) outer *= shape[d];
    for (index_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
    using Kernel = detail::Scan<F, T>;
    using Signature = void(T*, index_t, index_t, index_t);
    if constexpr (arithmetic<T>) strict<Kernel, Signature>()(data, outer, shape[axis], inner);
    else plain<Kernel, Signature>()(data, outer, shape[axis], inner);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_SCAN_HPP
