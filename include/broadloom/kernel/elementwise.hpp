// The loop. Every elementwise operation is a function of the leaves of an expression, evaluated
// by one loop over flat runs; its twin for a handful of elements walks strides directly. Also
// here: what assignment to a view means, and why overlap is safe.
#ifndef BROADLOOM_KERNEL_ELEMENTWISE_HPP
#define BROADLOOM_KERNEL_ELEMENTWISE_HPP

#include <type_traits>
#include <utility>

#include "broadloom/core/expression.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/walk.hpp"
#include "broadloom/scalar/convert.hpp"

namespace broadloom {
namespace kernel {

/// How an expression is read inside the loop: the same tree, with a pointer at every leaf.
/// `row(r)` goes to row r, `next()` one block on, `skip(i)` i elements on.
template <class X>
class Cursor;

/// A tensor or a view: a pointer into a flat run, or into the spread copies of a constant.
template <class T>
class Leaf {
public:
    template <class X>
    BROADLOOM_INLINE Leaf(const X&, const Run*& run)
        : base_(static_cast<const T*>(run->data)),
          at_(base_),
          row_(run->row),
          step_(run->step),
          spread_(static_cast<T*>(run->spread)) {
        ++run;
    }
    BROADLOOM_INLINE void row(index_t r) {
        at_ = base_ + r * row_;
        if (spread_ != nullptr) {
            const T value = *at_;
            for (index_t i = 0; i < block_length; ++i) spread_[i] = value;
            at_ = spread_;
        }
    }
    BROADLOOM_INLINE void next() { at_ += step_; }
    BROADLOOM_INLINE void skip(index_t i) { at_ += i; }
    BROADLOOM_INLINE T operator[](index_t i) const {
        // A bool is read as the byte it is: compared with 0 it becomes a mask.
        if constexpr (std::is_same_v<T, bool>) {
            return reinterpret_cast<const unsigned char*>(at_)[i] != 0;
        } else {
            return at_[i];
        }
    }

private:
    const T* base_;
    const T* at_;
    index_t row_, step_;
    T* spread_;
};

template <class T>
class Cursor<TensorView<const T>> : public Leaf<T> {
    using Leaf<T>::Leaf;
};
template <class T>
class Cursor<Tensor<T>> : public Leaf<T> {
    using Leaf<T>::Leaf;
};

template <class T>
class Cursor<Scalar<T>> {
public:
    BROADLOOM_INLINE Cursor(const Scalar<T>& scalar, const Run*&) : value_(scalar.value) {}
    BROADLOOM_INLINE void row(index_t) {}
    BROADLOOM_INLINE void next() {}
    BROADLOOM_INLINE void skip(index_t) {}
    BROADLOOM_INLINE T operator[](index_t) const { return value_; }

private:
    T value_;
};

namespace detail {

using broadloom::detail::Slot;

/// A function that can be copied freely is copied into the loop, where the compiler sees that its
/// captures do not change; any other is called where it is.
template <class F, class... X>
using function_in_loop =
    std::conditional_t<std::is_trivially_copyable_v<F> &&
                           std::is_invocable_v<const F&, const typename X::value_type&...>,
                       const F, F&>;

template <class Indices, class F, class... X>
class Node;
template <std::size_t... I, class F, class... X>
class Node<std::index_sequence<I...>, F, X...> : Slot<I, Cursor<X>>... {
public:
    // Braces take the operands' runs in order.
    BROADLOOM_INLINE Node(const Expression<F, X...>& expression, const Run*& run)
        : Slot<I, Cursor<X>>{Cursor<X>(expression.template operand<I>(), run)}...,
          function_(const_cast<Expression<F, X...>&>(expression).function()) {}
    BROADLOOM_INLINE void row([[maybe_unused]] index_t r) { (Slot<I, Cursor<X>>::value.row(r), ...); }
    BROADLOOM_INLINE void next() { (Slot<I, Cursor<X>>::value.next(), ...); }
    BROADLOOM_INLINE void skip([[maybe_unused]] index_t i) { (Slot<I, Cursor<X>>::value.skip(i), ...); }
    BROADLOOM_INLINE auto operator[]([[maybe_unused]] index_t i) const {
        return function_(Slot<I, Cursor<X>>::value[i]...);
    }

private:
    [[no_unique_address]] function_in_loop<F, X...> function_;
};

}  // namespace detail

template <class F, class... X>
class Cursor<Expression<F, X...>>
    : public detail::Node<std::index_sequence_for<X...>, F, X...> {
    using detail::Node<std::index_sequence_for<X...>, F, X...>::Node;
};

namespace detail {

template <class X, class R>
struct Elementwise {
    using C = Cursor<X>;

