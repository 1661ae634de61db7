// What does it take to train a neural network by hand? A backward pass of six lines.
#include <broadloom/broadloom.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>

#include "data.hpp"

namespace bl = broadloom;
using bl::index_t, bl::range, bl::Tensor;

/// A parameter, its last change, and how it follows a gradient: descent with momentum.
struct Parameter {
    Tensor<float> value, change = bl::zeros_like(value);

    void follow(const Tensor<float>& gradient, float rate) {
        change = 0.9f * change - rate * gradient;
        value += change;
    }
};

int main(int argc, char** argv) try {
    const data::Digits digits = data::load_digits(data::folder(argc, argv));
    const Tensor<float> images = digits.images / 16.0f - 0.5f;  // (n, 64)
    const Tensor<float> unseen = digits.unseen / 16.0f - 0.5f;  // (m, 64)

    std::mt19937 engine(1);
    const index_t hidden = 96, batch = 32;
    Parameter w1{bl::random::normal<float>({64, hidden}, engine, 0, std::sqrt(2.0 / 64))};
    Parameter w2{bl::random::normal<float>({hidden, 10}, engine, 0, std::sqrt(2.0 / hidden))};
    Parameter b1{bl::zeros<float>({hidden})}, b2{bl::zeros<float>({10})};

    const auto layer1 = [&](const Tensor<float>& x) -> Tensor<float> {
        return bl::relu(bl::matmul(x, w1.value) + b1.value);
    };
    const auto layer2 = [&](const Tensor<float>& h) -> Tensor<float> {
        return bl::matmul(h, w2.value) + b2.value;
    };

    double accuracy = 0;
    for (int epoch = 1; epoch <= 30; ++epoch) {
        const auto order = bl::random::permutation(images.extent(0), engine);
        const float rate = 0.05f * static_cast<float>(31 - epoch) / 30;
        float loss = 0;
        for (index_t first = 0; first < order.size(); first += batch) {
            const auto chosen = order(range(first, first + batch));
            const Tensor x = bl::take(images, chosen, 0);         // (batch, 64)
            const Tensor y = bl::take(digits.labels, chosen, 0);  // (batch,)

            const Tensor h = layer1(x);       // (batch, hidden)
            const Tensor logits = layer2(h);  // (batch, 10)
            loss += bl::cross_entropy(logits, y, {.reduction = bl::Reduction::sum}).item();

            const Tensor d_logits = (bl::softmax(logits, 1) - bl::one_hot(y, 10)) / y.size();
            const Tensor d_h = bl::where(h > 0, bl::matmul(d_logits, w2.value.transpose()), 0);
            w2.follow(bl::matmul(h.transpose(), d_logits), rate);
            b2.follow(bl::sum_to(d_logits, b2.value.shape()), rate);
            w1.follow(bl::matmul(x.transpose(), d_h), rate);
            b1.follow(bl::sum_to(d_h, b1.value.shape()), rate);
        }
        if (epoch % 5 == 0) {
            accuracy = bl::mean(bl::argmax(layer2(layer1(unseen)), 1) == digits.truth);
            std::printf("epoch %2d   loss %.4f   held-out accuracy %.1f %%\n", epoch,
                        double(loss) / double(order.size()), 100 * accuracy);
        }
    }
    return accuracy > 0.96 ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "mlp: %s\n", e.what());
    return 2;
}

// prints  how the loss falls, and that the network reads more than 97 % of digits it has not seen
