// DLPack (dmlc/dlpack 1.0), the layout in which array libraries hand tensors to one another. The
// structures below are its C structures, so that a pointer to one is a pointer to the other; here
// strides count elements and read-only tensors say so.
#ifndef BROADLOOM_INTEROP_DLPACK_HPP
#define BROADLOOM_INTEROP_DLPACK_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "broadloom/tensor/tensor.hpp"

namespace broadloom {

struct DLDevice {
    std::int32_t device_type;  // 1 is the processor's own memory
    std::int32_t device_id;
};
struct DLDataType {
    std::uint8_t code;  // 0 signed, 1 unsigned, 2 floating, 5 complex, 6 bool
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // null for a tensor stored row by row
    std::uint64_t byte_offset;
};
struct DLPackVersion {
    std::uint32_t major, minor;
};
/// The exchange structure of before version 1, which cannot say that a tensor is read-only.
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;  // bit 0: read-only; bit 1: a copy
    DLTensor dl_tensor;
};

/// A managed tensor that has one owner, who gives it back to its maker in the end. Its names are
/// those of std::unique_ptr, and <memory> is spared.
template <class Managed>
class DLPackOwner {
public:
    DLPackOwner() = default;
    explicit DLPackOwner(Managed* managed) noexcept : managed_(managed) {}
    DLPackOwner(DLPackOwner&& other) noexcept : managed_(other.release()) {}
    DLPackOwner& operator=(DLPackOwner&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~DLPackOwner() { reset(); }

    Managed* get() const noexcept { return managed_; }
    Managed& operator*() const noexcept { return *managed_; }
    Managed* operator->() const noexcept { return managed_; }
    explicit operator bool() const noexcept { return managed_ != nullptr; }

    /// Leaves the tensor to the caller.
    [[nodiscard]] Managed* release() noexcept { return std::exchange(managed_, nullptr); }
    /// Gives the tensor back, and owns another one or none.
    void reset(Managed* next = nullptr) noexcept {
        Managed* const last = std::exchange(managed_, next);
        if (last != nullptr && last->deleter != nullptr) last->deleter(last);
    }

private:
    Managed* managed_ = nullptr;
};

namespace detail {

inline constexpr std::uint64_t dlpack_read_only = 1;
inline constexpr std::int32_t dlpack_cpu = 1;

}  // namespace detail

/// Element types that DLPack and C++ both have: bool, integers, float, double, and complex numbers
/// of these.
template <class T>
concept dlpack_element = standard_integral<T> ||
                         (arithmetic<T> && interchange_real<detail::real_t<std::remove_cv_t<T>>>);

namespace detail {

template <dlpack_element T>
constexpr DLDataType dlpack_type() {
    constexpr std::uint8_t code = kind<T> == Kind::boolean    ? 6
                                  : kind<T> == Kind::complex  ? 5
                                  : kind<T> == Kind::floating ? 2
                                  : std::is_signed_v<T>       ? 0
                                                              : 1;
    return DLDataType{code, static_cast<std::uint8_t>(8 * sizeof(T)), 1};
}

/// A managed tensor with what it points to: its extents, and the elements' owner.
template <class Managed, class Owner>
struct Exported {
    Managed managed{};
    Owner owner;
    std::int64_t extents[max_rank], strides[max_rank];

    explicit Exported(Owner&& from) : owner(std::move(from)) {}
};

template <class Managed, class Owner>
DLPackOwner<Managed> export_dlpack(Owner&& from) {
    using Held = std::remove_cvref_t<Owner>;
    using T = element_t<Held>;
    auto* const whole = new Exported<Managed, Held>(std::move(from));
    Managed& managed = whole->managed;
    const auto view = whole->owner.view();
    for (index_t d = 0; d < view.rank(); ++d) {
        whole->extents[d] = view.shape()[d];
        whole->strides[d] = view.strides()[d];
    }
    managed.manager_ctx = whole;
    managed.deleter = [](Managed* self) {
        delete static_cast<Exported<Managed, Held>*>(self->manager_ctx);
    };
    managed.dl_tensor = DLTensor{const_cast<T*>(view.data()),
                                 DLDevice{dlpack_cpu, 0},
                                 static_cast<std::int32_t>(view.rank()),
                                 dlpack_type<T>(),
                                 whole->extents,
                                 whole->strides,
                                 0};
    if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
        managed.version = DLPackVersion{1, 0};
        const bool fixed = std::is_const_v<std::remove_pointer_t<decltype(view.data())>>;
        managed.flags = fixed ? dlpack_read_only : 0;
    }
    return DLPackOwner<Managed>(&managed);
}

[[noreturn]] BROADLOOM_COLD inline void throw_dlpack(const Sentence& why) {
    throw value_error(Sentence() << "cannot take this DLPack tensor: " << why);
}

/// The view that a DLPack tensor describes. Throws value_error unless it lies in the processor's
/// memory, aligned, with elements of type T, and where it contradicts itself.
template <class T>
TensorView<T> view_of_dlpack(const DLTensor& x) {
    using Element = std::remove_const_t<T>;
    const DLDataType want = dlpack_type<Element>();
    if (x.device.device_type != dlpack_cpu) {
        throw_dlpack(Sentence() << "it is on a device of type " << x.device.device_type);
    }
    if (x.dtype.lanes != 1) {
        throw_dlpack(Sentence() << "its elements have " << x.dtype.lanes << " lanes");
    }
    if (x.dtype.code != want.code || x.dtype.bits != want.bits) {
        throw_dlpack(Sentence() << "its elements have type code " << x.dtype.code << " and "
                                << x.dtype.bits << " bits, not " << want.code << " and "
                                << want.bits);
    }
    if (x.ndim < 0 || x.ndim > max_rank) {
        throw_dlpack(Sentence() << "it has " << x.ndim << " dimensions");
    }
    if (x.ndim > 0 && x.shape == nullptr) throw_dlpack("it has no shape");
    IndexList extents;
    for (std::int32_t d = 0; d < x.ndim; ++d) {
        extents.push_back(to_index(x.shape[d]));
        if (extents[d] != x.shape[d]) throw_too_many_elements(extents);
    }
    const Shape shape(extents);
    Strides strides = row_major(shape);
    if (x.strides != nullptr) {
        for (std::int32_t d = 0; d < x.ndim; ++d) strides[d] = to_index(x.strides[d]);
    }
    strides = require_addressable(shape, strides, sizeof(T));
    if (!std::is_const_v<T> && has_internal_overlap(shape, strides)) {
        throw_dlpack("elements may repeat in it, so that it can only be read: ask for const ones");
    }
    char* const first = static_cast<char*>(x.data);
    if (shape.size() == 0) return TensorView<T>(nullptr, shape, strides);
    if (first == nullptr) throw_dlpack("it has no data");
    char* const at = first + x.byte_offset;
    if (reinterpret_cast<std::uintptr_t>(at) % alignof(Element) != 0) {
        throw_dlpack("its elements are not aligned");
    }
    return TensorView<T>(reinterpret_cast<T*>(at), shape, strides);
}

}  // namespace detail

