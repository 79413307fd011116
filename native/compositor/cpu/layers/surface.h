#pragma once

#include <array>

#include "compositor/plan/quad_coverage.h"
#include "compositor/planar_image.h"

namespace framewright {

// Index of the alpha plane in planesOf().
inline constexpr int kAlphaPlane = 2;

// Target of drawing: a frame, or an initially transparent image with alpha planes.
struct Surface {
  int width = 0, height = 0;
  ImagePlanes planes;

  CanvasSize size() const { return {width, height}; }
};

inline Surface surfaceOf(Image& frame) {
  return {frame.width(), frame.height(), {frame.plane(0), frame.plane(1), frame.plane(2), {}, {}}};
}

inline int colourPlanes(PlaneGroup group) { return group == PlaneGroup::kLuma ? 1 : 2; }

// The colour planes of the group, then its alpha plane.
inline std::array<Plane, 3> planesOf(const ImagePlanes& level, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {level.y, Plane{}, level.alpha};
  return {level.u, level.v, level.chromaAlpha};
}

}  // namespace framewright
