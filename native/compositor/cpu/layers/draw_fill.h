#pragma once

#include <array>

#include "compositor/cpu/layers/quad_rows.h"
#include "compositor/cpu/layers/surface.h"

namespace framewright {

// The unit square under `toCanvas`, clipped to `window`.
struct FillPlacement {
  Affine toCanvas;
  Rect window;
  double opacity = 1;
  PixelRect part = kEverywhere;  // region to draw
};

// Draws solid-colour layers. Reuses its buffers; used by one thread.
class FillDrawer {
 public:
  void draw(const Surface& to, const Color& color, const FillPlacement& placement) {
    begin(to.size(), color, placement);
    drawRows(to, 0, to.height);
  }

  // Draws in bands: canvas rows from `top` (even) to `bottom` (even or the surface's end).
  void begin(const CanvasSize& size, const Color& color, const FillPlacement& placement);
  void drawRows(const Surface& to, int top, int bottom);

 private:
  // Fills rows of one plane of a group with `value`.
  void drawPlane(const Surface& to, const Plane& plane, uint8_t value, PlaneGroup group, SampleRange range);

  std::array<uint8_t, 3> yuv_{};
  double strength_ = 1;
  bool isAxisAligned_ = true;
  RectCoverage coverage_[2];  // luma and chroma
  QuadRows quad_[2];
  std::vector<uint8_t> row_;
};

}  // namespace framewright
