#pragma once

#include "compositor/cpu/axis_filter.h"
#include "compositor/cpu/row_resampler.h"
#include "core/geometry.h"

namespace framewright {

// Planes of one resolution: luma and alpha, or the chroma planes and theirs.
enum class PlaneGroup { kLuma, kChroma };

// Continuous canvas pixels of a sample position of a (left-sited) canvas plane.
inline Affine canvasFromPlane(PlaneGroup group) {
  return group == PlaneGroup::kLuma ? Affine{} : Affine{2, 0, -0.5, 0, 2, 0};
}

// From sample positions of a canvas plane to those of a picture's plane at a mip level, given how canvas
// pixels map to picture pixels.
inline Affine planeMapping(PlaneGroup group, const Affine& pictureFromCanvas, double chromaOffset,
                           int level) {
  const Affine toPlane = group == PlaneGroup::kLuma ? Affine{} : Affine{0.5, 0, chromaOffset, 0, 0.5, 0};
  const double shrink = 1.0 / (1 << level);
  return scaling(shrink, shrink) * toPlane * pictureFromCanvas * canvasFromPlane(group);
}

// Samples of a picture's plane that belong to `crop`, in picture pixels.
SampleBounds boundsOf(const Rect& crop, PlaneGroup group, int level, const Plane& plane);

}  // namespace framewright
