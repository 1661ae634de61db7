// What does attention look at? Four heads read a rhyme, each for a reason of its own.
#include <broadloom/broadloom.hpp>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>

#include "picture.hpp"

namespace bl = broadloom;
using bl::all, bl::ellipsis, bl::index_t, bl::newaxis, bl::range, bl::Tensor;

/// Positions as bundles of waves, (t, 96): only those of equal positions are alike.
static Tensor<float> waves(const Tensor<float>& positions) {
    const Tensor<float> phases = positions(all, newaxis) * bl::linspace<float>(0.05, 1.6, 48);
    return bl::concat(1, bl::cos(phases), bl::sin(phases));
}

/// The rows of x, each one place later, with zeros in front.
static Tensor<float> later(const Tensor<float>& x) {
    return bl::pad(x, {{1, 0}, {0, 0}})(range(x.extent(0)));
}

int main() try {
    const std::string text =
        "fuzzy wuzzy was a bear fuzzy wuzzy had no hair fuzzy wuzzy was not fuzzy was he";
    const std::string alphabet = " abcdefghijklmnopqrstuvwxyz";
    const auto length = static_cast<index_t>(text.size());
    const Tensor codes =
        bl::map([&](char c) { return static_cast<index_t>(alphabet.find(c)); }, bl::from(text));
    const Tensor letters = bl::one_hot(codes, 32);  // (t, 32)
    const Tensor second = later(letters), third = later(second);
    const Tensor none = bl::zeros_like(letters);
    const Tensor last = bl::concat(1, letters, none, none);           // (t, 96)
    const Tensor last_three = bl::concat(1, letters, second, third);  // (t, 96)
    const Tensor before = later(last_three);
    const Tensor position = bl::arange<float>(static_cast<float>(length));

    // What each head looks for, where it looks, and what it reads there.
    const char* reasons[] = {"the letter before", "the same letter", "what followed this letter",
                             "what followed these three"};
    const Tensor queries = bl::stack(0, waves(position - 1.0f), last, last, last_three);
    const Tensor keys = bl::stack(0, waves(position), last_three, before, before);  // (4, t, 96)
    const Tensor values = letters;  // (t, 32), for every head

    const Tensor past = position <= position(all, newaxis);  // (t, t): not the future
    const Tensor scores = 8.0f * bl::matmul(queries, keys.swap_axes(1, 2));
    const Tensor weights = bl::softmax(
        bl::where(past, scores, -std::numeric_limits<float>::infinity()), -1);  // (4, t, t)
    const Tensor read = bl::argmax(bl::matmul(weights, values), -1);            // (4, t)

    std::printf("%-25s  %s\n", "", text.c_str());
    for (index_t head = 0; head < 4; ++head) {
        std::string line(head >= 2 ? 1 : 0, ' ');  // what followed stands under the next letter
        for (const index_t code : read[head]) line += alphabet[static_cast<std::size_t>(code)];
        std::printf("%-25s  %s\n", reasons[head], line.c_str());
    }
    const Tensor foreseen = read(3, range(0, -1)) == codes(range(1, {}));
    std::printf("three letters foresee the next one %.0f times in 100\n", 100 * bl::mean(foreseen));

    const Tensor<float> ink = {0.10f, 0.20f, 0.35f};
    const Tensor<float> heads = 1.0f - bl::sqrt(weights(newaxis, ellipsis, newaxis)) * (1.0f - ink);
    picture::write("attention.png", picture::enlarge(picture::mosaic(heads, 1, 0.8f), 3));
    std::printf("attention.png: where each head looks, one row for every letter of the text\n");

    const bool whole = bl::allclose(bl::sum(weights, -1), bl::ones<float>({4, length}));
    const bool causal = bl::max(bl::where(past, 0.0f, weights)) == 0.0f;
    const bool right = bl::array_equal(read(0, range(1, {})), codes(range(0, -1)));
    return whole && causal && right && bl::mean(foreseen) > 0.5 ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "attention: %s\n", e.what());
    return 2;
}

// prints  what each of four heads reads for every letter of the text, and
//         three letters foresee the next one 55 times in 100
// draws   attention.png: four triangles side by side, dark where a letter looks
