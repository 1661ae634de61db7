// What describe_plan tells of an expression: its loops, its strides, how each operand is read, and
// with which instructions.
#include "broadloom/kernel/describe.hpp"

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Shape, bl::Tensor;
using Catch::Matchers::ContainsSubstring;
using settings::Restore;

namespace {

int lines(const std::string& text) {
    int count = 1;
    for (const char c : text) count += c == '\n';
    return count;
}

}  // namespace

TEST_CASE("Loops, strides and access are told, operand by operand") {
    const Restore restore;
    kernel::set_isa(0);
    const Tensor<float> x = bl::ones<float>({400, 300}), row = bl::ones<float>({300}),
                        column = bl::ones<float>({400, 1});
    const std::string told = bl::describe_plan(x * row + column);
    CHECK_THAT(told, ContainsSubstring("shape (400, 300)"));
    CHECK_THAT(told, ContainsSubstring("loops (400, 300)"));
    CHECK_THAT(told, ContainsSubstring("target: 4 bytes, strides (300, 1), direct"));
    CHECK_THAT(told, ContainsSubstring("operand 0: 4 bytes, strides (300, 1), direct"));
    CHECK_THAT(told, ContainsSubstring("operand 1: 4 bytes, strides (0, 1), direct"));
    CHECK_THAT(told, ContainsSubstring("operand 2: 4 bytes, strides (1, 0), constant"));
    CHECK_THAT(told, ContainsSubstring("baseline, 1 thread"));
    CHECK(lines(told) == 7);
}

TEST_CASE("A transposed operand is packed, a short one too") {
    const Tensor<double> x = bl::ones<double>({300, 400}), y = bl::ones<double>({400, 300});
    CHECK_THAT(bl::describe_plan(x.transpose() + y),
               ContainsSubstring("operand 0: 8 bytes, strides"));
    CHECK_THAT(bl::describe_plan(x.transpose() + y),
               ContainsSubstring("rows, in tiles of 32 x 300") &&
                   ContainsSubstring("packed into the target\noperand 1"));
    const Tensor<float> image = bl::ones<float>({64, 64, 3}), scale = bl::ones<float>({3});
    const std::string told = bl::describe_plan(image * scale);
    CHECK_THAT(told, ContainsSubstring("flat runs"));
    CHECK_THAT(told, ContainsSubstring("loops (4096, 3)"));
    CHECK_THAT(told, ContainsSubstring("operand 1: 4 bytes, strides (0, 1), packed"));
}

TEST_CASE("An operand that occurs twice is packed once") {
    const auto x = bl::ones<float>({300, 300}), y = bl::ones<float>({300, 300});
    CHECK_THAT(bl::describe_plan(x.transpose() * y * x.transpose()),
               ContainsSubstring("operand 2: 4 bytes, strides (1, 300), packed with operand 0"));
    CHECK_THAT(bl::describe_plan(x.transpose() * y.transpose()), !ContainsSubstring("packed with"));
}

TEST_CASE("Truths about transposed operands are scattered, these are not packed") {
    const Tensor<double> x = bl::ones<double>({300, 400});
    const std::string told = bl::describe_plan(x.transpose() < 1.0);
    CHECK_THAT(told, ContainsSubstring("target: 1 byte, strides (1, 300), scattered"));
    CHECK_THAT(told, ContainsSubstring("operand 0: 8 bytes, strides (400, 1), direct"));
}

TEST_CASE("So are results of two transposed operands, from flat tiles where rows are short") {
    const Tensor<float> x = bl::ones<float>({300, 400}), y = bl::zeros<float>({300, 400});
    const std::string told = bl::describe_plan(x.transpose() * y.transpose());
    CHECK_THAT(told, ContainsSubstring("target: 4 bytes, strides (1, 300), scattered"));
    CHECK_THAT(told, ContainsSubstring("operand 1: 4 bytes, strides (400, 1), direct"));
    const Tensor<float> u = bl::ones<float>({9000, 3}), v = bl::zeros<float>({9000, 3});
    const std::string flat = bl::describe_plan(u.transpose() * v.transpose());
    CHECK_THAT(flat, ContainsSubstring("target: 4 bytes, strides (1, 9000), scattered"));
    CHECK_THAT(flat, ContainsSubstring("operand 1: 4 bytes, strides (3, 1), direct"));
}

