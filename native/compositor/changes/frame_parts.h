#pragma once

#include "compositor/plan/pixel_rect.h"
#include "compositor/plan/plane_mapping.h"
#include "core/image.h"

namespace framewright {

// The part of a plane that belongs to `part`, with `bytes` per sample.
Plane partOf(const Plane& plane, const PixelRect& part, PlaneGroup group, int bytes = 1);
// Copies a region between images of the same size and format, kI420 or kI010.
void copyPart(Image& to, const Image& from, const PixelRect& part);

}  // namespace framewright
