// Tiles of a reduction: whatever is read in what pieces, elements are joined in one order, a result
// does not depend on its neighbours, and nothing is read that cannot matter.
#include "broadloom/kernel/fold/reduction.hpp"

#include <limits>
#include <vector>

#include "broadloom/operations/argreduce.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/operations/math.hpp"
#include "broadloom/operations/reduce.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/folds.hpp"
#include "support/settings.hpp"

namespace bl = broadloom;
namespace kernel = broadloom::kernel;
using bl::index_t, bl::Tensor;
using folds::awkward;
using naive::same_bits;
using settings::Restore;

TEST_CASE("Rows of differences have the same bits whether or not an operand is packed once") {
    const Restore restore;
    int level = 0;
    for (const index_t coordinates :
         {2, 3, 4, 5, 16, 17, 63, 64, 65, 96, 127, 200, 255, 256, 257}) {
        for (const index_t others : {1, 31, 32, 33, 200, 1500}) {
            for (const index_t points : {1, 2, 5}) {
                kernel::set_isa(level++ % 3);
                const auto x = awkward({points, 1, coordinates}, 8),
                           y = awkward({1, others, coordinates}, 9),
                           turned = awkward({1, coordinates, others}, 10);
                const Tensor<float> apart = bl::square(x - y),
                                    wide = x - y(bl::all, bl::all, bl::range({}, {}, -1)),
                                    flat = x * turned.swap_axes(1, 2);
                const bool same =
                    same_bits(bl::sum(bl::square(x - y), -1), bl::sum(apart, -1)) &&
                    same_bits(bl::sum(bl::square(x - y), 1), bl::sum(apart, 1)) &&
                    same_bits(bl::max(x - y(bl::all, bl::all, bl::range({}, {}, -1)), -1),
                              bl::max(wide, -1)) &&
                    same_bits(bl::mean(x * turned.swap_axes(1, 2), -1), bl::mean(flat, -1)) &&
                    naive::equal(bl::argmin(bl::square(x - y), -1), bl::argmin(apart, -1)) &&
                    naive::equal(bl::any_of(x == y, -1), bl::any_of(apart == 0.0F, -1));
                if (!same)
                    FAIL(points << " and " << others << " points of " << coordinates
                                << " coordinates");
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Rows that lie across memory have the bits of rows that lie along it") {
    const Restore restore;
    int level = 0;
    const Tensor<float> middle = bl::full<float>({}, 1.5F);
    for (const index_t length : {2, 31, 63, 64, 65, 96, 127, 511, 512, 513, 1100, 1999}) {
        for (const index_t columns : {1, 2, 3, 16, 31, 32, 33, 63, 64, 65, 200, 1100}) {
            kernel::set_isa(level++ % 3);
            const auto x = awkward({2, length, columns + 5}, 11);
            // Side by side, with gaps, backwards, and a few of a batch.
            const Tensor<float> whole = x(bl::all, bl::all, bl::range(0, columns));
            const auto check = [&](const bl::TensorView<const float>& turned) {
                const Tensor<float> flat = turned;
                const Tensor<double> wide = flat;
                const Tensor<int> counts = bl::round(flat).cast<int>();
                const auto across =
                    [](const auto& along) -> Tensor<bl::element_t<decltype(along)>> {
                    return along.swap_axes(-1, -2);
                };
                const auto turned_wide = across(wide);
                const auto turned_counts = across(counts);
                return same_bits(bl::sum(turned, -1), bl::sum(flat, -1)) &&
                       same_bits(bl::mean(turned, -1), bl::mean(flat, -1)) &&
                       same_bits(bl::max(turned, -1), bl::max(flat, -1)) &&
                       same_bits(bl::sum(turned * flat, -1), bl::sum(flat * flat, -1)) &&
                       same_bits(bl::sum(bl::square(turned - middle), -1),
                                 bl::sum(bl::square(flat - middle), -1)) &&
                       same_bits(bl::sum(bl::exp(turned), -1), bl::sum(bl::exp(flat), -1)) &&
                       naive::equal(bl::argmax(turned, -1), bl::argmax(flat, -1)) &&
                       naive::equal(bl::any_of(turned > 9.9F, -1), bl::any_of(flat > 9.9F, -1)) &&
                       naive::equal(bl::prod(turned_wide.swap_axes(-1, -2), -1),
                                    bl::prod(wide, -1)) &&
                       naive::equal(bl::sum(turned_counts.swap_axes(-1, -2), -1),
                                    bl::sum(counts, -1)) &&
                       naive::equal(bl::mean(turned_counts.swap_axes(-1, -2), -1),
                                    bl::mean(counts, -1));
            };
            const bool same = check(whole.swap_axes(1, 2)) && check(whole[1].transpose()) &&
                              check(x(bl::all, bl::all, bl::range(5, {})).swap_axes(1, 2)) &&
                              check(x[0](bl::range({}, {}, -1), bl::range(0, columns)).transpose());
            if (!same) FAIL(columns << " columns of " << length << " rows");
        }
    }
    SUCCEED();
}

TEST_CASE("Permuted operands have the bits of their copies, whatever is fetched ahead") {
    static constexpr kernel::detail::Streaming calls{
        .prefetched_pieces = 1, .read_in_order = 1, .turned = 1};
    const Restore restore;
    const std::vector<index_t> orders[] = {{0, 3, 1, 2}, {0, 2, 3, 1}, {0, 2, 1, 3}, {3, 2, 1, 0},
                                           {3, 0, 2, 1}, {1, 0, 3, 2}, {2, 3, 0, 1}, {2, 0, 1, 3}};
    int level = 0;
    for (const bl::Shape& shape :
         {bl::Shape{3, 12, 17, 48}, bl::Shape{5, 70, 4, 33}, bl::Shape{2, 130, 64, 3},
          bl::Shape{20, 6, 16, 40}, bl::Shape{16, 5, 3, 40}}) {
        const auto x = awkward(shape, 12);
        for (const std::vector<index_t>& order : orders) {
            const auto turned = x.permute(order);
            const Tensor<float> copy = turned.copy();
            for (int axes = 1; axes < 16; ++axes) {
                std::vector<int> reduced;
                for (int axis = 0; axis < 4; ++axis) {
                    if ((axes >> axis & 1) != 0) reduced.push_back(axis);
                }
                const Tensor<float> sums = bl::sum(copy, reduced), most = bl::max(copy, reduced),
                                    squares = bl::sum(copy * copy, reduced);
                kernel::set_isa(level++ % 3);
                const auto is_same = [&] {
                    return same_bits(bl::sum(turned, reduced), sums) &&
                           same_bits(bl::max(turned, reduced), most) &&
                           same_bits(bl::sum(turned * turned, reduced), squares);
                };
                bool same = is_same();
                const settings::Streams streams(calls);
                same = is_same() && same;
                if (!same) FAIL(shape[1] << " in the middle, over axes " << axes);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("What is packed for one batch does not serve another") {
    for (const index_t coordinates : {2, 16, 63, 64, 100}) {
        for (const index_t others : {32, 100}) {
            const auto x = awkward({3, 4, 1, coordinates}, 8),
                       y = awkward({3, 1, others, coordinates}, 9),
                       z = awkward({2, 1, 1, others, coordinates}, 10);
            const Tensor<float> apart = x - y, squares = bl::square(x - y),
                                twice = bl::square(x - z);
            CHECK(same_bits(bl::sum(bl::square(x - y), -1), bl::sum(squares, -1)));
            CHECK(same_bits(bl::max(x - y, -1), bl::max(apart, -1)));
            CHECK(same_bits(bl::sum(bl::square(x - z), -1), bl::sum(twice, -1)));
            CHECK(same_bits(bl::sum(bl::square(x - z), {1, -1}), bl::sum(twice, {1, -1})));
        }
    }
}

TEST_CASE("Short rows of few groups between reduced axes are one long row each") {
    const Restore restore;
    int level = 0;
    const auto check = [&]<class T>(T) {
        for (const bl::Shape& shape : {bl::Shape{70, 20, 40}, bl::Shape{130, 5, 3},
                                       bl::Shape{33, 50, 70}, bl::Shape{3, 9, 1, 13, 2}}) {
            kernel::set_isa(level++ % 3);
            const Tensor<T> x = bl::cast<T>(awkward(shape, 12));
            const bl::Axes outer{0, shape.rank() == 5 ? 3 : 2};
            const Tensor<T> across = x.swap_axes(0, -1);
            INFO(bl::detail::text(shape));
            const auto sums = bl::sum(x, outer);
            CHECK(naive::equal(bl::sum(across.swap_axes(0, -1), outer), sums));
            CHECK(naive::equal(bl::sum(x * x, outer), bl::sum(bl::eval(x * x), outer)));
            if (shape.rank() > 3 || shape[1] > 20 || std::is_same_v<T, double>) continue;
            for (index_t g = 0; g < shape[1]; ++g) {
                const Tensor<T> row = x(bl::all, g).copy().reshape({-1});
                CHECK(bl::sum(row) == sums(g));
                CHECK(bl::max(row) == bl::max(x, outer)(g));
            }
        }
    };
    check(float{});
    check(double{});
    check(std::int8_t{});
}

TEST_CASE("Long rows with gaps between them are folded where they lie, with the bits of a copy") {
    const Restore restore;
    // From fewer rows of vectors than a block has to many blocks, with and without a rest.
    const auto check = [](auto zero, const bl::Shape& shape, const bl::Axes& axes) {
        using T = decltype(zero);
        Tensor<T> wide = bl::empty<T>({shape[0], shape[1], shape[2] + 3});
        index_t i = 0;
        for (T& element : wide) element = static_cast<T>(++i * 2654435761 % 1000) / T(7);
        const auto x = wide(bl::ellipsis, bl::range(2, 2 + shape[2]));
        const Tensor<T> copy = x.copy();
        const bool same = same_bits(bl::sum(x, axes), bl::sum(copy, axes)) &&
                          same_bits(bl::sum(x.flip(0), axes), bl::sum(copy.flip(0).copy(), axes)) &&
                          same_bits(bl::max(x, axes), bl::max(copy, axes));
        if (!same) FAIL(bl::detail::text(shape));
    };
    for (const index_t columns : {500, 1023, 1024, 2047, 2048, 2049, 2560, 4097, 9001}) {
        for (int level = 0; level <= 2; ++level) {
            for (int threads = 1; threads <= 3; threads += 2) {
                kernel::set_isa(level);
                bl::set_num_threads(threads);
                check(float{}, {1, 7, columns}, {0, 1, 2});
                check(double{}, {3, 2, columns}, {1, 2});
                check(std::int32_t{}, {2, 3, columns}, {0, 1, 2});
                check(std::uint8_t{}, {5, 4, 4 * columns}, {1, 2});
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Windows are folded in place with the bits of windows side by side") {
    const Restore restore;
    int level = 0;
    const auto check = [&]<class T>(T) {
        for (const index_t columns : {3, 6, 12, 40, 150}) {
            const Tensor<T> x = bl::cast<T>(awkward({20, columns + 9}, 13));
            for (const bl::Shape& window : {bl::Shape{1, 5}, bl::Shape{3, 3}, bl::Shape{7, 10},
                                            bl::Shape{10, 10}, bl::Shape{2, 1}}) {
                kernel::set_isa(level++ % 3);
                const Tensor<T> weights = bl::cast<T>(awkward(window, 14));
                for (const index_t step : {1, 2}) {
                    const auto there =
                        x.windows(window)(bl::range({}, {}, step), bl::range({}, {}, step));
                    const Tensor<T> apart = there;
                    const Tensor<T> products = apart * weights;
                    const bl::Axes axes{-2, -1};
                    const bool same =
                        naive::equal(bl::sum(there, axes), bl::sum(apart, axes)) &&
                        naive::equal(bl::max(there, axes), bl::max(apart, axes)) &&
                        naive::equal(bl::sum(there, -1), bl::sum(apart, -1)) &&
                        naive::equal(bl::sum(there * weights, axes), bl::sum(products, axes)) &&
                        naive::equal(bl::all_of(there > T{3}, axes),
                                     bl::all_of(apart > T{3}, axes));
                    if (!same) FAIL(columns << " columns, windows of " << bl::detail::text(window));
                }
            }
        }
    };
    check(float{});
    check(double{});
    check(std::int8_t{});
}

TEST_CASE("Columns that go backwards or in steps are those of a copy") {
    const Restore restore;
    const auto check = []<class T>(T) {
        for (const index_t length : {9, 36, 70, 200, 600}) {
            for (const index_t columns : {20, 133}) {
                const Tensor<T> x = bl::cast<T>(awkward({2, length, 2 * columns}, 15));
                for (const index_t step : {-1, -2, 2}) {
                    const auto turned =
                        x(bl::all, bl::all, bl::range({}, {}, step)).swap_axes(1, 2);
                    const Tensor<T> flat = turned;
                    for (int level = 0; level < 3; ++level) {
                        kernel::set_isa(level);
                        const bool same =
                            naive::equal(bl::sum(turned, -1), bl::sum(flat, -1)) &&
                            naive::equal(bl::max(turned, -1), bl::max(flat, -1)) &&
                            naive::equal(bl::sum(turned * turned, -1), bl::sum(flat * flat, -1));
                        if (!same) FAIL(length << " rows, step " << step << ", level " << level);
                    }
                }
            }
        }
    };
    check(float{});
    check(double{});
    check(std::int16_t{});
}

TEST_CASE("Columns too many for a tile are those of a copy, whatever loops their rows are of") {
    const Restore restore;
    const Tensor<float> x = awkward({5, 600, 37}, 16), y = awkward({600}, 17);
    const auto turned = x.swap_axes(1, 2), wide = x(bl::all, bl::range({}, {}, 2)).swap_axes(1, 2);
    const Tensor<float> flat = turned, half = wide;
    for (const int threads : {1, 2}) {
        bl::set_num_threads(threads);
        CHECK(same_bits(bl::sum(turned, {0, 1}), bl::sum(flat, {0, 1})));
        CHECK(same_bits(bl::sum(wide, {0, 1}), bl::sum(half, {0, 1})));
        CHECK(same_bits(bl::sum(turned * y, {0, 1}), bl::sum(flat * y, {0, 1})));
        CHECK(same_bits(bl::sum(turned * flat, {0, 1}), bl::sum(flat * flat, {0, 1})));
    }
}

TEST_CASE("The bits of a result do not depend on its neighbours") {
    // One group of a batch, or one column of many, is summed as it would be alone.
    const auto x = awkward({40, 37, 5}, 6);
    const auto rows = bl::sum(x, 1), all = bl::sum(x, {1, 2});
    for (const index_t i : {0, 1, 17, 39}) {
        CHECK(same_bits(bl::sum(x[i], 0), rows[i].copy()));
        CHECK(same_bits(bl::sum(x(bl::range(i, i + 1)), {1, 2}), all(bl::range(i, i + 1)).copy()));
    }
}

TEST_CASE("Groups of few rows have the bits that they have alone, in place or not") {
    const auto check = []<class T>(T) {
        for (const index_t columns : {32, 33, 70, 100, 129, 200}) {
            for (const index_t rows : {1, 2, 3, 4, 5, 11, 16, 17}) {
                const auto whole = bl::cast<T>(awkward({9, rows, columns + 3}, 7)).copy();
                for (const auto& x :
                     {whole.view(), whole(bl::all, bl::all, bl::range(2, columns))}) {
                    const auto sums = bl::sum(x, 1), products = bl::sum(x * x, 1);
                    const auto means = bl::cast<T>(bl::mean(x, 1)).copy();
                    for (const index_t g : {0, 4, 8}) {
                        CAPTURE(columns, rows, g);
                        CHECK(same_bits(sums[g].copy(), bl::sum(x[g], 0)));
                        CHECK(same_bits(products[g].copy(), bl::sum(x[g] * x[g], 0)));
                        CHECK(same_bits(means[g].copy(), bl::cast<T>(bl::mean(x[g], 0)).copy()));
                    }
                }
            }
        }
    };
    const Restore restore;
    for (int level = 0; level < 3; ++level) {
        kernel::set_isa(level);
        check(float{});
        check(double{});
        check(std::int16_t{});
    }
    kernel::set_isa(2);
    const auto x = awkward({3000, 5, 70}, 8);
    const auto alone = bl::sum(x, 1);
    bl::set_num_threads(3);
    CHECK(same_bits(bl::sum(x, 1), alone));
}

TEST_CASE("Rows of small elements that fill less than two vectors are folded in any number") {
    const auto check = []<class T>(T) {
        for (const index_t columns : {65, 100, 127, 128, 200, 255}) {
            for (const index_t rows : {1, 63, 64, 127, 128, 129, 400}) {
                Tensor<T> x = bl::empty<T>({rows, columns});
                Tensor<T> largest = bl::empty<T>({rows});
                using Sum = decltype(bl::sum(x));
                Tensor<Sum> sums = bl::zeros<Sum>({rows});
                for (index_t i = 0; i < rows; ++i) {
                    largest(i) = 0;
                    for (index_t j = 0; j < columns; ++j) {
                        x(i, j) = static_cast<T>((i * 31 + j * 17) % 101);
                        largest(i) = x(i, j) > largest(i) ? x(i, j) : largest(i);
                        sums(i) += static_cast<Sum>(x(i, j));
                    }
                }
                INFO(rows << " x " << columns);
                CHECK(naive::equal(bl::max(x, 1), largest));
                CHECK(naive::equal(bl::max(x.copy().transpose().copy(), 0), largest));
                CHECK(naive::equal(bl::sum(x, 1), sums));
            }
        }
    };
    check(std::int8_t{});
    check(std::int16_t{});
    check(float{});
}

TEST_CASE("Short rows too few for a vector have the bits they have alone") {
    for (const index_t columns : {1, 2, 4, 5, 17, 33, 50, 63}) {
        for (index_t rows = 1; rows <= 35; ++rows) {
            const auto x = awkward({rows, columns}, 11), pairs = awkward({rows, columns, 3}, 12);
            const auto sums = bl::sum(x, 1), squares = bl::sum(x * x, 1),
                       of_pairs = bl::sum(pairs, 1);
            bool same = true;
            for (index_t i = 0; i < rows; ++i) {
                const auto row = bl::range(i, i + 1);
                same = same && same_bits(bl::sum(x(row), 1), sums(row).copy()) &&
                       same_bits(bl::sum(x(row) * x(row), 1), squares(row).copy()) &&
                       same_bits(bl::sum(pairs(row), 1), of_pairs(row).copy());
            }
            INFO(rows << " x " << columns);
            CHECK(same);
        }
    }
}

namespace {
struct alignas(64) Line {
    float values[16];
};
struct Twelve {
    float values[12];
    Twelve() = default;
    Twelve(int value) {
        for (float& v : values) v = static_cast<float>(value);
    }
    friend Twelve operator+(Twelve a, const Twelve& b) {
        for (int i = 0; i < 12; ++i) a.values[i] += b.values[i];
        return a;
    }
};
}  // namespace

TEST_CASE("Elements of a whole line are packed to where lines begin, whatever they are summed as") {
    Tensor<Line> x = bl::empty<Line>({300, 3});
    for (index_t i = 0; i < x.size(); ++i) {
        for (int k = 0; k < 16; ++k) x.data()[i].values[k] = static_cast<float>(i + k);
    }
    const auto taken = [](const Line& line) {
        Twelve result;
        for (int k = 0; k < 12; ++k) result.values[k] = line.values[k];
        return result;
    };
    const Tensor<Twelve> sums = bl::sum(bl::map(taken, x.transpose()), 1);
    for (int k = 0; k < 12; ++k) {
        CHECK(sums.data()[2].values[k] == static_cast<float>(300 * (2 + k) + 3 * 300 * 299 / 2));
    }
}

TEST_CASE("A fold stops reading when nothing can change any more") {
    index_t seen = 0;
    const auto watch = [&seen](bool v) {
        ++seen;
        return v;
    };
    const auto x = bl::zeros<bool>({1000000});
    CHECK(!bl::any_of(bl::map(watch, x)));
    CHECK(seen == 1000000);
    seen = 0;
    CHECK(!bl::all_of(bl::map(watch, x)));
    CHECK(seen < 100000);
    const bool no = false;
    const index_t most = std::numeric_limits<index_t>::max();
    CHECK(!bl::all_of(bl::TensorView<const bool>(&no, bl::Shape{most}, bl::Strides{0})));
}
