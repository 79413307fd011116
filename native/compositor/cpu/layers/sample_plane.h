#pragma once

#include <algorithm>

#include "compositor/plan/plane_mapping.h"
#include "core/image.h"
#include "kernels/resample.h"

namespace framewright {

// A part of a plane for bilinear sampling.
inline kernels::SamplePlane samplePlaneOf(const Plane& plane, const SampleBounds& bounds) {
  const ptrdiff_t last = (plane.height - 1) * plane.stride + plane.width - 4;
  return {plane.data,
          static_cast<int32_t>(plane.stride),
          bounds.left,
          bounds.right,
          bounds.top,
          bounds.bottom,
          static_cast<int32_t>(std::max<ptrdiff_t>(0, last))};
}

// The whole plane.
inline kernels::SamplePlane samplePlaneOf(const Plane& plane) {
  return samplePlaneOf(plane, {0, 0, plane.width - 1, plane.height - 1});
}

}  // namespace framewright
