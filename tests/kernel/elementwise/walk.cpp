#include "broadloom/kernel/elementwise/walk.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/planned.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::IndexList, bl::Shape;
using naive::Presented, naive::Random, naive::Way;

namespace {

/// What the loops below have seen: calls, elements, and whether every request kept the contract.
struct Log {
    index_t calls = 0, elements = 0;
    bool sound = true;
};

/// A loop that reads its runs as the contract has it, one element at a time: x - y into the target.
void difference(const void* expression, void* target_bytes, index_t target_row,
                const kernel::Run* runs, index_t rows, index_t length, kernel::Write) {
    Log& log = **static_cast<Log* const*>(expression);
    ++log.calls;
    log.elements += rows * length;
    log.sound = log.sound && rows > 0 && length > 0;
    auto* target = static_cast<std::int32_t*>(target_bytes);
    for (index_t r = 0; r < rows; ++r) {
        for (index_t i = 0; i < length; ++i) {
            std::int32_t values[2];
            for (int k = 0; k < 2; ++k) {
                const auto* data = static_cast<const std::int32_t*>(runs[k].data) + r * runs[k].row;
                if (runs[k].spread != nullptr) {
                    // A constant has room for its copies, which a loop may use.
                    log.sound =
                        log.sound && reinterpret_cast<std::uintptr_t>(runs[k].spread) % 64 == 0;
                    static_cast<std::int32_t*>(runs[k].spread)[i % kernel::block_length] = *data;
                    values[k] = *data;
                } else {
                    values[k] = data[i];
                }
            }
            target[r * target_row + i] = values[0] - values[1];
        }
    }
}

/// The same by strides.
void few_differences(const void* expression, void* target_bytes, const index_t* target_strides,
                     const kernel::Run* runs, index_t rows, index_t columns) {
    Log& log = **static_cast<Log* const*>(expression);
    ++log.calls;
    log.elements += rows * columns;
    log.sound = log.sound && rows > 0 && columns > 0;
    auto* target = static_cast<std::int32_t*>(target_bytes);
    for (index_t r = 0; r < rows; ++r) {
        for (index_t c = 0; c < columns; ++c) {
            const auto value = [&](const kernel::Run& run) {
                return static_cast<const std::int32_t*>(run.data)[r * run.row + c * run.step];
            };
            target[r * target_strides[0] + c * target_strides[1]] = value(runs[0]) - value(runs[1]);
        }
    }
}

struct Walked {
    index_t steps = 1;
    Log log = {};

    void operator()(const Shape& shape, const Presented<std::int32_t>& target,
                    const Presented<std::int32_t>& x, const Presented<std::int32_t>& y) {
        const auto t = target.view();
        const auto a = x.read(), b = y.read();
        const kernel::Operand operands[3] = {
            {t.data(), &t.shape(), &t.strides(), 4, &kernel::movers_of<4>},
            {a.data(), &a.shape(), &a.strides(), 4, &kernel::movers_of<4>},
            {b.data(), &b.shape(), &b.strides(), 4, &kernel::movers_of<4>}};
        kernel::Stream streams[3];
        kernel::detail::Part parts[3];
        kernel::Run runs[3];
        kernel::Plan plan;
        plan.count = 3;
        plan.streams = streams;
        kernel::make_plan(plan, operands, shape);
        const kernel::Forms<kernel::Loop> loop{{&difference, &difference, &difference}};
        const kernel::Code code{.loop = loop,
                                .few = &few_differences,
                                .held = nullptr,
                                .held_until = 0,
                                .unit = 1,
                                .widest_from = 0,
                                .steps = steps,
                                .light = true,
                                .waits = false,
                                .strict = true,
                                .copies = false,
                                .immediate = true,
                                .shares = true};
        Log* const expression = &log;
        kernel::walk(plan, code, &expression, parts, runs);
    }
};

}  // namespace

TEST_CASE("A walk computes every element of the target once, from the elements that belong to it") {
    Random random(1);
    const index_t lengths[] = {1,   2,   3,   5,   8,    13,   33,   64,
                               100, 127, 128, 300, 2047, 2048, 2049, 5000};
    for (int round = 0; round < 1500; ++round) {
        IndexList extents;
        index_t size = 1;
        for (index_t d = random(1, 5); d > 0; --d) {
            const index_t extent = lengths[random(0, 15)];
            if (size * extent > 12000) continue;
            size *= extent;
            extents.insert(random(0, extents.rank()), extent);
        }
        const Shape shape(extents);
        const auto operand = [&] {
            IndexList out = extents;
            for (index_t d = 0; d < out.rank(); ++d) {
                if (random(0, 2) == 0) out[d] = 1;
            }
            for (index_t drop = random(0, out.rank()); drop > 0 && random(0, 1) == 0; --drop)
                out.erase(0);
            return Shape(out);
        };
        Presented<std::int32_t> target(shape, random(0, 2) == 0 ? Way::plain : Way::random, random,
                                       true);
        Presented<std::int32_t> x(operand(), Way::random, random),
            y(random(0, 1) == 0 ? shape : operand(), Way::random, random);
        const auto number = [&] { return static_cast<std::int32_t>(random(0, 1 << 20)); };
        target.fill([] { return -1; });
        x.fill(number);
        y.fill(number);
        // Much that is made of what lies far apart is worth packing it.
        Walked walked{random(0, 1) == 0 ? 1 : 16};
        walked(shape, target, x, y);
        bool same = walked.log.sound && walked.log.elements == size;
        naive::for_each_index(shape, [&](const IndexList& index) {
            same = same && target.at(index) == x.at(index) - y.at(index);
        });
        if (!same) {
            FAIL(target.text() << " from " << x.text() << " and " << y.text() << ", "
                               << walked.log.elements << " elements in " << walked.log.calls
                               << " calls");
        }
    }
    SUCCEED();
}

