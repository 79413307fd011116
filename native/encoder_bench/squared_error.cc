#include "encoder_bench/squared_error.h"

#include <cmath>
#include <limits>

namespace framewright {

uint64_t squaredError(const Plane& a, const Plane& b, int x, int y, int width, int height) {
  uint64_t sum = 0;
  for (int row = y; row < y + height; ++row) {
    const uint8_t* left = a.data + row * a.stride + x;
    const uint8_t* right = b.data + row * b.stride + x;
    uint32_t line = 0;  // 8192 samples of 255 squared fit
    for (int i = 0; i < width; ++i) {
      const int difference = int{left[i]} - int{right[i]};
      line += static_cast<uint32_t>(difference * difference);
    }
    sum += line;
  }
  return sum;
}

uint64_t squaredError(const Plane& a, const Plane& b) { return squaredError(a, b, 0, 0, a.width, a.height); }

double peakRatio(double meanSquaredError) {
  constexpr double kPeak = 255.0 * 255.0;
  if (meanSquaredError <= 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(kPeak / meanSquaredError);
}

void PsnrMeter::add(const Image& reference, const Image& decoded) {
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<size_t>(i);
    const Plane& plane = reference.plane(i);
    errors_[at] += static_cast<double>(squaredError(plane, decoded.plane(i)));
    samples_[at] += static_cast<double>(plane.width) * plane.height;
  }
}

std::array<double, 3> PsnrMeter::planes() const {
  std::array<double, 3> ratios{};
  for (size_t i = 0; i < 3; ++i) ratios[i] = peakRatio(samples_[i] > 0 ? errors_[i] / samples_[i] : 0);
  return ratios;
}

double weighted611(const std::array<double, 3>& planes) {
  return (6 * planes[0] + planes[1] + planes[2]) / 8;
}

}  // namespace framewright
