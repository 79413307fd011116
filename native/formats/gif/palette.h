#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/geometry.h"
#include "core/image.h"

namespace framewright::gif {

// A color in a space where distances resemble visible differences: luma counts more than chroma.
using Perceived = std::array<float, 3>;
Perceived perceived(float red, float green, float blue);
inline float squaredDistance(const Perceived& a, const Perceived& b) {
  const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

// Index of the color that is nearest to `at`; the first of equally near ones, 0 of none.
size_t nearestColor(const std::vector<Perceived>& colors, const Perceived& at);

// Pixels whose alpha is below this are transparent.
inline constexpr uint8_t kOpaqueAlpha = 128;

// Collects the opaque colors of frames. One thread.
class PaletteBuilder {
 public:
  PaletteBuilder();
  // Counts the pixels of a kRgbaStraight image.
  void add(const Image& image);
  // At most `maxColors` colors, at least one.
  std::vector<Color> build(size_t maxColors) const;

 private:
  // How often each of eight colors occurs that differ in the lowest bits of their channels.
  using Counts = std::array<uint32_t, 8>;
  std::vector<uint32_t> placeOf_;  // by the upper bits of a color: the place in `counts_` plus 1; 0: none
  std::vector<Counts> counts_;
  std::vector<uint32_t> upperBits_;  // of the colors in each place
};

}  // namespace framewright::gif
