#pragma once

#include <array>
#include <cstdint>

#include "compositor/cpu/layers/composite_row.h"
#include "compositor/cpu/transitions/transition_frame.h"
#include "kernels/blend/blend.h"

// Compositing an image or a colour over the frame with a weight per pixel. Chroma uses the mean of its
// pixels' weights.
namespace framewright {

// Overlay content: an image, or a colour if `image` is null.
struct Overlay {
  const Image* image = nullptr;
  std::array<uint8_t, 3> values{};
};

// Rows of an overlay.
class OverlayRows {
 public:
  OverlayRows(const Overlay& overlay, const TransitionFrame& transition);
  const uint8_t* row(int plane, int y) const {
    return image_ != nullptr ? rowOf(image_->plane(plane), y) : values_[static_cast<size_t>(plane)];
  }

 private:
  const Image* image_;
  std::array<const uint8_t*, 3> values_{};
};

// Sizes the weight buffers for rows of the frame, luma rounded up to even.
void fitWeights(const TransitionFrame& transition);

inline void overRowOf(const TransitionFrame& transition, const OverlayRows& overlay, int plane, int y,
                      const uint16_t* weights) {
  const Plane& to = transition.frame.plane(plane);
  kernels::overRowMasked(rowOf(to, y), overlay.row(plane, y), nullptr, weights, static_cast<size_t>(to.width),
                         transition.rounding(y));
}

// Composites `overlay` with a weight per pixel. `fillWeights(y, weights)` computes a luma row's weights; it
// is called once per row, top down, before its row pair is drawn.
template <class FillWeights>
void overMasked(const TransitionFrame& transition, const Overlay& overlay, const FillWeights& fillWeights) {
  fitWeights(transition);
  const OverlayRows rows(overlay, transition);
  uint16_t* const lines[2] = {transition.buffers.weights[0].data(), transition.buffers.weights[1].data()};
  uint16_t* const chroma = transition.buffers.weights[2].data();
  const Plane &luma = transition.frame.plane(0), &colour = transition.frame.plane(1);
  for (int y = 0; y < colour.height; ++y) {
    const int count = std::min(2, luma.height - 2 * y);
    for (int i = 0; i < count; ++i) {
      fillWeights(2 * y + i, lines[i]);
      if (luma.width % 2 == 1) lines[i][luma.width] = lines[i][luma.width - 1];
    }
    for (int i = 0; i < count; ++i) overRowOf(transition, rows, 0, 2 * y + i, lines[i]);
    halveWeights(chroma, lines[0], lines[count - 1], colour.width);
    overRowOf(transition, rows, 1, y, chroma);
    overRowOf(transition, rows, 2, y, chroma);
  }
}

}  // namespace framewright
