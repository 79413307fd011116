#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/effects/layer_buffer.h"
#include "compositor/cpu/effects/straight_chroma.h"
#include "core/blend_mode.h"

namespace framewright {

// Composites a layer over the frame with a blend mode, in RGB.
class LayerBlender {
 public:
  // Blends the part inside `window` (canvas pixels).
  void blend(Image& frame, const LayerBuffer& layer, const Rect& window, double opacity, BlendMode mode);

 private:
  struct Region;
  void blendLuma(Image& frame, const LayerBuffer& layer, const Region& region, int y, BlendMode mode);
  void addChroma(Image& frame, const Region& region, int y, bool bothRows);

  RectCoverage coverage_;
  StraightChroma backdrop_, source_;
  std::vector<uint8_t> full_[5];  // chroma of backdrop and source, luma of the source
  std::vector<uint16_t> weights_;
  std::vector<int16_t> changes_[2][2];  // [u, v][two luma rows], padded by one sample on each side
};

}  // namespace framewright
