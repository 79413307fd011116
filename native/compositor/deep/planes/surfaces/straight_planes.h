#pragma once

#include <vector>

#include "compositor/deep/planes/surfaces/plane_surface.h"

namespace framewright {

// Straight chroma of a surface. Transparent areas take the nearest visible colour, so that edges are not
// mixed with undefined colours. Used by one thread.
class StraightPlanes {
 public:
  void begin(const OverlaySamples& chroma);
  const int16_t* row(size_t colour, int y) const { return &planes_[colour][at(y)]; }
  // Writes both colours for the pixels of luma row y; `count` is at most twice the planes' width.
  void fillRow(int y, int16_t* cb, int16_t* cr, size_t count) const;

 private:
  size_t at(int y) const { return static_cast<size_t>(y) * step_; }

  std::vector<int16_t> planes_[2];
  size_t step_ = 0;
  int height_ = 0;
};

}  // namespace framewright
