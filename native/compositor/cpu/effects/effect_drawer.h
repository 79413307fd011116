#pragma once

#include <deque>
#include <span>

#include "compositor/cpu/effects/blend_layer.h"
#include "compositor/cpu/effects/box_shape.h"
#include "compositor/cpu/effects/color_grade.h"
#include "compositor/cpu/effects/drop_shadow.h"
#include "compositor/cpu/effects/finish_effects.h"
#include "compositor/cpu/effects/gaussian_blur.h"
#include "compositor/cpu/effects/image_mask.h"
#include "compositor/cpu/effects/key/chroma_key.h"
#include "compositor/cpu/effects/layer_cache.h"
#include "compositor/cpu/effects/motion_blur.h"
#include "compositor/cpu/effects/projection.h"
#include "compositor/cpu/layers/draw_content.h"
#include "compositor/plan/layer_placement.h"

namespace framewright {

// The images of a layer with effects. Fails if one is missing.
Result<EffectInputs> inputsOf(const Layer& layer, std::span<const PreparedImagePtr> images);

// Draws layers with effects, and groups of layers: the content is drawn to an offscreen surface, the effects
// are applied in order, and the result is composited over the frame. Unchanged surfaces are cached. Used by
// one thread.
class EffectDrawer {
 public:
  explicit EffectDrawer(ContentDrawer& contents) : contents_(contents) {}

  // Composites the layer in `part` of the frame; layers with a blend mode need their whole extent or nothing
  // in it.
  Status draw(Image& frame, const Layer& layer, const EffectInputs& images, const LayerPlacement& placed,
              const PixelRect& part);
  // Rounding of later calls; see DrawList::isDithered.
  void setDithered(bool isDithered) {
    if (isDithered != isDithered_) drawn_.clear();
    isDithered_ = isDithered;
  }
  // Evicts cached layers that are no longer drawn.
  void endFrame() { drawn_.endFrame(); }

 private:
  // Whether a layer is opaque on its whole surface, which is in `part`, so that it needs no surface of its
  // own.
  static bool replacesFrame(const Layer& layer, const EffectInputs& images, const LayerPlacement& placed,
                            const CanvasSize& canvas, const PixelRect& part);
  // Draws such a layer. Images are drawn and changed row by row, which saves a pass over the frame.
  Status drawInFrame(Image& frame, const Layer& layer, const EffectInputs& images,
                     const LayerPlacement& placed);
  // `depth`: of groups around the layer.
  Status drawOffscreen(LayerBuffer& finished, const Layer& layer, const EffectInputs& images,
                       const LayerPlacement& placed, size_t depth);
  // Draws the content and applies the effects that are not on the canvas if there is a projection.
  Status drawFlat(LayerBuffer& buffer, const Layer& layer, const EffectInputs& images, size_t depth);
  Status drawMembers(const LayerBuffer& buffer, const Layer& group, std::span<const EffectInputs> images,
                     size_t depth);
  // Hides all outside the unit square under `box`, which maps it to canvas pixels.
  void cutBox(const LayerBuffer& buffer, const Affine& box);
  // Composites the finished surface over a frame or a surface.
  void stack(const Surface& to, const LayerBuffer& buffer, const LayerPlacement& placed,
             const PixelRect& part);
  LayerBuffer& bufferAt(size_t index);

  ContentDrawer& contents_;
  bool isDithered_ = false;
  LayerBuffer scratch_;
  std::deque<LayerBuffer> nested_;  // by depth: a surface before its projection, a finished member
  LayerCache drawn_;
  ChromaKeyer keyer_;
  ColorGrader grader_;
  FinishEffects finish_;
  BoxShape shape_;
  ImageMask mask_;
  GaussianBlur blur_;
  MotionBlur motionBlur_;
  Projector projector_;
  DropShadows shadows_;
  LayerBlender blender_;
  EraseBuffers rows_;
  RectCoverage coverage_;
};

}  // namespace framewright
