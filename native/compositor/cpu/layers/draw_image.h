#pragma once

#include "compositor/cpu/layers/axis_aligned_image.h"
#include "compositor/cpu/layers/rotated_image.h"

namespace framewright {

// Draws image layers. Reuses its buffers; used by one thread.
class ImageDrawer {
 public:
  void draw(const Surface& to, const PlanarImage& image, const ImagePlacement& placement) {
    begin(to.size(), image, placement);
    drawRows(to, 0, to.height);
  }

  // Draws in bands: canvas rows from `top` (even) to `bottom` (even or the surface's end). `image` must
  // outlive them.
  void begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement);
  void drawRows(const Surface& to, int top, int bottom);

 private:
  int groups_ = 0;  // number of plane groups
  bool isAxisAligned_ = true;
  AxisAlignedImage axisAligned_[2];
  RotatedImage rotated_[2];
};

}  // namespace framewright
