#include "broadloom/interop/mdspan.hpp"

#include "support/catch.hpp"

#if defined(__cpp_lib_mdspan)

#include <mdspan>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"

namespace bl = broadloom;
using bl::index_t;
using bl::Tensor;

namespace {

/// Every element through the mdspan and through the view, and the way back.
template <class V>
void same(const V& view) {
    const auto span = bl::to_mdspan<2>(view);
    REQUIRE(span.extent(0) == view.shape()[0]);
    REQUIRE(span.extent(1) == view.shape()[1]);
    for (index_t i = 0; i < view.shape()[0]; ++i) {
        for (index_t j = 0; j < view.shape()[1]; ++j) {
            REQUIRE(&span[i, j] == &view(i, j));
            REQUIRE(span.mapping()(i, j) >= 0);
            REQUIRE(span.mapping()(i, j) < span.mapping().required_span_size());
        }
    }
    const auto back = bl::view_of(span);
    REQUIRE(back.shape() == view.shape());
    if (view.size() > 0) REQUIRE(back.data() == view.data());
    REQUIRE(bl::array_equal(back, view));
}

}  // namespace

TEST_CASE("views of any strides become mdspans and come back") {
    auto x = bl::arange<int>(12).reshape({3, 4});
    const auto& fixed = x;
    same(x.view());
    same(fixed.view());
    same(x.transpose());
    same(x.flip());
    same(x(bl::all, bl::range(3, {}, -2)));
    same(fixed[1].broadcast_to({5, 4}));
    same(x(bl::range(0), bl::all));
    bl::to_mdspan<2>(x)[2, 3] = 99;
    CHECK(x(2, 3) == 99);
}

TEST_CASE("the mapping knows what it covers") {
    const auto x = bl::arange<int>(12).reshape({3, 4});
    CHECK(bl::to_mdspan<2>(x).is_exhaustive());
    CHECK(bl::to_mdspan<2>(x.flip()).is_exhaustive());
    CHECK(bl::to_mdspan<2>(x.transpose()).is_unique());
    CHECK_FALSE(bl::to_mdspan<2>(x[0].broadcast_to({3, 4})).is_unique());
    CHECK_FALSE(bl::to_mdspan<2>(x(bl::all, bl::range(2))).is_exhaustive());
    CHECK(bl::to_mdspan<2>(x).mapping() == bl::to_mdspan<2>(x).mapping());
    CHECK(bl::to_mdspan<2>(x(bl::range(0), bl::all)).mapping().required_span_size() == 0);
    CHECK_THROWS_AS(bl::to_mdspan<1>(x), bl::shape_error);
}

TEST_CASE("mdspans of the standard's layouts become views") {
    std::vector<float> data = {1, 2, 3, 4, 5, 6};
    const std::mdspan rows(data.data(), 2, 3);
    CHECK(bl::array_equal(bl::view_of(rows), Tensor<float>{{1, 2, 3}, {4, 5, 6}}));
    const std::mdspan<float, std::extents<int, 2, 3>, std::layout_left> columns(data.data());
    auto view = bl::view_of(columns);
    CHECK(bl::array_equal(view, Tensor<float>{{1, 3, 5}, {2, 4, 6}}));
    view(1, 2) = 60;
    CHECK(data[5] == 60);
    const std::mdspan<const float, std::dextents<unsigned, 1>> line(data.data(), 4);
    STATIC_REQUIRE(std::is_same_v<decltype(bl::view_of(line)), bl::TensorView<const float>>);
    const std::mdspan<float, std::extents<int>> point(data.data());
    CHECK(bl::view_of(point).item() == 1);
}

TEST_CASE("an mdspan that repeats elements can only be read") {
    int one = 7;
    using Extents = std::dextents<index_t, 1>;
    const bl::strided::mapping<Extents> still(Extents(3), {0});
    CHECK_THROWS_AS(bl::view_of(std::mdspan<int, Extents, bl::strided>(&one, still)),
                    bl::value_error);
    CHECK(bl::array_equal(bl::view_of(std::mdspan<const int, Extents, bl::strided>(&one, still)),
                          Tensor<int>{7, 7, 7}));
}

TEST_CASE("an mdspan may have any stride where nothing is reached") {
    int one = 7;
    using Extents = std::dextents<index_t, 2>;
    constexpr index_t longest = INT64_MAX;
    const bl::strided::mapping<Extents> single(Extents(1, 1), {longest, -longest - 1});
    const auto x = bl::view_of(std::mdspan<int, Extents, bl::strided>(&one, single));
    CHECK(x.diagonal().item() == 7);
    CHECK(x.flip(0).flip(1).item() == 7);
    const bl::strided::mapping<Extents> far(Extents(2, 1), {longest / 2, 1});
    CHECK_THROWS_AS(bl::view_of(std::mdspan<int, Extents, bl::strided>(&one, far)),
                    bl::shape_error);
}

#else

TEST_CASE("without std::mdspan the header adds nothing") { SUCCEED(); }

#endif
