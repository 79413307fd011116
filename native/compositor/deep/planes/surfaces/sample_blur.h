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
  // Alpha alone: rows of `width` samples, `sigma` in samples.
  void blurAlpha(int16_t* alpha, int width, int height, double sigma);

 private:
  // A plane of samples or alpha.
  struct Whole {
    int16_t* samples;
    int width, height;
    bool isAlpha;

    void read(int y, int16_t* row) const;
    void write(int y, const int16_t* row) const;
  };

  void blurPlane(const Whole& plane, double sigma);

  RowBlur rows_;
  std::vector<int16_t> small_;
};

}  // namespace framewright