    template <index_t Length>
    BROADLOOM_INLINE static void block(const C& cursor, R* __restrict target) {
        for (index_t i = 0; i < Length; ++i) target[i] = scalar::convert<R>(cursor[i]);
    }

    /// Blocks of 64, then of 8, then one by one: constant lengths vectorise at any -O.
    template <class Isa>
    BROADLOOM_INLINE static void run(const void* expression, void* target_bytes,
                                     index_t target_row, const Run* runs, index_t rows,
                                     index_t length) {
        C cursor(*static_cast<const X*>(expression), runs);
        R* row = static_cast<R*>(target_bytes);
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += target_row) {
            cursor.row(r);
            C at = cursor;
            R* target = row;
            index_t left = length;
            BROADLOOM_ROLLED
            for (; left >= block_length; left -= block_length, target += block_length) {
                block<block_length>(at, target);
                at.next();
            }
            BROADLOOM_ROLLED
            for (; left >= 8; left -= 8, target += 8) {
                block<8>(at, target);
                at.skip(8);
            }
            BROADLOOM_ROLLED
            for (; left > 0; --left, ++target) {
                block<1>(at, target);
                at.skip(1);
            }
        }
    }
};

/// The twin of the loop for a handful of elements: no blocks, any strides.
template <class X, class R>
struct Few {
    template <class Isa>
    BROADLOOM_INLINE static void run(const void* expression, void* target_bytes,
                                     const index_t* target_strides, const Run* runs, index_t rows,
                                     index_t columns) {
        Cursor<X> cursor(*static_cast<const X*>(expression), runs);
        R* row = static_cast<R*>(target_bytes);
        const index_t down = target_strides[0], along = target_strides[1];
        BROADLOOM_ROLLED
        for (index_t r = 0; r < rows; ++r, row += down) {
            cursor.row(r);
            R* to = row;
            BROADLOOM_ROLLED
            for (index_t c = 0; c < columns; ++c, to += along) {
                *to = scalar::convert<R>(cursor[0]);
                cursor.next();
            }
        }
    }
};
using FewLoop = void(const void* expression, void* target, const index_t* target_strides,
                     const Run* runs, index_t rows, index_t columns);

/// How many leaves, tensors and views, an expression has.
template <class X>
inline constexpr std::size_t leaves = 1;
template <class T>
inline constexpr std::size_t leaves<Scalar<T>> = 0;
template <class F, class... X>
inline constexpr std::size_t leaves<Expression<F, X...>> = (0 + ... + leaves<X>);

/// How much work an element is, roughly: the nodes of the tree.
template <class X>
inline constexpr index_t steps = 1;
template <class F, class... X>
inline constexpr index_t steps<Expression<F, X...>> = (1 + ... + steps<X>);

/// True when no function of the user takes part, so that the library's arithmetic holds.
template <class X>
inline constexpr bool own_functions = arithmetic<typename X::value_type>;
template <class F, class... X>
inline constexpr bool own_functions<Expression<F, X...>> =
    !broadloom::detail::IsUserFunction<F>::value && arithmetic<typename Expression<F, X...>::value_type> &&
    (own_functions<X> && ...);

/// True when evaluation cannot throw.
template <class X>
inline constexpr bool never_throws = true;
template <class F, class... X>
inline constexpr bool never_throws<Expression<F, X...>> =
    (!broadloom::detail::IsUserFunction<F>::value ||
     std::is_nothrow_invocable_v<const F&, const typename X::value_type&...>) &&
    (never_throws<X> && ...);

/// Calls `f` with every leaf, in the order in which the cursors take their runs.
template <class X, class F>
void for_each_leaf(const X& x, F&& f) {
    f(x);
}
template <class T, class F>
void for_each_leaf(const Scalar<T>&, F&&) {}
template <class G, class... X, class F>
void for_each_leaf(const Expression<G, X...>& expression, F&& f) {
    expression.with_operands([&](const auto&... x) { (for_each_leaf(x, f), ...); });
}

template <class T>
Operand describe(const T& tensor) {
    return Operand{tensor.data(), &tensor.shape(), &tensor.strides(),
                   static_cast<index_t>(sizeof(typename T::value_type))};
}

/// What evaluation needs to know of an expression, its type forgotten.
struct Job {
    const void* expression;
    Loop* loop;
    FewLoop* few;
    Operand* operands;  // the target first
    Stream* streams;
    Part* parts;
    Run* runs;
    int count;
    index_t steps;  // elementary operations for an element, roughly
};

/// Up to this many streams a job can be shared out.
inline constexpr int parallel_streams = 12;

/// True when target and operands are one flat run each, without any planning.
inline bool is_flat(const Job& job, const Shape& shape) {
    const Strides& strides = *job.operands[0].strides;
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        if (operand.shape->rank() != shape.rank()) return false;
        for (index_t d = 0; d < shape.rank(); ++d) {
            if ((*operand.shape)[d] != shape[d] || (*operand.strides)[d] != strides[d]) return false;
        }
    }
    return broadloom::detail::is_contiguous(shape, strides);
}

/// Up to this many elements, planning costs more than it gains.
inline constexpr index_t few_elements = 48;

/// An operand's stride along the dimension that is `back` from the end, 0 where it is broadcast.
inline index_t stride_from_back(const Operand& operand, index_t back) {
    const index_t d = operand.shape->rank() - back;
    return d >= 0 && (*operand.shape)[d] != 1 ? (*operand.strides)[d] : 0;
}

/// Evaluates a job of a few elements with at most two extents other than 1, by strides; false
/// when there are more.
inline bool run_few(Job& job, const Shape& shape) {
    // The two dimensions that are walked, counted from the end.
    const index_t rank = shape.rank();
    index_t inner = 1, outer = 2;
    if (rank > 2) {
        while (inner < rank && shape[rank - inner] == 1) ++inner;
        outer = inner + 1;
        while (outer < rank && shape[rank - outer] == 1) ++outer;
        for (index_t d = 0; d < rank - outer; ++d) {
            if (shape[d] != 1) return false;
        }
    }
    for (int i = 1; i < job.count; ++i) {
        const Operand& operand = job.operands[i];
        job.runs[i - 1] = Run{operand.data, stride_from_back(operand, inner),
                              stride_from_back(operand, outer), nullptr};
    }
    const Operand& target = job.operands[0];
    const index_t strides[2] = {stride_from_back(target, outer), stride_from_back(target, inner)};
    job.few(job.expression, const_cast<void*>(target.data), strides, job.runs,
            rank >= outer ? shape[rank - outer] : 1, rank >= inner ? shape[rank - inner] : 1);
    return true;
}

/// Shares a plan out: the outermost loop that is long enough, or else the longest, in pieces.
inline void run_parallel(const Plan& plan, const Job& job, int threads) {
    int cut = 0;
    const index_t wanted = index_t{4} * threads;
    for (int loop = 0; loop < plan.rank && plan.extents[cut] < wanted; ++loop) {
        if (plan.extents[loop] > plan.extents[cut]) cut = loop;
    }
    const index_t extent = plan.extents[cut];
    const index_t length = (extent + wanted - 1) / wanted;
    // In whole blocks where a piece is a run.
    const index_t piece =
        plan.rank == 1 ? (length + block_length - 1) / block_length * block_length : length;
    parallel(threads, (extent + piece - 1) / piece, [&](index_t i) {
        Stream streams[parallel_streams];
        Part parts[parallel_streams];
        Run runs[parallel_streams];
        Plan part = plan;
        part.streams = streams;
        for (int k = 0; k < plan.count; ++k) {
            streams[k] = plan.streams[k];
            streams[k].data = streams[k].at(i * piece * streams[k].strides[cut]);
        }
        part.extents[cut] = extent - i * piece < piece ? extent - i * piece : piece;
        walk(part, job.loop, job.expression, parts, runs);
    });
}

/// Evaluates a job over a shape.
inline void run(Job& job, const Shape& shape) {
    if (shape.size() == 0) return;
    const int threads = job.count <= parallel_streams ? threads_for(shape.size() * job.steps) : 1;
    const bool fits_caches = shape.size() * job.operands[0].bytes < detail::cache_bytes / 8;
    if (threads == 1 && fits_caches && is_flat(job, shape)) {
        for (int i = 1; i < job.count; ++i) {
            job.runs[i - 1] = Run{job.operands[i].data, block_length, 0, nullptr};
        }
        job.loop(job.expression, const_cast<void*>(job.operands[0].data), 0, job.runs, 1,
                 shape.size());
        return;
    }
    if (shape.size() <= few_elements && run_few(job, shape)) return;
    Plan plan;
    plan.count = job.count;
    plan.streams = job.streams;
    make_plan(plan, job.operands, shape);
    if (threads > 1) run_parallel(plan, job, threads);
    else walk(plan, job.loop, job.expression, job.parts, job.runs);
}

}  // namespace detail

