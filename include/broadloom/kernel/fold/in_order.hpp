// Folds in row-major order, with the compiler's own arithmetic: functions of the user's element by
// element, since nothing is known of them, and of the library's those that keep the order of
// elements of a type of the user, which only need be associative.
#ifndef BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP
#define BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP

#include <utility>

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/fold/folder.hpp"
#include "broadloom/scalar/promote.hpp"

namespace broadloom::kernel {

/// A fold of the user's: f(accumulator, element) from `init` on, element by element in row-major
/// order.
template <class F, class A>
struct InOrder {
    F* f;
    A init;

    template <class T>
    A lift(const T&) const;
};

namespace detail {

/// Folds whose result depends on the order of elements of the user's, as a product that does not
/// commute.
template <class F, class T>
concept keeps_order = !arithmetic<T> && requires { requires F::keeps_order; };

template <class F, class A, class T>
struct AccumulateInOrder {
    struct Columns {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows, index_t, index_t) {
            const auto& fold = *static_cast<const InOrder<F, A>*>(context);
            F& f = *fold.f;
            A* to = reinterpret_cast<A*>(stack->first);
            const T* from = reinterpret_cast<const T*>(data);
            const index_t width = stack->width;
            if (stack->height == 0) {
                for (index_t j = 0; j < width; ++j) to[j] = fold.init;
                stack->height = 1;
            }
            if (width == 1) {
                A a = *to;
                for (index_t i = 0; i < rows; ++i) a = static_cast<A>(f(a, from[i * stride]));
                *to = a;
            } else {
                for (index_t i = 0; i < rows; ++i, from += stride) {
                    for (index_t j = 0; j < width; ++j) to[j] = static_cast<A>(f(to[j], from[j]));
                }
            }
        }
    };
};

/// Neighbours join in pairs, and these likewise until 16 rows are one, which joins those before.
/// Calls but the last bring a multiple of 16 rows.
template <class F, class A, class T>
struct JoinInOrder {
    struct Columns {
        template <class Isa>
        BROADLOOM_KERNEL static void run(const void* context, Stack* stack, const char* data,
                                         index_t stride, index_t rows, index_t, index_t) {
            const F f = *static_cast<const F*>(context);
            const T* from = reinterpret_cast<const T*>(data);
            for (; rows >= 16; rows -= 16, from += 16 * stride) join<16>(f, *stack, from, stride);
            for (; rows > 0; --rows, from += stride) join<1>(f, *stack, from, stride);
        }
        template <index_t N>
        BROADLOOM_INLINE static void join(const F& f, Stack& stack, const T* from, index_t stride) {
            A* __restrict to = reinterpret_cast<A*>(stack.first);
            const index_t width = stack.width;
            if (stack.height == 0) {
                for (index_t j = 0; j < width; ++j) to[j] = tree<N>(f, from + j, stride);
                stack.height = 1;
            } else {
                for (index_t j = 0; j < width; ++j)
                    to[j] = f.join(to[j], tree<N>(f, from + j, stride));
            }
        }
        template <index_t N>
        BROADLOOM_INLINE static A tree(const F& f, const T* from, index_t stride) {
            if constexpr (N == 1) {
                return f.lift(*from);
            } else {
                const A before = tree<N / 2>(f, from, stride);
                return f.join(before, tree<N / 2>(f, from + N / 2 * stride, stride));
            }
        }
    };
};

/// A folder whose columns are those of `Loops`.
template <class Loops, class A>
Folder folder_in_order(const void* fold) {
    Folder folder{};
    folder.fold = fold;
    folder.columns = plain<typename Loops::Columns, FoldColumns>();
    folder.accumulator_bytes = folder.result_bytes = static_cast<index_t>(sizeof(A));
    folder.lanes = detail::lanes<sizeof(A)>;
    return folder;
}

}  // namespace detail

template <class T, class F, class A>
Folder make_folder(const InOrder<F, A>& f) {
    return detail::folder_in_order<detail::AccumulateInOrder<F, A, T>, A>(&f);
}
template <class T, class F>
    requires detail::keeps_order<F, T>
Folder make_folder(const F& f) {
    using A = decltype(f.lift(std::declval<const T&>()));
    return detail::folder_in_order<detail::JoinInOrder<F, A, T>, A>(&f);
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP
