#pragma once

#include "compositor/plan/pixel_rect.h"

namespace framewright {

// How an image is placed on a surface.
struct ImagePlacement {
  Rect crop;        // the drawn part in image pixels; sampling stays inside it
  Affine toCanvas;  // unit square of the crop -> canvas pixels
  Rect window;      // canvas pixels
  double opacity = 1;
  bool extendsEdges = false;  // the crop's edge samples fill the window
  bool lumaOnly = false;
  PixelRect part = kEverywhere;  // region to draw; the samples in it do not depend on its limits
};

}  // namespace framewright
