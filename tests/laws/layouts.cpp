// One function of three operands computes the same whatever the layouts of operands and target, for
// shapes that reach every way of cutting a loop nest into tiles, and for elements of any size.
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/present.hpp"

namespace bl = broadloom;
using bl::index_t, bl::IndexList, bl::Shape, bl::Tensor, bl::TensorView;
using naive::Presented, naive::Random, naive::Way;

namespace {

/// An element of any size, odd ones included.
template <std::size_t N>
struct Bytes {
    unsigned char value[N];
    friend bool operator==(const Bytes& a, const Bytes& b) { return naive::same_bits(a, b); }
};

/// x * y + z for numbers, and something of the kind for bytes.
template <class T>
struct Blend {
    T operator()(const T& x, const T& y, const T& z) const noexcept {
        return static_cast<T>(x * y + z);
    }
};
template <std::size_t N>
struct Blend<Bytes<N>> {
    Bytes<N> operator()(const Bytes<N>& x, const Bytes<N>& y, const Bytes<N>& z) const noexcept {
        Bytes<N> r{};
        for (std::size_t i = 0; i < N; ++i) {
            r.value[i] = static_cast<unsigned char>(x.value[i] * y.value[i] + z.value[i] +
                                                    static_cast<int>(i % 7));
        }
        return r;
    }
};

template <class T>
T make(Random& random) {
    return static_cast<T>(static_cast<float>(random(0, 9)));
}
template <class T>
    requires(!bl::arithmetic<T>)
T make(Random& random) {
    T x{};
    std::uint32_t bits = random.bits();
    for (unsigned char& byte : x.value) byte = static_cast<unsigned char>((bits += 37) >> 3);
    return x;
}

/// The library's own operators where the elements are numbers, else a function of the user.
template <class T>
auto blend(const Presented<T>& x, const Presented<T>& y, const Presented<T>& z) {
    if constexpr (bl::arithmetic<T>) return x.read() * y.read() + z.read();
    else return bl::map(Blend<T>{}, x.read(), y.read(), z.read());
}

/// How often random cases are tried: more on demand.
int effort() {
    const char* const wish = std::getenv("BROADLOOM_TEST_EFFORT");
    return wish != nullptr ? std::atoi(wish) : 1;
}

template <class T>
void check(const Shape& shape, const Presented<T>& x, const Presented<T>& y, const Presented<T>& z,
           Way way, Random& random) {
    bool fresh = true, strided = true, untouched = true;
    // A fresh result, and a target with a layout of its own, whose gaps must stay as they are.
    const Tensor<T> result = blend(x, y, z);
    Presented<T> target(shape, way, random, true);
    const T background = make<T>(random);
    target.fill([&] { return background; });
    target.view() = blend(x, y, z);
    fresh = result.shape() == shape;
    const T* at = result.data();
    naive::for_each_index(shape, [&](const IndexList& index) {
        const T expected = Blend<T>{}(x.at(index), y.at(index), z.at(index));
        fresh = fresh && *at++ == expected;
        strided = strided && target.at(index) == expected;
    });
    if (target.places() > shape.size()) {
        std::vector<char> reached(static_cast<std::size_t>(target.places()), 0);
        naive::for_each_index(shape, [&](const IndexList& index) {
            reached[static_cast<std::size_t>(&target.at(index) - &target.place(0))] = 1;
        });
        for (index_t i = 0; i < target.places(); ++i) {
            untouched = untouched && (reached[static_cast<std::size_t>(i)] != 0 ||
                                      target.place(i) == background);
        }
    }
    if (!fresh || !strided || !untouched) {
        FAIL((fresh ? "" : "the result is wrong ")
             << (strided ? "" : "the target is wrong ") << (untouched ? "" : "a gap is written ")
             << "at level " << bl::kernel::isa() << ", of elements of " << sizeof(T) << " bytes: "
             << x.text() << ", " << y.text() << ", " << z.text() << " into " << target.text());
    }
}

template <class T>
void check(const Shape& a, const Shape& b, const Shape& c, Way way_x, Way way_y, Way way_z,
           Way way_target, Random& random) {
    Shape common;
    REQUIRE(naive::common_shape({a, b, c}, common));
    Presented<T> x(a, way_x, random), y(b, way_y, random), z(c, way_z, random);
    const auto number = [&] { return make<T>(random); };
    check(common, x.fill(number), y.fill(number), z.fill(number), way_target, random);
}

/// Restores the instruction set at the end of a test.
struct AnyLevel {
    ~AnyLevel() { bl::kernel::set_isa(2); }
};

/// The patterns of practice: rows, columns, channels, transpositions, over every length of a run.
template <class T>
void check_rows_and_columns(const std::vector<index_t>& lengths) {
    const AnyLevel restore;
    Random random(1);
    int level = 0;
    for (const index_t n : lengths) {
        for (const index_t m : {1, 2, 3, 17, 130}) {
            if (n * m > 60000 / static_cast<index_t>(1 + sizeof(T) / 8)) continue;
            bl::kernel::set_isa(level++ % 3);
            const Shape whole{m, n}, row{n}, column{m, 1}, scalar{};
            check<T>(whole, row, column, Way::plain, Way::plain, Way::plain, Way::plain, random);
            check<T>(column, whole, row, Way::gaps, Way::transposed, Way::plain, Way::gaps, random);
            check<T>(row, scalar, whole, Way::reversed, Way::plain, Way::reversed, Way::transposed,
                     random);
            check<T>(whole, column, whole, Way::transposed, Way::plain, Way::transposed,
                     Way::reversed, random);
            check<T>(whole, whole, scalar, Way::expanded, Way::gaps, Way::plain, Way::plain,
                     random);
            check<T>(Shape{2, m, 1, n}, Shape{3, 1}, Shape{m, 3, 1}, Way::plain, Way::plain,
                     Way::plain, Way::plain, random);
        }
    }
}

/// Nests of up to six loops whose operands miss dimensions, expand, and lie in any order.
template <class T>
void check_any_nest(int rounds, index_t most_elements) {
    const AnyLevel restore;
    Random random(2);
    const index_t lengths[] = {1,  2,  3,  4,  5,   7,   8,   9,   15,  16,   17,  31,
                               32, 33, 64, 65, 100, 127, 128, 129, 200, 1000, 3000};
    for (int round = 0; round < rounds * effort(); ++round) {
        IndexList extents;
        index_t size = 1;
        const index_t rank = random(1, 6);
        for (index_t d = 0; d < rank; ++d) {
            index_t extent = lengths[random(0, d < 2 ? 22 : 9)];
            while (size * extent > most_elements) extent = (extent + 1) / 3;
            size *= extent > 0 ? extent : 1;
            extents.insert(random(0, extents.rank()), extent > 0 ? extent : 1);
        }
        const Shape shape(extents);
        // Operands: extents that become 1, leading dimensions that go. The first has them all.
        const auto operand = [&](bool whole) {
            if (whole) return shape;
            IndexList out = extents;
            for (index_t d = 0; d < out.rank(); ++d) {
                if (random(0, 2) == 0) out[d] = 1;
            }
            for (index_t drop = random(0, out.rank()); drop > 0; --drop) out.erase(0);
            return Shape(out);
        };
        const auto way = [&] {
            return random(0, 1) == 0 ? Way::random : naive::ways[random(0, 4)];
        };
        bl::kernel::set_isa(static_cast<int>(random(0, 2)));
        const Shape a = operand(true), b = operand(random(0, 3) == 0), c = operand(false);
        check<T>(a, b, c, way(), way(), way(), way(), random);
    }
}

std::vector<index_t> run_lengths() {
    std::vector<index_t> out;
    for (index_t n = 1; n <= 33; ++n) out.push_back(n);
    for (const index_t n : {64, 127, 128, 129, 130, 200, 1000, 3000, 20000}) out.push_back(n);
    return out;
}

}  // namespace

