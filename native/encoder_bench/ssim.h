#pragma once

#include <array>
#include <vector>

#include "core/image.h"

namespace framewright {

// Structural similarity after Wang et al. (2004) over windows of 8x8 samples at every fourth row and column,
// all samples of a window counting alike: what x264 and ffmpeg's `ssim` print, not the 11x11 Gaussian of the
// paper's own program. Constants K1 = 0.01 and K2 = 0.03, the first's square divided by 64 as theirs is,
// which shows in dark windows alone. 1: the planes are equal. Planes of less than 8x8 samples have no window
// and count as equal.
double ssimOf(const Plane& a, const Plane& b);

// The mean of all pictures' SSIM, by plane. One thread at a time.
class SsimMeter {
 public:
  // Both kI420 of one size.
  void add(const Image& reference, const Image& picture);
  // Y, U, V.
  std::array<double, 3> planes() const;
  // The planes by their numbers of samples: (4Y + U + V) / 6.
  double all() const;

 private:
  std::array<double, 3> sums_{};
  int64_t pictures_ = 0;
};

}  // namespace framewright