TEST_CASE("Operands that lie flat are walked in one call, rows of a matrix in few") {
    Random random(2);
    const auto calls = [&](const Shape& shape, const Shape& a, const Shape& b) {
        Presented<std::int32_t> target(shape, Way::plain, random), x(a, Way::plain, random),
            y(b, Way::plain, random);
        const auto zero = [] { return 0; };
        target.fill(zero);
        x.fill(zero);
        y.fill(zero);
        Walked walked;
        walked(shape, target, x, y);
        return walked.log.calls;
    };
    CHECK(calls(Shape{100, 100}, Shape{100, 100}, Shape{100, 100}) == 1);
    CHECK(calls(Shape{100, 1000}, Shape{100, 1000}, Shape{1000}) == 1);
    CHECK(calls(Shape{100, 1000}, Shape{100, 1000}, Shape{100, 1}) == 1);
    CHECK(calls(Shape{100, 1000}, Shape{1000}, Shape{}) == 1);
    // A short row is packed once for the whole walk.
    CHECK(calls(Shape{10000, 4}, Shape{10000, 4}, Shape{4}) <= 3);
    CHECK(calls(Shape{64, 64, 3}, Shape{64, 64, 3}, Shape{3}) <= 3);
}

TEST_CASE("Rows are turned through a buffer where those of the target would displace each other") {
    const auto crowded = [](planned::Planned&& planned) {
        return kernel::detail::is_crowded(planned.walk());
    };
    CHECK(crowded(planned::Planned({1000, 1024}, {{1024, 1}, {1, 1000}})));
    CHECK(crowded(planned::Planned({1000, 512}, {{512, 1}, {-1, 1000}})));
    CHECK(!crowded(planned::Planned({1000, 1000}, {{1000, 1}, {1, 1000}})));
    CHECK(!crowded(planned::Planned({1000, 1024}, {{1024, 1}, {2048, 2}})));
    CHECK(!crowded(planned::Planned({4096, 1024}, {{1024, 1}, {1, 4096}})));
    CHECK(!crowded(planned::Planned({1024}, {{1}, {2}})));
}

TEST_CASE("Transposed copies hold the same elements at any width") {
    const auto turns = [](auto zero, index_t rows, index_t columns) {
        using T = decltype(zero);
        auto x = bl::empty<T>({columns, rows});
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 >> 3);
        const bl::Tensor<T> copy(x.transpose());
        for (index_t i = 0; i < rows; ++i) {
            for (index_t j = 0; j < columns; ++j) {
                if (copy.data()[i * columns + j] != x.data()[j * rows + i]) return false;
            }
        }
        return true;
    };
    for (const index_t columns : {255, 256, 512, 1024, 1025, 2048}) {
        for (const index_t rows : {1, 7, 40, 100}) {
            CHECK(turns(std::uint8_t{}, rows, columns));
            CHECK(turns(std::int16_t{}, rows, columns));
            CHECK(turns(float{}, rows, columns));
            CHECK(turns(double{}, rows, columns));
        }
    }
}

TEST_CASE("Permuted copies hold the same elements in any order of the axes") {
    const auto permutes = [](auto zero, const Shape& shape, const IndexList& axes, bool flipped) {
        using T = decltype(zero);
        auto x = bl::empty<T>(shape);
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 >> 3);
        auto view = x.view().permute(axes);
        if (flipped) view = view.flip(1);
        const bl::Tensor<T> copy(view);
        const T* at = copy.data();
        const Shape& out = copy.shape();
        for (index_t i = 0; i < out[0]; ++i) {
            for (index_t j = 0; j < out[1]; ++j) {
                for (index_t k = 0; k < out[2]; ++k) {
                    for (index_t l = 0; l < out[3]; ++l) {
                        if (*at++ != view(i, j, k, l)) return false;
                    }
                }
            }
        }
        return true;
    };
    for (const Shape& shape : {Shape{7, 3, 9, 20}, Shape{4, 40, 5, 8}, Shape{33, 2, 16, 5}}) {
        std::vector<index_t> order{0, 1, 2, 3};
        do {
            const IndexList axes{order[0], order[1], order[2], order[3]};
            CAPTURE(shape, order);
            CHECK(permutes(std::uint8_t{}, shape, axes, false));
            CHECK(permutes(float{}, shape, axes, true));
            CHECK(permutes(double{}, shape, axes, false));
        } while (std::next_permutation(order.begin(), order.end()));
    }
}
