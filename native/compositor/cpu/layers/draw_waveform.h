#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"
#include "compositor/plan/waveform_bars.h"

namespace framewright {

// Draws the bars of a waveform: round at both ends, mirrored about the middle of the box. Keeps its buffers;
// used by one thread.
class WaveformDrawer {
 public:
  // The unit square under `toCanvas` is the box; of the layer the bars and the colour count.
  void draw(const Surface& to, const Layer& layer, const Affine& toCanvas, const Rect& window, double opacity,
            const PixelRect& part);

 private:
  // Fills the weights of pixels first … end - 1 of row y.
  void fillWeights(int y, int first, int end, uint16_t* weights) const;
  void compositeRowOf(const Surface& to, PlaneGroup group, int y, int first, int count,
                      const uint16_t* weights);

  WaveformBars bars_;
  std::vector<uint16_t> lines_[2], chroma_;
  std::vector<uint8_t> values_[4];  // rows of y, u, v and alpha
};

}  // namespace framewright
