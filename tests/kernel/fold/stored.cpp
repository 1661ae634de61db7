// What a folder calls for stored elements: columns at any distance, groups of a few, accumulators
// that are joined and finished; and what a folder knows of its fold.
#include "broadloom/kernel/fold/stored.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "broadloom/operations/math.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/scalar/monoid.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/same_bits.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
namespace fold = broadloom::scalar::fold;
using broadloom::index_t;
using kernel::Folder, kernel::Stack;

namespace {

constexpr index_t vector_bytes = 512;

template <class T>
const char* bytes_of(const T* x) {
    return reinterpret_cast<const char*>(x);
}
template <class T>
char* bytes_of(T* x) {
    return reinterpret_cast<char*>(x);
}

/// Distinct whole numbers, whose sums are exact.
std::vector<float> whole_numbers(index_t count) {
    std::vector<float> x(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 257);
    return x;
}

bool is_narrow(const Folder& folder) { return folder.columns == folder.large_columns; }

}  // namespace

TEST_CASE("A folder folds columns of any width, any number of rows and any distance") {
    const fold::sum f;
    const Folder folder = kernel::make_folder<float>(f);
    REQUIRE(folder.lanes == 32);
    for (const index_t width : {1, 5, 31, 32, 33, 70}) {
        for (const index_t gap : {0, 3}) {
            const index_t stride = width + gap;
            const std::vector<float> x = whole_numbers(80 * stride);
            for (index_t rows = 1; rows <= 80; ++rows) {
                alignas(64) char memory[10 * vector_bytes];
                Stack stack{memory, memory + vector_bytes, width, vector_bytes};
                folder.columns(&f, &stack, bytes_of(x.data()), stride, rows, 1, 0);
                const index_t lanes = folder.lanes;
                const index_t whole = width < lanes ? width : (width + lanes - 1) / lanes * lanes;
                kernel::detail::collapse(folder, stack, whole);
                std::vector<float> sums(static_cast<std::size_t>(width));
                kernel::detail::finish_vector(folder, memory, bytes_of(sums.data()), width, whole);
                index_t wrong = 0;
                for (index_t j = 0; j < width; ++j) {
                    float sum = 0;
                    for (index_t i = 0; i < rows; ++i)
                        sum += x[static_cast<std::size_t>(i * stride + j)];
                    if (sums[static_cast<std::size_t>(j)] != sum) ++wrong;
                }
                CAPTURE(width, gap, rows);
                CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("Short groups become a vector each, whatever the number of their rows") {
    const fold::sum f;
    const Folder folder = kernel::make_folder<float>(f);
    constexpr index_t lanes = 32, groups = 5;
    for (index_t rows = 1; rows <= 16; ++rows) {
        const index_t stride = rows * lanes + 7;
        const std::vector<float> x = whole_numbers(groups * stride);
        alignas(64) float sums[2 * groups * lanes];
        Stack stack{bytes_of(sums), bytes_of(sums + groups * lanes), lanes, lanes * 4};
        folder.columns(&f, &stack, bytes_of(x.data()), lanes, rows, groups, stride);
        index_t wrong = 0;
        for (index_t g = 0; g < groups; ++g) {
            for (index_t j = 0; j < lanes; ++j) {
                float sum = 0;
                for (index_t i = 0; i < rows; ++i)
                    sum += x[static_cast<std::size_t>(g * stride + i * lanes + j)];
                if (sums[g * lanes + j] != sum) ++wrong;
            }
        }
        CAPTURE(rows);
        CHECK(wrong == 0);
    }
}

TEST_CASE("Groups of few rows lie side by side, the last vector of each over the one before") {
    const settings::Restore restore;
    const fold::sum f;
    for (const int level : {1, 2}) {
        kernel::set_isa(level);
        if (BROADLOOM_X86 && kernel::isa() < level) continue;
        const Folder folder = kernel::make_folder<float>(f);
        REQUIRE(folder.overlaps);
        for (const index_t width : {32, 33, 50, 64, 95, 130}) {
            for (index_t rows = 1; rows <= 16; ++rows) {
                const index_t groups = rows % 4 + 1;
                const index_t stride = width + 2, group = rows * stride + 5;
                const std::vector<float> x = whole_numbers(groups * group);
                std::vector<float> sums(static_cast<std::size_t>(groups * width));
                Stack stack{bytes_of(sums.data()), nullptr, width, width * 4};
                folder.columns(&f, &stack, bytes_of(x.data()), stride, rows, groups, group);
                index_t wrong = 0;
                for (index_t k = 0; k < groups * width; ++k) {
                    float sum = 0;
                    for (index_t i = 0; i < rows; ++i) {
                        const index_t at = k / width * group + i * stride + k % width;
                        sum += x[static_cast<std::size_t>(at)];
                    }
                    if (sums[static_cast<std::size_t>(k)] != sum) ++wrong;
                }
                CAPTURE(level, width, rows);
                CHECK(wrong == 0);
            }
        }
    }
}

TEMPLATE_TEST_CASE("Few vectors give the bits of columns whose lanes are joined", "", float, double,
                   long double, std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
    using T = TestType;
    constexpr index_t groups = 19;
    naive::Random random(5);
    const auto compare = [&](const auto& f, index_t rows, index_t left, index_t gap) {
        const Folder folder = kernel::make_folder<T>(f);
        const index_t lanes = folder.lanes, bytes = lanes * folder.accumulator_bytes;
        const index_t stride = rows * lanes + left + gap;
        // Exactly as large as what is read.
        std::vector<T> x(static_cast<std::size_t>(groups * stride - gap));
        for (T& value : x) {
            if constexpr (std::is_floating_point_v<T>)
                value = static_cast<T>(random.bits() % 2001) / T(700) - T(1);
            else value = static_cast<T>(random.bits());
        }
        const auto room = static_cast<std::size_t>(3 * groups * bytes);
        std::vector<char> memory(room), few(room), columns(room);
        folder.few_vectors(&f, memory.data(), bytes_of(x.data()), stride, groups, rows, left,
                           few.data());
        Stack stack{memory.data(), memory.data() + 2 * groups * bytes, lanes, bytes};
        folder.columns(&f, &stack, bytes_of(x.data()), lanes, rows, groups, stride);
        folder.turns(&f, memory.data(), bytes_of(x.data() + rows * lanes), stride, groups, left, 1,
                     lanes, columns.data());
        CAPTURE(rows, left, gap);
        for (index_t g = 0; g < groups; ++g) {
            typename kernel::detail::FoldStored<std::decay_t<decltype(f)>, T>::A a{}, b{};
            const index_t at = g * folder.accumulator_bytes;
            std::memcpy(&a, few.data() + at, sizeof a);
            std::memcpy(&b, columns.data() + at, sizeof b);
            CHECK(a == b);
        }
    };
    const auto check = [&](const auto& f) {
        const Folder folder = kernel::make_folder<T>(f);
        REQUIRE(folder.few_vectors != nullptr);
        for (index_t rows = folder.any_order ? 1 : 2; rows <= 4; ++rows) compare(f, rows, 0, 3);
        if (!folder.takes_left) return;
        for (index_t rows = 2; rows <= 3; ++rows) {
            for (const index_t left : {index_t{1}, folder.lanes / 2 + 1, folder.lanes - 1}) {
                compare(f, rows, left, 0);
                compare(f, rows, left, 3);
            }
        }
    };
    check(fold::sum{});
    check(fold::largest{});
    check(fold::product{});
}

TEST_CASE("Groups of two, three and four elements are folded side by side") {
    const fold::largest f;
    const Folder folder = kernel::make_folder<std::int16_t>(f);
    const std::int16_t x[12] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, -5, 8};
    std::int16_t to[6] = {};
    folder.few(&f, bytes_of(x), 6, 2, bytes_of(to));
    CHECK((to[0] == 3 && to[1] == 4 && to[2] == 9 && to[3] == 2 && to[4] == 5 && to[5] == 8));
    folder.few(&f, bytes_of(x), 4, 3, bytes_of(to));
    CHECK((to[0] == 4 && to[1] == 9 && to[2] == 5 && to[3] == 8));
    folder.few(&f, bytes_of(x), 3, 4, bytes_of(to));
    CHECK((to[0] == 4 && to[1] == 9 && to[2] == 8));
}

TEST_CASE("Three elements are joined from the first on") {
    // 2^24 + 1 + 1 is 2^24 so, and 2^24 + 2 the other way round.
    const fold::sum f;
    const Folder folder = kernel::make_folder<float>(f);
    const float x[3] = {16777216.0F, 1.0F, 1.0F};
    float few = 0;
    folder.few(&f, bytes_of(x), 1, 3, bytes_of(&few));
    CHECK(few == 16777216.0F);

    float rows[3][32];
    for (float& value : rows[0]) value = x[0];
    for (float& value : rows[1]) value = x[1];
    for (float& value : rows[2]) value = x[2];
    alignas(64) float sums[64];
    Stack stack{bytes_of(sums), bytes_of(sums + 32), 32, 128};
    folder.columns(&f, &stack, bytes_of(&rows[0][0]), 32, 3, 1, 0);
    for (int j = 0; j < 32; ++j) CHECK(sums[j] == 16777216.0F);
}

TEST_CASE("Vectors of accumulators are joined and finished element by element") {
    const fold::sum f;
    const Folder sum = kernel::make_folder<std::uint8_t>(f);
    std::uint64_t a[3] = {1, 2, ~std::uint64_t{0}};
    const std::uint64_t b[3] = {10, 20, 2};
    REQUIRE(sum.accumulator_bytes == 8);
    sum.join(&f, bytes_of(a), bytes_of(b), 3);
    CHECK((a[0] == 11 && a[1] == 22 && a[2] == 1));
    CHECK(sum.finish == nullptr);
    CHECK(sum.any_order);
    CHECK(sum.decided == nullptr);
}

TEMPLATE_TEST_CASE("Complex numbers are added as pairs of real ones, in the order of formulas", "",
                   std::complex<float>, std::complex<double>) {
    // A formula's elements are added as complex numbers.
    const auto again = [](const auto& x) { return bl::conj(bl::conj(x)); };
    naive::Random random(3);
    for (const auto& shape :
         {bl::Shape{1}, bl::Shape{7}, bl::Shape{2500}, bl::Shape{40, 3}, bl::Shape{3, 40},
          bl::Shape{70, 130}, bl::Shape{5, 16, 9}, bl::Shape{300, 2, 33}, bl::Shape{2, 700, 5}}) {
        using Real = typename TestType::value_type;
        bl::Tensor<TestType> x = bl::empty<TestType>(shape);
        for (TestType& value : x) {
            value = TestType(static_cast<Real>(random.bits()) / Real(7),
                             static_cast<Real>(random.bits()) / Real(3));
        }
        const auto turned = x.move_axis(0, -1);
        CAPTURE(shape);
        CHECK(naive::same_bits(bl::sum(x), bl::sum(again(x))));
        for (index_t axis = 0; axis < shape.rank(); ++axis) {
            CHECK(naive::same_bits(bl::sum(x, axis), bl::sum(again(x), axis)));
            CHECK(naive::same_bits(bl::sum(turned, axis), bl::sum(again(turned), axis)));
        }
    }
}

TEST_CASE("Means of a power of two are those of a division, to the bit") {
    const auto check = []<class R>(R) {
        using Limits = std::numeric_limits<R>;
        const R sums[10] = {1,
                            -3,
                            R(0.1F),
                            -R(0),
                            Limits::max(),
                            Limits::min(),
                            3 * Limits::denorm_min(),
                            -Limits::denorm_min(),
                            Limits::infinity(),
                            Limits::quiet_NaN()};
        for (const std::ptrdiff_t count : {1, 2, 3, 4, 6, 7, 8, 64, 1000, 1024, 1 << 24}) {
            const fold::mean<R> f{fold::divisor<R>(count)};
            const Folder folder = kernel::make_folder<R>(f);
            R means[10];
            REQUIRE(folder.finish != nullptr);
            folder.finish(&f, bytes_of(sums), bytes_of(means), 10);
            CAPTURE(count);
            for (int i = 0; i < 9; ++i) {
                const R quotient = sums[i] / static_cast<R>(count);
                CHECK(std::memcmp(&means[i], &quotient, sizeof(R)) == 0);
            }
            CHECK(std::isnan(means[9]));
        }
    };
    check(float{});
    check(double{});
}

TEST_CASE("What is joined as it lies takes no wider vectors than its large results do") {
    const fold::sum sum;
    const fold::product product;
    const fold::largest largest;
    const fold::all all;
    const fold::sum_in<double> in_double;
    CHECK(is_narrow(kernel::make_folder<float>(sum)));
    CHECK(is_narrow(kernel::make_folder<std::int64_t>(sum)));
    CHECK(is_narrow(kernel::make_folder<double>(in_double)));
    CHECK(is_narrow(kernel::make_folder<float>(product)));
    CHECK(is_narrow(kernel::make_folder<int>(largest)));
    CHECK(is_narrow(kernel::make_folder<bool>(all)));
    const bool narrow = kernel::isa() < 2;
    CHECK(is_narrow(kernel::make_folder<int>(sum)) == narrow);
    CHECK(is_narrow(kernel::make_folder<float>(in_double)) == narrow);
    CHECK(is_narrow(kernel::make_folder<std::int64_t>(product)) == narrow);
    CHECK(is_narrow(kernel::make_folder<float>(largest)) == narrow);
    CHECK(is_narrow(kernel::make_folder<float>(all)) == narrow);
}

TEST_CASE("A folder knows whether its fold may end early and whether order shows") {
    const fold::any any;
    const Folder truths = kernel::make_folder<bool>(any);
    REQUIRE(truths.decided != nullptr);
    const bool yes = true, no = false;
    CHECK(truths.decided(&any, bytes_of(&yes)));
    CHECK_FALSE(truths.decided(&any, bytes_of(&no)));

    const fold::largest largest;
    const Folder extremes = kernel::make_folder<float>(largest);
    REQUIRE(extremes.shows_order != nullptr);
    const float plain[2] = {1, 2}, zero[2] = {1, 0};
    CHECK_FALSE(extremes.shows_order(bytes_of(plain), 2));
    CHECK(extremes.shows_order(bytes_of(zero), 2));
    CHECK_FALSE(extremes.any_order);
    CHECK(kernel::make_folder<std::int32_t>(largest).any_order);
}
