#pragma once

#include "compositor/cpu/layers/quad_rows.h"

namespace framewright {

// A box with rounded corners, possibly rotated, on the pixels of a surface.
class BoxShape {
 public:
  // `box` maps the unit square to the surface; `width`, `height` and `radius` are those of the box before
  // that.
  void begin(const CanvasSize& surface, const Affine& box, double width, double height, double radius);
  // Fills the Q15 share of each pixel of a row that is outside the box. False when all of the row is inside.
  bool fillHidden(int y, uint16_t* hidden);

 private:
  void roundCorners(int y, uint16_t* hidden) const;
  // The share of a pixel outside a corner's circle, by its distance from the circle's centre in box pixels.
  uint16_t outsideCorner(double dx, double dy) const;

  RectCoverage everything_;
  QuadRows quad_;
  int surfaceWidth_ = 0;
  Affine toBox_;  // pixels of the surface -> pixels of the box before it was placed
  double width_ = 0, height_ = 0, radius_ = 0;
};

}  // namespace framewright
