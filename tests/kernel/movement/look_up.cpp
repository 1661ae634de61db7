// Elements looked up one by one, by every type of index that is, against a loop that does so.
#include "broadloom/kernel/movement/look_up.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include "broadloom/kernel/movement/transfer.hpp"
#include "broadloom/scalar/operators.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t;
using naive::pick;

TEST_CASE("elements are looked up one by one until an index is out of reach") {
    const auto check = [](auto index_type, unsigned seed) {
        using I = decltype(index_type);
        std::mt19937 engine(seed);
        for (int round = 0; round < 1000; ++round) {
            const index_t extent = 1 + pick(engine, 100), count = pick(engine, 1200);
            const bool wraps = std::is_signed_v<I> && pick(engine, 2) == 0;
            const index_t begins = pick(engine, 1200);  // where some count from the back
            const kernel::Reach reach{extent, wraps ? extent : 0, 1};
            std::vector<I> indices;
            std::vector<double> table, line;
            for (index_t i = 0; i < extent; ++i) table.push_back(static_cast<double>(i));
            for (index_t i = 0; i < count; ++i) {
                const bool back = wraps && i >= begins && pick(engine, 3) == 0;
                indices.push_back(static_cast<I>(pick(engine, extent) - (back ? extent : 0)));
                line.push_back(static_cast<double>(1000 + i));
            }
            // The outermost indices that are refused.
            const bool fits = count == 0 || pick(engine, 3) > 0;
            if (!fits) {
                indices[static_cast<std::size_t>(pick(engine, count))] = static_cast<I>(
                    std::is_signed_v<I> && pick(engine, 2) == 0 ? -reach.wrap - 1 : extent);
            }
            const auto moves = [&](const kernel::Transfer& transfer, auto&& f) {
                std::vector<double> from = table, to = line, own = table, other = line;
                const bool moved = transfer.look_up(own.data(), indices.data(), other.data(), count,
                                                    kernel::index_kind<I>(), &reach);
                REQUIRE(moved == fits);
                if (!fits) return;
                for (std::size_t i = 0; i < to.size(); ++i) {
                    const auto at = static_cast<index_t>(indices[i]);
                    f(from[static_cast<std::size_t>(at < 0 ? at + extent : at)], to[i]);
                }
                REQUIRE(own == from);
                REQUIRE(other == to);
            };
            moves(kernel::fetch<double>(), [](double& own, double& other) { other = own; });
            moves(kernel::store<double>(), [](double& own, double& other) { own = other; });
            moves(kernel::combine<double, bl::scalar::add>(),
                  [](double& own, double& other) { own += other; });
        }
    };
    check(std::uint8_t{}, 21);
    check(std::int32_t{}, 22);
    check(index_t{}, 23);
}

TEST_CASE("indices of other types become offsets first") {
    CHECK(kernel::index_kind<std::uint8_t>() == kernel::IndexKind::byte);
    CHECK(kernel::index_kind<std::int32_t>() == kernel::IndexKind::word);
    if constexpr (sizeof(index_t) > 4) {
        CHECK(kernel::index_kind<index_t>() == kernel::IndexKind::offset);
    }
    CHECK(kernel::index_kind<std::int8_t>() == kernel::IndexKind::other);
    CHECK(kernel::index_kind<std::uint32_t>() == kernel::IndexKind::other);
    CHECK(kernel::index_kind<std::uint64_t>() == kernel::IndexKind::other);
}
