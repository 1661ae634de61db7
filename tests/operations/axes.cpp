// Which axes a reduction takes, as bits, and what becomes of a shape.
#include "broadloom/operations/axes.hpp"

#include <cstdint>
#include <type_traits>

#include "support/catch.hpp"

namespace bl = broadloom;
using bl::Axes, bl::IndexList, bl::index_t, bl::keepdims, bl::Shape;

namespace {

static_assert(Axes{}.mask(3) == 0);
static_assert(Axes(1).mask(3) == 0b010 && Axes(-1).mask(3) == 0b100);
static_assert(Axes{0, -1}.mask(4) == 0b1001 && Axes{-1, 0}.mask(4) == 0b1001);
static_assert(Axes(keepdims).mask(0) == 0 && Axes(keepdims).mask(5) == 0b11111);
static_assert(Axes(keepdims).mask(32) == 0xffffffff && Axes(31).mask(32) == 0x80000000);
static_assert(Axes(keepdims).keeps() && !Axes(0).keeps() && Axes(0).kept().keeps());
static_assert(Axes(std::uint8_t{1}).mask(2) == 0b10 && Axes(short{-2}).mask(2) == 0b01);

// The word keepdims has a type of its own: no braces or numbers become one.
static_assert(!std::is_convertible_v<int, bl::Keepdims> &&
              !std::is_default_constructible_v<bl::Keepdims>);

/// What a reduction with one axis, or with braces, is called with.
std::uint32_t mask_of(const Axes& axes) { return axes.mask(3); }

}  // namespace

TEST_CASE("Axes are a number, braces, a list, or all of them") {
    CHECK(mask_of(2) == 0b100);
    CHECK(mask_of({}) == 0);
    CHECK(mask_of({0, 2}) == 0b101);
    CHECK(mask_of({-1}) == 0b100);
    CHECK(mask_of(IndexList{1, 0}) == 0b011);
    CHECK(mask_of(keepdims) == 0b111);
}

TEST_CASE("Axes out of range or named twice are an index_error") {
    CHECK_THROWS_AS(Axes(3).mask(3), bl::index_error);
    CHECK_THROWS_AS(Axes(-4).mask(3), bl::index_error);
    CHECK_THROWS_AS(Axes(1).mask(0), bl::index_error);
    CHECK_THROWS_AS(Axes(-2).mask(0), bl::index_error);
    CHECK(Axes(0).mask(0) + Axes(-1).mask(0) == 0);
    CHECK_THROWS_AS((Axes{1, 1}.mask(3)), bl::index_error);
    CHECK_THROWS_AS((Axes{1, -2}.mask(3)), bl::index_error);
}

TEST_CASE("A reduced shape loses its axes, or keeps them with extent 1") {
    const auto gone = bl::detail::reduced(Shape{2, 3, 4}, {0, 2});
    CHECK(gone.kept == Shape{1, 3, 1});
    CHECK(gone.result == Shape{3});
    CHECK(gone.count == 8);
    const auto kept = bl::detail::reduced(Shape{2, 3, 4}, Axes(-2).kept());
    CHECK(kept.result == Shape{2, 1, 4});
    CHECK(kept.count == 3);
    const auto none = bl::detail::reduced(Shape{2, 0}, Axes{});
    CHECK(none.result == Shape{2, 0});
    CHECK(none.count == 1);
    CHECK(bl::detail::reduced(Shape{2, 0}, -1).count == 0);
    CHECK(bl::detail::reduced(Shape{}, keepdims).result == Shape{});
}
