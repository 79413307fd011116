#pragma once

#include "compositor/cpu/layers/quad_rows.h"

namespace framewright {

// A box with rounded corners, possibly rotated, rasterised on a surface.
class BoxShape {
 public:
  // `box` maps the unit square to the surface; `width`, `height` and `radius` are in box pixels, before that
  // map.
  void begin(const CanvasSize& surface, const Affine& box, double width, double height, double radius);
  // Computes the Q15 share of each pixel of a row outside the box. False if the whole row is inside.
  bool fillHidden(int y, uint16_t* hidden);

 private:
  void roundCorners(int y, uint16_t* hidden) const;
  // Share of a pixel outside a corner's circle, by its offset from the circle's centre in box pixels.
  uint16_t outsideCorner(double dx, double dy) const;

  RectCoverage everything_;
  QuadRows quad_;
  int surfaceWidth_ = 0;
  Affine toBox_;  // surface pixels -> box pixels
  double width_ = 0, height_ = 0, radius_ = 0;
};

}  // namespace framewright
