#pragma once

#include <cstdint>
#include <optional>

#include "compositor/plan/coverage.h"
#include "core/geometry.h"

namespace framewright {

// One or two neighbouring mip levels, and how far to blend towards the second (Q15).
struct LevelChoice {
  int level = 0;
  uint16_t towardsNext = 0;

  int count() const { return towardsNext > 0 ? 2 : 1; }
};

// Sampling parameters of an image; equal for both plane groups.
struct ImageSampling {
  Affine imageFromCanvas;      // canvas pixels -> image pixels of mip level 0
  bool isAxisAligned = false;  // separable filter; otherwise bilinear
  LevelChoice levels;
};

// Nothing if the layer draws nothing. `crop` is the drawn part of the image, `imageWidth` x `imageHeight` its
// size, both in image pixels; `toCanvas` maps the unit square of the crop to canvas pixels.
std::optional<ImageSampling> planSampling(const Rect& crop, const Affine& toCanvas, int imageWidth,
                                          int imageHeight);

// Limits the mapping of an axis-aligned image to the reach of the filters. Only images with very few samples,
// or without memory for mip levels, exceed it.
Affine limitedToFilters(Affine map);
// planeMapping() with this limit.
Affine filterMapping(PlaneGroup group, const Affine& imageFromCanvas, double chromaOffset, int level);

// The integer offset at which outputs first … first + count - 1 of an axis copy source samples within low …
// high unfiltered. Nothing if the axis needs a filter.
std::optional<int> copyOffset(double scale, double offset, int first, int count, int low, int high);

// Number of samples of a bilinear walk with one 16.16 step, after which the position is recomputed to limit
// rounding errors.
inline constexpr int kSamplesPerWalk = 128;

// `value` in 16.16 fixed point, clamped so that a walk cannot overflow.
int32_t toFixedPosition(double value);

}  // namespace framewright
