#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"
#include "compositor/plan/waveform_bars.h"

namespace framewright {

// Draws a waveform. Reuses its buffers; used by one thread.
class WaveformDrawer {
 public:
  // `toCanvas` maps the unit square to the box; only the layer's bars, style and colour are used.
  void draw(const Surface& to, const Layer& layer, const Affine& toCanvas, const Rect& window, double opacity,
            const PixelRect& part);

 private:
  // Computes the weights of pixels first … end - 1 of row y.
  void fillWeights(int y, int first, int end, uint16_t* weights) const;
  Rect drawnPart() const;
  void compositeRowOf(const Surface& to, PlaneGroup group, int y, int first, int count,
                      const uint16_t* weights);

  WaveformBars bars_;
  std::vector<uint16_t> lines_[2], chroma_;
  std::vector<uint8_t> values_[4];  // rows of Y, Cb, Cr and alpha
};

}  // namespace framewright
