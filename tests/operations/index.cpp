// Indexing with several tensors against NumPy's results in reference/index.txt, and what it
// refuses.
#include "broadloom/operations/index.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "broadloom/operations/compare.hpp"
#include "broadloom/tensor/create.hpp"
#include "support/catch.hpp"
#include "support/indexing.hpp"

namespace bl = broadloom;
using bl::all;
using bl::Duplicates;
using bl::ellipsis;
using bl::index_t;
using bl::newaxis;
using bl::range;
using bl::Shape;
using bl::Tensor;
using indexing::Array;

namespace {

/// A word of reference/index.txt as the library takes it: calls `f` with it.
template <class F>
void with_word(const std::string& word, const std::map<std::string, Array>& arrays, F&& f) {
    if (word == ":") return f(all);
    if (word == "1:") return f(range(1, {}));
    if (word == "::-1") return f(range({}, {}, -1));
    if (word == "...") return f(ellipsis);
    if (word == "newaxis") return f(newaxis);
    if (word == "0") return f(0);
    if (word == "-1") return f(-1);
    const Array& array = arrays.at(word);
    if (word == "m" || word == "row") return f(array.tensor<bool>());
    // An index tensor of index_t's own type would be looked at where it lies, and gone by then.
    f(array.tensor<std::int16_t>());
}

/// The words as a list the library plans with: what `index` makes of its arguments.
struct Words : bl::detail::WordList<bl::index_t> {
    Words(const std::string& text, const std::map<std::string, Array>& arrays);
};
Words::Words(const std::string& text, const std::map<std::string, Array>& arrays)
    : WordList(static_cast<std::size_t>(bl::max_rank)) {
    std::istringstream in(text);
    std::string word;
    while (std::getline(in, word, ';')) {
        with_word(word, arrays, [&](auto&& value) { add(std::move(value)); });
    }
}

}  // namespace

TEST_CASE("indexing with tensors, masks and other words selects and writes what NumPy does") {
    std::map<std::string, Array> arrays;
    std::mt19937 engine(6);
    int compared = 0;
    for (const auto& record : indexing::records("index.txt")) {
        if (record.name == "array") {
            arrays[record.word("name")] = record.array("value");
            continue;
        }
        CAPTURE(record.line);
        const Array x = arrays.at("x");
        const Array result = record.array("result");
        Tensor<int> source = indexing::counted(result.shape).tensor<int>();
        source = -source;
        for (const bool strange : {false, true}) {
            const Tensor<int> from =
                strange ? indexing::scrambled(x.tensor<int>(), engine) : x.tensor<int>();
            Words words(record.word("words"), arrays);
            const auto plan =
                bl::detail::plan_picking(bl::Layout{from.shape(), from.strides(), 0}, words);
            CHECK(indexing::equal(bl::detail::fetch(plan.walk, from.data(),
                                                    bl::detail::Index(plan.offsets), plan.shape),
                                  result));
            Tensor<int> to = from;
            if (strange) to = indexing::scrambled(from, engine);
            Words again(record.word("words"), arrays);
            bl::detail::put(to.view(), source, Duplicates::last, again);
            CHECK(indexing::equal(to, record.array("written")));
        }
        ++compared;
    }
    CHECK(compared > 40);
}

TEST_CASE("index and its member take words of all kinds, temporaries and expressions") {
    const Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4});
    const Tensor<int> i = {0, 1}, j = {2, 0};
    CHECK(bl::array_equal(x.index(i, j), Tensor<int>{{8, 9, 10, 11}, {12, 13, 14, 15}}));
    CHECK(bl::array_equal(bl::index(x, i, j, -1), Tensor<int>{11, 15}));
    CHECK(bl::array_equal(bl::index(x, i, all, j), Tensor<int>{{2, 6, 10}, {12, 16, 20}}));
    CHECK(bl::array_equal(bl::index(x * 2, i + 0, 1 - i, range(3, {})), Tensor<int>{{14}, {30}}));
    CHECK(bl::array_equal(x(0, all).index(all, j), Tensor<int>{{2, 0}, {6, 4}, {10, 8}}));
    CHECK(bl::array_equal(x.index(x > 20), Tensor<int>{21, 22, 23}));
    CHECK(bl::array_equal(x.index(0, ellipsis, 1), Tensor<int>{1, 5, 9}));
    CHECK(x.index().shape() == Shape{2, 3, 4});
    CHECK(bl::arange<int>(5).index(Tensor<int>{{4}, {-5}}).shape() == Shape{2, 1});
    CHECK(x.index(bl::zeros<int>({0}), all).shape() == Shape{0, 3, 4});
    CHECK(bl::zeros<int>({3, 0}).index(Tensor<int>{1}).shape() == Shape{1, 0});
    CHECK(x.index(bl::zeros<bool>({2, 3})).shape() == Shape{0, 4});
}

