// Assignment and compound assignment through every kind of view write the elements that the view
// reads, and no others; and tensors and views are ranges of the standard library.
#include <algorithm>
#include <complex>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

#include "broadloom/operations/arithmetic.hpp"
#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/as_strided.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"

namespace bl = broadloom;
using bl::all;
using bl::ellipsis;
using bl::index_t;
using bl::newaxis;
using bl::range;
using bl::Shape;
using bl::Tensor;
using bl::TensorView;

namespace {

struct Kind {
    std::string name;
    std::function<TensorView<int>(Tensor<int>&)> make;
};

/// Views of a tensor of shape (2, 3, 4) in which no element repeats.
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> list = {
        {"view", [](Tensor<int>& x) { return x.view(); }},
        {"x[i]", [](Tensor<int>& x) { return x[1]; }},
        {"x[i][j]", [](Tensor<int>& x) { return x[-1][0]; }},
        {"integer", [](Tensor<int>& x) { return x(ellipsis, 2); }},
        {"range", [](Tensor<int>& x) { return x(all, range(1, {})); }},
        {"steps", [](Tensor<int>& x) { return x(all, all, range({}, {}, 2)); }},
        {"backwards", [](Tensor<int>& x) { return x(range({}, {}, -1), 1, range(3, 0, -2)); }},
        {"newaxis", [](Tensor<int>& x) { return x(newaxis, ellipsis, newaxis, 1); }},
        {"empty range", [](Tensor<int>& x) { return x(all, range(2, 2)); }},
        {"unsqueeze", [](Tensor<int>& x) { return x.unsqueeze(1); }},
        {"squeeze", [](Tensor<int>& x) { return x(range(0, 1)).squeeze(0); }},
        {"transpose", [](Tensor<int>& x) { return x.transpose(); }},
        {"permute", [](Tensor<int>& x) { return x.permute({1, 2, 0}); }},
        {"swap_axes", [](Tensor<int>& x) { return x.swap_axes(0, -1); }},
        {"move_axis", [](Tensor<int>& x) { return x.move_axis(0, 2); }},
        {"flip", [](Tensor<int>& x) { return x.flip(); }},
        {"flip one", [](Tensor<int>& x) { return x.flip(1); }},
        {"diagonal", [](Tensor<int>& x) { return x.diagonal(1, 1, 2); }},
        {"reshape", [](Tensor<int>& x) { return x.reshape({6, -1}); }},
        {"flatten", [](Tensor<int>& x) { return x.flatten(); }},
        {"as_strided", [](Tensor<int>& x) { return bl::as_strided(x, {3, 2}, {-2, 9}, 5); }},
        {"rank 0", [](Tensor<int>& x) { return x[1][2](3, ellipsis); }},
    };
    return list;
}

/// Applies `write` through a view, and `one` to the elements that the view shows: both must agree.
template <class Write, class One>
void check_write(Write&& write, One&& one) {
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        Tensor<int> x = bl::arange<int>(100, 124).reshape({2, 3, 4});
        std::vector<int> expected(x.begin(), x.end());
        // The view of the positions tells where each of its elements lies.
        Tensor<int> positions = bl::arange<int>(24).reshape({2, 3, 4});
        int n = 0;
        for (const int position : kind.make(positions)) {
            int& element = expected[static_cast<std::size_t>(position)];
            element = one(element, n++);
        }
        write(kind.make(x));
        CHECK(std::vector<int>(x.begin(), x.end()) == expected);
    }
}

Tensor<int> counted(const Shape& shape) {
    return bl::arange<int>(static_cast<int>(shape.size())).reshape(shape);
}

static_assert(std::random_access_iterator<Tensor<float>::iterator>);
static_assert(std::random_access_iterator<Tensor<float>::const_iterator>);
static_assert(std::random_access_iterator<TensorView<float>::iterator>);
static_assert(std::ranges::random_access_range<Tensor<float>>);
static_assert(std::ranges::random_access_range<const Tensor<bool>>);
static_assert(std::ranges::random_access_range<TensorView<float>>);
static_assert(std::ranges::random_access_range<const TensorView<const float>>);
static_assert(std::ranges::common_range<Tensor<float>>);
static_assert(std::ranges::sized_range<Tensor<float>>);
static_assert(std::sortable<Tensor<int>::iterator>);
static_assert(std::sortable<TensorView<double>::iterator>);
static_assert(!std::indirectly_writable<TensorView<const int>::iterator, int>);
static_assert(!std::indirectly_writable<Tensor<int>::const_iterator, int>);

}  // namespace

