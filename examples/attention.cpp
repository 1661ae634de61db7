// What does attention look at? Four heads read a sentence, each for another reason.
#include <broadloom/broadloom.hpp>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

#include "picture.hpp"

namespace bl = broadloom;
using bl::all, bl::index_t, bl::newaxis, bl::Tensor;

/// Each position as a bundle of waves, (t, 32): two are alike when they are equal.
static Tensor<float> waves(const Tensor<float>& positions) {
    const Tensor frequencies = bl::arange<float>(1, 17) * float(std::numbers::pi / 32);  // (16,)
    const Tensor phases = positions(all, newaxis) * frequencies;                        // (t, 16)
    return bl::concat(1, bl::cos(phases), bl::sin(phases));
}

int main() try {
    const std::string text = "she sells sea shells by the sea shore";
    const std::string alphabet = " abcdefghijklmnopqrstuvwxyz";
    const auto length = static_cast<index_t>(text.size());

    const Tensor codes = bl::map([&](char c) { return index_t(alphabet.find(c)); }, bl::from(text));
    const Tensor letters = bl::one_hot(codes, 32) * 4.0f;  // (t, 32)
    Tensor before = bl::roll(letters, 1, 0);               // at each letter the one before it
    before[0] = 0.0f;
    const auto position = bl::arange<float>(float(length));

    // What the heads look for, what is there, and what is read where they are alike.
    const auto here = waves(position), back = waves(position - 1);
    const auto queries = bl::stack(0, here, back, letters, letters);  // (4, t, 32)
    const auto keys = bl::stack(0, here, here, letters, before);      // (4, t, 32)
    const auto values = letters;                                      // (t, 32), for all heads

    const Tensor past = position <= position(all, newaxis);  // (t, t), nobody sees the future
    const Tensor scores = bl::matmul(queries, keys.swap_axes(1, 2)) * 1.0f;  // (4, t, t)
    const Tensor seen = bl::where(past, scores, -std::numeric_limits<float>::infinity());
    const Tensor weights = bl::softmax(seen, -1);
    const Tensor read = bl::argmax(bl::matmul(weights, values), -1);  // (4, t)

    const char* reasons[] = {"this place", "the place before", "the same letter", "what followed it"};
    std::string lines[4];
    for (index_t head = 0; head < 4; ++head) {
        for (const index_t code : read[head]) lines[head] += alphabet[std::size_t(code)];
        std::printf("%-17s %s\n", reasons[head], lines[head].c_str());
    }
    const Tensor ink = {0.10f, 0.20f, 0.35f};
    const Tensor picture = 1.0f - bl::sqrt(weights)(bl::ellipsis, newaxis) * (1.0f - ink);
    picture::write("attention.png", picture::enlarge(picture::mosaic(picture(newaxis), 2, 0.8f), 5));
    std::printf("attention.png: where each head looks; a row for every letter that reads\n");

    const bool whole = bl::allclose(bl::sum(weights, -1), bl::ones<float>({4, length}));
    const bool causal = bl::sum(bl::where(past, 0.0f, weights)) == 0.0f;
    const bool reads = lines[0] == text && lines[1].substr(1) == text.substr(0, text.size() - 1);
    return whole && causal && reads ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "attention: %s\n", e.what());
    return 2;
}
