#pragma once

#include <cstdint>

#include "compositor/cpu/pixel_rect.h"
#include "core/geometry.h"

namespace framewright {

// How a picture lies on the canvas.
struct PicturePlacement {
  Rect crop;        // the part that is drawn, in picture pixels; sampling stays inside it
  Affine toCanvas;  // unit square of the crop -> canvas pixels
  Rect window;      // canvas pixels
  double opacity = 1;
  bool endless = false;  // the crop's edges go on to the window's instead of ending
  bool lumaOnly = false;
  PixelRect part = kEverywhere;  // what is drawn of all that; its samples are the same whatever the part is
};

// One or two neighbouring mip levels and how far to go towards the second.
struct LevelChoice {
  int level = 0;
  uint16_t towardsNext = 0;
};

}  // namespace framewright
