#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"
#include "compositor/row_blur.h"

namespace framewright {

// Gaussian blur of surfaces of 8 bits with transparent surroundings. Reuses its buffers; used by one thread.
class GaussianBlur {
 public:
  // `sigma` in surface pixels.
  void apply(const Surface& surface, double sigma);
  // One plane; `sigma` in its samples.
  void blurPlane(const Plane& plane, double sigma);
  // The same result for an alpha plane, faster if its middle is uniform.
  void blurAlpha(const Plane& plane, double sigma);

 private:
  RowBlur rows_;
  std::vector<uint8_t> small_;
};

}  // namespace framewright
