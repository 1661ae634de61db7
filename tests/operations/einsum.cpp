// einsum against its definition: loops over all labels. Written here: a reader of plain equations
// (letters, commas, an arrow) and nothing else.
#include "support/catch.hpp"
#include "support/extents.hpp"
#include "support/naive.hpp"

#include <broadloom/broadloom.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bl = broadloom;
using bl::index_t, bl::Shape, bl::Tensor;
using Catch::Matchers::ContainsSubstring;

namespace {

using Labels = std::vector<std::string>;

Tensor<double> by_definition(const Labels& inputs, const std::string& output,
                             const std::vector<Tensor<double>>& operands) {
    std::map<char, index_t> extents;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t d = 0; d < inputs[i].size(); ++d) {
            const index_t extent = operands[i].shape()[static_cast<index_t>(d)];
            index_t& have = extents.emplace(inputs[i][d], extent).first->second;
            if (have == 1) have = extent;
        }
    }
    bl::IndexList shape;
    for (const char c : output) shape.push_back(extents[c]);
    Tensor<double> result = bl::zeros<double>(Shape(shape));
    std::map<char, index_t> at;
    for (const auto& [label, extent] : extents) {
        if (extent == 0) return result;
        at[label] = 0;
    }
    for (;;) {
        double product = 1;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            index_t offset = 0;
            for (std::size_t d = 0; d < inputs[i].size(); ++d) {
                const auto axis = static_cast<index_t>(d);
                if (operands[i].shape()[axis] != 1) {
                    offset += at[inputs[i][d]] * operands[i].strides()[axis];
                }
            }
            product *= operands[i].data()[offset];
        }
        index_t place = 0;
        for (std::size_t d = 0; d < output.size(); ++d) {
            place += at[output[d]] * result.strides()[static_cast<index_t>(d)];
        }
        result.data()[place] += product;
        auto label = at.begin();
        for (; label != at.end(); ++label) {
            if (++label->second < extents[label->first]) break;
            label->second = 0;
        }
        if (label == at.end()) return result;
    }
}

struct Sample {
    const char* equation;
    Labels inputs;
    std::string output;
};

}  // namespace

TEST_CASE("einsum computes what its equation says") {
    const std::vector<Sample> samples = {
        {"ij,jk->ik", {"ij", "jk"}, "ik"},
        {"ij,jk", {"ij", "jk"}, "ik"},
        {"ij,jk->ki", {"ij", "jk"}, "ki"},
        {"bij,bjk->bik", {"bij", "bjk"}, "bik"},
        {"ij,ij->", {"ij", "ij"}, ""},
        {"ij,ij->ij", {"ij", "ij"}, "ij"},
        {"i,j->ij", {"i", "j"}, "ij"},
        {"i,i", {"i", "i"}, ""},
        {"ii->i", {"ii"}, "i"},
        {"ii", {"ii"}, ""},
        {"iij->j", {"iij"}, "j"},
        {"ijk->kji", {"ijk"}, "kji"},
        {"ba", {"ba"}, "ab"},
        {"ij,jk,kl->il", {"ij", "jk", "kl"}, "il"},
        {"ijk,ilm,njm,nlk,abc->", {"ijk", "ilm", "njm", "nlk", "abc"}, ""},
        {"ab,bc,ca->abc", {"ab", "bc", "ca"}, "abc"},
        {"aab,bc->ac", {"aab", "bc"}, "ac"},
        {"bhqd,bhkd->bhqk", {"bhqd", "bhkd"}, "bhqk"},
        {"ijl,kl->ijk", {"ijl", "kl"}, "ijk"},
        {"a,ab,abc->abc", {"a", "ab", "abc"}, "abc"},
        {"jz, J z -> J j", {"jz", "Jz"}, "Jj"},
        {"i->", {"i"}, ""},
        {"ij->i", {"ij"}, "i"},
        {"ij,k->j", {"ij", "k"}, "j"},
    };
    for (const index_t variant : {0, 1, 2}) {
        for (const Sample& sample : samples) {
            std::vector<Tensor<double>> operands;
            std::vector<char> broadcast_seen;
            index_t seed = variant;
            for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
                const std::string& labels = sample.inputs[i];
                bl::IndexList extents;
                for (const char c : labels) {
                    index_t extent = 2 + (c * 5 + variant) % 3;
                    // Extents of 1 broadcast, where the label does not stand twice.
                    const bool single = labels.find(c) == labels.rfind(c);
                    if (variant == 1 && single && (i + static_cast<std::size_t>(c)) % 3 == 0)
                        extent = 1;
                    if (variant == 2 && c == 'j') extent = 0;
                    extents.push_back(extent);
                }
                Tensor<double> x = bl::empty<double>(Shape(extents));
                for (double& e : x) e = static_cast<double>((seed += 7) % 13 - 6);
                operands.push_back(x);
            }
            const Tensor<double> expected = by_definition(sample.inputs, sample.output, operands);
            INFO(sample.equation << " variant " << variant);
            const auto run = [&] {
                switch (operands.size()) {
                    case 1: return bl::einsum(sample.equation, operands[0]);
                    case 2: return bl::einsum(sample.equation, operands[0], operands[1]);
                    case 3:
                        return bl::einsum(sample.equation, operands[0], operands[1], operands[2]);
                    default:
                        return bl::einsum(sample.equation, operands[0], operands[1], operands[2],
                                          operands[3], operands[4]);
                }
            };
            const Tensor<double> actual = run();
            REQUIRE(actual.shape() == expected.shape());
            CHECK(naive::equal(actual, expected));
        }
    }
}

