#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "compositor/changes/changed_rects.h"
#include "compositor/cpu/effects/effect_drawer.h"
#include "compositor/cpu/layer_run.h"
#include "compositor/cpu/listed_images.h"
#include "compositor/cpu/transitions/transition_frame.h"

namespace framewright {

// Composes lists of layers. Reuses its buffers, and the unchanged sides of running transitions; used by one
// thread.
class ListComposer {
 public:
  // Composes `part` of the frame over black.
  Status compose(const ListedLayers& layers, Image& frame, const PixelRect& part) {
    if (layers.list.isDithered != isDithered_) stages_.clear();
    isDithered_ = layers.list.isDithered;
    effects_.setDithered(isDithered_);
    return composeList(layers, frame, part, 0);
  }
  // Drawing times since the last clear. Mixing the sides of a transition counts as kNoImage.
  LayerTimes& times() { return times_; }
  const LayerTimes& times() const { return times_; }
  // Call after each frame: frees buffers that the frame did not use.
  void endFrame();

 private:
  // A transition side as a whole image, and its list.
  struct Stage {
    std::shared_ptr<Image> image;
    std::shared_ptr<const PlanarImage> planes;  // a view of `image`
    DrawList list;
    std::vector<PreparedImagePtr> images;
    bool isKnown = false;  // `list` and `images` are set
    bool isDrawn = false;  // `image` matches the list
    bool isUsed = false;   // used by the current frame
  };

  Status composeList(const ListedLayers& layers, Image& frame, const PixelRect& part, size_t depth);
  Status drawLayer(const Layer& layer, std::span<const PreparedImagePtr> images, Image& frame,
                   const PixelRect& part, size_t depth);
  Status drawTransition(const Layer& layer, std::span<const PreparedImagePtr> images, Image& frame,
                        size_t depth);
  Status composeSides(const DrawList& from, const DrawList& to, TransitionInputs inputs,
                      std::span<const PreparedImagePtr> images, TransitionFrame& transition, size_t depth);
  Status composeSeparately(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas, size_t depth);
  Status composeInFrame(Stage& stage, const ListedLayers& layers, Image& frame, size_t depth);
  Status drawStage(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas, size_t depth);
  Stage& stageAt(size_t index);

  bool isDithered_ = false;  // of the outermost list
  LayerTimes times_;
  ContentDrawer contents_;
  EffectDrawer effects_{contents_};
  std::deque<LayerRun> runs_;  // one per nesting depth
  TransitionBuffers transitionBuffers_;
  std::deque<Stage>
      stages_;  // two per nesting depth; a deque keeps references valid while nested lists grow it
};

}  // namespace framewright
