#include "broadloom/core/iterator.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "broadloom/core/view.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace bl = broadloom;
using bl::index_t, bl::Iterator, bl::Shape, bl::Strides;

namespace {

static_assert(std::random_access_iterator<Iterator<int>>);
static_assert(std::random_access_iterator<Iterator<const bool>>);
static_assert(std::is_trivially_copyable_v<Iterator<int>>);
static_assert(std::is_same_v<std::iter_reference_t<Iterator<bool>>, bool&>);
static_assert(std::is_same_v<std::iter_value_t<Iterator<const int>>, int>);

constexpr bool elements_come_in_row_major_order() {
    const int data[6] = {0, 1, 2, 3, 4, 5};
    const Shape shape{3, 2};
    const Strides strides{1, 3};  // the transpose of (2, 3)
    const Iterator<const int> begin(data, &shape, &strides, 0), end(data, &shape, &strides, 6);
    const int expected[6] = {0, 3, 1, 4, 2, 5};
    int i = 0;
    for (auto it = begin; it != end; ++it) {
        if (*it != expected[i++]) return false;
    }
    return i == 6 && end - begin == 6 && begin[3] == 4 && *(end - 1) == 5;
}
static_assert(elements_come_in_row_major_order());

constexpr bool a_rank_zero_layout_has_one_element() {
    const int data = 7;
    const Shape shape{};
    const Strides strides{};
    Iterator<const int> it(&data, &shape, &strides, 0);
    const Iterator<const int> end(&data, &shape, &strides, 1);
    const bool first = *it == 7 && it != end;
    ++it;
    return first && it == end && *--it == 7;
}
static_assert(a_rank_zero_layout_has_one_element());

}  // namespace

TEST_CASE("Iterators are the same at run time") {
    CHECK(elements_come_in_row_major_order());
    CHECK(a_rank_zero_layout_has_one_element());
}

TEST_CASE("A walk over any layout meets the elements of its offsets") {
    naive::Random random(1);
    std::vector<int> memory(400);
    std::iota(memory.begin(), memory.end(), 0);
    for (int round = 0; round < 2000; ++round) {
        const Shape shape = random.shape(4, 4);
        Strides strides;
        for (index_t d = 0; d < shape.rank(); ++d) strides.push_back(random(-12, 12));
        const bl::TensorView<int> x(memory.data() + 200, shape, strides);
        const std::vector<int> expected = naive::values(x);
        const std::vector<int> walked(x.begin(), x.end());
        CHECK(walked == expected);
        CHECK(x.end() - x.begin() == shape.size());

        // Back again, and in random jumps.
        std::vector<int> back;
        for (auto it = x.end(); it != x.begin();) back.push_back(*--it);
        std::reverse(back.begin(), back.end());
        CHECK(back == expected);
        if (expected.empty()) continue;
        auto it = x.begin();
        index_t at = 0;
        for (int jump = 0; jump < 10; ++jump) {
            const index_t next = random(0, shape.size());
            it += next - at;
            at = next;
            CHECK(it - x.begin() == at);
            if (at < shape.size()) {
                CHECK(*it == expected[static_cast<std::size_t>(at)]);
                // After a jump single steps go on from there.
                auto step = it;
                ++step;
                if (at + 1 < shape.size())
                    CHECK(*step == expected[static_cast<std::size_t>(at) + 1]);
                else CHECK(step == x.end());
            }
        }
    }
}

TEST_CASE("A walk backwards meets the same elements, across the ends of runs") {
    std::vector<int> memory(60);
    std::iota(memory.begin(), memory.end(), 0);
    for (const Strides& strides : {Strides{20, 5, 1}, Strides{20, 4, 2}, Strides{5, 0, -1},
                                   Strides{0, 0, 0}, Strides{1, 3, 12}}) {
        const bl::TensorView<const int> view(memory.data() + 4, Shape{3, 4, 5}, strides);
        const std::vector<int> there(view.begin(), view.end());
        std::vector<int> back;
        for (auto i = view.end(); i != view.begin();) back.insert(back.begin(), *--i);
        CHECK(back == there);
        auto middle = view.begin() + 25;
        for (index_t step = 0; step < 7; ++step) --middle;
        for (index_t step = 0; step < 4; ++step) ++middle;
        CHECK(*middle == there[22]);
        CHECK(*--++middle == there[22]);
    }
}

TEST_CASE("Algorithms of the standard work through a strided view") {
    std::vector<int> memory = {5, 9, 3, 9, 8, 9, 1, 9, 2, 9};
    bl::TensorView<int> even(memory.data(), Shape{5}, Strides{2});
    std::sort(even.begin(), even.end());
    CHECK(memory == std::vector<int>{1, 9, 2, 9, 3, 9, 5, 9, 8, 9});
    CHECK(std::lower_bound(even.begin(), even.end(), 4) - even.begin() == 3);
    std::reverse(even.begin(), even.end());
    CHECK(memory[0] == 8);
    CHECK(*std::max_element(even.begin(), even.end()) == 8);
}

TEST_CASE("Iterators compare by position") {
    std::vector<int> memory(6);
    const bl::TensorView<int> x(memory.data(), Shape{2, 3}, Strides{3, 1});
    CHECK(x.begin() < x.end());
    CHECK(x.begin() + 6 == x.end());
    CHECK(2 + x.begin() == x.begin() + 2);
    CHECK((x.begin() <=> x.begin() + 1) == std::strong_ordering::less);
    auto it = x.begin();
    CHECK(it++ == x.begin());
    CHECK(it-- == x.begin() + 1);
    CHECK(it == x.begin());
    CHECK(Iterator<int>() == Iterator<int>());
}

TEST_CASE("An iterator that writes becomes one that reads, and is compared with it") {
    std::vector<int> memory = {1, 2, 3};
    const bl::TensorView<int> x(memory.data(), Shape{3}, Strides{1});
    const bl::TensorView<const int> y = x;
    const Iterator<const int> second = x.begin() + 1;
    CHECK(*second == 2);
    CHECK(x.begin() == y.begin());
    CHECK(x.begin() < y.end());
    CHECK(y.end() - x.begin() == 3);
    static_assert(!std::is_convertible_v<Iterator<const int>, Iterator<int>>);
}
