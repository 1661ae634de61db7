// Folds of the user's: any function, with the compiler's own arithmetic, element by element in
// row-major order, since nothing is known of it.
#ifndef BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP
#define BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/fold/folder.hpp"

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

}  // namespace detail

template <class T, class F, class A>
Folder make_folder(const InOrder<F, A>& f) {
    Folder folder{};
    folder.fold = &f;
    folder.columns = plain<typename detail::AccumulateInOrder<F, A, T>::Columns, FoldColumns>();
    folder.accumulator_bytes = folder.result_bytes = static_cast<index_t>(sizeof(A));
    folder.lanes = detail::lanes<sizeof(A)>;
    return folder;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_FOLD_IN_ORDER_HPP