TEST_CASE("indices may stand in braces, and in a row of the standard library wherever they are") {
    Tensor<int> x = bl::arange<int>(12).reshape({3, 4});
    const std::vector<int> i = {2, 0};
    const std::array<std::size_t, 2> j = {3, 1};
    CHECK(bl::array_equal(x.index({2, -3}), Tensor<int>{{8, 9, 10, 11}, {0, 1, 2, 3}}));
    CHECK(bl::array_equal(bl::index(x, {1}), Tensor<int>{{4, 5, 6, 7}}));
    CHECK(bl::array_equal((x + 1).index({1}), Tensor<int>{{5, 6, 7, 8}}));
    CHECK(bl::array_equal(x.index(i, j), Tensor<int>{11, 1}));
    CHECK(bl::array_equal(x.index(all, j), Tensor<int>{{3, 1}, {7, 5}, {11, 9}}));
    CHECK(x.index(std::vector<int>{}).shape() == Shape{0, 4});
    CHECK_THROWS_AS(x.index({0, 3}), bl::index_error);
    CHECK_THROWS_AS(x.index(i, std::vector<int>{0, 0, 0}), bl::shape_error);
    bl::index_put_(x, -1, i, j);
    bl::index_put_(x, 10, bl::Duplicates::add, 1, std::vector<int>{0, 0});
    CHECK(bl::array_equal(x, Tensor<int>{{0, -1, 2, 3}, {24, 5, 6, 7}, {8, 9, 10, -1}}));
    bl::index_put_(x, Tensor<int>{{1}, {2}}, {-1, 0});
    CHECK(bl::array_equal(x, Tensor<int>{{2, 2, 2, 2}, {24, 5, 6, 7}, {1, 1, 1, 1}}));
}