TEST_CASE("Elements of 1 byte are the same through any layout") {
    check_rows_and_columns<std::uint8_t>(run_lengths());
    check_any_nest<std::uint8_t>(150, 20000);
    SUCCEED();
}
TEST_CASE("Elements of 2 bytes are the same through any layout") {
    check_rows_and_columns<std::int16_t>({1, 2, 3, 5, 8, 16, 31, 64, 129, 1000});
    check_any_nest<std::int16_t>(100, 20000);
    SUCCEED();
}
TEST_CASE("Elements of 4 bytes are the same through any layout") {
    check_rows_and_columns<float>(run_lengths());
    check_any_nest<float>(150, 20000);
    SUCCEED();
}
TEST_CASE("Elements of 8 bytes are the same through any layout") {
    check_rows_and_columns<double>({1, 2, 3, 4, 7, 8, 15, 33, 64, 127, 128, 1000, 3000});
    check_any_nest<double>(100, 20000);
    SUCCEED();
}
TEST_CASE("Elements of 16 bytes are the same through any layout") {
    check_rows_and_columns<std::complex<double>>({1, 2, 3, 8, 17, 64, 130, 1000});
    check_any_nest<std::complex<double>>(80, 10000);
    SUCCEED();
}
TEST_CASE("Elements of an odd size are the same through any layout") {
    check_rows_and_columns<Bytes<3>>({1, 2, 3, 8, 21, 64, 130, 1000});
    check_any_nest<Bytes<3>>(80, 10000);
    SUCCEED();
}
TEST_CASE("Elements larger than a cache line are the same through any layout") {
    check_rows_and_columns<Bytes<200>>({1, 2, 7, 65, 130});
    check_any_nest<Bytes<200>>(40, 3000);
    SUCCEED();
}
TEST_CASE(
    "Elements so large that no tile fits the scratch memory are the same through any layout") {
    check_rows_and_columns<Bytes<3000>>({1, 2, 7, 65, 130});
    check_any_nest<Bytes<3000>>(15, 600);
    SUCCEED();
}

