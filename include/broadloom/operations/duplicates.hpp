// Where elements meet: what becomes of several that are written to one place is a policy, and never
// a matter of chance. Every way of writing by index ends here.
#ifndef BROADLOOM_OPERATIONS_DUPLICATES_HPP
#define BROADLOOM_OPERATIONS_DUPLICATES_HPP

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/gather.hpp"

namespace broadloom {

/// What becomes of elements that are sent to the same place: the last or the first of them in
/// row-major order stays, or it is an index_error, or they are combined with what is there.
/// `mean` is of all of them and what is there, rounded down for integers, whose sums are of 64
/// bits.
enum class Duplicates { last, first, error, add, multiply, min, max, mean };

namespace detail {

/// True if elements take the place of what is there.
constexpr bool replaces(Duplicates policy) {
    return policy == Duplicates::last || policy == Duplicates::first || policy == Duplicates::error;
}

/// A walk that writes: over the target and the index, and the source beside them.
struct Scattering {
    IndexWalk walk;
    Layout source;
    Shape result;  // of the target, which has at least one dimension here
};

/// Names the element at a place of a shape, counted in row-major order.
[[noreturn]] BROADLOOM_COLD inline void throw_duplicate_index(const Shape& shape, index_t place,
                                                              index_t times) {
    IndexList index = shape.extents();
    for (index_t d = shape.rank() - 1; d >= 0; --d) {
        index[d] = place % shape[d];
        place /= shape[d];
    }
    throw index_error(Sentence() << "an index names the element " << index << " of shape " << shape
                                 << ' ' << times << " times, which Duplicates::error refuses");
}

/// Lays the walk over a target of the planned shape.
template <class T>
void lay(IndexWalk& walk, const TensorView<T>& self) {
    const Layout target = detail::at_least_1d(self.shape(), self.strides());
    walk.reach = kernel::Reach{target.shape[walk.axis], walk.reach.wrap, target.strides[walk.axis]};
    walk.indexed = Layout{with_extent(target.shape, walk.axis, 1), target.strides, 0};
}

/// Runs a walk that has been laid over its target.
template <class T>
void run(const Scattering& plan, T* target, const T* source, const Index& index,
         const kernel::Transfer& transfer) {
    detail::move_elements<T>(plan.walk, index, target, source, plan.source, transfer, true);
}

/// The walk backwards along the dimensions in which elements can meet.
inline Scattering reversed(Scattering plan) {
    if (plan.walk.shape.size() == 0) return plan;
    const auto turn = [](Layout& layout, index_t d) {
        if (layout.shape[d] < 2) return;
        layout.offset += (layout.shape[d] - 1) * layout.strides[d];
        layout.strides[d] = -layout.strides[d];
    };
    for (index_t d = 0; d < plan.walk.shape.rank(); ++d) {
        if (plan.walk.indexed.shape[d] != 1) continue;
        turn(plan.walk.index, d);
        turn(plan.source, d);
    }
    return plan;
}

/// How often each element of a target is named. `lay_over` lays the plan over a tensor.
template <class LayOver>
Tensor<index_t> count_names(Scattering plan, const Index& index, const Shape& shape,
                            LayOver&& lay_over) {
    Tensor<index_t> counts = empty<index_t>(shape);
    counts.fill(0);
    const index_t one = 1;
    plan.source = Layout{Shape{}, Strides{}, 0};
    lay_over(plan.walk, counts.view());
    run(plan, counts.data(), &one, index, kernel::combine<index_t, scalar::add>());
    return counts;
}

[[noreturn]] BROADLOOM_COLD inline void throw_no_policy(const char* what) {
    throw value_error(Sentence() << "elements of this type have no " << what);
}

template <class T, class LayOver>
void store_mean(const Scattering& plan, const TensorView<T>& self, const T* source,
                const Index& index, LayOver&& lay_over) {
    if constexpr (std::is_same_v<T, bool> || !arithmetic<T>) {
        throw_no_policy("mean");
    } else {
        // Integers are summed in 64 bits.
        using Sum = accumulator_t<T>;
        const Tensor<index_t> counts = detail::count_names(plan, index, self.shape(), lay_over);
        Tensor<Sum> sums(broadloom::cast<Sum>(TensorView<const T>(self)));
        const Tensor<Sum> wide(broadloom::cast<Sum>(
            TensorView<const T>(source, plan.source.shape, plan.source.strides)));
        Scattering adding = plan;
        adding.source = Layout{wide.shape(), wide.strides(), 0};
        lay_over(adding.walk, sums.view());
        detail::run(adding, sums.data(), wide.data(), index, kernel::combine<Sum, scalar::add>());
        const auto average = [](Sum sum, index_t count, T old) noexcept {
            if (count == 0) return old;
            const Sum n = scalar::convert<Sum>(count + 1);
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(scalar::floor_divide::on(sum, n));
            } else {
                return scalar::divide::on(sum, n);
            }
        };
        detail::assign(self, broadloom::map(average, sums, counts, TensorView<const T>(self)));
    }
}

/// Writes the source as the policy says. `lay_over` lays the plan over a tensor of self's shape.
template <class T, class LayOver>
void store_by(Duplicates policy, Scattering plan, const TensorView<T>& self, const T* source,
              const Index& index, LayOver&& lay_over) {
    lay_over(plan.walk, self);
    switch (policy) {
        case Duplicates::last:
            detail::run(plan, self.data(), source, index, kernel::store<T>());
            break;
        case Duplicates::first:
            detail::run(reversed(plan), self.data(), source, index, kernel::store<T>());
            break;
        case Duplicates::error: {
            const Tensor<index_t> counts = detail::count_names(plan, index, self.shape(), lay_over);
            for (index_t i = 0; i < counts.size(); ++i) {
                const index_t times = counts.data()[i];
                if (times > 1) throw_duplicate_index(self.shape(), i, times);
            }
            detail::run(plan, self.data(), source, index, kernel::store<T>());
            break;
        }
        case Duplicates::add:
            if constexpr (requires(T a) { a + a; }) {
                detail::run(plan, self.data(), source, index, kernel::combine<T, scalar::add>());
            } else {
                throw_no_policy("sum");
            }
            break;
        case Duplicates::multiply:
            if constexpr (requires(T a) { a* a; }) {
                detail::run(plan, self.data(), source, index,
                            kernel::combine<T, scalar::multiply>());
            } else {
                throw_no_policy("product");
            }
            break;
        case Duplicates::min:
            if constexpr (arithmetic<T> || requires(T a) { a < a; }) {
                detail::run(plan, self.data(), source, index,
                            kernel::combine<T, scalar::minimum>());
            } else {
                throw_no_policy("order");
            }
            break;
        case Duplicates::max:
            if constexpr (arithmetic<T> || requires(T a) { a < a; }) {
                detail::run(plan, self.data(), source, index,
                            kernel::combine<T, scalar::maximum>());
            } else {
                throw_no_policy("order");
            }
            break;
        case Duplicates::mean: detail::store_mean(plan, self, source, index, lay_over); break;
    }
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_OPERATIONS_DUPLICATES_HPP
