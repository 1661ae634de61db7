// Products of every kind against NumPy's results in reference/products.txt: value, shape and type,
// through operands that lie row by row, column by column and backwards.
#include <broadloom/broadloom.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>

#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/reference.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor;

namespace {

/// The next array of a record whose type is known.
template <class T>
Tensor<T> read(std::istringstream& words) {
    std::string shape, values;
    words >> shape >> values;
    Tensor<T> x = bl::empty<T>(reference::shape(shape));
    const std::string bytes = reference::native_bytes<T>(reference::bytes(values));
    REQUIRE(bytes.size() == static_cast<std::size_t>(x.size()) * sizeof(T));
    if (!bytes.empty()) std::memcpy(x.data(), bytes.data(), bytes.size());
    return x;
}

/// The same elements laid out in another way.
template <class T>
Tensor<T> laid(const Tensor<T>& x, int way) {
    if (way == 1) return x.transpose().copy().transpose();
    if (way == 2) return x.flip().copy().flip();
    return x;
}

template <class R>
auto number_or_tensor(R&& result) {
    if constexpr (bl::tensor_like<R>) return bl::eval(std::forward<R>(result));
    else return Tensor<std::remove_cvref_t<R>>(bl::full({}, result));
}

/// Contractions take one way for all integers, but for those of one byte.
template <class T>
constexpr bool has_a_way =
    !std::is_integral_v<T> || std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint32_t>;

enum class Types { all, one_of_each_way };

/// Compares `f` with the records of an operation; how many there were comes back.
template <Types Compared = Types::one_of_each_way, class F>
int compare(const std::string& operation, F&& f) {
    std::ifstream in = reference::open("products.txt");
    int compared = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, parameter, type;
        words >> name >> parameter >> type;
        if (name != operation) continue;
        reference::with_type(type, [&](auto tag) {
            using T = typename decltype(tag)::type;
            constexpr bool taken = Compared == Types::all || has_a_way<T>;
            if constexpr (taken && !std::is_same_v<T, bool>) {
                const Tensor<T> x = read<T>(words), y = read<T>(words);
                std::string result_type;
                words >> result_type;
                REQUIRE(result_type == type);
                const Tensor<T> expected = read<T>(words);
                INFO(line.substr(0, 200));
                for (const int way : {0, 1, 2}) {
                    const auto result =
                        number_or_tensor(f(laid(x, way), laid(y, 2 - way), parameter));
                    REQUIRE(std::is_same_v<std::remove_cvref_t<decltype(result)>, Tensor<T>>);
                    REQUIRE(result.shape() == expected.shape());
                    REQUIRE(naive::equal(result, expected));
                }
                ++compared;
            }
        });
    }
    return compared;
}

}  // namespace

TEST_CASE("matmul gives what NumPy gives, whatever the ranks, extents and types") {
    CHECK(compare<Types::all>("matmul", [](const auto& x, const auto& y, const std::string&) {
              return bl::matmul(x, y);
          }) > 250);
}

TEST_CASE("dot, outer and tensordot give what NumPy gives") {
    CHECK(compare("dot", [](const auto& x, const auto& y, const std::string&) {
              return bl::dot(x, y);
          }) == 18);
    CHECK(compare("outer", [](const auto& x, const auto& y, const std::string&) {
              return bl::outer(x, y);
          }) == 12);
    CHECK(compare("tensordot", [](const auto& x, const auto& y, const std::string& count) {
              return bl::tensordot(x, y, std::stoi(count));
          }) == 30);
}

TEST_CASE("einsum gives what NumPy gives") {
    CHECK(compare("einsum", [](const auto& x, const auto& y, const std::string& equation) {
              return bl::einsum(equation, x, y);
          }) == 84);
}
