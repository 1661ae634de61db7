#include "broadloom/core/error.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/catch.hpp"

namespace bl = broadloom;

namespace {

template <class Error, class Standard>
constexpr bool is_both =
    std::is_base_of_v<Standard, Error> && std::is_base_of_v<bl::error, Error> &&
    std::is_convertible_v<Error*, Standard*> && std::is_convertible_v<Error*, bl::error*> &&
    std::is_convertible_v<Error*, std::exception*> && std::is_nothrow_copy_constructible_v<Error>;

static_assert(is_both<bl::shape_error, std::invalid_argument>);
static_assert(is_both<bl::value_error, std::invalid_argument>);
static_assert(is_both<bl::index_error, std::out_of_range>);
static_assert(is_both<bl::io_error, std::runtime_error>);
static_assert(!std::is_base_of_v<bl::shape_error, bl::value_error>);
static_assert(!std::is_base_of_v<bl::value_error, bl::shape_error>);
static_assert(std::is_abstract_v<bl::error>);

template <class Thrown, class Caught>
std::string caught_as() {
    try {
        throw Thrown("the sentence");
    } catch (const Caught& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("Every exception is caught as itself, as the standard's, and as broadloom::error") {
    CHECK(caught_as<bl::shape_error, bl::shape_error>() == "the sentence");
    CHECK(caught_as<bl::shape_error, std::invalid_argument>() == "the sentence");
    CHECK(caught_as<bl::shape_error, bl::error>() == "the sentence");
    CHECK(caught_as<bl::shape_error, std::exception>() == "the sentence");
    CHECK(caught_as<bl::value_error, std::logic_error>() == "the sentence");
    CHECK(caught_as<bl::value_error, bl::error>() == "the sentence");
    CHECK(caught_as<bl::index_error, std::out_of_range>() == "the sentence");
    CHECK(caught_as<bl::index_error, bl::error>() == "the sentence");
    CHECK(caught_as<bl::io_error, std::runtime_error>() == "the sentence");
    CHECK(caught_as<bl::io_error, bl::error>() == "the sentence");
}

TEST_CASE("A copy of an exception says the same") {
    const bl::shape_error first("why");
    bl::shape_error second = first;
    CHECK(std::string(second.what()) == "why");
    second = bl::shape_error("another");
    CHECK(std::string(second.what()) == "another");
    CHECK(std::string(first.what()) == "why");
}

TEST_CASE("A sentence takes words and numbers, reals as they are usually written") {
    bl::detail::Sentence sentence("of ");
    sentence << std::string("all ") << -3 << ' ' << 0.1 << ' ' << 1e-300 << ' ' << 1.0000001;
    CHECK(sentence.str() == "of all -3 0.1 1e-300 1.0000001");
}
