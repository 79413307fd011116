#pragma once

#include "compositor/cpu/draw_content.h"
#include "compositor/cpu/effects/blend_layer.h"
#include "compositor/cpu/effects/box_shape.h"
#include "compositor/cpu/effects/chroma_key.h"
#include "compositor/cpu/effects/gaussian_blur.h"
#include "compositor/cpu/effects/picture_mask.h"

namespace framewright {

// Draws layers that have effects: apart from the frame first, where the effects change the picture one after
// another, then over the frame. Keeps its buffers; used by one thread.
class EffectDrawer {
 public:
  explicit EffectDrawer(ContentDrawer& contents) : contents_(contents) {}

  // `window` in canvas pixels, within the canvas. `mask` is there when the effects have one.
  Status draw(Image& frame, const LayerContent& content, const PlanarPicture* mask, const Rect& window,
              double opacity);

 private:
  // Lays the finished picture over the frame.
  void stack(Image& frame, const Rect& window, double opacity);

  ContentDrawer& contents_;
  LayerBuffer buffer_;
  ChromaKeyer keyer_;
  BoxShape shape_;
  PictureMask mask_;
  GaussianBlur blur_;
  LayerBlender blender_;
  HideRowsBuffers rows_;
  RectCoverage coverage_;
};

}  // namespace framewright
