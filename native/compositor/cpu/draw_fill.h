#pragma once

#include <array>

#include "compositor/cpu/surface.h"

namespace framewright {

// The nearest BT.709 limited samples of an opaque colour.
std::array<uint8_t, 3> yuvOf(const Color& color);

// Draws evenly coloured layers. Keeps its buffers; used by one thread.
class FillDrawer {
 public:
  // The unit square under `toCanvas`, seen through `window`.
  void draw(const Surface& to, const Color& color, const Affine& toCanvas, const Rect& window,
            double opacity);

 private:
  // One plane of `group`, evenly `value`.
  void drawPlane(const Plane& plane, uint8_t value, PlaneGroup group, const Affine& toCanvas,
                 double strength);

  RectCoverage coverage_;
  QuadCoverage quad_;
  std::vector<uint8_t> row_;
};

}  // namespace framewright
