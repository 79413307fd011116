#pragma once

#include "compositor/cpu/draw_content.h"
#include "compositor/cpu/effects/blend_layer.h"
#include "compositor/cpu/effects/box_shape.h"
#include "compositor/cpu/effects/chroma_key.h"
#include "compositor/cpu/effects/drawn_layers.h"
#include "compositor/cpu/effects/gaussian_blur.h"
#include "compositor/cpu/effects/picture_mask.h"
#include "compositor/cpu/placed_layer.h"

namespace framewright {

// Draws layers that have effects: apart from the frame first, where the effects change the picture one after
// another, then over the frame. What stays as it is from frame to frame is drawn apart once. Keeps its
// buffers; used by one thread.
class EffectDrawer {
 public:
  explicit EffectDrawer(ContentDrawer& contents) : contents_(contents) {}

  // Over what is in `part` of the frame; with a blend mode, that is all or none of the layer's extent.
  Status draw(Image& frame, const LayerContent& content, const ApartPictures& pictures,
              const PlacedLayer& placed, const PixelRect& part);
  // Forgets drawn layers that no longer come.
  void endFrame() { drawn_.endFrame(); }

 private:
  Status drawApart(LayerBuffer& buffer, const LayerContent& content, const Picture* mask,
                   const PlacedLayer& placed);
  // Lays the finished picture over the frame.
  void stack(Image& frame, const LayerBuffer& buffer, const PlacedLayer& placed, const PixelRect& part);

  ContentDrawer& contents_;
  LayerBuffer scratch_;
  DrawnLayers drawn_;
  ChromaKeyer keyer_;
  BoxShape shape_;
  PictureMask mask_;
  GaussianBlur blur_;
  LayerBlender blender_;
  HideRowsBuffers rows_;
  RectCoverage coverage_;
};

}  // namespace framewright
