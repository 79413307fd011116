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

// How an image is sampled; the same for both plane groups.
struct ImageSampling {
  Affine imageFromCanvas;      // canvas pixels -> image pixels of mip level 0
  bool isAxisAligned = false;  // filtered along both axes; otherwise bilinear
  LevelChoice levels;
};

// Nothing when nothing can be drawn. `crop` is the drawn part of the image, `imageWidth` x `imageHeight` its
// size, both in image pixels; `toCanvas` maps the unit square of the crop to canvas pixels.
std::optional<ImageSampling> planSampling(const Rect& crop, const Affine& toCanvas, int imageWidth,
                                          int imageHeight);

// planeMapping() of an axis-aligned image, within the reach of the filters. The reach is exceeded only by
// images of very few samples, or where there was no memory for mip levels.
Affine filterMapping(PlaneGroup group, const Affine& imageFromCanvas, double chromaOffset, int level);

// The whole distance in samples at which outputs first … first + count - 1 of an axis copy their source
// unfiltered, and all of them from low … high. Nothing when the axis needs a filter.
std::optional<int> copyOffset(double scale, double offset, int first, int count, int low, int high);

// Samples that a bilinear walk along a row takes with the same 16.16 step, before its position is computed
// anew so that errors do not add up.
inline constexpr int kSamplesPerWalk = 128;

// `value` in 16.16 fixed point, clamped so that a walk cannot overflow.
int32_t toFixedPosition(double value);

}  // namespace framewright
