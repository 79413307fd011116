#pragma once

#include <vector>

#include "compositor/deep/float_image.h"
#include "compositor/plan/coverage.h"
#include "compositor/plan/quad_coverage.h"

namespace framewright {

// Fills the unit square under `toSurface`, clipped to `window`, with a premultiplied colour.
void fillShape(FloatImage& to, const kernels::FloatColor& color, const Affine& toSurface, const Rect& window,
               float opacity);

// A box with rounded corners, possibly rotated, as weights of pixels.
class BoxWeights {
 public:
  // `box` maps the unit square to the surface; `width`, `height` and `radius` are in box pixels, before that
  // map.
  BoxWeights(const CanvasSize& surface, const Affine& box, double width, double height, double radius);
  // The share of each pixel of row y that is inside: `weights` has as many entries as the surface columns.
  void write(int y, float* weights) const;
  // Whether neither the upper or lower edge of the box nor a corner changes row y. All such rows are the
  // same.
  bool isStraight(int y) const;

 private:
  float insideCorners(double x, double y) const;
  SampleRange straightColumns(int y, const QuadCoverage::Span& span) const;

  CanvasSize surface_;
  RectCoverage everything_;
  QuadCoverage quad_;
  SampleRange rows_{0, 0};
  Affine toBox_;  // surface pixels -> box pixels
  double width_, height_, radius_;
};

// Keeps what is inside the box.
void keepInside(FloatImage& image, const BoxWeights& box);

}  // namespace framewright
