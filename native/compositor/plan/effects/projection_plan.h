#pragma once

#include <cstdint>

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/plane_mapping.h"
#include "core/homography.h"

namespace framewright {

// Samples between two exact positions of a row. Positions between them are interpolated.
inline constexpr int kProjectionStep = 8;
inline constexpr int kProjectionShift = 3;

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
  int samples() const { return samples_; }
  // Exact positions per row; the last ones are beyond its end.
  int entries() const { return (width_ + kProjectionStep - 1) / kProjectionStep + 1; }
  // Writes 16.16 positions, x and y of each entry, of row y, 0 <= y <= height(). The centre of a sample is at
  // a whole number. Positions beyond the surface are not exact.
  void writeRow(int y, int32_t* positions) const;

 private:
  Homography toFlat_;  // sample positions of a projected plane -> those of the flat plane
  int width_ = 0, height_ = 0, samples_ = 1;
};

// The position of part i of n of a sample, from the middle, for a step to the next sample.
constexpr int32_t partOfStep(int32_t step, int i, int n) {
  const int shift = n == 1 ? 1 : n == 2 ? 2 : 3;
  return (step >> shift) * (2 * i + 1 - n);
}

}  // namespace framewright
