#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "compositor/cpu/crossing.h"
#include "compositor/cpu/effects/draw_layer.h"
#include "compositor/cpu/layer_run.h"
#include "compositor/cpu/transition.h"
#include "compositor/cpu/visible_layers.h"

namespace framewright {

// Draws lists of layers. Keeps its buffers, and from frame to frame what a transition shows unchanged; used
// by one thread.
class ListComposer {
 public:
  // Draws `part` of the frame anew, over black.
  Status compose(const ListedLayers& layers, Image& frame, const PixelRect& part) {
    return composeList(layers, frame, part, 0);
  }
  // Of all that was drawn since it was cleared. What a transition does with its two pictures counts as no
  // layer's.
  LayerTimes& times() { return times_; }
  const LayerTimes& times() const { return times_; }
  // After each frame: forgets what it did not need.
  void endFrame();

 private:
  // A whole picture of a transition, and what it shows.
  struct Stage {
    std::shared_ptr<Image> image;
    std::shared_ptr<const PlanarPicture> picture;
    DrawList list;
    std::vector<PicturePtr> pictures;
    bool isKnown = false;  // what the list is
    bool isDrawn = false;  // the image shows it
    bool isUsed = false;   // in this frame
  };

  Status composeList(const ListedLayers& layers, Image& frame, const PixelRect& part, size_t depth);
  Status drawLayer(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame,
                   const PixelRect& part, size_t depth);
  Status drawTransition(const Layer& layer, std::span<const PicturePtr> pictures, Image& frame, size_t depth);
  Status composeBoth(const DrawList& from, const DrawList& to, CrossingInputs inputs,
                     std::span<const PicturePtr> pictures, Crossing& crossing, size_t depth);
  Status composeApart(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas, size_t depth);
  Status composeInFrame(Stage& stage, const ListedLayers& layers, Image& frame, size_t depth);
  Status drawStage(Stage& stage, const ListedLayers& layers, const CanvasSize& canvas, size_t depth);
  Stage& stageAt(size_t index);

  LayerTimes times_;
  ContentDrawer contents_;
  EffectDrawer effects_{contents_};
  std::deque<LayerRun> runs_;  // of each depth of nesting
  CrossingBuffers crossings_;
  std::deque<Stage> stages_;  // two per depth of nesting; a deque, since nested lists add to it
};

// The part of every plane that belongs to `part`.
Plane partOf(const Plane& plane, const PixelRect& part, PlaneGroup group);
void copyPart(Image& to, const Image& from, const PixelRect& part);

}  // namespace framewright
