#pragma once

#include "compositor/cpu/layers/axis_aligned_image.h"
#include "compositor/cpu/layers/rotated_image.h"

namespace framewright {

// Draws image layers. Keeps its buffers between layers and frames; used by one thread.
class ImageDrawer {
 public:
  void draw(const Surface& to, const PlanarImage& image, const ImagePlacement& placement) {
    begin(to.size(), image, placement);
    drawRows(to, 0, to.height);
  }

  // The same in parts: canvas rows `top`, which is even, to `bottom`, which is even or the surface's end.
  // `image` must outlive them.
  void begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement);
  void drawRows(const Surface& to, int top, int bottom);

 private:
  int groups_ = 0;  // of planes
  bool isAxisAligned_ = true;
  AxisAlignedImage axisAligned_[2];
  RotatedImage rotated_[2];
};

}  // namespace framewright
