#pragma once

#include <cstdint>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/plane_mapping.h"
#include "core/homography.h"
#include "kernels/projection.h"

namespace framewright {

// Where the planes of a projected surface show those of the surface before the projection.
class ProjectionPlan {
 public:
  // `toCanvas` maps flat pixels to canvas pixels; `flat` and `projected` are the areas of both surfaces.
  ProjectionPlan(const Homography& toCanvas, const PixelRect& flat, const PixelRect& projected,
                 PlaneGroup group);

  // Samples of a plane.
  int width() const { return width_; }
  int height() const { return height_; }
  // Positions per sample in each direction, whose mean it shows: 1, 2 or 4, by how far it is minified.
  int across() const { return across_; }
  int down() const { return down_; }
  // Exact positions per row, see kernels::ProjectedRow.
  int entries() const { return (width_ + kernels::kProjectionStep - 1) / kernels::kProjectionStep + 1; }
  // Writes those of row y, 0 <= y <= height(). Positions far beyond the flat surface are not exact.
  void writeRow(int y, int32_t* positions) const;

 private:
  Homography toFlat_;  // sample positions of a projected plane -> those of the flat plane
  int width_ = 0, height_ = 0, across_ = 1, down_ = 1;
};

}  // namespace framewright