TEST_CASE("An implied result has its letters in the order from A to z") {
    const Tensor<int> x = {{1, 2}, {3, 4}};
    CHECK(naive::equal(bl::einsum("zA", x), Tensor<int>{{1, 3}, {2, 4}}));
}

TEST_CASE("einsum counts the lists of labels before it looks at any") {
    const Tensor<double> x = bl::ones<double>({3, 4});
    CHECK_THROWS_WITH(bl::einsum("ij,jk,kl->il", x, x),
                      ContainsSubstring("more lists of labels than the 2 operands"));
    CHECK_THROWS_WITH(bl::einsum("ij->j", x, x),
                      ContainsSubstring("2 operands need as many lists of labels"));
    CHECK_THROWS_WITH(bl::einsum("ij", x, x), ContainsSubstring("2 operands"));
}

TEST_CASE("einsum takes more letters than dimensions, and products of many short vectors") {
    const auto ones = [](index_t rank) {
        return bl::ones<float>(bl::Shape(bl::IndexList::filled(rank, 1)));
    };
    CHECK(bl::einsum("abcdefghijklmnopqrst,uvwxyzABCDEFGHIJKLMN->", ones(20), ones(20)).item() ==
          1);
    naive::Random random(7);
    const auto check = [&]<class T>(T) {
        for (const index_t k : {0, 1, 2, 3, 9, 31, 200}) {
            Tensor<T> x = bl::empty<T>({4, k, 5}), y = bl::empty<T>({5, k});
            for (T& e : x) e = static_cast<T>(random(-9, 9));
            for (T& e : y) e = static_cast<T>(random(-9, 9));
            Tensor<T> w = bl::empty<T>({5, k, 4});
            for (T& e : w) e = static_cast<T>(random(-9, 9));
            const Tensor<T> z = bl::einsum("akb,bk->ba", x, y);
            // A vector and what no stride joins on both sides of it, long rows and crumbs.
            for (const index_t columns : {3, 40}) {
                Tensor<T> box = bl::empty<T>({3, k, columns});
                for (T& e : box) e = static_cast<T>(random(-9, 9));
                const auto vector = y[2];
                const Tensor<T> left = bl::einsum("k,akb->ab", vector, box);
                const Tensor<T> right = bl::einsum("akb,k->ba", box.flip(0), vector);
                const Tensor<T> dots = bl::tensordot(box, vector, 1, 0);
                for (index_t a = 0; a < 3; ++a) {
                    for (index_t b = 0; b < columns; ++b) {
                        int sum = 0;
                        for (index_t i = 0; i < k; ++i)
                            sum += static_cast<int>(box(a, i, b)) * static_cast<int>(vector(i));
                        CHECK(left(a, b) == static_cast<T>(sum));
                        CHECK(right(b, 2 - a) == static_cast<T>(sum));
                        CHECK(dots(a, b) == static_cast<T>(sum));
                    }
                }
            }
            // Each vector with its own partner, along rows and across them.
            const Tensor<T> across = bl::einsum("akb,bka->ba", x, w);
            const Tensor<T> along = bl::einsum("abk,bka->ba", x.swap_axes(1, 2).copy(), w);
            for (index_t a = 0; a < 4; ++a) {
                for (index_t b = 0; b < 5; ++b) {
                    int sum = 0;
                    for (index_t i = 0; i < k; ++i)
                        sum += static_cast<int>(x(a, i, b)) * static_cast<int>(y(b, i));
                    CHECK(z(b, a) == static_cast<T>(sum));
                    int own = 0;
                    for (index_t i = 0; i < k; ++i)
                        own += static_cast<int>(x(a, i, b)) * static_cast<int>(w(b, i, a));
                    CHECK(across(b, a) == static_cast<T>(own));
                    CHECK(along(b, a) == static_cast<T>(own));
                }
            }
        }
    };
    check(float{});
    check(double{});
    check(std::int8_t{});
}

