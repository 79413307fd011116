#pragma once

#include <array>
#include <cstdint>

#include "core/image.h"

namespace framewright {

// Sum of squared differences in the rectangle at (x, y), in samples.
uint64_t squaredError(const Plane& a, const Plane& b, int x, int y, int width, int height);
// Sum of squared differences of planes of equal size.
uint64_t squaredError(const Plane& a, const Plane& b);

// PSNR in dB for 8-bit samples; infinite for an error of 0.
double peakRatio(double meanSquaredError);

// PSNR of a clip: each plane's squared errors are averaged over all frames before the logarithm.
class PsnrMeter {
 public:
  // Both images are kI420 and of equal size.
  void add(const Image& reference, const Image& decoded);
  // Y, U, V in dB.
  std::array<double, 3> planes() const;

 private:
  std::array<double, 3> errors_{};
  std::array<double, 3> samples_{};
};

// Mean with luma weighted six times, as is usual for 4:2:0.
double weighted611(const std::array<double, 3>& planes);

}  // namespace framewright
