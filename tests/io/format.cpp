#include "broadloom/io/format.hpp"

#include "support/catch.hpp"

namespace bl = broadloom;

#ifdef __cpp_lib_format

TEST_CASE("std::format gives the text that is printed") {
    const bl::Tensor<float> x = {{1, 2.5f}, {3, 4}};
    CHECK(std::format("x = {}", x) == "x = " + bl::to_string(x));
    CHECK(std::format("{}", x.transpose()) == bl::to_string(x.transpose()));
    CHECK(std::format("{}", bl::Tensor<int>{1, 2}) == "[1 2]");
    CHECK(std::format("{}", bl::Shape{2, 3}) == "(2, 3)");
    CHECK(std::format("{}", x.strides()) == "(2, 1)");
}

TEST_CASE("width and alignment apply to the text as a whole") {
    const bl::Tensor<int> x = {1, 2};
    CHECK(std::format("{:>8}|{:*<8}|{:^7}", x, x, x) == "   [1 2]|[1 2]***| [1 2] ");
    CHECK(std::format("{:>8}", bl::Shape{2}) == "    (2,)");
}

TEST_CASE("a precision, which would cut the text, is refused") {
    const bl::Tensor<int> x = {1, 2};
    const auto formatted = [&](std::string_view words) {
        return std::vformat(words, std::make_format_args(x));
    };
    CHECK_THROWS_AS(formatted("{:.3}"), std::format_error);
    CHECK_THROWS_AS(formatted("{:>8.3}"), std::format_error);
    CHECK_THROWS_AS(formatted("{:.>8.3}"), std::format_error);
    CHECK(formatted("{:.>8}") == "...[1 2]");
    CHECK(formatted("{:?<8s}") == "[1 2]???");
}

#else

TEST_CASE("without std::format the header only includes printing") {
    CHECK(bl::to_string(bl::Shape{2, 3}) == "(2, 3)");
}

#endif
