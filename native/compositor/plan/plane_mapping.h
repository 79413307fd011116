#pragma once

#include "core/geometry.h"
#include "core/image.h"

namespace framewright {

// Planes of one resolution: luma and its alpha, or both chroma planes and theirs.
enum class PlaneGroup { kLuma, kChroma };
inline constexpr PlaneGroup kPlaneGroups[] = {PlaneGroup::kLuma, PlaneGroup::kChroma};

// The group of plane 0, 1 or 2 of an I420 image.
inline PlaneGroup groupOfPlane(int plane) { return plane == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma; }

// Samples first … end - 1 along one axis of a plane.
struct SampleRange {
  int first, end;
};
// Samples that belong to pixels `low` … `high` - 1; `low` is even.
inline SampleRange samplesOf(int low, int high, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {low, high};
  return {low / 2, high / 2 + high % 2};
}

// Samples that may be read: first and last column and row, inclusive.
struct SampleBounds {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// Canvas pixels of a sample position of a (left-sited) canvas plane.
inline Affine canvasFromPlane(PlaneGroup group) {
  return group == PlaneGroup::kLuma ? Affine{} : Affine{2, 0, -0.5, 0, 2, 0};
}

// Maps sample positions of a canvas plane to those of an image plane at mip level `level`.
// `imageFromCanvas` maps canvas pixels to image pixels; `chromaOffset` is PlanarImage::chromaOffset().
inline Affine planeMapping(PlaneGroup group, const Affine& imageFromCanvas, double chromaOffset, int level) {
  const Affine toPlane = group == PlaneGroup::kLuma ? Affine{} : Affine{0.5, 0, chromaOffset, 0, 0.5, 0};
  const double shrink = 1.0 / (1 << level);
  return scaling(shrink, shrink) * toPlane * imageFromCanvas * canvasFromPlane(group);
}

// Samples of an image plane that belong to `crop` (image pixels of mip level 0); at least one. Only the
// plane's size is read.
SampleBounds boundsOf(const Rect& crop, PlaneGroup group, int level, const Plane& plane);

}  // namespace framewright