TEST_CASE("Columns are computed where they lie, unless much is made of them or they are turned") {
    Tensor<float> x = bl::ones<float>({3000, 400});
    const std::string told = bl::describe_plan(x(bl::all, bl::range(0, 400, 60)) + 1.0F);
    CHECK_THAT(told, ContainsSubstring("one by one"));
    CHECK_THAT(told, ContainsSubstring("operand 0: 4 bytes, strides (400, 60), direct"));
    CHECK_THAT(told, ContainsSubstring("baseline, 1 thread"));
    CHECK_THAT(bl::describe_plan(bl::exp(x(bl::all, bl::range(0, 400, 60)))),
               ContainsSubstring("packed"));
    CHECK_THAT(bl::describe_plan(x(bl::all, bl::range(0, 400, 2)) + 1.0F),
               ContainsSubstring("packed"));
    CHECK_THAT(bl::describe_plan(x.transpose() + 1.0F), ContainsSubstring("packed"));
    CHECK_THAT(bl::describe_plan(x.reshape({300, 10, 400}).permute({2, 0, 1}) + 1.0F),
               ContainsSubstring("packed"));
}

TEST_CASE("A copy whose axes change places is packed into the target") {
    const Tensor<float> x = bl::ones<float>({10, 20, 30, 40});
    const std::string told = bl::describe_plan(bl::cast<float>(x.permute({3, 1, 2, 0})));
    CHECK_THAT(told, ContainsSubstring("packed into the target"));
    CHECK_THAT(told, ContainsSubstring("operand 0: 4 bytes, strides (1, 40, 24000), packed"));
    CHECK_THAT(told, ContainsSubstring("baseline, 1 thread"));
}

TEST_CASE("An operand whose axes change places far outside is copied flat first") {
    const Tensor<float> x = bl::ones<float>({10, 20, 30, 40});
    const std::string told = bl::describe_plan(x.permute({3, 1, 2, 0}) + 1.0F);
    CHECK_THAT(told, ContainsSubstring("loops (240000,)"));
    CHECK_THAT(told,
               ContainsSubstring("operand 0: 4 bytes, strides (1,), direct from a flat copy"));
    const std::string row = bl::describe_plan(x.permute({3, 1, 2, 0}) * bl::ones<float>({10}));
    CHECK_THAT(row,
               ContainsSubstring("operand 0: 4 bytes, strides (10, 1), direct from a flat copy"));
    CHECK_THAT(row, !ContainsSubstring("operand 1: 4 bytes, strides (0, 1), direct from"));
    // Steps of a cache line are far enough in short rows.
    const Tensor<float> z = bl::ones<float>({11, 17, 3, 17, 2});
    CHECK_THAT(bl::describe_plan(z.permute({4, 1, 2, 3, 0}) + 1.0F),
               ContainsSubstring("flat copy"));
    // Not where rows are long.
    const Tensor<float> y = bl::ones<float>({40, 30, 20});
    CHECK_THAT(bl::describe_plan(y.transpose() + 1.0F), !ContainsSubstring("flat copy"));
}

TEST_CASE("Two columns are computed where they lie though they are nearer") {
    Tensor<float> x = bl::ones<float>({300, 400});
    const auto fourth = x(bl::all, bl::range(0, 400, 4)), third = x(bl::all, bl::range(0, 300, 3));
    CHECK_THAT(bl::describe_plan(fourth + fourth), ContainsSubstring("one by one"));
    CHECK_THAT(bl::describe_plan(fourth + third), ContainsSubstring("packed"));
    CHECK_THAT(bl::describe_plan(fourth + 1.0F), ContainsSubstring("packed"));
}

TEST_CASE("What lies flat is one run, and a few elements or none have no plan") {
    const Tensor<float> x = bl::ones<float>({20, 30});
    CHECK_THAT(bl::describe_plan(x + x), ContainsSubstring("1 flat run of 600"));
    CHECK_THAT(bl::describe_plan(bl::ones<float>({3}) + bl::ones<float>({3, 1})),
               ContainsSubstring("a few elements"));
    CHECK_THAT(bl::describe_plan(x + bl::ones<float>({20, 1})),
               ContainsSubstring("20 rows as they lie"));
    CHECK_THAT(bl::describe_plan(x + bl::ones<float>({30, 20}).transpose()),
               ContainsSubstring("packed"));
    CHECK_THAT(bl::describe_plan(bl::zeros<float>({0, 3}) + 1.0F),
               ContainsSubstring("nothing to compute"));
}

