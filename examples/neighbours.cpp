// How well do the five most similar digits tell what a digit is, and where do they mislead?
#include <algorithm>
#include <broadloom/broadloom.hpp>
#include <cstdio>
#include <exception>
#include <iostream>

#include "data.hpp"
#include "picture.hpp"

namespace bl = broadloom;
using bl::all, bl::ellipsis, bl::index_t, bl::newaxis, bl::Tensor;

int main(int argc, char** argv) try {
    const auto [known, names, unknown, truth] = data::load_digits(data::folder(argc, argv));

    // All distances at once: (m, 1, 64) against (n, 64), summed as they are made.
    const Tensor distances = bl::sum(bl::square(unknown(all, newaxis) - known), -1);  // (m, n)
    const Tensor nearest = bl::topk(distances, 5, -1, false).indices;                 // (m, 5)

    // Every neighbour has a vote.
    const Tensor digits = bl::arange<index_t>(10);
    const Tensor ballots = bl::take(names, nearest, 0);                     // (m, 5)
    const Tensor votes = bl::sum(ballots(ellipsis, newaxis) == digits, 1);  // (m, 10)
    const Tensor guesses = bl::argmax(votes, 1);                            // (m,)

    // Confusion: for each pair of digits, how often the first was taken for the second.
    const Tensor meant = truth(all, newaxis) == digits, taken = guesses(all, newaxis) == digits;
    const Tensor confusion =
        bl::sum(meant(all, all, newaxis) & taken(all, newaxis), 0);  // (10, 10)
    const index_t mistakes = bl::count_nonzero(guesses != truth);
    const double accuracy = bl::mean(guesses == truth);
    std::cout << "what it is (rows), what it was taken for (columns)\n" << confusion << "\n";
    std::printf("%.1f %% of %td digits are read as they were meant\n", 100 * accuracy,
                truth.size());

    // The most certain mistakes: how far the votes for the guess outnumber those for the truth.
    const Tensor mine = bl::take_along_axis(votes, truth(all, newaxis), 1);  // (m, 1)
    const Tensor lead = bl::where(guesses == truth, -1, bl::max(votes, 1) - mine.squeeze(1));
    const Tensor worst = bl::topk(lead, std::min<index_t>(8, mistakes)).indices;

    // In a row the digit and its five neighbours: blue if they are what it is, red if they mislead.
    const Tensor is = bl::take(truth, worst, 0)(all, newaxis);                  // (k, 1)
    const Tensor right = bl::concat(1, is, bl::take(ballots, worst, 0)) == is;  // (k, 6)
    const Tensor asked = bl::take(unknown, worst, 0)(all, newaxis);             // (k, 1, 64)
    const Tensor answers = bl::take(known, bl::take(nearest, worst, 0), 0);     // (k, 5, 64)
    const Tensor ink = bl::concat(1, asked, answers).reshape({-1, 6, 8, 8, 1}) / 16.0f;
    const Tensor<float> blue = {0.10f, 0.25f, 0.50f}, red = {0.80f, 0.15f, 0.10f};
    const Tensor colour = bl::where(right(ellipsis, newaxis, newaxis, newaxis), blue, red);
    const Tensor<float> rows = 1.0f - ink * (1.0f - colour);  // (k, 6, 8, 8, 3)
    picture::write("neighbours.png", picture::enlarge(picture::mosaic(rows, 1, 0.8f), 6));
    std::printf("neighbours.png: the worst mistakes, each before its five neighbours\n");
    return accuracy > 0.97 ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "neighbours: %s\n", e.what());
    return 2;
}

// prints  the confusion matrix, and that nearly 99 % of the digits are read as they were meant
// draws   neighbours.png: a row for each of the worst mistakes, blue neighbours right, red ones
// wrong
