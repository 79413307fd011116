#pragma once

#include <array>
#include <cstdint>

#include "compositor/cpu/crossing.h"
#include "kernels/blend.h"

// Laying a picture or a colour over the frame with a weight per pixel. Chroma takes the mean of its pixels'
// weights.
namespace framewright {

// What is laid over: a picture, or where that is null evenly `values`.
struct Overlay {
  const Image* image = nullptr;
  std::array<uint8_t, 3> values{};
};

// Rows of an overlay.
class OverlayRows {
 public:
  OverlayRows(const Overlay& overlay, const Crossing& crossing);
  const uint8_t* row(int plane, int y) const {
    return image_ != nullptr ? rowOf(image_->plane(plane), y) : values_[static_cast<size_t>(plane)];
  }

 private:
  const Image* image_;
  std::array<const uint8_t*, 3> values_{};
};

// Means of pairs of two luma rows' weights. Both rows have an even number of weights.
void halveWeights(uint16_t* chroma, const uint16_t* top, const uint16_t* bottom, int count);
// Room for a row of weights of each kind, luma rows rounded up to even.
void fitWeights(const Crossing& crossing);

inline void overRowOf(const Crossing& crossing, const OverlayRows& overlay, int plane, int y,
                      const uint16_t* weights) {
  const Plane& to = crossing.frame.plane(plane);
  kernels::overRowMasked(rowOf(to, y), overlay.row(plane, y), nullptr, weights,
                         static_cast<size_t>(to.width));
}

// `fillWeights(y, weights)` fills a luma row's weights; it is asked for each row once, downwards, and before
// any row of its pair is drawn.
template <class FillWeights>
void overMasked(const Crossing& crossing, const Overlay& overlay, const FillWeights& fillWeights) {
  fitWeights(crossing);
  const OverlayRows rows(overlay, crossing);
  uint16_t* const lines[2] = {crossing.buffers.weights[0].data(), crossing.buffers.weights[1].data()};
  uint16_t* const chroma = crossing.buffers.weights[2].data();
  const Plane &luma = crossing.frame.plane(0), &colour = crossing.frame.plane(1);
  for (int y = 0; y < colour.height; ++y) {
    const int count = std::min(2, luma.height - 2 * y);
    for (int i = 0; i < count; ++i) {
      fillWeights(2 * y + i, lines[i]);
      if (luma.width % 2 == 1) lines[i][luma.width] = lines[i][luma.width - 1];
    }
    for (int i = 0; i < count; ++i) overRowOf(crossing, rows, 0, 2 * y + i, lines[i]);
    halveWeights(chroma, lines[0], lines[count - 1], colour.width);
    overRowOf(crossing, rows, 1, y, chroma);
    overRowOf(crossing, rows, 2, y, chroma);
  }
}

}  // namespace framewright
