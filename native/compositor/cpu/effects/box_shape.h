#pragma once

#include "compositor/cpu/shape.h"

namespace framewright {

// A box that may be turned and have round corners, on the pixels of a surface.
class BoxShape {
 public:
  // `box` maps the unit square to the surface; `width`, `height` and `radius` are those of the box before
  // that.
  void begin(const CanvasSize& surface, const Affine& box, double width, double height, double radius);
  // Fills what of a row's pixels lies outside, kFullWeight where all. False when nothing does.
  bool fillHidden(int y, uint16_t* hidden);

 private:
  void roundCorners(int y, uint16_t* hidden) const;
  // How much of a pixel that lies so far from a corner's centre, in pixels of the box, is outside its circle.
  uint16_t outsideCorner(double dx, double dy) const;

  RectCoverage everything_;
  QuadCoverage quad_;
  int surfaceWidth_ = 0;
  Affine toBox_;  // pixels of the surface -> pixels of the box before it was placed
  double width_ = 0, height_ = 0, radius_ = 0;
};

}  // namespace framewright
