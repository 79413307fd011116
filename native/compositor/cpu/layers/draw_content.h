#pragma once

#include "compositor/cpu/layers/draw_fill.h"
#include "compositor/cpu/layers/draw_image.h"
#include "compositor/cpu/layers/draw_waveform.h"
#include "timeline/draw_list.h"

namespace framewright {

// A layer's content without effects. `image` is set for image layers.
struct LayerContent {
  const Layer& layer;
  const PlanarImage* image = nullptr;
};

// Position of content on a surface.
struct ContentPlacement {
  Affine toSurface;  // unit square of the content -> pixels of the surface
  Rect window;
  double opacity = 1;
  bool extendsEdges = false;     // the content's edge samples fill the window
  PixelRect part = kEverywhere;  // region to draw
};

// For content that can be drawn in parts.
ImagePlacement imagePlacement(const LayerContent& content, const ContentPlacement& placement);
FillPlacement fillPlacement(const ContentPlacement& placement);

// Draws all kinds of content. Used by one thread.
class ContentDrawer {
 public:
  void draw(const Surface& to, const LayerContent& content, const ContentPlacement& placement);
  ImageDrawer& images() { return images_; }

 private:
  FillDrawer fills_;
  ImageDrawer images_;
  WaveformDrawer waveforms_;
};

}  // namespace framewright
