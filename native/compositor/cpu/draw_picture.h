#pragma once

#include "compositor/cpu/turned_picture.h"
#include "compositor/cpu/upright_picture.h"

namespace framewright {

// Draws picture layers. Keeps its buffers between layers and frames; used by one thread.
class PictureDrawer {
 public:
  void draw(const Surface& to, const PlanarPicture& picture, const PicturePlacement& placement) {
    begin(to.size(), picture, placement);
    drawRows(to, 0, to.height);
  }

  // The same in parts: canvas rows `top`, which is even, to `bottom`, which is even or the surface's end.
  // `picture` must outlive them.
  void begin(const CanvasSize& size, const PlanarPicture& picture, const PicturePlacement& placement);
  void drawRows(const Surface& to, int top, int bottom);

 private:
  int groups_ = 0;  // of planes
  bool isUpright_ = true;
  UprightPicture upright_[2];
  TurnedPicture turned_[2];
};

}  // namespace framewright
