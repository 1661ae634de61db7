#include "broadloom/interop/dlpack.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Tensor;

namespace {

/// A tensor of another library, which notes that it was given back.
template <class Managed>
struct Foreign {
    std::vector<float> data = {0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<std::int64_t> shape = {2, 3}, strides = {3, 1};
    int returned = 0;
    Managed managed{};

    Foreign() {
        managed.dl_tensor = {data.data(), {1, 0}, 2, {2, 32, 1}, shape.data(), strides.data(), 0};
        managed.manager_ctx = this;
        managed.deleter = [](Managed* self) {
            ++static_cast<Foreign*>(self->manager_ctx)->returned;
        };
        if constexpr (std::is_same_v<Managed, bl::DLManagedTensorVersioned>) {
            managed.version = {1, 1};
        }
    }
    Foreign(const Foreign&) = delete;
    Foreign& operator=(const Foreign&) = delete;
};
using Versioned = Foreign<bl::DLManagedTensorVersioned>;
using Legacy = Foreign<bl::DLManagedTensor>;

/// A copy of what is taken over, which goes back at once.
template <class Managed>
Tensor<float> elements_of(Managed* managed) {
    const auto taken = bl::from_dlpack<const float>(managed);
    return taken.view().copy();
}

/// True of what gives a view of itself as it dies.
template <class X>
concept viewed_dying = requires(X&& x) { std::forward<X>(x).view(); };
using Taken = bl::Imported<float, bl::DLManagedTensor>;
static_assert(viewed_dying<const Taken&> && !viewed_dying<Taken> && !viewed_dying<const Taken>);

}  // namespace

TEST_CASE("the structures have the layout of DLPack's") {
    // dlpack.h, version 1.0, on a machine with pointers of eight bytes.
#if INTPTR_MAX == INT64_MAX
    STATIC_REQUIRE(sizeof(bl::DLDataType) == 4);
    STATIC_REQUIRE(sizeof(bl::DLTensor) == 48);
    STATIC_REQUIRE(offsetof(bl::DLTensor, ndim) == 16);
    STATIC_REQUIRE(offsetof(bl::DLTensor, dtype) == 20);
    STATIC_REQUIRE(offsetof(bl::DLTensor, shape) == 24);
    STATIC_REQUIRE(offsetof(bl::DLTensor, byte_offset) == 40);
    STATIC_REQUIRE(sizeof(bl::DLManagedTensor) == 64);
    STATIC_REQUIRE(offsetof(bl::DLManagedTensor, deleter) == 56);
    STATIC_REQUIRE(sizeof(bl::DLManagedTensorVersioned) == 80);
    STATIC_REQUIRE(offsetof(bl::DLManagedTensorVersioned, manager_ctx) == 8);
    STATIC_REQUIRE(offsetof(bl::DLManagedTensorVersioned, flags) == 24);
    STATIC_REQUIRE(offsetof(bl::DLManagedTensorVersioned, dl_tensor) == 32);
#endif
}

TEST_CASE("a tensor moves into the structure and out again") {
    auto x = bl::arange<float>(6).reshape({2, 3});
    const float* const data = x.data();
    auto handle = bl::to_dlpack(std::move(x).transpose());
    CHECK(handle->dl_tensor.data == data);
    CHECK(handle->dl_tensor.ndim == 2);
    CHECK(handle->dl_tensor.shape[0] == 3);
    CHECK(handle->dl_tensor.strides[0] == 1);
    CHECK(handle->dl_tensor.strides[1] == 3);
    CHECK(handle->flags == 0);
    CHECK(handle->version.major == 1);
    const auto back = bl::from_dlpack<float>(handle.release());
    CHECK(back.view().data() == data);
    CHECK(bl::array_equal(back.view(), Tensor<float>{{0, 3}, {1, 4}, {2, 5}}));
    // One that nobody takes is freed by its handle; the sanitizers watch.
    const auto unused = bl::to_dlpack_legacy(bl::zeros<double>({4}));
    CHECK(unused->dl_tensor.dtype.bits == 64);
}

TEST_CASE("a view is handed out as it is, and says when it is read-only") {
    auto x = bl::arange<int>(6).reshape({2, 3});
    const auto writable = bl::to_dlpack(x.flip());
    CHECK(writable->flags == 0);
    CHECK(writable->dl_tensor.strides[1] == -1);
    CHECK(writable->dl_tensor.data == &x(1, 2));
    const auto fixed = bl::to_dlpack(std::as_const(x)[0].broadcast_to({4, 3}));
    CHECK(fixed->flags == 1);
    CHECK(fixed->dl_tensor.strides[0] == 0);
    CHECK_THROWS_AS(bl::from_dlpack<int>(fixed.get()), bl::value_error);
}

TEST_CASE("element types have DLPack's names") {
    const auto type = [](auto element) {
        return bl::to_dlpack(bl::zeros<decltype(element)>({1}))->dl_tensor.dtype;
    };
    const auto is = [](bl::DLDataType t, int code, int bits) {
        return t.code == code && t.bits == bits && t.lanes == 1;
    };
    CHECK(is(type(std::int8_t{}), 0, 8));
    CHECK(is(type(std::int64_t{}), 0, 64));
    CHECK(is(type(std::uint16_t{}), 1, 16));
    CHECK(is(type(float{}), 2, 32));
    CHECK(is(type(std::complex<double>{}), 5, 128));
    CHECK(is(type(bool{}), 6, 8));
    STATIC_REQUIRE_FALSE(bl::dlpack_element<long double>);
}

TEST_CASE("a foreign tensor is kept as long as it is looked at, and given back once") {
    Versioned foreign;
    {
        auto x = bl::from_dlpack<float>(&foreign.managed);
        CHECK(bl::array_equal(x.view(), Tensor<float>{{0, 1, 2}, {3, 4, 5}}));
        x.view()(1, 1) = 40;
        CHECK(foreign.data[4] == 40);
        const auto moved = std::move(x);
        CHECK(foreign.returned == 0);
    }
    CHECK(foreign.returned == 1);
    Legacy older;
    CHECK(elements_of(&older.managed).size() == 6);
    CHECK(older.returned == 1);
    older.managed.deleter = nullptr;
    CHECK(elements_of(&older.managed).size() == 6);
}

TEST_CASE("offsets, missing strides and empty tensors are understood") {
    Versioned foreign;
    auto& x = foreign.managed.dl_tensor;
    const auto elements = [&] { return elements_of(&foreign.managed); };
    x.byte_offset = 8;
    CHECK(bl::array_equal(elements(), Tensor<float>{{2, 3, 4}, {5, 6, 7}}));
    x.strides = nullptr;
    CHECK(elements()(1, 0) == 5);
    x.byte_offset = 0;
    foreign.shape = {0, 3};
    x.data = nullptr;
    CHECK(elements().size() == 0);
    x.ndim = 0;
    x.shape = nullptr;
    x.data = foreign.data.data();
    CHECK(elements().item() == 0);
}

TEST_CASE("what cannot be taken is refused, and stays with its owner") {
    Versioned foreign;
    auto& managed = foreign.managed;
    auto& x = managed.dl_tensor;
    const bl::DLManagedTensorVersioned good = managed;
    const auto refused = [&] {
        CHECK_THROWS_AS(bl::from_dlpack<float>(&managed), bl::value_error);
        managed = good;
    };
    managed.version.major = 2;
    refused();
    managed.version.major = 0;
    refused();
    managed.flags = 1;
    refused();
    x.device.device_type = 2;
    refused();
    x.dtype.lanes = 4;
    refused();
    x.dtype.bits = 64;
    refused();
    x.dtype.code = 0;
    refused();
    x.ndim = -1;
    refused();
    x.ndim = 33;
    refused();
    x.shape = nullptr;
    refused();
    x.data = nullptr;
    refused();
    x.byte_offset = 2;
    refused();
    foreign.strides = {0, 1};
    refused();
    CHECK(foreign.returned == 0);
    CHECK(elements_of(&managed)(1, 2) == 2);
    // Where nothing is reached a stride may be any.
    constexpr std::int64_t longest = INT64_MAX, lowest = INT64_MIN;
    foreign.shape = {1, 3};
    for (const std::int64_t stride : {longest, lowest}) {
        foreign.strides = {stride, 1};
        const auto taken = bl::from_dlpack<const float>(&managed);
        CHECK(taken.view().diagonal().size() == 1);
        CHECK(taken.view().flip(0)(0, 2) == 2);
    }
    CHECK(foreign.returned == 3);
    foreign.shape = {2, 2};
    for (const std::int64_t stride : {longest, lowest, longest / 4}) {
        foreign.strides = {stride, 1};
        CHECK_THROWS_AS(bl::from_dlpack<float>(&managed), bl::shape_error);
        CHECK_THROWS_AS(bl::from_dlpack<const float>(&managed), bl::shape_error);
    }
    if constexpr (sizeof(void*) == 8) foreign.shape = {longest, 1};
    else foreign.shape = {std::int64_t{1} << 32 | 2, 1};
    foreign.strides = {1, 1};
    CHECK_THROWS_AS(bl::from_dlpack<const float>(&managed), bl::shape_error);
    foreign.shape = {-1, 3};
    CHECK_THROWS_AS(bl::from_dlpack<const float>(&managed), bl::shape_error);
    CHECK_THROWS_AS(bl::from_dlpack<float>(static_cast<bl::DLManagedTensor*>(nullptr)),
                    bl::value_error);
    CHECK(foreign.returned == 3);
}

TEST_CASE("a tensor that was taken over may be replaced by another") {
    Legacy first, second;
    auto x = bl::from_dlpack<float>(&first.managed);
    auto y = bl::from_dlpack<float>(&second.managed);
    second.data[0] = 100;
    x = std::move(y);
    CHECK(first.returned == 1);
    CHECK(second.returned == 0);
    CHECK(x.view().data() == second.data.data());
    CHECK(first.data[0] != 100);
}

TEST_CASE("A tensor is taken over from its owner here") {
    Tensor<float> x = {1, 2, 3};
    const float* const data = x.data();
    const auto taken = bl::from_dlpack<float>(bl::to_dlpack(std::move(x)));
    CHECK(taken.view().data() == data);
    CHECK(taken.view()(2) == 3);
    auto wrong = bl::to_dlpack(Tensor<float>{1});
    CHECK_THROWS_AS(bl::from_dlpack<int>(std::move(wrong)), bl::value_error);
    CHECK(wrong.get() != nullptr);
    Versioned foreign;
    bl::DLPackOwner<bl::DLManagedTensorVersioned> owner(&foreign.managed);
    {
        const auto other = bl::from_dlpack<float>(std::move(owner));
        CHECK(!owner);
        CHECK(foreign.returned == 0);
    }
    CHECK(foreign.returned == 1);
}
