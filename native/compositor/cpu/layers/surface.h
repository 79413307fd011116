#pragma once

#include <array>

#include "compositor/plan/quad_coverage.h"
#include "compositor/planar_image.h"
#include "kernels/rounding.h"

namespace framewright {

// Index of the alpha plane in planesOf().
inline constexpr int kAlphaPlane = 2;

inline kernels::RowRounding roundingOfRow(bool isDithered, int y) {
  return isDithered ? kernels::ditheredRow(y) : kernels::RowRounding{};
}

// Target of drawing: a frame, or an initially transparent image with alpha planes.
struct Surface {
  int width = 0, height = 0;
  ImagePlanes planes;
  bool isDithered = false;  // see DrawList::isDithered
  // How far it starts inside the surface that its layer would have otherwise, in pixels; even. What depends
  // on the place in that surface counts from there.
  int insetX = 0, insetY = 0;

  CanvasSize size() const { return {width, height}; }
  // Rounding of blends in a row of any plane.
  kernels::RowRounding rounding(int y) const { return roundingOfRow(isDithered, y); }
  // The same with the inset.
  kernels::RowRounding rounding(int y, PlaneGroup group) const {
    const int shift = group == PlaneGroup::kLuma ? 0 : 1;
    return roundingOfRow(isDithered, y + (insetY >> shift)).after(insetX >> shift);
  }
};

inline Surface surfaceOf(Image& frame, bool isDithered) {
  return {
      frame.width(), frame.height(), {frame.plane(0), frame.plane(1), frame.plane(2), {}, {}}, isDithered};
}

inline int colourPlanes(PlaneGroup group) { return group == PlaneGroup::kLuma ? 1 : 2; }

// The colour planes of the group, then its alpha plane.
inline std::array<Plane, 3> planesOf(const ImagePlanes& level, PlaneGroup group) {
  if (group == PlaneGroup::kLuma) return {level.y, Plane{}, level.alpha};
  return {level.u, level.v, level.chromaAlpha};
}

}  // namespace framewright