TEST_CASE(
    "one index tensor and a mask of the tensor's own shape select what the plan for many does") {
    const auto planned = [](const auto& x, const auto&... words) {
        bl::detail::WordList<index_t> list((bl::detail::words_of(words) + ... + 0));
        (list.add(words), ...);
        const auto plan = bl::detail::plan_picking({x.shape(), x.strides(), 0}, list);
        return bl::detail::fetch(plan.walk, x.data(), bl::detail::Index(plan.offsets), plan.shape);
    };
    const auto check = [&](const auto& x, const auto&... words) {
        const auto expected = planned(x, words...);
        const auto result = bl::index(x, words...);
        CHECK(result.shape() == expected.shape());
        CHECK(bl::array_equal(result, expected));
    };
    const auto check_types = [&](const auto& x, auto&& with) {
        const Tensor<int> i = {{0, 1, -1}, {1, -2, 0}};
        with(x, i);
        with(x, bl::eval(bl::cast<std::int64_t>(i)));
        with(x, bl::eval(bl::cast<std::int8_t>(i)));
        with(x, Tensor<std::uint8_t>{{0, 1, 1}, {1, 0, 0}});
        with(x, i.transpose());
        with(x, bl::zeros<int>({0}));
        with(x, bl::zeros<int>({}));
    };
    const Tensor<int> whole = bl::arange<int>(120).reshape({2, 3, 4, 5});
    const auto with_views = [&](const auto& x) {
        check_types(x, [&](const auto& y, const auto& i) {
            check(y, i);
            check(y, all, i);
            check(y, ellipsis, i);
            check(y, range({}, {}, -1), i, newaxis, range(1, {}));
            check(y, newaxis, range(1, 1), i, all, newaxis, ellipsis);
            check(y, ellipsis, i, newaxis, range({}, {}, 2));
        });
        check(x, Tensor<bool>(x > 50));
        check(x, Tensor<bool>(x < 0));
    };
    check(whole, Tensor<bool>{true, false}, 0);
    with_views(whole);
    with_views(whole.transpose());
    with_views(whole.flip());
    with_views(whole(all, all, all, 1).broadcast_to({2, 2, 3, 4}));
    check(whole(all, all, range(2, 2)), Tensor<int>{1, 0, -1});
    check(whole(all, all, range(2, 2)), all, Tensor<int>{1, 0, -1}, newaxis);

    const auto message = [&](auto&& f) {
        try {
            f();
        } catch (const bl::index_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Tensor<int> far = {0, 9};
    CHECK(message([&] { (void)bl::index(whole, newaxis, all, far); }) ==
          "index 9 is out of bounds for axis 1 with size 3");
    CHECK(message([&] { (void)bl::index(whole, ellipsis, far, newaxis, all); }) ==
          message([&] { planned(whole, ellipsis, far, newaxis, all); }));

    for (const auto policy : {Duplicates::last, Duplicates::first, Duplicates::error,
                              Duplicates::add, Duplicates::max}) {
        Tensor<int> x = whole;
        bl::index_put_(x, 7, policy, x % 3 == 0);
        CHECK(bl::array_equal(x, bl::map(
                                     [&](int v) {
                                         if (v % 3 != 0) return v;
                                         if (policy == Duplicates::add) return v + 7;
                                         return policy == Duplicates::max ? std::max(v, 7) : 7;
                                     },
                                     whole)));
    }
}

TEST_CASE("what an index refuses changes nothing") {
    Tensor<int> x = bl::arange<int>(12).reshape({3, 4});
    const Tensor<int> before = x;
    const Tensor<int> outside = {0, 3}, fine = {0, 1, 2};
    CHECK_THROWS_AS(x.index(outside), bl::index_error);
    CHECK_THROWS_AS(x.index(all, Tensor<int>{-5}), bl::index_error);
    CHECK_THROWS_AS(x.index(fine, Tensor<int>{0, 1}), bl::shape_error);
    CHECK_THROWS_AS(x.index(fine, fine, fine), bl::index_error);
    CHECK_THROWS_AS(x.index(fine, 4), bl::index_error);
    CHECK_THROWS_AS(x.index(Tensor<std::uint64_t>{~std::uint64_t{0}}), bl::index_error);
    CHECK_THROWS_AS(x.index(bl::ones<bool>({1, 4})), bl::shape_error);
    CHECK_THROWS_AS(bl::index_put_(x, 1, outside), bl::index_error);
    CHECK_THROWS_AS(bl::index_put_(x, Tensor<int>{1, 2}, fine), bl::shape_error);
    CHECK_THROWS_AS(bl::index_put_(x, 1, Duplicates::error, Tensor<int>{0, 0}, 1), bl::index_error);
    CHECK(bl::array_equal(x, before));
}

TEST_CASE("index_put_ broadcasts its source and has a policy for duplicates") {
    Tensor<int> x = bl::zeros<int>({3, 3});
    const Tensor<int> i = {0, 0, 2}, j = {1, 1, 0};
    bl::index_put_(x, 1, Duplicates::add, i, j);
    CHECK(bl::array_equal(x, Tensor<int>{{0, 2, 0}, {0, 0, 0}, {1, 0, 0}}));
    bl::index_put_(x, Tensor<int>{7, 8, 9}, Duplicates::first, i, j);
    CHECK(bl::array_equal(x, Tensor<int>{{0, 7, 0}, {0, 0, 0}, {9, 0, 0}}));
    bl::index_put_(x, Tensor<int>{7, 8, 9}, i, j);
    CHECK(bl::array_equal(x, Tensor<int>{{0, 8, 0}, {0, 0, 0}, {9, 0, 0}}));
    bl::index_put_(x, Tensor<int>{10, 20, 30}, Duplicates::mean, i, j);
    CHECK(bl::array_equal(x, Tensor<int>{{0, 12, 0}, {0, 0, 0}, {19, 0, 0}}));
    bl::index_put_(x, -1, x == 0);
    CHECK(bl::array_equal(x, Tensor<int>{{-1, 12, -1}, {-1, -1, -1}, {19, -1, -1}}));
    bl::index_put_(x.transpose(), Tensor<int>{{{1}, {2}, {3}}}, all, Tensor<int>{1});
    CHECK(bl::array_equal(x, Tensor<int>{{-1, 12, -1}, {1, 2, 3}, {19, -1, -1}}));
    bl::index_put_(x, 5, 0);
    CHECK(bl::array_equal(x(0, all), Tensor<int>{5, 5, 5}));
}

TEST_CASE("where a target of index_put_ is source or word too, these count as they were") {
    Tensor<int> x = {1, 2, 0, 3};
    bl::index_put_(x, x.flip(), x);
    CHECK(bl::array_equal(x, Tensor<int>{2, 3, 0, 1}));
}

TEST_CASE("A contract refuses no number among the words, nor one as source of scatter") {
    const bl::broadcast_guard guard(bl::broadcast_policy::exact);
    Tensor<int> x = {{1, 2, 3}, {4, 5, 6}};
    CHECK(bl::array_equal(bl::index(x, 0, Tensor<int>{0, 2}), Tensor<int>{1, 3}));
    bl::index_put_(x, 9, 1, Tensor<int>{0, 1});
    bl::scatter_add_(x, 0, Tensor<int>{{0, 1, 0}}, 5);
    bl::index_add_(x, 0, Tensor<int>{1, 0}, Tensor<int>{{1, 0, 0}, {0, 0, 1}});
    CHECK(bl::array_equal(x, Tensor<int>{{6, 2, 9}, {10, 14, 6}}));
}

TEST_CASE("A mask of rank 0 makes a dimension, of one element or of none") {
    const Tensor<bool> yes = bl::full({}, true), no = bl::full({}, false);
    Tensor<int> five = bl::full({}, 5);
    CHECK(bl::array_equal(bl::index(five, yes), Tensor<int>{5}));
    CHECK(bl::index(five, no).shape() == Shape{0});
    const Tensor<int> x = bl::arange(6).reshape({2, 3});
    CHECK(bl::array_equal(bl::index(x, yes), x.unsqueeze(0)));
    CHECK(bl::index(x, no).shape() == Shape{0, 2, 3});
    CHECK(bl::array_equal(bl::index(x, all, yes), x.unsqueeze(1)));
    CHECK(bl::array_equal(bl::index(x, yes, Tensor<int>{1, 0}), x.flip(0)));
    CHECK(bl::index(x, yes, all, Tensor<int>{1, 0}).shape() == Shape{2, 2});
    bl::index_put_(five, 7, yes);
    bl::index_put_(five, 9, no);
    CHECK(five.item() == 7);
}
