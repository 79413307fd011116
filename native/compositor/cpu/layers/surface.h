#pragma once

#include <array>

#include "compositor/plan/quad_coverage.h"
#include "compositor/planar_image.h"

namespace framewright {

// Index of the alpha plane among planesOf().
inline constexpr int kAlphaPlane = 2;

// What layers are drawn on: a frame, or an image that starts out transparent and then has alpha planes.
struct Surface {
  int width = 0, height = 0;
  ImagePlanes planes;

  CanvasSize size() const { return {width, height}; }
};

inline Surface surfaceOf(Image& frame) {
  return {frame.width(), frame.height(), {frame.plane(0), frame.plane(1), frame.plane(2), {}, {}}};
}

inline int colourPlanes(PlaneGroup group) { return group == PlaneGroup::kLuma ? 1 : 2; }

// The group's colours, then its alpha.
inline std::array<Plane, 3> planesOf(const ImagePlanes& level, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {level.y, Plane{}, level.alpha};
  return {level.u, level.v, level.chromaAlpha};
}

}  // namespace framewright