TEST_CASE("an ellipsis stands for the dimensions without letters, aligned at the right") {
    const auto x = bl::arange<double>(2 * 3 * 4 * 5).reshape({2, 3, 4, 5});
    const auto y = bl::arange<double>(3 * 5 * 2).reshape({3, 5, 2});
    const auto z = bl::einsum("...ij,...jk->...ik", x, y);
    CHECK(naive::equal(z, bl::matmul(x, y)));
    CHECK(naive::equal(bl::einsum("...ij,...jk", x, y), z));
    CHECK(naive::equal(bl::einsum("i...->...i", x), x.permute({1, 2, 3, 0})));
    CHECK(naive::equal(bl::einsum("...", x), x));
    CHECK(naive::equal(bl::einsum("...i->...", x), bl::sum(x, -1)));
    const auto thin = y(bl::all, bl::newaxis, bl::all, 0);  // (3, 1, 5)
    CHECK(naive::equal(bl::einsum("...,...", x, thin), bl::eval(x * thin)));
}

TEST_CASE("a number is an operand without dimensions, which takes the others' type") {
    const Tensor<float> x = {{1, 2, 3}, {4, 5, 6}};
    const Tensor<float> thrice = bl::einsum("..., ...", 3, x);
    CHECK(naive::equal(thrice, Tensor<float>{{3, 6, 9}, {12, 15, 18}}));
    static_assert(std::is_same_v<decltype(bl::einsum("ij, ->i", x, 0.5)), Tensor<float>>);
    CHECK(naive::equal(bl::einsum("ij, ->i", x, 0.5), Tensor<float>{3, 7.5F}));
    const Tensor<std::int8_t> whole = {1, 2, 3};
    CHECK(naive::equal(bl::einsum("i,->i", whole, 0.5), Tensor<double>{0.5, 1, 1.5}));
    CHECK_THROWS_AS(bl::einsum("i,i->i", whole, 2), bl::shape_error);
}

TEST_CASE("einsum points at what it cannot read") {
    const auto x = bl::ones<float>({2, 3}), y = bl::ones<float>({3, 4});
    for (const char* bad : {"ij,jk->iz", "ij,jk,", "i.j,jk", "ij,jk->ii", "i$,jk", "ij",
                            "ij,jk->i-", "......,jk", "ij-jk", "...ij,jk->......", "i...,jk->ik"}) {
        INFO(bad);
        CHECK_THROWS_AS(bl::einsum(bad, x, y), std::invalid_argument);
    }
    CHECK_THROWS_AS(bl::einsum(std::string_view{}, x), bl::shape_error);
    CHECK_THROWS_AS(bl::einsum("ijk,jk", x, y), bl::shape_error);
    CHECK_THROWS_AS(bl::einsum("i,jk", x, y), bl::shape_error);
    CHECK_THROWS_AS(bl::einsum("ij,ij", x, y), bl::shape_error);
    // A diagonal has equal extents, 1 being one like any other.
    for (const Shape& shape : {Shape{2, 3}, Shape{3, 1}, Shape{1, 3}}) {
        CHECK_THROWS_AS(bl::einsum("ii", bl::ones<float>(shape)), bl::shape_error);
    }
    CHECK_THROWS_AS(
        bl::einsum("i,i,i->i", bl::ones<int>({1}), bl::ones<int>({2}), bl::ones<int>({3})),
        bl::shape_error);
    try {
        static_cast<void>(bl::einsum("ij,jk->iz", x, y));
        FAIL("no error");
    } catch (const bl::value_error& e) {
        CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring("ij,jk->iz\n          ^"));
    }
}

TEST_CASE("einsum says what is wrong with an equation") {
    const auto x = bl::ones<float>({2, 3});
    const auto says = [&](const char* equation, const char* reason) {
        INFO(equation);
        CHECK_THROWS_WITH(bl::einsum(equation, x), ContainsSubstring(reason));
    };
    says("..", "an ellipsis has three dots");
    says("i..", "an ellipsis has three dots");
    says("......", "an operand has one ellipsis");
    says("ij->ii", "the result has a label once");
    says("ijk", "more labels than dimensions of operand 0");
    says("ijk...", "more labels than dimensions of operand 0");
    says("i", "fewer labels than dimensions of operand 0");
}

TEST_CASE("einsum adds no strides that are never taken") {
    const auto x = bl::empty<float>({1, 1, extents::endless, 0});
    CHECK(naive::equal(bl::einsum("iijk->i", x), Tensor<float>{0}));
}

TEST_CASE("Products without a sum are computed in the order of the result") {
    const bl::Tensor<int> x = bl::arange<int>(24).reshape({2, 3, 4}), y = bl::arange<int>(3),
                          z = bl::arange<int>(5);
    CHECK(bl::array_equal(bl::einsum("abc,b->abc", x, y), x * y.unsqueeze(1)));
    CHECK(
        bl::array_equal(bl::einsum("abc,b->cba", x, y), bl::eval(x * y.unsqueeze(1)).transpose()));
    CHECK(bl::array_equal(bl::einsum("i,j->ji", y, z), z.unsqueeze(1) * y));
    CHECK(bl::array_equal(bl::einsum("abc,b,d->dabc", x, y, z),
                          z.reshape({5, 1, 1, 1}) * (x * y.unsqueeze(1))));
}
