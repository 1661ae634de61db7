// Every mask of up to ten elements, and long ones by chance, against loops that look at each.
#include "broadloom/kernel/masked.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "broadloom/kernel/packing/register.hpp"
#include "support/catch.hpp"

namespace kernel = broadloom::kernel;
using broadloom::index_t, broadloom::IndexList;
using Element = kernel::detail::raw_t<4>;

namespace {

/// The lowest bits of a number as a mask.
std::vector<char> mask_of(std::uint64_t bits, std::size_t size) {
    std::vector<char> mask(size);
    for (std::size_t i = 0; i < size; ++i) mask[i] = static_cast<char>(bits >> (i % 64) & 1);
    return mask;
}

void check_masked(const std::vector<char>& bytes) {
    const bool* const mask = reinterpret_cast<const bool*>(bytes.data());
    const auto size = static_cast<index_t>(bytes.size());
    std::vector<index_t> places;
    for (index_t i = 0; i < size; ++i) {
        if (mask[i]) places.push_back(i);
    }
    const auto count = static_cast<index_t>(places.size());
    CHECK(kernel::count_true(mask, size) == count);
    const auto* const truths = reinterpret_cast<const unsigned char*>(bytes.data());
    CHECK(kernel::first_truth(truths, size, 1) == (places.empty() ? size : places[0]));

    std::vector<Element> from(bytes.size()), chosen(places.size()), spread(bytes.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i].value = static_cast<std::uint32_t>(i);
    kernel::select_true(chosen.data(), from.data(), mask, size, count);
    bool as_listed = true;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        as_listed = as_listed && chosen[i].value == static_cast<std::uint32_t>(places[i]);
    CHECK(as_listed);

    for (Element& e : spread) e.value = 1000;
    kernel::spread_true(spread.data(), chosen.data(), mask, size);
    bool as_before = true;
    for (std::size_t i = 0; i < spread.size(); ++i)
        as_before = as_before && spread[i].value == (mask[i] ? from[i].value : 1000U);
    CHECK(as_before);

    std::vector<index_t> line(places.size()), table(3 * places.size()), expected;
    kernel::list_true<1>(line.data(), line.data() + line.size(), mask, size, IndexList{});
    CHECK(line == places);
    kernel::list_true<0>(table.data(), table.data() + table.size(), mask, size, IndexList{7, 8});
    for (const index_t place : places) expected.insert(expected.end(), {7, 8, place});
    CHECK(table == expected);
}

}  // namespace

TEST_CASE("All short masks choose what a look at each element does") {
    for (std::size_t size = 0; size <= 10; ++size) {
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << size; ++bits) {
            check_masked(mask_of(bits, size));
        }
    }
}

TEST_CASE("Long masks choose what a look at each element does") {
    for (const std::size_t size : {63U, 64U, 200U, 1001U}) {
        check_masked(mask_of(0, size));
        check_masked(mask_of(~std::uint64_t{0}, size));
        check_masked(mask_of(0x9e3779b97f4a7c15U, size));
        check_masked(mask_of(0xff00000000000001U, size));
    }
}

TEST_CASE("What stands behind a mask is no truth of it") {
    const std::vector<unsigned char> mask(64);
    for (index_t size = 0; size < 20; ++size) {
        INFO(size);
        CHECK(kernel::first_truth(mask.data(), size, 1) == size);
    }
}
