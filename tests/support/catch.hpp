// Catch2 under one face: includes version 3 where it is, else the single header of version 2. Tests
// write `Approx(x)` and `Catch::Matchers::ContainsSubstring(s)` with either.
#ifndef BROADLOOM_TESTS_SUPPORT_CATCH_HPP
#define BROADLOOM_TESTS_SUPPORT_CATCH_HPP

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>

#include <string>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& part) { return Contains(part); }

}  // namespace Catch::Matchers

#endif

#endif  // BROADLOOM_TESTS_SUPPORT_CATCH_HPP
