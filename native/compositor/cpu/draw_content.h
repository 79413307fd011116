#pragma once

#include "compositor/cpu/draw_fill.h"
#include "compositor/cpu/draw_picture.h"
#include "compositor/cpu/draw_waveform.h"
#include "timeline/draw_list.h"

namespace framewright {

// What a layer shows before any effect. `picture` is there for picture layers.
struct LayerContent {
  const Layer& layer;
  const PlanarPicture* picture = nullptr;
};

// Where it is drawn on a surface.
struct ContentPlacement {
  Affine toSurface;  // unit square of the content -> pixels of the surface
  Rect window;
  double opacity = 1;
  bool endless = false;          // fills the window, the content's edges going on
  PixelRect part = kEverywhere;  // what is drawn of all that
};

// Of a kind that can be drawn in parts.
PicturePlacement picturePlacement(const LayerContent& content, const ContentPlacement& placement);
FillPlacement fillPlacement(const ContentPlacement& placement);

// Draws contents of every kind. Used by one thread.
class ContentDrawer {
 public:
  void draw(const Surface& to, const LayerContent& content, const ContentPlacement& placement);
  PictureDrawer& pictures() { return pictures_; }

 private:
  FillDrawer fills_;
  PictureDrawer pictures_;
  WaveformDrawer waveforms_;
};

}  // namespace framewright
