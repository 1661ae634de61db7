// Can broadcasting alone learn to read handwritten digits?
#include <broadloom/broadloom.hpp>
#include <cstdio>
#include <exception>

#include "data.hpp"
#include "picture.hpp"

namespace bl = broadloom;
using bl::all, bl::keepdims, bl::newaxis, bl::Tensor;

int main(int argc, char** argv) try {
    auto [x, y, unseen, truth] = data::load_digits(data::folder(argc, argv));
    const Tensor<float> targets = y(all, newaxis) == bl::arange(10);  // (n, 10), one 1 in each row
    const Tensor counts = bl::sum(targets, 0);                        // (10,)
    const Tensor means = bl::matmul(targets.transpose(), x) / counts(all, newaxis);  // (10, 64)

    // Standardise every pixel; some are always white.
    const Tensor centre = bl::mean(x, 0);           // (64,)
    const Tensor spread = bl::stddev(x, 0) + 1.0f;  // (64,)
    x = (x - centre) / spread;
    unseen = (unseen - centre) / spread;

    // Softmax regression by gradient descent.
    const auto n = static_cast<float>(x.extent(0));
    auto weights = bl::zeros<float>({64, 10});
    auto bias = bl::zeros<float>({10});
    for (int epoch = 1; epoch <= 200; ++epoch) {
        const Tensor logits = bl::matmul(x, weights) + bias;                 // (n, 10)
        const Tensor odds = bl::exp(logits - bl::max(logits, 1, keepdims));  // (n, 10)
        const Tensor chances = odds / bl::sum(odds, 1, keepdims);            // (n, 10)
        const Tensor error = (chances - targets) / n;                        // (n, 10)
        weights -= 1.0f * (bl::matmul(x.transpose(), error) + 0.01f * weights);
        bias -= 1.0f * bl::sum(error, 0);
        if (epoch % 25 == 0) {
            const double loss = -bl::sum(targets * bl::log(chances)) / n;
            std::printf("epoch %3d   loss %.4f\n", epoch, loss);
        }
    }

    const Tensor guesses = bl::argmax(bl::matmul(unseen, weights) + bias, 1);
    const double accuracy = bl::mean(guesses == truth);
    std::printf("reads %.1f %% of %td held-out digits\n", 100 * accuracy, truth.size());

    // Above the mean digits; below what speaks for a digit, red, and against it, blue.
    const Tensor<float> grey = 1.0f - means.reshape({10, 8, 8, 1}) / 16.0f * bl::ones<float>({3});
    const Tensor votes = weights / bl::max(bl::abs(weights), 0);  // (64, 10), -1 to 1
    const Tensor colour = picture::blue_to_red(votes.transpose().reshape({10, 8, 8}));
    const Tensor rows = bl::stack(0, grey, colour);  // (2, 10, 8, 8, 3)
    picture::write("digits.png", picture::enlarge(picture::mosaic(rows, 1, 0.8f), 8));
    std::printf("digits.png: the mean digits, and what the classifier looks for\n");
    return accuracy > 0.9 ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 2;
}

// prints  how the loss falls, and that it reads about 97 % of digits it has not seen
// draws   digits.png: the mean of each digit, and below what speaks for it and against it