TEST_CASE("The instruction set and the threads are those in use") {
    const Restore restore;
    const Tensor<float> x = bl::ones<float>({2000, 3000});
    bl::set_num_threads(3);
    kernel::set_isa(1);
    const std::string told = bl::describe_plan(x + x);
    CHECK_THAT(told, ContainsSubstring(kernel::isa() == 1 ? "AVX2" : "baseline"));
    CHECK_THAT(told, ContainsSubstring("3 threads"));
    kernel::set_isa(2);
    // A function of the user's gets no instruction set that brings FMA along.
    const auto user = [](float v) { return v; };
    CHECK_THAT(bl::describe_plan(bl::map(user, x)), !ContainsSubstring("AVX-512"));
}

TEST_CASE("The instruction set is that of the loop which is taken") {
    const Restore restore;
    kernel::set_isa(2);
    if (kernel::isa() < 2) return;
    // Short rows of their own have no form for the widest vectors.
    const auto told = [](index_t rows) {
        return bl::describe_plan(bl::ones<float>({rows, 64}) + bl::ones<float>({rows, 1}));
    };
    CHECK_THAT(told(100), ContainsSubstring("100 rows as they lie"));
    CHECK_THAT(told(100), ContainsSubstring("AVX2"));
    CHECK_THAT(told(1000), ContainsSubstring("rows, in tiles of 1000 x 64"));
    CHECK_THAT(told(1000), ContainsSubstring("AVX2"));
}

TEST_CASE("What no memory could hold can be described") {
    const float one = 1;
    constexpr index_t n = index_t{1} << (4 * sizeof(index_t) - 2);
    const bl::TensorView<const float> flat(&one, Shape{2 * n, n}, bl::Strides{0, 0});
    CHECK_THAT(bl::describe_plan(flat + flat), ContainsSubstring("constant"));
    const bl::TensorView<const float> rows(&one, Shape{n, 1, n}, bl::Strides{0, 1, 0});
    CHECK_THAT(bl::describe_plan(rows * 2.0F), ContainsSubstring("1 thread"));
    const Tensor<double> column = bl::ones<double>({3, 1});
    const auto wide = column.broadcast_to({3, n * n});
    CHECK_THAT(bl::describe_plan(wide + 1.0), ContainsSubstring("3 x " + std::to_string(n * n)));
    // Bytes that cannot be counted: of a row that repeats, of steps, and of neighbours.
    using Element = std::array<float, 64>;
    const Element large{};
    const auto first = [](const Element& a, const Element&) { return a; };
    const index_t most = std::numeric_limits<index_t>::max() / 8;
    for (const auto& [shape, strides] : {std::pair{Shape{2, most}, bl::Strides{0, 1}},
                                         std::pair{Shape{300, 2}, bl::Strides{1, most}},
                                         std::pair{Shape{2, most, 2}, bl::Strides{1, 0, 7}},
                                         std::pair{Shape{most, 3}, bl::Strides{1, 0}}}) {
        const bl::TensorView<const Element> view(&large, shape, strides);
        CHECK_THAT(bl::describe_plan(bl::map(first, view, view)),
                   ContainsSubstring("operand 0: 256 bytes"));
    }
}

TEST_CASE("Large results of little work are written by half-width stores") {
    const Restore restore;
    kernel::set_isa(2);
    if (kernel::isa() < 2) return;
    const Tensor<float> large = bl::ones<float>({600, 600}), small = bl::ones<float>({60, 60});
    CHECK_THAT(bl::describe_plan(large / large), ContainsSubstring("AVX2"));
    CHECK_THAT(bl::describe_plan(small / small), ContainsSubstring("AVX-512"));
    CHECK_THAT(bl::describe_plan(small + small), ContainsSubstring("AVX2"));
    CHECK_THAT(bl::describe_plan(bl::exp(large)), ContainsSubstring("AVX-512"));
    CHECK_THAT(bl::describe_plan(large < 1.0F), ContainsSubstring("AVX-512"));
}

TEST_CASE("Describing computes nothing") {
    int calls = 0;
    const auto count = [&calls](double v) { return v + ++calls; };
    CHECK(!bl::describe_plan(bl::map(count, bl::ones<double>({100, 100}))).empty());
    CHECK(calls == 0);
}
