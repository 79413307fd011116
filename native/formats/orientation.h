#pragma once

#include <cstdint>

#include "core/image.h"

namespace framewright {

// How stored pixels are turned to stand upright: upright(x, y) = stored(sx, sy), where (sx, sy) is (x, y),
// or (y, x) when `swapped`, then counted from the far edge where `fromRight` / `fromBottom` (stored axes).
struct Orientation {
  bool swapped = false;
  bool fromRight = false;
  bool fromBottom = false;

  bool isIdentity() const { return !swapped && !fromRight && !fromBottom; }
  bool operator==(const Orientation&) const = default;
};

// EXIF values 1..8; anything else is upright.
Orientation orientationFromExif(int value);
// The 3x3 display matrix of a video stream, turned to the nearest right angle.
Orientation orientationFromDisplayMatrix(const int32_t matrix[9]);

// A new upright image. kI420 images must have even sizes when not upright, because their chroma pairs would
// not line up otherwise; turned chroma is resampled to kCenter siting where it left its column.
Result<ImagePtr> turnUpright(ImagePtr image, Orientation orientation);

}  // namespace framewright
