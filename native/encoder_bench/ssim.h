#pragma once

#include <array>
#include <vector>

#include "core/image.h"

namespace framewright {

// Structural similarity after Wang et al. (2004) over windows of 8x8 samples at every fourth row and column,
// with equal weights: as x264 and ffmpeg's `ssim` compute it, not the 11x11 Gaussian of the
// paper's own program. Constants K1 = 0.01 and K2 = 0.03, the first's square divided by 64 as theirs is,
// which matters in dark windows only. 1 for equal planes, and for planes smaller than a window.
double ssimOf(const Plane& a, const Plane& b);

// Mean SSIM over all frames, by plane. Not thread-safe.
class SsimMeter {
 public:
  // Both images are kI420 and of equal size.
  void add(const Image& reference, const Image& decoded);
  // Y, U, V.
  std::array<double, 3> planes() const;
  // Planes weighted by their number of samples: (4Y + U + V) / 6.
  double all() const;

 private:
  std::array<double, 3> sums_{};
  int64_t frames_ = 0;
};

}  // namespace framewright