/// Computes every element of `expression` into `target`, which has its shape and does not overlap
/// its leaves but element for element.
template <class X, class R>
void evaluate(const X& expression, R* target, const Shape& shape, const Strides& strides) {
    constexpr std::size_t count = detail::leaves<X> + 1;
    using Kernel = detail::Elementwise<X, R>;
    detail::Job job;
    Operand operands[count];
    Stream streams[count];
    detail::Part parts[count];
    Run runs[count];
    operands[0] = Operand{target, &shape, &strides, static_cast<index_t>(sizeof(R))};
    std::size_t n = 1;
    detail::for_each_leaf(expression, [&](const auto& leaf) { operands[n++] = detail::describe(leaf); });
    job.expression = &expression;
    if constexpr (detail::own_functions<X>) job.loop = strict<Kernel, Loop>();
    else job.loop = plain<Kernel, Loop>();
    if constexpr (detail::own_functions<X>) job.few = strict_baseline<detail::Few<X, R>, detail::FewLoop>();
    else job.few = plain_baseline<detail::Few<X, R>, detail::FewLoop>();
    job.operands = operands;
    job.streams = streams;
    job.parts = parts;
    job.runs = runs;
    job.count = static_cast<int>(count);
    job.steps = detail::steps<X>;
    detail::run(job, shape);
}

/// True when writing `target` could change a leaf before it is read: they share memory other than
/// element for element.
template <class X, class R>
bool is_hazard(const X& expression, R* target, const Shape& shape, const Strides& strides) {
    using broadloom::detail::Footprint;
    const Footprint written{reinterpret_cast<std::intptr_t>(target),
                            static_cast<index_t>(sizeof(R)), &shape, &strides};
    bool hazard = false;
    detail::for_each_leaf(expression, [&](const auto& leaf) {
        const Operand read = detail::describe(leaf);
        const bool same = read.data == static_cast<const void*>(target) &&
                          read.bytes == written.bytes && *read.shape == shape &&
                          *read.strides == strides;
        hazard = hazard ||
                 (!same && broadloom::detail::overlaps(
                               written, Footprint{reinterpret_cast<std::intptr_t>(read.data),
                                                  read.bytes, read.shape, read.strides}));
    });
    return hazard;
}

}  // namespace kernel
}  // namespace broadloom

#endif  // BROADLOOM_KERNEL_ELEMENTWISE_HPP
