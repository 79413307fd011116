#pragma once

#include <vector>

#include "compositor/deep/planes/surfaces/plane_surface.h"
#include "compositor/row_blur.h"

namespace framewright {

// Gaussian blur of surfaces with transparent surroundings, by the steps of the compositor of 8 bits. Reuses
// its buffers; used by one thread.
class SampleBlur {
 public:
  // `sigma` in pixels.
  void apply(PlaneSurface& surface, double sigma);
  // A plane of alpha. `step`: samples from row to row.
  struct AlphaPlane {
    int16_t* samples;
    int width, height, step;

    int16_t* row(int y) const { return samples + static_cast<ptrdiff_t>(y) * step; }
  };
  // Alpha alone; `sigma` in samples.
  void blurAlpha(const AlphaPlane& alpha, double sigma);

 private:
  void blurColour(OverlaySamples& samples, size_t colour, double sigma);
  void blurWhole(const AlphaPlane& alpha, double sigma);

  RowBlur rows_;
  std::vector<int16_t> small_;
};

}  // namespace framewright
