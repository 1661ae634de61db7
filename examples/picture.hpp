// Pictures as tensors of float from 0 (dark) to 1 (bright): grey as (height, width), in colour as
// (height, width, 3). What pictures need beyond files is, again, broadcasting.
#ifndef BROADLOOM_EXAMPLES_PICTURE_HPP
#define BROADLOOM_EXAMPLES_PICTURE_HPP

#include <broadloom/broadloom.hpp>
#include <cstdint>
#include <string>

#include "png.hpp"

namespace picture {

namespace bl = broadloom;
using bl::all, bl::ellipsis, bl::newaxis, bl::range;
using bl::index_t, bl::Tensor;

/// Every pixel as a square of `factor` times `factor` pixels.
inline Tensor<float> enlarge(const Tensor<float>& x, index_t factor) {
    const index_t height = x.extent(0) * factor, width = x.extent(1) * factor;
    const auto pixels = x.reshape({x.extent(0), 1, x.extent(1), 1, -1});  // (h, 1, w, 1, c)
    return pixels.expand({-1, factor, -1, factor, -1}).copy().reshape({height, width, -1});
}

/// Tiles (rows, columns, h, w) or (rows, columns, h, w, 3) as one picture, `gap` pixels of `paper`
/// around each.
inline Tensor<float> mosaic(const Tensor<float>& tiles, index_t gap = 1, float paper = 1) {
    const index_t rows = tiles.extent(0), columns = tiles.extent(1);
    const index_t h = tiles.extent(2) + gap, w = tiles.extent(3) + gap;
    const index_t channels = tiles.rank() == 5 ? tiles.extent(4) : 1;
    auto sheet = bl::full({rows * h + gap, columns * w + gap, channels}, paper);
    auto cells = sheet(range(gap, {}), range(gap, {})).reshape({rows, h, columns, w, channels});
    cells(all, range(h - gap), all, range(w - gap)) =
        tiles.reshape({rows, columns, h - gap, w - gap, channels}).swap_axes(1, 2);
    return sheet;
}

/// Colours (..., 3) of values from -1 to 1: blue, white at 0, red.
inline Tensor<float> blue_to_red(const Tensor<float>& x) {
    const Tensor<float> blue = {0.13f, 0.40f, 0.67f}, red = {0.70f, 0.09f, 0.17f};
    const auto t = x(ellipsis, newaxis);  // (..., 1) against (3,)
    return Tensor<float>(1.0f - bl::abs(t) * (1.0f - bl::where(t < 0.0f, blue, red)));
}

/// Writes a picture as a PNG file, values beyond 0 and 1 clipped. Throws std::runtime_error.
inline void write(const std::string& path, const Tensor<float>& x) {
    const Tensor<std::uint8_t> bytes =
        bl::cast<std::uint8_t>(bl::clip(x, 0.0f, 1.0f) * 255.0f + 0.5f);
    write_png(path, static_cast<std::size_t>(x.extent(1)), static_cast<std::size_t>(x.extent(0)),
              x.rank() == 3 ? static_cast<std::size_t>(x.extent(2)) : 1, bytes.data());
}

}  // namespace picture

#endif  // BROADLOOM_EXAMPLES_PICTURE_HPP
