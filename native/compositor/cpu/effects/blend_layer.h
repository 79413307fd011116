#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "core/blend_mode.h"

namespace framewright {

// Lays a layer over the frame through a blend mode, in RGB.
class LayerBlender {
 public:
  // Through `window`, in canvas pixels.
  void blend(Image& frame, const LayerBuffer& layer, const Rect& window, double opacity, BlendMode mode);

 private:
  struct Region;
  void blendLuma(Image& frame, const LayerBuffer& layer, const Region& region, int y, BlendMode mode);
  void addChroma(Image& frame, const Region& region, int y, bool bothRows);

  RectCoverage coverage_;
  StraightChroma backdrop_, source_;
  std::vector<uint8_t> full_[5];  // chroma of the backdrop, of the source, and the source's luma
  std::vector<uint16_t> weights_;
  std::vector<int16_t> changes_[2][2];  // of u and v, of two luma rows, with a sample before and one after
};

}  // namespace framewright
