#include "broadloom/interop/span.hpp"

#include <ranges>
#include <span>
#include <type_traits>

#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;

TEST_CASE("a contiguous tensor is a span") {
    auto x = bl::arange<int>(6).reshape({2, 3});
    const std::span<int> all = bl::as_span(x);
    CHECK(all.data() == x.data());
    CHECK(all.size() == 6);
    all[4] = 40;
    CHECK(x(1, 1) == 40);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::as_span(std::as_const(x))), std::span<const int>>);
    CHECK(bl::as_span(x[1])[0] == 3);
    CHECK(bl::as_span(x(0, bl::newaxis, bl::all)).size() == 3);
    const auto none = bl::zeros<int>({2, 0});
    CHECK(bl::as_span(none).empty());
}

TEST_CASE("a shape as a range has as many extents as dimensions, whatever it counts") {
    const bl::Shape shape = {20, 30};
    const std::span<const bl::index_t> extents = shape;
    CHECK(extents.size() == 2);
    CHECK(std::ranges::size(shape) == 2);
    CHECK(shape.size() == 600);
}

TEST_CASE("what is not contiguous is refused") {
    const auto x = bl::arange<int>(6).reshape({2, 3});
    CHECK_THROWS_AS(bl::as_span(x.transpose()), bl::shape_error);
    CHECK_THROWS_AS(bl::as_span(x.flip()), bl::shape_error);
    CHECK_THROWS_AS(bl::as_span(x.broadcast_to({2, 2, 3})), bl::shape_error);
    CHECK_THROWS_AS(bl::as_span(x(bl::all, bl::range(2))), bl::shape_error);
    // Extents of 1 have no neighbours to be away from.
    CHECK(bl::as_span(x[0].unsqueeze(1).transpose()).size() == 3);
}
