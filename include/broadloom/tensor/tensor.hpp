// Ownership. A Tensor owns its elements and has value semantics: copies are deep, moves O(1), and
// a failed call changes nothing. Building one from a view or an expression is a walk of the
// kernel; so is assigning to a view.
#ifndef BROADLOOM_TENSOR_TENSOR_HPP
#define BROADLOOM_TENSOR_TENSOR_HPP

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#include "broadloom/kernel/elementwise.hpp"
#include "broadloom/kernel/memory.hpp"
#include "broadloom/tensor/literal.hpp"
#include "broadloom/tensor/source.hpp"

namespace broadloom {
/// A tensor that owns its elements, of any trivially copyable type, in 64-byte aligned memory.
template <class T>
class Tensor : public detail::ViewMembers<Tensor<T>> {
    static_assert(std::is_trivially_copyable_v<T> && std::same_as<T, std::remove_cv_t<T>>,
                  "the elements of a Tensor are of a trivially copyable type without const or "
                  "volatile");
    static_assert(alignof(T) <= 64, "elements are aligned at 64 bytes, and not at more");

public:
    using value_type = T;
    using iterator = Iterator<T>;
    using const_iterator = Iterator<const T>;

    /// Rank 1 and size 0.
    Tensor() : Tensor(Unset{}, Shape{0}) {}
    /// The values in braces: `Tensor<float> x = {{1, 2, 3}, {4, 5, 6}}`. Throws shape_error when
    /// the braces are ragged.
    Tensor(std::initializer_list<Literal<T>> values)
        : Tensor(Unset{}, Literal<T>::shape_of(values)) {
        T* to = data_;
        for (const Literal<T>& value : values) to = value.write(to);
    }
    /// The elements of a view or a tensor, or the result of an expression, converted to T.
    template <class X>
        requires(tensor_like<X> && !std::same_as<std::remove_cvref_t<X>, Tensor>)
    Tensor(X&& source) : Tensor(Evaluated{}, detail::consume(std::forward<X>(source))) {}
    /// What a range holds is copied by `from(range)`, and looked at by `view_of(range)`.
    template <class R>
        requires(!tensor_like<R> && detail::iterable<R>)
    explicit Tensor(const R& copy_a_range_by_from_or_look_at_it_by_view_of) = delete;
    /// A tensor of a shape is made by `zeros<T>({2, 3})`, `ones`, `full` or `empty`.
    template <detail::integer_index... Int>
        requires(sizeof...(Int) > 0)
    explicit Tensor(Int... extents_are_for_zeros_ones_full_and_empty) = delete;
    explicit Tensor(const Shape& shapes_are_for_zeros_ones_full_and_empty) = delete;
    explicit Tensor(const Shape&, const T& shape_and_value_are_for_full) = delete;

    Tensor(const Tensor& other) : Tensor(other.view()) {}
    Tensor(Tensor&& other) noexcept
        : buffer_(std::move(other.buffer_)),
          data_(std::exchange(other.data_, nullptr)),
          shape_(other.shape_),
          strides_(other.strides_) {
        other.forget();
    }
    Tensor& operator=(const Tensor& other) & { return *this = other.view(); }
    BROADLOOM_NOINLINE Tensor& operator=(Tensor&& other) & noexcept {
        if (this != &other) {
            kernel::Buffer dying = std::move(buffer_);
            buffer_ = std::move(other.buffer_);
            data_ = std::exchange(other.data_, nullptr);
            shape_ = other.shape_;
            strides_ = other.strides_;
            other.forget();
        }
        return *this;
    }
    /// Takes the shape and the elements of the source. Memory of the right size is used again.
    template <class X>
        requires(tensor_like<X> && !std::same_as<std::remove_cvref_t<X>, Tensor>)
    Tensor& operator=(X&& source) & {
        replace(detail::consume(std::forward<X>(source)));
        return *this;
    }
    Tensor& operator=(std::initializer_list<Literal<T>> values) & { return *this = Tensor(values); }
    /// A number is no tensor: `x.fill(5)` gives it to all elements.
    template <scalar_like S>
    Tensor& operator=(const S& use_fill_to_give_a_number_to_all_elements) & = delete;
    /// What is assigned to a copy is lost with it: x.index(i) and take(x, i) are copies.
    template <class X>
    void operator=(const X& write_to_views_or_by_index_put_and_masked_fill_and_not_to_a_copy) && =
        delete;

