#pragma once

#include <array>
#include <cstdint>

#include "core/image.h"

namespace framewright {

// Of the rectangle at (x, y).
uint64_t squaredError(const Plane& a, const Plane& b, int x, int y, int width, int height);
// Of whole planes of the same size.
uint64_t squaredError(const Plane& a, const Plane& b);

// In dB, of samples of 8 bits; infinite where nothing differs.
double peakRatio(double meanSquaredError);

// PSNR of a clip: each plane's squared errors are averaged over all pictures before the logarithm.
class PsnrMeter {
 public:
  // Both kI420 of one size.
  void add(const Image& reference, const Image& picture);
  // Y, U, V in dB.
  std::array<double, 3> planes() const;

 private:
  std::array<double, 3> errors_{};
  std::array<double, 3> samples_{};
};

// Luma counts six times, as it is usual for 4:2:0.
double weighted611(const std::array<double, 3>& planes);

}  // namespace framewright