/// A tensor of another library, kept for as long as this lives and then given back.
template <class T, class Managed>
class Imported {
public:
    Imported(const TensorView<T>& view, Managed* managed)
        : data_(view.data()), shape_(view.shape()), strides_(view.strides()), managed_(managed) {}

    TensorView<T> view() const& { return TensorView<T>(data_, shape_, strides_); }
    /// What is given back has no elements any more: name it first.
    TensorView<T> view() const&& = delete;

private:
    // No view, to which one would assign elements.
    T* data_;
    Shape shape_;
    Strides strides_;
    DLPackOwner<Managed> managed_;
};

/// A tensor handed out: it moves into the structure, whose deleter frees it. The owner
/// that is returned can release() it to whoever takes the tensor.
template <dlpack_element T>
auto to_dlpack(Tensor<T>&& x) {
    return detail::export_dlpack<DLManagedTensorVersioned>(std::move(x));
}
/// A view handed out, read-only if its elements are const. The elements must outlive their use.
template <class T>
    requires dlpack_element<T>
auto to_dlpack(TensorView<T> x) {
    return detail::export_dlpack<DLManagedTensorVersioned>(std::move(x));
}

/// The same in the structure of before version 1, which has no way to say read-only.
template <dlpack_element T>
auto to_dlpack_legacy(Tensor<T>&& x) {
    return detail::export_dlpack<DLManagedTensor>(std::move(x));
}
template <class T>
    requires dlpack_element<T>
auto to_dlpack_legacy(TensorView<T> x) {
    static_assert(!std::is_const_v<T>,
                  "the older DLPack structure cannot say that a tensor is read-only");
    return detail::export_dlpack<DLManagedTensor>(std::move(x));
}

/// Takes a tensor over: `auto x = from_dlpack<float>(managed); x.view() ...`. With const elements
/// read-only tensors are welcome too. Throws value_error, or shape_error for impossible extents
/// or strides, and then leaves the tensor with its owner.
template <class T>
    requires dlpack_element<T>
Imported<T, DLManagedTensorVersioned> from_dlpack(DLManagedTensorVersioned* managed) {
    if (managed == nullptr) detail::throw_dlpack("there is none");
    if (managed->version.major != 1) {
        detail::throw_dlpack(detail::Sentence()
                             << "it is of version " << managed->version.major << ", not 1");
    }
    if (!std::is_const_v<T> && (managed->flags & detail::dlpack_read_only) != 0) {
        detail::throw_dlpack("it can only be read: ask for const elements");
    }
    return {detail::view_of_dlpack<T>(managed->dl_tensor), managed};
}
template <class T>
    requires dlpack_element<T>
Imported<T, DLManagedTensor> from_dlpack(DLManagedTensor* managed) {
    if (managed == nullptr) detail::throw_dlpack("there is none");
    return {detail::view_of_dlpack<T>(managed->dl_tensor), managed};
}
/// The same from its owner here: `from_dlpack<float>(to_dlpack(std::move(x)))`.
template <class T, class Managed>
    requires dlpack_element<T>
Imported<T, Managed> from_dlpack(DLPackOwner<Managed>&& owner) {
    auto imported = broadloom::from_dlpack<T>(owner.get());
    static_cast<void>(owner.release());
    return imported;
}

}  // namespace broadloom

#endif  // BROADLOOM_INTEROP_DLPACK_HPP
