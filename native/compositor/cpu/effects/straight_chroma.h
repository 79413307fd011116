#pragma once

#include <cstdint>
#include <vector>

#include "compositor/cpu/layers/surface.h"

namespace framewright {

// Straight chroma samples for every pixel. Transparent areas take the nearest visible colour, so that edges
// are not mixed with undefined colours.
class StraightChroma {
 public:
  // An `alpha` plane without data means opaque.
  void begin(const Plane& u, const Plane& v, const Plane& alpha);
  // Writes both chroma values for the pixels of luma row y; `count` is at most twice the planes' width.
  void fillRow(int y, uint8_t* u, uint8_t* v, size_t count) const;

  const uint8_t* rowU(int y) const { return &planes_[0][at(0, y)]; }
  const uint8_t* rowV(int y) const { return &planes_[1][at(0, y)]; }
  uint8_t u(int x, int y) const { return planes_[0][at(x, y)]; }
  uint8_t v(int x, int y) const { return planes_[1][at(x, y)]; }

 private:
  size_t at(int x, int y) const { return static_cast<size_t>(y) * step_ + static_cast<size_t>(x); }

  std::vector<uint8_t> planes_[2];
  size_t step_ = 0;
  int height_ = 0;
};

}  // namespace framewright
