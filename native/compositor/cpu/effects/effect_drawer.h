#pragma once

#include "compositor/cpu/effects/blend_layer.h"
#include "compositor/cpu/effects/box_shape.h"
#include "compositor/cpu/effects/chroma_key.h"
#include "compositor/cpu/effects/gaussian_blur.h"
#include "compositor/cpu/effects/image_mask.h"
#include "compositor/cpu/effects/layer_cache.h"
#include "compositor/cpu/layers/draw_content.h"
#include "compositor/plan/layer_placement.h"

namespace framewright {

// Draws layers with effects: onto an offscreen surface, where the effects are applied one after another, and
// from there onto the frame. Surfaces that do not change between frames are cached. Used by one thread.
class EffectDrawer {
 public:
  explicit EffectDrawer(ContentDrawer& contents) : contents_(contents) {}

  // Over what is in `part` of the frame; with a blend mode, that is all or none of the layer's extent.
  Status draw(Image& frame, const LayerContent& content, const EffectInputs& images,
              const LayerPlacement& placed, const PixelRect& part);
  // Removes cached layers that are no longer drawn.
  void endFrame() { drawn_.endFrame(); }

 private:
  Status drawOffscreen(LayerBuffer& buffer, const LayerContent& content, const PreparedImage* mask,
                       const LayerPlacement& placed);
  // Composites the finished surface over the frame.
  void stack(Image& frame, const LayerBuffer& buffer, const LayerPlacement& placed, const PixelRect& part);

  ContentDrawer& contents_;
  LayerBuffer scratch_;
  LayerCache drawn_;
  ChromaKeyer keyer_;
  BoxShape shape_;
  ImageMask mask_;
  GaussianBlur blur_;
  LayerBlender blender_;
  EraseBuffers rows_;
  RectCoverage coverage_;
};

}  // namespace framewright