TEST_CASE("Operands and results of different sizes walk together") {
    const AnyLevel restore;
    Random random(3);
    for (int round = 0; round < 200; ++round) {
        const Shape shape{random(1, 40), random(1, 9), random(1, 140)};
        const Shape b{shape[1], 1}, c{shape[2]};
        bl::kernel::set_isa(static_cast<int>(random(0, 2)));
        Presented<std::uint8_t> x(shape, Way::random, random);
        Presented<double> y(b, Way::random, random);
        Presented<bool> z(c, Way::random, random);
        x.fill([&] { return make<std::uint8_t>(random); });
        y.fill([&] { return make<double>(random); });
        z.fill([&] { return random(0, 1) == 0; });
        Presented<bool> target(shape, Way::random, random, true);
        target.view() = (x.read() * z.read()) < y.read();
        bool same = true;
        naive::for_each_index(shape, [&](const IndexList& index) {
            same = same && target.at(index) == (x.at(index) * int{z.at(index)} < y.at(index));
        });
        if (!same)
            FAIL(x.text() << ", " << y.text() << ", " << z.text() << " into " << target.text());
    }
}

TEST_CASE("Results larger than the caches are the same as small ones") {
    const AnyLevel restore;
    int level = 0;
    const auto check_large = [&level](const Shape& shape, auto one, const Shape& row) {
        using T = decltype(one);
        const auto value = [](index_t i, index_t step) {
            return static_cast<T>(static_cast<float>(i % step));
        };
        Tensor<T> x = bl::empty<T>(shape), y = bl::empty<T>(row);
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = value(i, 101);
        for (index_t i = 0; i < y.size(); ++i) y.data()[i] = value(i, 7);
        bl::kernel::set_isa(level++ % 3);
        // One place further, so that nothing is aligned.
        Tensor<T> memory = bl::zeros<T>({shape.size() + 2});
        TensorView<T>(memory.data() + 1, shape, bl::detail::row_major(shape)) = x + y;
        const index_t across = shape[1];
        const bool column = row[row.rank() - 1] == 1;
        index_t wrong = 0;
        for (index_t i = 0; i < shape[0]; ++i) {
            const T *from = x.data() + i * across, *to = memory.data() + 1 + i * across;
            for (index_t j = 0; j < across; ++j)
                wrong += to[j] != static_cast<T>(from[j] + y.data()[column ? i : j]);
        }
        CHECK(wrong == 0);
        CHECK(memory.data()[0] == T(0));
        CHECK(memory.data()[shape.size() + 1] == T(0));
    };
    check_large(Shape{1300, 2601}, 1.0F, Shape{2601});
    check_large(Shape{1300, 2601}, 1.0F, Shape{1300, 1});
    check_large(Shape{450001, 7}, 1.0F, Shape{7});
    check_large(Shape{450001, 7}, 1.0F, Shape{450001, 1});
    check_large(Shape{5001, 2601}, std::uint8_t(1), Shape{2601});
}