    const Shape& shape() const& noexcept { return shape_; }
    Shape shape() && noexcept { return shape_; }
    /// The distance between neighbours along each dimension, in elements.
    const Strides& strides() const& noexcept { return strides_; }
    Strides strides() && noexcept { return strides_; }
    index_t rank() const noexcept { return shape_.rank(); }
    index_t size() const noexcept { return shape_.size(); }
    /// The extent of an axis, which may be negative. Throws index_error.
    index_t extent(Axis axis) const { return shape_[detail::normalize_axis(axis, rank())]; }
    /// The element at index (0, 0, ...).
    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    /// True when the elements, in row-major order, are neighbours in memory.
    bool is_contiguous() const noexcept { return detail::is_contiguous(shape_, strides_); }

    TensorView<T> view() & { return TensorView<T>(data_, shape_, strides_); }
    TensorView<const T> view() const& { return TensorView<const T>(data_, shape_, strides_); }
    Tensor view() && { return std::move(*this); }
    void view() const&& = delete;
    /// A tensor passes where a view is taken; one about to die does not, since the view would
    /// outlive it.
    operator TensorView<T>() & { return view(); }
    operator TensorView<const T>() const& { return view(); }
    template <std::same_as<TensorView<T>> a_tensor_with_a_name>
    operator a_tensor_with_a_name() && = delete;
    template <std::same_as<TensorView<const T>> a_tensor_with_a_name>
    operator a_tensor_with_a_name() const&& = delete;

    /// The only element. Throws value_error unless there is exactly one.
    T item() const { return view().item(); }