TEST_CASE("A number written through a view reaches the elements of the view") {
    check_write([](auto&& v) { v = 7; }, [](int, int) { return 7; });
    check_write([](auto&& v) { v.fill(-1); }, [](int, int) { return -1; });
    check_write([](auto&& v) { v += 5; }, [](int e, int) { return e + 5; });
    check_write([](auto&& v) { v -= 5; }, [](int e, int) { return e - 5; });
    check_write([](auto&& v) { v *= 3; }, [](int e, int) { return e * 3; });
    check_write([](auto&& v) { v /= 2; }, [](int e, int) { return e / 2; });
    check_write([](auto&& v) { v %= 7; }, [](int e, int) { return e % 7; });
    check_write([](auto&& v) { v &= 12; }, [](int e, int) { return e & 12; });
    check_write([](auto&& v) { v |= 3; }, [](int e, int) { return e | 3; });
    check_write([](auto&& v) { v ^= 6; }, [](int e, int) { return e ^ 6; });
    check_write([](auto&& v) { v <<= 2; }, [](int e, int) { return e << 2; });
    check_write([](auto&& v) { v >>= 1; }, [](int e, int) { return e >> 1; });
}

TEST_CASE("A tensor written through a view is met element by element, in row-major order") {
    check_write([](auto&& v) { v = counted(v.shape()); }, [](int, int n) { return n; });
    check_write([](auto&& v) { v = counted(v.shape()) * 2 + 1; },
                [](int, int n) { return 2 * n + 1; });
    check_write([](auto&& v) { v = counted(v.shape()).unsqueeze(0); },
                [](int, int n) { return n; });
    check_write([](auto&& v) { v += counted(v.shape()); }, [](int e, int n) { return e + n; });
    check_write([](auto&& v) { v *= 1 + counted(v.shape()); },
                [](int e, int n) { return e * (1 + n); });
    check_write([](auto&& v) { v -= v * 2; }, [](int e, int) { return -e; });
}

TEST_CASE("A view can be written from other elements of its own tensor") {
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        Tensor<int> x = bl::arange<int>(100, 124).reshape({2, 3, 4});
        TensorView<int> target = kind.make(x);
        const Tensor<int> before = target.flip().copy();
        target = target.flip();
        CHECK(bl::array_equal(target, before));
        target += target.flip();
        const Tensor<int> doubled = before + before.flip();
        CHECK(bl::array_equal(target, doubled));
    }
}

TEST_CASE("The standard algorithms work on tensors and views") {
    std::mt19937 engine(12);
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4});
        TensorView<int> view = kind.make(x);
        std::vector<int> values(view.begin(), view.end());
        std::shuffle(view.begin(), view.end(), engine);
        std::sort(values.begin(), values.end());
        std::sort(view.begin(), view.end());
        CHECK(std::equal(view.begin(), view.end(), values.begin(), values.end()));
        std::ranges::sort(view, std::ranges::greater{});
        CHECK(std::equal(values.rbegin(), values.rend(), view.begin(), view.end()));
        std::ranges::reverse(view);
        CHECK(std::ranges::is_sorted(view));
        CHECK(std::ranges::distance(view) == view.size());
        const int sum = std::accumulate(view.begin(), view.end(), 0);
        CHECK(sum == std::accumulate(values.begin(), values.end(), 0));
        const auto odd = [](int v) { return v % 2 != 0; };
        CHECK(std::ranges::count_if(view, odd) == std::ranges::count_if(values, odd));
        if (!values.empty()) {
            const auto found = std::ranges::lower_bound(view, values.back());
            CHECK(found - view.begin() == view.size() - 1);
            CHECK(view.begin()[view.size() - 1] == values.back());
            CHECK(*std::ranges::max_element(view) == values.back());
        }
    }
    Tensor<double> x = {{3, 1}, {2, 0}};
    std::ranges::sort(x);
    CHECK(bl::array_equal(x, Tensor<double>{{0, 1}, {2, 3}}));
    std::ranges::sort(x.transpose());
    CHECK(bl::array_equal(x, Tensor<double>{{0, 2}, {1, 3}}));
    std::ranges::copy(std::vector<double>{4, 5, 6, 7}, x.begin());
    CHECK(bl::array_equal(x, Tensor<double>{{4, 5}, {6, 7}}));
}

TEST_CASE("Views may lie wherever elements of their type may") {
    using T = std::complex<float>;  // of eight bytes, aligned to four
    std::vector<float> room(2 * 40 * 60 + 1);
    TensorView<T> x(reinterpret_cast<T*>(room.data() + 1), {40, 60}, {1, 40});
    const auto element = [](index_t i, index_t j) {
        return T(static_cast<float>(i), static_cast<float>(j));
    };
    for (index_t i = 0; i < 40; ++i)
        for (index_t j = 0; j < 60; ++j) x(i, j) = element(i, j);
    const Tensor<T> turned = x.copy();
    x = turned * T(2);
    for (index_t i = 0; i < 40; ++i) {
        for (index_t j = 0; j < 60; ++j)
            if (turned(i, j) != element(i, j) || x(i, j) != element(2 * i, 2 * j)) FAIL(i << j);
    }
    SUCCEED();
}
