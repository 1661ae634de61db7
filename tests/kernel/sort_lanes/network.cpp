// A network sorts lanes of every length as the standard library does, wherever they lie; what it
// cannot order it leaves alone.
#include "broadloom/kernel/sort_lanes/network.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "broadloom/operations/sort.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape, bl::Tensor;
using naive::Random;
using settings::Restore;

namespace {

template <class T>
T any_number(Random& random) {
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        const index_t kind = random(0, 40);
        if (kind == 0) return infinity;
        if (kind == 1) return -infinity;
        if (kind == 2) return T(0);
        if (kind == 3) return std::numeric_limits<T>::denorm_min();
        return static_cast<T>(random(-1000, 1000)) / T(7) + T(0);
    } else {
        const index_t kind = random(0, 20);
        if (kind == 0) return std::numeric_limits<T>::min();
        if (kind == 1) return std::numeric_limits<T>::max();
        return static_cast<T>(random.bits());
    }
}

/// Sorts the lanes of a block by network, and compares them with the standard library's order.
template <class T>
bool sorts(index_t length, bool side_by_side, bool falling, Random& random) {
    constexpr index_t lanes = kernel::lanes_at_once<T>;
    const index_t gap = random(0, 2);
    const index_t stride = side_by_side ? lanes + gap : 1;
    const index_t lane_stride = side_by_side ? 1 : length + gap;
    std::vector<T> data(static_cast<std::size_t>((lanes + gap) * (length + gap)));
    for (T& x : data) x = any_number<T>(random);
    std::vector<T> expected = data;
    for (index_t l = 0; l < lanes; ++l) {
        std::vector<T> lane;
        const auto at = [&](index_t i) {
            return static_cast<std::size_t>(l * lane_stride + i * stride);
        };
        for (index_t i = 0; i < length; ++i) lane.push_back(data[at(i)]);
        std::sort(lane.begin(), lane.end());
        if (falling) std::reverse(lane.begin(), lane.end());
        for (index_t i = 0; i < length; ++i) expected[at(i)] = lane[static_cast<std::size_t>(i)];
    }
    struct alignas(64) Line {
        char bytes[64];
    };
    std::vector<Line> room(static_cast<std::size_t>(length));
    return kernel::sort_in_network(data.data(), lane_stride, length, stride, falling,
                                   room.data()->bytes) &&
           data == expected;
}

}  // namespace

TEMPLATE_TEST_CASE("A network sorts lanes of every length", "", std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, float, double) {
    const Restore restore;
    Random random(21);
    for (int level = 0; level <= 2; ++level) {
        kernel::set_isa(level);
        for (index_t length = 1; length <= 1100; length += length < 70 ? 1 : 93) {
            INFO(length << " at level " << level);
            CHECK(sorts<TestType>(length, false, false, random));
            CHECK(sorts<TestType>(length, true, true, random));
        }
        CHECK(sorts<TestType>(4096, true, false, random));
    }
}

TEMPLATE_TEST_CASE("NaN and negative zeros are left alone", "", float, double) {
    constexpr index_t lanes = kernel::lanes_at_once<TestType>, length = 9;
    alignas(64) char room[64 * length];
    for (const TestType odd : {std::numeric_limits<TestType>::quiet_NaN(),
                               -std::numeric_limits<TestType>::quiet_NaN(), TestType(-0.0)}) {
        for (index_t at = 0; at < lanes * length; at += 5) {
            std::vector<TestType> data(static_cast<std::size_t>(lanes * length), TestType(1));
            data[static_cast<std::size_t>(at)] = odd;
            data[static_cast<std::size_t>((at + 40) % (lanes * length))] = TestType(-3);
            const std::vector<TestType> before = data;
            CHECK(!kernel::sort_in_network(data.data(), length, length, 1, false, room));
            CHECK(std::memcmp(data.data(), before.data(), data.size() * sizeof(TestType)) == 0);
        }
    }
}

TEMPLATE_TEST_CASE("Many lanes are sorted as each of them is", "", std::int8_t, std::uint16_t,
                   std::int32_t, std::int64_t, float, double) {
    const Restore restore;
    Random random(22);
    for (const Shape& shape : {Shape{70, 5}, Shape{5, 70}, Shape{21, 33}, Shape{9, 6, 67},
                               Shape{3, 40, 19}, Shape{2, 3, 16}, Shape{200, 1}, Shape{1, 200}}) {
        Tensor<TestType> x = bl::empty<TestType>(shape);
        for (TestType& e : x) {
            e = any_number<TestType>(random);
            if constexpr (std::is_floating_point_v<TestType>) {
                const index_t kind = random(0, 300);
                if (kind == 0) e = std::numeric_limits<TestType>::quiet_NaN();
                if (kind == 1) e = TestType(-0.0);
            }
        }
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            for (const bool falling : {false, true}) {
                // One lane at a time, which is too few for a network.
                Tensor<TestType> expected = x;
                auto lanes = expected.move_axis(axis, -1);
                const index_t length = shape[axis], count = shape.size() / length;
                Tensor<TestType> packed = Tensor<TestType>(lanes).reshape({count, length});
                for (index_t l = 0; l < count; ++l) {
                    Tensor<TestType> lane = packed[l];
                    packed[l] = bl::sort(lane, 0, falling);
                }
                lanes = packed.reshape(lanes.shape());
                for (int level = 0; level <= 2; ++level) {
                    kernel::set_isa(level);
                    const Tensor<TestType> sorted = bl::sort(x, axis, falling);
                    INFO(bl::detail::text(shape) << " along " << axis << " at level " << level);
                    CHECK(sorted.shape() == shape);
                    CHECK(std::memcmp(sorted.data(), expected.data(),
                                      static_cast<std::size_t>(x.size()) * sizeof(TestType)) == 0);
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("Many lanes are ordered as each of them is", "", bool, std::int8_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                   double) {
    const Restore restore;
    Random random(23);
    for (const Shape& shape : {Shape{8, 2}, Shape{9, 70}, Shape{30, 7}, Shape{17, 128},
                               Shape{11, 500}, Shape{8, 1}, Shape{10, 250}, Shape{8, 31}}) {
        Tensor<TestType> x = bl::empty<TestType>(shape);
        for (TestType& e : x) {
            e = static_cast<TestType>(random(0, 40));
            if constexpr (std::is_integral_v<TestType>) {
                const index_t kind = random(0, 20);
                if (kind == 0) e = std::numeric_limits<TestType>::max();
                if (kind == 1) e = std::numeric_limits<TestType>::min();
            } else {
                const index_t kind = random(0, 20);
                if (kind == 0) e = std::numeric_limits<TestType>::quiet_NaN();
                if (kind == 1) e = TestType(-0.0);
                if (kind == 2) e = -e;
            }
        }
        for (const bool falling : {false, true}) {
            for (int level = 0; level <= 2; ++level) {
                kernel::set_isa(level);
                const auto order = bl::argsort(x, 1, falling);
                const auto turned = bl::argsort(x.transpose(), 0, falling);
                const index_t kept = (shape[1] + 2) / 3;
                const auto [values, first] = bl::topk(x, kept, 1, falling);
                bool same = true;
                for (index_t l = 0; l < shape[0]; ++l) {
                    const auto lane = bl::argsort(x[l], 0, falling);
                    for (index_t i = 0; i < shape[1]; ++i) {
                        same = same && order(l, i) == lane(i) && turned(i, l) == lane(i);
                        same = same && (i >= kept || first(l, i) == lane(i));
                    }
                }
                INFO(bl::detail::text(shape) << " at level " << level);
                CHECK(same);
            }
        }
    }
}