    iterator begin() { return iterator(data_, &shape_, &strides_, 0); }
    iterator end() { return iterator(data_, &shape_, &strides_, size()); }
    const_iterator begin() const { return const_iterator(data_, &shape_, &strides_, 0); }
    const_iterator end() const { return const_iterator(data_, &shape_, &strides_, size()); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    auto rbegin() { return std::reverse_iterator<iterator>(end()); }
    auto rend() { return std::reverse_iterator<iterator>(begin()); }
    auto rbegin() const { return std::reverse_iterator<const_iterator>(end()); }
    auto rend() const { return std::reverse_iterator<const_iterator>(begin()); }
    bool empty() const noexcept { return size() == 0; }

    /// Sets every element.
    template <class S = T>
    void fill(const S& value) & {
        view().fill(value);
    }
    template <class S = T>
    void fill(const S& what_is_written_to_a_copy_is_lost_with_it) && = delete;
    /// A Tensor with the same elements, stored row by row.
    Tensor copy() const { return Tensor(view()); }
    /// The elements converted to U, as an expression.
    template <class U>
    auto cast() const& {
        return broadloom::cast<U>(*this);
    }
    template <class U>
    auto cast() && {
        return broadloom::cast<U>(std::move(*this));
    }

private:
    friend class detail::ViewMembers<Tensor>;
    template <class X>
    friend auto detail::in_memory(X&& x);
    template <class U>
    friend Tensor<U> empty(const Shape& shape);

    struct Unset {};
    struct Apart {};
    struct Evaluated {};

    // Uninitialised elements.
    BROADLOOM_NOINLINE Tensor(Unset, const Shape& shape)
        : buffer_(shape.size(), sizeof(T)),
          data_(static_cast<T*>(buffer_.memory())),
          shape_(shape),
          strides_(detail::row_major(shape)) {}
    // The result of a source in memory of its own.
    template <class X>
    Tensor(Apart, X& source) : Tensor(Unset{}, source.shape()) {
        detail::require_storable<typename X::value_type, T>();
        kernel::evaluate(source, data_, shape_, strides_);
    }
    // Or in that of a tensor that dies with the source.
    template <class X>
    Tensor(Evaluated, X&& source) : Tensor(Apart{}, source) {}
    template <class X>
        requires detail::owns_tensor<T, std::remove_cvref_t<X>>
    Tensor(Evaluated, X&& source) : Tensor(result_of(source)) {}
    template <class X>
    static Tensor result_of(X& source) {
        Tensor* const dying = donor_of(source);
        if (dying == nullptr) return Tensor(Apart{}, source);
        detail::require_storable<typename X::value_type, T>();
        kernel::evaluate(source, dying->data_, dying->shape_, dying->strides_);
        return std::move(*dying);
    }
    // A tensor that dies with a source and has memory for its result: one of the same shape that is
    // not read anywhere else; or null.
    template <class X>
    static Tensor* donor_of(X& source) {
        Tensor* donor = nullptr;
        const auto consider = [&](Tensor& dying) {
            if (donor == nullptr && dying.shape_ == source.shape() && dying.size() > 0 &&
                dying.is_contiguous() &&
                !kernel::Evaluation(source, dying.data_, dying.shape_, dying.strides_)
                     .is_hazard()) {
                donor = &dying;
            }
        };
        detail::for_each_owned<T>(source, consider);
        return donor;
    }

    template <class X>
    void replace(X&& source) {
        using Source = std::remove_cvref_t<X>;
        detail::require_storable<typename Source::value_type, T>();
        kernel::Evaluation<Source, T> work(source, data_, shape_, strides_);
        if (kernel::detail::stores_without_throwing<kernel::formula_t<Source>, T> &&
            kernel::detail::run_over(work.job(), source.shape())) {
            return;
        }
        if constexpr (detail::owns_tensor<T, Source>) {
            if (Tensor* const dying = donor_of(source))
                return become(*dying, work.job(), work.target());
        }
        become(source.shape(), work.job(), work.target());
    }
    // Becomes a tensor, or a new one of some shape, after a job has written its result there.
    BROADLOOM_NOINLINE void become(Tensor& result, const kernel::detail::Job& job,
                                   kernel::Operand& target) {
        target.data = result.data_;
        target.shape = &result.shape_;
        target.strides = &result.strides_;
        kernel::detail::run(job, result.shape_);
        *this = std::move(result);
    }
    BROADLOOM_NOINLINE void become(const Shape& shape, const kernel::detail::Job& job,
                                   kernel::Operand& target) {
        Tensor result(Unset{}, shape);
        become(result, job, target);
    }
    void forget() noexcept {
        static constexpr Shape nothing{0};
        static constexpr Strides one{1};
        shape_ = nothing;
        strides_ = one;
    }

    TensorView<T> remap(const Layout& layout) & { return TensorView<T>(data_, layout); }
    TensorView<const T> remap(const Layout& layout) const& {
        return TensorView<const T>(data_, layout);
    }
    Tensor remap(const Layout& layout) && {
        Tensor result(std::move(*this));
        result.data_ += layout.offset;
        result.shape_ = layout.shape;
        result.strides_ = layout.strides;
        return result;
    }
    TensorView<const T> remap_const(const Layout& layout) const { return remap(layout); }
    Tensor reshape_or_copy(const IndexList& wanted) && {
        const Shape shape = detail::infer_shape(shape_, wanted);
        Layout to;
        if (detail::reshape(Layout{shape_, strides_, 0}, shape, to)) {
            return std::move(*this).remap(to);
        }
        return copy().remap(Layout{shape, detail::row_major(shape), 0});
    }
    Tensor repeat_to(const Shape& shape) && {
        return Tensor(std::as_const(*this).broadcast_to(shape));
    }
    // Inlined, since programs may be linked of parts that check and parts that do not.
    template <class... Int>
    BROADLOOM_INLINE T& element(Int... indices) {
        const index_t index[sizeof...(Int) + 1] = {indices..., 0};
        return data_[detail::element_offset<detail::checks_elements>(
            shape_, strides_, index, static_cast<index_t>(sizeof...(Int)))];
    }
    template <class... Int>
    BROADLOOM_INLINE const T& element(Int... indices) const {
        return const_cast<Tensor&>(*this).element(indices...);
    }

    kernel::Buffer buffer_;
    T* data_;
    Shape shape_;
    Strides strides_;
};

template <class X>
    requires tensor_like<X>
Tensor(X&&) -> Tensor<element_t<X>>;
template <class T>
TensorView(Tensor<T>&) -> TensorView<T>;
template <class T>
TensorView(const Tensor<T>&) -> TensorView<const T>;
// Numbers in braces: `Tensor x = {{1, 2}, {3, 4}}` is a Tensor<int>.
template <scalar_like T>
Tensor(std::initializer_list<T>) -> Tensor<T>;
template <scalar_like T>
Tensor(std::initializer_list<std::initializer_list<T>>) -> Tensor<T>;
template <scalar_like T>
Tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> Tensor<T>;

/// The result of an operand as a Tensor.
template <class X>
    requires tensor_like<X>
Tensor<element_t<X>> eval(X&& x) {
    return Tensor<element_t<X>>(std::forward<X>(x));
}

/// Exchanges two tensors, without moving an element.
template <class T>
void swap(Tensor<T>& a, Tensor<T>& b) noexcept {
    Tensor<T> kept(std::move(a));
    a = std::move(b);
    b = std::move(kept);
}
/// Exchanges the elements of two views: views are never rebound. Throws shape_error unless the
/// shapes are equal.
template <class T>
    requires(!std::is_const_v<T>)
void swap(TensorView<T> a, TensorView<T> b) {
    if (a.shape() != b.shape()) {
        throw shape_error(detail::Sentence() << "swap exchanges views of one shape, not "
                                             << a.shape() << " and " << b.shape());
    }
    const Tensor<T> kept(a);
    a = b;
    b = kept;
}

/// A tensor whose elements are yet to be written.
template <class T>
Tensor<T> empty(const Shape& shape) {
    return Tensor<T>(typename Tensor<T>::Unset{}, shape);
}

namespace detail {

/// Compiles where elements may be written through a view of memory that somebody else made.
template <class T>
constexpr void require_written() {
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is written through a view are elements of a trivially copyable type");
}

template <class T, class S>
void fill(const TensorView<T>& target, const S& value) {
    detail::require_written<T>();
    if constexpr (!value_for<S, T>) require_storable<S, T>();
    // One element, repeated: filling is an ordinary walk, of what lies flat along one row.
    const T element = static_cast<T>(value);
    const TensorView<const T> source(__builtin_addressof(element), Shape{}, Strides{});
    if (detail::is_contiguous(target.shape(), target.strides())) {
        kernel::evaluate(source, target.data(), Shape{target.size()}, Strides{1});
    } else {
        kernel::evaluate(source, target.data(), target.shape(), target.strides());
    }
}

template <class T, class X>
void assign(const TensorView<T>& target, X&& source) {
    detail::require_written<T>();
    if constexpr (tensor_like<X>) {
        require_storable<element_t<X>, T>();
        decltype(auto) read = detail::consume(std::forward<X>(source));
        using Read = std::remove_cvref_t<decltype(read)>;
        detail::require_assignable(read.shape(), target.shape());
        const kernel::Evaluation<Read, T> work(read, target.data(), target.shape(),
                                               target.strides());
        if (kernel::detail::stores_without_throwing<kernel::formula_t<Read>, T> &&
            work.run_in_place())
            return;
        Tensor<T> copy = broadloom::empty<T>(read.shape());
        kernel::evaluate(read, copy.data(), copy.shape(), copy.strides());
        kernel::evaluate(std::as_const(copy).view(), target.data(), target.shape(),
                         target.strides());
    } else if constexpr (iterable<X>) {
        static_assert(tensor_like<X>,
                      "a range is no tensor: copy it by from(range) or look at it by "
                      "view_of(range)");
    } else {
        require_storable<std::remove_cvref_t<X>, T>();
        detail::fill(target, source);
    }
}

/// Has `write` change a copy of a target, which then replaces it: all that is written, or nothing.
template <class T, class Write>
void write_to_copy(const TensorView<T>& target, Write&& write) {
    Tensor<T> copy(target);
    write(copy.view());
    detail::assign(target, copy);
}

}  // namespace detail
}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_TENSOR_HPP
