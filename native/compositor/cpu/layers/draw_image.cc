#include "compositor/cpu/layers/draw_image.h"

namespace framewright {

void ImageDrawer::begin(const CanvasSize& size, const PlanarImage& image, const ImagePlacement& placement) {
  groups_ = 0;
  const auto sampling = planSampling(placement.crop, placement.toCanvas, image.width(), image.height());
  if (!sampling) return;
  groups_ = placement.lumaOnly ? 1 : 2;
  isAxisAligned_ = sampling->isAxisAligned;
  for (int i = 0; i < groups_; ++i) {
    if (isAxisAligned_) {
      axisAligned_[i].begin(size, image, placement, kPlaneGroups[i], *sampling);
    } else {
      rotated_[i].begin(size, image, placement, kPlaneGroups[i], *sampling);
    }
  }
}

void ImageDrawer::drawRows(const Surface& to, int top, int bottom) {
  for (int i = 0; i < groups_; ++i) {
    const SampleRange rows = samplesOf(top, bottom, kPlaneGroups[i]);
    if (isAxisAligned_) {
      axisAligned_[i].drawRows(to, rows);
    } else {
      rotated_[i].drawRows(to, rows);
    }
  }
}

}  // namespace framewright
