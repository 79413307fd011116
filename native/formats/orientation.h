#pragma once

#include <cstdint>

#include "core/image.h"

namespace framewright {

// Maps stored pixels to display pixels: display(x, y) = stored(sx, sy), where (sx, sy) is (x, y), or (y, x)
// if `swapped`, counted from the far edge where `fromRight` / `fromBottom` (stored axes).
struct Orientation {
  bool swapped = false;
  bool fromRight = false;
  bool fromBottom = false;

  bool isIdentity() const { return !swapped && !fromRight && !fromBottom; }
  bool operator==(const Orientation&) const = default;
};

// EXIF values 1..8; other values give the identity.
Orientation orientationFromExif(int value);
// The 3x3 display matrix of a video stream, rounded to the nearest right angle.
Orientation orientationFromDisplayMatrix(const int32_t matrix[9]);

// Returns the image in display orientation: `image` itself for the identity, else a new one. Rotated kI420
// images must have even sizes, so that chroma pairs stay aligned; chroma that leaves its column is resampled
// to kCenter siting.
Result<ImagePtr> applyOrientation(ImagePtr image, Orientation orientation);

}  // namespace framewright
