// How does a whole world of Conway's game of life take a step, without a look at single cells?
#include <broadloom/broadloom.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "picture.hpp"

namespace bl = broadloom;
using bl::all, bl::ellipsis, bl::index_t, bl::newaxis, bl::range, bl::Tensor;
using Worlds = Tensor<std::uint8_t>;  // (n, h, w), 1 where a cell lives

/// The next generation of every world. Its edges are joined: left with right, top with bottom.
static Worlds step(const Worlds& worlds) {
    const index_t h = worlds.extent(1), w = worlds.extent(2);
    const Worlds around = bl::pad(worlds, {{0, 0}, {1, 1}, {1, 1}}, bl::PadMode::wrap);
    // The same worlds, shifted: a view whose element (n, i, j) is a neighbour of cell (n, i, j).
    const auto shifted = [&](index_t y, index_t x) {
        return around(all, range(1 + y, 1 + y + h), range(1 + x, 1 + x + w));
    };
    const Worlds neighbours = shifted(-1, -1) + shifted(-1, 0) + shifted(-1, 1) +  //
                              shifted(0, -1) + shifted(0, 1) +                     //
                              shifted(1, -1) + shifted(1, 0) + shifted(1, 1);
    return (neighbours == 3) | ((neighbours == 2) & (worlds == 1));
}

int main() try {
    constexpr index_t size = 48, frames = 7, pace = 32;
    const Worlds glider = {{0, 1, 0},  //
                           {0, 0, 1},
                           {1, 1, 1}};
    const Worlds acorn = {{0, 1, 0, 0, 0, 0, 0},  //
                          {0, 0, 0, 1, 0, 0, 0},
                          {1, 1, 0, 0, 1, 1, 1}};
    Worlds worlds = bl::zeros<std::uint8_t>({2, size, size});
    worlds(0, range(2, 5), range(2, 5)) = glider;
    worlds(1, range(22, 25), range(20, 27)) = acorn;
    const Worlds start = worlds;

    const Tensor<float> ink = {0.10f, 0.20f, 0.35f}, ember = {0.98f, 0.65f, 0.25f};  // (3,)
    auto film = bl::empty<float>({2, frames, size, size, 3});
    Tensor<float> warmth = worlds;  // 1 where a cell lives, fading where one has lived
    for (index_t generation = 0; generation <= pace * (frames - 1); ++generation) {
        if (generation > 0) worlds = step(worlds);
        warmth = bl::maximum(warmth * 0.93f, worlds);
        if (generation % pace == 0) {
            const Tensor trace = 1.0f - warmth(ellipsis, newaxis) * (1.0f - ember);
            film(all, generation / pace) = bl::where(worlds(ellipsis, newaxis) == 1, ink, trace);
        }
    }
    picture::write("life.png", picture::enlarge(picture::mosaic(film, 1, 0.8f), 3));

    // A glider moves by one cell in four generations; after 192 it has been around the world.
    const bool returned = bl::array_equal(worlds[0], start[0]);
    std::printf("life.png: a glider and an acorn, every %td generations\n", pace);
    std::printf("after %td generations the glider is %s where it began\n", pace * (frames - 1),
                returned ? "back" : "NOT back");
    return returned ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "life: %s\n", e.what());
    return 2;
}

// prints  life.png: a glider and an acorn, every 32 generations
//         after 192 generations the glider is back where it began
// draws   life.png: two worlds from left to right, living cells dark, their traces fading
